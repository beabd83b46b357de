/* gst-cca: the components of patches of 32x32 pixels, each solved by one warp
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A lane has a row of bits and sees the rows above by shuffles. Until the patch is solved the warp uses only registers
 * and its part of shared memory, and meets no barrier of its block.
 *
 *     lane y - 1   [ 0 ]  [ 1 ]        a's parent is the first run above that touches it: a plain store
 *     lane y         [  a  ]  [ b ]    a touches 1, too: a union
 *
 * Rows that repeat the one above form a slab with it. The runs of a slab are boxes, and large shapes have few. Runs are
 * numbered in raster order and the smaller root wins, so a component's first run is its root. Runs vote for their
 * component in shared memory. In coordinates of the patch two sums fit in a word, and a mask holds the columns.
 */
#include "cuda/algorithms/patches/patch-links.cuh"
#include "cuda/algorithms/patches/patch-votes.cuh"

constexpr uint32_t warps = CCA_PATCH_BLOCK / warp_size;

/* A warp's part of shared memory. */
template <bool values, bool moments> struct WarpStorage
{
  uint32_t runs[values ? CCA_PATCH_RUNS_OF_VALUES_MAX : CCA_PATCH_RUNS_MAX];
  FeatureTable<moments> table;
  uint32_t firsts[patch_size];
};

/* The components of a patch. Those that touch the border have the first numbers, from 0. */
struct Components
{
  uint32_t n_border, n;
};

/* Replaces the parents of runs, which are flat, by numbers of components. */
__device__ static Components
number_components (uint32_t *runs, uint32_t n_runs)
{
  uint32_t n_marked = 0, n_border = 0;
  Components c = {};

  for (uint32_t i = lane_index (); i < n_runs; i += warp_size) {
    const Run run = { runs[i] };

    if (run.touches_border ())
      n_marked += !(atomicOr (runs + (run.word & parent_bits), at_border) & at_border);
  }
  c.n = c.n_border = warp_sum (n_marked);
  __syncwarp ();
  for (uint32_t base = 0; base < n_runs; base += warp_size) {
    const uint32_t i = base + lane_index (), word = i < n_runs ? runs[i] : 0, parent = word & parent_bits;
    const bool root = i < n_runs && parent == i, border = word & at_border;
    const uint32_t border_roots = __ballot_sync (all_lanes, root && border),
                   inner_roots = __ballot_sync (all_lanes, root && !border);

    if (root)
      runs[i] = (word & ~parent_bits) | is_root
                | (border ? n_border + __popc (border_roots & lanes_before ())
                          : c.n + __popc (inner_roots & lanes_before ()));
    n_border += __popc (border_roots);
    c.n += __popc (inner_roots);
    __syncwarp ();
    if (i < n_runs && !root)
      runs[i] = (word & ~parent_bits) | (runs[parent] & parent_bits);
  }
  __syncwarp ();
  return c;
}

constexpr uint32_t no_records = UINT32_MAX;

/* Takes records for the n components of patch i. Returns the first, or no_records if the pool is used up. */
__device__ static uint32_t
take_records (const CcaPatchesParams &p, uint32_t i, uint32_t n)
{
  if (n <= CCA_PATCH_RECORDS)
    return i * CCA_PATCH_RECORDS;
  uint32_t first = 0;

  if (lane_index () == 0)
    first = atomicAdd (p.counters + CCA_N_POOLED, n);
  first = __shfl_sync (all_lanes, first, 0);
  if (first + n > p.pool_size)
    return no_records;
  return p.columns * p.rows * CCA_PATCH_RECORDS + first;
}

/* Returns this lane's word of the border. */
__device__ static uint32_t
border_word (const uint32_t *runs, const PatchRow &own)
{
  const auto component = [&] (bool here, uint32_t run) { return here ? runs[run] & parent_bits : background; };
  uint32_t word = component (own.here & 1, own.first_run) << 16 | component (own.here >> 31, own.last_run ()) << 24;

  for (uint32_t side = 0; side < 2; side++) {
    const uint32_t lane = side * (patch_size - 1);
    PatchRow row;

    row.here = __shfl_sync (all_lanes, own.here, lane);
    row.joins = __shfl_sync (all_lanes, own.joins, lane);
    row.first_run = __shfl_sync (all_lanes, own.first_run, lane);
    word |= component (row.here >> lane_index () & 1, row.run_at (lane_index ())) << 8 * side;
  }
  return word;
}

