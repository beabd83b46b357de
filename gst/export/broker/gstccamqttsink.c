/* gst-cca: ccamqttsink, publishes to an MQTT broker
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccamqttsink
 * @title: ccamqttsink
 * @short_description: publishes lines of JSON, or any buffers, to an MQTT broker
 *
 * Publishes each line of ccajson to a topic that may have members of the line in it; with `{zone}` in the topic, each
 * event becomes a message of its own. The element never makes the video wait: messages wait in a bounded queue, in
 * memory or, with `spool-directory`, on disk, until the broker has confirmed them.
 *
 * |[
 * gst-launch-1.0 -e v4l2src ! cca foreground=motion min-area=80 overlaps=true ! ccatrack ! ccazones
 * config=street.rules.json ! ccajson camera=gate ! ccamqttsink host=localhost topic="cca/{camera}/{zone}"
 * ]|
 *
 * Since: 0.1
 */
#include "gstccamqttsink.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "gstccastrings.h"
#include "mqttclient.h"

GST_DEBUG_CATEGORY_STATIC (cca_mqtt_debug);
#define GST_CAT_DEFAULT cca_mqtt_debug

#define DEFAULT_HOST "localhost"
#define DEFAULT_TOPIC "cca/{camera}"
#define DEFAULT_QOS 1
#define DEFAULT_KEEP_ALIVE 60
#define DEFAULT_MAX_IN_FLIGHT 20
#define PORT 1883
#define TLS_PORT 8883
#define N_IDS 65536

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

/* The counters of a zone as they were published last. */
typedef struct
{
  gchar *counters; /* without the times */
  GBytes *payload;
} Counts;

struct _GstCcaMqttSink
{
  GstCcaBrokerSink parent;

  /* Under the object lock. */
  gchar *host, *client_id, *status_text, *counts_text;
  guint port, keep_alive, max_in_flight;
  int qos;
  gboolean retain;
  gchar *status_topic;     /* NULL: there is none, or it waits for the first line */
  GHashTable *last_counts; /* of Counts, by their topics */

  /* From open() to close(); the templates are for the streaming thread, too. */
  GstCcaTemplate *status, *counts; /* or NULL */
  const GstCcaBrokerSettings *settings;
  gchar *used_host, *used_id;
  guint used_port, used_keep_alive, used_max_in_flight;
  int used_qos;
  gboolean used_retain;
  GstCcaMqttClient *client; /* NULL: not yet */
  gboolean is_wanted;       /* the base waits for a connection, and that for the status topic */
  gboolean must_purge;      /* the client is only to make the broker forget an earlier one's messages */
  gboolean is_purged;       /* and has done so */
  gboolean is_dead;         /* the broker has lost what the client knows */
  gboolean was_connected;
  guint64 *tokens; /* of messages in flight, by their ids; 0: none */
  guint n_tokens;
  guint64 publishing_token; /* of the message that is being published, or 0 */
  int publishing_id;
};

G_DEFINE_TYPE (GstCcaMqttSink, gst_cca_mqtt_sink, GST_TYPE_CCA_BROKER_SINK)
GST_ELEMENT_REGISTER_DEFINE (ccamqttsink, "ccamqttsink", GST_RANK_NONE, GST_TYPE_CCA_MQTT_SINK)

static void
counts_free (Counts *counts)
{
  g_free (counts->counters);
  g_bytes_unref (counts->payload);
  g_free (counts);
}

/* --- Deliveries -------------------------------------------------------------------------------------- */

static void
on_published (gpointer data, int id)
{
  GstCcaMqttSink *self = data;
  guint64 token = 0;

  if (self->is_dead)
    return;
  if (self->publishing_token != 0 && id == self->publishing_id) {
    token = self->publishing_token;
    self->publishing_token = 0;
  } else if (id > 0 && id < N_IDS && self->tokens[id] != 0) {
    token = self->tokens[id];
    self->tokens[id] = 0;
    self->n_tokens--;
  }
  if (token != 0)
    gst_cca_broker_sink_delivered (GST_CCA_BROKER_SINK (self), token, GST_CCA_BROKER_DELIVERED, NULL);
}

