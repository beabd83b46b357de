/* gst-cca: the labels of a tile's rows, and the pixels that they share with those of the last frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has a tile of 32x32 pixels, a lane a row of it. Most rows have one component or none: a word of bits and a
 * label say all. The pixels that both frames' bits have in common are divided into segments of one pair of labels each;
 * lanes and tiles side by side whose pairs are equal add their pixels up before one of them votes in the table, a hash
 * table with open addressing.
 */
#ifndef CCA_OVERLAPS_CUH
#define CCA_OVERLAPS_CUH

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

/* --- Rows of labels ------------------------------------------------------------------------------------ */

/* A lane's row in one of the frames. */
struct LabelRow
{
  uint32_t bits;  /* pixels that belong to components */
  uint32_t label; /* of all of them, or CCA_LABELS_DIFFER; then also: */
  uint32_t starts;
  const uint32_t *run_labels;

  __device__ bool differ () const { return label == CCA_LABELS_DIFFER; }
  __device__ uint32_t label_at (uint32_t x) const
  {
    return differ () ? run_labels[__popc (starts & (all_lanes >> (31 - x))) - 1] : label;
  }
  __device__ uint32_t inner_starts () const { return differ () ? starts : 0; }
};

/* Returns the place of a lane's row in the lists of CcaOverlapsParams. */
__device__ inline size_t
label_row_index (const CcaOverlapsParams &p, uint32_t half, uint32_t tile)
{
  return (size_t) half * p.n_rows + tile * CCA_LABEL_TILE + lane_index ();
}

__device__ inline LabelRow
load_label_row (const CcaOverlapsParams &p, uint32_t half, uint32_t tile)
{
  const size_t i = label_row_index (p, half, tile);
  LabelRow row = { p.bits[i], p.labels[i], 0, p.run_labels + i * warp_size };

  if (row.bits == 0)
    row.label = 0;
  else if (row.differ ())
    row.starts = p.starts[i];
  return row;
}

/* Makes a lane's row in the current frame's half, run by run from the left, and stores it. */
struct LabelRowMaker
{
  size_t index;
  uint32_t *run_labels;
  uint32_t bits, starts, n_runs, label;

  __device__ LabelRowMaker (const CcaOverlapsParams &p, uint32_t half, uint32_t tile)
      : index (label_row_index (p, half, tile)), run_labels (p.run_labels + index * warp_size), bits (0), starts (0),
        n_runs (0), label (0)
  {
  }

  /* Adds a run, from pixel x to pixel `end`, if its component passes the size filter. */
  __device__ void add (uint32_t x, uint32_t end, uint32_t run_label)
  {
    if (run_label == 0)
      return;
    if (n_runs > 0 && label != CCA_LABELS_DIFFER && run_label != label) {
      for (uint32_t i = 0; i < n_runs; i++)
        run_labels[i] = label;
      label = CCA_LABELS_DIFFER;
    }
    if (n_runs == 0)
      label = run_label;
    else if (label == CCA_LABELS_DIFFER)
      run_labels[n_runs] = run_label;
    n_runs++;
    starts |= 1u << x;
    bits |= (all_lanes << x) & (all_lanes >> (31 - end));
  }

  __device__ LabelRow store (const CcaOverlapsParams &p) const
  {
    p.bits[index] = bits;
    if (bits)
      p.labels[index] = label;
    if (label == CCA_LABELS_DIFFER)
      p.starts[index] = starts;
    return { bits, label, starts, run_labels };
  }
};

/* --- The table ------------------------------------------------------------------------------------------- */

/* Adds the pixels of a pair of labels. If there is no room for more pairs, only counts it; the host then runs the frame
 * again with a table for as many pairs as were counted, which is enough. */
