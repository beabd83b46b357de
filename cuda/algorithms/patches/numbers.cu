/* gst-cca: numbering the components of patches in raster order; storing features, painting and overlaps by number
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each component that passes the filter has a bit at its first pixel. Its number is the count of such bits up to its
 * own: in the rows above, in the patches on the left, and in its patch. The patch with the first pixel also has the
 * root's record, so that the warp that numbers a patch also stores the features of its components.
 */
#include "cuda/kernels/overlaps.cuh"
#include "cuda/kernels/paint.cuh"
#include "cuda/algorithms/patches/patches.cuh"

constexpr uint32_t warps = CCA_NUMBER_BLOCK / warp_size;

/* Patches side by side that a warp numbers; `left` of them are within the image. A block has CCA_RANKED_PATCHES or
 * CCA_NUMBERED_PATCHES. */
template <uint32_t a_block> struct RankedPatches
{
  static constexpr uint32_t n = a_block / warps, lanes_each = warp_size / n;
  static_assert (n * warps == a_block && n * lanes_each == warp_size,
                 "a block's warps have its patches, and their lanes theirs");

  uint32_t first, left;

  /* lanes_each lanes share a patch */
  CcaPatch patch;

  /* a lane has one row of each patch */
  uint32_t firsts[n]; /* masks of first pixels */
  uint32_t before[n]; /* first pixels before these, in the row and in those above */

  __device__ uint32_t own_patch () const { return lane_index () / lanes_each; }

  /* Loads all at once, before it is known which patches have components. */
  __device__ void load (const CcaPatchesParams &p)
  {
    patch = own_patch () < left ? patch_at (p, first + own_patch ()) : CcaPatch{};
#pragma unroll
    for (uint32_t k = 0; k < n; k++)
      firsts[k] = k < left ? p.firsts[(size_t) (first + k) * patch_size + lane_index ()] : 0;
  }

  /* Returns the first pixels in this lane's row. What an empty patch has in memory is an earlier frame's. */
  __device__ uint32_t count ()
  {
    uint32_t sum = 0;

#pragma unroll
    for (uint32_t k = 0; k < n; k++) {
      firsts[k] = __shfl_sync (all_lanes, (uint32_t) patch.n, k * lanes_each) > 0 ? firsts[k] : 0;
      sum += __popc (firsts[k]);
    }
    return sum;
  }

  __device__ void number (uint32_t before_all)
  {
#pragma unroll
    for (uint32_t k = 0; k < n; k++) {
      before[k] = before_all;
      before_all += __popc (firsts[k]);
    }
  }
};

/* The same patches with their records: a lane has a record of one patch. */
struct NumberedPatches : RankedPatches<CCA_NUMBERED_PATCHES>
{
  static_assert (lanes_each == CCA_PATCH_RECORDS, "a lane has a record");

  Label label;

  __device__ uint32_t own_slot () const { return lane_index () % CCA_PATCH_RECORDS; }
  __device__ uint32_t own_record () const { return (first + own_patch ()) * CCA_PATCH_RECORDS + own_slot (); }

  __device__ void load (const CcaPatchesParams &p)
  {
    label = own_patch () < left ? p.parents[own_record ()] : 0;
    RankedPatches::load (p);
  }

  /* Returns the number of the component with a first pixel in patch k, or 0 if it does not pass; call it with all
   * lanes. */
  __device__ uint32_t number_of (uint32_t k, Label of) const
  {
    const uint32_t y = first_y (of) % patch_size, x = first_x (of) % patch_size;
    uint32_t row = 0, number = 0;

#pragma unroll
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t row_of_this = __shfl_sync (all_lanes, firsts[i], y),
                     before_this = __shfl_sync (all_lanes, before[i], y);

      row = i == k ? row_of_this : row;
      number = i == k ? before_this : number;
    }
    return row >> x & 1 ? number + __popc (row & (all_lanes >> (31 - x))) : 0;
  }
};

/* Counts a warp's share of the first pixels in this lane's row, in the patches before column `end`. */
__device__ static uint32_t
count_before (const CcaPatchesParams &p, uint32_t row, uint32_t end)
{
  uint32_t sum = 0;

#pragma unroll 4
  for (uint32_t column = threadIdx.x / warp_size; column < end; column += warps) {
    const size_t i = (size_t) row * p.columns + column;
    const uint32_t firsts = p.firsts[i * patch_size + lane_index ()];

    sum += patch_at (p, i).n > 0 ? __popc (firsts) : 0;
  }
  return sum;
}