static GstCcaBrokerPublish
gst_cca_mqtt_sink_publish (GstCcaBrokerSink *sink, const GstCcaBrokerMessage *message, guint64 token)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (sink);
  const gchar *reason;

  self->publishing_token = token;
  self->publishing_id = 0;
  if (!gst_cca_mqtt_client_publish (self->client, message->topic, message->payload, self->used_qos,
                                    self->used_retain || message->retain, &self->publishing_id, &reason)) {
    gst_cca_broker_sink_delivered (sink, token, GST_CCA_BROKER_REFUSED, reason);
  } else if (self->publishing_token != 0) {
    self->tokens[self->publishing_id] = token;
    self->n_tokens++;
  }
  self->publishing_token = 0;
  return GST_CCA_BROKER_TAKEN;
}

/* libmosquitto forgets what has QoS 0 with its connection. */
static void
fail_unconfirmed (GstCcaMqttSink *self)
{
  if (self->used_qos > 0)
    return;
  for (guint id = 0; id < N_IDS && self->n_tokens > 0; id++)
    if (self->tokens[id] != 0) {
      gst_cca_broker_sink_delivered (GST_CCA_BROKER_SINK (self), self->tokens[id], GST_CCA_BROKER_FAILED, NULL);
      self->tokens[id] = 0;
      self->n_tokens--;
    }
}

/* --- Status and counters ----------------------------------------------------------------------------- */

static gchar *
dup_status_topic (GstCcaMqttSink *self)
{
  gchar *topic;

  GST_OBJECT_LOCK (self);
  topic = g_strdup (self->status_topic);
  GST_OBJECT_UNLOCK (self);
  return topic;
}

/* Not through the outbox: what was so is of no use later. */
static void
publish_status (GstCcaMqttSink *self, const gchar *status)
{
  g_autofree gchar *topic = dup_status_topic (self);
  g_autoptr (GBytes) payload = g_bytes_new_static (status, strlen (status));
  const gchar *reason;
  int id;

  if (topic)
    gst_cca_mqtt_client_publish (self->client, topic, payload, 0, TRUE, &id, &reason);
}

static void
push_counts (GstCcaMqttSink *self)
{
  g_autoptr (GPtrArray) messages = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer topic, counts;

  GST_OBJECT_LOCK (self);
  g_hash_table_iter_init (&iter, self->last_counts);
  while (g_hash_table_iter_next (&iter, &topic, &counts))
    g_ptr_array_add (messages,
                     gst_cca_broker_message_new (g_strdup (topic), NULL, g_bytes_ref (((Counts *) counts)->payload),
                                                 GST_CCA_BROKER_NO_TIME, TRUE));
  GST_OBJECT_UNLOCK (self);
  for (guint i = 0; i < messages->len; i++)
    gst_cca_broker_sink_push (GST_CCA_BROKER_SINK (self), messages->pdata[i]);
}

static JsonObject *
without_points (JsonObject *rule)
{
  JsonObject *bare = json_object_new ();
  JsonObjectIter iter;
  const gchar *name;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, rule);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (strcmp (name, "points") != 0)
      json_object_set_member (bare, name, json_node_copy (node));
  return bare;
}

/* Adds the counters of a rule if they are other than those published last. */
static void
add_counts (GstCcaMqttSink *self, const GstCcaBrokerLine *line, JsonObject *rule, GPtrArray *messages)
{
  const gchar *name = json_object_get_string_member_with_default (rule, "name", "");
  g_autoptr (JsonObject) bare = without_points (rule);
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), bare);
  g_autofree gchar *counters = json_to_string (node, FALSE);
  g_autofree gchar *topic = gst_cca_broker_line_expand (line, self->counts, name, gst_cca_mqtt_is_topic_char);
  GBytes *payload = NULL;
  const Counts *last;

  GST_OBJECT_LOCK (self);
  last = g_hash_table_lookup (self->last_counts, topic);
  if (!last || strcmp (last->counters, counters) != 0) {
    Counts *counts = g_new (Counts, 1);

    payload = gst_cca_broker_line_with (line, bare);
    counts->counters = g_steal_pointer (&counters);
    counts->payload = g_bytes_ref (payload);
    g_hash_table_replace (self->last_counts, g_strdup (topic), counts);
  }
  GST_OBJECT_UNLOCK (self);
  if (payload)
    g_ptr_array_add (messages, gst_cca_broker_message_new (g_steal_pointer (&topic), NULL, payload,
                                                           gst_cca_broker_line_utc (line), TRUE));
}

