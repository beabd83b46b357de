/* gst-cca: the steps after the unions, for every kind of segments: flatten, number, measure, paint
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A kind is a struct of static functions:
 *   count (p)                      the number of items (runs, words) in all rows
 *   at (p, item, lane)             the segment of an item's lane; `lanes` lanes share an item
 *   of_pixel (p, y, x)             the id of the segment of a foreground pixel
 * Items are in raster order, and so are the segments of an item's lanes. A warp works on a chunk of them (CCA_CHUNKS).
 */
#pragma once

#include "cuda/algorithms/segments/params.h"
#include "cuda/kernels/features.cuh"
#include "cuda/kernels/paint.cuh"
#include "cuda/kernels/planes.cuh"
#include "cuda/kernels/union_find.cuh"
#include "cuda/kernels/vote.cuh"

/* Merges the features of a segment that is no longer a root into its root, and repeats this until the target is still a
 * root (algorithm 2). */
__device__ inline void
merge_into_root (const CcaSegmentsParams &p, uint32_t segment)
{
  uint32_t root = find_root (CurrentParents{ p.parent }, segment);

  while (root != segment) {
    __threadfence ();
    cast_vote (p.segment_features, root, take_vote (p.segment_features, segment));
    __threadfence ();
    segment = root;
    root = find_root (CurrentParents{ p.parent }, segment);
  }
}

template <bool otf>
__device__ inline void
unite_segments (const CcaSegmentsParams &p, uint32_t a, uint32_t b)
{
  const uint32_t lost_root = unite (GlobalParents{ p.parent }, a, b);

  /* moves the features of the former root to its new root */
  if (otf && lost_root != no_root) {
    __threadfence ();
    merge_into_root (p, lost_root);
  }
}

struct Segment
{
  uint32_t id, y, start, end; /* end is 0 if there is no segment */

  __device__ bool exists () const { return end != 0; }
};

/* Calls f (segments) for all segments of the items first…last-1, in order, with all lanes together. A lane gets
 * n_at_once segments, so that f can load all of them before it waits. A kind may specialise this with another
 * number. */
template <typename Kind> struct SegmentsOf
{
  template <uint32_t n_at_once, typename F>
  __device__ static void for_each (const CcaSegmentsParams &p, uint32_t first, uint32_t last, F f)
  {
    constexpr uint32_t step = warp_size / Kind::lanes;

    for (uint32_t i = first; i < last; i += n_at_once * step) {
      Segment segments[n_at_once];

#pragma unroll
      for (uint32_t k = 0; k < n_at_once; k++) {
        const uint32_t item = i + k * step + lane_index () / Kind::lanes;

        segments[k] = item < last ? Kind::at (p, item, lane_index () % Kind::lanes) : Segment{};
      }
      f (segments);
    }
  }
};

/* A warp's items first…last-1. */
struct Chunk
{
  uint32_t first, last;
};

template <typename Kind>
__device__ inline Chunk
chunk_of_warp (const CcaSegmentsParams &p)
{
  constexpr uint32_t step = warp_size / Kind::lanes; /* items of a warp per step */
  const uint32_t n = Kind::count (p), size = (n + CCA_CHUNKS * step - 1) / (CCA_CHUNKS * step) * step;
  const uint32_t first = min (warp_index () * size, n);

  return { first, min (first + size, n) };
}

/* Calls f (segments) for all segments of this warp's chunk, with all lanes together. */
template <typename Kind, uint32_t n_at_once = 4, typename F>
__device__ inline void
for_each_few_segments (const CcaSegmentsParams &p, F f)
{
  const Chunk chunk = chunk_of_warp<Kind> (p);

  SegmentsOf<Kind>::template for_each<n_at_once> (p, chunk.first, chunk.last, f);
}

/* Calls f (segment) for all segments of this warp's chunk, with all lanes together. */
template <typename Kind, typename F>
__device__ inline void
for_each_segment (const CcaSegmentsParams &p, F f)
{
  for_each_few_segments<Kind, 1> (p, [&] (const auto &segments) { f (segments[0]); });
}

