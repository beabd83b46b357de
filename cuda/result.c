/* gst-cca: what a frame leaves, and reading it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/memory.h"
#include "cca/status.h"
#include "cuda/plan.h"

#include <string.h>

/* --- Results ----------------------------------------------------------------------------------------- */

CcaStatus
cca_cuda_result_open (CcaResult *result)
{
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaResult *self = cca_alloc (&result->plan->context->allocator, NULL, sizeof *self);
  CcaStatus status;

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  memset (self, 0, sizeof *self);
  if ((status = cca_cuda_push (device)) == CCA_OK) {
    for (int i = 0; i <= CCA_N_STAGES && status == CCA_OK; i++)
      status = cca_cuda_check (device->driver, device->driver->cuEventCreate (&self->stages[i], CU_EVENT_DEFAULT),
                               "make an event");
    if (status == CCA_OK)
      status = cca_cuda_check (device->driver, device->driver->cuEventCreate (&self->done, CU_EVENT_DISABLE_TIMING),
                               "make an event");
    cca_cuda_pop (device);
  }
  result->state = self;
  if (status != CCA_OK)
    result->plan->context->ops->result_close (result);
  return status;
}

/* Nobody waits for its frame any more. */
static void
end_frame (CcaCudaPlan *plan, CcaCudaResult *self)
{
  CcaCudaResult **link = &plan->under_way;

  while (*link && *link != self)
    link = &(*link)->next;
  if (*link)
    *link = self->next;
  self->pending = false;
}

CcaStatus
cca_cuda_finish_frame (CcaPlan *plan, CcaCudaResult *self)
{
  const CcaCudaDevice *device = cca_cuda_device_of (plan);
  CcaStatus status = CCA_OK;

  if (self->pending)
    status = cca_cuda_check (device->driver, device->driver->cuEventSynchronize (self->done), "finish a frame");
  end_frame (plan->state, self);
  cca_cuda_free (device, self->outgrown);
  self->outgrown = NULL;
  return status;
}

void
cca_cuda_result_close (CcaResult *result)
{
  const CcaAllocator *allocator = &result->plan->context->allocator;
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaResult *self = result->state;
  CcaCudaPlan *plan = result->plan->state;

  if (plan->last == self)
    plan->last = NULL;
  if (cca_cuda_push (device) == CCA_OK) {
    cca_cuda_finish_frame (result->plan, self);
    for (int i = 0; i <= CCA_N_STAGES; i++)
      if (self->stages[i])
        device->driver->cuEventDestroy (self->stages[i]);
    if (self->done)
      device->driver->cuEventDestroy (self->done);
    cca_cuda_free (device, self->header);
    cca_cuda_free (device, self->mask);
    cca_cuda_free_pinned (device, self->copy);
    cca_cuda_free_pinned (device, self->input);
    cca_cuda_free_pinned (device, self->output);
    cca_cuda_pop (device);
  }
  end_frame (plan, self);
  cca_free (allocator, NULL, self->all);
  cca_free (allocator, NULL, self->selection_block);
  cca_free (allocator, NULL, result->components);
  cca_free (allocator, NULL, self);
}

/* Makes room in the pinned copy for n components. */
CcaStatus
cca_cuda_reserve_copy (const CcaCudaDevice *device, CcaCudaResult *self, uint32_t n)
{
  const uint32_t capacity = n < self->capacity + self->capacity / 2 ? self->capacity + self->capacity / 2 : n;
  void *memory;
  CcaStatus status;

  if (self->copy && n <= self->capacity)
    return CCA_OK;
  status = cca_cuda_alloc_pinned (device, sizeof *self->copy + capacity * sizeof (CcaFeatures), &memory);
  if (status != CCA_OK)
    return status;
  cca_cuda_free_pinned (device, self->copy);
  self->copy = memory;
  memset (self->copy, 0, sizeof *self->copy);
  self->capacity = capacity;
  return CCA_OK;
}

/* Makes room on the device for n components. */
CcaStatus
cca_cuda_reserve_selected (const CcaCudaDevice *device, CcaCudaResult *self, uint32_t n)
{
  const size_t bytes = sizeof *self->header + n * sizeof (CcaFeatures);
  void *memory;
  CcaStatus status;

  if (self->header && n <= self->n_selected)
    return CCA_OK;
  status = cca_cuda_alloc (device, bytes, &memory);
  if (status != CCA_OK)
    return status;
  self->outgrown = self->header;
  self->header = memory;
  self->n_selected = n;
  return CCA_OK;
}

/* --- Waiting ----------------------------------------------------------------------------------------- */

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
  CcaCudaResult *self = result->state;
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

