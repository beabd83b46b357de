/* gst-cca: numbering the components of patches in raster order, and what follows from numbers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A component that passes has its first pixel in a plane of bits. Its number is how many are before it: in the rows above
 * (before_row), in the patches on the left (before), and in its patch's row. Its root's record is that of the patch with the pixel.
 */
#include "cuda/kernels/paint.cuh"
#include "cuda/kernels/patches.cuh"

#include <cub/block/block_reduce.cuh>

/* The number of the component with a first pixel, or 0 where it does not pass. Three loads at once. */
__device__ static uint32_t
number_of (const CcaPatchesParams &p, const FirstPixel &first, uint32_t y)
{
  const uint32_t firsts = p.firsts[first.word ()];
  const uint32_t number = p.before_row[y] + p.before[first.word ()] + __popc (firsts & (all_lanes >> (31 - first.x)));

  return firsts >> first.x & 1 ? number : 0;
}

/* The sum of `n` counts, in all threads of a block. */
template <uint32_t threads>
__device__ static uint32_t
sum_of_counts (const uint32_t *counts, uint32_t n)
{
  typedef cub::BlockReduce<uint32_t, threads> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ uint32_t result;
  uint32_t sum = 0;

  for (uint32_t i = threadIdx.x; i < n; i += threads)
    sum += counts[i];
  sum = Reduce (storage).Sum (sum);
  if (threadIdx.x == 0)
    result = sum;
  __syncthreads ();
  return result;
}

/* The first pixels of some patches of a row: a warp has a few of them, a lane a row of pixels of each. */
constexpr uint32_t count_each = 8;

struct Counts
{
  uint32_t n[count_each];
};

__device__ static Counts
load_counts (const CcaPatchesParams &p, uint32_t row, uint32_t base)
{
  const uint32_t column = base + threadIdx.x / warp_size * count_each;
  Counts counts;

#pragma unroll
  for (uint32_t k = 0; k < count_each; k++) {
    const size_t i = (size_t) row * p.columns + column + k;
    const uint32_t firsts = column + k < p.columns ? p.firsts[i * patch_size + lane_index ()] : 0;

    counts.n[k] = column + k < p.columns && patch_at (p, i).n > 0 ? __popc (firsts) : 0;
  }
  return counts;
}

/* Stores how many first pixels are before each patch in its rows, and returns how many before the patches to come. */
template <uint32_t threads>
__device__ static uint32_t
store_before (const CcaPatchesParams &p, uint32_t row, uint32_t base, const Counts &counts, uint32_t before_all)
{
  constexpr uint32_t warps = threads / warp_size;
  __shared__ uint32_t sums[warps][warp_size];
  const uint32_t warp = threadIdx.x / warp_size, column = base + warp * count_each;
  uint32_t sum = 0, before = before_all;

  for (uint32_t k = 0; k < count_each; k++)
    sum += counts.n[k];
  sums[warp][lane_index ()] = sum;
  __syncthreads ();
  for (uint32_t w = 0; w < warps; w++) {
    before += w < warp ? sums[w][lane_index ()] : 0;
    before_all += sums[w][lane_index ()];
  }
#pragma unroll
  for (uint32_t k = 0; k < count_each; k++) {
    if (counts.n[k] > 0)
      p.before[((size_t) row * p.columns + column + k) * patch_size + lane_index ()] = before;
    before += counts.n[k];
  }
  __syncthreads ();
  return before_all;
}

/* Features of those of the lanes' components that are roots and among the first of all. */
__device__ static void
select_component (const CcaPatchesParams &p, const CcaWanted &wanted, bool is_root, uint32_t record, uint32_t packed)
{
  const uint32_t number = is_root ? number_of (p, first_pixel (p, packed), packed >> 16) : 0;
  const bool stores = number > 0 && number <= wanted.n_selected;

  store_features (wanted, stores, number - 1, stores ? features_of (p.votes, record, packed) : CcaDeviceFeatures{});
}

/* As many patches as have records of their own within a warp's lanes. */
constexpr uint32_t patches_at_once = warp_size / CCA_PATCH_RECORDS;

/* Those of so many patches from one on, of which `left` are there: at once, without waiting for what says how many records there are,
 * and where they are more one patch after the other. */
