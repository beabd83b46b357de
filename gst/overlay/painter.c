/* gst-cca: paints a drawing as an overlay in system memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "painter.h"

#include <math.h>
#include <string.h>

#include "canvas.h"
#include "paths.h"

struct _GstCcaPainter
{
  gint width, height, stride;
  GstCcaCanvas *canvas;
  guint8 *mask;     /* what a line covers, a byte a pixel; all 0 between lines; NULL before the first */
  GArray *segments; /* of GstCcaSegment */

  /* Of the painting that is under way. */
  const GstCcaDrawing *drawing;
  GstCcaFont *font;
  cairo_t *cr;
};

GstCcaPainter *
gst_cca_painter_new (guint width, guint height)
{
  GstCcaPainter *painter = g_new0 (GstCcaPainter, 1);

  painter->width = (gint) width;
  painter->height = (gint) height;
  painter->stride = cairo_format_stride_for_width (CAIRO_FORMAT_A8, painter->width);
  painter->canvas = gst_cca_canvas_new (width, height);
  painter->segments = g_array_new (FALSE, FALSE, sizeof (GstCcaSegment));
  return painter;
}

void
gst_cca_painter_free (GstCcaPainter *painter)
{
  gst_cca_canvas_free (painter->canvas);
  g_array_unref (painter->segments);
  g_free (painter->mask);
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
paint_ring (GstCcaPainter *painter, const GstCcaDrawnShape *shape)
{
  if (!touch (painter, &shape->ring.outer))
    return;
  set_color (painter->cr, shape->color);
  add_rect (painter->cr, &shape->ring.outer);
  add_rect (painter->cr, &shape->ring.inner);
  cairo_fill (painter->cr);
}

static void
paint_polygon (GstCcaPainter *painter, const GstCcaDrawnShape *shape)
{
  const GstCcaRect area = gst_cca_path_area (painter->drawing, shape);

  if (!touch (painter, &area))
    return;
  set_color (painter->cr, shape->color);
  gst_cca_path_fill (painter->cr, painter->drawing, shape);
}

/* Sets the mask to what a segment of a line covers, where that is more. */
static void
cover_segment (GstCcaPainter *painter, const GstCcaSegment *segment, gdouble line)
{
  const gdouble reach = line / 2 + 1;
  const gint top = (gint) fmax (fminf (segment->y[0], segment->y[1]) - reach, 0);
  const gint bottom = (gint) fmin (ceil (fmaxf (segment->y[0], segment->y[1]) + reach), painter->height);

  for (gint y = top; y < bottom; y++) {
    guint8 *row = painter->mask + (gsize) y * painter->stride;
    gint left, right;

    gst_cca_stroke_columns (segment, line, y, y + 1, painter->width, &left, &right);
    for (gint x = left; x < right; x++) {
      const gfloat depth = gst_cca_segment_depth (segment, (gfloat) line, (gfloat) x + 0.5f, (gfloat) y + 0.5f);
      const guint8 coverage = (guint8) gst_cca_segment_coverage (depth);

      row[x] = MAX (row[x], coverage);
    }
  }
}

static void
paint_line (GstCcaPainter *painter, const GstCcaDrawnShape *shape)
{
  const GstCcaView view = { .width = painter->width, .height = painter->height };
  const GstCcaRect area = gst_cca_path_area (painter->drawing, shape), seen = gst_cca_view_clip (&view, &area);
  guint8 *corner;
  cairo_surface_t *mask;

  if (!touch (painter, &area))
    return;
  if (painter->mask == NULL)
    painter->mask = g_malloc0 ((gsize) painter->stride * painter->height);
  g_array_set_size (painter->segments, 0);
  gst_cca_stroke_list (painter->drawing, shape, painter->width, painter->height, painter->segments);
  for (guint i = 0; i < painter->segments->len; i++)
    cover_segment (painter, &g_array_index (painter->segments, GstCcaSegment, i), shape->path.width);

  corner = painter->mask + (gsize) seen.y * painter->stride + seen.x;
  mask = cairo_image_surface_create_for_data (corner, CAIRO_FORMAT_A8, seen.w, seen.h, painter->stride);
  set_color (painter->cr, shape->color);
  cairo_mask_surface (painter->cr, mask, seen.x, seen.y);
  cairo_surface_destroy (mask);
  for (gint y = 0; y < seen.h; y++)
    memset (corner + (gsize) y * painter->stride, 0, (gsize) seen.w);
}

static void
paint_text (GstCcaPainter *painter, const GstCcaDrawnShape *shape)
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
paint_image (GstCcaPainter *painter, const GstCcaDrawnShape *shape)
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
paint_shape (GstCcaPainter *painter, const GstCcaDrawnShape *shape)
{
  switch (shape->type) {
    case GST_CCA_SHAPE_RING: paint_ring (painter, shape); break;
    case GST_CCA_SHAPE_LINE: paint_line (painter, shape); break;
    case GST_CCA_SHAPE_POLYGON: paint_polygon (painter, shape); break;
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
    paint_shape (painter, &g_array_index (drawing->shapes, GstCcaDrawnShape, i));
  return gst_cca_canvas_end (painter->canvas, x, y);
}
