/* gst-cca: the background model SAMPLES: the shift of the camera
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block has 128 columns of four rows of the model, each of its warps the rows of the frame at one shift along y, in
 * the model's light. The kernel measures all shifts around the last frame's, and the last block to finish searches
 * them. The kernels trigger the next grid after their own wait, so that it can load data older than the shift.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t search = CCA_SAMPLES_SEARCH, n_shifts = CCA_SAMPLES_SHIFTS, n_costs = CCA_SAMPLES_COSTS;
constexpr uint32_t n_rows = CCA_SAMPLES_SHIFT_ROWS;
/* A lane has four pixels of the model. Those of the frame begin `before` pixels earlier, at a whole word, moved by a
 * drift's part of a word. */
constexpr uint32_t before = (search + 3) / 4 * 4, lane_words = (before + search + 3) / 4 + 1,
                   row_words = warp_size + lane_words;
static_assert (CCA_SAMPLES_SHIFT_GRID % 4 == 0 && before <= CCA_SAMPLES_SHIFT_GRID, "words lie within the frame");

/* Returns the place of the least of n x n costs in raster order and of the cost at `best`, which wins a tie. All lanes
 * of a warp call it. */
__device__ static uint32_t
find_least (const unsigned long long (&costs)[n_costs], int32_t first_x, int32_t first_y, uint32_t n, uint32_t step,
            uint32_t best)
{
  const auto place = [&] (uint32_t k) {
    const uint32_t x = (uint32_t) first_x + k % n * step, y = (uint32_t) first_y + k / n * step;

    return x < n_shifts && y < n_shifts ? y * n_shifts + x : best;
  };
  unsigned long long least = costs[best] << 8;

  for (uint32_t k = lane_index (); k < n * n; k += warp_size)
    least = min (least, costs[place (k)] << 8 | (k + 1));
  for (uint32_t d = warp_size / 2; d > 0; d /= 2)
    least = min (least, __shfl_xor_sync (all_lanes, least, d));
  return least & 0xff ? place ((uint32_t) (least & 0xff) - 1) : best;
}

/* Returns the shift along one axis. `at` is the place of the least cost, i its index along the axis, whose costs are
 * `stride` apart. */
__device__ static int32_t
fit_costs (const unsigned long long (&costs)[n_costs], uint32_t i, uint32_t at, uint32_t stride)
{
  int32_t fit = 0;

  if (i > 0 && i < n_shifts - 1)
    fit = cca_samples_fit ((int64_t) (costs[at - stride] - costs[at]), (int64_t) (costs[at + stride] - costs[at]));
  return 4 * ((int32_t) i - (int32_t) search) + fit;
}

/* Returns whether the shift may move to the place of the least cost. All lanes of a warp call it. */
__device__ static bool
may_move (CcaSamplesState *state, const unsigned long long (&costs)[n_costs], uint32_t best, int32_t drift_x,
          int32_t drift_y)
{
  const int32_t x = (int32_t) (best % n_shifts) - (int32_t) search, y = (int32_t) (best / n_shifts) - (int32_t) search;
  const int32_t last_x = state->shift_x, last_y = state->shift_y;
  const int32_t last = (cca_samples_whole (last_y) - drift_y + (int32_t) search) * (int32_t) n_shifts
                       + cca_samples_whole (last_x) - drift_x + (int32_t) search;
  const bool inside = max (abs (x), abs (y)) < (int32_t) search;
  CcaSamplesLeaps leaps = state->leaps;
  const bool may =
      cca_samples_may_move (&leaps, drift_x + x, drift_y + y, last_x, last_y, inside, costs[best], costs[last]);

  __syncwarp ();
  if (lane_index () == 0)
    state->leaps = leaps;
  return may;
}

__device__ static void
find_shift (const CcaSamplesParams &p, unsigned long long n_points, int32_t drift_x, int32_t drift_y)
{
  CcaSamplesState *const state = p.state;
  __shared__ unsigned long long costs[n_costs];

  for (uint32_t k = threadIdx.x; k < n_costs; k += blockDim.x)
    costs[k] = take (&state->costs[k]);
  __syncthreads ();
  if (threadIdx.x >= warp_size)
    return;

  const uint32_t coarse = find_least (costs, 0, 0, search + 1, 2, search * n_shifts + search);
  const uint32_t best =
      find_least (costs, (int32_t) (coarse % n_shifts) - 1, (int32_t) (coarse / n_shifts) - 1, 3, 1, coarse);

  if (!cca_samples_matches (costs[best], n_points) || !may_move (state, costs, best, drift_x, drift_y))
    return;
  if (lane_index () == 0)
    state->shift_x = 4 * drift_x + fit_costs (costs, best % n_shifts, best, 1);
  if (lane_index () == 1)
    state->shift_y = 4 * drift_y + fit_costs (costs, best / n_shifts, best, n_shifts);
}

