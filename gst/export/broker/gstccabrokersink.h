/* gst-cca: the common base of sinks to brokers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The base makes messages of buffers and puts them into an outbox; a worker publishes them through the subclass's
 * client. The streaming thread never waits for the client.
 */
#pragma once

#include <gst/base/gstbasesink.h>

#include "gstccabrokerworker.h"
#include "gstccaproperties.h"

/* Strings are NULL if unset. Never log user or password. */
typedef struct
{
  gchar *topic; /* template */
  gchar *user, *password, *password_file;
  gboolean tls;
  gchar *ca_file;         /* PEM; NULL: the system's */
  gchar *cert_file;       /* PEM, the client's; NULL together with key_file */
  gchar *key_file;        /* PEM */
  guint max_messages;     /* of the outbox in memory */
  guint64 max_bytes;      /* the same */
  gchar *spool_directory; /* NULL: messages wait in memory alone */
  guint64 spool_max_bytes;
  guint64 drain_timeout; /* ns */
} GstCcaBrokerSettings;

/* A property of a sink changes in READY and below. */
#define GST_CCA_BROKER_PROPERTY ((GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY))

#define GST_TYPE_CCA_BROKER_SINK (gst_cca_broker_sink_get_type ())
#define GST_CCA_BROKER_SINK(object) ((GstCcaBrokerSink *) (object))
#define GST_CCA_BROKER_SINK_CLASS(klass) ((GstCcaBrokerSinkClass *) (klass))

/* Ids above this one are free for a subclass's own properties. */
#define GST_CCA_BROKER_SINK_LAST_PROP 64

typedef struct _GstCcaBrokerSinkPrivate GstCcaBrokerSinkPrivate;

typedef struct
{
  GstBaseSink parent;

  GstCcaBrokerWorker *worker; /* to which a subclass's client reports */

  /*< private >*/
  GstCcaBrokerSinkPrivate *priv;
} GstCcaBrokerSink;

typedef struct
{
  GstBaseSinkClass parent_class;

  const gchar *default_topic;
  /* Whether a value that a template fills in may have this character; others become '_'. */
  gboolean (*is_topic_char) (gunichar c);

  const GstCcaBrokerClient *client;

  /* Offset of the template of the messages' keys, a property under the object lock that may be empty; or 0. */
  gsize key;

  /* Adds messages that follow from a line, beside the line's own; the streaming thread. May be NULL. */
  void (*make_more) (GstCcaBrokerSink *sink, const GstCcaBrokerLine *line, GPtrArray *messages);
} GstCcaBrokerSinkClass;

GType gst_cca_broker_sink_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerSink, gst_object_unref)

/* --- For subclasses ---------------------------------------------------------------------------------- */

/* Returns the properties as they were when the sink went to READY, completed. Valid until it goes to NULL. */
const GstCcaBrokerSettings *gst_cca_broker_sink_get_settings (GstCcaBrokerSink *sink);

/* Puts a message into the outbox, between those of buffers; takes it. Any thread, while the client is open. */
void gst_cca_broker_sink_push (GstCcaBrokerSink *sink, GstCcaBrokerMessage *message);

/* Makes anything but lines of JSON an error, because the placeholder in the property needs them; strings that are valid
 * until the sink is in NULL. From the client's open(). */
void gst_cca_broker_sink_set_needs_lines (GstCcaBrokerSink *sink, const gchar *property, const gchar *placeholder);
