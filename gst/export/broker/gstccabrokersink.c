/* gst-cca: the common base of sinks to brokers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokersink.h"

#include <string.h>

#include "gstccajsonmark.h"
#include "gstccapost.h"
#include "gstccatext.h"

GST_DEBUG_CATEGORY_EXTERN (gst_cca_broker_debug);

struct _GstCcaBrokerSinkPrivate
{
  /* Under the object lock. */
  GstCcaBrokerSettings properties;
  guint64 n_invalid; /* lines */

  /* From READY on. */
  GstCcaBrokerSettings settings;
  GstCcaBrokerRecipe recipe;
  const gchar *line_property, *line_placeholder; /* of the subclass, that need lines; or NULL */
  GstCcaOutbox *outbox;                          /* written under the object lock */

  /* Of the streaming thread. */
  GPtrArray *messages;          /* of the buffer that came last */
  gboolean is_json, is_checked; /* the buffers are lines; templates suit the buffers */
  gboolean warned_invalid;
  gint64 drain_end; /* when the wait at the end of the stream was over, or 0 */
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstCcaBrokerSink, gst_cca_broker_sink, GST_TYPE_BASE_SINK)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static const GstCcaBrokerSinkClass *
class_of (GstCcaBrokerSink *self)
{
  return G_TYPE_INSTANCE_GET_CLASS (self, GST_TYPE_CCA_BROKER_SINK, GstCcaBrokerSinkClass);
}

/* --- Settings ---------------------------------------------------------------------------------------- */

#define MAX_PASSWORD_FILE (64 * 1024)

#define AT(field) G_STRUCT_OFFSET (GstCcaBrokerSettings, field)

static const GstCcaProperty settings_list[] = {
  { "topic", AT (topic), G_TYPE_STRING,
    .blurb = "Topic; the element fills in {camera}, {id} and other members of a line; with {zone} each event becomes a "
             "separate message" },
  { "max-messages", AT (max_messages), G_TYPE_UINT, 1, G_MAXINT, 10000,
    .blurb = "Maximum number of messages that wait in memory; the element drops the oldest first" },
  { "max-bytes", AT (max_bytes), G_TYPE_UINT64, 1, G_MAXUINT64, 64 * 1024 * 1024,
    .blurb = "Maximum number of bytes that wait in memory; the element drops the oldest messages first" },
  { "spool-directory", AT (spool_directory), G_TYPE_STRING,
    .blurb = "Folder in which messages wait until they are delivered, also by the next run; no other sink may use it. "
             "Unset = in memory only" },
  { "spool-max-bytes", AT (spool_max_bytes), G_TYPE_UINT64, 64 * 1024, G_MAXUINT64, 256 * 1024 * 1024,
    .blurb = "Maximum number of bytes in spool-directory; the element drops the oldest messages first" },
  { "user", AT (user), G_TYPE_STRING, .blurb = "User at the broker" },
  { "password", AT (password), G_TYPE_STRING,
    .blurb = "Password of the user; GStreamer logs the arguments of gst-launch-1.0: use password-file there",
    .flags = (GParamFlags) (G_PARAM_WRITABLE | GST_PARAM_MUTABLE_READY) },
  { "password-file", AT (password_file), G_TYPE_STRING, .blurb = "File whose first line is the password" },
  { "tls", AT (tls), G_TYPE_BOOLEAN, .blurb = "Encrypt, and check the broker's certificate" },
  { "ca-file", AT (ca_file), G_TYPE_STRING,
    .blurb = "Authorities (PEM) that may sign the broker's certificate; unset = the system's" },
  { "cert-file", AT (cert_file), G_TYPE_STRING,
    .blurb = "This client's certificate (PEM), if the broker requires one" },
  { "key-file", AT (key_file), G_TYPE_STRING, .blurb = "Key (PEM) of cert-file, not encrypted" },
  { "drain-timeout", AT (drain_timeout), G_TYPE_UINT64, 0, G_MAXUINT64, 2 * GST_SECOND,
    .blurb = "How long to wait for deliveries at the end of the stream or when the sink stops, ns",
    .flags = (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING) },
};
static const GstCcaProperties settings_properties = { 1, G_N_ELEMENTS (settings_list), settings_list,
                                                      GST_CCA_BROKER_PROPERTY };

/* Reads a password: the file without the end of its line. */
static gchar *
read_password (const gchar *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gsize length;
  gchar *text = gst_cca_file_read (path, MAX_PASSWORD_FILE, &length, &problem);

  if (text)
    text[strcspn (text, "\r\n")] = '\0';
  else
    g_set_error (error, problem->domain, problem->code, "%s %s", path, problem->message);
  return text;
}

