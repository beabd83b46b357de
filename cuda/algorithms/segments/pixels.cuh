/* gst-cca: single pixels as segments
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A lane has a pixel, a warp a word. The kernel that counts the roots stores them as bits, so that the one that numbers
 * them reads nothing else.
 */
#pragma once

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

/* Collects the roots of a warp's words: each lane holds one word until all are stored. */
class KeptRoots {
  uint32_t *const words;
  const uint32_t n_words;
  uint32_t n, of_lane;

public:
  __device__ KeptRoots (const CcaSegmentsParams &p, Chunk chunk)
      : words (p.roots + chunk.first), n_words (chunk.last - chunk.first), n (0), of_lane (0)
  {
  }

  __device__ void add (uint32_t roots)
  {
    if (lane_index () == n % warp_size)
      of_lane = roots;
    if (++n % warp_size == 0)
      store (n - warp_size);
  }

  /* Stores the words from `first` on. */
  __device__ void store (uint32_t first)
  {
    if (first + lane_index () < min (n, n_words))
      words[first + lane_index ()] = of_lane;
  }

  __device__ void finish () { store (n / warp_size * warp_size); }
};

template <>
__device__ inline void
flatten<Pixels> (const CcaSegmentsParams &p)
{
  KeptRoots kept (p, chunk_of_warp<Pixels> (p));

  flatten_and_keep<Pixels> (p, [&] (uint32_t roots) { kept.add (roots); });
  kept.finish ();
}

template <>
__device__ inline void
number<Pixels> (const CcaSegmentsParams &p)
{
  const Chunk chunk = chunk_of_warp<Pixels> (p);
  uint32_t before = count_roots_before (p);

  for (uint32_t base = chunk.first; base < chunk.last; base += warp_size) {
    const uint32_t roots_of_lane = base + lane_index () < chunk.last ? p.roots[base + lane_index ()] : 0;

    for (uint32_t lanes = __ballot_sync (all_lanes, roots_of_lane != 0); lanes; lanes &= lanes - 1) {
      const uint32_t lane = __ffs (lanes) - 1, roots = __shfl_sync (all_lanes, roots_of_lane, lane);

      if (roots >> lane_index () & 1)
        number_root (p, Pixels::at (p, base + lane, lane_index ()), before + __popc (roots & lanes_before ()));
      before += __popc (roots);
    }
  }
}
