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
constexpr uint32_t warps = CCA_BLOCK / warp_size;
static_assert (warps == group_size, "a warp has a row of a group's patches");

/* --- Links over a border ------------------------------------------------------------------------------------------- */

/* This lane's pixels on both sides of a border, or any other names of what they belong to; and which of them the planes connect. */
struct Border
{
  uint32_t here, there;
  bool straight, falling, rising; /* here with there; here with the lane before's there; the lane before's here with there */
};

/* Calls f (here, there) once for each pair that a lane sees; not again for what the lane before has seen. */
template <typename F>
__device__ static void
for_each_link (const Border &border, F f)
{
  const uint32_t here = __shfl_up_sync (all_lanes, border.here, 1), there = __shfl_up_sync (all_lanes, border.there, 1);
  const bool straight = __shfl_up_sync (all_lanes, border.straight, 1) && lane_index () > 0;
  const bool same_here = here == border.here, same_there = there == border.there;

  if (border.straight && !(straight && same_here && same_there))
    f (border.here, border.there);
  if (lane_index () == 0)
    return;
  if (border.falling && !(border.straight && same_there) && !(straight && same_here))
    f (border.here, there);
  if (border.rising && !(border.straight && same_here) && !(straight && same_there))
    f (here, border.there);
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
  PlacedRim rim = { { UINT32_MAX }, 0 };

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
  Border border = { name (s.own, s.own.left ()), name (s.left, s.left.right ()), false, false, false };
  const uint32_t here = __shfl_up_sync (all_lanes, border.here, 1), there = __shfl_up_sync (all_lanes, border.there, 1);

  if (p.planes.joins) {
    const size_t word = (size_t) y * p.planes.row_words + s.column;

    if (y < p.planes.height && s.column > 0) {
      border.straight = p.planes.joins[word] & 1;
      border.falling = p.planes.diagonal && p.planes.falling[word] & 1;
      border.rising = p.planes.diagonal && p.planes.rising[word] & 1;
    }
  } else {
    border.straight = border.here != no_component && border.there != no_component;
    border.falling = p.planes.diagonal && border.here != no_component && there != no_component;
    border.rising = p.planes.diagonal && here != no_component && border.there != no_component;
  }
  for_each_link (border, f);
}

template <typename Name, typename F>
__device__ static void
for_each_top_link (const CcaPatchesParams &p, const Surroundings &s, Name name, F f)
{
  Border border = { name (s.own, s.own.top ()), name (s.up, s.up.bottom ()), false, false, false };
  const uint32_t here = __shfl_up_sync (all_lanes, border.here, 1), there = __shfl_up_sync (all_lanes, border.there, 1);

  if (p.planes.joins) {
    const size_t word = (size_t) s.row * patch_size * p.planes.row_words + s.column;

    if (s.row > 0) {
      border.straight = p.planes.vertical[word] >> lane_index () & 1;
      border.falling = p.planes.diagonal && p.planes.falling[word] >> lane_index () & 1;
      border.rising = p.planes.diagonal && p.planes.rising[word] >> lane_index () & 1;
    }
  } else {
    border.straight = border.here != no_component && border.there != no_component;
    border.falling = p.planes.diagonal && border.here != no_component && there != no_component;
    border.rising = p.planes.diagonal && here != no_component && border.there != no_component;
  }
  for_each_link (border, f);
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
  bool falling = own != no_component && up_left != no_component, rising = left != no_component && up != no_component;

  if (!p.planes.diagonal || s.column == 0 || s.row == 0 || lane_index () > 0)
    return;
  if (p.planes.joins) {
    const size_t word = (size_t) s.row * patch_size * p.planes.row_words + s.column;

    falling = p.planes.falling[word] & 1;
    rising = p.planes.rising[word] & 1;
  }
  if (falling)
    f (own, up_left);
  if (rising)
    f (left, up);
}

/* --- Votes of records ---------------------------------------------------------------------------------------------- */

