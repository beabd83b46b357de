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
 */
#include "cuda/algorithms/segments/tiles.cuh"

/* A pixel, then its mask; neighbours that do not connect with the pixel are replaced by the pixel. */
typedef uint32_t Mask[5];

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
  uint32_t least = mask[0];

  for (uint32_t &label : mask)
    least = min (least, label = find_root (parents, label));
  for (const uint32_t label : mask)
    propagate_to (parents, label, least);
}

/* Labels a tile for each block, with the first pixel of each component's part in it. */
extern "C" __global__ void
cca_propagate_in_tiles (const CcaSegmentsParams p)
{
  __shared__ TileRow rows[tile_size];
  __shared__ uint32_t labels[tile_pixels];
  const TileParents parents = { labels };
  const uint32_t y = blockIdx.y * tile_size, i = blockIdx.x, x = lane_index (), warp = threadIdx.x / warp_size;

  if (warp == 0)
    rows[x] = load_tile_row (p.planes, y, i, x);
  for (uint32_t row = warp; row < tile_size; row += tile_warps)
    labels[row * tile_size + x] = row * tile_size + x;
  __syncthreads ();
  for (uint32_t row = warp; row < tile_size; row += tile_warps) {
    const TileRow &own = rows[row];
    const uint32_t pixel = row * tile_size + x, above = pixel - tile_size;

    if (own.here >> x & 1) {
      Mask mask = { pixel, own.joins >> x & 1 ? pixel - 1 : pixel, own.links.falling >> x & 1 ? above - 1 : pixel,
                    own.links.vertical >> x & 1 ? above : pixel, own.links.rising >> 1 >> x & 1 ? above + 1 : pixel };

      propagate (parents, mask);
    }
  }
  __syncthreads ();
  for (uint32_t row = warp; row < tile_size; row += tile_warps) {
    const uint32_t pixel = row * tile_size + x;

    if (rows[row].here >> x & 1)
      p.parent[id_of_label (p, y, i, pixel)] = id_of_label (p, y, i, find_root (parents, pixel));
  }
}

/* Propagates between the pixel at the left of row y and the tile on the left. */
__device__ static void
propagate_left (const CcaSegmentsParams &p, uint32_t y, uint32_t i)
{
  const GlobalParents parents = { p.parent };
  const uint32_t pixel = pixel_id (p, y, i * tile_size), above = pixel - p.row_ids;
  const Word<uint32_t> word = load_word<uint32_t> (p.planes, y, i);
  Links<uint32_t> links = {};

  if (y > 0 && y < p.planes.height)
    links = load_all_links (p.planes, y, i, word, load_word<uint32_t> (p.planes, y - 1, i));
  if ((word.joins | links.falling) & 1) {
    Mask mask = { pixel, word.joins & 1 ? pixel - 1 : pixel, links.falling & 1 ? above - 1 : pixel, pixel, pixel };

    propagate (parents, mask);
  }
  if (links.rising & 1) {
    Mask mask = { pixel - 1, above, above, above, above };

    propagate (parents, mask);
  }
}

/* Propagates between the pixel in column x of a tile's first row and the tile above. */
__device__ static void
propagate_up (const CcaSegmentsParams &p, uint32_t y, uint32_t i, uint32_t x)
{
  const GlobalParents parents = { p.parent };
  const uint32_t pixel = pixel_id (p, y, i * tile_size + x), above = pixel - p.row_ids;
  const Word<uint32_t> word = load_word<uint32_t> (p.planes, y, i);
  const Links<uint32_t> links = load_all_links (p.planes, y, i, word, load_word<uint32_t> (p.planes, y - 1, i));
  const uint32_t falling = links.falling & inner_columns, rising = (links.rising & inner_columns) >> 1;

  if ((links.vertical | falling | rising) >> x & 1) {
    Mask mask = { pixel, pixel, falling >> x & 1 ? above - 1 : pixel, links.vertical >> x & 1 ? above : pixel,
                  rising >> x & 1 ? above + 1 : pixel };

    propagate (parents, mask);
  }
}

/* Merges each tile with those on the left and above, a warp each: a lane for a row, then for a column. */
extern "C" __global__ void
cca_propagate_over_borders (const CcaSegmentsParams p)
{
  const uint32_t y = blockIdx.y * tile_size, i = warp_index ();

  if (i * tile_size >= p.row_ids)
    return;
  if (i > 0)
    propagate_left (p, y + lane_index (), i);
  if (y > 0)
    propagate_up (p, y, i, lane_index ());
}
