/* gst-cca: a frame's run on a device: enqueue, wait, and run again if its capacity was too small
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/frame.h"
#include "cca/memory.h"
#include "cca/status.h"
#include "cuda/enqueue.h"

#include <string.h>

/* --- Waiting ----------------------------------------------------------------------------------------- */

/* Tells which of two frames with overlaps was run first. */
static bool
is_before (const CcaCudaFrame *a, const CcaCudaFrame *b)
{
  return (int32_t) (a->turn.id - b->turn.id) < 0;
}

/* Returns the oldest frame in flight, any without overlaps, or NULL. */
static CcaCudaFrame *
oldest_in_flight (const CcaCudaPlan *plan)
{
  CcaCudaFrame *oldest = plan->in_flight;

  for (CcaCudaFrame *frame = oldest; frame; frame = frame->next)
    if (is_before (frame, oldest))
      oldest = frame;
  return oldest;
}

static bool
is_in_flight (const CcaCudaPlan *plan, const CcaCudaFrame *frame)
{
  const CcaCudaFrame *other = plan->in_flight;

  while (other && other != frame)
    other = other->next;
  return other != NULL;
}

/* Notes that a frame failed after it was enqueued. */
static void
lose (CcaPlan *plan, const CcaCudaFrame *frame)
{
  CcaCudaPlan *self = plan->state;

  if (frame->params.overlaps)
    cca_cuda_overlaps_lose (&self->overlaps, &frame->turn);
}

/* Removes a frame from the list of those in flight. Returns whether it was in the list. */
static bool
land (CcaCudaPlan *plan, CcaCudaFrame *frame)
{
  CcaCudaFrame **link = &plan->in_flight;

  while (*link && *link != frame)
    link = &(*link)->next;
  if (*link == NULL)
    return false;
  *link = frame->next;
  return true;
}

/* Waits for a frame, if it is in flight, and releases its outgrown memory. */
static CcaStatus
finish (CcaPlan *plan, CcaCudaFrame *frame)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaStatus status = CCA_OK;

  if (land (plan->state, frame))
    status = cca_cuda_check (device->driver, device->driver->cuEventSynchronize (frame->done), "finish a frame");
  cca_cuda_result_trim (&frame->result, device);
  return status;
}

/* Returns whether a frame that has finished is not complete. */
static bool
must_run_again (const CcaCudaFrame *frame)
{
  const CcaDeviceHeader *header = frame->result.copy;

  return (frame->grows && header->needed > 0)
         || (frame->params.overlaps && (header->needed_overlaps > 0 || header->out_of_turn));
}

/* Grows what was too small for a frame, with some spare. Another frame may have done so meanwhile. */
static CcaStatus
make_room (CcaPlan *plan, const CcaCudaFrame *frame)
{
  const CcaDeviceHeader *header = frame->result.copy;
  const CcaCudaPlan *self = plan->state;
  const uint32_t needed = frame->grows ? header->needed : 0,
                 n_overlaps = frame->params.overlaps ? header->needed_overlaps : 0;
  CcaStatus status = CCA_OK;

  if (needed > self->capacity)
    status = cca_cuda_plan_grow (plan, needed + needed / 4);
  if (status == CCA_OK && n_overlaps > self->overlaps.params.capacity)
    status = cca_cuda_plan_grow_overlaps (plan, n_overlaps);
  return status;
}

/* Waits for a frame, and runs it again until it is complete, but for one that is lost. Sets *again if it did. */
static CcaStatus
complete (CcaPlan *plan, CcaCudaFrame *frame, bool *again)
{
  CcaStatus status = finish (plan, frame);

  while (status == CCA_OK && frame->failure == CCA_OK && must_run_again (frame)) {
    *again = true;
    status = make_room (plan, frame);
    if (status == CCA_OK)
      status = cca_cuda_enqueue (plan, frame, true);
    if (status == CCA_OK)
      status = finish (plan, frame);
  }
  if (status != CCA_OK)
    lose (plan, frame);
  return status;
}

/* Completes a frame; with overlaps first the frames before it. If one of them runs again, those behind it have to, too,
 * even behind this one: the next frame shall find its turn. */
static CcaStatus
complete_in_turn (CcaPlan *plan, CcaCudaFrame *frame)
{
  CcaCudaFrame *oldest;
  CcaStatus status;
  bool again = false;

  if (!frame->params.overlaps)
    return complete (plan, frame, &again);
  while ((oldest = oldest_in_flight (plan->state)) && is_before (oldest, frame))
    oldest->failure = complete (plan, oldest, &again);
  status = complete (plan, frame, &again);
  while (again && (oldest = oldest_in_flight (plan->state)))
    oldest->failure = complete (plan, oldest, &again);
  return status;
}

