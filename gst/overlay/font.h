/* gst-cca: measures and shows texts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "layout.h"

typedef struct _GstCcaFont GstCcaFont;

/* For views of that height. One thread at a time. */
GstCcaFont *gst_cca_font_new (guint view_height);
void gst_cca_font_free (GstCcaFont *font);

/* Sets the font from a Pango description, or the default if NULL. Without a size, the size follows the view's height.
 * Returns FALSE if the system has no font at all; texts then have no size. */
gboolean gst_cca_font_set (GstCcaFont *font, const gchar *description);

/* Returns a number that changes with each call of gst_cca_font_set(). */
guint gst_cca_font_serial (const GstCcaFont *font);

/* Returns the size of a text with its margin, pixels; FALSE if the text cannot be shown. */
gboolean gst_cca_font_measure (GstCcaFont *font, const gchar *text, gint *width, gint *height);

/* Shows a text in the middle of a rectangle, in the source colour of `cr`. */
void gst_cca_font_show (GstCcaFont *font, cairo_t *cr, const GstCcaRect *plate, const gchar *text);