__device__ static void
select_components (const CcaPatchesParams &p, const CcaWanted &wanted, uint32_t first_patch, uint32_t left)
{
  const uint32_t i = first_patch + lane_index () / CCA_PATCH_RECORDS, k = lane_index () % CCA_PATCH_RECORDS;
  const uint32_t own = i * CCA_PATCH_RECORDS + k;
  CcaPatch patch = {};
  uint32_t parent = 0, packed = 0;

  if (i - first_patch < left) {
    patch = patch_at (p, i);
    parent = p.parent[own];
    packed = p.first_pixels[own];
  }
  select_component (p, wanted, patch.n <= CCA_PATCH_RECORDS && k < patch.n && (k >= patch.n_rim || parent == own), own, packed);
  for (uint32_t lanes = __ballot_sync (all_lanes, patch.n > CCA_PATCH_RECORDS && k == 0); lanes; lanes &= lanes - 1) {
    const uint32_t lane = __ffs (lanes) - 1, first = __shfl_sync (all_lanes, patch.first, lane);
    const uint32_t n = __shfl_sync (all_lanes, (uint32_t) patch.n, lane);
    const uint32_t n_rim = __shfl_sync (all_lanes, (uint32_t) patch.n_rim, lane);

    for (uint32_t base = 0; base < n; base += warp_size) {
      const uint32_t c = base + lane_index (), record = first + c;

      select_component (p, wanted, c < n && (c >= n_rim || p.parent[record] == record), record,
                        c < n ? p.first_pixels[record] : 0);
    }
  }
}

/* The host makes the pools larger where one had too few records. */
__device__ static void
report_needs (const CcaPatchesParams &p, const CcaHeaders &headers)
{
  uint32_t needed = 0;

  for (uint32_t i = lane_index (); i < p.n_pools; i += warp_size)
    needed = max (needed, p.counters[i * CCA_POOL_STRIDE]);
  needed = warp_max (needed);
  if (lane_index () == 0 && needed > p.pool_size)
    headers.host->needed = needed;
}

/* A block a row of patches. Rows without a first pixel, and where no labels are wanted those behind the components to store, have
 * nothing to do; the others then do f (). The last block that has read the counters leaves them to the next frame as they were. */
template <uint32_t threads, typename F>
__device__ static void
number_row (const CcaPatchesParams &p, const CcaWanted &wanted, uint32_t row, F f)
{
  __shared__ bool is_last;
  const uint32_t *const row_firsts = p.counters + CCA_ROW_FIRSTS;
  const uint32_t y0 = row * patch_size, y = y0 + lane_index ();
  constexpr uint32_t at_once = threads / warp_size * count_each;
  /* Loaded before they are needed, to wait once. */
  const Counts counts = load_counts (p, row, 0);
  const uint32_t n = y < p.planes.height ? row_firsts[y] : 0;
  const uint32_t before = sum_of_counts<threads> (row_firsts, y0), sum = warp_inclusive_sum (n);
  const uint32_t n_here = __shfl_sync (all_lanes, sum, warp_size - 1);
  uint32_t n_read = 0;

  if (row == 0 && threadIdx.x < warp_size)
    report_needs (p, wanted.headers);
  __syncthreads ();
  if (threadIdx.x == 0)
    n_read = atomicAdd (p.counters + CCA_N_READ, 1);
  if (threadIdx.x < warp_size && y < p.planes.height)
    p.before_row[y] = before + sum - n;
  if (row == p.rows - 1 && threadIdx.x == warp_size - 1)
    store_count (wanted.headers, before + sum);
  if (n_here > 0 && (p.run_components || before < wanted.n_selected)) {
    uint32_t before_all = store_before<threads> (p, row, 0, counts, 0);

    for (uint32_t base = at_once; base < p.columns; base += at_once)
      before_all = store_before<threads> (p, row, base, load_counts (p, row, base), before_all);
    if (before < wanted.n_selected)
      f ();
  }
  if (threadIdx.x == 0)
    is_last = n_read == gridDim.x - 1;
  __syncthreads ();
  if (is_last)
    for (uint32_t i = threadIdx.x; i < CCA_ROW_FIRSTS + p.planes.height; i += threads)
      p.counters[i] = 0;
}

extern "C" __global__ void __launch_bounds__ (CCA_SCAN_BLOCK, most_threads / CCA_SCAN_BLOCK)
cca_number_rows (const CcaPatchesNumberParams q)
{
  start_kernel ();
  number_row<CCA_SCAN_BLOCK> (q.patches, q.wanted, blockIdx.x, [] {});
}

/* Tells the host, in its memory, that what all blocks have stored there is there: sooner than an event, and without the driver. */
__device__ static void
signal_host (const CcaPatchesParams &p, const CcaHeaders &headers)
{
  uint32_t *const n_done = p.counters + CCA_ROW_FIRSTS + p.planes.height;

  __syncthreads ();
  if (threadIdx.x > 0)
    return;
  __threadfence_system ();
  if (atomicAdd (n_done, 1) < gridDim.x - 1)
    return;
  *n_done = 0;
  __threadfence_system ();
  *(volatile uint32_t *) &headers.host->done = 1;
}