static void
gst_cca_mqtt_sink_make_more (GstCcaBrokerSink *sink, const GstCcaBrokerLine *line, GPtrArray *messages)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (sink);
  JsonObject *object = gst_cca_broker_line_object (line);
  JsonNode *node = self->counts ? json_object_get_member (object, "counts") : NULL;
  JsonArray *rules = node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autofree gchar *status_topic = NULL;

  for (guint i = 0; rules && i < json_array_get_length (rules); i++)
    if (JSON_NODE_HOLDS_OBJECT (json_array_get_element (rules, i)))
      add_counts (self, line, json_array_get_object_element (rules, i), messages);
  if (!self->status || (status_topic = dup_status_topic (self)))
    return;
  status_topic = gst_cca_broker_line_expand (line, self->status, NULL, gst_cca_mqtt_is_topic_char);
  GST_OBJECT_LOCK (self);
  self->status_topic = g_steal_pointer (&status_topic);
  GST_OBJECT_UNLOCK (self);
  gst_cca_broker_sink_wake (sink);
}

/* --- Connection -------------------------------------------------------------------------------------- */

static void
on_connected (gpointer data, gboolean session_present)
{
  GstCcaMqttSink *self = data;
  GstCcaBrokerSink *sink = GST_CCA_BROKER_SINK (self);

  if (self->must_purge) {
    self->is_purged = TRUE;
    gst_cca_mqtt_client_disconnect (self->client);
    return;
  }
  if (!session_present && self->used_qos == 2 && self->n_tokens > 0) {
    self->is_dead = TRUE;
    gst_cca_broker_sink_disconnected (sink, GST_CCA_BROKER_BROKEN,
                                      "The broker has lost its session: what was in flight may arrive twice");
    return;
  }
  publish_status (self, "online");
  gst_cca_broker_sink_connected (sink);
  if (self->was_connected)
    push_counts (self);
  self->was_connected = TRUE;
}

static void
on_disconnected (gpointer data, gboolean denied, const gchar *reason)
{
  GstCcaMqttSink *self = data;

  if (self->is_dead || (self->must_purge && self->is_purged))
    return;
  fail_unconfirmed (self);
  gst_cca_broker_sink_disconnected (GST_CCA_BROKER_SINK (self), denied ? GST_CCA_BROKER_DENIED : GST_CCA_BROKER_AWAY,
                                    reason);
}

static void
on_wake (gpointer data)
{
  gst_cca_broker_sink_wake (GST_CCA_BROKER_SINK (data));
}

static gboolean
make_client (GstCcaMqttSink *self, GError **error)
{
  static const GstCcaMqttCallbacks callbacks = { on_connected, on_disconnected, on_published, on_wake };
  g_autofree gchar *status_topic = dup_status_topic (self);
  const GstCcaMqttOptions options = {
    .host = self->used_host,
    .port = self->used_port,
    .keep_alive = self->used_keep_alive,
    .client_id = self->used_id,
    .clean_session = self->used_qos < 2 || self->must_purge,
    .max_in_flight = self->used_max_in_flight,
    .user = self->settings->user,
    .password = self->settings->password,
    .tls = self->settings->tls,
    .ca_file = self->settings->ca_file,
    .cert_file = self->settings->cert_file,
    .key_file = self->settings->key_file,
    .will_topic = self->must_purge ? NULL : status_topic,
    .will = "offline",
  };

  gst_cca_mqtt_client_free (self->client);
  self->client = gst_cca_mqtt_client_new (&options, &callbacks, self, error);
  return self->client != NULL;
}

/* Connects, unless the will's topic is still unknown. */
static void
begin (GstCcaMqttSink *self)
{
  g_autofree gchar *status_topic = dup_status_topic (self);
  g_autoptr (GError) error = NULL;

  self->is_wanted = self->status && !status_topic;
  if (self->is_wanted)
    return;
  if (self->client || make_client (self, &error))
    gst_cca_mqtt_client_connect (self->client);
  else
    on_disconnected (self, FALSE, error->message);
}