static gboolean
check_settings (const GstCcaBrokerSettings *self, GError **error)
{
  const gchar *const files[] = { self->ca_file, self->cert_file, self->key_file };
  const gchar *what = NULL;

  if (!self->topic || !self->topic[0])
    what = "topic is empty; set it";
  else if (!self->cert_file != !self->key_file)
    what = "cert-file and key-file belong together; set both, or none";
  else if (!self->tls && (self->ca_file || self->cert_file))
    what = "ca-file, cert-file and key-file are for tls=true; set it";
  else if (self->password && !self->user)
    what = "there is a password but no user; set user";
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

/* Replaces the password by that of password_file if there is one, and checks the settings. The error names the property
 * or the file. */
static gboolean
complete_settings (GstCcaBrokerSettings *self, GError **error)
{
  if (self->password_file) {
    g_free (self->password);
    self->password = read_password (self->password_file, error);
    if (!self->password)
      return FALSE;
  }
  return check_settings (self, error);
}

/* --- For subclasses ---------------------------------------------------------------------------------- */

const GstCcaBrokerSettings *
gst_cca_broker_sink_get_settings (GstCcaBrokerSink *self)
{
  return &self->priv->settings;
}

void
gst_cca_broker_sink_push (GstCcaBrokerSink *self, GstCcaBrokerMessage *message)
{
  gst_cca_outbox_push (self->priv->outbox, message);
}

void
gst_cca_broker_sink_set_needs_lines (GstCcaBrokerSink *self, const gchar *property, const gchar *placeholder)
{
  self->priv->line_property = property;
  self->priv->line_placeholder = placeholder;
}

/* --- States ------------------------------------------------------------------------------------------ */

static gboolean
parse_templates (GstCcaBrokerRecipe *recipe, const gchar *topic, const gchar *key, GError **error)
{
  recipe->topic = gst_cca_template_parse (topic, error);
  if (!recipe->topic)
    return FALSE;
  recipe->key = key ? gst_cca_template_parse (key, error) : NULL;
  return !key || recipe->key;
}

/* Takes the properties as they are now. */
static gboolean
take_settings (GstCcaBrokerSink *self, GError **error)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  g_autofree gchar *key = NULL;

  GST_OBJECT_LOCK (self);
  priv->settings = priv->properties;
  gst_cca_properties_copy_strings (&settings_properties, &priv->settings);
  if (class_of (self)->key > 0)
    key = g_strdup (G_STRUCT_MEMBER (gchar *, self, class_of (self)->key));
  GST_OBJECT_UNLOCK (self);
  return complete_settings (&priv->settings, error)
         && parse_templates (&priv->recipe, priv->settings.topic, key && *key ? key : NULL, error);
}

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
  const GstCcaBrokerSettings *settings = &priv->settings;
  g_autoptr (GstCcaOutbox) outbox =
      gst_cca_outbox_new (settings->max_messages, settings->max_bytes, g_get_monotonic_time);
  guint n_damaged = 0;

  if (settings->spool_directory
      && !gst_cca_outbox_open_spool (outbox, settings->spool_directory, settings->spool_max_bytes, &n_damaged, error))
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
                  "%" G_GUINT64_FORMAT " messages are lost after drain-timeout; raise it, or set spool-directory",
                  n_left);
}

static void
close_all (GstCcaBrokerSink *self)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  GstCcaOutbox *outbox;

  gst_cca_broker_worker_close (self->worker);
  GST_OBJECT_LOCK (self);
  outbox = g_steal_pointer (&priv->outbox);
  GST_OBJECT_UNLOCK (self);
  if (outbox) {
    const GstCcaOutboxStats stats = gst_cca_outbox_stats (outbox);

    warn_left (self, &stats);
  }
  gst_cca_outbox_free (outbox);
  gst_cca_properties_clear (&settings_properties, &priv->settings);
  g_clear_pointer (&priv->recipe.topic, gst_cca_template_free);
  g_clear_pointer (&priv->recipe.key, gst_cca_template_free);
  priv->line_property = priv->line_placeholder = NULL;
}

static gboolean
open_all (GstCcaBrokerSink *self)
{
  g_autoptr (GError) error = NULL;

  if (take_settings (self, &error) && open_outbox (self, &error)
      && gst_cca_broker_worker_open (self->worker, self->priv->settings.max_messages, &error))
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

  if (!gst_cca_broker_worker_open (self->worker, priv->settings.max_messages, &error)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s", error->message);
    return FALSE;
  }
  gst_cca_broker_worker_start (self->worker, priv->outbox);
  return TRUE;
}

