/* gst-cca: ccazones: the metas that it reads and writes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "zones-test.h"

static void
test_meta (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  GstBuffer *buffer = pass_track (harness, 0, 7, 150, 100);
  const GstCcaEventMeta *meta = gst_buffer_get_cca_event_meta (buffer);

  g_assert_nonnull (meta);
  g_assert_cmpstr (meta->id, ==, "cca0");
  g_assert_cmpuint (meta->width, ==, WIDTH);
  g_assert_cmpuint (meta->height, ==, HEIGHT);
  g_assert_cmpuint (meta->n_rules, ==, 2);
  g_assert_cmpstr (meta->rules[0].name, ==, "door");
  g_assert_cmpint (meta->rules[0].type, ==, GST_CCA_RULE_ZONE);
  g_assert_cmpuint (meta->rules[0].n_points, ==, 4);
  g_assert_cmpfloat (meta->rules[0].points[2].x, ==, 200.0);
  g_assert_cmpfloat (meta->rules[0].points[2].y, ==, 150.0);
  g_assert_cmpuint (meta->rules[0].n_in, ==, 1);
  g_assert_cmpuint (meta->rules[0].n_out, ==, 0);
  g_assert_cmpuint (meta->rules[0].occupancy, ==, 1);
  g_assert_cmpstr (meta->rules[1].name, ==, "gate");
  g_assert_cmpint (meta->rules[1].type, ==, GST_CCA_RULE_LINE);
  g_assert_cmpuint (meta->rules[1].n_points, ==, 2);
  g_assert_cmpfloat (meta->rules[1].points[0].x, ==, 100.0);
  g_assert_cmpfloat (meta->rules[1].points[1].y, ==, 170.0);
  g_assert_cmpuint (meta->n_events, ==, 1);
  g_assert_cmpint (meta->events[0].type, ==, GST_CCA_EVENT_ENTER);
  g_assert_cmpstr (meta->events[0].rule, ==, "door");
  g_assert_cmpuint (meta->events[0].track_id, ==, 7);
  g_assert_cmpuint (meta->events[0].dwell, ==, 0);
  g_assert_cmpfloat (meta->events[0].x, ==, 150.0);
  gst_buffer_unref (buffer);

  /* Also where nothing happens. */
  buffer = pass_track (harness, 1, 7, 150, 100);
  meta = gst_buffer_get_cca_event_meta (buffer);
  g_assert_cmpuint (meta->n_rules, ==, 2);
  g_assert_cmpuint (meta->n_events, ==, 0);
  gst_buffer_unref (buffer);
  /* And where there are no tracks. */
  buffer = test_pass (harness, frame_with_tracks ("cca0", WIDTH, HEIGHT, 2, NULL, 0));
  meta = gst_buffer_get_cca_event_meta (buffer);
  g_assert_cmpuint (meta->n_rules, ==, 2);
  g_assert_cmpuint (meta->n_events, ==, 1);
  g_assert_cmpint (meta->events[0].type, ==, GST_CCA_EVENT_LEAVE);
  gst_buffer_unref (buffer);
}

