/* gst-cca: uniting the components of patches over their borders
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *     +--+--+--+--+           a block unites those of a group of 8x8 patches in shared memory (unite_patches) and adds up their
 *     |  |  |  |  |           votes; most components end there. Those that touch the rim of their group are outer ones: they are
 *     +--+--+--+--+           united over the borders of groups (unite_groups), and their votes added up in turn (cast_outer).
 *     |  |  |  |  |  group
 *     +--+--+--+--+           Only rims are looked at, which solve_patches has left: 128 bytes a patch.
 */
#include "cuda/kernels/patches.cuh"

#include <cub/block/block_scan.cuh>

constexpr uint32_t group_size = CCA_GROUP, group_patches = group_size * group_size;

/* --- Links over a border ------------------------------------------------------------------------------------------- */

/* Whether pixels connect that are foreground: here with there, here with the lane before's there, the lane before's here with there. */
struct Connections
{
  bool straight, falling, rising;
};

/* What a bit of the planes says, of which one is straight; all that is neighbours where there are no planes. */
__device__ static Connections
load_connections (const CcaPlanes &p, const uint32_t *straight, size_t word, uint32_t bit)
{
  if (!straight)
    return { true, p.diagonal != 0, p.diagonal != 0 };
  return { (straight[word] >> bit & 1) != 0, p.diagonal && p.falling[word] >> bit & 1, p.diagonal && p.rising[word] >> bit & 1 };
}

/* Of this lane's pixels on both sides of a border, or any other names of what they belong to: calls f (here, there) once for each pair
 * that connects; not again for what the lane before has seen. */
