/* gst-cca: the kernels of "ha4", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/kernels.h"

#define CCA_WORD_KERNELS(K, kind)                                                                                      \
  K (label_strips_##kind, CcaSegmentsParams, words)                                                                    \
  K (label_strips_##kind##_otf, CcaSegmentsParams, words)                                                              \
  K (merge_strips_##kind, CcaSegmentsParams, words)                                                                    \
  K (merge_strips_##kind##_otf, CcaSegmentsParams, words)                                                              \
  CCA_SEGMENT_KERNELS (K, kind, words)

#define CCA_KERNELS_words(K)                                                                                           \
  CCA_WORD_KERNELS (K, words32)                                                                                        \
  CCA_WORD_KERNELS (K, words64)
