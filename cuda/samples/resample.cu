/* gst-cca: the background model SAMPLES: the frame, smoothed, in the model's coordinates; histograms for its light
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block has 128 x 16 pixels, and their 64 x 8 samples of U and of V. It loads their source pixels into shared memory,
 * in words. Each thread computes four pixels of two rows and four samples of chroma: dot products of a row's bytes with
 * the weights along x, then sums with the weights along y.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t block_rows = 16, half_rows = block_rows / 2, half_warp = warp_size / 2;

/* How one plane is resampled: the place from which a block's first value comes, and the four weights along each
 * axis. */
struct Move
{
  int32_t x, y;       /* x is a multiple of 4 … */
  uint32_t bits;      /* … and the value is this many bits later */
  uint32_t weights_x; /* bytes of a word */
  uint32_t weights_y;

  __device__ Move (uint32_t to_x, uint32_t to_y, int32_t shift_x, int32_t shift_y)
      : x ((int32_t) to_x + (shift_x >> 2) - 1), y ((int32_t) to_y + (shift_y >> 2) - 1), bits (x % 4u * 8),
        weights_x (pack_weights (shift_x)), weights_y (pack_weights (shift_y))
  {
    x &= ~3;
  }
  __device__ static uint32_t pack_weights (int32_t shift)
  {
    uint8_t weights[4];

    cca_samples_weights (shift, weights);
    return weights[0] | (uint32_t) weights[1] << 8 | (uint32_t) weights[2] << 16 | (uint32_t) weights[3] << 24;
  }
};

/* The source of n_rows rows of n_words words: three more rows, and up to two more words. */
template <uint32_t n_rows, uint32_t n_words> struct Tile
{
  static constexpr uint32_t rows = n_rows + 3, row_words = n_words + 2;

  uint32_t words[rows][row_words];

  /* Computes four values of each of n rows, from any row of the block on. */
  template <uint32_t n>
  __device__ void smooth (uint32_t word, uint32_t row, const Move &move, uint32_t (&values)[n]) const
  {
    /* Two sums to a word: 16 bits hold 256 times a value. */
    uint32_t first[n], second[n];

#pragma unroll
    for (uint32_t i = 0; i < n; i++)
      first[i] = second[i] = 0x00800080;
#pragma unroll
    for (uint32_t j = 0; j < n + 3; j++) {
      const uint32_t *const from = words[row + j] + word;
      const uint32_t here = __funnelshift_r (from[0], from[1], move.bits),
                     next = __funnelshift_r (from[1], from[2], move.bits);
      const uint32_t sums_first = sum_of_two (here, __funnelshift_r (here, next, 8), move),
                     sums_second =
                         sum_of_two (__funnelshift_r (here, next, 16), __funnelshift_r (here, next, 24), move);

#pragma unroll
      for (uint32_t i = 0; i < n; i++)
        if (j >= i && j < i + 4) {
          const uint32_t weight = move.weights_y >> 8 * (j - i) & 0xff;

          first[i] += weight * sums_first;
          second[i] += weight * sums_second;
        }
    }
#pragma unroll
    for (uint32_t i = 0; i < n; i++)
      values[i] = __byte_perm (first[i], second[i], 0x7531);
  }

private:
  /* Returns the sums along x for two values, from their four bytes each. */
  __device__ static uint32_t sum_of_two (uint32_t lower, uint32_t upper, const Move &move)
  {
    return __dp4a (lower, move.weights_x, __dp4a (upper, move.weights_x, 0u) << 16);
  }
};

typedef Tile<block_rows, warp_size> LumaTile;
typedef Tile<half_rows, half_warp> ChromaTile;

/* A thread's part of a block's luma. All loads come before the first store, so that they overlap. */
class LumaWords {
  static constexpr uint32_t n_words = LumaTile::rows * LumaTile::row_words,
                            each = (n_words + CCA_BLOCK - 1) / CCA_BLOCK;

  uint32_t words[each];

public:
  /* Loads the pixels; beyond the image, the nearest ones. */
  template <typename Pixels>
  __device__ LumaWords (const CcaSamplesFrameParams &q, const Pixels &pixels, const Move &move)
  {
    const CcaSamplesParams &p = q.samples;

#pragma unroll
    for (uint32_t k = 0; k < each; k++) {
      const uint32_t i = min (k * CCA_BLOCK + thread_index (), n_words - 1), row = i / LumaTile::row_words,
                     word = i % LumaTile::row_words;
      const uint32_t y = (uint32_t) clamp (move.y + (int32_t) row, 0, (int32_t) p.height - 1);

      words[k] = load_four (pixels, q.pixels + y * q.pitch, move.x + 4 * (int32_t) word, p.width);
    }
  }
  __device__ void store (LumaTile &tile) const
  {
#pragma unroll
    for (uint32_t k = 0; k < each; k++)
      if (k * CCA_BLOCK + thread_index () < n_words)
        tile.words[0][k * CCA_BLOCK + thread_index ()] = words[k];
  }
};

