/* gst-cca: lines of a drawing as segments in the view
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "strokes.h"

#include <math.h>

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

void
gst_cca_stroke_list (const GstCcaDrawing *drawing, const GstCcaShape *shape, gint width, gint height,
                     GArray *segments)
{
  const GstCcaVertex *vertices = gst_cca_drawing_vertices (drawing, shape);
  const gdouble reach = shape->path.width + 2; /* ends that are cut lie outside of the view with their round ends */

  for (guint i = 1; i < shape->path.n; i++) {
    const GstCcaVertex a = vertices[i - 1], b = vertices[i];
    gdouble from = 0, to = 1;

    if (narrow (a.x, b.x, -reach, width + reach, &from, &to) && narrow (a.y, b.y, -reach, height + reach, &from, &to)) {
      const GstCcaSegment segment = { { (gfloat) (a.x + from * (b.x - a.x)), (gfloat) (a.x + to * (b.x - a.x)) },
                                      { (gfloat) (a.y + from * (b.y - a.y)), (gfloat) (a.y + to * (b.y - a.y)) } };

      g_array_append_val (segments, segment);
    }
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
