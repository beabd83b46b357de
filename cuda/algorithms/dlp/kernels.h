/* gst-cca: the kernels of "dlp", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_DLP_KERNELS_H
#define CCA_DLP_KERNELS_H

#include "cuda/algorithms/segments/params.h"

#define CCA_KERNELS_dlp(K)                                                                                             \
  K (propagate_in_tiles, CcaSegmentsParams, dlp)                                                                       \
  K (propagate_over_borders, CcaSegmentsParams, dlp)

#endif
