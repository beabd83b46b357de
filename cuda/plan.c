/* gst-cca: a plan's memory on a device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/plan.h"
#include "cca/memory.h"
#include "cca/params.h"
#include "cca/status.h"
#include "cuda/details.h"

#include <string.h>

CcaCudaSpec
cca_cuda_spec (const CcaPlan *plan)
{
  const CcaCudaPlan *self = plan->state;

  return (CcaCudaSpec) {
    .algorithm = (const CcaCudaAlgorithm *) plan->algorithm,
    .width = plan->width,
    .height = plan->height,
    .output = plan->output,
    .params = &plan->params,
    .held = &plan->held,
    .row_words = cca_cuda_row_words (plan->width),
    .region = self ? self->region : NULL,
    .factors = self ? self->factors : NULL,
    .capacity = self ? self->capacity : 0,
  };
}

static bool
has_model (const CcaPlan *plan)
{
  return plan->params.foreground == CCA_FOREGROUND_MOTION;
}

static void
count_memory (CcaPlan *plan)
{
  const CcaCudaPlan *self = plan->state;
  const CcaCudaSpec spec = cca_cuda_spec (plan);

  plan->memory = self->workspace.size + self->overlaps.size + self->input_size
                 + (self->region ? cca_cuda_plane_size (&spec) : 0)
                 + (self->factors ? cca_cuda_factors_size (&spec) : 0);
}

size_t
cca_cuda_plan_size (const CcaPlan *plan)
{
  const CcaCudaSpec spec = cca_cuda_spec (plan);

  return cca_cuda_workspace_size (&spec) + cca_cuda_overlaps_size (&spec);
}

/* Frees all memory. Freeing waits for the work that still uses it. */
static void
release (const CcaCudaDevice *device, CcaCudaPlan *self)
{
  cca_cuda_graph_close (&self->graph, device);
  cca_cuda_workspace_close (&self->workspace, device);
  cca_cuda_free (device, self->input);
  cca_cuda_free (device, self->region);
  cca_cuda_free (device, self->factors);
  cca_cuda_model_close (&self->model, device);
  cca_cuda_overlaps_close (&self->overlaps, device);
}

/* Loads the kernels of a plan. */
static CcaStatus
load_kernels (CcaCudaDevice *device, const CcaCudaSpec *spec)
{
  CcaStatus status = cca_cuda_foreground_load (device, spec->params);

  if (status == CCA_OK && spec->params->overlaps)
    status = cca_cuda_overlaps_load (device);
  if (status == CCA_OK && cca_params_details (spec->params))
    status = cca_cuda_details_load (device);
  for (const CcaCudaModule *const *module = spec->algorithm->modules; *module && status == CCA_OK; module++)
    status = cca_cuda_load (device, *module);
  return status;
}

static CcaStatus
open_memory (const CcaPlan *plan, CcaCudaPlan *self)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  const CcaCudaSpec spec = cca_cuda_spec (plan);
  CcaStatus status = cca_cuda_workspace_open (&self->workspace, device, &spec);

  if (status == CCA_OK && has_model (plan))
    status = cca_cuda_model_open (&self->model, device, &spec);
  if (status == CCA_OK && spec.params->overlaps)
    status = cca_cuda_overlaps_open (&self->overlaps, device, &spec);
  if (status != CCA_OK)
    release (device, self);
  return status;
}

CcaStatus
cca_cuda_plan_open (CcaPlan *plan)
{
  CcaCudaDevice *device = cca_cuda_device_of (plan);
  const CcaCudaSpec spec = cca_cuda_spec (plan);
  CcaCudaPlan *self;
  CcaStatus status;

  if ((uint64_t) plan->width * plan->height >= CCA_PIXELS_LIMIT)
    return cca_fail (CCA_ERROR_UNSUPPORTED, "the frame is %ux%u; the CUDA backend supports fewer than %u pixels",
                     plan->width, plan->height, CCA_PIXELS_LIMIT);
  self = cca_alloc (&plan->context->allocator, NULL, sizeof *self);
  if (self == NULL)
    return CCA_ERROR_MEMORY;
  memset (self, 0, sizeof *self);
  self->n_expected = 64;
  if ((status = cca_cuda_push (device)) == CCA_OK) {
    status = load_kernels (device, &spec);
    if (status == CCA_OK)
      status = open_memory (plan, self);
    cca_cuda_pop (device);
  }
  if (status != CCA_OK) {
    cca_free (&plan->context->allocator, NULL, self);
    return status;
  }
  plan->state = self;
  count_memory (plan);
  return CCA_OK;
}

void
cca_cuda_plan_close (CcaPlan *plan)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);

  if (cca_cuda_push (device) == CCA_OK) {
    release (device, plan->state);
    cca_cuda_pop (device);
  }
  cca_free (&plan->context->allocator, NULL, plan->state);
}

