/* gst-cca: uniting the components of patches within groups
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *     +--+--+--+--+           A block unites the components of a group of 8x8 patches in shared memory (unite_patches)
 *     |  |  |  |  |           and accumulates their features. Most components end there. Those that touch the group's
 *     +--+--+--+--+           border are its outer components; seams.cu takes them from a list.
 *     |  |  |  |  |  group
 *     +--+--+--+--+           The block reads only borders, which solve_patches has stored: 128 bytes a patch, or only
 *                             its sides.
 */
#include "cuda/algorithms/patches/seams.cuh"

constexpr uint32_t group_size = CCA_GROUP, group_patches = group_size * group_size;

/* A component's label within its group: its first pixel, y << 8 | x, in the upper half; its index in the group's list
 * in the lower half. The minimum makes the component with the first pixel of all the root. */
constexpr uint32_t place_bits = 0x1fff, outer = 0x2000, first_shift = 16;
static_assert (group_size * patch_size <= 256, "a first pixel's coordinates are bytes");
static_assert (group_patches * CCA_BORDER_COMPONENTS_OF_VALUES_MAX <= place_bits, "places fit");

struct GroupParents
{
  uint32_t *parent;

  __device__ uint32_t get (uint32_t label) const { return *(volatile uint32_t *) (parent + (label & place_bits)); }
  __device__ void shorten (uint32_t label, uint32_t ancestor) const { lower (label, ancestor); }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicMin (parent + (root & place_bits), to); }
};

/* A group's components that touch borders of its patches, in one list. */
template <bool values> struct Group
{
  static constexpr uint32_t threads = values ? CCA_GROUP_BLOCK_OF_VALUES : CCA_GROUP_BLOCK, warps = threads / warp_size;

  CcaPatch patches[group_patches];
  uint32_t offsets[group_patches + 1]; /* for each patch its first component in the list */
  uint32_t parent[group_patches * (values ? CCA_BORDER_COMPONENTS_OF_VALUES_MAX : CCA_BORDER_COMPONENTS_MAX)];
  uint32_t n_outer;
  /* Masks for the sides of patches: foreground; among regions of equal value the first pixels of components. */
  uint32_t side_bits[n_sides][group_patches];
  /* Masks of seams: the left ones of patches, then the upper ones. */
  uint32_t mixed_seams[values ? 2 * group_patches / warp_size : 1];
  union
  {
    uint32_t borders[group_patches][warp_size]; /* while the block unites components */
    VotingTable tables[warps];                  /* thereafter */
  };

  __device__ uint32_t count () const { return offsets[group_patches]; }

  __device__ BorderWord border (uint32_t patch, uint32_t lane) const
  {
    return { has_mixed_side (patches[patch].sides) ? borders[patch][lane] : patches[patch].sides };
  }

  /* Returns a mask of the first pixels of components on a side of a patch. */
  __device__ uint32_t starts (uint32_t side, uint32_t patch) const
  {
    return values ? side_bits[side][patch] : side_bits[side][patch] & ~(side_bits[side][patch] << 1);
  }

  /* Returns the index in the list of a component that touches its patch's border. */
  __device__ uint32_t place (uint32_t patch, uint32_t component) const
  {
    return component == background ? no_component : offsets[patch] + component;
  }

  __device__ uint32_t record (uint32_t i) const
  {
    uint32_t patch = 0;

    for (uint32_t step = group_patches / 2; step > 0; step /= 2)
      patch += offsets[patch + step] <= i ? step : 0;
    return patches[patch].first + i - offsets[patch];
  }
};

/* A lane loads one record of a patch; a warp works on several patches at a time. */
constexpr uint32_t patches_a_warp = warp_size / CCA_PATCH_RECORDS;

/* Loads a group. Returns false, with the group not loaded, if all its patches are whole: each has one component, which
 * fills all its sides. */
