/* gst-cca: the background model SAMPLES: which pixels are foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block has 128 x 32 pixels, of which each thread has four in four rows. It finds the largest distances around them
 * by columns, then by rows, in shared memory.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t radius = CCA_SAMPLES_RADIUS, side = 2 * radius + 1, block_rows = 32,
                   tile_rows = block_rows + 2 * radius;
constexpr uint32_t tile_words = warp_size + 2; /* one on either side */

/* Loads the distances of a tile; 0 outside of the image. */
__device__ static void
load_distances (const CcaSamplesParams &p, uint32_t (&tile)[tile_rows][tile_words])
{
  const uint32_t words = p.row_words * 8;
  const uint32_t *const distances = (const uint32_t *) p.distances;

  for (uint32_t row = threadIdx.y; row < tile_rows; row += blockDim.y)
    for (uint32_t i = threadIdx.x; i < tile_words; i += warp_size) {
      const uint32_t y = blockIdx.y * block_rows + row - radius, word = blockIdx.x * warp_size + i - 1;

      tile[row][i] = y < p.height && word < words ? distances[(size_t) y * words + word] : 0;
    }
}

/* Finds the largest of `side` distances of each column; row y of `largest` belongs to row y + radius of the tile. */
__device__ static void
find_columns (const uint32_t (&tile)[tile_rows][tile_words], uint32_t (&largest)[block_rows][tile_words])
{
  for (uint32_t row = threadIdx.y; row < block_rows; row += blockDim.y)
    for (uint32_t i = threadIdx.x; i < tile_words; i += warp_size) {
      uint32_t most = tile[row][i];

#pragma unroll
      for (uint32_t k = 1; k < side; k++)
        most = __vmaxu4 (most, tile[row + k][i]);
      largest[row][i] = most;
    }
}

/* Returns the largest of `side` bytes around each of four. */
__device__ static uint32_t
largest_around (uint32_t left, uint32_t here, uint32_t right)
{
  /* Of two bytes from each on, of four, and of seven; from three before the first of the word on. */
  const uint32_t two_left = __vmaxu4 (left, __funnelshift_r (left, here, 8)),
                 two_here = __vmaxu4 (here, __funnelshift_r (here, right, 8)), two_right = __vmaxu4 (right, right >> 8);
  const uint32_t four_left = __vmaxu4 (two_left, __funnelshift_r (two_left, two_here, 16)),
                 four_here = __vmaxu4 (two_here, __funnelshift_r (two_here, two_right, 16));

  static_assert (side == 7, "four and three");
  return __vmaxu4 (__funnelshift_r (four_left, four_here, 8), four_here);
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
decide (const CcaSamplesParams &p, uint32_t distances, uint32_t around, uint32_t flips)
{
  const uint32_t least = four_times (p.state->threshold), most = four_times (p.state->most);
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

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_decide (const CcaSamplesParams p)
{
  trigger_then_sync ();
  __shared__ uint32_t tile[tile_rows][tile_words], largest[block_rows][tile_words], n_foreground;
  CcaSamplesState *const state = p.state;
  uint32_t *const foreground = foreground_half (p, 1 - state->half);
  const bool is_first = state->t == 0;
  const uint32_t x = (blockIdx.x * warp_size + threadIdx.x) * 4;
  uint32_t n = 0;

  if (!is_first) {
    load_distances (p, tile);
    if (thread_index () == 0)
      n_foreground = 0;
    __syncthreads ();
    find_columns (tile, largest);
    __syncthreads ();
  }
  for (uint32_t row = threadIdx.y; row < block_rows; row += blockDim.y) {
    const uint32_t y = blockIdx.y * block_rows + row, i = threadIdx.x + 1;
    uint32_t bits = 0;

    if (y >= p.height)
      break;
    if (!is_first && x < p.width)
      bits =
          decide (p, tile[row + radius][i], largest_around (largest[row][i - 1], largest[row][i], largest[row][i + 1]),
                  four_at (p.flips + luma_place (p, x, y)));
    n += (uint32_t) __popc (bits);
    bits = join_lanes (bits);
    if (lane_index () % 8 == 0)
      foreground[(size_t) y * p.row_words + x / 32] = bits;
  }
  if (is_first)
    return;
  n = warp_sum (n);
  if (lane_index () == 0)
    atomicAdd (&n_foreground, n);
  __syncthreads ();
  if (thread_index () == 0 && n_foreground > 0)
    atomicAdd (&state->n_foreground, n_foreground);
}