/* Waits for a frame, if it is in flight, whose result nobody wants. With overlaps the frame behind still follows it. */
static CcaStatus
abandon (CcaPlan *plan, CcaCudaFrame *frame)
{
  if (frame->params.overlaps && is_in_flight (plan->state, frame))
    return complete_in_turn (plan, frame);
  return finish (plan, frame);
}

CcaStatus
cca_cuda_frames_settle (CcaPlan *plan)
{
  CcaCudaFrame *frame;
  CcaStatus status = CCA_OK;
  bool again = false;

  while (status == CCA_OK && (frame = oldest_in_flight (plan->state)))
    status = frame->failure = complete (plan, frame, &again);
  return status;
}

static CcaStatus
read_stages (const CcaCudaDevice *device, const CcaCudaFrame *frame, uint64_t *stage_ns)
{
  CcaStatus status = CCA_OK;

  for (int i = 0; i < CCA_N_STAGES && status == CCA_OK; i++) {
    float ms = 0;

    status = cca_cuda_check (device->driver,
                             device->driver->cuEventElapsedTime (&ms, frame->stages[i], frame->stages[i + 1]),
                             "tell the time of a stage");
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
  const CcaCudaPlan *plan = result->plan->state;

  result->measurement.n_overlaps = 0;
  result->measurement.n_stored_overlaps = 0;
  result->measurement.overlaps = NULL;
  cca_cuda_overlaps_amend (&plan->overlaps, &frame->turn);
  if (!frame->turn.compares)
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
  status = complete_in_turn (result->plan, frame);
  if (status == CCA_OK)
    status = cca_cuda_result_read (&frame->result, result, &frame->params, frame->stream, &n_needed);
  if (status == CCA_OK)
    status = read_overlaps (result, frame);
  if (status == CCA_OK && frame->timed)
    status = read_stages (device, frame, plan->stage_ns);
  memcpy (result->measurement.stage_ns, plan->stage_ns, sizeof plan->stage_ns);
  if (status != CCA_OK) {
    lose (result->plan, frame);
    return status;
  }
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
      status = cca_cuda_check (driver, driver->cuEventCreate (&frame->stages[i], CU_EVENT_DEFAULT), "make an event");
    if (status == CCA_OK)
      status = cca_cuda_check (driver, driver->cuEventCreate (&frame->done, CU_EVENT_DISABLE_TIMING), "make an event");
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
  CcaCudaPlan *plan = result->plan->state;

  if (cca_cuda_push (device) == CCA_OK) {
    abandon (result->plan, frame);
    for (int i = 0; i <= CCA_N_STAGES; i++)
      if (frame->stages[i])
        device->driver->cuEventDestroy (frame->stages[i]);
    if (frame->done)
      device->driver->cuEventDestroy (frame->done);
    cca_cuda_free (device, frame->mask);
    cca_cuda_free_pinned (device, frame->input);
    cca_cuda_free_pinned (device, frame->output);
    cca_cuda_result_free (&frame->result, device);
    cca_cuda_pop (device);
  }
  if (plan->last == frame->done)
    plan->last = NULL;
  land (plan, frame);
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
  status = abandon (plan, frame);
  if (status == CCA_ERROR_MEMORY) /* of the old frame, which is lost; nobody asks for it */
    status = CCA_OK;
  frame->target.data = NULL;
  frame->source = *input;
  frame->painted = output ? *output : (CcaImage) { .data = NULL };
  frame->params = plan->params;
  frame->stream = stream;
  frame->turn =
      plan->params.overlaps ? cca_cuda_overlaps_next (&self->overlaps, plan->follows) : (CcaTurn) { 0, 0, false };
  frame->failure = CCA_OK;
  frame->timed = interval > 0 && self->n_run++ % interval == (interval > 1);
  if (status == CCA_OK)
    status = cca_cuda_enqueue (plan, frame, false);
  if (status == CCA_OK)
    self->overlaps.enqueued = frame->turn.id;
  /* The model has learned from the frame, so it counts as run, and cca_result_wait() reports that it is lost. */
  if (status == CCA_ERROR_MEMORY && self->model.n_frames != n_seen) {
    frame->failure = status;
    status = CCA_OK;
  }
  frame->unread = status == CCA_OK;
  cca_cuda_pop (device);
  return status;
}

CcaStatus
cca_cuda_frame_wait (CcaResult *result)
{
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaFrame *frame = result->state;
  CcaStatus status;

  if (!frame->unread)
    return CCA_OK;
  if ((status = cca_cuda_push (device)) != CCA_OK) {
    frame->failure = status;
    lose (result->plan, frame);
    return status;
  }
  frame->unread = false;
  status = read_frame (result, frame);
  cca_cuda_pop (device);
  return status;
}
