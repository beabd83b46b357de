/* gst-cca: a frame-sized surface of which only the rows drawn on are cleared and shown
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_CANVAS_H
#define GST_CCA_CANVAS_H

#include <cairo.h>
#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* The largest width and height, cairo's. */
#define GST_CCA_CANVAS_MAX_SIZE 32767

typedef struct _GstCcaCanvas GstCcaCanvas;

/* 1…GST_CCA_CANVAS_MAX_SIZE pixels each way. One thread at a time. */
GstCcaCanvas *gst_cca_canvas_new (guint width, guint height);
void gst_cca_canvas_free (GstCcaCanvas *canvas);

/* A fresh drawing, or NULL where there is no memory for it. Draw only where gst_cca_canvas_touch() was called before.
 */
cairo_t *gst_cca_canvas_begin (GstCcaCanvas *canvas);

/* Announces drawing inside a rectangle; FALSE where it lies outside the canvas. */
gboolean gst_cca_canvas_touch (GstCcaCanvas *canvas, const GstVideoRectangle *area);

/* The drawing, with the canvas's corner at (x, y) of the frame; NULL where nothing was drawn. Its pixels go back to the
 * canvas's pool with the composition. */
GstVideoOverlayComposition *gst_cca_canvas_end (GstCcaCanvas *canvas, gint x, gint y);

G_END_DECLS

#endif