/* Four samples of U and of V; beyond the row, the nearest one. */
class Colors {
  uint32_t u, v;
  bool are_pairs = false, v_first = false; /* eight interleaved bytes of U and V, not split yet */

public:
  __device__ void load (const CcaSamplesChroma &chroma, int32_t x, uint32_t y, uint32_t width)
  {
    const uint8_t *const row_u = chroma.planes[0] + (2 * y >> chroma.shift_y) * chroma.pitch, *const row_v =
                                                                                                  chroma.planes[1]
                                                                                                  + (2 * y
                                                                                                     >> chroma.shift_y)
                                                                                                        * chroma.pitch;
    const uint8_t *const pairs = (row_u < row_v ? row_u : row_v) + 2 * x;
    const bool is_inside = x >= 0 && (uint32_t) x + 4 <= width && chroma.shift_x == 1;

    if (is_inside && chroma.step == 2 && (row_u + 1 == row_v || row_v + 1 == row_u) && (uintptr_t) pairs % 8 == 0) {
      const uint2 eight = *(const uint2 *) pairs;

      u = eight.x;
      v = eight.y;
      are_pairs = true;
      v_first = row_v < row_u;
    } else if (is_inside && chroma.step == 1 && ((uintptr_t) (row_u + x) | (uintptr_t) (row_v + x)) % 4 == 0) {
      u = *(const uint32_t *) (row_u + x);
      v = *(const uint32_t *) (row_v + x);
    } else {
      u = v = 0;
      for (int32_t i = 0; i < 4; i++) {
        const uint32_t from = (uint32_t) clamp (x + i, 0, (int32_t) width - 1);
        const size_t place = (2 * from >> chroma.shift_x) * (size_t) chroma.step;

        u |= (uint32_t) row_u[place] << 8 * i;
        v |= (uint32_t) row_v[place] << 8 * i;
      }
    }
  }
  __device__ void part ()
  {
    const uint32_t even = __byte_perm (u, v, 0x6420), odd = __byte_perm (u, v, 0x7531);

    if (!are_pairs)
      return;
    u = v_first ? odd : even;
    v = v_first ? even : odd;
  }
  __device__ uint32_t plane (uint32_t i) const { return i == 0 ? u : v; }
};

/* A thread's part of a block's chroma, in the same way. */
class ChromaWords {
  static constexpr uint32_t n_words = ChromaTile::rows * ChromaTile::row_words;
  static_assert (n_words <= CCA_BLOCK, "a thread has one of U and one of V");

  Colors colors;

public:
  __device__ ChromaWords (const CcaSamplesFrameParams &q, const Move &move)
  {
    const uint32_t width = (q.samples.width + 1) / 2, height = (q.samples.height + 1) / 2;
    const uint32_t row = thread_index () / ChromaTile::row_words, word = thread_index () % ChromaTile::row_words;

    if (q.samples.has_chroma && thread_index () < n_words)
      colors.load (q.chroma, move.x + 4 * (int32_t) word,
                   (uint32_t) clamp (move.y + (int32_t) row, 0, (int32_t) height - 1), width);
  }
  __device__ void store (ChromaTile (&tiles)[2])
  {
    colors.part ();
    if (thread_index () < n_words)
      for (uint32_t i = 0; i < 2; i++)
        tiles[i].words[0][thread_index ()] = colors.plane (i);
  }
};

/* A block's counts of points; in shared memory. */
struct Counts
{
  uint32_t blacks[256], n_kept;

  /* All threads call clear () and add (). */
  __device__ void clear ()
  {
    blacks[thread_index ()] = 0;
    if (thread_index () == 0)
      n_kept = 0;
  }
  __device__ void finish (CcaSamplesState *state) const
  {
    __syncthreads ();
    if (blacks[thread_index ()] > 0)
      atomicAdd (&state->blacks[thread_index ()], blacks[thread_index ()]);
    if (thread_index () == 0 && n_kept > 0)
      atomicAdd (&state->n_kept, n_kept);
  }
};

/* A lane's point of the light: its first pixel, if the row is on the grid. */
struct Point
{
  bool exists = false, was_foreground = false;
  uint32_t x, y;
  uint32_t first, level = 0; /* its first sample, and the mean of all */

