/* gst-cca: the properties of ccamqttsink
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccamqttsettings.h"

#include "gstccastrings.h"

#define DEFAULT_HOST "localhost"
#define DEFAULT_QOS 1
#define DEFAULT_KEEP_ALIVE 60
#define DEFAULT_MAX_IN_FLIGHT 20
#define PORT 1883
#define TLS_PORT 8883

typedef enum
{
  PROP_HOST = GST_CCA_BROKER_SINK_LAST_PROP + 1,
  PROP_PORT,
  PROP_QOS,
  PROP_RETAIN,
  PROP_CLIENT_ID,
  PROP_KEEP_ALIVE,
  PROP_MAX_IN_FLIGHT,
  PROP_STATUS_TOPIC,
  PROP_COUNTS_TOPIC,
} Property;

void
gst_cca_mqtt_settings_init (GstCcaMqttSettings *self)
{
  *self = (GstCcaMqttSettings) {
    .host = g_strdup (DEFAULT_HOST),
    .qos = DEFAULT_QOS,
    .keep_alive = DEFAULT_KEEP_ALIVE,
    .max_in_flight = DEFAULT_MAX_IN_FLIGHT,
  };
}

void
gst_cca_mqtt_settings_clear (GstCcaMqttSettings *self)
{
  g_clear_pointer (&self->host, g_free);
  g_clear_pointer (&self->client_id, g_free);
  g_clear_pointer (&self->status_topic, g_free);
  g_clear_pointer (&self->counts_topic, g_free);
}

GstCcaMqttSettings
gst_cca_mqtt_settings_copy (const GstCcaMqttSettings *self)
{
  GstCcaMqttSettings copy = *self;

  copy.host = g_strdup (self->host);
  copy.client_id = g_strdup (self->client_id);
  copy.status_topic = g_strdup (self->status_topic);
  copy.counts_topic = g_strdup (self->counts_topic);
  return copy;
}

gboolean
gst_cca_mqtt_settings_set (GstCcaMqttSettings *self, guint id, const GValue *value)
{
  switch ((Property) id) {
    case PROP_HOST: gst_cca_set_string (&self->host, value); break;
    case PROP_PORT: self->port = g_value_get_uint (value); break;
    case PROP_QOS: self->qos = g_value_get_int (value); break;
    case PROP_RETAIN: self->retain = g_value_get_boolean (value); break;
    case PROP_CLIENT_ID: gst_cca_set_string (&self->client_id, value); break;
    case PROP_KEEP_ALIVE: self->keep_alive = g_value_get_uint (value); break;
    case PROP_MAX_IN_FLIGHT: self->max_in_flight = g_value_get_uint (value); break;
    case PROP_STATUS_TOPIC: gst_cca_set_string (&self->status_topic, value); break;
    case PROP_COUNTS_TOPIC: gst_cca_set_string (&self->counts_topic, value); break;
    default: return FALSE;
  }
  return TRUE;
}

gboolean
gst_cca_mqtt_settings_get (const GstCcaMqttSettings *self, guint id, GValue *value)
{
  switch ((Property) id) {
    case PROP_HOST: g_value_set_string (value, self->host); break;
    case PROP_PORT: g_value_set_uint (value, self->port); break;
    case PROP_QOS: g_value_set_int (value, self->qos); break;
    case PROP_RETAIN: g_value_set_boolean (value, self->retain); break;
    case PROP_CLIENT_ID: g_value_set_string (value, self->client_id); break;
    case PROP_KEEP_ALIVE: g_value_set_uint (value, self->keep_alive); break;
    case PROP_MAX_IN_FLIGHT: g_value_set_uint (value, self->max_in_flight); break;
    case PROP_STATUS_TOPIC: g_value_set_string (value, self->status_topic); break;
    case PROP_COUNTS_TOPIC: g_value_set_string (value, self->counts_topic); break;
    default: return FALSE;
  }
  return TRUE;
}

/* --- What is unset ----------------------------------------------------------------------------------- */

static gchar *
make_id (void)
{
  return g_strdup_printf ("gst-cca-%08x%04x", g_random_int (), g_random_int_range (0, 65536));
}

/* Returns the id that belongs to a spool, so that a broker knows who comes back; or NULL and an error. */
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

gboolean
gst_cca_mqtt_settings_complete (GstCcaMqttSettings *self, const GstCcaBrokerSettings *broker, GError **error)
{
  if (!self->host || !self->host[0]) {
    g_free (self->host);
    self->host = g_strdup (DEFAULT_HOST);
  }
  if (self->port == 0)
    self->port = broker->tls ? TLS_PORT : PORT;
  if (!self->client_id)
    self->client_id = broker->spool_directory ? spool_id (broker->spool_directory, error) : make_id ();
  return self->client_id != NULL;
}

/* --- Properties -------------------------------------------------------------------------------------- */

void
gst_cca_mqtt_settings_install (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (
      klass, PROP_HOST, g_param_spec_string ("host", "host", "Name or address of the broker", DEFAULT_HOST, flags));
  g_object_class_install_property (
      klass, PROP_PORT,
      g_param_spec_uint ("port", "port", "Port of the broker; 0 = 1883, or 8883 with tls", 0, 65535, 0, flags));
  g_object_class_install_property (
      klass, PROP_QOS,
      g_param_spec_int ("qos", "qos",
                        "Quality of service: a message arrives 0 = at most once, 1 = at least once, 2 = exactly once",
                        0, 2, DEFAULT_QOS, flags));
  g_object_class_install_property (
      klass, PROP_RETAIN,
      g_param_spec_boolean ("retain", "retain",
                            "Ask the broker to keep the last message of each topic for later subscribers", FALSE,
                            flags));
  g_object_class_install_property (
      klass, PROP_CLIENT_ID,
      g_param_spec_string (
          "client-id", "client-id",
          "Name of this client at the broker, unique there. Unset = a random name, kept in spool-directory", NULL,
          flags));
  g_object_class_install_property (
      klass, PROP_KEEP_ALIVE,
      g_param_spec_uint ("keep-alive", "keep-alive",
                         "Seconds without traffic until client and broker check the connection", 5, 65535,
                         DEFAULT_KEEP_ALIVE, flags));
  g_object_class_install_property (
      klass, PROP_MAX_IN_FLIGHT,
      g_param_spec_uint ("max-in-flight", "max-in-flight",
                         "Maximum number of messages that wait for the broker's confirmation", 1, 65535,
                         DEFAULT_MAX_IN_FLIGHT, flags));
  g_object_class_install_property (
      klass, PROP_STATUS_TOPIC,
      g_param_spec_string ("status-topic", "status-topic",
                           "Topic of a retained \"online\" or, when the client stops or is lost, \"offline\", such as "
                           "cca/{camera}/status. With a placeholder the element connects once the first line has come",
                           NULL, flags));
  g_object_class_install_property (klass, PROP_COUNTS_TOPIC,
                                   g_param_spec_string ("counts-topic", "counts-topic",
                                                        "Topic of retained counters, published for each zone or line "
                                                        "when they change, such as cca/{camera}/counts/{zone}",
                                                        NULL, flags));
}
