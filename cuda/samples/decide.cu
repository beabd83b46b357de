/* gst-cca: the background model SAMPLES: which pixels are foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has 128 pixels of four rows, of which each lane has four pixels. Only where one of them is above the least
 * threshold does the warp look at how restless they are.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t n_rows = 4;

/* Loads the distances of four pixels; 0 outside of the image. */
__device__ static uint32_t
load_distances (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  return x < p.width && y < p.height ? four_at (p.distances + luma_place (p, x, y)) : 0;
}

/* Returns a bit for each of four pixels of the foreground. */
__device__ static uint32_t
decide (const CcaSamplesState &state, uint32_t distances, uint32_t flips, uint32_t busy)
{
  const uint32_t least = four_times (state.threshold), most = four_times (state.most);
  const uint32_t threshold = __vminu4 (__vaddus4 (least, __vminu4 (flips, busy) >> 2 & 0x3f3f3f3f), most);

  return bits_of_bytes (~__vcmpleu4 (distances, threshold));
}

/* Gives the first of each eight lanes the word of their bits. */
__device__ static uint32_t
join_lanes (uint32_t bits)
{
  bits <<= lane_index () % 8 * 4;
  for (uint32_t d = 1; d < 8; d *= 2)
    bits |= __shfl_xor_sync (all_lanes, bits, d);
  return bits;
}

/* Makes the words of four rows' foreground; those of the first of each eight lanes count. */
__device__ static void
find_foreground (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t (&words)[n_rows])
{
  const CcaSamplesState &state = *p.state;
  uint32_t distances[n_rows], above = 0;

#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    distances[i] = load_distances (p, x, y + i);
    above |= __vsubus4 (distances[i], four_times (state.threshold));
    words[i] = 0;
  }
  if (!__any_sync (all_lanes, above != 0))
    return;

#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    if (distances[i] > 0) {
      const size_t place = luma_place (p, x, y + i);

      words[i] = decide (state, distances[i], four_at (p.flips + place), four_at (p.busy + place));
    }
    words[i] = join_lanes (words[i]);
  }
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_decide (const CcaSamplesParams p)
{
  trigger_then_sync ();
  __shared__ uint32_t n_foreground;
  CcaSamplesState *const state = p.state;
  uint32_t *const foreground = foreground_half (p, 1 - state->half);
  const uint32_t x = (blockIdx.x * warp_size + threadIdx.x) * 4, y = (blockIdx.y * blockDim.y + threadIdx.y) * n_rows;
  uint32_t words[n_rows] = {}, n = 0;

  if (thread_index () == 0)
    n_foreground = 0;
  __syncthreads ();
  if (state->t > 0)
    find_foreground (p, x, y, words);
  if (lane_index () % 8 == 0)
    for (uint32_t i = 0; i < n_rows && y + i < p.height; i++) {
      foreground[(size_t) (y + i) * p.row_words + x / 32] = words[i];
      n += (uint32_t) __popc (words[i]);
    }
  if (n > 0)
    atomicAdd (&n_foreground, n);
  __syncthreads ();
  if (thread_index () == 0 && n_foreground > 0)
    atomicAdd (&state->n_foreground, n_foreground);
}
