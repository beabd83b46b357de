/* gst-cca: files of an index return the frames that were written, whole or cut off
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <errno.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "../add-tests.h"
#include "../test-folder.h"
#include "gst/index/file.h"
#include "gst/index/foreground.h"

#define MS G_GUINT64_CONSTANT (1000000)
#define SECOND (1000 * MS)
#define MORNING (G_GUINT64_CONSTANT (1795424400) * SECOND)

enum
{
  MOST_ITEMS = 12,
  N_CELLS = 20 * 12
};

/* A frame and its lists. */
typedef struct
{
  GstCcaIndexFrame frame;
  GstCcaIndexComponent components[MOST_ITEMS];
  GstCcaIndexTrack tracks[MOST_ITEMS];
  guint8 cells[N_CELLS];
} Scene;

static gchar *
path_of (const gchar *name)
{
  return g_build_filename (test_folder (), name, NULL);
}

static void
set_component (GstCcaIndexComponent *component, GRand *random, guint label)
{
  const guint area = g_rand_int_range (random, 1, 4000);

  *component = (GstCcaIndexComponent) {
    .label = label,
    .place.x = g_rand_int_range (random, 0, 600),
    .place.y = g_rand_int_range (random, 0, 400),
    .place.width = g_rand_int_range (random, 1, 80),
    .place.height = g_rand_int_range (random, 1, 80),
    .place.area = area,
    .place.centroid = { g_rand_int_range (random, 0, 600 * 4000) / (gdouble) area,
                        g_rand_double_range (random, 0, 600) },
  };
}

/* Sets values that no camera gives, but that a meta can have. */
static void
make_strange (Scene *scene, GRand *random)
{
  static const gdouble strange[] = { NAN, INFINITY, -0.0, 1e300, -1e-300, 0x1p62 };
  GstCcaIndexFrame *frame = &scene->frame;

  frame->components_stale = frame->tracks_stale = frame->learning = true;
  frame->n_found += 7;
  for (guint i = 0; i < frame->n_components; i++) {
    scene->components[i].place.area = G_MAXUINT64 - i;
    scene->components[i].place.x = scene->components[i].place.height = G_MAXUINT32;
    scene->components[i].label = i % 3;
    scene->components[i].place.centroid[1] = strange[g_rand_int_range (random, 0, G_N_ELEMENTS (strange))];
    scene->components[i].covariance[i % 3] = strange[i % G_N_ELEMENTS (strange)];
  }
  for (guint i = 0; i < frame->n_tracks; i++) {
    scene->tracks[i].id += G_MAXUINT64 / 2;
    scene->tracks[i].velocity[0] = strange[i % G_N_ELEMENTS (strange)];
    scene->tracks[i].place.centroid[0] = strange[g_rand_int_range (random, 0, G_N_ELEMENTS (strange))];
    scene->tracks[i].age = G_MAXUINT32;
  }
}

/* Makes the n-th frame, the same for the same n. */
static void
make_scene (Scene *scene, guint n)
{
  static const char *const kinds[] = { NULL, "car", "person" };
  g_autoptr (GRand) random = g_rand_new_with_seed (n);
  GstCcaIndexFrame *frame = &scene->frame;

  *scene = (Scene) { 0 };
  *frame = (GstCcaIndexFrame) {
    .context = { .caps = n < 300 ? "video/x-raw" : "video/x-raw, width=640",
                 .id = "cca0",
                 .rate = 1.0,
                 .applied_rate = 1.0,
                 .start = n < 500 ? 0 : SECOND,
                 .utc_source = GST_CCA_INDEX_UTC_START,
                 .components_size = { 640, 480 },
                 .tracks_size = { 640, 480 } },
    .pts = n * 40 * MS + g_rand_int_range (random, 0, 3),
    .duration = n % 97 == 0 ? GST_CCA_INDEX_NEVER : 40 * MS,
    .utc = n % 89 == 0 ? GST_CCA_INDEX_NEVER : MORNING + n * 40 * MS,
    .has_components = n % 53 != 0,
    .scene_change = n % 61 == 0,
    .has_tracks = n % 59 != 0,
    .components = scene->components,
    .tracks = scene->tracks,
    .has_cells = n % 25 == 0,
    .cells = { 32, 20, 12, scene->cells },
  };
  if (n % 101 == 100)
    frame->pts -= 3 * SECOND;
  frame->n_components = frame->has_components ? g_rand_int_range (random, 0, MOST_ITEMS) : 0;
  frame->n_tracks = frame->has_tracks ? g_rand_int_range (random, 0, MOST_ITEMS) : 0;
  frame->n_found = frame->n_components;
  for (guint i = 0; i < frame->n_components; i++)
    set_component (&scene->components[i], random, i + 1);
  for (guint i = 0; i < frame->n_tracks; i++) {
    GstCcaIndexTrack *track = &scene->tracks[i];

    *track = (GstCcaIndexTrack) { .id = i * 3 + 1 + n / 50,
                                  .state = (n + i) % 3,
                                  .label = i + 1,
                                  .age = n % 50 + 1,
                                  .velocity = { g_rand_int_range (random, -9999, 9999) / 256.0, n / 3.0 },
                                  .kind = kinds[(n / 10 + i) % G_N_ELEMENTS (kinds)] };
    if (i < frame->n_components)
      track->place = scene->components[i].place;
  }
  for (guint i = 0; frame->has_cells && i < N_CELLS; i++)
    scene->cells[i] = (i + n / 25) % 17 < 4;
  if (n % 103 == 50)
    make_strange (scene, random);
}

