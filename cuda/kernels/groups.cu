/* gst-cca: uniting the components of patches over their borders
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *     +--+--+--+--+           a block unites those of a group of 8x8 patches in shared memory (unite_patches) and adds up their
 *     |  |  |  |  |           votes; most components end there. Those that touch the rim of their group are outer ones, which are
 *     +--+--+--+--+           listed for what comes next (borders.cu).
 *     |  |  |  |  |  group
 *     +--+--+--+--+           Only rims are looked at, which solve_patches has left: 128 bytes a patch.
 */
#include "cuda/kernels/borders.cuh"

constexpr uint32_t group_size = CCA_GROUP, group_patches = group_size * group_size;

/* A component's name in its group: where its first pixel is, y << 8 | x, above; its place in the group's list below. The component
 * with the first pixel of all thus becomes the root. */
constexpr uint32_t place_bits = 0x1fff, outer = 0x2000, first_shift = 16;
static_assert (group_size * patch_size <= 256, "a first pixel's coordinates are bytes");
static_assert (group_patches * CCA_RIM_OF_VALUES <= place_bits, "places fit");

struct GroupParents
{
  uint32_t *parent;

  __device__ uint32_t get (uint32_t name) const { return *(volatile uint32_t *) (parent + (name & place_bits)); }
  __device__ void shorten (uint32_t name, uint32_t ancestor) const { lower (name, ancestor); }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicMin (parent + (root & place_bits), to); }
  __device__ bool before (uint32_t a, uint32_t b) const { return a < b; }
};

/* A group's components at rims, in one list. */
template <bool values> struct Group
{
  static constexpr uint32_t threads = values ? CCA_GROUP_BLOCK_OF_VALUES : CCA_GROUP_BLOCK, warps = threads / warp_size;

  CcaPatch patches[group_patches];
  uint32_t offsets[group_patches + 1]; /* a patch: its first component in the list */
  uint32_t parent[group_patches * (values ? CCA_RIM_OF_VALUES : CCA_RIM)];
  uint32_t n_outer;
  uint32_t mixed_borders[2 * group_patches / warp_size]; /* bits: the left ones of patches, then the upper ones */
  union
  {
    uint32_t rims[group_patches][warp_size]; /* while components are united */
    VotingTable tables[warps];               /* thereafter */
  };

  __device__ uint32_t count () const { return offsets[group_patches]; }

  __device__ uint32_t record (uint32_t i) const
  {
    uint32_t patch = 0;

    for (uint32_t step = group_patches / 2; step > 0; step /= 2)
      patch += offsets[patch + step] <= i ? step : 0;
    return patches[patch].first + i - offsets[patch];
  }
};

