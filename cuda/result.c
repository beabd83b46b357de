/* gst-cca: a frame's counts and components: storage on the device, copies on the host, reading
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/result.h"
#include "cca/memory.h"
#include "cca/params.h"

#include <string.h>

_Static_assert (sizeof (CcaDeviceHeader) == CCA_ALIGNMENT, "the features follow the header");

/* --- Memory ------------------------------------------------------------------------------------------ */

/* Returns how many components of a frame the host may need: for order by area, all. */
static uint32_t
n_selected (const CcaCudaSpec *spec)
{
  const CcaParams *params = spec->params;
  const uint64_t most = cca_most_components (spec->width, spec->height, params);

  if (params->max_components > 0 && params->order == CCA_ORDER_AREA)
    return (uint32_t) most;
  return most < params->max_components ? (uint32_t) most : params->max_components;
}

/* Reserves the pinned copy for n components. */
static CcaStatus
reserve_copy (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n)
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

/* Reserves n components on the device. */
static CcaStatus
reserve_selected (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n)
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

/* The pinned copy grows only when a frame is read: freeing pinned memory synchronises the device. */
CcaStatus
cca_cuda_result_reserve (CcaCudaResult *self, const CcaCudaDevice *device, const CcaCudaSpec *spec, uint32_t n_expected,
                         CcaWanted *wanted)
{
  const uint32_t n = n_selected (spec);
  CcaStatus status = reserve_selected (self, device, n);

  if (status == CCA_OK && self->copy == NULL)
    status = reserve_copy (self, device, n_expected);
  if (status != CCA_OK)
    return status;
  n_expected = n_expected < self->capacity ? n_expected : self->capacity;
  self->n_copied = n_expected < n ? n_expected : n;
  self->copy->n_iterations = 0; /* most algorithms do not count any */
  *wanted = (CcaWanted) {
    .headers = { self->header, self->copy },
    .selected = (CcaFeatures *) (self->header + 1),
    .for_host = (CcaFeatures *) (self->copy + 1),
    .n_selected = n,
    .n_for_host = self->n_copied,
  };
  return CCA_OK;
}

CcaStatus
cca_cuda_result_reserve_overlaps (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n)
{
  void *memory;
  CcaStatus status;

  if (self->overlaps && n <= self->overlap_capacity)
    return CCA_OK;
  status = cca_cuda_alloc_pinned (device, n * sizeof *self->overlaps, &memory);
  if (status != CCA_OK)
    return status;
  self->outgrown_overlaps = self->overlaps;
  self->overlaps = memory;
  self->overlap_capacity = n;
  return CCA_OK;
}

/* Reserves the pinned copy of details for n components. */
static CcaStatus
reserve_details_copy (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n)
{
  void *memory;
  CcaStatus status;

  if (n <= self->details_capacity)
    return CCA_OK;
  status = cca_cuda_alloc_pinned (device, n * sizeof *self->details_copy, &memory);
  if (status != CCA_OK)
    return status;
  cca_cuda_free_pinned (device, self->details_copy);
  self->details_copy = memory;
  self->details_capacity = n;
  return CCA_OK;
}

CcaStatus
cca_cuda_result_reserve_details (CcaCudaResult *self, const CcaCudaDevice *device, const CcaWanted *wanted,
                                 CcaFoundDetails *found)
{
  CcaStatus status = CCA_OK;
  void *memory;

  if (wanted->n_selected > self->n_details) {
    status = cca_cuda_alloc (device, wanted->n_selected * sizeof *self->details, &memory);
    if (status != CCA_OK)
      return status;
    self->outgrown_details = self->details;
    self->details = memory;
    self->n_details = wanted->n_selected;
  }
  if (self->details_copy == NULL)
    status = reserve_details_copy (self, device, self->capacity);
  if (status != CCA_OK)
    return status;
  self->n_details_copied = self->n_copied < self->details_capacity ? self->n_copied : self->details_capacity;
  *found = (CcaFoundDetails) {
    .header = self->header,
    .details = self->details,
    .for_host = self->details_copy,
    .n_details = wanted->n_selected,
    .n_for_host = self->n_details_copied,
  };
  return CCA_OK;
}