/* Stores a patch's border words if a side is mixed. Returns its sides. */
__device__ static uint32_t
store_border (const CcaPatchesParams &p, uint32_t i, uint32_t word)
{
  const uint32_t sides = sides_of_border (word);

  if (has_mixed_side (sides))
    p.borders[(size_t) i * patch_size + lane_index ()] = word;
  return sides;
}

/* A patch with several runs. */
struct Patch
{
  uint32_t x, y; /* its upper left pixel in the image */
  uint32_t n_runs, first_record;
  Components components;
};

/* Makes a component's record its own root; the run is the component's first. */
__device__ static void
init_parent (const CcaPatchesParams &p, const Patch &patch, const Run &run)
{
  const uint32_t record = patch.first_record + run.component ();

  p.parents[record] = make_label (patch.x + run.start (), patch.y + run.y (), record);
}

/* Publishes a patch to the warps that unite over its seams, which need not wait for the rest of the frame. One lane
 * calls it: it has stored the patch's header, borders and parents itself, or has met the lanes that did. */
template <bool direct>
__device__ static void
publish_patch (const CcaPatchesParams &p, uint32_t i)
{
  if (direct)
    store_release (&p.patches[i].ready, 1);
}

/* Stores the parents of all components and publishes the patch. With groups, measure_patch () or mark_firsts () stores
 * the parents. */
__device__ static void
publish_components (const CcaPatchesParams &p, uint32_t i, const uint32_t *runs, const Patch &patch)
{
  for (uint32_t k = lane_index (); k < patch.n_runs; k += warp_size) {
    const Run run = { runs[k] };

    if (run.word & is_root)
      init_parent (p, patch, run);
  }
  __syncwarp ();
  if (lane_index () == 0)
    publish_patch<true> (p, i);
}

/* Accumulates votes for table_size components at a time, and stores their records. */
template <bool values, bool moments, bool direct>
__device__ static void
measure_patch (const CcaPatchesParams &p, WarpStorage<values, moments> &w, const Patch &patch)
{
  for (uint32_t base = 0; base < patch.components.n; base += table_size) {
    /* A root comes before its component's other runs and initialises the entry. */
    for (uint32_t first = 0; first < patch.n_runs; first += warp_size) {
      const uint32_t i = first + lane_index ();
      const Run run = { i < patch.n_runs ? w.runs[i] : 0 };
      const uint32_t entry = run.component () - base;
      const bool counts = i < patch.n_runs && entry < table_size, root = run.word & is_root;
      const PatchVote vote = vote_of_run<moments> (run);

      if (counts && root) {
        w.table.area_x[entry] = vote.area_x;
        w.table.y_first[entry] = vote.y | run.first_pixel () << 16;
        w.table.columns[entry] = vote.columns;
        w.table.bottom[entry] = vote.bottom;
        if (moments) {
          w.table.xx[entry] = vote.xx;
          w.table.xy[entry] = vote.xy;
          w.table.yy[entry] = vote.yy;
        }
      }
      __syncwarp ();
      accumulate_votes<moments> (w.table, counts && !root, entry, vote);
    }
    __syncwarp ();
    for (uint32_t i = lane_index (); i < table_size && base + i < patch.components.n; i += warp_size) {
      const uint32_t record = patch.first_record + base + i;
      const uint32_t y = w.table.y_first[i] >> 21, x = w.table.y_first[i] >> 16 & 31;
      const Vote vote = place_vote<moments> (vote_of_entry<moments> (w.table, i), patch.x, patch.y);

      if (!direct)
        p.parents[record] = make_label (patch.x + x, patch.y + y, record);
      store_vote (p.features, record, vote);
      if (base + i >= patch.components.n_border && (!p.has_filter || size_passes (p.sizes, vote.tally, patch.y + y)))
        atomicOr (w.firsts + y, 1u << x);
    }
    __syncwarp ();
  }
}

/* Marks first pixels of components within the patch if nothing is measured. */
template <bool direct>
__device__ static void
mark_firsts (const CcaPatchesParams &p, const uint32_t *runs, uint32_t *firsts, const Patch &patch)
{
  for (uint32_t i = lane_index (); i < patch.n_runs; i += warp_size) {
    const Run run = { runs[i] };

    if (!(run.word & is_root))
      continue;
    if (!direct)
      init_parent (p, patch, run);
    if (!(run.word & at_border))
      atomicOr (firsts + run.y (), 1u << run.start ());
  }
  __syncwarp ();
}

