/* gst-cca: the background model SAMPLES on a device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All that changes from frame to frame is in device memory, the number of the frame, too: the steps of a frame are the
 * same for all frames but the first.
 */
#pragma once

#include "cuda/algorithm.h"
#include "cuda/samples/params.h"

typedef struct
{
  void *block;
  CcaSamplesParams params;
} CcaCudaSamples;

/* A frame for the model. */
typedef struct
{
  const CcaImage *input; /* in device memory, as is its chroma */
  CcaReading reading;
  bool begins;            /* the model forgets all before this frame */
  uint32_t *mask;         /* the foreground's plane */
  uint32_t *scene_change; /* pinned: whether the frame is one, once it is done */
} CcaCudaSamplesFrame;

/* Loads the kernels. The device's context must be current. */
CcaStatus cca_cuda_samples_load (CcaCudaDevice *device);

/* Allocate memory for a new model, whose first frame must begin it, and release it. */
CcaStatus cca_cuda_samples_open (CcaCudaSamples *self, const CcaCudaDevice *device, const CcaCudaSpec *spec);
void cca_cuda_samples_close (CcaCudaSamples *self, const CcaCudaDevice *device);

/* Enqueues the frame. If only some of its kernels can be enqueued, the model has not learned from it. */
CcaStatus cca_cuda_samples_find (const CcaCudaSamples *self, const CcaCudaSpec *spec, const CcaCudaQueue *queue,
                                 const CcaCudaSamplesFrame *frame);
