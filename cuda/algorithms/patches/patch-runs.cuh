/* gst-cca: the runs of a patch in shared memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/patches/patches.cuh"

/* A run is a word:
 *
 *     bits 27-31   22-26   17-21        12-16         11          10        0-9
 *     rows - 1     y       last pixel   first pixel   at_border   is_root   parent
 *
 * number_components () replaces the parent by the number of the component and marks roots. */
constexpr uint32_t parent_bits = 0x3ff, is_root = 0x400, at_border = 0x800, extent_shift = 12;

__device__ static uint32_t
pack_run (uint32_t start, uint32_t last, uint32_t y, uint32_t n_rows, uint32_t parent)
{
  return ((n_rows - 1) << 15 | y << 10 | last << 5 | start) << extent_shift | parent;
}

struct Run
{
  uint32_t word;

  __device__ uint32_t start () const { return word >> extent_shift & 31; }
  __device__ uint32_t last () const { return word >> (extent_shift + 5) & 31; }
  __device__ uint32_t y () const { return word >> (extent_shift + 10) & 31; }
  __device__ uint32_t n_rows () const { return (word >> (extent_shift + 15)) + 1; }
  __device__ uint32_t first_pixel () const
  {
    return word >> extent_shift & 31 | (word >> (extent_shift + 10) & 31) << 5;
  }
  __device__ uint32_t component () const { return word & parent_bits; }
  __device__ bool touches_border () const
  {
    return start () == 0 || last () == patch_size - 1 || y () == 0 || y () + n_rows () == patch_size;
  }
};

/* The union-find over runs. The bits above the parent are constant, so that the minimum of words is the minimum of
 * parents. */
struct RunParents
{
  uint32_t *runs;

  __device__ uint32_t load (uint32_t i) const { return *(volatile uint32_t *) (runs + i); }
  __device__ uint32_t get (uint32_t i) const { return load (i) & parent_bits; }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const
  {
    return atomicMin (runs + root, (load (root) & ~parent_bits) | to) & parent_bits;
  }
  __device__ void shorten (uint32_t i, uint32_t ancestor) const { lower (i, ancestor); }
};

/* Points all runs at their roots by pointer jumping. It takes 32 runs at a time in raster order, so that those before
 * them are flat already. */
__device__ static void
flatten_runs (uint32_t *runs, uint32_t n)
{
  for (uint32_t base = 0; base < n; base += warp_size) {
    const uint32_t i = base + lane_index ();
    const uint32_t word = i < n ? runs[i] : 0;
    uint32_t parent = word & parent_bits;

    for (;;) {
      const uint32_t grandparent = i < n ? runs[parent] & parent_bits : parent;

      if (!__any_sync (all_lanes, grandparent != parent))
        break;
      __syncwarp ();
      parent = grandparent;
      if (i < n)
        runs[i] = (word & ~parent_bits) | parent;
      __syncwarp ();
    }
  }
  __syncwarp ();
}
