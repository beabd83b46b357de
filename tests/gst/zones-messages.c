/* gst-cca: ccazones: messages of events and counters
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "zones-test.h"

static void
test_event_message (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  GstMessage *message;
  const GstStructure *structure;
  GstCcaEventType type;
  GstCcaDirection direction;
  guint64 track_id, dwell, n_in, n_out;
  gdouble x, y;
  guint occupancy;

  test_push_segment (harness, 1 * GST_SECOND, 5 * GST_SECOND, 10 * GST_SECOND);
  push_track (harness, 1 * GST_SECOND, 9, 150, 160);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  push_track (harness, 3 * GST_SECOND, 9, 150, 180);
  structure = test_pop_structure (harness, "cca-event", &message);
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 15);
  g_assert_true (gst_structure_get (structure, "type", GST_TYPE_CCA_EVENT_TYPE, &type, "track-id", G_TYPE_UINT64,
                                    &track_id, "direction", GST_TYPE_CCA_DIRECTION, &direction, "x", G_TYPE_DOUBLE, &x,
                                    "y", G_TYPE_DOUBLE, &y, "dwell", G_TYPE_UINT64, &dwell, "n-in", G_TYPE_UINT64,
                                    &n_in, "n-out", G_TYPE_UINT64, &n_out, "occupancy", G_TYPE_UINT, &occupancy, NULL));
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, "cca0");
  g_assert_cmpint (type, ==, GST_CCA_EVENT_CROSS);
  g_assert_cmpstr (gst_structure_get_string (structure, "rule"), ==, "gate");
  g_assert_cmpuint (track_id, ==, 9);
  g_assert_cmpint (direction, ==, GST_CCA_DIRECTION_FORWARD);
  g_assert_cmpfloat (x, ==, 150.0);
  g_assert_cmpfloat (y, ==, 180.0 - 0.07 * 20.0);
  g_assert_cmpuint (dwell, ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (n_in, ==, 1);
  g_assert_cmpuint (n_out, ==, 0);
  g_assert_cmpuint (occupancy, ==, 0);
  test_assert_times (structure, 3 * GST_SECOND, 7 * GST_SECOND, 12 * GST_SECOND, 40 * GST_MSECOND);
  gst_message_unref (message);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);

  /* In and out of the zone, and back over the line. */
  push_track (harness, 4 * GST_SECOND, 9, 150, 100);
  test_pop_structure (harness, "cca-event", &message);
  gst_message_unref (message);
  structure = test_pop_structure (harness, "cca-event", &message);
  g_assert_true (gst_structure_get (structure, "direction", GST_TYPE_CCA_DIRECTION, &direction, NULL));
  g_assert_cmpint (direction, ==, GST_CCA_DIRECTION_BACKWARD);
  gst_message_unref (message);
  push_track (harness, 6 * GST_SECOND, 9, 50, 100);
  structure = test_pop_structure (harness, "cca-event", &message);
  g_assert_true (gst_structure_get (structure, "type", GST_TYPE_CCA_EVENT_TYPE, &type, "dwell", G_TYPE_UINT64, &dwell,
                                    "direction", GST_TYPE_CCA_DIRECTION, &direction, NULL));
  g_assert_cmpint (type, ==, GST_CCA_EVENT_LEAVE);
  g_assert_cmpint (direction, ==, GST_CCA_DIRECTION_NONE);
  g_assert_cmpuint (dwell, ==, 2 * GST_SECOND);
  gst_message_unref (message);
}

