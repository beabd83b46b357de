/* gst-cca: stores components for the host
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

/* Stores how many components pass. */
__device__ inline void
store_count (const CcaHeaders &headers, uint32_t n)
{
  headers.device->n_components = n;
  headers.host->n_components = n;
}

/* Stores the features of the lanes of a warp that have some. Four lanes store 64 bytes together: smaller writes to the
 * host are slow. */
__device__ inline void
store_features (const CcaWanted &wanted, bool stores, uint32_t i, const CcaFeatures &features)
{
  constexpr uint32_t parts = sizeof features / sizeof (uint4), at_once = warp_size / parts;
  const uint32_t lanes = __ballot_sync (all_lanes, stores), part = lane_index () % parts;
  uint4 own[parts];

  memcpy (own, &features, sizeof own);
  for (uint32_t first = 0; first < warp_size; first += at_once) {
    const uint32_t lane = first + lane_index () / parts, place = __shfl_sync (all_lanes, i, lane);
    uint4 stored = {};

    if (!(lanes >> first & ((1u << at_once) - 1)))
      continue;
    for (uint32_t k = 0; k < parts; k++) {
      const uint4 theirs =
          make_uint4 (__shfl_sync (all_lanes, own[k].x, lane), __shfl_sync (all_lanes, own[k].y, lane),
                      __shfl_sync (all_lanes, own[k].z, lane), __shfl_sync (all_lanes, own[k].w, lane));

      stored = k == part ? theirs : stored;
    }
    if (!(lanes >> lane & 1))
      continue;
    ((uint4 *) (wanted.selected + place))[part] = stored;
    if (place < wanted.n_for_host)
      ((uint4 *) (wanted.for_host + place))[part] = stored;
  }
}

/* Returns whether a component with a complete tally, whose first pixel is in row y, passes the size filter. */
__device__ inline bool
size_passes (const CcaSizes &sizes, const CcaTally &tally, uint32_t y)
{
  const uint32_t width = tally.x_max - ~tally.x_min + 1, height = tally.y_max - y + 1;

  return tally.area >= sizes.min_area && tally.area <= sizes.max_area && width >= sizes.min_width
         && width <= sizes.max_width && height >= sizes.min_height && height <= sizes.max_height;
}

/* Returns the features of the votes at an index of a list, and of the first pixel. */
__device__ inline CcaFeatures
features_of (const CcaTallies &list, uint32_t place, uint32_t first)
{
  const CcaTally tally = list.tally[place];
  CcaFeatures features = {};

#define FEATURE_SUM(value) (value)
#define FEATURE_MIN(value) ~(value)
#define FEATURE_MAX(value) (value)
#define FEATURE_OF_TALLY(field, operation) features.field = FEATURE_##operation (tally.field);
#define FEATURE_OF_MOMENTS(field, operation) features.field = FEATURE_##operation (moments.field);
  CCA_SUM_FIELDS (FEATURE_OF_TALLY)
  CCA_BOX_FIELDS (FEATURE_OF_TALLY)
  features.first = first;
  if (list.moments) {
    const CcaMoments moments = list.moments[place];

    CCA_MOMENT_FIELDS (FEATURE_OF_MOMENTS)
  }
  return features;
}
