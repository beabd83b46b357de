/* gst-cca: the CPU backend: its contexts, plans and results
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/algorithm.h"
#include "cca/cpu/frame.h"
#include "cca/cpu/plan.h"
#include "cca/params.h"
#include "cca/status.h"

#include <stdio.h>

static const CcaAlgorithm *const algorithms[] = {
  &cca_cpu_runs.entry,
  &cca_cpu_two_pass.entry,
  NULL,
};

/* --- Contexts ---------------------------------------------------------------------------------------- */

static CcaStatus
cpu_context_open (CcaContext *context, const CcaContextOptions *options)
{
  const CcaIsa isa = options->isa == CCA_ISA_AUTO ? cca_isa_best () : options->isa;
  CcaCpuContext *self;

  if (options->native)
    return cca_fail (CCA_ERROR_INVALID, "the cpu backend takes no native context; native must be NULL");
  if (!cca_isa_available (isa))
    return cca_fail (CCA_ERROR_UNSUPPORTED, "this processor or build lacks instruction set %s", cca_isa_name (isa));
  self = cca_alloc (&context->allocator, NULL, sizeof *self);
  if (self == NULL)
    return CCA_ERROR_MEMORY;
  cca_row_ops_init (&self->ops, isa);
  self->n_processors = cca_processors ();
  self->all_threads = options->all_threads;
  snprintf (context->description, sizeof context->description, "cpu, %s", cca_isa_name (isa));
  context->state = self;
  return CCA_OK;
}

static void
cpu_context_close (CcaContext *context)
{
  cca_free (&context->allocator, NULL, context->state);
}

/* --- Workspaces -------------------------------------------------------------------------------------- */

/* "runs" was the fastest at every size and density (docs/benchmarks.md). */
static const CcaAlgorithm *
cpu_choose (const CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params, CcaOutput output)
{
  return &cca_cpu_runs.entry;
}

/* Strips per thread. Several, so that a thread that starts late or gets a busy part of the image costs less than the
 * time of a strip. */
#define STRIPS_A_THREAD 3

static uint32_t
most_threads (const CcaPlan *plan)
{
  const CcaCpuContext *context = plan->context->state;
  uint32_t n = plan->params.n_threads;

  if (!(plan->algorithm->capabilities & CCA_CAN_THREADS))
    return 1;
  if (!context->all_threads && n > context->n_processors)
    n = context->n_processors;
  return n < plan->height ? n : plan->height;
}

static uint32_t
most_strips (uint32_t n_threads, uint32_t height)
{
  uint32_t n = n_threads == 1 ? 1 : STRIPS_A_THREAD * n_threads;

  n = n < CCA_MAX_STRIPS ? n : CCA_MAX_STRIPS;
  return n < height ? n : height;
}

/* Fills the members that need no memory. */
static void
workspace_describe (CcaCpuWorkspace *self, const CcaPlan *plan)
{
  const CcaCpuContext *context = plan->context->state;
  const CcaParams *params = &plan->params;
  const uint64_t most = cca_most_components (plan->width, plan->height, params);

  *self = (CcaCpuWorkspace) { .params = *params,
                              .algorithm = (const CcaCpuAlgorithm *) plan->algorithm,
                              .n_threads = most_threads (plan) };
  cca_thread_count_init (&self->thread_count);
  self->selection.row_words = cca_row_words (plan->width);
  self->selection.height = plan->height;
  self->selection.capacity = most < params->max_components ? (uint32_t) most : params->max_components;
  self->cpu = (CcaCpu) {
    .allocator = &plan->context->allocator,
    .ops = &context->ops,
    .most_strips = most_strips (self->n_threads, plan->height),
    .width = plan->width,
    .height = plan->height,
    .row_words = cca_row_words (plan->width),
    .output = plan->output,
    .params = &self->params,
  };
}