/* Unites over the links with the row above, at those pixels of word i of row y that are in `lane_bits`. */
template <typename Kind, bool otf, typename Bits>
__device__ inline void
unite_links (const CcaSegmentsParams &p, uint32_t y, uint32_t i, Bits lane_bits)
{
  const Word<Bits> word = load_word<Bits> (p.planes, y, i), above = load_word<Bits> (p.planes, y - 1, i);
  const Links<Bits> links = load_links (p.planes, y, i, word, above);

  for (Bits bits = links.any () & lane_bits; bits; bits &= bits - 1) {
    const uint32_t shift = __ffsll (bits) - 1, x = i * (8 * sizeof (Bits)) + shift;

    if (links.vertical >> shift & 1)
      unite_segments<otf> (p, Kind::of_pixel (p, y, x), Kind::of_pixel (p, y - 1, x));
    if (links.falling >> shift & 1)
      unite_segments<otf> (p, Kind::of_pixel (p, y, x), Kind::of_pixel (p, y - 1, x - 1));
    if (links.rising >> shift & 1)
      unite_segments<otf> (p, Kind::of_pixel (p, y, x - 1), Kind::of_pixel (p, y - 1, x));
  }
}

/* Replaces nodes by their roots, given their parents `above`. All nodes take their steps together, so that their loads
 * overlap. Nodes with a long path finish alone, and halve it for others. */
template <uint32_t n>
__device__ inline void
find_roots (const GlobalParents &parents, uint32_t (&nodes)[n], const uint32_t (&above)[n])
{
  constexpr uint32_t n_steps = 8;
  bool goes_on[n], any = false;

#pragma unroll
  for (uint32_t k = 0; k < n; k++) {
    goes_on[k] = above[k] != nodes[k];
    nodes[k] = above[k];
    any |= goes_on[k];
  }
  for (uint32_t step = 0; any && step < n_steps; step++) {
    uint32_t next[n];

    any = false;
#pragma unroll
    for (uint32_t k = 0; k < n; k++)
      next[k] = goes_on[k] ? parents.get (nodes[k]) : nodes[k];
#pragma unroll
    for (uint32_t k = 0; k < n; k++) {
      goes_on[k] = next[k] != nodes[k];
      nodes[k] = next[k];
      any |= goes_on[k];
    }
  }
#pragma unroll
  for (uint32_t k = 0; k < n; k++)
    if (goes_on[k])
      nodes[k] = find_root (parents, nodes[k]);
}

/* Points every segment at its root, and counts the roots of each chunk. Calls keep (roots) for each of the warp's
 * segments in order; `roots` has the lanes whose segments are roots. */
template <typename Kind, typename F>
__device__ inline void
flatten_and_keep (const CcaSegmentsParams &p, F keep)
{
  const GlobalParents parents = { p.parent };
  uint32_t n_roots = 0;

  for_each_few_segments<Kind> (p, [&] (const auto &segments) {
    constexpr uint32_t n = sizeof segments / sizeof *segments;
    uint32_t parent[n], grandparent[n], root[n];

#pragma unroll
    for (uint32_t k = 0; k < n; k++)
      root[k] = parent[k] = segments[k].exists () ? parents.get (segments[k].id) : 0;
#pragma unroll
    for (uint32_t k = 0; k < n; k++)
      grandparent[k] = segments[k].exists () ? parents.get (parent[k]) : 0;
    find_roots (parents, root, grandparent);
#pragma unroll
    for (uint32_t k = 0; k < n; k++) {
      if (root[k] != parent[k])
        __stcg (p.parent + segments[k].id, root[k]);
      const uint32_t roots = __ballot_sync (all_lanes, segments[k].exists () && parent[k] == segments[k].id);

      n_roots += __popc (roots);
      keep (roots);
    }
  });
  if (lane_index () == 0)
    p.chunk_roots[warp_index ()] = n_roots;
}

template <typename Kind>
__device__ inline void
flatten (const CcaSegmentsParams &p)
{
  flatten_and_keep<Kind> (p, [] (uint32_t) {});
}