CcaStatus
cca_cuda_plan_change (CcaPlan *plan, const CcaPlan *next)
{
  CcaCudaDevice *device = cca_cuda_device_of (plan);
  const CcaCudaSpec spec = cca_cuda_spec (plan), next_spec = cca_cuda_spec (next);
  const bool other_workspace = !cca_cuda_workspace_serves (&spec, &next_spec),
             keeps_model = cca_params_keep_model (&plan->params, &next->params),
             opens_overlaps = next->params.overlaps && !plan->params.overlaps;
  CcaCudaPlan *self = plan->state;
  CcaCudaWorkspace workspace = self->workspace;
  CcaCudaModel model = { NULL };
  CcaStatus status = load_kernels (device, &next_spec);

  if (status != CCA_OK)
    return status;
  if (other_workspace && (status = cca_cuda_workspace_open (&workspace, device, &next_spec)) != CCA_OK)
    return status;
  if (!keeps_model && has_model (next))
    status = cca_cuda_model_open (&model, device, &next_spec);
  if (status == CCA_OK && opens_overlaps)
    status = cca_cuda_overlaps_open (&self->overlaps, device, &next_spec);
  if (status != CCA_OK) {
    cca_cuda_model_close (&model, device);
    if (other_workspace)
      cca_cuda_workspace_close (&workspace, device);
    return status;
  }
  if (!keeps_model) {
    cca_cuda_model_close (&self->model, device);
    self->model = model;
  }
  if (plan->params.overlaps && !next->params.overlaps)
    cca_cuda_overlaps_close (&self->overlaps, device);
  self->complete = self->complete && !opens_overlaps;
  if (other_workspace) {
    cca_cuda_workspace_close (&self->workspace, device);
    self->workspace = workspace;
    self->complete = false;
  }
  count_memory (plan);
  return CCA_OK;
}

/* Replaces the workspace by one for another spec. */
static CcaStatus
replace_workspace (CcaPlan *plan, const CcaCudaSpec *spec)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaCudaPlan *self = plan->state;
  CcaCudaWorkspace workspace;
  CcaStatus status = cca_cuda_workspace_open (&workspace, device, spec);

  if (status != CCA_OK)
    return status;
  cca_cuda_workspace_close (&self->workspace, device);
  self->workspace = workspace;
  self->complete = false;
  return CCA_OK;
}

CcaStatus
cca_cuda_plan_set_region (CcaPlan *plan, const CcaImage *region)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  const CcaCudaSpec spec = cca_cuda_spec (plan);
  CcaCudaSpec next_spec = spec;
  CcaCudaPlan *self = plan->state;
  uint32_t *plane = NULL;
  CcaStatus status;

  if (region && (status = cca_cuda_region_open (&plane, device, &spec, &plan->context->allocator, region)) != CCA_OK)
    return status;
  next_spec.region = plane;
  if (!cca_cuda_workspace_serves (&spec, &next_spec) && (status = replace_workspace (plan, &next_spec)) != CCA_OK) {
    cca_cuda_free (device, plane);
    return status;
  }
  cca_cuda_free (device, self->region);
  self->region = plane;
  count_memory (plan);
  return CCA_OK;
}

CcaStatus
cca_cuda_plan_set_sensitivity (CcaPlan *plan, const CcaImage *factors)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  const CcaCudaSpec spec = cca_cuda_spec (plan);
  CcaCudaPlan *self = plan->state;
  uint8_t *plane = NULL;
  CcaStatus status;

  if (factors && (status = cca_cuda_factors_open (&plane, device, &spec, &plan->context->allocator, factors)) != CCA_OK)
    return status;
  cca_cuda_free (device, self->factors);
  self->factors = plane;
  count_memory (plan);
  return CCA_OK;
}

CcaStatus
cca_cuda_plan_grow (CcaPlan *plan, uint32_t capacity)
{
  CcaCudaSpec spec = cca_cuda_spec (plan);
  CcaCudaPlan *self = plan->state;
  CcaStatus status;

  spec.capacity = capacity;
  if ((status = replace_workspace (plan, &spec)) != CCA_OK)
    return status;
  self->capacity = capacity;
  count_memory (plan);
  return CCA_OK;
}

CcaStatus
cca_cuda_plan_grow_overlaps (CcaPlan *plan, uint32_t n)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  const CcaCudaSpec spec = cca_cuda_spec (plan);
  CcaCudaPlan *self = plan->state;
  CcaStatus status = cca_cuda_overlaps_grow (&self->overlaps, device, &spec, n);

  if (status != CCA_OK)
    return status;
  self->complete = false;
  count_memory (plan);
  return CCA_OK;
}

CcaStatus
cca_cuda_plan_reserve_input (CcaPlan *plan, size_t size)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaCudaPlan *self = plan->state;
  CcaStatus status;

  if (size <= self->input_size)
    return CCA_OK;
  cca_cuda_free (device, self->input);
  self->input = NULL;
  self->input_size = 0;
  status = cca_cuda_alloc (device, size, (void **) &self->input);
  if (status == CCA_OK)
    self->input_size = size;
  count_memory (plan);
  return status;
}