  /* Loads the background; it is older than the shift. */
  __device__ void prepare (const CcaSamplesParams &p)
  {
    uint32_t sum = CCA_SAMPLES_LUMA / 2;

    x = (blockIdx.x * warp_size + threadIdx.x) * 4;
    y = blockIdx.y * block_rows + 2 * threadIdx.y;
    exists = p.state->past.t > 0 && is_light_point (p, x, y);
    if (!exists)
      return;

    const size_t place = luma_place (p, x, y);

    was_foreground = foreground_half (p, p.state->half)[(size_t) y * p.row_words + x / 32] >> x % 32 & 1;
    first = p.luma[place];
#pragma unroll
    for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++)
      sum += p.luma[k * luma_plane (p) + place];
    level = sum / CCA_SAMPLES_LUMA;
  }

  /* Stores the level for the distances, and counts the points of a warp. All its lanes call it. */
  __device__ void add (const CcaSamplesParams &p, Counts &counts, uint32_t pixel) const
  {
    const uint32_t key = exists ? (was_foreground * CCA_SAMPLES_LIGHT_BINS + level / 4) * CCA_SAMPLES_LIGHT_ENTRIES
                                      + pixel + 3 - level % 4
                                : UINT32_MAX;
    const uint32_t same = __match_any_sync (all_lanes, key),
                   kept = __ballot_sync (all_lanes, exists && !was_foreground);

    if (exists) {
      light_level (p, x, y) = (uint8_t) level;
      atomicAdd (&counts.blacks[first], 1u);
      if ((same & lanes_before ()) == 0)
        atomicAdd (&p.state->lights[0][0][0] + key, (uint32_t) __popc (same));
    }
    if (lane_index () == 0)
      atomicAdd (&counts.n_kept, (uint32_t) __popc (kept));
  }
};

/* Stores four pixels of two rows. Returns the upper ones. */
__device__ static uint32_t
make_luma (const CcaSamplesParams &p, const LumaTile &tile, const Move &move, uint32_t x, uint32_t y)
{
  uint32_t rows[2];

  tile.smooth (threadIdx.x, 2 * threadIdx.y, move, rows);
  for (uint32_t i = 0; i < 2; i++)
    if (y + i < p.height)
      four_at (p.pixels + luma_place (p, x, y + i)) = rows[i] & bytes_before (x, p.width);
  return rows[0];
}

/* Stores two pairs of U and V. The lower half of a warp has computed four U, the upper one four V; they exchange two.
 * All lanes of a warp call it. */
__device__ static void
make_chroma (const CcaSamplesParams &p, const ChromaTile (&tiles)[2], const Move &move)
{
  const uint32_t plane = threadIdx.x / half_warp, word = threadIdx.x % half_warp;
  const uint32_t x = (blockIdx.x * half_warp + word) * 4, y = blockIdx.y * half_rows + threadIdx.y;
  uint32_t rows[1];

  if (2 * y >= p.height)
    return;
  tiles[plane].smooth (word, threadIdx.y, move, rows);

  const uint32_t others = __shfl_xor_sync (all_lanes, rows[0], half_warp);

  four_at (p.colors + chroma_place (p, 2 * x + 4 * plane, 2 * y)) =
      plane == 0 ? __byte_perm (rows[0], others, 0x5140) : __byte_perm (others, rows[0], 0x7362);
}

template <typename Pixels>
__device__ static void
resample (const CcaSamplesFrameParams &q, const Pixels pixels, const Point &point)
{
  __shared__ LumaTile luma;
  __shared__ ChromaTile chroma[2];
  __shared__ Counts counts;
  const CcaSamplesParams &p = q.samples;
  CcaSamplesState *const state = p.state;
  const bool is_first = state->past.t == 0;
  const int32_t shift_x = is_first ? 0 : state->shift_x, shift_y = is_first ? 0 : state->shift_y;
  const Move move (blockIdx.x * warp_size * 4, blockIdx.y * block_rows, shift_x, shift_y),
      chroma_move (blockIdx.x * half_warp * 4, blockIdx.y * half_rows, shift_x >> 1, shift_y >> 1);
  const LumaWords luma_words (q, pixels, move);
  ChromaWords chroma_words (q, chroma_move);

  counts.clear ();
  luma_words.store (luma);
  chroma_words.store (chroma);
  __syncthreads ();

  const uint32_t upper = make_luma (p, luma, move, point.x, point.y);

  if (p.has_chroma)
    make_chroma (p, chroma, chroma_move);
  if (is_first)
    return;
  if (point.y % CCA_SAMPLES_LIGHT_GRID == 0)
    point.add (p, counts, upper & 0xff);
  counts.finish (state);
}

/* The kernel before, cca_samples_shift, waits for its own predecessor before it triggers these. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_resample (const CcaSamplesFrameParams q)
{
  trigger_next_grid ();
  Point point;

  point.prepare (q.samples);
  grid_dependency_sync ();
  resample (q, Byte (q.reading), point);
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_resample_half (const CcaSamplesFrameParams q)
{
  trigger_next_grid ();
  Point point;

  point.prepare (q.samples);
  grid_dependency_sync ();
  resample (q, Half (q.reading), point);
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_resample_rgb (const CcaSamplesFrameParams q)
{
  trigger_next_grid ();
  Point point;

  point.prepare (q.samples);
  grid_dependency_sync ();
  resample (q, Rgb (q.reading), point);
}
