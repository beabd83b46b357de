/* gst-cca: trees of features: each node's size, parent and place, and the features of components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The segments are a list here, of any components, so that trees may be deep or have a single node.
 */
#include "device.h"
#include "emulator.h"

#include "cuda/algorithms/segments/tree.cu"

#include <glib.h>
#include <vector>

typedef std::vector<uint32_t> List;

static constexpr uint32_t no_segment = no_component, max_components = 1 << 12;

/* A segment for each place whose component (CcaSegmentsParams.runs) is not no_segment. */
struct Listed
{
  static constexpr uint32_t lanes = 1;

  static uint32_t count (const CcaSegmentsParams &p) { return p.planes.height; }

  static Segment at (const CcaSegmentsParams &p, uint32_t item, uint32_t)
  {
    const uint32_t start = item * 7 % 100;

    return p.runs[item] != no_segment ? Segment{ item, item / 3, start, start + 1 + item % 5 } : Segment{};
  }
};

static void
plant (const void *params)
{
  plant_trees<Listed> (*(const CcaTreeParams *) params);
}
static void
merge (const void *params)
{
  cca_merge_trees (*(const CcaTreeParams *) params);
}
static void
size (const void *params)
{
  cca_size_subtrees (*(const CcaTreeParams *) params);
}
static void
balance (const void *params)
{
  cca_balance_tree (*(const CcaTreeParams *) params);
}
static void
harvest (const void *params)
{
  cca_harvest_tree (*(const CcaTreeParams *) params);
}

static void
run (void (*call) (const void *), uint32_t n_blocks, const CcaTreeParams &p)
{
  const EmulatedKernel kernel = { "kernel", sizeof p, call };
  const uint32_t grid[] = { n_blocks, 1, 1 }, block[] = { CCA_TREE_BLOCK, 1, 1 };

  emulator_run (&kernel, grid, block, &p);
}

/* Checks a subtree's links and sizes, appends its components in preorder, and returns how many there are. */
static uint32_t
check_subtree (const CcaTree &tree, uint32_t node, uint32_t parent, List &components)
{
  uint32_t n = 1;

  if (node == no_node)
    return 0;
  components.push_back (tree.components[node]);
  for (uint32_t right = 0; right < 2; right++)
    n += check_subtree (tree, tree.children[2 * node + right], node, components);
  g_assert_cmpuint (tree.parents[node], ==, parent);
  g_assert_cmpuint (tree.sizes[node], ==, n);
  return n;
}

static void
check_vote (const CcaTallies &list, uint32_t place, const Vote &expected)
{
  const Vote vote = load_vote (list, place);

  g_assert_cmpmem (&vote.tally, sizeof vote.tally, &expected.tally, sizeof expected.tally);
  if (list.moments)
    g_assert_cmpmem (&vote.moments, sizeof vote.moments, &expected.moments, sizeof expected.moments);
}

/* Merges the trees of segments of these components, and checks each kernel's results. */
static void
check_forest (List segments, bool moments)
{
  const uint32_t n = segments.size (), n_blocks = (n + CCA_TREE_BLOCK - 1) / CCA_TREE_BLOCK,
                 n_nodes = n_blocks * CCA_TREE_BLOCK;
  const uint32_t garbage = 0xa5a5a5a5;
  List parent, roots (n_blocks, garbage), counts (n_blocks, garbage), components (n_nodes, garbage),
      children (2 * n_nodes, garbage), parents (n_nodes, garbage), sizes (n_nodes, garbage),
      balanced (max_components, garbage), preorder;
  std::vector<CcaTally> tally (n_nodes), balanced_tally (max_components), component_tally (max_components);
  std::vector<CcaMoments> second (n_nodes), balanced_second (max_components), component_second (max_components);
  std::vector<Vote> expected (max_components);
  CcaTreeParams p = {};
  uint32_t n_components = 0;

  p.segments.planes.height = n;
  p.segments.runs = segments.data ();
  p.segments.component_features = { component_tally.data (), moments ? component_second.data () : NULL };
  p.tree = { n_blocks,         roots.data (),
             counts.data (),   components.data (),
             children.data (), parents.data (),
             sizes.data (),    { tally.data (), moments ? second.data () : NULL },
             balanced.data (), { balanced_tally.data (), moments ? balanced_second.data () : NULL } };
  for (uint32_t i = 0; i < n; i++) {
    const Segment segment = Listed::at (p.segments, i, 0);

    parent.push_back (CCA_NUMBERED | segments[i]);
    if (!segment.exists ())
      continue;
    n_components += expected[segments[i]].tally.area == 0;
    add_vote (expected[segments[i]], vote_of_segment (segment.start, segment.end, segment.y, true), true);
  }
  p.segments.parent = parent.data ();

  run (plant, n_blocks, p);
  for (p.step = 1; p.step < n_blocks; p.step *= 2)
    run (merge, n_blocks, p);
  run (size, n_blocks, p);
  g_assert_cmpuint (check_subtree (p.tree, roots[0], no_node, preorder), ==, n_components);

  run (balance, n_blocks, p);
  for (uint32_t i = 0; i < max_components; i++)
    g_assert_cmpuint (balanced[i], ==, i < n_components ? preorder[i] : garbage);
  for (uint32_t i = 0; i < n_components; i++)
    check_vote (p.tree.balanced_features, i, expected[preorder[i]]);

  run (harvest, 2, p);
  for (uint32_t i = 0; i < max_components; i++)
    check_vote (p.segments.component_features, i, expected[i]);
}

/* Lists of several lengths, of the components that f (place) gives. */
template <typename F>
static void
check_forests (F f)
{
  for (uint32_t n : { 1, 2, 3, 255, 256, 257, 700, 1024, 2600 }) {
    List segments;

    for (uint32_t i = 0; i < n; i++)
      segments.push_back (f (i));
    check_forest (segments, n % 2);
  }
}

static void
test_none (void)
{
  check_forests ([] (uint32_t) { return no_segment; });
}

static void
test_one (void)
{
  check_forests ([] (uint32_t) { return 5; });
  check_forests ([] (uint32_t i) { return i == 2 ? 5 : no_segment; });
}

static void
test_all_different (void)
{
  check_forests ([] (uint32_t i) { return i; });
  check_forests ([] (uint32_t i) { return max_components - 1 - i; });
}

/* Components whose low bits are the same: the tree begins as a list. */
static void
test_deep (void)
{
  check_forests ([] (uint32_t i) { return i % 16 << 8; });
  check_forests ([] (uint32_t i) { return i % 32 << 7 | 127; });
  check_forests ([] (uint32_t i) { return 1u << i % 12; });
}

static void
test_random (void)
{
  for (uint32_t limit : { 2, 3, 40, 1000, 4096 })
    for (uint32_t every : { 1, 4 })
      check_forests ([=] (uint32_t) {
        return (uint32_t) (g_test_rand_int_range (0, every) ? no_segment : g_test_rand_int_range (0, limit));
      });
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trees/none", test_none);
  g_test_add_func ("/trees/one", test_one);
  g_test_add_func ("/trees/all-different", test_all_different);
  g_test_add_func ("/trees/deep", test_deep);
  g_test_add_func ("/trees/random", test_random);
  return g_test_run ();
}
