/* gst-cca: fills a tile with a crop of a frame in CUDA memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A value of the tile is the mean of the crop's values around its centre, weighted by a triangle. The triangle reaches
 * to the centres of the neighbours: those of the crop where it is enlarged, those of the tile where it shrinks, so that
 * every value of the crop counts.
 */
#include "gst/gate/kernels.h"

/* The values of the crop that a value of the tile depends on, along one axis. */
struct Span
{
  float centre, reach; /* in values of the crop */
  uint32_t begin, end;

  __device__ Span (const GstCcaCropParams &p, uint32_t axis, uint32_t at, uint32_t to_shift, uint32_t from_shift)
  {
    const float ratio =
        (float) (p.crop_end[axis] - p.crop_begin[axis]) / (float) (p.place_end[axis] - p.place_begin[axis]);
    const float to_value = (float) (1u << to_shift), from_value = (float) (1u << from_shift);
    const uint32_t least = p.crop_begin[axis] >> from_shift;
    const uint32_t most = (p.crop_end[axis] + (1u << from_shift) - 1) >> from_shift;
    const float in_place = ((float) at + 0.5f) * to_value - (float) p.place_begin[axis];

    centre = ((float) p.crop_begin[axis] + in_place * ratio) / from_value - 0.5f;
    reach = fmaxf (to_value * ratio / from_value, 1.0f);
    begin = (uint32_t) fmaxf (ceilf (centre - reach), (float) least);
    end = (uint32_t) fminf (floorf (centre + reach) + 1.0f, (float) most);
  }

  __device__ float weight (uint32_t i) const { return fmaxf (reach - fabsf ((float) i - centre), 0.0f); }
};

__device__ static float
mean_around (const GstCcaValues &values, const Span &across, const Span &down)
{
  float sum = 0.0f, weights = 0.0f;

#pragma unroll 1
  for (uint32_t y = down.begin; y < down.end; y++) {
    const uint8_t *const row = values.data + (ptrdiff_t) y * values.pitch;
    float row_sum = 0.0f, row_weights = 0.0f;

    for (uint32_t x = across.begin; x < across.end; x++) {
      row_sum += across.weight (x) * row[(size_t) x * values.step];
      row_weights += across.weight (x);
    }
    sum += down.weight (y) * row_sum;
    weights += down.weight (y) * row_weights;
  }
  return sum / weights;
}

/* Whether a value of the tile lies where the crop is. */
__device__ static bool
is_in_place (const GstCcaCropParams &p, uint32_t axis, uint32_t at, uint32_t shift)
{
  return at << shift >= p.place_begin[axis] && at << shift < p.place_end[axis];
}

extern "C" __global__ void
__launch_bounds__ (GST_CCA_CROP_THREADS) cca_crop_fill (const GstCcaCropParams p)
{
  const uint32_t x = blockIdx.x * GST_CCA_CROP_COLUMNS + threadIdx.x % GST_CCA_CROP_COLUMNS;
  const uint32_t y = blockIdx.y * GST_CCA_CROP_ROWS + threadIdx.x / GST_CCA_CROP_COLUMNS;
  const uint32_t shift_x = p.to[p.first].shift_x, shift_y = p.to[p.first].shift_y;
  float from[GST_CCA_CROP_COMPONENTS] = { 0.0f, 0.0f, 0.0f, 0.0f };
  bool inside;

  if (x << shift_x >= p.size[0] || y << shift_y >= p.size[1])
    return;
  inside = is_in_place (p, 0, x, shift_x) && is_in_place (p, 1, y, shift_y);
  if (inside)
#pragma unroll
    for (uint32_t i = 0; i < GST_CCA_CROP_COMPONENTS; i++)
      if (p.sources >> i & 1)
        from[i] = mean_around (p.from[i], Span (p, 0, x, shift_x, p.from[i].shift_x),
                               Span (p, 1, y, shift_y, p.from[i].shift_y));
#pragma unroll
  for (uint32_t i = 0; i < GST_CCA_CROP_COMPONENTS; i++)
    if (i >= p.first && i <= p.last) {
      float value = p.black[i];

      if (inside) {
        value = p.matrix[i][GST_CCA_CROP_COMPONENTS];
#pragma unroll
        for (uint32_t j = 0; j < GST_CCA_CROP_COMPONENTS; j++)
          value += p.matrix[i][j] * from[j];
      }
      p.to[i].data[(ptrdiff_t) y * p.to[i].pitch + (size_t) x * p.to[i].step] =
          (uint8_t) fminf (fmaxf (value + 0.5f, 0.0f), 255.0f);
    }
}
