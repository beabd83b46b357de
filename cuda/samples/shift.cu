/* gst-cca: the background model SAMPLES: how far the camera has moved
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block has 128 columns of a row of the model, each of its warps the row of the frame at one shift along y, in the
 * model's light. All shifts are measured, so that the block that ends last can search among them.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t search = CCA_SAMPLES_SEARCH, n_shifts = CCA_SAMPLES_SHIFTS, n_costs = CCA_SAMPLES_COSTS;
constexpr uint32_t block_columns = warp_size * 4, row_bytes = block_columns + 2 * search, row_words = row_bytes / 4;
static_assert (row_bytes % 4 == 0, "lanes read whole words");

/* Takes the least of the costs of these rows and columns, in raster order; *i, *j is the least so far. */
__device__ static void
search_costs (const unsigned long long (&costs)[n_costs], int first_i, int first_j, int n, int step, int *i, int *j)
{
  for (int y = first_j; y < first_j + n * step; y += step)
    for (int x = first_i; x < first_i + n * step; x += step)
      if (x >= 0 && y >= 0 && x < (int) n_shifts && y < (int) n_shifts
          && costs[y * n_shifts + x] < costs[*j * n_shifts + *i])
        *i = x, *j = y;
}

/* Returns the shift along one axis; `at` is the least cost's place among its neighbours, which are `stride` apart. */
__device__ static int
fit_costs (const unsigned long long (&costs)[n_costs], int i, int at, int stride)
{
  int fit = 0;

  if (i > 0 && i < (int) n_shifts - 1)
    fit = cca_samples_fit ((int64_t) (costs[at - stride] - costs[at]), (int64_t) (costs[at + stride] - costs[at]));
  return 4 * (i - (int) search) + fit;
}

__device__ static void
find_shift (CcaSamplesState *state, unsigned long long n_points)
{
  __shared__ unsigned long long costs[n_costs];
  int i = search, j = search;

  for (uint32_t k = threadIdx.x; k < n_costs; k += blockDim.x)
    costs[k] = take (&state->costs[k]);
  __syncthreads ();
  if (threadIdx.x > 0)
    return;
  search_costs (costs, 0, 0, search + 1, 2, &i, &j);
  search_costs (costs, i - 1, j - 1, 3, 1, &i, &j);
  state->shift_x = state->shift_y = 0;
  if (!cca_samples_matches (costs[j * n_shifts + i], n_points))
    return;
  state->shift_x = fit_costs (costs, i, j * n_shifts + i, 1);
  state->shift_y = fit_costs (costs, j, j * n_shifts + i, n_shifts);
}

template <typename Pixels>
__device__ static void
add_costs (const CcaSamplesFrameParams &q, const Pixels pixels)
{
  __shared__ uint32_t rows[n_shifts][row_words];
  __shared__ uint32_t table[64];
  const CcaSamplesParams &p = q.samples;
  CcaSamplesState *const state = p.state;
  const uint32_t warp = threadIdx.x / warp_size, lane = lane_index ();
  const uint32_t x0 = CCA_SAMPLES_SHIFT_GRID + blockIdx.x * block_columns, x = x0 + 4 * lane;
  const uint32_t y = CCA_SAMPLES_SHIFT_GRID * (1 + blockIdx.y);
  const uint8_t *const row = q.pixels + (y + warp - search) * q.pitch;
  const uint32_t counts = bytes_before (x, p.width - CCA_SAMPLES_SHIFT_GRID);
  uint32_t words[4], own = 0;

  if (state->t == 0)
    return;

  const uint32_t background = counts ? four_at (p.luma + luma_place (p, x, y)) : 0;

  if (threadIdx.x < 64)
    table[threadIdx.x] = state->halves[state->half].table[threadIdx.x];
  __syncthreads ();
  for (uint32_t i = lane; i < row_bytes; i += warp_size)
    ((uint8_t *) rows[warp])[i] = ((const uint8_t *) table)[pixels.value (row, min (x0 - search + i, p.width - 1))];
  __syncwarp ();
#pragma unroll
  for (uint32_t i = 0; i < 4; i++)
    words[i] = rows[warp][lane + i];
#pragma unroll
  for (uint32_t i = 0; i < n_shifts; i++) {
    const uint32_t four = __funnelshift_r (words[i / 4], words[min (i / 4 + 1, 3u)], i % 4 * 8);
    const uint32_t differences = __vminu4 (__vabsdiffu4 (four, background), four_times (CCA_SAMPLES_SHIFT_MOST));
    const uint32_t cost = warp_sum (__dp4a (differences & counts, 0x01010101u, 0u));

    if (lane == i)
      own = cost;
  }
  if (lane < n_shifts)
    atomicAdd (&state->costs[warp * n_shifts + lane], (unsigned long long) own);
  if (is_last_block (&state->n_shift))
    find_shift (state, (p.width - 2ull * CCA_SAMPLES_SHIFT_GRID) * gridDim.y);
}

extern "C" __global__ void
__launch_bounds__ (n_shifts *warp_size) cca_samples_shift (const CcaSamplesFrameParams q)
{
  trigger_then_sync ();
  add_costs (q, Byte (q.reading));
}

extern "C" __global__ void
__launch_bounds__ (n_shifts *warp_size) cca_samples_shift_half (const CcaSamplesFrameParams q)
{
  trigger_then_sync ();
  add_costs (q, Half (q.reading));
}

extern "C" __global__ void
__launch_bounds__ (n_shifts *warp_size) cca_samples_shift_rgb (const CcaSamplesFrameParams q)
{
  trigger_then_sync ();
  add_costs (q, Rgb (q.reading));
}
