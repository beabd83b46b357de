/* gst-cca: what the sinks to brokers share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokersink.h"

#include <string.h>

#include "gstccabrokerworker.h"
#include "gstccapost.h"
#include "gstccastrings.h"
#include "outbox.h"

GST_DEBUG_CATEGORY_EXTERN (gst_cca_broker_debug);
#define GST_CAT_DEFAULT gst_cca_broker_debug

#define DEFAULT_MAX_MESSAGES 10000
#define DEFAULT_MAX_BYTES ((guint64) 64 * 1024 * 1024)
#define DEFAULT_SPOOL_MAX_BYTES ((guint64) 256 * 1024 * 1024)
#define SMALLEST_SPOOL ((guint64) 64 * 1024)
#define DEFAULT_DRAIN_TIMEOUT (2 * GST_SECOND)

typedef enum
{
  PROP_TOPIC = 1,
  PROP_MAX_MESSAGES,
  PROP_MAX_BYTES,
  PROP_SPOOL_DIRECTORY,
  PROP_SPOOL_MAX_BYTES,
  PROP_USER,
  PROP_PASSWORD,
  PROP_PASSWORD_FILE,
  PROP_TLS,
  PROP_CA_FILE,
  PROP_CERT_FILE,
  PROP_KEY_FILE,
  PROP_DRAIN_TIMEOUT,
  PROP_STATS,
  N_PROPS
} Property;

struct _GstCcaBrokerSinkPrivate
{
  /* Under the object lock. */
  gchar *strings[N_PROPS]; /* the properties that are strings, by their ids */
  gchar *key;              /* template, or NULL */
  guint max_messages;
  guint64 max_bytes, spool_max_bytes, drain_timeout;
  gboolean tls;
  GstStructure *more_stats; /* of the subclass */
  guint64 n_invalid;

  /* From READY on. */
  GstCcaBrokerSettings settings;
  GstCcaBrokerRecipe recipe;
  gchar *line_property, *line_placeholder; /* of the subclass, that need lines; or NULL */
  GstCcaOutbox *outbox;                    /* written under the object lock */
  GstCcaBrokerWorker worker;

  /* Of the streaming thread. */
  gboolean is_json, is_checked; /* what comes in; whether it goes with the templates */
  gboolean warned_invalid;
  gint64 drain_end; /* when the wait at the end of the stream was over, or 0 */
  GPtrArray *messages;
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstCcaBrokerSink, gst_cca_broker_sink, GST_TYPE_BASE_SINK)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

/* --- What subclasses tell ---------------------------------------------------------------------------- */

void
gst_cca_broker_sink_connected (GstCcaBrokerSink *self)
{
  gst_cca_broker_worker_connected (&self->priv->worker);
}

void
gst_cca_broker_sink_disconnected (GstCcaBrokerSink *self, GstCcaBrokerFailure failure, const gchar *reason)
{
  gst_cca_broker_worker_disconnected (&self->priv->worker, failure, reason);
}

void
gst_cca_broker_sink_delivered (GstCcaBrokerSink *self, guint64 token, GstCcaBrokerOutcome outcome, const gchar *reason)
{
  gst_cca_broker_worker_delivered (&self->priv->worker, token, outcome, reason);
}

void
gst_cca_broker_sink_wake (GstCcaBrokerSink *self)
{
  gst_cca_broker_worker_wake (&self->priv->worker);
}

void
gst_cca_broker_sink_push (GstCcaBrokerSink *self, GstCcaBrokerMessage *message)
{
  gst_cca_outbox_push (self->priv->outbox, message);
}

void
gst_cca_broker_sink_set_key (GstCcaBrokerSink *self, const gchar *key)
{
  GST_OBJECT_LOCK (self);
  g_free (self->priv->key);
  self->priv->key = key && key[0] ? g_strdup (key) : NULL;
  GST_OBJECT_UNLOCK (self);
}

