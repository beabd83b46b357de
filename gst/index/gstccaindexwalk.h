/* gst-cca: the frames of an index one after the other, from one time to another
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_INDEX_WALK_H
#define GST_CCA_INDEX_WALK_H

#include "gstccaindexfiles.h"

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

#endif
