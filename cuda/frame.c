/* gst-cca: a frame's run on a device: enqueue, wait, and run again if its capacity was too small
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/frame.h"
#include "cca/memory.h"
#include "cca/status.h"

#include <string.h>

/* --- Waiting ----------------------------------------------------------------------------------------- */

/* Waits for a frame, if it is in flight, and frees its outgrown memory. */
static CcaStatus
finish (const CcaCudaDevice *device, CcaCudaFrame *frame)
{
  CcaStatus status = CCA_OK;

  if (frame->in_flight)
    status = cca_cuda_wait_finish (&frame->wait, device);
  frame->in_flight = false;
  cca_cuda_result_trim (&frame->result, device);
  return status;
}

/* Grows the buffers that were too small for a completed frame, with some spare. Sets *grown if it grew any. */
static CcaStatus
make_room (CcaPlan *plan, const CcaCudaFrame *frame, bool *grown)
{
  const CcaCudaSpec spec = cca_cuda_spec (plan);
  const CcaDeviceHeader *header = frame->result.copy;
  const uint32_t needed = spec.algorithm->grows ? header->needed : 0,
                 n_overlaps = spec.params->overlaps ? header->needed_overlaps : 0;
  CcaStatus status = CCA_OK;

  *grown = needed > 0 || n_overlaps > 0;
  if (needed > 0)
    status = cca_cuda_plan_grow (plan, needed + needed / 4);
  if (status == CCA_OK && n_overlaps > 0)
    status = cca_cuda_plan_grow_overlaps (plan, n_overlaps);
  return status;
}

/* Waits for a frame, if it is in flight, and runs it again until its buffers are large enough. The plan must still have
 * the frame's parameters. */
static CcaStatus
complete (CcaPlan *plan, CcaCudaFrame *frame)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  bool again = frame->in_flight;
  CcaStatus status = finish (device, frame);

  while (status == CCA_OK && again) {
    status = make_room (plan, frame, &again);
    if (status == CCA_OK && again)
      status = cca_cuda_enqueue (plan, frame, true);
    if (status == CCA_OK)
      status = finish (device, frame);
  }
  return status;
}

CcaStatus
cca_cuda_frame_settle (CcaPlan *plan)
{
  CcaCudaFrame *frame = plan->pending ? plan->pending->state : NULL;

  return frame && frame->failure == CCA_OK ? frame->failure = complete (plan, frame) : CCA_OK;
}

static CcaStatus
read_stages (const CcaCudaDevice *device, const CcaCudaFrame *frame, uint64_t *stage_ns)
{
  CcaStatus status = CCA_OK;

  for (int i = 0; i < CCA_N_STAGES && status == CCA_OK; i++) {
    float ms = 0;

    status = cca_cuda_check (device->driver,
                             device->driver->cuEventElapsedTime (&ms, frame->stages[i], frame->stages[i + 1]),
                             "report the time of a stage");
    stage_ns[i] = (uint64_t) (ms * 1e6f);
  }
  return status;
}

static void
copy_output (const CcaCudaFrame *frame, CcaOutput output)
{
  const size_t row = (size_t) frame->target.width * cca_output_pixel_size (output);

  for (uint32_t y = 0; y < frame->target.height; y++)
    memcpy ((char *) frame->target.data + (ptrdiff_t) y * frame->target.pitch, frame->output + y * row, row);
}

/* Reads the overlaps of a complete frame, if they are known. */
static CcaStatus
read_overlaps (CcaResult *result, CcaCudaFrame *frame)
{
  result->measurement.n_overlaps = 0;
  result->measurement.n_stored_overlaps = 0;
  result->measurement.overlaps = NULL;
  if (!frame->compares)
    return CCA_OK;
  return cca_cuda_result_read_overlaps (&frame->result, result, &frame->params);
}

