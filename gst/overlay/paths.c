/* gst-cca: where lines and polygons of a drawing are, and polygons by cairo
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "paths.h"

#include <math.h>

GstCcaRect
gst_cca_path_area (const GstCcaDrawing *drawing, const GstCcaShape *shape)
{
  const GstCcaVertex *vertices = gst_cca_drawing_vertices (drawing, shape);
  const gdouble margin = shape->path.width / 2 + 1;
  gdouble left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  GstCcaRect area;

  for (guint i = 0; i < shape->path.n; i++) {
    left = fmin (left, vertices[i].x), right = fmax (right, vertices[i].x);
    top = fmin (top, vertices[i].y), bottom = fmax (bottom, vertices[i].y);
  }
  area.x = (gint) floor (left - margin), area.w = (gint) ceil (right + margin) - area.x;
  area.y = (gint) floor (top - margin), area.h = (gint) ceil (bottom + margin) - area.y;
  return area;
}

void
gst_cca_path_fill (cairo_t *cr, const GstCcaDrawing *drawing, const GstCcaShape *shape)
{
  const GstCcaVertex *vertices = gst_cca_drawing_vertices (drawing, shape);
  const cairo_antialias_t antialias = cairo_get_antialias (cr);

  for (guint i = 0; i < shape->path.n; i++)
    cairo_line_to (cr, vertices[i].x, vertices[i].y);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_GRAY);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_fill (cr);
  cairo_set_antialias (cr, antialias);
}
