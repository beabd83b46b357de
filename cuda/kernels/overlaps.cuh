/* gst-cca: the labels of a tile's rows, and the pixels that they share with those of the last frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has a tile of 32x32 pixels, a lane a row of it. Most rows have one component or none: a word of bits and a
 * label describe them. The pixels that both frames' bits share are divided into segments of one pair of labels each. A
 * block sums the pixels of each pair before it votes in the frame's table. Both tables are hash tables with open
 * addressing.
 */
#pragma once

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

/* --- Rows of labels ------------------------------------------------------------------------------------ */

/* A lane's row in one of the frames. */
struct LabelRow
{
  uint32_t bits;  /* pixels that belong to components */
  uint32_t label; /* of all of them, or CCA_LABELS_DIFFER; only then valid: */
  uint32_t starts;
  const uint32_t *run_labels;

  __device__ bool differ () const { return label == CCA_LABELS_DIFFER; }
  __device__ uint32_t label_at (uint32_t x) const
  {
    return differ () ? run_labels[__popc (starts & (all_lanes >> (31 - x))) - 1] : label;
  }
  __device__ uint32_t inner_starts () const { return differ () ? starts : 0; }
};

/* Returns the index of a lane's row in the lists of CcaOverlapsParams. */
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

/* --- The table ------------------------------------------------------------------------------------------- */

/* Returns the first slot for a pair of labels in a table of 1 << bits entries. */
__device__ inline uint32_t
hash_labels (unsigned long long labels, uint32_t bits)
{
  constexpr unsigned long long golden_ratio = 0x9e3779b97f4a7c15; /* Knuth, TAOCP 3, section 6.4 */

  return labels * golden_ratio >> (64 - bits);
}

/* Adds the pixels of a pair of labels, before << 32 | now. If the table is full, only counts the pair; the host then
 * runs the frame again with a table for all counted pairs. */
__device__ inline void
vote_for_overlap (const CcaOverlapsParams &p, unsigned long long labels, uint32_t pixels)
{
  uint32_t i = hash_labels (labels, p.table_bits);

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

/* The overlaps of a block's tiles, in a small table in shared memory: votes in the frame's table have a latency, and
 * all votes for a large component would contend for one entry. */
struct BlockOverlaps
{
  static constexpr uint32_t table_bits = 8, n = 1 << table_bits, most_probes = 4;

  unsigned long long labels[n];
  uint32_t pixels[n];

  /* Empties the table with all threads; a barrier must follow. */
  __device__ void clear ()
  {
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
      labels[i] = 0;
      pixels[i] = 0;
    }
  }

  /* Adds the pixels of a pair of labels. If there is no room near its place, votes in the frame's table at once. */
  __device__ void add (const CcaOverlapsParams &p, unsigned long long pair, uint32_t its_pixels)
  {
    uint32_t i = hash_labels (pair, table_bits);

    for (uint32_t probe = 0; probe < most_probes; probe++) {
      const unsigned long long found = atomicCAS (labels + i, 0ull, pair);

      if (found == 0 || found == pair) {
        atomicAdd (pixels + i, its_pixels);
        return;
      }
      i = (i + 1) % n;
    }
    vote_for_overlap (p, pair, its_pixels);
  }

  /* Votes for all pairs with all threads; call after a barrier. */
  __device__ void vote (const CcaOverlapsParams &p) const
  {
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
      if (labels[i] != 0)
        vote_for_overlap (p, labels[i], pixels[i]);
  }
};

/* --- Counting ---------------------------------------------------------------------------------------------- */

/* Makes and stores a lane's row in the current frame's half, run by run from the left, and counts the pixels that it
 * shares with the last frame's row. */
struct LabelRowMaker
{
  const CcaOverlapsParams &p;
  BlockOverlaps &block;
  const LabelRow last;
  size_t index;
  uint32_t *run_labels;
  uint32_t bits, starts, n_runs, label;
  unsigned long long pair; /* the latest pair of labels */
  uint32_t pixels;         /* its pixels not added to the block yet */

  __device__ LabelRowMaker (const CcaOverlapsParams &p, BlockOverlaps &block, const LabelRow &last, uint32_t half,
                            uint32_t tile)
      : p (p), block (block), last (last), index (label_row_index (p, half, tile)),
        run_labels (p.run_labels + index * warp_size), bits (0), starts (0), n_runs (0), label (0), pair (0), pixels (0)
  {
  }

  /* Adds a run, from pixel x to pixel `end`, if its component passes the size filter. */
  __device__ void add (uint32_t x, uint32_t end, uint32_t run_label)
  {
    const uint32_t run = (all_lanes << x) & (all_lanes >> (31 - end));

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
    bits |= run;
    count (last.bits & run, run_label);
  }

  /* Counts a run's pixels that both frames share; they may belong to several runs of the last frame. */
  __device__ void count (uint32_t shared, uint32_t now)
  {
    while (shared) {
      const uint32_t x = __ffs (shared) - 1, later = last.inner_starts () & ~1u << x;
      const uint32_t here = shared & (later ? (later & -later) - 1 : all_lanes);
      const unsigned long long pair_here = (unsigned long long) last.label_at (x) << 32 | now;

      if (pair_here != pair) {
        if (pixels > 0)
          block.add (p, pair, pixels);
        pair = pair_here;
        pixels = 0;
      }
      pixels += __popc (here);
      shared &= ~here;
    }
  }

  /* Stores the row, and adds the latest pair's pixels; all lanes call it. Lanes with the same pair as the first one are
   * summed first. */
  __device__ void finish ()
  {
    p.bits[index] = bits;
    if (bits)
      p.labels[index] = label;
    if (label == CCA_LABELS_DIFFER)
      p.starts[index] = starts;
    const uint32_t lanes = __ballot_sync (all_lanes, pixels > 0);

    if (!lanes)
      return;
    const uint32_t first = __ffs (lanes) - 1;
    const bool like_first = pair == __shfl_sync (all_lanes, pair, first);
    const uint32_t sum = warp_sum (like_first ? pixels : 0);

    if (lane_index () == first)
      block.add (p, pair, sum);
    else if (pixels > 0 && !like_first)
      block.add (p, pair, pixels);
  }
};
