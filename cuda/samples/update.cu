/* gst-cca: the background model SAMPLES: its update by the frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread has four pixels of two rows, which share two chroma samples, and changes only their part of the model. Of
 * other pixels it reads only data that this kernel does not write. It loads everything but the ghosts while these are
 * being computed. The last block to finish ends the frame.
 */
#include "cuda/samples/samples.cuh"

/* What all threads need to know of the frame. */
struct Scene
{
  CcaSamplesStep step;
  Frame frame;
  uint32_t half; /* the half that the last frame wrote */
  uint32_t threshold;
  const uint32_t *before, *now; /* raw masks: of the last frame and of this one */

  /* Returns whether the model observes the pixels of the frame, even if it does not learn them. */
  __device__ bool follows () const { return frame == Frame::USUAL || frame == Frame::CHANGED; }

  __device__ void prepare (const CcaSamplesParams &p)
  {
    step = cca_samples_step (p.learning, p.state->past.t);
    frame = frame_of (p);
    half = p.state->half;
    threshold = p.state->threshold;
    before = foreground_half (p, half);
    now = foreground_half (p, 1 - half);
  }
};

/* The pixels of a block that the random numbers choose; in shared memory. */
struct Chance
{
  static constexpr uint32_t n_rows = 16, n_offsets = n_rows / 2 * 5;

  uint32_t taken[CCA_SAMPLES_TAKEN + 1];    /* wraps around */
  uint32_t own[n_rows], neighbours[n_rows]; /* offsets of rows, … */
  uint32_t chroma[n_rows / 2];              /* … and of rows of chroma */

  /* All threads call it. */
  __device__ void prepare (const CcaSamplesParams &p, uint32_t hash)
  {
    const uint32_t i = thread_index (), y = blockIdx.y * n_rows;

    if (i <= CCA_SAMPLES_TAKEN)
      taken[i] = p.state->taken[i % CCA_SAMPLES_TAKEN];
    if (i < n_rows)
      own[i] = cca_samples_offset (hash, y + i, 0);
    else if (i < 2 * n_rows)
      neighbours[i - n_rows] = cca_samples_offset (hash, y + i - n_rows, CCA_SAMPLES_SALT_NEIGHBOUR);
    else if (i < n_offsets)
      chroma[i - 2 * n_rows] = cca_samples_offset (hash, y / 2 + i - 2 * n_rows, CCA_SAMPLES_SALT_CHROMA);
    __syncthreads ();
  }

  /* Returns bytes of 0xff for the chosen ones of four pixels from x on, in a row of this offset. */
  __device__ uint32_t chosen (uint32_t offset, uint32_t x) const
  {
    const uint32_t place = (offset + x) % CCA_SAMPLES_RANDOM;

    return bytes_of_bits (__funnelshift_r (taken[place / 32], taken[place / 32 + 1], place % 32));
  }
};

/* Returns for how many frames a pixel must stand still before the model learns it. */
__device__ static uint32_t
still_least (const CcaSamplesParams &p, const CcaSamplesEdges *edges, uint32_t x, uint32_t y,
             const CcaSamplesStep &step)
{
  const uint32_t column = x / CCA_SAMPLES_BLOCK, row = y / CCA_SAMPLES_BLOCK;
  CcaSamplesEdges around = { 0, 0 };

  for (uint32_t j = max (row, 1u) - 1; j <= min (row + 1, p.blocks_y - 1); j++)
    for (uint32_t i = max (column, 1u) - 1; i <= min (column + 1, p.blocks_x - 1); i++) {
      around.all += edges[j * p.blocks_x + i].all;
      around.steady += edges[j * p.blocks_x + i].steady;
    }
  return cca_samples_still_least (around, &step);
}

/* Return the bits of pixels from x on, a multiple of 4, and of their neighbours at dx; undefined beyond the row. */
__device__ static uint32_t
bits_at (const CcaSamplesParams &p, const uint32_t *foreground, uint32_t x, uint32_t y)
{
  return foreground[(size_t) y * p.row_words + x / 32] >> x % 32;
}