/* Numbers a root. A component's features begin with its root's vote, or with all votes after on-the-fly merging. */
__device__ inline void
number_root (const CcaSegmentsParams &p, const Segment &root, uint32_t component)
{
  p.parent[root.id] = CCA_NUMBERED | component;
  if (!p.component_features.tally)
    return;
  store_vote (p.component_features, component,
              p.segment_features.tally ? load_vote (p.segment_features, root.id)
                                       : vote_of_segment (root.start, root.end, root.y, p.component_features.moments));
  p.firsts[component] = root.y << 16 | root.start;
}

/* Returns the number of roots in all chunks before this warp's. All threads call it; the last warp stores the total. */
__device__ inline uint32_t
count_roots_before (const CcaSegmentsParams &p)
{
  constexpr uint32_t n_warps = CCA_BLOCK / warp_size;
  __shared__ uint32_t sums[n_warps];
  const uint32_t warp = threadIdx.x / warp_size, first = blockIdx.x * n_warps;
  uint32_t sum = 0, own = 0;

  for (uint32_t i = 4 * threadIdx.x; i < first; i += 4 * CCA_BLOCK) {
    const uint4 four = *(const uint4 *) (p.chunk_roots + i);

    sum += four.x + four.y + four.z + four.w;
  }
  sum = warp_sum (sum);
  if (lane_index () == 0)
    sums[warp] = sum;
  if (lane_index () <= warp)
    own = p.chunk_roots[first + lane_index ()];
  __syncthreads ();
  const uint32_t up_to_here = warp_sum (own + (lane_index () < n_warps ? sums[lane_index ()] : 0));

  own = __shfl_sync (all_lanes, own, warp);
  if (first + warp == p.n_chunks - 1 && lane_index () == 0) {
    p.headers.device->n_all = up_to_here;
    store_count (p.headers, up_to_here);
  }
  return up_to_here - own;
}

/* Numbers the roots in raster order. */
template <typename Kind>
__device__ inline void
number (const CcaSegmentsParams &p)
{
  uint32_t before = count_roots_before (p);

  for_each_few_segments<Kind> (p, [&] (const auto &segments) {
    constexpr uint32_t n = sizeof segments / sizeof *segments;
    bool is_root[n];

#pragma unroll
    for (uint32_t k = 0; k < n; k++)
      is_root[k] = segments[k].exists () && p.parent[segments[k].id] == segments[k].id;
#pragma unroll
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t roots = __ballot_sync (all_lanes, is_root[k]);

      if (is_root[k])
        number_root (p, segments[k], before + __popc (roots & lanes_before ()));
      before += __popc (roots);
    }
  });
}

/* Returns the component of a segment, after number (). Most segments point at their root, but a thread that halved a
 * path late in flatten () may have left it longer. */
__device__ inline uint32_t
component_of (const CcaSegmentsParams &p, uint32_t segment)
{
  uint32_t parent = p.parent[segment];

  while (!(parent & CCA_NUMBERED))
    parent = p.parent[parent];
  return parent & ~CCA_NUMBERED;
}

/* Returns the component for which a segment votes, or no_component for a root, which number () has counted. Stores it
 * for painting, too. */
__device__ inline uint32_t
component_to_vote_for (const CcaSegmentsParams &p, const Segment &segment)
{
  uint32_t component;

  if (!segment.exists () || (p.parent[segment.id] & CCA_NUMBERED))
    return no_component;
  component = component_of (p, segment.id);
  p.parent[segment.id] = CCA_NUMBERED | component;
  return component;
}

template <typename Kind>
__device__ inline void
measure (const CcaSegmentsParams &p)
{
  for_each_segment<Kind> (p, [&] (const Segment &segment) {
    const uint32_t component = component_to_vote_for (p, segment);

    if (component != no_component)
      cast_vote (p.component_features, component,
                 vote_of_segment (segment.start, segment.end, segment.y, p.component_features.moments));
  });
}