template <typename F>
__device__ static void
for_each_link (const CcaPlanes &p, const Connections &connections, uint32_t here, uint32_t there, F f)
{
  const bool straight = connections.straight && here != no_component && there != no_component, first = lane_index () == 0;
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

/* A patch's rim; of no component where the patch is empty or not there. */
struct PlacedRim : Rim
{
  uint32_t first; /* the name of the patch's first component: its record, or what the caller makes it */
};

__device__ static PlacedRim
load_rim (const CcaPatchesParams &p, uint32_t column, uint32_t row)
{
  const uint32_t i = row * p.columns + column;
  PlacedRim rim = { { no_rims }, 0 };

  if (column < p.columns && row < p.rows && p.patches[i].n > 0) {
    rim.word = p.rims[(size_t) i * patch_size + lane_index ()];
    rim.first = p.patches[i].first;
  }
  return rim;
}

/* The patches that a patch's borders have to do with. The caller names components by name (rim, component). */
struct Surroundings
{
  uint32_t column, row;
  PlacedRim own, left, up, up_left;
};

template <typename Name, typename F>
__device__ static void
for_each_left_link (const CcaPatchesParams &p, const Surroundings &s, Name name, F f)
{
  const uint32_t y = s.row * patch_size + lane_index ();
  const size_t word = (size_t) y * p.planes.row_words + s.column;
  Connections connections = {};

  if (s.column < p.columns && y < p.planes.height)
    connections = load_connections (p.planes, p.planes.joins, word, 0);
  for_each_link (p.planes, connections, name (s.own, s.own.left ()), name (s.left, s.left.right ()), f);
}

template <typename Name, typename F>
__device__ static void
for_each_top_link (const CcaPatchesParams &p, const Surroundings &s, Name name, F f)
{
  const size_t word = (size_t) s.row * patch_size * p.planes.row_words + s.column;
  Connections connections = {};

  if (s.column < p.columns && s.row < p.rows)
    connections = load_connections (p.planes, p.planes.vertical, word, lane_index ());
  for_each_link (p.planes, connections, name (s.own, s.own.top ()), name (s.up, s.up.bottom ()), f);
}

/* The two diagonals over the patch's upper left corner. */
template <typename Name, typename F>
__device__ static void
for_each_corner_link (const CcaPatchesParams &p, const Surroundings &s, Name name, F f)
{
  const uint32_t last = patch_size - 1;
  const uint32_t own = name (s.own, __shfl_sync (all_lanes, s.own.top (), 0));
  const uint32_t up_left = name (s.up_left, __shfl_sync (all_lanes, s.up_left.bottom (), last));
  const uint32_t left = name (s.left, __shfl_sync (all_lanes, s.left.top (), last));
  const uint32_t up = name (s.up, __shfl_sync (all_lanes, s.up.bottom (), 0));

  if (s.column >= p.columns || s.row >= p.rows || lane_index () > 0)
    return;
  const size_t word = (size_t) s.row * patch_size * p.planes.row_words + s.column;
  const Connections connections = load_connections (p.planes, p.planes.joins, word, 0);

  if (connections.falling && own != no_component && up_left != no_component)
    f (own, up_left);
  if (connections.rising && left != no_component && up != no_component)
    f (left, up);
}

/* --- Votes of records ---------------------------------------------------------------------------------------------- */

/* The votes of a record go to its root, all lanes together. */
template <bool moments>
__device__ static void
cast_records (const CcaPatchesParams &p, VotingTable &table, bool votes, uint32_t record, uint32_t root)
{
  constexpr int many = 4;
  const uint32_t voters = __ballot_sync (all_lanes, votes);
  Vote vote = {};
  uint32_t peers;

  if (!voters || !p.votes.tally)
    return;
  if (votes) {
    vote.tally = p.votes.tally[record];
    if (moments)
      vote.moments = p.votes.moments[record];
    peers = __match_any_sync (voters, root);
    if (__any_sync (voters, __popc (peers) >= many))
      votes = reduce_among_peers (voters, peers, vote, moments);
  }
  cast_votes_side_by_side<moments> (p.votes, table, votes, root, vote);
}

/* Notes the first pixel of a component that has all its votes, if it passes. */
__device__ static void
pass_record (const CcaPatchesParams &p, uint32_t record)
{
  const uint32_t packed = p.first_pixels[record];
  const FirstPixel first = first_pixel (p, packed);

  if (p.votes.tally && !area_passes (p.wanted, __ldcg (&p.votes.tally[record].area)))
    return;
  atomicOr (p.firsts + first.word (), 1u << first.x);
  atomicAdd (p.counters + CCA_ROW_FIRSTS + (packed >> 16), 1);
}

/* --- Within groups ------------------------------------------------------------------------------------------------- */

/* A component's name in its group: where its first pixel is, y << 8 | x, above; its place in the group's list below. The component
 * with the first pixel of all thus becomes the root. */
constexpr uint32_t place_bits = 0x1fff, outer = 0x2000, first_shift = 16;
static_assert (group_size * patch_size <= 256, "a first pixel's coordinates are bytes");
static_assert (group_size <= CCA_BLOCK / warp_size, "a block has a warp for each patch of a side");
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
  typedef cub::BlockScan<uint32_t, Group<values>::threads> Scan;
  __shared__ typename Scan::TempStorage storage;
  const uint32_t column = blockIdx.x * group_size + threadIdx.x % group_size;
  const uint32_t row = blockIdx.y * group_size + threadIdx.x / group_size;
  CcaPatch patch = {};
  uint32_t offset, n;

  if (threadIdx.x < group_patches && column < p.columns && row < p.rows)
    patch = p.patches[row * p.columns + column];
  Scan (storage).ExclusiveSum ((uint32_t) patch.n_rim, offset, n);
  if (threadIdx.x < group_patches) {
    group.patches[threadIdx.x] = patch;
    group.offsets[threadIdx.x] = offset;
  }
  if (threadIdx.x == 0)
    group.offsets[group_patches] = n;
  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < n; i += Group<values>::threads) {
    const uint32_t first = p.first_pixels[group.record (i)], size = group_size * patch_size;

    group.parent[i] = ((first >> 16) % size << 8 | first % size) << first_shift | i;
  }
#pragma unroll
  for (uint32_t k = 0; k < group_patches / Group<values>::warps; k++) {
    const uint32_t i = threadIdx.x / warp_size + k * Group<values>::warps;
    const size_t place = (size_t) (blockIdx.y * group_size + i / group_size) * p.columns
                         + blockIdx.x * group_size + i % group_size;

    group.rims[i][lane_index ()] = group.patches[i].n > 0 ? p.rims[place * patch_size + lane_index ()] : no_rims;
  }
  __syncthreads ();
}

