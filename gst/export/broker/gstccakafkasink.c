/* gst-cca: ccakafkasink, publishes to Kafka
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccakafkasettings.h"
#include "gstccaparse.h"
#include "gstccatext.h"

GST_DEBUG_CATEGORY_STATIC (cca_kafka_debug);
#define GST_CAT_DEFAULT cca_kafka_debug

#define DEFAULT_SERVERS "localhost:9092"
#define DEFAULT_KEY "{camera}"

/* Enough for 10,000 records a second at a round trip of a second. */
#define MOST_IN_FLIGHT 10000

/* How long to wait after the cluster has refused a record that it may take later, as of a topic that does not exist
 * yet. */
#define PAUSE (G_TIME_SPAN_SECOND / 2)

/* After this time without a delivery, checks the topics: librdkafka waits for most missing ones in silence. */
#define STALL (3 * G_TIME_SPAN_SECOND)
#define LOOK_TIMEOUT_MS 1000

enum
{
  PROP_OPTIONS = GST_CCA_BROKER_SINK_LAST_PROP + 1,
  PROP_OTHERS,
};

#define GST_TYPE_CCA_KAFKA_SINK (gst_cca_kafka_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaKafkaSink, gst_cca_kafka_sink, GST, CCA_KAFKA_SINK, GstCcaBrokerSink)
GST_ELEMENT_REGISTER_DECLARE (ccakafkasink);

struct _GstCcaKafkaSink
{
  GstCcaBrokerSink parent;

  /* Under the object lock. */
  gchar *servers, *key;
  GstCcaKafkaAcks acks;
  GstStructure *options; /* or NULL */

  /* While open; of the worker. */
  rd_kafka_t *client;
  gchar *trouble;     /* why a broker could not be reached, the latest; or NULL */
  gboolean connected; /* as the base was told last */
  gboolean held_up;   /* brokers are there, but take no records */
  gboolean is_up;     /* a broker is there, as the statistics say */
  guint in_flight;
  guint64 newest;     /* token */
  gint64 not_before;  /* monotonic time, us: the end of a pause */
  gint64 progress_at; /* monotonic time, us: of the last delivery, or of a look at the topics */
};

G_DEFINE_TYPE (GstCcaKafkaSink, gst_cca_kafka_sink, GST_TYPE_CCA_BROKER_SINK)
GST_ELEMENT_REGISTER_DEFINE (ccakafkasink, "ccakafkasink", GST_RANK_NONE, GST_TYPE_CCA_KAFKA_SINK)

GType gst_cca_kafka_acks_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaKafkaAcks, gst_cca_kafka_acks,
                    { GST_CCA_KAFKA_ACKS_ALL, "All in-sync replicas have the record: it arrives once and in order",
                      "all" },
                    { GST_CCA_KAFKA_ACKS_LEADER, "The partition's leader has the record", "leader" },
                    { GST_CCA_KAFKA_ACKS_NONE, "The record was sent; it may be lost", "none" })

#define AT(field) G_STRUCT_OFFSET (GstCcaKafkaSink, field)

static const GstCcaProperty list[] = {
  { "bootstrap-servers", AT (servers), G_TYPE_STRING, .text = DEFAULT_SERVERS,
    .blurb = "Brokers to contact first, which name the others of the cluster: host:port, separated by commas" },
  { "key", AT (key), G_TYPE_STRING, .text = DEFAULT_KEY,
    .blurb = "Template of the records' keys: records with the same key keep their order (empty = no key)" },
  { "acks", AT (acks), G_TYPE_ENUM, .value = GST_CCA_KAFKA_ACKS_ALL, .get_type = gst_cca_kafka_acks_get_type,
    .blurb = "When a record counts as delivered" },
};
static const GstCcaProperties properties = { PROP_OTHERS, G_N_ELEMENTS (list), list, GST_CCA_BROKER_PROPERTY };

/* --- Connection -------------------------------------------------------------------------------------- */

