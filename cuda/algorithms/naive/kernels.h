/* gst-cca: the kernels of "naive", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_NAIVE_KERNELS_H
#define CCA_NAIVE_KERNELS_H

#include "cuda/algorithms/segments/kernels.h"

#define CCA_KERNELS_pixels(K)                                                                                          \
  K (init_pixels, CcaSegmentsParams, pixels)                                                                           \
  K (unite_pixels, CcaSegmentsParams, pixels)                                                                          \
  CCA_SEGMENT_KERNELS (K, pixels, pixels)

#endif
