/* gst-cca: any bytes as the files of a spool, which is read, appended to, and read again
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The input is a byte that says which files there are, the mark, and then the files' parts: a byte, and raw bytes or
 * the fields of a record. Records get true checksums: otherwise hardly one would be read.
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "record.h"
#include "spool.h"

enum
{
  N_FILES = 3,
  N_APPENDED = 3,
  MAX_BYTES = 64 * 1024
};

#define MAX_SERIAL (G_GUINT64_CONSTANT (1) << 62)

/* An expected record: the serial and the payload of one that is whole. */
typedef struct
{
  guint64 serial;
  GBytes *payload;
} Expected;

static gchar *folder;

static void
remove_files (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    g_unlink (path);
  }
  if (dir)
    g_dir_close (dir);
}

static void
finish (void)
{
  remove_files ();
  g_rmdir (folder);
}

/* In memory, where there is such a folder. */
static void
initialise (void)
{
  static gsize done;

  if (g_once_init_enter (&done)) {
    if (!g_getenv ("TMPDIR") && g_access ("/dev/shm", W_OK) == 0)
      g_setenv ("TMPDIR", "/dev/shm", TRUE);
    folder = g_dir_make_tmp ("gst-cca-fuzz-XXXXXX", NULL);
    if (!folder)
      fuzz_fail ("no folder for a spool");
    atexit (finish);
    g_once_init_leave (&done, 1);
  }
}

static void
clear_expected (gpointer expected)
{
  g_bytes_unref (((Expected *) expected)->payload);
}

/* --- Files ------------------------------------------------------------------------------------------- */

static guint64
read_serial (Reader *reader)
{
  const guint64 low = read_byte (reader);

  /* Small ones, or any. */
  return low < 250 ? low : read_u32 (reader) | (guint64) read_u32 (reader) << 32;
}

/* Adds a record to a file, and to the expected ones. */
static void
add_record (Reader *reader, GByteArray *file, GArray *expected)
{
  const guint8 flags = read_byte (reader);
  Reader topic = read_part (reader, read_byte (reader) % 16);
  g_autofree gchar *name = g_strndup ((const gchar *) topic.data, topic.size);
  const guint64 serial = read_serial (reader);
  g_autoptr (GByteArray) record = NULL;
  GstCcaBrokerMessage message;
  Reader payload = read_part (reader, read_byte (reader));
  g_autoptr (GBytes) bytes = g_bytes_new (payload.data, payload.size);

  message = (GstCcaBrokerMessage) {
    .topic = name, .key = flags & 1 ? name : NULL, .payload = bytes, .utc = flags, .retain = (flags & 2) != 0
  };
  record = gst_cca_record_new (serial, &message);
  g_byte_array_append (file, record->data, record->len);
  if (expected && serial < MAX_SERIAL) {
    const Expected one = { serial, g_bytes_ref (bytes) };

    g_array_append_val (expected, one);
  }
}