/* Unites the runs of a patch, and points them at their roots. */
template <bool values>
__device__ static void
unite_runs (const CcaPlanes &p, uint32_t *runs, const PatchRows &rows, uint32_t column, uint32_t row)
{
  const PatchRow above = row_above (rows.own);
  const Links<uint32_t> links = links_in_patch<values> (p, column, row, rows.own, above);
  const uint32_t two_above = __shfl_sync (all_lanes, rows.own.here, above.slab - 1);
  Linker linker = { runs, rows.own, above, lane_index () > 0 && above.slab > 0 ? two_above : 0, 0, p.diagonal != 0 };
  /* Regions of equal value can have several links at a pixel. */
  const Links<uint32_t> straight = { links.vertical, 0, 0 }, first = values || !p.diagonal ? straight : links;
  const Links<uint32_t> second = { 0, values ? links.falling : 0, 0 }, third = { 0, 0, values ? links.rising : 0 };
  uint32_t unions = linker.link (first);
  const uint32_t falling = linker.link (second), rising = linker.link (third);

  if (!values) /* a falling link is its run's first and has no gap before it */
    unions = linker.without_bridged (unions & ~first.falling) | (unions & first.falling);
  __syncwarp ();
  flatten_runs (runs, rows.n_runs);
  if (!__any_sync (all_lanes, unions | falling | rising))
    return;
  linker.unite_at (unions, first);
  linker.unite_at (falling, second);
  linker.unite_at (rising, third);
  __syncwarp ();
  flatten_runs (runs, rows.n_runs);
}

template <bool direct>
__device__ static void
store_empty (const CcaPatchesParams &p, uint32_t i)
{
  if (lane_index () > 0)
    return;
  store_patch (p, i, { 0, 0, 0, empty_sides, 0 });
  publish_patch<direct> (p, i);
}

/* Solves a patch with one run: it has nothing to unite and one vote. */
template <bool moments, bool direct>
__device__ static void
solve_box (const CcaPatchesParams &p, const PatchRows &rows, const PatchIndex &index)
{
  const PatchRow &own = rows.own;
  const uint32_t i = index.in (p), x0 = index.column * patch_size, y0 = index.row * patch_size;
  const uint32_t y = __ffs (__ballot_sync (all_lanes, own.here && !own.repeats ())) - 1;
  const uint32_t bits = __shfl_sync (all_lanes, own.here, y), n_rows = __shfl_sync (all_lanes, rows.slab_height (), y);
  const Run run = { pack_run (__ffs (bits) - 1, 31 - __clz (bits), y, n_rows, 0) };
  const uint32_t top = __shfl_sync (all_lanes, own.here, 0), bottom = __shfl_sync (all_lanes, own.here, patch_size - 1);
  const auto component = [] (uint32_t here) { return here & 1 ? 0 : background; };
  const Vote vote = place_vote<moments> (vote_of_run<moments> (run), x0, y0);
  const bool passes = !run.touches_border () && (!p.has_filter || size_passes (p.sizes, vote.tally, y0 + y));
  const uint32_t record = take_records (p, i, 1);

  const uint32_t border = component (top >> lane_index ()) | component (bottom >> lane_index ()) << 8
                          | component (own.here) << 16 | component (own.here >> 31) << 24;
  const uint32_t sides = store_border (p, i, border);

  p.firsts[(size_t) i * patch_size + lane_index ()] = passes && lane_index () == y ? 1u << run.start () : 0;
  __syncwarp ();
  if (lane_index () > 0)
    return;
  store_patch (p, i, { record, run.touches_border (), 1, sides, 0 });
  p.parents[record] = make_label (x0 + run.start (), y0 + y, record);
  publish_patch<direct> (p, i);
  if (p.features.tally)
    store_vote (p.features, record, vote);
  if (passes)
    atomicAdd (p.counters + CCA_ROW_FIRSTS + y0 + y, 1);
}

/* Solves a patch that is all foreground, as most are within large shapes. Its sides need no look at pixels. */
template <bool moments, bool direct>
__device__ static void
solve_full (const CcaPatchesParams &p, const PatchIndex &index)
{
  const uint32_t i = index.in (p), x0 = index.column * patch_size, y0 = index.row * patch_size,
                 record = take_records (p, i, 1);

  p.firsts[(size_t) i * patch_size + lane_index ()] = 0;
  if (lane_index () > 0)
    return;
  store_patch (p, i, { record, 1, 1, 0, 0 });
  p.parents[record] = make_label (x0, y0, record);
  publish_patch<direct> (p, i);
  if (p.features.tally)
    store_vote (
        p.features, record,
        place_vote<moments> (vote_of_run<moments> ({ pack_run (0, patch_size - 1, 0, patch_size, 0) }), x0, y0));
}

