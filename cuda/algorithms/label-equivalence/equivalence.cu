/* gst-cca: label equivalence on pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Hawick, Leist & Playne, Parallel Computing 36, 2010; Kalentev et al., J. Parallel Distrib. Comput. 71, 2011. Prelabel
 * makes each pixel its own root. Then, until nothing changes: Scan lowers each root to the smallest label beside its
 * pixels, and Analysis points each pixel at its new root.
 *
 *     [a][a][b]     Scan sees a link from both sides: the greater of two roots, b > a, gets the smaller label.
 *     [a][b][b]
 *
 * A root's label has the bit `root_mark` until an Analysis finds that it is a root no longer. Scan lowers labels with
 * the mark, so whoever reads a marked label knows the one from before this Scan: the pixel's own id. Scan's result does
 * not depend on the order of threads, and neither does the number of iterations.
 */
#include "cuda/algorithms/label-equivalence/params.h"
#include "cuda/algorithms/segments/pixels.cuh"

constexpr uint32_t root_mark = CCA_PIXELS_LIMIT, strip_rows = CCA_EQUIVALENCE_ROWS;

/* Calls f (i, y) for each of this warp's strips: word i of the rows from y on. In raster order, so that most paths lead
 * to pixels whose Analysis is done. */
template <typename F>
__device__ inline void
for_each_strip (const CcaPlanes &p, F f)
{
  const uint32_t n = p.row_words * ((p.height + strip_rows - 1) / strip_rows),
                 step = gridDim.x * blockDim.x / warp_size;

  for (uint32_t strip = warp_index (); strip < n; strip += step)
    f (strip % p.row_words, strip / p.row_words * strip_rows);
}

/* Sets this iteration's flag if a thread of the block changes a label. All threads call it. A block finds most often
 * that another one on its multiprocessor has set the flag: stores would queue up at its address. */
__device__ inline void
report_change (const CcaEquivalenceParams &p, bool changes)
{
  uint32_t *const changed = p.changed + p.iteration;

  if (!__syncthreads_and (!changes) && threadIdx.x == 0 && *changed == 0)
    *changed = 1;
}

/* --- Prelabel, with the first Scan -------------------------------------------------------------------- */

/* Returns a mask of the pixels (x, y) that link with (x + 1, y - 1); y is not 0. */
__device__ inline uint32_t
links_to_upper_right (const CcaPlanes &p, uint32_t y, uint32_t i, const Word<uint32_t> &word,
                      const Links<uint32_t> &links)
{
  const size_t row = (size_t) y * p.row_words;
  uint32_t next = 0;

  if (p.diagonal && i + 1 < p.row_words)
    next = p.rising ? p.rising[row + i + 1] : word.here >> 31 & p.bits[row - p.row_words + i + 1];
  return __funnelshift_r (links.rising, next, 1);
}

/* Every pixel is a root, so the first Scan needs no labels: the smallest neighbour is the first of those at the upper
 * left, above, at the upper right and on the left. Follows the paths within the strip at once: that makes them shorter,
 * and changes no root. */
extern "C" __global__ void
cca_prelabel_pixels (const CcaEquivalenceParams p)
{
  trigger_then_sync ();
  const CcaPlanes &planes = p.segments.planes;
  const uint32_t lane = lane_index (), bit = 1u << lane;
  bool changes = false;

  for_each_strip (planes, [&] (uint32_t i, uint32_t first_y) {
    const uint32_t x = i * 32 + lane, end_y = min (first_y + strip_rows, planes.height);
    Word<uint32_t> above = first_y > 0 ? load_word<uint32_t> (planes, first_y - 1, i) : Word<uint32_t>{};
    uint32_t label_above = 0;

    for (uint32_t y = first_y; y < end_y; y++) {
      const uint32_t id = pixel_id (p.segments, y, x);
      const Word<uint32_t> word = load_word<uint32_t> (planes, y, i);
      const Links<uint32_t> links = y > 0 ? load_all_links (planes, y, i, word, above) : Links<uint32_t>{};
      const uint32_t right = y > 0 ? links_to_upper_right (planes, y, i, word, links) : 0;
      const uint32_t up = links.falling | links.vertical | right, left = word.joins & ~up;
      const uint32_t column = links.falling & bit ? lane - 1 : links.vertical & bit ? lane : lane + 1;
      const uint32_t known = __shfl_sync (all_lanes, label_above, column % warp_size);
      const bool inside = y > first_y && column < warp_size;
      uint32_t label = id;

      if (up & bit)
        label = inside ? known : id - p.segments.row_ids + column - lane;
      /* The last pixel up to this one that does not go to the left. */
      const uint32_t stops = ~left & (lanes_before () | bit), stop = stops ? 31 - __clz (stops) : 0;
      const uint32_t label_of_stop = __shfl_sync (all_lanes, label, stop);

      label = stops ? label_of_stop : id - lane - 1;
      if (word.here & bit) {
        p.segments.parent[id] = root_mark | label;
        if (p.segments.segment_features.tally)
          store_vote (p.segments.segment_features, id,
                      vote_of_segment (x, x + 1, y, p.segments.segment_features.moments));
      }
      changes |= (up | left) != 0;
      label_above = label;
      above = word;
    }
  });
  report_change (p, changes);
}

