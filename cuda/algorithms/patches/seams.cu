/* gst-cca: uniting components over seams in global memory: seams of groups, or of all patches
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * With groups, unite_patches leaves a list of each group's outer components for unite_groups, accumulate_outer and
 * filter_outer. A small frame spends more time waiting for kernels than working, so patches-direct has no groups:
 * unite_direct, accumulate_direct and filter_direct do the same for all components that touch their patch's border.
 */
#include "cuda/algorithms/patches/seams.cuh"

/* --- Uniting ----------------------------------------------------------------------------------------- */

template <typename F>
__device__ static void
for_corner (const CcaPatchesParams &p, const Neighbours &s, F f)
{
  const uint32_t last = patch_size - 1;
  const Corner corner = { s.own.place (__shfl_sync (all_lanes, s.own.top (), 0)),
                          s.left.place (__shfl_sync (all_lanes, s.left.top (), last)),
                          s.up.place (__shfl_sync (all_lanes, s.up.bottom (), 0)),
                          s.up_left.place (__shfl_sync (all_lanes, s.up_left.bottom (), last)) };

  if (s.column < p.columns && s.row < p.rows && lane_index () == 0)
    for_each_corner_link (p.planes, s.column, s.row, corner, f);
}

/* The links that a warp has found. Its lanes unite them side by side: one lane would wait for memory at each. */
struct LinkList
{
  uint2 links[2 * 3 * warp_size + 4]; /* of two seams, straight and diagonal, and two corners */
  uint32_t n;
};

/* Loads a patch and its wanted neighbours, all at once to wait only once. What is not wanted, or outside the image, is
 * background. */
__device__ static Neighbours
load_neighbours (const CcaPatchesParams &p, uint32_t column, uint32_t row, bool left, bool up, bool up_left)
{
  return { column,
           row,
           load_border (p, column, row, true),
           load_border (p, column - 1, row, left),
           load_border (p, column, row - 1, up),
           load_border (p, column - 1, row - 1, up_left) };
}

/* Unites components over the left seam of one patch and the upper seam of another one, or of the same. */
__device__ static void
unite_over_seams (const CcaPatchesParams &p, const Neighbours &left, const Neighbours &top)
{
  __shared__ LinkList lists[CCA_BLOCK / warp_size];
  LinkList &list = lists[threadIdx.x / warp_size];
  const auto note = [&] (uint32_t a, uint32_t b) { list.links[atomicAdd (&list.n, 1)] = make_uint2 (a, b); };
  const Seam left_seam = seam_between (p.planes, left.own.sides.left (), left.left.sides.right ());
  const Seam top_seam = seam_between (p.planes, top.own.sides.top (), top.up.sides.bottom ());

  if (lane_index () == 0)
    list.n = 0;
  __syncwarp ();
  if (lane_index () == 0 && left_seam == Seam::whole)
    note (left.own.place (left.own.left ()), left.left.place (left.left.right ()));
  if (lane_index () == 1 && top_seam == Seam::whole)
    note (top.own.place (top.own.top ()), top.up.place (top.up.bottom ()));
  if (left_seam == Seam::mixed)
    for_each_left_link (p, left, note);
  if (top_seam == Seam::mixed)
    for_each_top_link (p, top, note);
  if (p.planes.diagonal) {
    for_corner (p, left, note);
    if (top.column != left.column || top.row != left.row)
      for_corner (p, top, note);
  }
  __syncwarp ();
  const RecordParents parents = record_parents (p);

  for (uint32_t i = lane_index (); i < list.n; i += warp_size)
    unite_likely_roots (parents, parents.get (list.links[i].x), parents.get (list.links[i].y));
}

/* Lines of whole groups that begin with this block's. */
struct WholeGroups
{
  uint32_t to_the_left, upwards; /* further ones; 0 if this group is not whole */
  bool joined;                   /* the neighbours on the left and above connect through the one between them */
};

