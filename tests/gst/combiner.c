/* gst-cca: ccacombiner finds the analysed frame of each frame, and copies its metas
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "combiner-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <string.h>

/* --- Metas --------------------------------------------------------------------------------------------- */

/* Everything of a frame of 640x360, on one of 3840x2160. */
static void
test_scaled (void)
{
  static const GstCcaComponent components[] = {
    { .label = 1,
      .x = 10,
      .y = 20,
      .width = 30,
      .height = 40,
      .area = 700,
      .centroid_x = 24.5,
      .centroid_y = 39.5,
      .cov_xx = 2,
      .cov_xy = -1,
      .cov_yy = 3 },
    { .label = 2, .x = 639, .y = 359, .width = 1, .height = 1, .area = 1, .centroid_x = 639, .centroid_y = 359 },
  };
  static const GstCcaTrack tracks[] = {
    { .track_id = 7,
      .label = 1,
      .x = 10,
      .y = 20,
      .width = 30,
      .height = 40,
      .area = 700,
      .centroid_x = 24.5,
      .centroid_y = 39.5,
      .velocity_x = 5,
      .velocity_y = -1.5,
      .age = 9 },
  };
  static const GstCcaPoint points[] = { { 0, 180 }, { 640, 180 } };
  const GstCcaRule rule = { "door", GST_CCA_RULE_LINE, 2, points, 3, 4, 0 };
  const GstCcaEvent event = { .type = GST_CCA_EVENT_CROSS,
                              .rule = "door",
                              .track_id = 7,
                              .direction = GST_CCA_DIRECTION_FORWARD,
                              .x = 25,
                              .y = 180,
                              .n_in = 3,
                              .n_out = 4,
                              .dwell = GST_CLOCK_TIME_NONE };
  g_auto (Streams) streams = streams_new ("", 3840, 2160, 640, 360);
  g_autoptr (GstBuffer) buffer = timed_buffer (0, FRAME);
  const GstCcaEventMeta *events;
  const GstCcaTrackMeta *track_meta;
  const GstCcaComponent *component;
  const GstCcaMeta *meta;

  g_assert_nonnull (gst_buffer_add_cca_meta (buffer, ID, 640, 360, 3, components, 2));
  g_assert_nonnull (gst_buffer_add_cca_track_meta (buffer, ID, 640, 360, tracks, 1));
  g_assert_nonnull (gst_buffer_add_cca_event_meta (buffer, ID, 640, 360, &rule, 1, &event, 1));
  push_full (&streams, 0);
  g_assert_cmpint (gst_harness_push (streams.meta, buffer), ==, GST_FLOW_OK);
  buffer = gst_harness_pull (streams.full);

  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->width, ==, 3840);
  g_assert_cmpuint (meta->height, ==, 2160);
  g_assert_cmpuint (meta->n_components, ==, 3);
  g_assert_cmpuint (meta->n_stored, ==, 2);
  g_assert_false (meta->stale);
  component = &meta->components[0];
  g_assert_cmpuint (component->label, ==, 1);
  g_assert_cmpuint (component->x, ==, 60);
  g_assert_cmpuint (component->y, ==, 120);
  g_assert_cmpuint (component->width, ==, 180);
  g_assert_cmpuint (component->height, ==, 240);
  g_assert_cmpuint (component->area, ==, 25200);
  g_assert_cmpfloat (component->centroid_x, ==, 149.5);
  g_assert_cmpfloat (component->centroid_y, ==, 239.5);
  g_assert_cmpfloat (component->cov_xx, ==, 72);
  g_assert_cmpfloat (component->cov_xy, ==, -36);
  component = &meta->components[1];
  g_assert_cmpuint (component->x, ==, 3834);
  g_assert_cmpuint (component->y, ==, 2154);
  g_assert_cmpuint (component->width, ==, 6);
  g_assert_cmpuint (component->height, ==, 6);

  track_meta = gst_buffer_get_cca_track_meta (buffer);
  g_assert_nonnull (track_meta);
  g_assert_cmpuint (track_meta->n_tracks, ==, 1);
  g_assert_cmpuint (track_meta->tracks[0].track_id, ==, 7);
  g_assert_cmpuint (track_meta->tracks[0].x, ==, 60);
  g_assert_cmpuint (track_meta->tracks[0].height, ==, 240);
  g_assert_cmpfloat (track_meta->tracks[0].velocity_x, ==, 30);
  g_assert_cmpfloat (track_meta->tracks[0].velocity_y, ==, -9);

  events = gst_buffer_get_cca_event_meta (buffer);
  g_assert_nonnull (events);
  g_assert_cmpuint (events->n_rules, ==, 1);
  g_assert_cmpstr (events->rules[0].name, ==, "door");
  g_assert_cmpfloat (events->rules[0].points[1].x, ==, 3840);
  g_assert_cmpfloat (events->rules[0].points[1].y, ==, 1080);
  g_assert_cmpuint (events->n_events, ==, 1);
  g_assert_cmpfloat (events->events[0].x, ==, 150);
  g_assert_cmpuint (events->events[0].n_out, ==, 4);
}