template <bool values>
__device__ static bool
open_group (const CcaPatchesParams &p, Group<values> &group)
{
  constexpr uint32_t warps = Group<values>::warps, each = group_patches / (warps * patches_a_warp);
  constexpr uint32_t a_lane = group_patches / warp_size, size = group_size * patch_size;
  const uint32_t warp = threadIdx.x / warp_size, slot = lane_index () % CCA_PATCH_RECORDS;
  const auto patch_of = [&] (uint32_t i) {
    const uint32_t column = blockIdx.x * group_size + i % group_size, row = blockIdx.y * group_size + i / group_size;

    return column < p.columns && row < p.rows ? row * p.columns + column : UINT32_MAX;
  };
  const auto load = [&] (uint32_t place) {
    return place < UINT32_MAX ? patch_at (p, place) : CcaPatch{ 0, 0, 0, empty_sides, 0 };
  };
  CcaPatch own[each];
  Label labels[each];
  bool whole = !values;

  /* loads records before it is known whether the patch has so many */
#pragma unroll
  for (uint32_t k = 0; k < each; k++) {
    const uint32_t place = patch_of ((k * warps + warp) * patches_a_warp + lane_index () / CCA_PATCH_RECORDS);

    own[k] = load (place);
    labels[k] = place < UINT32_MAX ? p.parents[(size_t) place * CCA_PATCH_RECORDS + slot] : 0;
    whole = whole && own[k].n == 1 && own[k].sides == 0;
  }
  if (warp == 0) {
    CcaPatch patches[a_lane];
    uint32_t sum = 0;

#pragma unroll
    for (uint32_t k = 0; k < a_lane; k++) {
      patches[k] = load (patch_of (lane_index () * a_lane + k));
      sum += patches[k].n_border;
    }
    uint32_t offset = warp_inclusive_sum (sum) - sum;

#pragma unroll
    for (uint32_t k = 0; k < a_lane; k++) {
      group.patches[lane_index () * a_lane + k] = patches[k];
      group.offsets[lane_index () * a_lane + k] = offset;
      offset += patches[k].n_border;
    }
    if (lane_index () == warp_size - 1)
      group.offsets[group_patches] = offset;
    if (lane_index () == 0)
      group.n_outer = 0;
  }
  /* only patches with a mixed side need their border words */
#pragma unroll
  for (uint32_t k = 0; k < each; k++)
    for (uint32_t lanes = __ballot_sync (all_lanes, slot == 0 && has_mixed_side (own[k].sides)); lanes;
         lanes &= lanes - 1) {
      const uint32_t i = (k * warps + warp) * patches_a_warp + (__ffs (lanes) - 1) / CCA_PATCH_RECORDS;
      const uint32_t word = p.borders[(size_t) patch_of (i) * patch_size + lane_index ()];
      const uint32_t word_before = __shfl_up_sync (all_lanes, word, 1);

      group.borders[i][lane_index ()] = word;
#pragma unroll
      for (uint32_t side = 0; side < n_sides; side++) {
        const uint32_t component = word >> 8 * side & 255,
                       before = lane_index () > 0 ? word_before >> 8 * side & 255 : background;
        const uint32_t bits = __ballot_sync (all_lanes, component != background && !(values && component == before));

        if (lane_index () == 0)
          group.side_bits[side][i] = bits;
      }
    }
#pragma unroll
  for (uint32_t k = 0; k < each; k++)
    if (slot < n_sides && !has_mixed_side (own[k].sides))
      group.side_bits[slot][(k * warps + warp) * patches_a_warp + lane_index () / CCA_PATCH_RECORDS] =
          (own[k].sides >> 8 * slot & 255) == background ? 0
          : values                                       ? 1
                                                         : all_lanes;
  if (__syncthreads_and (whole))
    return false;
  const auto open_parent = [&] (uint32_t place, Label label) {
    group.parent[place] = (first_y (label) % size << 8 | first_x (label) % size) << first_shift | place;
  };

#pragma unroll
  for (uint32_t k = 0; k < each; k++) {
    const uint32_t first_patch = (k * warps + warp) * patches_a_warp;

    if (own[k].n <= CCA_PATCH_RECORDS && slot < own[k].n_border)
      open_parent (group.offsets[first_patch + lane_index () / CCA_PATCH_RECORDS] + slot, labels[k]);
    for (uint32_t lanes = __ballot_sync (all_lanes, slot == 0 && own[k].n > CCA_PATCH_RECORDS); lanes;
         lanes &= lanes - 1) {
      const uint32_t i = first_patch + (__ffs (lanes) - 1) / CCA_PATCH_RECORDS;
      const CcaPatch &patch = group.patches[i];

      for (uint32_t c = lane_index (); c < patch.n_border; c += warp_size)
        open_parent (group.offsets[i] + c, p.parents[patch.first + c]);
    }
  }
  __syncthreads ();
  return true;
}

