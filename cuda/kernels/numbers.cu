/* gst-cca: numbering the components of patches in raster order, and what follows from numbers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A component that passes has its first pixel in a plane of bits. Its number is how many are before it: in the rows above
 * (row_firsts), in the patches on the left (before), and in its patch's row.
 */
#include "cuda/kernels/paint.cuh"
#include "cuda/kernels/patches.cuh"
#include "cuda/kernels/scan.cuh"

constexpr uint32_t warps = CCA_BLOCK / warp_size;

/* Rows to the sums of the rows before, by the last block to come. */
__device__ static void
scan_rows (const CcaPatchesParams &p)
{
  __shared__ bool is_last;

  __threadfence ();
  __syncthreads ();
  if (threadIdx.x == 0)
    is_last = atomicAdd (p.pools + CCA_POOLS + 1, 1) == gridDim.x - 1;
  __syncthreads ();
  if (!is_last)
    return;
  __threadfence ();
  const uint32_t n = scan_in_place<CCA_BLOCK> (p.row_firsts, p.planes.height);

  if (threadIdx.x == 0)
    p.wanted.header->n_components = p.wanted.header->n_all = n;
}

/* A block a row of patches; a warp a part of it, a lane a row of pixels. */
extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_count_firsts (const CcaPatchesParams p)
{
  __shared__ uint32_t counts[warps][warp_size];
  const uint32_t warp = threadIdx.x / warp_size, row = blockIdx.x, y = row * patch_size + lane_index ();
  const uint32_t part = (p.columns + warps - 1) / warps;
  const uint32_t first = min (warp * part, p.columns), last = min (first + part, p.columns);
  const auto count_in = [&] (uint32_t column) {
    const size_t patch = (size_t) row * p.columns + column;

    return p.patches[patch].n > 0 ? __popc (p.firsts[patch * patch_size + lane_index ()]) : 0;
  };
  uint32_t before = 0;

#pragma unroll 4
  for (uint32_t column = first; column < last; column++)
    before += count_in (column);
  counts[warp][lane_index ()] = before;
  __syncthreads ();
  before = 0;
  for (uint32_t w = 0; w < warp; w++)
    before += counts[w][lane_index ()];
#pragma unroll 4
  for (uint32_t column = first; column < last; column++) {
    const uint32_t n = count_in (column);

    p.before[((size_t) row * p.columns + column) * patch_size + lane_index ()] = before;
    before += n;
  }
  if (warp == warps - 1 && y < p.planes.height)
    p.row_firsts[y] = before;
  scan_rows (p);
}

/* The number of the component with a first pixel, or 0 where it does not pass. */
__device__ static uint32_t
number_of (const CcaPatchesParams &p, const FirstPixel &first, uint32_t y)
{
  const uint32_t firsts = p.firsts[first.word ()];

  if (!(firsts >> first.x & 1))
    return 0;
  return p.row_firsts[y] + p.before[first.word ()] + __popc (firsts & (all_lanes >> (31 - first.x)));
}

/* A warp a patch: labels of all components, and features of the first ones. */
extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_number_patches (const CcaPatchesParams p)
{
  const uint32_t i = warp_index (), row = i / p.columns;

  if (row >= p.rows || (p.labels == NULL && p.row_firsts[row * patch_size] >= p.wanted.n_selected))
    return;
  const CcaPatch patch = p.patches[i];

  for (uint32_t k = lane_index (); k < patch.n; k += warp_size) {
    const uint32_t record = patch.first + k;
    uint32_t root = record;

    if (k < patch.n_rim)
      while (p.parent[root] != root)
        root = p.parent[root];
    const uint32_t packed = p.first_pixels[root], number = number_of (p, first_pixel (p, packed), packed >> 16);

    if (p.labels)
      p.labels[record] = number;
    if (root == record && number > 0 && number <= p.wanted.n_selected)
      p.wanted.selected[number - 1] = features_of (p.votes, record, packed);
  }
}

/* --- Painting ------------------------------------------------------------------------------------------------------ */

/* A warp a patch: four pixels a lane, four rows at a time. */
template <bool values>
__device__ static void
paint_patches (const CcaPatchesPaintParams &q)
{
  constexpr uint32_t most = values ? CCA_PATCH_RUNS_OF_VALUES : CCA_PATCH_RUNS;
  constexpr uint32_t warps_here = CCA_PATCH_BLOCK / warp_size, lanes_a_row = patch_size / 4;
  __shared__ uint32_t all_labels[warps_here][most];
  uint32_t *const labels = all_labels[threadIdx.x / warp_size];
  const CcaPatchesParams &p = q.patches;
  const uint32_t patch = warp_index (), column = patch % p.columns, row = patch / p.columns;

  if (row >= p.rows)
    return;
  const PatchRow own = load_patch_row<values> (p.planes, column, row);
  const uint32_t n_runs = __shfl_sync (all_lanes, own.first_run + own.n_runs, warp_size - 1), first = p.patches[patch].first;

  for (uint32_t i = lane_index (); i < n_runs; i += warp_size)
    labels[i] = p.labels[first + p.run_components[(size_t) patch * most + i]];
  __syncwarp ();
  for (uint32_t base = 0; base < patch_size; base += warp_size / lanes_a_row) {
    const uint32_t in_patch = base + lane_index () / lanes_a_row, y = row * patch_size + in_patch;
    const uint32_t bit = lane_index () % lanes_a_row * 4, x = column * patch_size + bit;
    PatchRow r;
    uint32_t four[4];

    r.here = __shfl_sync (all_lanes, own.here, in_patch);
    r.joins = __shfl_sync (all_lanes, own.joins, in_patch);
    r.first_run = __shfl_sync (all_lanes, own.first_run, in_patch);
    for (uint32_t k = 0; k < 4; k++)
      four[k] = r.here >> (bit + k) & 1 ? labels[r.run_at (bit + k)] : 0;
    if (x < q.canvas.width && y < q.canvas.height)
      paint_four (q.canvas, x, y, four);
  }
}

extern "C" __global__ void __launch_bounds__ (CCA_PATCH_BLOCK)
cca_paint_patches (const CcaPatchesPaintParams p)
{
  paint_patches<false> (p);
}

extern "C" __global__ void __launch_bounds__ (CCA_PATCH_BLOCK)
cca_paint_patches_of_values (const CcaPatchesPaintParams p)
{
  paint_patches<true> (p);
}