/* Metas of the same id are replaced; others stay. */
static void
test_replaced (void)
{
  g_auto (Streams) streams = small_streams ("");
  g_autoptr (GstBuffer) buffer = timed_buffer (0, FRAME);
  gchar **ids;

  add_number (buffer, ID, 98);
  add_number (buffer, "cars", 99);
  g_assert_cmpint (gst_harness_push (streams.full, buffer), ==, GST_FLOW_OK);
  push_meta (&streams, 0);
  buffer = gst_harness_pull (streams.full);
  ids = gst_buffer_get_cca_meta_ids (buffer);
  g_assert_cmpuint (g_strv_length (ids), ==, 2);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, ID)->components[0].label, ==, 1);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, "cars")->components[0].label, ==, 100);
  g_strfreev (ids);
}

/* Metas that lost their place on the way have not found it again. */
static void
test_stale (void)
{
  g_auto (Streams) streams = small_streams ("");
  g_autoptr (GstBuffer) buffer = timed_buffer (0, FRAME);

  add_number (buffer, ID, 0);
  gst_buffer_get_cca_meta (buffer)->stale = TRUE;
  push_full (&streams, 0);
  g_assert_cmpint (gst_harness_push (streams.meta, buffer), ==, GST_FLOW_OK);
  buffer = gst_harness_pull (streams.full);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
  g_assert_true (gst_buffer_get_cca_meta (buffer)->stale);
}

static void
note_drop (gpointer data, GstMiniObject *object)
{
  *(gboolean *) data = TRUE;
}

/* The full-size pixels are the same memory, in the same buffer; the analysed frame is let go at once, with all that it
 * holds. */
static void
test_pixels (void)
{
  g_auto (Streams) streams = small_streams ("");
  g_autoptr (GstBuffer) full = timed_buffer (0, FRAME);
  GstBuffer *analysed = timed_buffer (0, FRAME), *parent = gst_buffer_new (), *buffer;
  GstMemory *memory = gst_buffer_get_memory (full, 0);
  gboolean dropped[2] = { FALSE, FALSE };

  add_number (analysed, ID, 0);
  gst_buffer_add_parent_buffer_meta (analysed, parent);
  gst_mini_object_weak_ref (GST_MINI_OBJECT (analysed), note_drop, &dropped[0]);
  gst_mini_object_weak_ref (GST_MINI_OBJECT (parent), note_drop, &dropped[1]);
  gst_buffer_unref (parent);
  g_assert_cmpint (gst_harness_push (streams.meta, analysed), ==, GST_FLOW_OK);
  g_assert_true (dropped[0]);
  g_assert_true (dropped[1]);

  g_assert_cmpint (gst_harness_push (streams.full, full), ==, GST_FLOW_OK);
  buffer = gst_harness_pull (streams.full);
  g_assert_true (buffer == full);
  g_assert_true (gst_buffer_peek_memory (buffer, 0) == memory);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
  gst_buffer_unref (buffer);

  /* A frame that others hold, too, is not changed. */
  full = timed_buffer (FRAME, FRAME);
  gst_buffer_ref (full);
  g_assert_cmpint (gst_harness_push (streams.full, full), ==, GST_FLOW_OK);
  push_meta (&streams, 1);
  buffer = gst_harness_pull (streams.full);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
  g_assert_null (gst_buffer_get_cca_meta (full));
  g_assert_true (gst_buffer_peek_memory (buffer, 0) == gst_buffer_peek_memory (full, 0));
  gst_buffer_unref (buffer);
  gst_memory_unref (memory);
}

