/* gst-cca: the functions of the fake driver
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <cuda.h>

/* The oldest version; newer headers no longer declare it. */
CUresult CUDAAPI cuCtxCreate_v2 (CUcontext *context, unsigned flags, CUdevice device);

/* The functions that libcca, the elements, the tests and libgstcuda of GStreamer 1.22 use. */
#define FAKE_CUDA_FUNCTIONS(F)                                                                                         \
  F (cuInit)                                                                                                           \
  F (cuDriverGetVersion)                                                                                               \
  F (cuGetErrorName)                                                                                                   \
  F (cuGetErrorString)                                                                                                 \
  F (cuDeviceGetCount)                                                                                                 \
  F (cuDeviceGet)                                                                                                      \
  F (cuDeviceGetName)                                                                                                  \
  F (cuDeviceGetAttribute)                                                                                             \
  F (cuDevicePrimaryCtxRetain)                                                                                         \
  F (cuDevicePrimaryCtxRelease)                                                                                        \
  F (cuCtxCreate_v2)                                                                                                   \
  F (cuCtxDestroy)                                                                                                     \
  F (cuCtxPushCurrent)                                                                                                 \
  F (cuCtxPopCurrent)                                                                                                  \
  F (cuCtxGetCurrent)                                                                                                  \
  F (cuCtxGetDevice)                                                                                                   \
  F (cuCtxSynchronize)                                                                                                 \
  F (cuModuleLoadData)                                                                                                 \
  F (cuModuleUnload)                                                                                                   \
  F (cuModuleGetFunction)                                                                                              \
  F (cuLaunchKernel)                                                                                                   \
  F (cuLaunchHostFunc)                                                                                                 \
  F (cuMemAlloc)                                                                                                       \
  F (cuMemAllocPitch)                                                                                                  \
  F (cuMemFree)                                                                                                        \
  F (cuMemAllocHost)                                                                                                   \
  F (cuMemFreeHost)                                                                                                    \
  F (cuMemHostRegister)                                                                                                \
  F (cuMemHostUnregister)                                                                                              \
  F (cuMemcpyHtoD)                                                                                                     \
  F (cuMemcpyDtoH)                                                                                                     \
  F (cuMemcpyDtoHAsync)                                                                                                \
  F (cuMemcpy2D)                                                                                                       \
  F (cuMemcpy2DAsync)                                                                                                  \
  F (cuMemsetD8)                                                                                                       \
  F (cuMemsetD8Async)                                                                                                  \
  F (cuMemsetD2D8Async)                                                                                                \
  F (cuPointerGetAttributes)                                                                                           \
  F (cuEventCreate)                                                                                                    \
  F (cuEventDestroy)                                                                                                   \
  F (cuEventRecord)                                                                                                    \
  F (cuEventQuery)                                                                                                     \
  F (cuEventSynchronize)                                                                                               \
  F (cuEventElapsedTime)                                                                                               \
  F (cuStreamCreate)                                                                                                   \
  F (cuStreamDestroy)                                                                                                  \
  F (cuStreamSynchronize)                                                                                              \
  F (cuStreamWaitEvent)                                                                                                \
  F (cuGraphCreate)                                                                                                    \
  F (cuGraphAddKernelNode)                                                                                             \
  F (cuGraphAddMemsetNode)                                                                                             \
  F (cuGraphAddDependencies_v2)                                                                                        \
  F (cuGraphInstantiate)                                                                                               \
  F (cuGraphExecKernelNodeSetParams)                                                                                   \
  F (cuGraphExecMemsetNodeSetParams)                                                                                   \
  F (cuGraphLaunch)                                                                                                    \
  F (cuGraphExecDestroy)                                                                                               \
  F (cuGraphDestroy)

typedef struct
{
#define FAKE_CUDA_MEMBER(name) __typeof__ (name) *name;
  FAKE_CUDA_FUNCTIONS (FAKE_CUDA_MEMBER)
#undef FAKE_CUDA_MEMBER
} FakeCudaFunctions;

/* A null device: its kernels do nothing. */
extern const FakeCudaFunctions fake_cuda_null;
