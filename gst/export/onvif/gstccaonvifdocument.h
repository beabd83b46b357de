/* gst-cca: the parts of an ONVIF document
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <libxml/xmlwriter.h>

#include "gstccaconverter.h"

/* --- XML (gstccaonvifxml.c) -------------------------------------------------------------------------- */

/* A document that is being written. Once something fails, for want of memory, all calls do nothing and
 * gst_cca_onvif_xml_end() says so. One thread. */
typedef struct
{
  xmlBufferPtr text;
  xmlTextWriterPtr writer;
  gboolean failed;
} GstCcaOnvifXml;

/* Begins a document in UTF-8. Whatever comes of it, gst_cca_onvif_xml_end() must be called. */
void gst_cca_onvif_xml_begin (GstCcaOnvifXml *xml);

/* Ends the document and returns it in a new buffer, or NULL if something failed. */
GstBuffer *gst_cca_onvif_xml_end (GstCcaOnvifXml *xml);

/* Opens an element, and closes the last one that is open. */
void gst_cca_onvif_xml_open (GstCcaOnvifXml *xml, const gchar *name);
void gst_cca_onvif_xml_close (GstCcaOnvifXml *xml);

/* Give the element that was just opened an attribute. Characters that XML cannot hold, and bytes that are not UTF-8,
 * become U+FFFD. Numbers are xs:float in nine digits, which tell all of them apart, in any locale. */
void gst_cca_onvif_xml_text (GstCcaOnvifXml *xml, const gchar *name, const gchar *value);
void gst_cca_onvif_xml_number (GstCcaOnvifXml *xml, const gchar *name, gdouble value);
void gst_cca_onvif_xml_integer (GstCcaOnvifXml *xml, const gchar *name, guint64 value);

/* Writes the text of the element that is open: UTF-8 without characters that XML escapes. */
void gst_cca_onvif_xml_content (GstCcaOnvifXml *xml, const gchar *content);

/* --- Objects of a frame as ONVIF's scene description (gstccaonvifscene.c) ------------------------------ */

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
 * if it has none its components, without ids; deletes known objects that are no longer tracked.
 * Coordinates are pixels, upwards from the frame's lower left corner; a Transformation says so.
 * Source: ONVIF Analytics Service Specification, "Scene Description" */
void gst_cca_onvif_write_scene (GstCcaOnvifXml *xml, GstCcaOnvifObjects *objects, const GstCcaMetas *scene,
                                const gchar *utc);

/* --- Events of a frame as ONVIF's event stream (gstccaonvifevents.c) ----------------------------------- */

/* The states that clients know. One thread. */
typedef struct
{
  const gchar *camera;    /* state of the camera, which lives for ever; NULL: none was told */
  GArray *rules;          /* names and types, in the order of the metas */
  gboolean scene_changed; /* and not yet back */
} GstCcaOnvifStates;

void gst_cca_onvif_states_init (GstCcaOnvifStates *states);
void gst_cca_onvif_states_clear (GstCcaOnvifStates *states);

/* Forgets which states clients know: the next document has those of all rules and of the camera. */
void gst_cca_onvif_states_forget (GstCcaOnvifStates *states);

/* Returns whether there are notifications that clients have not got. health: the state of the camera, which lives for
 * ever, or NULL without ccacamera upstream. */
gboolean gst_cca_onvif_has_events (const GstCcaOnvifStates *states, const GstCcaMetas *scene, const gchar *health);

/* Writes the element Event with notifications: of the camera's state, of rules that are new or gone, of a change of the
 * scene, and of the frame's events. Writes nothing if there are none. health: as above; camera: the token of the video
 * source; utc: the frame's, ns since 1970.
 * Source: ONVIF Analytics Service Specification, "Specified Rules"; ONVIF Core Specification, "Property Events"; ONVIF
 * Imaging Service Specification, "Tampering" */
void gst_cca_onvif_write_events (GstCcaOnvifXml *xml, GstCcaOnvifStates *states, const GstCcaMetas *scene,
                                 const gchar *health, const gchar *camera, GstClockTime utc);
