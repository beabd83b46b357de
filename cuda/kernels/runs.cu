/* gst-cca: full runs: find, link, unite, flatten, number
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * FLSL: Lemaitre, Hennequin & Lacassagne, Taming voting algorithms on GPUs for an efficient connected component analysis
 * algorithm, ICASSP 2021, section 3.1 and algorithm 1, for both connectivities and any width. A warp does a row; run ends are
 * compressed into place by ranks, then a lane does a run.
 *
 *     above    [ 0 ]  [ 1 ]      [ 2 ]      a run's parent is the first run above that touches it (link);
 *     row         [ a ]       [ b ]         a unites 0 and 1, the runs above whose gap it reaches over (unite)
 */
#include "cuda/kernels/params.h"
#include "cuda/kernels/row.cuh"
#include "cuda/kernels/union_find.cuh"

#include <cub/block/block_scan.cuh>

/* The runs of each row by compress: every lane takes a word, and a scan says where its starts and ends go. */
extern "C" __global__ void
cca_find_runs (const CcaRunsParams p)
{
  const uint32_t y = warp_row ();
  uint32_t n_starts = 0, n_ends = 0;

  if (y >= p.height)
    return;
  const uint32_t *bits = p.bits + (size_t) y * p.row_words;
  uint16_t *edges = (uint16_t *) (p.runs + (size_t) y * p.most_runs);

  for (uint32_t first = 0; first < p.row_words; first += warp_size) {
    const uint32_t i = first + lane_index ();
    const uint32_t word = i < p.row_words ? bits[i] : 0, left = i < p.row_words ? left_neighbours (bits, i) : 0;
    uint32_t starts = word & ~left, ends = left & ~word;
    const uint32_t counts = __popc (starts) | __popc (ends) << 16, sums = warp_inclusive_sum (counts);
    uint32_t start_at = n_starts + ((sums - counts) & 0xffff), end_at = n_ends + ((sums - counts) >> 16);
    const uint32_t totals = __shfl_sync (all_lanes, sums, warp_size - 1);

    if (i < p.row_words)
      p.ends_before[(size_t) y * p.row_words + i] = end_at;
    for (; starts; starts &= starts - 1)
      edges[2 * start_at++] = i * 32 + __ffs (starts) - 1;
    for (; ends; ends &= ends - 1)
      edges[2 * end_at++ + 1] = i * 32 + __ffs (ends) - 1;
    n_starts += totals & 0xffff;
    n_ends += totals >> 16;
  }
  if (lane_index () == 0)
    p.n_runs[y] = n_starts;
}

/* The first run of row y that ends at x or later. */
__device__ static uint32_t
first_run_from (const CcaRunsParams &p, uint32_t y, uint32_t x)
{
  const size_t row = (size_t) y * p.row_words;
  const uint32_t word = p.bits[row + x / 32], ends = left_neighbours (p.bits + row, x / 32) & ~word;

  return p.ends_before[row + x / 32] + __popc (ends & ((1u << x % 32) - 1));
}

extern "C" __global__ void
cca_link_runs (const CcaRunsParams p)
{
  const uint32_t y = warp_row ();

  if (y >= p.height)
    return;
  const uint32_t row = y * p.most_runs, above = row - p.most_runs;
  const uint32_t n = p.n_runs[y], n_above = y > 0 ? p.n_runs[y - 1] : 0;

  for (uint32_t j = lane_index (); j < n; j += warp_size) {
    const uint32_t run = p.runs[row + j], start = run & 0xffff, end = run >> 16;
    uint32_t parent = row + j;

    if (n_above > 0) {
      const uint32_t first = first_run_from (p, y - 1, start + 1 - p.reach);

      if (first < n_above && (p.runs[above + first] & 0xffff) < end + p.reach)
        parent = above + first;
    }
    p.parent[row + j] = parent;
  }
}

extern "C" __global__ void
cca_unite_runs (const CcaRunsParams p)
{
  const uint32_t y = warp_row () + 1;

  if (y >= p.height)
    return;
  const uint32_t row = y * p.most_runs, above = row - p.most_runs;
  const uint32_t n = p.n_runs[y], n_above = p.n_runs[y - 1];

  for (uint32_t j = 1 + lane_index (); j < n_above; j += warp_size) {
    const uint32_t start = p.runs[above + j] & 0xffff, end_left = p.runs[above + j - 1] >> 16;
    const uint32_t i = first_run_from (p, y, start + 1 - p.reach);

    if (i < n && (p.runs[row + i] & 0xffff) < end_left + p.reach)
      unite (p.parent, above + j - 1, above + j);
  }
}

/* Points every run at its root and counts the roots of each row. */
extern "C" __global__ void
cca_flatten (const CcaRunsParams p)
{
  const uint32_t y = warp_row ();
  uint32_t n_roots = 0;

  if (y >= p.height)
    return;
  const uint32_t row = y * p.most_runs, n = p.n_runs[y];

  for (uint32_t j = lane_index (); j < n; j += warp_size) {
    const uint32_t root = find_root (p.parent, row + j);

    if (root == row + j)
      n_roots++;
    else
      __stcg (p.parent + row + j, root);
  }
  n_roots = warp_inclusive_sum (n_roots);
  if (lane_index () == warp_size - 1)
    p.row_roots[y] = n_roots;
}

/* One block: the roots of the rows before each row. */
extern "C" __global__ void
cca_scan_roots (const CcaRunsParams p)
{
  typedef cub::BlockScan<uint32_t, 1024> Scan;
  __shared__ typename Scan::TempStorage storage;
  uint32_t before = 0;

  for (uint32_t first = 0; first < p.height; first += 1024) {
    const uint32_t y = first + threadIdx.x;
    uint32_t sum, total;

    Scan (storage).ExclusiveSum (y < p.height ? p.row_roots[y] : 0, sum, total);
    if (y < p.height)
      p.row_roots[y] = before + sum;
    before += total;
    __syncthreads ();
  }
  if (threadIdx.x == 0) {
    p.header->n_all = before;
    p.header->n_components = 0;
  }
}

/* Numbers the roots in raster order and empties their features. */
extern "C" __global__ void
cca_number (const CcaRunsParams p)
{
  const uint32_t y = warp_row ();

  if (y >= p.height)
    return;
  const uint32_t row = y * p.most_runs, n = p.n_runs[y];
  uint32_t before = p.row_roots[y];

  for (uint32_t first = 0; first < n; first += warp_size) {
    const uint32_t j = first + lane_index ();
    const bool root = j < n && p.parent[row + j] == row + j;
    const uint32_t roots = __ballot_sync (all_lanes, root);

    if (root) {
      const uint32_t component = before + __popc (roots & ((1u << lane_index ()) - 1));
      CcaDeviceFeatures empty = {};

      empty.first = y << 16 | (p.runs[row + j] & 0xffff);
      empty.x_min = UINT32_MAX;
      p.features[component] = empty;
      p.parent[row + j] = CCA_NUMBERED | component;
    }
    before += __popc (roots);
  }
}
