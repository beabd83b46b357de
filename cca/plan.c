/* gst-cca: plans and results, the validating front of every backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/backend.h"
#include "cca/features.h"
#include "cca/memory.h"
#include "cca/params.h"
#include "cca/status.h"

#include <stdio.h>
#include <string.h>

/* Writes "auto, runs, …", a backend's algorithms, into list. */
static void
list_algorithms (const CcaBackendOps *ops, char *list, size_t size)
{
  size_t length = (size_t) snprintf (list, size, "auto");

  for (const CcaAlgorithm *const *a = ops->algorithms; *a && length < size; a++)
    length += (size_t) snprintf (list + length, size - length, ", %s", (*a)->name);
}

static bool
is_auto (const char *name)
{
  return name == NULL || strcmp (name, "auto") == 0;
}

/* Returns the registry entry of a name, or NULL with the error set. */
static const CcaAlgorithm *
find_algorithm (const CcaPlan *plan, const char *name)
{
  const CcaBackendOps *ops = plan->context->ops;
  char list[256];

  if (is_auto (name))
    return ops->choose (plan->context, plan->width, plan->height, &plan->params, plan->output);
  for (const CcaAlgorithm *const *a = ops->algorithms; *a; a++)
    if (strcmp ((*a)->name, name) == 0)
      return *a;
  list_algorithms (ops, list, sizeof list);
  cca_fail (CCA_ERROR_UNSUPPORTED, "algorithm \"%s\" is not one of the %s backend's: %s", name, ops->name, list);
  return NULL;
}

const char *
cca_algorithm_lacks (const CcaAlgorithm *algorithm, const CcaParams *params, CcaOutput output)
{
  const struct
  {
    bool needed;
    CcaCapabilities capability;
    const char *what;
  } needs[] = {
    { params->connectivity == 4, CCA_CAN_4, "4-connectivity" },
    { params->connectivity == 8, CCA_CAN_8, "8-connectivity" },
    { output == CCA_OUTPUT_NONE, CCA_CAN_ANALYSE, "analysis without an output image" },
    { output != CCA_OUTPUT_NONE, CCA_CAN_LABEL, "output images" },
    { params->foreground == CCA_FOREGROUND_VALUES, CCA_CAN_VALUES, "a foreground of equal values" },
    { params->overlaps, CCA_CAN_OVERLAPS, "overlaps with the last frame" },
    { cca_params_details (params), CCA_CAN_OVERLAPS, "shapes and intensities" },
  };

  for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
    if (needs[i].needed && !(algorithm->capabilities & needs[i].capability))
      return needs[i].what;
  return NULL;
}

/* Fills all members of a plan but the backend's; context and params are not NULL. */
static CcaStatus
plan_describe (CcaPlan *plan, CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params,
               CcaOutput output)
{
  const char *lacking;
  CcaStatus status;

  if (width == 0 || width > CCA_MAX_SIZE || height == 0 || height > CCA_MAX_SIZE)
    return cca_fail (CCA_ERROR_INVALID, "the frame is %ux%u; width and height must be in 1…%u", width, height,
                     CCA_MAX_SIZE);
  if ((unsigned) output > CCA_OUTPUT_MASK)
    return cca_fail (CCA_ERROR_INVALID, "output %d does not exist", (int) output);
  if ((status = cca_params_check (params)) != CCA_OK)
    return status;

  *plan = (CcaPlan) { .context = context, .width = width, .height = height, .output = output, .params = *params };
  plan->algorithm = find_algorithm (plan, params->algorithm);
  if (plan->algorithm == NULL)
    return CCA_ERROR_UNSUPPORTED;
  plan->params.algorithm = plan->algorithm->name;
  lacking = cca_algorithm_lacks (plan->algorithm, params, output);
  if (lacking && is_auto (params->algorithm))
    return cca_fail (CCA_ERROR_UNSUPPORTED, "no algorithm of the %s backend supports %s", context->ops->name, lacking);
  if (lacking)
    return cca_fail (CCA_ERROR_UNSUPPORTED, "algorithm \"%s\" does not support %s; \"auto\" chooses one that does",
                     plan->algorithm->name, lacking);
  return CCA_OK;
}

