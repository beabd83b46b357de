/* gst-cca: ccatrack learns sizes, and keeps them in a file
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

#include <glib/gstdio.h>
#include <string.h>

static gchar *folder;

static gchar *
path_of (const gchar *name)
{
  return g_build_filename (folder, name, NULL);
}

static Stream
stream_with (const gchar *path)
{
  g_autofree gchar *launch = g_strdup_printf ("ccatrack sizes-location=\"%s\"", path);

  return stream_new (launch);
}

/* Shows two people who walk through the picture, 40 pixels high at row 100 and 80 at row 300, for n frames. */
static void
show_walkers (Stream *stream, guint n)
{
  for (guint i = 0; i < n; i++) {
    add_box (stream, 20 + 4 * (gint) i, 60, 16, 40);
    add_box (stream, 560 - 4 * (gint) i, 220, 32, 80);
    pass_and_drop (stream);
  }
}

/* The element's `stats`. */
static gboolean
knows_heights (Stream *stream, gdouble heights[4])
{
  static const gchar *const fields[] = { "upper-row", "upper-height", "lower-row", "lower-height" };
  g_autoptr (GstStructure) stats = NULL;
  gboolean known;

  g_object_get (stream->harness->element, "stats", &stats, NULL);
  known = gst_structure_has_field (stats, "upper-row");
  for (guint i = 0; i < 4 && known; i++)
    heights[i] = test_get_double (stats, fields[i]);
  return known;
}

static void
assert_walkers (const gdouble heights[4])
{
  const gdouble slope = (heights[3] - heights[1]) / (heights[2] - heights[0]);

  g_assert_cmpfloat_with_epsilon (heights[0], 100, 1);
  g_assert_cmpfloat_with_epsilon (heights[2], 300, 1);
  g_assert_cmpfloat_with_epsilon (heights[1], 40, 2);
  g_assert_cmpfloat_with_epsilon (slope, 0.2, 0.02);
}

/* Stops the element, which saves, and starts it again, which loads. */
static void
restart (Stream *stream)
{
  g_assert_cmpint (gst_element_set_state (stream->harness->element, GST_STATE_READY), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_cmpint (gst_element_set_state (stream->harness->element, GST_STATE_PLAYING), ==, GST_STATE_CHANGE_SUCCESS);
  gst_harness_set_src_caps (stream->harness, test_caps ("GRAY8", stream->width, stream->height, NULL));
  stream->time = 0;
}

static void
test_round_trip (void)
{
  g_autofree gchar *path = path_of ("sizes of my camera");
  g_auto (Stream) stream = stream_with (path);
  gdouble heights[4], again[4];

  show_walkers (&stream, 80);
  g_assert_true (knows_heights (&stream, heights));
  assert_walkers (heights);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  /* What is written twice is still the same; ids of objects begin anew with each start, and must not be mixed up. */
  for (guint i = 0; i < 3; i++) {
    restart (&stream);
    g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    g_assert_false (knows_heights (&stream, again));
    show_walkers (&stream, 1);
    g_assert_true (knows_heights (&stream, again));
    for (guint k = 0; k < 4; k++)
      g_assert_cmpfloat_with_epsilon (again[k], heights[k], 1);
  }
}

/* Frames carry what was learned, once it is known. */
static void
test_meta (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");
  gdouble heights[4], height;

  for (guint i = 0; i < 80; i++) {
    const GstCcaTrackMeta *meta;
    g_autoptr (GstBuffer) buffer = NULL;

    add_box (&stream, 20 + 4 * (gint) i, 60, 16, 40);
    add_box (&stream, 560 - 4 * (gint) i, 220, 32, 80);
    buffer = pass_frame (&stream);
    meta = gst_buffer_get_cca_track_meta (buffer);
    g_assert_cmpint (gst_cca_track_meta_get_height (meta, 200, &height), ==, knows_heights (&stream, heights));
    if (height > 0)
      g_assert_cmpfloat_with_epsilon (height, 60, 3);
  }
  g_assert_cmpfloat (height, >, 0);
}

/* Without a file, sizes are forgotten at each start. */
static void
test_no_file (void)
{
  static const gchar *const launches[] = { "ccatrack", "ccatrack sizes-location=\"\"" };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    g_auto (Stream) stream = stream_new (launches[i]);
    gdouble heights[4];

    show_walkers (&stream, 80);
    g_assert_true (knows_heights (&stream, heights));
    restart (&stream);
    show_walkers (&stream, 1);
    g_assert_false (knows_heights (&stream, heights));
  }
}

