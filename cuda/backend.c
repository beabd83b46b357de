/* gst-cca: the CUDA backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame's way, all of it enqueued on the caller's stream: upload where the image is in host memory, foreground, clean-up, an
 * algorithm of the list below, selection, the output image, one small copy of the counts and the first components.
 */
#include "cca/memory.h"
#include "cca/motion.h"
#include "cca/selection.h"
#include "cca/status.h"
#include "cuda/algorithm.h"
#include "cuda/workspace.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof (CcaDeviceFeatures) == sizeof (CcaFeatures), "the device's features are those of the host");
_Static_assert(sizeof (CcaDeviceHeader) == CCA_ALIGNMENT, "the features follow the header");

static const CcaAlgorithm *const algorithms[] = {
  &cca_cuda_flsl_cd.entry,
  &cca_cuda_flsl.entry,
  NULL,
};

typedef struct
{
  CcaCudaWorkspace workspace;
  uint8_t *background; /* of MOTION, and behind it the spread; NULL for other foregrounds */
  uint64_t n_frames;   /* that the model has seen */
  uint32_t expected;   /* components that the small copy takes along */
} CudaPlan;

typedef struct
{
  CUevent stages[CCA_N_STAGES + 1]; /* the last one when all is done */
  CcaDeviceHeader *header;          /* on the device: the counts, and behind them the components that passed */
  uint32_t n_selected;              /* components that fit there */
  CcaDeviceHeader *copy;            /* pinned: the same, with the first `copied` components */
  uint32_t capacity, copied;
  uint8_t *input, *output; /* pinned: images of the caller's in host memory */
  CcaImage target;         /* where the output goes in host memory; data is NULL where it does not */
  bool pending;
  CUstream stream;
  /* For what does not fit the small copy, and for order by area. */
  CcaFeatures *all;
  uint32_t all_capacity;
  CcaSelection selection;
  char *selection_block;
  uint32_t selection_room; /* components that fit there */
  CcaParams params;        /* the frame's */
} CudaResult;

static const CcaCudaDevice *
device_of (const CcaPlan *plan)
{
  return plan->context->state;
}

/* --- Contexts ------------------------------------------------------------------------------------------- */

static CcaStatus
cuda_context_open (CcaContext *context, const CcaContextOptions *options)
{
  CcaCudaDevice *device = cca_alloc (&context->allocator, NULL, sizeof *device);
  CcaStatus status;

  if (device == NULL)
    return CCA_ERROR_MEMORY;
  status = cca_cuda_device_open (device, options->device, options->native);
  if (status != CCA_OK) {
    cca_free (&context->allocator, NULL, device);
    return status;
  }
  snprintf (context->description, sizeof context->description, "cuda, %s", device->name);
  context->state = device;
  return CCA_OK;
}

static void
cuda_context_close (CcaContext *context)
{
  cca_cuda_device_close (context->state);
  cca_free (&context->allocator, NULL, context->state);
}

/* --- Plans ---------------------------------------------------------------------------------------------- */

static const CcaAlgorithm *
cuda_choose (const CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params, CcaOutput output)
{
  return &cca_cuda_flsl_cd.entry;
}

static size_t
cuda_plan_estimate (const CcaPlan *plan)
{
  return cca_cuda_workspace_size (plan);
}

static size_t
model_plane (const CcaPlan *plan, const CcaCudaWorkspace *workspace)
{
  return (size_t) workspace->row_words * 32 * plan->height;
}

/* Opens what a plan's parameters need beside what it has; the context is current. */
static CcaStatus
open_plan (const CcaPlan *plan, CudaPlan *self, const CudaPlan *old)
{
  const CcaCudaDevice *device = device_of (plan);
  CcaStatus status = cca_cuda_workspace_open (&self->workspace, device, plan);

  if (status != CCA_OK)
    return status;
  self->expected = 64;
  if (plan->params.foreground != CCA_FOREGROUND_MOTION)
    return CCA_OK;
  if (old && old->background) {
    self->background = old->background;
    self->n_frames = old->n_frames;
    return CCA_OK;
  }
  status = cca_cuda_alloc (device, 2 * model_plane (plan, &self->workspace), (void **) &self->background);
  if (status != CCA_OK)
    cca_cuda_workspace_close (&self->workspace, device);
  return status;
}

