/* gst-cca: from pixels that are more than a byte to the bit plane of the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Does what foreground.cu does for bytes. A warp computes a few words of a row. For each it loads one piece of memory,
 * a pixel per lane, and a ballot gives the word to the lane that stores it; all loads can be in flight at once.
 */
#include "cuda/kernels/formats.cuh"
#include "cuda/kernels/region.cuh"
#include "cuda/kernels/warp.cuh"

/* A warp's part of a row: lane i stores word first + i. */
struct Part
{
  const uint32_t first, y, n_words;

  __device__ Part (uint32_t row_words, uint32_t height)
      : first (blockIdx.x * CCA_WARP_WORDS), y (blockIdx.y * blockDim.y + threadIdx.y),
        n_words (y < height ? min (row_words - first, (uint32_t) CCA_WARP_WORDS) : 0)
  {
  }
  /* Returns the x of this lane's pixel of word i, beyond the width if the row does not exist. */
  __device__ uint32_t pixel (uint32_t i) const { return n_words > 0 ? (first + i) * 32 + lane_index () : UINT32_MAX; }
  /* Return whether this lane has a word to store, and its place in a plane. */
  __device__ bool stores () const { return lane_index () < n_words; }
  __device__ size_t place (uint32_t row_words) const { return (size_t) y * row_words + first + lane_index (); }
};

/* Sets lane i's word to the bits of all lanes. */
__device__ inline void
collect (uint32_t &word, uint32_t i, bool bit)
{
  const uint32_t bits = __ballot_sync (all_lanes, bit);

  if (lane_index () == i)
    word = bits;
}

/* Loads the values of this lane's pixels; beyond the image, 0. */
template <typename Pixels>
__device__ inline void
load_values (uint32_t (&v)[CCA_WARP_WORDS], const Part &part, const uint8_t *row, uint32_t width, const Pixels &pixels)
{
#pragma unroll
  for (uint32_t i = 0; i < CCA_WARP_WORDS; i++)
    v[i] = part.pixel (i) < width ? pixels.value (row, part.pixel (i)) : 0;
}

template <typename Pixels>
__device__ inline void
find_range (const CcaRangeParams &p, const Pixels pixels)
{
  const Part part (p.row_words, p.height);
  uint32_t v[CCA_WARP_WORDS], bits = 0;

  load_values (v, part, p.pixels + part.y * p.pitch, p.width, pixels);
#pragma unroll
  for (uint32_t i = 0; i < CCA_WARP_WORDS; i++)
    collect (bits, i, part.pixel (i) < p.width && (v[i] >= p.low && v[i] < p.end) != (p.invert != 0));
  if (part.stores ())
    p.bits[part.place (p.row_words)] = within (p.region, part.place (p.row_words), bits);
}

__device__ inline int
clamp (int value, int low, int high)
{
  return min (max (value, low), high);
}

