/* gst-cca: enqueues a frame's stages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame runs entirely on the caller's stream: upload of an image in host memory, foreground, clean-up, the algorithm,
 * the output image. Kernels write the counts and the first components straight to the host's memory. A frame whose
 * images are in device memory runs as a graph (cuda/graph.h).
 */
#include "cuda/enqueue.h"
#include "cca/params.h"
#include "cca/status.h"
#include "cuda/details.h"

#include <string.h>

/* The arguments of the functions that enqueue a frame. */
typedef struct
{
  CcaPlan *plan;
  CcaCudaPlan *self;
  CcaCudaFrame *frame;
  CcaCudaSpec spec;
  CcaCudaTask task;
  uint32_t *mask; /* the foreground's plane, before any clean-up */
  CcaFoundDetails details;
} Run;

static CcaStatus
record_event (const Run *run, CUevent event)
{
  const CcaCudaDriver *driver = run->task.queue.device->driver;

  return cca_cuda_check (driver, driver->cuEventRecord (event, run->task.queue.stream), "record an event");
}

/* Records the time at which a stage begins; CCA_N_STAGES: at which the last one ends. */
static CcaStatus
record (const Run *run, CcaStage stage)
{
  return run->frame->timed ? record_event (run, run->frame->stages[stage]) : CCA_OK;
}

/* Enqueues a copy of so many rows between device memory and pinned memory, to the device where `up`. */
static CcaStatus
copy_rows (const Run *run, bool up, void *device, int64_t device_pitch, void *host, size_t row, uint32_t n_rows)
{
  const CcaCudaDriver *driver = run->task.queue.device->driver;
  CUDA_MEMCPY2D copy = { .WidthInBytes = row, .Height = n_rows };

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
  return cca_cuda_check (driver, driver->cuMemcpy2DAsync (&copy, run->task.queue.stream), "copy an image");
}

/* Reserves the pinned copy of an image in host memory; its format, and so its size, may have changed. */
static CcaStatus
reserve_pinned_input (const Run *run, size_t size)
{
  const CcaCudaDevice *device = run->task.queue.device;
  CcaCudaFrame *frame = run->frame;
  CcaStatus status;

  if (size <= frame->input_size)
    return CCA_OK;
  cca_cuda_free_pinned (device, frame->input);
  frame->input = NULL;
  frame->input_size = 0;
  status = cca_cuda_alloc_pinned (device, size, (void **) &frame->input);
  if (status == CCA_OK)
    frame->input_size = size;
  return status;
}

/* Stores a chroma plane as the background model reads it, a sample for each two pixels of each two rows. */
static void
pack_chroma (uint8_t *packed, const CcaChroma *chroma, const uint8_t *plane, uint32_t width, uint32_t height)
{
  for (uint32_t j = 0; j < height; j++) {
    const uint8_t *const row = plane + (ptrdiff_t) (2 * j >> chroma->shift_y) * chroma->pitch;

    for (uint32_t i = 0; i < width; i++)
      packed[(size_t) j * width + i] = row[(size_t) (2 * i >> chroma->shift_x) * chroma->step];
  }
}

/* Uploads the chroma of a host image, U and then V, through what follows the image's pixels in pinned memory. */
static CcaStatus
upload_chroma (const Run *run, CcaChroma *chroma, uint8_t *pinned)
{
  const uint32_t width = (run->spec.width + 1) / 2, height = (run->spec.height + 1) / 2;
  const size_t plane = (size_t) width * height;
  uint8_t *const device = run->self->chroma;

  pack_chroma (pinned, chroma, chroma->u, width, height);
  pack_chroma (pinned + plane, chroma, chroma->v, width, height);
  *chroma = (CcaChroma) { device, device + plane, width, 1, 1, 1 };
  return copy_rows (run, true, device, width, pinned, width, 2 * height);
}

/* Replaces *input by an image in device memory; uploads a host image through pinned memory. */
static CcaStatus
upload (const Run *run, CcaImage *input)
{
  const size_t row = (size_t) input->width * cca_format_pixel_size (run->spec.params->format),
               size = row * input->height;
  const bool reads_chroma = cca_params_read_chroma (run->spec.params, input);
  const size_t chroma_size = reads_chroma ? 2 * (size_t) ((input->width + 1) / 2) * ((input->height + 1) / 2) : 0;
  CcaCudaFrame *frame = run->frame;
  int64_t pitch;
  CcaStatus status;

  if (input->memory == CCA_MEMORY_DEVICE)
    return CCA_OK;
  if ((status = cca_cuda_plan_reserve_input (run->plan, chroma_size, &pitch)) != CCA_OK
      || (status = reserve_pinned_input (run, size + chroma_size)) != CCA_OK)
    return status;
  for (uint32_t y = 0; y < input->height; y++)
    memcpy (frame->input + y * row, (const char *) input->data + (ptrdiff_t) y * input->pitch, row);
  input->data = run->self->input;
  input->pitch = pitch;
  if (reads_chroma && (status = upload_chroma (run, &input->chroma, frame->input + size)) != CCA_OK)
    return status;
  return copy_rows (run, true, run->self->input, pitch, frame->input, row, input->height);
}

