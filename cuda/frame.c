/* gst-cca: enqueueing a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All of it on the caller's stream: upload where the image is in host memory, foreground, clean-up, the algorithm,
 * selection, the output image; the counts and the first components go straight to the host's memory. Images in device
 * memory make it a graph (cuda/graph.h).
 */
#include "cca/motion.h"
#include "cuda/plan.h"

#include <string.h>

/* A frame being enqueued. */
typedef struct
{
  CcaPlan *plan;
  CcaCudaPlan *self;
  CcaCudaResult *result;
  CcaCudaFrame frame;
  uint32_t *mask; /* the foreground's plane, before a clean-up; NULL without one */
  bool again;     /* there was too little room for it: what the first time has changed, or made, stays */
} Frame;

static CcaStatus
record_event (const Frame *f, CUevent event)
{
  const CcaCudaDriver *driver = f->frame.queue.device->driver;

  return cca_cuda_check (driver, driver->cuEventRecord (event, f->frame.queue.stream), "record an event");
}

/* The beginning of a stage, or the end of the last one. */
static CcaStatus
record (const Frame *f, CcaStage stage)
{
  return f->result->timed ? record_event (f, f->result->stages[stage]) : CCA_OK;
}

/* A two-dimensional copy between device memory and pinned memory; true in `up` copies to the device. */
static CcaStatus
copy_rows (const Frame *f, bool up, void *device, int64_t device_pitch, void *host, size_t row)
{
  const CcaCudaDriver *driver = f->frame.queue.device->driver;
  CUDA_MEMCPY2D copy = { .WidthInBytes = row, .Height = f->plan->height };

  if (up) {
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.srcPitch = row;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = (CUdeviceptr) (uintptr_t) device;
    copy.dstPitch = (size_t) device_pitch;
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = (CUdeviceptr) (uintptr_t) device;
    copy.srcPitch = (size_t) device_pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host;
    copy.dstPitch = row;
  }
  return cca_cuda_check (driver, driver->cuMemcpy2DAsync (&copy, f->frame.queue.stream), "copy an image");
}

/* Makes *input one in device memory; host images go through pinned memory. */
static CcaStatus
upload (const Frame *f, CcaImage *input)
{
  const size_t row = input->width;
  const int64_t pitch = cca_cuda_input_pitch (f->plan);
  CcaStatus status = CCA_OK;

  if (input->memory == CCA_MEMORY_DEVICE)
    return CCA_OK;
  if (f->self->input == NULL) {
    status = cca_cuda_alloc (f->frame.queue.device, cca_cuda_input_size (f->plan), (void **) &f->self->input);
    if (status != CCA_OK)
      return status;
    f->plan->memory = cca_cuda_plan_memory (f->plan);
  }
  if (f->result->input == NULL
      && (status = cca_cuda_alloc_pinned (f->frame.queue.device, row * input->height, (void **) &f->result->input))
             != CCA_OK)
    return status;
  for (uint32_t y = 0; y < input->height; y++)
    memcpy (f->result->input + y * row, (const char *) input->data + (ptrdiff_t) y * input->pitch, row);
  input->data = f->self->input;
  input->pitch = pitch;
  return copy_rows (f, true, f->self->input, pitch, f->result->input, row);
}

/* Enough blocks of 32x8 threads for a plane of words. */
static CcaDim
plane_grid (uint32_t n_words, uint32_t height)
{
  return (CcaDim) { (n_words + 31) / 32, (height + 7) / 8, 1 };
}

static const CcaDim plane_block = { 32, 8, 1 };

