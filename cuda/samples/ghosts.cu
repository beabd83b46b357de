/* gst-cca: the background model SAMPLES: whether the edges of the foreground are the frame's or the background's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has a word of each of 16 rows, two blocks of pixels. Each lane has a column.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t side = CCA_SAMPLES_BLOCK;

/* Pixels of a word that are foreground beside background, to the left or right, and above or below. */
struct Border
{
  uint32_t across, along;
};

/* Returns the border in a word, within the image's frame of one pixel. */
__device__ static Border
border_of_word (const CcaSamplesParams &p, const uint32_t *foreground, uint32_t word, uint32_t y)
{
  if (y < 1 || y + 1 >= p.height)
    return { 0, 0 };

  const uint32_t *const row = foreground + (size_t) y * p.row_words;
  const uint32_t here = row[word];

  if (here == 0)
    return { 0, 0 };

  const uint32_t before = word > 0 ? row[word - 1] : 0, after = word + 1 < p.row_words ? row[word + 1] : 0;
  const uint32_t inside = here & (word == 0 ? ~1u : all_lanes) & valid_bits (word * 32, p.width - 1);

  return { inside & ~(__funnelshift_l (before, here, 1) & __funnelshift_r (here, after, 1)),
           inside & ~(row[(int32_t) word - (int32_t) p.row_words] & row[word + p.row_words]) };
}

/* Returns by how much the pixels on both sides, `distance` bytes away, differ. */
__device__ static int32_t
gradient (const uint8_t *pixel, int64_t distance)
{
  const int32_t difference = (int32_t) pixel[distance] - pixel[-distance];

  return max (difference, -difference);
}

/* Returns a lane's value summed up over the lanes of its block. All lanes call it. */
template <typename T>
__device__ static T
sum_of_block (T value)
{
  for (uint32_t d = side / 2; d > 0; d /= 2)
    value += __shfl_xor_sync (all_lanes, value, d);
  return value;
}

/* Returns what a lane's column of the border says, summed up over the columns of its block; lane i has the border of
 * row i. All lanes call it. */
__device__ static int32_t
compare_edges (const CcaSamplesParams &p, const uint8_t *samples, uint32_t x, uint32_t y, Border own)
{
  const uint32_t pitch = p.row_words * 32;
  int32_t sum = 0;

  /* Most warps have no edges. The loads of several rows are under way at once: lanes without an edge load what they
   * do not need. */
  if (!__any_sync (all_lanes, (own.across | own.along) != 0))
    return 0;
#pragma unroll 4
  for (uint32_t i = 0; i < side; i++) {
    const bool across = __shfl_sync (all_lanes, own.across, i) >> lane_index () & 1;
    const bool along = __shfl_sync (all_lanes, own.along, i) >> lane_index () & 1;
    const size_t place = across || along ? luma_place (p, x, y + i) : pitch + 1;
    const int32_t by_x = gradient (p.pixels + place, 1) - gradient (samples + place, 1),
                  by_y = gradient (p.pixels + place, pitch) - gradient (samples + place, pitch);

    sum += clamp ((across ? by_x : 0) + (along ? by_y : 0), -CCA_SAMPLES_EDGE_MOST, CCA_SAMPLES_EDGE_MOST);
  }
  return sum_of_block (sum);
}

/* Tells whether the foreground of a lane's block stands still, this frame included; lane i has the foreground of row
 * i. All lanes call it. */
__device__ static bool
stands (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t own)
{
  uint32_t n_foreground = 0, n_still = 0;

#pragma unroll 4
  for (uint32_t i = 0; i < side; i++)
    if (__shfl_sync (all_lanes, own, i) >> lane_index () & 1) {
      const size_t place = luma_place (p, x, y + i);
      const int32_t change = (int32_t) p.pixels[place] - p.candidate[place];

      n_foreground++;
      n_still +=
          p.still[place] >= CCA_SAMPLES_GHOST_STILL - 1 && (uint32_t) max (change, -change) <= p.state->threshold;
    }
  return cca_samples_stands (sum_of_block (n_still), sum_of_block (n_foreground));
}

/* Triggers the next grid when it has waited itself: that one then loads what is older than the ghosts. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_ghosts (const CcaSamplesParams p)
{
  grid_dependency_sync ();
  trigger_next_grid ();
  const uint32_t word = warp_index (), block = word * 2 + lane_index () / side;
  const uint32_t half = p.state->half, n_blocks = p.blocks_x * p.blocks_y, place = blockIdx.y * p.blocks_x + block;
  const CcaSamplesStep step = cca_samples_step (p.learning, p.state->t);
  int32_t sum = 0, ghost = 0;

  if (word * 32 >= p.width)
    return;
  if (p.state->t > 0 && block < p.blocks_x)
    ghost = p.ghosts[half * n_blocks + place];
  if (!step.learning) {
    const uint32_t *const foreground = foreground_half (p, 1 - half);
    const uint32_t x = word * 32 + lane_index (), first = blockIdx.y * side, y = first + lane_index ();
    const bool has_row = lane_index () < side && y < p.height;

    sum = compare_edges (p, p.luma + step.slot * luma_plane (p), x, first,
                         border_of_word (p, foreground, word, has_row ? y : p.height));
    /* A moving object covers edges of the background, too, but does not stand still. */
    if (__any_sync (all_lanes, sum < 0)
        && !stands (p, x, first,
                    has_row ? foreground[(size_t) y * p.row_words + word] & valid_bits (word * 32, p.width) : 0))
      sum = max (sum, 0);
    ghost += sum - ghost / CCA_SAMPLES_GHOST_DECAY;
  }
  if (lane_index () % side == 0 && block < p.blocks_x)
    p.ghosts[(1 - half) * n_blocks + place] = ghost;
}
