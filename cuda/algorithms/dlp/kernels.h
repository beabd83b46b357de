/* gst-cca: the kernels of "dlp", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/params.h"

/* The borders of a tile that are merged, those on the left and above, with a warp each. */
#define CCA_DLP_BORDERS 2

#define CCA_KERNELS_dlp(K)                                                                                             \
  K (propagate_in_tiles, CcaSegmentsParams, dlp)                                                                       \
  K (propagate_over_borders, CcaSegmentsParams, dlp)