/* Counts a warp's share of the first pixels in all rows above; `n_rows` is a multiple of four. */
__device__ static uint32_t
count_above (const CcaPatchesParams &p, uint32_t n_rows)
{
  const uint4 *const fours = (const uint4 *) (p.counters + CCA_ROW_FIRSTS);
  uint32_t sum = 0;

#pragma unroll 4
  for (uint32_t i = threadIdx.x; i < n_rows / 4; i += CCA_NUMBER_BLOCK)
    sum += fours[i].x + fours[i].y + fours[i].z + fours[i].w;
  return warp_sum (sum);
}
static_assert (CCA_ROW_FIRSTS % 4 == 0 && patch_size % 4 == 0, "counters are loaded by fours");

/* Stores the features of those lanes' components that are roots and among the first n_selected. */
__device__ static void
select_component (const CcaPatchesParams &p, const CcaWanted &wanted, bool is_root, Label label, uint32_t number)
{
  const bool stores = is_root && number > 0 && number <= wanted.n_selected;

  store_features (wanted, stores, number - 1,
                  stores ? features_of (p.features, record_of (label), label >> 32) : CcaFeatures{});
}

/* Stores the features of a warp's components. Patches that have records from the pool follow one after the other. */
__device__ static void
select_components (const CcaPatchesParams &p, const CcaWanted &wanted, const NumberedPatches &patches)
{
  const CcaPatch &patch = patches.patch;
  const uint32_t slot = patches.own_slot (), own = patches.own_record ();

  select_component (p, wanted, patch.n <= CCA_PATCH_RECORDS && slot < patch.n && record_of (patches.label) == own,
                    patches.label, patches.number_of (patches.own_patch (), patches.label));
  for (uint32_t lanes = __ballot_sync (all_lanes, patch.n > CCA_PATCH_RECORDS && slot == 0); lanes;
       lanes &= lanes - 1) {
    const uint32_t lane = __ffs (lanes) - 1, first = __shfl_sync (all_lanes, patch.first, lane);
    const uint32_t n = __shfl_sync (all_lanes, (uint32_t) patch.n, lane);

    for (uint32_t base = 0; base < n; base += warp_size) {
      const uint32_t c = base + lane_index ();
      const Label label = c < n ? p.parents[first + c] : 0;

      select_component (p, wanted, c < n && record_of (label) == first + c, label,
                        patches.number_of (lane / CCA_PATCH_RECORDS, label));
    }
  }
}

/* Reports the pool size that this frame needed, or 0 if the pool had enough records. The host grows the pool and runs
 * the frame again. */
__device__ static void
report_needs (const CcaPatchesParams &p, const CcaHeaders &headers)
{
  const uint32_t needed = p.counters[CCA_N_POOLED];

  headers.host->needed = needed > p.pool_size ? needed : 0;
}

/* Arrives: tells that this block has read the counters. Call it after a barrier, and pass the result to reset_counters
 * (), which comes later so that no thread waits for the answer. */
__device__ static uint32_t
arrive_at_counters (const CcaPatchesParams &p)
{
  return threadIdx.x == 0 ? atomicAdd (p.counters + CCA_N_ARRIVED, 1) : 0;
}

/* Resets the counters for the next frame if this block was the last to arrive. */
__device__ static void
reset_counters (const CcaPatchesParams &p, uint32_t n_before)
{
  __shared__ bool is_last;

  if (threadIdx.x == 0)
    is_last = n_before == gridDim.x * gridDim.y - 1;
  __syncthreads ();
  if (is_last)
    for (uint32_t i = threadIdx.x; i < CCA_ROW_FIRSTS + p.planes.height; i += CCA_NUMBER_BLOCK)
      p.counters[i] = 0;
}

/* Does nothing, if no component is to be stored. */
template <uint32_t a_block>
__device__ static void
select_components (const CcaPatchesParams &, const CcaWanted &, const RankedPatches<a_block> &)
{
}

