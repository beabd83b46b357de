/* gst-cca: the kernels of "flsl", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/kernels.h"

#define CCA_KERNELS_runs(K)                                                                                            \
  K (count_runs, CcaSegmentsParams, runs)                                                                              \
  K (scan_runs, CcaSegmentsParams, runs)                                                                               \
  K (store_runs, CcaSegmentsParams, runs)                                                                              \
  K (link_runs, CcaSegmentsParams, runs)                                                                               \
  K (unite_runs, CcaSegmentsParams, runs)                                                                              \
  K (unite_runs_otf, CcaSegmentsParams, runs)                                                                          \
  K (unite_strips, CcaSegmentsParams, runs)                                                                            \
  K (unite_strips_otf, CcaSegmentsParams, runs)                                                                        \
  K (unite_runs_of_values, CcaSegmentsParams, runs)                                                                    \
  K (unite_runs_of_values_otf, CcaSegmentsParams, runs)                                                                \
  K (merge_linked_runs, CcaSegmentsParams, runs)                                                                       \
  CCA_SEGMENT_KERNELS (K, runs, runs)