static CcaStatus
cuda_plan_open (CcaPlan *plan)
{
  const CcaCudaDevice *device = device_of (plan);
  CudaPlan *self = cca_alloc (&plan->context->allocator, NULL, sizeof *self);
  CcaStatus status;

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  memset (self, 0, sizeof *self);
  if ((status = cca_cuda_push (device)) == CCA_OK) {
    status = open_plan (plan, self, NULL);
    cca_cuda_pop (device);
  }
  if (status != CCA_OK) {
    cca_free (&plan->context->allocator, NULL, self);
    return status;
  }
  plan->state = self;
  plan->memory = cca_cuda_workspace_size (plan);
  return CCA_OK;
}

static void
cuda_plan_close (CcaPlan *plan)
{
  const CcaCudaDevice *device = device_of (plan);
  CudaPlan *self = plan->state;

  /* Freeing waits for what the device still does with it. */
  if (cca_cuda_push (device) == CCA_OK) {
    cca_cuda_workspace_close (&self->workspace, device);
    cca_cuda_free (device, self->background);
    cca_cuda_pop (device);
  }
  cca_free (&plan->context->allocator, NULL, self);
}

static CcaStatus
cuda_plan_change (CcaPlan *plan, const CcaPlan *next)
{
  const CcaCudaDevice *device = device_of (plan);
  const bool same =
      cca_cuda_workspace_size (plan) == cca_cuda_workspace_size (next)
      && plan->params.close_radius == next->params.close_radius
      && cca_cuda_cleans (&plan->params) == cca_cuda_cleans (&next->params)
      && (plan->params.foreground == CCA_FOREGROUND_MOTION) == (next->params.foreground == CCA_FOREGROUND_MOTION);
  CudaPlan *self = plan->state, changed = { 0 };
  CcaStatus status;

  if (same)
    return CCA_OK;
  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  status = open_plan (next, &changed, self);
  if (status == CCA_OK) {
    cca_cuda_workspace_close (&self->workspace, device);
    if (self->background != changed.background)
      cca_cuda_free (device, self->background);
    *self = changed;
    plan->memory = cca_cuda_workspace_size (next);
  }
  cca_cuda_pop (device);
  return status;
}

static void
cuda_plan_reset (CcaPlan *plan)
{
  CudaPlan *self = plan->state;

  self->n_frames = 0;
}

/* --- Results -------------------------------------------------------------------------------------------- */

static CcaStatus
cuda_result_open (CcaResult *result)
{
  const CcaCudaDevice *device = device_of (result->plan);
  CudaResult *self = cca_alloc (&result->plan->context->allocator, NULL, sizeof *self);
  CcaStatus status;

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  memset (self, 0, sizeof *self);
  if ((status = cca_cuda_push (device)) == CCA_OK) {
    for (int i = 0; i <= CCA_N_STAGES && status == CCA_OK; i++)
      status = cca_cuda_check (device->driver, device->driver->cuEventCreate (&self->stages[i], CU_EVENT_DEFAULT),
                               "make an event");
    cca_cuda_pop (device);
  }
  result->state = self;
  if (status != CCA_OK)
    result->plan->context->ops->result_close (result);
  return status;
}

static CcaStatus
wait_for_frame (const CcaCudaDevice *device, CudaResult *self)
{
  CcaStatus status = CCA_OK;

  if (self->pending)
    status = cca_cuda_check (device->driver, device->driver->cuEventSynchronize (self->stages[CCA_N_STAGES]),
                             "finish a frame");
  self->pending = false;
  return status;
}

static void
cuda_result_close (CcaResult *result)
{
  const CcaAllocator *allocator = &result->plan->context->allocator;
  const CcaCudaDevice *device = device_of (result->plan);
  CudaResult *self = result->state;

  if (cca_cuda_push (device) == CCA_OK) {
    wait_for_frame (device, self);
    for (int i = 0; i <= CCA_N_STAGES; i++)
      if (self->stages[i])
        device->driver->cuEventDestroy (self->stages[i]);
    cca_cuda_free (device, self->header);
    cca_cuda_free_pinned (device, self->copy);
    cca_cuda_free_pinned (device, self->input);
    cca_cuda_free_pinned (device, self->output);
    cca_cuda_pop (device);
  }
  cca_free (allocator, NULL, self->all);
  cca_free (allocator, NULL, self->selection_block);
  cca_free (allocator, NULL, result->components);
  cca_free (allocator, NULL, self);
}