/* Adds the differences of four pixels at each shift along x to the costs. `words` are the frame's, from `before` pixels
 * earlier on; the bytes of `weights` are 1 for pixels that count. */
__device__ static void
add_differences (uint32_t (&costs)[n_shifts], const uint32_t (&words)[lane_words], uint32_t background,
                 uint32_t weights)
{
#pragma unroll
  for (uint32_t i = 0; i < n_shifts; i++) {
    const uint32_t first = before - search + i;
    const uint32_t four = __funnelshift_r (words[first / 4], words[min (first / 4 + 1, lane_words - 1)], first % 4 * 8);

    costs[i] =
        __dp4a (__vminu4 (__vabsdiffu4 (four, background), four_times (CCA_SAMPLES_SHIFT_MOST)), weights, costs[i]);
  }
}

template <typename Pixels>
__device__ static void
add_costs (const CcaSamplesFrameParams &q, const Pixels pixels)
{
  __shared__ uint32_t rows[n_shifts][row_words];
  __shared__ uint32_t table[64];
  const CcaSamplesParams &p = q.samples;
  CcaSamplesState *const state = p.state;
  const int32_t drift_x = cca_samples_drift (state->shift_x, p.width),
                drift_y = cca_samples_drift (state->shift_y, p.height);
  const uint32_t left = cca_samples_shift_border (drift_x), top = cca_samples_shift_border (drift_y);
  const uint32_t warp = threadIdx.x / warp_size, lane = lane_index (), end = p.height - top;
  const uint32_t x = left + (blockIdx.x * warp_size + lane) * 4;
  const uint32_t y0 = top + CCA_SAMPLES_SHIFT_GRID * blockIdx.y * n_rows;
  const uint32_t counts = bytes_before (x, p.width - left);
  uint32_t here[n_rows], after[n_rows], backgrounds[n_rows], costs[n_shifts] = {}, own = 0;

  if (state->past.t == 0)
    return;
#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    const uint32_t y = min (y0 + i * CCA_SAMPLES_SHIFT_GRID, end - 1);
    const uint8_t *const row = q.pixels + (uint32_t) ((int32_t) (y + warp - search) + drift_y) * q.pitch;
    const int32_t first = (int32_t) (x - before) + (drift_x & ~3);

    backgrounds[i] = counts ? four_at (p.luma + luma_place (p, x, y)) : 0;
    here[i] = load_four (pixels, row, first, p.width);
    if (lane < lane_words)
      after[i] = load_four (pixels, row, first + 4 * (int32_t) warp_size, p.width);
  }
  if (threadIdx.x < 64)
    table[threadIdx.x] = state->halves[state->half].table[threadIdx.x];

  const bool is_identity = __syncthreads_and (threadIdx.x >= 64 || table[threadIdx.x] == identity_word (threadIdx.x));

#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    uint32_t words[lane_words];

    if (y0 + i * CCA_SAMPLES_SHIFT_GRID >= end)
      break;
    rows[warp][lane] = is_identity ? here[i] : look_up (table, here[i]);
    if (lane < lane_words)
      rows[warp][warp_size + lane] = is_identity ? after[i] : look_up (table, after[i]);
    __syncwarp ();
#pragma unroll
    for (uint32_t k = 0; k < lane_words; k++)
      words[k] = __funnelshift_r (rows[warp][lane + k], rows[warp][lane + k + 1], (uint32_t) drift_x % 4 * 8);
    __syncwarp ();
    add_differences (costs, words, backgrounds[i], counts & 0x01010101);
  }
#pragma unroll
  for (uint32_t i = 0; i < n_shifts; i++) {
    const uint32_t cost = warp_sum (costs[i]);

    if (lane == i)
      own = cost;
  }
  if (lane < n_shifts)
    atomicAdd (&state->costs[warp * n_shifts + lane], (unsigned long long) own);
  if (is_last_block (&state->n_shift))
    find_shift (p, (p.width - 2ull * left) * ((end - top + CCA_SAMPLES_SHIFT_GRID - 1) / CCA_SAMPLES_SHIFT_GRID),
                drift_x, drift_y);
}

extern "C" __global__ void
__launch_bounds__ (n_shifts *warp_size) cca_samples_shift (const CcaSamplesFrameParams q)
{
  grid_dependency_sync ();
  trigger_next_grid ();
  add_costs (q, Byte (q.reading));
}

extern "C" __global__ void
__launch_bounds__ (n_shifts *warp_size) cca_samples_shift_half (const CcaSamplesFrameParams q)
{
  grid_dependency_sync ();
  trigger_next_grid ();
  add_costs (q, Half (q.reading));
}

extern "C" __global__ void
__launch_bounds__ (n_shifts *warp_size) cca_samples_shift_rgb (const CcaSamplesFrameParams q)
{
  grid_dependency_sync ();
  trigger_next_grid ();
  add_costs (q, Rgb (q.reading));
}
