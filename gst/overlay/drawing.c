/* gst-cca: the drawing on a frame, as a list of shapes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "drawing.h"

#include <math.h>

/* Vertices farther out come back to here, which painters' fixed-point numbers can hold. */
#define FAR 1e6

GstCcaDrawing *
gst_cca_drawing_new (void)
{
  GstCcaDrawing *drawing = g_new (GstCcaDrawing, 1);

  drawing->shapes = g_array_new (FALSE, FALSE, sizeof (GstCcaDrawnShape));
  drawing->vertices = g_array_new (FALSE, FALSE, sizeof (GstCcaVertex));
  drawing->texts = g_string_new (NULL);
  return drawing;
}

void
gst_cca_drawing_free (GstCcaDrawing *drawing)
{
  g_array_unref (drawing->shapes);
  g_array_unref (drawing->vertices);
  g_string_free (drawing->texts, TRUE);
  g_free (drawing);
}

void
gst_cca_drawing_clear (GstCcaDrawing *drawing)
{
  g_array_set_size (drawing->shapes, 0);
  g_array_set_size (drawing->vertices, 0);
  g_string_truncate (drawing->texts, 0);
}

void
gst_cca_drawing_add_ring (GstCcaDrawing *drawing, const GstCcaRing *ring, guint32 color)
{
  const GstCcaDrawnShape shape = { .type = GST_CCA_SHAPE_RING, .color = color, .ring = *ring };

  if (!gst_cca_rect_is_empty (&ring->outer))
    g_array_append_val (drawing->shapes, shape);
}

void
gst_cca_drawing_add_rect (GstCcaDrawing *drawing, const GstCcaRect *rect, guint32 color)
{
  gst_cca_drawing_add_ring (drawing, &(GstCcaRing) { .outer = *rect }, color);
}

static void
add_path (GstCcaDrawing *drawing, GstCcaShapeType type, const GstCcaVertex *vertices, guint n, gdouble width,
          guint32 color)
{
  const GstCcaDrawnShape shape = { .type = type,
                                   .color = color,
                                   .path = { .first = drawing->vertices->len, .n = n, .width = width } };

  for (guint i = 0; i < n; i++)
    if (!isfinite (vertices[i].x) || !isfinite (vertices[i].y))
      return;
  for (guint i = 0; i < n; i++) {
    const GstCcaVertex vertex = { CLAMP (vertices[i].x, -FAR, FAR), CLAMP (vertices[i].y, -FAR, FAR) };

    g_array_append_val (drawing->vertices, vertex);
  }
  g_array_append_val (drawing->shapes, shape);
}

void
gst_cca_drawing_add_line (GstCcaDrawing *drawing, const GstCcaVertex *vertices, guint n, gdouble width, guint32 color)
{
  if (n >= 2)
    add_path (drawing, GST_CCA_SHAPE_LINE, vertices, n, width, color);
}

void
gst_cca_drawing_add_polygon (GstCcaDrawing *drawing, const GstCcaVertex *vertices, guint n, guint32 color)
{
  if (n >= 3)
    add_path (drawing, GST_CCA_SHAPE_POLYGON, vertices, n, 0, color);
}

void
gst_cca_drawing_add_text (GstCcaDrawing *drawing, const GstCcaRect *plate, const gchar *text, guint32 color)
{
  const GstCcaDrawnShape shape = { .type = GST_CCA_SHAPE_TEXT,
                                   .color = color,
                                   .text = { .plate = *plate, .offset = drawing->texts->len } };

  if (gst_cca_rect_is_empty (plate))
    return;
  g_string_append (drawing->texts, text);
  g_string_append_c (drawing->texts, '\0');
  g_array_append_val (drawing->shapes, shape);
}

void
gst_cca_drawing_add_image (GstCcaDrawing *drawing, const GstCcaRect *place, const guint32 *pixels, gint width,
                           gint height, gint stride)
{
  const GstCcaDrawnShape shape = {
    .type = GST_CCA_SHAPE_IMAGE,
    .image = { .place = *place, .pixels = pixels, .width = width, .height = height, .stride = stride },
  };

  if (!gst_cca_rect_is_empty (place) && width > 0 && height > 0)
    g_array_append_val (drawing->shapes, shape);
}

const GstCcaVertex *
gst_cca_drawing_vertices (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape)
{
  return &g_array_index (drawing->vertices, GstCcaVertex, shape->path.first);
}

const gchar *
gst_cca_drawing_text (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape)
{
  return drawing->texts->str + shape->text.offset;
}
