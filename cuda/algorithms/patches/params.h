/* gst-cca: the parameters of the kernels of "patches", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * docs/algorithms/patches.md has a glossary and draws a patch's header, border words and records.
 */
#pragma once

#include "cuda/kernels/params.h"

/* A patch has CCA_PATCH x CCA_PATCH pixels, and a warp works on it. A group has CCA_GROUP x CCA_GROUP patches, and a
 * block works on it. */
#define CCA_PATCH 32
#define CCA_GROUP 8

/* Threads of a block of patches, and of a block for a group. Regions of equal value want more shared memory. */
#define CCA_PATCH_BLOCK 128
#define CCA_GROUP_BLOCK 512
#define CCA_GROUP_BLOCK_OF_VALUES 256

/* Runs of a patch: neighbours in a row always connect, or only if their values are equal. */
#define CCA_PATCH_RUNS_MAX 512
#define CCA_PATCH_RUNS_OF_VALUES_MAX 1024

/* Components of a patch that touch its border: one for every other of its 124 pixels, or one for each. */
#define CCA_BORDER_COMPONENTS_MAX 62
#define CCA_BORDER_COMPONENTS_OF_VALUES_MAX 124

/* Outer components of a group touch its border. These bounds count the corners twice. */
#define CCA_OUTER_MAX (2 * CCA_GROUP * CCA_PATCH)
#define CCA_OUTER_OF_VALUES_MAX (4 * CCA_GROUP * CCA_PATCH)

/* Flag of a whole group, added to its number of outer components, 1: each of its patches has one component, which fills
 * all four sides of its patch. */
#define CCA_WHOLE_GROUP 0x80000000u

/* Records that belong to each patch. A patch with more components takes all its records from the pool. */
#define CCA_PATCH_RECORDS 8

/* Indices of counters: records taken from the pool; blocks that have arrived; and for each row of pixels the first
 * pixels of components that pass the filter. The last ones begin on a line of the cache of their own. */
#define CCA_N_POOLED 0
#define CCA_N_ARRIVED 1
#define CCA_ROW_FIRSTS 32

/* Threads of a block that numbers components, and its patches, side by side: if the kernel stores components, and if it
 * stores none. */
#define CCA_NUMBER_BLOCK 512
#define CCA_NUMBERED_PATCHES (CCA_NUMBER_BLOCK / CCA_PATCH_RECORDS)
#define CCA_RANKED_PATCHES (2 * CCA_NUMBERED_PATCHES)

/* What a byte of a border word says instead of a component: these pixels are background; or, of a whole side, its
 * pixels differ. */
#define CCA_BORDER_BACKGROUND 255
#define CCA_BORDER_MIXED 254

/* A patch. Its components have consecutive records; those that touch the border come first. Threads load and store 16
 * bytes at once. */
typedef struct
{
  uint32_t first;       /* record */
  uint16_t n_border, n; /* components that touch the border, and all */
  uint32_t sides;       /* a byte a side: top, bottom, left, right from the low byte on; its component, or as above */
  uint32_t ready; /* without groups: 1 from when borders and parents are stored until accumulate_direct resets it */
} CcaPatch;

typedef struct
{
  CcaPlanes planes;
  CcaSizes sizes;
  uint32_t columns, rows; /* of patches */
  CcaPatch *patches;
  uint32_t *borders; /* a border word for each patch and lane i, valid if a side is mixed: the components at its pixels
                      * (i, 0), (i, 31), (0, i) and (31, i), in the order of sides */
  uint32_t *firsts;  /* for each patch and row a mask of first pixels of components that pass the filter */
  uint32_t *before;  /* for each patch and row with a first pixel: first pixels before it, in raster order; NULL without
                      * an output image, overlaps or details */
  uint32_t *counters;  /* 0 between frames */
  uint32_t pool_size;  /* records; the host runs a frame that needs more again, with a larger pool */
  uint32_t has_filter; /* by size */
  uint32_t direct;     /* components are united over the seams of all patches at once, without groups */

  /* For each record the label of its parent. A label is the first pixel, y << 16 | x, in the upper half and the record
   * in the lower half. A parent is a record of the same component whose first pixel is not later; a root is its own. */
  uint64_t *parents;
  CcaTallies features; /* for each record; NULL if nothing is measured */
  uint32_t *n_outer;   /* for each group its outer components, or CCA_WHOLE_GROUP + 1; NULL without groups */
  uint32_t *outer;     /* for each group room for outer_capacity records: those of its outer components */
  uint32_t outer_capacity;

  /* For an output image, overlaps or details, else NULL. For each patch that is not empty, and row: the foreground. For
   * each patch with more than one component, and run: the run's component in the patch. */
  uint32_t *bits;
  uint16_t *run_components;
} CcaPatchesParams;

/* Values that change from frame to frame are parameters only of the kernels that need them, so that the host need not
 * update the others in the frame's graph. */
typedef struct
{
  CcaPatchesParams patches;
  CcaRangeParams range; /* used instead of planes.bits if it has pixels */
} CcaPatchesSolveParams;

typedef struct
{
  CcaPatchesParams patches;
  CcaWanted wanted;
} CcaPatchesNumberParams;

typedef struct
{
  CcaPatchesParams patches;
  CcaCanvas canvas;
} CcaPatchesPaintParams;

typedef struct
{
  CcaPatchesParams patches;
  CcaOverlapsParams overlaps;
} CcaPatchesOverlapParams;
