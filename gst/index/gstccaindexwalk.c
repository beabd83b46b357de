/* gst-cca: the frames of an index one after the other, from one time to another
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaindexwalk.h"

void
gst_cca_index_walk_begin (GstCcaIndexWalk *walk, GPtrArray *files, guint64 from, guint64 to)
{
  *walk = (GstCcaIndexWalk) { .files = files, .from = from, .to = to };
}

void
gst_cca_index_walk_end (GstCcaIndexWalk *walk)
{
  g_clear_pointer (&walk->reader, gst_cca_index_reader_free);
  g_clear_pointer (&walk->files, g_ptr_array_unref);
}

/* Whether times that are not known, or some of these, are asked for. */
static gboolean
overlaps (const GstCcaIndexWalk *walk, guint64 first, guint64 last)
{
  return first == GST_CCA_INDEX_NEVER || (last >= walk->from && first < walk->to);
}

/* Opens the next file. */
static gboolean
open_next (GstCcaIndexWalk *walk, gchar **text)
{
  const GstCcaIndexFile *file = g_ptr_array_index (walk->files, walk->n_opened++);
  gchar problem[GST_CCA_INDEX_ERROR_SIZE];
  guint64 size;

  if (!overlaps (walk, file->first_utc, file->last_utc))
    return TRUE;
  walk->reader = gst_cca_index_reader_open (file->path, problem);
  if (!walk->reader) {
    *text = g_strdup_printf ("%s %s", file->path, problem);
    return FALSE;
  }
  walk->session = file->session;
  gst_cca_index_reader_blocks (walk->reader, &walk->n_blocks);
  walk->block = 0;
  walk->loaded = FALSE;
  if (gst_cca_index_reader_end (walk->reader, &size) != GST_CCA_INDEX_DAMAGED)
    return TRUE;
  *text = g_strdup_printf ("%s is cut off or damaged at byte %" G_GUINT64_FORMAT "; what is before that is used",
                           file->path, size);
  return FALSE;
}

/* Loads the next block, or closes the file. */
static gboolean
load_next (GstCcaIndexWalk *walk, gchar **text)
{
  const GstCcaIndexFile *file = g_ptr_array_index (walk->files, walk->n_opened - 1);
  const GstCcaIndexBlock *blocks = gst_cca_index_reader_blocks (walk->reader, &walk->n_blocks);
  gchar problem[GST_CCA_INDEX_ERROR_SIZE];

  while (walk->block < walk->n_blocks && !overlaps (walk, blocks[walk->block].first_utc, blocks[walk->block].last_utc))
    walk->block++;
  if (walk->block == walk->n_blocks) {
    g_clear_pointer (&walk->reader, gst_cca_index_reader_free);
    return TRUE;
  }
  walk->loaded = gst_cca_index_reader_load (walk->reader, walk->block++, problem);
  if (!walk->loaded)
    *text = g_strdup_printf ("%s %s; that is left out", file->path, problem);
  return walk->loaded;
}

GstCcaIndexStep
gst_cca_index_walk_next (GstCcaIndexWalk *walk, GstCcaIndexFrame *frame, gchar **text)
{
  gchar problem[GST_CCA_INDEX_ERROR_SIZE];
  gint got;

  for (;;) {
    if (!walk->reader) {
      if (walk->n_opened == walk->files->len)
        return GST_CCA_INDEX_WALK_END;
      if (!open_next (walk, text))
        return GST_CCA_INDEX_WALK_WARNING;
      continue;
    }
    if (!walk->loaded && !load_next (walk, text))
      return GST_CCA_INDEX_WALK_WARNING;
    if (!walk->reader)
      continue;
    got = gst_cca_index_reader_next (walk->reader, frame, problem);
    if (got > 0 && overlaps (walk, frame->utc, frame->utc))
      return GST_CCA_INDEX_WALK_FRAME;
    if (got <= 0)
      walk->loaded = FALSE;
    if (got < 0) {
      const GstCcaIndexFile *file = g_ptr_array_index (walk->files, walk->n_opened - 1);

      *text = g_strdup_printf ("%s %s; that is left out", file->path, problem);
      return GST_CCA_INDEX_WALK_WARNING;
    }
  }
}
