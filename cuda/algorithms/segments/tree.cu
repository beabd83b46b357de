/* gst-cca: voting by merging trees: what is the same for all kinds of segments
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/segments/tree.cuh"

/* Merges the trees of `step` blocks each, pairwise, in global memory. A warp works on the nodes of a block. */
extern "C" __global__ void
cca_merge_trees (const CcaTreeParams p)
{
  const uint32_t pair = warp_index () / p.step, block = (2 * pair + 1) * p.step + warp_index () % p.step;
  uint32_t *const root = p.tree.roots + 2 * pair * p.step;

  if (block >= p.tree.n_blocks)
    return;
  for (uint32_t i = lane_index (); i < p.tree.counts[block]; i += warp_size) {
    const uint32_t self = block * CCA_TREE_BLOCK + i, component = p.tree.components[self];

    if (component == no_component) /* merged before */
      continue;
    /* Others come here only by the place that this node takes. */
    __stcg (p.tree.children + 2 * (size_t) self, no_node);
    __stcg (p.tree.children + 2 * (size_t) self + 1, no_node);
    __threadfence ();
    const uint32_t there = find_or_insert (
        root, self, component, [&] (uint32_t node) { return p.tree.components[node]; },
        [&] (uint32_t node, uint32_t right) { return p.tree.children + 2 * (size_t) node + right; });

    if (there != no_node) {
      add_features (p.tree.features, there, self);
      p.tree.components[self] = no_component;
    }
  }
}

/* Moves the features of the nodes of the last tree to their components. A warp works on the nodes of a block. */
extern "C" __global__ void
cca_harvest_tree (const CcaTreeParams p)
{
  const uint32_t block = warp_index ();

  if (block >= p.tree.n_blocks)
    return;
  for (uint32_t i = lane_index (); i < p.tree.counts[block]; i += warp_size) {
    const uint32_t self = block * CCA_TREE_BLOCK + i, component = p.tree.components[self];

    if (component == no_component)
      continue;
    Vote vote = { p.tree.features.tally[self], {} };

    if (p.tree.features.moments)
      vote.moments = p.tree.features.moments[self];
    store_vote (p.segments.component_features, component, vote);
  }
}