CcaStatus
cca_plan_estimate (const CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params,
                   CcaOutput output, size_t *bytes)
{
  CcaPlan plan;
  CcaStatus status;

  if (context == NULL || params == NULL || bytes == NULL)
    return cca_fail_null (context == NULL ? "context" : params == NULL ? "params" : "bytes");
  status = plan_describe (&plan, (CcaContext *) context, width, height, params, output);
  if (status != CCA_OK)
    return status;
  *bytes = context->ops->plan_estimate (&plan);
  return CCA_OK;
}

CcaStatus
cca_plan_new (CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params, CcaOutput output,
              CcaPlan **plan)
{
  CcaPlan description, *made;
  CcaStatus status;

  if (context == NULL || params == NULL || plan == NULL)
    return cca_fail_null (context == NULL ? "context" : params == NULL ? "params" : "plan");
  status = plan_describe (&description, context, width, height, params, output);
  if (status != CCA_OK)
    return status;
  made = cca_alloc (&context->allocator, NULL, sizeof *made);
  if (made == NULL)
    return CCA_ERROR_MEMORY;
  *made = description;
  status = context->ops->plan_open (made);
  if (status != CCA_OK) {
    cca_free (&context->allocator, NULL, made);
    return status;
  }
  *plan = made;
  return CCA_OK;
}

void
cca_plan_free (CcaPlan *plan)
{
  if (plan == NULL)
    return;
  plan->context->ops->plan_close (plan);
  cca_free (&plan->context->allocator, NULL, plan);
}

/* --- The background model ---------------------------------------------------------------------------- */

static void
forget_model (CcaPlan *plan)
{
  plan->past = (CcaSamplesPast) { .t = 0 };
}

/* Resets the model SAMPLES if chroma appears or disappears. */
static void
reset_for_chroma (CcaPlan *plan, const CcaImage *input)
{
  const bool has_chroma = cca_params_read_chroma (&plan->params, input);

  if (has_chroma != plan->has_chroma)
    forget_model (plan);
  plan->has_chroma = has_chroma;
}

/* Counts a frame that the model has seen. Returns whether the model was learning. */
static bool
count_learned (CcaPlan *plan, bool scene_change)
{
  const bool learning = plan->past.t < plan->params.motion.learning;

  if (plan->params.foreground != CCA_FOREGROUND_MOTION)
    return false;
  cca_samples_move_on (&plan->past, plan->params.motion.learning, scene_change);
  return learning;
}

/* --- Changes ------------------------------------------------------------------------------------------ */

CcaStatus
cca_plan_set_params (CcaPlan *plan, const CcaParams *params)
{
  CcaPlan next;
  CcaStatus status;

  if (plan == NULL || params == NULL)
    return cca_fail_null (plan == NULL ? "plan" : "params");
  status = plan_describe (&next, plan->context, plan->width, plan->height, params, plan->output);
  if (status != CCA_OK)
    return status;
  next.state = plan->state;
  status = plan->context->ops->plan_change (plan, &next);
  if (status != CCA_OK)
    return status;
  if (!cca_params_keep_model (&plan->params, &next.params))
    forget_model (plan);
  plan->params = next.params;
  plan->algorithm = next.algorithm;
  plan->follows = plan->follows && plan->params.overlaps;
  return CCA_OK;
}

void
cca_plan_reset (CcaPlan *plan)
{
  if (plan == NULL) {
    cca_fail_null ("plan");
    return;
  }
  plan->follows = false;
  plan->held.n = 0;
  forget_model (plan);
  plan->context->ops->plan_reset (plan);
}

