/* gst-cca: a frame's run on a device: enqueue, wait, and do it again where there was too little room
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_FRAME_H
#define CCA_CUDA_FRAME_H

#include "cuda/plan.h"
#include "cuda/result.h"

/* A result's frame: what it was run with, while and after it is in flight. */
typedef struct CcaCudaFrame
{
  CcaImage source, painted; /* the frame's images; painted.data is NULL without an output */
  CcaImage target;          /* the output in host memory; data is NULL where there is none */
  uint8_t *input, *output;  /* pinned copies of images in host memory */
  uint32_t *mask;           /* the frame's own, as cca_cuda_keeps_mask() says */
  CcaParams params;
  CUstream stream;
  CUevent done;                     /* without a time, which costs less */
  CUevent stages[CCA_N_STAGES + 1]; /* where stages begin and the last one ends, in frames whose stages are timed */
  bool timed;
  bool grows;                /* its algorithm: result.copy->needed then says whether there was room */
  bool unread;               /* components not read yet */
  CcaStatus failure;         /* of what was done for it without being asked */
  struct CcaCudaFrame *next; /* in the plan's list of those in flight */
  CcaCudaResult result;
} CcaCudaFrame;

/* Of CcaBackendOps. */
CcaStatus cca_cuda_frame_open (CcaResult *result);
void cca_cuda_frame_close (CcaResult *result);
CcaStatus cca_cuda_frame_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream,
                              CcaResult *result);
CcaStatus cca_cuda_frame_wait (CcaResult *result);

/* Waits for all frames in flight and does those again that had too little room, so that they no more depend on the
 * plan's parameters. The device's context is current. */
CcaStatus cca_cuda_frames_settle (CcaPlan *plan);

#endif
