/* gst-cca: the kernels on segments, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/params.h"

/* Kernels of every kind of segments. */
#define CCA_SEGMENT_KERNELS(K, kind, file)                                                                             \
  K (flatten_##kind, CcaSegmentsParams, file)                                                                          \
  K (number_##kind, CcaSegmentsParams, file)                                                                           \
  K (measure_##kind, CcaSegmentsParams, file)                                                                          \
  K (measure_##kind##_cd, CcaSegmentsParams, file)                                                                     \
  K (measure_##kind##_cd_moments, CcaSegmentsParams, file)                                                             \
  K (plant_trees_##kind, CcaTreeParams, file)                                                                          \
  K (paint_##kind, CcaPaintParams, file)

#define CCA_KERNELS_pixels(K)                                                                                          \
  K (init_pixels, CcaSegmentsParams, pixels)                                                                           \
  K (plant_trees_pairs, CcaTreeParams, pixels)                                                                         \
  CCA_SEGMENT_KERNELS (K, pixels, pixels)

#define CCA_KERNELS_tree(K)                                                                                            \
  K (merge_trees, CcaTreeParams, tree)                                                                                 \
  K (size_subtrees, CcaTreeParams, tree)                                                                               \
  K (balance_tree, CcaTreeParams, tree)                                                                                \
  K (harvest_tree, CcaTreeParams, tree)

#define CCA_KERNELS_select(K)                                                                                          \
  K (count_selected, CcaSelectParams, select)                                                                          \
  K (scan_selected, CcaSelectParams, select)                                                                           \
  K (store_selected, CcaSelectParams, select)                                                                          \
  K (store_first, CcaSelectParams, select)