/* Returns the bytes of the value plane of VALUES and SAMPLES; 0 if the pixels already are values. */
static size_t
values_size (const CcaPlan *plan)
{
  const CcaValues values = cca_values (NULL, &plan->params);

  if ((plan->params.foreground != CCA_FOREGROUND_VALUES && !cca_params_samples (&plan->params))
      || cca_values_are_pixels (&values))
    return 0;
  return (size_t) plan->width * plan->height << values.wide;
}

/* Divides the block; without one, only counts its bytes. */
static size_t
workspace_take (CcaCpuWorkspace *self, const CcaPlan *plan, char *base)
{
  const CcaCpu *cpu = &self->cpu;
  const size_t plane = (size_t) cpu->row_words * cpu->height * sizeof (uint64_t), n_values = values_size (plan);
  CcaLayout layout = { base, 0 };

  if (cca_params_stores_mask (&self->params) || cca_params_samples (&self->params))
    self->mask = cca_layout_take (&layout, plane);
  if (cca_params_clean (&self->params))
    self->cleaned = cca_layout_take (&layout, plane);
  if (cca_params_clean (&self->params) && self->params.close_radius > 0) {
    const uint32_t border = 2 * self->params.close_radius;
    const size_t row = cca_row_words (cpu->width + border) * sizeof (uint64_t);

    self->dilated = cca_layout_take (&layout, row * cpu->height);
    self->eroded = cca_layout_take (&layout, row * (cpu->height + border));
  }
  if (n_values > 0)
    self->values = cca_layout_take (&layout, n_values);
  if (cca_params_samples (&self->params))
    self->samples = cca_samples_work_take (&layout, cpu);
  self->seen = cca_layout_take (&layout, cpu->height * sizeof *self->seen);
  self->selection.keys = cca_layout_take (&layout, self->selection.capacity * sizeof (uint32_t));
  self->selection.firsts = cca_layout_take (&layout, plane);
  self->selection.firsts_before = cca_layout_take (&layout, (size_t) cpu->row_words * cpu->height * sizeof (uint32_t));
  return layout.size;
}

static void
workspace_close (CcaCpuWorkspace *self)
{
  const CcaAllocator *allocator = self->cpu.allocator;
  atomic_size_t *used = self->cpu.used;

  if (self->algorithm_state)
    self->algorithm->close (self->algorithm_state);
  cca_cpu_details_free (self->details);
  cca_threads_free (allocator, used, self->cpu.threads);
  cca_free (allocator, used, self->block);
  cca_free (allocator, used, self);
}

static CcaStatus
workspace_open (const CcaPlan *plan, atomic_size_t *used, CcaCpuWorkspace **workspace)
{
  CcaCpuWorkspace *self = cca_alloc (&plan->context->allocator, used, sizeof *self);
  CcaStatus status;

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  workspace_describe (self, plan);
  self->cpu.used = used;
  self->block = cca_alloc (self->cpu.allocator, used, workspace_take (self, plan, NULL));
  status =
      self->block ? cca_threads_new (self->cpu.allocator, used, self->n_threads, &self->cpu.threads) : CCA_ERROR_MEMORY;
  if (status == CCA_OK) {
    workspace_take (self, plan, self->block);
    status = self->algorithm->open (&self->cpu, &self->algorithm_state);
  }
  if (status == CCA_OK && cca_params_details (&self->params)) {
    self->details = cca_cpu_details_new (&self->cpu);
    status = self->details ? CCA_OK : CCA_ERROR_MEMORY;
  }
  if (status != CCA_OK) {
    workspace_close (self);
    return status;
  }
  *workspace = self;
  return CCA_OK;
}

