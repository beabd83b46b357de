/* gst-cca: ccamqttsink, publishes to an MQTT broker
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <string.h>

#include "discovery.h"
#include "gstccabrokersink.h"
#include "gstccacameraevent.h"
#include "gstccamqttsettings.h"
#include "mqttclient.h"
#include "states.h"

#define DEFAULT_TOPIC "cca/{camera}"
#define N_IDS 65536

#define GST_TYPE_CCA_MQTT_SINK (gst_cca_mqtt_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaMqttSink, gst_cca_mqtt_sink, GST, CCA_MQTT_SINK, GstCcaBrokerSink)
GST_ELEMENT_REGISTER_DECLARE (ccamqttsink);

struct _GstCcaMqttSink
{
  GstCcaBrokerSink parent;

  /* Under the object lock. */
  GstCcaMqttSettings properties;
  gchar *status_topic;     /* NULL: there is none, or it waits for the first line */
  GPtrArray *first_states; /* the retained messages of that line, until they precede the first "online"; or NULL */

  GstCcaBrokerRetained *retained; /* counters, states and discovery, as they were published */

  /* Of the streaming thread, while the client is open. */
  GstCcaBrokerCameras *cameras;
  GstCcaBrokerDiscovery *discovery; /* or NULL */

  /* From open() to close(); the templates are for the streaming thread, too. */
  GstCcaTemplate *status, *state, *counts; /* or NULL */
  const GstCcaBrokerSettings *broker;
  GstCcaMqttSettings settings;
  GstCcaMqttClient *client; /* NULL: not yet */
  gboolean awaits_topic;    /* connect once the topic of the will is known */
  gboolean must_purge;      /* this client only makes the broker forget an earlier client's messages */
  gboolean is_purged;       /* and has done so */
  gboolean is_dead;         /* the broker has lost the session */
  gboolean was_connected;
  guint64 *tokens; /* of messages in flight, by their ids; 0: none */
  guint n_tokens;
  guint64 publishing_token; /* of the message that is being published, or 0 */
  int publishing_id;
};

G_DEFINE_TYPE (GstCcaMqttSink, gst_cca_mqtt_sink, GST_TYPE_CCA_BROKER_SINK)
GST_ELEMENT_REGISTER_DEFINE (ccamqttsink, "ccamqttsink", GST_RANK_NONE, GST_TYPE_CCA_MQTT_SINK)

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
    gst_cca_broker_worker_delivered (self->parent.worker, token, GST_CCA_BROKER_DELIVERED, NULL);
}

static GstCcaBrokerPublish
publish (GstElement *element, const GstCcaBrokerMessage *message, guint64 token)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (element);
  const gchar *reason;

  self->publishing_token = token;
  self->publishing_id = 0;
  if (!gst_cca_mqtt_client_publish (self->client, message->topic, message->payload, self->settings.qos,
                                    self->settings.retain || message->retain, &self->publishing_id, &reason)) {
    gst_cca_broker_worker_delivered (self->parent.worker, token, GST_CCA_BROKER_REFUSED, reason);
  } else if (self->publishing_token != 0) {
    self->tokens[self->publishing_id] = token;
    self->n_tokens++;
  }
  self->publishing_token = 0;
  return GST_CCA_BROKER_TAKEN;
}