void
gst_cca_broker_sink_set_needs_lines (GstCcaBrokerSink *self, const gchar *property, const gchar *placeholder)
{
  g_free (self->priv->line_property);
  g_free (self->priv->line_placeholder);
  self->priv->line_property = g_strdup (property);
  self->priv->line_placeholder = g_strdup (placeholder);
}

void
gst_cca_broker_sink_set_stat (GstCcaBrokerSink *self, const gchar *name, guint64 value)
{
  GST_OBJECT_LOCK (self);
  gst_structure_set (self->priv->more_stats, name, G_TYPE_UINT64, value, NULL);
  GST_OBJECT_UNLOCK (self);
}

/* --- Settings ---------------------------------------------------------------------------------------- */

static void
clear_settings (GstCcaBrokerSinkPrivate *priv)
{
  GstCcaBrokerSettings *settings = &priv->settings;

  g_free ((gchar *) settings->topic);
  g_free ((gchar *) settings->user);
  g_free ((gchar *) settings->password);
  g_free ((gchar *) settings->ca_file);
  g_free ((gchar *) settings->cert_file);
  g_free ((gchar *) settings->key_file);
  g_free ((gchar *) settings->spool_directory);
  *settings = (GstCcaBrokerSettings) { 0 };
  g_clear_pointer (&priv->recipe.topic, gst_cca_template_free);
  g_clear_pointer (&priv->recipe.key, gst_cca_template_free);
  g_clear_pointer (&priv->line_property, g_free);
  g_clear_pointer (&priv->line_placeholder, g_free);
}

/* Reads a password: the file without the end of its line. */
static gchar *
read_password (const gchar *path, GError **error)
{
  gchar *text;

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  text[strcspn (text, "\r\n")] = '\0';
  return text;
}

static gboolean
check_settings (const GstCcaBrokerSettings *settings, GError **error)
{
  const gchar *const files[] = { settings->ca_file, settings->cert_file, settings->key_file };
  const gchar *what = NULL;

  if (!settings->topic || !settings->topic[0])
    what = "topic is empty; set it";
  else if (!settings->cert_file != !settings->key_file)
    what = "cert-file and key-file belong together; set both, or none";
  else if (!settings->tls && (settings->ca_file || settings->cert_file))
    what = "ca-file, cert-file and key-file are for tls=true; set it";
  else if (settings->password && !settings->user)
    what = "there is a password without a user; set user";
  if (what) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, what);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GMappedFile) file = files[i] ? g_mapped_file_new (files[i], FALSE, error) : NULL;

    if (files[i] && !file)
      return FALSE;
  }
  return TRUE;
}

/* Takes the properties as they are now. */
static gboolean
take_settings (GstCcaBrokerSink *self, GError **error)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  GstCcaBrokerSettings *settings = &priv->settings;
  g_autofree gchar *password_file = NULL, *key = NULL;

  clear_settings (priv);
  GST_OBJECT_LOCK (self);
  settings->topic = g_strdup (priv->strings[PROP_TOPIC]);
  settings->user = g_strdup (priv->strings[PROP_USER]);
  settings->password = g_strdup (priv->strings[PROP_PASSWORD]);
  settings->tls = priv->tls;
  settings->ca_file = g_strdup (priv->strings[PROP_CA_FILE]);
  settings->cert_file = g_strdup (priv->strings[PROP_CERT_FILE]);
  settings->key_file = g_strdup (priv->strings[PROP_KEY_FILE]);
  settings->spool_directory = g_strdup (priv->strings[PROP_SPOOL_DIRECTORY]);
  settings->max_messages = priv->max_messages;
  password_file = g_strdup (priv->strings[PROP_PASSWORD_FILE]);
  key = g_strdup (priv->key);
  GST_OBJECT_UNLOCK (self);

  if (password_file) {
    g_free ((gchar *) settings->password);
    settings->password = read_password (password_file, error);
    if (!settings->password)
      return FALSE;
  }
  if (!check_settings (settings, error))
    return FALSE;
  priv->recipe.is_topic_char = GST_CCA_BROKER_SINK_GET_CLASS (self)->is_topic_char;
  priv->recipe.topic = gst_cca_template_parse (settings->topic, error);
  if (!priv->recipe.topic)
    return FALSE;
  priv->recipe.key = key ? gst_cca_template_parse (key, error) : NULL;
  return !key || priv->recipe.key;
}

