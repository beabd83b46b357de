/* gst-cca: the spool keeps its records: order, restart, torn and damaged records, its bounds, a full disk
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../../add-tests.h"
#include "../../test-folder.h"
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define LARGE ((guint64) 64 * 1024 * 1024)

/* --- Messages ---------------------------------------------------------------------------------------- */

/* The message of a serial: every field depends on it. */
static GstCcaBrokerMessage *
make (guint64 serial, gsize size)
{
  gchar *payload = g_malloc (size + 1);

  for (gsize i = 0; i < size; i++)
    payload[i] = (gchar) (serial * 31 + i);
  return gst_cca_broker_message_new (g_strdup_printf ("topic/%" G_GUINT64_FORMAT, serial % 3),
                                     serial % 2 ? g_strdup_printf ("key %" G_GUINT64_FORMAT, serial) : NULL,
                                     g_bytes_new_take (payload, size), serial * 1000, serial % 5 == 0);
}

static void
check_same (const GstCcaBrokerMessage *message, guint64 serial, gsize size)
{
  g_autoptr (GstCcaBrokerMessage) expected = make (serial, size);

  g_assert_cmpstr (message->topic, ==, expected->topic);
  g_assert_cmpstr (message->key, ==, expected->key);
  g_assert_true (g_bytes_equal (message->payload, expected->payload));
  g_assert_cmpuint (message->utc, ==, expected->utc);
  g_assert_cmpint (message->retain, ==, expected->retain);
}

static GstCcaSpool *
open_spool (const gchar *folder, guint64 max_bytes)
{
  g_autoptr (GError) error = NULL;
  guint n_damaged = 1000;
  GstCcaSpool *spool = gst_cca_spool_open (folder, max_bytes, &n_damaged, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (n_damaged, ==, 0);
  return spool;
}

static guint64
append (GstCcaSpool *spool, guint64 serial, gsize size)
{
  g_autoptr (GstCcaBrokerMessage) message = make (serial, size);
  g_autoptr (GError) error = NULL;
  guint64 n_dropped = 0;

  gst_cca_spool_append (spool, serial, message, &n_dropped, &error);
  g_assert_no_error (error);
  return n_dropped;
}

static void
check_read (GstCcaSpool *spool, guint64 expected, gsize size)
{
  g_autoptr (GError) error = NULL;
  guint64 serial = 0, n_dropped = 0;
  g_autoptr (GstCcaBrokerMessage) message = gst_cca_spool_read (spool, &serial, &n_dropped, &error);

  g_assert_no_error (error);
  g_assert_nonnull (message);
  g_assert_cmpuint (serial, ==, expected);
  g_assert_cmpuint (n_dropped, ==, 0);
  check_same (message, serial, size);
}

static void
check_empty (GstCcaSpool *spool)
{
  g_autoptr (GError) error = NULL;
  guint64 serial, n_dropped = 0;

  g_assert_cmpuint (gst_cca_spool_n_unread (spool), ==, 0);
  g_assert_null (gst_cca_spool_read (spool, &serial, &n_dropped, &error));
  g_assert_no_error (error);
}

static void
set_mark (GstCcaSpool *spool, guint64 serial)
{
  g_autoptr (GError) error = NULL;

  gst_cca_spool_set_mark (spool, serial, &error);
  g_assert_no_error (error);
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *) a, *(const gchar *const *) b);
}