/* Buffers without tracks, and gaps, pass unchanged. */
static void
test_untouched (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  const GstCcaTrack track = track_at (1, 150, 100);
  GstBuffer *buffer = test_frame (&info, 1);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstBuffer *out = test_pass (harness, buffer);

  g_assert_true (out == buffer);
  g_assert_true (gst_buffer_peek_memory (out, 0) == memory);
  g_assert_null (gst_buffer_get_cca_event_meta (out));
  gst_buffer_unref (out);
  buffer = frame_with_tracks ("cca0", WIDTH, HEIGHT, 0, &track, 1);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  out = test_pass (harness, buffer);
  g_assert_true (out == buffer);
  g_assert_null (gst_buffer_get_cca_event_meta (out));
  gst_buffer_unref (out);
  buffer = frame_with_tracks ("cca0", WIDTH, HEIGHT, 0, &track, 1);
  memory = gst_buffer_peek_memory (buffer, 0);
  out = test_pass (harness, buffer);
  g_assert_true (out == buffer);
  g_assert_true (gst_buffer_peek_memory (out, 0) == memory);
  gst_buffer_unref (out);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

/* Frames in memory that only its owner knows. */
static void
test_any_memory (void)
{
  g_autoptr (GstHarness) harness = harness_of_caps (
      RULES, "",
      gst_caps_from_string ("video/x-raw(memory:Somewhere), format=NV12, width=320, height=200, framerate=25/1"));
  const GstCcaTrack track = track_at (1, 150, 100);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_add_cca_track_meta (buffer, "a", WIDTH, HEIGHT, &track, 1);
  gst_buffer_unref (test_pass (harness, buffer));
  assert_counts (harness, "door", 1, 0, 1);
}

static GstBuffer *
frame_of_two_analyses (void)
{
  const GstCcaTrack inside = track_at (1, 150, 100), outside = track_at (1, 50, 100);
  GstBuffer *buffer = frame_with_tracks ("a", WIDTH, HEIGHT, 0, &outside, 1);

  gst_buffer_add_cca_track_meta (buffer, "b", WIDTH, HEIGHT, &inside, 1);
  return buffer;
}

static void
test_ids (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  GstBuffer *buffer;

  gst_buffer_unref (test_pass (harness, frame_of_two_analyses ()));
  assert_counts (harness, "door", 0, 0, 0);
  g_object_set (harness->element, "id", "b", NULL);
  buffer = test_pass (harness, frame_of_two_analyses ());
  assert_counts (harness, "door", 1, 0, 1);
  g_assert_null (gst_buffer_get_cca_event_meta_by_id (buffer, "a"));
  g_assert_nonnull (gst_buffer_get_cca_event_meta_by_id (buffer, "b"));
  gst_buffer_unref (buffer);
  g_object_set (harness->element, "id", "c", NULL);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (test_pass (harness, frame_of_two_analyses ()));
  assert_counts (harness, "door", 1, 0, 1);
  test_assert_warning (harness, "No rules apply: id is 'c', but the frame has the tracks of 'a', 'b'");
  /* The first again: other tracks, though of the same number. */
  g_object_set (harness->element, "id", NULL, NULL);
  gst_buffer_unref (test_pass (harness, frame_of_two_analyses ()));
  assert_counts (harness, "door", 1, 0, 0);
}

static void
test_warnings (void)
{
  GstHarness *harness = harness_with (RULES, "");
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  const GstCcaTrack track = track_at (1, 150, 100);

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = test_frame (&info, 1);

    gst_buffer_add_cca_meta (buffer, "a", WIDTH, HEIGHT, 0, NULL, 0);
    gst_buffer_unref (test_pass (harness, buffer));
  }
  test_assert_warning (harness, "Frames carry components, but no tracks: put ccatrack before ccazones");
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) buffer = frame_with_tracks ("a", WIDTH, HEIGHT, 0, &track, 1);

    gst_buffer_get_cca_track_meta (buffer)->stale = TRUE;
    buffer = test_pass (harness, buffer);
    g_assert_null (gst_buffer_get_cca_event_meta (buffer));
  }
  test_assert_warning (harness, "No rules apply: an element reshaped the frame of 'a'; put ccazones before it "
                                "[its tracks are for a frame of 320x200 pixels]");
  assert_counts (harness, "door", 0, 0, 0);
  test_harness_free (harness);

  /* Drawn for larger frames. */
  harness = harness_with ("{\"lines\": [" LINE ", {\"name\": \"far\", \"points\": [[900, 10], [1000, 10]]}]}", "");
  for (guint i = 0; i < 3; i++)
    push_track (harness, i, 1, 150, 100);
  test_assert_warning (harness,
                       "The rule \"far\" lies outside of frames of 320x200 pixels; set the rules' width and height");
  g_object_set (harness->element, "rules",
                "{\"width\": 1280, \"height\": 800, \"lines\": [{\"name\": \"far\", \"points\": [[900, 10], [1000, "
                "10]]}]}",
                NULL);
  push_track (harness, 4, 1, 150, 100);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  test_harness_free (harness);
}

/* Metas that others made may hold anything. */
static void
test_odd_metas (void)
{
  g_autoptr (GstHarness) harness = harness_with ("{\"zones\": [{\"name\": \"all\"}]}", "");
  GstCcaTrack tracks[] = { track_at (5, 50, 50), track_at (5, 60, 60), track_at (3, 70, 70), track_at (8, 80, 80) };

  tracks[3].width = 0;
  gst_buffer_unref (test_pass (harness, frame_with_tracks ("a", WIDTH, HEIGHT, 0, tracks, 4)));
  assert_counts (harness, "all", 1, 0, 1);
}

/* The area of the components decides whether the scene changes. */
static void
test_scene_change (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  const GstCcaComponent all = { .label = 1, .width = WIDTH, .height = HEIGHT, .area = WIDTH * HEIGHT };
  const GstCcaTrack track = track_at (1, 150, 100);
  GstBuffer *buffer;

  push_track (harness, 0, 1, 50, 100);
  buffer = frame_with_tracks ("cca0", WIDTH, HEIGHT, 1, &track, 1);
  gst_buffer_add_cca_meta (buffer, "other", WIDTH, HEIGHT, 0, NULL, 0);
  gst_buffer_add_cca_meta (buffer, "cca0", WIDTH, HEIGHT, 1, &all, 1);
  gst_buffer_unref (test_pass (harness, buffer));
  assert_counts (harness, "door", 0, 0, 1);
}

/* So does the mark of an analysis in its meta; another's does not matter. */
static void
test_marked_scene_change (void)
{
  for (guint marked = 0; marked < 2; marked++) {
    g_autoptr (GstHarness) harness = harness_with (RULES, "");
    const GstCcaTrack track = track_at (1, 150, 100);
    GstBuffer *buffer;

    push_track (harness, 0, 1, 50, 100);
    buffer = frame_with_tracks ("cca0", WIDTH, HEIGHT, 1, &track, 1);
    gst_buffer_add_cca_meta (buffer, "other", WIDTH, HEIGHT, 0, NULL, 0)->scene_change = !marked;
    gst_buffer_add_cca_meta (buffer, "cca0", WIDTH, HEIGHT, 0, NULL, 0)->scene_change = marked;
    gst_buffer_unref (test_pass (harness, buffer));
    assert_counts (harness, "door", marked ? 0 : 1, 0, 1);
  }
}

GST_TESTS_MAIN ("/zones-meta", test_meta, test_untouched, test_any_memory, test_ids, test_warnings, test_odd_metas,
                test_scene_change, test_marked_scene_change)
