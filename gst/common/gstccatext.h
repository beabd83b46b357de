/* gst-cca: text from outside: files that may be anything; names
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Knows GLib only.
 */
#pragma once

#include <glib.h>

/* Reads a whole file, or a pipe to its end. Returns its bytes, which the caller frees, and behind them a byte of 0; or
 * NULL and an error (G_FILE_ERROR), without the path, if it cannot be read, has more than max_bytes or never ends. */
gchar *gst_cca_file_read (const gchar *path, gsize max_bytes, gsize *length, GError **error);

#define GST_CCA_NAME_MAX 64 /* characters */

/* Returns the fault of a name, which goes into messages, metas, topics and pictures; or NULL if it has none. */
static inline const gchar *
gst_cca_name_problem (const gchar *name)
{
  const gchar *end = name;
  guint n = 0;

  for (; *end && n <= GST_CCA_NAME_MAX; n++) {
    const gunichar c = g_utf8_get_char_validated (end, -1);

    if (c == (gunichar) -1 || c == (gunichar) -2)
      return "must be valid UTF-8";
    if (g_unichar_iscntrl (c))
      return "must not have control characters";
    end = g_utf8_next_char (end);
  }
  return n <= GST_CCA_NAME_MAX ? NULL : "must have at most " G_STRINGIFY (GST_CCA_NAME_MAX) " characters";
}
