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

  __device__ Values (const GstCcaVeilFrame &frame, const GstCcaValues &component, uint32_t x, uint32_t y)
      : step (component.step), pitch (component.pitch)
  {
    const uint32_t left = x * (GST_CCA_BLOCK >> component.shift_x), top = y * (GST_CCA_BLOCK >> component.shift_y);

    first = component.data + (ptrdiff_t) top * pitch + (size_t) left * step;
    width = gst_cca_block_end (x, frame.width, component.shift_x) - left;
    height = gst_cca_block_end (y, frame.height, component.shift_y) - top;
  }

  /* Whether a row is 8 aligned bytes, of which the values are all, or every second one from byte `offset` on. */
  __device__ bool is_word (uint32_t *offset) const
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

    /* Loads that do not wait for each other. */
#pragma unroll
    for (uint32_t y = 0; y < GST_CCA_BLOCK; y++)
      if (y < values.height) {
        const uint2 row = *(const uint2 *) (values.first - offset + (ptrdiff_t) y * values.pitch);

        sum += sum_bytes (row.x & mask) + sum_bytes (row.y & mask);
      }
  } else
#pragma unroll 1
    for (uint32_t y = 0; y < values.height; y++)
#pragma unroll 1
      for (uint32_t x = 0; x < values.width; x++)
        sum += values.first[(ptrdiff_t) y * values.pitch + (size_t) x * values.step];
  return gst_cca_veil_mean (sum, values.width * values.height);
}

/* --- Cells -------------------------------------------------------------------------------------------- */

__device__ static void
measure_block (const GstCcaVeilParams &p, uint32_t x, uint32_t y, GstCcaVeilCell *cell)
{
  cell->n = p.blocks[(size_t) y * p.levels[0].columns + x] > 0;
#pragma unroll 1
  for (uint32_t i = 0; cell->n > 0 && i < p.frame.n_components; i++)
    cell->means[i] = mean_of (Values (p.frame, p.frame.components[i], x, y));
}

/* Once in the code, which is then half as long and does not keep its threads waiting. */
__device__ __attribute__ ((noinline)) static GstCcaVeilCell
join (GstCcaVeilLevel from, uint32_t x, uint32_t y)
{
  return gst_cca_veil_join (&from, x, y);
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
  __shared__ GstCcaVeilCell cells[2][GST_CCA_VEIL_THREADS]; /* of this level and the one below, by turns */
  const uint32_t tile_x = blockIdx.x * GST_CCA_VEIL_TILE, tile_y = blockIdx.y * GST_CCA_VEIL_TILE;
  const uint32_t highest_of_tile = p.highest < GST_CCA_VEIL_TILE_LEVELS ? p.highest : GST_CCA_VEIL_TILE_LEVELS;

#pragma unroll 1
  for (uint32_t level = 0; level <= highest_of_tile; level++) {
    const uint32_t side = GST_CCA_VEIL_TILE >> level;
    const uint32_t in_x = threadIdx.x % side, in_y = threadIdx.x / side;
    const uint32_t x = (tile_x >> level) + in_x, y = (tile_y >> level) + in_y;
    const GstCcaVeilLevel to = p.levels[level];

    if (in_y < side) {
      GstCcaVeilCell *const cell = &cells[level % 2][threadIdx.x];

      *cell = GstCcaVeilCell{ 0, { 0, 0, 0 } };
      if (x < to.columns && y < to.rows) {
        if (level == 0)
          measure_block (p, x, y, cell);
        else
          *cell = join (GstCcaVeilLevel{ cells[1 - level % 2], 2 * side, 2 * side }, in_x, in_y);
        to.cells[(size_t) y * to.columns + x] = *cell;
      }
    }
    __syncthreads ();
  }
  if (p.highest <= GST_CCA_VEIL_TILE_LEVELS || !is_last (p.n_done))
    return;
#pragma unroll 1
  for (uint32_t level = GST_CCA_VEIL_TILE_LEVELS + 1; level <= p.highest; level++) {
    const GstCcaVeilLevel to = p.levels[level];

#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < to.columns * to.rows; i += GST_CCA_VEIL_THREADS)
      to.cells[i] = join (p.levels[level - 1], i % to.columns, i / to.columns);
    __syncthreads ();
  }
  if (threadIdx.x == 0)
    *p.n_done = 0;
}

/* --- Painting ----------------------------------------------------------------------------------------- */

/* 8 bytes of a row. */
struct Word
{
  uint8_t *at; /* NULL: none */
  uint32_t bytes[2];
};

/* Paints a row. Of two interleaved components, the first one's word waits in `pending` for the second one's. */
__device__ static void
paint_row (const Values &values, uint32_t y, GstCcaVeilSlope slope, bool interleaved, Word *pending)
{
  uint8_t *const row = values.first + (ptrdiff_t) y * values.pitch;
  uint32_t offset;

  if (values.is_word (&offset) && (values.step == 1 || interleaved)) {
    Word word = { row - offset, { 0, 0 } };

#pragma unroll
    for (uint32_t x = 0; x < 8; x++)
      if (x < values.width) {
        const uint32_t value = (uint8_t) ((slope.start + (int32_t) x * slope.slope) >> slope.shift);
        if (values.step == 1)
          word.bytes[x / 4] |= value << x % 4 * 8;
        else
          word.bytes[x / 2 % 2] |= value << (x % 2 * 16 + 8 * offset);
      }
    if (values.step == 1 || pending->at == word.at) {
      *(uint2 *) word.at = make_uint2 (word.bytes[0] | pending->bytes[0], word.bytes[1] | pending->bytes[1]);
      *pending = Word{ nullptr, { 0, 0 } };
    } else
      *pending = word;
  } else
#pragma unroll 1
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
  const GstCcaVeilLevel level = p.levels[number];
  Word pending = { nullptr, { 0, 0 } };

  if (p.mode == GST_CCA_VEIL_BLUR) {
    if (number > 0 && row < 4)
      gst_cca_veil_corner (&level, number, x + row % 2, y + row / 2, corners[place][row]);
    __syncthreads ();
  }
  if (number == 0)
    return;
#pragma unroll 1
  for (uint32_t i = 0; i < p.frame.n_components; i++) {
    const GstCcaValues &component = p.frame.components[i];
    const Values values (p.frame, component, x, y);
    GstCcaVeilSlope slope = { p.frame.fill[i], 0, 0 };

    if (row >= values.height)
      continue;
    if (p.mode == GST_CCA_VEIL_PIXELATE)
      slope.start = (level.cells[(size_t) (y >> number) * level.columns + (x >> number)].means[i] + 128) >> 8;
    if (p.mode == GST_CCA_VEIL_BLUR) {
      const uint16_t its[4] = { corners[place][0][i], corners[place][1][i], corners[place][2][i],
                                corners[place][3][i] };

      slope = gst_cca_veil_slope (its, row, component.shift_x, component.shift_y);
    }
    paint_row (values, row, slope, p.interleaved, &pending);
  }
}
