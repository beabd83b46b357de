/* gst-cca: a frame's stages on the CPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The stages: pixels to bit words (foreground.c; samples/samples.c for SAMPLES), clean-up (cleanup.c), the plan's
 * algorithm, components (selection.c), the output image. Without clean-up the algorithm requests each row of bits when
 * it needs it, so that its work hides the latency of pixels. Every stage is a loop over strips, which threads take one
 * by one.
 */
#include "cca/cpu/frame.h"
#include "cca/cpu/cleanup.h"
#include "cca/cpu/coverage.h"
#include "cca/clock.h"
#include "cca/cpu/plan.h"
#include "cca/memory.h"
#include "cca/params.h"
#include "cca/status.h"

#include <string.h>

/* The current frame, for the strip functions. */
typedef struct
{
  const CcaCpuWorkspace *workspace;
  CcaMask mask;
  CcaImage values; /* VALUES, SAMPLES: the converted input, if pixels are not values */
} Frame;

bool
cca_cpu_frame_reserve (CcaResult *result, uint32_t n)
{
  if (n <= result->capacity)
    return true;
  if (!cca_grow (&result->plan->context->allocator, NULL, (void **) &result->components, 0, n * sizeof (CcaComponent)))
    return false;
  result->capacity = n;
  return true;
}

static void
values_strip (void *data, uint32_t index)
{
  const Frame *frame = data;
  const CcaCpu *cpu = &frame->workspace->cpu;
  const CcaStrip rows = cca_strip (cpu->height, cpu->n_strips, index);

  for (uint32_t y = rows.first; y < rows.last; y++)
    cca_values_convert (&frame->mask.values, cca_mask_pixels (&frame->mask, y), cpu->width,
                        (uint8_t *) frame->values.data + y * frame->values.pitch);
}

/* Converts a whole frame to values, for VALUES and SAMPLES, which compare several rows. */
static void
find_values (Frame *frame)
{
  const CcaCpuWorkspace *workspace = frame->workspace;
  const CcaCpu *cpu = &workspace->cpu;
  CcaParams params = workspace->params;

  if (workspace->values == NULL)
    return;
  frame->values = (CcaImage) { .data = workspace->values,
                               .pitch = (ptrdiff_t) cpu->width << frame->mask.values.wide,
                               .width = cpu->width,
                               .height = cpu->height };
  cca_threads_run (cpu->threads, cpu->n_strips, values_strip, frame);
  params.format = frame->mask.values.wide ? CCA_FORMAT_GRAY16_LE : CCA_FORMAT_GRAY8;
  frame->mask.input = &frame->values;
  frame->mask.values = cca_values (cpu->ops, &params);
}

static void
foreground_strip (void *data, uint32_t index)
{
  const Frame *frame = data;
  const CcaCpu *cpu = &frame->workspace->cpu;
  const CcaStrip rows = cca_strip (cpu->height, cpu->n_strips, index);

  for (uint32_t y = rows.first; y < rows.last; y++)
    cca_mask_row (&frame->mask, y, frame->workspace->mask + (size_t) y * cpu->row_words);
}

static void
denoise_strip (void *data, uint32_t index)
{
  const Frame *frame = data;
  const CcaCpuWorkspace *workspace = frame->workspace;
  const CcaCpu *cpu = &workspace->cpu;
  const CcaStrip rows = cca_strip (cpu->height, cpu->n_strips, index);

  cca_majority (workspace->mask, workspace->cleaned, cpu->row_words, cpu->height, rows);
  cca_mask_confine (&frame->mask, rows, workspace->cleaned);
}

static void
dilate_rows_strip (void *data, uint32_t index)
{
  const Frame *frame = data;
  const CcaCpuWorkspace *workspace = frame->workspace;
  const CcaCpu *cpu = &workspace->cpu;

  cca_dilate_rows (workspace->params.denoise ? workspace->cleaned : workspace->mask, workspace->dilated, cpu->width,
                   workspace->params.close_radius, cca_strip (cpu->height, cpu->n_strips, index));
}

static void
erode_rows_strip (void *data, uint32_t index)
{
  const Frame *frame = data;
  const CcaCpuWorkspace *workspace = frame->workspace;
  const CcaCpu *cpu = &workspace->cpu;
  const uint32_t radius = workspace->params.close_radius;

  cca_dilate_columns_erode_rows (workspace->dilated, workspace->eroded, cpu->width, cpu->height, radius,
                                 cca_strip (cpu->height + 2 * radius, cpu->n_strips, index));
}

static void
erode_columns_strip (void *data, uint32_t index)
{
  const Frame *frame = data;
  const CcaCpuWorkspace *workspace = frame->workspace;
  const CcaCpu *cpu = &workspace->cpu;
  const CcaStrip rows = cca_strip (cpu->height, cpu->n_strips, index);

  cca_erode_columns (workspace->eroded, workspace->cleaned, cpu->width, workspace->params.close_radius, rows);
  cca_mask_confine (&frame->mask, rows, workspace->cleaned);
}

