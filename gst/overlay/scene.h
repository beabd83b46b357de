/* gst-cca: decides which marks of a frame are drawn, and where
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "drawing.h"
#include "font.h"
#include "layers.h"

/* How a component gets its colour. */
typedef enum
{
  GST_CCA_COLOR_BY_NONE, /* the style's colour */
  GST_CCA_COLOR_BY_LABEL /* the colour of its label in ccl */
} GstCcaColorBy;

typedef struct
{
  gboolean boxes, centroids, labels, area, count; /* of components or tracks */
  gboolean tracks;                                /* draw tracks instead of the components that they come from */
  gboolean trails, rules, events, camera, heatmap, heights, speed, crops;
  GstClockTime trail_duration;
  GstCcaColorBy color_by;
  guint32 color;    /* 0xAARRGGBB */
  guint line_width; /* pixels; 0 follows the view's height */
  guint max_drawn;  /* objects of a layer; 0 draws all that are stored */
} GstCcaStyle;

/* Remembers of past frames what trails, events and heatmap need, as long as they are drawn. */
typedef struct _GstCcaScene GstCcaScene;

/* One thread at a time. */
GstCcaScene *gst_cca_scene_new (void);
void gst_cca_scene_free (GstCcaScene *scene);

/* Forgets trails and events, after a discontinuity. */
void gst_cca_scene_break (GstCcaScene *scene);

/* Forgets the heatmap, too. */
void gst_cca_scene_forget (GstCcaScene *scene);

/* Adds the marks that the style selects to a drawing. `time` is that of the frame; one more
 * than a second before the last frame's is a break. The drawing is valid until the next call. */
void gst_cca_scene_draw (GstCcaScene *scene, GstCcaDrawing *drawing, GstCcaFont *font, const GstCcaStyle *style,
                         const GstCcaView *view, const GstCcaLayers *layers, GstClockTime time);
