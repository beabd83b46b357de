/* gst-cca: a frame's run on a device: enqueue, wait, and run again if its capacity was too small
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/plan.h"
#include "cuda/result.h"
#include "cuda/wait.h"

/* A result's frame: its images, parameters and stream, while it is in flight and after. */
typedef struct
{
  CcaImage source, painted; /* the frame's images; painted.data is NULL without an output */
  bool lands;               /* the output is in the caller's pinned memory, to which the device copies it */
  CcaImage target;          /* the output in other host memory; data is NULL without one */
  uint8_t *input, *output;  /* pinned copies of images in host memory */
  size_t input_size;        /* bytes of `input` */
  uint32_t *mask;           /* the frame's own mask if cca_cuda_keeps_mask(), else NULL */
  CcaParams params;
  CUstream stream;
  CcaCudaWait wait;
  CUevent stages[CCA_N_STAGES + 1]; /* the start of each stage and the end of the last one, if `timed` */
  bool timed;
  bool in_flight;    /* enqueued, and not waited for yet */
  bool compares;     /* finds the overlaps with the last frame */
  CcaStatus failure; /* of the frame after it was enqueued, for cca_result_wait() to report */
  CcaCudaResult result;
} CcaCudaFrame;

/* Functions of CcaBackendOps. */
CcaStatus cca_cuda_frame_open (CcaResult *result);
void cca_cuda_frame_close (CcaResult *result);
CcaStatus cca_cuda_frame_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream,
                              CcaResult *result);
CcaStatus cca_cuda_frame_wait (CcaResult *result);

/* Completes the frame in flight, if any: waits for it, and runs it again if a buffer was too small. Afterwards no frame
 * uses the plan's memory. The device's context must be current. */
CcaStatus cca_cuda_frame_settle (CcaPlan *plan);

/* --- Parts of a run, each in a file of its name -------------------------------------------------------- */

/* Enqueues a frame's stages on its stream, for the first time or again. The plan must have no other frame in flight.
 * After a failure nothing of the frame is in flight. */
CcaStatus cca_cuda_enqueue (CcaPlan *plan, CcaCudaFrame *frame, bool again);

/* Replaces *input, an image in host memory, by the plan's copy in device memory. Enqueues the copy of the planes that
 * the plan reads on the frame's stream: straight from memory that CUDA has pinned, else through the frame's pinned
 * memory. If the frame runs `again`, the copy exists already. Leaves an image in device memory as it is. */
CcaStatus cca_cuda_upload (CcaPlan *plan, CcaCudaFrame *frame, CcaImage *input, bool again);
