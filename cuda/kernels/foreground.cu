/* gst-cca: from pixels to the bit plane of the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread computes a word, or for motion half a word, from 32 or 16 pixels, four at a time.
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

/* Sixteen bytes of a row, as four words. */
struct Sixteen
{
  uint32_t fours[4] = {};

  __device__ Sixteen () {}
  /* Loads n pixels, at most sixteen, at any alignment; the others are 0. */
  __device__ Sixteen (const uint8_t *pixels, uint32_t n)
  {
    if (n >= 16 && (uintptr_t) pixels % 16 == 0)
      load (pixels);
    else
#pragma unroll
      for (uint32_t i = 0; i < 4; i++)
        if (4 * i < n)
          fours[i] = load_pixels (pixels + 4 * i, n - 4 * i);
  }
  /* Loads or stores sixteen at a multiple of 16. */
  __device__ void load (const uint8_t *bytes)
  {
    const uint4 all = *(const uint4 *) bytes;

    fours[0] = all.x, fours[1] = all.y, fours[2] = all.z, fours[3] = all.w;
  }
  __device__ void store (uint8_t *bytes) const
  {
    *(uint4 *) bytes = make_uint4 (fours[0], fours[1], fours[2], fours[3]);
  }
};

/* Returns the least spreads of four pixels from their factors: cca_motion_least(). */
__device__ static uint32_t
least_spreads (uint32_t v_min, uint32_t factors)
{
  uint32_t four = 0;

  for (uint32_t k = 0; k < 32; k += 8)
    four |= min (max ((v_min * (factors >> k & 255) + 8) / 16, 1u), 255u) << k;
  return four;
}

/* Updates the background model of sixteen pixels from (x, y) on. Returns the foreground as bits: Sigma-Delta (Manzanera
 * & Richefeu, ICVGIP 2004, PRL 28, 2007), with the parameters of CcaMotion. */
template <bool by_place>
__device__ static uint32_t
find_half (const CcaMotionParams &p, uint32_t x, uint32_t y)
{
  const size_t place = (size_t) y * p.row_words * 32 + x;
  const uint32_t v_min = p.v_min * 0x01010101, v_max = p.v_max * 0x01010101, step = p.step * 0x01010101;
  const Sixteen pixels (p.pixels + y * p.pitch + x, p.width - x);
  Sixteen factors, m, v;
  uint32_t bits = 0;

  if (by_place)
    factors.load (p.factors + place);
  if (!p.first) {
    m.load (p.background + place);
    v.load (p.spread + place);
  }
#pragma unroll
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t pixel = pixels.fours[i], least = by_place ? least_spreads (p.v_min, factors.fours[i]) : v_min;
    uint32_t &background = m.fours[i], &spread = v.fours[i];

    if (p.first) {
      background = pixel;
      spread = least;
      continue;
    }
    if (p.step > 0)
      background = __vmaxu4 (__vminu4 (pixel, __vaddus4 (background, step)), __vsubus4 (background, step));
    const uint32_t difference = __vabsdiffu4 (pixel, background);
    uint32_t target = difference;

#pragma unroll 1
    for (uint32_t k = 1; k < p.amplification; k++)
      target = __vaddus4 (target, difference);
    target |= spread & __vcmpeq4 (difference, 0); /* a pixel without a difference keeps its spread */
    spread = __vmaxu4 (__vminu4 (target, __vaddus4 (spread, 0x01010101)), __vsubus4 (spread, 0x01010101));
    spread = __vmaxu4 (__vminu4 (spread, v_max), least);
    bits |= bits_of_bytes (__vcmpgeu4 (difference, spread)) << 4 * i;
  }
  if (p.first || p.step > 0)
    m.store (p.background + place);
  v.store (p.spread + place);
  return bits;
}

template <bool by_place>
__device__ static void
find_motion (const CcaMotionParams &p)
{
  const uint32_t half = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, x = half * 16;
  const size_t place = (size_t) y * p.row_words + half / 2;
  uint32_t bits = 0;

  if (x < p.width && y < p.height)
    bits = find_half<by_place> (p, x, y);
  bits |= __shfl_xor_sync (all_lanes, bits, 1) << 16;
  bits = p.report ? bits : 0;
  if (half % 2 == 0 && half / 2 < p.row_words && y < p.height)
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

/* Finds regions of equal value, as planes of links between neighbours. */
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
