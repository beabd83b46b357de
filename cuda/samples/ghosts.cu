/* gst-cca: the background model SAMPLES: ghosts, by the edges of the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp has a word of each of 16 rows of the mask, two blocks of pixels. A lane has four pixels of every fourth row of
 * its block.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t side = CCA_SAMPLES_BLOCK, rows = side / 4, n_threads = 128;

/* Foreground pixels of a word with a background neighbour: beside them, or above or below. */
struct Outline
{
  uint32_t beside = 0, above_or_below = 0;

  /* Finds the outline, except at the image's border. */
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

/* Gradients along both axes at the four pixels at (x, y), except where a neighbour is missing. */
struct Gradients
{
  uint32_t across, along;

  __device__ Gradients (const CcaSamplesParams &p, uint8_t *plane, uint32_t x, uint32_t y)
  {
    uint8_t *const pixels = plane + luma_place (p, x, y);
    const size_t pitch = p.row_words * 32;
    const uint32_t before = four_at (pixels - (x > 0 ? 4 : 0)), here = four_at (pixels),
                   after = four_at (pixels + (x + 4 < p.width ? 4 : 0));

    across = __vabsdiffu4 (__funnelshift_l (before, here, 8), __funnelshift_r (here, after, 8));
    along = __vabsdiffu4 (four_at (pixels - pitch), four_at (pixels + pitch));
  }
};

/* Adds the edges of the four pixels at (x, y) to the sums. The lowest bits tell which pixels are edges. */
__device__ static void
add_edges (const CcaSamplesParams &p, uint8_t *samples, uint32_t x, uint32_t y, uint32_t threshold, uint32_t beside,
           uint32_t above_or_below, CcaSamplesEdges &edges)
{
  const size_t place = luma_place (p, x, y);
  const Gradients now (p, p.pixels, x, y), then (p, samples, x, y);
  const uint32_t change = __vabsdiffu4 (four_at (p.pixels + place), four_at (p.candidate + place));
  const uint32_t still =
      __vaddus4 (four_at (p.still + place), 0x01010101) & __vcmpleu4 (change, four_times (threshold));

#pragma unroll
  for (uint32_t i = 0; i < 4; i++) {
    const int32_t across = (int32_t) (now.across >> 8 * i & 255) - (int32_t) (then.across >> 8 * i & 255),
                  along = (int32_t) (now.along >> 8 * i & 255) - (int32_t) (then.along >> 8 * i & 255);

    cca_samples_add_edge (&edges, (beside >> i & 1 ? across : 0) + (above_or_below >> i & 1 ? along : 0),
                          still >> 8 * i & 255);
  }
}

/* Returns the sums of a lane's block; lane i has the outline of row i. All lanes call it. */
__device__ static CcaSamplesEdges
compare_edges (const CcaSamplesParams &p, uint8_t *samples, uint32_t x, uint32_t y, const Outline &own)
{
  const uint32_t threshold = p.state->threshold, column = lane_index () / side * side + lane_index () % 4 * 4,
                 first = lane_index () % side / 4;
  uint32_t beside[rows], above_or_below[rows];
  CcaSamplesEdges edges = { 0, 0 };

  /* Most warps have no edges. The others load all rows at once: lanes without an edge load, too, and ignore the
   * value. */
  if (!__any_sync (all_lanes, (own.beside | own.above_or_below) != 0))
    return edges;
#pragma unroll
  for (uint32_t i = 0; i < rows; i++) {
    beside[i] = __shfl_sync (all_lanes, own.beside, first + 4 * i) >> column;
    above_or_below[i] = __shfl_sync (all_lanes, own.above_or_below, first + 4 * i) >> column;
  }
#pragma unroll
  for (uint32_t i = 0; i < rows; i++) {
    const bool has_edge = ((beside[i] | above_or_below[i]) & 0xf) != 0;

    add_edges (p, samples, has_edge ? x + column : 0, has_edge ? y + first + 4 * i : 1, threshold, beside[i],
               above_or_below[i], edges);
  }
  for (uint32_t d = side / 2; d > 0; d /= 2) {
    edges.all += __shfl_xor_sync (all_lanes, edges.all, d);
    edges.steady += __shfl_xor_sync (all_lanes, edges.steady, d);
  }
  return edges;
}

/* Triggers the next grid after its own wait, so that the next grid can load data older than the ghosts. */
extern "C" __global__ void
__launch_bounds__ (n_threads) cca_samples_ghosts (const CcaSamplesParams p)
{
  grid_dependency_sync ();
  trigger_next_grid ();
  const uint32_t word = warp_index (), block = word * 2 + lane_index () / side;
  const uint32_t half = p.state->half, n_blocks = p.blocks_x * p.blocks_y, place = blockIdx.y * p.blocks_x + block;
  const CcaSamplesStep step = cca_samples_step (p.learning, p.state->past.t);
  CcaSamplesEdges edges = { 0, 0 };

  if (word * 32 >= p.width)
    return;
  if (p.state->past.t > 0 && block < p.blocks_x)
    edges = p.edges[half * n_blocks + place];
  if (!step.learning) {
    const uint32_t y = blockIdx.y * side;
    const Outline outline (p, p.shown, word, lane_index () < side ? y + lane_index () : p.height);

    edges =
        cca_samples_next_edges (edges, compare_edges (p, p.luma + step.slot * luma_plane (p), word * 32, y, outline));
  }
  if (lane_index () % side == 0 && block < p.blocks_x)
    p.edges[(1 - half) * n_blocks + place] = edges;
}
