/* gst-cca: a frame's counts and components: storage on the device, copies on the host, reading
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/selection.h"
#include "cuda/algorithm.h"

typedef struct
{
  CcaDeviceHeader *header; /* on the device: the counts, followed by the components that passed */
  uint32_t n_selected;     /* capacity of `header`, components */
  void *outgrown;          /* the previous header, freed later: freeing waits for the device */
  CcaDeviceHeader *copy;   /* pinned: the counts, followed by the first n_copied components */
  uint32_t capacity, n_copied;
  /* For components beyond n_copied, and for order by area. */
  CcaFeatures *all;
  uint32_t all_capacity;
  CcaSelection selection;
  char *selection_block;
  uint32_t selection_capacity; /* components */
  CcaOverlap *overlaps; /* pinned: copy->n_overlaps of them, in any order; NULL before the first frame with them */
  uint32_t overlap_capacity;
  void *outgrown_overlaps; /* as `outgrown` */
  uint8_t *coverage;       /* pinned: a byte for each cell, then the colours; NULL before the first frame with them */
  size_t n_cells;          /* capacity of `coverage` */
  CcaDetails *details;     /* on the device, n_details of them; NULL before the first frame with them */
  uint32_t n_details;
  void *outgrown_details;   /* as `outgrown` */
  CcaDetails *details_copy; /* pinned: the first of them */
  uint32_t details_capacity, n_details_copied;
  CcaDetails *all_details; /* host memory for more than these */
  uint32_t all_details_capacity;
  uint32_t *scene_change; /* pinned: whether the frame is one; NULL before the first frame with CCA_MODEL_SAMPLES */
} CcaCudaResult;

/* Reserves memory for a frame's result, whose first n_expected components kernels write straight to the host. Sets
 * *wanted to where kernels store components. Frees nothing that the device may still use. */
CcaStatus cca_cuda_result_reserve (CcaCudaResult *self, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                                   uint32_t n_expected, CcaWanted *wanted);

/* Reserves memory in which a frame's kernels list up to n overlaps, in the same way. */
CcaStatus cca_cuda_result_reserve_overlaps (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n);

/* Reserves memory for the details of the wanted components, in the same way. Sets *found to where kernels store
 * them. */
CcaStatus cca_cuda_result_reserve_details (CcaCudaResult *self, const CcaCudaDevice *device, const CcaWanted *wanted,
                                           CcaFoundDetails *found);

/* Reserves memory for the coverage and the colours of n cells. No frame that uses the result may be in flight. */
CcaStatus cca_cuda_result_reserve_coverage (CcaCudaResult *self, const CcaCudaDevice *device, size_t n);

/* Reserves the flag of a change of scene, in the same way. */
CcaStatus cca_cuda_result_reserve_scene (CcaCudaResult *self, const CcaCudaDevice *device);

/* Frees outgrown memory. No frame that uses the result may be in flight. */
void cca_cuda_result_trim (CcaCudaResult *self, const CcaCudaDevice *device);

/* Reads the components of a completed frame into result->components and result->measurement. `params` and `stream` must
 * be the frame's. Sets *n_needed to the number of components that had to be copied. */
CcaStatus cca_cuda_result_read (CcaCudaResult *self, CcaResult *result, const CcaParams *params, CUstream stream,
                                uint32_t *n_needed);

/* Reads the overlaps of a completed frame that was compared with the last one, in the same way. Call it once. */
CcaStatus cca_cuda_result_read_overlaps (CcaCudaResult *self, CcaResult *result, const CcaParams *params);

/* Grows the pinned copy if the next frame is expected to need it. A failure only costs that frame a second copy. */
void cca_cuda_result_prepare (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n_expected);

/* Free device memory, with the device's context current, and host memory. */
void cca_cuda_result_free (CcaCudaResult *self, const CcaCudaDevice *device);
void cca_cuda_result_forget (CcaCudaResult *self, const CcaAllocator *allocator);

/* Writes the first n_first of n overlaps to `sorted`, by before, then now. No two overlaps have the same labels.
 * `sorted` must have room for all n; the contents of `overlaps` are lost. */
void cca_cuda_order_overlaps (CcaOverlap *overlaps, uint32_t n, uint32_t n_first, CcaOverlap *sorted);
