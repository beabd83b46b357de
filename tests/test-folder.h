/* gst-cca: a folder for a test
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>
#include <sys/resource.h>

/* Returns the path of a new folder, which the caller frees. */
static inline gchar *
test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  gchar *path = g_dir_make_tmp ("gst-cca-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

static inline void test_folder_remove (const gchar *path);

/* Removes all that is in a folder. */
static inline void
test_folder_empty (const gchar *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree gchar *inside = g_build_filename (path, name, NULL);

    test_folder_remove (inside);
  }
  g_clear_pointer (&dir, g_dir_close);
}

/* Removes a folder with all that is in it, or a file. */
static inline void
test_folder_remove (const gchar *path)
{
  test_folder_empty (path);
  g_remove (path);
}

/* Limits the size of files, so that writes end in the middle of a record, as on a full disk. */
static inline void
test_folder_limit_files (rlim_t bytes)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = MIN (bytes, limit.rlim_max);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}