__device__ static uint32_t
bits_beside (const CcaSamplesParams &p, const uint32_t *foreground, uint32_t x, uint32_t y, int32_t dx)
{
  const uint32_t *const row = foreground + (size_t) y * p.row_words;
  const int32_t from = (int32_t) x + dx, word = from >> 5;

  return __funnelshift_r (row[max (word, 0)] & (word < 0 ? 0 : all_lanes),
                          row[min (word + 1, (int32_t) p.row_words - 1)], (uint32_t) from % 32);
}

/* Returns the neighbours at dx of four pixels from x on; undefined beyond the row. */
__device__ static uint32_t
pixels_beside (const CcaSamplesParams &p, uint32_t x, uint32_t y, int32_t dx)
{
  uint8_t *const row = p.pixels + luma_place (p, 0, y);
  const uint32_t here = four_at (row + x),
                 beside = four_at (row + clamp ((int32_t) x + 4 * dx, 0, (int32_t) (p.width - 1) & ~3));

  return dx > 0 ? __funnelshift_r (here, beside, 8) : dx < 0 ? __funnelshift_l (beside, here, 8) : here;
}

/* Sets all samples of four pixels where `mask` is set. */
__device__ static void
set_luma (const CcaSamplesParams &p, size_t place, uint32_t pixels, uint32_t mask)
{
  const size_t plane = luma_plane (p);

  for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++) {
    uint32_t &sample = four_at (p.luma + k * plane + place);

    sample = choose_bytes (mask, pixels, sample);
  }
}

/* Stores the bytes of a word where `mask` is set. */
__device__ static void
store_bytes (uint8_t *bytes, uint32_t word, uint32_t mask)
{
#pragma unroll
  for (uint32_t i = 0; i < 4; i++)
    if (mask >> 8 * i & 1)
      bytes[i] = (uint8_t) (word >> 8 * i);
}

/* Stores two pairs of U and V where a byte of `mask` is set. */
__device__ static void
store_pairs (uint8_t *pairs, uint32_t word, uint32_t mask)
{
#pragma unroll
  for (uint32_t i = 0; i < 2; i++)
    if (mask >> 8 * i & 1)
      two_at (pairs + 2 * i) = (uint16_t) (word >> 16 * i);
}

/* Sets the sample `slot` of two chroma pixels where `mask` is set, or all samples where `all` is. */
__device__ static void
set_chroma (const CcaSamplesParams &p, uint32_t slot, uint32_t x, uint32_t y, uint32_t mask, uint32_t all)
{
  const size_t plane = chroma_plane (p), place = chroma_place (p, x, y);

  if (((mask | all) & 0xffff) == 0)
    return;

  const uint32_t colors = four_at (p.colors + place);
  uint8_t *const samples = p.chroma + place;

  store_pairs (samples + slot * plane, colors, mask);
  if (all)
    for (uint32_t k = 0; k < CCA_SAMPLES_CHROMA; k++)
      store_pairs (samples + k * plane, colors, all);
}

/* Starts the model of four pixels of a row. */
__device__ static void
begin_pixels (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  const size_t place = luma_place (p, x, y);

  set_luma (p, place, four_at (p.pixels + place), all_lanes);
  four_at (p.flips + place) = 0;
  four_at (p.busy + place) = 0;
  four_at (p.candidate + place) = 0;
  four_at (p.still + place) = 0;
}

/* Exchanges a word of the first CCA_SAMPLES_REMEMBERED of n planes of samples for those of a scene, and fills the other
 * planes with copies of these. */
__device__ static void
exchange_words (uint8_t *samples, uint32_t n, size_t plane, uint8_t *scene)
{
  for (uint32_t k = 0; k < CCA_SAMPLES_REMEMBERED; k++) {
    const uint32_t own = four_at (samples + k * plane);

    four_at (samples + k * plane) = four_at (scene + k * plane);
    four_at (scene + k * plane) = own;
  }
  for (uint32_t k = CCA_SAMPLES_REMEMBERED; k < n; k++)
    four_at (samples + k * plane) = four_at (samples + (k - CCA_SAMPLES_REMEMBERED) * plane);
}

