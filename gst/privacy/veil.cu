/* gst-cca: paints over the hidden parts of a frame in CUDA memory, as veil.c does
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gst/privacy/kernels.h"

/* --- Blocks of values --------------------------------------------------------------------------------- */

/* The values of a component in a block. */
struct Values
{
  uint8_t *first;
  uint32_t width, height, step;
  ptrdiff_t pitch;

  __device__
  Values (const GstCcaVeilFrame &frame, const GstCcaVeilComponent &component, uint32_t x, uint32_t y)
      : step (component.step), pitch (component.pitch)
  {
    const uint32_t left = x * (GST_CCA_BLOCK >> component.shift_x), top = y * (GST_CCA_BLOCK >> component.shift_y);

    first = component.data + (ptrdiff_t) top * pitch + (size_t) left * step;
    width = gst_cca_block_end (x, frame.width, component.shift_x) - left;
    height = gst_cca_block_end (y, frame.height, component.shift_y) - top;
  }

  /* Whether a row is 8 aligned bytes, of which the values are all, or every second one from byte `offset` on. */
  __device__ bool
  is_word (uint32_t *offset) const
  {
    *offset = (uint32_t) ((uintptr_t) first & 7);
    return width * step == 8 && (pitch & 7) == 0 && *offset < step && step <= 2;
  }
};

__device__ static uint32_t
sum_bytes (uint32_t four)
{
  const uint32_t pairs = (four & 0x00ff00ff) + (four >> 8 & 0x00ff00ff);

  return (pairs & 0xffff) + (pairs >> 16);
}

__device__ static uint16_t
mean_of (const Values &values)
{
  uint32_t sum = 0, offset;

  if (values.is_word (&offset)) {
    const uint32_t mask = values.step == 1 ? 0xffffffff : 0x00ff00ffu << 8 * offset;

    for (uint32_t y = 0; y < values.height; y++) {
      const uint2 row = *(const uint2 *) (values.first - offset + (ptrdiff_t) y * values.pitch);

      sum += sum_bytes (row.x & mask) + sum_bytes (row.y & mask);
    }
  } else
    for (uint32_t y = 0; y < values.height; y++)
      for (uint32_t x = 0; x < values.width; x++)
        sum += values.first[(ptrdiff_t) y * values.pitch + (size_t) x * values.step];
  return gst_cca_veil_mean (sum, values.width * values.height);
}

/* --- Cells -------------------------------------------------------------------------------------------- */

__device__ static void
join_cell (const GstCcaVeilParams &p, uint32_t level, uint32_t x, uint32_t y)
{
  const GstCcaVeilLevel &to = p.levels[level];

  if (x < to.columns && y < to.rows)
    to.cells[(size_t) y * to.columns + x] = gst_cca_veil_join (&to - 1, x, y, p.frame.n_components);
}

/* Whether this is the last block of threads that comes here; it sees what all others wrote. */
__device__ static bool
is_last (uint32_t *n_done)
{
  __shared__ bool last;

  __threadfence ();
  __syncthreads ();
  if (threadIdx.x == 0)
    last = atomicAdd (n_done, 1) == gridDim.x * gridDim.y - 1;
  __syncthreads ();
  __threadfence ();
  return last;
}