static void
gst_cca_mqtt_sink_connect (GstCcaBrokerSink *sink)
{
  begin (GST_CCA_MQTT_SINK (sink));
}

static void
gst_cca_mqtt_sink_disconnect (GstCcaBrokerSink *sink)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (sink);

  publish_status (self, "offline");
  gst_cca_mqtt_client_disconnect (self->client);
}

/* Goes from the client that purged to one that publishes. */
static void
go_on (GstCcaMqttSink *self)
{
  self->must_purge = self->is_purged = FALSE;
  g_clear_pointer (&self->client, gst_cca_mqtt_client_free);
  begin (self);
}

static void
gst_cca_mqtt_sink_poll (GstCcaBrokerSink *sink, gint wake_fd, gint timeout_ms)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (sink);

  if (self->client && !self->is_dead) {
    gst_cca_mqtt_client_poll (self->client, wake_fd, timeout_ms);
  } else {
    GPollFD fd = { .fd = wake_fd, .events = G_IO_IN };

    g_poll (&fd, 1, timeout_ms);
  }
  if (self->is_purged && gst_cca_mqtt_client_is_idle (self->client))
    go_on (self);
  else if (self->is_wanted)
    begin (self);
}

/* --- Opening ----------------------------------------------------------------------------------------- */

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

static GstCcaTemplate *
parse_topic (const gchar *property, const gchar *text, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GstCcaTemplate) topic = gst_cca_template_parse (text, &reason);
  g_autofree gchar *sample = topic ? gst_cca_template_expand (topic, NULL, NULL, NULL) : NULL;

  if (topic && gst_cca_mqtt_is_topic (sample))
    return g_steal_pointer (&topic);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s%s", property,
               reason ? reason->message : text,
               reason ? "" : " is not a topic to publish to: it is empty or too long, or has '+' or '#' in it");
  return NULL;
}

static gboolean
open_topics (GstCcaMqttSink *self, const gchar *status, const gchar *counts, GError **error)
{
  GstCcaBrokerSink *sink = GST_CCA_BROKER_SINK (self);
  g_autoptr (GstCcaTemplate) topic = parse_topic ("topic", self->settings->topic, error);

  if (!topic)
    return FALSE;
  if (status && !(self->status = parse_topic ("status-topic", status, error)))
    return FALSE;
  if (counts && !(self->counts = parse_topic ("counts-topic", counts, error)))
    return FALSE;
  if (self->counts && !gst_cca_template_has (self->counts, "zone")) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "counts-topic: %s has no {zone}, so that all counters would be one topic", counts);
    return FALSE;
  }
  if (self->status && gst_cca_template_first (self->status))
    gst_cca_broker_sink_set_needs_lines (sink, "status-topic", gst_cca_template_first (self->status));
  else if (self->counts)
    gst_cca_broker_sink_set_needs_lines (sink, "counts-topic", "zone");
  if (self->status && !gst_cca_template_first (self->status)) {
    GST_OBJECT_LOCK (self);
    self->status_topic = g_strdup (status);
    GST_OBJECT_UNLOCK (self);
  }
  return TRUE;
}

static void
gst_cca_mqtt_sink_close (GstCcaBrokerSink *sink)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (sink);

  g_clear_pointer (&self->client, gst_cca_mqtt_client_free);
  g_clear_pointer (&self->tokens, g_free);
  self->n_tokens = 0;
}

/* Forgets what was taken from the properties. */
static void
forget_settings (GstCcaMqttSink *self)
{
  g_clear_pointer (&self->used_host, g_free);
  g_clear_pointer (&self->used_id, g_free);
  g_clear_pointer (&self->status, gst_cca_template_free);
  g_clear_pointer (&self->counts, gst_cca_template_free);
  self->was_connected = FALSE;
  GST_OBJECT_LOCK (self);
  g_clear_pointer (&self->status_topic, g_free);
  g_hash_table_remove_all (self->last_counts);
  GST_OBJECT_UNLOCK (self);
}

