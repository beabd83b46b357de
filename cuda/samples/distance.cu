/* gst-cca: the background model SAMPLES: how far pixels are from their samples
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread has four pixels of two rows, which share two chroma samples. It takes them to the model's light first. The
 * block that ends last finds the noise, and so the threshold.
 */
#include "cuda/samples/samples.cuh"

/* The two smallest of some distances, by bytes. */
struct Nearest
{
  uint32_t first = all_lanes, second = all_lanes;

  __device__ void add (uint32_t distances)
  {
    second = __vminu4 (second, __vmaxu4 (first, distances));
    first = __vminu4 (first, distances);
  }
};

/* The chroma that a thread's pixels share: two samples in the lower bytes of each word. */
struct Colors
{
  uint32_t u, v, background_u, background_v;
  uint32_t evidence; /* what it adds to the distances of four pixels */

  __device__ Colors (const CcaSamplesParams &p, const CcaSamplesStep &step, uint32_t x, uint32_t y)
  {
    const size_t plane = chroma_plane (p), place = chroma_place (p, x, y);
    uint8_t *const samples = p.chroma + place;
    Nearest nearest;

    u = two_at (p.colors + place);
    v = two_at (p.colors + plane + place);
#pragma unroll
    for (uint32_t k = 0; k < CCA_SAMPLES_CHROMA; k++) {
      const uint32_t sample_u = two_at (samples + k * plane),
                     sample_v = two_at (samples + (k + CCA_SAMPLES_CHROMA) * plane);

      nearest.add (__vaddus4 (__vabsdiffu4 (u, sample_u), __vabsdiffu4 (v, sample_v)));
      if (k == step.cslot)
        background_u = sample_u, background_v = sample_v;
    }

    const uint32_t two = __vsubus4 (nearest.second, four_times (CCA_SAMPLES_CHROMA_FREE));

    evidence = (two & 0xff) * 0x0101 | (two >> 8 & 0xff) * 0x01010000;
  }

  /* Tells whether pixel i of four, of level `pixel`, may be the background of level `background` in a shadow. */
  __device__ bool is_shadow (uint32_t i, int32_t background, int32_t pixel, int32_t black) const
  {
    const uint32_t shift = i / 2 * 8;
    const int32_t b = max (background - black, 1), q = max (pixel - black, 0);
    const int32_t du = ((int32_t) (u >> shift & 0xff) - 128) * b - ((int32_t) (background_u >> shift & 0xff) - 128) * q,
                  dv = ((int32_t) (v >> shift & 0xff) - 128) * b - ((int32_t) (background_v >> shift & 0xff) - 128) * q;

    return q < b && 256 * q >= CCA_SAMPLES_SHADOW_LEAST * b
           && max (du, -du) + max (dv, -dv) <= CCA_SAMPLES_SHADOW_CHROMA * b;
  }

  /* Returns bytes of 0xff for the pixels in a shadow. */
  __device__ uint32_t shadows (uint32_t background, uint32_t pixels, uint32_t black) const
  {
    uint32_t mask = 0;

#pragma unroll
    for (uint32_t i = 0; i < 4; i++)
      if (is_shadow (i, (int32_t) (background >> 8 * i & 0xff), (int32_t) (pixels >> 8 * i & 0xff), (int32_t) black))
        mask |= 0xffu << 8 * i;
    return mask;
  }
};

/* Returns the distances of four pixels from their samples; *background is the sample of the slot, *sum that of the
 * first pixel's samples. */
__device__ static uint32_t
luma_distances (const CcaSamplesParams &p, uint32_t slot, uint32_t ceiling, size_t place, uint32_t pixels,
                uint32_t *background, uint32_t *sum)
{
  const size_t plane = luma_plane (p);
  Nearest nearest;

  *background = 0;
  *sum = 0;
#pragma unroll
  for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++) {
    const uint32_t whole = four_at (p.luma + k * plane + place), sample = __vminu4 (whole, ceiling);

    *sum += whole & 0xff;
    nearest.add (__vabsdiffu4 (pixels, sample));
    if (k == slot)
      *background = sample;
  }
  return nearest.second;
}

__device__ static uint32_t
lit (const uint32_t (&table)[64], uint32_t pixels)
{
  const uint8_t *const entries = (const uint8_t *) table;

  return entries[pixels & 0xff] | (uint32_t) entries[pixels >> 8 & 0xff] << 8
         | (uint32_t) entries[pixels >> 16 & 0xff] << 16 | (uint32_t) entries[pixels >> 24] << 24;
}

/* Stores a point of the noise's grid; counts how it has changed, but in the first frame. */
__device__ static void
add_point (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t pixel, bool is_first, uint32_t *noises)
{
  const uint32_t half = p.state->half, i = y / CCA_SAMPLES_NOISE_GRID * p.grid_width + x / CCA_SAMPLES_NOISE_GRID;

  if (!is_first) {
    const uint32_t before = p.grid[half * p.grid_size + i];

    atomicAdd (&noises[max (pixel, before) - min (pixel, before)], 1u);
  }
  p.grid[(1 - half) * p.grid_size + i] = (uint8_t) pixel;
}