static void
tell_connected (GstCcaKafkaSink *self)
{
  g_clear_pointer (&self->trouble, g_free);
  if (self->connected)
    return;
  self->connected = TRUE;
  gst_cca_broker_worker_connected (self->parent.worker);
}

static void
tell_disconnected (GstCcaKafkaSink *self, GstCcaBrokerFailure failure, const gchar *reason)
{
  self->connected = FALSE;
  gst_cca_broker_worker_disconnected (self->parent.worker, failure, reason);
}

/* Pauses: the cluster refuses records that it may take later. */
static void
hold_up (GstCcaKafkaSink *self, const gchar *topic, rd_kafka_resp_err_t error)
{
  g_autofree gchar *reason = g_strdup_printf ("Topic '%s': %s", topic, rd_kafka_err2str (error));

  self->held_up = TRUE;
  self->not_before = g_get_monotonic_time () + PAUSE;
  tell_disconnected (self, GST_CCA_BROKER_DENIED, reason);
}

/* Whether an error is about rights or secrets, which a user must set right. */
static gboolean
is_denied (rd_kafka_resp_err_t error)
{
  switch (error) {
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR__SSL:
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED: return TRUE;
    default: return FALSE;
  }
}

static void
on_fatal_error (GstCcaKafkaSink *self)
{
  gchar reason[512] = "";
  const rd_kafka_resp_err_t error = rd_kafka_fatal_error (self->client, reason, sizeof reason);

  GST_WARNING_OBJECT (self, "fatal: %s: %s", rd_kafka_err2name (error), reason);
  self->held_up = TRUE;
  tell_disconnected (self, GST_CCA_BROKER_BROKEN, reason);
}

/* Sets the reason that users see if no broker is left; cuts off librdkafka's remark on the time in each state. */
static void
set_trouble (GstCcaKafkaSink *self, const gchar *reason)
{
  const gchar *remark = strstr (reason, " (after ");

  g_free (self->trouble);
  self->trouble = remark ? g_strndup (reason, remark - reason) : g_strdup (reason);
}

static void
on_error (rd_kafka_t *client, int code, const char *reason, void *user)
{
  GstCcaKafkaSink *self = user;
  const rd_kafka_resp_err_t error = (rd_kafka_resp_err_t) code;

  GST_INFO_OBJECT (self, "%s: %s", rd_kafka_err2name (error), reason);
  if (error == RD_KAFKA_RESP_ERR__FATAL) {
    on_fatal_error (self);
    return;
  }
  if (error != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || !self->trouble)
    set_trouble (self, reason);
  if (is_denied (error) && !self->is_up)
    tell_disconnected (self, GST_CCA_BROKER_DENIED, self->trouble);
  else if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN)
    tell_disconnected (self, GST_CCA_BROKER_AWAY, self->trouble);
}

/* Returns whether librdkafka's statistics call a broker up. */
static gboolean
is_broker_up (JsonObject *statistics)
{
  JsonObject *brokers = json_object_get_object_member (statistics, "brokers");
  g_autoptr (GList) all = brokers ? json_object_get_values (brokers) : NULL;

  for (GList *link = all; link; link = link->next)
    if (g_strcmp0 (json_object_get_string_member_with_default (json_node_get_object (link->data), "state", NULL), "UP")
        == 0)
      return TRUE;
  return FALSE;
}

/* Notices brokers that come and go while nothing is published. */
static int
on_statistics (rd_kafka_t *client, char *json, size_t size, void *user)
{
  GstCcaKafkaSink *self = user;
  g_autoptr (JsonNode) root = gst_cca_parse_json (json, size, TRUE, NULL, NULL);

  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return 0;
  self->is_up = is_broker_up (json_node_get_object (root));
  if (self->is_up && !self->held_up)
    tell_connected (self);
  else if (!self->is_up && self->connected && self->trouble)
    tell_disconnected (self, GST_CCA_BROKER_AWAY, self->trouble);
  return 0; /* librdkafka frees the text */
}

