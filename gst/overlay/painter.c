/* gst-cca: paints a drawing as an overlay in system memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "painter.h"

#include "paths.h"

#include <cairo.h>
#include <gst/video/video.h>
#include <math.h>
#include <string.h>

/* --- The canvas ---------------------------------------------------------------------------------------- */

/* Pixels mapped for as long as a band shows them. */
typedef struct
{
  GstBuffer *buffer;
  GstMapInfo map;
} Pixels;

/* A surface of the frame's size of which only the rows drawn on are cleared and shown. The drawing becomes overlay
 * rectangles: bands of neighbouring rows, split where columns between stay empty. Blending costs a whole line of the
 * frame for each row of a rectangle, however narrow, and more for each pixel in it. So one rectangle per component
 * would cost many frames where components are many, and one for all more than needed where they are few. */
typedef struct
{
  gint width, height;
  gsize stride;
  GstBufferPool *pool;
  gint cell;      /* columns that one bit stands for */
  guint64 *rows;  /* the cells drawn on */
  Pixels *pixels; /* of the drawing that is under way */
  cairo_t *cr;
} Canvas;

/* 1…GST_CCA_PAINTER_MAX_SIZE pixels each way. One thread at a time. */
static Canvas *
canvas_new (guint width, guint height)
{
  Canvas *canvas;
  GstStructure *config;

  g_return_val_if_fail (width > 0 && width <= GST_CCA_PAINTER_MAX_SIZE, NULL);
  g_return_val_if_fail (height > 0 && height <= GST_CCA_PAINTER_MAX_SIZE, NULL);

  canvas = g_new0 (Canvas, 1);
  canvas->width = width;
  canvas->height = height;
  canvas->stride = cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width);
  canvas->cell = (width + 63) / 64;
  canvas->rows = g_new (guint64, height);
  canvas->pool = gst_buffer_pool_new ();
  config = gst_buffer_pool_get_config (canvas->pool);
  gst_buffer_pool_config_set_params (config, NULL, canvas->stride * height, 0, 0);
  gst_buffer_pool_set_config (canvas->pool, config);
  gst_buffer_pool_set_active (canvas->pool, TRUE);
  return canvas;
}

static void
pixels_clear (gpointer data)
{
  Pixels *pixels = data;

  gst_buffer_unmap (pixels->buffer, &pixels->map);
  gst_buffer_unref (pixels->buffer);
}

static void
pixels_unref (gpointer pixels)
{
  g_atomic_rc_box_release_full (pixels, pixels_clear);
}

static void
finish_drawing (Canvas *canvas)
{
  g_clear_pointer (&canvas->cr, cairo_destroy);
  g_clear_pointer (&canvas->pixels, pixels_unref);
}

static void
canvas_free (Canvas *canvas)
{
  finish_drawing (canvas);
  gst_buffer_pool_set_active (canvas->pool, FALSE);
  gst_object_unref (canvas->pool);
  g_free (canvas->rows);
  g_free (canvas);
}

/* Begins a drawing. Returns NULL if memory is exhausted. Before you draw in an area, call canvas_touch(). */
static cairo_t *
canvas_begin (Canvas *canvas)
{
  Pixels pixels;
  cairo_surface_t *surface;

  finish_drawing (canvas);
  if (gst_buffer_pool_acquire_buffer (canvas->pool, &pixels.buffer, NULL) != GST_FLOW_OK)
    return NULL;
  if (!gst_buffer_map (pixels.buffer, &pixels.map, GST_MAP_READWRITE)) {
    gst_buffer_unref (pixels.buffer);
    return NULL;
  }
  canvas->pixels = g_atomic_rc_box_dup (sizeof pixels, &pixels);

  memset (canvas->rows, 0, canvas->height * sizeof *canvas->rows);
  surface = cairo_image_surface_create_for_data (pixels.map.data, CAIRO_FORMAT_ARGB32, canvas->width, canvas->height,
                                                 canvas->stride);
  canvas->cr = cairo_create (surface);
  cairo_surface_destroy (surface);
  return canvas->cr;
}

static guint64
cells_between (gint first, gint last)
{
  return (G_MAXUINT64 >> (63 - (last - first))) << first;
}

/* Announces drawing in a rectangle. Returns FALSE if it lies outside the canvas. */
static gboolean
canvas_touch (Canvas *canvas, const GstVideoRectangle *area)
{
  const gint left = MAX (area->x, 0), right = MIN (area->x + area->w, canvas->width);
  const gint top = MAX (area->y, 0), bottom = MIN (area->y + area->h, canvas->height);
  guint64 cells;

  if (left >= right || top >= bottom)
    return FALSE;

  cells = cells_between (left / canvas->cell, (right - 1) / canvas->cell);
  cairo_surface_flush (cairo_get_target (canvas->cr));
  for (gint y = top; y < bottom; y++) {
    if (canvas->rows[y] == 0)
      memset (canvas->pixels->map.data + y * canvas->stride, 0, canvas->stride);
    canvas->rows[y] |= cells;
  }
  cairo_surface_mark_dirty (cairo_get_target (canvas->cr));
  return TRUE;
}

