/* gst-cca: the files of an index in the order of their times, and their frames one after the other
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaindexwalk.h"

#include <string.h>

/* --- Files --------------------------------------------------------------------------------------------- */

static void
file_free (gpointer data)
{
  GstCcaIndexFile *file = data;

  g_free (file->path);
  g_free (file->camera);
  g_free (file);
}

static gboolean
add_file (GPtrArray *files, const gchar *path, GError **error)
{
  gchar problem[GST_CCA_INDEX_ERROR_SIZE];
  GstCcaIndexReader *reader = gst_cca_index_reader_open (path, problem);
  const GstCcaIndexBlock *blocks;
  GstCcaIndexFile *file;
  gsize n;

  if (!reader) {
    g_set_error (error, GST_CCA_INDEX_FILES_ERROR, 0, "%s %s", path, problem);
    return FALSE;
  }
  blocks = gst_cca_index_reader_blocks (reader, &n);
  file = g_new0 (GstCcaIndexFile, 1);
  file->path = g_strdup (path);
  file->camera = g_strdup (gst_cca_index_reader_head (reader)->camera);
  file->session = gst_cca_index_reader_head (reader)->session;
  file->number = gst_cca_index_reader_head (reader)->number;
  file->first_utc = file->last_utc = GST_CCA_INDEX_NEVER;
  file->end = gst_cca_index_reader_end (reader, &file->size);
  for (gsize i = 0; i < n; i++) {
    file->n_frames += blocks[i].n_frames;
    if (blocks[i].first_utc == GST_CCA_INDEX_NEVER)
      continue;
    file->first_utc = MIN (file->first_utc, blocks[i].first_utc);
    file->last_utc =
        file->last_utc == GST_CCA_INDEX_NEVER ? blocks[i].last_utc : MAX (file->last_utc, blocks[i].last_utc);
  }
  g_ptr_array_add (files, file);
  gst_cca_index_reader_free (reader);
  return TRUE;
}

/* Adds the files of a folder whose names match. */
static gboolean
add_matches (GPtrArray *files, const gchar *folder, const gchar *pattern, GError **error)
{
  g_autoptr (GPatternSpec) spec = g_pattern_spec_new (pattern);
  g_autoptr (GDir) names = g_dir_open (folder, 0, error);
  const gchar *name;

  while (names && (name = g_dir_read_name (names))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    if (g_pattern_spec_match_string (spec, name) && !add_file (files, path, error))
      return FALSE;
  }
  return names != NULL;
}

static gboolean
add_location (GPtrArray *files, const gchar *location, GError **error)
{
  g_autofree gchar *folder = g_path_get_dirname (location), *name = g_path_get_basename (location);

  if (g_file_test (location, G_FILE_TEST_IS_DIR))
    return add_matches (files, location, "*" GST_CCA_INDEX_SUFFIX, error);
  if (!strpbrk (name, "*?") || g_file_test (location, G_FILE_TEST_EXISTS))
    return add_file (files, location, error);
  return add_matches (files, folder, name, error);
}

static gint
compare (gconstpointer a, gconstpointer b, gpointer sessions)
{
  const GstCcaIndexFile *x = *(GstCcaIndexFile *const *) a, *y = *(GstCcaIndexFile *const *) b;
  const guint64 *begins[] = { g_hash_table_lookup (sessions, &x->session),
                              g_hash_table_lookup (sessions, &y->session) };

  if (*begins[0] != *begins[1])
    return *begins[0] < *begins[1] ? -1 : 1;
  if (x->session != y->session)
    return x->session < y->session ? -1 : 1;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return strcmp (x->path, y->path);
}

/* Sorts by the time at which a session began, then by the number in it. */
static void
sort (GPtrArray *files)
{
  g_autoptr (GHashTable) sessions = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);

  for (guint i = 0; i < files->len; i++) {
    GstCcaIndexFile *file = g_ptr_array_index (files, i);
    const guint64 *begin = g_hash_table_lookup (sessions, &file->session);

    if (!begin || file->first_utc < *begin)
      g_hash_table_replace (sessions, &file->session, &file->first_utc);
  }
  g_ptr_array_sort_with_data (files, compare, sessions);
}

/* Whether all files are of one camera. */
static gboolean
check_cameras (GPtrArray *files, GError **error)
{
  const GstCcaIndexFile *first = g_ptr_array_index (files, 0);

  for (guint i = 1; i < files->len; i++) {
    const GstCcaIndexFile *file = g_ptr_array_index (files, i);

    if (!g_str_equal (file->camera, first->camera)) {
      g_set_error (error, GST_CCA_INDEX_FILES_ERROR, 0,
                   "%s is of the camera '%s', and %s of '%s': name the files of one camera", first->path, first->camera,
                   file->path, file->camera);
      return FALSE;
    }
  }
  return TRUE;
}

GPtrArray *
gst_cca_index_files_find (const gchar *location, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (file_free);

  if (!add_location (files, location, error))
    return NULL;
  if (files->len == 0) {
    g_set_error (error, GST_CCA_INDEX_FILES_ERROR, 0, "%s: no files *%s", location, GST_CCA_INDEX_SUFFIX);
    return NULL;
  }
  sort (files);
  return check_cameras (files, error) ? g_steal_pointer (&files) : NULL;
}

/* --- Frames -------------------------------------------------------------------------------------------- */

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