/* Counts how far a point that was background is from the mean of its samples. */
__device__ static void
add_tail (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t pixel, uint32_t sum, uint32_t ceiling,
          uint32_t *tails)
{
  const uint32_t mean = (sum + CCA_SAMPLES_LUMA / 2) / CCA_SAMPLES_LUMA, background = min (mean, ceiling);

  if ((foreground_half (p, p.state->half)[(size_t) y * p.row_words + x / 32] >> x % 32 & 1) == 0)
    atomicAdd (&tails[max (pixel, background) - min (pixel, background)], 1u);
}

__device__ static void
find_threshold (const CcaSamplesParams &p)
{
  __shared__ uint32_t noises[256], tails[256], n_tails;
  CcaSamplesState *const state = p.state;
  const uint32_t n = grid_points (p.width, CCA_SAMPLES_NOISE_GRID) * grid_points (p.height, CCA_SAMPLES_NOISE_GRID);

  noises[thread_index ()] = take (&state->noises[thread_index ()]);
  tails[thread_index ()] = take (&state->tails[thread_index ()]);
  n_tails = 0;
  __syncthreads ();

  const uint32_t n_of_warp = warp_sum (tails[thread_index ()]);

  if (lane_index () == 0)
    atomicAdd (&n_tails, n_of_warp);
  __syncthreads ();
  if (thread_index () > 0)
    return;

  const int32_t noise = cca_samples_noise (noises, n, state->t, state->halves[state->half].noise);

  state->halves[1 - state->half].noise = noise;
  const int32_t tail = cca_samples_tail (tails, n_tails);
  const uint8_t threshold = cca_samples_threshold ((uint8_t) p.tolerance, noise, tail);

  state->threshold = threshold;
  state->most = cca_samples_limit (threshold, tail);
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_distance (const CcaSamplesParams p)
{
  trigger_then_sync ();
  __shared__ uint32_t noises[256], tails[256], table[64];
  CcaSamplesState *const state = p.state;
  const bool is_first = state->t == 0;
  const CcaSamplesHalf &half = state->halves[1 - state->half];
  const CcaSamplesStep step = cca_samples_step (p.learning, state->t);
  const uint32_t x = (blockIdx.x * warp_size + threadIdx.x) * 4, y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
  const uint32_t valid = bytes_before (x, p.width), ceiling = four_times (half.ceiling);

  noises[thread_index ()] = 0;
  tails[thread_index ()] = 0;
  if (thread_index () < 64)
    table[thread_index ()] = half.table[thread_index ()];
  __syncthreads ();
  if (y < p.height && valid) {
    const bool uses_chroma = p.has_chroma && !step.learning;
    uint32_t pixels[2] = {}, distances[2], backgrounds[2], sums[2];

    for (uint32_t i = 0; i < 2 && y + i < p.height; i++) {
      uint32_t &four = four_at (p.pixels + luma_place (p, x, y + i));

      pixels[i] = four;
      if (!is_first)
        four = pixels[i] = lit (table, pixels[i]) & valid;
    }
    if (y % CCA_SAMPLES_NOISE_GRID == 4 && y + 4 < p.height && x % CCA_SAMPLES_NOISE_GRID == 4 && x + 4 < p.width)
      add_point (p, x, y, pixels[0] & 0xff, is_first, noises);
    if (!is_first) {
#pragma unroll
      for (uint32_t i = 0; i < 2; i++)
        if (y + i < p.height)
          distances[i] =
              luma_distances (p, step.slot, ceiling, luma_place (p, x, y + i), pixels[i], &backgrounds[i], &sums[i]);
      if (y % CCA_SAMPLES_LIGHT_GRID == 0 && y >= 4 && y + 4 < p.height && x >= 4 && x + 4 < p.width)
        add_tail (p, x, y, pixels[0] & 0xff, sums[0], half.ceiling, tails);
      if (uses_chroma) {
        const Colors colors (p, step, x, y);

        for (uint32_t i = 0; i < 2 && y + i < p.height; i++) {
          const uint32_t shadows = p.keep_shadows ? 0 : colors.shadows (backgrounds[i], pixels[i], state->black);

          distances[i] = __vaddus4 (distances[i], colors.evidence) & ~shadows;
        }
      }
      for (uint32_t i = 0; i < 2 && y + i < p.height; i++)
        four_at (p.distances + luma_place (p, x, y + i)) = distances[i] & valid;
    }
  } else {
    for (uint32_t i = 0; i < 2 && y + i < p.height; i++)
      four_at (p.distances + luma_place (p, x, y + i)) = 0;
  }
  if (is_first)
    return;
  __syncthreads ();
  if (noises[thread_index ()] > 0)
    atomicAdd (&state->noises[thread_index ()], noises[thread_index ()]);
  if (tails[thread_index ()] > 0)
    atomicAdd (&state->tails[thread_index ()], tails[thread_index ()]);
  if (is_last_block (&state->n_distance))
    find_threshold (p);
}
