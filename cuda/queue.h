/* gst-cca: where a frame's work goes, step by step
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_QUEUE_H
#define CCA_CUDA_QUEUE_H

#include "cuda/graph.h"

typedef struct
{
  const CcaCudaDevice *device;
  CUstream stream;
  CcaCudaGraph *graph; /* where steps are collected; NULL where they go to the stream at once */
} CcaCudaQueue;

CcaStatus cca_cuda_launch (const CcaCudaQueue *queue, CcaKernel kernel, CcaDim grid, CcaDim block, const void *params,
                           size_t n_params);
/* Whole 4 bytes of device memory. */
CcaStatus cca_cuda_clear (const CcaCudaQueue *queue, void *memory, size_t bytes);

#define CCA_KERNEL_LAUNCH(name, type, file)                                                                            \
  static inline CcaStatus cca_launch_##name (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, type params)        \
  {                                                                                                                    \
    _Static_assert (sizeof params <= CCA_GRAPH_PARAMS, "the parameters of " #name " fit");                             \
    return cca_cuda_launch (queue, CCA_KERNEL_##name, grid, block, &params, sizeof params);                            \
  }
CCA_KERNELS (CCA_KERNEL_LAUNCH)
#undef CCA_KERNEL_LAUNCH

#endif