/* --- States ------------------------------------------------------------------------------------------ */

static void
warn_damaged (GstCcaBrokerSink *self, guint n_damaged)
{
  if (n_damaged > 0)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                  "%u files in \"%s\" are damaged: some messages in them are lost", n_damaged,
                  self->priv->settings.spool_directory);
}

static gboolean
open_outbox (GstCcaBrokerSink *self, GError **error)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  const gchar *directory = priv->settings.spool_directory;
  g_autoptr (GstCcaOutbox) outbox = NULL;
  guint64 spool_max_bytes;
  guint n_damaged = 0;

  GST_OBJECT_LOCK (self);
  outbox = gst_cca_outbox_new (priv->max_messages, priv->max_bytes);
  spool_max_bytes = priv->spool_max_bytes;
  GST_OBJECT_UNLOCK (self);
  if (directory && !gst_cca_outbox_open_spool (outbox, directory, spool_max_bytes, &n_damaged, error))
    return FALSE;
  warn_damaged (self, n_damaged);
  GST_OBJECT_LOCK (self);
  priv->outbox = g_steal_pointer (&outbox);
  priv->n_invalid = 0;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static void
warn_left (GstCcaBrokerSink *self, const GstCcaOutboxStats *stats)
{
  const guint64 n_left = stats->queued + stats->in_flight - stats->spooled;

  if (n_left > 0)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
                  "%" G_GUINT64_FORMAT " messages are lost: they were not delivered before drain-timeout; raise it, or "
                  "set spool-directory to keep them",
                  n_left);
}

static void
close_all (GstCcaBrokerSink *self)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  GstCcaOutbox *outbox;

  gst_cca_broker_worker_close (&priv->worker);
  GST_OBJECT_LOCK (self);
  outbox = g_steal_pointer (&priv->outbox);
  GST_OBJECT_UNLOCK (self);
  if (outbox) {
    const GstCcaOutboxStats stats = gst_cca_outbox_stats (outbox);

    warn_left (self, &stats);
  }
  gst_cca_outbox_free (outbox);
  clear_settings (priv);
}

static gboolean
open_all (GstCcaBrokerSink *self)
{
  g_autoptr (GError) error = NULL;

  if (take_settings (self, &error) && open_outbox (self, &error)
      && gst_cca_broker_worker_open (&self->priv->worker, &self->priv->settings, &error))
    return TRUE;
  close_all (self);
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s", error->message);
  return FALSE;
}

static GstStateChangeReturn
gst_cca_broker_sink_change_state (GstElement *element, GstStateChange transition)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_all (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    self->priv->is_json = self->priv->is_checked = self->priv->warned_invalid = FALSE;
    self->priv->drain_end = 0;
  }
  ret = GST_ELEMENT_CLASS (gst_cca_broker_sink_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY && ret == GST_STATE_CHANGE_FAILURE))
    close_all (self);
  return ret;
}

static gboolean
gst_cca_broker_sink_start (GstBaseSink *base)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);
  GstCcaBrokerSinkPrivate *priv = self->priv;
  g_autoptr (GError) error = NULL;

  if (!gst_cca_broker_worker_open (&priv->worker, &priv->settings, &error)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s", error->message);
    return FALSE;
  }
  gst_cca_broker_worker_start (&priv->worker, priv->outbox);
  return TRUE;
}

static gint64
drain_deadline (GstCcaBrokerSink *self)
{
  guint64 timeout;

  GST_OBJECT_LOCK (self);
  timeout = self->priv->drain_timeout / 1000;
  GST_OBJECT_UNLOCK (self);
  return g_get_monotonic_time () + MIN (timeout, (guint64) G_MAXINT64 / 2);
}

