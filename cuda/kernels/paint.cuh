/* gst-cca: from labels to pixels of the output
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/kernels/params.h"

/* Stores four packed pixels. No kernel reads them again: marks them for early eviction from the second-level cache, to
 * keep what painting reads. */
template <typename Pixel, typename Four>
__device__ inline void
store_pixels (const CcaCanvas &canvas, uint32_t x, uint32_t y, const uint32_t *four, Four packed)
{
  uint8_t *const out = canvas.out + y * canvas.pitch + x * sizeof (Pixel);

  if (x + 4 <= canvas.width && (uintptr_t) out % sizeof (Four) == 0)
    __stcs ((Four *) out, packed);
  else
    for (uint32_t i = 0; i < 4 && x + i < canvas.width; i++)
      for (uint32_t b = 0; b < sizeof (Pixel); b++)
        out[i * sizeof (Pixel) + b] = four[i] >> 8 * b;
}

/* Stores the pixels x…x+3 of row y, as far as the canvas has them. */
__device__ inline void
store_four (const CcaCanvas &canvas, uint32_t x, uint32_t y, const uint32_t *four)
{
  if (canvas.output == CCA_OUTPUT_MASK)
    store_pixels<uint8_t> (canvas, x, y, four, four[0] | four[1] << 8 | four[2] << 16 | four[3] << 24);
  else if (canvas.output == CCA_OUTPUT_LABELS_U16)
    store_pixels<uint16_t> (canvas, x, y, four, make_uint2 (four[0] | four[1] << 16, four[2] | four[3] << 16));
  else
    store_pixels<uint32_t> (canvas, x, y, four, make_uint4 (four[0], four[1], four[2], four[3]));
}

/* Stores the pixels of four labels. */
__device__ inline void
paint_four (const CcaCanvas &canvas, uint32_t x, uint32_t y, const uint32_t *labels)
{
  uint32_t four[4];

  for (uint32_t i = 0; i < 4; i++)
    four[i] = cca_output_pixel (canvas.output, labels[i]);
  store_four (canvas, x, y, four);
}
