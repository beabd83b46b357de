/* gst-cca: where the foreground was for most of a while, in coarse cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "frame.h"

/* All 0 before the first frame. */
typedef struct
{
  uint32_t side, columns, rows; /* of the cells that are counted */
  uint32_t factor;              /* so many of them are the side of a coarse one */
  uint32_t n_frames;
  GstCcaIndexCells coarse;
  uint32_t *sums, *votes; /* coarse cells: foreground pixels of a frame; frames */
  uint8_t *cells;
  size_t room_sums, room_votes, room_cells;
} GstCcaIndexForeground;

void gst_cca_index_foreground_clear (GstCcaIndexForeground *foreground);

/* Whether cells of this shape can be added to those so far. */
bool gst_cca_index_foreground_fits (const GstCcaIndexForeground *foreground, uint32_t side, uint32_t columns,
                                    uint32_t rows);

/* Adds the foreground pixels of a frame's cells, row by row. Cells of another size begin anew. Returns FALSE if memory
 * is exhausted: then nothing is kept. */
bool gst_cca_index_foreground_add (GstCcaIndexForeground *foreground, uint32_t side, uint32_t columns, uint32_t rows,
                                   const uint8_t *counts);

/* Returns the cells of which at least a quarter was foreground in at least half of the frames, and begins anew; without
 * a frame none are known. Valid until the next call. */
GstCcaIndexCells gst_cca_index_foreground_take (GstCcaIndexForeground *foreground);