/* Makes room in the pinned copy for n components. */
static CcaStatus
reserve_copy (const CcaCudaDevice *device, CudaResult *self, uint32_t n)
{
  void *memory;
  CcaStatus status;

  if (self->copy && n <= self->capacity)
    return CCA_OK;
  status = cca_cuda_alloc_pinned (device, sizeof *self->copy + n * sizeof (CcaFeatures), &memory);
  if (status != CCA_OK)
    return status;
  cca_cuda_free_pinned (device, self->copy);
  self->copy = memory;
  self->capacity = n;
  return CCA_OK;
}

/* Makes room on the device for n components, cleared, as the small copy may take more along than there are. */
static CcaStatus
reserve_selected (const CcaCudaDevice *device, CudaResult *self, uint32_t n, CUstream stream)
{
  const size_t bytes = sizeof *self->header + n * sizeof (CcaFeatures);
  void *memory;
  CcaStatus status;

  if (self->header && n <= self->n_selected)
    return CCA_OK;
  status = cca_cuda_alloc (device, bytes, &memory);
  if (status != CCA_OK)
    return status;
  status = cca_cuda_check (device->driver,
                           device->driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) memory, 0, bytes, stream),
                           "clear %zu bytes", bytes);
  if (status != CCA_OK) {
    cca_cuda_free (device, memory);
    return status;
  }
  cca_cuda_free (device, self->header);
  self->header = memory;
  self->n_selected = n;
  return CCA_OK;
}

/* --- Frames --------------------------------------------------------------------------------------------- */

/* A frame being enqueued. */
typedef struct
{
  CcaPlan *plan;
  CudaPlan *self;
  CudaResult *result;
  CcaCudaFrame frame;
} Frame;

static CcaStatus
record (const Frame *f, CcaStage stage)
{
  const CcaCudaDriver *driver = f->frame.device->driver;

  return cca_cuda_check (driver, driver->cuEventRecord (f->result->stages[stage], f->frame.stream), "record an event");
}

/* A two-dimensional copy between device memory and pinned memory; true in `up` copies to the device. */
static CcaStatus
copy_rows (const Frame *f, bool up, void *device, int64_t device_pitch, void *host, size_t row)
{
  const CcaCudaDriver *driver = f->frame.device->driver;
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
  return cca_cuda_check (driver, driver->cuMemcpy2DAsync (&copy, f->frame.stream), "copy an image");
}

/* Makes *input one in device memory; host images go through pinned memory. */
static CcaStatus
upload (const Frame *f, CcaImage *input)
{
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const size_t row = input->width;
  CcaStatus status;

  if (input->memory == CCA_MEMORY_DEVICE)
    return CCA_OK;
  if (f->result->input == NULL
      && (status = cca_cuda_alloc_pinned (f->frame.device, row * input->height, (void **) &f->result->input)) != CCA_OK)
    return status;
  for (uint32_t y = 0; y < input->height; y++)
    memcpy (f->result->input + y * row, (const char *) input->data + (ptrdiff_t) y * input->pitch, row);
  input->data = workspace->input;
  input->pitch = workspace->input_pitch;
  return copy_rows (f, true, workspace->input, workspace->input_pitch, f->result->input, row);
}

/* Enough blocks of 32x8 threads for a plane of words. */
static CcaDim
plane_grid (uint32_t n_words, uint32_t height)
{
  return (CcaDim){ (n_words + 31) / 32, (height + 7) / 8, 1 };
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
    .bits = workspace->mask,
    .row_words = workspace->row_words,
    .background = f->self->background,
    .spread = f->self->background + model_plane (f->plan, workspace),
    .first = f->self->n_frames == 0,
    .step = step.step,
    .amplification = step.amplification,
    .v_min = step.v_min,
    .v_max = step.v_max,
    .report = step.report && f->self->n_frames > 0,
    .invert = params->invert,
  };

  f->self->n_frames++;
  return cca_launch_motion (f->frame.device, plane_grid (workspace->row_words, input->height), plane_block,
                            f->frame.stream, p);
}

static CcaStatus
enqueue_foreground (const Frame *f, const CcaImage *input)
{
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const CcaParams *params = &f->plan->params;
  CcaRangeParams p = {
    .pixels = input->data,
    .pitch = input->pitch,
    .width = input->width,
    .height = input->height,
    .bits = workspace->mask,
    .row_words = workspace->row_words,
    .invert = params->invert,
  };
  int low, high = 255;

  if (params->foreground == CCA_FOREGROUND_MOTION)
    return enqueue_motion (f, input);
  switch (params->foreground) {
    case CCA_FOREGROUND_THRESHOLD: low = params->threshold + 1; break;
    case CCA_FOREGROUND_RANGE: low = params->low, high = params->high; break;
    default: low = params->black + 1; break;
  }
  p.low = (uint32_t) low & 255;
  p.span = low <= high ? (uint32_t) (high - low) : 256;
  return cca_launch_range (f->frame.device, plane_grid (workspace->row_words, input->height), plane_block,
                           f->frame.stream, p);
}

