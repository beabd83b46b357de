/* gst-cca: a frame-sized surface of which only the rows drawn on are cleared and shown
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The drawing becomes overlay rectangles: bands of neighbouring rows, split where columns between stay empty. Blending
 * costs a whole line of the frame for each row of a rectangle, however narrow, and more for each pixel in it. So one
 * rectangle per component would cost many frames where components are many, and one for all more than needed where they
 * are few.
 */
#include "canvas.h"

/* Pixels mapped for as long as a band shows them. */
typedef struct
{
  GstBuffer *buffer;
  GstMapInfo map;
} Pixels;

struct _GstCcaCanvas
{
  gint width, height;
  gsize stride;
  GstBufferPool *pool;
  gint cell;      /* columns that one bit stands for */
  guint64 *rows;  /* the cells drawn on */
  Pixels *pixels; /* of the drawing that is under way */
  cairo_t *cr;
};

GstCcaCanvas *
gst_cca_canvas_new (guint width, guint height)
{
  GstCcaCanvas *canvas;
  GstStructure *config;

  g_return_val_if_fail (width > 0 && width <= GST_CCA_CANVAS_MAX_SIZE, NULL);
  g_return_val_if_fail (height > 0 && height <= GST_CCA_CANVAS_MAX_SIZE, NULL);

  canvas = g_new0 (GstCcaCanvas, 1);
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
finish_drawing (GstCcaCanvas *canvas)
{
  g_clear_pointer (&canvas->cr, cairo_destroy);
  g_clear_pointer (&canvas->pixels, pixels_unref);
}

void
gst_cca_canvas_free (GstCcaCanvas *canvas)
{
  finish_drawing (canvas);
  gst_buffer_pool_set_active (canvas->pool, FALSE);
  gst_object_unref (canvas->pool);
  g_free (canvas->rows);
  g_free (canvas);
}

cairo_t *
gst_cca_canvas_begin (GstCcaCanvas *canvas)
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

gboolean
gst_cca_canvas_touch (GstCcaCanvas *canvas, const GstVideoRectangle *area)
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
show (GstCcaCanvas *canvas, const GstVideoRectangle *area, gint x, gint y, GstVideoOverlayComposition **composition)
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
show_band (GstCcaCanvas *canvas, gint top, gint bottom, gint x, gint y, GstVideoOverlayComposition **composition)
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

GstVideoOverlayComposition *
gst_cca_canvas_end (GstCcaCanvas *canvas, gint x, gint y)
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

/* --- Frames that carry overlays ----------------------------------------------------------------------- */

static gboolean
set_composition_feature (GstCapsFeatures *features, GstStructure *structure, gpointer present)
{
  if (gst_caps_features_is_any (features))
    return TRUE;
  if (!present)
    gst_caps_features_remove (features, GST_CCA_COMPOSITION);
  else if (!gst_caps_features_contains (features, GST_CCA_COMPOSITION))
    gst_caps_features_add (features, GST_CCA_COMPOSITION);
  return TRUE;
}

static GstCaps *
caps_with_composition (GstCaps *caps, gboolean present)
{
  GstCaps *changed = gst_caps_copy (caps);

  gst_caps_map_in_place (changed, set_composition_feature, GINT_TO_POINTER (present));
  return changed;
}

GstCaps *
gst_cca_compose_transform_caps (GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCaps *result, *filtered;

  if (direction == GST_PAD_SINK)
    result = gst_caps_merge (caps_with_composition (caps, TRUE), gst_caps_ref (caps));
  else
    result = gst_caps_merge (gst_caps_ref (caps), caps_with_composition (caps, FALSE));
  if (filter == NULL)
    return result;
  filtered = gst_caps_intersect_full (filter, result, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (result);
  return filtered;
}

gboolean
gst_cca_compose_is_plain (const GstCapsFeatures *features)
{
  for (guint i = 0; i < gst_caps_features_get_size (features); i++) {
    const gchar *feature = gst_caps_features_get_nth (features, i);

    if (!g_str_equal (feature, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY) && !g_str_equal (feature, GST_CCA_COMPOSITION))
      return FALSE;
  }
  return TRUE;
}

void
gst_cca_compose_attach (GstBuffer *buffer, GstVideoOverlayComposition *drawing)
{
  GstVideoOverlayCompositionMeta *meta = gst_buffer_get_video_overlay_composition_meta (buffer);

  if (meta == NULL) {
    gst_buffer_add_video_overlay_composition_meta (buffer, drawing);
    return;
  }
  meta->overlay = gst_video_overlay_composition_make_writable (meta->overlay);
  for (guint i = 0; i < gst_video_overlay_composition_n_rectangles (drawing); i++)
    gst_video_overlay_composition_add_rectangle (meta->overlay,
                                                 gst_video_overlay_composition_get_rectangle (drawing, i));
}