/* The first n components that passed, in host memory: those that went there at once, or all by a copy. */
static CcaStatus
fetch (CcaResult *result, uint32_t n, const CcaFeatures **features)
{
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaResult *self = result->state;
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
  CcaCudaPlan *cuda_plan = plan->state;
  CcaCudaResult *self = result->state;
  CcaMeasurement *measurement = &result->measurement;
  const uint32_t n_found = self->copy->n_components;
  const uint32_t n_stored = n_found < self->params.max_components ? n_found : self->params.max_components;
  const bool by_area = self->params.order == CCA_ORDER_AREA;
  const uint32_t n_needed = by_area && n_stored > 0 ? n_found : n_stored;
  const CcaFeatures *features;
  CcaStatus status;

  if (!reserve_components (result, n_stored))
    return CCA_ERROR_MEMORY;
  if ((status = fetch (result, n_needed, &features)) != CCA_OK)
    return status;
  cuda_plan->expected = (n_needed + 127) / 64 * 64; /* in steps, so that the copy seldom changes */
  measurement->n_components = n_found;
  measurement->n_stored = n_stored;
  measurement->truncated = n_stored < n_found;
  measurement->components = result->components;
  if (!by_area) {
    for (uint32_t i = 0; i < n_stored; i++)
      result->components[i] = cca_component_from_features (&features[i], i + 1, self->params.covariance);
  } else if (n_stored > 0) {
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
  const CcaCudaResult *self = result->state;
  const size_t row = (size_t) self->target.width * cca_output_pixel_size (result->plan->output);

  for (uint32_t y = 0; y < self->target.height; y++)
    memcpy ((char *) self->target.data + (ptrdiff_t) y * self->target.pitch, self->output + y * row, row);
}

static CcaStatus
read_stages (CcaResult *result)
{
  const CcaCudaDriver *driver = cca_cuda_device_of (result->plan)->driver;
  const CcaCudaResult *self = result->state;
  CcaCudaPlan *plan = result->plan->state;
  CcaStatus status = CCA_OK;

  for (int i = 0; i < CCA_N_STAGES && status == CCA_OK; i++) {
    float ms = 0;

    status = cca_cuda_check (driver, driver->cuEventElapsedTime (&ms, self->stages[i], self->stages[i + 1]),
                             "tell the time of a stage");
    plan->stage_ns[i] = (uint64_t) (ms * 1e6f);
  }
  return status;
}

/* Waits for a frame, and where it had too little room does it again, with more of it and some to spare. */
static CcaStatus
complete_frame (CcaPlan *plan, CcaCudaResult *self)
{
  CcaStatus status = cca_cuda_finish_frame (plan, self);

  while (status == CCA_OK && self->grows && self->copy->needed > 0) {
    const uint32_t needed = self->copy->needed;

    /* A frame before may have made room meanwhile. */
    if (needed > plan->room)
      status = cca_cuda_grow (plan, needed + needed / 4);
    if (status == CCA_OK)
      status = cca_cuda_run_again (plan, self);
    if (status == CCA_OK)
      status = cca_cuda_finish_frame (plan, self);
  }
  return status;
}

CcaStatus
cca_cuda_settle (CcaPlan *plan)
{
  CcaCudaPlan *self = plan->state;
  CcaStatus status = CCA_OK;

  while (self->under_way && status == CCA_OK) {
    CcaCudaResult *const frame = self->under_way;

    status = frame->failure = complete_frame (plan, frame);
  }
  return status;
}

CcaStatus
cca_cuda_wait (CcaResult *result)
{
  const CcaCudaDevice *device = cca_cuda_device_of (result->plan);
  CcaCudaResult *self = result->state;
  CcaStatus status = CCA_OK;

  if (!self->unread)
    return CCA_OK;
  if ((status = cca_cuda_push (device)) != CCA_OK)
    return status;
  self->unread = false;
  status = self->failure == CCA_OK
               ? complete_frame (result->plan, self)
               : cca_fail (self->failure, "the frame failed when the plan's parameters were changed");
  if (status == CCA_OK)
    status = read_components (result);
  if (status == CCA_OK && self->timed)
    status = read_stages (result);
  memcpy (result->measurement.stage_ns, ((CcaCudaPlan *) result->plan->state)->stage_ns,
          sizeof result->measurement.stage_ns);
  if (status == CCA_OK && self->target.data)
    copy_output (result);
  /* The next frame can do with less room. */
  if (status == CCA_OK)
    cca_cuda_reserve_copy (device, self, ((CcaCudaPlan *) result->plan->state)->expected);
  cca_cuda_pop (device);
  return status;
}
