/* gst-cca: the background model SAMPLES: the frame's light, the level of black, and the held blocks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block finds the median change of a bin of the background's levels; one more finds black, and one more the held
 * blocks of pixels, for the kernel that learns. The last block to finish computes the table. cca/samples.h goes through
 * bins and levels one by one; here each has a thread.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t n_bins = CCA_SAMPLES_LIGHT_BINS, n_entries = CCA_SAMPLES_LIGHT_ENTRIES, n_threads = 288;
static_assert (n_entries <= n_threads && n_threads % warp_size == 0, "a thread has an entry");
static_assert (n_bins == 2 * warp_size, "a word of 64 bits has a bit for each bin");

__device__ static uint32_t
count_points (const CcaSamplesParams &p)
{
  return grid_points (p.width, CCA_SAMPLES_LIGHT_GRID) * grid_points (p.height, CCA_SAMPLES_LIGHT_GRID);
}

__device__ static void
find_median (const CcaSamplesParams &p, uint32_t bin)
{
  CcaSamplesState *const state = p.state;
  const bool counts_all = 2 * __ldcg (&state->n_kept) <= count_points (p);
  uint32_t n = 0, total;

  if (threadIdx.x < n_entries) {
    const uint32_t left_out = take (&state->lights[1][bin][threadIdx.x]);

    n = take (&state->lights[0][bin][threadIdx.x]) + (counts_all ? left_out : 0);
  }

  const uint32_t up_to_here = block_inclusive_sum<n_threads> (n, &total), before = up_to_here - n;

  if (threadIdx.x == 0)
    state->n_points[bin] = total;
  /* True in one thread; cca_samples_median () in parallel. */
  if (before < (total + 1) / 2 && (total + 1) / 2 <= up_to_here)
    state->medians[bin] = ((int32_t) threadIdx.x - 3 - 4 * (int32_t) bin) * 16
                          + (int32_t) (8 * ((int64_t) total - 2 * (int64_t) before) / n) - 8;
}

__device__ static void
find_black (CcaSamplesState *state)
{
  const uint32_t n = threadIdx.x < 256 ? take (&state->blacks[threadIdx.x]) : 0;
  uint32_t total;
  const uint32_t up_to_here = block_inclusive_sum<n_threads> (n, &total);
  CcaSamplesQuantile quantile;

  if (reaches (total / CCA_SAMPLES_BLACK_PART, n, up_to_here, &quantile))
    state->black = total > 0 ? quantile.level : CCA_SAMPLES_BLACK_NONE;
}

/* Returns the median of bin k, which has few points, interpolated from the nearest valid bins, the bits of `counting`,
 * which must not be 0. */
__device__ static int32_t
median_between (const int32_t (&medians)[n_bins], uint64_t counting, int k)
{
  const int last = 63 - __clzll ((long long) (counting & ((1ull << k) - 1))),
            next = k - 1 + __ffsll ((long long) (counting >> k));

  if (next < k)
    return medians[last];
  if (last < 0)
    return medians[next] * (k + 1) / (next + 1);
  return medians[last] + (medians[next] - medians[last]) * (k - last) / (next - last);
}

/* cca_samples_fill () in parallel. All threads call it. */
__device__ static int
fill_medians (int32_t (&medians)[n_bins], uint32_t n_points, uint32_t least)
{
  __shared__ uint32_t counting[2];
  __shared__ int64_t excesses[2]; /* the deviation less the least change that counts */
  const uint32_t k = threadIdx.x, warp = k / warp_size;
  const bool counts = k < n_bins && n_points >= least;

  if (k < n_bins) {
    const uint32_t of_warp = __ballot_sync (all_lanes, counts);
    int64_t excess = counts ? (int64_t) (max (medians[k], -medians[k]) - CCA_SAMPLES_LIGHT_DEAD) * n_points : 0;

    for (uint32_t d = warp_size / 2; d > 0; d /= 2)
      excess += __shfl_xor_sync (all_lanes, excess, d);
    if (lane_index () == 0) {
      counting[warp] = of_warp;
      excesses[warp] = excess;
    }
  }
  __syncthreads ();

  const uint64_t all = (uint64_t) counting[1] << 32 | counting[0];

  if (all == 0 || excesses[0] + excesses[1] < 0)
    return -1;
  if (k < n_bins && !counts)
    medians[k] = median_between (medians, all, (int) k);
  __syncthreads ();
  return 63 - __clzll ((long long) all);
}

/* Returns the largest value of the threads up to this one, to make a curve of 256 values monotonic. All threads call
 * it; those from 256 on do not count. */
__device__ static int32_t
rising (int32_t value)
{
  __shared__ int32_t largest[n_threads / warp_size];
  const uint32_t warp = threadIdx.x / warp_size;

  for (uint32_t d = 1; d < warp_size; d *= 2)
    value = max (value, __shfl_up_sync (all_lanes, value, d));
  if (lane_index () == warp_size - 1)
    largest[warp] = value;
  __syncthreads ();
  for (uint32_t i = 0; i < warp; i++)
    value = max (value, largest[i]);
  return value;
}