/* Observations are kept, even if they do not suffice yet; a run without any changes nothing. */
static void
test_adds_up (void)
{
  g_autofree gchar *path = path_of ("adds-up");
  g_auto (Stream) stream = stream_with (path);
  gdouble heights[4];

  show_walkers (&stream, 2);
  restart (&stream);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  for (guint i = 0; i < 2; i++) {
    show_walkers (&stream, 20);
    g_assert_cmpint (knows_heights (&stream, heights), ==, i == 1);
    restart (&stream);
  }
}

/* Sizes of another frame size are not used, with one warning; what is learned then replaces them. */
static void
test_other_frame_size (void)
{
  g_autofree gchar *path = path_of ("other-size");
  g_autofree gchar *text = NULL;
  g_auto (Stream) stream = stream_with (path);
  gdouble heights[4];

  show_walkers (&stream, 80);
  g_assert_true (knows_heights (&stream, heights));
  stream.width *= 2;
  restart (&stream);
  show_walkers (&stream, 3);
  g_assert_false (knows_heights (&stream, heights));
  test_assert_warning (stream.harness, "'*other-size' is for frames of 640x360 pixels, not 1280x360; set a "
                                       "sizes-location for each camera and size [its sizes are not used*");
  /* Nothing was learned: the file is as it was. */
  restart (&stream);
  show_walkers (&stream, 80);
  test_assert_warning (stream.harness, "*is for frames of 640x360*");
  restart (&stream);
  show_walkers (&stream, 1);
  g_assert_true (knows_heights (&stream, heights));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "width=1280\n"));
}

#define HEAD "[sizes]\nversion=1\nwidth=640\nheight=360\n"
#define LISTS "rows=1;2\nwidths=1;2\nheights=1;2\nfilled=1;1\n"

/* Files that the element refuses, and the warning. */
static const struct
{
  const gchar *name, *content, *says;
} bad_files[] = {
  { "empty", "", "*group*sizes*" },
  { "other", "{ \"zones\": [] }", "*{*" },
  { "binary", "\x89PNG\r\n\x1a\n", "*" },
  { "version", "[sizes]\nversion=2\n", "*version in [sizes] must be 1*" },
  { "no-version", "[sizes]\nwidth=640\n", "*version*" },
  { "no-width", "[sizes]\nversion=1\nheight=360\n", "*width*" },
  { "width-0", "[sizes]\nversion=1\nwidth=0\nheight=360\n", "*width in [sizes] must be from 1 to 65535*" },
  { "width-large", "[sizes]\nversion=1\nwidth=65536\nheight=360\n", "*width in*" },
  { "height-negative", "[sizes]\nversion=1\nwidth=640\nheight=-1\n", "*" },
  { "no-lists", HEAD, "*rows*" },
  { "empty-lists", HEAD "rows=\nwidths=\nheights=\nfilled=\nobjects=\n", "*rows in [sizes] must have as many*" },
  { "no-objects", HEAD LISTS, "*objects*" },
  { "few-objects", HEAD LISTS "objects=1\n", "*objects in [sizes] must have as many values as rows*" },
  { "no-silhouettes", HEAD LISTS "objects=1;2\n", "*silhouettes*" },
  { "few-silhouettes", HEAD LISTS "objects=1;2\nsilhouettes=;\n", "*silhouettes in [sizes] must have as many*" },
  { "short-silhouette", HEAD LISTS "objects=1;2\nsilhouettes=;AAAA;\n", "*silhouettes in [sizes] must be empty or*" },
  { "object-0", HEAD LISTS "objects=1;0\n", "*objects in [sizes] must be numbers from 1*" },
  { "short", HEAD "rows=1;2\nwidths=1\nheights=1;2\nfilled=1;1\nobjects=1;2\n", "*widths in [sizes] must have as*" },
  { "nan", HEAD "rows=1;nan\n", "*rows*" },
  { "infinite", HEAD "rows=1;inf\n", "*rows*" },
  { "huge", HEAD "rows=1;1e300\n", "*rows in [sizes] must be numbers above 0 and at most 1000000*" },
  { "negative", HEAD "rows=1;2\nwidths=1;-2\n", "*widths in [sizes] must be numbers above 0*" },
  { "word", HEAD "rows=1;two\n", "*two*" },
};

