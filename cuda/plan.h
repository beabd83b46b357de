/* gst-cca: a plan's memory on a device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/graph.h"
#include "cuda/overlaps.h"
#include "cuda/workspace.h"

typedef struct
{
  CcaCudaWorkspace workspace;
  CcaCudaModel model;
  CcaCudaOverlaps overlaps;
  uint32_t *region;    /* CcaCudaSpec.region */
  uint8_t *factors;    /* CcaCudaSpec.factors */
  uint8_t *input;      /* the device's copy of an image in host memory; NULL before the first one */
  size_t input_size;   /* bytes */
  uint32_t capacity;   /* CcaCudaSpec.capacity */
  uint32_t n_expected; /* components that a frame's kernels write straight to the host */
  CcaCudaGraph graph;
  uint64_t n_run; /* number of frames, to choose the timed ones */
  uint64_t stage_ns[CCA_N_STAGES];
  bool complete; /* the last frame was completely enqueued in this workspace */
} CcaCudaPlan;

static inline CcaCudaDevice *
cca_cuda_device_of (const CcaPlan *plan)
{
  return plan->context->state;
}

/* Returns what a plan asks of its algorithm. Needs no plan state. */
CcaCudaSpec cca_cuda_spec (const CcaPlan *plan);

/* Returns the bytes that opening a plan allocates, without its background model. */
size_t cca_cuda_plan_size (const CcaPlan *plan);

/* Open and close a plan's state. */
CcaStatus cca_cuda_plan_open (CcaPlan *plan);
void cca_cuda_plan_close (CcaPlan *plan);

/* Loads the kernels that the parameters of `next` need, and replaces memory that does not fit them. No frame may be in
 * flight; the device's context must be current. A failure changes nothing. */
CcaStatus cca_cuda_plan_change (CcaPlan *plan, const CcaPlan *next);

/* Replaces the region and, if needed, the workspace, in the same way. */
CcaStatus cca_cuda_plan_set_region (CcaPlan *plan, const CcaImage *region);

/* Replaces the factors of the sensitivity, in the same way. */
CcaStatus cca_cuda_plan_set_sensitivity (CcaPlan *plan, const CcaImage *factors);

/* Grows the workspace for `capacity` (CcaCudaSpec), in the same way. */
CcaStatus cca_cuda_plan_grow (CcaPlan *plan, uint32_t capacity);

/* Grows the table of overlaps for n of them, in the same way. */
CcaStatus cca_cuda_plan_grow_overlaps (CcaPlan *plan, uint32_t n);

/* Reserves the device's copy of an image in host memory. */
CcaStatus cca_cuda_plan_reserve_input (CcaPlan *plan, size_t size);