/* Stores a word if it changes. */
__device__ static void
change (uint8_t *bytes, uint32_t before, uint32_t word)
{
  if (word != before)
    four_at (bytes) = word;
}

/* Four pixels of a row, and their update in a usual frame. Masks are bytes of 0xff. */
struct Row
{
  size_t place;
  uint32_t pixels, flips, busy, n_busy, unlike, candidate, still; /* n_busy: after this frame */
  uint32_t foreground, before;                                    /* in this frame and in the last one */
  uint32_t taken, values; /* where the slot's sample changes, and its new values */

  __device__ void load (const CcaSamplesParams &p, const Scene &scene, uint32_t x, uint32_t y)
  {
    place = luma_place (p, x, y);
    pixels = four_at (p.pixels + place);
    flips = four_at (p.flips + place);
    busy = four_at (p.busy + place);
    unlike = ~__vcmpleu4 (four_at (p.distances + place), four_times (scene.threshold));
    n_busy = choose_bytes (unlike, __vaddus4 (busy, four_times (CCA_SAMPLES_BUSY)),
                           __vsubus4 (busy, four_times (CCA_SAMPLES_IDLE)));
    candidate = four_at (p.candidate + place);
    foreground = bytes_of_bits (bits_at (p, scene.now, x, y));
    before = bytes_of_bits (bits_at (p, scene.before, x, y));
    still = before ? four_at (p.still + place) : 0; /* only foreground pixels stand still */
  }

  /* Chooses pixels whose value replaces their sample, and pixels whose sample a neighbour's value replaces. */
  __device__ void choose (const CcaSamplesParams &p, const Scene &scene, const Chance &chance, uint32_t x, uint32_t y)
  {
    const CcaSamplesStep &step = scene.step;
    const uint32_t from = y + (uint32_t) (int32_t) step.dy; /* far beyond the height for -1 */
    const uint32_t inside = bytes_before (x, p.width - 1) & (x > 0 ? all_lanes : ~0xffu), row = y % Chance::n_rows;
    uint32_t spread = from < p.height ? chance.chosen (chance.neighbours[row], x) & inside : 0;

    taken = chance.chosen (chance.own[row], x) & ~foreground;
    values = pixels;
    if (spread) {
      spread &= ~bytes_of_bits (bits_beside (p, scene.before, x, from, step.dx));
      values = choose_bytes (spread, pixels_beside (p, x, from, step.dx), pixels);
      taken |= spread;
    }
  }

  /* Updates the counts of changes and of still frames. Returns the ghosts' pixels. */
  __device__ uint32_t watch (const CcaSamplesParams &p, const Scene &scene, uint32_t x, uint32_t y, bool held) const
  {
    const uint32_t same = __vcmpleu4 (__vabsdiffu4 (pixels, candidate), four_times (scene.threshold));

    change (p.candidate + place, candidate, choose_bytes (same, candidate, pixels));
    if ((foreground | before | flips | busy | unlike | still) == 0)
      return 0;

    const uint32_t n_still = __vaddus4 (still, 0x01010101) & same & foreground;
    const uint32_t lowest = scene.step.young ? CCA_SAMPLES_STILL_YOUNG : CCA_SAMPLES_STILL_SETTLING;
    uint32_t ghosts = __vcmpgeu4 (n_still, four_times (lowest));

    if (held)
      ghosts = 0;
    if (ghosts) {
      const uint32_t least = still_least (p, p.edges + (1 - scene.half) * (p.blocks_x * p.blocks_y), x, y, scene.step);

      ghosts = least < CCA_SAMPLES_STILL_NEVER ? __vcmpgeu4 (n_still, four_times (least)) : 0;
    }
    change (p.flips + place, flips,
            choose_bytes (foreground ^ before, __vaddus4 (flips, four_times (CCA_SAMPLES_FLIP)),
                          __vsubus4 (flips, 0x01010101)));
    change (p.busy + place, busy, n_busy);
    change (p.still + place, still, n_still & ~ghosts);
    return ghosts;
  }
};

