/* gst-cca: paints rectangles and text, as overlays in system memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "painter.h"

#include <pango/pangocairo.h>

#include "canvas.h"

struct _GstCcaPainter
{
  gint height;
  GstCcaCanvas *canvas;
  PangoContext *context;
  PangoLayout *layout;
  cairo_t *cr; /* of the current drawing */

  gint advances[128]; /* widths of the ASCII characters, in Pango's units */
  gint text_height;   /* 0 without a font */
};

GstCcaPainter *
gst_cca_painter_new (guint width, guint height)
{
  GstCcaPainter *painter = g_new0 (GstCcaPainter, 1);
  /* A map of its own: the default one belongs to a thread, and streaming threads change. */
  PangoFontMap *fonts = pango_cairo_font_map_new ();
  cairo_font_options_t *options = cairo_font_options_create ();

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

/* --- Text -------------------------------------------------------------------------------------------- */

/* Many more texts are measured than painted, so the characters are measured once. */
static void
measure_characters (GstCcaPainter *painter)
{
  gint height;

  painter->text_height = 0;
  for (gint c = ' '; c < 127; c++) {
    const gchar text = c;

    pango_layout_set_text (painter->layout, &text, 1);
    pango_layout_get_size (painter->layout, &painter->advances[c], &height);
    painter->text_height = MAX (painter->text_height, PANGO_PIXELS_CEIL (height));
  }
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
  if (loaded != NULL)
    measure_characters (painter);
  else
    painter->text_height = 0;
  g_clear_object (&loaded);
  pango_font_description_free (font);
  return painter->text_height > 0;
}

gboolean
gst_cca_painter_text_size (GstCcaPainter *painter, const gchar *text, gint *width, gint *height)
{
  gint extent = 0;

  if (painter->text_height == 0)
    return FALSE;
  if (g_str_is_ascii (text)) {
    for (const gchar *c = text; *c != '\0'; c++)
      extent += painter->advances[(guchar) *c];
  } else {
    pango_layout_set_text (painter->layout, text, -1);
    pango_layout_get_size (painter->layout, &extent, NULL);
  }
  *height = painter->text_height;
  *width = PANGO_PIXELS_CEIL (extent) + 2 * (*height / 4);
  return TRUE;
}

/* --- Drawing ----------------------------------------------------------------------------------------- */

gboolean
gst_cca_painter_begin (GstCcaPainter *painter)
{
  painter->cr = gst_cca_canvas_begin (painter->canvas);
  if (painter->cr == NULL)
    return FALSE;
  cairo_set_antialias (painter->cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_fill_rule (painter->cr, CAIRO_FILL_RULE_EVEN_ODD);
  return TRUE;
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

static guint32
text_color (guint32 plate)
{
  const guint luma = 299 * (plate >> 16 & 0xff) + 587 * (plate >> 8 & 0xff) + 114 * (plate & 0xff);

  return luma < 110 * 1000 ? 0xffffffff : 0xff000000;
}

static void
add_rect (cairo_t *cr, const GstCcaRect *rect)
{
  if (!gst_cca_rect_is_empty (rect))
    cairo_rectangle (cr, rect->x, rect->y, rect->w, rect->h);
}

void
gst_cca_painter_fill (GstCcaPainter *painter, const GstCcaRect *outer, const GstCcaRect *inner, guint32 color)
{
  if (gst_cca_rect_is_empty (outer) || !touch (painter, outer))
    return;
  set_color (painter->cr, color);
  add_rect (painter->cr, outer);
  add_rect (painter->cr, inner);
  cairo_fill (painter->cr);
}

void
gst_cca_painter_write (GstCcaPainter *painter, const GstCcaRect *plate, const gchar *text, guint32 color)
{
  cairo_t *cr = painter->cr;
  gint width, height;

  if (gst_cca_rect_is_empty (plate) || !touch (painter, plate))
    return;
  cairo_save (cr);
  set_color (cr, color);
  add_rect (cr, plate);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  pango_layout_set_text (painter->layout, text, -1);
  pango_layout_get_pixel_size (painter->layout, &width, &height);
  set_color (cr, text_color (color));
  cairo_move_to (cr, plate->x + (plate->w - width) / 2, plate->y + (plate->h - height) / 2);
  pango_cairo_show_layout (cr, painter->layout);
  cairo_restore (cr);
}

GstVideoOverlayComposition *
gst_cca_painter_end (GstCcaPainter *painter, gint x, gint y)
{
  return gst_cca_canvas_end (painter->canvas, x, y);
}
