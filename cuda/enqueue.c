/* gst-cca: enqueues a frame's stages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame runs entirely on the caller's stream: upload of an image in host memory, foreground, clean-up, the algorithm,
 * the output image. Kernels write the counts and the first components straight to host memory. Everything but the
 * copies of images in host memory runs as a graph (cuda/graph.h).
 */
#include "cuda/frame.h"
#include "cca/params.h"
#include "cca/status.h"
#include "cuda/details.h"

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

/* Records the time at which a stage begins; CCA_N_STAGES: at which the last one ends. */
static CcaStatus
record (const Run *run, CcaStage stage)
{
  const CcaCudaDriver *driver = run->task.queue.device->driver;

  if (!run->frame->timed)
    return CCA_OK;
  return cca_cuda_check (driver, driver->cuEventRecord (run->frame->stages[stage], run->task.queue.stream),
                         "record an event");
}

/* Enqueues the foreground, unless the frame runs `again` and has kept its mask: the model may update only once per
 * frame. */
static CcaStatus
find_foreground (Run *run, const CcaImage *input, bool again)
{
  CcaCudaPlan *self = run->self;
  CcaStatus status;

  if (again && cca_cuda_keeps_mask (&run->spec))
    return CCA_OK;
  status = cca_cuda_foreground_find (&run->spec, &self->workspace.masks, run->mask, &self->model, input,
                                     run->frame->result.scene_change, &run->task);
  /* With a graph, the frame counts when the graph is launched. */
  if (status == CCA_OK && run->task.queue.graph == NULL)
    cca_cuda_model_advance (&self->model, run->task.params, input);
  return status;
}

static CcaStatus
paint (Run *run, const CcaImage *output)
{
  const CcaCudaWorkspace *workspace = &run->self->workspace;
  const bool host = output->memory == CCA_MEMORY_HOST;
  const CcaCanvas canvas = {
    .out = host ? workspace->output : output->data,
    .pitch = host ? workspace->output_pitch : output->pitch,
    .width = run->spec.width,
    .height = run->spec.height,
    .output = run->spec.output,
  };

  return run->spec.algorithm->paint (&run->task, canvas);
}

/* Enqueues the copy of an output image to the host: into the caller's memory if CUDA has pinned it, else into the
 * frame's. */
static CcaStatus
download (const Run *run, const CcaImage *output)
{
  const CcaCudaWorkspace *workspace = &run->self->workspace;
  const size_t row = (size_t) run->spec.width * cca_output_pixel_size (run->spec.output);
  CcaCudaFrame *frame = run->frame;

  if (output->memory != CCA_MEMORY_HOST)
    return CCA_OK;
  if (!frame->lands)
    frame->target = *output;
  return cca_cuda_copy_down (run->task.queue.device, frame->stream, frame->lands ? output->data : frame->output,
                             frame->lands ? (size_t) output->pitch : row, workspace->output,
                             (size_t) workspace->output_pitch, row, run->spec.height);
}

/* Enqueues the clearing of the overlaps' memory, before the frame's first kernel. */
static CcaStatus
prepare_overlaps (const Run *run)
{
  return run->spec.params->overlaps ? cca_cuda_overlaps_start (&run->self->overlaps, &run->task) : CCA_OK;
}

/* Enqueues the image of labels, the overlaps and the details, if the plan needs them. */
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

  if ((status = record (run, CCA_STAGE_FOREGROUND)) != CCA_OK
      || (status = cca_cuda_upload (run->plan, run->frame, &input, again)) != CCA_OK
      || (status = prepare_overlaps (run)) != CCA_OK || (status = find_foreground (run, &input, again)) != CCA_OK
      || (status = record (run, CCA_STAGE_CLEANUP)) != CCA_OK
      || (status = cca_cuda_foreground_clean (&run->spec, &run->self->workspace.masks, &input, run->mask,
                                              run->frame->result.coverage, &run->task))
             != CCA_OK
      || (status = record (run, CCA_STAGE_LABEL)) != CCA_OK || (status = algorithm->label (&run->task)) != CCA_OK
      || (status = record (run, CCA_STAGE_COMPONENTS)) != CCA_OK || (status = algorithm->select (&run->task)) != CCA_OK
      || (status = use_labels (run, &input)) != CCA_OK || (status = record (run, CCA_STAGE_OUTPUT)) != CCA_OK
      || (output && (status = paint (run, output)) != CCA_OK) || (status = launch (run, again)) != CCA_OK
      || (output && (status = download (run, output)) != CCA_OK) || (status = record (run, CCA_N_STAGES)) != CCA_OK)
    return status;
  return cca_cuda_wait_record (&run->frame->wait, run->task.queue.device, run->frame->stream);
}

/* Reserves pinned memory for an output image in host memory that is not pinned itself. */
static CcaStatus
reserve_output (const Run *run)
{
  const CcaCudaDevice *device = run->task.queue.device;
  const size_t row = (size_t) run->spec.width * cca_output_pixel_size (run->spec.output);
  CcaCudaFrame *frame = run->frame;
  const CcaImage *output = &frame->painted;

  if (output->data == NULL || output->memory != CCA_MEMORY_HOST)
    return CCA_OK;
  frame->lands = cca_cuda_is_pinned (device, output->data, (size_t) output->pitch * (run->spec.height - 1) + row);
  if (frame->lands || frame->output)
    return CCA_OK;
  return cca_cuda_alloc_pinned (device, row * run->spec.height, (void **) &frame->output);
}

/* Reserves memory for the frame's result, its output image and, if it keeps one, its mask. Sets where kernels write. */
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
  if (status == CCA_OK)
    status = reserve_output (run);
  if (status == CCA_OK && keeps_mask && frame->mask == NULL)
    status = cca_cuda_alloc (device, cca_cuda_plane_size (&run->spec), (void **) &frame->mask);
  run->mask = keeps_mask ? frame->mask : run->self->workspace.masks.mask;
  return status;
}

/* Returns whether the frame can run as a graph. Graphs do not support the events that time stages, and the first frame
 * in new memory has clearing steps that no later frame repeats. */
static bool
repeats (const CcaCudaTask *task, const CcaCudaFrame *frame)
{
  return task->follows && !frame->timed;
}

/* Returns the size filter for kernels, whose images have fewer than CCA_PIXELS_LIMIT pixels. */
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
    /* Steps enqueued before the failure still use the frame's memory. */
    device->driver->cuStreamSynchronize (frame->stream);
    return status;
  }
  self->overlaps.fresh = false;
  frame->in_flight = true;
  return CCA_OK;
}