static void
on_log (const rd_kafka_t *client, int level, const char *facility, const char *text)
{
  GstCcaKafkaSink *self = rd_kafka_opaque (client);
  const GstDebugLevel levels[] = { GST_LEVEL_WARNING, GST_LEVEL_WARNING, GST_LEVEL_WARNING, GST_LEVEL_WARNING,
                                   GST_LEVEL_WARNING, GST_LEVEL_INFO,    GST_LEVEL_INFO,    GST_LEVEL_DEBUG };

  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT, levels[CLAMP (level, 0, 7)], self, "%s: %s", facility, text);
}

/* --- Records ----------------------------------------------------------------------------------------- */

static void
on_progress (GstCcaKafkaSink *self)
{
  self->progress_at = g_get_monotonic_time ();
  if (rd_kafka_fatal_error (self->client, NULL, 0))
    return; /* the worker replaces this client */
  self->held_up = FALSE;
  tell_connected (self);
}

/* Warns of a topic that prevents all deliveries. */
static void
look_at_topics (GstCcaKafkaSink *self)
{
  const struct rd_kafka_metadata *metadata;

  if (rd_kafka_metadata (self->client, FALSE, NULL, &metadata, LOOK_TIMEOUT_MS))
    return;
  for (int i = 0; i < metadata->topic_cnt; i++)
    if (metadata->topics[i].err) {
      hold_up (self, metadata->topics[i].topic, metadata->topics[i].err);
      break;
    }
  rd_kafka_metadata_destroy (metadata);
}

static void
look_at_stalls (GstCcaKafkaSink *self)
{
  const gint64 now = g_get_monotonic_time ();

  if (!self->is_up || self->in_flight == 0 || now - self->progress_at < STALL)
    return;
  self->progress_at = now;
  look_at_topics (self);
}

/* A record carries as much of its token as a pointer holds. Fewer are in flight than that can name. */
static guint64
token_of (GstCcaKafkaSink *self, const rd_kafka_message_t *record)
{
  const gsize low = (gsize) record->_private;

  return self->newest - ((gsize) self->newest - low);
}

/* Whether the broker will never accept this record. */
static gboolean
is_refused (rd_kafka_resp_err_t error)
{
  switch (error) {
    case RD_KAFKA_RESP_ERR__INVALID_ARG:
    case RD_KAFKA_RESP_ERR__BAD_MSG:
    case RD_KAFKA_RESP_ERR_INVALID_MSG:
    case RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE:
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
    case RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE:
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
    case RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP:
    case RD_KAFKA_RESP_ERR_POLICY_VIOLATION:
    case RD_KAFKA_RESP_ERR_INVALID_RECORD: return TRUE;
    default: return FALSE;
  }
}

static void
on_delivery (rd_kafka_t *client, const rd_kafka_message_t *record, void *user)
{
  GstCcaKafkaSink *self = user;
  const rd_kafka_resp_err_t error = record->err;
  GstCcaBrokerOutcome outcome = GST_CCA_BROKER_DELIVERED;

  self->in_flight--;
  if (!error) {
    on_progress (self);
  } else if (is_refused (error)) {
    outcome = GST_CCA_BROKER_REFUSED;
  } else {
    outcome = GST_CCA_BROKER_FAILED;
    if (!rd_kafka_fatal_error (client, NULL, 0))
      hold_up (self, rd_kafka_topic_name (record->rkt), error);
  }
  gst_cca_broker_worker_delivered (self->parent.worker, token_of (self, record), outcome,
                                   error ? rd_kafka_err2str (error) : NULL);
}

/* Decides about a record that librdkafka has not taken. */
static GstCcaBrokerPublish
on_not_taken (GstCcaKafkaSink *self, const gchar *topic, guint64 token, rd_kafka_resp_err_t error)
{
  if (error == RD_KAFKA_RESP_ERR__QUEUE_FULL)
    return GST_CCA_BROKER_LATER;
  if (is_refused (error)) {
    gst_cca_broker_worker_delivered (self->parent.worker, token, GST_CCA_BROKER_REFUSED, rd_kafka_err2str (error));
    return GST_CCA_BROKER_TAKEN;
  }
  if (error == RD_KAFKA_RESP_ERR__FATAL)
    on_fatal_error (self);
  else
    hold_up (self, topic, error);
  return GST_CCA_BROKER_LATER;
}