static gboolean
gst_cca_broker_sink_stop (GstBaseSink *base)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);
  GstCcaBrokerSinkPrivate *priv = self->priv;
  const gint64 deadline = drain_deadline (self);

  /* What was waited for at the end of the stream is not waited for again. */
  gst_cca_broker_worker_stop (&priv->worker, priv->drain_end ? MIN (priv->drain_end, deadline) : deadline);
  return TRUE;
}

static gboolean
gst_cca_broker_sink_unlock (GstBaseSink *base)
{
  gst_cca_broker_worker_interrupt (&GST_CCA_BROKER_SINK (base)->priv->worker, TRUE);
  return TRUE;
}

static gboolean
gst_cca_broker_sink_unlock_stop (GstBaseSink *base)
{
  gst_cca_broker_worker_interrupt (&GST_CCA_BROKER_SINK (base)->priv->worker, FALSE);
  return TRUE;
}

/* --- Buffers ----------------------------------------------------------------------------------------- */

/* Whether the templates need nothing that buffers other than lines lack. */
static gboolean
check_literal (GstCcaBrokerSink *self)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  const GstCcaBrokerRecipe *recipe = &priv->recipe;
  const gchar *property = "topic", *placeholder = gst_cca_template_first (recipe->topic);

  if (!placeholder && recipe->key) {
    property = "key";
    placeholder = gst_cca_template_first (recipe->key);
  }
  if (!placeholder) {
    property = priv->line_property;
    placeholder = priv->line_placeholder;
  }
  if (!placeholder)
    return TRUE;
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
                "{%s} in %s needs lines of JSON (application/x-ndjson); put ccajson before %s, or set a %s without it",
                placeholder, property, GST_OBJECT_NAME (self), property);
  return FALSE;
}

static gboolean
gst_cca_broker_sink_set_caps (GstBaseSink *base, GstCaps *caps)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);
  GstCcaBrokerSinkPrivate *priv = self->priv;

  priv->is_json = gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-ndjson");
  priv->is_checked = priv->is_json || check_literal (self);
  return priv->is_checked;
}

static void
warn_invalid (GstCcaBrokerSink *self, const GError *error)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;

  GST_OBJECT_LOCK (self);
  priv->n_invalid++;
  GST_OBJECT_UNLOCK (self);
  if (!priv->warned_invalid)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
                  "A line is not JSON, and is dropped: %s", error->message);
  priv->warned_invalid = TRUE;
}

static void
make_line_messages (GstCcaBrokerSink *self, GBytes *text)
{
  const GstCcaBrokerSinkClass *klass = GST_CCA_BROKER_SINK_GET_CLASS (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaBrokerLine) line = gst_cca_broker_line_parse (text, &error);

  if (!line) {
    warn_invalid (self, error);
    return;
  }
  gst_cca_broker_line_messages (line, &self->priv->recipe, self->priv->messages);
  if (klass->make_more)
    klass->make_more (self, line, self->priv->messages);
}

/* A buffer may have several lines; each is a message without its end. */
static void
make_lines (GstCcaBrokerSink *self, GBytes *bytes)
{
  gsize size, start = 0;
  const gchar *data = g_bytes_get_data (bytes, &size);

  while (start < size) {
    const gchar *end = memchr (data + start, '\n', size - start);
    const gsize length = end ? (gsize) (end - data) - start : size - start;

    if (length > 0) {
      g_autoptr (GBytes) text = g_bytes_new_from_bytes (bytes, start, length);

      make_line_messages (self, text);
    }
    start += length + 1;
  }
}

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