/* --- Scan -------------------------------------------------------------------------------------------- */

/* Returns a foreground pixel's label from before this Scan. */
__device__ inline uint32_t
label_of (const CcaEquivalenceParams &p, uint32_t id)
{
  const uint32_t label = p.segments.parent[id];

  return label & root_mark ? id : label;
}

/* Lowers the root that is the greater of two labels. Returns whether they differ. */
__device__ inline bool
lower_root (const CcaEquivalenceParams &p, uint32_t a, uint32_t b)
{
  uint32_t *const root = p.segments.parent + max (a, b);
  const uint32_t label = root_mark | min (a, b);

  if (a != b && *root > label)
    atomicMin (root, label);
  return a != b;
}

/* A row of a strip: a word, and the labels of this lane's pixel and of the one on its left, where they are foreground.
 */
struct Row
{
  Word<uint32_t> word;
  uint32_t label, left;
};

__device__ inline Row
load_row (const CcaEquivalenceParams &p, uint32_t y, uint32_t i)
{
  const uint32_t id = pixel_id (p.segments, y, i * 32 + lane_index ());
  Row row = { load_word<uint32_t> (p.segments.planes, y, i), 0, 0 };

  if (row.word.here >> lane_index () & 1)
    row.label = label_of (p, id);
  if (lane_index () == 0 && (row.word.left & 1))
    row.left = label_of (p, id - 1);
  return row;
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK, 3) cca_scan_labels (const CcaEquivalenceParams p)
{
  trigger_then_sync ();
  const CcaPlanes &planes = p.segments.planes;
  const uint32_t lane = lane_index ();
  bool changes = false;

  if (!p.changed[p.iteration - 1])
    return;
  for_each_strip (planes, [&] (uint32_t i, uint32_t first_y) {
    Row rows[strip_rows + 1]; /* all loads before the first minimum */

    rows[0] = first_y > 0 ? load_row (p, first_y - 1, i) : Row{};
#pragma unroll
    for (uint32_t k = 1; k <= strip_rows; k++)
      rows[k] = load_row (p, first_y + k - 1, i);
#pragma unroll
    for (uint32_t k = 0; k <= strip_rows; k++) {
      const uint32_t left = __shfl_up_sync (all_lanes, rows[k].label, 1);

      rows[k].left = lane > 0 ? left : rows[k].left;
    }
#pragma unroll
    for (uint32_t k = 1; k <= strip_rows; k++) {
      const Row &row = rows[k], &above = rows[k - 1];
      const uint32_t y = first_y + k - 1;

      if (row.word.joins >> lane & 1)
        changes |= lower_root (p, row.label, row.left);
      if (y == 0 || y >= planes.height)
        continue;
      const Links<uint32_t> links = load_all_links (planes, y, i, row.word, above.word);

      if (links.vertical >> lane & 1)
        changes |= lower_root (p, row.label, above.label);
      if (links.falling >> lane & 1)
        changes |= lower_root (p, row.label, above.left);
      if (links.rising >> lane & 1)
        changes |= lower_root (p, row.left, above.label);
    }
  });
  report_change (p, changes);
}

/* --- Analysis ---------------------------------------------------------------------------------------- */

/* Moves the features of roots that are roots no longer to their new ones: once for each pixel, and to roots that stay
 * (evaluation paper, section III-A, equation 1). The lanes of a warp add up those for the same root first. */