template <bool values>
__device__ static void
open_group (const CcaPatchesParams &p, Group<values> &group)
{
  constexpr uint32_t warps = Group<values>::warps, each = group_patches / warps, a_lane = group_patches / warp_size;
  const uint32_t warp = threadIdx.x / warp_size;
  const auto column = [] (uint32_t i) { return blockIdx.x * group_size + i % group_size; };
  const auto row = [] (uint32_t i) { return blockIdx.y * group_size + i / group_size; };
  const auto exists = [&] (uint32_t i) { return column (i) < p.columns && row (i) < p.rows; };
  uint32_t rims[each], firsts[each];

  /* All at once, to wait once: of rims and first pixels also what turns out to be none. */
#pragma unroll
  for (uint32_t k = 0; k < each; k++) {
    const uint32_t i = warp + k * warps;
    const size_t place = (size_t) row (i) * p.columns + column (i);

    rims[k] = exists (i) ? p.rims[place * patch_size + lane_index ()] : no_rims;
    firsts[k] = exists (i) && lane_index () < CCA_PATCH_RECORDS ? p.first_pixels[place * CCA_PATCH_RECORDS + lane_index ()] : 0;
  }
  if (warp == 0) {
    CcaPatch patches[a_lane];
    uint32_t sum = 0;

#pragma unroll
    for (uint32_t k = 0; k < a_lane; k++) {
      const uint32_t i = lane_index () * a_lane + k;

      patches[k] = exists (i) ? patch_at (p, row (i) * p.columns + column (i)) : CcaPatch{ 0, 0, 0, no_rims, 0 };
      sum += patches[k].n_rim;
    }
    uint32_t offset = warp_inclusive_sum (sum) - sum;

#pragma unroll
    for (uint32_t k = 0; k < a_lane; k++) {
      group.patches[lane_index () * a_lane + k] = patches[k];
      group.offsets[lane_index () * a_lane + k] = offset;
      offset += patches[k].n_rim;
    }
    if (lane_index () == warp_size - 1)
      group.offsets[group_patches] = offset;
    if (lane_index () == 0)
      group.n_outer = 0;
  }
  __syncthreads ();
#pragma unroll
  for (uint32_t k = 0; k < each; k++) {
    const uint32_t i = warp + k * warps, offset = group.offsets[i], size = group_size * patch_size;
    const CcaPatch patch = group.patches[i];

    group.rims[i][lane_index ()] = has_mixed_side (patch.sides) ? rims[k] : patch.sides;
    for (uint32_t c = lane_index (); c < patch.n_rim; c += warp_size) {
      const uint32_t first = patch.n <= CCA_PATCH_RECORDS ? firsts[k] : p.first_pixels[patch.first + c];

      group.parent[offset + c] = ((first >> 16) % size << 8 | first % size) << first_shift | (offset + c);
    }
  }
  __syncthreads ();
}

/* A thread looks at a border or a corner; a warp does what is left, a mixed border at a time. */
template <bool values>
__device__ static void
unite_in_group (const CcaPatchesParams &p, Group<values> &group)
{
  static_assert (Group<values>::threads >= 3 * group_patches, "a thread has a border or a corner");
  const GroupParents parents = { group.parent };
  const auto unite_both = [&] (uint32_t a, uint32_t b) { unite (parents, parents.get (a), parents.get (b)); };
  const auto name = [] (const PlacedRim &rim, uint32_t component) { /* its place in the list */
    return component == no_rim ? no_component : rim.first + component;
  };
  const auto rim = [&] (uint32_t i, uint32_t lane) {
    return PlacedRim{ { group.rims[i][lane] }, group.offsets[i], { group.patches[i].sides } };
  };
  const auto column = [] (uint32_t i) { return blockIdx.x * group_size + i % group_size; };
  const auto row = [] (uint32_t i) { return blockIdx.y * group_size + i / group_size; };
  const uint32_t kind = threadIdx.x / group_patches, last = patch_size - 1;

  if (kind < 2) {
    const uint32_t i = threadIdx.x % group_patches, other = i - (kind == 0 ? 1 : group_size);
    Border border = Border::none;

    if (kind == 0 ? i % group_size > 0 : i >= group_size) {
      const Rim sides = { group.patches[i].sides }, others = { group.patches[other].sides };
      const uint32_t here = kind == 0 ? sides.left () : sides.top (), there = kind == 0 ? others.right () : others.bottom ();

      border = border_between (p.planes, here, there);
      if (border == Border::whole)
        unite_both (group.offsets[i] + here, group.offsets[other] + there);
    }
    const uint32_t mixed = __ballot_sync (all_lanes, border == Border::mixed);

    if (lane_index () == 0)
      group.mixed_borders[threadIdx.x / warp_size] = mixed;
  } else if (kind == 2 && p.planes.diagonal) {
    const uint32_t i = threadIdx.x % group_patches;

    if (i % group_size > 0 && i >= group_size && column (i) < p.columns && row (i) < p.rows) {
      const PlacedRim own = rim (i, 0), left = rim (i - 1, 0), up = rim (i - group_size, 0);
      const PlacedRim up_left = rim (i - group_size - 1, last);

      for_each_corner_link (p.planes, column (i), row (i),
                            { name (own, own.top ()), name (left, left.right ()), name (up, up.bottom ()),
                              name (up_left, up_left.bottom ()) },
                            unite_both);
    }
  }
  __syncthreads ();
  for (uint32_t k = threadIdx.x / warp_size; k < 2 * group_patches; k += group.warps) {
    const uint32_t i = k % group_patches;

    if (!(group.mixed_borders[k / warp_size] >> k % warp_size & 1))
      continue;
    Surroundings s = { column (i), row (i), rim (i, lane_index ()), {}, {}, {} };

    if (k < group_patches) {
      s.left = rim (i - 1, lane_index ());
      for_each_left_link (p, s, name, unite_both);
    } else {
      s.up = rim (i - group_size, lane_index ());
      for_each_top_link (p, s, name, unite_both);
    }
  }
}