static GstFlowReturn
gst_cca_broker_sink_render (GstBaseSink *base, GstBuffer *buffer)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);
  GstCcaBrokerSinkPrivate *priv = self->priv;
  g_autoptr (GBytes) bytes = NULL;

  if (!priv->is_checked && !check_literal (self))
    return GST_FLOW_NOT_NEGOTIATED;
  priv->is_checked = TRUE;
  bytes = copy_bytes (buffer);
  if (!bytes) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                  "Cannot read a buffer of %" G_GSIZE_FORMAT " bytes", gst_buffer_get_size (buffer));
    return GST_FLOW_ERROR;
  }
  if (priv->is_json)
    make_lines (self, bytes);
  else
    g_ptr_array_add (priv->messages,
                     gst_cca_broker_message_new (
                         gst_cca_template_expand (priv->recipe.topic, NULL, NULL, NULL),
                         priv->recipe.key ? gst_cca_template_expand (priv->recipe.key, NULL, NULL, NULL) : NULL,
                         g_bytes_ref (bytes), GST_CCA_BROKER_NO_TIME, FALSE));
  for (guint i = 0; i < priv->messages->len; i++)
    gst_cca_outbox_push (priv->outbox, g_steal_pointer (&priv->messages->pdata[i]));
  if (priv->messages->len > 0)
    gst_cca_broker_worker_wake (&priv->worker);
  g_ptr_array_set_size (priv->messages, 0);
  return GST_FLOW_OK;
}

static gboolean
gst_cca_broker_sink_event (GstBaseSink *base, GstEvent *event)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    self->priv->drain_end = drain_deadline (self);
    gst_cca_broker_worker_drain (&self->priv->worker, self->priv->drain_end);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START || GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    self->priv->drain_end = 0;
  }
  return GST_BASE_SINK_CLASS (gst_cca_broker_sink_parent_class)->event (base, event);
}

/* --- Stats ------------------------------------------------------------------------------------------- */

static GstStructure *
make_stats (GstCcaBrokerSink *self)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  GstCcaOutboxStats stats = { 0 };
  guint64 n_reconnects, n_invalid;
  const gboolean is_connected = gst_cca_broker_worker_is_connected (&priv->worker, &n_reconnects);
  GstStructure *structure;

  GST_OBJECT_LOCK (self);
  if (priv->outbox)
    stats = gst_cca_outbox_stats (priv->outbox);
  n_invalid = priv->n_invalid;
  structure = gst_structure_copy (priv->more_stats);
  GST_OBJECT_UNLOCK (self);
  gst_structure_set (structure, "connected", G_TYPE_BOOLEAN, is_connected, "reconnects", G_TYPE_UINT64, n_reconnects,
                     "messages", G_TYPE_UINT64, stats.messages, "recovered", G_TYPE_UINT64, stats.recovered, "sent",
                     G_TYPE_UINT64, stats.sent, "queued", G_TYPE_UINT64, stats.queued, "spooled", G_TYPE_UINT64,
                     stats.spooled, "in-flight", G_TYPE_UINT64, stats.in_flight, "dropped-overflow", G_TYPE_UINT64,
                     stats.dropped_overflow, "dropped-spool", G_TYPE_UINT64, stats.dropped_spool, "dropped-refused",
                     G_TYPE_UINT64, stats.dropped_refused, "dropped-invalid", G_TYPE_UINT64, n_invalid, "spool-errors",
                     G_TYPE_UINT64, stats.spool_errors, NULL);
  return structure;
}

/* --- Class ------------------------------------------------------------------------------------------- */