/* Updates the background model as in foreground.cu. */
template <bool by_place, typename Pixels>
__device__ inline void
find_motion (const CcaFormatMotionParams &params, const Pixels pixels)
{
  typedef typename Pixels::Value Value;
  const CcaMotionParams &p = params.motion;
  const Part part (p.row_words, p.height);
  const size_t row_of_model = (size_t) part.y * p.row_words * 32;
  Value *const background = (Value *) p.background + row_of_model, *const spread = (Value *) p.spread + row_of_model;
  const int step = (int) p.step, level = (int) params.level, most = (Value) ~0;
  uint32_t values[CCA_WARP_WORDS], bits = 0;
  int old_m[CCA_WARP_WORDS] = {}, old_v[CCA_WARP_WORDS] = {}, factors[CCA_WARP_WORDS] = {};

  load_values (values, part, p.pixels + part.y * p.pitch, p.width, pixels);
#pragma unroll
  for (uint32_t i = 0; by_place && i < CCA_WARP_WORDS; i++)
    if (part.pixel (i) < p.width)
      factors[i] = p.factors[row_of_model + part.pixel (i)];
#pragma unroll
  for (uint32_t i = 0; i < CCA_WARP_WORDS; i++)
    if (part.pixel (i) < p.width && !p.first) {
      old_m[i] = background[part.pixel (i)];
      old_v[i] = spread[part.pixel (i)];
    }
#pragma unroll
  for (uint32_t i = 0; i < CCA_WARP_WORDS; i++) {
    const uint32_t x = part.pixel (i);
    const int pixel = (int) values[i], m = p.first ? pixel : clamp (pixel, old_m[i] - step, old_m[i] + step);
    const int difference = max (pixel, m) - min (pixel, m);
    const int v_min = by_place ? clamp (((int) p.v_min * factors[i] + 8) / 16, 1, most) : (int) p.v_min,
              v_max = by_place ? max ((int) p.v_max, v_min) : (int) p.v_max;
    int v = p.first ? v_min : old_v[i];

    if (difference != 0)
      v = clamp (min ((int) p.amplification * difference, most), v - level, v + level);
    v = clamp (v, v_min, v_max);
    if (x < p.width) {
      background[x] = (Value) m;
      spread[x] = (Value) v;
    }
    collect (bits, i, x < p.width && (p.report && difference >= v) != (p.invert != 0));
  }
  if (part.stores ())
    p.bits[part.place (p.row_words)] = within (p.region, part.place (p.row_words), bits);
}

template <typename Pixels>
__device__ inline void
find_values (const CcaValuesParams &p, const Pixels pixels)
{
  const Part part (p.row_words, p.height);
  const uint8_t *const row = p.pixels + part.y * p.pitch, *const row_above = row - p.pitch;
  uint32_t bits = 0, joins = 0, vertical = 0, falling = 0, rising = 0;

#pragma unroll
  for (uint32_t i = 0; i < CCA_WARP_WORDS; i++) {
    const uint32_t x = part.pixel (i);
    uint32_t here = 0, left = 0, above = 0, above_left = 0; /* 0, the background, beyond the image */

    if (x < p.width) {
      here = pixels.value (row, x);
      if (x > 0)
        left = pixels.value (row, x - 1);
      if (part.y > 0)
        above = pixels.value (row_above, x);
      if (x > 0 && part.y > 0)
        above_left = pixels.value (row_above, x - 1);
    }
    collect (bits, i, here != 0);
    collect (joins, i, here != 0 && here == left);
    collect (vertical, i, here != 0 && here == above);
    collect (falling, i, here != 0 && here == above_left);
    collect (rising, i, above != 0 && above == left);
  }
  if (part.stores ())
    store_values (p, (part.first + lane_index ()) * 32, part.y, { bits, joins, vertical, falling, rising });
}

#define DEFINE_KERNELS(format, Pixels)                                                                                 \
  extern "C" __global__ void cca_range_##format (const CcaFormatRangeParams p)                                         \
  {                                                                                                                    \
    find_range (p.range, Pixels (p.reading));                                                                          \
  }                                                                                                                    \
  extern "C" __global__ void cca_motion_##format (const CcaFormatMotionParams p)                                       \
  {                                                                                                                    \
    find_motion<false> (p, Pixels (p.reading));                                                                        \
  }                                                                                                                    \
  extern "C" __global__ void cca_motion_by_place_##format (const CcaFormatMotionParams p)                              \
  {                                                                                                                    \
    find_motion<true> (p, Pixels (p.reading));                                                                         \
  }                                                                                                                    \
  extern "C" __global__ void cca_values_##format (const CcaFormatValuesParams p)                                       \
  {                                                                                                                    \
    find_values (p.values, Pixels (p.reading));                                                                        \
  }

DEFINE_KERNELS (half, Half)
DEFINE_KERNELS (rgb, Rgb)
DEFINE_KERNELS (word, Word)