static void
test_counts_message (void)
{
  const gchar *rules = "{\"zones\": [" ZONE "}, {\"name\": \"yard\", \"points\": [[220, 50], [300, 50], [300, 150]]}], "
                       "\"lines\": [" LINE "]}";
  g_autoptr (GstHarness) harness = harness_with (rules, "counts-interval=1000000000");
  const GstStructure *structure, *part;
  GstCcaRuleType type;
  GstMessage *message;
  guint64 n, time;

  for (guint i = 0; i < 25; i++)
    push_track (harness, i * 40 * GST_MSECOND, 1, 50, 50);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  push_track (harness, GST_SECOND, 1, 50, 50);
  structure = test_pop_structure (harness, "cca-counts", &message);
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 6);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "rules")), ==, 3);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "flows")), ==, 0);
  gst_message_unref (message);
  /* From the door to the yard. */
  push_track (harness, GST_SECOND + 40 * GST_MSECOND, 1, 150, 100);
  push_track (harness, GST_SECOND + 80 * GST_MSECOND, 1, 280, 90);
  for (guint i = 0; i < 3; i++) {
    test_pop_structure (harness, "cca-event", &message);
    gst_message_unref (message);
  }
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  structure = test_pop_structure (harness, "cca-counts", &message);
  g_assert_true (gst_structure_get_uint64 (structure, "running-time", &time));
  g_assert_cmpuint (time, ==, GST_SECOND + 80 * GST_MSECOND);
  part = gst_value_get_structure (gst_value_list_get_value (gst_structure_get_value (structure, "rules"), 1));
  g_assert_cmpstr (gst_structure_get_name (part), ==, "rule");
  g_assert_cmpstr (gst_structure_get_string (part, "name"), ==, "yard");
  g_assert_true (gst_structure_get (part, "type", GST_TYPE_CCA_RULE_TYPE, &type, "n-in", G_TYPE_UINT64, &n, NULL));
  g_assert_cmpint (type, ==, GST_CCA_RULE_ZONE);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "flows")), ==, 1);
  part = gst_value_get_structure (gst_value_list_get_value (gst_structure_get_value (structure, "flows"), 0));
  g_assert_cmpstr (gst_structure_get_name (part), ==, "flow");
  g_assert_true (gst_structure_get_uint64 (part, "count", &n));
  g_assert_cmpstr (gst_structure_get_string (part, "from"), ==, "door");
  g_assert_cmpstr (gst_structure_get_string (part, "to"), ==, "yard");
  g_assert_cmpuint (n, ==, 1);
  gst_message_unref (message);
}

/* A picture of 320 × 200 pixels is 32 × 20 m, seen from above. */
#define GROUND                                                                                                         \
  "\"ground\": {\"points\": [{\"image\": [0, 200], \"place\": [0, 0]}, {\"image\": [320, 200], \"place\": [32, 0]}, "  \
  "{\"image\": [320, 0], \"place\": [32, 20]}, {\"image\": [0, 0], \"place\": [0, 20]}, "                              \
  "{\"image\": [160, 104], \"place\": [16, 10]}]}"

/* Lines for tracks of one size each: the message, the meta and the counters say which. */
static void
test_sizes (void)
{
  g_autoptr (GstHarness) harness =
      harness_with ("{" GROUND ", \"size-classes\": [{\"name\": \"tiny\", \"max-area\": 0.0001}, "
                    "{\"name\": \"other\"}], \"lines\": [{\"name\": \"tinies\", \"points\": [[100, 150], [200, 150]], "
                    "\"classes\": [\"tiny\"]}, {\"name\": \"others\", \"points\": [[100, 150], [200, 150]], "
                    "\"classes\": [\"other\"]}]}",
                    "");
  const GstStructure *structure;
  const GstCcaEventMeta *meta;
  GstMessage *message;
  GstBuffer *last = NULL;
  g_autoptr (GstStructure) counts = NULL;

  test_pop_structure (harness, "cca-ground", &message);
  gst_message_unref (message);
  for (guint i = 0; i < 60; i++) {
    gst_clear_buffer (&last);
    last = pass_track (harness, i * 40 * GST_MSECOND, 9, 150, 70 + 2 * i);
  }
  structure = test_pop_structure (harness, "cca-event", &message);
  g_assert_cmpstr (gst_structure_get_string (structure, "rule"), ==, "others");
  g_assert_cmpstr (gst_structure_get_string (structure, "size-class"), ==, "other");
  gst_message_unref (message);
  meta = gst_buffer_get_cca_event_meta (last);
  g_assert_cmpuint (meta->n_ground_tracks, ==, 1);
  g_assert_cmpstr (g_quark_to_string (meta->ground_tracks[0].size_class), ==, "other");
  gst_buffer_unref (last);
  g_object_get (harness->element, "counts", &counts, NULL);
  for (guint i = 0; i < 2; i++) {
    const GValue *rules = gst_structure_get_value (counts, "rules");
    guint64 n_in;

    structure = gst_value_get_structure (gst_value_list_get_value (rules, i));
    g_assert_true (gst_structure_get (structure, "n-in", G_TYPE_UINT64, &n_in, NULL));
    g_assert_cmpuint (n_in, ==, i);
  }
}

