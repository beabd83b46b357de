/* gst-cca: what the sinks to brokers share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokersink.h"

#include "gstccabrokercomposer.h"
#include "gstccabrokerworker.h"
#include "gstccapost.h"
#include "outbox.h"

GST_DEBUG_CATEGORY_EXTERN (gst_cca_broker_debug);
#define GST_CAT_DEFAULT gst_cca_broker_debug

#define PROP_STATS (GST_CCA_BROKER_SETTINGS_LAST_PROP + 1)

struct _GstCcaBrokerSinkPrivate
{
  /* Under the object lock. */
  GstCcaBrokerSettings properties;
  gchar *key;               /* template, or NULL */
  GstStructure *more_stats; /* of the subclass */

  /* From READY on. */
  GstCcaBrokerSettings settings;
  GstCcaOutbox *outbox; /* written under the object lock */
  GstCcaBrokerWorker worker;

  /* Of the streaming thread. */
  GstCcaBrokerComposer composer;
  gint64 drain_end; /* when the wait at the end of the stream was over, or 0 */
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
  gst_cca_broker_composer_set_needs_lines (&self->priv->composer, property, placeholder);
}

void
gst_cca_broker_sink_set_stat (GstCcaBrokerSink *self, const gchar *name, guint64 value)
{
  GST_OBJECT_LOCK (self);
  gst_structure_set (self->priv->more_stats, name, G_TYPE_UINT64, value, NULL);
  GST_OBJECT_UNLOCK (self);
}

/* --- States ------------------------------------------------------------------------------------------ */

/* Takes the properties as they are now. */
static gboolean
take_settings (GstCcaBrokerSink *self, GError **error)
{
  GstCcaBrokerSinkPrivate *priv = self->priv;
  g_autofree gchar *key = NULL;

  GST_OBJECT_LOCK (self);
  priv->settings = gst_cca_broker_settings_copy (&priv->properties);
  key = g_strdup (priv->key);
  GST_OBJECT_UNLOCK (self);
  return gst_cca_broker_settings_complete (&priv->settings, error)
         && gst_cca_broker_composer_open (&priv->composer, priv->settings.topic, key, error);
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
  priv->composer.n_invalid = 0;
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
  gst_cca_broker_settings_clear (&priv->settings);
  gst_cca_broker_composer_close (&priv->composer);
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
    gst_cca_broker_composer_start (&self->priv->composer);
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

static gboolean
gst_cca_broker_sink_set_caps (GstBaseSink *base, GstCaps *caps)
{
  return gst_cca_broker_composer_set_caps (&GST_CCA_BROKER_SINK (base)->priv->composer, caps);
}

static GstFlowReturn
gst_cca_broker_sink_render (GstBaseSink *base, GstBuffer *buffer)
{
  GstCcaBrokerSinkPrivate *priv = GST_CCA_BROKER_SINK (base)->priv;
  GPtrArray *messages = priv->composer.messages;
  const GstFlowReturn flow = gst_cca_broker_composer_compose (&priv->composer, buffer);

  for (guint i = 0; i < messages->len; i++)
    gst_cca_outbox_push (priv->outbox, g_steal_pointer (&messages->pdata[i]));
  if (messages->len > 0)
    gst_cca_broker_worker_wake (&priv->worker);
  g_ptr_array_set_size (messages, 0);
  return flow;
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
  n_invalid = priv->composer.n_invalid;
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
  gboolean is_known;

  GST_OBJECT_LOCK (object);
  is_known = gst_cca_broker_settings_set (&GST_CCA_BROKER_SINK (object)->priv->properties, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_cca_broker_sink_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (object);
  gboolean is_known;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, make_stats (self));
    return;
  }
  GST_OBJECT_LOCK (object);
  is_known = gst_cca_broker_settings_get (&self->priv->properties, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_cca_broker_sink_constructed (GObject *object)
{
  GstCcaBrokerSink *self = GST_CCA_BROKER_SINK (object);

  if (!self->priv->properties.topic)
    self->priv->properties.topic = g_strdup (GST_CCA_BROKER_SINK_GET_CLASS (self)->default_topic);
  G_OBJECT_CLASS (gst_cca_broker_sink_parent_class)->constructed (object);
}

static void
gst_cca_broker_sink_finalize (GObject *object)
{
  GstCcaBrokerSinkPrivate *priv = GST_CCA_BROKER_SINK (object)->priv;

  gst_cca_broker_worker_clear (&priv->worker);
  gst_cca_broker_composer_clear (&priv->composer);
  gst_cca_broker_settings_clear (&priv->properties);
  g_free (priv->key);
  gst_structure_free (priv->more_stats);
  G_OBJECT_CLASS (gst_cca_broker_sink_parent_class)->finalize (object);
}

static void
gst_cca_broker_sink_init (GstCcaBrokerSink *self)
{
  GstCcaBrokerSinkPrivate *priv = gst_cca_broker_sink_get_instance_private (self);

  self->priv = priv;
  gst_cca_broker_settings_init (&priv->properties);
  priv->more_stats = gst_structure_new_empty ("ccabroker-stats");
  gst_cca_broker_composer_init (&priv->composer, self);
  gst_cca_broker_worker_init (&priv->worker, self);
  gst_base_sink_set_sync (GST_BASE_SINK (self), FALSE);
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
  gst_cca_broker_settings_install (object_class);
  g_object_class_install_property (
      object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "stats",
                          "Connection and numbers of messages; messages + recovered = sent + queued + in-flight + "
                          "dropped-overflow + dropped-spool + dropped-refused",
                          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_BROKER_SINK, 0);
}
