/* gst-cca: the arithmetic of the veil, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Integers alone, so that a GPU paints what a CPU does. Knows libc only; also compiles as CUDA device code.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define GST_CCA_CELLS_INLINE __device__ static inline
#else
#define GST_CCA_CELLS_INLINE static inline
#endif

#define GST_CCA_BLOCK 8u /* pixels a side */
#define GST_CCA_VEIL_MAX_COMPONENTS 3u

/* The means of a cell's hidden pixels; 0 for components that the frame lacks, and without hidden blocks. */
typedef struct
{
  uint32_t n;                                  /* hidden blocks in it */
  uint16_t means[GST_CCA_VEIL_MAX_COMPONENTS]; /* 256ths */
} GstCcaVeilCell;

/* The cells of a level, row by row. */
typedef struct
{
  GstCcaVeilCell *cells;
  uint32_t columns, rows;
} GstCcaVeilLevel;

/* Returns the end of a block of values along an axis on which there are `length` pixels, and one value for 1 << shift
 * of them. */
GST_CCA_CELLS_INLINE uint32_t
gst_cca_block_end (uint32_t block, uint32_t length, uint32_t shift)
{
  const uint32_t end = (block + 1) * (GST_CCA_BLOCK >> shift), most = (length + (1u << shift) - 1) >> shift;

  return end < most ? end : most;
}

/* Returns the mean of n bytes with a sum, in 256ths, rounded. */
GST_CCA_CELLS_INLINE uint16_t
gst_cca_veil_mean (uint32_t sum, uint32_t n)
{
  return (uint16_t) ((256 * sum + n / 2) / n);
}

/* Returns a mean of weight `sum` in all, rounded. Usually 32 bits are enough, and on a GPU much faster. */
GST_CCA_CELLS_INLINE uint16_t
gst_cca_veil_divide (uint64_t weighted, uint64_t sum)
{
  return sum <= 65536 ? (uint16_t) (((uint32_t) weighted + (uint32_t) sum / 2) / (uint32_t) sum)
                      : (uint16_t) ((weighted + sum / 2) / sum);
}

/* Joins a cell's up to four cells of the level below, `from`; x and y are its place in its own level. */
GST_CCA_CELLS_INLINE GstCcaVeilCell
gst_cca_veil_join (const GstCcaVeilLevel *from, uint32_t x, uint32_t y)
{
  uint64_t sums[GST_CCA_VEIL_MAX_COMPONENTS] = { 0 };
  GstCcaVeilCell joined = { 0, { 0 } };

  for (uint32_t cy = 2 * y; cy < from->rows && cy <= 2 * y + 1; cy++)
    for (uint32_t cx = 2 * x; cx < from->columns && cx <= 2 * x + 1; cx++) {
      const GstCcaVeilCell cell = from->cells[(size_t) cy * from->columns + cx];

      joined.n += cell.n;
      for (uint32_t i = 0; i < GST_CCA_VEIL_MAX_COMPONENTS; i++)
        sums[i] += (uint64_t) cell.n * cell.means[i];
    }
  for (uint32_t i = 0; joined.n > 0 && i < GST_CCA_VEIL_MAX_COMPONENTS; i++)
    joined.means[i] = gst_cca_veil_divide (sums[i], joined.n);
  return joined;
}

/* Interpolates, at the upper left corner of block (x, y), between the means of the four cells around it; those without
 * hidden pixels do not count. At least one of them has some. */
GST_CCA_CELLS_INLINE void
gst_cca_veil_corner (const GstCcaVeilLevel *level, uint32_t level_number, uint32_t x, uint32_t y,
                     uint16_t corner[GST_CCA_VEIL_MAX_COMPONENTS])
{
  /* The place between the cells' centres, from half a cell outside the frame on, in halves of a block. */
  const uint32_t cell = 2u << level_number, right = 2 * x + cell / 2, down = 2 * y + cell / 2;
  uint64_t sums[GST_CCA_VEIL_MAX_COMPONENTS] = { 0 }, sum = 0;

  for (uint32_t j = 0; j < 2; j++)
    for (uint32_t i = 0; i < 2; i++) {
      const uint32_t cx = right / cell + i, cy = down / cell + j; /* one more than the cell's place */
      const uint64_t weight =
          (uint64_t) (i ? right % cell : cell - right % cell) * (j ? down % cell : cell - down % cell);
      const GstCcaVeilCell *from;

      if (cx == 0 || cy == 0 || cx > level->columns || cy > level->rows)
        continue;
      from = &level->cells[(size_t) (cy - 1) * level->columns + cx - 1];
      if (from->n == 0)
        continue;
      sum += weight;
      for (uint32_t k = 0; k < GST_CCA_VEIL_MAX_COMPONENTS; k++)
        sums[k] += weight * from->means[k];
    }
  /* Usually all four count, and the weights add up to the square of a power of two. */
  for (uint32_t k = 0; k < GST_CCA_VEIL_MAX_COMPONENTS; k++)
    corner[k] = (uint16_t) (sum == (uint64_t) cell * cell ? (sums[k] + sum / 2) >> (2 * level_number + 2)
                                                          : gst_cca_veil_divide (sums[k], sum));
}

/* A row of a block, between the values at the block's corners. Value x is (start + x * slope) >> shift. */
typedef struct
{
  int32_t start, slope, shift;
} GstCcaVeilSlope;

/* Interpolates on row y between corners, in 256ths: left and right at the top, then at the bottom. */
GST_CCA_CELLS_INLINE GstCcaVeilSlope
gst_cca_veil_slope (const uint16_t corners[4], uint32_t y, uint32_t shift_x, uint32_t shift_y)
{
  const int32_t bits_x = 4 - (int32_t) shift_x, bits_y = 4 - (int32_t) shift_y;
  const int32_t size_x = 1 << bits_x, size_y = 1 << bits_y; /* twice the values of a whole block */
  const int32_t down = 2 * (int32_t) y + 1;
  const int32_t left = corners[0] * (size_y - down) + corners[2] * down;
  const int32_t right = corners[1] * (size_y - down) + corners[3] * down;
  GstCcaVeilSlope row;

  row.shift = 8 + bits_x + bits_y;
  row.slope = 2 * (right - left);
  row.start = left * size_x + (right - left) + (1 << (row.shift - 1));
  return row;
}
