/* gst-cca: every pixel a segment, the baseline
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Union-find on pixels (Komura, Computer Physics Communications 194, 2015; Playne & Hawick, IEEE TPDS 29, 2018); each
 * pixel votes for features: the "naive" of Lemaitre, Hennequin & Lacassagne, ICASSP 2021, section 2. A lane has a
 * pixel, a warp a word.
 */
#include "cuda/algorithms/segments/segments.cuh"

__device__ static uint32_t
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

extern "C" __global__ void
cca_init_pixels (const CcaSegmentsParams p)
{
  for_each_segment<Pixels> (p, [&] (const Segment &pixel) {
    if (pixel.exists ())
      p.parent[pixel.id] = pixel.id;
  });
}

/* Unites pixels with their neighbours on the left and above, a warp for each word. */
extern "C" __global__ void
cca_unite_pixels (const CcaSegmentsParams p)
{
  const uint32_t y = warp_index () / p.planes.row_words, i = warp_index () % p.planes.row_words;
  const uint32_t bit = 1u << lane_index (), id = pixel_id (p, y, i * 32 + lane_index ());

  if (y >= p.planes.height)
    return;
  if (load_word<uint32_t> (p.planes, y, i).joins & bit)
    unite_segments<false> (p, id, id - 1);
  if (y > 0)
    unite_links<Pixels, false> (p, y, i, bit);
}

CCA_DEFINE_SEGMENT_KERNELS (pixels, Pixels)
