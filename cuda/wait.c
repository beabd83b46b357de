/* gst-cca: waits for a frame's end
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/wait.h"
#include "cca/clock.h"

/* A thread that is elsewhere for so many times the time of a frame gets few frames less by blocking. */
#define IDLE_FACTOR 4

static _Atomic uint32_t n_streams; /* of the process */

CcaStatus
cca_cuda_wait_open (CcaCudaWait *self, const CcaCudaDevice *device)
{
  const CcaCudaDriver *driver = device->driver;
  CUresult result = driver->cuEventCreate (&self->spin, CU_EVENT_DISABLE_TIMING);

  if (result == CUDA_SUCCESS)
    result = driver->cuEventCreate (&self->block, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC);
  if (result == CUDA_SUCCESS) {
    self->counted = true;
    n_streams++;
  }
  return cca_cuda_check (driver, result, "make an event");
}

void
cca_cuda_wait_close (CcaCudaWait *self, const CcaCudaDevice *device)
{
  if (self->spin)
    device->driver->cuEventDestroy (self->spin);
  if (self->block)
    device->driver->cuEventDestroy (self->block);
}

void
cca_cuda_wait_forget (CcaCudaWait *self)
{
  if (self->counted)
    n_streams--;
}

void
cca_cuda_wait_begin (CcaCudaWait *self)
{
  const uint64_t begins = cca_now_ns ();
  const bool is_idle = begins - self->ended > IDLE_FACTOR * (self->ended - self->began);

  self->recorded = n_streams > 1 && is_idle ? self->block : self->spin;
  self->began = begins;
}

CcaStatus
cca_cuda_wait_record (CcaCudaWait *self, const CcaCudaDevice *device, CUstream stream)
{
  return cca_cuda_check (device->driver, device->driver->cuEventRecord (self->recorded, stream), "record an event");
}

CcaStatus
cca_cuda_wait_finish (CcaCudaWait *self, const CcaCudaDevice *device)
{
  const CUresult result = device->driver->cuEventSynchronize (self->recorded);

  self->ended = cca_now_ns ();
  return cca_cuda_check (device->driver, result, "finish a frame");
}