static void
assert_doubles (const gdouble *a, const gdouble *b, guint n)
{
  g_assert_cmpmem (a, n * sizeof *a, b, n * sizeof *b);
}

static void
assert_frame (const GstCcaIndexFrame *a, const GstCcaIndexFrame *b)
{
  g_assert_cmpstr (a->context.caps, ==, b->context.caps);
  g_assert_cmpstr (a->context.id, ==, b->context.id);
  g_assert_cmpuint (a->context.start, ==, b->context.start);
  g_assert_cmpuint (a->context.utc_source, ==, b->context.utc_source);
  g_assert_cmpuint (a->context.tracks_size[1], ==, b->context.tracks_size[1]);
  g_assert_cmpuint (a->pts, ==, b->pts);
  g_assert_cmpuint (a->duration, ==, b->duration);
  g_assert_cmpuint (a->utc, ==, b->utc);
  g_assert_true (a->has_components == b->has_components && a->components_stale == b->components_stale
                 && a->scene_change == b->scene_change && a->learning == b->learning && a->has_tracks == b->has_tracks
                 && a->tracks_stale == b->tracks_stale && a->has_cells == b->has_cells);
  g_assert_cmpuint (a->n_found, ==, b->n_found);
  g_assert_cmpuint (a->n_components, ==, b->n_components);
  for (guint i = 0; i < a->n_components; i++) {
    const GstCcaIndexComponent *x = &a->components[i], *y = &b->components[i];

    g_assert_cmpuint (x->label, ==, y->label);
    g_assert_cmpmem (&x->place, sizeof x->place, &y->place, sizeof y->place);
    assert_doubles (x->covariance, y->covariance, 3);
  }
  g_assert_cmpuint (a->n_tracks, ==, b->n_tracks);
  for (guint i = 0; i < a->n_tracks; i++) {
    const GstCcaIndexTrack *x = &a->tracks[i], *y = &b->tracks[i];

    g_assert_true (x->id == y->id && x->state == y->state && x->label == y->label && x->age == y->age);
    g_assert_cmpmem (&x->place, sizeof x->place, &y->place, sizeof y->place);
    g_assert_cmpstr (x->kind, ==, y->kind);
    assert_doubles (x->velocity, y->velocity, 2);
  }
  if (a->has_cells)
    g_assert_cmpmem (a->cells.cells, N_CELLS, b->cells.cells, N_CELLS);
}

/* Writes n frames to a new file. */
static gchar *
write_file (const gchar *name, guint n)
{
  gchar *path = path_of (name);
  const GstCcaIndexHead head = { .session = 0x123456789abcdef0, .number = 7, .camera = "gate" };
  GstCcaIndexWriter *writer = gst_cca_index_writer_new (path, &head);
  guint64 size;

  g_assert_nonnull (writer);
  for (guint i = 0; i < n; i++) {
    Scene scene;

    make_scene (&scene, i);
    g_assert_true (gst_cca_index_writer_add (writer, &scene.frame));
  }
  g_assert_true (gst_cca_index_writer_close (writer, &size));
  return path;
}

