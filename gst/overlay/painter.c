/* gst-cca: paints a drawing as an overlay in system memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "painter.h"

#include "canvas.h"
#include "paths.h"

struct _GstCcaPainter
{
  GstCcaCanvas *canvas;

  /* Of the painting that is under way. */
  const GstCcaDrawing *drawing;
  GstCcaFont *font;
  cairo_t *cr;
};

GstCcaPainter *
gst_cca_painter_new (guint width, guint height)
{
  GstCcaPainter *painter = g_new0 (GstCcaPainter, 1);

  painter->canvas = gst_cca_canvas_new (width, height);
  return painter;
}

void
gst_cca_painter_free (GstCcaPainter *painter)
{
  gst_cca_canvas_free (painter->canvas);
  g_free (painter);
}

static gboolean
touch (GstCcaPainter *painter, const GstCcaRect *rect)
{
  return gst_cca_canvas_touch (painter->canvas, &(GstVideoRectangle) { rect->x, rect->y, rect->w, rect->h });
}

static void
set_color (cairo_t *cr, guint32 color)
{
  cairo_set_source_rgba (cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0,
                         (color >> 24) / 255.0);
}

static void
add_rect (cairo_t *cr, const GstCcaRect *rect)
{
  if (!gst_cca_rect_is_empty (rect))
    cairo_rectangle (cr, rect->x, rect->y, rect->w, rect->h);
}

static void
paint_ring (GstCcaPainter *painter, const GstCcaShape *shape)
{
  if (!touch (painter, &shape->ring.outer))
    return;
  set_color (painter->cr, shape->color);
  add_rect (painter->cr, &shape->ring.outer);
  add_rect (painter->cr, &shape->ring.inner);
  cairo_fill (painter->cr);
}

static void
paint_path (GstCcaPainter *painter, const GstCcaShape *shape)
{
  const GstCcaRect area = gst_cca_path_area (painter->drawing, shape);

  if (!touch (painter, &area))
    return;
  set_color (painter->cr, shape->color);
  gst_cca_path_paint (painter->cr, painter->drawing, shape);
}

static void
paint_text (GstCcaPainter *painter, const GstCcaShape *shape)
{
  const GstCcaRect *plate = &shape->text.plate;
  cairo_t *cr = painter->cr;

  if (!touch (painter, plate))
    return;
  cairo_save (cr);
  set_color (cr, shape->color);
  add_rect (cr, plate);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  set_color (cr, gst_cca_text_color (shape->color));
  gst_cca_font_show (painter->font, cr, plate, gst_cca_drawing_text (painter->drawing, shape));
  cairo_restore (cr);
}

static void
paint_image (GstCcaPainter *painter, const GstCcaShape *shape)
{
  const GstCcaRect *place = &shape->image.place;
  cairo_t *cr = painter->cr;
  cairo_surface_t *image;

  if (!touch (painter, place))
    return;
  /* Cairo does not write to a source. */
  image = cairo_image_surface_create_for_data ((guchar *) shape->image.pixels, CAIRO_FORMAT_ARGB32, shape->image.width,
                                               shape->image.height, shape->image.stride * sizeof (guint32));
  cairo_save (cr);
  add_rect (cr, place);
  cairo_clip (cr);
  cairo_translate (cr, place->x, place->y);
  cairo_scale (cr, (gdouble) place->w / shape->image.width, (gdouble) place->h / shape->image.height);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

static void
paint_shape (GstCcaPainter *painter, const GstCcaShape *shape)
{
  switch (shape->type) {
    case GST_CCA_SHAPE_RING: paint_ring (painter, shape); break;
    case GST_CCA_SHAPE_LINE:
    case GST_CCA_SHAPE_POLYGON: paint_path (painter, shape); break;
    case GST_CCA_SHAPE_TEXT: paint_text (painter, shape); break;
    case GST_CCA_SHAPE_IMAGE: paint_image (painter, shape); break;
  }
}

GstVideoOverlayComposition *
gst_cca_painter_paint (GstCcaPainter *painter, const GstCcaDrawing *drawing, GstCcaFont *font, gint x, gint y)
{
  painter->cr = gst_cca_canvas_begin (painter->canvas);
  if (painter->cr == NULL)
    return NULL;
  painter->drawing = drawing;
  painter->font = font;
  cairo_set_antialias (painter->cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_fill_rule (painter->cr, CAIRO_FILL_RULE_EVEN_ODD);
  for (guint i = 0; i < drawing->shapes->len; i++)
    paint_shape (painter, &g_array_index (drawing->shapes, GstCcaShape, i));
  return gst_cca_canvas_end (painter->canvas, x, y);
}