CcaStatus
cca_cuda_result_reserve_coverage (CcaCudaResult *self, const CcaCudaDevice *device, size_t n)
{
  CcaStatus status;

  if (n <= self->n_cells)
    return CCA_OK;
  cca_cuda_free_pinned (device, self->coverage);
  self->coverage = NULL;
  self->n_cells = 0;
  status = cca_cuda_alloc_pinned (device, 4 * n, (void **) &self->coverage);
  if (status == CCA_OK)
    self->n_cells = n;
  return status;
}

CcaStatus
cca_cuda_result_reserve_scene (CcaCudaResult *self, const CcaCudaDevice *device)
{
  CcaStatus status;

  if (self->scene_change)
    return CCA_OK;
  status = cca_cuda_alloc_pinned (device, sizeof *self->scene_change, (void **) &self->scene_change);
  if (status == CCA_OK)
    *self->scene_change = false;
  return status;
}

void
cca_cuda_result_trim (CcaCudaResult *self, const CcaCudaDevice *device)
{
  cca_cuda_free (device, self->outgrown);
  self->outgrown = NULL;
  cca_cuda_free_pinned (device, self->outgrown_overlaps);
  self->outgrown_overlaps = NULL;
  cca_cuda_free (device, self->outgrown_details);
  self->outgrown_details = NULL;
}

void
cca_cuda_result_prepare (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n_expected)
{
  if (reserve_copy (self, device, n_expected) == CCA_OK && self->details_copy)
    reserve_details_copy (self, device, self->capacity);
}

void
cca_cuda_result_free (CcaCudaResult *self, const CcaCudaDevice *device)
{
  cca_cuda_result_trim (self, device);
  cca_cuda_free (device, self->header);
  cca_cuda_free_pinned (device, self->copy);
  cca_cuda_free_pinned (device, self->overlaps);
  cca_cuda_free (device, self->details);
  cca_cuda_free_pinned (device, self->details_copy);
  cca_cuda_free_pinned (device, self->coverage);
  cca_cuda_free_pinned (device, self->scene_change);
}

void
cca_cuda_result_forget (CcaCudaResult *self, const CcaAllocator *allocator)
{
  cca_free (allocator, NULL, self->all);
  cca_free (allocator, NULL, self->all_details);
  cca_free (allocator, NULL, self->selection_block);
}

/* --- Reading ----------------------------------------------------------------------------------------- */

/* Divides a block into the arrays for ordering n components by area, or only counts its bytes. */
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

/* Reserves the result's n components and, for order by area, the arrays of the selection. */
static bool
reserve_components (CcaCudaResult *self, CcaResult *result, CcaOrder order, uint32_t n)
{
  const CcaAllocator *allocator = &result->plan->context->allocator;
  CcaSelection *selection = &self->selection;

  if (n > result->capacity || result->components == NULL) {
    const uint32_t capacity = n < 64 ? 64 : n;

    if (!cca_grow (allocator, NULL, (void **) &result->components, 0, capacity * sizeof (CcaComponent)))
      return false;
    result->capacity = capacity;
  }
  if (order == CCA_ORDER_AREA && (n > self->selection_capacity || self->selection_block == NULL)) {
    selection->row_words = (result->plan->width + 63) / 64;
    selection->height = result->plan->height;
    if (!cca_grow (allocator, NULL, (void **) &self->selection_block, 0, take_selection (selection, NULL, n)))
      return false;
    take_selection (selection, self->selection_block, n);
    self->selection_capacity = n;
  }
  selection->capacity = n;
  return true;
}

/* A list on the device whose first n_copied elements are on the host, and host memory for a longer copy. */
typedef struct
{
  const void *device, *copy;
  uint32_t n_copied;
  size_t size; /* of an element */
  void **all;
  uint32_t *all_capacity;
} List;

/* Sets *elements to the first n elements in host memory: the copy if it has them all, else a new one. */
static CcaStatus
fetch (List list, const CcaResult *result, CUstream stream, uint32_t n, const void **elements)
{
  const CcaCudaDevice *device = result->plan->context->state;
  CcaStatus status;

  *elements = list.copy;
  if (n <= list.n_copied)
    return CCA_OK;
  if (n > *list.all_capacity) {
    if (!cca_grow (&result->plan->context->allocator, NULL, list.all, 0, n * list.size))
      return CCA_ERROR_MEMORY;
    *list.all_capacity = n;
  }
  *elements = *list.all;
  status = cca_cuda_check (
      device->driver,
      device->driver->cuMemcpyDtoHAsync (*list.all, (CUdeviceptr) (uintptr_t) list.device, n * list.size, stream),
      "copy %u components", n);
  if (status != CCA_OK)
    return status;
  return cca_cuda_check (device->driver, device->driver->cuStreamSynchronize (stream), "finish a copy");
}

