/* gst-cca: the thread that hands messages to a broker's client
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokerworker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <glib-unix.h>

#include "gstccapost.h"

GST_DEBUG_CATEGORY (gst_cca_broker_debug);
#define GST_CAT_DEFAULT gst_cca_broker_debug

/* Between two tries to connect; doubles with each, until a message is delivered. */
#define FIRST_DELAY (G_TIME_SPAN_SECOND / 4)
#define LONGEST_DELAY (30 * G_TIME_SPAN_SECOND)

/* The longest poll, so that libraries can keep a connection alive, and spools that failed are tried again. */
#define LONGEST_POLL (G_TIME_SPAN_SECOND)

/* Messages that are published between two polls. */
#define MOST_AT_ONCE 256

/* For a goodbye to the broker when time is up. */
#define GOODBYE (G_TIME_SPAN_SECOND / 5)

/* Problems that were reported to users; each is reported once until it is over. */
enum
{
  TOLD_AWAY = 1 << 0,
  TOLD_DENIED = 1 << 1,
  TOLD_REFUSED = 1 << 2,
  TOLD_DROPPED = 1 << 3,
  TOLD_SPOOL = 1 << 4,
};

struct _GstCcaBrokerWorker
{
  GstElement *element;
  const GstCcaBrokerClient *client;
  GstCcaOutbox *outbox; /* the element's, while the worker runs */
  GThread *thread;
  gint wake_fds[2]; /* a pipe: read, write */
  gint is_woken;    /* atomic: the pipe has a byte */

  GMutex lock;                  /* for what follows */
  GCond drained;                /* the outbox became empty, or waiters must check again */
  gboolean is_empty, is_stored; /* the outbox; all that is in it on disk */
  gboolean is_connected, is_interrupted, is_stopping;
  gboolean is_away; /* not connected, and not for lack of time */
  gint64 deadline;  /* to stop, monotonic time */
  guint64 n_connections;

  /* The worker's. */
  gboolean is_open, is_broken, is_trying;
  guint max_messages, n_in_flight, max_in_flight;
  gint64 next_try, delay; /* us */
  guint told;             /* TOLD_ */
  guint64 told_dropped;
};

static gboolean
must_tell (GstCcaBrokerWorker *self, guint what)
{
  const gboolean first = !(self->told & what);

  self->told |= what;
  return first;
}

/* --- Waking ------------------------------------------------------------------------------------------ */

static gboolean
open_pipe (GstCcaBrokerWorker *self, GError **error)
{
  return self->wake_fds[0] >= 0
         || (g_unix_open_pipe (self->wake_fds, FD_CLOEXEC, error)
             && g_unix_set_fd_nonblocking (self->wake_fds[0], TRUE, error)
             && g_unix_set_fd_nonblocking (self->wake_fds[1], TRUE, error));
}

void
gst_cca_broker_worker_wake (GstCcaBrokerWorker *self)
{
  if (self->wake_fds[1] < 0)
    return;
  if (g_atomic_int_compare_and_exchange (&self->is_woken, FALSE, TRUE))
    while (write (self->wake_fds[1], "", 1) < 0 && errno == EINTR) {
    }
}

static void
clear_wakeups (GstCcaBrokerWorker *self)
{
  gchar bytes[16];

  while (read (self->wake_fds[0], bytes, sizeof bytes) > 0) {
  }
  g_atomic_int_set (&self->is_woken, FALSE);
}

/* --- Reports of the client --------------------------------------------------------------------------- */

static void
set_connected (GstCcaBrokerWorker *self, gboolean connected)
{
  g_mutex_lock (&self->lock);
  self->is_away = !connected;
  self->n_connections += connected && !self->is_connected;
  self->is_connected = connected;
  g_cond_broadcast (&self->drained);
  g_mutex_unlock (&self->lock);
}

void
gst_cca_broker_worker_connected (GstCcaBrokerWorker *self)
{
  GST_INFO_OBJECT (self->element, "connected");
  self->told &= ~(TOLD_AWAY | TOLD_DENIED | TOLD_REFUSED);
  self->is_trying = FALSE;
  set_connected (self, TRUE);
}

