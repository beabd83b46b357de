/* gst-cca: the files of an index, in the order of their times
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_INDEX_FILES_H
#define GST_CCA_INDEX_FILES_H

#include <glib.h>

#include "file.h"

#define GST_CCA_INDEX_SUFFIX ".ccaindex"

typedef struct
{
  gchar *path, *camera;
  guint64 session;
  guint number;
  guint64 first_utc, last_utc; /* GST_CCA_INDEX_NEVER if not known */
  guint64 n_frames, size;      /* frames and bytes in whole blocks */
  GstCcaIndexEnd end;
} GstCcaIndexFile;

#define GST_CCA_INDEX_FILES_ERROR (g_quark_from_static_string ("gst-cca-index-files-error"))

/* Returns the files of a location, at least one, as GstCcaIndexFile: of a file, of all files *.ccaindex in a folder, or
 * of a pattern whose last part has * or ?. They are of one camera; those of a session follow one another. Returns NULL
 * and an error that says what is wrong with which path. */
GPtrArray *gst_cca_index_files_find (const gchar *location, GError **error);

#endif
