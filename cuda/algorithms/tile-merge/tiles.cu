/* gst-cca: tiles of 32x32 pixels, solved in shared memory, and merged level by level
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Stava & Benes, Connected component labeling in CUDA, GPU Computing Gems Emerald Edition, 2011, chapter 35: the local
 * solution (kernel 1, section 35.3.3), the merging scheme (kernels 2 and 3, section 35.3.4). Kernel 4 is flatten ().
 *
 *     +--+--+--+--+--         a level merges 4x4 tiles over the seams between them: | and -
 *     |  |  |  |  #           the next level does the same with the tiles that result, over every fourth seam: #
 *     +--+--+--+--#--         before it, the pixels on both sides of # are pointed at their roots
 *     |  |  |  |  #
 *
 * Two pixels are united on the first level that has both in one tile, unless other links of this or earlier levels
 * imply their link.
 */
#include "cuda/algorithms/segments/pixels.cuh"
#include "cuda/algorithms/tile-merge/params.h"

constexpr uint32_t tile_size = CCA_TILE, tile_pixels = tile_size * tile_size;
static_assert (tile_size == warp_size, "a lane has a column of a tile");

/* --- Local solution ---------------------------------------------------------------------------------- */

constexpr uint32_t rows_a_warp = tile_size / (CCA_BLOCK / warp_size);

/* A row of a tile, as bits, without joins and links across its border. */
struct TileRow
{
  uint32_t here, starts;
  Links<uint32_t> links;
};

/* Loads the rows of this warp from `first` on, and the one above, to consecutive lanes; `first` counts in the tile. */
__device__ static TileRow
load_tile_rows (const CcaPlanes &p, uint32_t first)
{
  const uint32_t row = first + lane_index () - 1, y = blockIdx.y * tile_size + row;
  const bool exists = lane_index () <= rows_a_warp && row < tile_size && y < p.height;
  Word<uint32_t> word = exists ? load_word<uint32_t> (p, y, blockIdx.x) : Word<uint32_t>{};

  word.joins &= ~1u;
  const Word<uint32_t> above = { __shfl_up_sync (all_lanes, word.here, 1), __shfl_up_sync (all_lanes, word.left, 1),
                                 __shfl_up_sync (all_lanes, word.joins, 1) };
  TileRow tile_row = { word.here, word.starts (), {} };

  if (exists && row > 0 && lane_index () > 0)
    tile_row.links = load_links (p, y, blockIdx.x, word, above);
  tile_row.links.falling &= ~1u;
  tile_row.links.rising &= ~1u;
  return tile_row;
}

__device__ static TileRow
row_of_lane (const TileRow &row, uint32_t lane)
{
  return { __shfl_sync (all_lanes, row.here, lane),
           __shfl_sync (all_lanes, row.starts, lane),
           { __shfl_sync (all_lanes, row.links.vertical, lane), __shfl_sync (all_lanes, row.links.falling, lane),
             __shfl_sync (all_lanes, row.links.rising, lane) } };
}

/* Labels of the first pixels of runs, in shared memory. Other threads write while one reads. */
struct TileLabels
{
  uint32_t *labels;

  __device__ uint32_t get (uint32_t i) const { return *(volatile uint32_t *) (labels + i); }
  __device__ void shorten (uint32_t i, uint32_t ancestor) const { lower (i, ancestor); }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicMin (labels + root, to); }
};

/* A thread's pixels in each of its warp's rows. Indices count the tile's pixels in raster order. */
struct TilePixels
{
  uint32_t start[rows_a_warp];    /* the first pixel of the pixel's run; tile_pixels in the background */
  uint32_t length[rows_a_warp];   /* of the run, at its first pixel; 0 elsewhere */
  uint32_t links[rows_a_warp][2]; /* two runs that connect here, one << 16 | the other above it; 0 for none */
};

