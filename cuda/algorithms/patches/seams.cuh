/* gst-cca: links between patches over their seams, and the features of records
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A seam is where two neighbouring patches meet: the border pixels of one side here, and those of a neighbour's side
 * there. Each lane has a pixel of both.
 */
#pragma once

#include "cuda/algorithms/patches/patches.cuh"

/* --- Links over a seam --------------------------------------------------------------------------------- */

/* Whether this lane's pixels connect, if they are foreground: here with there, here with the lane before's there, and
 * the lane before's here with there. */
struct Connections
{
  bool straight, falling, rising;
};

/* Returns what a bit of the planes says about connections, `straight` being one of the planes. Without planes all
 * neighbours connect. */
__device__ static Connections
load_connections (const CcaPlanes &p, const uint32_t *straight, size_t word, uint32_t bit)
{
  if (!straight)
    return { true, p.diagonal != 0, p.diagonal != 0 };
  return { (straight[word] >> bit & 1) != 0, p.diagonal && p.falling[word] >> bit & 1,
           p.diagonal && p.rising[word] >> bit & 1 };
}

/* Calls f (here, there) for the pairs of components that a seam's pixels connect, but not for a pair that the lane
 * before has seen. `here` and `there` are this lane's components, in any numbering, or no_component. */
template <typename F>
__device__ static void
for_each_link (const CcaPlanes &p, const Connections &connections, uint32_t here, uint32_t there, F f)
{
  const bool straight = connections.straight && here != no_component && there != no_component,
             first = lane_index () == 0;
  const uint32_t here_before = __shfl_up_sync (all_lanes, here, 1), there_before = __shfl_up_sync (all_lanes, there, 1);
  const bool straight_before = __shfl_up_sync (all_lanes, straight, 1) && !first;
  const bool same_here = here == here_before, same_there = there == there_before;

  if (straight && !(straight_before && same_here && same_there))
    f (here, there);
  if (!p.diagonal || first)
    return;
  if (connections.falling && here != no_component && there_before != no_component && !(straight && same_there)
      && !(straight_before && same_here))
    f (here, there_before);
  if (connections.rising && here_before != no_component && there != no_component && !(straight && same_here)
      && !(straight_before && same_there))
    f (here_before, there);
}

/* A patch's border and its sides: all background if the patch is empty or outside the image. */
struct PlacedBorder : BorderWord
{
  uint32_t first; /* the patch's first component: its record, or its index in a list */
  BorderWord sides;

  __device__ uint32_t place (uint32_t component) const
  {
    return component == background ? no_component : first + component;
  }
};

constexpr PlacedBorder no_patch = { { empty_sides }, 0, { empty_sides } };

/* Loads a border. Issues both loads at once: the words may be an earlier frame's, but are then not used. */
__device__ static PlacedBorder
load_border (const CcaPatchesParams &p, uint32_t column, uint32_t row, bool wanted)
{
  const uint32_t i = row * p.columns + column;

  if (!wanted || column >= p.columns || row >= p.rows)
    return no_patch;
  const CcaPatch patch = patch_at (p, i);
  const uint32_t word = p.borders[(size_t) i * patch_size + lane_index ()];

  return { { has_mixed_side (patch.sides) ? word : patch.sides }, patch.first, { patch.sides } };
}

/* Returns the label of the component that fills the border of a whole group. */
__device__ inline Label
label_of_whole_group (const CcaPatchesParams &p, uint32_t column, uint32_t row)
{
  const uint32_t size = CCA_GROUP * patch_size, first_patch = (row * p.columns + column) * CCA_GROUP;

  return make_label (column * size, row * size, first_patch * CCA_PATCH_RECORDS);
}

/* What the two sides of a seam say about its links: there is none; there is one, between the two components that fill
 * the sides; or only the border words tell. */
enum class Seam
{
  none,
  whole,
  mixed
};

__device__ inline Seam
seam_between (const CcaPlanes &p, uint32_t here, uint32_t there)
{
  if (here == background || there == background)
    return Seam::none;
  return p.joins || here == CCA_BORDER_MIXED || there == CCA_BORDER_MIXED ? Seam::mixed : Seam::whole;
}

