/* gst-cca: the CUDA backend: its algorithms, contexts and plans
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/memory.h"
#include "cca/status.h"
#include "cuda/plan.h"
#include "cuda/tuning.h"

#include <stdio.h>
#include <string.h>

_Static_assert (sizeof (CcaDeviceFeatures) == sizeof (CcaFeatures), "the device's features are those of the host");
_Static_assert (sizeof (CcaDeviceHeader) == CCA_ALIGNMENT, "the features follow the header");

static const CcaAlgorithm *const algorithms[] = {
  &cca_cuda_patches.entry,
  &cca_cuda_patches_direct.entry,
  &cca_cuda_flsl_cd.entry,
  &cca_cuda_flsl_otf.entry,
  &cca_cuda_flsl.entry,
  &cca_cuda_ha4_cd.entry,
  &cca_cuda_ha4_otf.entry,
  &cca_cuda_ha4_64.entry,
  &cca_cuda_ha4.entry,
  &cca_cuda_naive.entry,
  NULL,
};

/* --- Contexts ---------------------------------------------------------------------------------------- */

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

/* --- Plans ------------------------------------------------------------------------------------------- */

/* The fastest, or the first in the registry that serves the parameters where the fastest does not. */
static const CcaAlgorithm *
cuda_choose (const CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params, CcaOutput output)
{
  const CcaCudaDevice *device = context->state;
  const char *fastest = cca_tuning_fastest (device->generation, output != CCA_OUTPUT_NONE, (uint64_t) width * height);
  const CcaAlgorithm *able = NULL;

  for (const CcaAlgorithm *const *a = algorithms; *a; a++) {
    if (cca_algorithm_lacks (*a, params, output))
      continue;
    if (strcmp ((*a)->name, fastest) == 0)
      return *a;
    if (able == NULL)
      able = *a;
  }
  return able ? able : algorithms[0];
}

static size_t
cuda_plan_estimate (const CcaPlan *plan)
{
  return cca_cuda_workspace_size (plan);
}

/* Makes room for a model that starts anew. */
static CcaStatus
open_model (const CcaPlan *plan, CcaCudaPlan *self)
{
  self->n_frames = 0;
  return cca_cuda_alloc (cca_cuda_device_of (plan), 2 * cca_cuda_model_plane (plan), (void **) &self->background);
}

static bool
has_model (const CcaPlan *plan)
{
  return plan->params.foreground == CCA_FOREGROUND_MOTION;
}

/* Releases what is there; the context is current. Freeing waits for what the device still does with it. */
static void
release_plan (const CcaCudaDevice *device, CcaCudaPlan *self)
{
  cca_cuda_graph_close (&self->graph, device);
  cca_cuda_workspace_close (&self->workspace, device);
  cca_cuda_free (device, self->input);
  cca_cuda_free (device, self->background);
}

size_t
cca_cuda_plan_memory (const CcaPlan *plan)
{
  const CcaCudaPlan *self = plan->state;

  return cca_cuda_workspace_size (plan) + (self->input ? cca_cuda_input_size (plan) : 0);
}

static CcaStatus
open_plan (const CcaPlan *plan, CcaCudaPlan *self)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaStatus status = cca_cuda_workspace_open (&self->workspace, device, plan);

  if (status == CCA_OK && has_model (plan))
    status = open_model (plan, self);
  if (status != CCA_OK)
    release_plan (device, self);
  return status;
}

static CcaStatus
cuda_plan_open (CcaPlan *plan)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaCudaPlan *self;
  CcaStatus status;

  if ((uint64_t) plan->width * plan->height >= CCA_NUMBERED)
    return cca_fail (CCA_ERROR_UNSUPPORTED, "the frame is %ux%u; the CUDA backend serves fewer than %u pixels",
                     plan->width, plan->height, CCA_NUMBERED);
  self = cca_alloc (&plan->context->allocator, NULL, sizeof *self);
  if (self == NULL)
    return CCA_ERROR_MEMORY;
  memset (self, 0, sizeof *self);
  self->expected = 64;
  if ((status = cca_cuda_push (device)) == CCA_OK) {
    status = open_plan (plan, self);
    cca_cuda_pop (device);
  }
  if (status != CCA_OK) {
    cca_free (&plan->context->allocator, NULL, self);
    return status;
  }
  plan->state = self;
  plan->memory = cca_cuda_plan_memory (plan);
  return CCA_OK;
}

static void
cuda_plan_close (CcaPlan *plan)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);

  if (cca_cuda_push (device) == CCA_OK) {
    release_plan (device, plan->state);
    cca_cuda_pop (device);
  }
  cca_free (&plan->context->allocator, NULL, plan->state);
}

/* Replaces what the parameters of `next` want to be otherwise; the context is current. */
static CcaStatus
change_plan (CcaPlan *plan, const CcaPlan *next)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaCudaPlan *self = plan->state, changed = *self;
  const bool other_workspace = !cca_cuda_workspace_serves (plan, next);
  CcaStatus status = CCA_OK;

  if (other_workspace && (status = cca_cuda_workspace_open (&changed.workspace, device, next)) != CCA_OK)
    return status;
  if (has_model (next) && !has_model (plan) && (status = open_model (next, &changed)) != CCA_OK) {
    if (other_workspace)
      cca_cuda_workspace_close (&changed.workspace, device);
    return status;
  }
  if (other_workspace) {
    cca_cuda_workspace_close (&self->workspace, device);
    changed.complete = false;
  }
  if (has_model (plan) && !has_model (next)) {
    cca_cuda_free (device, self->background);
    changed.background = NULL;
  }
  *self = changed;
  plan->memory = cca_cuda_plan_memory (next);
  return CCA_OK;
}

CcaStatus
cca_cuda_grow (CcaPlan *plan, uint32_t room)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaCudaPlan *self = plan->state;
  const uint32_t room_before = plan->room;
  CcaCudaWorkspace workspace;
  CcaStatus status = CCA_OK;

  if (self->last)
    status = cca_cuda_check (device->driver, device->driver->cuEventSynchronize (self->last->done), "finish a frame");
  if (status != CCA_OK)
    return status;
  plan->room = room;
  status = cca_cuda_workspace_open (&workspace, device, plan);
  if (status != CCA_OK) {
    plan->room = room_before;
    return status;
  }
  cca_cuda_workspace_close (&self->workspace, device);
  self->workspace = workspace;
  self->complete = false;
  plan->memory = cca_cuda_plan_memory (plan);
  return CCA_OK;
}

static CcaStatus
cuda_plan_change (CcaPlan *plan, const CcaPlan *next)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  const bool grows = cca_cuda_algorithm (plan)->grows;
  CcaPlan settled = *next;
  CcaStatus status;

  if (!grows && cca_cuda_workspace_serves (plan, next) && has_model (plan) == has_model (next))
    return CCA_OK;
  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  if (grows)
    status = cca_cuda_settle (plan);
  settled.room = plan->room; /* which frames that were under way may have needed more of */
  if (status == CCA_OK)
    status = change_plan (plan, &settled);
  cca_cuda_pop (device);
  return status;
}

static void
cuda_plan_reset (CcaPlan *plan)
{
  CcaCudaPlan *self = plan->state;

  self->n_frames = 0;
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
  .run = cca_cuda_run,
  .wait = cca_cuda_wait,
  .result_open = cca_cuda_result_open,
  .result_close = cca_cuda_result_close,
};
