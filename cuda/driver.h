/* gst-cca: the CUDA driver, opened at run time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

#include <cuda.h>

/* All entry points that the backend uses. cuda.h maps the names to versioned symbols. */
#define CCA_CUDA_FUNCTIONS(F)                                                                                          \
  F (cuInit)                                                                                                           \
  F (cuGetErrorString)                                                                                                 \
  F (cuDeviceGetCount)                                                                                                 \
  F (cuDeviceGet)                                                                                                      \
  F (cuDeviceGetName)                                                                                                  \
  F (cuDeviceGetAttribute)                                                                                             \
  F (cuDevicePrimaryCtxRetain)                                                                                         \
  F (cuDevicePrimaryCtxRelease)                                                                                        \
  F (cuCtxPushCurrent)                                                                                                 \
  F (cuCtxPopCurrent)                                                                                                  \
  F (cuCtxGetDevice)                                                                                                   \
  F (cuModuleLoadData)                                                                                                 \
  F (cuModuleUnload)                                                                                                   \
  F (cuModuleGetFunction)                                                                                              \
  F (cuLaunchKernel)                                                                                                   \
  F (cuMemAlloc)                                                                                                       \
  F (cuMemFree)                                                                                                        \
  F (cuMemAllocHost)                                                                                                   \
  F (cuMemFreeHost)                                                                                                    \
  F (cuMemcpyHtoD)                                                                                                     \
  F (cuMemcpyDtoHAsync)                                                                                                \
  F (cuMemcpy2DAsync)                                                                                                  \
  F (cuMemsetD8Async)                                                                                                  \
  F (cuPointerGetAttributes)                                                                                           \
  F (cuEventCreate)                                                                                                    \
  F (cuEventDestroy)                                                                                                   \
  F (cuEventRecord)                                                                                                    \
  F (cuEventQuery)                                                                                                     \
  F (cuEventSynchronize)                                                                                               \
  F (cuEventElapsedTime)                                                                                               \
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
#define CCA_CUDA_MEMBER(name) __typeof__ (name) *name;
  CCA_CUDA_FUNCTIONS (CCA_CUDA_MEMBER)
#undef CCA_CUDA_MEMBER
} CcaCudaDriver;

/* Returns the initialised driver, opened once per process, if it has at least one device. Otherwise fails with
 * CCA_ERROR_UNAVAILABLE and a text that gives the reason. */
CcaStatus cca_cuda_driver (const CcaCudaDriver **driver);

/* Returns CCA_OK, or the status of a failure of the driver, and sets its text. `what` names the attempted action:
 * "allocate 12 bytes". */
CcaStatus cca_cuda_check (const CcaCudaDriver *driver, CUresult result, const char *what, ...)
    __attribute__ ((format (printf, 3, 4)));
