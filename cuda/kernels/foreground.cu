/* gst-cca: from pixels to the bit plane of the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread makes one word from 32 pixels, four at a time.
 */
#include "cuda/kernels/foreground.cuh"

extern "C" __global__ void
cca_range (const CcaRangeParams p)
{
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

  if (word < p.row_words && y < p.height)
    p.bits[(size_t) y * p.row_words + word] = word_of_range (p, word, y);
}

/* Updates the background model and finds what differs from it: Sigma-Delta (Manzanera & Richefeu, ICVGIP 2004, PRL 28
 * 2007), with the parameters of CcaMotion. */
extern "C" __global__ void
cca_motion (const CcaMotionParams p)
{
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, x = word * 32;
  const uint8_t *pixels = p.pixels + y * p.pitch + x;
  const size_t place = ((size_t) y * p.row_words + word) * 32;
  uint32_t *background = (uint32_t *) (p.background + place), *spread = (uint32_t *) (p.spread + place);
  const uint32_t step = p.step * 0x01010101, v_min = p.v_min * 0x01010101, v_max = p.v_max * 0x01010101;
  uint32_t bits = 0;

  if (word >= p.row_words || y >= p.height)
    return;
  for (uint32_t i = 0; i < 8 && x + 4 * i < p.width; i++) {
    const uint32_t pixel = load_pixels (pixels + 4 * i, p.width - x - 4 * i);
    uint32_t m = pixel, v = v_min;

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
      v = __vmaxu4 (__vminu4 (v, v_max), v_min);
      bits |= bits_of_bytes (__vcmpgeu4 (difference, v)) << 4 * i;
    }
    background[i] = m;
    spread[i] = v;
  }
  bits = p.report ? bits : 0;
  p.bits[(size_t) y * p.row_words + word] = (p.invert ? ~bits : bits) & valid_bits (x, p.width);
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

  const size_t place = (size_t) y * p.row_words + word;

  p.bits[place] = bits;
  p.joins[place] = joins;
  p.vertical[place] = vertical;
  p.falling[place] = falling;
  p.rising[place] = rising;
}