/* The fit at the start; the speed of a crossing; tracks on the ground in the meta; measures among the counters. */
static void
test_ground (void)
{
  g_autoptr (GstHarness) harness = harness_with ("{" GROUND ", \"lines\": [" LINE "]}", "");
  const GstStructure *part;
  const GstCcaEventMeta *meta;
  GstMessage *message;
  GstBuffer *last = NULL;
  GstStructure *counts;
  gdouble pixels, metres, speed;
  const GstStructure *structure = test_pop_structure (harness, "cca-ground", &message);

  g_assert_true (
      gst_structure_get (structure, "rms-pixels", G_TYPE_DOUBLE, &pixels, "rms-metres", G_TYPE_DOUBLE, &metres, NULL));
  g_assert_cmpfloat (pixels, >, 0.5);
  g_assert_cmpfloat (pixels, <, 4);
  g_assert_cmpfloat_with_epsilon (metres, pixels / 10, 0.02);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "points")), ==, 5);
  part = gst_value_get_structure (gst_value_list_get_value (gst_structure_get_value (structure, "points"), 4));
  g_assert_true (gst_structure_get (part, "residual-pixels", G_TYPE_DOUBLE, &speed, NULL));
  g_assert_cmpfloat (speed, >, 1);
  gst_message_unref (message);

  /* Down the picture, 2 pixels in 40 ms: 5 m/s. */
  for (guint i = 0; i < 60; i++) {
    gst_clear_buffer (&last);
    last = pass_track (harness, i * 40 * GST_MSECOND, 9, 150, 70 + 2 * i);
  }
  structure = test_pop_structure (harness, "cca-event", &message);
  g_assert_true (gst_structure_get (structure, "speed", G_TYPE_DOUBLE, &speed, NULL));
  g_assert_cmpfloat_with_epsilon (speed, 5, 0.25);
  g_assert_false (gst_structure_has_field (structure, "headway"));
  gst_message_unref (message);
  meta = gst_buffer_get_cca_event_meta (last);
  g_assert_cmpuint (meta->n_ground_tracks, ==, 1);
  g_assert_cmpuint (meta->ground_tracks[0].track_id, ==, 9);
  g_assert_cmpfloat_with_epsilon (meta->ground_tracks[0].x, 15, 0.4);
  g_assert_cmpfloat_with_epsilon (meta->ground_tracks[0].y, 1.2, 0.4);
  g_assert_cmpfloat_with_epsilon (meta->ground_tracks[0].heading, 180, 3);
  gst_buffer_unref (last);
  g_object_get (harness->element, "counts", &counts, NULL);
  part = gst_value_get_structure (gst_value_list_get_value (gst_structure_get_value (counts, "rules"), 0));
  g_assert_true (gst_structure_get (part, "speed", G_TYPE_DOUBLE, &speed, NULL));
  g_assert_cmpfloat_with_epsilon (speed, 5, 0.25);
  gst_structure_free (counts);

  /* Rules that change have another fit; those without ground have none. */
  g_object_set (harness->element, "rules", "{" GROUND "}", NULL);
  test_pop_structure (harness, "cca-ground", &message);
  gst_message_unref (message);
  g_object_set (harness->element, "rules", RULES, NULL);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
}

