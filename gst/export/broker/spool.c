/* gst-cca: messages on disk, in their order
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define SUFFIX ".spool"
#define MAGIC 0x31414343u /* "CCA1", as bytes */
#define SMALLEST_SEGMENT ((guint64) 16 * 1024)
#define LARGEST_SEGMENT ((guint64) 4 * 1024 * 1024)
#define LARGEST_BODY ((guint32) 256 * 1024 * 1024)

enum
{
  FLAG_RETAIN = 1 << 0,
  FLAG_KEY = 1 << 1,
};

/* A record's head, little endian; topic, key and payload follow. */
typedef struct
{
  guint32 magic, crc; /* of what follows these two */
  guint32 topic_size, key_size, payload_size, flags;
  guint64 serial, utc;
} Head;

/* The file "mark". */
typedef struct
{
  guint64 serial;
  guint32 magic, crc; /* of the serial */
} Mark;

typedef struct
{
  gchar *path;
  guint64 n_bytes;
  guint64 n_records;
  guint64 n_unread;
  guint64 end_serial; /* follows that of the last record */
} Segment;

struct _GstCcaSpool
{
  gchar *directory;
  guint64 max_bytes, segment_bytes;
  int lock_fd, mark_fd;
  GQueue segments; /* of Segment, the oldest first; appended to is the last, if write_fd is open */
  int write_fd;
  int read_fd;      /* of `reading`, or -1 */
  Segment *reading; /* NULL: nothing was read of the oldest one with unread records */
  guint64 read_offset;
  guint64 mark, next_serial, n_bytes, n_unread;
};

/* --- Failures ---------------------------------------------------------------------------------------- */

static gboolean
fail (GError **error, const gchar *what, const gchar *path)
{
  const int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "Cannot %s \"%s\": %s", what, path,
               g_strerror (code));
  return FALSE;
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

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
crc_of_record (const Head *head, gconstpointer body)
{
  const gsize start = G_STRUCT_OFFSET (Head, topic_size);
  const gsize size = (gsize) head->topic_size + head->key_size + head->payload_size;

  return crc_of (crc_of (0, (const guint8 *) head + start, sizeof *head - start), body, size);
}

static void
swap_head (Head *head)
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

static GByteArray *
make_record (guint64 serial, const GstCcaBrokerMessage *message)
{
  gsize payload_size;
  gconstpointer payload = g_bytes_get_data (message->payload, &payload_size);
  const gsize topic_size = strlen (message->topic), key_size = message->key ? strlen (message->key) : 0;
  GByteArray *record;
  Head head = {
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

/* Reads the record at an offset. Returns its body, which the caller frees, or NULL if there is none that is whole. */
static guint8 *
read_record (int fd, guint64 offset, Head *head)
{
  guint8 *body;
  gsize size;

  if (read_all (fd, head, sizeof *head, offset) != sizeof *head)
    return NULL;
  swap_head (head);
  if (head->magic != MAGIC || head->topic_size > LARGEST_BODY || head->key_size > LARGEST_BODY
      || head->payload_size > LARGEST_BODY)
    return NULL;
  size = (gsize) head->topic_size + head->key_size + head->payload_size;
  body = size <= LARGEST_BODY ? g_try_malloc (size + 1) : NULL;
  if (!body)
    return NULL;
  if (read_all (fd, body, size, offset + sizeof *head) != (gssize) size || crc_of_record (head, body) != head->crc) {
    g_free (body);
    return NULL;
  }
  return body;
}

static guint64
record_size (const Head *head)
{
  return sizeof *head + (guint64) head->topic_size + head->key_size + head->payload_size;
}

static GstCcaBrokerMessage *
make_message (const Head *head, const guint8 *body)
{
  const gchar *key = (const gchar *) body + head->topic_size;

  return gst_cca_broker_message_new (g_strndup ((const gchar *) body, head->topic_size),
                                     head->flags & FLAG_KEY ? g_strndup (key, head->key_size) : NULL,
                                     g_bytes_new (key + head->key_size, head->payload_size), head->utc,
                                     (head->flags & FLAG_RETAIN) != 0);
}

/* --- Segments ---------------------------------------------------------------------------------------- */

static void
segment_free (Segment *segment)
{
  g_free (segment->path);
  g_free (segment);
}

static Segment *
segment_new (GstCcaSpool *self, const gchar *name)
{
  Segment *segment = g_new0 (Segment, 1);

  segment->path = g_build_filename (self->directory, name, NULL);
  g_queue_push_tail (&self->segments, segment);
  return segment;
}

/* Removes the oldest segment. Returns the number of unread records that were in it. */
static guint64
remove_oldest (GstCcaSpool *self)
{
  Segment *segment = g_queue_pop_head (&self->segments);
  const guint64 n_unread = segment->n_unread;

  if (g_queue_is_empty (&self->segments))
    close_fd (&self->write_fd);
  if (segment == self->reading) {
    close_fd (&self->read_fd);
    self->reading = NULL;
  }
  g_unlink (segment->path);
  self->n_bytes -= segment->n_bytes;
  self->n_unread -= n_unread;
  segment_free (segment);
  return n_unread;
}

/* Removes a segment that holds nothing, so that another one may have its name. */
static void
drop_empty (GstCcaSpool *self, Segment *segment)
{
  if (segment->n_records > 0)
    return;
  g_unlink (segment->path);
  g_queue_remove (&self->segments, segment);
  segment_free (segment);
}

/* Counts the whole records of a segment, and cuts off what is behind them. Returns whether nothing was. */
static gboolean
scan_segment (GstCcaSpool *self, Segment *segment)
{
  const int fd = g_open (segment->path, O_RDWR | O_CLOEXEC, 0);
  guint8 *body;
  struct stat status;
  gboolean whole;
  Head head;

  if (fd < 0)
    return FALSE;
  while ((body = read_record (fd, segment->n_bytes, &head))) {
    segment->n_bytes += record_size (&head);
    segment->n_records++;
    if (head.serial >= self->mark)
      segment->n_unread++;
    segment->end_serial = head.serial + 1;
    g_free (body);
  }
  whole = fstat (fd, &status) == 0 && (guint64) status.st_size == segment->n_bytes;
  if (!whole)
    (void) !ftruncate (fd, (off_t) segment->n_bytes);
  close (fd);
  self->n_bytes += segment->n_bytes;
  self->n_unread += segment->n_unread;
  self->next_serial = MAX (self->next_serial, segment->end_serial);
  return whole;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *) a, *(const gchar *const *) b);
}

