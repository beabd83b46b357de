/* gst-cca: ccazones: rules and their errors, reloading, messages, metas, streams
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <glib/gstdio.h>
#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <string.h>

enum
{
  WIDTH = 320,
  HEIGHT = 200,
};

/* A zone of 100…200 × 50…150, and a line at y = 170; the band is 2 pixels. */
#define ZONE "{\"name\": \"door\", \"points\": [[100, 50], [200, 50], [200, 150], [100, 150]]"
#define LINE "{\"name\": \"gate\", \"points\": [[100, 170], [200, 170]]}"
#define RULES "{\"zones\": [" ZONE "}], \"lines\": [" LINE "]}"

/* Caps are taken. */
static GstHarness *
harness_of_caps (const gchar *rules, const gchar *more, GstCaps *caps)
{
  g_auto (GStrv) words = g_strsplit (rules, " ", -1);
  g_autofree gchar *escaped = g_strjoinv ("\\ ", words);
  g_autofree gchar *launch = g_strdup_printf ("ccazones rules=%s %s", escaped, more);

  return test_harness (launch, caps);
}

static GstHarness *
harness_with (const gchar *rules, const gchar *more)
{
  return harness_of_caps (rules, more, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
}

/* A track of 10×20 by the middle of its box's lower side. */
static GstCcaTrack
track_at (guint64 id, guint x, guint y)
{
  return (GstCcaTrack) {
    .track_id = id, .label = 1, .x = x - 5, .y = y - 20, .width = 10, .height = 20, .area = 100, .age = 10
  };
}

static GstBuffer *
frame_with_tracks (const gchar *id, guint width, guint height, GstClockTime time, const GstCcaTrack *tracks, guint n)
{
  const GstVideoInfo info = test_video_info ("GRAY8", width, height);
  GstBuffer *buffer = test_frame (&info, 1);

  gst_buffer_add_cca_track_meta (buffer, id, width, height, tracks, n);
  GST_BUFFER_PTS (buffer) = time;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

/* Pushes a frame with a track at a place and returns what comes out. */
static GstBuffer *
pass_track (GstHarness *harness, GstClockTime time, guint64 id, guint x, guint y)
{
  const GstCcaTrack track = track_at (id, x, y);

  return test_pass (harness, frame_with_tracks ("cca0", WIDTH, HEIGHT, time, &track, 1));
}

static void
push_track (GstHarness *harness, GstClockTime time, guint64 id, guint x, guint y)
{
  gst_buffer_unref (pass_track (harness, time, id, x, y));
}

/* A counter of a rule: "n-in", "n-out" or "occupancy". */
static guint64
count (GstElement *element, const gchar *name, const gchar *field)
{
  GstStructure *structure;
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
    if (gst_structure_get_uint (rule, field, &occupancy))
      found = occupancy;
    else
      g_assert_true (gst_structure_get_uint64 (rule, field, &found));
  }
  gst_structure_free (structure);
  return found;
}

static void
assert_counts (GstHarness *harness, const gchar *name, guint64 in, guint64 out, guint64 inside)
{
  g_assert_cmpuint (count (harness->element, name, "n-in"), ==, in);
  g_assert_cmpuint (count (harness->element, name, "n-out"), ==, out);
  g_assert_cmpuint (count (harness->element, name, "occupancy"), ==, inside);
}

static void
assert_warning (GstHarness *harness, const gchar *pattern)
{
  g_autofree gchar *text = test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING));

  if (!g_pattern_match_simple (pattern, text))
    g_error ("warning \"%s\", expected \"%s\"", text, pattern);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

/* --- Rules and their errors -------------------------------------------------------------------------- */