/* Marks the roots of components that touch the group's rim. */
template <bool values>
__device__ static void
mark_outer (const CcaPatchesParams &p, Group<values> &group)
{
  const uint32_t c = blockIdx.x * group_size, r = blockIdx.y * group_size, last = group_size - 1;
  const auto rim = [&] (uint32_t i) { return Rim{ group.rims[i][lane_index ()] }; };
  const auto mark = [&] (uint32_t patch, uint32_t component) {
    const uint32_t before = __shfl_up_sync (all_lanes, component, 1);

    if (component != no_rim && (lane_index () == 0 || component != before))
      atomicOr (group.parent + (group.parent[group.offsets[patch] + component] & place_bits), outer);
  };

  for (uint32_t i = threadIdx.x / warp_size; i < 4 * group_size; i += group.warps) {
    const uint32_t k = i % group_size, side = i / group_size;

    if (side == 0 && c > 0)
      mark (k * group_size, rim (k * group_size).left ());
    if (side == 1 && c + group_size < p.columns)
      mark (k * group_size + last, rim (k * group_size + last).right ());
    if (side == 2 && r > 0)
      mark (k, rim (k).top ());
    if (side == 3 && r + group_size < p.rows)
      mark (last * group_size + k, rim (last * group_size + k).bottom ());
  }
}

/* The block's index, as of its group. */
__device__ static uint32_t
group_index ()
{
  return blockIdx.y * gridDim.x + blockIdx.x;
}

template <bool values, bool moments>
__device__ static void
unite_patches (const CcaPatchesParams &p)
{
  __shared__ Group<values> group;

  open_group (p, group);
  const uint32_t n = group.count ();

  if (n == 0) {
    if (threadIdx.x == 0)
      p.n_outer[group_index ()] = 0;
    return;
  }
  const GroupParents parents = { group.parent };

  unite_in_group (p, group);
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

    if (i < n) {
      record = group.record (i);
      root_record = is_root ? record : group.record (root);
      p.parent[record] = root_record;
    }
    cast_records<moments> (p, group.tables[threadIdx.x / warp_size], root != i, record, root_record);
    if (is_root && parent & outer)
      p.outer[group_index () * CCA_GROUP_RIM + atomicAdd (&group.n_outer, 1)] = record;
    if (is_root && !(parent & outer) && !p.filters)
      pass_record (p, record);
  }
  __syncthreads ();
  if (threadIdx.x == 0)
    p.n_outer[group_index ()] = group.n_outer;
  if (!p.filters)
    return;
  for (uint32_t i = threadIdx.x; i < n; i += Group<values>::threads)
    if (group.parent[i] == (group.parent[i] & ~(place_bits | outer) | i)) /* a root, and no outer one */
      pass_record (p, group.record (i));
}

#define CCA_DEFINE_UNITE_PATCHES(name, values, moments)                                                                \
  extern "C" __global__ void __launch_bounds__ (Group<values>::threads)                                                \
      cca_unite_patches##name (const CcaPatchesParams p)                                                               \
  {                                                                                                                    \
    start_kernel ();                                                                                                   \
    unite_patches<values, moments> (p);                                                                                \
  }

CCA_DEFINE_UNITE_PATCHES (, false, false)
CCA_DEFINE_UNITE_PATCHES (_moments, false, true)
CCA_DEFINE_UNITE_PATCHES (_of_values, true, false)
CCA_DEFINE_UNITE_PATCHES (_of_values_moments, true, true)