/* libmosquitto forgets messages of QoS 0 with its connection. */
static void
fail_unconfirmed (GstCcaMqttSink *self)
{
  if (self->settings.qos > 0)
    return;
  for (guint id = 0; id < N_IDS && self->n_tokens > 0; id++)
    if (self->tokens[id] != 0) {
      gst_cca_broker_worker_delivered (self->parent.worker, self->tokens[id], GST_CCA_BROKER_FAILED, NULL);
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

/* Not through the outbox: an old status is of no use later. */
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

/* Pushes the messages and frees the array, which does not own them. */
static void
push_all (GstCcaMqttSink *self, GPtrArray *messages)
{
  for (guint i = 0; i < messages->len; i++)
    gst_cca_broker_sink_push (GST_CCA_BROKER_SINK (self), messages->pdata[i]);
  g_ptr_array_unref (messages);
}

static void
push_retained (GstCcaMqttSink *self)
{
  GPtrArray *messages = g_ptr_array_new ();

  gst_cca_broker_retained_repeat (self->retained, messages);
  push_all (self, messages);
}

/* Publishes the first line's states before `online`, so that Home Assistant does not act on what an earlier run left.
 * They are in the outbox, too. */
static void
publish_first_states (GstCcaMqttSink *self)
{
  g_autoptr (GPtrArray) states = NULL;

  GST_OBJECT_LOCK (self);
  states = g_steal_pointer (&self->first_states);
  GST_OBJECT_UNLOCK (self);
  for (guint i = 0; states && i < states->len; i++) {
    const GstCcaBrokerMessage *state = states->pdata[i];
    const gchar *reason;
    int id;

    gst_cca_mqtt_client_publish (self->client, state->topic, state->payload, 0, TRUE, &id, &reason);
  }
}

/* Returns the first line's states. With a spool there are none: an earlier run's may be in the outbox before them. */
static GPtrArray *
first_states_new (GstCcaMqttSink *self)
{
  GPtrArray *states;

  if (!self->discovery || self->broker->spool_directory)
    return NULL;
  states = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
  gst_cca_broker_retained_repeat (self->retained, states);
  return states;
}

/* Lets the client connect, whose will needs the topic of the status. Takes the topic. */
static void
complete_status_topic (GstCcaMqttSink *self, gchar *topic)
{
  GPtrArray *states = first_states_new (self);

  GST_OBJECT_LOCK (self);
  self->status_topic = topic;
  self->first_states = states;
  GST_OBJECT_UNLOCK (self);
  gst_cca_broker_worker_wake (self->parent.worker);
}

static void
gst_cca_mqtt_sink_make_more (GstCcaBrokerSink *sink, const GstCcaBrokerLine *line, GPtrArray *messages)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (sink);
  const GstCcaBrokerTopics counts = { self->counts, gst_cca_mqtt_is_topic_char };
  const GstCcaBrokerTopics state = { self->state, gst_cca_mqtt_is_topic_char };
  g_autofree gchar *status = dup_status_topic (self);
  const gboolean is_first = self->status && !status;

  if (is_first)
    status = gst_cca_broker_line_expand (line, self->status, NULL, gst_cca_mqtt_is_topic_char);
  if (self->discovery)
    gst_cca_broker_discovery_tell (self->discovery, line, status, gst_cca_broker_cameras_know_health (self->cameras),
                                   self->retained, messages);
  if (self->state)
    gst_cca_broker_cameras_tell (self->cameras, line, state, self->retained, messages);
  if (self->counts)
    gst_cca_broker_counters_tell (line, counts, self->retained, messages);
  if (is_first)
    complete_status_topic (self, g_steal_pointer (&status));
}

static gboolean
gst_cca_mqtt_sink_event (GstBaseSink *base, GstEvent *event)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (base);
  const gchar *health = gst_cca_camera_event_state (event);

  if (health && self->state) {
    GPtrArray *messages = g_ptr_array_new ();

    gst_cca_broker_cameras_set_health (self->cameras, health, self->retained, messages);
    push_all (self, messages);
    gst_cca_broker_worker_wake (self->parent.worker);
  }
  return GST_BASE_SINK_CLASS (gst_cca_mqtt_sink_parent_class)->event (base, event);
}

/* --- Connection -------------------------------------------------------------------------------------- */

static void
on_connected (gpointer data, gboolean session_present)
{
  GstCcaMqttSink *self = data;

  if (self->must_purge) {
    self->is_purged = TRUE;
    gst_cca_mqtt_client_disconnect (self->client);
    return;
  }
  if (!session_present && self->settings.qos == 2 && self->n_tokens > 0) {
    self->is_dead = TRUE;
    /* Resend half-acknowledged messages first, or order breaks. */
    gst_cca_mqtt_client_abort (self->client);
    gst_cca_broker_worker_disconnected (self->parent.worker, GST_CCA_BROKER_FORGETFUL,
                                        "The broker has lost the session: messages in flight may arrive twice");
    return;
  }
  publish_first_states (self);
  publish_status (self, "online");
  gst_cca_broker_worker_connected (self->parent.worker);
  if (self->was_connected)
    push_retained (self);
  self->was_connected = TRUE;
}

static void
on_disconnected (gpointer data, gboolean denied, const gchar *reason)
{
  GstCcaMqttSink *self = data;

  if (self->is_dead || (self->must_purge && self->is_purged))
    return;
  fail_unconfirmed (self);
  gst_cca_broker_worker_disconnected (self->parent.worker, denied ? GST_CCA_BROKER_DENIED : GST_CCA_BROKER_AWAY,
                                      reason);
}