static void
clean_up (Frame *frame)
{
  const CcaCpu *cpu = &frame->workspace->cpu;

  if (frame->workspace->params.denoise)
    cca_threads_run (cpu->threads, cpu->n_strips, denoise_strip, frame);
  if (frame->workspace->params.close_radius > 0) {
    cca_threads_run (cpu->threads, cpu->n_strips, dilate_rows_strip, frame);
    cca_threads_run (cpu->threads, cpu->n_strips, erode_rows_strip, frame);
    cca_threads_run (cpu->threads, cpu->n_strips, erode_columns_strip, frame);
  }
  frame->mask.plane = frame->workspace->cleaned;
}

typedef struct
{
  const Frame *frame;
  uint8_t *cells, *colours;
} Coverage;

static void
coverage_strip (void *data, uint32_t index)
{
  const Coverage *coverage = data;
  const CcaCpu *cpu = &coverage->frame->workspace->cpu;
  const CcaParams *params = cpu->params;
  const CcaMask *mask = &coverage->frame->mask;
  const CcaStrip rows = cca_strip (cca_params_cells (params, cpu->height), cpu->n_strips, index);

  cca_coverage_count (mask->plane, cpu->row_words, cpu->height, params->coverage_cell,
                      cca_params_cells (params, cpu->width), rows, coverage->cells);
  cca_colours_sample (params, &mask->values, mask->input, coverage->cells, rows, coverage->colours);
}

/* Counts the coverage of the mask and samples its colours, if params ask for it. */
static CcaStatus
measure_coverage (const Frame *frame, CcaResult *result)
{
  const CcaCpu *cpu = &frame->workspace->cpu;
  CcaMeasurement *measurement = &result->measurement;
  size_t n;

  measurement->coverage = measurement->colours = NULL;
  measurement->coverage_cell = measurement->coverage_columns = measurement->coverage_rows = 0;
  if (cpu->params->coverage_cell == 0)
    return CCA_OK;
  measurement->coverage_cell = cpu->params->coverage_cell;
  measurement->coverage_columns = cca_params_cells (cpu->params, cpu->width);
  measurement->coverage_rows = cca_params_cells (cpu->params, cpu->height);
  if (!cca_result_reserve_coverage (result))
    return CCA_ERROR_MEMORY;
  n = (size_t) measurement->coverage_columns * measurement->coverage_rows;
  cca_threads_run (cpu->threads, cpu->n_strips, coverage_strip,
                   &(Coverage) { frame, result->coverage, result->coverage + n });
  measurement->coverage = result->coverage;
  measurement->colours = result->coverage + n;
  return CCA_OK;
}

/* Finds the overlaps with the last frame, if its components are known. */
static CcaStatus
measure_overlaps (const CcaPlan *plan, CcaResult *result)
{
  const CcaCpuPlan *self = plan->state;
  const CcaCpu *cpu = &self->workspace->cpu;
  CcaMeasurement *measurement = &result->measurement;
  size_t n;

  measurement->n_overlaps = measurement->n_stored_overlaps = 0;
  measurement->overlaps = NULL;
  if (!self->overlaps || !plan->follows)
    return CCA_OK;
  if (!cca_overlaps_find (self->overlaps, cpu->threads, cpu->n_strips, &n))
    return CCA_ERROR_MEMORY;
  measurement->n_overlaps = (uint32_t) n;
  measurement->n_stored_overlaps = n < plan->params.max_components ? (uint32_t) n : plan->params.max_components;
  if (!cca_result_reserve_overlaps (result, measurement->n_stored_overlaps))
    return CCA_ERROR_MEMORY;
  cca_overlaps_get (self->overlaps, result->overlaps, measurement->n_stored_overlaps);
  measurement->overlaps = result->overlaps;
  return CCA_OK;
}

/* Measures the shapes and intensities of the stored components, if params ask for them. */
static CcaStatus
measure_details (const Frame *frame, const CcaSelection *selection, CcaResult *result)
{
  const CcaCpuWorkspace *workspace = frame->workspace;
  const bool raster = selection->order == CCA_ORDER_RASTER;
  const CcaDetails *details = NULL;

  if (workspace->details) {
    details =
        cca_cpu_details_find (workspace->details, &frame->mask, raster ? selection->n_stored : selection->n_found);
    if (details == NULL)
      return CCA_ERROR_MEMORY;
  }
  return cca_result_set_details (result, &workspace->params, details) ? CCA_OK : CCA_ERROR_MEMORY;
}