static void
test_bad_file (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  g_autofree gchar *path = path_of (bad_files[i].name), *text = NULL, *error = NULL;
  g_autofree gchar *pattern = g_strdup_printf (
      "'%s' is no file of learned sizes; remove it, or set another sizes-location [%s]", path, bad_files[i].says);

  g_assert_true (g_file_set_contents (path, bad_files[i].content, -1, NULL));
  error = test_start_error ("ccatrack", "sizes-location", path);
  g_assert_nonnull (error);
  if (!g_pattern_match_simple (pattern, error))
    g_error ("\"%s\" does not match \"%s\"", error, pattern);
  /* The file is not the element's: it is left alone. */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, bad_files[i].content);
}

/* More samples than the element keeps. */
static void
test_long_list (void)
{
  g_autofree gchar *path = path_of ("long"), *error = NULL;
  GString *text = g_string_new (HEAD "rows=");

  for (guint i = 0; i < 193; i++)
    g_string_append (text, "100;");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  error = test_start_error ("ccatrack", "sizes-location", path);
  g_assert_nonnull (strstr (error, "must have as many values as rows, 1 to 192"));
  g_string_free (text, TRUE);
}

static void
test_bad_places (void)
{
  g_autofree gchar *missing = path_of ("nowhere/sizes"), *secret = path_of ("secret");
  g_autofree gchar *error = test_start_error ("ccatrack", "sizes-location", missing);

  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error, "nowhere/sizes'; create its folder"));
  g_assert_nonnull (strstr (error, "nowhere': No such file or directory"));
  g_free (error);
  error = test_start_error ("ccatrack", "sizes-location", folder);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error, folder));
  g_free (error);
  g_assert_true (g_file_set_contents (secret, HEAD, -1, NULL));
  g_assert_cmpint (g_chmod (secret, 0), ==, 0);
  error = test_start_error ("ccatrack", "sizes-location", secret);
  g_assert_nonnull (error);
  /* Root may read it. */
  g_assert_true (strstr (error, "make it readable") != NULL || g_access (secret, 4) == 0);
}

/* A folder that goes away while the element plays costs the sizes, and says so. */
static void
test_lost_folder (void)
{
  g_autofree gchar *sub = path_of ("sub"), *path = path_of ("sub/sizes");
  Stream stream;

  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  stream = stream_with (path);
  show_walkers (&stream, 80);
  g_assert_cmpint (g_rmdir (sub), ==, 0);
  g_assert_cmpint (gst_element_set_state (stream.harness->element, GST_STATE_READY), ==, GST_STATE_CHANGE_SUCCESS);
  test_assert_warning (stream.harness, "The learned sizes are lost; check the folder of sizes-location [*sub/sizes*]");
  stream_free (&stream);
}

/* Saving leaves no other file behind. */
static void
remove_folder (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir))) {
    g_autofree gchar *path = path_of (name);

    g_assert_null (strchr (name, '.'));
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  folder = g_dir_make_tmp ("gst-cca-sizes-XXXXXX", NULL);
  g_assert_nonnull (folder);
  ADD_TESTS ("/track-sizes", test_round_trip, test_meta, test_no_file, test_adds_up, test_other_frame_size,
             test_long_list, test_bad_places, test_lost_folder);
  for (guint i = 0; i < G_N_ELEMENTS (bad_files); i++) {
    g_autofree gchar *name = g_strdup_printf ("/track-sizes/bad-file/%s", bad_files[i].name);

    g_test_add_data_func (name, GUINT_TO_POINTER (i), test_bad_file);
  }
  status = g_test_run ();
  remove_folder ();
  return status;
}
