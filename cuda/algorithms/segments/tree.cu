/* gst-cca: voting by merging trees: kernels for all kinds of segments
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/segments/tree.cuh"

/* Calls f (node, component) for the nodes of a block that are in a tree, a lane each. */
template <typename F>
__device__ inline void
for_each_node (const CcaTree &tree, uint32_t block, F f)
{
  if (block >= tree.n_blocks)
    return;
  for (uint32_t i = lane_index (); i < tree.counts[block]; i += warp_size) {
    const uint32_t node = block * CCA_TREE_BLOCK + i, component = tree.components[node];

    if (component != no_component)
      f (node, component);
  }
}

/* Returns the left and the right child of a node of the last tree. */
__device__ inline uint2
children_of (const CcaTree &tree, uint32_t node)
{
  return ((const uint2 *) tree.children)[node];
}

/* Merges the trees of `step` blocks each, pairwise, in global memory. A warp works on the nodes of a block. */
extern "C" __global__ void
cca_merge_trees (const CcaTreeParams p)
{
  const uint32_t pair = warp_index () / p.step, block = (2 * pair + 1) * p.step + warp_index () % p.step;
  uint32_t *const root = p.tree.roots + 2 * pair * p.step;

  for_each_node (p.tree, block, [&] (uint32_t self, uint32_t component) {
    /* Other threads reach this node only through the place that it claims below. */
    __stcg (p.tree.children + 2 * (size_t) self, no_node);
    __stcg (p.tree.children + 2 * (size_t) self + 1, no_node);
    __threadfence ();
    const Found found = find_or_insert (
        root, self, component, [&] (uint32_t node) { return p.tree.components[node]; },
        [&] (uint32_t node, uint32_t right) { return p.tree.children + 2 * (size_t) node + right; });

    p.tree.parents[self] = found.parent;
    if (found.node != no_node) {
      add_features (p.tree.features, found.node, self);
      p.tree.components[self] = no_component;
    }
  });
}

/* Sums the sizes of the last tree's subtrees (algorithm 2), a thread for each leaf on its way to the root. Where two
 * threads meet, the first one leaves its sum and stops; if it continued, as in the paper, its nodes would count twice
 * further up. A warp works on the nodes of a block. */
extern "C" __global__ void
cca_size_subtrees (const CcaTreeParams p)
{
  for_each_node (p.tree, warp_index (), [&] (uint32_t leaf, uint32_t) {
    const uint2 none = children_of (p.tree, leaf);
    uint32_t size = 1;

    if (none.x != no_node || none.y != no_node)
      return;
    p.tree.sizes[leaf] = size;
    for (uint32_t node = p.tree.parents[leaf]; node != no_node; node = p.tree.parents[node]) {
      const uint2 children = children_of (p.tree, node);
      uint32_t other = 0;

      if (children.x != no_node && children.y != no_node && !(other = atomicCAS (p.tree.sizes + node, 0u, size + 1)))
        return;
      size += other ? other : 1; /* the other sum includes this node */
      p.tree.sizes[node] = size;
    }
  });
}

/* Packs the nodes of the last tree (algorithm 3). A warp works on the nodes of a block. */
extern "C" __global__ void
cca_balance_tree (const CcaTreeParams p)
{
  for_each_node (p.tree, warp_index (), [&] (uint32_t self, uint32_t component) {
    uint32_t node = p.tree.roots[0], place = 0;

    for (uint32_t depth = 0; node != self; depth++) {
      const uint2 children = children_of (p.tree, node);
      const bool right = component >> depth & 1;

      place += 1 + (right && children.x != no_node ? p.tree.sizes[children.x] : 0);
      node = right ? children.y : children.x;
    }
    p.tree.balanced_components[place] = component;
    store_vote (p.tree.balanced_features, place, load_vote (p.tree.features, self));
  });
}

/* Moves the features of the balanced tree's nodes to their components. */
extern "C" __global__ void
cca_harvest_tree (const CcaTreeParams p)
{
  const uint32_t root = p.tree.roots[0], n_nodes = root == no_node ? 0 : p.tree.sizes[root];

  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n_nodes; i += gridDim.x * blockDim.x)
    store_vote (p.segments.component_features, p.tree.balanced_components[i], load_vote (p.tree.balanced_features, i));
}
