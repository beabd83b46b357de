/* gst-cca: votes of segments for the features of their components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A segment votes once, in closed form (Hennequin et al., DASIP 2018, section IV-D). Conflict detection and on-the-fly merging:
 * Lemaitre, Hennequin & Lacassagne, ICASSP 2021, sections 3.2 and 3.3, algorithms 2 and 3.
 */
#ifndef CCA_VOTE_CUH
#define CCA_VOTE_CUH

#include "cuda/kernels/params.h"
#include "cuda/kernels/union_find.cuh"
#include "cuda/kernels/warp.cuh"

typedef unsigned long long Sum;

/* The sum of k^2 for k in 0…n-1. */
__device__ inline Sum
sum_of_squares (Sum n)
{
  return n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
}

/* The features of the pixels start…end-1 of row y alone. */
__device__ inline CcaDeviceFeatures
vote_of_segment (uint32_t start, uint32_t end, uint32_t y, bool covariance)
{
  const Sum length = end - start;
  CcaDeviceFeatures vote = {};

  vote.area = length;
  vote.sum_x = (start + end - 1) * length / 2;
  vote.sum_y = y * length;
  if (covariance) {
    vote.sum_xx = sum_of_squares (end) - sum_of_squares (start);
    vote.sum_xy = y * vote.sum_x;
    vote.sum_yy = y * vote.sum_y;
  }
  vote.first = y << 16 | start;
  vote.x_min = start;
  vote.x_max = end - 1;
  vote.y_max = y;
  return vote;
}

/* What changes no features that it is added to. */
__device__ inline CcaDeviceFeatures
empty_vote ()
{
  CcaDeviceFeatures vote = {};

  vote.first = vote.x_min = UINT32_MAX;
  return vote;
}

__device__ inline void
add_vote (CcaDeviceFeatures &sum, const CcaDeviceFeatures &vote, bool covariance)
{
  sum.area += vote.area;
  sum.sum_x += vote.sum_x;
  sum.sum_y += vote.sum_y;
  if (covariance) {
    sum.sum_xx += vote.sum_xx;
    sum.sum_xy += vote.sum_xy;
    sum.sum_yy += vote.sum_yy;
  }
  sum.x_min = min (sum.x_min, vote.x_min);
  sum.x_max = max (sum.x_max, vote.x_max);
  sum.y_max = max (sum.y_max, vote.y_max);
}

/* Adds to features in memory, which have the component's first pixel. Most votes do not widen the box, and reading is cheaper than
 * voting. */
__device__ inline void
cast_vote (CcaDeviceFeatures *features, const CcaDeviceFeatures &vote, bool covariance)
{
  const uint4 box = __ldcg ((const uint4 *) &features->first);

  atomicAdd (&features->area, vote.area);
  atomicAdd (&features->sum_x, vote.sum_x);
  atomicAdd (&features->sum_y, vote.sum_y);
  if (covariance) {
    atomicAdd (&features->sum_xx, vote.sum_xx);
    atomicAdd (&features->sum_xy, vote.sum_xy);
    atomicAdd (&features->sum_yy, vote.sum_yy);
  }
  if (vote.x_min < box.y)
    atomicMin (&features->x_min, vote.x_min);
  if (vote.x_max > box.z)
    atomicMax (&features->x_max, vote.x_max);
  if (vote.y_max > box.w)
    atomicMax (&features->y_max, vote.y_max);
}

/* Sixteen bytes at a time. */
__device__ inline void
store_features (CcaDeviceFeatures *features, const CcaDeviceFeatures &value)
{
  ulonglong2 *const parts = (ulonglong2 *) features;

  parts[0] = make_ulonglong2 (value.area, value.sum_x);
  parts[1] = make_ulonglong2 (value.sum_y, value.sum_xx);
  parts[2] = make_ulonglong2 (value.sum_xy, value.sum_yy);
  *(uint4 *) &features->first = make_uint4 (value.first, value.x_min, value.x_max, value.y_max);
}

