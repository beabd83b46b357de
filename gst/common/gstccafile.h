/* gst-cca: files that may be anything, to memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Knows GLib only.
 */
#ifndef GST_CCA_FILE_H
#define GST_CCA_FILE_H

#include <glib.h>

G_BEGIN_DECLS

/* Reads a whole file, or a pipe to its end. Returns its bytes, which the caller frees, and behind them a byte of 0; or
 * NULL and an error (G_FILE_ERROR), without the path, if it cannot be read, has more than max_bytes or never ends. */
gchar *gst_cca_file_read (const gchar *path, gsize max_bytes, gsize *length, GError **error);

G_END_DECLS

#endif