static GstCcaBrokerPublish
publish (GstElement *element, const GstCcaBrokerMessage *message, guint64 token)
{
  GstCcaKafkaSink *self = GST_CCA_KAFKA_SINK (element);
  const gint64 timestamp = message->utc == GST_CCA_BROKER_NO_TIME ? 0 : (gint64) (message->utc / GST_MSECOND);
  rd_kafka_resp_err_t error;
  gconstpointer payload;
  gsize size;

  /* While disconnected, probe with one record; the queue keeps the rest. */
  if ((!self->connected && self->in_flight > 0) || g_get_monotonic_time () < self->not_before)
    return GST_CCA_BROKER_LATER;
  payload = g_bytes_get_data (message->payload, &size);
  self->newest = MAX (self->newest, token);
  error = rd_kafka_producev (self->client, RD_KAFKA_V_TOPIC (message->topic),
                             RD_KAFKA_V_KEY (message->key, message->key ? strlen (message->key) : 0),
                             RD_KAFKA_V_VALUE ((gpointer) payload, size), RD_KAFKA_V_TIMESTAMP (timestamp),
                             RD_KAFKA_V_MSGFLAGS (RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_OPAQUE ((gpointer) (gsize) token),
                             RD_KAFKA_V_END);
  if (error)
    return on_not_taken (self, message->topic, token, error);
  if (self->in_flight++ == 0)
    self->progress_at = g_get_monotonic_time ();
  return GST_CCA_BROKER_TAKEN;
}

/* --- Client ------------------------------------------------------------------------------------------ */

/* Any thread of librdkafka's. */
static void
on_event (rd_kafka_t *client, void *user)
{
  gst_cca_broker_worker_wake (GST_CCA_BROKER_SINK (user)->worker);
}

static rd_kafka_conf_t *
make_conf (GstCcaKafkaSink *self, const GstCcaBrokerSettings *settings, GError **error)
{
  rd_kafka_conf_t *conf;

  GST_OBJECT_LOCK (self);
  conf = gst_cca_kafka_settings_new (settings,
                                     &(GstCcaKafkaSettings) {
                                         .bootstrap_servers = self->servers,
                                         .acks = self->acks,
                                         .options = self->options,
                                     },
                                     error);
  GST_OBJECT_UNLOCK (self);
  if (!conf)
    return NULL;
  rd_kafka_conf_set_opaque (conf, self);
  rd_kafka_conf_set_dr_msg_cb (conf, on_delivery);
  rd_kafka_conf_set_error_cb (conf, on_error);
  rd_kafka_conf_set_stats_cb (conf, on_statistics);
  rd_kafka_conf_set_log_cb (conf, on_log);
  return conf;
}

static gboolean
open_client (GstElement *element, GError **error)
{
  GstCcaKafkaSink *self = GST_CCA_KAFKA_SINK (element);
  rd_kafka_conf_t *conf = make_conf (self, gst_cca_broker_sink_get_settings (GST_CCA_BROKER_SINK (self)), error);
  gchar reason[512] = "";
  rd_kafka_queue_t *events;

  if (!conf)
    return FALSE;
  self->client = rd_kafka_new (RD_KAFKA_PRODUCER, conf, reason, sizeof reason);
  if (!self->client) {
    rd_kafka_conf_destroy (conf);
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "No Kafka client: %s", reason);
    return FALSE;
  }
  self->connected = self->held_up = self->is_up = FALSE;
  self->in_flight = 0;
  self->not_before = 0;
  events = rd_kafka_queue_get_main (self->client);
  rd_kafka_queue_cb_event_enable (events, on_event, self);
  rd_kafka_queue_destroy (events);
  gst_cca_broker_worker_wake (self->parent.worker); /* for events that came before */
  return TRUE;
}