/* A patch and the neighbours to which its left and upper seams lead. */
struct Neighbours
{
  uint32_t column, row;
  PlacedBorder own, left, up, up_left;
};

template <typename F>
__device__ static void
for_each_left_link (const CcaPatchesParams &p, const Neighbours &s, F f)
{
  const uint32_t y = s.row * patch_size + lane_index ();
  const size_t word = (size_t) y * p.planes.row_words + s.column;
  Connections connections = {};

  if (s.column < p.columns && y < p.planes.height)
    connections = load_connections (p.planes, p.planes.joins, word, 0);
  for_each_link (p.planes, connections, s.own.place (s.own.left ()), s.left.place (s.left.right ()), f);
}

template <typename F>
__device__ static void
for_each_top_link (const CcaPatchesParams &p, const Neighbours &s, F f)
{
  const size_t word = (size_t) s.row * patch_size * p.planes.row_words + s.column;
  Connections connections = {};

  if (s.column < p.columns && s.row < p.rows)
    connections = load_connections (p.planes, p.planes.vertical, word, lane_index ());
  for_each_link (p.planes, connections, s.own.place (s.own.top ()), s.up.place (s.up.bottom ()), f);
}

/* The components at the four pixels around a patch's upper left corner, or no_component. */
struct Corner
{
  uint32_t own, left, up, up_left;
};

/* Calls f for a corner's diagonal links. One lane calls it, for a patch within the image. */
template <typename F>
__device__ static void
for_each_corner_link (const CcaPlanes &p, uint32_t column, uint32_t row, const Corner &corner, F f)
{
  const Connections connections = load_connections (p, p.joins, (size_t) row * patch_size * p.row_words + column, 0);

  if (connections.falling && corner.own != no_component && corner.up_left != no_component)
    f (corner.own, corner.up_left);
  if (connections.rising && corner.left != no_component && corner.up != no_component)
    f (corner.left, corner.up);
}

/* --- Features of records ------------------------------------------------------------------------------- */

template <bool moments>
__device__ static Vote
load_vote (const CcaPatchesParams &p, bool exists, uint32_t record)
{
  Vote vote = {};

  if (exists && p.features.tally) {
    vote.tally = p.features.tally[record];
    if (moments)
      vote.moments = p.features.moments[record];
  }
  return vote;
}

/* Accumulates records' features in their roots; call it with all lanes. */
template <bool moments>
__device__ static void
accumulate_records (const CcaPatchesParams &p, VotingTable &table, bool votes, uint32_t root, Vote vote)
{
  constexpr int many = 4;
  const uint32_t voters = __ballot_sync (all_lanes, votes);

  if (!voters || !p.features.tally)
    return;
  if (votes) {
    const uint32_t peers = __match_any_sync (voters, root);
    if (__any_sync (voters, __popc (peers) >= many))
      votes = reduce_among_peers (voters, peers, vote, moments);
  }
  cast_votes_side_by_side<moments> (p.features, table, votes, root, vote);
}

/* Returns the part of a record's tally that the filter needs; others may have just written it. */
__device__ static CcaTally
load_sizes (const CcaPatchesParams &p, uint32_t record)
{
  const uint4 sizes = __ldcg ((const uint4 *) (p.features.tally + record) + 1);

  return { 0, 0, sizes.x, sizes.y, sizes.z, sizes.w };
}

/* Marks a root's first pixel if its component passes the filter. With a filter the component must have all its votes.
 */
__device__ static void
filter_record (const CcaPatchesParams &p, Label label)
{
  const FirstPixel first = first_pixel (p, label);

  if (p.has_filter && !size_passes (p.sizes, load_sizes (p, record_of (label)), first_y (label)))
    return;
  atomicOr (p.firsts + first.word (), 1u << first.x);
  atomicAdd (p.counters + CCA_ROW_FIRSTS + first_y (label), 1);
}
