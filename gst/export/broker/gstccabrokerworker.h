/* gst-cca: the thread that hands messages to a broker's client
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The worker takes messages from an outbox in their order, and publishes them through a client, with which an element
 * fills in a table of functions. It connects, with growing delays after failures, and publishes again what failed. A
 * message stays in the outbox until the client reports its outcome.
 */
#pragma once

#include <gst/gst.h>

#include "outbox.h"

/* The outcome of a message. */
typedef enum
{
  GST_CCA_BROKER_DELIVERED, /* leaves the outbox */
  GST_CCA_BROKER_REFUSED,   /* for good: leaves the outbox and is counted; a warning gives the reason */
  GST_CCA_BROKER_FAILED,    /* not delivered: the worker publishes it again, before any new message */
} GstCcaBrokerOutcome;

/* Why there is no connection. */
typedef enum
{
  GST_CCA_BROKER_AWAY,      /* cannot be reached */
  GST_CCA_BROKER_DENIED,    /* password, certificate or rights: a warning gives the reason; the worker tries again */
  GST_CCA_BROKER_BROKEN,    /* the client is unusable: the worker closes it, opens a new one, and publishes messages in
                               flight again */
  GST_CCA_BROKER_FORGETFUL, /* the broker is there but has lost the client's session: as BROKEN, but the worker opens
                               the new client at once */
} GstCcaBrokerFailure;

typedef enum
{
  GST_CCA_BROKER_TAKEN, /* in flight until gst_cca_broker_worker_delivered(), which may have been called already */
  GST_CCA_BROKER_LATER, /* not now: the worker offers the message again after the next poll() that does something */
} GstCcaBrokerPublish;

/* A client of a broker, made by an element. Calls come from one thread at a time: open() and close() from the thread
 * that changes the state or from the worker, all others from the worker. Other than close() and poll(), none may wait
 * for the network. */
typedef struct
{
  /* Makes a client without a connection. On failure, fills in the error, which becomes the element's, and leaves
   * nothing open. */
  gboolean (*open) (GstElement *element, GError **error);
  /* Frees the client at once. Messages in flight may or may not have arrived. */
  void (*close) (GstElement *element);

  /* Begins a connection; NULL for libraries that connect by themselves, from open() on. The client reports the result
   * by gst_cca_broker_worker_connected() or _disconnected(), from here or from a poll(). After a failure the worker
   * calls it again, with growing delays. */
  void (*connect) (GstElement *element);
  /* Disconnects in order; _disconnected() or the deadline ends it. May be NULL. Nothing is in flight, unless the time
   * ran out. */
  void (*disconnect) (GstElement *element);

  /* Hands a message to the library; copies all that it needs. Called while connected (always, if connect is
   * NULL) and while fewer than max_in_flight() messages are in flight. The token names the message; it is never 0. */
  GstCcaBrokerPublish (*publish) (GstElement *element, const GstCcaBrokerMessage *message, guint64 token);
  /* The largest number of messages in flight, > 0; read after open(). */
  guint (*max_in_flight) (GstElement *element);

  /* Waits until the library has something to do, until wake_fd is readable, or for timeout_ms; then lets the library
   * do it. The client does not read wake_fd. A library with threads of its own calls gst_cca_broker_worker_wake()
   * from there and waits for wake_fd alone. */
  void (*poll) (GstElement *element, gint wake_fd, gint timeout_ms);
} GstCcaBrokerClient;

typedef struct _GstCcaBrokerWorker GstCcaBrokerWorker;

/* Makes a worker for an element, which outlives it; the table is static. */
GstCcaBrokerWorker *gst_cca_broker_worker_new (GstElement *element, const GstCcaBrokerClient *client);
void gst_cca_broker_worker_free (GstCcaBrokerWorker *self);

/* Opens a client if none is open; closes it. Not while the worker runs. max_messages: as many the outbox holds in
 * memory; at most half of them will be in flight, so that the oldest of a full outbox can be dropped. */
gboolean gst_cca_broker_worker_open (GstCcaBrokerWorker *self, guint max_messages, GError **error);
void gst_cca_broker_worker_close (GstCcaBrokerWorker *self);

/* Runs with an open client. */
void gst_cca_broker_worker_start (GstCcaBrokerWorker *self, GstCcaOutbox *outbox);
/* Delivers messages until the deadline, disconnects, and closes the client. Without a connection, messages stay in the
 * spool. Allowed if the worker does not run. */
void gst_cca_broker_worker_stop (GstCcaBrokerWorker *self, gint64 deadline);

/* --- Any thread -------------------------------------------------------------------------------------- */

/* Makes the worker look at the outbox, and poll() return. */
void gst_cca_broker_worker_wake (GstCcaBrokerWorker *self);

/* Waits until the outbox is empty, until the deadline, or for an interruption. With a spool, does not wait for a
 * connection. */
void gst_cca_broker_worker_drain (GstCcaBrokerWorker *self, gint64 deadline);
void gst_cca_broker_worker_interrupt (GstCcaBrokerWorker *self, gboolean interrupt);

gboolean gst_cca_broker_worker_is_connected (GstCcaBrokerWorker *self, guint64 *n_reconnects);

/* --- For clients, on the worker's thread ------------------------------------------------------------- */

void gst_cca_broker_worker_connected (GstCcaBrokerWorker *self);
/* Also for a failed attempt to connect. The reason is for users, in English, without passwords. With connect == NULL,
 * affects only stats and messages, unless the failure is BROKEN or FORGETFUL. */
void gst_cca_broker_worker_disconnected (GstCcaBrokerWorker *self, GstCcaBrokerFailure failure, const gchar *reason);
/* The reason may be NULL for DELIVERED. Ignores tokens that are not in flight. */
void gst_cca_broker_worker_delivered (GstCcaBrokerWorker *self, guint64 token, GstCcaBrokerOutcome outcome,
                                      const gchar *reason);