static gint64
drain_deadline (GstCcaBrokerSink *self)
{
  guint64 timeout;

  GST_OBJECT_LOCK (self);
  timeout = self->priv->properties.drain_timeout / 1000;
  GST_OBJECT_UNLOCK (self);
  return g_get_monotonic_time () + MIN (timeout, (guint64) G_MAXINT64 / 2);
}

static gboolean
gst_cca_broker_sink_stop (GstBaseSink *base)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);
  GstCcaBrokerSinkPrivate *priv = self->priv;
  const gint64 deadline = drain_deadline (self);

  /* Do not repeat the wait at the end of the stream. */
  gst_cca_broker_worker_stop (self->worker, priv->drain_end ? MIN (priv->drain_end, deadline) : deadline);
  return TRUE;
}

static gboolean
gst_cca_broker_sink_unlock (GstBaseSink *base)
{
  gst_cca_broker_worker_interrupt (GST_CCA_BROKER_SINK (base)->worker, TRUE);
  return TRUE;
}

static gboolean
gst_cca_broker_sink_unlock_stop (GstBaseSink *base)
{
  gst_cca_broker_worker_interrupt (GST_CCA_BROKER_SINK (base)->worker, FALSE);
  return TRUE;
}

/* --- Buffers to messages ----------------------------------------------------------------------------- */

/* Returns whether the templates go with buffers other than lines; posts an error if not. */
static gboolean
check_literal (GstCcaBrokerSink *self)
{
  const GstCcaBrokerRecipe *recipe = &self->priv->recipe;
  const gchar *property = "topic", *placeholder = gst_cca_template_first (recipe->topic);

  if (!placeholder && recipe->key) {
    property = "key";
    placeholder = gst_cca_template_first (recipe->key);
  }
  if (!placeholder) {
    property = self->priv->line_property;
    placeholder = self->priv->line_placeholder;
  }
  if (!placeholder)
    return TRUE;
  gst_cca_post_detail (self, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
                       g_strdup ("the caps are not application/x-ndjson"),
                       "{%s} in %s needs lines of JSON; put ccajson before %s", placeholder, property,
                       GST_OBJECT_NAME (self));
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
  GST_OBJECT_LOCK (self);
  self->priv->n_invalid++;
  GST_OBJECT_UNLOCK (self);
  if (!self->priv->warned_invalid)
    gst_cca_post_detail (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
                         g_strdup (error->message), "Dropped a line that is not JSON; put ccajson before %s",
                         GST_OBJECT_NAME (self));
  self->priv->warned_invalid = TRUE;
}

static void
add_line (GstCcaBrokerSink *self, const GstCcaBrokerLine *line)
{
  gst_cca_broker_line_messages (line, &self->priv->recipe, self->priv->messages);
  if (class_of (self)->make_more)
    class_of (self)->make_more (self, line, self->priv->messages);
}

/* A buffer may have several lines; each is a message without its end. */
static void
add_lines (GstCcaBrokerSink *self, GBytes *bytes)
{
  gsize size, start = 0;
  const gchar *data = g_bytes_get_data (bytes, &size);

  while (start < size) {
    const gchar *end = memchr (data + start, '\n', size - start);
    const gsize length = end ? (gsize) (end - data) - start : size - start;

    if (length > 0) {
      g_autoptr (GBytes) text = g_bytes_new_from_bytes (bytes, start, length);
      g_autoptr (GError) error = NULL;
      g_autoptr (GstCcaBrokerLine) line = gst_cca_broker_line_parse (text, &error);

      if (line)
        add_line (self, line);
      else
        warn_invalid (self, error);
    }
    start += length + 1;
  }
}

/* Adds the messages of the line that ccajson wrote, or of any lines without its mark. */
static void
add_json (GstCcaBrokerSink *self, GBytes *bytes, const GstCcaJsonMark *mark)
{
  const gsize size = g_bytes_get_size (bytes);
  g_autoptr (GBytes) text = mark && size > 0 ? g_bytes_new_from_bytes (bytes, 0, size - 1) : NULL;
  g_autoptr (GstCcaBrokerLine) line =
      text ? gst_cca_broker_line_new (text, mark->members.ends, mark->members.n, mark->members.utc) : NULL;

  if (line)
    add_line (self, line);
  else
    add_lines (self, bytes);
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

/* Adds the messages that a buffer makes. */
static GstFlowReturn
add_messages (GstCcaBrokerSink *self, GstBuffer *buffer)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  const GstCcaBrokerRecipe *recipe = &priv->recipe;
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
    add_json (self, bytes, gst_cca_json_mark_get (buffer));
  else
    g_ptr_array_add (priv->messages, gst_cca_broker_message_new (
                                         gst_cca_template_expand (recipe->topic, NULL, NULL, NULL),
                                         recipe->key ? gst_cca_template_expand (recipe->key, NULL, NULL, NULL) : NULL,
                                         g_bytes_ref (bytes), GST_CCA_BROKER_NO_TIME, FALSE));
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_cca_broker_sink_render (GstBaseSink *base, GstBuffer *buffer)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);
  GPtrArray *messages = self->priv->messages;
  const GstFlowReturn flow = add_messages (self, buffer);

  for (guint i = 0; i < messages->len; i++)
    gst_cca_outbox_push (self->priv->outbox, g_steal_pointer (&messages->pdata[i]));
  if (messages->len > 0)
    gst_cca_broker_worker_wake (self->worker);
  g_ptr_array_set_size (messages, 0);
  return flow;
}