/* Measures the cells of all levels: a block of threads those of a tile, and the last one those beyond tiles. */
extern "C" __global__ void
__launch_bounds__ (GST_CCA_VEIL_THREADS) cca_veil_measure (const GstCcaVeilParams p)
{
  const uint32_t tile_x = blockIdx.x * GST_CCA_VEIL_TILE, tile_y = blockIdx.y * GST_CCA_VEIL_TILE;
  const uint32_t x = tile_x + threadIdx.x % GST_CCA_VEIL_TILE, y = tile_y + threadIdx.x / GST_CCA_VEIL_TILE;
  const GstCcaVeilLevel &blocks = p.levels[0];
  const uint32_t highest_of_tile = p.highest < GST_CCA_VEIL_TILE_LEVELS ? p.highest : GST_CCA_VEIL_TILE_LEVELS;

  if (x < blocks.columns && y < blocks.rows) {
    const size_t at = (size_t) y * blocks.columns + x;
    GstCcaVeilCell cell = { p.blocks[at] > 0u, { 0, 0, 0 } };

    for (uint32_t i = 0; cell.n > 0 && i < p.frame.n_components; i++)
      cell.means[i] = mean_of (Values (p.frame, p.frame.components[i], x, y));
    blocks.cells[at] = cell;
  }
  for (uint32_t level = 1; level <= highest_of_tile; level++) {
    const uint32_t side = GST_CCA_VEIL_TILE >> level;

    __syncthreads ();
    if (threadIdx.x < side * side)
      join_cell (p, level, (tile_x >> level) + threadIdx.x % side, (tile_y >> level) + threadIdx.x / side);
  }
  if (p.highest <= GST_CCA_VEIL_TILE_LEVELS || !is_last (p.n_done))
    return;
  for (uint32_t level = GST_CCA_VEIL_TILE_LEVELS + 1; level <= p.highest; level++) {
    const uint32_t columns = p.levels[level].columns, n = columns * p.levels[level].rows;

    for (uint32_t i = threadIdx.x; i < n; i += GST_CCA_VEIL_THREADS)
      join_cell (p, level, i % columns, i / columns);
    __syncthreads ();
  }
  if (threadIdx.x == 0)
    *p.n_done = 0;
}

/* --- Painting ----------------------------------------------------------------------------------------- */

__device__ static void
paint_row (const Values &values, uint32_t y, GstCcaVeilSlope slope)
{
  uint8_t *const row = values.first + (ptrdiff_t) y * values.pitch;
  uint32_t offset;

  if (values.step == 1 && values.is_word (&offset)) {
    uint32_t words[2] = { 0, 0 };

#pragma unroll
    for (uint32_t x = 0; x < 8; x++)
      words[x / 4] |= (uint32_t) (uint8_t) ((slope.start + (int32_t) x * slope.slope) >> slope.shift) << x % 4 * 8;
    *(uint2 *) row = make_uint2 (words[0], words[1]);
  } else
    for (uint32_t x = 0; x < values.width; x++)
      row[(size_t) x * values.step] = (uint8_t) ((slope.start + (int32_t) x * slope.slope) >> slope.shift);
}

/* Paints the hidden blocks of a strip. */
extern "C" __global__ void
__launch_bounds__ (GST_CCA_VEIL_THREADS) cca_veil_paint (const GstCcaVeilParams p)
{
  __shared__ uint16_t corners[GST_CCA_VEIL_STRIP][4][GST_CCA_VEIL_MAX_COMPONENTS];
  const uint32_t columns = p.levels[0].columns, y = blockIdx.y, row = threadIdx.x / GST_CCA_VEIL_STRIP;
  const uint32_t place = threadIdx.x % GST_CCA_VEIL_STRIP, x = blockIdx.x * GST_CCA_VEIL_STRIP + place;
  const uint32_t number = x < columns ? p.blocks[(size_t) y * columns + x] : 0;
  const GstCcaVeilLevel &level = p.levels[number];

  if (p.mode == GST_CCA_VEIL_BLUR) {
    if (number > 0 && row < 4)
      gst_cca_veil_corner (&level, number, x + row % 2, y + row / 2, p.frame.n_components, corners[place][row]);
    __syncthreads ();
  }
  if (number == 0)
    return;
  for (uint32_t i = 0; i < p.frame.n_components; i++) {
    const GstCcaVeilComponent &component = p.frame.components[i];
    const Values values (p.frame, component, x, y);
    GstCcaVeilSlope slope = { component.fill, 0, 0 };

    if (row >= values.height)
      continue;
    if (p.mode == GST_CCA_VEIL_PIXELATE)
      slope.start = (level.cells[(size_t) (y >> number) * level.columns + (x >> number)].means[i] + 128) >> 8;
    if (p.mode == GST_CCA_VEIL_BLUR) {
      const uint16_t its[4] = { corners[place][0][i], corners[place][1][i], corners[place][2][i], corners[place][3][i] };

      slope = gst_cca_veil_slope (its, row, component.shift_x, component.shift_y);
    }
    paint_row (values, row, slope);
  }
}
