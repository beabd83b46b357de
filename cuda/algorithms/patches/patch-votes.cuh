/* gst-cca: the runs of a patch vote for the features of its components, in shared memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/patches/patch-runs.cuh"

/* Components whose votes are accumulated at a time. */
constexpr uint32_t table_size = 128;

/* The features of components so far, in coordinates of the patch. */
template <bool moments> struct FeatureTable
{
  uint32_t area_x[table_size];  /* area | sum of x << 16 */
  uint32_t y_first[table_size]; /* sum of y | the first pixel, y << 5 | x, << 16 */
  uint32_t columns[table_size]; /* a mask */
  uint32_t bottom[table_size];
  uint32_t xx[moments ? table_size : 1], xy[moments ? table_size : 1], yy[moments ? table_size : 1];
};

struct PatchVote
{
  uint32_t area_x, y, columns, bottom, xx, xy, yy;
};

__device__ static uint32_t
squares_below (uint32_t n)
{
  return n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
}

template <bool moments>
__device__ static PatchVote
vote_of_run (Run run)
{
  const uint32_t start = run.start (), last = run.last (), y = run.y (), n_rows = run.n_rows (),
                 length = last - start + 1;
  const uint32_t sum_x = (start + last) * length / 2, sum_y = (2 * y + n_rows - 1) * n_rows / 2;
  PatchVote vote = {
    length * n_rows | sum_x * n_rows << 16, length * sum_y, (2u << last) - (1u << start), y + n_rows - 1, 0, 0, 0
  };

  if (moments) {
    vote.xx = (squares_below (last + 1) - squares_below (start)) * n_rows;
    vote.xy = sum_x * sum_y;
    vote.yy = (squares_below (y + n_rows) - squares_below (y)) * length;
  }
  return vote;
}

template <bool moments>
__device__ static void
accumulate_vote (FeatureTable<moments> &table, uint32_t i, const PatchVote &vote)
{
  atomicAdd (table.area_x + i, vote.area_x);
  atomicAdd (table.y_first + i, vote.y);
  atomicOr (table.columns + i, vote.columns);
  atomicMax (table.bottom + i, vote.bottom);
  if (moments) {
    atomicAdd (table.xx + i, vote.xx);
    atomicAdd (table.xy + i, vote.xy);
    atomicAdd (table.yy + i, vote.yy);
  }
}

/* Accumulates the votes of those lanes that have one; call it with all lanes. If many vote for the same component as
 * the first lane that votes, the warp adds these up first. */
template <bool moments>
__device__ static void
accumulate_votes (FeatureTable<moments> &table, bool votes, uint32_t i, PatchVote vote)
{
  constexpr uint32_t many = 6;
  const uint32_t voters = __ballot_sync (all_lanes, votes);

  if (!voters)
    return;
  const uint32_t common = __shfl_sync (all_lanes, i, __ffs (voters) - 1);
  const bool joins = votes && i == common;

  if (__popc (__ballot_sync (all_lanes, joins)) >= many) {
    PatchVote sum = joins ? vote : PatchVote{};

    sum.area_x = warp_sum (sum.area_x);
    sum.y = warp_sum (sum.y);
    sum.columns = warp_or (sum.columns);
    sum.bottom = warp_max (sum.bottom);
    if (moments) {
      sum.xx = warp_sum (sum.xx);
      sum.xy = warp_sum (sum.xy);
      sum.yy = warp_sum (sum.yy);
    }
    if (lane_index () == 0)
      accumulate_vote (table, common, sum);
    votes = votes && !joins;
  }
  if (votes)
    accumulate_vote (table, i, vote);
}

template <bool moments>
__device__ static PatchVote
vote_of_entry (const FeatureTable<moments> &table, uint32_t i)
{
  PatchVote vote = { table.area_x[i], table.y_first[i] & 0xffff, table.columns[i], table.bottom[i], 0, 0, 0 };

  if (moments) {
    vote.xx = table.xx[i];
    vote.xy = table.xy[i];
    vote.yy = table.yy[i];
  }
  return vote;
}

/* Returns a vote in coordinates of the image. */
template <bool moments>
__device__ static Vote
place_vote (const PatchVote &in_patch, uint32_t x0, uint32_t y0)
{
  const uint32_t area = in_patch.area_x & 0xffff,
                 columns = in_patch.columns; /* a patch has 1024 pixels: 32 bits hold these sums */
  const uint32_t x = in_patch.area_x >> 16, y = in_patch.y;
  Vote vote = { { x0 * area + x, y0 * area + y, area, ~(x0 + __ffs (columns) - 1), x0 + 31 - __clz (columns),
                  y0 + in_patch.bottom },
                {} };

  if (moments) {
    vote.moments.sum_xx = (Sum) x0 * x0 * area + 2 * (Sum) x0 * x + in_patch.xx;
    vote.moments.sum_xy = (Sum) x0 * y0 * area + (Sum) x0 * y + (Sum) y0 * x + in_patch.xy;
    vote.moments.sum_yy = (Sum) y0 * y0 * area + 2 * (Sum) y0 * y + in_patch.yy;
  }
  return vote;
}
