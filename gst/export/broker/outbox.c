/* gst-cca: messages that wait for their delivery
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A message goes from `fresh` to the spool, if there is one, then to `ready`, then to `flight`. As long as the worker
 * keeps up, it stays in memory on its way; otherwise it is read from the spool when its turn comes.
 */
#include "outbox.h"

#include "spool.h"

/* Messages that are kept in memory though they are in the spool. */
#define MOST_READY 1024
#define READY_BYTES ((guint64) 4 * 1024 * 1024)

/* Between tries to write to a spool that failed, us. */
#define RETRY_INTERVAL (G_TIME_SPAN_SECOND)

/* At a time, so that publishing gets its turn. */
#define MOST_STORED 4096
#define MOST_LOADED 256

typedef struct
{
  GstCcaBrokerMessage *message;
  guint64 token;
  gsize n_bytes;
  gboolean is_stored;
} Entry;

/* Entries by growing token. */
typedef struct
{
  GQueue entries;
  guint64 n_bytes;
} Line;

struct _GstCcaOutbox
{
  guint64 max_messages, max_bytes;

  GMutex lock; /* for the fields up to the worker's */
  Line fresh, ready, flight;
  GHashTable *in_flight; /* token: link of `flight` */
  guint64 next_token;
  guint storing;    /* 1 while the worker writes an entry */
  guint64 n_unread; /* the spool's */
  guint64 n_flight_stored;
  GstCcaOutboxStats stats; /* all but the lengths of the queues */

  /* The worker's. */
  GstCcaSpool *spool; /* or NULL */
  guint64 spool_max_bytes;
  GstCcaOutboxClock clock;
  gint64 retry_time; /* of the clock; 0: the spool works */
};

/* --- Lines ------------------------------------------------------------------------------------------- */

static void
entry_free (Entry *entry)
{
  gst_cca_broker_message_free (entry->message);
  g_free (entry);
}

static Entry *
entry_new (GstCcaBrokerMessage *message, guint64 token, gboolean is_stored)
{
  Entry *entry = g_new (Entry, 1);

  *entry = (Entry) {
    .message = message,
    .token = token,
    .n_bytes = gst_cca_broker_message_size (message),
    .is_stored = is_stored,
  };
  return entry;
}

/* Inserts an entry at its place. Returns its link. */
static GList *
line_insert (Line *line, Entry *entry)
{
  GList *before = line->entries.tail;

  while (before && ((Entry *) before->data)->token > entry->token)
    before = before->prev;
  line->n_bytes += entry->n_bytes;
  if (!before) {
    g_queue_push_head (&line->entries, entry);
    return line->entries.head;
  }
  g_queue_insert_after (&line->entries, before, entry);
  return before->next;
}

static Entry *
line_remove (Line *line, GList *link)
{
  Entry *entry = link->data;

  g_queue_delete_link (&line->entries, link);
  line->n_bytes -= entry->n_bytes;
  return entry;
}

static Entry *
line_pop (Line *line)
{
  return line->entries.head ? line_remove (line, line->entries.head) : NULL;
}

static guint64
first_token (const Line *line)
{
  return line->entries.head ? ((Entry *) line->entries.head->data)->token : G_MAXUINT64;
}

/* --- Making ------------------------------------------------------------------------------------------ */

GstCcaOutbox *
gst_cca_outbox_new (guint64 max_messages, guint64 max_bytes, GstCcaOutboxClock clock)
{
  GstCcaOutbox *self = g_new0 (GstCcaOutbox, 1);

  self->clock = clock;
  self->max_messages = max_messages;
  self->max_bytes = max_bytes;
  g_mutex_init (&self->lock);
  self->in_flight = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->next_token = 1;
  return self;
}

gboolean
gst_cca_outbox_open_spool (GstCcaOutbox *self, const gchar *directory, guint64 max_bytes, guint *n_damaged,
                           GError **error)
{
  self->spool = gst_cca_spool_open (directory, max_bytes, n_damaged, error);
  if (!self->spool)
    return FALSE;
  self->next_token = gst_cca_spool_next_serial (self->spool);
  self->spool_max_bytes = max_bytes;
  self->stats.recovered = self->n_unread = gst_cca_spool_n_unread (self->spool);
  return TRUE;
}