const CcaAlgorithm *
cca_plan_algorithm (const CcaPlan *plan)
{
  if (plan == NULL) {
    cca_fail_null ("plan");
    return NULL;
  }
  return plan->algorithm;
}

size_t
cca_plan_memory (const CcaPlan *plan)
{
  if (plan == NULL) {
    cca_fail_null ("plan");
    return 0;
  }
  return plan->memory;
}

/* Checks that an image has the plan's size, memory for pixels of pixel_size bytes, and a valid pitch. */
static CcaStatus
check_image (const CcaPlan *plan, const CcaImage *image, const char *name, uint32_t pixel_size)
{
  const ptrdiff_t row = (ptrdiff_t) plan->width * pixel_size;

  if (image == NULL || image->data == NULL)
    return cca_fail (CCA_ERROR_INVALID, "%s%s is NULL", name, image ? "->data" : "");
  if (image->width != plan->width || image->height != plan->height)
    return cca_fail (CCA_ERROR_INVALID, "%s is %ux%u, but the plan was made for %ux%u", name, image->width,
                     image->height, plan->width, plan->height);
  if (image->pitch < row)
    return cca_fail (CCA_ERROR_INVALID, "%s has a pitch of %td bytes; a row of %u pixels needs at least %td", name,
                     image->pitch, plan->width, row);
  if (image->memory != CCA_MEMORY_HOST && image->memory != CCA_MEMORY_DEVICE)
    return cca_fail (CCA_ERROR_INVALID, "%s has memory kind %d, which does not exist", name, (int) image->memory);
  return CCA_OK;
}

/* Checks that the input has valid chroma planes of its size, or none. */
static CcaStatus
check_chroma (const CcaPlan *plan, const CcaChroma *chroma)
{
  ptrdiff_t row;

  if ((chroma->u == NULL) != (chroma->v == NULL))
    return cca_fail (CCA_ERROR_INVALID, "input->chroma has u or v only; give both planes or none");
  if (chroma->u == NULL)
    return CCA_OK;
  if (chroma->step < 1 || chroma->step > 2)
    return cca_fail (CCA_ERROR_INVALID, "input->chroma.step is %u; it must be 1 or 2", chroma->step);
  if (chroma->shift_x > 1 || chroma->shift_y > 1)
    return cca_fail (CCA_ERROR_INVALID, "input->chroma has the shifts %u and %u; each must be 0 or 1", chroma->shift_x,
                     chroma->shift_y);
  row = (ptrdiff_t) ((plan->width + chroma->shift_x) >> chroma->shift_x) * chroma->step;
  if (chroma->pitch < row - (ptrdiff_t) (chroma->step - 1))
    return cca_fail (CCA_ERROR_INVALID, "input->chroma has a pitch of %td bytes; a row of %u pixels needs at least %td",
                     chroma->pitch, plan->width, row - (ptrdiff_t) (chroma->step - 1));
  return CCA_OK;
}

static CcaStatus
check_images (const CcaPlan *plan, const CcaImage *input, const CcaImage *output)
{
  CcaStatus status = check_image (plan, input, "input", cca_format_pixel_size (plan->params.format));

  if (status == CCA_OK && cca_params_samples (&plan->params) && plan->params.format == CCA_FORMAT_GRAY8)
    status = check_chroma (plan, &input->chroma);
  if (status != CCA_OK || output == NULL)
    return status;
  if (plan->output == CCA_OUTPUT_NONE)
    return cca_fail (CCA_ERROR_INVALID, "output is given, but the plan was made with CCA_OUTPUT_NONE");
  return check_image (plan, output, "output", cca_output_pixel_size (plan->output));
}