__device__ static WholeGroups
find_whole_groups (const CcaPatchesParams &p)
{
  const auto whole = [&] (uint32_t column, uint32_t row) {
    return column < gridDim.x && row < gridDim.y && p.n_outer[row * gridDim.x + column] & CCA_WHOLE_GROUP;
  };
  const bool in_row = whole (blockIdx.x - lane_index (), blockIdx.y),
             in_column = whole (blockIdx.x, blockIdx.y - lane_index ());
  const bool between = whole (blockIdx.x - 1, blockIdx.y - 1);
  const auto count_behind = [] (bool in_line) {
    const uint32_t n =
        min (__ffs (~__ballot_sync (all_lanes, in_line)) - 1u, warp_size); /* consecutive ones from the first lane on */

    return n > 0 ? n - 1 : 0;
  };
  const uint32_t to_the_left = count_behind (in_row), upwards = count_behind (in_column);

  return { to_the_left, upwards, to_the_left > 0 && upwards > 0 && between };
}

/* Unites a whole group with the farthest one on each line of whole groups, so that no path grows with the width or the
 * height of the image. If four whole groups meet, three links imply the fourth. */
__device__ static void
unite_whole_groups (const CcaPatchesParams &p, const WholeGroups &whole)
{
  const RecordParents parents = record_parents (p);
  const Label own = label_of_whole_group (p, blockIdx.x, blockIdx.y);

  if (whole.to_the_left > 0 && lane_index () == 0)
    unite_likely_roots (parents, own, label_of_whole_group (p, blockIdx.x - whole.to_the_left, blockIdx.y));
  if (whole.upwards > 0 && !whole.joined && lane_index () == 1)
    unite_likely_roots (parents, own, label_of_whole_group (p, blockIdx.x, blockIdx.y - whole.upwards));
}

/* Unites over the left and the upper seam of a block's group: each warp has one patch on either seam. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_unite_groups (const CcaPatchesParams p)
{
  trigger_then_sync ();
  const uint32_t k = threadIdx.x / warp_size, column = blockIdx.x * CCA_GROUP, row = blockIdx.y * CCA_GROUP;
  const bool diagonal = p.planes.diagonal;
  static_assert (CCA_BLOCK == CCA_GROUP * warp_size, "a warp has a patch of each seam");
  const WholeGroups whole = find_whole_groups (p);
  Neighbours left = load_neighbours (p, column, row + k, true, diagonal, diagonal);
  Neighbours top = load_neighbours (p, column + k, row, diagonal, true, diagonal);

  /* between whole groups the links at corners are implied, too */
  if (whole.to_the_left > 0)
    left.left = left.up_left = no_patch;
  if (whole.upwards > 0)
    top.up = top.up_left = no_patch;
  if (k == 0)
    unite_whole_groups (p, whole);
  unite_over_seams (p, left, top);
}

/* Waits until a patch and its neighbours on the left, above and between these are published; a lane watches each. */
__device__ static void
wait_for_patches (const CcaPatchesParams &p, const PatchIndex &index)
{
  const uint32_t column = index.column - lane_index () % 2, row = index.row - lane_index () / 2;
  bool waits = lane_index () < 4 && column < p.columns && row < p.rows;

  while (__any_sync (all_lanes, waits))
    waits = waits && !load_relaxed (&p.patches[row * p.columns + column].ready);
  fence_acquire ();
  __syncwarp ();
}

/* Unites over a patch's left and upper seam, a warp each, as soon as the patches on these seams are published. The
 * slowest patch of a frame holds up only its neighbours. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_unite_direct (const CcaPatchesParams p)
{
  trigger_next_grid ();
  const PatchIndex index = patch_index ();

  if (index.exists (p)) {
    wait_for_patches (p, index);
    const Neighbours patch = load_neighbours (p, index.column, index.row, true, true, p.planes.diagonal);

    unite_over_seams (p, patch, patch);
  }
  __syncwarp (); /* a lane that waits alone would hold up lanes that still unite */
  grid_dependency_sync ();
}

