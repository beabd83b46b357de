/* gst-cca: shared by the tests of ccazones
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "zones-test.h"

GstHarness *
harness_of_caps (const gchar *rules, const gchar *more, GstCaps *caps)
{
  g_auto (GStrv) words = g_strsplit (rules, " ", -1);
  g_autofree gchar *escaped = g_strjoinv ("\\ ", words);
  g_autofree gchar *launch = g_strdup_printf ("ccazones rules=%s %s", escaped, more);

  return test_harness (launch, caps);
}

GstHarness *
harness_with (const gchar *rules, const gchar *more)
{
  return harness_of_caps (rules, more, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
}

GstCcaTrack
track_at (guint64 id, guint x, guint y)
{
  return (GstCcaTrack) {
    .track_id = id, .label = 1, .x = x - 5, .y = y - 20, .width = 10, .height = 20, .area = 100, .age = 10
  };
}

GstBuffer *
frame_with_tracks (const gchar *id, guint width, guint height, GstClockTime time, const GstCcaTrack *tracks, guint n)
{
  const GstVideoInfo info = test_video_info ("GRAY8", width, height);
  GstBuffer *buffer = test_frame (&info, 1);

  gst_buffer_add_cca_track_meta (buffer, id, width, height, tracks, n);
  GST_BUFFER_PTS (buffer) = time;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

GstBuffer *
pass_track (GstHarness *harness, GstClockTime time, guint64 id, guint x, guint y)
{
  const GstCcaTrack track = track_at (id, x, y);

  return test_pass (harness, frame_with_tracks ("cca0", WIDTH, HEIGHT, time, &track, 1));
}

void
push_track (GstHarness *harness, GstClockTime time, guint64 id, guint x, guint y)
{
  gst_buffer_unref (pass_track (harness, time, id, x, y));
}

gboolean
reload (GstElement *element)
{
  gboolean done;

  g_signal_emit_by_name (element, "reload", &done);
  return done;
}

guint64
counter_of (GstElement *element, const gchar *name, const gchar *counter)
{
  g_autoptr (GstStructure) structure = NULL;
  const GValue *list;
  guint64 found = G_MAXUINT64;

  g_object_get (element, "counts", &structure, NULL);
  g_assert_cmpstr (gst_structure_get_name (structure), ==, "cca-counts");
  list = gst_structure_get_value (structure, "rules");
  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    const GstStructure *rule = gst_value_get_structure (gst_value_list_get_value (list, i));
    guint occupancy = 0;

    if (!g_str_equal (gst_structure_get_string (rule, "name"), name))
      continue;
    if (gst_structure_get_uint (rule, counter, &occupancy))
      found = occupancy;
    else
      g_assert_true (gst_structure_get_uint64 (rule, counter, &found));
  }
  return found;
}

void
assert_counts (GstHarness *harness, const gchar *rule, guint64 in, guint64 out, guint64 inside)
{
  g_assert_cmpuint (counter_of (harness->element, rule, "n-in"), ==, in);
  g_assert_cmpuint (counter_of (harness->element, rule, "n-out"), ==, out);
  g_assert_cmpuint (counter_of (harness->element, rule, "occupancy"), ==, inside);
}
