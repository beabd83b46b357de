/* gst-cca: what happens in a frame as ONVIF's event stream
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ONVIF_EVENTS_H
#define GST_CCA_ONVIF_EVENTS_H

#include "gstccaonvifxml.h"
#include "gstccascene.h"

G_BEGIN_DECLS

/* The states that clients know. One thread. */
typedef struct
{
  GArray *rules;          /* names and types, in the order of the metas */
  gboolean scene_changed; /* and not yet back */
} GstCcaOnvifStates;

void gst_cca_onvif_states_init (GstCcaOnvifStates *states);
void gst_cca_onvif_states_clear (GstCcaOnvifStates *states);

/* Forgets which rules clients know: the next document has the states of all. */
void gst_cca_onvif_states_forget (GstCcaOnvifStates *states);

/* Returns whether there are notifications that clients have not got. */
gboolean gst_cca_onvif_has_events (const GstCcaOnvifStates *states, const GstCcaScene *scene);

/* Writes the element Event with notifications: of rules that are new or gone, of a change of the scene, and of the
 * frame's events. Writes nothing if there are none. utc: the frame's, ns since 1970; camera: the token of the video
 * source.
 * Source: ONVIF Analytics Service Specification, "Specified Rules"; ONVIF Core Specification, "Property Events" */
void gst_cca_onvif_write_events (GstCcaOnvifXml *xml, GstCcaOnvifStates *states, const GstCcaScene *scene,
                                 const gchar *camera, GstClockTime utc);

G_END_DECLS

#endif