static gboolean
take_settings (GstCcaMqttSink *self, const GstCcaBrokerSettings *settings, GError **error)
{
  g_autofree gchar *status = NULL, *counts = NULL;

  self->settings = settings;
  GST_OBJECT_LOCK (self);
  self->used_host = g_strdup (self->host && self->host[0] ? self->host : DEFAULT_HOST);
  self->used_port = self->port ? self->port : settings->tls ? TLS_PORT : PORT;
  self->used_id = g_strdup (self->client_id);
  self->used_keep_alive = self->keep_alive;
  self->used_max_in_flight = self->max_in_flight;
  self->used_qos = self->qos;
  self->used_retain = self->retain;
  status = g_strdup (self->status_text);
  counts = g_strdup (self->counts_text);
  GST_OBJECT_UNLOCK (self);
  if (!self->used_id)
    self->used_id = settings->spool_directory ? spool_id (settings->spool_directory, error) : make_id ();
  return self->used_id && open_topics (self, status, counts, error);
}

/* Also called, by the worker, to open another client with the settings of the first. */
static gboolean
gst_cca_mqtt_sink_open (GstCcaBrokerSink *sink, const GstCcaBrokerSettings *settings, GError **error)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (sink);

  if (!self->used_id && !take_settings (self, settings, error))
    return FALSE;
  self->is_wanted = self->is_purged = self->is_dead = FALSE;
  self->must_purge = self->used_qos == 2;
  if (!make_client (self, error))
    return FALSE;
  if (self->status && gst_cca_template_first (self->status))
    g_clear_pointer (&self->client, gst_cca_mqtt_client_free); /* until the will's topic is known */
  self->tokens = g_new0 (guint64, N_IDS);
  return TRUE;
}

static GstStateChangeReturn
gst_cca_mqtt_sink_change_state (GstElement *element, GstStateChange transition)
{
  const GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_cca_mqtt_sink_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY && ret == GST_STATE_CHANGE_FAILURE))
    forget_settings (GST_CCA_MQTT_SINK (element));
  return ret;
}

static guint
gst_cca_mqtt_sink_max_in_flight (GstCcaBrokerSink *sink)
{
  return GST_CCA_MQTT_SINK (sink)->used_max_in_flight;
}

/* --- Class ------------------------------------------------------------------------------------------- */

static void
gst_cca_mqtt_sink_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (object);

  GST_OBJECT_LOCK (self);
  switch ((Property) id) {
    case PROP_HOST: gst_cca_set_string (&self->host, value); break;
    case PROP_PORT: self->port = g_value_get_uint (value); break;
    case PROP_QOS: self->qos = g_value_get_int (value); break;
    case PROP_RETAIN: self->retain = g_value_get_boolean (value); break;
    case PROP_CLIENT_ID: gst_cca_set_string (&self->client_id, value); break;
    case PROP_KEEP_ALIVE: self->keep_alive = g_value_get_uint (value); break;
    case PROP_MAX_IN_FLIGHT: self->max_in_flight = g_value_get_uint (value); break;
    case PROP_STATUS_TOPIC: gst_cca_set_string (&self->status_text, value); break;
    case PROP_COUNTS_TOPIC: gst_cca_set_string (&self->counts_text, value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec); break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_mqtt_sink_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (object);

  GST_OBJECT_LOCK (self);
  switch ((Property) id) {
    case PROP_HOST: g_value_set_string (value, self->host); break;
    case PROP_PORT: g_value_set_uint (value, self->port); break;
    case PROP_QOS: g_value_set_int (value, self->qos); break;
    case PROP_RETAIN: g_value_set_boolean (value, self->retain); break;
    case PROP_CLIENT_ID: g_value_set_string (value, self->client_id); break;
    case PROP_KEEP_ALIVE: g_value_set_uint (value, self->keep_alive); break;
    case PROP_MAX_IN_FLIGHT: g_value_set_uint (value, self->max_in_flight); break;
    case PROP_STATUS_TOPIC: g_value_set_string (value, self->status_text); break;
    case PROP_COUNTS_TOPIC: g_value_set_string (value, self->counts_text); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec); break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_mqtt_sink_finalize (GObject *object)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (object);

  g_free (self->host);
  g_free (self->client_id);
  g_free (self->status_text);
  g_free (self->counts_text);
  g_hash_table_unref (self->last_counts);
  G_OBJECT_CLASS (gst_cca_mqtt_sink_parent_class)->finalize (object);
}