static gchar *
write_rules (const gchar *text)
{
  GError *error = NULL;
  gchar *path;
  gint file = g_file_open_tmp ("rules-XXXXXX.json", &path, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_start_errors (void)
{
  static const struct
  {
    const gchar *text, *error;
  } files[] = {
    { "{\n  \"zones\": [\n    { \"name\": \"a\", }\n  ]\n}\n", "%s: line 3: *" },
    { "{\"zones\": [" ZONE "}, {\"name\": \"b\", \"points\": [[0, 0], [9, -9], [9, 9]]}]}",
      "%s: zones[1].points[1][1]: must be a number of at least 0 and at most 1048576, and is -9" },
    { "{\"zones\": [{\"name\": \"b\", \"dwel\": 3}]}", "%s: zones[0].dwel: is no member that is known here" },
  };
  gchar *text;

  text = test_start_error ("ccazones", "rules", NULL);
  g_assert_cmpstr (text, ==, "No rules: set config to a file of rules, or rules to the text of one");
  g_free (text);
  text = test_start_error ("ccazones", "config", "/nowhere/rules.json");
  g_assert_true (g_pattern_match_simple ("/nowhere/rules.json: cannot be read: *No such file*", text));
  g_free (text);
  text = test_start_error ("ccazones", "rules", "{\n\"lines\": 3}");
  g_assert_cmpstr (text, ==, "rules: lines: must be an array, and is 3");
  g_free (text);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    gchar *path = write_rules (files[i].text), **parts = g_strsplit (files[i].error, "%s", 2);

    text = test_start_error ("ccazones", "config", path);
    g_assert_true (g_str_has_prefix (text, path));
    if (!g_pattern_match_simple (parts[1], text + strlen (path)))
      g_error ("error \"%s\", expected \"%s\"", text, files[i].error);
    g_free (text);
    g_strfreev (parts);
    g_unlink (path);
    g_free (path);
  }
}

static gboolean
reload (GstHarness *harness)
{
  gboolean done;

  g_signal_emit_by_name (harness->element, "reload", &done);
  return done;
}

static void
test_reload_file (void)
{
  gchar *path = write_rules (RULES), *launch = g_strdup_printf ("ccazones config=%s", path);
  GstHarness *harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  push_track (harness, 0, 1, 150, 100);
  push_track (harness, 1, 1, 150, 160);
  push_track (harness, 2, 1, 150, 180);
  assert_counts (harness, "door", 1, 1, 0);
  assert_counts (harness, "gate", 1, 0, 0);

  /* The gate is the same, the door elsewhere, and there is a window. */
  g_assert_true (g_file_set_contents (path,
                                      "{\"zones\": [{\"name\": \"door\", \"points\": [[0, 0], [9, 0], [9, 9]]}, "
                                      "{\"name\": \"window\"}], \"lines\": [" LINE "]}",
                                      -1, NULL));
  assert_counts (harness, "door", 1, 1, 0);
  g_assert_true (reload (harness));
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  assert_counts (harness, "door", 0, 0, 0);
  assert_counts (harness, "window", 0, 0, 0);
  assert_counts (harness, "gate", 1, 0, 0);
  push_track (harness, 3, 1, 150, 150);
  assert_counts (harness, "gate", 1, 1, 0);
  assert_counts (harness, "window", 0, 0, 1);

  /* Wrong ones leave things as they are. */
  g_assert_true (g_file_set_contents (path, "{\n\n\"lines\": [oops]}", -1, NULL));
  g_assert_false (reload (harness));
  assert_warning (harness, "/*: line 3: *; going on with the rules from before");
  g_unlink (path);
  g_assert_false (reload (harness));
  assert_warning (harness, "/*: cannot be read: *; going on with the rules from before");
  push_track (harness, 4, 1, 150, 180);
  assert_counts (harness, "gate", 2, 1, 0);
  test_harness_free (harness);
  g_free (launch);
  g_free (path);
}

static void
test_reload_property (void)
{
  GstHarness *harness = harness_with (RULES, "");

  push_track (harness, 0, 1, 150, 100);
  g_object_set (harness->element, "rules", "{\"zones\": [" ZONE ", \"dwell\": 1}]}", NULL);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  assert_counts (harness, "door", 1, 0, 1);
  g_assert_cmpuint (count (harness->element, "gate", "n-in"), ==, G_MAXUINT64);
  g_object_set (harness->element, "rules", "{", NULL);
  assert_warning (harness, "rules: line 1: *; going on with the rules from before");
  g_object_set (harness->element, "rules", NULL, NULL);
  assert_warning (harness, "No rules: *; going on with the rules from before");
  push_track (harness, GST_SECOND, 1, 250, 100);
  assert_counts (harness, "door", 1, 1, 0);
  test_harness_free (harness);
}

/* Inline rules come first. */
static void
test_rules_before_config (void)
{
  GstHarness *harness = harness_with (RULES, "config=/nowhere/rules.json");

  assert_counts (harness, "gate", 0, 0, 0);
  test_harness_free (harness);
}

static void
test_idle (void)
{
  GstElement *element = gst_element_factory_make ("ccazones", NULL);
  GstStructure *structure;
  gboolean done = TRUE;

  g_signal_emit_by_name (element, "reload", &done);
  g_assert_false (done);
  g_signal_emit_by_name (element, "reset-counts");
  g_object_get (element, "counts", &structure, NULL);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "rules")), ==, 0);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "flows")), ==, 0);
  gst_structure_free (structure);
  gst_object_unref (element);
}

