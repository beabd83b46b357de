/* gst-cca: draws the components of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "painter.h"

#include <cca/label-color.h>
#include <math.h>
#include <pango/pangocairo.h>

#include "canvas.h"

struct _GstCcaPainter
{
  gint width, height;
  GstCcaCanvas *canvas;
  PangoContext *context;
  PangoLayout *layout;
  gboolean writes; /* there is a font */

  /* Of the drawing that is under way. */
  cairo_t *cr;
  gint line_width;
  const GstCcaMeta *meta;
  GstVideoRectangle content;
};

GstCcaPainter *
gst_cca_painter_new (guint width, guint height)
{
  GstCcaPainter *painter = g_new0 (GstCcaPainter, 1);
  /* A map of its own: the default one belongs to a thread, and streaming threads change. */
  PangoFontMap *fonts = pango_cairo_font_map_new ();
  cairo_font_options_t *options = cairo_font_options_create ();

  painter->width = width;
  painter->height = height;
  painter->canvas = gst_cca_canvas_new (width, height);
  painter->context = pango_font_map_create_context (fonts);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (painter->context, options);
  painter->layout = pango_layout_new (painter->context);
  gst_cca_painter_set_font (painter, NULL);

  cairo_font_options_destroy (options);
  g_object_unref (fonts);
  return painter;
}

void
gst_cca_painter_free (GstCcaPainter *painter)
{
  g_object_unref (painter->layout);
  g_object_unref (painter->context);
  gst_cca_canvas_free (painter->canvas);
  g_free (painter);
}

gboolean
gst_cca_painter_set_font (GstCcaPainter *painter, const gchar *description)
{
  PangoFont *loaded;
  PangoFontDescription *font = pango_font_description_from_string (description != NULL ? description : "Sans Bold");

  if (pango_font_description_get_size (font) == 0)
    pango_font_description_set_absolute_size (font, MAX (10, painter->height / 46.0) * PANGO_SCALE);
  pango_layout_set_font_description (painter->layout, font);
  /* Without any font Pango makes up the size of a text, or leaves it undefined. */
  loaded = pango_context_load_font (painter->context, font);
  painter->writes = loaded != NULL;
  g_clear_object (&loaded);
  pango_font_description_free (font);
  return painter->writes;
}