/* Returns the paths of the segments, the oldest first. */
static GPtrArray *
segments (const gchar *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".spool"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

/* --- Cases ------------------------------------------------------------------------------------------- */

static void
test_order (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

  g_assert_cmpuint (gst_cca_spool_next_serial (spool), ==, 1);
  check_empty (spool);
  for (guint64 serial = 1; serial <= 500; serial++)
    append (spool, serial, serial * 7 % 300);
  g_assert_cmpuint (gst_cca_spool_n_unread (spool), ==, 500);
  for (guint64 serial = 1; serial <= 250; serial++)
    check_read (spool, serial, serial * 7 % 300);
  for (guint64 serial = 600; serial <= 700; serial++) /* serials may leave numbers out */
    append (spool, serial, 10);
  for (guint64 serial = 251; serial <= 500; serial++)
    check_read (spool, serial, serial * 7 % 300);
  for (guint64 serial = 600; serial <= 700; serial++)
    check_read (spool, serial, 10);
  check_empty (spool);
  append (spool, 800, 0); /* behind the last record that was read, in the same segment */
  check_read (spool, 800, 0);
  check_empty (spool);
}

static void
test_skip (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

  for (guint64 serial = 1; serial <= 20000; serial++) { /* over several segments */
    append (spool, serial, 1000);
    if (serial % 1000 < 500)
      gst_cca_spool_skip (spool);
    else
      check_read (spool, serial, 1000);
  }
  check_empty (spool);
}

static void
test_restart (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  guint64 first = 1, next = 1;

  for (guint round = 0; round < 6; round++) {
    g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

    g_assert_cmpuint (gst_cca_spool_next_serial (spool), ==, next);
    g_assert_cmpuint (gst_cca_spool_n_unread (spool), ==, next - first);
    for (guint i = 0; i < 100; i++)
      append (spool, next++, 50);
    for (guint64 serial = first; serial < first + 80; serial++)
      check_read (spool, serial, 50);
    first += 40; /* half of the records that were read are delivered */
    set_mark (spool, first);
  }
  {
    g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

    for (guint64 serial = first; serial < next; serial++)
      check_read (spool, serial, 50);
    check_empty (spool);
    set_mark (spool, next);
  }
  {
    g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);
    g_autoptr (GPtrArray) left = segments (folder);

    check_empty (spool);
    g_assert_cmpuint (left->len, ==, 0);
    g_assert_cmpuint (gst_cca_spool_next_serial (spool), ==, next); /* no serial comes twice */
  }
}

/* Whatever the byte at which the process ended. */
static void
test_torn (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autofree gchar *path = NULL;
  g_autofree gchar *bytes = NULL;
  gsize size, whole;

  {
    g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);
    g_autoptr (GPtrArray) paths = NULL;

    append (spool, 1, 20);
    append (spool, 2, 20);
    whole = gst_cca_spool_bytes (spool);
    append (spool, 3, 20);
    size = gst_cca_spool_bytes (spool);
    paths = segments (folder);
    g_assert_cmpuint (paths->len, ==, 1);
    path = g_strdup (paths->pdata[0]);
  }
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  for (gsize end = whole; end < size; end++) {
    g_assert_true (g_file_set_contents (path, bytes, (gssize) end, NULL));
    for (guint round = 0; round < 2; round++) { /* the torn end is no damage later, either */
      g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

      check_read (spool, 1, 20);
      check_read (spool, 2, 20);
      if (round == 0) {
        check_empty (spool);
        append (spool, 3, 21);
      }
      check_read (spool, 3, 21);
      check_empty (spool);
    }
    {
      g_autoptr (GPtrArray) paths = segments (folder);

      g_assert_cmpuint (paths->len, ==, 2);
      g_unlink (paths->pdata[1]);
    }
  }
}

static void
flip_byte (const gchar *path, goffset offset)
{
  const int fd = g_open (path, O_RDWR, 0);
  guint8 byte;

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pread (fd, &byte, 1, offset), ==, 1);
  byte ^= 0x10;
  g_assert_cmpint (pwrite (fd, &byte, 1, offset), ==, 1);
  close (fd);
}

/* A damaged segment ends before the damage; those behind it are whole. */
static void
test_damaged (void)
{
  for (goffset offset = 0; offset < 75; offset++) {
    g_autoptr (TestFolder) folder = test_folder_new ();
    g_autoptr (GError) error = NULL;
    guint n_damaged = 0;

    for (guint64 serial = 1; serial <= 5; serial += 2) { /* a segment each */
      g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

      append (spool, serial, 40);
      append (spool, serial + 1, 40);
    }
    {
      g_autoptr (GPtrArray) paths = segments (folder);

      g_assert_cmpuint (paths->len, ==, 3);
      flip_byte (paths->pdata[1], 100 + offset); /* in its second record, or the end of its first */
    }
    {
      g_autoptr (GstCcaSpool) spool = gst_cca_spool_open (folder, LARGE, &n_damaged, &error);
      guint64 n = gst_cca_spool_n_unread (spool);

      g_assert_no_error (error);
      g_assert_cmpuint (n_damaged, ==, 1);
      g_assert_true (n == 4 || n == 5);
      check_read (spool, 1, 40);
      check_read (spool, 2, 40);
      if (n == 5)
        check_read (spool, 3, 40);
      check_read (spool, 5, 40);
      check_read (spool, 6, 40);
      check_empty (spool);
    }
  }
}