/* --- Messages ---------------------------------------------------------------------------------------- */

static const GstStructure *
next_message (GstHarness *harness, GstMessage **message, const gchar *name)
{
  const GstStructure *structure;

  *message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  g_assert_nonnull (*message);
  g_assert_true (GST_MESSAGE_SRC (*message) == GST_OBJECT (harness->element));
  structure = gst_message_get_structure (*message);
  g_assert_cmpstr (gst_structure_get_name (structure), ==, name);
  return structure;
}

static void
test_event_message (void)
{
  GstHarness *harness = harness_with (RULES, "");
  GstSegment segment;
  GstMessage *message;
  const GstStructure *structure;
  GstCcaEventType type;
  GstCcaDirection direction;
  guint64 track_id, dwell, n_in, n_out, times[4];
  gdouble x, y;
  guint occupancy;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 1 * GST_SECOND;
  segment.time = 5 * GST_SECOND;
  segment.base = 10 * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  push_track (harness, 1 * GST_SECOND, 9, 150, 160);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  push_track (harness, 3 * GST_SECOND, 9, 150, 180);
  structure = next_message (harness, &message, "cca-event");
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 15);
  g_assert_true (gst_structure_get (
      structure, "type", GST_TYPE_CCA_EVENT_TYPE, &type, "track-id", G_TYPE_UINT64, &track_id, "direction",
      GST_TYPE_CCA_DIRECTION, &direction, "x", G_TYPE_DOUBLE, &x, "y", G_TYPE_DOUBLE, &y, "dwell", G_TYPE_UINT64,
      &dwell, "n-in", G_TYPE_UINT64, &n_in, "n-out", G_TYPE_UINT64, &n_out, "occupancy", G_TYPE_UINT, &occupancy,
      "timestamp", G_TYPE_UINT64, &times[0], "stream-time", G_TYPE_UINT64, &times[1], "running-time", G_TYPE_UINT64,
      &times[2], "duration", G_TYPE_UINT64, &times[3], NULL));
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, "cca0");
  g_assert_cmpint (type, ==, GST_CCA_EVENT_CROSS);
  g_assert_cmpstr (gst_structure_get_string (structure, "rule"), ==, "gate");
  g_assert_cmpuint (track_id, ==, 9);
  g_assert_cmpint (direction, ==, GST_CCA_DIRECTION_FORWARD);
  g_assert_cmpfloat (x, ==, 150.0);
  g_assert_cmpfloat (y, ==, 180.0);
  g_assert_cmpuint (dwell, ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (n_in, ==, 1);
  g_assert_cmpuint (n_out, ==, 0);
  g_assert_cmpuint (occupancy, ==, 0);
  g_assert_cmpuint (times[0], ==, 3 * GST_SECOND);
  g_assert_cmpuint (times[1], ==, 7 * GST_SECOND);
  g_assert_cmpuint (times[2], ==, 12 * GST_SECOND);
  g_assert_cmpuint (times[3], ==, 40 * GST_MSECOND);
  gst_message_unref (message);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);

  /* In and out of the zone, and back over the line. */
  push_track (harness, 4 * GST_SECOND, 9, 150, 100);
  next_message (harness, &message, "cca-event");
  gst_message_unref (message);
  structure = next_message (harness, &message, "cca-event");
  g_assert_true (gst_structure_get (structure, "direction", GST_TYPE_CCA_DIRECTION, &direction, NULL));
  g_assert_cmpint (direction, ==, GST_CCA_DIRECTION_BACKWARD);
  gst_message_unref (message);
  push_track (harness, 6 * GST_SECOND, 9, 50, 100);
  structure = next_message (harness, &message, "cca-event");
  g_assert_true (gst_structure_get (structure, "type", GST_TYPE_CCA_EVENT_TYPE, &type, "dwell", G_TYPE_UINT64, &dwell,
                                    "direction", GST_TYPE_CCA_DIRECTION, &direction, NULL));
  g_assert_cmpint (type, ==, GST_CCA_EVENT_LEAVE);
  g_assert_cmpint (direction, ==, GST_CCA_DIRECTION_NONE);
  g_assert_cmpuint (dwell, ==, 2 * GST_SECOND);
  gst_message_unref (message);
  test_harness_free (harness);
}

