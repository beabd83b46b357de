/* gst-cca: a plan's life on a device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_PLAN_H
#define CCA_CUDA_PLAN_H

#include "cuda/graph.h"
#include "cuda/workspace.h"

typedef struct
{
  CcaCudaWorkspace workspace;
  CcaCudaModel model;
  uint8_t *input;      /* a copy of the last image in host memory; NULL before there was one */
  uint32_t capacity;   /* CcaCudaSpec.capacity */
  uint32_t n_expected; /* components of a frame that are copied to the host at once */
  CcaCudaGraph graph;
  uint64_t n_run; /* frames that might have been timed */
  uint64_t stage_ns[CCA_N_STAGES];
  bool complete; /* the last frame was enqueued to its end, in this workspace */
  CUevent last;  /* the end of the last frame, while its result exists; else NULL */
  CUstream last_stream;
  struct CcaCudaFrame *in_flight; /* frames that are not waited for yet, a list */
} CcaCudaPlan;

static inline CcaCudaDevice *
cca_cuda_device_of (const CcaPlan *plan)
{
  return plan->context->state;
}

/* Returns what a plan asks for; the plan may be described only, without a state. */
CcaCudaSpec cca_cuda_spec (const CcaPlan *plan);

/* Returns the bytes that opening a plan allocates, without its background model. */
size_t cca_cuda_plan_size (const CcaPlan *plan);

/* Opens a plan that is described; and closes it. */
CcaStatus cca_cuda_plan_open (CcaPlan *plan);
void cca_cuda_plan_close (CcaPlan *plan);

/* Returns whether the plan's memory serves the parameters of `next`, too. */
bool cca_cuda_plan_serves (const CcaPlan *plan, const CcaPlan *next);

/* Replaces what the parameters of `next` want to be otherwise. No frame in flight may have to be done again. The
 * device's context is current; on failure nothing has changed. */
CcaStatus cca_cuda_plan_change (CcaPlan *plan, const CcaPlan *next);

/* Makes the workspace larger, for `capacity` (CcaCudaSpec). Waits for the last frame. The device's context is current;
 * on failure nothing has changed. */
CcaStatus cca_cuda_plan_grow (CcaPlan *plan, uint32_t capacity);

/* Makes room for the device's copy of images in host memory, whose pitch it returns in *pitch. */
CcaStatus cca_cuda_plan_reserve_input (CcaPlan *plan, int64_t *pitch);

#endif