/* Leaves the plane of the mask in *bits. */
static CcaStatus
enqueue_cleanup (const Frame *f, const uint32_t **bits)
{
  const CcaCudaWorkspace *w = &f->self->workspace;
  const CcaParams *params = &f->plan->params;
  const CcaCudaDevice *device = f->frame.device;
  const uint32_t width = f->plan->width, height = f->plan->height, border = 2 * params->close_radius;
  CcaCleanupParams p = {
    .in = w->mask, .in_words = w->row_words, .in_height = height, .width = width, .radius = params->close_radius
  };
  CcaStatus status;

  *bits = w->mask;
  if (params->denoise) {
    p.out = w->cleaned, p.out_words = w->row_words, p.height = height;
    status = cca_launch_majority (device, plane_grid (w->row_words, height), plane_block, f->frame.stream, p);
    if (status != CCA_OK)
      return status;
    *bits = p.in = w->cleaned;
  }
  if (params->close_radius == 0)
    return CCA_OK;
  p.out = w->dilated, p.out_words = w->padded_words, p.height = height;
  status = cca_launch_dilate_rows (device, plane_grid (w->padded_words, height), plane_block, f->frame.stream, p);
  if (status != CCA_OK)
    return status;
  p.in = w->dilated, p.in_words = w->padded_words, p.out = w->eroded, p.height = height + border;
  status = cca_launch_dilate_columns_erode_rows (device, plane_grid (w->padded_words, height + border), plane_block,
                                                 f->frame.stream, p);
  if (status != CCA_OK)
    return status;
  p.in = w->eroded, p.in_height = height + border, p.out = w->cleaned, p.out_words = w->row_words, p.height = height;
  *bits = w->cleaned;
  return cca_launch_erode_columns (device, plane_grid (w->row_words, height), plane_block, f->frame.stream, p);
}

static CcaStatus
enqueue_selection (const Frame *f)
{
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const CcaParams *params = &f->plan->params;
  const CcaCudaDevice *device = f->frame.device;
  const CcaDim chunks = { CCA_SELECT_CHUNKS, 1, 1 }, block = { 256, 1, 1 }, one = { 1, 1, 1 };
  const CcaSelectParams p = {
    .header = f->result->header,
    .features = workspace->runs.features,
    .min_area = params->min_area,
    .max_area = params->max_area ? params->max_area : UINT64_MAX,
    .chunk_counts = workspace->chunk_counts,
    .numbers = workspace->numbers,
    .selected = (CcaDeviceFeatures *) (f->result->header + 1),
    .n_selected = f->result->n_selected,
  };
  CcaStatus status = cca_launch_count_selected (device, chunks, block, f->frame.stream, p);

  if (status == CCA_OK)
    status = cca_launch_scan_selected (device, one, chunks, f->frame.stream, p);
  if (status == CCA_OK)
    status = cca_launch_store_selected (device, chunks, block, f->frame.stream, p);
  return status;
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
  const CcaPaintParams p = {
    .runs = f->frame.runs,
    .numbers = workspace->numbers,
    .out = host ? workspace->output : output->data,
    .pitch = host ? workspace->output_pitch : output->pitch,
    .width = f->plan->width,
    .format = paint_format (f->plan->output),
  };
  CcaStatus status = cca_launch_paint (f->frame.device, plane_grid ((p.width + 3) / 4, f->plan->height), plane_block,
                                       f->frame.stream, p);

  if (status != CCA_OK || !host)
    return status;
  if (f->result->output == NULL
      && (status = cca_cuda_alloc_pinned (f->frame.device, row * f->plan->height, (void **) &f->result->output))
             != CCA_OK)
    return status;
  f->result->target = *output;
  return copy_rows (f, false, workspace->output, workspace->output_pitch, f->result->output, row);
}

