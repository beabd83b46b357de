/* gst-cca: the kernels that all algorithms on pixels have
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/segments/pixels.cuh"

extern "C" __global__ void
cca_init_pixels (const CcaSegmentsParams p)
{
  for_each_segment<Pixels> (p, [&] (const Segment &pixel) {
    if (pixel.exists ())
      p.parent[pixel.id] = pixel.id;
  });
}

CCA_DEFINE_SEGMENT_KERNELS (pixels, Pixels)
