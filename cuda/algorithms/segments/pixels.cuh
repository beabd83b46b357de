/* gst-cca: every pixel a segment
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A lane has a pixel, a warp a word.
 */
#ifndef CCA_PIXELS_CUH
#define CCA_PIXELS_CUH

#include "cuda/algorithms/segments/segments.cuh"

__device__ inline uint32_t
pixel_id (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
{
  return y * p.row_ids + x;
}

struct Pixels
{
  static constexpr uint32_t lanes = warp_size;

  __device__ static uint32_t count (const CcaSegmentsParams &p) { return p.planes.row_words * p.planes.height; }

  __device__ static Segment at (const CcaSegmentsParams &p, uint32_t word, uint32_t lane)
  {
    const uint32_t y = word / p.planes.row_words, x = word % p.planes.row_words * 32 + lane;

    return p.planes.bits[word] >> lane & 1 ? Segment{ pixel_id (p, y, x), y, x, x + 1 } : Segment{};
  }

  __device__ static uint32_t of_pixel (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
  {
    return pixel_id (p, y, x);
  }
};

#endif
