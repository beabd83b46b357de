/* gst-cca: the background model SAMPLES: which pixels are foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has 128 pixels of four rows, of which each lane has four pixels. Only where one of them is above the least
 * threshold does the warp look at how restless they are, and only where the background moves does it look around.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t n_rows = 4, side = CCA_SAMPLES_BLOCK;

/* The blocks of pixels that a block of threads has, 8 by 2; in shared memory. */
struct Blocks
{
  static constexpr uint32_t across = 128 / side, n = across * 32 / side;

  CcaSamplesMoving moving[n];
  bool shaded[n];
  uint32_t n_moved[n], n_other[n];

  /* Returns a block's place in the image by its number here. */
  __device__ static uint32_t column (uint32_t i) { return blockIdx.x * across + i % across; }
  __device__ static uint32_t row (uint32_t i) { return blockIdx.y * (n / across) + i / across; }

  /* Returns the number of the block that has a thread's pixels. */
  __device__ static uint32_t own () { return threadIdx.y * n_rows / side * across + threadIdx.x * 4 / side; }

  /* Calls function (place) for each of the 3x3 blocks around a block that are in the image; the loads of all are on
   * their way at once. */
  template <typename Function>
  __device__ static void for_each_around (const CcaSamplesParams &p, uint32_t i, Function function)
  {
    const uint32_t x = column (i), y = row (i);

#pragma unroll
    for (int32_t v = -1; v <= 1; v++)
#pragma unroll
      for (int32_t u = -1; u <= 1; u++)
        if (x + (uint32_t) u < p.blocks_x && y + (uint32_t) v < p.blocks_y)
          function ((y + (uint32_t) v) * p.blocks_x + x + (uint32_t) u);
  }

  __device__ static CcaSamplesMoving moving_of (const CcaSamplesParams &p, const CcaSamplesMoves *moves, uint32_t i)
  {
    CcaSamplesMoves around = { 0, 0, 0 };
    uint32_t n_around = 0;

    for_each_around (p, i, [&] (uint32_t place) {
      around.moved += moves[place].moved;
      around.other += moves[place].other;
      around.busy += moves[place].busy;
      n_around++;
    });
    return cca_samples_moving (around, n_around);
  }

  __device__ static bool is_shaded (const CcaSamplesParams &p, uint32_t i)
  {
    CcaSamplesShades around = { 0, 0 };

    for_each_around (p, i, [&] (uint32_t place) {
      around.unlike += p.shades[place].unlike;
      around.shaded += p.shades[place].shaded;
    });
    return cca_samples_shaded (around);
  }

  /* A thread prepares and stores one block. */
  __device__ void prepare (const CcaSamplesParams &p, const CcaSamplesMoves *last, bool learning)
  {
    const uint32_t i = thread_index ();

    if (i >= n)
      return;
    n_moved[i] = n_other[i] = 0;

    const bool looks = !learning && column (i) < p.blocks_x && row (i) < p.blocks_y;

    moving[i] = looks ? moving_of (p, last, i) : CCA_SAMPLES_KEEP;
    shaded[i] = looks && p.has_chroma && is_shaded (p, i);
  }
  __device__ void store (const CcaSamplesParams &p, const CcaSamplesMoves *last, CcaSamplesMoves *moves) const
  {
    const uint32_t i = thread_index (), place = row (i) * p.blocks_x + column (i);

    if (i >= n || column (i) >= p.blocks_x || row (i) >= p.blocks_y)
      return;
    moves[place].moved = p.state->t > 0 ? cca_samples_next_moves (last[place].moved, n_moved[i]) : 0;
    moves[place].other = p.state->t > 0 ? cca_samples_next_moves (last[place].other, n_other[i]) : 0;
  }
};

/* Loads the distances of four pixels; 0 outside of the image. */
__device__ static uint32_t
load_distances (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  return x < p.width && y < p.height ? four_at (p.distances + luma_place (p, x, y)) : 0;
}

/* Returns a bit for each of four pixels of the foreground. */
__device__ static uint32_t
decide (const CcaSamplesState &state, uint32_t distances, uint32_t flips, uint32_t busy)
{
  const uint32_t least = four_times (state.threshold), most = four_times (state.most);
  const uint32_t threshold = __vminu4 (__vaddus4 (least, __vminu4 (flips, busy) >> 2 & 0x3f3f3f3f), most);

  return bits_of_bytes (~__vcmpleu4 (distances, threshold));
}

/* Returns a bit for each of the four pixels at (x, y) that a sample nearby explains. */
__device__ static uint32_t
find_moved (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  const uint32_t threshold = four_times (p.state->threshold),
                 ceiling = four_times (p.state->halves[1 - p.state->half].ceiling);
  const uint32_t pixels = four_at (p.pixels + luma_place (p, x, y));
  /* Of neighbours two and one to the left, one and two to the right, those in the image. */
  const uint32_t inside[] = { x > 0 ? all_lanes : 0xffff0000u, x > 0 ? all_lanes : 0xffffff00u,
                              bytes_before (x + 1, p.width), bytes_before (x + 2, p.width) };
  const bool has_next = x + 4 < p.width;
  uint32_t found = 0;

  static_assert (CCA_SAMPLES_REACH == 2, "four neighbours of a row");
  /* Beyond the image, rows at its border come again. All samples of a row are on their way at once. */
  for (int32_t j = -CCA_SAMPLES_REACH; j <= CCA_SAMPLES_REACH; j++) {
    const size_t place = luma_place (p, x, (uint32_t) clamp ((int32_t) y + j, 0, (int32_t) p.height - 1));

#pragma unroll
    for (uint32_t k = 0; k < CCA_SAMPLES_REACHED; k++) {
      uint8_t *const row = p.luma + k * luma_plane (p) + place;
      const uint32_t here = __vminu4 (four_at (row), ceiling),
                     before = __vminu4 (four_at (row - (x > 0 ? 4 : 0)), ceiling),
                     after = __vminu4 (four_at (row + (has_next ? 4 : 0)), ceiling);
      const uint32_t beside[] = { __funnelshift_l (before, here, 16), __funnelshift_l (before, here, 8),
                                  __funnelshift_r (here, after, 8), __funnelshift_r (here, after, 16) };

      found |= __vcmpleu4 (__vabsdiffu4 (pixels, here), threshold);
#pragma unroll
      for (uint32_t i = 0; i < 4; i++)
        found |= __vcmpleu4 (__vabsdiffu4 (pixels, beside[i]), threshold) & inside[i];
    }
  }
  return bits_of_bytes (found);
}

