/* gst-cca: the files of an index in the order of their times, and their frames one after the other
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

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

typedef struct
{
  GPtrArray *files; /* of GstCcaIndexFile */
  guint64 from, to; /* UTC: from <= frames < to; 0 and GST_CCA_INDEX_NEVER for all */
  guint n_opened;   /* files so far */
  GstCcaIndexReader *reader;
  gsize block, n_blocks; /* the next one */
  gboolean loaded;       /* a block */
  guint64 session;       /* of the file that is open */
} GstCcaIndexWalk;

/* Begins with files from gst_cca_index_files_find(), whose ownership it takes. */
void gst_cca_index_walk_begin (GstCcaIndexWalk *walk, GPtrArray *files, guint64 from, guint64 to);
void gst_cca_index_walk_end (GstCcaIndexWalk *walk);

typedef enum
{
  GST_CCA_INDEX_WALK_FRAME,
  GST_CCA_INDEX_WALK_WARNING, /* something is damaged and left out */
  GST_CCA_INDEX_WALK_END
} GstCcaIndexStep;

/* Goes to the next frame, which is valid until the next call. Frames without UTC match all times. On a warning, *text,
 * which the caller frees, names the file and the problem. */
GstCcaIndexStep gst_cca_index_walk_next (GstCcaIndexWalk *walk, GstCcaIndexFrame *frame, gchar **text);