static void
show (Canvas *canvas, const GstVideoRectangle *area, gint x, gint y, GstVideoOverlayComposition **composition)
{
  const GstMapInfo *map = &canvas->pixels->map;
  const gsize start = area->y * canvas->stride + area->x * 4;
  const gsize size = (area->h - 1) * canvas->stride + area->w * 4;
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { canvas->stride };
  GstVideoOverlayRectangle *rectangle;
  GstBuffer *buffer;

  buffer = gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, map->data, map->size, start, size,
                                        g_atomic_rc_box_acquire (canvas->pixels), pixels_unref);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, area->w,
                                  area->h, 1, offset, stride);
  rectangle = gst_video_overlay_rectangle_new_raw (buffer, area->x + x, area->y + y, area->w, area->h,
                                                   GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  gst_buffer_unref (buffer);
  if (*composition == NULL)
    *composition = gst_video_overlay_composition_new (rectangle);
  else
    gst_video_overlay_composition_add_rectangle (*composition, rectangle);
  gst_video_overlay_rectangle_unref (rectangle);
}

/* Shows the rows top <= row < bottom, all of which were drawn on. */
static void
show_band (Canvas *canvas, gint top, gint bottom, gint x, gint y, GstVideoOverlayComposition **composition)
{
  const guint64 *rows = canvas->rows;
  guint64 cells = 0;

  for (gint row = top; row < bottom; row++)
    cells |= rows[row];
  cells |= cells << 1 & cells >> 1; /* a gap of one cell is not worth a rectangle */

  while (cells != 0) {
    const gint first = __builtin_ctzll (cells);
    const guint64 inverse = ~(cells >> first);
    const gint n = inverse == 0 ? 64 : __builtin_ctzll (inverse);
    const guint64 span = cells_between (first, first + n - 1);
    GstVideoRectangle area = { first * canvas->cell, top, 0, 0 };
    gint end = bottom;

    while ((rows[area.y] & span) == 0)
      area.y++;
    while ((rows[end - 1] & span) == 0)
      end--;
    area.w = MIN (n * canvas->cell, canvas->width - area.x);
    area.h = end - area.y;
    show (canvas, &area, x, y, composition);
    cells &= ~span;
  }
}

/* Returns the drawing, with the canvas's corner at (x, y) of the frame, or NULL if nothing was drawn. The pixels return
 * to the canvas's pool when the composition is freed. */
static GstVideoOverlayComposition *
canvas_end (Canvas *canvas, gint x, gint y)
{
  GstVideoOverlayComposition *composition = NULL;

  cairo_surface_flush (cairo_get_target (canvas->cr));
  for (gint top = 0, bottom; top < canvas->height; top = bottom + 1) {
    for (bottom = top; bottom < canvas->height && canvas->rows[bottom] != 0;)
      bottom++;
    if (bottom > top)
      show_band (canvas, top, bottom, x, y, &composition);
  }
  finish_drawing (canvas);
  return composition;
}

/* --- Painting ------------------------------------------------------------------------------------------ */

struct _GstCcaPainter
{
  gint width, height, stride;
  Canvas *canvas;
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
  painter->canvas = canvas_new (width, height);
  painter->segments = g_array_new (FALSE, FALSE, sizeof (GstCcaSegment));
  return painter;
}

void
gst_cca_painter_free (GstCcaPainter *painter)
{
  canvas_free (painter->canvas);
  g_array_unref (painter->segments);
  g_free (painter->mask);
  g_free (painter);
}

static gboolean
touch (GstCcaPainter *painter, const GstCcaRect *rect)
{
  return canvas_touch (painter->canvas, &(GstVideoRectangle) { rect->x, rect->y, rect->w, rect->h });
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
  painter->cr = canvas_begin (painter->canvas);
  if (painter->cr == NULL)
    return NULL;
  painter->drawing = drawing;
  painter->font = font;
  cairo_set_antialias (painter->cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_fill_rule (painter->cr, CAIRO_FILL_RULE_EVEN_ODD);
  for (guint i = 0; i < drawing->shapes->len; i++)
    paint_shape (painter, &g_array_index (drawing->shapes, GstCcaDrawnShape, i));
  return canvas_end (painter->canvas, x, y);
}
