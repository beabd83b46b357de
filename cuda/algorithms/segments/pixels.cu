/* gst-cca: the kernels of all algorithms on pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/segments/pixels.cuh"

extern "C" __global__ void
cca_init_pixels (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  for_each_segment<Pixels> (p, [&] (const Segment &pixel) {
    if (pixel.exists ())
      p.parent[pixel.id] = pixel.id;
  });
}

/* Pairs of neighbours in a row; the first foreground pixel represents both. A lane has two pixels, a warp two words.
 * Only for trees, and not for regions of equal value. */
struct PixelPairs
{
  static constexpr uint32_t lanes = warp_size;

  __device__ static uint32_t count (const CcaSegmentsParams &p) { return p.planes.row_words / 2 * p.planes.height; }

  __device__ static Segment at (const CcaSegmentsParams &p, uint32_t words, uint32_t lane)
  {
    const uint32_t y = words / (p.planes.row_words / 2), i = words % (p.planes.row_words / 2) * 64 + 2 * lane;
    const uint32_t pair = p.planes.bits[2 * (size_t) words + lane / 16] >> lane % 16 * 2 & 3, x = i + !(pair & 1);

    return pair ? Segment{ pixel_id (p, y, x), y, x, i + 1 + (pair >> 1) } : Segment{};
  }
};

CCA_DEFINE_SEGMENT_KERNELS (pixels, Pixels)
CCA_DEFINE_TREE_KERNEL (pairs, PixelPairs)
