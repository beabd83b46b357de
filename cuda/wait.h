/* gst-cca: waits for a frame's end
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A spinning thread sees the end at once and occupies a core; a sleeping one takes some microseconds of a core and sees
 * the end up to 60 µs later, or up to a sixteenth of the frame's time if that is longer. A thread sleeps only when that
 * costs no frames: if the process has several streams of frames, and this one's thread has been elsewhere, with a
 * decoder or a camera, for most of the time since its last frame.
 */
#pragma once

#include "cuda/device.h"

/* A stream's way of waiting; for one thread at a time. All 0: closed. */
typedef struct
{
  CUevent end;           /* without time stamp, which is cheaper */
  uint64_t sleep;        /* length of a sleep, ns; 0: the thread spins */
  uint64_t began, ended; /* of the last frame, ns; 0 before the first one */
  bool counted;          /* in the process's number of streams */
} CcaCudaWait;

/* Make and free the event, with the device's context current. The stream counts until cca_cuda_wait_forget(). */
CcaStatus cca_cuda_wait_open (CcaCudaWait *self, const CcaCudaDevice *device);
void cca_cuda_wait_close (CcaCudaWait *self, const CcaCudaDevice *device);
void cca_cuda_wait_forget (CcaCudaWait *self);

/* Decides how to wait for the next frame; call it before the frame is enqueued. */
void cca_cuda_wait_begin (CcaCudaWait *self);
/* Enqueues the event that ends the frame. */
CcaStatus cca_cuda_wait_record (CcaCudaWait *self, const CcaCudaDevice *device, CUstream stream);
/* Waits for that event. */
CcaStatus cca_cuda_wait_finish (CcaCudaWait *self, const CcaCudaDevice *device);
