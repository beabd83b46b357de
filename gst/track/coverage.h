/* gst-cca: how many foreground pixels a box has
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sums over rectangles by a table of sums: Crow, "Summed-Area Tables for Texture Mapping", SIGGRAPH 1984.
 */
#pragma once

#include <math.h>

#include "box.h"
#include "tracker.h"

/* Cells along an axis: from the first one up to, but without, the end. */
typedef struct
{
  int first, end;
} GstCcaCells;

/* Returns which of n cells have their middles between two coordinates. */
static inline GstCcaCells
gst_cca_cells_between (double from, double to, double cell, uint32_t n)
{
  const double first = gst_cca_min (gst_cca_max (floor (from / cell + 0.5), 0.0), n);

  return (GstCcaCells) { (int) first, (int) gst_cca_min (gst_cca_max (floor (to / cell + 0.5), first), n) };
}

/* All zero at first. */
typedef struct
{
  int32_t *sums; /* of the cells above and to the left; (columns + 1) x (rows + 1) */
  size_t room;
  uint32_t columns, rows;
  double cell;
} GstCcaCoverage;

/* Takes the cells of a frame that has some. Returns FALSE if memory is exhausted. */
bool gst_cca_coverage_fill (GstCcaCoverage *coverage, const GstCcaTrackerFrame *frame);

/* Returns the foreground pixels in a box; those of a cell are spread evenly over it. */
double gst_cca_coverage_count (const GstCcaCoverage *coverage, const GstCcaBox *box);
