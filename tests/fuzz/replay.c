/* gst-cca: the fuzzer's corpus as a test, with any compiler
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: replay FOLDER
 */
#include <glib.h>

#include "fuzz.h"

static void
replay (gconstpointer path)
{
  GError *error = NULL;
  g_autofree char *data = NULL;
  gsize size;

  g_file_get_contents (path, &data, &size, &error);
  g_assert_no_error (error);
  g_test_message ("%s", (const char *) path);
  LLVMFuzzerTestOneInput ((const uint8_t *) data, size);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  const char *name;
  guint n = 0;
  GDir *dir;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  dir = g_dir_open (argv[1], 0, &error);
  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir))) {
    char *test = g_strdup_printf ("/fuzz/corpus/%s", name);

    g_test_add_data_func_full (test, g_build_filename (argv[1], name, NULL), replay, g_free);
    g_free (test);
    n++;
  }
  g_dir_close (dir);
  g_assert_cmpuint (n, >, 0);
  return g_test_run ();
}
