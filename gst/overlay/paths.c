/* gst-cca: where lines and polygons of a drawing are: polygons by cairo, lines as segments in the view
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "paths.h"

#include <math.h>

GstCcaRect
gst_cca_path_area (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape)
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
gst_cca_path_fill (cairo_t *cr, const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape)
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

/* Narrows the part *from…*to of a way from a to b, 0…1, to where it is in low…high. Returns FALSE if nothing is. */
static gboolean
narrow (gdouble a, gdouble b, gdouble low, gdouble high, gdouble *from, gdouble *to)
{
  const gdouble first = (low - a) / (b - a), second = (high - a) / (b - a);

  if (a == b)
    return a >= low && a <= high;
  *from = fmax (*from, fmin (first, second));
  *to = fmin (*to, fmax (first, second));
  return *from <= *to;
}

static gboolean
is_same (const GstCcaVertex *a, const GstCcaVertex *b)
{
  return a->x == b->x && a->y == b->y;
}

/* Adds the part of a segment from a to b that can be seen. `flat` are its ends that are the line's. */
static void
add_segment (GArray *segments, GstCcaVertex a, GstCcaVertex b, guint flat, gdouble reach, gint width, gint height)
{
  gdouble from = 0, to = 1;
  GstCcaSegment segment;

  if (!narrow (a.x, b.x, -reach, width + reach, &from, &to) || !narrow (a.y, b.y, -reach, height + reach, &from, &to))
    return;
  segment = (GstCcaSegment) { { (gfloat) (a.x + from * (b.x - a.x)), (gfloat) (a.x + to * (b.x - a.x)) },
                              { (gfloat) (a.y + from * (b.y - a.y)), (gfloat) (a.y + to * (b.y - a.y)) },
                              flat & ((from > 0 ? 0 : GST_CCA_FLAT_START) | (to < 1 ? 0 : GST_CCA_FLAT_END)) };
  if (segment.x[0] != segment.x[1] || segment.y[0] != segment.y[1])
    g_array_append_val (segments, segment);
}

void
gst_cca_stroke_list (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape, gint width, gint height,
                     GArray *segments)
{
  const GstCcaVertex *vertices = gst_cca_drawing_vertices (drawing, shape);
  const gdouble reach = shape->path.width + 2; /* ends that are cut lie outside of the view with their round ends */
  guint first = 1, last = shape->path.n - 1;
  const gboolean closed = is_same (&vertices[0], &vertices[last]);

  while (first < last && is_same (&vertices[first - 1], &vertices[first]))
    first++;
  while (last > first && is_same (&vertices[last - 1], &vertices[last]))
    last--;
  for (guint i = first; i <= last; i++) {
    const guint flat = (i == first ? GST_CCA_FLAT_START : 0) | (i == last ? GST_CCA_FLAT_END : 0);

    add_segment (segments, vertices[i - 1], vertices[i], closed ? 0 : flat, reach, width, height);
  }
}

void
gst_cca_stroke_columns (const GstCcaSegment *segment, gdouble line, gint top, gint bottom, gint view_width, gint *left,
                        gint *right)
{
  const gdouble reach = (line + 1) / 2 + 0.01; /* floats are rounded */
  const gdouble x = segment->x[0], dx = segment->x[1] - x;
  gdouble from = 0, to = 1;

  *left = *right = 0;
  if (!narrow (segment->y[0], segment->y[1], top + 0.5 - reach, bottom - 0.5 + reach, &from, &to))
    return;
  *left = (gint) fmax (floor (x + fmin (from * dx, to * dx) - reach), 0);
  *right = (gint) fmin (ceil (x + fmax (from * dx, to * dx) + reach), view_width);
}
