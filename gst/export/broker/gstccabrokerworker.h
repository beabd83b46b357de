/* gst-cca: the thread that hands messages to a broker's client
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_BROKER_WORKER_H
#define GST_CCA_BROKER_WORKER_H

#include "gstccabrokersink.h"
#include "outbox.h"

G_BEGIN_DECLS

/* Of a sink. Fields are under the lock, except as they say. */
typedef struct
{
  GstCcaBrokerSink *sink;
  GstCcaOutbox *outbox;                 /* the sink's, while the worker runs */
  const GstCcaBrokerSettings *settings; /* the sink's, while a client is open */
  GThread *thread;
  gint wake_fds[2]; /* a pipe: read, write */
  gint is_woken;    /* atomic: the pipe has a byte */

  GMutex lock;
  GCond drained;                /* the outbox became empty, or whoever waits for that is to look again */
  gboolean is_empty, is_stored; /* the outbox; all that is in it on disk */
  gboolean is_connected, is_interrupted, is_stopping;
  gboolean is_away; /* not connected, and not for lack of time */
  gint64 deadline;  /* to stop, monotonic time */
  guint64 n_connections;

  /* The worker's. */
  gboolean is_open, is_broken, is_trying;
  guint n_in_flight, max_in_flight;
  gint64 next_try, delay; /* us */
  guint told;             /* what users know of */
  guint64 told_dropped;
} GstCcaBrokerWorker;

void gst_cca_broker_worker_init (GstCcaBrokerWorker *self, GstCcaBrokerSink *sink);
void gst_cca_broker_worker_clear (GstCcaBrokerWorker *self);

/* Opens a client of the settings if none is open; closes it. Not while the worker runs. */
gboolean gst_cca_broker_worker_open (GstCcaBrokerWorker *self, const GstCcaBrokerSettings *settings, GError **error);
void gst_cca_broker_worker_close (GstCcaBrokerWorker *self);

/* Runs with an open client. */
void gst_cca_broker_worker_start (GstCcaBrokerWorker *self, GstCcaOutbox *outbox);
/* Delivers messages until the deadline, disconnects, and closes the client. Without a connection, messages stay in the
 * spool. Allowed if the worker does not run. */
void gst_cca_broker_worker_stop (GstCcaBrokerWorker *self, gint64 deadline);

/* Makes the worker look at the outbox. Any thread. */
void gst_cca_broker_worker_wake (GstCcaBrokerWorker *self);

/* Waits until the outbox is empty, until the deadline, or for an interruption. With a spool, does not wait for a
 * connection. Any thread. */
void gst_cca_broker_worker_drain (GstCcaBrokerWorker *self, gint64 deadline);
void gst_cca_broker_worker_interrupt (GstCcaBrokerWorker *self, gboolean interrupt);

/* Any thread. */
gboolean gst_cca_broker_worker_is_connected (GstCcaBrokerWorker *self, guint64 *n_reconnects);

/* Calls from subclasses; see gstccabrokersink.h. */
void gst_cca_broker_worker_connected (GstCcaBrokerWorker *self);
void gst_cca_broker_worker_disconnected (GstCcaBrokerWorker *self, GstCcaBrokerFailure failure, const gchar *reason);
void gst_cca_broker_worker_delivered (GstCcaBrokerWorker *self, guint64 token, GstCcaBrokerOutcome outcome,
                                      const gchar *reason);

G_END_DECLS

#endif
