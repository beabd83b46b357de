/* gst-cca: the output image
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread writes four pixels, whose runs follow from the ends before them.
 */
#include "cca/label-color.h"
#include "cuda/kernels/component.cuh"
#include "cuda/kernels/row.cuh"

/* As cca_output_pixel() of the CPU backend. */
__device__ static uint32_t
output_pixel (CcaPaintFormat format, uint32_t label)
{
  switch (format) {
    case CCA_PAINT_U16: return min (label, 65535u);
    case CCA_PAINT_COLORS: return cca_label_color (label);
    case CCA_PAINT_MASK: return label ? 255 : 0;
    default: return label;
  }
}

template <typename Pixel>
__device__ static void
store (const CcaPaintParams &p, uint32_t x, uint32_t y, const uint32_t *four)
{
  uint8_t *out = p.out + y * p.pitch + x * sizeof (Pixel);

  for (uint32_t i = 0; i < 4 && x + i < p.width; i++)
    for (uint32_t b = 0; b < sizeof (Pixel); b++)
      out[i * sizeof (Pixel) + b] = four[i] >> 8 * b;
}

extern "C" __global__ void
cca_paint (const CcaPaintParams p)
{
  const uint32_t x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
  uint32_t four[4], label = 0, known = UINT32_MAX;

  if (x >= p.width || y >= p.runs.height)
    return;
  const size_t word_at = (size_t) y * p.runs.row_words + x / 32;
  const uint32_t word = p.runs.bits[word_at];
  const uint32_t ends = left_neighbours (p.runs.bits + (size_t) y * p.runs.row_words, x / 32) & ~word;
  const uint32_t before = p.runs.ends_before[word_at];

  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t bit = x % 32 + i;
    uint32_t number = 0;

    if (word >> bit & 1) {
      const uint32_t run = y * p.runs.most_runs + before + __popc (ends & ((1u << bit) - 1));

      if (run != known) {
        label = p.numbers[component_of (p.runs, run)];
        known = run;
      }
      number = label;
    }
    four[i] = output_pixel (p.format, number);
  }

  uint8_t *out = p.out + y * p.pitch;

  if (p.format == CCA_PAINT_MASK)
    store<uint8_t> (p, x, y, four);
  else if (p.format == CCA_PAINT_U16)
    store<uint16_t> (p, x, y, four);
  else if (x + 4 <= p.width && (uintptr_t) (out + 4 * x) % 16 == 0)
    *(uint4 *) (out + 4 * x) = make_uint4 (four[0], four[1], four[2], four[3]);
  else
    store<uint32_t> (p, x, y, four);
}