template <Source source, bool moments, bool direct>
__device__ static void
solve_patches (const CcaPatchesSolveParams &q)
{
  constexpr bool values = source == Source::values;
  constexpr uint32_t max_runs = values ? CCA_PATCH_RUNS_OF_VALUES_MAX : CCA_PATCH_RUNS_MAX;
  __shared__ WarpStorage<values, moments> storage[warps];
  WarpStorage<values, moments> &w = storage[threadIdx.x / warp_size];
  const CcaPatchesParams &p = q.patches;
  const PatchIndex index = patch_index ();
  const uint32_t i = index.in (p);

  if (!index.exists (p))
    return;
  const uint32_t bits = load_row<source> (p.planes, q.range, index.column, index.row);

  if (!__any_sync (all_lanes, bits)) {
    store_empty<direct> (p, i);
    return;
  }
  if (p.bits)
    p.bits[(size_t) i * patch_size + lane_index ()] = bits;
  if (!values && !__any_sync (all_lanes, ~bits)) {
    solve_full<moments, direct> (p, index);
    return;
  }
  const PatchRows rows = find_runs<values> (p.planes, index.column, index.row, bits);

  if (rows.n_runs == 1) {
    solve_box<moments, direct> (p, rows, index);
    return;
  }
  if (!rows.own.repeats ()) {
    const uint32_t height = rows.slab_height ();
    uint32_t run = rows.own.first_run;

    for (uint32_t starts = rows.own.starts (), ends = rows.own.ends (); starts;
         starts &= starts - 1, ends &= ends - 1, run++)
      w.runs[run] = pack_run (__ffs (starts) - 1, __ffs (ends) - 1, lane_index (), height, run);
  }
  w.firsts[lane_index ()] = 0;
  __syncwarp ();
  unite_runs<values> (p.planes, w.runs, rows, index.column, index.row);

  const Components components = number_components (w.runs, rows.n_runs);
  const Patch patch = { index.column * patch_size, index.row * patch_size, rows.n_runs,
                        take_records (p, i, components.n), components };

  if (patch.first_record == no_records) {
    store_empty<direct> (p, i);
    return;
  }
  const uint32_t sides = store_border (p, i, border_word (w.runs, rows.own));

  if (lane_index () == 0)
    store_patch (p, i, { patch.first_record, (uint16_t) components.n_border, (uint16_t) components.n, sides, 0 });
  if (direct)
    publish_components (p, i, w.runs, patch);
  if (p.run_components && components.n > 1)
    for (uint32_t run = lane_index (); run < rows.n_runs; run += warp_size)
      p.run_components[(size_t) i * max_runs + run] = w.runs[run] & parent_bits;
  if (p.features.tally)
    measure_patch<values, moments, direct> (p, w, patch);
  else
    mark_firsts<direct> (p, w.runs, w.firsts, patch);
  const uint32_t firsts = w.firsts[lane_index ()];

  p.firsts[(size_t) i * patch_size + lane_index ()] = firsts;
  if (firsts)
    atomicAdd (p.counters + CCA_ROW_FIRSTS + patch.y + lane_index (), __popc (firsts));
}

#define CCA_DEFINE_SOLVE_KERNEL(name, source, moments, direct)                                                         \
  extern "C" __global__ void __launch_bounds__ (CCA_PATCH_BLOCK)                                                       \
      cca_solve_patches##name (const CcaPatchesSolveParams p)                                                          \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    solve_patches<source, moments, direct> (p);                                                                        \
  }

#define CCA_DEFINE_SOLVE_KERNELS(name, source)                                                                         \
  CCA_DEFINE_SOLVE_KERNEL (name, source, false, false)                                                                 \
  CCA_DEFINE_SOLVE_KERNEL (name##_moments, source, true, false)                                                        \
  CCA_DEFINE_SOLVE_KERNEL (name##_direct, source, false, true)                                                         \
  CCA_DEFINE_SOLVE_KERNEL (name##_moments_direct, source, true, true)

CCA_DEFINE_SOLVE_KERNELS (_of_bits, Source::bits)
CCA_DEFINE_SOLVE_KERNELS (_of_range, Source::range)
CCA_DEFINE_SOLVE_KERNELS (_of_values, Source::values)