/* Calls f for the diagonal links where four patches meet; a thread has the upper left corner of a patch. */
template <bool values, typename F>
__device__ static void
for_corners_in_group (const CcaPatchesParams &p, const Group<values> &group, F f)
{
  const uint32_t i = threadIdx.x, last = patch_size - 1;
  const uint32_t column = blockIdx.x * group_size + i % group_size, row = blockIdx.y * group_size + i / group_size;

  if (!p.planes.diagonal || i >= group_patches || i % group_size == 0 || i < group_size || column >= p.columns
      || row >= p.rows)
    return;
  for_each_corner_link (p.planes, column, row,
                        { group.place (i, group.border (i, 0).top ()),
                          group.place (i - 1, group.border (i - 1, 0).right ()),
                          group.place (i - group_size, group.border (i - group_size, 0).bottom ()),
                          group.place (i - group_size - 1, group.border (i - group_size - 1, last).bottom ()) },
                        f);
}

/* Calls f for the links over a seam, a thread for some of its pixels. Links are found as in a patch, and are few. */
template <typename F>
__device__ static void
for_links_in_group (const CcaPatchesParams &p, const Group<false> &group, F f)
{
  constexpr uint32_t parts = Group<false>::threads / (2 * group_patches), n_pixels = patch_size / parts;
  const uint32_t i = threadIdx.x % group_patches, part = threadIdx.x / (2 * group_patches);
  const bool left = threadIdx.x / group_patches % 2 == 0;
  const uint32_t other = i - (left ? 1 : group_size), side = left ? 2 : 0, other_side = left ? 3 : 1;

  if (left ? i % group_size == 0 : i < group_size)
    return;
  const uint32_t here = group.side_bits[side][i], there = group.side_bits[other_side][other];
  const uint32_t diagonals = p.planes.diagonal ? all_lanes : 0;
  const Links<uint32_t> all = { here & there, here & there << 1 & diagonals, here << 1 & there & diagonals };
  Links<uint32_t> links = thin_links (all, all.vertical << 1, here & here << 1, there & there << 1);

  /* if four patches meet in foreground, the three other links imply the left seam's first one */
  if (left && i >= group_size) {
    const uint32_t *const bottoms = group.side_bits[1] + i - group_size;

    links.vertical &= ~(bottoms[0] & bottoms[-1] >> (patch_size - 1) & 1);
  }
  const auto for_each = [&] (uint32_t bits, uint32_t back, uint32_t other_back) {
    for (bits &= ((1u << n_pixels) - 1) << part * n_pixels; bits; bits &= bits - 1) {
      const uint32_t x = __ffs (bits) - 1;

      f (group.place (i, group.border (i, x - back).word >> 8 * side & 255),
         group.place (other, group.border (other, x - other_back).word >> 8 * other_side & 255));
    }
  };

  for_each (links.vertical, 0, 0);
  for_each (links.falling, 0, 1);
  for_each (links.rising, 1, 0);
}