/* Checks the arguments of a function that copies an image, which may be NULL, from host memory, with a byte a pixel. */
static CcaStatus
check_copied (const CcaPlan *plan, const CcaImage *image, const char *name)
{
  CcaStatus status;

  if (plan == NULL)
    return cca_fail_null ("plan");
  status = image ? check_image (plan, image, name, 1) : CCA_OK;
  if (status == CCA_OK && image && image->memory != CCA_MEMORY_HOST)
    return cca_fail (CCA_ERROR_INVALID, "%s is in device memory; it must be in host memory", name);
  return status;
}

CcaStatus
cca_plan_set_region (CcaPlan *plan, const CcaImage *region)
{
  const CcaStatus status = check_copied (plan, region, "region");

  return status == CCA_OK ? plan->context->ops->plan_set_region (plan, region) : status;
}

CcaStatus
cca_plan_set_sensitivity (CcaPlan *plan, const CcaImage *factors)
{
  const CcaStatus status = check_copied (plan, factors, "factors");

  return status == CCA_OK ? plan->context->ops->plan_set_sensitivity (plan, factors) : status;
}

CcaStatus
cca_plan_hold (CcaPlan *plan, const CcaRectangle *rectangles, uint32_t n)
{
  if (plan == NULL || (rectangles == NULL && n > 0))
    return cca_fail_null (plan == NULL ? "plan" : "rectangles");
  if (n > CCA_MAX_HELD)
    return cca_fail (CCA_ERROR_INVALID, "%u rectangles are too many to hold; the limit is %u", n, CCA_MAX_HELD);
  for (uint32_t i = 0; i < n; i++) {
    const CcaRectangle *r = &rectangles[i];

    if (r->width == 0 || r->height == 0 || r->x >= plan->width || r->width > plan->width - r->x || r->y >= plan->height
        || r->height > plan->height - r->y)
      return cca_fail (CCA_ERROR_INVALID,
                       "rectangle %u is %ux%u at (%u, %u); it must lie in the %ux%u image and not be empty", i,
                       r->width, r->height, r->x, r->y, plan->width, plan->height);
  }
  plan->held.n = n;
  for (uint32_t i = 0; i < n; i++)
    plan->held.rectangles[i] = rectangles[i];
  return CCA_OK;
}

CcaStatus
cca_plan_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result)
{
  if (plan == NULL || result == NULL)
    return cca_fail_null (plan == NULL ? "plan" : "result");
  if (result->plan != plan)
    return cca_fail (CCA_ERROR_INVALID, "result belongs to another plan");
  if (plan->pending)
    return cca_fail (CCA_ERROR_INVALID, "the plan's last frame is in flight; call cca_result_wait() for it first");
  result->status = check_images (plan, input, output);
  if (result->status == CCA_OK) {
    reset_for_chroma (plan, input);
    result->status = plan->context->ops->run (plan, input, output, stream, result);
  }
  plan->pending = result->status == CCA_OK ? result : NULL;
  if (result->status != CCA_ERROR_INVALID)
    plan->follows = plan->params.overlaps && result->status == CCA_OK && result->failure == CCA_OK;
  return result->status;
}

CcaStatus
cca_result_new (CcaPlan *plan, CcaResult **result)
{
  CcaResult *made;
  CcaStatus status;

  if (plan == NULL || result == NULL)
    return cca_fail_null (plan == NULL ? "plan" : "result");
  made = cca_alloc (&plan->context->allocator, NULL, sizeof *made);
  if (made == NULL)
    return CCA_ERROR_MEMORY;
  memset (made, 0, sizeof *made);
  made->plan = plan;
  made->status = CCA_ERROR_INVALID;
  status = plan->context->ops->result_open (made);
  if (status != CCA_OK) {
    cca_free (&plan->context->allocator, NULL, made);
    return status;
  }
  *result = made;
  return CCA_OK;
}

