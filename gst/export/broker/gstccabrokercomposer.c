/* gst-cca: buffers to messages for brokers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokercomposer.h"

#include <string.h>

#include "gstccajsonmark.h"
#include "gstccapost.h"

void
gst_cca_broker_composer_init (GstCcaBrokerComposer *self, GstCcaBrokerSink *sink)
{
  self->sink = sink;
  self->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
}

void
gst_cca_broker_composer_clear (GstCcaBrokerComposer *self)
{
  g_ptr_array_unref (self->messages);
}

void
gst_cca_broker_composer_close (GstCcaBrokerComposer *self)
{
  g_clear_pointer (&self->recipe.topic, gst_cca_template_free);
  g_clear_pointer (&self->recipe.key, gst_cca_template_free);
  g_clear_pointer (&self->line_property, g_free);
  g_clear_pointer (&self->line_placeholder, g_free);
}

gboolean
gst_cca_broker_composer_open (GstCcaBrokerComposer *self, const gchar *topic, const gchar *key, GError **error)
{
  self->recipe.is_topic_char = GST_CCA_BROKER_SINK_GET_CLASS (self->sink)->is_topic_char;
  self->recipe.topic = gst_cca_template_parse (topic, error);
  if (!self->recipe.topic)
    return FALSE;
  self->recipe.key = key ? gst_cca_template_parse (key, error) : NULL;
  return !key || self->recipe.key;
}

void
gst_cca_broker_composer_set_needs_lines (GstCcaBrokerComposer *self, const gchar *property, const gchar *placeholder)
{
  g_free (self->line_property);
  g_free (self->line_placeholder);
  self->line_property = g_strdup (property);
  self->line_placeholder = g_strdup (placeholder);
}

void
gst_cca_broker_composer_start (GstCcaBrokerComposer *self)
{
  self->is_json = self->is_checked = self->warned_invalid = FALSE;
}

/* --- What comes in ----------------------------------------------------------------------------------- */

/* Whether the templates need nothing that buffers other than lines lack. */
static gboolean
check_literal (GstCcaBrokerComposer *self)
{
  const GstCcaBrokerRecipe *recipe = &self->recipe;
  const gchar *property = "topic", *placeholder = gst_cca_template_first (recipe->topic);

  if (!placeholder && recipe->key) {
    property = "key";
    placeholder = gst_cca_template_first (recipe->key);
  }
  if (!placeholder) {
    property = self->line_property;
    placeholder = self->line_placeholder;
  }
  if (!placeholder)
    return TRUE;
  gst_cca_post (self->sink, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
                "{%s} in %s needs lines of JSON (application/x-ndjson); put ccajson before %s, or set a %s without it",
                placeholder, property, GST_OBJECT_NAME (self->sink), property);
  return FALSE;
}

gboolean
gst_cca_broker_composer_set_caps (GstCcaBrokerComposer *self, const GstCaps *caps)
{
  self->is_json = gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-ndjson");
  self->is_checked = self->is_json || check_literal (self);
  return self->is_checked;
}

/* --- Lines ------------------------------------------------------------------------------------------- */

static void
warn_invalid (GstCcaBrokerComposer *self, const GError *error)
{
  GST_OBJECT_LOCK (self->sink);
  self->n_invalid++;
  GST_OBJECT_UNLOCK (self->sink);
  if (!self->warned_invalid)
    gst_cca_post (self->sink, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
                  "A line is not JSON, and is dropped: %s", error->message);
  self->warned_invalid = TRUE;
}

static void
add_line (GstCcaBrokerComposer *self, GBytes *text, gboolean trusted)
{
  const GstCcaBrokerSinkClass *klass = GST_CCA_BROKER_SINK_GET_CLASS (self->sink);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaBrokerLine) line = gst_cca_broker_line_parse (text, trusted, &error);

  if (!line) {
    warn_invalid (self, error);
    return;
  }
  gst_cca_broker_line_messages (line, &self->recipe, self->messages);
  if (klass->make_more)
    klass->make_more (self->sink, line, self->messages);
}

/* A buffer may have several lines; each is a message without its end. */
static void
add_lines (GstCcaBrokerComposer *self, GBytes *bytes, gboolean trusted)
{
  gsize size, start = 0;
  const gchar *data = g_bytes_get_data (bytes, &size);

  while (start < size) {
    const gchar *end = memchr (data + start, '\n', size - start);
    const gsize length = end ? (gsize) (end - data) - start : size - start;

    if (length > 0) {
      g_autoptr (GBytes) text = g_bytes_new_from_bytes (bytes, start, length);

      add_line (self, text, trusted);
    }
    start += length + 1;
  }
}

/* --- Buffers ----------------------------------------------------------------------------------------- */

static GBytes *
copy_bytes (GstBuffer *buffer)
{
  const gsize size = gst_buffer_get_size (buffer);
  gpointer data = g_try_malloc (MAX (size, 1));

  if (!data || gst_buffer_extract (buffer, 0, data, size) != size) {
    g_free (data);
    return NULL;
  }
  return g_bytes_new_take (data, size);
}

GstFlowReturn
gst_cca_broker_composer_compose (GstCcaBrokerComposer *self, GstBuffer *buffer)
{
  const GstCcaBrokerRecipe *recipe = &self->recipe;
  g_autoptr (GBytes) bytes = NULL;

  if (!self->is_checked && !check_literal (self))
    return GST_FLOW_NOT_NEGOTIATED;
  self->is_checked = TRUE;
  bytes = copy_bytes (buffer);
  if (!bytes) {
    gst_cca_post (self->sink, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                  "Cannot read a buffer of %" G_GSIZE_FORMAT " bytes", gst_buffer_get_size (buffer));
    return GST_FLOW_ERROR;
  }
  if (self->is_json)
    add_lines (self, bytes, gst_cca_json_mark_is_on (buffer));
  else
    g_ptr_array_add (self->messages, gst_cca_broker_message_new (
                                         gst_cca_template_expand (recipe->topic, NULL, NULL, NULL),
                                         recipe->key ? gst_cca_template_expand (recipe->key, NULL, NULL, NULL) : NULL,
                                         g_bytes_ref (bytes), GST_CCA_BROKER_NO_TIME, FALSE));
  return GST_FLOW_OK;
}
