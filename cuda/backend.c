/* gst-cca: the CUDA backend: contexts, and the table of its functions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/memory.h"
#include "cuda/frame.h"
#include "cuda/registry.h"

#include <stdio.h>

/* Loads the kernels of the default foreground, to find out whether this build has code for the GPU. */
static CcaStatus
check_code (CcaCudaDevice *device)
{
  CcaParams params;
  CcaStatus status = cca_cuda_push (device);

  if (status != CCA_OK)
    return status;
  cca_params_init (&params);
  status = cca_cuda_foreground_load (device, &params);
  cca_cuda_pop (device);
  return status;
}

static CcaStatus
context_open (CcaContext *context, const CcaContextOptions *options)
{
  CcaCudaDevice *device = cca_alloc (&context->allocator, NULL, sizeof *device);
  CcaStatus status;

  if (device == NULL)
    return CCA_ERROR_MEMORY;
  status = cca_cuda_device_open (device, options->device, options->native);
  if (status == CCA_OK && (status = check_code (device)) != CCA_OK)
    cca_cuda_device_close (device);
  if (status != CCA_OK) {
    cca_free (&context->allocator, NULL, device);
    return status;
  }
  snprintf (context->description, sizeof context->description, "cuda, %s", device->name);
  context->state = device;
  return CCA_OK;
}

static void
context_close (CcaContext *context)
{
  cca_cuda_device_close (context->state);
  cca_free (&context->allocator, NULL, context->state);
}

static const CcaAlgorithm *
choose (const CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params, CcaOutput output)
{
  return cca_cuda_choose (context->state, width, height, params, output);
}

/* Makes the device's context current and completes the frame in flight. After a failure the context is not current. */
static CcaStatus
settle (CcaPlan *plan)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaStatus status = cca_cuda_push (device);

  if (status != CCA_OK)
    return status;
  status = cca_cuda_frame_settle (plan);
  if (status != CCA_OK)
    cca_cuda_pop (device);
  return status;
}

static CcaStatus
plan_change (CcaPlan *plan, const CcaPlan *next)
{
  CcaStatus status = settle (plan);

  if (status != CCA_OK)
    return status;
  status = cca_cuda_plan_change (plan, next);
  cca_cuda_pop (cca_cuda_device_of (plan));
  return status;
}

/* Settles the frame in flight, then calls a function that replaces its data. */
static CcaStatus
replace (CcaPlan *plan, CcaStatus (*set) (CcaPlan *plan, const CcaImage *image), const CcaImage *image)
{
  CcaStatus status = settle (plan);

  if (status != CCA_OK)
    return status;
  status = set (plan, image);
  cca_cuda_pop (cca_cuda_device_of (plan));
  return status;
}

static CcaStatus
plan_set_region (CcaPlan *plan, const CcaImage *region)
{
  return replace (plan, cca_cuda_plan_set_region, region);
}

static CcaStatus
plan_set_sensitivity (CcaPlan *plan, const CcaImage *factors)
{
  return replace (plan, cca_cuda_plan_set_sensitivity, factors);
}

static void
plan_reset (CcaPlan *plan)
{
  CcaCudaPlan *self = plan->state;

  self->model.n_frames = 0;
}

const CcaBackendOps cca_cuda_backend = {
  .name = "cuda",
  .algorithms = cca_cuda_algorithms,
  .context_open = context_open,
  .context_close = context_close,
  .choose = choose,
  .plan_estimate = cca_cuda_plan_size,
  .plan_open = cca_cuda_plan_open,
  .plan_close = cca_cuda_plan_close,
  .plan_change = plan_change,
  .plan_reset = plan_reset,
  .plan_set_region = plan_set_region,
  .plan_set_sensitivity = plan_set_sensitivity,
  .run = cca_cuda_frame_run,
  .wait = cca_cuda_frame_wait,
  .result_open = cca_cuda_frame_open,
  .result_close = cca_cuda_frame_close,
};
