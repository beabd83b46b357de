/* gst-cca: the background model SAMPLES: the distances of pixels from their samples
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread has four pixels of two rows, which share two chroma samples. It loads what it surely needs while the light
 * is still being computed, then converts the pixels to the model's light. Most pixels are close to the first samples,
 * and more samples can only lower the distance. The last block to finish computes the noise, and from it the threshold.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t n_first = 4; /* samples that all pixels are compared with, of luma and of chroma */

/* The two smallest distances of each of two pixels, in 16 bits: GPUs have minima and maxima of 16 bits, not of
 * bytes. */
struct Nearest
{
  uint32_t first = all_lanes, second = all_lanes;

  __device__ void add (uint32_t a, uint32_t b)
  {
    const uint32_t low = __vminu2 (a, b), high = __vmaxu2 (a, b);

    second = __vminu2 (__vminu2 (__vmaxu2 (first, low), high), second);
    first = __vminu2 (first, low);
  }
};

/* Compares two pixels of chroma with their samples. Returns their part of the distances, in 16 bits each. */
template <uint32_t first, uint32_t end>
__device__ static uint32_t
compare_chroma (const CcaSamplesParams &p, const Chroma &chroma, uint32_t own, Nearest &nearest)
{
  const uint32_t free = CCA_SAMPLES_CHROMA_FREE * 0x00010001;
  uint32_t distances[end - first];

#pragma unroll
  for (uint32_t k = first; k < end; k++) {
    const uint32_t both = __vabsdiffu4 (own, chroma.sample (p, k));

    distances[k - first] = __byte_perm (both, 0, 0x4240) + __byte_perm (both, 0, 0x4341);
  }
#pragma unroll
  for (uint32_t k = 0; k < end - first; k += 2)
    nearest.add (distances[k], distances[k + 1]);
  /* A sum of distances is at most 255. */
  return __vmaxu2 (__vminu2 (nearest.second, 0x00ff00ff), free) - free;
}

/* Returns the part of two chroma pixels in the distances, in 16 bits each. Once it is 0, more samples leave it 0. */
__device__ static uint32_t
evidence_of (const CcaSamplesParams &p, const Chroma &chroma, uint32_t own)
{
  Nearest nearest;
  const uint32_t evidence = compare_chroma<0, n_first> (p, chroma, own, nearest);

  return evidence == 0 ? 0 : compare_chroma<n_first, CCA_SAMPLES_CHROMA> (p, chroma, own, nearest);
}

/* Counts the difference of two levels. */
__device__ static void
count_difference (uint32_t *histogram, uint32_t a, uint32_t b)
{
  atomicAdd (&histogram[max (a, b) - min (a, b)], 1u);
}

/* Bits of each of three counts of a block's pixels, packed into a word. */
#define COUNT_BITS 10
#define MOST_COUNT ((1u << COUNT_BITS) - 1)
static_assert (CCA_SAMPLES_BLOCK * CCA_SAMPLES_BLOCK <= MOST_COUNT, "all pixels of a block can be counted");

/* Counts the bytes of 0xff. */
__device__ static uint32_t
count (uint32_t bytes)
{
  return (uint32_t) __popc (bytes) / 8;
}

/* A thread's pixels and the samples to compare. */
struct Patch
{
  uint32_t x, y, n_rows = 0; /* no rows beyond the image */
  bool is_first, has_chroma = false, was_background = false, is_noise_point;
  uint32_t pixels[2], samples[2][CCA_SAMPLES_LUMA], background[2] = {}, colors, evidence = 0;
  uint32_t inside; /* bytes of 0xff for pixels of the image */
  uint32_t half;   /* the half that the last frame wrote */
  uint32_t slot;   /* the slot of luma, `background`, that shadows are compared with; … */
  uint32_t cslot;  /* … and that of chroma */
  uint32_t unlike; /* a pixel with a distance above it is unlike its samples */
  uint32_t least;  /* a pixel up to this distance is background and like its samples */
  uint32_t last;   /* the first pixel in the last frame, if it is a point of the noise's grid */
  uint32_t level;  /* the mean of the first pixel's samples, if it is a point of the light that was background */
  Nearest even[2], odd[2]; /* even and odd pixels of either row */

  __device__ size_t place (const CcaSamplesParams &p, uint32_t row) const
  {
    return luma_place (p, x, min (y + row, p.height - 1));
  }
  __device__ size_t noise_place (const CcaSamplesParams &p, uint32_t of_half) const
  {
    return of_half * p.grid_size + y / CCA_SAMPLES_NOISE_GRID * p.grid_width + x / CCA_SAMPLES_NOISE_GRID;
  }

  /* Loads samples of a row. */
  template <uint32_t first, uint32_t end> __device__ void load (const CcaSamplesParams &p, uint32_t row)
  {
#pragma unroll
    for (uint32_t k = first; k < end; k++)
      samples[row][k] = four_at (p.luma + k * luma_plane (p) + place (p, row));
  }

