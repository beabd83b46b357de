/* gst-cca: tiles of pixels, solved in shared memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *     +----+----+     A tile has CCA_TILE rows of one word. A block unites within it (solve), then a warp for each tile
 *     |    |    |     unites over the borders on its left and above it (merge). Links within a tile are those between
 *     +----+----+     two of its pixels; all others cross a border.
 */
#pragma once

#include "cuda/algorithms/segments/pixels.cuh"
#include "cuda/kernels/warp.cuh"

constexpr uint32_t tile_size = CCA_TILE, tile_pixels = tile_size * tile_size, tile_warps = CCA_BLOCK / warp_size;
static_assert (tile_size == warp_size, "a lane for each column, or for each row");

/* The bits of a word's pixels whose left neighbours are in the tile, too. */
constexpr uint32_t inner_columns = ~1u;

/* Parents in shared memory. A pixel's label is row * tile_size + column, so that labels are in raster order. */
struct TileParents
{
  uint32_t *parent;

  __device__ uint32_t get (uint32_t i) const { return *(volatile uint32_t *) (parent + i); }
  __device__ void shorten (uint32_t i, uint32_t ancestor) const { lower (i, ancestor); }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicMin (parent + root, to); }
};

/* Returns the id of a tile's pixel. The tile is in column i of words, its first row is y. */
__device__ inline uint32_t
id_of_label (const CcaSegmentsParams &p, uint32_t y, uint32_t i, uint32_t label)
{
  return pixel_id (p, y + label / tile_size, i * tile_size + label % tile_size);
}

/* A row of a tile and its links with the row above. */
struct TileRow
{
  uint32_t here, joins, joins_above; /* without links across the border */
  Links<uint32_t> links;             /* within the tile */
};

/* Loads a row of the tile whose first row is y; rows below the image have no foreground. */
__device__ inline TileRow
load_tile_row (const CcaPlanes &p, uint32_t y, uint32_t i, uint32_t row)
{
  const Word<uint32_t> word = load_word<uint32_t> (p, y + row, i);
  TileRow result = { word.here, word.joins & inner_columns, 0, {} };

  if (row > 0 && y + row < p.height) {
    const Word<uint32_t> above = load_word<uint32_t> (p, y + row - 1, i);

    result.joins_above = above.joins & inner_columns;
    result.links = load_all_links (p, y + row, i, word, above);
    result.links.falling &= inner_columns;
    result.links.rising &= inner_columns;
  }
  return result;
}