/* The counts and as many components as the last frames had. */
static CcaStatus
enqueue_copy (const Frame *f)
{
  const CcaCudaDriver *driver = f->frame.device->driver;
  const CcaCudaWorkspace *workspace = &f->self->workspace;
  const uint32_t n = f->self->expected < workspace->n_selected ? f->self->expected : workspace->n_selected;
  CcaStatus status = reserve_copy (f->frame.device, f->result, n);

  if (status != CCA_OK)
    return status;
  f->result->copied = n;
  return cca_cuda_check (driver,
                         driver->cuMemcpyDtoHAsync (f->result->copy, (CUdeviceptr) (uintptr_t) f->result->header,
                                                    sizeof *f->result->copy + n * sizeof (CcaFeatures),
                                                    f->frame.stream),
                         "copy the components");
}

static CcaStatus
enqueue (Frame *f, CcaImage input, const CcaImage *output)
{
  const CcaCudaAlgorithm *algorithm = (const CcaCudaAlgorithm *) f->plan->algorithm;
  CcaRunsParams *runs = &f->frame.runs;
  CcaStatus status;

  if ((status = record (f, CCA_STAGE_FOREGROUND)) != CCA_OK || (status = upload (f, &input)) != CCA_OK
      || (status = enqueue_foreground (f, &input)) != CCA_OK || (status = record (f, CCA_STAGE_CLEANUP)) != CCA_OK
      || (status = enqueue_cleanup (f, &runs->bits)) != CCA_OK || (status = record (f, CCA_STAGE_LABEL)) != CCA_OK
      || (status = algorithm->label (&f->frame)) != CCA_OK || (status = record (f, CCA_STAGE_COMPONENTS)) != CCA_OK
      || (status = enqueue_selection (f)) != CCA_OK || (status = enqueue_copy (f)) != CCA_OK
      || (status = record (f, CCA_STAGE_OUTPUT)) != CCA_OK)
    return status;
  if (output && (status = enqueue_output (f, output)) != CCA_OK)
    return status;
  return record (f, CCA_N_STAGES);
}

static CcaStatus
cuda_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result)
{
  const CcaCudaDevice *device = device_of (plan);
  CudaPlan *self = plan->state;
  Frame f = {
    .plan = plan,
    .self = self,
    .result = result->state,
    .frame = { .device = device, .stream = stream, .height = plan->height, .runs = self->workspace.runs },
  };
  CcaStatus status;

  f.frame.runs.reach = plan->params.connectivity == 8;
  f.frame.runs.covariance = plan->params.covariance;
  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  status = wait_for_frame (device, f.result);
  f.result->target.data = NULL;
  f.result->params = plan->params;
  f.result->stream = stream;
  if (status == CCA_OK)
    status = reserve_selected (device, f.result, self->workspace.n_selected, stream);
  f.frame.runs.header = f.result->header;
  if (status == CCA_OK) {
    status = enqueue (&f, *input, output);
    /* What was enqueued before a failure still uses the result's memory. */
    if (status != CCA_OK)
      device->driver->cuStreamSynchronize (stream);
  }
  f.result->pending = status == CCA_OK;
  cca_cuda_pop (device);
  return status;
}

/* --- Waiting -------------------------------------------------------------------------------------------- */

/* Divides what order by area needs for n components, or only counts its bytes. */
static size_t
take_selection (CcaSelection *selection, char *base, uint32_t n)
{
  const size_t n_words = (size_t) selection->row_words * selection->height;
  CcaLayout layout = { base, 0 };

  selection->keys = cca_layout_take (&layout, n * sizeof (uint32_t));
  selection->firsts = cca_layout_take (&layout, n_words * sizeof (uint64_t));
  selection->firsts_before = cca_layout_take (&layout, n_words * sizeof (uint32_t));
  return layout.size;
}

/* Makes room for n components to hand out, and for what choosing them by area needs. */
static bool
reserve_components (CcaResult *result, uint32_t n)
{
  const CcaAllocator *allocator = &result->plan->context->allocator;
  CudaResult *self = result->state;
  CcaSelection *selection = &self->selection;

  if (n > result->capacity || result->components == NULL) {
    const uint32_t capacity = n < 64 ? 64 : n;

    if (!cca_grow (allocator, NULL, (void **) &result->components, 0, capacity * sizeof (CcaComponent)))
      return false;
    result->capacity = capacity;
  }
  if (self->params.order == CCA_ORDER_AREA && (n > self->selection_room || self->selection_block == NULL)) {
    selection->row_words = (result->plan->width + 63) / 64;
    selection->height = result->plan->height;
    if (!cca_grow (allocator, NULL, (void **) &self->selection_block, 0, take_selection (selection, NULL, n)))
      return false;
    take_selection (selection, self->selection_block, n);
    self->selection_room = n;
  }
  selection->capacity = n;
  return true;
}

