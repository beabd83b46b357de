/* gst-cca: messages on disk, in their order
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A log in a folder: segments, to which records are appended, and a mark below which all are delivered. It survives the
 * end of its process at any time: a record that was not written to its end is left out. It does not wait for the disk,
 * so a power failure may lose the last records.
 *
 * One thread at a time. Knows GLib only. Errors are of G_FILE_ERROR, and name the file.
 */
#pragma once

#include "message.h"

typedef struct _GstCcaSpool GstCcaSpool;

/* Opens a folder for this process alone, and makes it if it is missing. Holds at most max_bytes. Reading begins with
 * the first record that is not below the mark. Sets *n_damaged, which may be NULL, to the segments that end in a
 * record that cannot be read, other than by being cut off as the last. */
GstCcaSpool *gst_cca_spool_open (const gchar *directory, guint64 max_bytes, guint *n_damaged, GError **error);
void gst_cca_spool_close (GstCcaSpool *self);

/* Appends a message. Serials grow. If there is too little room, removes the oldest segments, and adds the number of
 * their unread records to *n_dropped. On failure appends nothing; the other records stay readable. */
gboolean gst_cca_spool_append (GstCcaSpool *self, guint64 serial, const GstCcaBrokerMessage *message,
                               guint64 *n_dropped, GError **error);

/* Returns the oldest unread message, which is read then, and its serial; the caller frees it. NULL without an error:
 * all are read. NULL with an error: the rest of a segment cannot be read and was left out; *n_dropped grows by it. */
GstCcaBrokerMessage *gst_cca_spool_read (GstCcaSpool *self, guint64 *serial, guint64 *n_dropped, GError **error);
/* Counts the oldest unread message as read; it must be the one that was appended last. */
void gst_cca_spool_skip (GstCcaSpool *self);
guint64 gst_cca_spool_n_unread (const GstCcaSpool *self);

/* Notes that all serials below this one are delivered, and removes the segments that have no others. */
gboolean gst_cca_spool_set_mark (GstCcaSpool *self, guint64 serial, GError **error);

/* The serial that follows the highest that it knows of; 1 for a new spool. */
guint64 gst_cca_spool_next_serial (const GstCcaSpool *self);
/* The bytes of all segments. */
guint64 gst_cca_spool_bytes (const GstCcaSpool *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaSpool, gst_cca_spool_close)