/* Returns whether two sets of parameters need the same workspace. */
static bool
same_workspace (const CcaPlan *a, const CcaPlan *b)
{
  return a->algorithm == b->algorithm && a->params.connectivity == b->params.connectivity
         && (a->params.foreground == CCA_FOREGROUND_VALUES) == (b->params.foreground == CCA_FOREGROUND_VALUES)
         && cca_params_samples (&a->params) == cca_params_samples (&b->params) && values_size (a) == values_size (b)
         && cca_params_clean (&a->params) == cca_params_clean (&b->params)
         && cca_params_stores_mask (&a->params) == cca_params_stores_mask (&b->params)
         && a->params.close_radius == b->params.close_radius && a->params.max_components == b->params.max_components
         && cca_params_labels (&a->params) == cca_params_labels (&b->params)
         && cca_params_details (&a->params) == cca_params_details (&b->params) && a->params.shape == b->params.shape
         && most_threads (a) == most_threads (b);
}

/* --- Plans ------------------------------------------------------------------------------------------- */

static size_t
cpu_plan_estimate (const CcaPlan *plan)
{
  CcaCpuWorkspace workspace;
  size_t bytes = sizeof workspace;

  workspace_describe (&workspace, plan);
  bytes += workspace_take (&workspace, plan, NULL) + cca_threads_size (workspace.n_threads);
  if (plan->params.overlaps)
    bytes += cca_overlaps_size (plan->height);
  if (cca_params_details (&plan->params))
    bytes += cca_cpu_details_size (&workspace.cpu);
  return bytes + workspace.algorithm->estimate (&workspace.cpu);
}

/* Closes the parts of a plan that `keep` does not share. */
static void
close_parts (const CcaAllocator *allocator, atomic_size_t *used, CcaCpuPlan *parts, const CcaCpuPlan *keep)
{
  if (parts->workspace && parts->workspace != keep->workspace)
    workspace_close (parts->workspace);
  if (parts->overlaps != keep->overlaps)
    cca_overlaps_free (parts->overlaps);
  if (parts->region != keep->region)
    cca_free (allocator, used, parts->region);
  if (parts->sensitivity.factors != keep->sensitivity.factors)
    cca_sensitivity_close (&parts->sensitivity, allocator, used);
  if (parts->model.background != keep->model.background)
    cca_motion_model_close (&parts->model, allocator);
  if (parts->samples != keep->samples)
    cca_free (allocator, NULL, parts->samples);
}

/* Opens the parts that the parameters need, reusing those of `old`, the parts of the previous parameters. On failure
 * closes what it opened. */
static CcaStatus
open_parts (const CcaPlan *plan, atomic_size_t *used, const CcaCpuPlan *old, bool keep_workspace, CcaCpuPlan *parts)
{
  const CcaAllocator *allocator = &plan->context->allocator;
  CcaStatus status = CCA_OK;

  *parts = (CcaCpuPlan) { .workspace = keep_workspace ? old->workspace : NULL,
                          .region = old->region,
                          .sensitivity = old->sensitivity };
  if (cca_params_samples (&plan->params)) {
    parts->samples = old->samples ? old->samples : cca_samples_model_new (allocator, plan->width, plan->height);
    status = parts->samples ? CCA_OK : CCA_ERROR_MEMORY;
  } else if (plan->params.foreground == CCA_FOREGROUND_MOTION) {
    const bool wide = cca_format_is_wide (plan->params.format);

    if (old->model.wide == wide)
      parts->model = old->model;
    if (parts->model.background == NULL)
      status = cca_motion_model_open (&parts->model, allocator, plan->width, plan->height, wide);
  }
  if (status == CCA_OK && plan->params.overlaps) {
    parts->overlaps = old->overlaps ? old->overlaps : cca_overlaps_new (allocator, used, plan->height);
    status = parts->overlaps ? CCA_OK : CCA_ERROR_MEMORY;
  }
  if (status == CCA_OK && parts->workspace == NULL)
    status = workspace_open (plan, used, &parts->workspace);
  if (status != CCA_OK)
    close_parts (allocator, used, parts, old);
  return status;
}

static void
cpu_plan_close (CcaPlan *plan)
{
  const CcaCpuPlan nothing = { 0 };

  close_parts (&plan->context->allocator, &plan->memory, plan->state, &nothing);
  cca_free (&plan->context->allocator, NULL, plan->state);
}

