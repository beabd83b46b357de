/* gst-cca: shapes and intensities of components, from an image of labels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warp goes down a tile row by row; a lane has a column. CcaShape defines the counts.
 */
#include "cuda/kernels/details.cuh"
#include "cuda/kernels/formats.cuh"

/* Columns on either side of a tile that a warp needs for the shapes in it: a border pixel depends on its neighbours,
 * and whether these are border pixels on theirs. */
constexpr uint32_t margin = 2;
static_assert (CCA_SHAPE_COLUMNS == warp_size - 2 * margin, "the outer lanes have the columns beside");

/* Returns the label at a place, which may lie outside the image. */
__device__ static uint32_t
label_at (const CcaLabelled &p, int32_t x, int32_t y)
{
  if (x < 0 || y < 0 || x >= (int32_t) p.width || y >= (int32_t) p.height)
    return 0;
  return p.labels[y * p.label_pitch + x];
}

/* A value of a lane's pixel and of its two neighbours; unknown on the outer side of the first and the last lane. All
 * lanes construct it. */
struct Triple
{
  uint32_t here, left, right;

  __device__ explicit Triple (uint32_t value)
      : here (value), left (__shfl_up_sync (all_lanes, value, 1)), right (__shfl_down_sync (all_lanes, value, 1))
  {
  }
};

/* The neighbours that belong to a pixel's component. */
struct Neighbours
{
  bool left, right, down, falling, rising, is_border;

  __device__ Neighbours (uint32_t above, const Triple &row, const Triple &below)
      : left (row.left == row.here), right (row.right == row.here), down (below.here == row.here),
        falling (below.right == row.here), rising (below.left == row.here),
        is_border (row.here != 0 && !(left && right && down && above == row.here))
  {
  }
};

/* Returns a pixel's counts; borders has the labels of border pixels in its row, above and below. */
__device__ static ShapeCounts
count_shape (uint32_t label, const Neighbours &is, const Triple (&borders)[3], bool diagonal)
{
  const Triple &above = borders[0], &row = borders[1], &below = borders[2];
  const uint32_t sides = (row.left == label) + (row.right == label) + (above.here == label) + (below.here == label);
  const uint32_t corners =
      (above.left == label) + (above.right == label) + (below.left == label) + (below.right == label);
  const bool is_step = is.is_border && (sides == 2 || sides == 3) && corners <= 2;
  const bool is_slant = is.is_border && ((sides == 0 && corners == 2) || (sides == 1 && corners == 3));
  const bool is_half = is.is_border && sides == 1 && (corners == 1 || corners == 2);
  const bool is_square = is.right && is.down && is.falling;
  const uint32_t crossings = diagonal ? (is.falling && !is.right && !is.down) + (is.rising && !is.left && !is.down) : 0;

  return { 2u * is_step + is_half, 2u * is_slant + is_half, 2u - is.right - is.down, 2u - is.falling - is.rising,
           1 - is.right - is.down + is_square - (int32_t) crossings };
}

/* Counts the shapes in a warp's tile, whose first column is x + margin. */
__device__ static void
count_tile (const CcaShapesParams &q, int32_t x, int32_t first_row, LaneCounts<ShapeCounts> &lane)
{
  const CcaLabelled &p = q.labelled;
  const bool is_own = lane_index () >= margin && lane_index () < warp_size - margin;
  const int32_t last_row = min (first_row + CCA_DETAIL_ROWS, (int32_t) p.height);
  uint32_t above = 0;
  Triple last (0), row (label_at (p, x, first_row - (int32_t) margin));
  Triple borders[] = { Triple (0), Triple (0), Triple (0) };
  Neighbours of_last (0, last, last);

  for (int32_t y = first_row - (int32_t) margin; y <= last_row; y++) {
    const Triple below (label_at (p, x, y + 1));
    const Neighbours of_row (above, row, below);

    borders[0] = borders[1];
    borders[1] = borders[2];
    borders[2] = Triple (of_row.is_border ? row.here : 0);
    if (y > first_row && is_own && last.here != 0)
      lane.add (last.here, count_shape (last.here, of_last, borders, q.diagonal));
    above = row.here;
    last = row;
    row = below;
    of_last = of_row;
  }
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_shapes (const CcaShapesParams q)
{
  trigger_then_sync ();
  __shared__ BlockCounts<ShapeCounts> block;
  const int32_t x = (int32_t) (warp_index () * CCA_SHAPE_COLUMNS + lane_index ()) - (int32_t) margin;
  LaneCounts<ShapeCounts> lane (q.labelled, block);

  block.clear ();
  __syncthreads ();
  if (warp_index () * CCA_SHAPE_COLUMNS < q.labelled.width) {
    count_tile (q, x, (int32_t) (blockIdx.y * CCA_DETAIL_ROWS), lane);
    lane.finish ();
  }
  __syncthreads ();
  block.vote (q.labelled);
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_intensities (const CcaIntensitiesParams q)
{
  trigger_then_sync ();
  __shared__ BlockCounts<IntensityCounts> block;
  const CcaLabelled &p = q.labelled;
  const int32_t x = (int32_t) (blockIdx.x * CCA_BLOCK + threadIdx.x),
                first_row = (int32_t) (blockIdx.y * CCA_DETAIL_ROWS);
  LaneCounts<IntensityCounts> lane (p, block);

  block.clear ();
  __syncthreads ();
  for (int32_t y = first_row; y < first_row + CCA_DETAIL_ROWS; y++) {
    const uint32_t label = label_at (p, x, y);

    if (label != 0) {
      const uint32_t v = value_at (q.format, q.reading, q.pixels + y * q.pitch, (uint32_t) x);

      lane.add (label, { v, ~v, v });
    }
  }
  lane.finish ();
  __syncthreads ();
  block.vote (p);
}

constexpr uint32_t n_words = sizeof (CcaDetails) / sizeof (uint64_t);

/* Sets the details of the frame's components to 0. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_clear_details (const CcaFoundDetails p)
{
  trigger_then_sync ();
  const uint32_t n = min (p.header->n_components, p.n_details) * n_words;

  for (uint32_t i = blockIdx.x * CCA_BLOCK + threadIdx.x; i < n; i += gridDim.x * CCA_BLOCK)
    ((uint64_t *) p.details)[i] = 0;
}

/* Stores the first components' details for the host. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_store_details (const CcaFoundDetails p)
{
  trigger_then_sync ();
  const uint32_t n = min (p.header->n_components, p.n_for_host) * n_words;

  for (uint32_t i = blockIdx.x * CCA_BLOCK + threadIdx.x; i < n; i += gridDim.x * CCA_BLOCK)
    ((uint64_t *) p.for_host)[i] = ((const uint64_t *) p.details)[i];
}