static void
tell_failure (GstCcaBrokerWorker *self, GstCcaBrokerFailure failure, const gchar *reason)
{
  GST_INFO_OBJECT (self->element, "not connected: %s", reason);
  if (failure == GST_CCA_BROKER_DENIED && must_tell (self, TOLD_DENIED))
    gst_cca_post (self->element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED,
                  "%s; trying again; messages wait in the queue", reason);
  else if (failure != GST_CCA_BROKER_DENIED && must_tell (self, TOLD_AWAY))
    gst_cca_post (self->element, GST_MESSAGE_INFO, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
                  "%s; trying again; messages wait in the queue", reason);
}

/* Schedules the next try, at random, so that not all clients of a broker reconnect at once. */
static void
schedule (GstCcaBrokerWorker *self)
{
  self->delay = CLAMP (self->delay * 2, FIRST_DELAY, LONGEST_DELAY);
  self->next_try = g_get_monotonic_time () + self->delay * g_random_double_range (0.8, 1.2);
}

void
gst_cca_broker_worker_disconnected (GstCcaBrokerWorker *self, GstCcaBrokerFailure failure, const gchar *reason)
{
  gboolean is_stopping;

  g_mutex_lock (&self->lock);
  is_stopping = self->is_stopping;
  g_mutex_unlock (&self->lock);
  self->is_broken |= failure == GST_CCA_BROKER_BROKEN || failure == GST_CCA_BROKER_FORGETFUL;
  self->is_trying = FALSE;
  set_connected (self, FALSE);
  if (!is_stopping)
    tell_failure (self, failure, reason);
  if (failure == GST_CCA_BROKER_FORGETFUL)
    self->next_try = 0;
  else
    schedule (self);
}

void
gst_cca_broker_worker_delivered (GstCcaBrokerWorker *self, guint64 token, GstCcaBrokerOutcome outcome,
                                 const gchar *reason)
{
  static const GstCcaOutboxOutcome outcomes[] = {
    [GST_CCA_BROKER_DELIVERED] = GST_CCA_OUTBOX_SENT,
    [GST_CCA_BROKER_REFUSED] = GST_CCA_OUTBOX_REFUSED,
    [GST_CCA_BROKER_FAILED] = GST_CCA_OUTBOX_AGAIN,
  };

  if (!gst_cca_outbox_finish (self->outbox, token, outcomes[outcome]))
    return;
  self->n_in_flight--;
  if (outcome == GST_CCA_BROKER_DELIVERED)
    self->delay = 0;
  if (outcome == GST_CCA_BROKER_REFUSED && must_tell (self, TOLD_REFUSED))
    gst_cca_post (self->element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
                  "The broker refuses a message: %s; the element drops it, and others like it", reason);
}

/* --- The client -------------------------------------------------------------------------------------- */

gboolean
gst_cca_broker_worker_open (GstCcaBrokerWorker *self, guint max_messages, GError **error)
{
  if (self->is_open)
    return TRUE;
  if (!open_pipe (self, error))
    return FALSE;
  self->max_messages = max_messages;
  self->is_broken = self->is_trying = FALSE;
  self->is_open = self->client->open (self->element, error);
  if (self->is_open)
    self->max_in_flight = CLAMP (self->client->max_in_flight (self->element), 1, MAX (max_messages / 2, 1));
  return self->is_open;
}

void
gst_cca_broker_worker_close (GstCcaBrokerWorker *self)
{
  if (self->is_open)
    self->client->close (self->element);
  self->is_open = FALSE;
}

static void
reopen (GstCcaBrokerWorker *self)
{
  g_autoptr (GError) error = NULL;

  gst_cca_broker_worker_close (self);
  gst_cca_outbox_restart (self->outbox);
  self->n_in_flight = 0;
  self->is_broken = FALSE;
  if (!gst_cca_broker_worker_open (self, self->max_messages, &error))
    gst_cca_broker_worker_disconnected (self, GST_CCA_BROKER_BROKEN, error->message);
}

/* Opens and connects a client if there is none and a try is due. */
static void
keep_client (GstCcaBrokerWorker *self)
{
  if (((self->is_connected || self->is_trying) && !self->is_broken) || g_get_monotonic_time () < self->next_try)
    return;
  if (self->is_broken)
    reopen (self);
  if (!self->is_open || !self->client->connect)
    return;
  self->is_trying = TRUE;
  self->client->connect (self->element);
}

