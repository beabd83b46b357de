/* gst-cca: distanceless label propagation (DLP)
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Cabaret, Lacassagne & Etiemble, Distanceless label propagation: an efficient direct connected component labeling
 * algorithm for GPUs, IPTA 2017, as Hennequin, Lacassagne, Cabaret & Meunier, DASIP 2018, section II-B, describe it: an
 * address is a label, and the image of labels the table of equivalences; tiles are labelled in shared memory, then
 * their borders merged.
 *
 *     [ \ ][ | ][ / ]     A pixel finds the roots of its mask, those neighbours that connect with it. It propagates
 *     [ - ][ x ]          the least of these labels to all roots at once, however far away they are.
 *
 * Within a tile, counting zeros of a row's word finds the first pixel of a run, whose label all its pixels share
 * (DASIP 2018, algorithm 1). Neighbours stay out of a mask where other masks imply their links.
 */
#include "cuda/algorithms/dlp/kernels.h"
#include "cuda/algorithms/segments/tiles.cuh"

constexpr uint32_t rows_a_warp = tile_size / tile_warps;

/* A pixel and up to three neighbours. A neighbour that does not connect is replaced by the pixel itself. */
typedef uint32_t Mask[4];

/* Replaces labels by their roots: find_root () for all of them at once, so that their loads overlap. Labels may repeat
 * the first one, which alone shortens their path. */
template <typename Parents, uint32_t n>
__device__ static void
find_roots (const Parents &parents, uint32_t (&labels)[n])
{
  uint32_t above[n];
  bool found = true;

#pragma unroll
  for (uint32_t k = 0; k < n; k++) {
    above[k] = parents.get (labels[k]);
    found &= above[k] == labels[k];
  }
  while (!found) {
    uint32_t grandparents[n];

    found = true;
#pragma unroll
    for (uint32_t k = 0; k < n; k++)
      grandparents[k] = parents.get (above[k]);
#pragma unroll
    for (uint32_t k = n; k-- > 0;) {
      if (grandparents[k] != above[k]) {
        if (k == 0 || labels[k] != labels[0])
          parents.shorten (labels[k], grandparents[k]);
        found = false;
      }
      labels[k] = above[k];
      above[k] = grandparents[k];
    }
  }
}

/* Lowers a label to `least`. If it was no root, its former parent and `least` must still meet: propagates the lesser of
 * these to the other one, and so on. */
template <typename Parents>
__device__ static void
propagate_to (const Parents &parents, uint32_t label, uint32_t least)
{
  while (label != least) {
    const uint32_t greater = max (label, least), lesser = min (label, least), old = parents.lower (greater, lesser);

    if (old == greater)
      return;
    label = old;
    least = lesser;
  }
}

template <typename Parents>
__device__ static void
propagate (const Parents &parents, Mask &mask)
{
  find_roots (parents, mask);
  const uint32_t least = min (min (mask[0], mask[1]), min (mask[2], mask[3]));

  propagate_to (parents, mask[0], least);
  for (uint32_t k = 1; k < 4; k++)
    if (mask[k] != mask[0])
      propagate_to (parents, mask[k], least);
}

/* --- Tiles ------------------------------------------------------------------------------------------- */

/* The rows of a tile, and the labels of its pixels; only those of runs' first pixels are lowered. */
struct Tile
{
  uint32_t here[tile_size], starts[tile_size];
  uint32_t linked[tile_size];       /* the pixels that have neighbours above in their masks */
  Links<uint32_t> links[tile_size]; /* not implied by other links */
  uint32_t labels[tile_pixels];

  /* Returns the first pixel of the run at column x. */
  __device__ uint32_t run_at (uint32_t row, uint32_t x) const
  {
    return row * tile_size + 31 - __clz (starts[row] & (all_lanes >> (31 - x)));
  }
};

/* Parents that no thread changes any more. */
struct SettledParents
{
  const uint32_t *parent;

  __device__ uint32_t get (uint32_t i) const { return parent[i]; }
  __device__ void shorten (uint32_t, uint32_t) const {}
};

__device__ static void
load_row (const CcaPlanes &p, uint32_t y, uint32_t i, uint32_t row, Tile &tile)
{
  const TileRow loaded = load_tile_row (p, y, i, row);
  const Links<uint32_t> links = thin_links (loaded.links, loaded.links.vertical << 1, loaded.joins, loaded.joins_above);

  tile.here[row] = loaded.here;
  tile.starts[row] = loaded.here & ~loaded.joins;
  tile.linked[row] = links.vertical | links.falling | links.rising >> 1;
  tile.links[row] = links;
}

__device__ static void
propagate_in_row (Tile &tile, uint32_t row, uint32_t x)
{
  if (!(tile.linked[row] >> x & 1))
    return;
  const Links<uint32_t> links = tile.links[row];
  const uint32_t run = tile.run_at (row, x);
  Mask mask = { run, links.falling >> x & 1 ? tile.run_at (row - 1, x - 1) : run,
                links.vertical >> x & 1 ? tile.run_at (row - 1, x) : run,
                links.rising >> 1 >> x & 1 ? tile.run_at (row - 1, x + 1) : run };

  propagate (TileParents{ tile.labels }, mask);
}

