/* gst-cca: first labels from neighbours, and the remaining unions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Playne & Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE TPDS 29, 2018: initialise,
 * resolve, reduce, resolve; for both connectivities, first within tiles in shared memory. A pixel's first label is that
 * of a neighbour on the left or above, so that most pixels join a tree without an atomic operation. The reduction makes
 * the unions that these labels do not cover, except those that others imply.
 *
 *     row above    [ a ]      [  b  ]       c takes the label of a, its first link above (initialise);
 *     row             [ c     c     ]       b and c unite at their first common pixel (reduce)
 *
 * Labels on the left lead to the run's first pixel in the tile. Counting zeros of the row's word finds it directly, so
 * only first pixels of runs have an entry in the table.
 */
#include "cuda/algorithms/segments/tiles.cuh"

/* The rows of a tile, and the labels of its runs' first pixels. */
struct Tile
{
  uint32_t here[tile_size], starts[tile_size];
  Links<uint32_t> links[tile_size]; /* without those that other links imply */
  uint32_t parent[tile_pixels];

  /* Returns the label of the run at column x. */
  __device__ uint32_t run_at (uint32_t row, uint32_t x) const
  {
    return row * tile_size + 31 - __clz (starts[row] & (all_lanes >> (31 - x)));
  }
};

/* Returns the link of each run's first pixel with the row above that gives its first label: |, else \, else /. */
__device__ static Links<uint32_t>
first_links (const Links<uint32_t> &links, uint32_t starts)
{
  Links<uint32_t> first;

  first.vertical = links.vertical & starts;
  first.falling = links.falling & starts & ~links.vertical;
  first.rising = links.rising & (starts & ~links.vertical & ~links.falling) << 1;
  return first;
}

__device__ static void
load_tile (const CcaPlanes &p, uint32_t y, uint32_t i, uint32_t row, Tile &tile)
{
  const TileRow loaded = load_tile_row (p, y, i, row);

  tile.here[row] = loaded.here;
  tile.starts[row] = loaded.here & ~loaded.joins;
  tile.links[row] = thin_links (loaded.links, loaded.links.vertical << 1, loaded.joins, loaded.joins_above);
}

/* Initialises the label of a run whose first pixel is at column x. */
__device__ static void
init_label (Tile &tile, uint32_t row, uint32_t x)
{
  const Links<uint32_t> first = first_links (tile.links[row], tile.starts[row]);
  uint32_t label = row * tile_size + x;

  if (first.vertical >> x & 1)
    label = tile.run_at (row - 1, x);
  else if (first.falling >> x & 1)
    label = tile.run_at (row - 1, x - 1);
  else if (first.rising >> 1 >> x & 1)
    label = tile.run_at (row - 1, x + 1);
  tile.parent[row * tile_size + x] = label;
}

/* Makes the unions at column x that the first labels do not cover. */
__device__ static void
reduce (Tile &tile, uint32_t row, uint32_t x)
{
  const TileParents parents = { tile.parent };
  const Links<uint32_t> links = tile.links[row], first = first_links (links, tile.starts[row]);

  if ((links.vertical & ~first.vertical) >> x & 1)
    unite (parents, tile.run_at (row, x), tile.run_at (row - 1, x));
  if ((links.falling & ~first.falling) >> x & 1)
    unite (parents, tile.run_at (row, x), tile.run_at (row - 1, x - 1));
  if ((links.rising & ~first.rising) >> x & 1)
    unite (parents, tile.run_at (row, x - 1), tile.run_at (row - 1, x));
}

/* Resolves the labels of a row's runs, and stores its pixels' labels, a lane each. */
__device__ static void
store_row (const CcaSegmentsParams &p, uint32_t y, uint32_t i, uint32_t row, Tile &tile)
{
  const uint32_t x = lane_index (), here = tile.here[row];
  uint32_t root = 0;

  if (!here)
    return;
  if (tile.starts[row] >> x & 1)
    root = find_root (TileParents{ tile.parent }, row * tile_size + x);
  root = __shfl_sync (all_lanes, root, tile.run_at (row, x) % tile_size);
  if (here >> x & 1)
    p.parent[id_of_label (p, y, i, row * tile_size + x)] = id_of_label (p, y, i, root);
}

/* Labels a tile per block: each component's part in the tile gets its first pixel as label. */
extern "C" __global__ void
cca_reduce_tiles (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  __shared__ Tile tile;
  const TileParents parents = { tile.parent };
  const uint32_t y = blockIdx.y * tile_size, i = blockIdx.x, x = lane_index (), warp = threadIdx.x / warp_size;

  if (warp == 0)
    load_tile (p.planes, y, i, x, tile);
  __syncthreads ();
  for (uint32_t row = warp; row < tile_size; row += tile_warps)
    if (tile.starts[row] >> x & 1)
      init_label (tile, row, x);
  __syncthreads ();
  for (uint32_t row = warp; row < tile_size; row += tile_warps)
    if (tile.starts[row] >> x & 1)
      parents.shorten (row * tile_size + x, find_root (parents, row * tile_size + x));
  for (uint32_t row = warp; row < tile_size; row += tile_warps)
    reduce (tile, row, x);
  __syncthreads ();
  for (uint32_t row = warp; row < tile_size; row += tile_warps)
    store_row (p, y, i, row, tile);
}

/* Unites row y of a tile with the tile on the left. Skips a join that the row above implies. If that row is in another
 * tile, cca_reduce_borders () makes the unions with it. */
__device__ static void
reduce_left (const CcaSegmentsParams &p, uint32_t y, uint32_t i)
{
  const uint32_t id = pixel_id (p, y, i * tile_size);
  const Word<uint32_t> word = load_word<uint32_t> (p.planes, y, i);
  uint32_t joins = word.joins;

  if (y % tile_size > 0 && y < p.planes.height) {
    const Word<uint32_t> above = load_word<uint32_t> (p.planes, y - 1, i);
    const Links<uint32_t> all = load_all_links (p.planes, y, i, word, above);
    const uint32_t vertical_left = vertical_on_left (p.planes, y, i, word, above, all.vertical);
    const Links<uint32_t> links = thin_links (all, vertical_left, word.joins, above.joins);

    joins &= ~(above.joins & all.vertical & vertical_left);
    if (links.falling & 1)
      unite_segments<false> (p, id, id - p.row_ids - 1);
    if (links.rising & 1)
      unite_segments<false> (p, id - 1, id - p.row_ids);
  }
  if (joins & 1)
    unite_segments<false> (p, id, id - 1);
}

/* Unites each tile with those on the left and above, a warp each: a lane for a row, then for a column. */
extern "C" __global__ void
cca_reduce_borders (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  const uint32_t y = blockIdx.y * tile_size, i = warp_index ();

  if (i * tile_size >= p.row_ids)
    return;
  if (i > 0)
    reduce_left (p, y + lane_index (), i);
  if (y > 0)
    unite_links<Pixels, false> (p, y, i, 1u << lane_index ());
}
