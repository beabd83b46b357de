/* gst-cca: what the sinks to brokers share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The base makes messages of buffers, keeps them in an outbox, and runs one worker thread, which hands them to the
 * subclass in their order and tries again where that fails. A message stays in the outbox until the subclass says that
 * it was delivered. The streaming thread never waits for the subclass.
 */
#ifndef GST_CCA_BROKER_SINK_H
#define GST_CCA_BROKER_SINK_H

#include <gst/base/gstbasesink.h>

#include "gstccabrokersettings.h"
#include "message.h"

G_BEGIN_DECLS

#define GST_TYPE_CCA_BROKER_SINK (gst_cca_broker_sink_get_type ())
#define GST_CCA_BROKER_SINK(object) ((GstCcaBrokerSink *) (object))
#define GST_CCA_BROKER_SINK_CLASS(klass) ((GstCcaBrokerSinkClass *) (klass))
#define GST_CCA_BROKER_SINK_GET_CLASS(object)                                                                          \
  (G_TYPE_INSTANCE_GET_CLASS ((object), GST_TYPE_CCA_BROKER_SINK, GstCcaBrokerSinkClass))

/* Ids above this one are free for a subclass's own properties. */
#define GST_CCA_BROKER_SINK_LAST_PROP 64

typedef struct _GstCcaBrokerSinkPrivate GstCcaBrokerSinkPrivate;

typedef struct
{
  GstBaseSink parent;

  /*< private >*/
  GstCcaBrokerSinkPrivate *priv;
} GstCcaBrokerSink;

/* The outcome of a message. */
typedef enum
{
  GST_CCA_BROKER_DELIVERED, /* leaves the outbox */
  GST_CCA_BROKER_REFUSED,   /* for good: leaves the outbox and is counted; a warning gives the reason */
  GST_CCA_BROKER_FAILED,    /* was not delivered: is published again, in front of those that were never published */
} GstCcaBrokerOutcome;

/* Why there is no connection. */
typedef enum
{
  GST_CCA_BROKER_AWAY,      /* cannot be reached */
  GST_CCA_BROKER_DENIED,    /* password, certificate or rights: a warning gives the reason; the base tries again, too */
  GST_CCA_BROKER_BROKEN,    /* the client is unusable: the base closes it, opens a new one, and publishes messages in
                               flight again */
  GST_CCA_BROKER_FORGETFUL, /* the broker is there and does not know the client any more: as BROKEN, but the base opens
                               the new one at once */
} GstCcaBrokerFailure;

typedef enum
{
  GST_CCA_BROKER_TAKEN, /* in flight until gst_cca_broker_sink_delivered(), which may have been called already */
  GST_CCA_BROKER_LATER, /* not now: the base offers the message again after the next poll() that does something */
} GstCcaBrokerPublish;

/* Calls come from one thread at a time: open() and close() from the thread that changes the state or from the worker,
 * all others from the worker. Other than close() and poll(), none may wait for the network. Where a function takes a
 * reason, it fills in a text for users, in English, without passwords, which the caller frees. */
typedef struct
{
  GstBaseSinkClass parent_class;

  const gchar *default_topic;
  /* Whether a value that a template fills in may have this character; others become '_'. */
  gboolean (*is_topic_char) (gunichar c);

  /* Makes a client of the settings, which are the properties as they were when the sink went to READY, and of the
   * subclass's own properties, without a connection. On failure, fills in the error, which becomes the element's, and
   * leaves nothing open. Settings are valid until close() returns. */
  gboolean (*open) (GstCcaBrokerSink *sink, const GstCcaBrokerSettings *settings, GError **error);
  /* Frees the client at once. Messages in flight may or may not have arrived. */
  void (*close) (GstCcaBrokerSink *sink);

  /* Begins a connection; NULL for libraries that connect by themselves, from open() on. The result comes by
   * gst_cca_broker_sink_connected() or _disconnected(), from here or from a poll(). After a failure the base calls
   * it again, with growing delays. */
  void (*connect) (GstCcaBrokerSink *sink);
  /* Disconnects in order; _disconnected() or the deadline ends it. May be NULL. Nothing is in flight, unless the time
   * ran out. */
  void (*disconnect) (GstCcaBrokerSink *sink);

  /* Hands a message to the library; copies all that it needs. Called while connected (always, if connect is
   * NULL) and while fewer than max_in_flight() messages are in flight. The token names the message; it is never 0. */
  GstCcaBrokerPublish (*publish) (GstCcaBrokerSink *sink, const GstCcaBrokerMessage *message, guint64 token);
  /* The largest number of messages in flight, > 0; read after open(). */
  guint (*max_in_flight) (GstCcaBrokerSink *sink);

  /* Waits until the library has something to do, until wake_fd is readable, or for timeout_ms; then lets the library
   * do it. The subclass does not read wake_fd. A library with threads of its own calls gst_cca_broker_sink_wake()
   * from there and waits for wake_fd alone. */
  void (*poll) (GstCcaBrokerSink *sink, gint wake_fd, gint timeout_ms);

  /* Adds messages that follow from a line, beside the line's own; the streaming thread. May be NULL. */
  void (*make_more) (GstCcaBrokerSink *sink, const GstCcaBrokerLine *line, GPtrArray *messages);
} GstCcaBrokerSinkClass;

GType gst_cca_broker_sink_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerSink, gst_object_unref)

/* --- For subclasses, on the worker thread ------------------------------------------------------------ */

void gst_cca_broker_sink_connected (GstCcaBrokerSink *sink);
/* Also for a failed attempt to connect. The reason is for users. With connect == NULL, affects only stats and
 * messages, unless the failure is BROKEN or FORGETFUL. */
void gst_cca_broker_sink_disconnected (GstCcaBrokerSink *sink, GstCcaBrokerFailure failure, const gchar *reason);

/* The reason may be NULL for DELIVERED. Tokens that are not in flight are ignored. */
void gst_cca_broker_sink_delivered (GstCcaBrokerSink *sink, guint64 token, GstCcaBrokerOutcome outcome,
                                    const gchar *reason);

/* --- For subclasses, on any thread ------------------------------------------------------------------- */

/* Makes poll() return. */
void gst_cca_broker_sink_wake (GstCcaBrokerSink *sink);

/* Puts a message into the outbox, between those of buffers; takes it. From open() to close(). */
void gst_cca_broker_sink_push (GstCcaBrokerSink *sink, GstCcaBrokerMessage *message);

/* Sets the template of the messages' keys, or NULL for none; copied. Takes effect with open(). */
void gst_cca_broker_sink_set_key (GstCcaBrokerSink *sink, const gchar *key);

/* Makes anything but lines of JSON an error, because the placeholder in the property needs them; static strings. From
 * open() until the sink is in NULL. */
void gst_cca_broker_sink_set_needs_lines (GstCcaBrokerSink *sink, const gchar *property, const gchar *placeholder);

/* Sets a field of the structure that `stats` returns, for what only the library knows. */
void gst_cca_broker_sink_set_stat (GstCcaBrokerSink *sink, const gchar *name, guint64 value);

G_END_DECLS

#endif