/* --- Messages ---------------------------------------------------------------------------------------- */

static void
tell_spool (GstCcaBrokerWorker *self, const GError *error)
{
  if (must_tell (self, TOLD_SPOOL))
    gst_cca_post (self->element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                  "%s; messages wait in memory", error->message);
}

static void
store (GstCcaBrokerWorker *self)
{
  g_autoptr (GError) error = NULL;

  if (!gst_cca_outbox_store (self->outbox, &error))
    tell_spool (self, error);
  else if (gst_cca_outbox_can_store (self->outbox))
    self->told &= ~TOLD_SPOOL;
}

static gboolean
can_publish (GstCcaBrokerWorker *self)
{
  return self->is_open && !self->is_broken && self->n_in_flight < self->max_in_flight
         && (self->is_connected || !self->client->connect);
}

/* Returns whether there may be more to publish at once. */
static gboolean
publish (GstCcaBrokerWorker *self)
{
  for (guint n = 0; n < MOST_AT_ONCE; n++) {
    g_autoptr (GError) error = NULL;
    const GstCcaBrokerMessage *message;
    guint64 token;

    if (!can_publish (self))
      return FALSE;
    message = gst_cca_outbox_next (self->outbox, &token, &error);
    if (error)
      tell_spool (self, error);
    if (!message)
      return error != NULL;
    self->n_in_flight++;
    if (self->client->publish (self->element, message, token) == GST_CCA_BROKER_LATER) {
      gst_cca_broker_worker_delivered (self, token, GST_CCA_BROKER_FAILED, NULL);
      return FALSE;
    }
  }
  return TRUE;
}

/* Whether a drain can end: the outbox is empty, or stored while the broker is away. Under the lock. */
static gboolean
is_drained (GstCcaBrokerWorker *self)
{
  return self->is_empty || (self->is_stored && self->is_away);
}

/* Reports the state of the outbox to users and to waiters. */
static void
report (GstCcaBrokerWorker *self)
{
  GstCcaOutboxStats stats;
  guint64 dropped;

  g_mutex_lock (&self->lock); /* waiters have pushed before they took it */
  stats = gst_cca_outbox_stats (self->outbox);
  dropped = stats.dropped_overflow + stats.dropped_spool;
  self->is_empty = stats.queued == 0 && stats.in_flight == 0;
  self->is_stored = stats.spooled == stats.queued + stats.in_flight;
  if (is_drained (self))
    g_cond_broadcast (&self->drained);
  g_mutex_unlock (&self->lock);
  if (stats.queued == 0 && stats.in_flight == 0)
    self->told &= ~TOLD_DROPPED;
  if (dropped > self->told_dropped && must_tell (self, TOLD_DROPPED))
    gst_cca_post_detail (self->element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                         g_strdup ("the oldest are dropped first; stats counts them"),
                         "The queue is full: %" G_GUINT64_FORMAT " messages dropped so far; raise %s", dropped,
                         stats.dropped_spool > 0 ? "spool-max-bytes"
                                                 : "max-messages and max-bytes, or set spool-directory");
  self->told_dropped = dropped;
}

/* --- The thread -------------------------------------------------------------------------------------- */

static gboolean
is_over (GstCcaBrokerWorker *self)
{
  gboolean over;

  g_mutex_lock (&self->lock);
  over = self->is_stopping && (is_drained (self) || g_get_monotonic_time () >= self->deadline);
  g_mutex_unlock (&self->lock);
  return over;
}

static gint
poll_timeout (GstCcaBrokerWorker *self)
{
  const gint64 now = g_get_monotonic_time ();
  gint64 timeout = LONGEST_POLL;

  if (!self->is_connected && !self->is_trying && (self->is_broken || self->client->connect))
    timeout = MIN (timeout, self->next_try - now);
  g_mutex_lock (&self->lock);
  if (self->is_stopping)
    timeout = MIN (timeout, self->deadline - now);
  g_mutex_unlock (&self->lock);
  return (CLAMP (timeout, 0, LONGEST_POLL) + 999) / 1000;
}