/* Writes a file, and adds the expected records: those in front of the first invalid bytes. */
static void
write_segment (Reader *reader, guint index, GArray *expected)
{
  /* The last file has a name that a spool makes; the others sort in front of it. */
  g_autofree gchar *name = g_strdup_printf (index == N_FILES ? "%020u.spool" : "-%u.spool", index);
  g_autofree gchar *path = g_build_filename (folder, name, NULL);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  gboolean whole = TRUE;

  for (guint i = 0; i < 8 && reader_left (reader) > 0; i++) {
    const guint8 kind = read_byte (reader);
    const guint n = expected->len;

    if (kind < 160) {
      add_record (reader, file, whole ? expected : NULL);
      whole = whole && expected->len > n;
    } else if (kind < 240) {
      Reader part = read_part (reader, kind - 159);

      /* Bytes that by chance are a record would need its checksum. */
      g_byte_array_append (file, part.data, part.size);
      whole = whole && part.size == 0;
    } else {
      break;
    }
  }
  if (!g_file_set_contents_full (path, (const gchar *) file->data, file->len, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
    fuzz_fail ("cannot write a file");
}

static guint64
write_mark (Reader *reader)
{
  g_autofree gchar *path = g_build_filename (folder, "mark", NULL);
  const int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const guint64 mark = read_serial (reader);

  if (fd < 0 || !gst_cca_mark_write (fd, mark))
    fuzz_fail ("cannot write a file");
  close (fd);
  return mark < MAX_SERIAL ? mark : 0;
}

/* --- The spool --------------------------------------------------------------------------------------- */

static GstCcaSpool *
open_spool (void)
{
  g_autoptr (GError) error = NULL;
  GstCcaSpool *spool = gst_cca_spool_open (folder, MAX_BYTES, NULL, &error);

  if (!spool)
    fuzz_fail (error->message);
  return spool;
}

/* Reads all records, which must be the expected ones from the mark on. */
static void
read_all (GstCcaSpool *spool, const GArray *expected, guint64 mark)
{
  guint64 serial, n_dropped = 0, n_unread = 0;

  for (guint i = 0; i < expected->len; i++)
    n_unread += g_array_index (expected, Expected, i).serial >= mark;
  if (gst_cca_spool_n_unread (spool) != n_unread)
    fuzz_fail ("another number of messages is unread");
  for (guint i = 0; i < expected->len; i++) {
    const Expected *one = &g_array_index (expected, Expected, i);
    g_autoptr (GstCcaBrokerMessage) message = NULL;

    if (one->serial < mark)
      continue;
    message = gst_cca_spool_read (spool, &serial, &n_dropped, NULL);
    if (!message || serial != one->serial || !g_bytes_equal (message->payload, one->payload))
      fuzz_fail ("a message is missing, or another one");
  }
  if (gst_cca_spool_read (spool, &serial, &n_dropped, NULL) || n_dropped > 0 || gst_cca_spool_n_unread (spool) > 0)
    fuzz_fail ("there is more, or less, than there should be");
}

/* Appends messages, as long as there are serials. */
static void
append (GstCcaSpool *spool, GArray *expected)
{
  for (guint i = 0; i < N_APPENDED && gst_cca_spool_next_serial (spool) < MAX_SERIAL; i++) {
    g_autoptr (GBytes) payload = g_bytes_new_static ("payload", 7 - i);
    const GstCcaBrokerMessage message = { .topic = (gchar *) "topic", .payload = payload };
    const Expected one = { gst_cca_spool_next_serial (spool), g_bytes_ref (payload) };
    guint64 n_dropped = 0;

    if (one.serial == 0)
      fuzz_fail ("a serial is 0");
    if (!gst_cca_spool_append (spool, one.serial, &message, &n_dropped, NULL) || n_dropped > 0)
      fuzz_fail ("a message cannot be appended");
    g_array_append_val (expected, one);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Reader reader = { data, size, 0 };
  const guint8 files = read_byte (&reader);
  g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (Expected));
  guint64 mark = 0, all;
  GstCcaSpool *spool;

  initialise ();
  remove_files ();
  g_array_set_clear_func (expected, clear_expected);
  if (files & 1)
    mark = write_mark (&reader);
  for (guint i = 0; i < N_FILES; i++)
    if (files & (2u << i))
      write_segment (&reader, i + 1, expected);
  spool = open_spool ();
  read_all (spool, expected, mark);
  append (spool, expected);
  gst_cca_spool_close (spool);
  spool = open_spool ();
  read_all (spool, expected, mark);
  all = gst_cca_spool_next_serial (spool);
  gst_cca_spool_set_mark (spool, all, NULL);
  gst_cca_spool_close (spool);
  spool = open_spool ();
  if (all < MAX_SERIAL && gst_cca_spool_n_unread (spool) > 0)
    fuzz_fail ("what was delivered is unread");
  gst_cca_spool_close (spool);
  return 0;
}