/* Numbers a row of patches, some for each block. A block is done early if no first pixel is in its row of patches, or
 * if no output image is wanted and all components to store are above. Direct kernels load before they know that. */
template <typename Patches>
__device__ static void
number_patches (const CcaPatchesNumberParams &q)
{
  __shared__ uint32_t above[warps], before_block[warps][warp_size], counts[warps][warp_size];
  const CcaPatchesParams &p = q.patches;
  const uint32_t warp = threadIdx.x / warp_size, row = blockIdx.y, y = row * patch_size + lane_index ();
  const uint32_t first_column = blockIdx.x * Patches::n * warps, column = first_column + warp * Patches::n;
  Patches patches = {};
  uint32_t n_before = 0;
  const auto load = [&] {
    patches.load (p);
    n_before = count_before (p, row, first_column);
  };

  patches.first = row * p.columns + column;
  patches.left = column < p.columns ? p.columns - column : 0;
  if (p.direct)
    load ();
  const uint32_t n = y < p.planes.height ? p.counters[CCA_ROW_FIRSTS + y] : 0,
                 share = count_above (p, row * patch_size);
  const uint32_t sum = warp_inclusive_sum (n), n_here = __shfl_sync (all_lanes, sum, warp_size - 1);

  if (lane_index () == 0)
    above[warp] = share;
  if (row == 0 && blockIdx.x == 0 && threadIdx.x == 0)
    report_needs (p, q.wanted.headers);
  __syncthreads ();
  const uint32_t n_arrived = arrive_at_counters (p),
                 n_above = warp_sum (lane_index () < warps ? above[lane_index ()] : 0);

  if (row == p.rows - 1 && blockIdx.x == 0 && threadIdx.x == 0)
    store_count (q.wanted.headers, n_above + n_here);
  if (n_here > 0 && (p.before || n_above < q.wanted.n_selected)) {
    if (!p.direct)
      load ();
    uint32_t before = n_above + sum - n;

    counts[warp][lane_index ()] = patches.count ();
    before_block[warp][lane_index ()] = n_before;
    __syncthreads ();
    if (first_column > 0)
      for (uint32_t w = 0; w < warps; w++)
        before += before_block[w][lane_index ()];
    for (uint32_t w = 0; w < warp; w++)
      before += counts[w][lane_index ()];
    patches.number (before);
    if (p.before)
#pragma unroll
      for (uint32_t k = 0; k < Patches::n; k++)
        if (patches.firsts[k])
          p.before[(size_t) (patches.first + k) * patch_size + lane_index ()] = patches.before[k];
    if (n_above < q.wanted.n_selected)
      select_components (p, q.wanted, patches);
  }
  reset_counters (p, n_arrived);
}

/* Triggers the next grid only after its own dependency is met: paint_patches relies on this. */
extern "C" __global__ void
__launch_bounds__ (CCA_NUMBER_BLOCK) cca_number_patches (const CcaPatchesNumberParams p)
{
  grid_dependency_sync ();
  trigger_next_grid ();
  number_patches<NumberedPatches> (p);
}

/* Numbers without storing components: more blocks fit on a multiprocessor, and each has more patches. */
extern "C" __global__ void
__launch_bounds__ (CCA_NUMBER_BLOCK, max_threads / CCA_NUMBER_BLOCK) cca_rank_patches (const CcaPatchesNumberParams p)
{
  grid_dependency_sync ();
  trigger_next_grid ();
  number_patches<RankedPatches<CCA_RANKED_PATCHES>> (p);
}

/* --- Labels ------------------------------------------------------------------------------------------ */

/* Returns the first pixel of a record's component, y << 16 | x; all unions are complete. */
__device__ static uint32_t
find_first (const CcaPatchesParams &p, uint32_t record)
{
  for (;;) {
    const Label label = __ldcg (p.parents + record);

    if (record_of (label) == record)
      return label >> 32;
    record = record_of (label);
  }
}

/* Returns the number of the component with a first pixel, y << 16 | x, or 0 if it does not pass. Both loads are issued
 * at once. */
__device__ static uint32_t
number_of (const CcaPatchesParams &p, uint32_t packed_first)
{
  const FirstPixel first = first_pixel (p, (Label) packed_first << 32);
  const uint32_t firsts = p.firsts[first.word ()],
                 number = p.before[first.word ()] + __popc (firsts & (all_lanes >> (31 - first.x)));

  return firsts >> first.x & 1 ? number : 0;
}

