/* gst-cca: ccaoverlay, the base of cudaccaoverlay
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "painter.h"
#include "scene.h"

#include <gst/base/gstbasetransform.h>

#define GST_TYPE_CCA_OVERLAY (gst_cca_overlay_get_type ())
#define GST_CCA_OVERLAY(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_CCA_OVERLAY, GstCcaOverlay))
#define GST_CCA_OVERLAY_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_CCA_OVERLAY, GstCcaOverlayClass))
#define GST_CCA_OVERLAY_GET_CLASS(object)                                                                              \
  (G_TYPE_INSTANCE_GET_CLASS ((object), GST_TYPE_CCA_OVERLAY, GstCcaOverlayClass))

typedef struct
{
  GstBaseTransform parent;

  /* Properties, under the object lock. */
  GstCcaStyle style;
  gchar *source;
  gchar *font_desc;
  gboolean font_changed;

  GstVideoInfo info;
  GstCcaView view;
  GstCcaScene *scene;
  GstCcaDrawing *drawing; /* of the frame */
  GstCcaFont *font;
  GstCcaPainter *painter;
  GstCcaLayers layers;    /* the metas of the frame that are drawn */
  GstClockTime time;      /* of the last frame */
  const gchar *trouble;   /* of the camera, as ccacamera told it; NULL: it is well */
  gboolean warned_source; /* that no frame has the metas of source */
  gboolean warned_place;  /* that a frame's components cannot be placed */
  gboolean refused;       /* the last caps were */
  gboolean caps_attach;   /* the caps allow attaching */
  gboolean caps_blend;    /* the caps allow blending */
  gboolean attach;        /* the choice of both */
  gint undecided;         /* downstream must be asked; atomic */
} GstCcaOverlay;

/* For the memory of the frames; those of ccaoverlay are for system memory. From the streaming thread. */
typedef struct
{
  GstBaseTransformClass parent_class;

  /* Returns whether the element can draw into frames with these features. */
  gboolean (*can_blend) (const GstCapsFeatures *features);
  /* Paints the drawing onto a buffer, with the view's corner at (x, y) of the frame. Posts an error if it cannot. */
  GstFlowReturn (*paint) (GstCcaOverlay *self, GstBuffer *buffer, gint x, gint y);
  /* Frees what paint() keeps for frames of one size. */
  void (*clear) (GstCcaOverlay *self);
} GstCcaOverlayClass;

GType gst_cca_overlay_get_type (void);

/* Posts the error that a buffer cannot be mapped as the frame that its caps say. Returns GST_FLOW_ERROR. */
GstFlowReturn gst_cca_overlay_fail_to_map (GstCcaOverlay *self, GstBuffer *buffer);
