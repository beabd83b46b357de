/* gst-cca: measures and shows texts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "font.h"

#include <pango/pangocairo.h>

struct _GstCcaFont
{
  gint view_height;
  guint serial;
  PangoContext *context;
  PangoLayout *layout;

  gint advances[128]; /* widths of the ASCII characters, in Pango's units */
  gint text_height;   /* 0 without a font */
};

GstCcaFont *
gst_cca_font_new (guint view_height)
{
  GstCcaFont *font = g_new0 (GstCcaFont, 1);
  /* A map of its own: the default one belongs to a thread, and streaming threads change. */
  PangoFontMap *fonts = pango_cairo_font_map_new ();
  cairo_font_options_t *options = cairo_font_options_create ();

  font->view_height = view_height;
  font->context = pango_font_map_create_context (fonts);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (font->context, options);
  font->layout = pango_layout_new (font->context);
  gst_cca_font_set (font, NULL);

  cairo_font_options_destroy (options);
  g_object_unref (fonts);
  return font;
}

void
gst_cca_font_free (GstCcaFont *font)
{
  g_object_unref (font->layout);
  g_object_unref (font->context);
  g_free (font);
}

/* Many more texts are measured than shown, so the characters are measured once. */
static void
measure_characters (GstCcaFont *font)
{
  gint height;

  font->text_height = 0;
  for (gint c = ' '; c < 127; c++) {
    const gchar text = c;

    pango_layout_set_text (font->layout, &text, 1);
    pango_layout_get_size (font->layout, &font->advances[c], &height);
    font->text_height = MAX (font->text_height, PANGO_PIXELS_CEIL (height));
  }
}

gboolean
gst_cca_font_set (GstCcaFont *font, const gchar *description)
{
  PangoFont *loaded;
  PangoFontDescription *requested =
      pango_font_description_from_string (description != NULL ? description : "Sans Bold");

  font->serial++;
  if (pango_font_description_get_size (requested) == 0)
    pango_font_description_set_absolute_size (requested, MAX (10, font->view_height / 46.0) * PANGO_SCALE);
  pango_layout_set_font_description (font->layout, requested);
  /* Without any font Pango makes up the size of a text, or leaves it undefined. */
  loaded = pango_context_load_font (font->context, requested);
  if (loaded != NULL)
    measure_characters (font);
  else
    font->text_height = 0;
  g_clear_object (&loaded);
  pango_font_description_free (requested);
  return font->text_height > 0;
}

guint
gst_cca_font_serial (const GstCcaFont *font)
{
  return font->serial;
}

gboolean
gst_cca_font_measure (GstCcaFont *font, const gchar *text, gint *width, gint *height)
{
  gint extent = 0;

  if (font->text_height == 0)
    return FALSE;
  if (g_str_is_ascii (text)) {
    for (const gchar *c = text; *c != '\0'; c++)
      extent += font->advances[(guchar) *c];
  } else {
    pango_layout_set_text (font->layout, text, -1);
    pango_layout_get_size (font->layout, &extent, NULL);
  }
  *height = font->text_height;
  *width = PANGO_PIXELS_CEIL (extent) + 2 * (*height / 4);
  return TRUE;
}

void
gst_cca_font_show (GstCcaFont *font, cairo_t *cr, const GstCcaRect *plate, const gchar *text)
{
  gint width, height;

  pango_layout_set_text (font->layout, text, -1);
  pango_layout_get_pixel_size (font->layout, &width, &height);
  cairo_move_to (cr, plate->x + (plate->w - width) / 2, plate->y + (plate->h - height) / 2);
  pango_cairo_show_layout (cr, font->layout);
}
