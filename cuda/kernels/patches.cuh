/* gst-cca: patches, their rims, and where first pixels are noted
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_PATCHES_CUH
#define CCA_PATCHES_CUH

#include "cuda/kernels/features.cuh"
#include "cuda/kernels/planes.cuh"
#include "cuda/kernels/vote.cuh"

constexpr uint32_t patch_size = CCA_PATCH;
static_assert (patch_size == warp_size, "a lane has a row of a patch");

/* --- Runs of a patch ----------------------------------------------------------------------------------------------- */

/* This lane's row of a patch, as in Word, but nothing joins over the rim. */
struct PatchRow
{
  uint32_t here, joins;
  uint32_t first_run, n_runs; /* of the row, among the patch's runs */

  __device__ uint32_t starts () const { return here & ~joins; }
  __device__ uint32_t ends () const { return here & ~(joins >> 1); } /* last pixels */
  __device__ uint32_t run_at (uint32_t x) const { return first_run + __popc (starts () & (all_lanes >> (31 - x))) - 1; }
};

template <bool values>
__device__ inline PatchRow
load_patch_row (const CcaPlanes &p, uint32_t column, uint32_t row)
{
  const uint32_t y = row * patch_size + lane_index ();
  const size_t word = (size_t) y * p.row_words + column;
  PatchRow r = {};

  if (y < p.height) {
    r.here = p.bits[word];
    r.joins = values ? p.joins[word] & ~1u : r.here & r.here << 1;
  }
  r.n_runs = __popc (r.starts ());
  r.first_run = warp_inclusive_sum (r.n_runs) - r.n_runs;
  return r;
}

/* --- Rims ---------------------------------------------------------------------------------------------------------- */

constexpr uint32_t no_rim = 255;

/* What CcaPatchesParams.rims has for a lane. */
struct Rim
{
  uint32_t word;

  __device__ uint32_t top () const { return word & 255; }
  __device__ uint32_t bottom () const { return word >> 8 & 255; }
  __device__ uint32_t left () const { return word >> 16 & 255; }
  __device__ uint32_t right () const { return word >> 24; }
};

/* --- First pixels -------------------------------------------------------------------------------------------------- */

struct FirstPixel
{
  uint32_t patch, y, x; /* in the patch */

  __device__ size_t word () const { return (size_t) patch * patch_size + y; }
};

__device__ inline FirstPixel
first_pixel (const CcaPatchesParams &p, uint32_t packed)
{
  const uint32_t y = packed >> 16, x = packed & 0xffff;

  return { y / patch_size * p.columns + x / patch_size, y % patch_size, x % patch_size };
}

#endif
