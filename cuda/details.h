/* gst-cca: the shapes and intensities of a frame's components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Kernels count them in an image of labels, which any algorithm can paint after its components are numbered.
 */
#pragma once

#include "cuda/algorithm.h"

/* Loads the kernels of this stage. The device's context must be current. */
CcaStatus cca_cuda_details_load (CcaCudaDevice *device);

/* Enqueues the kernels. `labels` is the painted image of labels, `input` the frame's image in device memory, `found`
 * the destination of the details. */
CcaStatus cca_cuda_details_find (const CcaCudaTask *task, CcaCanvas labels, const CcaImage *input,
                                 CcaFoundDetails found);
