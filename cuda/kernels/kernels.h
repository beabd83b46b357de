/* gst-cca: the kernels of the foreground, of overlaps and of details, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CCA_KERNELS_file (K) calls K (kernel, its parameters, file) for each kernel of a file, here and in the folders of the
 * algorithms.
 */
#pragma once

#include "cuda/kernels/params.h"

#define CCA_KERNELS_foreground(K)                                                                                      \
  K (range, CcaRangeParams, foreground)                                                                                \
  K (motion, CcaMotionParams, foreground)                                                                              \
  K (motion_by_place, CcaMotionParams, foreground)                                                                     \
  K (values, CcaValuesParams, foreground)

#define CCA_KERNELS_formats(K)                                                                                         \
  K (range_half, CcaFormatRangeParams, formats)                                                                        \
  K (range_rgb, CcaFormatRangeParams, formats)                                                                         \
  K (range_word, CcaFormatRangeParams, formats)                                                                        \
  K (motion_half, CcaFormatMotionParams, formats)                                                                      \
  K (motion_rgb, CcaFormatMotionParams, formats)                                                                       \
  K (motion_word, CcaFormatMotionParams, formats)                                                                      \
  K (motion_by_place_half, CcaFormatMotionParams, formats)                                                             \
  K (motion_by_place_rgb, CcaFormatMotionParams, formats)                                                              \
  K (motion_by_place_word, CcaFormatMotionParams, formats)                                                             \
  K (values_half, CcaFormatValuesParams, formats)                                                                      \
  K (values_rgb, CcaFormatValuesParams, formats)                                                                       \
  K (values_word, CcaFormatValuesParams, formats)

#define CCA_KERNELS_cleanup(K) K (clean, CcaCleanupParams, cleanup)

#define CCA_KERNELS_overlaps(K)                                                                                        \
  K (overlap_labels, CcaOverlapLabelsParams, overlaps)                                                                 \
  K (collect_overlaps, CcaCollectParams, overlaps)

#define CCA_KERNELS_details(K)                                                                                         \
  K (clear_details, CcaFoundDetails, details)                                                                          \
  K (shapes, CcaShapesParams, details)                                                                                 \
  K (intensities, CcaIntensitiesParams, details)                                                                       \
  K (store_details, CcaFoundDetails, details)