/* Records that are damaged while the spool is open are counted. */
static void
test_damaged_while_open (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GError) error = NULL;
  guint64 serial, n_dropped = 0;

  for (guint i = 1; i <= 10; i++)
    append (spool, i, 40);
  paths = segments (folder);
  flip_byte (paths->pdata[0], 60);
  g_assert_null (gst_cca_spool_read (spool, &serial, &n_dropped, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_IO);
  g_assert_cmpuint (n_dropped, ==, 10);
  check_empty (spool);
  append (spool, 11, 40); /* not behind the damage */
  check_read (spool, 11, 40);
  check_empty (spool);
}

static void
test_bad_mark (void)
{
  static const gchar *const marks[] = { "", "x", "0123456789abcdef", "0123456789abcdefg" };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++) {
    g_autoptr (TestFolder) folder = test_folder_new ();
    g_autofree gchar *path = g_build_filename (folder, "mark", NULL);

    {
      g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

      append (spool, 1, 9);
      append (spool, 2, 9);
      check_read (spool, 1, 9);
      set_mark (spool, 2);
    }
    g_assert_true (g_file_set_contents (path, marks[i], -1, NULL));
    {
      g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

      check_read (spool, 1, 9); /* rather twice than lost */
      check_read (spool, 2, 9);
      check_empty (spool);
    }
  }
}

/* A segment whose name says later serials than it has is not written over. */
static void
test_renamed (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autofree gchar *later = g_build_filename (folder, "00000000000000000050.spool", NULL);

  {
    g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);
    g_autoptr (GPtrArray) paths = NULL;

    append (spool, 1, 9);
    append (spool, 2, 9);
    paths = segments (folder);
    g_assert_cmpint (g_rename (paths->pdata[0], later), ==, 0);
  }
  for (guint round = 0; round < 2; round++) {
    g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);

    g_assert_cmpuint (gst_cca_spool_next_serial (spool), ==, 51 + round);
    append (spool, 51 + round, 9);
    check_read (spool, 1, 9);
    check_read (spool, 2, 9);
    for (guint i = 0; i <= round; i++)
      check_read (spool, 51 + i, 9);
    check_empty (spool);
  }
}

static void
test_bounds (void)
{
  const guint64 max_bytes = 1024 * 1024;
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, max_bytes);
  guint64 n_dropped = 0, first;

  for (guint64 serial = 1; serial <= 5000; serial++) {
    n_dropped += append (spool, serial, 1000);
    g_assert_cmpuint (gst_cca_spool_bytes (spool), <=, max_bytes);
    g_assert_cmpuint (gst_cca_spool_n_unread (spool) + n_dropped, ==, serial);
  }
  first = n_dropped + 1; /* the oldest went, and no more than a segment at a time */
  g_assert_cmpuint (gst_cca_spool_bytes (spool), >, max_bytes * 14 / 16);
  for (guint64 serial = first; serial <= 5000; serial++)
    check_read (spool, serial, 1000);
  check_empty (spool);
  /* Records that were read are not dropped. */
  for (guint64 serial = 5001; serial <= 7000; serial++) {
    g_assert_cmpuint (append (spool, serial, 1000), ==, 0);
    check_read (spool, serial, 1000);
  }
}

