/* gst-cca: the properties of ccamqttsink beside those of all sinks to brokers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccamqttsettings.h"

#include "mqttclient.h"

#define DEFAULT_HOST "localhost"
#define PORT 1883
#define TLS_PORT 8883

/* Of topics that are unset, with discovery-prefix. */
#define DISCOVERED_STATUS "cca/{camera}/status"
#define DISCOVERED_STATE "cca/{camera}/state"
#define DISCOVERED_COUNTS "cca/{camera}/counts/{zone}"

#define AT(field) G_STRUCT_OFFSET (GstCcaMqttSettings, field)

static const GstCcaProperty list[] = {
  { "host", AT (host), G_TYPE_STRING, .text = DEFAULT_HOST, .blurb = "Name or address of the broker" },
  { "port", AT (port), G_TYPE_UINT, 0, 65535, 0, .blurb = "Port of the broker; 0 = 1883, or 8883 with tls" },
  { "qos", AT (qos), G_TYPE_INT, 0, 2, 1,
    .blurb = "Quality of service: a message arrives 0 = at most once, 1 = at least once, 2 = exactly once" },
  { "retain", AT (retain), G_TYPE_BOOLEAN,
    .blurb = "Ask the broker to keep the last message of each topic for later subscribers" },
  { "client-id", AT (client_id), G_TYPE_STRING,
    .blurb = "Name of this client at the broker, unique there. Unset = a random name, kept in spool-directory" },
  { "keep-alive", AT (keep_alive), G_TYPE_UINT, 5, 65535, 60,
    .blurb = "Seconds without traffic until client and broker check the connection" },
  { "max-in-flight", AT (max_in_flight), G_TYPE_UINT, 1, 65535, 20,
    .blurb = "Maximum number of messages that wait for the broker's confirmation" },
  { "status-topic", AT (status_topic), G_TYPE_STRING,
    .blurb = "Topic of a retained \"online\" or, when the client stops or is lost, \"offline\", such as "
             "cca/{camera}/status. With a placeholder the element connects once the first line has come" },
  { "counts-topic", AT (counts_topic), G_TYPE_STRING,
    .blurb = "Topic of retained counters, published for each zone or line when they change, such as "
             "cca/{camera}/counts/{zone}" },
  { "state-topic", AT (state_topic), G_TYPE_STRING,
    .blurb = "Topic of a camera's retained state, published when it changes: number of objects, motion, health; such "
             "as cca/{camera}/state" },
  { "discovery-prefix", AT (discovery_prefix), G_TYPE_STRING,
    .blurb = "Tell Home Assistant which sensors there are, by its MQTT discovery below this topic, usually "
             "homeassistant. status-topic, state-topic and counts-topic are " DISCOVERED_STATUS ", " DISCOVERED_STATE
             " and " DISCOVERED_COUNTS " then, unless set" },
};
const GstCcaProperties gst_cca_mqtt_settings = { GST_CCA_BROKER_SINK_LAST_PROP + 1, G_N_ELEMENTS (list), list,
                                                 GST_CCA_BROKER_PROPERTY };

static gchar *
make_id (void)
{
  return g_strdup_printf ("gst-cca-%08x%04x", g_random_int (), g_random_int_range (0, 65536));
}

/* Returns the id that belongs to a spool, so that a broker recognises the client; or NULL and an error. */
static gchar *
spool_id (const gchar *directory, GError **error)
{
  g_autofree gchar *path = g_build_filename (directory, "client-id", NULL);
  gchar *id = NULL;

  if (g_file_get_contents (path, &id, NULL, NULL) && g_str_has_prefix (g_strchomp (id), "gst-cca-"))
    return id;
  g_free (id);
  id = make_id ();
  if (!g_file_set_contents (path, id, -1, error))
    g_clear_pointer (&id, g_free);
  return id;
}

static void
set_default (gchar **setting, const gchar *text)
{
  if (!*setting)
    *setting = g_strdup (text);
}

gboolean
gst_cca_mqtt_settings_complete (GstCcaMqttSettings *self, const GstCcaBrokerSettings *broker, GError **error)
{
  if (!self->host || !self->host[0]) {
    g_free (self->host);
    self->host = g_strdup (DEFAULT_HOST);
  }
  if (self->port == 0)
    self->port = broker->tls ? TLS_PORT : PORT;
  if (self->discovery_prefix) {
    set_default (&self->status_topic, DISCOVERED_STATUS);
    set_default (&self->state_topic, DISCOVERED_STATE);
    set_default (&self->counts_topic, DISCOVERED_COUNTS);
  }
  if (!self->client_id)
    self->client_id = broker->spool_directory ? spool_id (broker->spool_directory, error) : make_id ();
  return self->client_id != NULL;
}

GstCcaTemplate *
gst_cca_mqtt_parse_topic (const gchar *property, const gchar *text, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GstCcaTemplate) topic = gst_cca_template_parse (text, &reason);
  g_autofree gchar *sample = topic ? gst_cca_template_expand (topic, NULL, NULL, NULL) : NULL;

  if (topic && gst_cca_mqtt_is_topic (sample))
    return g_steal_pointer (&topic);
  g_set_error (
      error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s%s", property, reason ? reason->message : text,
      reason ? ""
             : " is not a topic to publish to: it is empty or too long, or has '+', '#' or a control character in it");
  return NULL;
}

gboolean
gst_cca_mqtt_check_prefix (const gchar *prefix, GError **error)
{
  g_autoptr (GstCcaTemplate) topic = gst_cca_mqtt_parse_topic ("discovery-prefix", prefix, error);

  if (!topic)
    return FALSE;
  if (!gst_cca_template_first (topic) && !g_str_has_suffix (prefix, "/"))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "discovery-prefix: %s has a placeholder or ends in '/'; set Home Assistant's prefix, usually "
               "homeassistant",
               prefix);
  return FALSE;
}