static void
test_counts_message (void)
{
  const gchar *rules = "{\"zones\": [" ZONE "}, {\"name\": \"yard\", \"points\": [[220, 50], [300, 50], [300, 150]]}], "
                       "\"lines\": [" LINE "]}";
  GstHarness *harness = harness_with (rules, "counts-interval=1000000000");
  const GstStructure *structure, *part;
  GstCcaRuleType type;
  GstMessage *message;
  guint64 n, time;

  for (guint i = 0; i < 25; i++)
    push_track (harness, i * 40 * GST_MSECOND, 1, 50, 50);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  push_track (harness, GST_SECOND, 1, 50, 50);
  structure = next_message (harness, &message, "cca-counts");
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 6);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "rules")), ==, 3);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "flows")), ==, 0);
  gst_message_unref (message);
  /* From the door to the yard. */
  push_track (harness, GST_SECOND + 40 * GST_MSECOND, 1, 150, 100);
  push_track (harness, GST_SECOND + 80 * GST_MSECOND, 1, 280, 90);
  for (guint i = 0; i < 3; i++) {
    next_message (harness, &message, "cca-event");
    gst_message_unref (message);
  }
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  structure = next_message (harness, &message, "cca-counts");
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
  test_harness_free (harness);
}

static void
test_no_messages (void)
{
  GstHarness *harness = harness_with (RULES, "post-messages=false counts-interval=1");

  for (guint i = 0; i < 10; i++)
    push_track (harness, i * GST_SECOND, 1, i % 2 ? 150 : 50, 100);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  assert_counts (harness, "door", 5, 4, 1);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  test_harness_free (harness);
}

/* An application may read and change the element from where messages arrive. */
static GstBusSyncReply
answer (GstBus *bus, GstMessage *message, gpointer data)
{
  GstElement *element = data;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT) {
    gboolean done;

    g_assert_cmpuint (count (element, "door", "n-in"), ==, 1);
    g_signal_emit_by_name (element, "reload", &done);
    g_assert_true (done);
    g_signal_emit_by_name (element, "reset-counts");
  }
  return GST_BUS_PASS;
}

static void
test_answered_messages (void)
{
  GstHarness *harness = harness_with (RULES, "");
  GstBus *bus = gst_element_get_bus (harness->element);

  gst_bus_set_sync_handler (bus, answer, harness->element, NULL);
  push_track (harness, 0, 1, 150, 100);
  assert_counts (harness, "door", 0, 0, 1);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  gst_object_unref (bus);
  test_harness_free (harness);
}

/* --- Metas ------------------------------------------------------------------------------------------- */

static void
test_meta (void)
{
  GstHarness *harness = harness_with (RULES, "");
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
  test_harness_free (harness);
}

/* What carries no tracks, or is a gap, passes as it is. */
static void
test_untouched (void)
{
  GstHarness *harness = harness_with (RULES, "");
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  const GstCcaTrack track = track_at (1, 150, 100);
  GstBuffer *buffer = test_frame (&info, 1), *out;
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  out = test_pass (harness, buffer);
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
  test_harness_free (harness);
}