/* The blocks of pixels of a block of threads. */
struct Blocks
{
  static constexpr uint32_t n = 128 / CCA_SAMPLES_BLOCK; /* side by side */
};

/* Returns bytes of 0xff for the chroma samples of four pixels where one of a pair is set. */
__device__ static uint32_t
pairs_of (uint32_t bytes)
{
  return (bytes & 0xffff ? 0xffu : 0) | (bytes >> 16 ? 0xff00u : 0);
}

/* A thread's pixels: two rows, which share chroma. */
struct Patch
{
  uint32_t x, y, n_rows = 0; /* no rows beyond the image */
  uint32_t taken;            /* chroma that replaces its sample */
  bool held;                 /* in a held block: nothing is learned */
  Row rows[2];

  /* Loads data that is older than the ghosts, and prepares `chance` for this frame. All threads call it. */
  __device__ void prepare (const CcaSamplesParams &p, const Scene &scene, Chance &chance)
  {
    x = (blockIdx.x * warp_size + threadIdx.x) * 4;
    y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
    if (y < p.height && x < p.width)
      n_rows = min (p.height - y, 2u);

    const bool learns = n_rows > 0 && scene.follows ();

#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
      if (learns)
        rows[i].load (p, scene, x, min (y + i, p.height - 1));
    chance.prepare (p, scene.step.hash);
    if (!learns)
      return;
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
      rows[i].choose (p, scene, chance, x, min (y + i, p.height - 1));
    taken = chance.chosen (chance.chroma[threadIdx.y], x / 2) & ~pairs_of (rows[0].foreground | rows[1].foreground);
    held = scene.frame == Frame::CHANGED
           || (p.state->n_held > 0 && p.held[y / CCA_SAMPLES_BLOCK * p.blocks_x + x / CCA_SAMPLES_BLOCK]);
    if (held)
      taken = rows[0].taken = rows[1].taken = 0;
  }

  /* Adds the pixels' busyness to the sum of their block. */
  __device__ void add_busy (uint32_t (&sums)[Blocks::n]) const
  {
    uint32_t sum = 0;

#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
      if (i < n_rows)
        sum = __dp4a (rows[i].n_busy, 0x01010101u, sum);
    if (sum > 0)
      atomicAdd (&sums[threadIdx.x / 4], sum);
  }

  __device__ void learn_usual (const CcaSamplesParams &p, const Scene &scene) const
  {
    uint8_t *const samples = p.luma + scene.step.slot * luma_plane (p);
    uint32_t all_ghosts = 0;

#pragma unroll
    for (uint32_t i = 0; i < 2; i++) {
      if (i >= n_rows)
        break;

      const Row &row = rows[i];
      const uint32_t ghosts = row.watch (p, scene, x, y + i, held);

      if (ghosts)
        set_luma (p, row.place, row.pixels, ghosts);
      store_bytes (samples + row.place, row.values, row.taken);
      all_ghosts |= ghosts;
    }
    if (p.has_chroma)
      set_chroma (p, scene.step.cslot, x, y, taken, pairs_of (all_ghosts));
  }

  /* Exchanges the samples, if the model returns to a scene with this frame. */
  __device__ void change_scene (const CcaSamplesParams &p) const
  {
    CcaSamplesPast past = p.state->past;
    const uint32_t scene = cca_samples_move_on (&past, p.learning, true), first = scene * CCA_SAMPLES_REMEMBERED;
    const size_t luma = luma_plane (p), chroma = chroma_plane (p);

    if (scene == CCA_SAMPLES_SCENES)
      return;
    for (uint32_t i = 0; i < n_rows; i++) {
      const size_t place = luma_place (p, x, y + i);

      exchange_words (p.luma + place, CCA_SAMPLES_LUMA, luma, p.scenes + first * luma + place);
    }
    if (p.has_chroma && n_rows > 0) {
      const size_t place = chroma_place (p, x, y);

      exchange_words (p.chroma + place, CCA_SAMPLES_CHROMA, chroma, p.scene_chroma + first * chroma + place);
    }
  }