static void
gst_cca_mqtt_sink_init (GstCcaMqttSink *self)
{
  self->host = g_strdup (DEFAULT_HOST);
  self->qos = DEFAULT_QOS;
  self->keep_alive = DEFAULT_KEEP_ALIVE;
  self->max_in_flight = DEFAULT_MAX_IN_FLIGHT;
  self->last_counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) counts_free);
}

static void
install_properties (GObjectClass *klass)
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
                        "Quality of service: a message arrives 0 = at most once, 1 = at least once, 2 = "
                        "once",
                        0, 2, DEFAULT_QOS, flags));
  g_object_class_install_property (
      klass, PROP_RETAIN,
      g_param_spec_boolean ("retain", "retain",
                            "The broker keeps the last message of each topic for whoever subscribes", FALSE, flags));
  g_object_class_install_property (
      klass, PROP_CLIENT_ID,
      g_param_spec_string ("client-id", "client-id",
                           "Name of this client at the broker; no other may have it. Unset = made up, and kept in "
                           "spool-directory",
                           NULL, flags));
  g_object_class_install_property (klass, PROP_KEEP_ALIVE,
                                   g_param_spec_uint ("keep-alive", "keep-alive",
                                                      "Seconds without traffic until each side asks the other", 5,
                                                      65535, DEFAULT_KEEP_ALIVE, flags));
  g_object_class_install_property (klass, PROP_MAX_IN_FLIGHT,
                                   g_param_spec_uint ("max-in-flight", "max-in-flight",
                                                      "Messages that may wait for the broker's confirmation", 1, 65535,
                                                      DEFAULT_MAX_IN_FLIGHT, flags));
  g_object_class_install_property (
      klass, PROP_STATUS_TOPIC,
      g_param_spec_string (
          "status-topic", "status-topic",
          "Topic of a retained \"online\" or \"offline\", which the broker publishes for a client that "
          "is lost; such as cca/{camera}/status, of the first line, which the connection then waits for",
          NULL, flags));
  g_object_class_install_property (
      klass, PROP_COUNTS_TOPIC,
      g_param_spec_string ("counts-topic", "counts-topic",
                           "Topic of retained counters, one for each zone or line, when they change; such as "
                           "cca/{camera}/counts/{zone}",
                           NULL, flags));
}

static void
gst_cca_mqtt_sink_class_init (GstCcaMqttSinkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstCcaBrokerSinkClass *broker_class = GST_CCA_BROKER_SINK_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_mqtt_debug, "ccamqttsink", 0, "sink to an MQTT broker");
  object_class->set_property = gst_cca_mqtt_sink_set_property;
  object_class->get_property = gst_cca_mqtt_sink_get_property;
  object_class->finalize = gst_cca_mqtt_sink_finalize;
  element_class->change_state = gst_cca_mqtt_sink_change_state;
  broker_class->default_topic = DEFAULT_TOPIC;
  broker_class->is_topic_char = gst_cca_mqtt_is_topic_char;
  broker_class->open = gst_cca_mqtt_sink_open;
  broker_class->close = gst_cca_mqtt_sink_close;
  broker_class->connect = gst_cca_mqtt_sink_connect;
  broker_class->disconnect = gst_cca_mqtt_sink_disconnect;
  broker_class->publish = gst_cca_mqtt_sink_publish;
  broker_class->max_in_flight = gst_cca_mqtt_sink_max_in_flight;
  broker_class->poll = gst_cca_mqtt_sink_poll;
  broker_class->make_more = gst_cca_mqtt_sink_make_more;
  install_properties (object_class);
  gst_element_class_set_static_metadata (element_class, "MQTT sink", "Sink/Network",
                                         "Publishes lines of JSON, or any buffers, to an MQTT broker",
                                         "gst-cca developers");
}
