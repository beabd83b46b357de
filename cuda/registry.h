/* gst-cca: the algorithms of the CUDA backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithm.h"

/* The algorithms, generally fastest first, NULL-terminated. Each is the entry of a CcaCudaAlgorithm. */
extern const CcaAlgorithm *const cca_cuda_algorithms[];

/* Returns the algorithm that is the fastest on the device for a frame of this size. If it does not support the
 * parameters, returns the first one that does. */
const CcaAlgorithm *cca_cuda_choose (const CcaCudaDevice *device, uint32_t width, uint32_t height,
                                     const CcaParams *params, CcaOutput output);