/* Events are attached once, although the other metas of an analysed frame are repeated. */
static void
test_events_once (void)
{
  const GstCcaRule rule = { "door", GST_CCA_RULE_ZONE, 0, NULL, 1, 0, 1 };
  const GstCcaEvent event = { .type = GST_CCA_EVENT_ENTER, .rule = "door", .track_id = 1, .n_in = 1, .occupancy = 1 };
  g_auto (Streams) streams = small_streams ("missing=last");
  GstBuffer *buffer = timed_buffer (0, 3 * FRAME);

  g_assert_nonnull (gst_buffer_add_cca_event_meta (buffer, ID, 32, 18, &rule, 1, &event, 1));
  g_assert_cmpint (gst_harness_push (streams.meta, buffer), ==, GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    const GstCcaEventMeta *meta;

    push_full (&streams, i);
    buffer = gst_harness_pull (streams.full);
    meta = gst_buffer_get_cca_event_meta (buffer);
    g_assert_nonnull (meta);
    g_assert_cmpuint (meta->n_rules, ==, 1);
    g_assert_cmpuint (meta->rules[0].occupancy, ==, 1);
    g_assert_cmpuint (meta->n_events, ==, i == 0 ? 1 : 0);
    gst_buffer_unref (buffer);
  }
}

/* Frames that cannot be the analysed ones scaled get nothing, and one warning says so. */
static void
test_shape (void)
{
  g_auto (Streams) streams = streams_new ("", 64, 36, 32, 24);
  GstBuffer *buffer;

  for (guint i = 0; i < 3; i++) {
    push_full (&streams, i);
    push_meta (&streams, i);
    assert_frame (&streams, i, NOTHING);
  }
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "without"), ==, 3);
  test_assert_warning (streams.full, "*32x24*64x36*");

  /* The same pixels in another shape fit, and so do sizes that were rounded. */
  gst_harness_set_src_caps (streams.meta, test_caps ("GRAY8", 32, 24, "pixel-aspect-ratio=(fraction)4/3"));
  push_full (&streams, 3);
  push_meta (&streams, 3);
  assert_frame (&streams, 3, 3);
  gst_harness_set_src_caps (streams.meta, test_caps ("GRAY8", 31, 17, NULL));
  push_full (&streams, 4);
  push_meta (&streams, 4);
  buffer = gst_harness_pull (streams.full);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
  gst_buffer_unref (buffer);
  test_assert_no_message (streams.full, GST_MESSAGE_WARNING);
}

/* --- Matching ------------------------------------------------------------------------------------------ */

/* Whichever comes first. */
static void
test_orders (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");

  for (guint i = 0; i < 3; i++)
    push_full (&streams, i);
  assert_waits (&streams);
  push_meta (&streams, 0);
  assert_frame (&streams, 0, 0);
  assert_waits (&streams);
  push_meta (&streams, 1);
  push_meta (&streams, 2);
  push_meta (&streams, 3);
  push_meta (&streams, 4);
  assert_frame (&streams, 1, 1);
  assert_frame (&streams, 2, 2);
  push_full (&streams, 3);
  push_full (&streams, 4);
  assert_frame (&streams, 3, 3);
  assert_frame (&streams, 4, 4);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "frames"), ==, 5);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "matched"), ==, 5);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "analysed"), ==, 5);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "late"), ==, 0);
}

/* A branch that analyses one frame of three, with durations that say so and without. */
static void
test_fewer (gconstpointer data)
{
  const gboolean told = GPOINTER_TO_INT (data);
  g_auto (Streams) streams = small_streams ("missing=none");

  push_meta_at (&streams, 0, 0, told ? 3 * FRAME : FRAME);
  for (guint i = 0; i < 6; i += 3) {
    for (guint j = 0; j < 3; j++)
      push_full (&streams, i + j);
    assert_frame (&streams, i, i);
    if (!told)
      assert_waits (&streams);
    else {
      assert_frame (&streams, i + 1, NOTHING);
      assert_frame (&streams, i + 2, NOTHING);
    }
    push_meta_at (&streams, i + 3, (i + 3) * FRAME, told ? 3 * FRAME : FRAME);
    if (!told) {
      assert_frame (&streams, i + 1, NOTHING);
      assert_frame (&streams, i + 2, NOTHING);
    }
  }
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "matched"), ==, 2);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "without"), ==, 4);
}

