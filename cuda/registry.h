/* gst-cca: the algorithms of the CUDA backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_REGISTRY_H
#define CCA_CUDA_REGISTRY_H

#include "cuda/algorithm.h"

/* Fastest in general first; ended by NULL. Each is the entry of a CcaCudaAlgorithm. */
extern const CcaAlgorithm *const cca_cuda_algorithms[];

/* Returns the fastest on the device for a frame of this size, or the first that serves the parameters where the fastest
 * does not. */
const CcaAlgorithm *cca_cuda_choose (const CcaCudaDevice *device, uint32_t width, uint32_t height,
                                     const CcaParams *params, CcaOutput output);

/* Loads the kernels of all algorithms; the device's context is current. */
CcaStatus cca_cuda_load_algorithms (CcaCudaDevice *device);

#endif
