/* gst-cca: rows, borders, labels and first pixels of patches
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/patches/params.h"
#include "cuda/kernels/features.cuh"
#include "cuda/kernels/foreground.cuh"
#include "cuda/kernels/planes.cuh"
#include "cuda/kernels/union_find.cuh"
#include "cuda/kernels/vote.cuh"

constexpr uint32_t patch_size = CCA_PATCH;
static_assert (patch_size == warp_size, "a lane has a row of a patch");

/* --- Runs of a patch --------------------------------------------------------------------------------- */

/* This lane's row of a patch: as Word, but no pixel joins one beyond the patch. Rows that repeat the one above form a
 * slab with it and share its runs. */
struct PatchRow
{
  uint32_t here, joins;
  uint32_t slab;      /* the first row of its slab */
  uint32_t first_run; /* the slab's first run, an index of the patch's runs */

  __device__ uint32_t starts () const { return here & ~joins; }
  __device__ uint32_t ends () const { return here & ~(joins >> 1); } /* last pixels of runs */
  __device__ uint32_t n_runs () const { return __popc (starts ()); }
  __device__ uint32_t run_at (uint32_t x) const { return first_run + __popc (starts () & (all_lanes >> (31 - x))) - 1; }
  __device__ uint32_t last_run () const { return first_run + n_runs () - 1; }
  __device__ bool repeats () const { return slab < lane_index (); }
};

struct PatchRows
{
  PatchRow own;
  uint32_t slabs; /* a mask of the slabs' first rows */
  uint32_t n_runs;

  /* Returns the rows of the slab that begins with this lane's row. */
  __device__ uint32_t slab_height () const
  {
    const uint32_t below = slabs & ~lanes_before () & ~(1u << lane_index ());

    return (below ? __ffs (below) - 1 : warp_size) - lane_index ();
  }
};

/* Where patches come from: the foreground's plane, the planes of regions of equal value, or pixels. */
enum class Source
{
  bits,
  values,
  range
};

/* Returns this lane's row of a patch as bits. */
template <Source source>
__device__ static uint32_t
load_row (const CcaPlanes &p, const CcaRangeParams &range, uint32_t column, uint32_t row)
{
  const uint32_t y = row * patch_size + lane_index ();
  const size_t word = (size_t) y * p.row_words + column;

  if (source == Source::range)
    return rows_of_range (range, column, row * patch_size);
  return y < p.height ? p.bits[word] : 0;
}

/* Finds the runs of a patch whose rows the lanes hold as bits. */
template <bool values>
__device__ static PatchRows
find_runs (const CcaPlanes &p, uint32_t column, uint32_t row, uint32_t bits)
{
  const uint32_t y = row * patch_size + lane_index ();
  const size_t word = (size_t) y * p.row_words + column;
  PatchRows rows = {};
  PatchRow &own = rows.own;
  bool connects = true; /* each pixel with the one above, if both rows are alike */

  own.here = bits;
  own.joins = bits & bits << 1;
  if (values && y < p.height) {
    own.joins = p.joins[word] & ~1u;
    connects = lane_index () == 0 || p.vertical[word] == own.here;
  }
  const uint32_t here = __shfl_up_sync (all_lanes, own.here, 1), joins = __shfl_up_sync (all_lanes, own.joins, 1);
  const bool alike = here == own.here && joins == own.joins;

  rows.slabs = __ballot_sync (all_lanes, lane_index () == 0 || !alike || !connects);
  own.slab = 31 - __clz (rows.slabs & (lanes_before () | 1u << lane_index ()));
  const uint32_t n = own.repeats () ? 0 : own.n_runs (), sum = warp_inclusive_sum (n);

  own.first_run = __shfl_sync (all_lanes, sum - n, own.slab);
  rows.n_runs = __shfl_sync (all_lanes, sum, warp_size - 1);
  return rows;
}

/* The patch of this warp. Blocks of a grid's row share a row of patches. */
struct PatchIndex
{
  uint32_t column, row;

