/* gst-cca: the background model SAMPLES: whether the edges of the foreground are the frame's or the background's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has a word of each of 16 rows, two blocks of pixels. Each lane has a column.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t side = CCA_SAMPLES_BLOCK;

/* Returns the pixels of a word that are foreground beside background, within the image's frame of one pixel. */
__device__ static uint32_t
edges_of_word (const CcaSamplesParams &p, const uint32_t *foreground, uint32_t word, uint32_t y)
{
  if (y < 1 || y + 1 >= p.height)
    return 0;

  const uint32_t *const row = foreground + (size_t) y * p.row_words;
  const uint32_t here = row[word];

  if (here == 0)
    return 0;

  const uint32_t before = word > 0 ? row[word - 1] : 0, after = word + 1 < p.row_words ? row[word + 1] : 0;
  const uint32_t inside = __funnelshift_l (before, here, 1) & __funnelshift_r (here, after, 1)
                          & row[(int32_t) word - (int32_t) p.row_words] & row[word + p.row_words];
  const uint32_t first = word == 0 ? ~1u : all_lanes;

  return here & ~inside & first & valid_bits (word * 32, p.width - 1);
}

/* Returns the gradient's length at a pixel that has neighbours, as a sum of both axes. */
__device__ static int32_t
gradient (const uint8_t *pixel, int64_t pitch)
{
  const int32_t x = (int32_t) pixel[1] - pixel[-1], y = (int32_t) pixel[pitch] - pixel[-pitch];

  return max (x, -x) + max (y, -y);
}

/* Returns what a lane's column of edges says, summed up over the columns of its block; lane i has the edges of row i.
 * All lanes call it. */
__device__ static int32_t
compare_edges (const CcaSamplesParams &p, const uint8_t *samples, uint32_t x, uint32_t y, uint32_t own)
{
  const uint32_t pitch = p.row_words * 32;
  int32_t sum = 0;

  /* Most warps have no edges. The loads of several rows are under way at once: lanes without an edge load what they
   * do not need. */
  if (!__any_sync (all_lanes, own != 0))
    return 0;
#pragma unroll 4
  for (uint32_t i = 0; i < side; i++) {
    const bool is_edge = __shfl_sync (all_lanes, own, i) >> lane_index () & 1;
    const size_t place = is_edge ? luma_place (p, x, y + i) : pitch + 1;
    const int32_t difference = gradient (p.pixels + place, pitch) - gradient (samples + place, pitch);

    sum += is_edge ? clamp (difference, -CCA_SAMPLES_EDGE_MOST, CCA_SAMPLES_EDGE_MOST) : 0;
  }
  for (uint32_t d = side / 2; d > 0; d /= 2)
    sum += __shfl_xor_sync (all_lanes, sum, d);
  return sum;
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
    const uint32_t y = blockIdx.y * side;

    sum = compare_edges (
        p, p.luma + step.slot * luma_plane (p), word * 32 + lane_index (), y,
        edges_of_word (p, foreground_half (p, 1 - half), word, lane_index () < side ? y + lane_index () : p.height));
    ghost += sum - ghost / CCA_SAMPLES_GHOST_DECAY;
  }
  if (lane_index () % side == 0 && block < p.blocks_x)
    p.ghosts[(1 - half) * n_blocks + place] = ghost;
}