static CcaStatus
enqueue_motion (const Frame *f, const CcaImage *input)
{
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const CcaParams *params = &f->plan->params;
  const CcaMotionStep step = cca_motion_step (&params->motion, f->self->n_frames);
  const CcaMotionParams p = {
    .pixels = input->data,
    .pitch = input->pitch,
    .width = input->width,
    .height = input->height,
    .bits = f->mask,
    .row_words = workspace->row_words,
    .background = f->self->background,
    .spread = f->self->background + cca_cuda_model_plane (f->plan),
    .first = f->self->n_frames == 0,
    .step = step.step,
    .amplification = step.amplification,
    .v_min = step.v_min,
    .v_max = step.v_max,
    .report = step.report && f->self->n_frames > 0,
    .invert = params->invert,
  };

  if (f->again)
    return CCA_OK;
  f->self->n_frames++;
  return cca_launch_motion (&f->frame.queue, plane_grid (workspace->row_words, input->height), plane_block, p);
}

static CcaStatus
enqueue_values (const Frame *f, const CcaImage *input)
{
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const CcaValuesParams p = {
    .pixels = input->data,
    .pitch = input->pitch,
    .width = input->width,
    .height = input->height,
    .row_words = workspace->row_words,
    .bits = f->mask,
    .joins = workspace->joins,
    .vertical = workspace->vertical,
    .falling = workspace->falling,
    .rising = workspace->rising,
  };

  return cca_launch_values (&f->frame.queue, plane_grid (workspace->row_words, input->height), plane_block, p);
}

static CcaStatus
enqueue_range (Frame *f, const CcaImage *input, int low, int high)
{
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const CcaRangeParams p = {
    .pixels = input->data,
    .pitch = input->pitch,
    .width = input->width,
    .height = input->height,
    .bits = f->mask,
    .row_words = workspace->row_words,
    .low = low <= high ? (uint32_t) low : 0,
    .end = low <= high ? (uint32_t) high + 1 : 0,
    .invert = f->plan->params.invert,
  };

  if (f->frame.algorithm->reads_range && !cca_cuda_cleans (&f->plan->params)) {
    f->frame.work.range = p;
    return CCA_OK;
  }
  return cca_launch_range (&f->frame.queue, plane_grid (workspace->row_words, input->height), plane_block, p);
}

static CcaStatus
enqueue_foreground (Frame *f, const CcaImage *input)
{
  const CcaParams *params = &f->plan->params;

  switch (params->foreground) {
    case CCA_FOREGROUND_MOTION: return enqueue_motion (f, input);
    case CCA_FOREGROUND_VALUES: return enqueue_values (f, input);
    case CCA_FOREGROUND_THRESHOLD: return enqueue_range (f, input, params->threshold + 1, 255);
    case CCA_FOREGROUND_RANGE: return enqueue_range (f, input, params->low, params->high);
    default: return enqueue_range (f, input, params->black + 1, 255);
  }
}

static CcaStatus
enqueue_cleanup (const Frame *f)
{
  const CcaCudaWorkspace *w = &f->self->workspace;
  const CcaParams *params = &f->plan->params;
  const uint32_t height = f->plan->height, padded_height = height + 2 * params->close_radius;
  CcaCleanupParams p = { .in = f->mask, .in_words = w->row_words, .in_height = height, .radius = params->close_radius };
  CcaStatus status;

  if (!cca_cuda_cleans (params))
    return CCA_OK;
  if (params->denoise) {
    p.out = w->cleaned, p.out_words = w->row_words, p.height = height;
    status = cca_launch_majority (&f->frame.queue, plane_grid (w->row_words, height), plane_block, p);
    if (status != CCA_OK)
      return status;
    p.in = w->cleaned;
  }
  if (params->close_radius == 0)
    return CCA_OK;
  p.out = w->dilated, p.out_words = w->padded_words, p.height = height;
  status = cca_launch_dilate_rows (&f->frame.queue, plane_grid (w->padded_words, height), plane_block, p);
  if (status != CCA_OK)
    return status;
  p.in = w->dilated, p.in_words = w->padded_words, p.out = w->eroded, p.height = padded_height;
  status = cca_launch_dilate_columns_erode_rows (&f->frame.queue, plane_grid (w->padded_words, padded_height),
                                                 plane_block, p);
  if (status != CCA_OK)
    return status;
  p.in = w->eroded, p.in_height = padded_height, p.out = w->cleaned, p.out_words = w->row_words, p.height = height;
  return cca_launch_erode_columns (&f->frame.queue, plane_grid (w->row_words, height), plane_block, p);
}

