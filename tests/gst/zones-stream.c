/* gst-cca: ccazones: flushes, renegotiation, time stamps, restarts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "zones-test.h"

static void
test_flush (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  GstSegment segment;

  push_track (harness, 100 * GST_SECOND, 1, 150, 100);
  push_track (harness, 100 * GST_SECOND, 1, 150, 160);
  assert_counts (harness, "door", 1, 1, 0);
  test_push_flush (harness);
  /* The same number beyond the line: another track. */
  push_track (harness, 0, 1, 150, 180);
  assert_counts (harness, "gate", 0, 0, 0);
  assert_counts (harness, "door", 1, 1, 0);
  /* The same timeline continues the counts; another begins anew. */
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.stop = 50 * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  push_track (harness, GST_SECOND, 1, 150, 160);
  assert_counts (harness, "gate", 0, 1, 0);
  test_push_segment (harness, 0, 0, 50 * GST_SECOND);
  push_track (harness, 0, 1, 150, 180);
  assert_counts (harness, "gate", 0, 1, 0);
}

static void
test_renegotiation (void)
{
  g_autoptr (GstHarness) harness = harness_with (
      "{\"units\": \"relative\", \"zones\": [{\"name\": \"left\", \"points\": [[0, 0], [0.5, 0], [0.5, 1], "
      "[0, 1]]}]}",
      "");
  const GstCcaTrack before = track_at (1, 100, 100), after = track_at (2, 250, 200);
  const GstCcaEventMeta *meta;
  GstBuffer *buffer;

  gst_buffer_unref (test_pass (harness, frame_with_tracks ("a", WIDTH, HEIGHT, 0, &before, 1)));
  assert_counts (harness, "left", 1, 0, 1);
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", 2 * WIDTH, 2 * HEIGHT, NULL));
  /* The tracker begins anew: no one left or entered. */
  buffer = test_pass (harness, frame_with_tracks ("a", 2 * WIDTH, 2 * HEIGHT, GST_SECOND, &after, 1));
  meta = gst_buffer_get_cca_event_meta (buffer);
  g_assert_cmpuint (meta->width, ==, 2 * WIDTH);
  g_assert_cmpfloat (meta->rules[0].points[1].x, ==, WIDTH);
  g_assert_cmpuint (meta->n_events, ==, 0);
  gst_buffer_unref (buffer);
  assert_counts (harness, "left", 1, 0, 1);
}

/* Without time stamps the frames' durations give the time, or the frame rate of the caps. */
static void
test_no_time_stamps (gconstpointer with_duration)
{
  g_autoptr (GstHarness) harness = harness_with ("{\"zones\": [" ZONE ", \"dwell\": 1}]}", "");
  const GstCcaTrack track = track_at (1, 150, 100);
  guint n_events = 0;

  for (guint i = 0; i < 26; i++) {
    GstBuffer *buffer = frame_with_tracks ("a", WIDTH, HEIGHT, GST_CLOCK_TIME_NONE, &track, 1);

    if (!with_duration)
      GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
    buffer = test_pass (harness, buffer);
    n_events += gst_buffer_get_cca_event_meta (buffer)->n_events;
    gst_buffer_unref (buffer);
    g_assert_cmpuint (n_events, ==, i < 25 ? 1 : 2);
  }
}

static void
push_with_state (GstHarness *harness, GstClockTime time, guint y, GstCcaTrackState state)
{
  GstCcaTrack track = track_at (1, 150, y);

  track.state = state;
  track.velocity_y = 10;
  gst_buffer_unref (test_pass (harness, frame_with_tracks ("a", WIDTH, HEIGHT, time, &track, 1)));
}

/* A predicted track crosses no line; seen again, it has crossed it if its velocity says so. */
static void
test_coasting (gconstpointer found)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  const guint y = GPOINTER_TO_UINT (found);

  push_with_state (harness, 0, 160, GST_CCA_TRACK_STATE_CONFIRMED);
  for (guint i = 1; i < 10; i++)
    push_with_state (harness, i * GST_SECOND / 10, 160 + i, GST_CCA_TRACK_STATE_COASTING);
  assert_counts (harness, "gate", 0, 0, 0);
  push_with_state (harness, GST_SECOND, y, GST_CCA_TRACK_STATE_MERGED);
  assert_counts (harness, "gate", y < 200, 0, 0);
}

/* Counters can be read after the end, and begin anew with the next start. */
static void
test_restart (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");

  push_track (harness, 0, 1, 150, 100);
  gst_element_set_state (harness->element, GST_STATE_NULL);
  assert_counts (harness, "door", 1, 0, 1);
  g_assert_false (reload (harness->element));
  g_assert_cmpint (gst_element_set_state (harness->element, GST_STATE_PLAYING), ==, GST_STATE_CHANGE_SUCCESS);
  assert_counts (harness, "door", 0, 0, 0);
}

/* The ball of videotestsrc through a whole pipeline: it crosses the middle as often as it really does. */
static void
test_pipeline (void)
{
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (
      "videotestsrc num-buffers=350 pattern=ball ! video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1 ! "
      "cca foreground=threshold post-messages=false ! ccatrack post-messages=false ! ccazones name=zones ! fakesink");
  g_autoptr (GstElement) zones = gst_bin_get_by_name (GST_BIN (pipeline), "zones");

  g_object_set (zones, "rules",
                "{\"units\": \"relative\", \"lines\": [{\"name\": \"middle\", \"points\": [[0.5, 0], [0.5, 1]], "
                "\"anchor\": \"center\"}]}",
                NULL);
  test_play_to_end (pipeline);
  /* The ball swings like a sine with a period of 200 frames, from the middle to the right first. The line leads down,
   * so that its right side is at the left of the frame. */
  g_assert_cmpuint (counter_of (zones, "middle", "n-in"), ==, 2);
  g_assert_cmpuint (counter_of (zones, "middle", "n-out"), ==, 1);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/zones-stream", test_flush, test_renegotiation, test_restart, test_pipeline);
  g_test_add_data_func ("/zones-stream/no-time-stamps/durations", GINT_TO_POINTER (TRUE), test_no_time_stamps);
  g_test_add_data_func ("/zones-stream/no-time-stamps/caps", GINT_TO_POINTER (FALSE), test_no_time_stamps);
  g_test_add_data_func ("/zones-stream/coasting/on-its-way", GUINT_TO_POINTER (182), test_coasting);
  g_test_add_data_func ("/zones-stream/coasting/elsewhere", GUINT_TO_POINTER (200), test_coasting);
}
