/* gst-cca: shared by the kernels of the background model SAMPLES
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Most kernels have blocks of 32 x 8 threads. A thread has four pixels of a row, a word of bytes; a warp has 128
 * pixels, four words of a plane of bits.
 */
#pragma once

#include "cuda/kernels/formats.cuh"
#include "cuda/kernels/foreground.cuh"
#include "cuda/samples/params.h"

/* A reader of pixels that are values, like those of formats.cuh. */
class Byte {
public:
  __device__ explicit Byte (CcaReading) {}
  __device__ uint32_t value (const uint8_t *row, uint32_t x) const { return row[x]; }
};

__device__ inline int32_t
clamp (int32_t value, int32_t low, int32_t high)
{
  return min (max (value, low), high);
}

/* Returns four pixels of a row from x on; beyond the row, the nearest one. */
template <typename Pixels>
__device__ inline uint32_t
load_four (const Pixels &pixels, const uint8_t *row, int32_t x, uint32_t width)
{
  uint32_t four = 0;

#pragma unroll
  for (int32_t i = 0; i < 4; i++)
    four |= pixels.value (row, (uint32_t) clamp (x + i, 0, (int32_t) width - 1)) << 8 * i;
  return four;
}

__device__ inline uint32_t
load_four (const Byte &pixels, const uint8_t *row, int32_t x, uint32_t width)
{
  if (x >= 0 && (uint32_t) x + 4 <= width && (uintptr_t) (row + x) % 4 == 0)
    return *(const uint32_t *) (row + x);
  return load_four<Byte> (pixels, row, x, width);
}

/* Returns a byte four times. */
__device__ inline uint32_t
four_times (uint32_t byte)
{
  return byte * 0x01010101;
}

/* Returns bytes of 0xff for the lowest four bits. */
__device__ inline uint32_t
bytes_of_bits (uint32_t bits)
{
  return ((bits & 0xf) * 0x00204081 & 0x01010101) * 0xff;
}

__device__ inline uint32_t
choose_bytes (uint32_t mask, uint32_t where_set, uint32_t otherwise)
{
  return (where_set & mask) | (otherwise & ~mask);
}

/* Returns word i of the identity table. */
__device__ inline uint32_t
identity_word (uint32_t i)
{
  return four_times (4 * i) + 0x03020100;
}

/* Looks up each of four bytes in a table of bytes. */
__device__ inline uint32_t
look_up (const uint32_t (&table)[64], uint32_t four)
{
  const uint8_t *const entries = (const uint8_t *) table;

  return entries[four & 0xff] | (uint32_t) entries[four >> 8 & 0xff] << 8 | (uint32_t) entries[four >> 16 & 0xff] << 16
         | (uint32_t) entries[four >> 24] << 24;
}

/* Returns bytes of 0xff for the pixels from x to x + 3 that are before `end`. */
__device__ inline uint32_t
bytes_before (uint32_t x, uint32_t end)
{
  return x >= end ? 0 : end - x >= 4 ? all_lanes : (1u << (8 * (end - x))) - 1;
}

__device__ inline size_t
luma_plane (const CcaSamplesParams &p)
{
  return (size_t) p.row_words * 32 * p.height;
}

__device__ inline size_t
chroma_plane (const CcaSamplesParams &p)
{
  return (size_t) p.row_words * 32 * ((p.height + 1) / 2);
}

/* Return the place of four pixels of a row in a plane of luma, and that of their two pairs of U and V in a plane of
 * chroma. */
__device__ inline size_t
luma_place (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  return (size_t) y * p.row_words * 32 + x;
}

__device__ inline size_t
chroma_place (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  return (size_t) (y / 2) * p.row_words * 32 + x;
}

__device__ inline uint32_t &
four_at (uint8_t *bytes)
{
  return *(uint32_t *) bytes;
}

__device__ inline uint16_t &
two_at (uint8_t *bytes)
{
  return *(uint16_t *) bytes;
}

/* The chroma that four pixels of two rows share: a word of two pairs of U and V. */
class Chroma {
  const size_t plane, place;

public:
  __device__ Chroma (const CcaSamplesParams &p, uint32_t x, uint32_t y)
      : plane (chroma_plane (p)), place (chroma_place (p, x, y))
  {
  }
  __device__ uint32_t colors (const CcaSamplesParams &p) const { return four_at (p.colors + place); }
  __device__ uint32_t sample (const CcaSamplesParams &p, uint32_t k) const
  {
    return four_at (p.chroma + k * plane + place);
  }
};

/* Which of four pixels a shadow on the background explains, which a deep shadow does, and which of these have a colour:
 * bytes of 0xff. */
struct Shadows
{
  uint32_t usual = 0, deep = 0, coloured = 0;

  __device__ Shadows (uint32_t black, uint32_t background, uint32_t background_colors, uint32_t pixels, uint32_t colors)
  {
#pragma unroll
    for (uint32_t i = 0; i < 4; i++)
      look (i, (int32_t) (background >> 8 * i & 0xff), (int32_t) (pixels >> 8 * i & 0xff), (int32_t) black,
            background_colors >> i / 2 * 16, colors >> i / 2 * 16);
  }

private:
  /* Returns whether the lower two bytes, U and V, are a colour. */
  static __device__ bool has_colour (uint32_t colors) { return (colors & 0xffff) != 0x8080; }