/* Returns what remains of the foreground of the four pixels at (x, y). */
__device__ static uint32_t
drop_moved (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t bits, Blocks &blocks)
{
  const uint32_t own = Blocks::own ();

  if (bits == 0 || blocks.moving[own] == CCA_SAMPLES_KEEP)
    return bits;

  const uint32_t moved = bits & find_moved (p, x, y);

  atomicAdd (&blocks.n_moved[own], (uint32_t) __popc (moved));
  atomicAdd (&blocks.n_other[own], (uint32_t) __popc (bits ^ moved));
  return blocks.moving[own] == CCA_SAMPLES_DROP ? bits ^ moved : bits;
}

/* Returns which of the foreground of the four pixels at (x, y) is in a deep shadow. */
__device__ static uint32_t
find_shaded (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t bits, const Blocks &blocks)
{
  const CcaSamplesState &state = *p.state;

  if (bits == 0 || !blocks.shaded[Blocks::own ()])
    return 0;

  const Shadows shadows (p, cca_samples_step (p.learning, state.t), x, y, four_at (p.pixels + luma_place (p, x, y)),
                         Chroma (p, x, y).colors (p), state.halves[1 - state.half].ceiling);

  return bits & bits_of_bytes (shadows.deep);
}

/* Gives the first of each eight lanes the word of their bits. */
__device__ static uint32_t
join_lanes (uint32_t bits)
{
  bits <<= lane_index () % 8 * 4;
  for (uint32_t d = 1; d < 8; d *= 2)
    bits |= __shfl_xor_sync (all_lanes, bits, d);
  return bits;
}

/* Makes the words of four rows' foreground, and of what of it is hidden; those of the first of each eight lanes count.
 * Returns how many of a lane's pixels were foreground before some were dropped. */
__device__ static uint32_t
find_foreground (const CcaSamplesParams &p, uint32_t x, uint32_t y, Blocks &blocks, uint32_t (&words)[n_rows],
                 uint32_t (&hidden)[n_rows])
{
  const CcaSamplesState &state = *p.state;
  uint32_t distances[n_rows], above = 0, n = 0;

#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    distances[i] = load_distances (p, x, y + i);
    above |= __vsubus4 (distances[i], four_times (state.threshold));
    words[i] = hidden[i] = 0;
  }
  if (!__any_sync (all_lanes, above != 0))
    return 0;

#pragma unroll
  for (uint32_t i = 0; i < n_rows; i++) {
    if (distances[i] > 0) {
      const size_t place = luma_place (p, x, y + i);

      words[i] = decide (state, distances[i], four_at (p.flips + place), four_at (p.busy + place));
      n += (uint32_t) __popc (words[i]);
      words[i] = drop_moved (p, x, y + i, words[i], blocks);
      hidden[i] = find_shaded (p, x, y + i, words[i], blocks);
    }
    words[i] = join_lanes (words[i]);
    if (__any_sync (all_lanes, hidden[i] != 0))
      hidden[i] = join_lanes (hidden[i]);
  }
  return n;
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_decide (const CcaSamplesParams p)
{
  trigger_then_sync ();
  __shared__ uint32_t n_foreground;
  __shared__ Blocks blocks;
  CcaSamplesState *const state = p.state;
  uint32_t *const foreground = foreground_half (p, 1 - state->half);
  const uint32_t x = (blockIdx.x * warp_size + threadIdx.x) * 4, y = (blockIdx.y * blockDim.y + threadIdx.y) * n_rows;
  const uint32_t n_blocks = p.blocks_x * p.blocks_y;
  const CcaSamplesMoves *const last = p.moves + state->half * n_blocks;
  uint32_t words[n_rows] = {}, hidden[n_rows] = {}, n = 0;

  if (thread_index () == 0)
    n_foreground = 0;
  blocks.prepare (p, last, cca_samples_step (p.learning, state->t).learning);
  __syncthreads ();
  if (state->t > 0)
    n = find_foreground (p, x, y, blocks, words, hidden);
  if (lane_index () % 8 == 0)
    for (uint32_t i = 0; i < n_rows && y + i < p.height; i++) {
      const size_t place = (size_t) (y + i) * p.row_words + x / 32;

      foreground[place] = words[i];
      p.shown[place] = words[i] & ~hidden[i];
    }
  if (n > 0)
    atomicAdd (&n_foreground, n);
  __syncthreads ();
  blocks.store (p, last, p.moves + (1 - state->half) * n_blocks);
  if (thread_index () == 0 && n_foreground > 0)
    atomicAdd (&state->n_foreground, n_foreground);
}