/* If the segment that is being read is dropped, reading continues with the next one. */
static void
test_bounds_while_reading (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, 1024 * 1024);
  guint64 n_dropped = 0, next = 1;

  for (guint64 serial = 1; serial <= 20000; serial++) {
    const guint64 n = append (spool, serial, 1000);

    n_dropped += n;
    if (serial % 20 == 0) {
      guint64 read = 0, none = 0;
      g_autoptr (GstCcaBrokerMessage) message = gst_cca_spool_read (spool, &read, &none, NULL);

      g_assert_nonnull (message);
      g_assert_cmpuint (read, >=, next);
      check_same (message, read, 1000);
      next = read + 1;
    }
  }
  g_assert_cmpuint (gst_cca_spool_n_unread (spool) + n_dropped + 1000, ==, 20000);
}

static void
test_too_large (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, 64 * 1024);
  g_autoptr (GstCcaBrokerMessage) message = make (2, 64 * 1024);
  g_autoptr (GError) error = NULL;
  guint64 n_dropped = 0;

  append (spool, 1, 10);
  g_assert_false (gst_cca_spool_append (spool, 2, message, &n_dropped, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (n_dropped, ==, 0); /* a record that can never fit drops no others */
  check_read (spool, 1, 10);
}

static void
test_one_at_a_time (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_cca_spool_open (folder, LARGE, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN);
  g_assert_nonnull (strstr (error->message, folder));
  g_clear_pointer (&spool, gst_cca_spool_close);
  spool = open_spool (folder, LARGE);
}

static void
test_no_folder (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autofree gchar *file = g_build_filename (folder, "file", NULL);
  g_autofree gchar *below = g_build_filename (file, "spool", NULL);
  g_autofree gchar *deep = g_build_filename (folder, "a", "b", NULL);
  g_autoptr (GError) error = NULL;
  GstCcaSpool *spool;

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_null (gst_cca_spool_open (below, LARGE, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);
  g_assert_nonnull (strstr (error->message, below));
  spool = open_spool (deep, LARGE);
  append (spool, 1, 1);
  gst_cca_spool_close (spool);
}

static void
test_failing_writes (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);
  guint64 taken = 0;

  test_folder_limit_files (5000);
  for (guint64 serial = 1; serial <= 100; serial++) {
    g_autoptr (GstCcaBrokerMessage) message = make (serial, 333);
    g_autoptr (GError) error = NULL;
    guint64 n_dropped = 0;

    if (gst_cca_spool_append (spool, serial, message, &n_dropped, &error)) {
      g_assert_cmpuint (taken, ==, serial - 1); /* all that fit, and then none */
      taken = serial;
    } else {
      g_assert_nonnull (strstr (error->message, folder));
    }
    g_assert_cmpuint (n_dropped, ==, 0);
    g_assert_cmpuint (gst_cca_spool_n_unread (spool), ==, taken);
  }
  g_assert_cmpuint (taken, >, 5);
  g_assert_cmpuint (taken, <, 20);
  test_folder_limit_files (RLIM_INFINITY);
  append (spool, 101, 333); /* over the torn end */
  for (guint64 serial = 1; serial <= taken; serial++)
    check_read (spool, serial, 333);
  check_read (spool, 101, 333);
  g_clear_pointer (&spool, gst_cca_spool_close);

  spool = open_spool (folder, LARGE);
  g_assert_cmpuint (gst_cca_spool_n_unread (spool), ==, taken + 1);
}

/* If not a byte can be written, no segment is made. */
static void
test_no_room_at_all (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaSpool) spool = open_spool (folder, LARGE);
  g_autoptr (GstCcaBrokerMessage) message = make (1, 333);
  guint64 n_dropped = 0;

  test_folder_limit_files (0);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GPtrArray) paths = NULL;

    g_assert_false (gst_cca_spool_append (spool, 1, message, &n_dropped, NULL));
    paths = segments (folder);
    g_assert_cmpuint (paths->len, ==, 0);
  }
  test_folder_limit_files (RLIM_INFINITY);
  append (spool, 1, 333);
  check_read (spool, 1, 333);
}

CASES_MAIN ()
{
  signal (SIGXFSZ, SIG_IGN);
  ADD_TESTS ("/spool", test_order, test_skip, test_restart, test_torn, test_damaged, test_damaged_while_open,
             test_bad_mark, test_renamed, test_bounds, test_bounds_while_reading, test_too_large, test_one_at_a_time,
             test_no_folder, test_failing_writes, test_no_room_at_all);
}
