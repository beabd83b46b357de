/* gst-cca: clean-up of a plane of bits: 3x3 majority, then closing by a square; the coverage of cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block computes 16 rows of 30 words. Its warps take rows in turn, a lane per word; the first and the last lane have
 * the words beside the block's. A closing reaches 16 pixels to either side, and the majority one more: the errors at
 * the outer ends of these lanes' words do not reach the block's. Along columns, rows meet in shared memory.
 */
#include "cuda/kernels/formats.cuh"
#include "cuda/kernels/region.cuh"
#include "cuda/kernels/warp.cuh"

constexpr uint32_t n_rows = CCA_CLEAN_ROWS, n_words = CCA_CLEAN_WORDS, n_warps = CCA_CLEAN_BLOCK / warp_size;
static_assert (n_words == warp_size - 2, "the outer lanes have the words beside");

/* Rows of words in shared memory; the block's own begin at row `border`. */
template <uint32_t border> struct Rows
{
  uint32_t words[n_rows + 2 * border][warp_size];

  /* Returns a lane's word of row y, counted from the first of the block. */
  __device__ uint32_t &at (int32_t y) { return words[y + (int32_t) border][lane_index ()]; }
};

/* Calls function (y) for the rows of a warp, from -border up to the block's height + border. */
template <typename Function>
__device__ static void
for_each_row (uint32_t border, Function function)
{
  for (uint32_t i = threadIdx.x / warp_size; i < n_rows + 2 * border; i += n_warps)
    function ((int32_t) i - (int32_t) border);
}

/* A word and its neighbours, from other lanes of the warp. All lanes construct it. */
struct Neighbours
{
  uint32_t here, before, after;

  __device__ explicit Neighbours (uint32_t word)
      : here (word), before (__shfl_up_sync (all_lanes, word, 1)), after (__shfl_down_sync (all_lanes, word, 1))
  {
  }
  /* Return the pixels k further left, and right. */
  __device__ uint32_t left (uint32_t k) const { return __funnelshift_l (before, here, k); }
  __device__ uint32_t right (uint32_t k) const { return __funnelshift_r (here, after, k); }
};

struct Sum
{
  uint32_t ones, twos;

  /* Counts how many of each pixel and its two neighbours in the row are set. All lanes construct it. */
  __device__ explicit Sum (uint32_t word)
  {
    const Neighbours row (word);
    const uint32_t left = row.left (1), right = row.right (1);

    ones = left ^ word ^ right;
    twos = (left & word) | (right & (left ^ word));
  }
};

/* Returns the majority of the 3x3 around each pixel, by bit-sliced addition: the nine pixels make
 * ones + 2 (carry + twos) + 4 fours. */
__device__ static uint32_t
majority (const Sum &a, const Sum &b, const Sum &c)
{
  const uint32_t ones = a.ones ^ b.ones ^ c.ones, carry = (a.ones & b.ones) | (c.ones & (a.ones ^ b.ones));
  const uint32_t twos = a.twos ^ b.twos ^ c.twos, fours = (a.twos & b.twos) | (c.twos & (a.twos ^ b.twos));
  const uint32_t sum_2 = carry ^ twos, sum_4 = carry & twos;

  return (fours & sum_4) | ((fours ^ sum_4) & (ones | sum_2));
}

/* The place of a lane's words in the image. */
struct Column
{
  int32_t word, first_row; /* of the block */

  __device__ Column ()
      : word ((int32_t) (blockIdx.x * n_words + lane_index ()) - 1), first_row ((int32_t) (blockIdx.y * n_rows))
  {
  }
  __device__ bool exists (const CcaCleanupParams &p, int32_t y) const
  {
    return word >= 0 && word < (int32_t) p.row_words && first_row + y >= 0 && first_row + y < (int32_t) p.height;
  }
  __device__ size_t place (const CcaCleanupParams &p, int32_t y) const
  {
    return (size_t) (first_row + y) * p.row_words + (size_t) word;
  }
  __device__ bool is_own () const { return lane_index () >= 1 && lane_index () <= n_words; }
};

/* Returns the upper byte of a pixel's value. */
__device__ static uint8_t
luma_of (const CcaCleanupParams &p, const uint8_t *row, uint32_t x)
{
  return (uint8_t) (value_at (p.pixels, p.reading, row, x) >> (p.pixels == CCA_PIXELS_WORD ? 8 : 0));
}

