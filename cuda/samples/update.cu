/* gst-cca: the background model SAMPLES: what it learns from the frame; the mask in the frame's coordinates
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread has four pixels of two rows, which share two chroma samples, and changes what the model has of them alone.
 * It reads of others what this kernel does not write. The block that ends last makes the frame the last one.
 */
#include "cuda/kernels/region.cuh"
#include "cuda/samples/samples.cuh"

/* What a frame is for the model. */
enum class Frame
{
  FIRST,
  LEARNT, /* as a whole */
  USUAL,
  CHANGED, /* the scene: the next one is the first */
};

/* What all threads need of the frame. */
struct Scene
{
  const CcaSamplesParams &p;
  const CcaSamplesState &state;
  const CcaSamplesStep step;
  const uint32_t *const before, *const now; /* raw masks: of the last frame and of this one */
  const int32_t *const ghosts;
  const Frame frame;

  __device__ static Frame frame_of (const CcaSamplesParams &p, bool learning)
  {
    if (p.state->t == 0)
      return Frame::FIRST;
    if (learning)
      return Frame::LEARNT;
    return CCA_SAMPLES_CHANGE (p.state->n_foreground, (uint64_t) p.width * p.height) ? Frame::CHANGED : Frame::USUAL;
  }
  __device__ explicit Scene (const CcaSamplesParams &p_)
      : p (p_), state (*p.state), step (cca_samples_step (p.learning, state.t)),
        before (foreground_half (p, state.half)), now (foreground_half (p, 1 - state.half)),
        ghosts (p.ghosts + (1 - state.half) * (p.blocks_x * p.blocks_y)), frame (frame_of (p, step.learning))
  {
  }

  /* Returns bits for the pixels from x on that random numbers choose in a row of luma or chroma. */
  __device__ uint32_t chosen (uint32_t x, uint32_t y, uint32_t salt) const
  {
    const uint32_t place = (cca_samples_offset (step.hash, y, salt) + x) % CCA_SAMPLES_RANDOM, word = place / 32;

    return __funnelshift_r (state.taken[word], state.taken[(word + 1) % CCA_SAMPLES_TAKEN], place % 32);
  }

  /* Tells whether there is a ghost in the blocks around a pixel. */
  __device__ bool is_ghost (uint32_t x, uint32_t y) const
  {
    const uint32_t column = x / CCA_SAMPLES_BLOCK, row = y / CCA_SAMPLES_BLOCK;
    int32_t sum = 0;

    for (uint32_t j = max (row, 1u) - 1; j <= min (row + 1, p.blocks_y - 1); j++)
      for (uint32_t i = max (column, 1u) - 1; i <= min (column + 1, p.blocks_x - 1); i++)
        sum += ghosts[j * p.blocks_x + i];
    return sum < CCA_SAMPLES_GHOST;
  }
};

/* Returns bits of the pixels from x on, a multiple of 4, and those beside them by dx. */
__device__ static uint32_t
bits_beside (const CcaSamplesParams &p, const uint32_t *foreground, uint32_t x, uint32_t y, int32_t dx)
{
  const uint32_t *const row = foreground + (size_t) y * p.row_words;
  const uint32_t word = x / 32, first = x % 32, here = row[word];

  if (dx > 0) {
    const uint32_t after = first == 28 && word + 1 < p.row_words ? row[word + 1] : 0;

    return __funnelshift_r (here, after, first + 1);
  }
  if (dx < 0 && first == 0)
    return here << 1 | (word > 0 ? row[word - 1] >> 31 : 0);
  return dx < 0 ? here >> (first - 1) : here >> first;
}

__device__ static uint32_t
pixels_beside (const CcaSamplesParams &p, uint32_t x, uint32_t y, int32_t dx)
{
  uint8_t *const at = p.pixels + luma_place (p, x, y);
  const uint32_t here = four_at (at);

  if (dx > 0)
    return __funnelshift_r (here, x + 4 < p.row_words * 32 ? four_at (at + 4) : 0, 8);
  if (dx < 0)
    return here << 8 | (x > 0 ? at[-1] : 0);
  return here;
}

/* Makes all samples of four pixels where `mask` is set. */
__device__ static void
set_luma (const CcaSamplesParams &p, size_t place, uint32_t pixels, uint32_t mask)
{
  const size_t plane = luma_plane (p);

  for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++) {
    uint32_t &sample = four_at (p.luma + k * plane + place);

    sample = choose_bytes (mask, pixels, sample);
  }
}