/* Computes the table from the medians, in the half that this frame writes. */
__device__ static void
make_table (const CcaSamplesParams &p, uint32_t least)
{
  CcaSamplesState *const state = p.state;
  __shared__ int32_t medians[n_bins], curve[256];
  __shared__ uint32_t ceiling;
  CcaSamplesHalf &half = state->halves[1 - state->half];
  const uint32_t i = threadIdx.x;
  uint32_t n_points = 0, entry = i, light_change = 0;

  if (i < n_bins) {
    medians[i] = __ldcg (&state->medians[i]);
    n_points = __ldcg (&state->n_points[i]);
  }
  if (i == 0)
    ceiling = 255;
  __syncthreads ();

  const int last = fill_medians (medians, n_points, least);

  if (last >= 0) {
    const int32_t value = rising (cca_samples_curve (medians, (int) min (i, 255u)));

    if (i < 256)
      curve[i] = value;
    __syncthreads ();
    /* True in one thread: the first level of the flat part up to the last bin; cca_samples_ceiling () in parallel. */
    const uint32_t top = 4 * (uint32_t) last + 2;
    const int32_t flat = curve[top] - CCA_SAMPLES_LIGHT_FLAT;

    if (i <= top && curve[i] >= flat && (i == 0 || curve[i - 1] < flat) && top - i > CCA_SAMPLES_LIGHT_WIDE
        && curve[top] >= CCA_SAMPLES_LIGHT_WHITE)
      ceiling = i;
    __syncthreads ();
    if (i < 256)
      entry = cca_samples_invert (curve, (uint8_t) ceiling, (int) i);
    block_inclusive_sum<n_threads> (i < 256 ? cca_samples_light_change (entry, i) : 0, &light_change);
  }
  if (i < 256)
    ((uint8_t *) half.table)[i] = (uint8_t) entry;
  if (i == 0) {
    state->most_foreground =
        (uint32_t) cca_samples_most_foreground (&state->past, (uint64_t) p.width * p.height, light_change);
    half.ceiling = ceiling;
    state->n_kept = 0;
    state->n_foreground = 0;
  }
}

/* Returns the sum of the edges in blocks of pixels after the last frame. A warp calls it. */
__device__ static int64_t
edges_in (const CcaSamplesParams &p, const CcaSamplesHeld &held)
{
  const CcaSamplesEdges *const edges = p.edges + p.state->half * (p.blocks_x * p.blocks_y);
  const uint32_t width = held.right - held.left, n = width * (held.bottom - held.top);
  int64_t sum = 0;

  for (uint32_t i = lane_index (); i < n; i += warp_size)
    sum += edges[(held.top + i / width) * p.blocks_x + held.left + i % width].all;
  for (uint32_t d = warp_size / 2; d > 0; d /= 2)
    sum += __shfl_xor_sync (all_lanes, sum, d);
  return sum;
}

/* Marks the held blocks of pixels. All threads of one block call it. */
__device__ static void
find_held (const CcaSamplesLightParams &q)
{
  const CcaSamplesParams &p = q.samples;
  __shared__ uint32_t n_held;

  if (threadIdx.x == 0)
    n_held = 0;
  if (q.n_held > 0)
    for (uint32_t i = threadIdx.x; i < p.blocks_x * p.blocks_y; i += n_threads)
      p.held[i] = 0;
  __syncthreads ();
  for (uint32_t k = threadIdx.x / warp_size; k < q.n_held; k += n_threads / warp_size) {
    const CcaSamplesHeld held = cca_samples_held_in_model (
        q.held[k], cca_samples_whole (p.state->shift_x), cca_samples_whole (p.state->shift_y), p.blocks_x, p.blocks_y);
    const uint32_t width = held.right - held.left, n = width * (held.bottom - held.top);

    if (!cca_samples_holds (edges_in (p, held)))
      continue;
    for (uint32_t i = lane_index (); i < n; i += warp_size)
      p.held[(held.top + i / width) * p.blocks_x + held.left + i % width] = 1;
    if (lane_index () == 0)
      atomicAdd (&n_held, 1);
  }
  __syncthreads ();
  if (threadIdx.x == 0)
    p.state->n_held = n_held;
}

/* Triggers the next grid after its own wait, so that the next grid can load data older than this one's results. */
extern "C" __global__ void
__launch_bounds__ (n_threads) cca_samples_light (const CcaSamplesLightParams q)
{
  const CcaSamplesParams &p = q.samples;

  grid_dependency_sync ();
  trigger_next_grid ();
  if (p.state->past.t == 0)
    return;
  if (blockIdx.x < n_bins)
    find_median (p, blockIdx.x);
  else if (blockIdx.x == n_bins)
    find_black (p.state);
  else
    find_held (q);
  if (is_last_block (&p.state->n_light))
    make_table (p, cca_samples_light_least (count_points (p)));
}