/* --- Accumulating features, marking first pixels ------------------------------------------------------- */

/* Calls f (exists, record) for the outer components of this block's group, with all lanes of a warp together. */
template <typename F>
__device__ static void
for_each_outer (const CcaPatchesParams &p, F f)
{
  const uint32_t n = p.n_outer[blockIdx.x] & ~CCA_WHOLE_GROUP;

  for (uint32_t first = 0; first < n; first += CCA_BLOCK) {
    const uint32_t i = first + threadIdx.x;

    f (i < n, i < n ? p.outer[blockIdx.x * p.outer_capacity + i] : 0);
  }
}

/* Calls f (exists, record) for the components that touch the borders of this block's patches, with all lanes of a warp
 * together. They form one list, so that those of a component meet in a warp. */
template <typename F>
__device__ static void
for_each_at_border (const CcaPatchesParams &p, F f)
{
  constexpr uint32_t n_patches = CCA_BLOCK / warp_size;
  __shared__ uint32_t firsts[n_patches], counts[n_patches];
  const PatchIndex index = patch_index ();
  uint32_t n = 0;

  if (lane_index () == 0) {
    const CcaPatch patch = index.exists (p) ? patch_at (p, index.in (p)) : CcaPatch{};

    firsts[threadIdx.x / warp_size] = patch.first;
    counts[threadIdx.x / warp_size] = patch.n_border;
    if (index.exists (p))
      p.patches[index.in (p)].ready = 0; /* reset for the next frame: all warps that waited for it have ended */
  }
  __syncthreads ();
  for (uint32_t k = 0; k < n_patches; k++)
    n += counts[k];
  for (uint32_t first = 0; first < n; first += CCA_BLOCK) {
    const uint32_t i = first + threadIdx.x;
    uint32_t patch = 0, before = 0;

    for (uint32_t k = 0, end = 0; k + 1 < n_patches; k++) {
      end += counts[k];
      if (i >= end) {
        patch = k + 1;
        before = end;
      }
    }
    f (i < n, i < n ? firsts[patch] + i - before : 0);
  }
}

/* Accumulates a record in its root. Without a filter a root's first pixel is marked before the root has all votes. */
template <bool moments>
__device__ static void
accumulate_record (const CcaPatchesParams &p, bool exists, uint32_t record)
{
  __shared__ VotingTable tables[CCA_BLOCK / warp_size];
  const Vote vote = load_vote<moments> (p, exists, record); /* loads while the root is searched */
  const RecordParents parents = record_parents (p);
  const Label root = exists ? find_root (parents, parents.get (record)) : record;

  accumulate_records<moments> (p, tables[threadIdx.x / warp_size], record_of (root) != record, record_of (root), vote);
  if (exists && record_of (root) == record && !p.has_filter)
    filter_record (p, root);
}

__device__ static void
filter_root (const CcaPatchesParams &p, bool exists, uint32_t record)
{
  const Label label = exists ? p.parents[record] : 0;

  if (exists && record_of (label) == record)
    filter_record (p, label);
}

#define CCA_DEFINE_SEAM_KERNELS(list, for_each)                                                                        \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_accumulate_##list (const CcaPatchesParams p)            \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    for_each (p, [&] (bool exists, uint32_t record) { accumulate_record<false> (p, exists, record); });                \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_accumulate_##list##_moments (const CcaPatchesParams p)  \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    for_each (p, [&] (bool exists, uint32_t record) { accumulate_record<true> (p, exists, record); });                 \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_filter_##list (const CcaPatchesParams p)                \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    for_each (p, [&] (bool exists, uint32_t record) { filter_root (p, exists, record); });                             \
  }

CCA_DEFINE_SEAM_KERNELS (outer, for_each_outer)
CCA_DEFINE_SEAM_KERNELS (direct, for_each_at_border)