/* Calls f for the links among regions of equal value. First a thread looks at each seam; then a warp works on one mixed
 * seam at a time. */
template <typename F>
__device__ static void
for_links_in_group (const CcaPatchesParams &p, Group<true> &group, F f)
{
  const auto border = [&] (uint32_t i) {
    return PlacedBorder{ group.border (i, lane_index ()), group.offsets[i], { group.patches[i].sides } };
  };
  constexpr uint32_t share = 2 * group_patches / Group<true>::warps; /* a warp's share of seams */
  const uint32_t first = threadIdx.x / warp_size * share;
  static_assert (warp_size % share == 0, "a share is within a word");

  if (threadIdx.x < 2 * group_patches) {
    const uint32_t i = threadIdx.x % group_patches;
    const bool left = threadIdx.x < group_patches;
    Seam seam = Seam::none;

    if (left ? i % group_size > 0 : i >= group_size) {
      const BorderWord sides = { group.patches[i].sides },
                       others = { group.patches[i - (left ? 1 : group_size)].sides };

      seam = seam_between (p.planes, left ? sides.left () : sides.top (), left ? others.right () : others.bottom ());
    }
    const uint32_t mixed = __ballot_sync (all_lanes, seam == Seam::mixed);

    if (lane_index () == 0)
      group.mixed_seams[threadIdx.x / warp_size] = mixed;
  }
  __syncthreads ();
  for (uint32_t bits = group.mixed_seams[first / warp_size] >> first % warp_size & ((1u << share) - 1); bits;
       bits &= bits - 1) {
    const uint32_t k = first + __ffs (bits) - 1, i = k % group_patches;
    Neighbours s = {
      blockIdx.x * group_size + i % group_size, blockIdx.y * group_size + i / group_size, border (i), {}, {}, {}
    };

    if (k < group_patches) {
      s.left = border (i - 1);
      for_each_left_link (p, s, f);
    } else {
      s.up = border (i - group_size);
      for_each_top_link (p, s, f);
    }
  }
}

/* Marks the roots of outer components, which touch a border between groups. A thread has a part of a patch's side. */
template <bool values>
__device__ static void
mark_outer (const CcaPatchesParams &p, Group<values> &group)
{
  constexpr uint32_t parts = 4, n_pixels = patch_size / parts;
  static_assert (Group<values>::threads >= parts * n_sides * group_size, "a thread has a part of a side");
  const uint32_t c = blockIdx.x * group_size, r = blockIdx.y * group_size, last = group_size - 1;
  const uint32_t k = threadIdx.x % group_size,
                 side = threadIdx.x / group_size % n_sides; /* in the order of CcaPatch.sides */
  const uint32_t part = threadIdx.x / (n_sides * group_size);
  const bool goes_on =
      side < 2 ? (side == 0 ? r > 0 : r + group_size < p.rows) : (side == 2 ? c > 0 : c + group_size < p.columns);
  const uint32_t patch = side < 2 ? side * last * group_size + k : k * group_size + (side - 2) * last;

  if (part >= parts || !goes_on)
    return;
  for (uint32_t bits = group.starts (side, patch) & ((1u << n_pixels) - 1) << part * n_pixels; bits; bits &= bits - 1) {
    const uint32_t component = group.border (patch, __ffs (bits) - 1).word >> 8 * side & 255;

    atomicOr (group.parent + (group.parent[group.offsets[patch] + component] & place_bits), outer);
  }
}

/* Returns the index of this block's group. */
__device__ static uint32_t
group_index ()
{
  return blockIdx.y * gridDim.x + blockIdx.x;
}

/* Returns a record's label in the image by its label within the group. */
__device__ static Label
label_in_image (uint32_t in_group, uint32_t record)
{
  const uint32_t size = group_size * patch_size, first = in_group >> first_shift;

  return make_label (blockIdx.x * size + (first & 255), blockIdx.y * size + (first >> 8), record);
}

