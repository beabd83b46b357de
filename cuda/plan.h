/* gst-cca: the plans and results of the CUDA backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_PLAN_H
#define CCA_CUDA_PLAN_H

#include "cca/selection.h"
#include "cuda/workspace.h"

typedef struct
{
  CcaCudaWorkspace workspace;
  uint8_t *input;      /* a copy of the last image in host memory; NULL before there was one */
  uint8_t *background; /* of MOTION, and behind it the spread; NULL for other foregrounds */
  uint64_t n_frames;   /* that the model has seen */
  uint32_t expected;   /* components that a frame gives the host at once */
  CcaCudaGraph graph;
  uint64_t n_run; /* frames that might have been timed */
  uint64_t stage_ns[CCA_N_STAGES];
  bool complete;                    /* the last frame was enqueued to its end */
  const struct CcaCudaResult *last; /* the last frame's, or NULL where it is waited for */
  struct CcaCudaResult *under_way;  /* those of frames that nobody has waited for so far, a list */
} CcaCudaPlan;

typedef struct CcaCudaResult
{
  CUevent done; /* without a time, which costs less */
  CUevent stages[CCA_N_STAGES
                 + 1]; /* the beginnings of stages and the end of the last one, in frames whose stages are timed */
  bool timed;
  CcaImage source, painted; /* the frame's images; of no output is painted.data NULL */
  uint32_t *mask;           /* the frame's own, as cca_cuda_keeps_mask() says */
  CcaDeviceHeader *header;  /* on the device: the counts, and behind them the components that passed */
  uint32_t n_selected;      /* components that fit there */
  void *outgrown;           /* the header before; releasing memory waits for the device */
  CcaDeviceHeader *copy;    /* pinned: the same, with the first `copied` components */
  uint32_t capacity, copied;
  uint8_t *input, *output;    /* pinned: images of the caller's in host memory */
  CcaImage target;            /* where the output goes in host memory; data is NULL where it does not */
  bool pending;               /* under way */
  bool grows;                 /* its algorithm, which then says in the header whether there was room */
  bool unread;                /* nobody has asked for its components so far */
  CcaStatus failure;          /* of what was done for it without being asked */
  struct CcaCudaResult *next; /* in the plan's list */
  CUstream stream;
  /* For what did not go to the host at once, and for order by area. */
  CcaFeatures *all;
  uint32_t all_capacity;
  CcaSelection selection;
  char *selection_block;
  uint32_t selection_room; /* components that fit there */
  CcaParams params;        /* the frame's */
} CcaCudaResult;

static inline const CcaCudaDevice *
cca_cuda_device_of (const CcaPlan *plan)
{
  return plan->context->state;
}

/* Of CcaBackendOps. */
CcaStatus cca_cuda_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result);
CcaStatus cca_cuda_result_open (CcaResult *result);
void cca_cuda_result_close (CcaResult *result);
CcaStatus cca_cuda_wait (CcaResult *result);

/* Enqueues the frame of a result once more, on its stream, with the plan's parameters, which are still the frame's. */
CcaStatus cca_cuda_run_again (CcaPlan *plan, CcaCudaResult *result);

/* Waits for all frames that are under way, so that they no more depend on the plan's parameters. */
CcaStatus cca_cuda_settle (CcaPlan *plan);

/* Makes the plan's workspace larger: CcaPlan.room. Waits for frames that are under way. On failure nothing has changed.
 */
CcaStatus cca_cuda_grow (CcaPlan *plan, uint32_t room);

/* Bytes that the plan holds. */
size_t cca_cuda_plan_memory (const CcaPlan *plan);

/* Waits for the frame that is under way, if any, and releases what it outgrew. */
CcaStatus cca_cuda_finish_frame (CcaPlan *plan, CcaCudaResult *self);

/* Make room for n components, in the pinned copy and on the device. */
CcaStatus cca_cuda_reserve_copy (const CcaCudaDevice *device, CcaCudaResult *self, uint32_t n);
CcaStatus cca_cuda_reserve_selected (const CcaCudaDevice *device, CcaCudaResult *self, uint32_t n);

#endif