/* Paints a patch with a warp. It makes a pixel of each component's label once. */
template <bool values> struct Painter
{
  static constexpr uint32_t max_runs = values ? CCA_PATCH_RUNS_OF_VALUES_MAX : CCA_PATCH_RUNS_MAX;

  /* a warp's part of shared memory */
  struct Tables
  {
    uint32_t components[max_runs]; /* first pixels, then output pixels */
    uint32_t pixels[1 + max_runs]; /* of background, then of runs; until painting, the runs' components */
  };

  PatchIndex index;
  CcaPatch header;
  PatchRows rows;
  bool plain; /* all background, or one component in all pixels */

  /* Loads all that does not depend on numbers. */
  __device__ void prepare (const CcaPatchesParams &p, Tables &tables)
  {
    index = patch_index ();
    const uint32_t patch = index.in (p);

    header = index.exists (p) ? patch_at (p, patch) : CcaPatch{};
    const uint32_t bits = header.n > 0 ? p.bits[(size_t) patch * patch_size + lane_index ()] : 0;

    for (uint32_t k = lane_index (); k < header.n; k += warp_size)
      tables.components[k] = find_first (p, header.first + k);
    plain = header.n == 0 || (header.n == 1 && !__any_sync (all_lanes, ~bits));
    if (!plain) {
      rows = find_runs<values> (p.planes, index.column, index.row, bits);
      for (uint32_t i = lane_index (); i < rows.n_runs; i += warp_size)
        tables.pixels[1 + i] = header.n > 1 ? p.run_components[(size_t) patch * max_runs + i] : 0;
    }
    __syncwarp ();
  }

  /* Stores four pixels for each lane, four rows at a time; f (row, bit, four) computes them. */
  template <typename F> __device__ void store (const CcaCanvas &canvas, F f) const
  {
    constexpr uint32_t lanes_a_row = patch_size / 4;

    for (uint32_t base = 0; base < patch_size; base += warp_size / lanes_a_row) {
      const uint32_t in_patch = base + lane_index () / lanes_a_row, bit = lane_index () % lanes_a_row * 4;
      const uint32_t x = index.column * patch_size + bit, y = index.row * patch_size + in_patch;
      uint32_t four[4];

      f (in_patch, bit, four);
      if (x < canvas.width && y < canvas.height)
        store_four (canvas, x, y, four);
    }
  }

  __device__ void paint (const CcaPatchesParams &p, const CcaCanvas &canvas, Tables &tables) const
  {
    if (plain) {
      const uint32_t pixel = cca_output_pixel (canvas.output, header.n > 0 ? number_of (p, tables.components[0]) : 0);

      store (canvas, [&] (uint32_t, uint32_t, uint32_t *four) {
        for (uint32_t k = 0; k < 4; k++)
          four[k] = pixel;
      });
      return;
    }
    for (uint32_t k = lane_index (); k < header.n; k += warp_size)
      tables.components[k] = cca_output_pixel (canvas.output, number_of (p, tables.components[k]));
    if (lane_index () == 0)
      tables.pixels[0] = cca_output_pixel (canvas.output, 0);
    __syncwarp ();
    for (uint32_t i = lane_index (); i < rows.n_runs; i += warp_size)
      tables.pixels[1 + i] = tables.components[tables.pixels[1 + i]];
    __syncwarp ();
    store (canvas, [&] (uint32_t in_patch, uint32_t bit, uint32_t *four) {
      const uint32_t here = __shfl_sync (all_lanes, rows.own.here, in_patch);
      const uint32_t starts = here & ~(values ? __shfl_sync (all_lanes, rows.own.joins, in_patch) : here << 1);
      uint32_t runs = __shfl_sync (all_lanes, rows.own.first_run, in_patch) + __popc (starts & ((1u << bit) - 1));

      for (uint32_t k = 0; k < 4; k++) {
        runs += starts >> bit >> k & 1;
        four[k] = tables.pixels[here >> bit >> k & 1 ? runs : 0];
      }
    });
  }
};

