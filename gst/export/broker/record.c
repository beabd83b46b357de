/* gst-cca: the files of a spool: records of messages, and a mark
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x31414343u /* "CCA1", as bytes */
#define LARGEST_BODY ((guint32) 256 * 1024 * 1024)

enum
{
  FLAG_RETAIN = 1 << 0,
  FLAG_KEY = 1 << 1,
};

/* --- Bytes ------------------------------------------------------------------------------------------- */

/* CRC-32 of ISO 3309, a byte at a time. */
static guint32
crc_of (guint32 crc, gconstpointer data, gsize size)
{
  static guint32 table[256];
  static gsize ready;
  const guint8 *bytes = data;

  if (g_once_init_enter (&ready)) {
    for (guint32 i = 0; i < 256; i++) {
      guint32 value = i;

      for (guint bit = 0; bit < 8; bit++)
        value = value & 1 ? 0xEDB88320u ^ (value >> 1) : value >> 1;
      table[i] = value;
    }
    g_once_init_leave (&ready, 1);
  }
  crc = ~crc;
  for (gsize i = 0; i < size; i++)
    crc = table[(crc ^ bytes[i]) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

static gboolean
write_all (int fd, gconstpointer data, gsize size, guint64 offset)
{
  const guint8 *bytes = data;

  while (size > 0) {
    const gssize n = pwrite (fd, bytes, size, (off_t) offset);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      errno = n == 0 ? ENOSPC : errno;
      return FALSE;
    }
    bytes += n;
    size -= n;
    offset += n;
  }
  return TRUE;
}

/* Returns the bytes that were read, which are fewer at the end of the file, or -1. */
static gssize
read_all (int fd, gpointer data, gsize size, guint64 offset)
{
  gsize n_read = 0;

  while (n_read < size) {
    const gssize n = pread (fd, (guint8 *) data + n_read, size - n_read, (off_t) (offset + n_read));

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    n_read += n;
  }
  return n_read;
}

/* --- Records ----------------------------------------------------------------------------------------- */

static guint32
crc_of_record (const GstCcaRecordHead *head, gconstpointer body)
{
  const gsize start = G_STRUCT_OFFSET (GstCcaRecordHead, topic_size);
  const gsize size = (gsize) head->topic_size + head->key_size + head->payload_size;

  return crc_of (crc_of (0, (const guint8 *) head + start, sizeof *head - start), body, size);
}

static void
swap_head (GstCcaRecordHead *head)
{
  head->magic = GUINT32_FROM_LE (head->magic);
  head->crc = GUINT32_FROM_LE (head->crc);
  head->topic_size = GUINT32_FROM_LE (head->topic_size);
  head->key_size = GUINT32_FROM_LE (head->key_size);
  head->payload_size = GUINT32_FROM_LE (head->payload_size);
  head->flags = GUINT32_FROM_LE (head->flags);
  head->serial = GUINT64_FROM_LE (head->serial);
  head->utc = GUINT64_FROM_LE (head->utc);
}

GByteArray *
gst_cca_record_new (guint64 serial, const GstCcaBrokerMessage *message)
{
  gsize payload_size;
  gconstpointer payload = g_bytes_get_data (message->payload, &payload_size);
  const gsize topic_size = strlen (message->topic), key_size = message->key ? strlen (message->key) : 0;
  GByteArray *record;
  GstCcaRecordHead head = {
    .magic = MAGIC,
    .topic_size = topic_size,
    .key_size = key_size,
    .payload_size = payload_size,
    .flags = (message->retain ? FLAG_RETAIN : 0) | (message->key ? FLAG_KEY : 0),
    .serial = serial,
    .utc = message->utc,
  };

  if (payload_size > LARGEST_BODY - topic_size - key_size) {
    errno = EFBIG;
    return NULL;
  }
  record = g_byte_array_sized_new (sizeof head + topic_size + key_size + payload_size);
  g_byte_array_append (record, (const guint8 *) &head, sizeof head);
  g_byte_array_append (record, (const guint8 *) message->topic, topic_size);
  if (key_size > 0)
    g_byte_array_append (record, (const guint8 *) message->key, key_size);
  if (payload_size > 0)
    g_byte_array_append (record, payload, payload_size);
  head.crc = crc_of_record (&head, record->data + sizeof head);
  swap_head (&head);
  memcpy (record->data, &head, sizeof head);
  return record;
}

gboolean
gst_cca_record_write (const GByteArray *record, int fd, guint64 offset)
{
  return write_all (fd, record->data, record->len, offset);
}

guint8 *
gst_cca_record_read (GstCcaRecordHead *head, int fd, guint64 offset)
{
  struct stat status;
  guint8 *body;
  gsize size;

  if (read_all (fd, head, sizeof *head, offset) != sizeof *head)
    return NULL;
  swap_head (head);
  if (head->magic != MAGIC || head->serial >= GST_CCA_RECORD_LAST_SERIAL || head->topic_size > LARGEST_BODY
      || head->key_size > LARGEST_BODY || head->payload_size > LARGEST_BODY)
    return NULL;
  size = (gsize) head->topic_size + head->key_size + head->payload_size;
  /* Do not allocate for sizes that exceed the file. */
  if (size > LARGEST_BODY || fstat (fd, &status) < 0 || (guint64) status.st_size < offset + sizeof *head + size)
    return NULL;
  body = g_try_malloc (size + 1);
  if (!body)
    return NULL;
  if (read_all (fd, body, size, offset + sizeof *head) != (gssize) size || crc_of_record (head, body) != head->crc) {
    g_free (body);
    return NULL;
  }
  return body;
}

guint64
gst_cca_record_size (const GstCcaRecordHead *head)
{
  return sizeof *head + (guint64) head->topic_size + head->key_size + head->payload_size;
}

GstCcaBrokerMessage *
gst_cca_record_message (const GstCcaRecordHead *head, const guint8 *body)
{
  const gchar *key = (const gchar *) body + head->topic_size;

  return gst_cca_broker_message_new (g_strndup ((const gchar *) body, head->topic_size),
                                     head->flags & FLAG_KEY ? g_strndup (key, head->key_size) : NULL,
                                     g_bytes_new (key + head->key_size, head->payload_size), head->utc,
                                     (head->flags & FLAG_RETAIN) != 0);
}

/* --- The mark ---------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 serial;
  guint32 magic, crc; /* of the serial */
} Mark;

gboolean
gst_cca_mark_write (int fd, guint64 serial)
{
  Mark mark = { .serial = GUINT64_TO_LE (serial), .magic = GUINT32_TO_LE (MAGIC) };

  mark.crc = GUINT32_TO_LE (crc_of (0, &mark.serial, sizeof mark.serial));
  return write_all (fd, &mark, sizeof mark, 0);
}

guint64
gst_cca_mark_read (int fd)
{
  Mark mark;
  guint64 serial;

  if (read_all (fd, &mark, sizeof mark, 0) != sizeof mark || GUINT32_FROM_LE (mark.magic) != MAGIC
      || GUINT32_FROM_LE (mark.crc) != crc_of (0, &mark.serial, sizeof mark.serial))
    return 0;
  serial = GUINT64_FROM_LE (mark.serial);
  return serial < GST_CCA_RECORD_LAST_SERIAL ? serial : 0;
}
