/* gst-cca: pixels to words of foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

/* Returns a bit for each of four bytes, which are 0xff or 0. */
__device__ inline uint32_t
bits_of_bytes (uint32_t mask)
{
  return ((mask & 0x08040201) * 0x01010101) >> 24;
}

/* Loads four pixels at any alignment; those from n on are 0. */
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

/* Returns the bits within the width in the word that starts at x. */
__device__ inline uint32_t
valid_bits (uint32_t x, uint32_t width)
{
  return x >= width ? 0 : width - x >= 32 ? all_lanes : (1u << (width - x)) - 1;
}

/* Compares each of four bytes with t, 0…255: its top bit is set if it is at least t. Compares the lower seven bits,
 * then combines them with the top bit: either or both must be high. */
struct AtLeast
{
  uint32_t add, either;

  __device__ explicit AtLeast (uint32_t t) : add ((0x80 - (t & 0x7f)) * 0x01010101), either (t < 0x80 ? all_lanes : 0)
  {
  }
  __device__ uint32_t operator() (uint32_t v) const
  {
    const uint32_t lower = (v & 0x7f7f7f7f) + add;

    return (lower & v) | (either & (lower | v));
  }
};

/* Packs the top bits of eight bytes: bits 8 j + 3 and 8 j + 7 of a word meet at 24 + j and 28 + j. */
__device__ inline uint32_t
top_bits (uint32_t a, uint32_t b)
{
  return ((a >> 4 & 0x08080808) | (b & 0x80808080)) * 0x00204081 >> 24;
}

/* Returns four times N pixels as bits. */
template <uint32_t N>
__device__ inline uint32_t
bits_of_range (const CcaRangeParams &p, const uint32_t (&fours)[N])
{
  const AtLeast low (p.low), end (p.end);
  uint32_t bits = 0;

  if (p.end > 255) {
#pragma unroll
    for (uint32_t i = 0; i < N; i += 2)
      bits |= top_bits (low (fours[i]), low (fours[i + 1])) << 4 * i;
  } else if (p.low < p.end) {
#pragma unroll
    for (uint32_t i = 0; i < N; i += 2)
      bits |= top_bits (low (fours[i]) & ~end (fours[i]), low (fours[i + 1]) & ~end (fours[i + 1])) << 4 * i;
  }
  return p.invert ? ~bits : bits;
}

/* Returns whether every row has 32 pixels from 32 * word on, aligned to 16 bytes. */
__device__ inline bool
has_whole_words (const CcaRangeParams &p, uint32_t word)
{
  return word * 32 + 32 <= p.width && ((uintptr_t) p.pixels | p.pitch) % 16 == 0;
}

/* Returns the pixels of row y from 32 * word on as bits, 0 beyond the width. The row must exist. */
__device__ inline uint32_t
word_of_range (const CcaRangeParams &p, uint32_t word, uint32_t y)
{
  const uint32_t x = word * 32;
  const uint8_t *const pixels = p.pixels + y * p.pitch + x;
  uint32_t fours[8] = {};

  if (has_whole_words (p, word)) {
    const uint4 a = *(const uint4 *) pixels, b = *(const uint4 *) (pixels + 16);

    fours[0] = a.x, fours[1] = a.y, fours[2] = a.z, fours[3] = a.w;
    fours[4] = b.x, fours[5] = b.y, fours[6] = b.z, fours[7] = b.w;
  } else {
#pragma unroll
    for (uint32_t i = 0; i < 8; i++)
      if (x + 4 * i < p.width)
        fours[i] = load_pixels (pixels + 4 * i, p.width - x - 4 * i);
  }
  return bits_of_range (p, fours) & valid_bits (x, p.width);
}

/* Loads 16 pixels of a row. Other warps soon load their neighbours, and then they are not needed again: marks them for
 * early eviction from the second-level cache. */
__device__ inline uint4
load_pixels_ahead (const uint8_t *pixels)
{
#if __CUDA_ARCH__ >= 800
  uint64_t leave_first;
  uint4 v;

  asm ("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(leave_first));
  asm volatile ("ld.global.L2::cache_hint.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                : "l"(pixels), "l"(leave_first));
  return v;
#else
  return *(const uint4 *) pixels;
#endif
}

/* Returns word_of_range () of 32 rows from y on, one per lane, 0 below the image. Two lanes load a row's 32 bytes in
 * one access. */
__device__ inline uint32_t
rows_of_range (const CcaRangeParams &p, uint32_t word, uint32_t y)
{
  const uint32_t own = y + lane_index ();

  if (!has_whole_words (p, word))
    return own < p.height ? word_of_range (p, word, own) : 0;
  const uint8_t *const pixels = p.pixels + word * 32 + lane_index () % 2 * 16;
  const uint32_t upper = min (y + lane_index () / 2, p.height - 1),
                 lower = min (y + 16 + lane_index () / 2, p.height - 1);
  const uint4 a = load_pixels_ahead (pixels + upper * p.pitch), b = load_pixels_ahead (pixels + lower * p.pitch);
  const uint32_t upper_fours[] = { a.x, a.y, a.z, a.w }, lower_fours[] = { b.x, b.y, b.z, b.w };
  const uint32_t halves = (bits_of_range (p, upper_fours) & 0xffff) | bits_of_range (p, lower_fours) << 16;
  const uint32_t left = __shfl_sync (all_lanes, halves, lane_index () * 2 % warp_size);
  const uint32_t right = __shfl_sync (all_lanes, halves, (lane_index () * 2 + 1) % warp_size);

  if (own >= p.height)
    return 0;
  return lane_index () < warp_size / 2 ? (left & 0xffff) | right << 16 : left >> 16 | (right & 0xffff0000);
}
