/* gst-cca: files that may be anything, to memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatext.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>

#define FIRST_BYTES 4096

static gchar *
fail (gchar *data, int number, GError **error)
{
  g_free (data);
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (number), "cannot be read: %s", g_strerror (number));
  return NULL;
}

static gchar *
read_all (FILE *file, gsize max_bytes, gsize *length, GError **error)
{
  gsize room = MIN (FIRST_BYTES, max_bytes) + 1; /* a byte more than is read */
  gchar *data = g_malloc (room), *larger;
  gsize n = 0;

  while ((n += fread (data + n, 1, room - n, file)) == room) {
    if (n > max_bytes) {
      g_free (data);
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "is too large: more than %" G_GSIZE_FORMAT " bytes",
                   max_bytes);
      return NULL;
    }
    room = MIN (2 * n, max_bytes + 1);
    larger = g_try_realloc (data, room);
    if (!larger)
      return fail (data, ENOMEM, error);
    data = larger;
  }
  if (ferror (file))
    return fail (data, errno, error);
  data[n] = '\0';
  *length = n;
  return data;
}

gchar *
gst_cca_file_read (const gchar *path, gsize max_bytes, gsize *length, GError **error)
{
  FILE *file = g_fopen (path, "rb");
  gchar *data;

  if (!file)
    return fail (NULL, errno, error);
  data = read_all (file, max_bytes, length, error);
  fclose (file);
  return data;
}
