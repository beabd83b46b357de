/* gst-cca: ccatrack: sizes in metres, by the ground of rules
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../test-folder.h"
#include "track-test.h"

#include <math.h>
#include <string.h>

/* A camera 6 m over the ground that looks to the horizon on row 60: a metre has (row - 60) / 6 pixels. */
#define HORIZON 60.0
#define CAMERA 6.0
#define GROUND                                                                                                         \
  "\"ground\":{\"points\":[{\"image\":[170,120],\"place\":[-15,100]},{\"image\":[470,120],\"place\":[15,100]},"        \
  "{\"image\":[20,360],\"place\":[-6,20]},{\"image\":[620,360],\"place\":[6,20]}]}"

/* A stream whose ground is a text, or a file with that; of people or not. */
static Stream
stream_on (const gchar *rules, gboolean people)
{
  Stream stream = stream_new ("ccatrack");

  gst_element_set_state (stream.harness->element, GST_STATE_READY);
  g_object_set (stream.harness->element, "ground", rules, "people", people, NULL);
  gst_element_set_state (stream.harness->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps (stream.harness, test_caps ("GRAY8", stream.width, stream.height, NULL));
  return stream;
}

static gdouble
pixels_per_metre (gdouble row)
{
  return (row - HORIZON) / CAMERA;
}

/* Shows two people of a height in metres, who walk along two rows, for n frames. */
static void
show_walkers (Stream *stream, gdouble metres, guint n)
{
  static const gint feet[] = { 240, 300 };

  for (guint i = 0; i < n; i++) {
    for (guint k = 0; k < 2; k++) {
      const guint height = (guint) (metres * pixels_per_metre (feet[k]) + 0.5);

      add_box (stream, k ? 560 - 5 * (gint) i : 20 + 5 * (gint) i, feet[k] - (gint) height, height * 2 / 5, height);
    }
    pass_and_drop (stream);
  }
}

/* The field metres of the element's `stats`; 0 if there is none. */
static gdouble
metres_of (Stream *stream)
{
  static const gchar *const fields[] = { "upper-row", "upper-height", "lower-row", "lower-height" };
  GstStructure *stats;
  gdouble metres, values[4] = { 0 };

  g_object_get (stream->harness->element, "stats", &stats, NULL);
  metres = gst_structure_has_field (stats, "metres") ? test_get_double (stats, "metres") : 0;
  for (guint i = 0; i < 4 && metres > 0; i++)
    values[i] = test_get_double (stats, fields[i]);
  gst_structure_free (stats);
  /* The last row, and the first one on which they are 16 pixels high. */
  if (metres > 0) {
    g_assert_cmpfloat_with_epsilon (values[1], 16, 0.1);
    g_assert_cmpfloat_with_epsilon (values[0], HORIZON + 16 / metres * CAMERA, 0.5);
    g_assert_cmpfloat (values[2], ==, HEIGHT);
    g_assert_cmpfloat_with_epsilon (values[3], metres * pixels_per_metre (HEIGHT), 0.5);
  }
  return metres;
}

/* Metres are learned from a text, a file, and units that are parts of the frame. */
static void
test_learned (void)
{
  g_autofree gchar *path = g_build_filename (test_folder (), "street.rules.json", NULL);
  static const gchar relative[] =
      "{\"version\":3,\"units\":\"relative\",\"ground\":{\"points\":["
      "{\"image\":[0.265625,0.3333333333],\"place\":[-15,100]},{\"image\":[0.734375,0.3333333333],\"place\":[15,100]},"
      "{\"image\":[0.03125,1],\"place\":[-6,20]},{\"image\":[0.96875,1],\"place\":[6,20]}]}}";
  const gchar *const values[] = { "{" GROUND "}", path, relative };

  if (test_skip_without_element ("ccazones"))
    return;
  g_assert_true (g_file_set_contents (path, "{ \"width\": 640, \"height\": 360, " GROUND " }", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_auto (Stream) stream = stream_on (values[i], FALSE);

    show_walkers (&stream, 1.8, 1);
    g_assert_cmpfloat (metres_of (&stream), ==, 0);
    show_walkers (&stream, 1.8, 60);
    g_assert_cmpfloat_with_epsilon (metres_of (&stream), 1.8, 0.05);
  }
}

/* People are known with the first frame, and are learned then. */
static void
test_people (void)
{
  Stream stream;

  if (test_skip_without_element ("ccazones"))
    return;
  stream = stream_on ("{" GROUND "}", TRUE);
  show_walkers (&stream, 1.2, 1);
  g_assert_cmpfloat_with_epsilon (metres_of (&stream), 1.7, 1e-6);
  show_walkers (&stream, 1.2, 60);
  g_assert_cmpfloat_with_epsilon (metres_of (&stream), 1.2, 0.05);
  stream_free (&stream);
}

/* Once the sizes of objects are known, much smaller components get no track, also on rows without objects so far. */
static void
test_specks (void)
{
  for (guint known = 0; known < 2; known++) {
    Stream stream;

    if (test_skip_without_element ("ccazones"))
      return;
    stream = stream_on (known ? "{" GROUND "}" : NULL, known);
    for (guint i = 0; i < 10; i++) {
      g_autoptr (GstBuffer) buffer = NULL;

      add_box (&stream, 100 + 2 * (gint) i, 330, 10, 12);
      add_box (&stream, 300 + 2 * (gint) i, 260, 30, 75);
      buffer = pass_frame (&stream);
      if (i == 9)
        g_assert_cmpuint (n_tracks (buffer), ==, known ? 1 : 2);
    }
    stream_free (&stream);
  }
}

static void
assert_refuses (const gchar *value, const gchar *says)
{
  g_autofree gchar *error = test_start_error ("ccatrack", "ground", value);
  g_autofree gchar *pattern = g_strdup_printf ("Cannot use the ground: %s*", says);

  g_assert_nonnull (error);
  if (!g_pattern_match_simple (pattern, error))
    g_error ("\"%s\" does not match \"%s\"", error, pattern);
}

static void
test_refused (void)
{
  g_autofree gchar *missing = g_build_filename (test_folder (), "missing.json", NULL);
  g_autofree gchar *says = g_strdup_printf ("%s: cannot be read: No such file or directory", missing);

  assert_refuses (missing, says);
  if (test_skip_without_element ("ccazones"))
    return;
  assert_refuses ("{", "JSON: line 1*");
  assert_refuses ("{}", "JSON: has no ground: add the member ground, with four or more points");
  assert_refuses (" \n{}", "JSON: has no ground: add the member ground, with four or more points");
  assert_refuses ("{\"zones\":[{\"points\":[[1]]}]}", "JSON: zones?0?: has no name");
  assert_refuses ("{\"ground\":{\"points\":[]}}", "JSON: ground.points*");
}

/* If the plugin that reads rules is missing, the error names it. */
static void
test_without_reader (void)
{
  GstRegistry *registry = gst_registry_get ();
  GstPluginFeature *feature = gst_registry_find_feature (registry, "GstCcaRulesReader", GST_TYPE_DYNAMIC_TYPE_FACTORY);

  if (feature)
    gst_registry_remove_feature (registry, feature);
  assert_refuses ("{" GROUND "}", "JSON: the ground needs the plugin ccazones, which is not installed");
  if (feature)
    gst_registry_add_feature (registry, feature);
  g_clear_object (&feature);
}

static void
test_people_alone (void)
{
  g_auto (Stream) stream = stream_on (NULL, TRUE);

  test_assert_warning (stream.harness, "people has no effect without ground*");
}

GST_TESTS_MAIN ("/track-ground", test_learned, test_people, test_specks, test_refused, test_without_reader,
                test_people_alone)