/* The vote of another lane. Lanes of `mask` call it together. */
__device__ inline CcaDeviceFeatures
vote_of_lane (uint32_t mask, const CcaDeviceFeatures &vote, uint32_t lane, bool covariance)
{
  CcaDeviceFeatures other = {};

  other.area = __shfl_sync (mask, vote.area, lane);
  other.sum_x = __shfl_sync (mask, vote.sum_x, lane);
  other.sum_y = __shfl_sync (mask, vote.sum_y, lane);
  if (covariance) {
    other.sum_xx = __shfl_sync (mask, vote.sum_xx, lane);
    other.sum_xy = __shfl_sync (mask, vote.sum_xy, lane);
    other.sum_yy = __shfl_sync (mask, vote.sum_yy, lane);
  }
  other.x_min = __shfl_sync (mask, vote.x_min, lane);
  other.x_max = __shfl_sync (mask, vote.x_max, lane);
  other.y_max = __shfl_sync (mask, vote.y_max, lane);
  return other;
}

/* Algorithm 3: the lanes of `mask` with the same component, the peers, reduce pairwise into their first one, which alone votes. */
__device__ inline void
cast_votes_together (CcaDeviceFeatures *features, uint32_t mask, uint32_t peers, uint32_t component,
                     CcaDeviceFeatures vote, bool covariance)
{
  uint32_t rank = __popc (peers & lanes_before ());
  const bool leader = rank == 0;

  peers &= ~lanes_before () & ~(1u << lane_index ());
  while (__any_sync (mask, peers)) {
    const uint32_t next = __ffs (peers);
    const CcaDeviceFeatures other = vote_of_lane (mask, vote, next ? next - 1 : lane_index (), covariance);

    if (next)
      add_vote (vote, other, covariance);
    peers &= __ballot_sync (mask, rank % 2 == 0);
    rank /= 2;
  }
  if (leader)
    cast_vote (features + component, vote, covariance);
}

/* Adds up the votes of all lanes in the first one, which casts them. */
__device__ inline void
cast_votes_of_warp (CcaDeviceFeatures *features, CcaDeviceFeatures vote, bool covariance)
{
  for (uint32_t d = warp_size / 2; d > 0; d /= 2)
    add_vote (vote, vote_of_lane (all_lanes, vote, lane_index () ^ d, covariance), covariance);
  if (lane_index () == 0)
    cast_vote (features, vote, covariance);
}

/* --- On-the-fly merging -------------------------------------------------------------------------------------------- */

/* Takes what was voted for a segment so far. */
__device__ inline CcaDeviceFeatures
take_votes (CcaDeviceFeatures *votes, bool covariance)
{
  CcaDeviceFeatures vote = empty_vote ();

  vote.area = atomicExch (&votes->area, 0ull);
  vote.sum_x = atomicExch (&votes->sum_x, 0ull);
  vote.sum_y = atomicExch (&votes->sum_y, 0ull);
  if (covariance) {
    vote.sum_xx = atomicExch (&votes->sum_xx, 0ull);
    vote.sum_xy = atomicExch (&votes->sum_xy, 0ull);
    vote.sum_yy = atomicExch (&votes->sum_yy, 0ull);
  }
  vote.x_min = atomicExch (&votes->x_min, UINT32_MAX);
  vote.x_max = atomicExch (&votes->x_max, 0u);
  vote.y_max = atomicExch (&votes->y_max, 0u);
  return vote;
}

/* Moves the votes of a segment that is no root to its root, and on for as long as that is none any more. */
__device__ inline void
pass_votes_on (const CcaSegmentsParams &p, uint32_t segment)
{
  uint32_t root = find_root (p.parent, segment);

  while (root != segment) {
    __threadfence ();
    cast_vote (p.votes + root, take_votes (p.votes + segment, p.covariance), p.covariance);
    __threadfence ();
    segment = root;
    root = find_root (p.parent, segment);
  }
}

/* Algorithm 2. */
__device__ inline void
unite_with_votes (const CcaSegmentsParams &p, uint32_t a, uint32_t b)
{
  unite (p.parent, a, b, [&] (uint32_t lost_root) {
    __threadfence ();
    pass_votes_on (p, lost_root);
  });
}

template <bool otf>
__device__ inline void
unite_segments (const CcaSegmentsParams &p, uint32_t a, uint32_t b)
{
  if (otf)
    unite_with_votes (p, a, b);
  else
    unite (p.parent, a, b, [] (uint32_t) {});
}

#endif
