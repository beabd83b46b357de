/* gst-cca: the background model SAMPLES: whether the edges of the foreground are the frame's or the background's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has a word of each of 16 rows, two blocks of pixels. Each lane has a column.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t side = CCA_SAMPLES_BLOCK;

/* Pixels of a word that are foreground and have a neighbour in the background: beside them, above or below. */
struct Outline
{
  uint32_t beside = 0, above_or_below = 0;

  /* Not of pixels at the image's sides. */
  __device__ Outline (const CcaSamplesParams &p, const uint32_t *foreground, uint32_t word, uint32_t y)
  {
    if (y < 1 || y + 1 >= p.height)
      return;

    const uint32_t *const row = foreground + (size_t) y * p.row_words;
    const uint32_t here = row[word];

    if (here == 0)
      return;

    const uint32_t before = word > 0 ? row[word - 1] : 0, after = word + 1 < p.row_words ? row[word + 1] : 0;
    const uint32_t found = here & (word == 0 ? ~1u : all_lanes) & valid_bits (word * 32, p.width - 1);

    beside = found & ~(__funnelshift_l (before, here, 1) & __funnelshift_r (here, after, 1));
    above_or_below = found & ~(row[(int32_t) word - (int32_t) p.row_words] & row[word + p.row_words]);
  }
};

/* Returns by how much more two places of the frame differ than those of the samples. */
__device__ static int32_t
gradient_change (const uint8_t *pixels, const uint8_t *samples, size_t one, size_t other)
{
  const int32_t now = (int32_t) pixels[one] - pixels[other], then = (int32_t) samples[one] - samples[other];

  return max (now, -now) - max (then, -then);
}

/* Returns for how many frames a pixel of the foreground will have stood still with this one. */
__device__ static uint32_t
frames_still (const CcaSamplesParams &p, size_t place, uint32_t threshold)
{
  const int32_t change = (int32_t) p.pixels[place] - p.candidate[place];

  return (uint32_t) max (change, -change) <= threshold ? p.still[place] + 1u : 0;
}

/* Returns what a lane's column of edges says, summed up over the columns of its block; lane i has the outline of row i.
 * All lanes call it. */
__device__ static CcaSamplesEdges
compare_edges (const CcaSamplesParams &p, const uint8_t *samples, uint32_t x, uint32_t y, const Outline &own)
{
  const uint32_t pitch = p.row_words * 32, threshold = p.state->threshold;
  CcaSamplesEdges edges = { 0, 0 };

  /* Most warps have no edges. The loads of several rows are under way at once: lanes without an edge load what they
   * do not need. */
  if (!__any_sync (all_lanes, (own.beside | own.above_or_below) != 0))
    return edges;
#pragma unroll 4
  for (uint32_t i = 0; i < side; i++) {
    const bool beside = __shfl_sync (all_lanes, own.beside, i) >> lane_index () & 1,
               above_or_below = __shfl_sync (all_lanes, own.above_or_below, i) >> lane_index () & 1;
    const size_t place = beside || above_or_below ? luma_place (p, x, y + i) : pitch + 1;
    const int32_t across = gradient_change (p.pixels, samples, place + 1, place - 1),
                  along = gradient_change (p.pixels, samples, place + pitch, place - pitch);

    cca_samples_add_edge (&edges, (beside ? across : 0) + (above_or_below ? along : 0),
                          frames_still (p, place, threshold));
  }
  for (uint32_t d = side / 2; d > 0; d /= 2) {
    edges.all += __shfl_xor_sync (all_lanes, edges.all, d);
    edges.steady += __shfl_xor_sync (all_lanes, edges.steady, d);
  }
  return edges;
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
  CcaSamplesEdges edges = { 0, 0 };

  if (word * 32 >= p.width)
    return;
  if (p.state->t > 0 && block < p.blocks_x)
    edges = p.edges[half * n_blocks + place];
  if (!step.learning) {
    const uint32_t y = blockIdx.y * side;
    const Outline outline (p, foreground_half (p, 1 - half), word, lane_index () < side ? y + lane_index () : p.height);

    edges = cca_samples_next_edges (
        edges, compare_edges (p, p.luma + step.slot * luma_plane (p), word * 32 + lane_index (), y, outline));
  }
  if (lane_index () % side == 0 && block < p.blocks_x)
    p.edges[(1 - half) * n_blocks + place] = edges;
}
