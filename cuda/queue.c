/* gst-cca: enqueues a frame's steps on a stream, or collects them in a graph
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/queue.h"

static CcaStatus
enqueue (const CcaCudaQueue *queue, const CcaStep *step)
{
  return queue->graph ? cca_cuda_graph_add (queue->graph, step) : cca_cuda_step (queue->device, queue->stream, step);
}

CcaStatus
cca_cuda_launch (const CcaCudaQueue *queue, CcaCudaKernel kernel, CcaDim grid, CcaDim block, const void *params,
                 size_t n_params)
{
  const CcaStep step = { .kind = CCA_STEP_KERNEL,
                         .kernel = kernel,
                         .grid = grid,
                         .block = block,
                         .params = params,
                         .n_params = n_params,
                         .aside = queue->aside };

  return enqueue (queue, &step);
}

CcaStatus
cca_cuda_clear (const CcaCudaQueue *queue, void *memory, size_t bytes)
{
  const CcaStep step = { .kind = CCA_STEP_CLEAR, .memory = memory, .bytes = bytes };

  return enqueue (queue, &step);
}