/* A warp does a patch at a time. */
template <bool values>
__device__ static void
unite_in_group (const CcaPatchesParams &p, Group<values> &group)
{
  const GroupParents parents = { group.parent };
  const auto unite_both = [&] (uint32_t a, uint32_t b) { unite (parents, parents.get (a), parents.get (b)); };
  const auto name = [] (const PlacedRim &rim, uint32_t component) { /* its place in the list */
    return component == no_rim ? no_component : rim.first + component;
  };
  const auto rim = [&] (uint32_t i) { return PlacedRim{ { group.rims[i][lane_index ()] }, group.offsets[i] }; };

  for (uint32_t i = threadIdx.x / warp_size; i < group_patches; i += group.warps) {
    const uint32_t x = i % group_size, y = i / group_size;
    Surroundings s = { blockIdx.x * group_size + x, blockIdx.y * group_size + y, rim (i), {}, {}, {} };

    if (x > 0) {
      s.left = rim (i - 1);
      for_each_left_link (p, s, name, unite_both);
    }
    if (y > 0) {
      s.up = rim (i - group_size);
      for_each_top_link (p, s, name, unite_both);
    }
    if (x > 0 && y > 0 && p.planes.diagonal) {
      s.up_left = rim (i - group_size - 1);
      for_each_corner_link (p, s, name, unite_both);
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
    if (component != no_rim)
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

/* Appends records to the list of outer ones, all lanes together: one counter would see too many, one by one. */
__device__ static void
list_outer (const CcaPatchesParams &p, bool is_outer, uint32_t record)
{
  const uint32_t lanes = __ballot_sync (all_lanes, is_outer);
  uint32_t place = 0;

  if (lanes && lane_index () == 0)
    place = atomicAdd (p.counters + CCA_N_OUTER, __popc (lanes));
  place = __shfl_sync (all_lanes, place, 0) + __popc (lanes & lanes_before ());
  if (is_outer)
    p.outer[place] = record;
}

template <bool values, bool moments>
__device__ static void
unite_patches (const CcaPatchesParams &p)
{
  __shared__ Group<values> group;

  open_group (p, group);
  const uint32_t n = group.count ();

  if (n == 0)
    return;
  const GroupParents parents = { group.parent };

  unite_in_group (p, group);
  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < n; i += Group<values>::threads)
    parents.shorten (i, find_root (parents, parents.get (i)));
  __syncthreads ();
  mark_outer (p, group);
  __syncthreads ();
  for (uint32_t first = 0; first < n; first += Group<values>::threads) {
    const uint32_t i = first + threadIdx.x, root = i < n ? group.parent[i] & place_bits : i;
    uint32_t record = 0, root_record = 0;

    if (i < n) {
      record = group.record (i);
      root_record = group.record (root);
      p.parent[record] = root_record;
    }
    cast_records<moments> (p, group.tables[threadIdx.x / warp_size], root != i, record, root_record);
  }
  __syncthreads ();
  for (uint32_t first = 0; first < n; first += Group<values>::threads) {
    const uint32_t i = first + threadIdx.x, parent = i < n ? group.parent[i] : 0;
    const bool is_root = i < n && (parent & place_bits) == i;

    list_outer (p, is_root && parent & outer, group.record (i));
    if (is_root && !(parent & outer))
      pass_record (p, group.record (i));
  }
}

#define CCA_DEFINE_UNITE_PATCHES(name, values, moments)                                                                \
  extern "C" __global__ void __launch_bounds__ (Group<values>::threads)                                                \
      cca_unite_patches##name (const CcaPatchesParams p)                                                               \
  {                                                                                                                    \
    unite_patches<values, moments> (p);                                                                                \
  }

CCA_DEFINE_UNITE_PATCHES (, false, false)
CCA_DEFINE_UNITE_PATCHES (_moments, false, true)
CCA_DEFINE_UNITE_PATCHES (_of_values, true, false)
CCA_DEFINE_UNITE_PATCHES (_of_values_moments, true, true)

/* --- Between groups ------------------------------------------------------------------------------------------------ */

/* Parents of records, of which that with the first pixel of all becomes the root. */
struct RecordParents : GlobalParents
{
  const uint32_t *first_pixels;

  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicCAS (parent + root, root, to); }
  __device__ bool before (uint32_t a, uint32_t b) const { return first_pixels[a] < first_pixels[b]; }
};

/* A block does the left and the upper border of a group: a warp, a patch of each. */
extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_unite_groups (const CcaPatchesParams p)
{
  const uint32_t k = threadIdx.x / warp_size;
  const uint32_t column = blockIdx.x * group_size, row = blockIdx.y * group_size;

  if (k >= group_size)
    return;
  /* Names are roots of groups. */
  const auto name = [&] (const PlacedRim &rim, uint32_t component) {
    return component == no_rim ? no_component : p.parent[rim.first + component];
  };
  const auto unite_both = [&] (uint32_t a, uint32_t b) { unite (RecordParents{ { p.parent }, p.first_pixels }, a, b); };

  Surroundings left = { column, row + k, {}, {}, {}, {} }, top = { column + k, row, {}, {}, {}, {} };

  /* All at once, to wait once. */
  if (column > 0) {
    left.own = load_rim (p, column, row + k);
    left.left = load_rim (p, column - 1, row + k);
  }
  if (row > 0) {
    top.own = load_rim (p, column + k, row);
    top.up = load_rim (p, column + k, row - 1);
  }
  if (p.planes.diagonal && column > 0 && left.row > 0) {
    left.up = load_rim (p, column, left.row - 1);
    left.up_left = load_rim (p, column - 1, left.row - 1);
  }
  if (p.planes.diagonal && row > 0 && k > 0) {
    top.left = load_rim (p, top.column - 1, row);
    top.up_left = load_rim (p, top.column - 1, row - 1);
  }

  if (column > 0)
    for_each_left_link (p, left, name, unite_both);
  if (row > 0)
    for_each_top_link (p, top, name, unite_both);
  if (p.planes.diagonal && column > 0 && left.row > 0)
    for_each_corner_link (p, left, name, unite_both);
  if (p.planes.diagonal && row > 0 && k > 0)
    for_each_corner_link (p, top, name, unite_both);
}

template <uint32_t threads, bool moments>
__device__ static void
cast_outer (const CcaPatchesParams &p)
{
  __shared__ VotingTable tables[threads / warp_size];
  const uint32_t n = p.counters[CCA_N_OUTER];

  for (uint32_t first = blockIdx.x * threads; first < n; first += gridDim.x * threads) {
    const uint32_t i = first + threadIdx.x, record = i < n ? p.outer[i] : 0;
    const uint32_t root = i < n ? find_root (GlobalParents{ p.parent }, record) : 0;

    cast_records<moments> (p, tables[threadIdx.x / warp_size], i < n && root != record, record, root);
  }
}

__device__ static void
pass_outer (const CcaPatchesParams &p)
{
  const uint32_t n = p.counters[CCA_N_OUTER];

  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint32_t record = p.outer[i];

    if (p.parent[record] == record)
      pass_record (p, record);
  }
}

/* Both in one block: a small frame has few outer components, and waits for every kernel. */
template <bool moments>
__device__ static void
finish_outer (const CcaPatchesParams &p)
{
  cast_outer<CCA_SCAN_BLOCK, moments> (p);
  __syncthreads ();
  pass_outer (p);
}

#define CCA_DEFINE_OUTER_KERNELS(name, moments)                                                                        \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_cast_outer##name (const CcaPatchesParams p)             \
  {                                                                                                                    \
    cast_outer<CCA_BLOCK, moments> (p);                                                                                \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__ (CCA_SCAN_BLOCK) cca_finish_outer##name (const CcaPatchesParams p)      \
  {                                                                                                                    \
    finish_outer<moments> (p);                                                                                         \
  }

CCA_DEFINE_OUTER_KERNELS (, false)
CCA_DEFINE_OUTER_KERNELS (_moments, true)

extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_pass_outer (const CcaPatchesParams p)
{
  pass_outer (p);
}
