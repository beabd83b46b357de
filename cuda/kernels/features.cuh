/* gst-cca: a component as the host reads it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_FEATURES_CUH
#define CCA_FEATURES_CUH

#include "cuda/kernels/params.h"

/* How many components pass. */
__device__ inline void
store_count (const CcaHeaders &headers, uint32_t n)
{
  headers.device->n_components = n;
  headers.host->n_components = n;
}

__device__ inline void
store_features (const CcaWanted &wanted, uint32_t i, const CcaDeviceFeatures &features)
{
  wanted.selected[i] = features;
  if (i < wanted.n_for_host)
    wanted.for_host[i] = features;
}

__device__ inline bool
area_passes (const CcaWanted &wanted, uint32_t area)
{
  return area >= wanted.min_area && area <= wanted.max_area;
}

/* Of the votes at a place of a list, and the first pixel. */
__device__ inline CcaDeviceFeatures
features_of (const CcaTallies &list, uint32_t place, uint32_t first)
{
  const CcaTally tally = list.tally[place];
  CcaDeviceFeatures features = {};

  features.area = tally.area;
  features.sum_x = tally.sum_x;
  features.sum_y = tally.sum_y;
  if (list.moments) {
    const CcaMoments moments = list.moments[place];

    features.sum_xx = moments.sum_xx;
    features.sum_xy = moments.sum_xy;
    features.sum_yy = moments.sum_yy;
  }
  features.first = first;
  features.x_min = ~tally.left;
  features.x_max = tally.right;
  features.y_max = tally.bottom;
  return features;
}

#endif
