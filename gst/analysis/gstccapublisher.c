/* gst-cca: publishes results as metas and messages; advice on settings that do little
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccapublisher.h"

#include "gstccaforeign.h"
#include "gstccapost.h"

/* --- Properties -------------------------------------------------------------------------------------- */

#define AT(field) G_STRUCT_OFFSET (GstCcaPublisher, field)

static const GstCcaProperty list[] = {
  { "post-messages", AT (post_messages), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Post element messages: \"cca\" that list the components, and \"cca-scene-change\"" },
  { "message-interval", AT (message_interval), G_TYPE_UINT64, 0, G_MAXUINT64, 0,
    .blurb = "Minimum running time between two messages, ns; 0 = a message for every frame" },
  { "message-max-components", AT (message_max_components), G_TYPE_UINT, 0, CCA_MAX_COMPONENTS, 1024,
    .blurb = "Maximum number of components, and of overlaps, in a message; the counts stay exact" },
  { "emit", AT (emit), G_TYPE_FLAGS, .value = GST_CCA_EMIT_CCA, .get_type = gst_cca_emit_get_type,
    .blurb = "Metas that buffers get" },
  { "id", AT (id), G_TYPE_STRING, .is_name = TRUE, .changed = AT (id_changed),
    .blurb = "Names the analysis in metas and messages; unset = the element's name" },
};
const GstCcaProperties gst_cca_publisher_properties = { GST_CCA_SETTINGS_LAST_PROP + 1, G_N_ELEMENTS (list), list,
                                                        GST_CCA_PROPERTY_PLAYING };

G_STATIC_ASSERT (G_N_ELEMENTS (list) <= GST_CCA_PUBLISHER_LAST_PROP - GST_CCA_SETTINGS_LAST_PROP);

void
gst_cca_publisher_init (GstCcaPublisher *self)
{
  gst_cca_properties_init (&gst_cca_publisher_properties, self);
  self->last_message = GST_CLOCK_TIME_NONE;
}

void
gst_cca_publisher_clear (GstCcaPublisher *self)
{
  gst_cca_properties_clear (&gst_cca_publisher_properties, self);
  gst_cca_identity_clear (&self->identity);
}

const gchar *
gst_cca_publisher_id (const GstCcaPublisher *self, GstObject *element)
{
  return self->id ? self->id : GST_OBJECT_NAME (element);
}

/* --- Stream ------------------------------------------------------------------------------------------ */

void
gst_cca_publisher_restart (GstCcaPublisher *self)
{
  self->last_message = GST_CLOCK_TIME_NONE;
}

void
gst_cca_publisher_start (GstCcaPublisher *self)
{
  self->id_changed = TRUE; /* the element's name may be another */
  self->warned_analytics = FALSE;
  gst_cca_publisher_restart (self);
}

void
gst_cca_publisher_stop (GstCcaPublisher *self)
{
  gst_cca_storage_clear (&self->storage);
  gst_cca_message_pools_clear (&self->pools);
}

gboolean
gst_cca_publisher_wants_components (const GstCcaPublisher *self)
{
  return self->emit != 0 || (self->post_messages && self->message_max_components > 0);
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static void
warn_analytics (GstCcaPublisher *self, GstBaseTransform *element)
{
  if (gst_cca_has_analytics () || self->warned_analytics)
    return;
  self->warned_analytics = TRUE;
  gst_cca_post_detail (element, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                       g_strdup ("this build lacks gstreamer-analytics-1.0"),
                       "emit=analytics has no effect; build with GStreamer 1.24 or later");
}

static GstFlowReturn
fail_for_memory (GstBaseTransform *element, guint n)
{
  gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory for the metas of %u components; lower max-components", n);
  return GST_FLOW_ERROR;
}

/* With the object lock held. The caller clears the result. */
static GstCcaIdentity
acquire_identity (GstCcaPublisher *self, GstBaseTransform *element)
{
  if (self->id_changed) {
    gst_cca_identity_clear (&self->identity);
    gst_cca_identity_init (&self->identity, self->id, GST_OBJECT_NAME (element));
    self->id_changed = FALSE;
  }
  g_ref_string_acquire (self->identity.id);
  return self->identity;
}

GstFlowReturn
gst_cca_publisher_publish (GstCcaPublisher *self, GstBaseTransform *element, GstBuffer *buffer,
                           const GstVideoInfo *info, gboolean covariance, const CcaMeasurement *measurement)
{
  const guint width = (guint) GST_VIDEO_INFO_WIDTH (info), height = (guint) GST_VIDEO_INFO_HEIGHT (info);
  const GstCcaMessageTimes times = gst_cca_message_times (&element->segment, buffer);
  GstFlowReturn flow = GST_FLOW_OK;
  GstMessage *message = NULL, *scene_change = NULL;
  GstCcaIdentity identity;
  gboolean post_messages;
  guint64 interval;
  guint n_listed, n_listed_overlaps;
  GstCcaEmit emit;

  GST_OBJECT_LOCK (element);
  identity = acquire_identity (self, element);
  post_messages = self->post_messages;
  interval = self->message_interval;
  n_listed = MIN (self->message_max_components, measurement->n_stored);
  n_listed_overlaps = MIN (self->message_max_components, measurement->n_stored_overlaps);
  emit = self->emit;
  GST_OBJECT_UNLOCK (element);
  if (emit & GST_CCA_EMIT_ANALYTICS)
    warn_analytics (self, element);
  if (!gst_cca_emit_metas (&self->storage, buffer, emit, &identity, width, height, measurement)) {
    flow = fail_for_memory (element, measurement->n_stored);
  } else if (post_messages && gst_cca_message_is_due (&self->last_message, interval, times.running_time)) {
    message = gst_cca_message_new (&self->pools, GST_OBJECT (element), identity.id, &times, width, height, covariance,
                                   measurement, n_listed, n_listed_overlaps);
  }
  if (post_messages && measurement->scene_change)
    scene_change = gst_cca_message_new_scene_change (GST_OBJECT (element), identity.id, &times, width, height);
  gst_cca_identity_clear (&identity);
  if (scene_change)
    gst_element_post_message (GST_ELEMENT (element), scene_change);
  if (message)
    gst_element_post_message (GST_ELEMENT (element), message);
  return flow;
}

/* --- Hints ------------------------------------------------------------------------------------------- */

void
gst_cca_hints_see_settings (GstCcaHints *self, GstElement *element, const GstCcaSettings *settings,
                            const CcaParams *used, gboolean sensitivity)
{
  g_autofree gchar *text = gst_cca_settings_without_effect (settings, used, sensitivity);

  if (text && !self->without_effect)
    gst_cca_post (element, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "%s", text);
  self->without_effect = text != NULL;
}

void
gst_cca_hints_see_components (GstCcaHints *self, GstElement *element, const CcaParams *params, const GstVideoInfo *info,
                              const CcaMeasurement *measurement)
{
  const guint64 n_pixels = (guint64) GST_VIDEO_INFO_WIDTH (info) * (guint64) GST_VIDEO_INFO_HEIGHT (info);

  if (self->whole_frame || params->foreground != CCA_FOREGROUND_NONZERO || params->invert || measurement->n_stored == 0
      || measurement->components[0].area < n_pixels - n_pixels / 10)
    return;
  self->whole_frame = TRUE;
  gst_cca_post_detail (
      element, GST_MESSAGE_INFO, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
      g_strdup ("foreground=nonzero takes all pixels above black; foreground=threshold needs a threshold"),
      "One component covers nearly the whole frame; for video of a camera set foreground=motion or =threshold");
}
