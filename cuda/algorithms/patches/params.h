/* gst-cca: the parameters of the kernels of "patches", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_PATCHES_PARAMS_H
#define CCA_PATCHES_PARAMS_H

#include "cuda/kernels/params.h"

/* Patches of CCA_PATCH x CCA_PATCH pixels, a warp each, and groups of CCA_GROUP x CCA_GROUP patches, a block each. */
#define CCA_PATCH 32
#define CCA_GROUP 8

/* Threads of a block of patches, and of one for a group; regions of equal value want more shared memory. */
#define CCA_PATCH_BLOCK 128
#define CCA_GROUP_BLOCK 512
#define CCA_GROUP_BLOCK_OF_VALUES 256

/* Most runs of a patch, where neighbours in a row connect, and where they need not. */
#define CCA_PATCH_RUNS 512
#define CCA_PATCH_RUNS_OF_VALUES 1024

/* A patch's components that touch its rim: at most every other of its 124 pixels, or all. */
#define CCA_RIM 62
#define CCA_RIM_OF_VALUES 124

/* More than a group's components that touch its rim: as above, every other of its pixels or all. */
#define CCA_GROUP_RIM (2 * CCA_GROUP * CCA_PATCH)
#define CCA_GROUP_RIM_OF_VALUES (4 * CCA_GROUP * CCA_PATCH)

/* Added to the number of a group's outer components, 1, where all of its patches are one component which is all of
 * their sides. */
#define CCA_WHOLE_GROUP 0x80000000u

/* A patch with no more components than this has records of its own, which nobody else is asked for. */
#define CCA_PATCH_RECORDS 8

/* Counters: records taken from the pool by patches with more; blocks that are done; and for each row the first pixels
 * of components that pass. They are in lines of the cache of their own. */
#define CCA_N_POOLED 0
#define CCA_N_DONE 1
#define CCA_ROW_FIRSTS 32

/* Threads of a block that numbers components, and its patches, side by side: where some components are to be stored,
 * and where none are. */
#define CCA_NUMBER_BLOCK 512
#define CCA_NUMBERED_PATCHES (CCA_NUMBER_BLOCK / CCA_PATCH_RECORDS)
#define CCA_RANKED_PATCHES (2 * CCA_NUMBERED_PATCHES)

/* A patch's components have consecutive records; first those that touch the rim. A side, top, bottom, left and right
 * from the low byte on, is of one component, of none, or of several or a part of one. */
#define CCA_NO_RIM 255
#define CCA_MIXED_RIM 254
typedef struct
{
  uint32_t first;
  uint16_t n_rim, n;
  uint32_t sides;
  uint32_t ready; /* without groups: not 0 from when rim and names can be read until cast_rims has seen it */
} CcaPatch;       /* one access of 16 bytes */

typedef struct
{
  CcaPlanes planes;
  CcaAreas areas;
  uint32_t columns, rows; /* patches */
  CcaPatch *patches;
  uint32_t
      *rims; /* a patch with a mixed side, a lane i: the components at (i, 0), (i, 31), (0, i), (31, i), as in sides */
  uint32_t *firsts; /* a patch, a row: bits, the first pixels of components that pass */
  uint32_t *before; /* a patch, a row with one: such pixels before it, in raster order; NULL without an output image */
  uint32_t *counters; /* 0 between frames */
  uint32_t pool_size; /* records; a frame that takes more is done again with a larger one */
  uint32_t filters;   /* by area */
  uint32_t direct;    /* components are united over the borders of patches at once, without groups */

  uint64_t *names;   /* a record: the name of its parent, a record of its component with an earlier first pixel, or its
                      * own name:   first pixel, y << 16 | x, above; its place below */
  CcaTallies votes;  /* a record; NULL where nothing is measured */
  uint32_t *n_outer; /* a group: its components that touch its rim, or CCA_WHOLE_GROUP + 1; NULL without groups */
  uint32_t *outer;   /* a group, group_rim: their records */
  uint32_t group_rim;

  /* For an output image, or NULL. A patch that is not empty, a row: foreground. A patch with more than one component, a
   * run: its component's place among them. */
  uint32_t *bits;
  uint16_t *run_components;
} CcaPatchesParams;

/* What changes from frame to frame is for those kernels alone that need it: others keep their parameters. */
typedef struct
{
  CcaPatchesParams patches;
  CcaRangeParams range; /* instead of the foreground's plane */
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

#endif
