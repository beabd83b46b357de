/* gst-cca: votes of segments for the features of their components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A segment votes once, in closed form (Hennequin et al., DASIP 2018, section IV-D). Conflict detection and on-the-fly
 * merging: Lemaitre, Hennequin & Lacassagne, ICASSP 2021, sections 3.2 and 3.3, algorithms 2 and 3.
 */
#ifndef CCA_VOTE_CUH
#define CCA_VOTE_CUH

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

typedef unsigned long long Sum;

constexpr uint32_t no_component = UINT32_MAX;

struct Vote
{
  CcaTally tally;
  CcaMoments moments; /* of no meaning where none are asked for */
};

/* The sum of k^2 for k in 0…n-1. */
__device__ inline Sum
sum_of_squares (Sum n)
{
  return n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
}

/* The vote of the pixels start…end-1 of row y. */
__device__ inline Vote
vote_of_segment (uint32_t start, uint32_t end, uint32_t y, bool moments)
{
  const Sum length = end - start, sum_x = (start + end - 1) * length / 2, sum_y = y * length;
  Vote vote = { { sum_x, sum_y, end - start, ~start, end - 1, y }, {} };

  if (moments)
    vote.moments = { sum_of_squares (end) - sum_of_squares (start), y * sum_x, y * sum_y, 0 };
  return vote;
}

__device__ inline void
add_vote (Vote &sum, const Vote &vote, bool moments)
{
  sum.tally.sum_x += vote.tally.sum_x;
  sum.tally.sum_y += vote.tally.sum_y;
  sum.tally.area += vote.tally.area;
  sum.tally.left = max (sum.tally.left, vote.tally.left);
  sum.tally.right = max (sum.tally.right, vote.tally.right);
  sum.tally.bottom = max (sum.tally.bottom, vote.tally.bottom);
  if (moments) {
    sum.moments.sum_xx += vote.moments.sum_xx;
    sum.moments.sum_xy += vote.moments.sum_xy;
    sum.moments.sum_yy += vote.moments.sum_yy;
  }
}

/* The first vote for a place of a list. */
__device__ inline void
store_vote (const CcaTallies &list, uint32_t place, const Vote &vote)
{
  ulonglong2 *const sums = (ulonglong2 *) (list.tally + place);
  uint4 *const rest = (uint4 *) (list.tally + place) + 1;

  *sums = make_ulonglong2 (vote.tally.sum_x, vote.tally.sum_y);
  *rest = make_uint4 (vote.tally.area, vote.tally.left, vote.tally.right, vote.tally.bottom);
  if (list.moments)
    list.moments[place] = vote.moments;
}

__device__ inline void
cast_moments (const CcaTallies &list, uint32_t place, const CcaMoments &moments)
{
  atomicAdd (&list.moments[place].sum_xx, moments.sum_xx);
  atomicAdd (&list.moments[place].sum_xy, moments.sum_xy);
  atomicAdd (&list.moments[place].sum_yy, moments.sum_yy);
}

/* A vote of one lane. Most do not widen the box, and reading is cheaper than voting. */
__device__ inline void
cast_tally (const CcaTallies &list, uint32_t place, const CcaTally &vote)
{
  CcaTally *const tally = list.tally + place;
  const uint4 known = __ldcg ((const uint4 *) tally + 1);

  atomicAdd (&tally->sum_x, vote.sum_x);
  atomicAdd (&tally->sum_y, vote.sum_y);
  atomicAdd (&tally->area, vote.area);
  if (vote.left > known.y)
    atomicMax (&tally->left, vote.left);
  if (vote.right > known.z)
    atomicMax (&tally->right, vote.right);
  if (vote.bottom > known.w)
    atomicMax (&tally->bottom, vote.bottom);
}

__device__ inline void
cast_vote (const CcaTallies &list, uint32_t place, const Vote &vote)
{
  cast_tally (list, place, vote.tally);
  if (list.moments)
    cast_moments (list, place, vote.moments);
}

/* --- Conflict detection ------------------------------------------------------------------------------ */

