/* gst-cca: features of components by votes of their runs
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Closed forms per run, added by atomics to the component; with conflict detection the lanes of a warp that vote for the same
 * component add up first (Lemaitre, Hennequin & Lacassagne, ICASSP 2021, section 3.3 and algorithm 3).
 */
#include "cuda/kernels/component.cuh"
#include "cuda/kernels/row.cuh"

struct Vote
{
  unsigned long long area, sum_x, sum_y, sum_xx, sum_xy, sum_yy;
  uint32_t x_min, x_max, y_max;
};

/* The sum of k^2 for k in 0…n-1. */
__device__ static unsigned long long
sum_of_squares (unsigned long long n)
{
  return n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
}

__device__ static Vote
vote_of_run (uint32_t start, uint32_t end, uint32_t y, bool covariance)
{
  const unsigned long long length = end - start;
  Vote vote = {};

  vote.area = length;
  vote.sum_x = (start + end - 1) * length / 2;
  vote.sum_y = y * length;
  if (covariance) {
    vote.sum_xx = sum_of_squares (end) - sum_of_squares (start);
    vote.sum_xy = y * vote.sum_x;
    vote.sum_yy = y * vote.sum_y;
  }
  vote.x_min = start;
  vote.x_max = end - 1;
  vote.y_max = y;
  return vote;
}

__device__ static void
cast (CcaDeviceFeatures *features, const Vote &vote, bool covariance)
{
  atomicAdd (&features->area, vote.area);
  atomicAdd (&features->sum_x, vote.sum_x);
  atomicAdd (&features->sum_y, vote.sum_y);
  if (covariance) {
    atomicAdd (&features->sum_xx, vote.sum_xx);
    atomicAdd (&features->sum_xy, vote.sum_xy);
    atomicAdd (&features->sum_yy, vote.sum_yy);
  }
  atomicMin (&features->x_min, vote.x_min);
  atomicMax (&features->x_max, vote.x_max);
  atomicMax (&features->y_max, vote.y_max);
}

/* Adds the vote of another lane; the lanes of `mask` call it together. */
__device__ static void
add_vote_of (uint32_t mask, uint32_t lane, bool wanted, bool covariance, Vote &vote)
{
  const unsigned long long area = __shfl_sync (mask, vote.area, lane), sum_x = __shfl_sync (mask, vote.sum_x, lane);
  const unsigned long long sum_y = __shfl_sync (mask, vote.sum_y, lane);
  const uint32_t x_min = __shfl_sync (mask, vote.x_min, lane), x_max = __shfl_sync (mask, vote.x_max, lane);

  if (covariance) {
    const unsigned long long sum_xx = __shfl_sync (mask, vote.sum_xx, lane);
    const unsigned long long sum_xy = __shfl_sync (mask, vote.sum_xy, lane);
    const unsigned long long sum_yy = __shfl_sync (mask, vote.sum_yy, lane);

    vote.sum_xx += wanted ? sum_xx : 0;
    vote.sum_xy += wanted ? sum_xy : 0;
    vote.sum_yy += wanted ? sum_yy : 0;
  }
  if (wanted) {
    vote.area += area;
    vote.sum_x += sum_x;
    vote.sum_y += sum_y;
    vote.x_min = min (vote.x_min, x_min);
    vote.x_max = max (vote.x_max, x_max);
  }
}

/* Algorithm 3: the lanes with the same component reduce pairwise into their first one, which alone votes. All lanes of a warp
 * are in the same row, so that y_max needs no reduction. */
__device__ static void
cast_together (CcaDeviceFeatures *features, uint32_t mask, uint32_t component, Vote vote, bool covariance)
{
  const uint32_t lane = lane_index ();
  uint32_t peers = __match_any_sync (mask, component);
  uint32_t rank = __popc (peers & ((1u << lane) - 1));
  const bool leader = rank == 0;

  peers &= ~1u << lane;
  while (__any_sync (mask, peers)) {
    const uint32_t next = __ffs (peers);

    add_vote_of (mask, next ? next - 1 : lane, next != 0, covariance, vote);
    peers &= __ballot_sync (mask, rank % 2 == 0);
    rank /= 2;
  }
  if (leader)
    cast (features + component, vote, covariance);
}

template <bool conflict_detection>
__device__ static void
measure (const CcaRunsParams &p)
{
  const uint32_t y = warp_row ();

  if (y >= p.height)
    return;
  const uint32_t row = y * p.most_runs, n = p.n_runs[y];

  for (uint32_t first = 0; first < n; first += warp_size) {
    const uint32_t j = first + lane_index (), voters = __ballot_sync (all_lanes, j < n);

    if (j < n) {
      const uint32_t run = p.runs[row + j], component = component_of (p, row + j);
      const Vote vote = vote_of_run (run & 0xffff, run >> 16, y, p.covariance);

      if (conflict_detection)
        cast_together (p.features, voters, component, vote, p.covariance);
      else
        cast (p.features + component, vote, p.covariance);
    }
  }
}

extern "C" __global__ void
cca_measure_runs (const CcaRunsParams p)
{
  measure<false> (p);
}

extern "C" __global__ void
cca_measure_runs_cd (const CcaRunsParams p)
{
  measure<true> (p);
}
