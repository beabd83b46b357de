/* gst-cca: messages on disk, in their order
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Not SQLite, though with WAL it is fast enough (12,000 lines of 2 kB a second in a transaction each, 48,000 in
 * transactions of 256; this log: 59,000): on a full disk it can neither delete what was delivered nor give space back,
 * because both write to its log first. Here a mark is written in place and segments are removed, so that a full disk
 * becomes usable again and nothing is published twice.
 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "record.h"

#define SUFFIX ".spool"
#define SMALLEST_SEGMENT ((guint64) 16 * 1024)
#define LARGEST_SEGMENT ((guint64) 4 * 1024 * 1024)

typedef struct
{
  gchar *path;
  guint64 n_bytes;
  guint64 n_records;
  guint64 n_unread;
  guint64 end_serial; /* follows those of all records */
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

/* Removes an empty segment, so that its name is free. */
static void
drop_empty (GstCcaSpool *self, Segment *segment)
{
  if (segment->n_records > 0)
    return;
  g_unlink (segment->path);
  g_queue_remove (&self->segments, segment);
  segment_free (segment);
}

/* Returns the serial in a segment's name: later segments get greater ones, whatever this one contains. */
static guint64
serial_of (const gchar *name)
{
  const guint64 serial = g_ascii_strtoull (name, NULL, 10);

  return serial < GST_CCA_RECORD_LAST_SERIAL ? serial : 0;
}

/* Counts the whole records of a segment and cuts off the rest. Returns whether there was none. */
static gboolean
scan_segment (GstCcaSpool *self, Segment *segment)
{
  const int fd = g_open (segment->path, O_RDWR | O_CLOEXEC, 0);
  guint8 *body;
  struct stat status;
  gboolean whole;
  GstCcaRecordHead head;

  if (fd < 0)
    return FALSE;
  while ((body = gst_cca_record_read (&head, fd, segment->n_bytes))) {
    segment->n_bytes += gst_cca_record_size (&head);
    segment->n_records++;
    if (head.serial >= self->mark)
      segment->n_unread++;
    segment->end_serial = MAX (segment->end_serial, head.serial + 1);
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
    if (segment->n_records > 0)
      self->next_serial = MAX (self->next_serial, serial_of (names->pdata[i]) + 1);
    drop_empty (self, segment);
  }
  while (!g_queue_is_empty (&self->segments) && ((Segment *) g_queue_peek_head (&self->segments))->n_unread == 0)
    remove_oldest (self);
  return TRUE;
}

/* --- The mark ---------------------------------------------------------------------------------------- */

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
  return gst_cca_mark_write (self->mark_fd, serial) || fail (error, "write to", self->directory);
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
  self->mark = gst_cca_mark_read (self->mark_fd);
  self->next_serial = MAX (self->mark, 1);
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
  g_autoptr (GByteArray) record = gst_cca_record_new (serial, message);
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
  if (!gst_cca_record_write (record, self->write_fd, segment->n_bytes)) {
    fail (error, "write to", segment->path);
    /* If this fails, too, the checksum excludes the torn record, and the next write replaces it. */
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
    GstCcaRecordHead head;

    errno = EIO;
    body = self->read_fd >= 0 ? gst_cca_record_read (&head, self->read_fd, self->read_offset) : NULL;
    if (!body) {
      fail (error, "read", self->reading->path);
      *n_dropped += self->reading->n_unread;
      count_read (self, self->reading->n_unread);
      if (self->reading == g_queue_peek_tail (&self->segments))
        close_fd (&self->write_fd); /* records behind the damage could not be read */
      return NULL;
    }
    self->read_offset += gst_cca_record_size (&head);
    message = head.serial >= self->mark ? gst_cca_record_message (&head, body) : NULL;
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