static gboolean
scan_directory (GstCcaSpool *self, guint *n_damaged, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (self->directory, 0, error);
  const gchar *name;

  if (!dir)
    return FALSE;
  while ((name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  *n_damaged = 0;
  for (guint i = 0; i < names->len; i++) {
    Segment *segment = segment_new (self, names->pdata[i]);

    if (!scan_segment (self, segment) && i + 1 < names->len)
      ++*n_damaged;
    drop_empty (self, segment);
  }
  while (!g_queue_is_empty (&self->segments) && ((Segment *) g_queue_peek_head (&self->segments))->n_unread == 0)
    remove_oldest (self);
  return TRUE;
}

/* --- The mark ---------------------------------------------------------------------------------------- */

static gboolean
write_mark (GstCcaSpool *self)
{
  Mark mark = { .serial = GUINT64_TO_LE (self->mark), .magic = GUINT32_TO_LE (MAGIC) };

  mark.crc = GUINT32_TO_LE (crc_of (0, &mark.serial, sizeof mark.serial));
  return write_all (self->mark_fd, &mark, sizeof mark, 0);
}

/* A mark that cannot be read is none: then whatever is there is delivered again. */
static void
read_mark (GstCcaSpool *self)
{
  Mark mark;

  self->mark = 0;
  if (read_all (self->mark_fd, &mark, sizeof mark, 0) == sizeof mark && GUINT32_FROM_LE (mark.magic) == MAGIC
      && GUINT32_FROM_LE (mark.crc) == crc_of (0, &mark.serial, sizeof mark.serial))
    self->mark = GUINT64_FROM_LE (mark.serial);
  self->next_serial = MAX (self->mark, 1);
}

gboolean
gst_cca_spool_set_mark (GstCcaSpool *self, guint64 serial, GError **error)
{
  Segment *oldest;

  if (serial <= self->mark)
    return TRUE;
  self->mark = serial;
  while ((oldest = g_queue_peek_head (&self->segments)) && oldest->end_serial <= serial && oldest->n_unread == 0
         && (g_queue_get_length (&self->segments) > 1 || oldest->n_bytes >= self->segment_bytes))
    remove_oldest (self);
  return write_mark (self) || fail (error, "write to", self->directory);
}

/* --- Opening ----------------------------------------------------------------------------------------- */

static int
open_in (GstCcaSpool *self, const gchar *name, GError **error)
{
  g_autofree gchar *path = g_build_filename (self->directory, name, NULL);
  const int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  if (fd < 0)
    fail (error, "open", path);
  return fd;
}

static gboolean
open_files (GstCcaSpool *self, guint *n_damaged, GError **error)
{
  if (g_mkdir_with_parents (self->directory, 0700) < 0)
    return fail (error, "make the folder", self->directory);
  self->lock_fd = open_in (self, "lock", error);
  if (self->lock_fd < 0)
    return FALSE;
  if (flock (self->lock_fd, LOCK_EX | LOCK_NB) < 0) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN, "\"%s\" is in use by another sink; give each its own folder",
                 self->directory);
    return FALSE;
  }
  self->mark_fd = open_in (self, "mark", error);
  if (self->mark_fd < 0)
    return FALSE;
  read_mark (self);
  return scan_directory (self, n_damaged, error);
}

GstCcaSpool *
gst_cca_spool_open (const gchar *directory, guint64 max_bytes, guint *n_damaged, GError **error)
{
  g_autoptr (GstCcaSpool) self = g_new0 (GstCcaSpool, 1);
  guint n = 0;

  self->directory = g_strdup (directory);
  self->max_bytes = max_bytes;
  self->segment_bytes = CLAMP (max_bytes / 16, SMALLEST_SEGMENT, LARGEST_SEGMENT);
  self->lock_fd = self->mark_fd = self->write_fd = self->read_fd = -1;
  g_queue_init (&self->segments);
  if (!open_files (self, &n, error))
    return NULL;
  if (n_damaged)
    *n_damaged = n;
  return g_steal_pointer (&self);
}