static void
on_wake (gpointer data)
{
  gst_cca_broker_worker_wake (GST_CCA_BROKER_SINK (data)->worker);
}

static gboolean
make_client (GstCcaMqttSink *self, GError **error)
{
  static const GstCcaMqttCallbacks callbacks = { on_connected, on_disconnected, on_published, on_wake };
  g_autofree gchar *status_topic = dup_status_topic (self);
  const GstCcaMqttOptions options = {
    .host = self->settings.host,
    .port = self->settings.port,
    .keep_alive = self->settings.keep_alive,
    .client_id = self->settings.client_id,
    .clean_session = self->settings.qos < 2 || self->must_purge,
    .max_in_flight = self->settings.max_in_flight,
    .user = self->broker->user,
    .password = self->broker->password,
    .tls = self->broker->tls,
    .ca_file = self->broker->ca_file,
    .cert_file = self->broker->cert_file,
    .key_file = self->broker->key_file,
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

  self->awaits_topic = self->status && !status_topic;
  if (self->awaits_topic)
    return;
  if (self->client || make_client (self, &error))
    gst_cca_mqtt_client_connect (self->client);
  else
    on_disconnected (self, FALSE, error->message);
}

static void
connect_client (GstElement *element)
{
  begin (GST_CCA_MQTT_SINK (element));
}

static void
disconnect_client (GstElement *element)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (element);

  publish_status (self, "offline");
  gst_cca_mqtt_client_disconnect (self->client);
}

/* Replaces the client that purged by one that publishes. */
static void
end_purge (GstCcaMqttSink *self)
{
  self->must_purge = self->is_purged = FALSE;
  g_clear_pointer (&self->client, gst_cca_mqtt_client_free);
  begin (self);
}

static void
poll_client (GstElement *element, gint wake_fd, gint timeout_ms)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (element);

  if (self->client && !self->is_dead) {
    gst_cca_mqtt_client_poll (self->client, wake_fd, timeout_ms);
  } else {
    GPollFD fd = { .fd = wake_fd, .events = G_IO_IN };

    g_poll (&fd, 1, timeout_ms);
  }
  if (self->is_purged && gst_cca_mqtt_client_is_idle (self->client))
    end_purge (self);
  else if (self->awaits_topic)
    begin (self);
}

/* --- Opening ----------------------------------------------------------------------------------------- */

static void
open_discovery (GstCcaMqttSink *self)
{
  const GstCcaBrokerDiscoveryOptions options = {
    .prefix = self->settings.discovery_prefix,
    .version = VERSION,
    .counts = self->counts,
    .state = self->state,
    .is_topic_char = gst_cca_mqtt_is_topic_char,
  };

  if (options.prefix)
    self->discovery = gst_cca_broker_discovery_new (&options);
}

static gboolean
open_topics (GstCcaMqttSink *self, GError **error)
{
  GstCcaBrokerSink *sink = GST_CCA_BROKER_SINK (self);
  const gchar *status = self->settings.status_topic, *counts = self->settings.counts_topic;
  const gchar *state = self->settings.state_topic, *prefix = self->settings.discovery_prefix;
  g_autoptr (GstCcaTemplate) topic = gst_cca_mqtt_parse_topic ("topic", self->broker->topic, error);

  if (!topic)
    return FALSE;
  if (status && !(self->status = gst_cca_mqtt_parse_topic ("status-topic", status, error)))
    return FALSE;
  if (counts && !(self->counts = gst_cca_mqtt_parse_topic ("counts-topic", counts, error)))
    return FALSE;
  if (state && !(self->state = gst_cca_mqtt_parse_topic ("state-topic", state, error)))
    return FALSE;
  if (prefix && !gst_cca_mqtt_check_prefix (prefix, error))
    return FALSE;
  if (self->counts && !gst_cca_template_has (self->counts, "zone")) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "counts-topic: %s has no {zone}, so all counters would share one topic", counts);
    return FALSE;
  }
  if (self->status && gst_cca_template_first (self->status))
    gst_cca_broker_sink_set_needs_lines (sink, "status-topic", gst_cca_template_first (self->status));
  else if (self->counts)
    gst_cca_broker_sink_set_needs_lines (sink, "counts-topic", "zone");
  else if (self->state)
    gst_cca_broker_sink_set_needs_lines (sink, "state-topic", "camera");
  if (self->status && !gst_cca_template_first (self->status)) {
    GST_OBJECT_LOCK (self);
    self->status_topic = g_strdup (status);
    GST_OBJECT_UNLOCK (self);
  }
  open_discovery (self);
  return TRUE;
}

