/* gst-cca: the kernels of "tile-merge", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/tile-merge/params.h"

#define CCA_KERNELS_tiles(K)                                                                                           \
  K (solve_tiles, CcaSegmentsParams, tiles)                                                                            \
  K (solve_tiles_early, CcaSegmentsParams, tiles)                                                                      \
  K (solve_tiles_early_moments, CcaSegmentsParams, tiles)                                                              \
  K (merge_tiles, CcaTileMergeParams, tiles)                                                                           \
  K (merge_tiles_early, CcaTileMergeParams, tiles)                                                                     \
  K (update_borders, CcaTileMergeParams, tiles)                                                                        \
  K (update_borders_early, CcaTileMergeParams, tiles)
