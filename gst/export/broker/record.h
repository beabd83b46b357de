/* gst-cca: the files of a spool: records of messages, and a mark
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Both have checksums. Knows GLib only. Functions that fail set errno.
 */
#pragma once

#include "message.h"

#define GST_CCA_RECORD_LAST_SERIAL (G_GUINT64_CONSTANT (1) << 62) /* never reached: files beyond it are damaged */

/* A record's head; topic, key and payload follow, its body. Little endian in a file. */
typedef struct
{
  guint32 magic, crc; /* crc: of all that follows these two */
  guint32 topic_size, key_size, payload_size, flags;
  guint64 serial, utc;
} GstCcaRecordHead;

/* Returns a record in the file's format, which the caller frees, or NULL if it would be too large. */
GByteArray *gst_cca_record_new (guint64 serial, const GstCcaBrokerMessage *message);
gboolean gst_cca_record_write (const GByteArray *record, int fd, guint64 offset);

/* Reads the record at an offset. Returns its body, which the caller frees, or NULL if there is none that is whole. */
guint8 *gst_cca_record_read (GstCcaRecordHead *head, int fd, guint64 offset);
/* Returns the bytes of head and body. */
guint64 gst_cca_record_size (const GstCcaRecordHead *head);
GstCcaBrokerMessage *gst_cca_record_message (const GstCcaRecordHead *head, const guint8 *body);

/* The mark, which is a file of its own: a serial. Returns 0 if it cannot be read. */
guint64 gst_cca_mark_read (int fd);
gboolean gst_cca_mark_write (int fd, guint64 serial);
