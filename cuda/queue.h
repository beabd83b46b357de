/* gst-cca: enqueues a frame's steps on a stream, or collects them in a graph
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/graph.h"

typedef struct
{
  const CcaCudaDevice *device;
  CUstream stream;
  CcaCudaGraph *graph; /* collects the steps; NULL: each step goes to the stream at once */
  bool aside;          /* the steps are a branch: no other step waits for them */
} CcaCudaQueue;

CcaStatus cca_cuda_launch (const CcaCudaQueue *queue, CcaCudaKernel kernel, CcaDim grid, CcaDim block,
                           const void *params, size_t n_params);
/* Sets device memory to zero; `bytes` is a multiple of 4. */
CcaStatus cca_cuda_clear (const CcaCudaQueue *queue, void *memory, size_t bytes);