/* Finds the runs of a block's tile and their links; initialises each run's label to its first pixel. */
__device__ static TilePixels
find_runs (const CcaPlanes &p, const TileLabels &tile)
{
  const uint32_t first = threadIdx.x / warp_size * rows_a_warp, bit = 1u << lane_index (), before = lanes_before ();
  const TileRow rows = load_tile_rows (p, first);
  TilePixels pixels = {};

#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++) {
    const TileRow row = row_of_lane (rows, k + 1);
    const uint32_t starts_above = __shfl_sync (all_lanes, rows.starts, k);
    const uint32_t base = (first + k) * tile_size, base_above = base - tile_size;
    const auto start_in = [] (uint32_t starts) { return 31 - __clz (starts); };

    pixels.start[k] = row.here & bit ? base + start_in (row.starts & (before | bit)) : tile_pixels;
    if (row.starts & bit) {
      tile.labels[pixels.start[k]] = pixels.start[k];
      pixels.length[k] = __ffs (~((row.here & ~row.starts) >> 1 >> lane_index ()));
    }
    if ((row.links.vertical | row.links.falling) & bit)
      pixels.links[k][0] =
          pixels.start[k] << 16
          | (base_above + start_in (starts_above & (row.links.vertical & bit ? before | bit : before)));
    if (row.links.rising & bit)
      pixels.links[k][1] =
          (base + start_in (row.starts & before)) << 16 | (base_above + start_in (starts_above & (before | bit)));
  }
  return pixels;
}

/* Gives all connected runs their lowest label. Repeats two steps until no labels differ: lowers the higher root of two
 * linked runs with different labels; points all runs at their roots. If two threads lower the same root, one link is
 * lost, and differs again in the next round. */
__device__ static void
solve_tile (const TileLabels &tile, const TilePixels &pixels)
{
  __syncthreads ();
  for (;;) {
    bool same = true;

#pragma unroll
    for (uint32_t k = 0; k < 2 * rows_a_warp; k++) {
      const uint32_t link = pixels.links[k / 2][k % 2];

      if (link) {
        const uint32_t a = tile.get (link >> 16), b = tile.get (link & 0xffff);

        if (a != b) {
          tile.lower (max (a, b), min (a, b));
          same = false;
        }
      }
    }
    if (__syncthreads_and (same))
      return;
#pragma unroll
    for (uint32_t k = 0; k < rows_a_warp; k++)
      if (pixels.length[k])
        tile.shorten (pixels.start[k], find_root (tile, pixels.start[k]));
    __syncthreads ();
  }
}

/* Returns the id of a pixel of this block's tile. */
__device__ static uint32_t
id_in_image (const CcaSegmentsParams &p, uint32_t i)
{
  return pixel_id (p, blockIdx.y * tile_size + i / tile_size, blockIdx.x * tile_size + i % tile_size);
}

__device__ static void
store_labels (const CcaSegmentsParams &p, const TileLabels &tile, const TilePixels &pixels)
{
#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++)
    if (pixels.start[k] < tile_pixels)
      p.parent[id_in_image (p, pixels.start[k] / tile_size * tile_size + lane_index ())] =
          id_in_image (p, tile.labels[pixels.start[k]]);
}

/* --- Early properties -------------------------------------------------------------------------------- */

