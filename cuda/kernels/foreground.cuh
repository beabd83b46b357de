/* gst-cca: pixels to words of foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_FOREGROUND_CUH
#define CCA_FOREGROUND_CUH

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

/* One bit for each of four bytes that is 0xff and not 0. */
__device__ inline uint32_t
bits_of_bytes (uint32_t mask)
{
  return ((mask & 0x08040201) * 0x01010101) >> 24;
}

/* Four pixels from any address, of which those from n on are 0. */
__device__ inline uint32_t
load_pixels (const uint8_t *pixels, uint32_t n)
{
  uint32_t four = 0;

  if (n >= 4 && (uintptr_t) pixels % 4 == 0)
    return *(const uint32_t *) pixels;
  for (uint32_t i = 0; i < 4 && i < n; i++)
    four |= (uint32_t) pixels[i] << 8 * i;
  return four;
}

/* The bits below the width in the word that starts at x. */
__device__ inline uint32_t
valid_bits (uint32_t x, uint32_t width)
{
  return x >= width ? 0 : width - x >= 32 ? all_lanes : (1u << (width - x)) - 1;
}

/* For each of four bytes, whether it is at least t, 0…255, in its top bit: by its lower seven bits, and by the top one, of which either or
 * both must be high. */
struct AtLeast
{
  uint32_t add, either;

  __device__ explicit AtLeast (uint32_t t) : add ((0x80 - (t & 0x7f)) * 0x01010101), either (t < 0x80 ? all_lanes : 0) {}
  __device__ uint32_t operator() (uint32_t v) const
  {
    const uint32_t lower = (v & 0x7f7f7f7f) + add;

    return (lower & v) | (either & (lower | v));
  }
};

/* The top bits of four bytes, side by side. */
__device__ inline uint32_t
top_bits (uint32_t four)
{
  return ((four & 0x80808080) * 0x00204081) >> 28;
}

/* The pixels from 32 word on of row y, which exists, as bits; none of them beyond the width. */
__device__ inline uint32_t
word_of_range (const CcaRangeParams &p, uint32_t word, uint32_t y)
{
  const AtLeast low (p.low), end (p.end);
  const uint32_t x = word * 32, no_end = p.end > 255 ? all_lanes : 0;
  const uint8_t *const pixels = p.pixels + y * p.pitch + x;
  uint32_t bits = 0;

  if (p.low < p.end) {
    if (x + 32 <= p.width && (uintptr_t) pixels % 16 == 0) {
      const uint4 a = *(const uint4 *) pixels, b = *(const uint4 *) (pixels + 16);
      const uint32_t fours[8] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w };

      for (uint32_t i = 0; i < 8; i++)
        bits |= top_bits (low (fours[i]) & (no_end | ~end (fours[i]))) << 4 * i;
    } else {
      for (uint32_t i = 0; i < 8 && x + 4 * i < p.width; i++) {
        const uint32_t four = load_pixels (pixels + 4 * i, p.width - x - 4 * i);

        bits |= top_bits (low (four) & (no_end | ~end (four))) << 4 * i;
      }
    }
  }
  return (p.invert ? ~bits : bits) & valid_bits (x, p.width);
}

#endif
