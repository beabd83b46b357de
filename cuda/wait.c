/* gst-cca: waits for a frame's end
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/wait.h"
#include "cca/clock.h"

/* A thread that spends this many times a frame's time elsewhere loses few frames by sleeping. */
#define IDLE_FACTOR 4

/* Sleeps per frame, by the last frame's time: shorter sleeps cost more, longer ones end late. */
#define SLEEPS_PER_FRAME 16

static _Atomic uint32_t n_streams; /* streams of the process */

CcaStatus
cca_cuda_wait_open (CcaCudaWait *self, const CcaCudaDevice *device)
{
  const CcaCudaDriver *driver = device->driver;
  const CUresult result = driver->cuEventCreate (&self->end, CU_EVENT_DISABLE_TIMING);

  if (result == CUDA_SUCCESS) {
    self->counted = true;
    n_streams++;
  }
  return cca_cuda_check (driver, result, "create an event");
}

void
cca_cuda_wait_close (CcaCudaWait *self, const CcaCudaDevice *device)
{
  if (self->end)
    device->driver->cuEventDestroy (self->end);
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
  const uint64_t begins = cca_now_ns (), took = self->ended - self->began;
  const bool is_idle = begins - self->ended > IDLE_FACTOR * took;

  self->sleep = n_streams > 1 && is_idle ? took / SLEEPS_PER_FRAME : 0;
  self->began = begins;
}

CcaStatus
cca_cuda_wait_record (CcaCudaWait *self, const CcaCudaDevice *device, CUstream stream)
{
  return cca_cuda_check (device->driver, device->driver->cuEventRecord (self->end, stream), "record an event");
}

/* The operating system lets a thread sleep longer than asked by its timer slack, usually 50 µs. */
static CUresult
sleep_until_end (const CcaCudaWait *self, const CcaCudaDriver *driver)
{
  const struct timespec time = { (time_t) (self->sleep / 1000000000u), (long) (self->sleep % 1000000000u) };
  CUresult result;

  do
    nanosleep (&time, NULL);
  while ((result = driver->cuEventQuery (self->end)) == CUDA_ERROR_NOT_READY);
  return result;
}

CcaStatus
cca_cuda_wait_finish (CcaCudaWait *self, const CcaCudaDevice *device)
{
  const CcaCudaDriver *driver = device->driver;
  const CUresult result = self->sleep > 0 ? sleep_until_end (self, driver) : driver->cuEventSynchronize (self->end);

  self->ended = cca_now_ns ();
  return cca_cuda_check (driver, result, "finish a frame");
}