/* Features of a tile's components, at their roots, in coordinates of the tile. */
template <bool moments> struct TileFeatures
{
#define TILE_FEATURE(field, operation) uint32_t field[tile_pixels];
#define TILE_MOMENT(field, operation) uint32_t field[moments ? tile_pixels : 1];
  CCA_SUM_FIELDS (TILE_FEATURE)
  CCA_BOX_FIELDS (TILE_FEATURE)
  CCA_MOMENT_FIELDS (TILE_MOMENT)

  __device__ void store (uint32_t root, const Vote &vote)
  {
#define STORE_TILE_FEATURE(field, operation) field[root] = (uint32_t) vote.tally.field;
#define STORE_TILE_MOMENT(field, operation) field[root] = (uint32_t) vote.moments.field;
    CCA_SUM_FIELDS (STORE_TILE_FEATURE)
    CCA_BOX_FIELDS (STORE_TILE_FEATURE)
    if (moments) {
      CCA_MOMENT_FIELDS (STORE_TILE_MOMENT)
    }
  }

  __device__ void cast (uint32_t root, const Vote &vote)
  {
#define CAST_SUM_IN_TILE(value, given) atomicAdd (&value, (uint32_t) given);
#define CAST_MIN_IN_TILE(value, given) atomicMax (&value, given);
#define CAST_MAX_IN_TILE(value, given) atomicMax (&value, given);
#define CAST_TILE_FEATURE(field, operation) CAST_##operation##_IN_TILE (field[root], vote.tally.field)
#define CAST_TILE_MOMENT(field, operation) CAST_##operation##_IN_TILE (field[root], vote.moments.field)
    CCA_SUM_FIELDS (CAST_TILE_FEATURE)
    CCA_BOX_FIELDS (CAST_TILE_FEATURE)
    if (moments) {
      CCA_MOMENT_FIELDS (CAST_TILE_MOMENT)
    }
  }

  __device__ Vote at (uint32_t root) const
  {
    Vote vote = {};

#define LOAD_TILE_FEATURE(field, operation) vote.tally.field = field[root];
#define LOAD_TILE_MOMENT(field, operation) vote.moments.field = field[root];
    CCA_SUM_FIELDS (LOAD_TILE_FEATURE)
    CCA_BOX_FIELDS (LOAD_TILE_FEATURE)
    if (moments) {
      CCA_MOMENT_FIELDS (LOAD_TILE_MOMENT)
    }
    return vote;
  }
};

/* Returns the vote of pixels counted relative to (x, y). */
__device__ static Vote
shift_vote (const Vote &vote, uint32_t x, uint32_t y)
{
  const CcaTally &t = vote.tally;
  const CcaMoments &m = vote.moments;
  const Sum dx = x, dy = y;

  return { { t.sum_x + dx * t.area, t.sum_y + dy * t.area, t.area, t.x_min - x, t.x_max + x, t.y_max + y },
           { m.sum_xx + dx * (2 * t.sum_x + dx * t.area), m.sum_xy + dx * t.sum_y + dy * (t.sum_x + dx * t.area),
             m.sum_yy + dy * (2 * t.sum_y + dy * t.area), 0 } };
}

/* Sums the features of a tile's components in shared memory, a vote per run, and stores them at their roots. */
template <bool moments>
__device__ static void
measure_tile (const CcaSegmentsParams &p, const TileLabels &tile, const TilePixels &pixels)
{
  __shared__ TileFeatures<moments> features;
  const auto vote_of_run = [&] (uint32_t k) {
    return vote_of_segment (lane_index (), lane_index () + pixels.length[k], pixels.start[k] / tile_size, moments);
  };

#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++)
    if (pixels.length[k] && tile.labels[pixels.start[k]] == pixels.start[k])
      features.store (pixels.start[k], vote_of_run (k));
  __syncthreads ();
#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++)
    if (pixels.length[k] && tile.labels[pixels.start[k]] != pixels.start[k])
      features.cast (tile.labels[pixels.start[k]], vote_of_run (k));
  __syncthreads ();
#pragma unroll
  for (uint32_t k = 0; k < rows_a_warp; k++)
    if (pixels.length[k] && tile.labels[pixels.start[k]] == pixels.start[k])
      store_vote (p.segment_features, id_in_image (p, pixels.start[k]),
                  shift_vote (features.at (pixels.start[k]), blockIdx.x * tile_size, blockIdx.y * tile_size));
}

template <bool early, bool moments>
__device__ static void
solve_tiles (const CcaSegmentsParams &p)
{
  __shared__ uint32_t labels[tile_pixels];
  const TileLabels tile = { labels };
  const TilePixels pixels = find_runs (p.planes, tile);

  solve_tile (tile, pixels);
  store_labels (p, tile, pixels);
  if (early)
    measure_tile<moments> (p, tile, pixels);
}

