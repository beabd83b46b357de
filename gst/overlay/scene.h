/* gst-cca: decides which marks of a frame's components are drawn, and where
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_SCENE_H
#define GST_CCA_SCENE_H

#include <gst/cca/gstccameta.h>

#include "layout.h"
#include "painter.h"

G_BEGIN_DECLS

/* How a component gets its colour. */
typedef enum
{
  GST_CCA_COLOR_BY_NONE, /* the style's colour */
  GST_CCA_COLOR_BY_LABEL /* the colour of its label in ccl */
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

/* Paints the marks that the style selects, in the order of the layers. Centroids cover boxes, and texts cover
 * centroids. */
void gst_cca_scene_paint (GstCcaScene *scene, GstCcaPainter *painter, const GstCcaStyle *style, const GstCcaView *view,
                          const GstCcaLayer *layers, guint n_layers);

G_END_DECLS

#endif