  /* Loads data that is older than the kernel which finds the light. */
  __device__ void prepare (const CcaSamplesParams &p)
  {
    const CcaSamplesState &state = *p.state;
    const CcaSamplesStep step = cca_samples_step (p.learning, state.past.t);

    x = (blockIdx.x * warp_size + threadIdx.x) * 4;
    y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
    is_first = state.past.t == 0;
    slot = step.slot;
    cslot = step.cslot;
    half = state.half;
    unlike = cca_samples_unlike ((uint8_t) p.tolerance, state.halves[half].noise);
    least = cca_samples_lower_bound ((uint8_t) p.tolerance, state.past.t, state.halves[half].noise);
    if (y >= p.height || x >= p.width)
      return;
    n_rows = min (p.height - y, 2u);
    inside = bytes_before (x, p.width);
    is_noise_point =
        y % CCA_SAMPLES_NOISE_GRID == 4 && y + 4 < p.height && x % CCA_SAMPLES_NOISE_GRID == 4 && x + 4 < p.width;
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
      pixels[i] = four_at (p.pixels + place (p, i));
    if (is_first)
      return;
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
      load<0, n_first> (p, i);
    if (is_noise_point)
      last = p.grid[noise_place (p, half)];
    if (is_light_point (p, x, y)) {
      was_background = (foreground_half (p, half)[(size_t) y * p.row_words + x / 32] >> x % 32 & 1) == 0;
      level = light_level (p, x, y);
    }
    has_chroma = p.has_chroma && state.past.t >= p.learning;
    if (has_chroma) {
      const Chroma chroma (p, x, y);

      colors = chroma.colors (p);
      evidence = evidence_of (p, chroma, colors);
    }
  }

  /* Maps the pixels to the model's light. */
  __device__ void relight (const CcaSamplesParams &p, const uint32_t (&table)[64])
  {
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
      if (i < n_rows)
        four_at (p.pixels + place (p, i)) = pixels[i] = look_up (table, pixels[i]) & inside;
  }

  /* Stores the first pixel as a point of the noise's grid; counts its change, except in the first frame. */
  __device__ void add_noise (const CcaSamplesParams &p, uint32_t *noises) const
  {
    if (n_rows == 0 || !is_noise_point)
      return;
    if (!is_first)
      count_difference (noises, pixels[0] & 0xff, last);
    p.grid[noise_place (p, 1 - half)] = (uint8_t) pixels[0];
  }

  /* Counts the first pixel's distance from the mean of its samples, if it is a point that was background. */
  __device__ void add_tail (uint32_t ceiling, uint32_t *tails) const
  {
    if (was_background)
      count_difference (tails, pixels[0] & 0xff, min (level, ceiling));
  }

  /* Compares a row with more samples, clamped to the frame's ceiling of light. Returns the updated distances of its
   * pixels. */
  template <uint32_t first, uint32_t end> __device__ uint32_t compare (uint32_t row, uint32_t ceiling)
  {
    if (ceiling < 255)
#pragma unroll
      for (uint32_t k = first; k < end; k++)
        samples[row][k] = __vminu4 (samples[row][k], four_times (ceiling));
#pragma unroll
    for (uint32_t k = first; k < end; k += 2) {
      const uint32_t a = __vabsdiffu4 (pixels[row], samples[row][k]),
                     b = __vabsdiffu4 (pixels[row], samples[row][k + 1]);

      even[row].add (a & 0x00ff00ff, b & 0x00ff00ff);
      odd[row].add (__byte_perm (a, 0, 0x4341), __byte_perm (b, 0, 0x4341));
      background[row] = slot == k ? samples[row][k] : slot == k + 1 ? samples[row][k + 1] : background[row];
    }
    return (__vminu2 (even[row].second + evidence, 0x00ff00ff) | __vminu2 (odd[row].second + evidence, 0x00ff00ff) << 8)
           & inside;
  }

  /* Stores the distances. Those up to the lower bound of the threshold come from the first n_first samples only, and
   * may be too large. Looks for shadows only above that bound: other pixels are background anyway. Returns, packed into
   * a word, how many pixels are unlike their samples, how many of these a deep shadow explains, and how many of those
   * have a colour. */
  __device__ uint32_t store (const CcaSamplesParams &p, uint32_t ceiling, uint32_t black)
  {
    const bool removes_shadows = has_chroma && !p.keep_shadows;
    uint32_t fours[2], n = 0;
    bool is_above[2];

#pragma unroll
    for (uint32_t i = 0; i < 2; i++) {
      fours[i] = i < n_rows ? compare<0, n_first> (i, ceiling) : 0;
      is_above[i] = __vsubus4 (fours[i], four_times (least)) != 0;
    }
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
      if (is_above[i])
        load<n_first, CCA_SAMPLES_LUMA> (p, i);
#pragma unroll
    for (uint32_t i = 0; i < 2; i++) {
      if (is_above[i])
        fours[i] = compare<n_first, CCA_SAMPLES_LUMA> (i, ceiling);
      if (removes_shadows && __vsubus4 (fours[i], four_times (least))) {
        const Shadows shadows (black, background[i], Chroma (p, x, y).sample (p, cslot), pixels[i], colors);
        const uint32_t differ = ~__vcmpleu4 (fours[i], four_times (unlike));

        n += count (differ) | count (differ & shadows.deep) << COUNT_BITS
             | count (differ & shadows.coloured) << 2 * COUNT_BITS;
        fours[i] &= ~shadows.usual;
      }
      if (i < n_rows)
        four_at (p.distances + place (p, i)) = fours[i];
    }
    return n;
  }
};