CcaStatus
cca_cpu_frame_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result)
{
  const CcaCpuContext *context = plan->context->state;
  CcaCpuPlan *self = plan->state;
  CcaCpuWorkspace *workspace = self->workspace;
  CcaSelection *selection = &workspace->selection;
  CcaMeasurement *measurement = &result->measurement;
  Frame frame = { .workspace = workspace,
                  .mask = { .cpu = &workspace->cpu,
                            .input = input,
                            .values = cca_values (workspace->cpu.ops, &workspace->params),
                            .model = &self->model,
                            .region = self->region,
                            .seen = workspace->seen } };
  const bool clean = cca_params_clean (&workspace->params), stores = cca_params_stores_mask (&workspace->params),
             motion = workspace->params.foreground == CCA_FOREGROUND_MOTION;
  bool scene_change = false;
  uint32_t n_threads;
  uint64_t start[CCA_N_STAGES + 1], frame_ns;

  if (stream)
    return cca_fail (CCA_ERROR_INVALID, "the cpu backend has no streams; stream must be NULL");
  if (input->memory != CCA_MEMORY_HOST || (output && output->memory != CCA_MEMORY_HOST))
    return cca_fail (CCA_ERROR_INVALID, "the cpu backend needs host memory; %s is in device memory",
                     input->memory != CCA_MEMORY_HOST ? "input" : "output");
  if (!cca_cpu_frame_reserve (result, selection->capacity))
    return CCA_ERROR_MEMORY;
  if (motion && workspace->samples == NULL)
    frame.mask.least = cca_sensitivity_least (&self->sensitivity, plan->width, plan->height,
                                              workspace->params.motion.v_min, frame.mask.values.wide);
  memset (workspace->seen, 0, plan->height * sizeof *workspace->seen);

  n_threads = context->all_threads ? workspace->n_threads
                                   : cca_thread_count_choose (&workspace->thread_count, workspace->n_threads);
  workspace->cpu.n_strips = n_threads > 1 ? workspace->cpu.most_strips : 1;
  cca_threads_use (workspace->cpu.threads, n_threads);
  start[CCA_STAGE_FOREGROUND] = cca_now_ns ();
  find_values (&frame);
  if (workspace->samples) {
    scene_change = cca_samples_run (self->samples, workspace->samples, &workspace->cpu, frame.mask.input, &plan->held,
                                    workspace->mask);
    frame.mask.found = workspace->mask;
  }
  if (stores)
    cca_threads_run (workspace->cpu.threads, workspace->cpu.n_strips, foreground_strip, &frame);
  start[CCA_STAGE_CLEANUP] = cca_now_ns ();
  if (clean)
    clean_up (&frame);
  else if (stores)
    frame.mask.plane = workspace->mask;
  start[CCA_STAGE_LABEL] = cca_now_ns ();
  selection->stored = result->components;
  if (self->overlaps)
    workspace->cpu.runs = cca_overlaps_next_frame (self->overlaps);
  else if (workspace->details)
    workspace->cpu.runs = cca_cpu_details_runs (workspace->details);
  cca_selection_start (selection, &workspace->params);
  result->failure = workspace->algorithm->label (workspace->algorithm_state, &frame.mask, selection);
  if (result->failure != CCA_OK && motion)
    cca_mask_finish (&frame.mask, selection->firsts);
  self->model.n_frames++;
  if (result->failure != CCA_OK)
    return CCA_OK;
  start[CCA_STAGE_COMPONENTS] = cca_now_ns ();
  cca_selection_finish (selection);
  result->failure = measure_overlaps (plan, result);
  if (result->failure == CCA_OK)
    result->failure = measure_coverage (&frame, result);
  measurement->n_components = selection->n_found;
  measurement->n_stored = selection->n_stored;
  if (result->failure == CCA_OK)
    result->failure = measure_details (&frame, selection, result);
  if (result->failure != CCA_OK)
    return CCA_OK;
  start[CCA_STAGE_OUTPUT] = cca_now_ns ();
  if (output)
    workspace->algorithm->paint (workspace->algorithm_state, selection, output);
  start[CCA_N_STAGES] = cca_now_ns ();
  frame_ns = start[CCA_N_STAGES] - start[CCA_STAGE_FOREGROUND];
  cca_thread_count_add (&workspace->thread_count, n_threads, workspace->n_threads, frame_ns,
                        n_threads > 1 ? cca_threads_work_ns (workspace->cpu.threads) : frame_ns);

  measurement->scene_change = scene_change;
  measurement->truncated = selection->n_stored < selection->n_found;
  measurement->components = result->components;
  for (uint32_t i = 0; i < CCA_N_STAGES; i++)
    measurement->stage_ns[i] = start[i + 1] - start[i];
  return CCA_OK;
}

CcaStatus
cca_cpu_frame_wait (CcaResult *result)
{
  if (result->failure != CCA_OK)
    return cca_fail (result->failure, "no memory for the runs and labels of this frame");
  return CCA_OK;
}