#define CCA_DEFINE_SOLVE_KERNEL(name, early, moments)                                                                  \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_solve_tiles##name (const CcaSegmentsParams p)           \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    solve_tiles<early, moments> (p);                                                                                   \
  }

CCA_DEFINE_SOLVE_KERNEL (, false, false)
CCA_DEFINE_SOLVE_KERNEL (_early, true, false)
CCA_DEFINE_SOLVE_KERNEL (_early_moments, true, true)

/* --- Merging scheme ---------------------------------------------------------------------------------- */

/* The pixel of a level's thread, on one of the level's lines through the image, horizontal ones first. */
struct LinePixel
{
  bool horizontal;
  uint32_t line, along; /* along may be up to a word beyond the width */
};

__device__ static LinePixel
line_pixel_of_thread (const CcaSegmentsParams &p, uint32_t n_horizontal)
{
  const uint32_t length = (p.row_ids + tile_size - 1) / tile_size * tile_size;
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, n = n_horizontal * length;

  if (i < n)
    return { true, i / length, i % length };
  return { false, (i - n) / p.planes.height, (i - n) % p.planes.height };
}

/* Returns how many lines between tiles of a size cross an extent of the image. */
__device__ static uint32_t
count_lines (uint32_t extent, uint32_t tile)
{
  return (extent - 1) / tile;
}

/* The unions of a thread: of (x, y) with its neighbours across a seam above or on the left. */
struct SeamLinks
{
  uint32_t x, y;
  bool above, left, falling, rising;
};

/* Returns the links across seams above. In the first column of a merged tile, diagonals belong to a later level; and no
 * link there is dropped because of one to its left, which may itself be dropped because of this one. */
__device__ static SeamLinks
links_upwards (const CcaPlanes &p, uint32_t merged, uint32_t x, uint32_t y)
{
  const uint32_t i = x / warp_size, bit = 1u << x % warp_size;
  const uint32_t inside = i * warp_size % merged ? all_lanes : ~1u;
  Word<uint32_t> word = load_word<uint32_t> (p, y, i), above = load_word<uint32_t> (p, y - 1, i);

  word.joins &= inside;
  above.joins &= inside;
  const Links<uint32_t> links = load_links (p, y, i, word, above);

  return {
    x, y, (links.vertical & bit) != 0, false, (links.falling & inside & bit) != 0, (links.rising & inside & bit) != 0
  };
}

/* Returns the links across seams on the left; x is a multiple of a word. Drops a join that the one above implies,
 * because both its pixels connect with theirs. The first row below a seam of this level or a later one keeps its join,
 * and leaves diagonals to that seam. */
__device__ static SeamLinks
links_to_the_left (const CcaPlanes &p, uint32_t tile, uint32_t x, uint32_t y)
{
  const uint32_t i = x / warp_size;
  const Word<uint32_t> word = load_word<uint32_t> (p, y, i);
  SeamLinks seam = { x, y, false, (word.joins & 1) != 0, false, false };

  if (y % tile == 0)
    return seam;
  const Word<uint32_t> above = load_word<uint32_t> (p, y - 1, i);
  const Links<uint32_t> links = load_links (p, y, i, word, above);
  const uint32_t vertical = p.vertical ? p.vertical[(size_t) y * p.row_words + i] : word.here & above.here;

  seam.left = word.joins & ~(above.joins & vertical) & 1;
  seam.falling = links.falling & 1;
  seam.rising = links.rising & 1;
  return seam;
}