/* Before grid_dependency_sync () it reads only what earlier grids than number_patches have written: number_patches
 * triggers this grid after its own grid_dependency_sync (). */
#define CCA_DEFINE_PAINT_KERNEL(name, values)                                                                          \
  extern "C" __global__ void __launch_bounds__ (CCA_PATCH_BLOCK)                                                       \
      cca_paint_patches##name (const CcaPatchesPaintParams q)                                                          \
  {                                                                                                                    \
    trigger_next_grid ();                                                                                              \
    __shared__ Painter<values>::Tables tables[CCA_PATCH_BLOCK / warp_size];                                            \
    Painter<values> painter;                                                                                           \
                                                                                                                       \
    painter.prepare (q.patches, tables[threadIdx.x / warp_size]);                                                      \
    grid_dependency_sync ();                                                                                           \
    painter.paint (q.patches, q.canvas, tables[threadIdx.x / warp_size]);                                              \
  }

CCA_DEFINE_PAINT_KERNEL (, false)
CCA_DEFINE_PAINT_KERNEL (_of_values, true)

/* --- Overlaps ---------------------------------------------------------------------------------------- */

static_assert (CCA_LABEL_TILE == CCA_PATCH, "a patch is a tile");

/* Finds the overlaps of a patch with a warp. */
template <bool values> struct Overlapper
{
  Painter<values> painter;
  uint32_t half; /* of CcaOverlapsParams that has the last frame */
  LabelRow last;

  /* Loads all that does not depend on numbers, and empties the block's table; all threads of the block call it. */
  __device__ void prepare (const CcaPatchesOverlapParams &q, typename Painter<values>::Tables &tables,
                           BlockOverlaps &block)
  {
    block.clear ();
    half = *q.overlaps.half;
    painter.prepare (q.patches, tables);
    if (painter.index.exists (q.patches))
      last = load_label_row (q.overlaps, half, painter.index.in (q.patches));
    __syncthreads ();
  }

  /* Stores the patch's labels, and adds its overlaps to the block's. */
  __device__ void overlap (const CcaPatchesOverlapParams &q, typename Painter<values>::Tables &tables,
                           BlockOverlaps &block) const
  {
    const CcaPatchesParams &p = q.patches;
    const CcaPatch &header = painter.header;
    const PatchRow &own = painter.rows.own;

    if (!painter.index.exists (p))
      return;
    LabelRowMaker maker (q.overlaps, block, last, 1 - half, painter.index.in (p));

    if (painter.plain) {
      if (header.n > 0)
        maker.add (0, patch_size - 1, number_of (p, tables.components[0]));
    } else {
      for (uint32_t k = lane_index (); k < header.n; k += warp_size)
        tables.components[k] = number_of (p, tables.components[k]);
      __syncwarp ();
      uint32_t run = own.first_run;

      for (uint32_t starts = own.starts (), ends = own.ends (); starts; starts &= starts - 1, ends &= ends - 1, run++)
        maker.add (__ffs (starts) - 1, __ffs (ends) - 1, tables.components[tables.pixels[1 + run]]);
    }
    maker.finish ();
  }
};

/* As the kernels that paint, it reads before grid_dependency_sync () only what grids before number_patches have
 * written. */
#define CCA_DEFINE_OVERLAP_KERNEL(name, values)                                                                        \
  extern "C" __global__ void __launch_bounds__ (CCA_PATCH_BLOCK)                                                       \
      cca_overlap_patches##name (const CcaPatchesOverlapParams q)                                                      \
  {                                                                                                                    \
    trigger_next_grid ();                                                                                              \
    __shared__ Painter<values>::Tables tables[CCA_PATCH_BLOCK / warp_size];                                            \
    __shared__ BlockOverlaps block;                                                                                    \
    Overlapper<values> overlapper;                                                                                     \
                                                                                                                       \
    overlapper.prepare (q, tables[threadIdx.x / warp_size], block);                                                    \
    grid_dependency_sync ();                                                                                           \
    overlapper.overlap (q, tables[threadIdx.x / warp_size], block);                                                    \
    __syncthreads ();                                                                                                  \
    block.vote (q.overlaps);                                                                                           \
  }

CCA_DEFINE_OVERLAP_KERNEL (, false)
CCA_DEFINE_OVERLAP_KERNEL (_of_values, true)