/* The last metas go on until they are too old. */
static void
test_last (void)
{
  g_auto (Streams) streams = small_streams ("missing=last max-age=80000000");

  push_meta_at (&streams, 0, 0, 10 * FRAME);
  for (guint i = 0; i < 5; i++) {
    push_full (&streams, i);
    assert_frame (&streams, i, i <= 2 ? 0 : NOTHING);
  }
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "matched"), ==, 1);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "repeated"), ==, 2);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "without"), ==, 2);

  /* A property that changes while playing. */
  g_object_set (streams.full->element, "max-age", G_MAXUINT64, NULL);
  push_full (&streams, 5);
  assert_frame (&streams, 5, 0);
  gst_util_set_object_arg (G_OBJECT (streams.full->element), "missing", "none");
  push_full (&streams, 6);
  assert_frame (&streams, 6, NOTHING);
}

static void
test_tolerance (void)
{
  static const struct
  {
    const gchar *properties;
    GstClockTimeDiff offset; /* of the analysed frame */
    gboolean found;
  } cases[] = {
    { "missing=none", 1, TRUE },
    { "missing=none", -1, TRUE },
    { "missing=none", 20 * GST_MSECOND, TRUE },
    { "missing=none", -20 * GST_MSECOND, TRUE },
    { "missing=none", 20 * GST_MSECOND + 1, FALSE },
    { "missing=none", -20 * GST_MSECOND - 1, FALSE },
    { "missing=none tolerance=0", 0, TRUE },
    { "missing=none tolerance=0", 1, FALSE },
    { "missing=none tolerance=0", -1, FALSE },
    { "missing=none tolerance=5000000", 5 * GST_MSECOND, TRUE },
    { "missing=none tolerance=5000000", 5 * GST_MSECOND + 1, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Streams) streams = small_streams (cases[i].properties);

    push_full (&streams, 1);
    push_meta_at (&streams, 0, FRAME + cases[i].offset, 3 * FRAME);
    assert_frame (&streams, 1, cases[i].found ? 0 : NOTHING);
  }
}

/* Running times count, not time stamps. */
static void
test_segments (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = 7 * GST_SECOND;
  segment.base = 2 * FRAME;
  g_assert_true (gst_harness_push_event (streams.meta, gst_event_new_segment (&segment)));
  push_full (&streams, 2);
  push_full (&streams, 3);
  push_meta_at (&streams, 2, 7 * GST_SECOND, FRAME);
  push_meta_at (&streams, 3, 7 * GST_SECOND + FRAME, FRAME);
  assert_frame (&streams, 2, 2);
  assert_frame (&streams, 3, 3);

  /* Twice as fast: running times are half as far apart. */
  segment.rate = 2;
  segment.start = segment.time = 0;
  segment.base = 4 * FRAME;
  g_assert_true (gst_harness_push_event (streams.meta, gst_event_new_segment (&segment)));
  push_full (&streams, 4);
  push_full (&streams, 5);
  push_meta_at (&streams, 4, 0, 2 * FRAME);
  push_meta_at (&streams, 5, 2 * FRAME, 2 * FRAME);
  assert_frame (&streams, 4, 4);
  assert_frame (&streams, 5, 5);
}

/* Frames without time stamps go on, and one warning says so. */
static void
test_untimed (void)
{
  g_auto (Streams) streams = small_streams ("");
  GstMessage *warning;

  for (guint i = 0; i < 2; i++) {
    push_full_at (&streams, GST_CLOCK_TIME_NONE);
    push_meta_at (&streams, i, GST_CLOCK_TIME_NONE, FRAME);
    assert_frame_at (&streams, GST_CLOCK_TIME_NONE, NOTHING);
  }
  warning = test_pop_message (streams.full, GST_MESSAGE_WARNING);
  g_assert_nonnull (warning);
  gst_message_unref (warning);
  test_assert_no_message (streams.full, GST_MESSAGE_WARNING);
  push_full (&streams, 3);
  push_meta (&streams, 3);
  assert_frame (&streams, 3, 3);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/combiner", test_scaled, test_replaced, test_stale, test_pixels, test_events_once, test_shape,
             test_orders, test_last, test_tolerance, test_segments, test_untimed);
  g_test_add_data_func ("/combiner/fewer/told", GINT_TO_POINTER (TRUE), test_fewer);
  g_test_add_data_func ("/combiner/fewer/untold", GINT_TO_POINTER (FALSE), test_fewer);
}