__device__ inline void
vote_for_overlap (const CcaOverlapsParams &p, uint32_t before, uint32_t now, uint32_t pixels)
{
  constexpr unsigned long long golden_ratio = 0x9e3779b97f4a7c15; /* Knuth, TAOCP 3, section 6.4 */
  const unsigned long long labels = (unsigned long long) before << 32 | now;
  uint32_t i = labels * golden_ratio >> (64 - p.table_bits);

  for (;;) {
    const unsigned long long found = atomicCAS (&p.table[i].labels, 0ull, labels);

    if (found == 0 || found == labels) {
      atomicAdd (&p.table[i].pixels, pixels);
      if (found == labels)
        return;
      const uint32_t n = atomicAdd (p.counters + CCA_N_OVERLAPS, 1);

      if (n < p.capacity)
        p.used[n] = i;
      return;
    }
    if (load_relaxed (p.counters + CCA_N_OVERLAPS) > p.capacity) {
      atomicAdd (p.counters + CCA_N_OVERLAPS, 1);
      return;
    }
    i = (i + 1) & ((1u << p.table_bits) - 1);
  }
}

/* Adds the pixels of all lanes' pairs; a lane without one has none. Neighbouring lanes with the same pair vote as one.
 */
__device__ inline void
vote_for_overlaps (const CcaOverlapsParams &p, uint32_t before, uint32_t now, uint32_t pixels)
{
  const uint32_t before_above = __shfl_up_sync (all_lanes, before, 1), now_above = __shfl_up_sync (all_lanes, now, 1);
  const bool first = lane_index () == 0 || before != before_above || now != now_above;
  const uint32_t below = __ballot_sync (all_lanes, first) & ~lanes_before () & ~(1u << lane_index ());
  const uint32_t last = below ? __ffs (below) - 2 : warp_size - 1;
  const uint32_t sum = warp_inclusive_sum (pixels), sum_of_last = __shfl_sync (all_lanes, sum, last);

  if (first && pixels > 0)
    vote_for_overlap (p, before, now, sum_of_last - sum + pixels);
}

/* A pair of labels and its pixels; none if these are 0. */
struct Overlap
{
  uint32_t before, now, pixels;
};

/* Counts the pixels that a tile's labels share with those of the last frame. If they have one pair of labels, returns
 * their overlap instead, in all lanes. */
__device__ inline Overlap
count_overlaps (const CcaOverlapsParams &p, const LabelRow &last, const LabelRow &now)
{
  const uint32_t shared = last.bits & now.bits, rows = __ballot_sync (all_lanes, shared);
  const bool one_pair = !last.differ () && !now.differ ();

  if (!rows)
    return {};
  const uint32_t lane = __ffs (rows) - 1;
  const Overlap overlap = { __shfl_sync (all_lanes, last.label, lane), __shfl_sync (all_lanes, now.label, lane),
                            warp_sum (__popc (shared)) };
  const bool same = one_pair && last.label == overlap.before && now.label == overlap.now;

  if (!__any_sync (all_lanes, shared && !same))
    return overlap;
  uint32_t starts = shared & (~(shared << 1) | last.inner_starts () | now.inner_starts ());

  while (__any_sync (all_lanes, starts)) {
    uint32_t label_before = 0, label_now = 0, pixels = 0;

    if (starts) {
      const uint32_t x = __ffs (starts) - 1;

      starts = one_pair ? 0 : starts & (starts - 1);
      /* up to the next start, or the first gap */
      const uint32_t beyond = starts ? __ffs (starts) - 1 : warp_size, gaps = ~(shared >> x);

      label_before = last.label_at (x);
      label_now = now.label_at (x);
      pixels = one_pair ? __popc (shared) : min (beyond - x, gaps ? (uint32_t) __ffs (gaps) - 1 : warp_size);
    }
    vote_for_overlaps (p, label_before, label_now, pixels);
  }
  return {};
}

/* Votes for what count_overlaps () returned to a block's warps. Their tiles lie side by side; within large components
 * all have the same pair, and then one vote is enough. All threads of the block call it. */
template <uint32_t warps>
__device__ inline void
vote_for_tiles (const CcaOverlapsParams &p, const Overlap &of_warp)
{
  __shared__ Overlap overlaps[warps];

  if (lane_index () == 0)
    overlaps[threadIdx.x / warp_size] = of_warp;
  __syncthreads ();
  if (threadIdx.x >= warp_size)
    return;
  const Overlap own = threadIdx.x < warps ? overlaps[threadIdx.x] : Overlap{};

  vote_for_overlaps (p, own.before, own.now, own.pixels);
}

#endif
