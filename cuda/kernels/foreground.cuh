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

/* The pixels from 32 word on of row y, which exists, as bits; none of them beyond the width. */
__device__ inline uint32_t
word_of_range (const CcaRangeParams &p, uint32_t word, uint32_t y)
{
  const uint32_t x = word * 32, low = p.low * 0x01010101, span = p.span * 0x01010101;
  const uint8_t *const pixels = p.pixels + y * p.pitch + x;
  uint32_t bits = 0;

  if (p.span <= 255) {
    if (x + 32 <= p.width && (uintptr_t) pixels % 16 == 0) {
      const uint4 a = *(const uint4 *) pixels, b = *(const uint4 *) (pixels + 16);
      const uint32_t fours[8] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w };

      for (uint32_t i = 0; i < 8; i++)
        bits |= bits_of_bytes (__vcmpleu4 (__vsub4 (fours[i], low), span)) << 4 * i;
    } else {
      for (uint32_t i = 0; i < 8 && x + 4 * i < p.width; i++)
        bits |= bits_of_bytes (__vcmpleu4 (__vsub4 (load_pixels (pixels + 4 * i, p.width - x - 4 * i), low), span))
                << 4 * i;
    }
  }
  return (p.invert ? ~bits : bits) & valid_bits (x, p.width);
}

#endif
