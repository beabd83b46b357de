/* gst-cca: a folder for a test
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* The path of a folder, which is removed with it. */
typedef gchar TestFolder;

static inline TestFolder *
test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  TestFolder *path = g_dir_make_tmp ("gst-cca-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

static inline void test_folder_remove (const gchar *path);

/* Removes everything in a folder. */
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

/* Removes a file, or a folder with everything in it. */
static inline void
test_folder_remove (const gchar *path)
{
  test_folder_empty (path);
  g_remove (path);
}

static inline void
test_folder_free (TestFolder *folder)
{
  test_folder_remove (folder);
  g_free (folder);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, test_folder_free)

static TestFolder *test_folder_made;

static inline void
test_folder_exit (void)
{
  test_folder_free (test_folder_made);
}

/* Returns the folder of the program, which is removed when it ends. */
static inline const gchar *
test_folder (void)
{
  if (!test_folder_made) {
    test_folder_made = test_folder_new ();
    atexit (test_folder_exit);
  }
  return test_folder_made;
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
