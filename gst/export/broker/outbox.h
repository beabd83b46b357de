/* gst-cca: messages that wait for their delivery
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A bounded queue in memory and, with a folder, a spool on disk. A message is in it from gst_cca_outbox_push() until
 * its outcome is known. If it is full, it drops and counts the oldest that wait; messages in flight stay.
 *
 * Any thread pushes and asks for stats, one (the worker) does the rest. Pushing never waits for the disk. Knows GLib
 * only.
 */
#pragma once

#include "message.h"

typedef struct _GstCcaOutbox GstCcaOutbox;

/* At any time: messages + recovered = sent + queued + in_flight + all that were dropped. */
typedef struct
{
  guint64 messages;         /* that were pushed */
  guint64 recovered;        /* that an earlier process left in the spool */
  guint64 sent;             /* delivered */
  guint64 queued;           /* waiting, in memory or on disk */
  guint64 spooled;          /* queued or in flight, and on disk */
  guint64 in_flight;        /* published, of unknown outcome */
  guint64 dropped_overflow; /* because the memory was full */
  guint64 dropped_spool;    /* because the spool was too small, or damaged */
  guint64 dropped_refused;  /* by the broker */
  guint64 spool_errors;     /* writes that failed; the messages stayed in memory */
} GstCcaOutboxStats;

typedef enum
{
  GST_CCA_OUTBOX_SENT,
  GST_CCA_OUTBOX_REFUSED,
  GST_CCA_OUTBOX_AGAIN, /* it waits again, at its place */
} GstCcaOutboxOutcome;

/* Returns a time, us, that never goes back. */
typedef gint64 (*GstCcaOutboxClock) (void);

/* Makes an outbox. The limits, both > 0, are for messages that are in memory only. The clock is that of the system,
 * g_get_monotonic_time(), or a test's. */
GstCcaOutbox *gst_cca_outbox_new (guint64 max_messages, guint64 max_bytes, GstCcaOutboxClock clock);
/* Before the first push. Sets *n_damaged as gst_cca_spool_open(). */
gboolean gst_cca_outbox_open_spool (GstCcaOutbox *self, const gchar *directory, guint64 max_bytes, guint *n_damaged,
                                    GError **error);
/* Messages that wait in memory only are lost. */
void gst_cca_outbox_free (GstCcaOutbox *self);

/* Takes the message. Any thread. */
void gst_cca_outbox_push (GstCcaOutbox *self, GstCcaBrokerMessage *message);

/* --- The worker -------------------------------------------------------------------------------------- */

/* Brings the spool up to date. Call it after pushes and outcomes. FALSE: a file could not be written or read; the
 * messages stay in memory, and it tries again when it is called a second later. */
gboolean gst_cca_outbox_store (GstCcaOutbox *self, GError **error);

/* Puts the oldest waiting message in flight and returns it with its token; or NULL. The message is valid until
 * gst_cca_outbox_finish() gets its token. Sets an error if some messages in the spool could not be read. */
const GstCcaBrokerMessage *gst_cca_outbox_next (GstCcaOutbox *self, guint64 *token, GError **error);
/* Returns FALSE if no message in flight has the token. */
gboolean gst_cca_outbox_finish (GstCcaOutbox *self, guint64 token, GstCcaOutboxOutcome outcome);
/* Lets everything in flight wait again. */
void gst_cca_outbox_restart (GstCcaOutbox *self);

/* Returns whether the last write to the spool, if there is one, succeeded. */
gboolean gst_cca_outbox_can_store (GstCcaOutbox *self);

/* --- Anyone ------------------------------------------------------------------------------------------ */

GstCcaOutboxStats gst_cca_outbox_stats (GstCcaOutbox *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaOutbox, gst_cca_outbox_free)
