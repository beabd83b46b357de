/* gst-cca: where lines and polygons of a drawing are: polygons by cairo, lines as segments in the view
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <cairo.h>

#include "drawing.h"
#include "segments.h"

/* Returns the pixels that a line or polygon may touch. */
GstCcaRect gst_cca_path_area (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape);

/* Paints a polygon with smooth edges in the source colour of `cr`. */
void gst_cca_path_fill (cairo_t *cr, const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape);

/* Adds a line's segments to an array of GstCcaSegment, cut to where they can be seen in a view of that size. */
void gst_cca_stroke_list (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape, gint width, gint height,
                          GArray *segments);

/* Returns the columns of pixels in the view that a segment of a line may cover in the rows top <= row < bottom; empty
 * if *left >= *right. */
void gst_cca_stroke_columns (const GstCcaSegment *segment, gdouble line, gint top, gint bottom, gint view_width,
                             gint *left, gint *right);