static CcaPaintFormat
paint_format (CcaOutput output)
{
  switch (output) {
    case CCA_OUTPUT_LABELS_U16: return CCA_PAINT_U16;
    case CCA_OUTPUT_COLORS: return CCA_PAINT_COLORS;
    case CCA_OUTPUT_MASK: return CCA_PAINT_MASK;
    default: return CCA_PAINT_U32;
  }
}

static CcaStatus
enqueue_output (const Frame *f, const CcaImage *output)
{
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const bool host = output->memory == CCA_MEMORY_HOST;
  const size_t row = (size_t) f->plan->width * cca_output_pixel_size (f->plan->output);
  const CcaCanvas canvas = {
    .out = host ? workspace->output : output->data,
    .pitch = host ? workspace->output_pitch : output->pitch,
    .width = f->plan->width,
    .height = f->plan->height,
    .format = paint_format (f->plan->output),
  };
  CcaStatus status = f->frame.algorithm->paint (&f->frame, canvas);

  if (status != CCA_OK || !host)
    return status;
  if (f->result->output == NULL
      && (status = cca_cuda_alloc_pinned (f->frame.queue.device, row * f->plan->height, (void **) &f->result->output))
             != CCA_OK)
    return status;
  f->result->target = *output;
  return copy_rows (f, false, workspace->output, workspace->output_pitch, f->result->output, row);
}

static CcaStatus
enqueue (Frame *f, CcaImage input, const CcaImage *output)
{
  CcaStatus status;

  if ((status = record (f, CCA_STAGE_FOREGROUND)) != CCA_OK || (status = upload (f, &input)) != CCA_OK
      || (status = enqueue_foreground (f, &input)) != CCA_OK || (status = record (f, CCA_STAGE_CLEANUP)) != CCA_OK
      || (status = enqueue_cleanup (f)) != CCA_OK || (status = record (f, CCA_STAGE_LABEL)) != CCA_OK
      || (status = f->frame.algorithm->label (&f->frame)) != CCA_OK
      || (status = record (f, CCA_STAGE_COMPONENTS)) != CCA_OK
      || (status = f->frame.algorithm->select (&f->frame)) != CCA_OK
      || (status = record (f, CCA_STAGE_OUTPUT)) != CCA_OK)
    return status;
  if (output && (status = enqueue_output (f, output)) != CCA_OK)
    return status;
  if (f->frame.queue.graph
      && (status = cca_cuda_graph_launch (f->frame.queue.graph, f->frame.queue.device, f->frame.queue.stream))
             != CCA_OK)
    return status;
  status = record (f, CCA_N_STAGES);
  return status == CCA_OK ? record_event (f, f->result->done) : status;
}

/* Where the counts and as many components as the last frames had go at once, as far as there is room, which grows when
 * a frame is read: freeing pinned memory waits for the device. */
static CcaStatus
prepare_result (const Frame *f)
{
  CcaCudaResult *result = f->result;
  const uint32_t n_selected = cca_cuda_n_selected (f->plan);
  CcaStatus status = cca_cuda_reserve_selected (f->frame.queue.device, result, n_selected);
  uint32_t n = f->self->expected;

  if (status == CCA_OK && result->copy == NULL)
    status = cca_cuda_reserve_copy (f->frame.queue.device, result, n);
  if (status != CCA_OK)
    return status;
  if (cca_cuda_keeps_mask (f->plan) && result->mask == NULL
      && (status = cca_cuda_alloc (f->frame.queue.device, cca_cuda_mask_size (f->plan), (void **) &result->mask))
             != CCA_OK)
    return status;
  n = n < result->capacity ? n : result->capacity;
  result->copied = n < n_selected ? n : n_selected;
  return CCA_OK;
}