/* Makes the sample `slot` of two chroma pixels where `mask` is set, or all samples where `all` is. */
__device__ static void
set_chroma (const CcaSamplesParams &p, uint32_t slot, uint32_t x, uint32_t y, uint32_t mask, uint32_t all)
{
  const size_t plane = chroma_plane (p), place = chroma_place (p, x, y);

  if ((mask | all) == 0)
    return;
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t colors = two_at (p.colors + i * plane + place);

    for (uint32_t k = 0; k < CCA_SAMPLES_CHROMA; k++) {
      uint16_t &sample = two_at (p.chroma + (i * CCA_SAMPLES_CHROMA + k) * plane + place);
      const uint32_t taken = k == slot ? mask | all : all;

      if (taken & 0xffff)
        sample = (uint16_t) choose_bytes (taken, colors, sample);
    }
  }
}

/* Begins a model of a row's four pixels. */
__device__ static void
begin_pixels (const CcaSamplesParams &p, uint32_t x, uint32_t y)
{
  const size_t place = luma_place (p, x, y);

  set_luma (p, place, four_at (p.pixels + place), all_lanes);
  four_at (p.flips + place) = 0;
  four_at (p.candidate + place) = 0;
  four_at (p.still + place) = 0;
}

/* Counts how often four pixels have changed and how long they have stood still. Returns those that are ghosts. */
__device__ static uint32_t
watch_pixels (const Scene &scene, uint32_t x, uint32_t y, uint32_t pixels, uint32_t foreground, uint32_t before)
{
  const CcaSamplesParams &p = scene.p;
  const size_t place = luma_place (p, x, y);
  uint32_t &flips = four_at (p.flips + place), &candidate = four_at (p.candidate + place),
           &still = four_at (p.still + place);
  const uint32_t same = __vcmpleu4 (__vabsdiffu4 (pixels, candidate), four_times (scene.state.threshold));
  const uint32_t n_still = __vaddus4 (still, 0x01010101) & same & foreground;
  uint32_t ghosts = __vcmpgeu4 (n_still, four_times (CCA_SAMPLES_GHOST_STILL));

  flips = choose_bytes (foreground ^ before, __vaddus4 (flips, four_times (CCA_SAMPLES_FLIP)),
                        __vsubus4 (flips, 0x01010101));
  candidate = choose_bytes (same, candidate, pixels);
  if (ghosts && !scene.is_ghost (x, y))
    ghosts = 0;
  still = n_still & ~ghosts;
  return ghosts;
}

/* Updates the slot's sample of four pixels from their own values and from neighbours. */
__device__ static void
update_pixels (const Scene &scene, uint32_t x, uint32_t y, uint32_t pixels, uint32_t foreground)
{
  const CcaSamplesParams &p = scene.p;
  const CcaSamplesStep &step = scene.step;
  const uint32_t from = y + (uint32_t) (int32_t) step.dy; /* far beyond the height for -1 */
  const uint32_t inside = bytes_before (x, p.width - 1) & (x > 0 ? all_lanes : ~0xffu);
  const uint32_t own = bytes_of_bits (scene.chosen (x, y, 0)) & ~foreground;
  uint32_t spread = bytes_of_bits (scene.chosen (x, y, CCA_SAMPLES_SALT_NEIGHBOUR)) & inside, neighbours = 0;

  if (from >= p.height)
    spread = 0;
  if (spread) {
    spread &= ~bytes_of_bits (bits_beside (p, scene.before, x, from, step.dx));
    neighbours = pixels_beside (p, x, from, step.dx);
  }
  if (own | spread) {
    uint32_t &sample = four_at (p.luma + step.slot * luma_plane (p) + luma_place (p, x, y));

    sample = choose_bytes (spread, neighbours, choose_bytes (own, pixels, sample));
  }
}

/* Returns bytes of the two chroma samples that four pixels share: 0xff where one of a pair is set. */
__device__ static uint32_t
pairs_of (uint32_t bytes)
{
  return (bytes & 0xffff ? 0xffu : 0) | (bytes >> 16 ? 0xff00u : 0);
}

