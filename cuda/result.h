/* gst-cca: what a frame leaves for the host, and reading it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_RESULT_H
#define CCA_CUDA_RESULT_H

#include "cca/selection.h"
#include "cuda/algorithm.h"

typedef struct
{
  CcaDeviceHeader *header; /* on the device: the counts, and behind them the components that passed */
  uint32_t n_selected;     /* components that fit there */
  void *outgrown;          /* the header before; releasing memory waits for the device */
  CcaDeviceHeader *copy;   /* pinned: the same, with the first n_copied components */
  uint32_t capacity, n_copied;
  /* For what was not copied at once, and for order by area. */
  CcaFeatures *all;
  uint32_t all_capacity;
  CcaSelection selection;
  char *selection_block;
  uint32_t selection_capacity; /* components that fit there */
} CcaCudaResult;

/* Reserves memory for a frame of the specification, of which the first n_expected components are copied at once; and
 * says where its kernels store them. Frees nothing that the device may still use. */
CcaStatus cca_cuda_result_reserve (CcaCudaResult *self, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                                   uint32_t n_expected);
CcaWanted cca_cuda_result_wanted (const CcaCudaResult *self, const CcaCudaSpec *spec);

/* Releases what a frame has outgrown; no frame that uses the result may be in flight. */
void cca_cuda_result_trim (CcaCudaResult *self, const CcaCudaDevice *device);

/* Reads the components of a frame that is done, with its parameters, from the stream that it ran on, into
 * result->components and result->measurement. Sets *n_needed to the components that had to be copied. */
CcaStatus cca_cuda_result_read (CcaCudaResult *self, CcaResult *result, const CcaParams *params, CUstream stream,
                                uint32_t *n_needed);

/* Makes the pinned copy larger where the next frame is expected to need it. A failure costs a copy later, no more. */
void cca_cuda_result_prepare (CcaCudaResult *self, const CcaCudaDevice *device, uint32_t n_expected);

/* Releases device memory, where the device's context is current; and host memory. */
void cca_cuda_result_free (CcaCudaResult *self, const CcaCudaDevice *device);
void cca_cuda_result_forget (CcaCudaResult *self, const CcaAllocator *allocator);

#endif
