/* gst-cca: crops of a frame in tiles of a fixed size, and results in tiles back in the frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A crop is scaled to fit a tile, with its aspect kept, and lies in the tile's middle. One thread at a time. Plain C.
 */
#pragma once

#include "gate.h"

/* A frame or a tile. Rectangles start and, except at the right and lower border, end at multiples of step: the
 * subsampling of the format. */
typedef struct
{
  uint32_t width, height; /* pixels; at least 1 */
  uint32_t step[2];       /* of x and y; at least 1 */
} GstCcaSheet;

/* A part of a frame, and where it lies in a tile, pixels. */
typedef struct
{
  GstCcaBox crop, place;
} GstCcaLetterbox;

/* Fits a crop into a tile. The part of the crop in the frame grows to multiples of the frame's step. Returns FALSE if
 * no part of it is in the frame. */
bool gst_cca_letterbox_fit (const GstCcaSheet *frame, const GstCcaSheet *tile, const GstCcaTile *crop,
                            GstCcaLetterbox *box);

/* Returns where a box of the tile lies in the frame, without what reaches over the crop: without area if all does. */
GstCcaBox gst_cca_letterbox_back (const GstCcaLetterbox *box, const GstCcaBox *in_tile);

/* --- Seams -------------------------------------------------------------------------------------------- */

/* Something that was found in a crop. */
typedef struct
{
  GstCcaBox box;       /* in the frame */
  GstCcaBox crop;      /* the crop it was found in */
  uint32_t tile, kind; /* numbers of the tile and of the class */
  size_t place;        /* in the list */
  bool cut;            /* it ends at a border of its crop that lies inside the frame */
  bool repeats;        /* another one stands for it */
} GstCcaFound;

/* Marks what was found of one object in several crops, except for one of each: boxes of a class from different tiles
 * that overlap by half or more, or of which one is cut and half in the other or more. Those that are not cut are kept
 * first, then the larger ones. Takes box, crop, tile and kind, sets the rest, and keeps the order. order has room for
 * n. */
void gst_cca_seams_mark (GstCcaFound *found, const GstCcaFound **order, size_t n, const GstCcaSheet *frame);
