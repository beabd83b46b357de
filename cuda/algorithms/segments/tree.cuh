/* gst-cca: voting by merging trees: kernels for each kind of segments
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Windisch, Kaever, Juckeland & Bieberle, Parallel algorithm for connected-component analysis using CUDA, Algorithms
 * 16, 2023, section 3.2 ("tree merge kernel"). A node has the features of a component, as far as a tree knows them. A
 * tree is a binary trie of components: at depth d a node's bit d decides in which of the subtrees it is. Neighbouring
 * trees merge pairwise, a thread for each node of the right one, the source:
 *
 *     target   5      source   4      result   5       6 goes left at 5 (bit 0 is 0) and finds 6, to whose features
 *             / \              /              / \      it adds its own; 4 goes left at 5 and at 6 (bit 1 is 0),
 *            6   7            6              6   7     where it finds a free place
 *                                           /
 *                                          4
 *
 * A component is in a tree only once: no two threads add to the same node, and atomic operations are needed only to
 * claim places. The last tree is balanced (sections 3.2.3 and 3.2.4): its nodes are packed in preorder; a node's index
 * follows from the sizes of the subtrees on its path from the root (tree.cu).
 */
#pragma once

#include "cuda/algorithms/segments/segments.cuh"

constexpr uint32_t no_node = UINT32_MAX;

/* Result of find_or_insert (). */
struct Found
{
  uint32_t node, parent; /* or no_node */
};

/* Searches the tree at `place` for the node of a component; if there is none, claims the place for `node`, which has no
 * children. Returns the existing node, if any, and the parent of the place. component_of (node) returns a node's
 * component, child (node, right) a pointer to a place. */
template <typename ComponentOf, typename Child>
__device__ inline Found
find_or_insert (uint32_t *place, uint32_t node, uint32_t component, ComponentOf component_of, Child child)
{
  uint32_t parent = no_node;

  for (uint32_t depth = 0;; depth++) {
    const uint32_t there = atomicCAS (place, no_node, node);

    if (there == no_node || component_of (there) == component)
      return { there, parent };
    place = child (there, component >> depth & 1);
    parent = there;
  }
}

/* Adds one vote to another in shared or global memory; no other thread may access it. */
__device__ inline void
add_features (const CcaTallies &list, uint32_t to, uint32_t from)
{
  Vote sum = load_vote (list, to);

  add_vote (sum, load_vote (list, from), list.moments != NULL);
  store_vote (list, to, sum);
}

/* Makes each segment a node, and merges the nodes of each block's segments in shared memory into one tree. */
template <typename Kind>
__device__ inline void
plant_trees (const CcaTreeParams &p)
{
  constexpr uint32_t size = CCA_TREE_BLOCK;
  __shared__ uint32_t components[size], children[size][2], parents[size], roots[size], ranks[size];
  __shared__ uint32_t counts[size / warp_size];
  __shared__ CcaTally tally[size];
  __shared__ CcaMoments moments[size];
  const CcaTallies list = { tally, p.tree.features.moments ? moments : NULL };
  const uint32_t self = threadIdx.x, lane = blockIdx.x * size + self, item = lane / Kind::lanes;
  const Segment segment = item < Kind::count (p.segments) ? Kind::at (p.segments, item, lane % Kind::lanes) : Segment{};

  if (__syncthreads_and (!segment.exists ())) {
    if (self == 0) {
      p.tree.roots[blockIdx.x] = no_node;
      p.tree.counts[blockIdx.x] = 0;
    }
    return;
  }
  components[self] = no_component;
  if (segment.exists ()) {
    components[self] = component_of (p.segments, segment.id);
    p.segments.parent[segment.id] = CCA_NUMBERED | components[self]; /* for painting */
    store_vote (list, self, vote_of_segment (segment.start, segment.end, segment.y, list.moments != NULL));
  }
  roots[self] = segment.exists () ? self : no_node;
  parents[self] = no_node;
  for (uint32_t step = 1; step < size; step *= 2) {
    const bool source = self & step && components[self] != no_component;

    if (source || step == 1)
      children[self][0] = children[self][1] = no_node;
    __syncthreads ();
    if (source) {
      const Found found = find_or_insert (
          roots + self / (2 * step) * (2 * step), self, components[self],
          [&] (uint32_t node) { return components[node]; },
          [&] (uint32_t node, uint32_t right) { return &children[node][right]; });

      parents[self] = found.parent;
      if (found.node != no_node) {
        add_features (list, found.node, self);
        components[self] = no_component;
      }
    }
    __syncthreads ();
  }

  /* Stores the remaining nodes packed. */
  const bool left = components[self] != no_component;
  const uint32_t neighbours = __ballot_sync (all_lanes, left);

  if (self % warp_size == 0)
    counts[self / warp_size] = __popc (neighbours);
  __syncthreads ();
  uint32_t rank = __popc (neighbours & lanes_before ()), count = 0;

  for (uint32_t w = 0; w < size / warp_size; w++) {
    rank += w < self / warp_size ? counts[w] : 0;
    count += counts[w];
  }
  ranks[self] = rank;
  __syncthreads ();
  const uint32_t first = blockIdx.x * size;
  const auto place_of = [&] (uint32_t node) { return node == no_node ? no_node : first + ranks[node]; };

  if (left) {
    store_vote (p.tree.features, first + rank, load_vote (list, self));
    p.tree.components[first + rank] = components[self];
    for (uint32_t right = 0; right < 2; right++)
      p.tree.children[2 * (size_t) (first + rank) + right] = place_of (children[self][right]);
    p.tree.parents[first + rank] = place_of (parents[self]);
    p.tree.sizes[first + rank] = 0;
  }
  if (self == 0) {
    p.tree.roots[blockIdx.x] = place_of (roots[0]);
    p.tree.counts[blockIdx.x] = count;
  }
}

/* Defines a kind's kernel of CCA_SEGMENT_KERNELS for trees. */
#define CCA_DEFINE_TREE_KERNEL(name, Kind)                                                                             \
  extern "C" __global__ void __launch_bounds__ (CCA_TREE_BLOCK) cca_plant_trees_##name (const CcaTreeParams p)         \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    plant_trees<Kind> (p);                                                                                             \
  }