__device__ static void
learn_usual (const Scene &scene, uint32_t x, uint32_t y)
{
  const CcaSamplesParams &p = scene.p;
  uint32_t all_foreground = 0, all_ghosts = 0;

  for (uint32_t i = 0; i < 2 && y + i < p.height; i++) {
    const size_t place = luma_place (p, x, y + i);
    const uint32_t pixels = four_at (p.pixels + place);
    const uint32_t foreground = bytes_of_bits (bits_beside (p, scene.now, x, y + i, 0)),
                   before = bytes_of_bits (bits_beside (p, scene.before, x, y + i, 0));
    const uint32_t ghosts = watch_pixels (scene, x, y + i, pixels, foreground, before);

    if (ghosts)
      set_luma (p, place, pixels, ghosts);
    update_pixels (scene, x, y + i, pixels, foreground);
    all_foreground |= foreground;
    all_ghosts |= ghosts;
  }
  if (p.has_chroma) {
    const uint32_t chosen = bytes_of_bits (scene.chosen (x / 2, y / 2, CCA_SAMPLES_SALT_CHROMA));

    set_chroma (p, scene.step.cslot, x, y, chosen & 0xffff & ~pairs_of (all_foreground), pairs_of (all_ghosts));
  }
}

__device__ static void
learn (const Scene &scene, uint32_t x, uint32_t y)
{
  const CcaSamplesParams &p = scene.p;
  const uint32_t slot = scene.step.slot;

  switch (scene.frame) {
    case Frame::FIRST:
      for (uint32_t i = 0; i < 2 && y + i < p.height; i++)
        begin_pixels (p, x, y + i);
      if (p.has_chroma)
        set_chroma (p, 0, x, y, 0, 0xffff);
      break;
    case Frame::LEARNT:
      for (uint32_t i = 0; i < 2 && y + i < p.height; i++) {
        const size_t place = luma_place (p, x, y + i);

        four_at (p.luma + slot * luma_plane (p) + place) = four_at (p.pixels + place);
      }
      if (p.has_chroma)
        set_chroma (p, scene.step.cslot, x, y, 0xffff, 0);
      break;
    case Frame::USUAL: learn_usual (scene, x, y); break;
    case Frame::CHANGED: break;
  }
}

/* Returns word i of a row of bits that goes on beyond the image as it ends there. */
__device__ static uint32_t
word_beyond (const uint32_t *row, int32_t i, uint32_t width)
{
  const int32_t last = (int32_t) ((width - 1) / 32);
  const uint32_t end = row[last] >> (width - 1) % 32 & 1 ? all_lanes : 0;

  if (i < 0)
    return row[0] & 1 ? all_lanes : 0;
  if (i > last)
    return end;
  return i < last ? row[i]
                  : (row[i] & valid_bits ((uint32_t) i * 32, width)) | (end & ~valid_bits ((uint32_t) i * 32, width));
}

/* Stores a word of the mask: the raw one, where the camera has moved to. */
__device__ static void
store_mask (const Scene &scene, const CcaSamplesMaskParams &q, uint32_t word, uint32_t y)
{
  const CcaSamplesParams &p = scene.p;
  uint32_t bits = 0;

  if (scene.frame == Frame::USUAL) {
    const int32_t x = (int32_t) (word * 32) - cca_samples_whole (scene.state.shift_x);
    const int32_t from = clamp ((int32_t) y - cca_samples_whole (scene.state.shift_y), 0, (int32_t) p.height - 1);
    const uint32_t *const row = scene.now + (size_t) from * p.row_words;

    bits = __funnelshift_r (word_beyond (row, x >> 5, p.width), word_beyond (row, (x >> 5) + 1, p.width),
                            (uint32_t) x & 31);
  }
  const size_t place = (size_t) y * p.row_words + word;

  q.bits[place] = within (q.region, place, (q.invert ? ~bits : bits) & valid_bits (word * 32, p.width));
}

/* Makes this frame the last one. */
__device__ static void
finish_frame (const CcaSamplesMaskParams &q, Frame frame)
{
  CcaSamplesState *const state = q.samples.state;
  CcaSamplesHalf &half = state->halves[1 - state->half];
  const uint32_t i = thread_index ();

  if (frame == Frame::FIRST) {
    if (i < 64)
      half.table[i] = identity_word (i);
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
  *q.scene_change = frame == Frame::CHANGED;
  state->half = 1 - state->half;
  state->t = frame == Frame::CHANGED ? 0 : state->t + 1;
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_update (const CcaSamplesMaskParams q)
{
  trigger_then_sync ();
  const CcaSamplesParams &p = q.samples;
  const Scene scene (p);
  const uint32_t x = (blockIdx.x * warp_size + threadIdx.x) * 4, y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
  const uint32_t row = y + lane_index () / 4, word = blockIdx.x * 4 + lane_index () % 4;

  if (y < p.height && x < p.width)
    learn (scene, x, y);
  if (lane_index () < 8 && row < p.height)
    store_mask (scene, q, word, row);
  if (is_last_block (&p.state->n_update))
    finish_frame (q, scene.frame);
}