__device__ inline void
move_features (const CcaTallies &features, bool moves, uint32_t id, uint32_t root)
{
  const uint32_t movers = __ballot_sync (all_lanes, moves);
  Vote vote = {};

  if (!moves)
    return;
  vote.tally = features.tally[id];
  if (features.moments)
    vote.moments = features.moments[id];
  if (reduce_among_peers (movers, __match_any_sync (movers, root), vote, features.moments))
    cast_vote (features, root, vote);
}

/* Points every pixel at its root. A label that another thread has not replaced yet leads to the same root. */
template <bool early>
__device__ inline void
analyse (const CcaEquivalenceParams &p)
{
  const CcaPlanes &planes = p.segments.planes;
  uint32_t *const labels = p.segments.parent;

  if (!p.changed[p.iteration])
    return;
  for_each_strip (planes, [&] (uint32_t i, uint32_t first_y) {
    const uint32_t first_id = pixel_id (p.segments, first_y, i * 32 + lane_index ());
    uint32_t label[strip_rows], next[strip_rows]; /* of the pixel, and of that label */
    uint32_t here = 0;

#pragma unroll
    for (uint32_t k = 0; k < strip_rows; k++)
      if (first_y + k < planes.height)
        here |= (planes.bits[(first_y + k) * (size_t) planes.row_words + i] >> lane_index () & 1) << k;
#pragma unroll
    for (uint32_t k = 0; k < strip_rows; k++)
      label[k] = here >> k & 1 ? labels[first_id + k * p.segments.row_ids] : 0;
#pragma unroll
    for (uint32_t k = 0; k < strip_rows; k++)
      next[k] = here >> k & 1 ? labels[label[k] & ~root_mark] : 0;
#pragma unroll
    for (uint32_t k = 0; k < strip_rows; k++) {
      const uint32_t id = first_id + k * p.segments.row_ids;
      uint32_t root = label[k] & ~root_mark;

      if (here >> k & 1) {
        while (next[k] != (root_mark | root)) {
          root = next[k] & ~root_mark;
          next[k] = labels[root];
        }
        if (root != id && root != label[k])
          labels[id] = root;
      }
      if (early)
        move_features (p.segments.segment_features, (here >> k & 1) && (label[k] & root_mark) && root != id, id, root);
    }
  });
}

extern "C" __global__ void
cca_analyse_labels (const CcaEquivalenceParams p)
{
  trigger_then_sync ();
  analyse<false> (p);
}

extern "C" __global__ void
cca_analyse_labels_early (const CcaEquivalenceParams p)
{
  trigger_then_sync ();
  analyse<true> (p);
}

/* --- The end ----------------------------------------------------------------------------------------- */

/* Tells the host how many iterations the frame took, or that it needs more than were enqueued: then twice as many. */
__device__ static void
report_iterations (const CcaEquivalenceParams &p)
{
  uint32_t n = 0;

  while (n < p.n_iterations && p.changed[n])
    n++;
  p.segments.headers.host->n_iterations = n;
  p.segments.headers.host->needed = n == p.n_iterations ? 2 * n : 0;
}

/* Removes the marks, and counts and keeps the roots of each chunk, as flatten () does. */
extern "C" __global__ void
cca_settle_labels (const CcaEquivalenceParams p)
{
  trigger_then_sync ();
  KeptRoots kept (p.segments, chunk_of_warp<Pixels> (p.segments));
  uint32_t n_roots = 0;

  for_each_few_segments<Pixels> (p.segments, [&] (const auto &pixels) {
    constexpr uint32_t n = sizeof pixels / sizeof *pixels;
    bool is_root[n];

#pragma unroll
    for (uint32_t k = 0; k < n; k++)
      is_root[k] = pixels[k].exists () && (p.segments.parent[pixels[k].id] & root_mark);
#pragma unroll
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t roots = __ballot_sync (all_lanes, is_root[k]);

      if (is_root[k])
        p.segments.parent[pixels[k].id] = pixels[k].id;
      n_roots += __popc (roots);
      kept.add (roots);
    }
  });
  kept.finish ();
  if (lane_index () == 0)
    p.segments.chunk_roots[warp_index ()] = n_roots;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    report_iterations (p);
}