static gboolean
gst_cca_broker_sink_event (GstBaseSink *base, GstEvent *event)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (base);

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    self->priv->drain_end = drain_deadline (self);
    gst_cca_broker_worker_drain (self->worker, self->priv->drain_end);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START || GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    self->priv->drain_end = 0;
  }
  return GST_BASE_SINK_CLASS (gst_cca_broker_sink_parent_class)->event (base, event);
}

/* --- Stats ------------------------------------------------------------------------------------------- */

static GstStructure *
make_stats (gpointer object)
{
  GstCcaBrokerSink *self = object;
  const GstCcaBrokerSinkPrivate *priv = self->priv;
  GstCcaOutboxStats stats = { 0 };
  guint64 n_reconnects;
  const gboolean is_connected = gst_cca_broker_worker_is_connected (self->worker, &n_reconnects);

  if (priv->outbox)
    stats = gst_cca_outbox_stats (priv->outbox);
  return gst_structure_new (
      "ccabroker-stats", "connected", G_TYPE_BOOLEAN, is_connected, "reconnects", G_TYPE_UINT64, n_reconnects,
      "messages", G_TYPE_UINT64, stats.messages, "recovered", G_TYPE_UINT64, stats.recovered, "sent", G_TYPE_UINT64,
      stats.sent, "queued", G_TYPE_UINT64, stats.queued, "spooled", G_TYPE_UINT64, stats.spooled, "in-flight",
      G_TYPE_UINT64, stats.in_flight, "dropped-overflow", G_TYPE_UINT64, stats.dropped_overflow, "dropped-spool",
      G_TYPE_UINT64, stats.dropped_spool, "dropped-refused", G_TYPE_UINT64, stats.dropped_refused, "dropped-invalid",
      G_TYPE_UINT64, priv->n_invalid, "spool-errors", G_TYPE_UINT64, stats.spool_errors, NULL);
}

static const GstCcaProperty list[] = {
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Connection and numbers of messages; messages + recovered = sent + queued + in-flight + "
             "dropped-overflow + dropped-spool + dropped-refused" },
};
static const GstCcaProperties properties = { GST_CCA_BROKER_SINK_LAST_PROP, G_N_ELEMENTS (list), list };

/* --- Class ------------------------------------------------------------------------------------------- */

static void
gst_cca_broker_sink_constructed (GObject *object)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (object);

  if (!self->priv->properties.topic)
    self->priv->properties.topic = g_strdup (class_of (self)->default_topic);
  self->priv->recipe.is_topic_char = class_of (self)->is_topic_char;
  self->worker = gst_cca_broker_worker_new (GST_ELEMENT (self), class_of (self)->client);
  G_OBJECT_CLASS (gst_cca_broker_sink_parent_class)->constructed (object);
}

static void
gst_cca_broker_sink_finalize (GObject *object)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (object);

  gst_cca_broker_worker_free (self->worker);
  g_ptr_array_unref (self->priv->messages);
  gst_cca_properties_clear (&settings_properties, &self->priv->properties);
  G_OBJECT_CLASS (gst_cca_broker_sink_parent_class)->finalize (object);
}

static void
gst_cca_broker_sink_init (GstCcaBrokerSink *self)
{
  GstCcaBrokerSinkPrivate *priv = gst_cca_broker_sink_get_instance_private (self);

  self->priv = priv;
  gst_cca_properties_init (&settings_properties, &priv->properties);
  priv->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
  gst_base_sink_set_sync (GST_BASE_SINK (self), FALSE);
}

static void
gst_cca_broker_sink_class_init (GstCcaBrokerSinkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSinkClass *base_class = GST_BASE_SINK_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cca_broker_debug, "ccabroker", 0, "sinks to brokers");
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
  gst_cca_properties_install (&settings_properties, object_class, G_PRIVATE_OFFSET (GstCcaBrokerSink, properties));
  gst_cca_properties_install (&properties, object_class, 0);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_BROKER_SINK, 0);
}