/* The votes of a record go to its root, all lanes together; first pixels go down to the first one. */
template <bool moments>
__device__ static void
cast_records (const CcaPatchesParams &p, VotingTable &table, bool votes, uint32_t record, uint32_t root)
{
  const uint32_t voters = __ballot_sync (all_lanes, votes);
  Vote vote = {};
  uint32_t peers;

  if (!voters)
    return;
  if (votes)
    atomicMin (p.first_pixels + root, p.first_pixels[record]);
  if (!p.votes.tally)
    return;
  if (votes) {
    vote.tally = p.votes.tally[record];
    if (moments)
      vote.moments = p.votes.moments[record];
    peers = __match_any_sync (voters, root);
    votes = reduce_among_peers (voters, peers, vote, moments);
  }
  cast_votes_side_by_side<moments> (p.votes, table, votes, root, vote);
}

/* Notes the first pixel of a component that has all its votes, if it passes. */
__device__ static void
pass_record (const CcaPatchesParams &p, uint32_t record)
{
  const FirstPixel first = first_pixel (p, __ldcg (p.first_pixels + record));

  if (!p.votes.tally || area_passes (p.wanted, __ldcg (&p.votes.tally[record].area)))
    atomicOr (p.firsts + first.word (), 1u << first.x);
}

/* --- Within groups ------------------------------------------------------------------------------------------------- */

struct SharedParents
{
  uint32_t *parent;

  __device__ uint32_t get (uint32_t i) const { return *(volatile uint32_t *) (parent + i); }
  __device__ void shorten (uint32_t i, uint32_t ancestor) const { atomicMin (parent + i, ancestor); }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicMin (parent + root, to); }
};

constexpr uint32_t outer = 0x80000000u;

/* A group's components at rims, in one list. */
template <bool values> struct Group
{
  CcaPatch patches[group_patches];
  uint32_t offsets[group_patches + 1]; /* a patch: its first component in the list */
  uint32_t parent[group_patches * (values ? CCA_RIM_OF_VALUES : CCA_RIM)];
  VotingTable tables[warps];

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
  typedef cub::BlockScan<uint32_t, CCA_BLOCK> Scan;
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
  for (uint32_t i = threadIdx.x; i < n; i += CCA_BLOCK)
    group.parent[i] = i;
  __syncthreads ();
}

/* A warp does a row of patches. */
template <bool values>
__device__ static void
unite_in_group (const CcaPatchesParams &p, Group<values> &group)
{
  const uint32_t y = threadIdx.x / warp_size;
  const auto unite_both = [&] (uint32_t a, uint32_t b) { unite (SharedParents{ group.parent }, a, b); };
  const auto name = [] (const PlacedRim &rim, uint32_t component) { /* its place in the list */
    return component == no_rim ? no_component : rim.first + component;
  };
  Surroundings s = {};

  s.row = blockIdx.y * group_size + y;
  for (uint32_t x = 0; x < group_size; x++) {
    s.column = blockIdx.x * group_size + x;
    s.left = s.own;
    s.up_left = s.up;
    s.own = load_rim (p, s.column, s.row);
    s.own.first = group.offsets[y * group_size + x];
    if (y > 0) {
      s.up = load_rim (p, s.column, s.row - 1);
      s.up.first = group.offsets[(y - 1) * group_size + x];
    }
    if (x > 0)
      for_each_left_link (p, s, name, unite_both);
    if (y > 0)
      for_each_top_link (p, s, name, unite_both);
    if (x > 0 && y > 0)
      for_each_corner_link (p, s, name, unite_both);
  }
}

/* Marks the roots of components that touch the group's rim. */
template <bool values>
__device__ static void
mark_outer (const CcaPatchesParams &p, Group<values> &group)
{
  const uint32_t k = threadIdx.x / warp_size;
  const uint32_t c = blockIdx.x * group_size, r = blockIdx.y * group_size, last = group_size - 1;
  const auto mark = [&] (uint32_t patch, uint32_t component) {
    if (component != no_rim)
      atomicOr (group.parent + (group.parent[group.offsets[patch] + component] & ~outer), outer);
  };

  if (blockIdx.x > 0)
    mark (k * group_size, load_rim (p, c, r + k).left ());
  if (c + group_size < p.columns)
    mark (k * group_size + last, load_rim (p, c + last, r + k).right ());
  if (blockIdx.y > 0)
    mark (k, load_rim (p, c + k, r).top ());
  if (r + group_size < p.rows)
    mark (last * group_size + k, load_rim (p, c + k, r + last).bottom ());
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
  unite_in_group (p, group);
  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < n; i += CCA_BLOCK)
    SharedParents{ group.parent }.shorten (i, find_root (SharedParents{ group.parent }, i));
  __syncthreads ();
  mark_outer (p, group);
  __syncthreads ();
  for (uint32_t first = 0; first < n; first += CCA_BLOCK) {
    const uint32_t i = first + threadIdx.x, root = i < n ? group.parent[i] & ~outer : i;
    uint32_t record = 0, root_record = 0;

    if (i < n) {
      record = group.record (i);
      root_record = group.record (root);
      p.parent[record] = root_record;
    }
    cast_records<moments> (p, group.tables[threadIdx.x / warp_size], root != i, record, root_record);
  }
  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < n; i += CCA_BLOCK) {
    const uint32_t parent = group.parent[i];

    if (parent == i)
      pass_record (p, group.record (i));
    else if (parent == (i | outer))
      p.outer[atomicAdd (p.pools + CCA_POOLS, 1)] = group.record (i);
  }
}