/* Pops the one message, which tells that rules pause or go on at a time. */
static void
pop_pause (GstHarness *harness, const gchar *state, GstClockTime time)
{
  GstMessage *message;
  const GstStructure *structure = test_pop_structure (harness, "cca-pause", &message);
  gboolean paused;

  g_assert_true (gst_structure_get_boolean (structure, "paused", &paused));
  g_assert_cmpint (paused, ==, !g_str_equal (state, "well"));
  g_assert_cmpstr (gst_structure_get_string (structure, "camera-state"), ==, state);
  test_assert_times (structure, time, time, time, 40 * GST_MSECOND);
  gst_message_unref (message);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
}

/* While the camera does not see its scene, nothing fires; each change is told once; afterwards events fire again. */
static void
test_pause (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  GstMessage *message;
  GstBuffer *buffer;
  GstClockTime time = 0;

  push_track (harness, time++ * GST_SECOND, 1, 50, 100);
  test_push_camera_state (harness, "well");
  push_track (harness, time++ * GST_SECOND, 1, 50, 100);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  test_push_camera_state (harness, "moved");
  for (guint i = 0; i < 10; i++) {
    buffer = pass_track (harness, time * GST_SECOND, 1, i % 2 ? 150 : 50, 100);
    g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_rules, ==, 2);
    g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, 0);
    gst_buffer_unref (buffer);
    if (i == 0)
      pop_pause (harness, "moved", time * GST_SECOND);
    time++;
  }
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  assert_counts (harness, "door", 0, 0, 0);
  test_push_camera_state (harness, "covered");
  push_track (harness, time * GST_SECOND, 1, 150, 100);
  pop_pause (harness, "covered", time++ * GST_SECOND);
  test_push_camera_state (harness, "well");
  push_track (harness, time * GST_SECOND, 1, 150, 100);
  pop_pause (harness, "well", time++ * GST_SECOND);
  assert_counts (harness, "door", 0, 0, 1);
  for (guint i = 0; i < 3; i++)
    push_track (harness, time++ * GST_SECOND, 1, 150, 100);
  push_track (harness, time++ * GST_SECOND, 1, 50, 100);
  test_pop_structure (harness, "cca-event", &message);
  gst_message_unref (message);
  assert_counts (harness, "door", 0, 1, 0);

  /* Without messages, rules pause all the same. */
  g_object_set (harness->element, "post-messages", FALSE, NULL);
  test_push_camera_state (harness, "dark");
  push_track (harness, time++ * GST_SECOND, 1, 150, 100);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  assert_counts (harness, "door", 0, 1, 0);
}

/* Passes a walk into the zone and out of it, a second a frame. While the camera is in doubt, from one frame to another,
 * none of it is told with a frame. */
static void
walk (GstHarness *harness, guint doubted, guint cleared)
{
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) buffer = NULL;

    if (i == doubted)
      test_push_camera_doubt (harness, TRUE);
    if (i == cleared)
      test_push_camera_doubt (harness, FALSE);
    buffer = pass_track (harness, i * GST_SECOND, 1, i % 4 < 2 ? 50 : 150, 100);
    g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_rules, ==, 2);
    if (i >= doubted && i < cleared) {
      g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, 0);
      test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
    }
    if (i == cleared)
      g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, 3);
  }
}

/* Pops the messages so far, as text. */
static gchar *
pop_messages (GstHarness *harness)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);
  GString *text = g_string_new (NULL);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    g_autofree gchar *line = gst_structure_to_string (gst_message_get_structure (message));

    g_string_append_printf (text, "%s\n", line);
    gst_message_unref (message);
  }
  return g_string_free (text, FALSE);
}

