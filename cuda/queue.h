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

CcaStatus cca_cuda_launch (const CcaCudaQueue *queue, CcaCudaKernel kernel, CcaDim grid, CcaDim block,
                           const void *params, size_t n_params);
/* Whole 4 bytes of device memory. */
CcaStatus cca_cuda_clear (const CcaCudaQueue *queue, void *memory, size_t bytes);

#endif
