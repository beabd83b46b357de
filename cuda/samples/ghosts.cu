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

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_ghosts (const CcaSamplesParams p)
{
  trigger_then_sync ();
  const uint32_t word = warp_index (), block = word * 2 + lane_index () / side;
  const uint32_t half = p.state->half, n_blocks = p.blocks_x * p.blocks_y, place = blockIdx.y * p.blocks_x + block;
  const CcaSamplesStep step = cca_samples_step (p.learning, p.state->t);
  int32_t sum = 0, ghost = 0;

  if (word * 32 >= p.width)
    return;
  if (!step.learning) {
    const uint32_t y0 = blockIdx.y * side, x = word * 32 + lane_index (), pitch = p.row_words * 32;
    const uint32_t own =
        edges_of_word (p, foreground_half (p, 1 - half), word, lane_index () < side ? y0 + lane_index () : p.height);
    const uint8_t *const samples = p.luma + step.slot * luma_plane (p);

    for (uint32_t i = 0; i < side; i++) {
      const uint32_t edges = __shfl_sync (all_lanes, own, i);

      if (edges >> lane_index () & 1) {
        const size_t at = luma_place (p, x, y0 + i);

        sum += clamp (gradient (p.pixels + at, pitch) - gradient (samples + at, pitch), -CCA_SAMPLES_EDGE_MOST,
                      CCA_SAMPLES_EDGE_MOST);
      }
    }
    for (uint32_t d = side / 2; d > 0; d /= 2)
      sum += __shfl_xor_sync (all_lanes, sum, d);
  }
  if (lane_index () % side > 0 || block >= p.blocks_x)
    return;
  if (p.state->t > 0) {
    ghost = p.ghosts[half * n_blocks + place];
    if (!step.learning)
      ghost += sum - ghost / CCA_SAMPLES_GHOST_DECAY;
  }
  p.ghosts[(1 - half) * n_blocks + place] = ghost;
}