/* Reads the details of the first n components, and sets those of the stored components. */
static CcaStatus
read_details (CcaCudaResult *self, CcaResult *result, const CcaParams *params, CUstream stream, uint32_t n)
{
  const List list = { self->details,       self->details_copy,           self->n_details_copied,
                      sizeof (CcaDetails), (void **) &self->all_details, &self->all_details_capacity };
  const void *details = NULL;
  CcaStatus status = CCA_OK;

  if (cca_params_details (params))
    status = fetch (list, result, stream, n, &details);
  if (status != CCA_OK)
    return status;
  return cca_result_set_details (result, params, details) ? CCA_OK : CCA_ERROR_MEMORY;
}

static void
read_coverage (const CcaCudaResult *self, const CcaPlan *plan, const CcaParams *params, CcaMeasurement *measurement)
{
  measurement->coverage = measurement->colours = NULL;
  measurement->coverage_cell = measurement->coverage_columns = measurement->coverage_rows = 0;
  if (params->coverage_cell == 0)
    return;
  measurement->coverage_cell = params->coverage_cell;
  measurement->coverage_columns = cca_params_cells (params, plan->width);
  measurement->coverage_rows = cca_params_cells (params, plan->height);
  measurement->coverage = self->coverage;
  measurement->colours = self->coverage + (size_t) measurement->coverage_columns * measurement->coverage_rows;
}

CcaStatus
cca_cuda_result_read (CcaCudaResult *self, CcaResult *result, const CcaParams *params, CUstream stream,
                      uint32_t *n_needed)
{
  CcaMeasurement *measurement = &result->measurement;
  const uint32_t n_found = self->copy->n_components;
  const uint32_t n_stored = n_found < params->max_components ? n_found : params->max_components;
  const bool by_area = params->order == CCA_ORDER_AREA;
  const List list = { self->header + 1,     self->copy + 1,       self->n_copied,
                      sizeof (CcaFeatures), (void **) &self->all, &self->all_capacity };
  const CcaFeatures *features;
  const void *elements;
  CcaStatus status;

  if (!reserve_components (self, result, params->order, n_stored))
    return CCA_ERROR_MEMORY;
  *n_needed = by_area && n_stored > 0 ? n_found : n_stored;
  if ((status = fetch (list, result, stream, *n_needed, &elements)) != CCA_OK)
    return status;
  features = elements;
  measurement->scene_change = cca_params_samples (params) && *self->scene_change;
  measurement->n_components = n_found;
  measurement->n_stored = n_stored;
  measurement->truncated = n_stored < n_found;
  measurement->n_iterations = self->copy->n_iterations;
  read_coverage (self, result->plan, params, measurement);
  measurement->components = result->components;
  if (!by_area) {
    for (uint32_t i = 0; i < n_stored; i++)
      result->components[i] = cca_component_from_features (&features[i], i + 1, params->covariance);
  } else if (n_stored > 0) {
    self->selection.stored = result->components;
    cca_selection_start (&self->selection, params);
    for (uint32_t i = 0; i < n_found; i++)
      cca_selection_add (&self->selection, &features[i]);
    cca_selection_finish (&self->selection);
  }
  return read_details (self, result, params, stream, *n_needed);
}

CcaStatus
cca_cuda_result_read_overlaps (CcaCudaResult *self, CcaResult *result, const CcaParams *params)
{
  CcaMeasurement *measurement = &result->measurement;
  const uint32_t n = self->copy->n_overlaps, n_stored = n < params->max_components ? n : params->max_components;

  if (!cca_result_reserve_overlaps (result, n_stored > 0 ? n : 0))
    return CCA_ERROR_MEMORY;
  cca_cuda_order_overlaps (self->overlaps, n, n_stored, result->overlaps);
  measurement->n_overlaps = n;
  measurement->n_stored_overlaps = n_stored;
  measurement->overlaps = result->overlaps;
  return CCA_OK;
}