/* Frames in memory that only its owner knows. */
static void
test_any_memory (void)
{
  GstHarness *harness = harness_of_caps (
      RULES, "",
      gst_caps_from_string ("video/x-raw(memory:Somewhere), format=NV12, width=320, height=200, framerate=25/1"));
  const GstCcaTrack track = track_at (1, 150, 100);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_add_cca_track_meta (buffer, "a", WIDTH, HEIGHT, &track, 1);
  gst_buffer_unref (test_pass (harness, buffer));
  assert_counts (harness, "door", 1, 0, 1);
  test_harness_free (harness);
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
  GstHarness *harness = harness_with (RULES, "");
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
  assert_warning (harness, "No tracks are judged: id is 'c', but the frame has the tracks of 'a', 'b'");
  /* The first again: other tracks, though of the same number. */
  g_object_set (harness->element, "id", NULL, NULL);
  gst_buffer_unref (test_pass (harness, frame_of_two_analyses ()));
  assert_counts (harness, "door", 1, 0, 0);
  test_harness_free (harness);
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
  assert_warning (harness, "Frames carry components, but no tracks: put ccatrack before ccazones");
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = frame_with_tracks ("a", WIDTH, HEIGHT, 0, &track, 1);

    gst_buffer_get_cca_track_meta (buffer)->stale = TRUE;
    buffer = test_pass (harness, buffer);
    g_assert_null (gst_buffer_get_cca_event_meta (buffer));
    gst_buffer_unref (buffer);
  }
  assert_warning (harness, "No tracks are judged: those of 'a' are for a frame of 320x200 pixels that an element "
                           "changed in a way that cannot be followed; put ccazones before that element");
  assert_counts (harness, "door", 0, 0, 0);
  test_harness_free (harness);

  /* Drawn for larger frames. */
  harness = harness_with ("{\"lines\": [" LINE ", {\"name\": \"far\", \"points\": [[900, 10], [1000, 10]]}]}", "");
  for (guint i = 0; i < 3; i++)
    push_track (harness, i, 1, 150, 100);
  assert_warning (harness, "The rule \"far\" lies outside of frames of 320x200 pixels; give the size that it was drawn "
                           "for as width and height of the rules");
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
  GstHarness *harness = harness_with ("{\"zones\": [{\"name\": \"all\"}]}", "");
  GstCcaTrack tracks[] = { track_at (5, 50, 50), track_at (5, 60, 60), track_at (3, 70, 70), track_at (8, 80, 80) };

  tracks[3].width = 0;
  gst_buffer_unref (test_pass (harness, frame_with_tracks ("a", WIDTH, HEIGHT, 0, tracks, 4)));
  assert_counts (harness, "all", 1, 0, 1);
  test_harness_free (harness);
}

/* --- Streams ----------------------------------------------------------------------------------------- */

static void
test_flush (void)
{
  GstHarness *harness = harness_with (RULES, "");
  GstSegment segment;

  push_track (harness, 100 * GST_SECOND, 1, 150, 100);
  push_track (harness, 100 * GST_SECOND, 1, 150, 160);
  assert_counts (harness, "door", 1, 1, 0);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  /* The same number beyond the line: another track. */
  push_track (harness, 0, 1, 150, 180);
  assert_counts (harness, "gate", 0, 0, 0);
  assert_counts (harness, "door", 1, 1, 0);
  /* The same timeline goes on; another begins anew. */
  segment.stop = 50 * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  push_track (harness, GST_SECOND, 1, 150, 160);
  assert_counts (harness, "gate", 0, 1, 0);
  segment.base = 50 * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  push_track (harness, 0, 1, 150, 180);
  assert_counts (harness, "gate", 0, 1, 0);
  test_harness_free (harness);
}