static void
close_client (GstElement *element)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (element);

  g_clear_pointer (&self->client, gst_cca_mqtt_client_free);
  g_clear_pointer (&self->tokens, g_free);
  self->n_tokens = 0;
}

/* Forgets the copies of the properties. */
static void
forget_settings (GstCcaMqttSink *self)
{
  g_clear_pointer (&self->discovery, gst_cca_broker_discovery_free);
  gst_cca_properties_clear (&gst_cca_mqtt_settings, &self->settings);
  g_clear_pointer (&self->status, gst_cca_template_free);
  g_clear_pointer (&self->state, gst_cca_template_free);
  g_clear_pointer (&self->counts, gst_cca_template_free);
  self->was_connected = FALSE;
  gst_cca_broker_cameras_forget (self->cameras);
  gst_cca_broker_retained_forget (self->retained);
  GST_OBJECT_LOCK (self);
  g_clear_pointer (&self->status_topic, g_free);
  g_clear_pointer (&self->first_states, g_ptr_array_unref);
  GST_OBJECT_UNLOCK (self);
}

static gboolean
take_settings (GstCcaMqttSink *self, GError **error)
{
  self->broker = gst_cca_broker_sink_get_settings (GST_CCA_BROKER_SINK (self));
  GST_OBJECT_LOCK (self);
  self->settings = self->properties;
  gst_cca_properties_copy_strings (&gst_cca_mqtt_settings, &self->settings);
  GST_OBJECT_UNLOCK (self);
  return gst_cca_mqtt_settings_complete (&self->settings, self->broker, error) && open_topics (self, error);
}

/* Also called, by the worker, to open another client with the settings of the first. */
static gboolean
open_client (GstElement *element, GError **error)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (element);

  if (!self->settings.client_id && !take_settings (self, error))
    return FALSE;
  self->awaits_topic = self->is_purged = self->is_dead = FALSE;
  self->must_purge = self->settings.qos == 2;
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
max_in_flight (GstElement *element)
{
  return GST_CCA_MQTT_SINK (element)->settings.max_in_flight;
}

/* --- Class ------------------------------------------------------------------------------------------- */

static void
gst_cca_mqtt_sink_finalize (GObject *object)
{
  GstCcaMqttSink *self = GST_CCA_MQTT_SINK (object);

  gst_cca_properties_clear (&gst_cca_mqtt_settings, &self->properties);
  gst_cca_broker_cameras_free (self->cameras);
  gst_cca_broker_retained_free (self->retained);
  G_OBJECT_CLASS (gst_cca_mqtt_sink_parent_class)->finalize (object);
}

static void
gst_cca_mqtt_sink_init (GstCcaMqttSink *self)
{
  gst_cca_properties_init (&gst_cca_mqtt_settings, &self->properties);
  self->cameras = gst_cca_broker_cameras_new ();
  self->retained = gst_cca_broker_retained_new ();
}

static void
gst_cca_mqtt_sink_class_init (GstCcaMqttSinkClass *klass)
{
  static const GstCcaBrokerClient client = {
    .open = open_client,
    .close = close_client,
    .connect = connect_client,
    .disconnect = disconnect_client,
    .publish = publish,
    .max_in_flight = max_in_flight,
    .poll = poll_client,
  };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSinkClass *base_class = GST_BASE_SINK_CLASS (klass);
  GstCcaBrokerSinkClass *broker_class = GST_CCA_BROKER_SINK_CLASS (klass);

  object_class->finalize = gst_cca_mqtt_sink_finalize;
  element_class->change_state = gst_cca_mqtt_sink_change_state;
  base_class->event = gst_cca_mqtt_sink_event;
  broker_class->default_topic = DEFAULT_TOPIC;
  broker_class->is_topic_char = gst_cca_mqtt_is_topic_char;
  broker_class->client = &client;
  broker_class->make_more = gst_cca_mqtt_sink_make_more;
  gst_cca_properties_install (&gst_cca_mqtt_settings, object_class, G_STRUCT_OFFSET (GstCcaMqttSink, properties));
  gst_element_class_set_static_metadata (element_class, "MQTT sink", "Sink/Network",
                                         "Publishes lines of JSON, or any buffers, to an MQTT broker",
                                         "gst-cca developers");
}