static void
gst_cca_broker_sink_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstCcaBrokerSinkPrivate *priv = GST_CCA_BROKER_SINK (object)->priv;

  GST_OBJECT_LOCK (object);
  switch ((Property) id) {
    case PROP_MAX_MESSAGES: priv->max_messages = g_value_get_uint (value); break;
    case PROP_MAX_BYTES: priv->max_bytes = g_value_get_uint64 (value); break;
    case PROP_SPOOL_MAX_BYTES: priv->spool_max_bytes = g_value_get_uint64 (value); break;
    case PROP_TLS: priv->tls = g_value_get_boolean (value); break;
    case PROP_DRAIN_TIMEOUT: priv->drain_timeout = g_value_get_uint64 (value); break;
    case PROP_TOPIC:
    case PROP_SPOOL_DIRECTORY:
    case PROP_USER:
    case PROP_PASSWORD:
    case PROP_PASSWORD_FILE:
    case PROP_CA_FILE:
    case PROP_CERT_FILE:
    case PROP_KEY_FILE: gst_cca_set_string (&priv->strings[id], value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec); break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_cca_broker_sink_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (object);
  GstCcaBrokerSinkPrivate *priv = self->priv;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, make_stats (self));
    return;
  }
  GST_OBJECT_LOCK (object);
  switch ((Property) id) {
    case PROP_MAX_MESSAGES: g_value_set_uint (value, priv->max_messages); break;
    case PROP_MAX_BYTES: g_value_set_uint64 (value, priv->max_bytes); break;
    case PROP_SPOOL_MAX_BYTES: g_value_set_uint64 (value, priv->spool_max_bytes); break;
    case PROP_TLS: g_value_set_boolean (value, priv->tls); break;
    case PROP_DRAIN_TIMEOUT: g_value_set_uint64 (value, priv->drain_timeout); break;
    case PROP_TOPIC:
    case PROP_SPOOL_DIRECTORY:
    case PROP_USER:
    case PROP_PASSWORD_FILE:
    case PROP_CA_FILE:
    case PROP_CERT_FILE:
    case PROP_KEY_FILE: g_value_set_string (value, priv->strings[id]); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec); break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_cca_broker_sink_constructed (GObject *object)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (object);

  if (!self->priv->strings[PROP_TOPIC])
    self->priv->strings[PROP_TOPIC] = g_strdup (GST_CCA_BROKER_SINK_GET_CLASS (self)->default_topic);
  G_OBJECT_CLASS (gst_cca_broker_sink_parent_class)->constructed (object);
}

static void
gst_cca_broker_sink_finalize (GObject *object)
{
  GstCcaBrokerSinkPrivate *priv = GST_CCA_BROKER_SINK (object)->priv;

  gst_cca_broker_worker_clear (&priv->worker);
  for (guint i = 0; i < N_PROPS; i++)
    g_free (priv->strings[i]);
  g_free (priv->key);
  gst_structure_free (priv->more_stats);
  g_ptr_array_unref (priv->messages);
  G_OBJECT_CLASS (gst_cca_broker_sink_parent_class)->finalize (object);
}

static void
gst_cca_broker_sink_init (GstCcaBrokerSink *self)
{
  GstCcaBrokerSinkPrivate *priv = gst_cca_broker_sink_get_instance_private (self);

  self->priv = priv;
  priv->max_messages = DEFAULT_MAX_MESSAGES;
  priv->max_bytes = DEFAULT_MAX_BYTES;
  priv->spool_max_bytes = DEFAULT_SPOOL_MAX_BYTES;
  priv->drain_timeout = DEFAULT_DRAIN_TIMEOUT;
  priv->more_stats = gst_structure_new_empty ("ccabroker-stats");
  priv->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
  gst_cca_broker_worker_init (&priv->worker, self);
  gst_base_sink_set_sync (GST_BASE_SINK (self), FALSE);
}

