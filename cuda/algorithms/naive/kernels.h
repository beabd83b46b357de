/* gst-cca: the kernels of "naive", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/params.h"

#define CCA_KERNELS_naive(K) K (unite_pixels, CcaSegmentsParams, naive)