  __device__ bool exists (const CcaPatchesParams &p) const { return column < p.columns; }
  __device__ uint32_t in (const CcaPatchesParams &p) const { return row * p.columns + column; }
};

__device__ static PatchIndex
patch_index ()
{
  return { warp_index (), blockIdx.y };
}

/* Loads a patch in one access, without its flag. */
__device__ inline CcaPatch
patch_at (const CcaPatchesParams &p, uint32_t i)
{
  const uint4 v = ((const uint4 *) p.patches)[i];

  return { v.x, (uint16_t) v.y, (uint16_t) (v.y >> 16), v.z, 0 };
}

__device__ inline void
store_patch (const CcaPatchesParams &p, uint32_t i, const CcaPatch &patch)
{
  ((uint4 *) p.patches)[i] = make_uint4 (patch.first, patch.n_border | (uint32_t) patch.n << 16, patch.sides, 0);
}

/* --- Borders ----------------------------------------------------------------------------------------- */

constexpr uint32_t background = CCA_BORDER_BACKGROUND, empty_sides = 0xffffffff; /* all four sides are background */
constexpr uint32_t bytes = 0x01010101;                                           /* 1 in each byte */
constexpr uint32_t n_sides = 4;

/* A border word: a lane's element of CcaPatchesParams.borders, or CcaPatch.sides. */
struct BorderWord
{
  uint32_t word;

  __device__ uint32_t top () const { return word & 255; }
  __device__ uint32_t bottom () const { return word >> 8 & 255; }
  __device__ uint32_t left () const { return word >> 16 & 255; }
  __device__ uint32_t right () const { return word >> 24; }
};

/* Returns the sides of a border of which each lane has a word. */
__device__ inline uint32_t
sides_of_border (uint32_t word)
{
  const uint32_t first = __shfl_sync (all_lanes, word, 0), differs = warp_or (word ^ first);
  const uint32_t mixed = ((((differs & 0x7f * bytes) + 0x7f * bytes) | differs) >> 7 & bytes) * 255;

  return (first & ~mixed) | (CCA_BORDER_MIXED * bytes & mixed);
}

/* Returns whether a border needs its words; if not, its sides tell what is at every lane's pixels. */
__device__ inline bool
has_mixed_side (uint32_t sides)
{
  const uint32_t v = sides ^ CCA_BORDER_MIXED * bytes; /* a mixed side becomes a byte of 0 */

  return (v - bytes) & ~v & 0x80 * bytes;
}

/* --- Labels and parents of records --------------------------------------------------------------------- */

/* An element of CcaPatchesParams.parents. Labels compare as their first pixels do. */
typedef unsigned long long Label;

__device__ inline Label
make_label (uint32_t x, uint32_t y, uint32_t record)
{
  return (Label) (y << 16 | x) << 32 | record;
}

__device__ inline uint32_t
record_of (Label label)
{
  return (uint32_t) label;
}

/* Return the first pixel's coordinates in the image. */
__device__ inline uint32_t
first_x (Label label)
{
  return label >> 32 & 0xffff;
}

__device__ inline uint32_t
first_y (Label label)
{
  return label >> 48;
}

/* The union-find over records. A root has the first pixel of its whole component. */
struct RecordParents
{
  Label *parents;

  __device__ Label get (Label label) const { return parents[record_of (label)]; }
  __device__ void shorten (Label label, Label ancestor) const { __stcg (parents + record_of (label), ancestor); }
  __device__ Label lower (Label root, Label to) const { return atomicMin (parents + record_of (root), to); }
};

__device__ inline RecordParents
record_parents (const CcaPatchesParams &p)
{
  return { (Label *) p.parents };
}

/* --- First pixels ------------------------------------------------------------------------------------ */

struct FirstPixel
{
  uint32_t patch, y, x; /* y and x within the patch */

  __device__ size_t word () const { return (size_t) patch * patch_size + y; }
};

__device__ inline FirstPixel
first_pixel (const CcaPatchesParams &p, Label label)
{
  const uint32_t y = first_y (label), x = first_x (label);

  return { y / patch_size * p.columns + x / patch_size, y % patch_size, x % patch_size };
}
