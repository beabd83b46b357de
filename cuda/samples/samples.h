/* gst-cca: the background model SAMPLES on a device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All state that changes between frames is in device memory, including the frame's number, so that the steps of all
 * frames but the first are the same.
 */
#pragma once

#include "cuda/algorithm.h"
#include "cuda/samples/params.h"

typedef struct
{
  void *block;
  CcaSamplesParams params;
} CcaCudaSamples;

/* A frame to run through the model. */
typedef struct
{
  const CcaImage *input; /* in device memory, as is its chroma */
  CcaReading reading;
  bool begins;            /* reset the model before this frame */
  uint32_t *mask;         /* the foreground's plane */
  uint32_t *scene_change; /* pinned: set by the frame if it is a scene change, else 0 */
} CcaCudaSamplesFrame;

/* Loads the kernels. The device's context must be current. */
CcaStatus cca_cuda_samples_load (CcaCudaDevice *device);

/* Allocate and free the memory of a model. The model's first frame must have `begins`. */
CcaStatus cca_cuda_samples_open (CcaCudaSamples *self, const CcaCudaDevice *device, const CcaCudaSpec *spec);
void cca_cuda_samples_close (CcaCudaSamples *self, const CcaCudaDevice *device);

/* Enqueues the frame. On failure the model has not learned from it, even if some of its kernels were enqueued. */
CcaStatus cca_cuda_samples_find (const CcaCudaSamples *self, const CcaCudaSpec *spec, const CcaCudaQueue *queue,
                                 const CcaCudaSamplesFrame *frame);