/* Stores the labels of a warp's rows, from `first` on. Background pixels are their own roots. */
__device__ static void
store_rows (const CcaSegmentsParams &p, uint32_t y, uint32_t i, uint32_t first, uint32_t x, const Tile &tile)
{
  uint32_t labels[rows_a_warp], pixels = 0;

#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++)
    pixels |= tile.here[first + k];
  if (!pixels)
    return;
#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++)
    labels[k] = tile.here[first + k] >> x & 1 ? tile.run_at (first + k, x) : (first + k) * tile_size + x;
  find_roots (SettledParents{ tile.labels }, labels);
#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++)
    if (tile.here[first + k] >> x & 1)
      p.parent[id_of_label (p, y, i, (first + k) * tile_size + x)] = id_of_label (p, y, i, labels[k]);
}

/* Labels a tile for each block, with the first pixel of each component's part in it. A warp has rows below each other,
 * and takes one after the other: it finds labels above that are lowered already. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_propagate_in_tiles (const CcaSegmentsParams p)
{
  trigger_then_sync ();

  __shared__ Tile tile;
  const uint32_t y = blockIdx.y * tile_size, i = blockIdx.x, x = lane_index (), warp = threadIdx.x / warp_size;
  const uint32_t first = warp * rows_a_warp;

  if (warp == 0)
    load_row (p.planes, y, i, x, tile);
  for (uint32_t row = first; row < first + rows_a_warp; row++)
    tile.labels[row * tile_size + x] = row * tile_size + x;
  __syncthreads ();
  for (uint32_t row = first; row < first + rows_a_warp; row++)
    propagate_in_row (tile, row, x);
  __syncthreads ();
  store_rows (p, y, i, first, x, tile);
}

/* --- Borders ----------------------------------------------------------------------------------------- */

/* Propagates between the pixel at the left of row y and the tile on the left. Leaves out a join that the one in the row
 * above implies, if both tiles connect their pixels of the two rows. */
__device__ static void
propagate_left (const CcaSegmentsParams &p, uint32_t y, uint32_t i)
{
  const GlobalParents parents = { p.parent };
  const uint32_t pixel = pixel_id (p, y, i * tile_size), above = pixel - p.row_ids;
  const Word<uint32_t> word = load_word<uint32_t> (p.planes, y, i);
  uint32_t joins = word.joins;
  Links<uint32_t> links = {};

  if (y > 0 && y < p.planes.height) {
    const Word<uint32_t> word_above = load_word<uint32_t> (p.planes, y - 1, i);
    const Links<uint32_t> all = load_all_links (p.planes, y, i, word, word_above);
    const uint32_t vertical_left = vertical_on_left (p.planes, y, i, word, word_above, all.vertical);

    links = thin_links (all, vertical_left, word.joins, word_above.joins);
    if (y % tile_size > 0)
      joins &= ~(word_above.joins & all.vertical & vertical_left);
  }
  if ((joins | links.falling) & 1) {
    Mask mask = { pixel, joins & 1 ? pixel - 1 : pixel, links.falling & 1 ? above - 1 : pixel, pixel };

    propagate (parents, mask);
  }
  if (links.rising & 1) {
    Mask mask = { pixel - 1, above, above, above };

    propagate (parents, mask);
  }
}

/* Propagates between the pixel in column x of a tile's first row and the tile above. */
__device__ static void
propagate_up (const CcaSegmentsParams &p, uint32_t y, uint32_t i, uint32_t x)
{
  const uint32_t pixel = pixel_id (p, y, i * tile_size + x), above = pixel - p.row_ids;
  const Word<uint32_t> word = load_word<uint32_t> (p.planes, y, i);
  const Links<uint32_t> links = load_links (p.planes, y, i, word, load_word<uint32_t> (p.planes, y - 1, i));
  const uint32_t falling = links.falling & inner_columns, rising = (links.rising & inner_columns) >> 1;

  if ((links.vertical | falling | rising) >> x & 1) {
    Mask mask = { pixel, falling >> x & 1 ? above - 1 : pixel, links.vertical >> x & 1 ? above : pixel,
                  rising >> x & 1 ? above + 1 : pixel };

    propagate (GlobalParents{ p.parent }, mask);
  }
}

/* Merges each tile with those on the left and above, a warp for each border: a lane for a row, or for a column. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_propagate_over_borders (const CcaSegmentsParams p)
{
  trigger_then_sync ();

  const uint32_t y = blockIdx.y * tile_size, i = warp_index () / CCA_DLP_BORDERS;

  if (i * tile_size >= p.row_ids)
    return;
  if (warp_index () % CCA_DLP_BORDERS > 0) {
    if (y > 0)
      propagate_up (p, y, i, lane_index ());
  } else if (i > 0) {
    propagate_left (p, y + lane_index (), i);
  }
}