/* Returns the links at this thread's pixel of the seams between a level's tiles. */
__device__ static SeamLinks
find_links (const CcaTileMergeParams &q)
{
  const CcaSegmentsParams &p = q.segments;
  const uint32_t merged = q.tile * CCA_TILES_MERGED;
  const auto count_seams = [&] (uint32_t extent) {
    return count_lines (extent, q.tile) - count_lines (extent, merged);
  };
  const LinePixel pixel = line_pixel_of_thread (p, count_seams (p.planes.height));
  constexpr uint32_t inner = CCA_TILES_MERGED - 1;
  const uint32_t seam = pixel.line / inner * merged + (pixel.line % inner + 1) * q.tile;

  if (pixel.horizontal)
    return links_upwards (p.planes, merged, pixel.along, seam);
  return pixel.line < count_seams (p.row_ids) ? links_to_the_left (p.planes, q.tile, seam, pixel.along) : SeamLinks{};
}

/* Merges the tiles of a level. With early properties, stores the roots that became children. */
template <bool early>
__device__ static void
merge_tiles (const CcaTileMergeParams &q)
{
  const CcaSegmentsParams &p = q.segments;
  const SeamLinks seam = find_links (q);
  const GlobalParents parents = { p.parent };
  uint32_t lost = no_root, lost_too = no_root;

  if (seam.above || seam.left || seam.falling) /* at most one of them: two imply the third */
    lost = unite (parents, pixel_id (p, seam.y, seam.x),
                  pixel_id (p, seam.left ? seam.y : seam.y - 1, seam.above ? seam.x : seam.x - 1));
  if (seam.rising)
    lost_too = unite (parents, pixel_id (p, seam.y, seam.x - 1), pixel_id (p, seam.y - 1, seam.x));
  if (early) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    q.lost_roots[i] = lost;
    q.lost_roots[gridDim.x * blockDim.x + i] = lost_too;
  }
}

/* Points this thread's pixel at its root, if it is beside a line of a later level. */
__device__ static void
update_border (const CcaTileMergeParams &q)
{
  const CcaSegmentsParams &p = q.segments;
  const uint32_t merged = q.tile * CCA_TILES_MERGED;
  const LinePixel pixel = line_pixel_of_thread (p, 2 * count_lines (p.planes.height, merged));
  const uint32_t across = (pixel.line / 2 + 1) * merged - pixel.line % 2; /* either side of a line */
  const uint32_t x = pixel.horizontal ? pixel.along : across, y = pixel.horizontal ? across : pixel.along;

  if (!pixel.horizontal && pixel.line >= 2 * count_lines (p.row_ids, merged))
    return;
  if (p.planes.bits[(size_t) y * p.planes.row_words + x / warp_size] >> x % warp_size & 1) {
    const uint32_t id = pixel_id (p, y, x), root = find_root (GlobalParents{ p.parent }, id);

    if (root != id)
      __stcg (p.parent + id, root);
  }
}

/* Moves the features of a former root to its new root. No union runs meanwhile, so the new root stays; and only one
 * thread made it a child, so its features count once. */
__device__ static void
move_features (const CcaSegmentsParams &p, uint32_t lost)
{
  Vote vote = {};

  if (lost == no_root)
    return;
  vote.tally = p.segment_features.tally[lost];
  if (p.segment_features.moments)
    vote.moments = p.segment_features.moments[lost];
  cast_vote (p.segment_features, find_root (CurrentParents{ p.parent }, lost), vote);
}

template <bool early>
__device__ static void
update_borders (const CcaTileMergeParams &q)
{
  update_border (q);
  if (early) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    move_features (q.segments, q.lost_roots[i]);
    move_features (q.segments, q.lost_roots[gridDim.x * blockDim.x + i]);
  }
}

#define CCA_DEFINE_LEVEL_KERNELS(name, early)                                                                          \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_merge_tiles##name (const CcaTileMergeParams p)          \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    merge_tiles<early> (p);                                                                                            \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__ (CCA_BLOCK) cca_update_borders##name (const CcaTileMergeParams p)       \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    update_borders<early> (p);                                                                                         \
  }

CCA_DEFINE_LEVEL_KERNELS (, false)
CCA_DEFINE_LEVEL_KERNELS (_early, true)