/* Writes the colour of the pixel in a cell's middle, after the counts. */
__device__ static void
sample_cell (const CcaCleanupParams &p, uint32_t column, uint32_t row, bool empty)
{
  const size_t n = (size_t) p.cell_columns * p.cell_rows;
  const uint32_t x = min (column * p.cell + p.cell / 2, p.width - 1);
  const uint32_t y = min (row * p.cell + p.cell / 2, p.height - 1);
  const int64_t chroma =
      ((y & ~1u) >> p.chroma_shift_y) * p.chroma_pitch + (int64_t) ((x & ~1u) >> p.chroma_shift_x) * p.chroma_step;
  uint8_t *const colours = p.counts + n + (size_t) row * p.cell_columns + column;
  const uint8_t neutral = 128;

  colours[0] = empty ? 0 : luma_of (p, p.input + y * p.pitch, x);
  colours[n] = empty ? 0 : p.u ? p.u[chroma] : neutral;
  colours[2 * n] = empty ? 0 : p.v ? p.v[chroma] : neutral;
}

/* Counts the foreground of a block's cells, at most 255 of each, and samples their colours. */
__device__ static void
count_cells (const CcaCleanupParams &p, Rows<0> &rows)
{
  const uint32_t columns = n_words * 32 / p.cell, n = columns * (n_rows / p.cell);
  const uint32_t first_column = blockIdx.x * columns, first_row = blockIdx.y * (n_rows / p.cell);
  const uint32_t pixels = (1u << p.cell) - 1;

  for (uint32_t i = threadIdx.x; i < n; i += CCA_CLEAN_BLOCK) {
    const uint32_t column = i % columns, row = i / columns, x = column * p.cell;
    uint32_t sum = 0;

    if (first_column + column >= p.cell_columns || first_row + row >= p.cell_rows)
      continue;
    for (uint32_t y = row * p.cell; y < (row + 1) * p.cell; y++)
      sum += (uint32_t) __popc (rows.words[y][x / 32 + 1] >> x % 32 & pixels);
    p.counts[(size_t) (first_row + row) * p.cell_columns + first_column + column] = (uint8_t) min (sum, 255u);
    sample_cell (p, first_column + column, first_row + row, sum == 0);
  }
}

extern "C" __global__ void
__launch_bounds__ (CCA_CLEAN_BLOCK) cca_clean (const CcaCleanupParams p)
{
  trigger_then_sync ();
  constexpr uint32_t most = CCA_CLEAN_RADIUS_MAX;
  __shared__ Rows<2 * most + 1> raw;
  __shared__ Rows<2 * most> dilated;
  __shared__ Rows<most> eroded;
  __shared__ Rows<0> cleaned;
  const Column column;
  const int32_t radius = (int32_t) p.radius;

  for_each_row (2 * p.radius + 1,
                [&] (int32_t y) { raw.at (y) = column.exists (p, y) ? p.in[column.place (p, y)] : 0; });
  __syncthreads ();
  /* Dilates along rows here, and along columns below; a square is separable. */
  for_each_row (2 * p.radius, [&] (int32_t y) {
    uint32_t word = raw.at (y);

    if (p.denoise)
      word = majority (Sum (raw.at (y - 1)), Sum (word), Sum (raw.at (y + 1)));
    if (p.denoise && column.exists (p, y))
      word = within (p.region, column.place (p, y), word);

    const Neighbours row (word);

    for (uint32_t k = 1; k <= p.radius; k++)
      word |= row.left (k) | row.right (k);
    dilated.at (y) = word;
  });
  __syncthreads ();
  for_each_row (p.radius, [&] (int32_t y) {
    uint32_t word = dilated.at (y);

    for (int32_t k = 1; k <= radius; k++)
      word |= dilated.at (y - k) | dilated.at (y + k);

    const Neighbours row (word);

    for (uint32_t k = 1; k <= p.radius; k++)
      word &= row.left (k) & row.right (k);
    eroded.at (y) = word;
  });
  __syncthreads ();
  for_each_row (0, [&] (int32_t y) {
    const bool exists = column.is_own () && column.exists (p, y);
    uint32_t word = eroded.at (y);

    for (int32_t k = 1; k <= radius; k++)
      word &= eroded.at (y - k) & eroded.at (y + k);
    word = exists ? within (p.region, column.place (p, y), word) : 0;
    if (exists && p.out)
      p.out[column.place (p, y)] = word;
    cleaned.at (y) = word;
  });
  if (p.counts == NULL)
    return;
  __syncthreads ();
  count_cells (p, cleaned);
}