/* Adds a block's histogram to the frame's. */
__device__ static void
add_histogram (uint32_t *sums, const uint32_t (&histogram)[256])
{
  const uint32_t n = histogram[thread_index ()];

  if (n > 0)
    atomicAdd (&sums[thread_index ()], n);
}

/* Sets *value to the quantile of a histogram, 1/16 level. Each thread has the count of a level, and the sum up to it.
 * All threads call it. */
__device__ static void
find_quantile (uint32_t part, uint32_t count, uint32_t up_to_here, int32_t *value)
{
  CcaSamplesQuantile quantile;

  if (reaches (part, count, up_to_here, &quantile))
    *value = cca_samples_interpolate (quantile, part);
}

__device__ static void
find_threshold (const CcaSamplesParams &p)
{
  __shared__ int32_t noise_median, tail_most, tail_median;
  CcaSamplesState *const state = p.state;
  const uint32_t n_noise = take (&state->noises[thread_index ()]), n_tail = take (&state->tails[thread_index ()]);
  uint32_t n_noises, n_tails;
  const uint32_t noises = block_inclusive_sum<CCA_BLOCK> (n_noise, &n_noises),
                 tails = block_inclusive_sum<CCA_BLOCK> (n_tail, &n_tails);

  find_quantile (n_noises / 2, n_noise, noises, &noise_median);
  find_quantile (cca_samples_percent (n_tails, 90), n_tail, tails, &tail_most);
  find_quantile (cca_samples_percent (n_tails, 50), n_tail, tails, &tail_median);
  __syncthreads ();
  if (thread_index () > 0)
    return;

  const int32_t before = state->halves[state->half].noise;
  const int32_t noise = n_noises > 0 ? cca_samples_average (noise_median, state->past.t, before) : before;
  const int32_t tail = n_tails > 0 ? cca_samples_excess (tail_most, tail_median) : 0;
  const uint8_t threshold = cca_samples_threshold ((uint8_t) p.tolerance, noise, tail);

  state->halves[1 - state->half].noise = noise;
  state->threshold = threshold;
  state->most = cca_samples_limit (threshold, tail);
}

/* The kernel before, cca_samples_light, waits for its own predecessor before it triggers this one. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK, max_threads < 5 * CCA_BLOCK ? 4 : 5) cca_samples_distance (const CcaSamplesParams p)
{
  trigger_next_grid ();
  Patch patch;

  patch.prepare (p);
  grid_dependency_sync ();
  constexpr uint32_t n_blocks = 128 / CCA_SAMPLES_BLOCK;
  static_assert (2 * CCA_BLOCK / warp_size == CCA_SAMPLES_BLOCK, "a block of threads has a row of blocks of pixels");
  __shared__ uint32_t noises[256], tails[256], table[64], shades[n_blocks];
  CcaSamplesState *const state = p.state;
  const CcaSamplesHalf &half = state->halves[1 - patch.half];
  const uint32_t thread = thread_index (), ceiling = half.ceiling, black = state->black;

  noises[thread] = tails[thread] = 0;
  if (thread < n_blocks)
    shades[thread] = 0;
  if (thread < 64)
    table[thread] = half.table[thread];

  const bool is_identity = __syncthreads_and (thread >= 64 || table[thread] == identity_word (thread));

  if (!patch.is_first && !is_identity)
    patch.relight (p, table);
  patch.add_noise (p, noises);
  if (patch.is_first)
    return;
  patch.add_tail (ceiling, tails);

  const uint32_t n = patch.store (p, ceiling, black);
  const uint32_t block = blockIdx.x * n_blocks + thread;

  if (n > 0)
    atomicAdd (&shades[threadIdx.x * 4 / CCA_SAMPLES_BLOCK], n);
  __syncthreads ();
  if (thread < n_blocks && block < p.blocks_x)
    p.shades[blockIdx.y * p.blocks_x + block] = { shades[thread] & MOST_COUNT,
                                                  shades[thread] >> COUNT_BITS & MOST_COUNT,
                                                  shades[thread] >> 2 * COUNT_BITS };
  add_histogram (state->noises, noises);
  add_histogram (state->tails, tails);
  if (is_last_block (&state->n_distance))
    find_threshold (p);
}