static void
poll_client (GstCcaBrokerWorker *self, gint timeout_ms)
{
  if (self->is_open) {
    self->client->poll (self->element, self->wake_fds[0], timeout_ms);
  } else {
    GPollFD fd = { .fd = self->wake_fds[0], .events = G_IO_IN };

    g_poll (&fd, 1, timeout_ms);
  }
  clear_wakeups (self);
}

static void
disconnect_client (GstCcaBrokerWorker *self)
{
  const gint64 end = MAX (self->deadline, g_get_monotonic_time () + GOODBYE);

  if (!self->is_open || !self->is_connected || !self->client->disconnect)
    return;
  self->client->disconnect (self->element);
  while (self->is_connected && g_get_monotonic_time () < end)
    poll_client (self, GOODBYE / 1000 / 4);
}

static gpointer
run (gpointer data)
{
  GstCcaBrokerWorker *self = data;
  gboolean is_behind;
  sigset_t signals;

  /* Libraries may write to a lost connection. */
  sigemptyset (&signals);
  sigaddset (&signals, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  do {
    store (self);
    keep_client (self);
    is_behind = publish (self);
    poll_client (self, is_behind ? 0 : poll_timeout (self));
    report (self);
  } while (!is_over (self));
  disconnect_client (self);
  gst_cca_broker_worker_close (self);
  gst_cca_outbox_restart (self->outbox);
  self->n_in_flight = 0;
  store (self);
  set_connected (self, FALSE);
  return NULL;
}

/* --- From outside ------------------------------------------------------------------------------------ */

GstCcaBrokerWorker *
gst_cca_broker_worker_new (GstElement *element, const GstCcaBrokerClient *client)
{
  GstCcaBrokerWorker *self = g_new0 (GstCcaBrokerWorker, 1);

  self->element = element;
  self->client = client;
  self->wake_fds[0] = self->wake_fds[1] = -1;
  self->is_empty = TRUE;
  g_mutex_init (&self->lock);
  g_cond_init (&self->drained);
  return self;
}

void
gst_cca_broker_worker_free (GstCcaBrokerWorker *self)
{
  for (guint i = 0; i < 2; i++)
    if (self->wake_fds[i] >= 0)
      close (self->wake_fds[i]);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->drained);
  g_free (self);
}

void
gst_cca_broker_worker_start (GstCcaBrokerWorker *self, GstCcaOutbox *outbox)
{
  self->outbox = outbox;
  self->is_stopping = self->is_away = FALSE;
  self->next_try = self->delay = 0;
  self->told = 0;
  self->n_connections = 0;
  self->thread = g_thread_new ("ccabroker", run, self);
}

void
gst_cca_broker_worker_stop (GstCcaBrokerWorker *self, gint64 deadline)
{
  if (!self->thread)
    return;
  g_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  self->is_empty = self->is_stored = FALSE; /* until the worker has looked */
  self->deadline = deadline;
  g_mutex_unlock (&self->lock);
  gst_cca_broker_worker_wake (self);
  g_thread_join (self->thread);
  self->thread = NULL;
}

void
gst_cca_broker_worker_drain (GstCcaBrokerWorker *self, gint64 deadline)
{
  g_mutex_lock (&self->lock);
  self->is_empty = self->is_stored = FALSE; /* until the worker has looked */
  gst_cca_broker_worker_wake (self);
  while (!is_drained (self) && !self->is_interrupted)
    if (!g_cond_wait_until (&self->drained, &self->lock, deadline))
      break;
  g_mutex_unlock (&self->lock);
}

void
gst_cca_broker_worker_interrupt (GstCcaBrokerWorker *self, gboolean interrupt)
{
  g_mutex_lock (&self->lock);
  self->is_interrupted = interrupt;
  g_cond_broadcast (&self->drained);
  g_mutex_unlock (&self->lock);
}

gboolean
gst_cca_broker_worker_is_connected (GstCcaBrokerWorker *self, guint64 *n_reconnects)
{
  gboolean is_connected;

  g_mutex_lock (&self->lock);
  is_connected = self->is_connected;
  *n_reconnects = self->n_connections > 0 ? self->n_connections - 1 : 0;
  g_mutex_unlock (&self->lock);
  return is_connected;
}
