/* gst-cca: the parameters of the kernels of "tile-merge", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/params.h"

/* The side of the tiles that are solved in shared memory, pixels: a word. */
#define CCA_TILE 32

/* Tiles that a level merges, in either direction. */
#define CCA_TILES_MERGED 4

typedef struct
{
  CcaSegmentsParams segments;
  uint32_t tile; /* the side of the tiles that the level merges, in pixels */

  /* The former roots of a level, two for each of its threads: the roots that its unions made children, or UINT32_MAX.
   * NULL without early properties. */
  uint32_t *lost_roots;
} CcaTileMergeParams;
