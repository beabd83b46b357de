/* gst-cca: votes of segments for the features of their components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A segment votes once, in closed form (Hennequin et al., DASIP 2018, section IV-D). Conflict detection and on-the-fly
 * merging: Lemaitre, Hennequin & Lacassagne, ICASSP 2021, sections 3.2 and 3.3, algorithms 2 and 3.
 */
#pragma once

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

typedef unsigned long long Sum;

/* How to join two values of a field, and a value with one in memory; minima are complements (CcaTally). */
#define JOIN_SUM(a, b) ((a) + (b))
#define JOIN_MIN(a, b) max (a, b)
#define JOIN_MAX(a, b) max (a, b)

constexpr uint32_t no_component = UINT32_MAX;

struct Vote
{
  CcaTally tally;
  CcaMoments moments; /* undefined without covariance */
};

/* Returns the sum of k^2 for k in 0…n-1. */
__device__ inline Sum
sum_of_squares (Sum n)
{
  return n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
}

/* Returns the vote of the pixels start…end-1 of row y. */
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
#define ADD_TALLY(field, operation) sum.tally.field = JOIN_##operation (sum.tally.field, vote.tally.field);
#define ADD_MOMENT(field, operation) sum.moments.field = JOIN_##operation (sum.moments.field, vote.moments.field);
  CCA_SUM_FIELDS (ADD_TALLY)
  CCA_BOX_FIELDS (ADD_TALLY)
  if (moments) {
    CCA_MOMENT_FIELDS (ADD_MOMENT)
  }
}

/* Returns the votes at an index of a list. */
__device__ inline Vote
load_vote (const CcaTallies &list, uint32_t place)
{
  Vote vote = { list.tally[place], {} };

  if (list.moments)
    vote.moments = list.moments[place];
  return vote;
}

/* Stores the first vote at an index of a list. */
__device__ inline void
store_vote (const CcaTallies &list, uint32_t place, const Vote &vote)
{
  ulonglong2 *const sums = (ulonglong2 *) (list.tally + place);
  uint4 *const rest = (uint4 *) (list.tally + place) + 1;

  *sums = make_ulonglong2 (vote.tally.sum_x, vote.tally.sum_y);
  *rest = make_uint4 (vote.tally.area, vote.tally.x_min, vote.tally.x_max, vote.tally.y_max);
  if (list.moments)
    list.moments[place] = vote.moments;
}

__device__ inline void
cast_moments (const CcaTallies &list, uint32_t place, const CcaMoments &moments)
{
#define CAST_MOMENT(field, operation) atomicAdd (&list.moments[place].field, moments.field);
  CCA_MOMENT_FIELDS (CAST_MOMENT)
}

/* Adds a lane's vote to memory. Most votes do not widen the box, and reading is cheaper than voting. */
__device__ inline void
cast_tally (const CcaTallies &list, uint32_t place, const CcaTally &vote)
{
  CcaTally *const tally = list.tally + place;
  const uint4 known = __ldcg ((const uint4 *) tally + 1);

#define CAST_SUM(field, operation) atomicAdd (&tally->field, vote.field);
  CCA_SUM_FIELDS (CAST_SUM)
  if (vote.x_min > known.y)
    atomicMax (&tally->x_min, vote.x_min);
  if (vote.x_max > known.z)
    atomicMax (&tally->x_max, vote.x_max);
  if (vote.y_max > known.w)
    atomicMax (&tally->y_max, vote.y_max);
}

__device__ inline void
cast_vote (const CcaTallies &list, uint32_t place, const Vote &vote)
{
  cast_tally (list, place, vote.tally);
  if (list.moments)
    cast_moments (list, place, vote.moments);
}

/* --- Conflict detection ------------------------------------------------------------------------------ */

/* Returns the vote of another lane. Lanes of `mask` call it together. */
__device__ inline Vote
vote_of_lane (uint32_t mask, const Vote &vote, uint32_t lane, bool moments)
{
  Vote other = {};

#define SHUFFLE_TALLY(field, operation) other.tally.field = __shfl_sync (mask, vote.tally.field, lane);
#define SHUFFLE_MOMENT(field, operation) other.moments.field = __shfl_sync (mask, vote.moments.field, lane);
  CCA_SUM_FIELDS (SHUFFLE_TALLY)
  CCA_BOX_FIELDS (SHUFFLE_TALLY)
  if (moments) {
    CCA_MOMENT_FIELDS (SHUFFLE_MOMENT)
  }
  return other;
}

/* Algorithm 3: reduces the votes of peers among the lanes of `mask` pairwise into the first one. Returns true in that
 * lane. */
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

/* Sums the votes of all lanes in the first one, which casts them. */
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

/* A warp's buffer for votes, to cast them coalesced. */
struct VotingTable
{
  CcaTally tally[warp_size];
  uint32_t place[warp_size];
};

/* Casts the votes of the lanes that have one; all lanes call it. Four lanes cast a vote, so that memory sees one access
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

/* Takes and clears the votes collected for a segment so far. */
__device__ inline Vote
take_vote (const CcaTallies &list, uint32_t place)
{
  CcaTally *const tally = list.tally + place;
  Vote vote = {};

#define TAKE_TALLY(field, operation) vote.tally.field = atomicExch (&tally->field, (decltype (tally->field)) 0);
#define TAKE_MOMENT(field, operation) vote.moments.field = atomicExch (&list.moments[place].field, 0ull);
  CCA_SUM_FIELDS (TAKE_TALLY)
  CCA_BOX_FIELDS (TAKE_TALLY)
  if (list.moments) {
    CCA_MOMENT_FIELDS (TAKE_MOMENT)
  }
  return vote;
}