/* Enqueues the foreground. If the frame runs `again` and has kept its mask, does nothing: the model updates only once
 * per frame. */
static CcaStatus
find_foreground (Run *run, const CcaImage *input, bool again)
{
  CcaCudaPlan *self = run->self;
  CcaStatus status;

  if (again && cca_cuda_keeps_mask (&run->spec))
    return CCA_OK;
  status = cca_cuda_foreground_find (&run->spec, &self->workspace.masks, run->mask, &self->model, input,
                                     run->frame->result.scene_change, &run->task);
  /* A collected frame counts only once the graph is launched. */
  if (status == CCA_OK && run->task.queue.graph == NULL)
    cca_cuda_model_advance (&self->model, run->task.params, input);
  return status;
}

static CcaStatus
paint (Run *run, const CcaImage *output)
{
  const CcaCudaWorkspace *workspace = &run->self->workspace;
  const bool host = output->memory == CCA_MEMORY_HOST;
  const size_t row = (size_t) run->spec.width * cca_output_pixel_size (run->spec.output);
  const CcaCanvas canvas = {
    .out = host ? workspace->output : output->data,
    .pitch = host ? workspace->output_pitch : output->pitch,
    .width = run->spec.width,
    .height = run->spec.height,
    .output = run->spec.output,
  };
  CcaCudaFrame *frame = run->frame;
  CcaStatus status = run->spec.algorithm->paint (&run->task, canvas);

  if (status != CCA_OK || !host)
    return status;
  if (frame->output == NULL
      && (status = cca_cuda_alloc_pinned (run->task.queue.device, row * run->spec.height, (void **) &frame->output))
             != CCA_OK)
    return status;
  frame->target = *output;
  return copy_rows (run, false, workspace->output, workspace->output_pitch, frame->output, row, run->spec.height);
}

/* Enqueues what clears memory that overlaps need clean, before the frame's first kernel. */
static CcaStatus
prepare_overlaps (const Run *run)
{
  return run->spec.params->overlaps ? cca_cuda_overlaps_start (&run->self->overlaps, &run->task) : CCA_OK;
}

/* Enqueues the image of labels, overlaps and details, as far as they are asked for. */
static CcaStatus
use_labels (const Run *run, const CcaImage *input)
{
  const CcaCudaWorkspace *workspace = &run->self->workspace;
  const CcaParams *params = run->spec.params;
  const CcaCudaResult *result = &run->frame->result;
  const CcaCanvas labels = {
    .out = (uint8_t *) workspace->labels,
    .pitch = workspace->label_pitch,
    .width = run->spec.width,
    .height = run->spec.height,
    .output = CCA_OUTPUT_LABELS_U32,
  };
  CcaStatus status = workspace->labels ? run->spec.algorithm->paint (&run->task, labels) : CCA_OK;

  if (status == CCA_OK && params->overlaps)
    status = cca_cuda_overlaps_find (&run->self->overlaps, &run->task, labels, run->frame->compares, result->copy,
                                     result->overlaps);
  if (status == CCA_OK && cca_params_details (params))
    status = cca_cuda_details_find (&run->task, labels, input, run->details);
  return status;
}

/* Launches the collected steps. */
static CcaStatus
launch (Run *run, bool again)
{
  const CcaCudaQueue *queue = &run->task.queue;
  CcaStatus status;

  if (queue->graph == NULL)
    return CCA_OK;
  status = cca_cuda_graph_launch (queue->graph, queue->device, queue->stream);
  if (status == CCA_OK && !again)
    cca_cuda_model_advance (&run->self->model, run->task.params, &run->frame->source);
  return status;
}

static CcaStatus
enqueue (Run *run, CcaImage input, const CcaImage *output, bool again)
{
  const CcaCudaAlgorithm *algorithm = run->spec.algorithm;
  CcaStatus status;

  if ((status = record (run, CCA_STAGE_FOREGROUND)) != CCA_OK || (status = upload (run, &input)) != CCA_OK
      || (status = prepare_overlaps (run)) != CCA_OK || (status = find_foreground (run, &input, again)) != CCA_OK
      || (status = record (run, CCA_STAGE_CLEANUP)) != CCA_OK
      || (status = cca_cuda_foreground_clean (&run->spec, &run->self->workspace.masks, &input, run->mask,
                                              run->frame->result.coverage, &run->task))
             != CCA_OK
      || (status = record (run, CCA_STAGE_LABEL)) != CCA_OK || (status = algorithm->label (&run->task)) != CCA_OK
      || (status = record (run, CCA_STAGE_COMPONENTS)) != CCA_OK || (status = algorithm->select (&run->task)) != CCA_OK
      || (status = use_labels (run, &input)) != CCA_OK || (status = record (run, CCA_STAGE_OUTPUT)) != CCA_OK
      || (output && (status = paint (run, output)) != CCA_OK) || (status = launch (run, again)) != CCA_OK
      || (status = record (run, CCA_N_STAGES)) != CCA_OK)
    return status;
  return record_event (run, run->frame->done);
}

