/* gst-cca: the background model SAMPLES: the frame's light, and the level of black
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block finds the median change of a bin of the background's levels; one more finds black. The block that ends last
 * makes the table.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t n_bins = CCA_SAMPLES_LIGHT_BINS, n_entries = CCA_SAMPLES_LIGHT_ENTRIES, n_threads = 288;
static_assert (n_entries <= n_threads && n_threads % warp_size == 0, "a thread has an entry");

/* Returns the sum of a value over the threads up to and including this one, and sets *total. */
__device__ static uint32_t
block_inclusive_sum (uint32_t value, uint32_t *total)
{
  __shared__ uint32_t sums[n_threads / warp_size];
  uint32_t sum = warp_inclusive_sum (value);

  *total = 0;
  if (lane_index () == warp_size - 1)
    sums[threadIdx.x / warp_size] = sum;
  __syncthreads ();
  for (uint32_t i = 0; i < n_threads / warp_size; i++) {
    sum += i < threadIdx.x / warp_size ? sums[i] : 0;
    *total += sums[i];
  }
  return sum;
}

__device__ static void
find_median (const CcaSamplesParams &p, uint32_t bin)
{
  CcaSamplesState *const state = p.state;
  const uint32_t n_points =
      grid_points (p.width, CCA_SAMPLES_LIGHT_GRID) * grid_points (p.height, CCA_SAMPLES_LIGHT_GRID);
  const bool counts_all = 2 * __ldcg (&state->n_kept) <= n_points;
  uint32_t n = 0, total;

  if (threadIdx.x < n_entries) {
    const uint32_t left_out = take (&state->lights[1][bin][threadIdx.x]);

    n = take (&state->lights[0][bin][threadIdx.x]) + (counts_all ? left_out : 0);
  }

  const uint32_t up_to_here = block_inclusive_sum (n, &total), before = up_to_here - n;

  if (threadIdx.x == 0)
    state->n_points[bin] = total;
  /* One thread; cca_samples_median () in parallel. */
  if (before < (total + 1) / 2 && (total + 1) / 2 <= up_to_here)
    state->medians[bin] = ((int32_t) threadIdx.x - 3 - 4 * (int32_t) bin) * 16
                          + (int32_t) (8 * ((int64_t) total - 2 * (int64_t) before) / n) - 8;
}

__device__ static void
find_black (const CcaSamplesParams &p)
{
  __shared__ uint32_t blacks[256];

  if (threadIdx.x < 256)
    blacks[threadIdx.x] = take (&p.state->blacks[threadIdx.x]);
  __syncthreads ();
  if (threadIdx.x == 0)
    p.state->black = cca_samples_black (blacks, grid_points (p.width, CCA_SAMPLES_LIGHT_GRID)
                                                    * grid_points (p.height, CCA_SAMPLES_LIGHT_GRID));
}

/* Makes a sequence of 256 rise: each becomes the largest of those up to it. */
__device__ static void
make_rise (int32_t (&curve)[256])
{
  for (uint32_t d = 1; d < 256; d *= 2) {
    int32_t value = 0;

    if (threadIdx.x < 256)
      value = threadIdx.x >= d ? max (curve[threadIdx.x], curve[threadIdx.x - d]) : curve[threadIdx.x];
    __syncthreads ();
    if (threadIdx.x < 256)
      curve[threadIdx.x] = value;
    __syncthreads ();
  }
}

/* Makes the table from the medians, in the half that this frame writes. */
__device__ static void
make_table (CcaSamplesState *state)
{
  __shared__ int32_t medians[n_bins], curve[256], last;
  __shared__ uint32_t n_points[n_bins], ceiling;
  CcaSamplesHalf &half = state->halves[1 - state->half];
  uint8_t entry = (uint8_t) threadIdx.x;

  if (threadIdx.x < n_bins) {
    medians[threadIdx.x] = __ldcg (&state->medians[threadIdx.x]);
    n_points[threadIdx.x] = __ldcg (&state->n_points[threadIdx.x]);
  }
  __syncthreads ();
  if (threadIdx.x == 0) {
    last = cca_samples_fill (medians, n_points);
    ceiling = 255;
  }
  __syncthreads ();
  if (last >= 0) {
    if (threadIdx.x < 256)
      curve[threadIdx.x] = cca_samples_curve (medians, (int) threadIdx.x);
    __syncthreads ();
    make_rise (curve);
    if (threadIdx.x == 0)
      ceiling = cca_samples_ceiling (curve, last);
    __syncthreads ();
    if (threadIdx.x < 256)
      entry = cca_samples_invert (curve, (uint8_t) ceiling, (int) threadIdx.x);
  }
  if (threadIdx.x < 256)
    ((uint8_t *) half.table)[threadIdx.x] = entry;
  if (threadIdx.x == 0) {
    half.ceiling = ceiling;
    state->n_kept = 0;
    state->n_foreground = 0;
  }
}

extern "C" __global__ void
__launch_bounds__ (n_threads) cca_samples_light (const CcaSamplesParams p)
{
  trigger_then_sync ();
  if (p.state->t == 0)
    return;
  if (blockIdx.x < n_bins)
    find_median (p, blockIdx.x);
  else
    find_black (p);
  if (is_last_block (&p.state->n_light))
    make_table (p.state);
}
