/* gst-cca: paints rectangles and text, as overlays in system memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_PAINTER_H
#define GST_CCA_PAINTER_H

#include <gst/video/video-overlay-composition.h>

#include "layout.h"

G_BEGIN_DECLS

typedef struct _GstCcaPainter GstCcaPainter;

/* For views of that size, in 1…GST_CCA_CANVAS_MAX_SIZE. One thread at a time. Colours are 0xAARRGGBB. */
GstCcaPainter *gst_cca_painter_new (guint width, guint height);
void gst_cca_painter_free (GstCcaPainter *painter);

/* Sets the font from a Pango description, or the default if NULL. Without a size, the size follows the view's height.
 * Returns FALSE if the system has no font at all; the painter then paints no texts, and they have no size. */
gboolean gst_cca_painter_set_font (GstCcaPainter *painter, const gchar *description);

/* Returns the size of a text with its margin, pixels; FALSE if the text cannot be painted. */
gboolean gst_cca_painter_text_size (GstCcaPainter *painter, const gchar *text, gint *width, gint *height);

/* Begins a drawing. Returns FALSE if memory is exhausted. */
gboolean gst_cca_painter_begin (GstCcaPainter *painter);

/* Fills the area between the outer and the inner rectangle, which may be empty. */
void gst_cca_painter_fill (GstCcaPainter *painter, const GstCcaRect *outer, const GstCcaRect *inner, guint32 color);

/* Fills a rectangle and writes a text into its middle, in black or white, whichever is easier to read. */
void gst_cca_painter_write (GstCcaPainter *painter, const GstCcaRect *plate, const gchar *text, guint32 color);

/* Ends the drawing and returns it, with the view's corner at (x, y) of the frame, or NULL if nothing was painted. */
GstVideoOverlayComposition *gst_cca_painter_end (GstCcaPainter *painter, gint x, gint y);

G_END_DECLS

#endif