/* The vote of another lane. Lanes of `mask` call it together. */
__device__ inline Vote
vote_of_lane (uint32_t mask, const Vote &vote, uint32_t lane, bool moments)
{
  Vote other = {};

  other.tally.sum_x = __shfl_sync (mask, vote.tally.sum_x, lane);
  other.tally.sum_y = __shfl_sync (mask, vote.tally.sum_y, lane);
  other.tally.area = __shfl_sync (mask, vote.tally.area, lane);
  other.tally.left = __shfl_sync (mask, vote.tally.left, lane);
  other.tally.right = __shfl_sync (mask, vote.tally.right, lane);
  other.tally.bottom = __shfl_sync (mask, vote.tally.bottom, lane);
  if (moments) {
    other.moments.sum_xx = __shfl_sync (mask, vote.moments.sum_xx, lane);
    other.moments.sum_xy = __shfl_sync (mask, vote.moments.sum_xy, lane);
    other.moments.sum_yy = __shfl_sync (mask, vote.moments.sum_yy, lane);
  }
  return other;
}

/* Algorithm 3: the lanes of `mask` that are peers reduce pairwise into their first one; true for that one. */
__device__ inline bool
reduce_among_peers (uint32_t mask, uint32_t peers, Vote &vote, bool moments)
{
  uint32_t rank = __popc (peers & lanes_before ());
  const bool leader = rank == 0;

  peers &= ~lanes_before () & ~(1u << lane_index ());
  while (__any_sync (mask, peers)) {
    const uint32_t next = __ffs (peers);
    const Vote other = vote_of_lane (mask, vote, next ? next - 1 : lane_index (), moments);

    if (next)
      add_vote (vote, other, moments);
    peers &= __ballot_sync (mask, rank % 2 == 0);
    rank /= 2;
  }
  return leader;
}

/* Adds up the votes of all lanes in the first one, which casts them. */
template <bool moments>
__device__ inline void
cast_vote_of_warp (const CcaTallies &list, uint32_t place, Vote vote)
{
  for (uint32_t d = warp_size / 2; d > 0; d /= 2)
    add_vote (vote, vote_of_lane (all_lanes, vote, lane_index () ^ d, moments), moments);
  if (lane_index () == 0) {
    cast_tally (list, place, vote.tally);
    if (moments)
      cast_moments (list, place, vote.moments);
  }
}

/* Where a warp lays its votes down to cast them side by side. */
struct VotingTable
{
  CcaTally tally[warp_size];
  uint32_t place[warp_size];
};

/* The votes of those lanes that have one, all lanes together: four lanes cast a vote, so that memory sees one access
 * for all sums of a tally, and one for its box. */
template <bool moments>
__device__ inline void
cast_votes_side_by_side (const CcaTallies &list, VotingTable &table, bool votes, uint32_t place, const Vote &vote)
{
  const uint32_t voters = __ballot_sync (all_lanes, votes), n = __popc (voters),
                 seat = __popc (voters & lanes_before ());
  const uint32_t field = lane_index () % 4;

  if (votes) {
    table.tally[seat] = vote.tally;
    table.place[seat] = place;
    if (moments)
      cast_moments (list, place, vote.moments);
  }
  __syncwarp ();
  for (uint32_t v = lane_index () / 4; v < n; v += warp_size / 4) {
    const Sum *const sums = &table.tally[v].sum_x;
    const uint32_t *const rest = &table.tally[v].area;
    CcaTally *const tally = list.tally + table.place[v];

    if (field < 2)
      atomicAdd (&tally->sum_x + field, sums[field]);
    if (field == 0)
      atomicAdd (&tally->area, rest[0]);
    else
      atomicMax (&tally->area + field, rest[field]);
  }
  __syncwarp ();
}

/* --- On-the-fly merging ------------------------------------------------------------------------------ */

/* Takes what was voted for a segment so far. */
__device__ inline Vote
take_vote (const CcaTallies &list, uint32_t place)
{
  CcaTally *const tally = list.tally + place;
  Vote vote = {};

  vote.tally.sum_x = atomicExch (&tally->sum_x, 0ull);
  vote.tally.sum_y = atomicExch (&tally->sum_y, 0ull);
  vote.tally.area = atomicExch (&tally->area, 0u);
  vote.tally.left = atomicExch (&tally->left, 0u);
  vote.tally.right = atomicExch (&tally->right, 0u);
  vote.tally.bottom = atomicExch (&tally->bottom, 0u);
  if (list.moments) {
    vote.moments.sum_xx = atomicExch (&list.moments[place].sum_xx, 0ull);
    vote.moments.sum_xy = atomicExch (&list.moments[place].sum_xy, 0ull);
    vote.moments.sum_yy = atomicExch (&list.moments[place].sum_yy, 0ull);
  }
  return vote;
}

#endif
