/* gst-cca: where lines and polygons of a drawing are, and polygons by cairo
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_PATHS_H
#define GST_CCA_PATHS_H

#include <cairo.h>

#include "drawing.h"

/* Returns the pixels that a line or polygon may touch. */
GstCcaRect gst_cca_path_area (const GstCcaDrawing *drawing, const GstCcaShape *shape);

/* Paints a polygon with smooth edges in the source colour of `cr`. */
void gst_cca_path_fill (cairo_t *cr, const GstCcaDrawing *drawing, const GstCcaShape *shape);

#endif