static void
install_string (GObjectClass *klass, Property id, const gchar *name, const gchar *blurb, GParamFlags access)
{
  g_object_class_install_property (
      klass, id,
      g_param_spec_string (name, name, blurb, NULL, access | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
}

static void
install_uint64 (GObjectClass *klass, Property id, const gchar *name, const gchar *blurb, guint64 least, guint64 value,
                GParamFlags mutable)
{
  g_object_class_install_property (klass, id,
                                   g_param_spec_uint64 (name, name, blurb, least, G_MAXUINT64, value,
                                                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | mutable));
}

static void
install_properties (GObjectClass *klass)
{
  install_string (klass, PROP_TOPIC, "topic",
                  "Topic; {camera}, {id} and other members of a line are filled in, and with {zone} each event is a "
                  "message of its own",
                  G_PARAM_READWRITE);
  g_object_class_install_property (
      klass, PROP_MAX_MESSAGES,
      g_param_spec_uint ("max-messages", "max-messages", "Messages that wait in memory at most; the oldest go first", 1,
                         G_MAXINT, DEFAULT_MAX_MESSAGES,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  install_uint64 (klass, PROP_MAX_BYTES, "max-bytes", "Bytes that wait in memory at most; the oldest go first", 1,
                  DEFAULT_MAX_BYTES, GST_PARAM_MUTABLE_READY);
  install_string (klass, PROP_SPOOL_DIRECTORY, "spool-directory",
                  "Folder, of this sink alone, where messages wait until they are delivered, also for the next run; "
                  "unset = in memory",
                  G_PARAM_READWRITE);
  install_uint64 (klass, PROP_SPOOL_MAX_BYTES, "spool-max-bytes",
                  "Bytes that wait in spool-directory at most; the oldest go first", SMALLEST_SPOOL,
                  DEFAULT_SPOOL_MAX_BYTES, GST_PARAM_MUTABLE_READY);
  install_string (klass, PROP_USER, "user", "User at the broker", G_PARAM_READWRITE);
  install_string (klass, PROP_PASSWORD, "password",
                  "Password of the user; GStreamer logs what gst-launch-1.0 is given: use password-file there",
                  G_PARAM_WRITABLE);
  install_string (klass, PROP_PASSWORD_FILE, "password-file", "File whose first line is the password",
                  G_PARAM_READWRITE);
  g_object_class_install_property (
      klass, PROP_TLS,
      g_param_spec_boolean ("tls", "tls", "Encrypt, and check the broker's certificate", FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  install_string (klass, PROP_CA_FILE, "ca-file",
                  "Certificates (PEM) that the broker's must come from; unset = the system's", G_PARAM_READWRITE);
  install_string (klass, PROP_CERT_FILE, "cert-file", "Own certificate (PEM), where the broker asks for one",
                  G_PARAM_READWRITE);
  install_string (klass, PROP_KEY_FILE, "key-file", "Key (PEM) of cert-file, not encrypted", G_PARAM_READWRITE);
  install_uint64 (klass, PROP_DRAIN_TIMEOUT, "drain-timeout",
                  "How long to wait for deliveries at the end of the stream or when the sink stops, ns", 0,
                  DEFAULT_DRAIN_TIMEOUT, GST_PARAM_MUTABLE_PLAYING);
  g_object_class_install_property (
      klass, PROP_STATS,
      g_param_spec_boxed ("stats", "stats",
                          "Connection and numbers of messages; messages + recovered = sent + queued + in-flight + "
                          "dropped-overflow + dropped-spool + dropped-refused",
                          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_cca_broker_sink_class_init (GstCcaBrokerSinkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSinkClass *base_class = GST_BASE_SINK_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cca_broker_debug, "ccabroker", 0, "sinks to brokers");
  object_class->set_property = gst_cca_broker_sink_set_property;
  object_class->get_property = gst_cca_broker_sink_get_property;
  object_class->constructed = gst_cca_broker_sink_constructed;
  object_class->finalize = gst_cca_broker_sink_finalize;
  element_class->change_state = gst_cca_broker_sink_change_state;
  base_class->start = gst_cca_broker_sink_start;
  base_class->stop = gst_cca_broker_sink_stop;
  base_class->unlock = gst_cca_broker_sink_unlock;
  base_class->unlock_stop = gst_cca_broker_sink_unlock_stop;
  base_class->set_caps = gst_cca_broker_sink_set_caps;
  base_class->render = gst_cca_broker_sink_render;
  base_class->event = gst_cca_broker_sink_event;
  install_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_BROKER_SINK, 0);
}
