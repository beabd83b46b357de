/* gst-cca: clean-up of bit planes: 3x3 majority, and closing in four steps; a thread makes a word
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/kernels/region.cuh"
#include "cuda/kernels/warp.cuh"

/* Returns word i of row y, 0 outside the plane. */
__device__ static uint32_t
word_at (const CcaCleanupParams &p, uint32_t y, uint32_t i)
{
  return y < p.in_height && i < p.in_words ? p.in[(size_t) y * p.in_words + i] : 0;
}

struct Sum
{
  uint32_t ones, twos;
};

/* Returns how many of the three pixels around each pixel are set. */
__device__ static Sum
sum_of_three (const CcaCleanupParams &p, uint32_t y, uint32_t i)
{
  const uint32_t here = word_at (p, y, i);
  const uint32_t left = __funnelshift_l (word_at (p, y, i - 1), here, 1);
  const uint32_t right = __funnelshift_r (here, word_at (p, y, i + 1), 1);

  return { left ^ here ^ right, (left & here) | (right & (left ^ here)) };
}

extern "C" __global__ void
cca_majority (const CcaCleanupParams p)
{
  trigger_then_sync ();
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

  if (i >= p.out_words || y >= p.height)
    return;
  const Sum a = sum_of_three (p, y - 1, i), b = sum_of_three (p, y, i), c = sum_of_three (p, y + 1, i);
  /* Bit-sliced addition: the nine pixels make ones + 2 (carry + twos) + 4 fours. */
  const uint32_t ones = a.ones ^ b.ones ^ c.ones, carry = (a.ones & b.ones) | (c.ones & (a.ones ^ b.ones));
  const uint32_t twos = a.twos ^ b.twos ^ c.twos, fours = (a.twos & b.twos) | (c.twos & (a.twos ^ b.twos));
  const uint32_t sum_2 = carry ^ twos, sum_4 = carry & twos;

  const size_t place = (size_t) y * p.out_words + i;

  p.out[place] = within (p.region, place, (fours & sum_4) | ((fours ^ sum_4) & (ones | sum_2)));
}

/* Dilates rows into a plane padded by the radius on both sides: pixel x goes to x … x + 2 r. */
extern "C" __global__ void
cca_dilate_rows (const CcaCleanupParams p)
{
  trigger_then_sync ();
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  uint32_t word = 0;

  if (i >= p.out_words || y >= p.height)
    return;
  const uint32_t here = word_at (p, y, i), before = word_at (p, y, i - 1);

  for (uint32_t k = 0; k <= 2 * p.radius; k++)
    word |= __funnelshift_l (before, here, k);
  p.out[(size_t) y * p.out_words + i] = word;
}

/* Dilates columns: row y of the padded plane unites the rows from y - 2 r to y. Then erodes rows and shifts them back.
 */
extern "C" __global__ void
cca_dilate_columns_erode_rows (const CcaCleanupParams p)
{
  trigger_then_sync ();
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  uint32_t here = 0, after = 0, word = all_lanes;

  if (i >= p.out_words || y >= p.height)
    return;
  for (uint32_t k = 0; k <= 2 * p.radius; k++) {
    here |= word_at (p, y - k, i);
    after |= word_at (p, y - k, i + 1);
  }
  for (uint32_t k = 0; k <= 2 * p.radius; k++)
    word &= __funnelshift_r (here, after, k);
  p.out[(size_t) y * p.out_words + i] = word;
}

extern "C" __global__ void
cca_erode_columns (const CcaCleanupParams p)
{
  trigger_then_sync ();
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  uint32_t word = all_lanes;

  if (i >= p.out_words || y >= p.height)
    return;
  for (uint32_t k = 0; k <= 2 * p.radius; k++)
    word &= word_at (p, y + k, i);
  const size_t place = (size_t) y * p.out_words + i;

  p.out[place] = within (p.region, place, word);
}