static void
test_renegotiation (void)
{
  GstHarness *harness = harness_with (
      "{\"units\": \"relative\", \"zones\": [{\"name\": \"left\", \"points\": [[0, 0], [0.5, 0], [0.5, 1], "
      "[0, 1]]}]}",
      "");
  const GstCcaTrack before = track_at (1, 100, 100), after = track_at (2, 250, 200);
  const GstCcaEventMeta *meta;
  GstBuffer *buffer;

  gst_buffer_unref (test_pass (harness, frame_with_tracks ("a", WIDTH, HEIGHT, 0, &before, 1)));
  assert_counts (harness, "left", 1, 0, 1);
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", 2 * WIDTH, 2 * HEIGHT, NULL));
  /* The tracker begins anew: nobody left or entered. */
  buffer = test_pass (harness, frame_with_tracks ("a", 2 * WIDTH, 2 * HEIGHT, GST_SECOND, &after, 1));
  meta = gst_buffer_get_cca_event_meta (buffer);
  g_assert_cmpuint (meta->width, ==, 2 * WIDTH);
  g_assert_cmpfloat (meta->rules[0].points[1].x, ==, WIDTH);
  g_assert_cmpuint (meta->n_events, ==, 0);
  gst_buffer_unref (buffer);
  assert_counts (harness, "left", 1, 0, 1);
  test_harness_free (harness);
}

/* Without time stamps the frames' durations count, or what the caps say. */
static void
test_no_time_stamps (gconstpointer with_duration)
{
  GstHarness *harness = harness_with ("{\"zones\": [" ZONE ", \"dwell\": 1}]}", "");
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
  test_harness_free (harness);
}

/* What components cover decides whether the scene changes. */
static void
test_scene_change (void)
{
  GstHarness *harness = harness_with (RULES, "");
  const GstCcaComponent all = { .label = 1, .width = WIDTH, .height = HEIGHT, .area = WIDTH * HEIGHT };
  const GstCcaTrack track = track_at (1, 150, 100);
  GstBuffer *buffer;

  push_track (harness, 0, 1, 50, 100);
  buffer = frame_with_tracks ("cca0", WIDTH, HEIGHT, 1, &track, 1);
  gst_buffer_add_cca_meta (buffer, "other", WIDTH, HEIGHT, 0, NULL, 0);
  gst_buffer_add_cca_meta (buffer, "cca0", WIDTH, HEIGHT, 1, &all, 1);
  gst_buffer_unref (test_pass (harness, buffer));
  assert_counts (harness, "door", 0, 0, 1);
  test_harness_free (harness);
}

/* So does the mark of an analysis in its meta; another's does not matter. */
static void
test_marked_scene_change (void)
{
  for (guint marked = 0; marked < 2; marked++) {
    GstHarness *harness = harness_with (RULES, "");
    const GstCcaTrack track = track_at (1, 150, 100);
    GstBuffer *buffer;

    push_track (harness, 0, 1, 50, 100);
    buffer = frame_with_tracks ("cca0", WIDTH, HEIGHT, 1, &track, 1);
    gst_buffer_add_cca_meta (buffer, "other", WIDTH, HEIGHT, 0, NULL, 0)->scene_change = !marked;
    gst_buffer_add_cca_meta (buffer, "cca0", WIDTH, HEIGHT, 0, NULL, 0)->scene_change = marked;
    gst_buffer_unref (test_pass (harness, buffer));
    assert_counts (harness, "door", marked ? 0 : 1, 0, 1);
    test_harness_free (harness);
  }
}

static void
test_reset (void)
{
  GstHarness *harness = harness_with (RULES, "");

  push_track (harness, 0, 1, 150, 100);
  assert_counts (harness, "door", 1, 0, 1);
  g_signal_emit_by_name (harness->element, "reset-counts");
  assert_counts (harness, "door", 0, 0, 1);
  test_harness_free (harness);
}

/* Counters can be read after the end, and begin anew with the next start. */
static void
test_restart (void)
{
  GstHarness *harness = harness_with (RULES, "");
  gboolean done;

  push_track (harness, 0, 1, 150, 100);
  gst_element_set_state (harness->element, GST_STATE_NULL);
  assert_counts (harness, "door", 1, 0, 1);
  g_signal_emit_by_name (harness->element, "reload", &done);
  g_assert_false (done);
  g_assert_cmpint (gst_element_set_state (harness->element, GST_STATE_PLAYING), ==, GST_STATE_CHANGE_SUCCESS);
  assert_counts (harness, "door", 0, 0, 0);
  test_harness_free (harness);
}

static gint finished;