static void
close_client (GstElement *element)
{
  GstCcaKafkaSink *self = GST_CCA_KAFKA_SINK (element);

  g_clear_pointer (&self->client, rd_kafka_destroy);
  g_clear_pointer (&self->trouble, g_free);
}

static guint
max_in_flight (GstElement *element)
{
  return MOST_IN_FLIGHT;
}

static void
poll_client (GstElement *element, gint wake_fd, gint timeout_ms)
{
  GstCcaKafkaSink *self = GST_CCA_KAFKA_SINK (element);
  const gint64 pause = (self->not_before - g_get_monotonic_time ()) / G_TIME_SPAN_MILLISECOND + 1;
  GPollFD wake = { .fd = wake_fd, .events = G_IO_IN };

  if (pause > 0 && (timeout_ms < 0 || pause < timeout_ms))
    timeout_ms = (gint) pause;
  g_poll (&wake, 1, timeout_ms);
  while (rd_kafka_poll (self->client, 0) > 0)
    continue;
  look_at_stalls (self);
}

/* --- Element ----------------------------------------------------------------------------------------- */

/* Characters that Kafka accepts in the name of a topic. */
static gboolean
is_topic_char (gunichar c)
{
  return c < 128 && (g_ascii_isalnum ((gchar) c) || c == '.' || c == '_' || c == '-');
}

static void
gst_cca_kafka_sink_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstCcaKafkaSink *self = GST_CCA_KAFKA_SINK (object);

  if (id == PROP_OPTIONS) {
    GST_OBJECT_LOCK (self);
    g_clear_pointer (&self->options, gst_structure_free);
    self->options = g_value_dup_boxed (value);
    GST_OBJECT_UNLOCK (self);
    return;
  }
  gst_cca_property_set (object, id, value, spec);
}

static void
gst_cca_kafka_sink_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id != PROP_OPTIONS) {
    gst_cca_property_get (object, id, value, spec);
    return;
  }
  GST_OBJECT_LOCK (object);
  g_value_take_boxed (value, gst_cca_kafka_settings_without_secrets (GST_CCA_KAFKA_SINK (object)->options));
  GST_OBJECT_UNLOCK (object);
}

static void
gst_cca_kafka_sink_finalize (GObject *object)
{
  GstCcaKafkaSink *self = GST_CCA_KAFKA_SINK (object);

  gst_cca_properties_clear (&properties, self);
  g_clear_pointer (&self->options, gst_structure_free);
  G_OBJECT_CLASS (gst_cca_kafka_sink_parent_class)->finalize (object);
}

static void
gst_cca_kafka_sink_init (GstCcaKafkaSink *self)
{
  gst_cca_properties_init (&properties, self);
}

static void
gst_cca_kafka_sink_class_init (GstCcaKafkaSinkClass *klass)
{
  static const GstCcaBrokerClient client = {
    .open = open_client,
    .close = close_client,
    .publish = publish,
    .max_in_flight = max_in_flight,
    .poll = poll_client,
  };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstCcaBrokerSinkClass *broker_class = GST_CCA_BROKER_SINK_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_kafka_debug, "ccakafkasink", 0, "Publisher to Kafka");

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->set_property = gst_cca_kafka_sink_set_property;
  object_class->get_property = gst_cca_kafka_sink_get_property;
  object_class->finalize = gst_cca_kafka_sink_finalize;
  broker_class->default_topic = "cca";
  broker_class->is_topic_char = is_topic_char;
  broker_class->client = &client;
  broker_class->key = AT (key);

  g_object_class_install_property (
      object_class, PROP_OPTIONS,
      g_param_spec_boxed ("options", "options",
                          "Further settings of librdkafka, such as options,compression.type=zstd,linger.ms=50; reads "
                          "back without passwords and keys",
                          GST_TYPE_STRUCTURE, GST_CCA_BROKER_PROPERTY | G_PARAM_STATIC_STRINGS));

  gst_element_class_set_static_metadata (
      GST_ELEMENT_CLASS (klass), "Kafka sink for connected components", "Sink/Network",
      "Publishes lines of JSON, or any buffers, to Kafka, without blocking the video", "gst-cca developers");
}