/* Reserves memory for the frame's result and, if it must keep one, for its mask; sets where kernels write both. */
static CcaStatus
reserve (Run *run)
{
  const CcaCudaDevice *device = run->task.queue.device;
  CcaCudaFrame *frame = run->frame;
  const bool keeps_mask = cca_cuda_keeps_mask (&run->spec);
  CcaStatus status =
      cca_cuda_result_reserve (&frame->result, device, &run->spec, run->self->n_expected, &run->task.wanted);

  if (status == CCA_OK && run->spec.params->overlaps) {
    status = cca_cuda_result_reserve_overlaps (&frame->result, device, run->self->overlaps.params.capacity);
    run->task.wanted.headers.host = run->self->overlaps.header;
  }
  if (status == CCA_OK && cca_params_details (run->spec.params))
    status = cca_cuda_result_reserve_details (&frame->result, device, &run->task.wanted, &run->details);
  if (status == CCA_OK && run->spec.params->coverage_cell > 0)
    status = cca_cuda_result_reserve_coverage (&frame->result, device,
                                               (size_t) cca_params_cells (run->spec.params, run->spec.width)
                                                   * cca_params_cells (run->spec.params, run->spec.height));
  if (status == CCA_OK && cca_params_samples (run->spec.params))
    status = cca_cuda_result_reserve_scene (&frame->result, device);
  if (status == CCA_OK && keeps_mask && frame->mask == NULL)
    status = cca_cuda_alloc (device, cca_cuda_plane_size (&run->spec), (void **) &frame->mask);
  run->mask = keeps_mask ? frame->mask : run->self->workspace.masks.mask;
  return status;
}

/* Returns whether the frame can run as a graph, which supports neither copies of images nor the events that time
 * stages. A frame that clears the workspace first has steps that no later one repeats. */
static bool
repeats (const CcaCudaTask *task, const CcaCudaFrame *frame)
{
  return task->follows && !frame->timed && frame->source.memory == CCA_MEMORY_DEVICE
         && (frame->painted.data == NULL || frame->painted.memory == CCA_MEMORY_DEVICE);
}

/* Returns the limits for kernels, whose images have fewer than CCA_PIXELS_LIMIT pixels. */
static CcaSizes
sizes_of (const CcaParams *p)
{
  const uint64_t max_area = p->max_area ? p->max_area : UINT64_MAX;

  return (CcaSizes) {
    .min_area = p->min_area < CCA_PIXELS_LIMIT ? (uint32_t) p->min_area : CCA_PIXELS_LIMIT,
    .max_area = max_area < CCA_PIXELS_LIMIT ? (uint32_t) max_area : CCA_PIXELS_LIMIT,
    .min_width = (uint16_t) p->min_width,
    .max_width = (uint16_t) (p->max_width ? p->max_width : CCA_MAX_SIZE),
    .min_height = (uint16_t) p->min_height,
    .max_height = (uint16_t) (p->max_height ? p->max_height : CCA_MAX_SIZE),
  };
}

CcaStatus
cca_cuda_enqueue (CcaPlan *plan, CcaCudaFrame *frame, bool again)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  const CcaCudaSpec spec = cca_cuda_spec (plan);
  const CcaParams *params = spec.params;
  CcaCudaPlan *self = plan->state;
  Run run = {
    .plan = plan,
    .self = self,
    .frame = frame,
    .spec = spec,
    .task = { .algorithm = spec.algorithm,
              .queue = { .device = device, .stream = frame->stream },
              .params = params,
              .sizes = sizes_of (params),
              .workspace = self->workspace.algorithm,
              .follows = self->complete },
  };
  CcaStatus status = reserve (&run);

  if (status != CCA_OK)
    return status;
  if (repeats (&run.task, frame)) {
    cca_cuda_graph_start (&self->graph, (uint64_t) spec.width * spec.height);
    run.task.queue.graph = &self->graph;
  }
  status = enqueue (&run, frame->source, frame->painted.data ? &frame->painted : NULL, again);
  self->complete = status == CCA_OK;
  if (status != CCA_OK) {
    /* Work that was enqueued before the failure still uses the frame's memory. */
    device->driver->cuStreamSynchronize (frame->stream);
    return status;
  }
  self->overlaps.fresh = false;
  frame->in_flight = true;
  return CCA_OK;
}