/* In small frames, of which a row has few patches, a block also selects: a root is in the row of patches of its first pixel. */
extern "C" __global__ void __launch_bounds__ (CCA_ROW_BLOCK)
cca_number_rows_and_select (const CcaPatchesNumberParams q)
{
  const CcaPatchesParams &p = q.patches;

  start_kernel ();
  number_row<CCA_ROW_BLOCK> (p, q.wanted, blockIdx.x, [&] {
    for (uint32_t column = threadIdx.x / warp_size * patches_at_once; column < p.columns;
         column += CCA_ROW_BLOCK / CCA_PATCH_RECORDS)
      select_components (p, q.wanted, blockIdx.x * p.columns + column, p.columns - column);
  });
  if (q.wanted.signals)
    signal_host (p, q.wanted.headers);
}

/* The same for large frames: a warp some patches of a row. */
extern "C" __global__ void __launch_bounds__ (CCA_BLOCK)
cca_select_patches (const CcaPatchesNumberParams q)
{
  const CcaPatchesParams &p = q.patches;
  const CcaWanted &wanted = q.wanted;

  start_kernel ();
  const uint32_t a_row = (p.columns + patches_at_once - 1) / patches_at_once;

  for (uint32_t i = warp_index (); i < a_row * p.rows; i += gridDim.x * (CCA_BLOCK / warp_size)) {
    const uint32_t row = i / a_row, column = i % a_row * patches_at_once, before = p.before_row[row * patch_size];
    const uint32_t end = row + 1 < p.rows ? p.before_row[(row + 1) * patch_size] : wanted.headers.device->n_components;

    if (before >= wanted.n_selected)
      return;
    if (end > before)
      select_components (p, wanted, row * p.columns + column, p.columns - column);
  }
}

/* --- Labels -------------------------------------------------------------------------------------------------------- */

/* The label of a patch's component: its root's number. */
__device__ static uint32_t
label_of (const CcaPatchesParams &p, const CcaPatch &patch, uint32_t component)
{
  uint32_t root = patch.first + component;

  if (component < patch.n_rim)
    root = find_root (GlobalParents{ p.parent }, root);
  const uint32_t packed = p.first_pixels[root];

  return number_of (p, first_pixel (p, packed), packed >> 16);
}

/* A warp a patch: four pixels a lane, four rows at a time. */
template <bool values>
__device__ static void
paint_patches (const CcaPatchesPaintParams &q)
{
  constexpr uint32_t most = values ? CCA_PATCH_RUNS_OF_VALUES : CCA_PATCH_RUNS;
  constexpr uint32_t warps_here = CCA_PATCH_BLOCK / warp_size, lanes_a_row = patch_size / 4;
  __shared__ uint32_t all_labels[warps_here][most], all_run_labels[warps_here][most];
  uint32_t *const labels = all_labels[threadIdx.x / warp_size], *const run_labels = all_run_labels[threadIdx.x / warp_size];
  const CcaPatchesParams &p = q.patches;
  const PatchIndex index = patch_index ();
  const uint32_t patch = index.in (p);

  if (!index.exists (p))
    return;
  const PatchRows rows = load_patch<values ? Source::values : Source::bits> (p.planes, {}, index.column, index.row);
  const PatchRow &own = rows.own;
  const CcaPatch header = patch_at (p, patch);

  for (uint32_t k = lane_index (); k < header.n; k += warp_size)
    labels[k] = label_of (p, header, k);
  __syncwarp ();
  for (uint32_t i = lane_index (); i < rows.n_runs; i += warp_size)
    run_labels[i] = labels[header.n > 1 ? p.run_components[(size_t) patch * most + i] : 0];
  __syncwarp ();
  for (uint32_t base = 0; base < patch_size; base += warp_size / lanes_a_row) {
    const uint32_t in_patch = base + lane_index () / lanes_a_row, y = index.row * patch_size + in_patch;
    const uint32_t bit = lane_index () % lanes_a_row * 4, x = index.column * patch_size + bit;
    PatchRow r;
    uint32_t four[4];

    r.here = __shfl_sync (all_lanes, own.here, in_patch);
    r.joins = __shfl_sync (all_lanes, own.joins, in_patch);
    r.first_run = __shfl_sync (all_lanes, own.first_run, in_patch);
    for (uint32_t k = 0; k < 4; k++)
      four[k] = r.here >> (bit + k) & 1 ? run_labels[r.run_at (bit + k)] : 0;
    if (x < q.canvas.width && y < q.canvas.height)
      paint_four (q.canvas, x, y, four);
  }
}

extern "C" __global__ void __launch_bounds__ (CCA_PATCH_BLOCK)
cca_paint_patches (const CcaPatchesPaintParams p)
{
  start_kernel ();
  paint_patches<false> (p);
}

extern "C" __global__ void __launch_bounds__ (CCA_PATCH_BLOCK)
cca_paint_patches_of_values (const CcaPatchesPaintParams p)
{
  start_kernel ();
  paint_patches<true> (p);
}
