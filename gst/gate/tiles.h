/* gst-cca: few tiles that cover many boxes: what a detector has to look at
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tiles lie in the frame and cover each box with its margin, as far as the frame has it. Two tiles become one where
 * that has no more pixels than both, and where there would be too many, those whose union wastes the least. Equal
 * input gives equal output. Plain C.
 */
#ifndef GST_CCA_TILES_H
#define GST_CCA_TILES_H

#include <stddef.h>
#include <stdint.h>

#include "box.h"

#define GST_CCA_TILES_MOST 64

typedef struct
{
  uint32_t x, y, width, height; /* pixels */
} GstCcaTile;

typedef struct
{
  uint32_t width, height;         /* of the frame, pixels; at least 1 */
  double margin;                  /* round each box, as a part of its longer side; at least 0 */
  uint32_t min_width, min_height; /* of a tile, pixels, as far as the frame has them */
  double aspect;                  /* a tile's width over its height; 0: any. A tile that would not fit has another */
  uint32_t multiple;              /* sides are multiples of it, as far as the frame has them; at least 1 */
  uint32_t most;                  /* tiles, 1…GST_CCA_TILES_MOST */
} GstCcaTilesParams;

/* Covers n boxes, of which those outside the frame do not count. Returns the number of tiles. */
size_t gst_cca_tiles_cover (const GstCcaTilesParams *params, const GstCcaBox *boxes, size_t n,
                            GstCcaTile tiles[GST_CCA_TILES_MOST]);

#endif
