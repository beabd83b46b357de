/* gst-cca: from pixels to the bit plane of the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread makes one word from 32 pixels, four at a time.
 */
#include "cuda/kernels/foreground.cuh"
#include "cuda/kernels/region.cuh"

extern "C" __global__ void
cca_range (const CcaRangeParams p)
{
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t place = (size_t) y * p.row_words + word;

  if (word < p.row_words && y < p.height)
    p.bits[place] = within (p.region, place, word_of_range (p, word, y));
}

/* Returns the least spreads of four pixels from their factors: cca_motion_least(). */
__device__ static uint32_t
least_spreads (uint32_t v_min, uint32_t factors)
{
  uint32_t four = 0;

  for (uint32_t k = 0; k < 32; k += 8)
    four |= min (max ((v_min * (factors >> k & 255) + 8) / 16, 1u), 255u) << k;
  return four;
}

/* Updates the background model and finds what differs from it: Sigma-Delta (Manzanera & Richefeu, ICVGIP 2004, PRL 28
 * 2007), with the parameters of CcaMotion. */
template <bool by_place>
__device__ static void
find_motion (const CcaMotionParams &p)
{
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, x = word * 32;
  const uint8_t *pixels = p.pixels + y * p.pitch + x;
  const size_t place = (size_t) y * p.row_words + word;
  uint32_t *background = (uint32_t *) (p.background + place * 32), *spread = (uint32_t *) (p.spread + place * 32);
  const uint32_t step = p.step * 0x01010101, v_min = p.v_min * 0x01010101, v_max = p.v_max * 0x01010101;
  uint32_t bits = 0;

  if (word >= p.row_words || y >= p.height)
    return;
  for (uint32_t i = 0; i < 8 && x + 4 * i < p.width; i++) {
    const uint32_t pixel = load_pixels (pixels + 4 * i, p.width - x - 4 * i);
    const uint32_t least = by_place ? least_spreads (p.v_min, ((const uint32_t *) (p.factors + place * 32))[i]) : v_min;
    uint32_t m = pixel, v = least;

    if (!p.first) {
      uint32_t difference, target;

      m = background[i];
      v = spread[i];
      m = __vmaxu4 (__vminu4 (pixel, __vaddus4 (m, step)), __vsubus4 (m, step));
      difference = __vabsdiffu4 (pixel, m);
      target = difference;
      for (uint32_t k = 1; k < p.amplification; k++)
        target = __vaddus4 (target, difference);
      target |= v & __vcmpeq4 (difference, 0); /* a pixel without a difference keeps its spread */
      v = __vmaxu4 (__vminu4 (target, __vaddus4 (v, 0x01010101)), __vsubus4 (v, 0x01010101));
      v = __vmaxu4 (__vminu4 (v, v_max), least);
      bits |= bits_of_bytes (__vcmpgeu4 (difference, v)) << 4 * i;
    }
    background[i] = m;
    spread[i] = v;
  }
  bits = p.report ? bits : 0;
  p.bits[place] = within (p.region, place, (p.invert ? ~bits : bits) & valid_bits (x, p.width));
}

extern "C" __global__ void
cca_motion (const CcaMotionParams p)
{
  find_motion<false> (p);
}

/* The same with a least spread for each pixel. */
extern "C" __global__ void
cca_motion_by_place (const CcaMotionParams p)
{
  find_motion<true> (p);
}

/* Finds regions of equal value, as planes of the connections between neighbours. */
extern "C" __global__ void
cca_values (const CcaValuesParams p)
{
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, x = word * 32;
  const uint8_t *row = p.pixels + y * p.pitch, *row_above = row - p.pitch;
  uint32_t bits = 0, joins = 0, vertical = 0, falling = 0, rising = 0;

  if (word >= p.row_words || y >= p.height)
    return;

  const bool has_left = x > 0 && x <= p.width;
  uint32_t before = has_left ? row[x - 1] << 24 : 0, before_above = has_left && y > 0 ? row_above[x - 1] << 24 : 0;

  for (uint32_t i = 0; i < 8 && x + 4 * i < p.width; i++) {
    const uint32_t at = x + 4 * i, n = p.width - at;
    const uint32_t here = load_pixels (row + at, n), above = y > 0 ? load_pixels (row_above + at, n) : 0;
    const uint32_t left = __funnelshift_l (before, here, 8), above_left = __funnelshift_l (before_above, above, 8);
    const uint32_t is_set = __vcmpne4 (here, 0), above_is_set = __vcmpne4 (above, 0);

    bits |= bits_of_bytes (is_set) << 4 * i;
    joins |= bits_of_bytes (is_set & __vcmpeq4 (here, left)) << 4 * i;
    vertical |= bits_of_bytes (is_set & __vcmpeq4 (here, above)) << 4 * i;
    falling |= bits_of_bytes (is_set & __vcmpeq4 (here, above_left)) << 4 * i;
    rising |= bits_of_bytes (above_is_set & __vcmpeq4 (left, above)) << 4 * i;
    before = here;
    before_above = above;
  }

  store_values (p, x, y, { bits, joins, vertical, falling, rising });
}