void
gst_cca_outbox_free (GstCcaOutbox *self)
{
  if (!self)
    return;
  gst_cca_spool_close (self->spool);
  g_hash_table_unref (self->in_flight);
  g_queue_clear_full (&self->fresh.entries, (GDestroyNotify) entry_free);
  g_queue_clear_full (&self->ready.entries, (GDestroyNotify) entry_free);
  g_queue_clear_full (&self->flight.entries, (GDestroyNotify) entry_free);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* --- Pushing ----------------------------------------------------------------------------------------- */

/* Messages on disk take at most READY_BYTES of memory, and do not count. */
static gboolean
is_over (GstCcaOutbox *self)
{
  guint64 n = self->fresh.entries.length, n_bytes = self->fresh.n_bytes;

  if (!self->spool) {
    n += self->ready.entries.length + self->flight.entries.length;
    n_bytes += self->ready.n_bytes + self->flight.n_bytes;
  }
  return n > self->max_messages || n_bytes > self->max_bytes;
}

/* Drops the oldest that wait until the rest fits. Under the lock. */
static void
drop_oldest (GstCcaOutbox *self)
{
  while (is_over (self)) {
    Entry *entry = self->spool ? NULL : line_pop (&self->ready);

    if (!entry)
      entry = line_pop (&self->fresh);
    if (!entry)
      return;
    entry_free (entry);
    self->stats.dropped_overflow++;
  }
}

void
gst_cca_outbox_push (GstCcaOutbox *self, GstCcaBrokerMessage *message)
{
  g_mutex_lock (&self->lock);
  line_insert (&self->fresh, entry_new (message, self->next_token++, FALSE));
  self->stats.messages++;
  drop_oldest (self);
  g_mutex_unlock (&self->lock);
}

/* --- The spool --------------------------------------------------------------------------------------- */

/* Whether a message that is on disk may stay in memory, as the next one in the order. Under the lock. */
static gboolean
may_stay (GstCcaOutbox *self)
{
  return gst_cca_spool_n_unread (self->spool) == 1 && self->ready.entries.length < MOST_READY
         && self->ready.n_bytes < READY_BYTES;
}

static Entry *
pop_fresh (GstCcaOutbox *self)
{
  Entry *entry;

  g_mutex_lock (&self->lock);
  entry = line_pop (&self->fresh);
  self->storing = entry != NULL;
  g_mutex_unlock (&self->lock);
  return entry;
}

/* Moves on an entry after the attempt to store it. */
static void
settle (GstCcaOutbox *self, Entry *entry, gboolean stored, guint64 n_dropped)
{
  g_mutex_lock (&self->lock);
  self->storing = 0;
  self->stats.dropped_spool += n_dropped;
  if (!stored && entry->n_bytes > self->spool_max_bytes) {
    self->stats.dropped_spool++;
    entry_free (entry);
  } else if (!stored) {
    self->stats.spool_errors++;
    line_insert (&self->fresh, entry);
    drop_oldest (self);
  } else if (may_stay (self)) {
    entry->is_stored = TRUE;
    gst_cca_spool_skip (self->spool);
    line_insert (&self->ready, entry);
  } else {
    entry_free (entry);
  }
  self->n_unread = gst_cca_spool_n_unread (self->spool);
  g_mutex_unlock (&self->lock);
}

/* Returns the token below which everything is delivered or dropped; 0 if that is not known. */
static guint64
mark_of (GstCcaOutbox *self)
{
  const guint64 n_unread = gst_cca_spool_n_unread (self->spool);
  guint64 mark;

  g_mutex_lock (&self->lock);
  mark = MIN (first_token (&self->flight), first_token (&self->ready));
  if (n_unread == 0)
    mark = MIN (MIN (mark, first_token (&self->fresh)), self->next_token);
  g_mutex_unlock (&self->lock);
  return mark == G_MAXUINT64 ? 0 : mark;
}

/* Writes an entry, which then belongs to a line again. */
static gboolean
store_entry (GstCcaOutbox *self, Entry *entry, GError **error)
{
  guint64 n_dropped = 0;
  const gboolean stored = gst_cca_spool_append (self->spool, entry->token, entry->message, &n_dropped, error);

  settle (self, entry, stored, n_dropped);
  return stored;
}

gboolean
gst_cca_outbox_store (GstCcaOutbox *self, GError **error)
{
  Entry *entry;

  if (!self->spool || self->clock () < self->retry_time)
    return TRUE;
  self->retry_time = 0;
  for (guint n = 0; n < MOST_STORED && (entry = pop_fresh (self)); n++)
    if (!store_entry (self, entry, error)) {
      self->retry_time = self->clock () + RETRY_INTERVAL;
      return FALSE;
    }
  return gst_cca_spool_set_mark (self->spool, mark_of (self), error);
}

gboolean
gst_cca_outbox_can_store (GstCcaOutbox *self)
{
  return self->retry_time == 0;
}

/* Reads messages whose turn comes. */
static gboolean
load (GstCcaOutbox *self, GError **error)
{
  GstCcaBrokerMessage *message;
  guint64 serial, n_dropped = 0, n_bytes = 0;

  for (guint n = 0; n < MOST_LOADED && n_bytes < READY_BYTES / 4; n++) {
    message = gst_cca_spool_read (self->spool, &serial, &n_dropped, error);
    g_mutex_lock (&self->lock);
    if (message) {
      Entry *entry = entry_new (message, serial, TRUE);

      n_bytes += entry->n_bytes;
      line_insert (&self->ready, entry);
    }
    self->stats.dropped_spool += n_dropped;
    self->n_unread = gst_cca_spool_n_unread (self->spool);
    g_mutex_unlock (&self->lock);
    if (!message)
      return n_dropped == 0;
  }
  return TRUE;
}

/* --- Publishing -------------------------------------------------------------------------------------- */

/* Moves an entry in flight. Under the lock. */
static void
launch (GstCcaOutbox *self, Entry *entry)
{
  g_hash_table_insert (self->in_flight, &entry->token, line_insert (&self->flight, entry));
  self->n_flight_stored += entry->is_stored;
}

/* Takes an entry out of flight. Under the lock. */
static Entry *
take_from_flight (GstCcaOutbox *self, GList *link)
{
  Entry *entry = line_remove (&self->flight, link);

  g_hash_table_remove (self->in_flight, &entry->token);
  self->n_flight_stored -= entry->is_stored;
  return entry;
}

/* Lets an entry wait again: for the spool if that has not stored it. Under the lock. */
static void
wait_again (GstCcaOutbox *self, Entry *entry)
{
  line_insert (self->spool && !entry->is_stored ? &self->fresh : &self->ready, entry);
}

const GstCcaBrokerMessage *
gst_cca_outbox_next (GstCcaOutbox *self, guint64 *token, GError **error)
{
  Entry *entry;

  if (self->spool && gst_cca_spool_n_unread (self->spool) > 0 && !self->ready.entries.head)
    load (self, error);
  g_mutex_lock (&self->lock);
  entry = line_pop (&self->ready);
  if (!entry && (!self->spool || (self->retry_time != 0 && self->n_unread == 0)))
    entry = line_pop (&self->fresh);
  if (entry)
    launch (self, entry);
  g_mutex_unlock (&self->lock);
  if (!entry)
    return NULL;
  *token = entry->token;
  return entry->message;
}

gboolean
gst_cca_outbox_finish (GstCcaOutbox *self, guint64 token, GstCcaOutboxOutcome outcome)
{
  GList *link;

  g_mutex_lock (&self->lock);
  link = g_hash_table_lookup (self->in_flight, &token);
  if (link) {
    Entry *entry = take_from_flight (self, link);

    self->stats.sent += outcome == GST_CCA_OUTBOX_SENT;
    self->stats.dropped_refused += outcome == GST_CCA_OUTBOX_REFUSED;
    if (outcome == GST_CCA_OUTBOX_AGAIN)
      wait_again (self, entry);
    else
      entry_free (entry);
  }
  g_mutex_unlock (&self->lock);
  return link != NULL;
}

void
gst_cca_outbox_restart (GstCcaOutbox *self)
{
  g_mutex_lock (&self->lock);
  while (self->flight.entries.head)
    wait_again (self, take_from_flight (self, self->flight.entries.head));
  g_mutex_unlock (&self->lock);
}

/* --- Stats ------------------------------------------------------------------------------------------- */

GstCcaOutboxStats
gst_cca_outbox_stats (GstCcaOutbox *self)
{
  GstCcaOutboxStats stats;

  g_mutex_lock (&self->lock);
  stats = self->stats;
  stats.queued = (guint64) self->fresh.entries.length + self->storing + self->ready.entries.length + self->n_unread;
  stats.in_flight = self->flight.entries.length;
  if (self->spool)
    stats.spooled = self->n_unread + self->ready.entries.length + self->n_flight_stored;
  g_mutex_unlock (&self->lock);
  return stats;
}