/* Reads, resets and reloads while frames pass. */
static gpointer
disturb (gpointer element)
{
  guint n = 0;

  while (!g_atomic_int_get (&finished)) {
    gboolean done;

    g_assert_cmpuint (count (element, "door", "occupancy"), <=, 1);
    if (++n % 3 == 0)
      g_signal_emit_by_name (element, "reload", &done);
    if (n % 5 == 0)
      g_signal_emit_by_name (element, "reset-counts");
    if (n % 7 == 0)
      g_object_set (element, "rules", n % 2 ? RULES : "{\"zones\": [" ZONE "}]}", NULL);
  }
  return GUINT_TO_POINTER (n);
}

static void
test_threads (void)
{
  GstHarness *harness = harness_with (RULES, "post-messages=false");
  GThread *thread = g_thread_new ("disturb", disturb, harness->element);

  for (guint i = 0; i < 2000; i++) {
    GstBuffer *buffer = pass_track (harness, i * GST_MSECOND, 1, i % 2 ? 150 : 50, 100);

    g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, i > 0);
    gst_buffer_unref (buffer);
  }
  g_atomic_int_set (&finished, TRUE);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (thread)), >, 0);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  test_harness_free (harness);
}

/* The ball of videotestsrc through a whole pipeline: it crosses the middle as often as it really does. */
static void
test_pipeline (void)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (
      "videotestsrc num-buffers=350 pattern=ball ! video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1 ! "
      "cca foreground=threshold post-messages=false ! ccatrack post-messages=false ! ccazones name=zones ! fakesink",
      &error);
  GstElement *zones;
  GstMessage *message;
  GstBus *bus;

  g_assert_no_error (error);
  zones = gst_bin_get_by_name (GST_BIN (pipeline), "zones");
  g_object_set (zones, "rules",
                "{\"units\": \"relative\", \"lines\": [{\"name\": \"middle\", \"points\": [[0.5, 0], [0.5, 1]], "
                "\"anchor\": \"center\"}]}",
                NULL);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_message_unref (message);
  /* The ball swings like a sine with a period of 200 frames, from the middle to the right first. The line leads down,
   * so that its right side is at the left of the frame. */
  g_assert_cmpuint (count (zones, "middle", "n-in"), ==, 2);
  g_assert_cmpuint (count (zones, "middle", "n-out"), ==, 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (zones);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/zones/start-errors", test_start_errors);
  g_test_add_func ("/zones/reload-file", test_reload_file);
  g_test_add_func ("/zones/reload-property", test_reload_property);
  g_test_add_func ("/zones/rules-before-config", test_rules_before_config);
  g_test_add_func ("/zones/idle", test_idle);
  g_test_add_func ("/zones/event-message", test_event_message);
  g_test_add_func ("/zones/counts-message", test_counts_message);
  g_test_add_func ("/zones/no-messages", test_no_messages);
  g_test_add_func ("/zones/answered-messages", test_answered_messages);
  g_test_add_func ("/zones/meta", test_meta);
  g_test_add_func ("/zones/untouched", test_untouched);
  g_test_add_func ("/zones/any-memory", test_any_memory);
  g_test_add_func ("/zones/ids", test_ids);
  g_test_add_func ("/zones/warnings", test_warnings);
  g_test_add_func ("/zones/odd-metas", test_odd_metas);
  g_test_add_func ("/zones/flush", test_flush);
  g_test_add_func ("/zones/renegotiation", test_renegotiation);
  g_test_add_data_func ("/zones/no-time-stamps/durations", GINT_TO_POINTER (TRUE), test_no_time_stamps);
  g_test_add_data_func ("/zones/no-time-stamps/caps", GINT_TO_POINTER (FALSE), test_no_time_stamps);
  g_test_add_func ("/zones/scene-change", test_scene_change);
  g_test_add_func ("/zones/marked-scene-change", test_marked_scene_change);
  g_test_add_func ("/zones/reset", test_reset);
  g_test_add_func ("/zones/restart", test_restart);
  g_test_add_func ("/zones/threads", test_threads);
  g_test_add_func ("/zones/pipeline", test_pipeline);
  return g_test_run ();
}