static CcaStatus
cpu_plan_open (CcaPlan *plan)
{
  const CcaCpuPlan nothing = { 0 };
  CcaCpuPlan *self = cca_alloc (&plan->context->allocator, NULL, sizeof *self);
  CcaStatus status;

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  status = open_parts (plan, &plan->memory, &nothing, false, self);
  if (status != CCA_OK) {
    cca_free (&plan->context->allocator, NULL, self);
    return status;
  }
  plan->state = self;
  return CCA_OK;
}

static CcaStatus
cpu_plan_change (CcaPlan *plan, const CcaPlan *next)
{
  CcaCpuPlan *self = plan->state, parts;
  const CcaStatus status = open_parts (next, &plan->memory, self, same_workspace (plan, next), &parts);

  if (status != CCA_OK)
    return status;
  close_parts (&plan->context->allocator, &plan->memory, self, &parts);
  parts.workspace->params = next->params;
  *self = parts;
  return CCA_OK;
}

static void
cpu_plan_reset (CcaPlan *plan)
{
  CcaCpuPlan *self = plan->state;

  self->model.n_frames = 0;
  if (self->samples)
    cca_samples_model_reset (self->samples);
}

static CcaStatus
cpu_plan_set_region (CcaPlan *plan, const CcaImage *region)
{
  const CcaCpuContext *context = plan->context->state;
  const CcaAllocator *allocator = &plan->context->allocator;
  const uint32_t row_words = cca_row_words (plan->width);
  CcaCpuPlan *self = plan->state;
  uint64_t *plane = NULL;

  if (region) {
    plane = cca_alloc (allocator, &plan->memory, (size_t) row_words * plan->height * sizeof *plane);
    if (plane == NULL)
      return CCA_ERROR_MEMORY;
    for (uint32_t y = 0; y < plan->height; y++)
      context->ops.range ((const uint8_t *) region->data + (ptrdiff_t) y * region->pitch, plan->width, 1, 254, false,
                          plane + (size_t) y * row_words);
  }
  cca_free (allocator, &plan->memory, self->region);
  self->region = plane;
  return CCA_OK;
}

static CcaStatus
cpu_plan_set_sensitivity (CcaPlan *plan, const CcaImage *factors)
{
  const CcaAllocator *allocator = &plan->context->allocator;
  CcaSensitivity sensitivity = { 0 };
  CcaCpuPlan *self = plan->state;

  if (factors && cca_sensitivity_open (&sensitivity, allocator, &plan->memory, factors) != CCA_OK)
    return CCA_ERROR_MEMORY;
  cca_sensitivity_close (&self->sensitivity, allocator, &plan->memory);
  self->sensitivity = sensitivity;
  return CCA_OK;
}

/* --- Results ----------------------------------------------------------------------------------------- */

static CcaStatus
cpu_result_open (CcaResult *result)
{
  const CcaCpuPlan *plan = result->plan->state;

  return cca_cpu_frame_reserve (result, plan->workspace->selection.capacity) ? CCA_OK : CCA_ERROR_MEMORY;
}

static void
cpu_result_close (CcaResult *result)
{
  cca_free (&result->plan->context->allocator, NULL, result->components);
}

const CcaBackendOps cca_cpu_backend = {
  .name = "cpu",
  .algorithms = algorithms,
  .context_open = cpu_context_open,
  .context_close = cpu_context_close,
  .choose = cpu_choose,
  .plan_estimate = cpu_plan_estimate,
  .plan_open = cpu_plan_open,
  .plan_close = cpu_plan_close,
  .plan_change = cpu_plan_change,
  .plan_reset = cpu_plan_reset,
  .plan_set_region = cpu_plan_set_region,
  .plan_set_sensitivity = cpu_plan_set_sensitivity,
  .run = cca_cpu_frame_run,
  .wait = cca_cpu_frame_wait,
  .result_open = cpu_result_open,
  .result_close = cpu_result_close,
};
