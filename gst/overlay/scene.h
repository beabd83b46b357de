/* gst-cca: decides what is drawn of the components of a frame, and where
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_SCENE_H
#define GST_CCA_SCENE_H

#include <gst/cca/gstccameta.h>

#include "layout.h"
#include "painter.h"

G_BEGIN_DECLS

/* What gives components their colour. */
typedef enum
{
  GST_CCA_COLOR_BY_NONE, /* all have the style's */
  GST_CCA_COLOR_BY_LABEL /* each the one of its label, as ccl paints it */
} GstCcaColorBy;

typedef struct
{
  gboolean boxes, centroids, labels, area, count;
  GstCcaColorBy color_by;
  guint32 color;    /* 0xAARRGGBB */
  guint line_width; /* pixels; 0 follows the view's height */
  guint max_drawn;  /* components of a layer; 0 draws all that are stored */
} GstCcaStyle;

/* The components of one analysis. */
typedef struct
{
  const GstCcaMeta *meta;
  GstVideoRectangle content; /* where the measured frame lies in the view */
} GstCcaLayer;

typedef struct _GstCcaScene GstCcaScene;

/* One thread at a time. */
GstCcaScene *gst_cca_scene_new (void);
void gst_cca_scene_free (GstCcaScene *scene);

/* Paints what the style asks for, of the first layers first. Boxes lie under centroids, centroids under texts. */
void gst_cca_scene_paint (GstCcaScene *scene, GstCcaPainter *painter, const GstCcaStyle *style, const GstCcaView *view,
                          const GstCcaLayer *layers, guint n_layers);

G_END_DECLS

#endif