  __device__ void look (uint32_t i, int32_t background, int32_t pixel, int32_t black, uint32_t background_colors,
                        uint32_t colors)
  {
    const int32_t b = max (background - black, 1), q = max (pixel - black, 0);
    const int32_t du = ((int32_t) (colors & 0xff) - 128) * b - ((int32_t) (background_colors & 0xff) - 128) * q,
                  dv = ((int32_t) (colors >> 8 & 0xff) - 128) * b
                       - ((int32_t) (background_colors >> 8 & 0xff) - 128) * q;

    if (q >= b || max (du, -du) + max (dv, -dv) > CCA_SAMPLES_SHADOW_CHROMA * b)
      return;
    if (256 * q >= CCA_SAMPLES_SHADOW_LEAST * b)
      usual |= 0xffu << 8 * i;
    if (256 * q < CCA_SAMPLES_SHADOW_DEEP * b)
      return;
    deep |= 0xffu << 8 * i;
    if (has_colour (colors) || has_colour (background_colors))
      coloured |= 0xffu << 8 * i;
  }
};

/* Returns a half of the raw masks. */
__device__ inline uint32_t *
foreground_half (const CcaSamplesParams &p, uint32_t half)
{
  return p.foreground + half * ((size_t) p.row_words * p.height);
}

/* Role of a frame for the model. */
enum class Frame
{
  FIRST,
  LEARNT, /* all its pixels are learned */
  USUAL,
  CHANGED, /* a scene change: the model observes pixels, but learns nothing */
};

/* Returns the current frame's role; call it once its foreground is counted. */
__device__ inline Frame
frame_of (const CcaSamplesParams &p)
{
  if (p.state->number == 0)
    return Frame::FIRST;
  if (cca_samples_step (p.learning, p.state->number).learning)
    return Frame::LEARNT;
  return p.state->n_foreground > p.state->most_foreground ? Frame::CHANGED : Frame::USUAL;
}

static_assert (CCA_SAMPLES_LIGHT_GRID == 4, "a thread has a point of the light");

/* Returns whether the first of four pixels is a point of the light. */
__device__ inline bool
is_light_point (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  return y % CCA_SAMPLES_LIGHT_GRID == 0 && y >= 4 && y + 4 < p.height && x >= 4 && x + 4 < p.width;
}

/* Returns the mean of the samples at a point of the light. */
__device__ inline uint8_t &
light_level (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  return p.levels[y / CCA_SAMPLES_LIGHT_GRID * p.row_words * 8 + x / CCA_SAMPLES_LIGHT_GRID];
}

/* Returns the points along one axis of a grid: 4, 4 + step, … < size - 4. */
__device__ inline uint32_t
grid_points (uint32_t size, uint32_t step)
{
  return size > 8 ? (size - 8 + step - 1) / step : 0;
}

__device__ inline uint32_t
thread_index ()
{
  return threadIdx.y * blockDim.x + threadIdx.x;
}

/* Returns the sum of a value over the threads up to and including this one, and sets *total. All threads call it. */
template <uint32_t n_threads>
__device__ inline uint32_t
block_inclusive_sum (uint32_t value, uint32_t *total)
{
  __shared__ uint32_t sums[n_threads / warp_size];
  const uint32_t warp = thread_index () / warp_size;
  uint32_t sum = warp_inclusive_sum (value);

  *total = 0;
  __syncthreads (); /* for the previous call */
  if (lane_index () == warp_size - 1)
    sums[warp] = sum;
  __syncthreads ();
  for (uint32_t i = 0; i < n_threads / warp_size; i++) {
    sum += i < warp ? sums[i] : 0;
    *total += sums[i];
  }
  return sum;
}

/* Returns whether a sum over the threads up to and including this one is the first to reach `part`; the sum over all
 * must reach it. Then sets *quantile to this place. cca_samples_find () in parallel: threads stand for levels. */
__device__ inline bool
reaches (uint32_t part, uint32_t count, uint32_t up_to_here, CcaSamplesQuantile *quantile)
{
  *quantile = { thread_index (), up_to_here - count, count };
  return part <= up_to_here && (part > quantile->before || thread_index () == 0);
}

/* Returns whether this block is the last of its grid to call this. All threads call it, once. The last block then sees
 * all writes that other blocks made before their calls. The counter is 0 before and after. */
__device__ inline bool
is_last_block (uint32_t *n_done)
{
  __shared__ uint32_t n_before;
  const uint32_t n_blocks = gridDim.x * gridDim.y * gridDim.z;

  __syncthreads ();
  if (thread_index () == 0)
    n_before = add_acquire_release (n_done, 1); /* publishes what all threads wrote before the barrier */
  __syncthreads ();
  if (n_before != n_blocks - 1)
    return false;
  if (thread_index () == 0)
    *n_done = 0;
  return true;
}

/* Returns a sum that other blocks have made, and clears it. */
template <typename T>
__device__ inline T
take (T *sum)
{
  const T value = __ldcg (sum);

  *sum = 0;
  return value;
}