static void
set_label_color (cairo_t *cr, guint label)
{
  const guint32 color = cca_label_color (label);

  cairo_set_source_rgb (cr, (color & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0, (color >> 16 & 0xff) / 255.0);
}

/* Black or white, whichever reads better on the label's colour. */
static void
set_label_text_color (cairo_t *cr, guint label)
{
  const guint32 color = cca_label_color (label);
  const guint luma = 299 * (color & 0xff) + 587 * (color >> 8 & 0xff) + 114 * (color >> 16 & 0xff);
  const gdouble text = luma < 110 * 1000 ? 1 : 0;

  cairo_set_source_rgb (cr, text, text, text);
}

/* A position on an axis of the measured frame in the painter's. Far beyond the frame is as good as just beyond. */
static gdouble
place (gdouble position, guint measured, gint start, gint length, gint limit)
{
  const gdouble placed = position * length / measured + start;

  return CLAMP (placed, -limit, 2 * limit);
}

/* The pixels of the painter that a component's box covers. */
static GstVideoRectangle
place_box (const GstCcaPainter *painter, const GstCcaComponent *component)
{
  const GstCcaMeta *meta = painter->meta;
  const GstVideoRectangle *content = &painter->content;
  const gdouble right = (gdouble) component->x + component->width, bottom = (gdouble) component->y + component->height;
  GstVideoRectangle box;

  box.x = floor (place (component->x, meta->width, content->x, content->w, painter->width));
  box.y = floor (place (component->y, meta->height, content->y, content->h, painter->height));
  box.w = ceil (place (right, meta->width, content->x, content->w, painter->width)) - box.x;
  box.h = ceil (place (bottom, meta->height, content->y, content->h, painter->height)) - box.y;
  return box;
}

/* The line round a box straddles its edge, but stays inside the frame where the box does. */
static GstVideoRectangle
place_frame (const GstCcaPainter *painter, const GstVideoRectangle *box)
{
  const gint out = painter->line_width / 2;
  GstVideoRectangle frame = { box->x - out, box->y - out, box->w + 2 * out, box->h + 2 * out };

  if (box->x >= 0 && frame.x < 0)
    frame.w += frame.x, frame.x = 0;
  if (box->y >= 0 && frame.y < 0)
    frame.h += frame.y, frame.y = 0;
  if (box->x + box->w <= painter->width)
    frame.w = MIN (frame.w, painter->width - frame.x);
  if (box->y + box->h <= painter->height)
    frame.h = MIN (frame.h, painter->height - frame.y);
  return frame;
}

static void
fill_ring (cairo_t *cr, const GstVideoRectangle *outer, gint line)
{
  cairo_rectangle (cr, outer->x, outer->y, outer->w, outer->h);
  if (outer->w > 2 * line && outer->h > 2 * line)
    cairo_rectangle (cr, outer->x + line, outer->y + line, outer->w - 2 * line, outer->h - 2 * line);
  cairo_fill (cr);
}

static void
paint_box (GstCcaPainter *painter, const GstCcaComponent *component)
{
  const GstVideoRectangle box = place_box (painter, component), frame = place_frame (painter, &box);
  const GstVideoRectangle edge = { frame.x - 1, frame.y - 1, frame.w + 2, frame.h + 2 };

  if (box.w <= 0 || box.h <= 0 || !gst_cca_canvas_touch (painter->canvas, &edge))
    return;
  cairo_set_source_rgba (painter->cr, 0, 0, 0, 0.5);
  fill_ring (painter->cr, &edge, painter->line_width + 2);
  set_label_color (painter->cr, component->label);
  fill_ring (painter->cr, &frame, painter->line_width);
}

static void
fill_cross (GstCcaPainter *painter, gint x, gint y, gint reach, gint line)
{
  cairo_t *cr = painter->cr;

  cairo_rectangle (cr, x - reach - line / 2, y - line / 2, 2 * reach + line, line);
  cairo_rectangle (cr, x - line / 2, y - reach - line / 2, line, reach);
  cairo_rectangle (cr, x - line / 2, y - line / 2 + line, line, reach);
  cairo_fill (cr);
}

static void
paint_centroid (GstCcaPainter *painter, const GstCcaComponent *component)
{
  const GstVideoRectangle *content = &painter->content;
  const gint line = painter->line_width, reach = 2 * line, all = reach + line / 2 + 2;
  gdouble x = place (component->centroid_x + 0.5, painter->meta->width, content->x, content->w, painter->width);
  gdouble y = place (component->centroid_y + 0.5, painter->meta->height, content->y, content->h, painter->height);

  if (!isfinite (x) || !isfinite (y))
    return;
  x = floor (x), y = floor (y);
  if (!gst_cca_canvas_touch (painter->canvas, &(GstVideoRectangle) { x - all, y - all, 2 * all, 2 * all }))
    return;
  cairo_set_source_rgba (painter->cr, 0, 0, 0, 0.5);
  fill_cross (painter, x, y, reach, line + 2);
  set_label_color (painter->cr, component->label);
  fill_cross (painter, x, y, reach, line);
}

/* The layout's text on a plate of the label's colour, its corner as near to (x, y) as the frame allows. */
static void
paint_plate (GstCcaPainter *painter, gint x, gint y, guint label)
{
  cairo_t *cr = painter->cr;
  GstVideoRectangle plate;
  gint padding;

  pango_layout_get_pixel_size (painter->layout, &plate.w, &plate.h);
  padding = plate.h / 4;
  plate.w += 2 * padding;
  plate.x = CLAMP (x, 0, MAX (0, painter->width - plate.w));
  plate.y = CLAMP (y, 0, MAX (0, painter->height - plate.h));
  if (!gst_cca_canvas_touch (painter->canvas, &plate))
    return;

  cairo_save (cr);
  set_label_color (cr, label);
  cairo_rectangle (cr, plate.x, plate.y, plate.w, plate.h);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  set_label_text_color (cr, label);
  cairo_move_to (cr, plate.x + padding, plate.y);
  pango_cairo_show_layout (cr, painter->layout);
  cairo_restore (cr);
}

/* A tab on the box's upper left corner, or in it where there is no room above. */
static void
paint_tab (GstCcaPainter *painter, const GstCcaStyle *style, const GstCcaComponent *component)
{
  const GstVideoRectangle box = place_box (painter, component), frame = place_frame (painter, &box);
  gchar text[64] = "";
  gint height;

  if (box.x >= painter->width || box.y >= painter->height || box.x + box.w <= 0 || box.y + box.h <= 0)
    return;
  if (style->labels && style->area)
    g_snprintf (text, sizeof text, "%u  %" G_GUINT64_FORMAT " px", component->label, component->area);
  else if (style->labels)
    g_snprintf (text, sizeof text, "%u", component->label);
  else
    g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT " px", component->area);
  pango_layout_set_text (painter->layout, text, -1);
  pango_layout_get_pixel_size (painter->layout, NULL, &height);
  paint_plate (painter, frame.x, frame.y >= height ? frame.y - height : frame.y, component->label);
}

static void
paint_count (GstCcaPainter *painter)
{
  const GstCcaMeta *meta = painter->meta;
  const gint margin = painter->height / 60;
  gchar text[64];

  g_snprintf (text, sizeof text, "%u%s component%s", meta->n_components, meta->truncated ? "+" : "",
              meta->n_components == 1 ? "" : "s");
  pango_layout_set_text (painter->layout, text, -1);
  /* The background's colour: no component has it. */
  paint_plate (painter, margin, margin, 0);
}

GstVideoOverlayComposition *
gst_cca_painter_paint (GstCcaPainter *painter, const GstCcaStyle *style, const GstCcaMeta *meta,
                       const GstVideoRectangle *content, gint x, gint y)
{
  const guint n = style->max_drawn == 0 ? meta->n_stored : MIN (style->max_drawn, meta->n_stored);

  if (meta->width == 0 || meta->height == 0)
    return NULL;
  painter->cr = gst_cca_canvas_begin (painter->canvas);
  if (painter->cr == NULL)
    return NULL;
  painter->meta = meta;
  painter->content = *content;
  painter->line_width = style->line_width > 0 ? (gint) style->line_width : MAX (1, (painter->height + 180) / 360);
  cairo_set_antialias (painter->cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_fill_rule (painter->cr, CAIRO_FILL_RULE_EVEN_ODD);

  /* Layer by layer, so that no box hides a label. */
  for (guint i = 0; i < n && style->boxes; i++)
    paint_box (painter, &meta->components[i]);
  for (guint i = 0; i < n && style->centroids; i++)
    paint_centroid (painter, &meta->components[i]);
  for (guint i = 0; i < n && (style->labels || style->area) && painter->writes; i++)
    paint_tab (painter, style, &meta->components[i]);
  if (style->count && painter->writes)
    paint_count (painter);
  return gst_cca_canvas_end (painter->canvas, x, y);
}