void
cca_result_free (CcaResult *result)
{
  CcaMeasurement unused;

  if (result == NULL)
    return;
  if (result->plan->pending == result)
    cca_result_wait (result, &unused);
  result->plan->context->ops->result_close (result);
  cca_free (&result->plan->context->allocator, NULL, result->overlaps);
  cca_free (&result->plan->context->allocator, NULL, result->shapes);
  cca_free (&result->plan->context->allocator, NULL, result->intensities);
  cca_free (&result->plan->context->allocator, NULL, result->coverage);
  cca_free (&result->plan->context->allocator, NULL, result);
}

/* Initial capacity of a result for overlaps. */
#define FIRST_OVERLAPS 256u

bool
cca_result_reserve_overlaps (CcaResult *result, uint32_t n)
{
  const size_t capacity = n > FIRST_OVERLAPS ? 2 * (size_t) n : FIRST_OVERLAPS;

  if (result->overlaps && n <= result->overlap_capacity)
    return true;
  if (!cca_grow (&result->plan->context->allocator, NULL, (void **) &result->overlaps, 0,
                 capacity * sizeof *result->overlaps))
    return false;
  result->overlap_capacity = capacity;
  return true;
}

/* Initial capacity of a result for shapes and intensities. */
#define FIRST_DETAILS 64u

/* Makes room for the shapes and intensities of n components; neither is NULL afterwards, even if n is 0. */
static bool
reserve_details (CcaResult *result, uint32_t n)
{
  const CcaAllocator *allocator = &result->plan->context->allocator;
  const uint32_t capacity = n < FIRST_DETAILS ? FIRST_DETAILS : n;

  if (capacity <= result->detail_capacity)
    return true;
  result->detail_capacity = 0;
  if (!cca_grow (allocator, NULL, (void **) &result->shapes, 0, capacity * sizeof *result->shapes)
      || !cca_grow (allocator, NULL, (void **) &result->intensities, 0, capacity * sizeof *result->intensities))
    return false;
  result->detail_capacity = capacity;
  return true;
}

bool
cca_result_set_details (CcaResult *result, const CcaParams *params, const CcaDetails *details)
{
  CcaMeasurement *measurement = &result->measurement;
  const uint32_t n = measurement->n_stored;

  measurement->shapes = NULL;
  measurement->intensities = NULL;
  if (!params->shape && !params->intensity)
    return true;
  if (!reserve_details (result, n))
    return false;
  for (uint32_t i = 0; params->shape && i < n; i++)
    result->shapes[i] = cca_shape_from_details (&details[result->components[i].label - 1]);
  for (uint32_t i = 0; params->intensity && i < n; i++)
    result->intensities[i] =
        cca_intensity_from_details (&details[result->components[i].label - 1], result->components[i].area);
  measurement->shapes = params->shape ? result->shapes : NULL;
  measurement->intensities = params->intensity ? result->intensities : NULL;
  return true;
}

bool
cca_result_reserve_coverage (CcaResult *result)
{
  const size_t n = 4 * (size_t) result->measurement.coverage_columns * result->measurement.coverage_rows;

  if (result->coverage && n <= result->coverage_capacity)
    return true;
  if (!cca_grow (&result->plan->context->allocator, NULL, (void **) &result->coverage, 0, n))
    return false;
  result->coverage_capacity = n;
  return true;
}

CcaStatus
cca_result_wait (CcaResult *result, CcaMeasurement *measurement)
{
  CcaPlan *plan;

  if (result == NULL || measurement == NULL)
    return cca_fail_null (result == NULL ? "result" : "measurement");
  plan = result->plan;
  if (result->status != CCA_OK)
    return cca_fail (result->status, "no frame was enqueued for this result, or the last one failed (%s)",
                     cca_status_text (result->status));
  if (plan->pending == result) {
    plan->pending = NULL;
    result->status = plan->context->ops->wait (result);
    result->measurement.learning = count_learned (plan, result->status == CCA_OK && result->measurement.scene_change);
    plan->follows = plan->follows && result->status == CCA_OK;
  }
  if (result->status == CCA_OK)
    *measurement = result->measurement;
  return result->status;
}
