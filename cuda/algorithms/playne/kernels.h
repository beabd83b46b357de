/* gst-cca: the kernels of "playne", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/params.h"

#define CCA_KERNELS_playne(K)                                                                                          \
  K (reduce_tiles, CcaSegmentsParams, playne)                                                                          \
  K (reduce_borders, CcaSegmentsParams, playne)