/* Unites a group of whole patches, as within large shapes. It is one component, whose first pixel is the first patch's.
 * A thread has a patch. */
template <bool moments>
__device__ static void
unite_whole_patches (const CcaPatchesParams &p)
{
  const uint32_t i = threadIdx.x;
  const Label label = label_of_whole_group (p, blockIdx.x, blockIdx.y);
  const uint32_t root = record_of (label),
                 record = root + (i / group_size * p.columns + i % group_size) * CCA_PATCH_RECORDS;

  if (i < group_patches) {
    p.parents[record] = label;
    if (p.features.tally)
      cast_vote_of_warp<moments> (p.features, root, load_vote<moments> (p, record != root, record));
  }
  if (i == 0) {
    p.n_outer[group_index ()] = CCA_WHOLE_GROUP + 1;
    p.outer[group_index () * p.outer_capacity] = root;
  }
  if (gridDim.x * gridDim.y > 1)
    return;
  __syncthreads ();
  if (i == 0)
    filter_record (p, label);
}

template <bool values, bool moments>
__device__ static void
unite_patches (const CcaPatchesParams &p)
{
  __shared__ Group<values> group;

  if (!open_group (p, group)) {
    unite_whole_patches<moments> (p);
    return;
  }
  const uint32_t n = group.count ();

  if (n == 0) {
    if (threadIdx.x == 0)
      p.n_outer[group_index ()] = 0;
    return;
  }
  const GroupParents parents = { group.parent };
  const auto unite_both = [&] (uint32_t a, uint32_t b) { unite (parents, parents.get (a), parents.get (b)); };

  for_links_in_group (p, group, unite_both);
  for_corners_in_group (p, group, unite_both);
  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < n; i += Group<values>::threads)
    parents.shorten (i, find_root (parents, parents.get (i)));
  __syncthreads ();
  mark_outer (p, group);
  __syncthreads ();
  for (uint32_t first = 0; first < n; first += Group<values>::threads) {
    const uint32_t i = first + threadIdx.x, parent = i < n ? group.parent[i] : i, root = parent & place_bits;
    const bool is_root = i < n && root == i;
    uint32_t record = 0, root_record = 0;
    Label label = 0;

    if (i < n) {
      record = group.record (i);
      root_record = is_root ? record : group.record (root);
      label = label_in_image (parent, root_record);
      p.parents[record] = label;
    }
    accumulate_records<moments> (p, group.tables[threadIdx.x / warp_size], root != i, root_record,
                                 load_vote<moments> (p, root != i, record));
    if (is_root && parent & outer)
      p.outer[group_index () * p.outer_capacity + atomicAdd (&group.n_outer, 1)] = record;
    if (is_root && !(parent & outer) && !p.has_filter)
      filter_record (p, label);
  }
  __syncthreads ();
  if (threadIdx.x == 0)
    p.n_outer[group_index ()] = group.n_outer;
  if (!p.has_filter)
    return;
  for (uint32_t i = threadIdx.x; i < n; i += Group<values>::threads)
    if (group.parent[i] == (group.parent[i] & ~(place_bits | outer) | i)) /* a root, but not of an outer component */
      filter_record (p, label_in_image (group.parent[i], group.record (i)));
}

#define CCA_DEFINE_UNITE_PATCHES(name, values, moments)                                                                \
  extern "C" __global__ void __launch_bounds__ (Group<values>::threads,                                                \
                                                (values || moments ? 1024 : max_threads) / Group<values>::threads)     \
      cca_unite_patches##name (const CcaPatchesParams p)                                                               \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    unite_patches<values, moments> (p);                                                                                \
  }

CCA_DEFINE_UNITE_PATCHES (, false, false)
CCA_DEFINE_UNITE_PATCHES (_moments, false, true)
CCA_DEFINE_UNITE_PATCHES (_of_values, true, false)
CCA_DEFINE_UNITE_PATCHES (_of_values_moments, true, true)