/* The first n components that passed, in host memory: those of the small copy, or all by a second one. */
static CcaStatus
fetch (CcaResult *result, uint32_t n, const CcaFeatures **features)
{
  const CcaCudaDevice *device = device_of (result->plan);
  CudaResult *self = result->state;
  CcaStatus status;

  *features = (const CcaFeatures *) (self->copy + 1);
  if (n <= self->copied)
    return CCA_OK;
  if (n > self->all_capacity) {
    if (!cca_grow (&result->plan->context->allocator, NULL, (void **) &self->all, 0, n * sizeof *self->all))
      return CCA_ERROR_MEMORY;
    self->all_capacity = n;
  }
  *features = self->all;
  status = cca_cuda_check (device->driver,
                           device->driver->cuMemcpyDtoHAsync (self->all, (CUdeviceptr) (uintptr_t) (self->header + 1),
                                                              n * sizeof *self->all, self->stream),
                           "copy %u components", n);
  if (status != CCA_OK)
    return status;
  return cca_cuda_check (device->driver, device->driver->cuStreamSynchronize (self->stream), "finish a copy");
}

static CcaStatus
read_components (CcaResult *result)
{
  const CcaPlan *plan = result->plan;
  CudaPlan *cuda_plan = plan->state;
  CudaResult *self = result->state;
  CcaMeasurement *measurement = &result->measurement;
  const uint32_t n_found = self->copy->n_components;
  const uint32_t n_stored = n_found < self->params.max_components ? n_found : self->params.max_components;
  const bool by_area = self->params.order == CCA_ORDER_AREA;
  const CcaFeatures *features;
  CcaStatus status;

  if (!reserve_components (result, n_stored))
    return CCA_ERROR_MEMORY;
  if ((status = fetch (result, by_area ? n_found : n_stored, &features)) != CCA_OK)
    return status;
  cuda_plan->expected = (by_area ? n_found : n_stored) + 64;
  measurement->n_components = n_found;
  measurement->n_stored = n_stored;
  measurement->truncated = n_stored < n_found;
  measurement->components = result->components;
  if (!by_area) {
    for (uint32_t i = 0; i < n_stored; i++)
      result->components[i] = cca_component_from_features (&features[i], i + 1, self->params.covariance);
  } else if (n_found > 0) {
    self->selection.stored = result->components;
    cca_selection_start (&self->selection, &self->params);
    for (uint32_t i = 0; i < n_found; i++)
      cca_selection_add (&self->selection, &features[i]);
    cca_selection_finish (&self->selection);
  }
  return CCA_OK;
}

static void
copy_output (const CcaResult *result)
{
  const CudaResult *self = result->state;
  const size_t row = (size_t) self->target.width * cca_output_pixel_size (result->plan->output);

  for (uint32_t y = 0; y < self->target.height; y++)
    memcpy ((char *) self->target.data + (ptrdiff_t) y * self->target.pitch, self->output + y * row, row);
}

static CcaStatus
cuda_wait (CcaResult *result)
{
  const CcaCudaDevice *device = device_of (result->plan);
  CudaResult *self = result->state;
  CcaStatus status = CCA_OK;

  if (!self->pending)
    return CCA_OK;
  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  status = wait_for_frame (device, self);
  if (status == CCA_OK)
    status = read_components (result);
  for (int i = 0; i < CCA_N_STAGES && status == CCA_OK; i++) {
    float ms = 0;

    status =
        cca_cuda_check (device->driver, device->driver->cuEventElapsedTime (&ms, self->stages[i], self->stages[i + 1]),
                        "tell the time of a stage");
    result->measurement.stage_ns[i] = (uint64_t) (ms * 1e6f);
  }
  if (status == CCA_OK && self->target.data)
    copy_output (result);
  cca_cuda_pop (device);
  return status;
}

const CcaBackendOps cca_cuda_backend = {
  .name = "cuda",
  .algorithms = algorithms,
  .context_open = cuda_context_open,
  .context_close = cuda_context_close,
  .choose = cuda_choose,
  .plan_estimate = cuda_plan_estimate,
  .plan_open = cuda_plan_open,
  .plan_close = cuda_plan_close,
  .plan_change = cuda_plan_change,
  .plan_reset = cuda_plan_reset,
  .run = cuda_run,
  .wait = cuda_wait,
  .result_open = cuda_result_open,
  .result_close = cuda_result_close,
};