/* What a frame brings to the parameters of its algorithm's kernels. */
static void
complete_work (Frame *f)
{
  const CcaParams *params = &f->plan->params;
  const CcaHeaders headers = { f->result->header, f->result->copy };
  CcaWork *work = &f->frame.work;

  f->mask = cca_cuda_keeps_mask (f->plan) ? f->result->mask : f->self->workspace.mask;
  if (!cca_cuda_cleans (params))
    work->segments.planes.bits = work->patches.planes.bits = f->mask;
  work->segments.planes.diagonal = work->patches.planes.diagonal = params->connectivity == 8;
  work->segments.headers = headers;
  work->select.areas = work->patches.areas =
      (CcaAreas) { .min = params->min_area, .max = params->max_area ? params->max_area : UINT64_MAX };
  work->select.wanted = (CcaWanted) {
    .headers = headers,
    .selected = (CcaDeviceFeatures *) (headers.device + 1),
    .for_host = (CcaDeviceFeatures *) (headers.host + 1),
    .n_selected = cca_cuda_n_selected (f->plan),
    .n_for_host = f->result->copied,
  };
}

/* Frames of a plan share its workspace. */
static CcaStatus
follow_last_frame (const Frame *f)
{
  const CcaCudaDriver *driver = f->frame.queue.device->driver;

  if (f->self->last == NULL || f->self->last->stream == f->frame.queue.stream)
    return CCA_OK;
  return cca_cuda_check (driver, driver->cuStreamWaitEvent (f->frame.queue.stream, f->self->last->done, 0),
                         "wait for another stream");
}

/* Whether a frame is the same steps as others of its plan: copies of images are none, nor are the events of stages. */
static bool
repeats (const Frame *f, const CcaImage *input, const CcaImage *output)
{
  return !f->result->timed && input->memory == CCA_MEMORY_DEVICE
         && (output == NULL || output->memory == CCA_MEMORY_DEVICE);
}

/* Enqueues the frame that the result describes. */
static CcaStatus
run (CcaPlan *plan, CcaCudaResult *result, bool again)
{
  const CcaImage *const output = result->painted.data ? &result->painted : NULL;
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaCudaPlan *self = plan->state;
  Frame f = {
    .plan = plan,
    .self = self,
    .result = result,
    .frame = { .algorithm = cca_cuda_algorithm (plan),
               .queue = { .device = device, .stream = result->stream },
               .params = &plan->params,
               .follows = self->complete,
               .work = self->workspace.work },
    .again = again,
  };
  CcaStatus status = follow_last_frame (&f);

  if (status == CCA_OK)
    status = prepare_result (&f);
  if (status != CCA_OK)
    return status;
  if (repeats (&f, &result->source, output)) {
    cca_cuda_graph_start (&self->graph);
    f.frame.queue.graph = &self->graph;
  }
  complete_work (&f);
  result->grows = f.frame.algorithm->grows;
  status = enqueue (&f, result->source, output);
  self->complete = status == CCA_OK;
  self->last = status == CCA_OK ? result : NULL;
  /* What was enqueued before a failure still uses the result's memory. */
  if (status != CCA_OK)
    device->driver->cuStreamSynchronize (result->stream);
  if (status == CCA_OK) {
    result->pending = true;
    result->next = self->under_way;
    self->under_way = result;
  }
  return status;
}

CcaStatus
cca_cuda_run_again (CcaPlan *plan, CcaCudaResult *result)
{
  return run (plan, result, true);
}

CcaStatus
cca_cuda_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaCudaPlan *self = plan->state;
  CcaCudaResult *frame = result->state;
  const uint32_t interval = plan->params.stage_interval;
  CcaStatus status;

  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  status = cca_cuda_finish_frame (plan, frame);
  frame->target.data = NULL;
  frame->source = *input;
  frame->painted = output ? *output : (CcaImage) { .data = NULL };
  frame->params = plan->params;
  frame->stream = stream;
  frame->failure = CCA_OK;
  frame->timed = interval > 0 && self->n_run++ % interval == (interval > 1);
  if (status == CCA_OK)
    status = run (plan, frame, false);
  frame->unread = status == CCA_OK;
  cca_cuda_pop (device);
  return status;
}