  __device__ void learn (const CcaSamplesParams &p, const Scene &scene) const
  {
    switch (scene.frame) {
      case Frame::FIRST:
        for (uint32_t i = 0; i < n_rows; i++)
          begin_pixels (p, x, y + i);
        if (p.has_chroma && n_rows > 0)
          set_chroma (p, 0, x, y, 0, 0xffff);
        break;
      case Frame::LEARNT:
        for (uint32_t i = 0; i < n_rows; i++) {
          const size_t place = luma_place (p, x, y + i);

          four_at (p.luma + scene.step.slot * luma_plane (p) + place) = four_at (p.pixels + place);
        }
        if (p.has_chroma && n_rows > 0)
          set_chroma (p, scene.step.cslot, x, y, 0xffff, 0);
        break;
      case Frame::USUAL:
      case Frame::CHANGED:
        if (n_rows > 0)
          learn_usual (p, scene);
        if (scene.frame == Frame::CHANGED)
          change_scene (p);
        break;
    }
  }
};

/* Stores the busyness of blocks of pixels after the frame. All threads call it. */
__device__ static void
store_busy (const CcaSamplesParams &p, const Scene &scene, const Patch &patch)
{
  __shared__ uint32_t sums[Blocks::n];
  const uint32_t i = thread_index (), column = blockIdx.x * Blocks::n + i;

  if (i < Blocks::n)
    sums[i] = 0;
  __syncthreads ();
  if (scene.follows ())
    patch.add_busy (sums);
  __syncthreads ();
  if (i < Blocks::n && column < p.blocks_x)
    p.moves[((1 - scene.half) * p.blocks_y + blockIdx.y) * p.blocks_x + column].busy = sums[i];
}

/* Ends the frame: updates the state for the next one. */
__device__ static void
finish_frame (const CcaSamplesParams &p, Frame frame)
{
  CcaSamplesState *const state = p.state;
  CcaSamplesHalf &half = state->halves[1 - state->half];
  const uint32_t i = thread_index ();
  CcaSamplesPast past = state->past;

  cca_samples_move_on (&past, p.learning, frame == Frame::CHANGED);

  const bool leaves = cca_samples_returns (&past) || past.t == 0;

  if ((frame == Frame::FIRST || leaves) && i < 64)
    half.table[i] = identity_word (i);
  if (frame == Frame::FIRST) {
    if (i < CCA_SAMPLES_TAKEN) {
      uint32_t bits = 0;

      for (uint32_t k = 0; k < 32; k++)
        bits |= (uint32_t) (cca_samples_random (32 * i + k) < CCA_SAMPLES_RATE) << k;
      state->taken[i] = bits;
    }
  }
  __syncthreads ();
  if (i > 0)
    return;
  if (frame == Frame::FIRST) {
    half.ceiling = 255;
    half.noise = CCA_SAMPLES_NOISE_FIRST;
  }
  state->half = 1 - state->half;
  state->past = past;
  if (leaves) {
    state->shift_x = state->shift_y = 0;
    state->leaps = {};
  }
}

/* The kernel before, cca_samples_ghosts, waits for its own predecessor before it triggers this one. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_update (const CcaSamplesParams p)
{
  trigger_next_grid ();
  __shared__ Chance chance;
  Scene scene;
  Patch patch;

  scene.prepare (p);
  patch.prepare (p, scene, chance);
  grid_dependency_sync ();
  patch.learn (p, scene);
  store_busy (p, scene, patch);
  if (is_last_block (&p.state->n_update))
    finish_frame (p, scene.frame);
}