void
gst_cca_spool_close (GstCcaSpool *self)
{
  if (!self)
    return;
  close_fd (&self->read_fd);
  close_fd (&self->write_fd);
  close_fd (&self->mark_fd);
  close_fd (&self->lock_fd);
  g_queue_clear_full (&self->segments, (GDestroyNotify) segment_free);
  g_free (self->directory);
  g_free (self);
}

/* --- Writing ----------------------------------------------------------------------------------------- */

/* Never appends to a segment of an earlier process, whose end may be torn. */
static Segment *
segment_to_write (GstCcaSpool *self, guint64 serial, GError **error)
{
  g_autofree gchar *name = NULL;
  Segment *last = g_queue_peek_tail (&self->segments);

  if (self->write_fd >= 0 && last && last->n_bytes < self->segment_bytes)
    return last;
  close_fd (&self->write_fd);
  name = g_strdup_printf ("%020" G_GUINT64_FORMAT SUFFIX, serial);
  self->write_fd = open_in (self, name, error);
  return self->write_fd >= 0 ? segment_new (self, name) : NULL;
}

gboolean
gst_cca_spool_append (GstCcaSpool *self, guint64 serial, const GstCcaBrokerMessage *message, guint64 *n_dropped,
                      GError **error)
{
  g_autoptr (GByteArray) record = make_record (serial, message);
  Segment *segment;

  if (!record || record->len > self->max_bytes) {
    errno = EFBIG;
    return fail (error, "hold a message as large as this in", self->directory);
  }
  while (self->n_bytes + record->len > self->max_bytes)
    *n_dropped += remove_oldest (self);
  segment = segment_to_write (self, serial, error);
  if (!segment)
    return FALSE;
  if (!write_all (self->write_fd, record->data, record->len, segment->n_bytes)) {
    fail (error, "write to", segment->path);
    /* Where this fails, too, the checksum keeps the torn record out, and the next write goes over it. */
    (void) !ftruncate (self->write_fd, (off_t) segment->n_bytes);
    if (segment->n_records == 0)
      close_fd (&self->write_fd);
    drop_empty (self, segment);
    return FALSE;
  }
  segment->n_bytes += record->len;
  segment->n_records++;
  segment->n_unread++;
  segment->end_serial = serial + 1;
  self->n_bytes += record->len;
  self->n_unread++;
  self->next_serial = serial + 1;
  return TRUE;
}

/* --- Reading ----------------------------------------------------------------------------------------- */

/* Goes to the oldest segment that has unread records. */
static gboolean
find_unread (GstCcaSpool *self)
{
  GList *link = self->reading ? g_queue_find (&self->segments, self->reading) : self->segments.head;
  Segment *segment;

  while (link && ((Segment *) link->data)->n_unread == 0)
    link = link->next;
  segment = link ? link->data : NULL;
  if (segment && segment != self->reading) {
    close_fd (&self->read_fd);
    self->reading = segment;
    self->read_offset = 0;
  }
  if (segment && self->read_fd < 0)
    self->read_fd = g_open (segment->path, O_RDONLY | O_CLOEXEC, 0);
  return segment != NULL;
}

static void
count_read (GstCcaSpool *self, guint64 n)
{
  self->reading->n_unread -= n;
  self->n_unread -= n;
}

GstCcaBrokerMessage *
gst_cca_spool_read (GstCcaSpool *self, guint64 *serial, guint64 *n_dropped, GError **error)
{
  while (find_unread (self)) {
    GstCcaBrokerMessage *message;
    guint8 *body;
    Head head;

    errno = EIO;
    body = self->read_fd >= 0 ? read_record (self->read_fd, self->read_offset, &head) : NULL;
    if (!body) {
      fail (error, "read", self->reading->path);
      *n_dropped += self->reading->n_unread;
      count_read (self, self->reading->n_unread);
      if (self->reading == g_queue_peek_tail (&self->segments))
        close_fd (&self->write_fd); /* what is appended behind the damage could not be read, either */
      return NULL;
    }
    self->read_offset += record_size (&head);
    message = head.serial >= self->mark ? make_message (&head, body) : NULL;
    *serial = head.serial;
    g_free (body);
    if (message) {
      count_read (self, 1);
      return message;
    }
  }
  return NULL;
}

void
gst_cca_spool_skip (GstCcaSpool *self)
{
  if (!find_unread (self))
    return;
  self->read_offset = self->reading->n_bytes;
  count_read (self, 1);
}

guint64
gst_cca_spool_n_unread (const GstCcaSpool *self)
{
  return self->n_unread;
}

guint64
gst_cca_spool_next_serial (const GstCcaSpool *self)
{
  return self->next_serial;
}

guint64
gst_cca_spool_bytes (const GstCcaSpool *self)
{
  return self->n_bytes;
}