/* Once the camera is well again, events from the doubtful time are posted, each with its own time, as without doubt. */
static void
test_doubt_ends_well (void)
{
  g_autoptr (GstHarness) plain = harness_with (RULES, ""), doubted = harness_with (RULES, "");
  g_autofree gchar *wanted = NULL, *told = NULL;

  walk (plain, 99, 99);
  walk (doubted, 2, 6);
  wanted = pop_messages (plain);
  told = pop_messages (doubted);
  g_assert_cmpstr (told, ==, wanted);
  g_assert_nonnull (strstr (told, "timestamp=(guint64)4000000000"));
  assert_counts (doubted, "door", 2, 1, 1);
}

/* If the camera turns out not to be well, these events are dropped. */
static void
test_doubt_ends_in_trouble (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");

  push_track (harness, 0, 1, 50, 100);
  test_push_camera_doubt (harness, TRUE);
  push_track (harness, GST_SECOND, 1, 150, 100);
  push_track (harness, 2 * GST_SECOND, 1, 50, 100);
  test_push_camera_state (harness, "blinded");
  test_push_camera_doubt (harness, FALSE);
  push_track (harness, 3 * GST_SECOND, 1, 50, 100);
  pop_pause (harness, "blinded", 3 * GST_SECOND);
  test_push_camera_state (harness, "well");
  push_track (harness, 4 * GST_SECOND, 1, 50, 100);
  pop_pause (harness, "well", 4 * GST_SECOND);
  assert_counts (harness, "door", 0, 0, 0);
}

/* At the end of the stream the events are posted; a flush drops them; and doubt for more than a thousand frames
 * ends. */
static void
test_doubt_without_end (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "post-messages=false");

  push_track (harness, 0, 1, 50, 100);
  test_push_camera_doubt (harness, TRUE);
  push_track (harness, GST_SECOND, 1, 150, 100);
  test_push_flush (harness);
  push_track (harness, 0, 1, 50, 100);
  push_track (harness, GST_SECOND, 1, 50, 100);
  assert_counts (harness, "door", 0, 0, 0);
  for (guint i = 2; i < 1024; i++)
    push_track (harness, i * GST_SECOND, 1, 150, 100);
  assert_counts (harness, "door", 0, 0, 0);
  for (guint i = 1024; i < 1030; i++)
    push_track (harness, i * GST_SECOND, 1, 150, 100);
  assert_counts (harness, "door", 1, 0, 1);
  push_track (harness, 1030 * GST_SECOND, 1, 50, 100);
  assert_counts (harness, "door", 1, 0, 1);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  assert_counts (harness, "door", 1, 1, 0);
}

static void
test_no_messages (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "post-messages=false counts-interval=1");

  for (guint i = 0; i < 10; i++)
    push_track (harness, i * GST_SECOND, 1, i % 2 ? 150 : 50, 100);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  assert_counts (harness, "door", 5, 4, 1);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
}

/* An application may read and change the element from where messages arrive. */
static GstBusSyncReply
answer (GstBus *bus, GstMessage *message, gpointer data)
{
  GstElement *element = data;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT) {
    g_assert_cmpuint (counter_of (element, "door", "n-in"), ==, 1);
    g_assert_true (reload (element));
    g_signal_emit_by_name (element, "reset-counts");
  }
  return GST_BUS_PASS;
}

static void
test_answered_messages (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);

  gst_bus_set_sync_handler (bus, answer, harness->element, NULL);
  push_track (harness, 0, 1, 150, 100);
  assert_counts (harness, "door", 0, 0, 1);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
}

GST_TESTS_MAIN ("/zones-messages", test_event_message, test_counts_message, test_ground, test_sizes, test_pause,
                test_doubt_ends_well, test_doubt_ends_in_trouble, test_doubt_without_end, test_no_messages,
                test_answered_messages)