/* Measures with conflict detection. Unlike the paper, a warp stays with a component for which many of its lanes vote:
 * each lane sums its votes, and the warp adds them to the component when it changes to another one. */
template <typename Kind, bool moments>
__device__ inline void
measure_cd (const CcaSegmentsParams &p)
{
  constexpr int many = 8;
  __shared__ VotingTable tables[CCA_BLOCK / warp_size];
  uint32_t held = no_component;
  Vote held_vote = {};

  for_each_segment<Kind> (p, [&] (const Segment &segment) {
    const uint32_t component = component_to_vote_for (p, segment);
    Vote vote = vote_of_segment (segment.start, segment.end, segment.y, moments);
    bool votes = component != no_component && component != held;
    uint32_t voters = __ballot_sync (all_lanes, votes), peers = 0;

    if (component != no_component && component == held)
      add_vote (held_vote, vote, moments);
    if (!voters)
      return;
    if (votes)
      peers = __match_any_sync (voters, component);
    const uint32_t crowd = __ballot_sync (all_lanes, __popc (peers) >= many);
    if (crowd) {
      if (held != no_component)
        cast_vote_of_warp<moments> (p.component_features, held, held_vote);
      held = __shfl_sync (all_lanes, component, __ffs (crowd) - 1);
      held_vote = component == held ? vote : Vote{};
      votes = votes && component != held;
      voters = __ballot_sync (all_lanes, votes);
    }
    if (votes)
      votes = reduce_among_peers (voters, peers, vote, moments);
    cast_votes_side_by_side<moments> (p.component_features, tables[threadIdx.x / warp_size], votes, component, vote);
  });
  if (held != no_component)
    cast_vote_of_warp<moments> (p.component_features, held, held_vote);
}

/* --- Painting ---------------------------------------------------------------------------------------- */

/* Paints four pixels per thread; blocks are two-dimensional. */
template <typename Kind>
__device__ inline void
paint (const CcaPaintParams &p)
{
  const uint32_t x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
  uint32_t labels[4], label = 0;

  if (x >= p.canvas.width || y >= p.canvas.height)
    return;
  const Word<uint32_t> word = load_word<uint32_t> (p.segments.planes, y, x / 32);

  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t bit = x % 32 + i;
    const bool here = word.here >> bit & 1, joined = i > 0 && (word.joins >> bit & 1);

    if (here && !joined) {
      const uint32_t component = component_of (p.segments, Kind::of_pixel (p.segments, y, x + i));

      label = p.numbers ? p.numbers[component] : component + 1;
    }
    labels[i] = here ? label : 0;
  }
  paint_four (p.canvas, x, y, labels);
}

/* Defines the kernels of CCA_SEGMENT_KERNELS for a kind. */
#define CCA_DEFINE_SEGMENT_KERNELS(name, Kind)                                                                         \
  extern "C" __global__ void cca_flatten_##name (const CcaSegmentsParams p)                                            \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    flatten<Kind> (p);                                                                                                 \
  }                                                                                                                    \
  extern "C" __global__ void cca_number_##name (const CcaSegmentsParams p)                                             \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    number<Kind> (p);                                                                                                  \
  }                                                                                                                    \
  extern "C" __global__ void cca_measure_##name (const CcaSegmentsParams p)                                            \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    measure<Kind> (p);                                                                                                 \
  }                                                                                                                    \
  extern "C" __global__ void cca_measure_##name##_cd (const CcaSegmentsParams p)                                       \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    measure_cd<Kind, false> (p);                                                                                       \
  }                                                                                                                    \
  extern "C" __global__ void cca_measure_##name##_cd_moments (const CcaSegmentsParams p)                               \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    measure_cd<Kind, true> (p);                                                                                        \
  }                                                                                                                    \
  CCA_DEFINE_TREE_KERNEL (name, Kind)                                                                                  \
  extern "C" __global__ void cca_paint_##name (const CcaPaintParams p)                                                 \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    paint<Kind> (p);                                                                                                   \
  }

#include "cuda/algorithms/segments/tree.cuh"
