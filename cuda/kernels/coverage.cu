/* gst-cca: the foreground pixels of cells; a thread counts those of four cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sides of cells are powers of two up to 16, so that a cell's part of a row lies within a word. Threads store whole
 * words because the counts go straight to the host's memory: a warp sends a line.
 */
#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

/* Returns the foreground pixels of a cell, at most 255. */
__device__ static uint32_t
count_cell (const CcaCoverageParams &p, uint32_t column, uint32_t row)
{
  const uint32_t x = column * p.cell, end = min ((row + 1) * p.cell, p.height);
  const uint32_t pixels = ((1u << p.cell) - 1) << x % 32;
  uint32_t n = 0;

  for (uint32_t y = row * p.cell; y < end; y++)
    n += __popc (p.bits[(size_t) y * p.row_words + x / 32] & pixels);
  return min (n, 255u);
}

extern "C" __global__ void
cca_count_cells (const CcaCoverageParams p)
{
  trigger_then_sync ();
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x, first = 4 * word, end = min (first + 4, p.n_cells);
  uint32_t counts = 0;

  if (first >= p.n_cells)
    return;
  for (uint32_t i = first; i < end; i++)
    counts |= count_cell (p, i % p.columns, i / p.columns) << 8 * (i - first);
  p.counts[word] = counts;
}
