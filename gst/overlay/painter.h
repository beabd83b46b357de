/* gst-cca: paints a drawing as an overlay in system memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video-overlay-composition.h>

#include "drawing.h"
#include "font.h"

/* The largest width and height that cairo supports. */
#define GST_CCA_PAINTER_MAX_SIZE 32767

typedef struct _GstCcaPainter GstCcaPainter;

/* For views of that size, in 1…GST_CCA_PAINTER_MAX_SIZE. One thread at a time. */
GstCcaPainter *gst_cca_painter_new (guint width, guint height);
void gst_cca_painter_free (GstCcaPainter *painter);

/* Returns the painted drawing, with the view's corner at (x, y) of the frame, or NULL if nothing of it is in the view
 * or memory is exhausted. */
GstVideoOverlayComposition *gst_cca_painter_paint (GstCcaPainter *painter, const GstCcaDrawing *drawing,
                                                   GstCcaFont *font, gint x, gint y);
