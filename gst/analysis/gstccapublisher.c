/* gst-cca: publishes results as metas and messages; advice on settings that do little
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccapublisher.h"

#include "gstccaforeign.h"
#include "gstccapost.h"

enum
{
  PROP_POST_MESSAGES = GST_CCA_SETTINGS_LAST_PROP + 1,
  PROP_MESSAGE_INTERVAL,
  PROP_MESSAGE_MAX_COMPONENTS,
  PROP_EMIT,
  PROP_ID,
};

G_STATIC_ASSERT (PROP_ID <= GST_CCA_PUBLISHER_LAST_PROP);

#define DEFAULT_MESSAGE_MAX_COMPONENTS 1024

/* --- Properties -------------------------------------------------------------------------------------- */

void
gst_cca_publisher_init (GstCcaPublisher *self)
{
  *self = (GstCcaPublisher) {
    .post_messages = TRUE,
    .emit = GST_CCA_EMIT_CCA,
    .message_max_components = DEFAULT_MESSAGE_MAX_COMPONENTS,
    .last_message = GST_CLOCK_TIME_NONE,
  };
}

void
gst_cca_publisher_clear (GstCcaPublisher *self)
{
  g_clear_pointer (&self->id, g_free);
  gst_cca_identity_clear (&self->identity);
}

void
gst_cca_publisher_install_properties (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (
      klass, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "post-messages",
                            "Post element messages: \"cca\" that list the components, and \"cca-scene-change\"", TRUE,
                            flags));
  g_object_class_install_property (
      klass, PROP_MESSAGE_INTERVAL,
      g_param_spec_uint64 ("message-interval", "message-interval",
                           "Minimum running time between two messages, ns; 0 = a message for every frame", 0,
                           G_MAXUINT64, 0, flags));
  g_object_class_install_property (
      klass, PROP_MESSAGE_MAX_COMPONENTS,
      g_param_spec_uint ("message-max-components", "message-max-components",
                         "Maximum number of components, and of overlaps, in a message; the counts stay exact", 0,
                         CCA_MAX_COMPONENTS, DEFAULT_MESSAGE_MAX_COMPONENTS, flags));
  g_object_class_install_property (
      klass, PROP_EMIT,
      g_param_spec_flags ("emit", "emit", "Metas that buffers get", gst_cca_emit_get_type (), GST_CCA_EMIT_CCA, flags));
  g_object_class_install_property (
      klass, PROP_ID,
      g_param_spec_string ("id", "id", "Names the analysis in metas and messages; unset = the element's name", NULL,
                           flags));
}

const gchar *
gst_cca_publisher_id (const GstCcaPublisher *self, GstObject *element)
{
  return self->id ? self->id : GST_OBJECT_NAME (element);
}

gboolean
gst_cca_publisher_set_property (GstCcaPublisher *self, guint prop_id, const GValue *value)
{
  switch (prop_id) {
    case PROP_POST_MESSAGES: self->post_messages = g_value_get_boolean (value); return TRUE;
    case PROP_MESSAGE_INTERVAL: self->message_interval = g_value_get_uint64 (value); return TRUE;
    case PROP_MESSAGE_MAX_COMPONENTS: self->message_max_components = g_value_get_uint (value); return TRUE;
    case PROP_EMIT: self->emit = g_value_get_flags (value); return TRUE;
    case PROP_ID:
      g_free (self->id);
      self->id = g_value_dup_string (value);
      gst_cca_identity_clear (&self->identity);
      return TRUE;
    default: return FALSE;
  }
}

gboolean
gst_cca_publisher_get_property (const GstCcaPublisher *self, GstObject *element, guint prop_id, GValue *value)
{
  switch (prop_id) {
    case PROP_POST_MESSAGES: g_value_set_boolean (value, self->post_messages); return TRUE;
    case PROP_MESSAGE_INTERVAL: g_value_set_uint64 (value, self->message_interval); return TRUE;
    case PROP_MESSAGE_MAX_COMPONENTS: g_value_set_uint (value, self->message_max_components); return TRUE;
    case PROP_EMIT: g_value_set_flags (value, self->emit); return TRUE;
    case PROP_ID: g_value_set_string (value, gst_cca_publisher_id (self, element)); return TRUE;
    default: return FALSE;
  }
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
  gst_cca_identity_clear (&self->identity); /* the element's name may have changed */
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
  if (!self->identity.id)
    gst_cca_identity_init (&self->identity, self->id, GST_OBJECT_NAME (element));
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
