/* gst-cca: the parameters of the kernels of "tile-merge", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/params.h"

/* The side of the tiles that are solved in shared memory, in pixels: those of a word. */
#define CCA_TILE 32

/* A level merges this many tiles in either direction. */
#define CCA_TILES_MERGED 4

typedef struct
{
  CcaSegmentsParams segments;
  uint32_t tile; /* the side of the tiles that the level merges, in pixels */

  /* For each thread of the level, and for each again, the root that a union of it made no root; or UINT32_MAX. NULL
   * without early properties. */
  uint32_t *lost_roots;
} CcaTileMergeParams;