#define CCA_DEFINE_UNITE_PATCHES(name, values, moments)                                                                \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_unite_patches##name (const CcaPatchesParams p)          \
  {                                                                                                                    \
    unite_patches<values, moments> (p);                                                                                \
  }

CCA_DEFINE_UNITE_PATCHES (, false, false)
CCA_DEFINE_UNITE_PATCHES (_moments, false, true)
CCA_DEFINE_UNITE_PATCHES (_of_values, true, false)
CCA_DEFINE_UNITE_PATCHES (_of_values_moments, true, true)

/* --- Between groups ------------------------------------------------------------------------------------------------ */

/* A block does the left and the upper border of a group: a warp, a patch of each. */
extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_unite_groups (const CcaPatchesParams p)
{
  const uint32_t k = threadIdx.x / warp_size;
  const uint32_t column = blockIdx.x * group_size, row = blockIdx.y * group_size;
  /* Names are roots of groups. */
  const auto name = [&] (const PlacedRim &rim, uint32_t component) {
    return component == no_rim ? no_component : p.parent[rim.first + component];
  };
  const auto unite_both = [&] (uint32_t a, uint32_t b) { unite (GlobalParents{ p.parent }, a, b); };

  if (column > 0) {
    Surroundings s = { column, row + k, load_rim (p, column, row + k), load_rim (p, column - 1, row + k), {}, {} };

    s.up = load_rim (p, column, s.row - 1); /* not there in the first row */
    s.up_left = load_rim (p, column - 1, s.row - 1);
    for_each_left_link (p, s, name, unite_both);
    if (s.row < p.rows)
      for_each_corner_link (p, s, name, unite_both);
  }
  if (row > 0) {
    Surroundings s = { column + k, row, load_rim (p, column + k, row), {}, load_rim (p, column + k, row - 1), {} };

    for_each_top_link (p, s, name, unite_both);
    if (k > 0 && s.column < p.columns) {
      s.left = load_rim (p, s.column - 1, row);
      s.up_left = load_rim (p, s.column - 1, row - 1);
      for_each_corner_link (p, s, name, unite_both);
    }
  }
}

template <bool moments>
__device__ static void
cast_outer (const CcaPatchesParams &p)
{
  __shared__ VotingTable tables[warps];
  const uint32_t n = p.pools[CCA_POOLS];

  for (uint32_t first = blockIdx.x * CCA_BLOCK; first < n; first += gridDim.x * CCA_BLOCK) {
    const uint32_t i = first + threadIdx.x, record = i < n ? p.outer[i] : 0;
    const uint32_t root = i < n ? find_root (GlobalParents{ p.parent }, record) : 0;

    cast_records<moments> (p, tables[threadIdx.x / warp_size], i < n && root != record, record, root);
  }
}

extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_cast_outer (const CcaPatchesParams p)
{
  cast_outer<false> (p);
}

extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_cast_outer_moments (const CcaPatchesParams p)
{
  cast_outer<true> (p);
}

extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_pass_outer (const CcaPatchesParams p)
{
  const uint32_t n = p.pools[CCA_POOLS];

  for (uint32_t i = blockIdx.x * CCA_BLOCK + threadIdx.x; i < n; i += gridDim.x * CCA_BLOCK) {
    const uint32_t record = p.outer[i];

    if (p.parent[record] == record)
      pass_record (p, record);
  }
}
