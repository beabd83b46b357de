/* gst-cca: the objects of a frame as ONVIF's scene description
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ONVIF_SCENE_H
#define GST_CCA_ONVIF_SCENE_H

#include "gstccaonvifxml.h"
#include "gstccascene.h"

G_BEGIN_DECLS

/* The objects that receivers know. One thread. */
typedef struct
{
  GArray *ids;  /* of guint64, ascending: tracks in the last document with tracks */
  GArray *last; /* in the one before */
} GstCcaOnvifObjects;

void gst_cca_onvif_objects_init (GstCcaOnvifObjects *objects);
void gst_cca_onvif_objects_clear (GstCcaOnvifObjects *objects);
void gst_cca_onvif_objects_forget (GstCcaOnvifObjects *objects);

/* Writes the element VideoAnalytics with a Frame at a UTC, a text. Its objects are the scene's tracks, by their ids, or
 * if it has none its components, without ids; those that receivers know and that are no longer tracked are deleted.
 * Coordinates are pixels, upwards from the frame's lower left corner; a Transformation says so.
 * Source: ONVIF Analytics Service Specification, "Scene Description" */
void gst_cca_onvif_write_scene (GstCcaOnvifXml *xml, GstCcaOnvifObjects *objects, const GstCcaScene *scene,
                                const gchar *utc);

G_END_DECLS

#endif