/* Returns how many of the frames that write_file() writes a file has, which must be the first ones. */
static guint
count_frames (GstCcaIndexReader *reader)
{
  gchar error[GST_CCA_INDEX_ERROR_SIZE];
  GstCcaIndexFrame frame;
  guint n = 0;
  gsize n_blocks;

  gst_cca_index_reader_blocks (reader, &n_blocks);
  for (gsize i = 0; i < n_blocks; i++) {
    gint got;

    g_assert_true (gst_cca_index_reader_load (reader, i, error));
    while ((got = gst_cca_index_reader_next (reader, &frame, error)) > 0) {
      Scene scene;

      make_scene (&scene, n++);
      assert_frame (&frame, &scene.frame);
    }
    g_assert_cmpint (got, ==, 0);
  }
  return n;
}

static void
test_round_trip (void)
{
  g_autofree gchar *path = write_file ("round", 2000);
  gchar error[GST_CCA_INDEX_ERROR_SIZE];
  GstCcaIndexReader *reader = gst_cca_index_reader_open (path, error);
  const GstCcaIndexBlock *blocks;
  gsize n;

  g_assert_nonnull (reader);
  g_assert_cmpuint (gst_cca_index_reader_head (reader)->session, ==, 0x123456789abcdef0);
  g_assert_cmpuint (gst_cca_index_reader_head (reader)->number, ==, 7);
  g_assert_cmpstr (gst_cca_index_reader_head (reader)->camera, ==, "gate");
  g_assert_cmpint (gst_cca_index_reader_end (reader, NULL), ==, GST_CCA_INDEX_ENDED);
  g_assert_cmpuint (count_frames (reader), ==, 2000);
  blocks = gst_cca_index_reader_blocks (reader, &n);
  g_assert_cmpuint (n, >, 1);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint (blocks[i].first_utc, >=, MORNING);
    g_assert_cmpuint (blocks[i].last_utc, <, MORNING + 2000 * 40 * MS);
    g_assert_cmpuint (blocks[i].last_utc - blocks[i].first_utc, <=, 64 * SECOND);
  }
  gst_cca_index_reader_free (reader);
}

static void
test_empty (void)
{
  g_autofree gchar *path = write_file ("empty", 0);
  gchar error[GST_CCA_INDEX_ERROR_SIZE];
  GstCcaIndexReader *reader = gst_cca_index_reader_open (path, error);

  g_assert_nonnull (reader);
  g_assert_cmpint (gst_cca_index_reader_end (reader, NULL), ==, GST_CCA_INDEX_ENDED);
  g_assert_cmpuint (count_frames (reader), ==, 0);
  gst_cca_index_reader_free (reader);
}

/* A file that exists is somebody's. */
static void
test_exists (void)
{
  g_autofree gchar *path = write_file ("exists", 1);
  const GstCcaIndexHead head = { .camera = "gate" };

  g_assert_null (gst_cca_index_writer_new (path, &head));
  g_assert_cmpint (errno, ==, EEXIST);
}

/* Wherever a file ends, it is read up to its last whole block. */
static void
test_cut_off (void)
{
  g_autofree gchar *path = write_file ("cut", 1700), *cut = path_of ("cut-off"), *text = NULL;
  gchar error[GST_CCA_INDEX_ERROR_SIZE];
  guint last = 0, n_ends[3] = { 0 };
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  /* Each length at both ends, and some in between. */
  for (gsize length = 0, step; length < size; length += step) {
    GstCcaIndexReader *reader;
    guint n;

    step = length < 40 || length + 40 >= size ? 1 : MIN (size / 16, size - 40 - length);

    g_assert_true (g_file_set_contents (cut, text, (gssize) length, NULL));
    reader = gst_cca_index_reader_open (cut, error);
    if (!reader) {
      g_assert_cmpuint (length, <, 32);
      continue;
    }
    n_ends[gst_cca_index_reader_end (reader, NULL)]++;
    n = count_frames (reader);
    g_assert_cmpuint (n, >=, last);
    last = n;
    gst_cca_index_reader_free (reader);
  }
  g_assert_cmpuint (last, ==, 1700); /* all but the end */
  g_assert_cmpuint (n_ends[GST_CCA_INDEX_ENDED], ==, 0);
  g_assert_cmpuint (n_ends[GST_CCA_INDEX_OPEN], >, 0);
  g_assert_cmpuint (n_ends[GST_CCA_INDEX_DAMAGED], >, 0);
}

