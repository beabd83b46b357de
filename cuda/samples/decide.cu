/* gst-cca: the background model SAMPLES: which pixels are foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has 128 pixels of four rows, of which each lane has four pixels. Only where one of them is above the least
 * threshold does the warp look at the distances around.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t radius = CCA_SAMPLES_RADIUS, n_rows = 4, n_around = n_rows + 2 * radius;
static_assert (radius == 3 && n_rows == 4, "largest_of_columns () and largest_of_rows ()");

/* Loads the distances of four pixels; 0 outside of the image. */
__device__ static uint32_t
load_distances (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  return x < p.width && y < p.height ? four_at (p.distances + luma_place (p, x, y)) : 0;
}

/* Makes each of four rows the largest of the seven rows around it; around[i] is row i - 3. */
__device__ static void
largest_of_columns (const uint32_t (&around)[n_around], uint32_t (&largest)[n_rows])
{
  const uint32_t all = __vmaxu4 (__vmaxu4 (around[3], around[4]), __vmaxu4 (around[5], around[6]));
  const uint32_t two_above = __vmaxu4 (around[1], around[2]), two_below = __vmaxu4 (around[7], around[8]);

  largest[0] = __vmaxu4 (all, __vmaxu4 (around[0], two_above));
  largest[1] = __vmaxu4 (all, __vmaxu4 (two_above, around[7]));
  largest[2] = __vmaxu4 (all, __vmaxu4 (around[2], two_below));
  largest[3] = __vmaxu4 (all, __vmaxu4 (two_below, around[9]));
}

/* Returns the largest of seven bytes around each of four. */
__device__ static uint32_t
largest_of_rows (uint32_t left, uint32_t here, uint32_t right)
{
  /* Of two bytes from each on, of four, and of seven; from three before the first of the word on. */
  const uint32_t two_left = __vmaxu4 (left, __funnelshift_r (left, here, 8)),
                 two_here = __vmaxu4 (here, __funnelshift_r (here, right, 8)), two_right = __vmaxu4 (right, right >> 8);
  const uint32_t four_left = __vmaxu4 (two_left, __funnelshift_r (two_left, two_here, 16)),
                 four_here = __vmaxu4 (two_here, __funnelshift_r (two_here, two_right, 16));

  return __vmaxu4 (__funnelshift_r (four_left, four_here, 8), four_here);
}

/* Finds the largest distances of the 7 x 7 around each of four rows' pixels; `distances` are those of the rows
 * themselves. All lanes call it. */
__device__ static void
find_largest (const CcaSamplesParams &p, uint32_t x, uint32_t y, const uint32_t (&distances)[n_rows],
              uint32_t (&largest)[n_rows])
{
  /* The lanes have all words of a row but the two beside it: the lower lanes load the left one, the others the right
   * one. */
  const uint32_t first = blockIdx.x * warp_size * 4,
                 outer_x = lane_index () < warp_size / 2 ? first - 4 : first + warp_size * 4;
  uint32_t around[n_around], outer[n_around], outer_largest[n_rows];

#pragma unroll
  for (uint32_t i = 0; i < n_around; i++) {
    around[i] = i >= radius && i < radius + n_rows ? distances[i - radius] : load_distances (p, x, y + i - radius);
    outer[i] = load_distances (p, outer_x, y + i - radius);
  }
  largest_of_columns (around, largest);
  largest_of_columns (outer, outer_largest);
#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    const uint32_t before = __shfl_sync (all_lanes, largest[i], lane_index () - 1),
                   after = __shfl_sync (all_lanes, largest[i], lane_index () + 1);

    largest[i] = largest_of_rows (lane_index () > 0 ? before : outer_largest[i], largest[i],
                                  lane_index () < warp_size - 1 ? after : outer_largest[i]);
  }
}

/* Returns the part of each byte that counts around it. */
__device__ static uint32_t
part_of (uint32_t bytes)
{
  const uint32_t even = (bytes & 0x00ff00ff) * CCA_SAMPLES_PART >> 8 & 0x00ff00ff,
                 odd = (bytes >> 8 & 0x00ff00ff) * CCA_SAMPLES_PART & 0xff00ff00;

  return even | odd;
}

/* Returns a bit for each of four pixels of the foreground. */
__device__ static uint32_t
decide (const CcaSamplesState &state, uint32_t distances, uint32_t around, uint32_t flips)
{
  const uint32_t least = four_times (state.threshold), most = four_times (state.most);
  const uint32_t threshold = __vminu4 (__vaddus4 (least, flips >> 2 & 0x3f3f3f3f), most);

  return bits_of_bytes (~__vcmpleu4 (distances, threshold) & __vcmpgeu4 (distances, part_of (around)));
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

  uint32_t largest[n_rows];

  find_largest (p, x, y, distances, largest);
#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    if (distances[i] > 0)
      words[i] = decide (state, distances[i], largest[i], four_at (p.flips + luma_place (p, x, y + i)));
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
