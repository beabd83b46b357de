/* gst-cca: draws the components of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_PAINTER_H
#define GST_CCA_PAINTER_H

#include <gst/cca/gstccameta.h>
#include <gst/video/video-overlay-composition.h>

G_BEGIN_DECLS

typedef struct
{
  gboolean boxes, centroids, labels, area, count;
  guint line_width; /* pixels; 0 follows the frame's height */
  guint max_drawn;  /* components; 0 draws all that are stored */
} GstCcaStyle;

typedef struct _GstCcaPainter GstCcaPainter;

/* For frames of that size, in 1…GST_CCA_CANVAS_MAX_SIZE. One thread at a time. */
GstCcaPainter *gst_cca_painter_new (guint width, guint height);
void gst_cca_painter_free (GstCcaPainter *painter);

/* A font description as Pango reads it; without a size it follows the frame's height. NULL for the default. Where there
 * is no font at all it returns FALSE, and no text is painted. */
gboolean gst_cca_painter_set_font (GstCcaPainter *painter, const gchar *description);

/* Paints what the style asks for. content says where the measured frame lies in the painter's, and (x, y) where the
 * painter's lies in the video's. NULL where there is nothing to paint, or no memory for it. */
GstVideoOverlayComposition *gst_cca_painter_paint (GstCcaPainter *painter, const GstCcaStyle *style,
                                                   const GstCcaMeta *meta, const GstVideoRectangle *content, gint x,
                                                   gint y);

G_END_DECLS

#endif