/* Returns the error of opening a file with one byte changed. */
static gchar *
error_with (const gchar *text, gsize size, gsize at, guint8 change)
{
  g_autofree gchar *path = path_of ("changed"), *copy = g_memdup2 (text, size);
  gchar *error = g_malloc0 (GST_CCA_INDEX_ERROR_SIZE);
  GstCcaIndexReader *reader;

  copy[at] ^= (gchar) change;
  g_assert_true (g_file_set_contents (path, copy, (gssize) size, NULL));
  reader = gst_cca_index_reader_open (path, error);
  if (reader)
    gst_cca_index_reader_load (reader, 0, error);
  gst_cca_index_reader_free (reader);
  return error;
}

static void
test_damaged (void)
{
  g_autofree gchar *path = write_file ("damaged", 10), *text = NULL;
  const struct
  {
    gsize at;
    const gchar *error;
  } cases[] = {
    { 0, "*is no index of ccaindex*" },
    { 8, "*version 0, and this program reads version 1*" },
    { 27, "*damaged at its beginning*" },
    { 32 + 100, "*damaged in the block at byte 68*" },
  };
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *error = error_with (text, size, cases[i].at, 1);

    g_test_message ("%s", error);
    g_assert_true (g_pattern_match_simple (cases[i].error, error));
  }
}

/* Frames without objects take almost no bytes. */
static void
test_small (void)
{
  g_autofree gchar *path = path_of ("small");
  const GstCcaIndexHead head = { .camera = "gate" };
  GstCcaIndexWriter *writer = gst_cca_index_writer_new (path, &head);
  guint64 size;

  for (guint i = 0; i < 90000; i++) {
    const GstCcaIndexFrame frame = {
      .context = { .caps = "video/x-raw", .id = "cca0", .rate = 1.0, .applied_rate = 1.0 },
      .pts = i * 40 * MS,
      .duration = 40 * MS,
      .utc = MORNING + i * 40 * MS,
      .has_components = true,
      .has_tracks = true,
    };

    g_assert_true (gst_cca_index_writer_add (writer, &frame));
  }
  g_assert_true (gst_cca_index_writer_close (writer, &size));
  g_test_message ("an hour of nothing: %" G_GUINT64_FORMAT " bytes", size);
  g_assert_cmpuint (size, <, 10000);
}

static void
test_foreground (void)
{
  GstCcaIndexForeground foreground = { 0 };
  guint8 counts[200 * 100];
  GstCcaIndexCells cells = gst_cca_index_foreground_take (&foreground);

  g_assert_cmpuint (cells.columns, ==, 0);
  for (guint frame = 0; frame < 5; frame++) {
    memset (counts, 0, sizeof counts);
    counts[0] = 4;                         /* of 3 × 3 cells of 4 pixels: 4 of 36 */
    counts[3] = counts[4] = counts[5] = 4; /* 12 of 36 in all frames */
    if (frame < 2)
      memset (counts + 6, 4, 3); /* in less than half of the frames */
    if (frame < 3)
      memset (counts + 99 * 200 + 198, 4, 2); /* at the border, where cells are smaller */
    g_assert_true (gst_cca_index_foreground_fits (&foreground, 2, 200, 100));
    g_assert_true (gst_cca_index_foreground_add (&foreground, 2, 200, 100, counts));
  }
  g_assert_false (gst_cca_index_foreground_fits (&foreground, 2, 100, 100));
  cells = gst_cca_index_foreground_take (&foreground);
  g_assert_cmpuint (cells.side, ==, 6);
  g_assert_cmpuint (cells.columns, ==, 67);
  g_assert_cmpuint (cells.rows, ==, 34);
  for (guint i = 0; i < 67 * 34; i++)
    g_assert_cmpuint (cells.cells[i], ==, i == 1);
  cells = gst_cca_index_foreground_take (&foreground);
  g_assert_cmpuint (cells.columns, ==, 0);
  gst_cca_index_foreground_clear (&foreground);
}

TESTS_MAIN ("/index", test_round_trip, test_empty, test_exists, test_cut_off, test_damaged, test_small, test_foreground)
