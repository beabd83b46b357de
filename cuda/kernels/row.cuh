/* gst-cca: rows of bits on the device, a warp a row
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_ROW_CUH
#define CCA_ROW_CUH

#include <stdint.h>

constexpr uint32_t warp_size = 32;
constexpr uint32_t all_lanes = 0xffffffffu;

__device__ inline uint32_t
lane_index ()
{
  return threadIdx.x % warp_size;
}

/* The row of this warp. */
__device__ inline uint32_t
warp_row ()
{
  return blockIdx.x * (blockDim.x / warp_size) + threadIdx.x / warp_size;
}

/* The word of the pixels left of those of word i: bit x is pixel x - 1. */
__device__ inline uint32_t
left_neighbours (const uint32_t *row, uint32_t i)
{
  return __funnelshift_l (i > 0 ? row[i - 1] : 0, row[i], 1);
}

/* The sum of a value over the lanes up to and including this one. */
__device__ inline uint32_t
warp_inclusive_sum (uint32_t value)
{
  for (uint32_t d = 1; d < warp_size; d *= 2) {
    const uint32_t below = __shfl_up_sync (all_lanes, value, d);

    value += lane_index () >= d ? below : 0;
  }
  return value;
}

#endif
