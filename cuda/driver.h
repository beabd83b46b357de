/* gst-cca: the CUDA driver, opened at run time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_DRIVER_H
#define CCA_CUDA_DRIVER_H

#include "cca/cca.h"

#include <cuda.h>

/* Every entry point that is used; the members have the names that cuda.h maps them to. */
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
  F (cuMemcpyDtoHAsync)                                                                                                \
  F (cuMemcpy2DAsync)                                                                                                  \
  F (cuMemsetD8Async)                                                                                                  \
  F (cuEventCreate)                                                                                                    \
  F (cuEventDestroy)                                                                                                   \
  F (cuEventRecord)                                                                                                    \
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

/* The driver, initialised, with at least one device; once per process. CCA_ERROR_UNAVAILABLE says why there is none. */
CcaStatus cca_cuda_driver (const CcaCudaDriver **driver);

/* CCA_OK, or the status and text of a driver's failure; what says what was being done: "allocate 12 bytes". */
CcaStatus cca_cuda_check (const CcaCudaDriver *driver, CUresult result, const char *what, ...)
    __attribute__ ((format (printf, 3, 4)));

#endif