/* Completes the frame and reads its result and the times of its stages. */
static CcaStatus
read_frame (CcaResult *result, CcaCudaFrame *frame)
{
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaPlan *plan = result->plan->state;
  uint32_t n_needed = 0;
  CcaStatus status = frame->failure;

  if (status != CCA_OK)
    return cca_fail (status, "the frame failed after it was enqueued");
  status = complete (result->plan, frame);
  if (status == CCA_OK)
    status = cca_cuda_result_read (&frame->result, result, &frame->params, frame->stream, &n_needed);
  if (status == CCA_OK)
    status = read_overlaps (result, frame);
  if (status == CCA_OK && frame->timed)
    status = read_stages (device, frame, plan->stage_ns);
  memcpy (result->measurement.stage_ns, plan->stage_ns, sizeof plan->stage_ns);
  if (status != CCA_OK)
    return status;
  if (frame->target.data)
    copy_output (frame, result->plan->output);
  plan->n_expected = (n_needed + 127) / 64 * 64; /* rounded, so that the number copied seldom changes */
  cca_cuda_result_prepare (&frame->result, device, plan->n_expected);
  return CCA_OK;
}

/* --- Functions of CcaBackendOps ---------------------------------------------------------------------- */

CcaStatus
cca_cuda_frame_open (CcaResult *result)
{
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  const CcaCudaDriver *driver = device->driver;
  CcaCudaFrame *frame = cca_alloc (&result->plan->context->allocator, NULL, sizeof *frame);
  CcaStatus status;

  if (frame == NULL)
    return CCA_ERROR_MEMORY;
  memset (frame, 0, sizeof *frame);
  if ((status = cca_cuda_push (device)) == CCA_OK) {
    for (int i = 0; i <= CCA_N_STAGES && status == CCA_OK; i++)
      status = cca_cuda_check (driver, driver->cuEventCreate (&frame->stages[i], CU_EVENT_DEFAULT), "create an event");
    if (status == CCA_OK)
      status = cca_cuda_wait_open (&frame->wait, device);
    cca_cuda_pop (device);
  }
  result->state = frame;
  if (status != CCA_OK)
    cca_cuda_frame_close (result);
  return status;
}

void
cca_cuda_frame_close (CcaResult *result)
{
  const CcaAllocator *allocator = &result->plan->context->allocator;
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaFrame *frame = result->state;

  if (cca_cuda_push (device) == CCA_OK) {
    finish (device, frame);
    for (int i = 0; i <= CCA_N_STAGES; i++)
      if (frame->stages[i])
        device->driver->cuEventDestroy (frame->stages[i]);
    cca_cuda_wait_close (&frame->wait, device);
    cca_cuda_free (device, frame->mask);
    cca_cuda_free_pinned (device, frame->input);
    cca_cuda_free_pinned (device, frame->output);
    cca_cuda_result_free (&frame->result, device);
    cca_cuda_pop (device);
  }
  cca_cuda_wait_forget (&frame->wait);
  cca_cuda_result_forget (&frame->result, allocator);
  cca_free (allocator, NULL, result->components);
  cca_free (allocator, NULL, frame);
}

CcaStatus
cca_cuda_frame_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  const uint32_t interval = plan->params.stage_interval;
  CcaCudaPlan *self = plan->state;
  CcaCudaFrame *frame = result->state;
  const uint64_t n_seen = self->model.n_frames;
  CcaStatus status;

  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  cca_cuda_wait_begin (&frame->wait);
  frame->target.data = NULL;
  frame->source = *input;
  frame->painted = output ? *output : (CcaImage) { .data = NULL };
  frame->params = plan->params;
  frame->stream = stream;
  frame->compares = plan->follows;
  frame->failure = CCA_OK;
  frame->timed = interval > 0 && self->n_run++ % interval == (interval > 1);
  status = cca_cuda_enqueue (plan, frame, false);
  /* The model has already learned from the frame: it counts as run, and cca_result_wait() reports its failure. */
  if (status == CCA_ERROR_MEMORY && self->model.n_frames != n_seen) {
    frame->failure = status;
    status = CCA_OK;
  }
  cca_cuda_pop (device);
  return status;
}

CcaStatus
cca_cuda_frame_wait (CcaResult *result)
{
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaFrame *frame = result->state;
  CcaStatus status;

  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  status = read_frame (result, frame);
  cca_cuda_pop (device);
  return status;
}
