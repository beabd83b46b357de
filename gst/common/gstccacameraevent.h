/* gst-cca: the events of ccacamera for elements downstream
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The custom sticky downstream event "cca-camera", serialised, goes before the first frame that a state of the camera
 * holds for, and before the first of all. Its fields are those of the message of the same name: state (string),
 * evidence (double), and the four times.
 *
 * The event "cca-camera-doubt", of the same kind, has the field doubt (boolean): the camera's state is well, but the
 * frames from here on speak against it. It goes when that changes; without one, there is no doubt.
 */
#pragma once

#include <gst/gst.h>

#define GST_CCA_CAMERA_EVENT "cca-camera"
#define GST_CCA_CAMERA_DOUBT_EVENT "cca-camera-doubt"

static inline gboolean
gst_cca_camera_event_is (GstEvent *event, const gchar *name)
{
  return GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM_STICKY && gst_event_has_name (event, name);
}

/* Returns the state that an event tells, or NULL of another event. */
static inline const gchar *
gst_cca_camera_event_state (GstEvent *event)
{
  return gst_cca_camera_event_is (event, GST_CCA_CAMERA_EVENT)
             ? gst_structure_get_string (gst_event_get_structure (event), "state")
             : NULL;
}

/* If the event tells a camera's state, sets *trouble to it, a static string, or to NULL if the camera is well. Returns
 * whether it does. */
static inline gboolean
gst_cca_camera_event_follow (GstEvent *event, const gchar **trouble)
{
  const gchar *state = gst_cca_camera_event_state (event);

  if (state)
    *trouble = g_str_equal (state, "well") ? NULL : g_intern_string (state);
  return state != NULL;
}

/* If the event tells whether a camera is in doubt, sets *doubt to that. */
static inline void
gst_cca_camera_event_follow_doubt (GstEvent *event, gboolean *doubt)
{
  if (gst_cca_camera_event_is (event, GST_CCA_CAMERA_DOUBT_EVENT))
    gst_structure_get_boolean (gst_event_get_structure (event), "doubt", doubt);
}
