/* gst-cca: ccajson: which frames get a line; UTC, streams, properties
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "json-test.h"

#include "gst/export/gstccajsonmark.h"

#include <string.h>

/* --- Which frames ------------------------------------------------------------------------------------ */

static void
test_interval (void)
{
  g_autoptr (GstHarness) harness = json_harness ("interval=100000000");

  json_assert_told (harness, json_frame_with (0, 1, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (40 * GST_MSECOND, 1, TRUE), FALSE);
  json_assert_told (harness, json_frame_with (80 * GST_MSECOND, 2, TRUE), FALSE);
  json_assert_told (harness, json_frame_with (100 * GST_MSECOND, 2, TRUE), TRUE);
  /* An event is told at once, and is a line as others. */
  json_assert_told (harness, json_full_frame (160 * GST_MSECOND), TRUE);
  json_assert_told (harness, json_frame_with (220 * GST_MSECOND, 1, TRUE), FALSE);
  json_assert_told (harness, json_change_scene (json_frame_with (240 * GST_MSECOND, 0, FALSE)), TRUE);
  json_assert_told (harness, json_frame_with (320 * GST_MSECOND, 1, TRUE), FALSE);
  json_assert_told (harness, json_frame_with (340 * GST_MSECOND, 1, TRUE), TRUE);
  /* A frame without a time is never too early. */
  json_assert_told (harness, json_frame_with (GST_CLOCK_TIME_NONE, 1, TRUE), TRUE);
}

static void
test_only_events (void)
{
  g_autoptr (GstHarness) harness = json_harness ("only-events=true");

  json_assert_told (harness, json_frame_with (0, 1, TRUE), FALSE);
  json_assert_told (harness, json_full_frame (FRAME), TRUE);
  json_assert_told (harness, json_add_rule (json_frame_at (2 * FRAME), "a", 8, 1, 0), FALSE);
  json_assert_told (harness, json_change_scene (json_frame_with (3 * FRAME, 0, FALSE)), TRUE);
  /* Also where events are no part of the line. */
  gst_util_set_object_arg (G_OBJECT (harness->element), "parts", "tracks");
  json_assert_told (harness, json_full_frame (4 * FRAME), TRUE);
  /* Metas of another analysis do not count. */
  g_object_set (harness->element, "id", "b", NULL);
  json_assert_told (harness, json_full_frame (5 * FRAME), FALSE);
}

static void
test_on_change_components (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true");

  json_assert_told (harness, json_frame_with (0, 0, FALSE), TRUE);
  json_assert_told (harness, json_frame_with (1 * FRAME, 0, FALSE), FALSE);
  json_assert_told (harness, json_frame_with (2 * FRAME, 2, FALSE), TRUE);
  json_assert_told (harness, json_frame_with (3 * FRAME, 2, FALSE), FALSE);
  json_assert_told (harness, json_frame_at (4 * FRAME), TRUE);
  json_assert_told (harness, json_frame_at (5 * FRAME), FALSE);
}

static void
test_on_change_tracks (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true");
  GstBuffer *frame;
  GstCcaTrack other = json_walker;

  json_assert_told (harness, json_frame_with (0, 2, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (1 * FRAME, 2, TRUE), FALSE);
  json_assert_told (harness, json_frame_with (2 * FRAME, 3, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (3 * FRAME, 1, TRUE), TRUE);
  /* The number of components does not matter where there are tracks, nor does where these are. */
  frame = json_frame_with (4 * FRAME, 5, FALSE);
  other.track_id = 1;
  other.x = 99;
  gst_buffer_add_cca_track_meta (frame, "a", WIDTH, HEIGHT, &other, 1);
  json_assert_told (harness, frame, FALSE);
  frame = json_frame_at (5 * FRAME);
  other.state = GST_CCA_TRACK_STATE_MERGED;
  gst_buffer_add_cca_track_meta (frame, "a", WIDTH, HEIGHT, &other, 1);
  json_assert_told (harness, frame, TRUE);
  frame = json_frame_at (6 * FRAME);
  other.track_id = 2;
  gst_buffer_add_cca_track_meta (frame, "a", WIDTH, HEIGHT, &other, 1);
  json_assert_told (harness, frame, TRUE);
  /* All of them are gone, with their meta. */
  json_assert_told (harness, json_frame_at (7 * FRAME), TRUE);
  json_assert_told (harness, json_frame_at (8 * FRAME), FALSE);
}

static void
test_on_change_counts (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true");

  json_assert_told (harness, json_add_rule (json_frame_at (0), "a", 1, 0, 0), TRUE);
  json_assert_told (harness, json_add_rule (json_frame_at (1 * FRAME), "a", 1, 0, 0), FALSE);
  json_assert_told (harness, json_add_rule (json_frame_at (2 * FRAME), "a", 2, 0, 0), TRUE);
  json_assert_told (harness, json_add_rule (json_frame_at (3 * FRAME), "a", 2, 1, 0), TRUE);
  json_assert_told (harness, json_add_rule (json_frame_at (4 * FRAME), "a", 2, 1, 0), FALSE);
  /* An event that changes no counter. */
  json_assert_told (harness, json_add_rule (json_frame_at (5 * FRAME), "a", 2, 1, 1), TRUE);
  json_assert_told (harness, json_add_rule (json_frame_at (6 * FRAME), "a", 2, 1, 0), FALSE);
  /* Changes of parts that are not written do not count. */
  gst_util_set_object_arg (G_OBJECT (harness->element), "parts", "tracks");
  json_assert_told (harness, json_add_rule (json_frame_at (7 * FRAME), "a", 3, 2, 0), FALSE);
  json_assert_told (harness, json_add_rule (json_frame_with (8 * FRAME, 1, TRUE), "a", 3, 2, 0), TRUE);
  gst_util_set_object_arg (G_OBJECT (harness->element), "parts", "counts");
  json_assert_told (harness, json_add_rule (json_frame_with (9 * FRAME, 3, TRUE), "a", 3, 2, 0), FALSE);
  /* Another analysis, and another frame. */
  json_assert_told (harness, json_add_rule (json_frame_at (10 * FRAME), "b", 3, 2, 0), TRUE);
  json_assert_told (harness, json_add_rule (json_frame_at (11 * FRAME), "b", 3, 2, 0), FALSE);
}

/* Also behind lines that were written for no change. */
static void
test_on_change_set (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true");

  json_assert_told (harness, json_frame_with (0, 1, FALSE), TRUE);
  g_object_set (harness->element, "on-change", FALSE, NULL);
  json_assert_told (harness, json_frame_with (FRAME, 2, FALSE), TRUE);
  json_assert_told (harness, json_frame_with (2 * FRAME, 2, FALSE), TRUE);
  g_object_set (harness->element, "on-change", TRUE, NULL);
  json_assert_told (harness, json_frame_with (3 * FRAME, 1, FALSE), TRUE);
  json_assert_told (harness, json_frame_with (4 * FRAME, 1, FALSE), FALSE);
}

/* A change within the interval is written as soon as the interval ends. */
static void
test_late_change (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true interval=100000000");

  json_assert_told (harness, json_frame_with (0, 1, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (FRAME, 2, TRUE), FALSE);
  json_assert_told (harness, json_frame_with (2 * FRAME, 2, TRUE), FALSE);
  json_assert_told (harness, json_frame_with (3 * FRAME, 2, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (4 * FRAME, 2, TRUE), FALSE);
  json_assert_told (harness, json_frame_with (9 * FRAME, 2, TRUE), FALSE);
}

/* Lines of events and scene changes are never left out, and a gap stands for each frame without a line. */
static void
test_no_event_is_lost (void)
{
  for (guint thin = 0; thin < 8; thin++) {
    g_autofree gchar *properties =
        g_strdup_printf ("interval=%d on-change=%d only-events=%d", thin & 1 ? 500000000 : 0, thin >> 1 & 1, thin >> 2);
    g_autoptr (GstHarness) harness = json_harness (properties);
    guint n_lines = 0, n_events = 0, n_scenes = 0, n_gaps = 0;
    GstEvent *event;

    g_test_message ("%s", properties);
    for (guint i = 0; i < 300; i++) {
      const guint events = g_test_rand_int_range (0, 10) == 0 ? (guint) g_test_rand_int_range (1, 3) : 0;
      const gboolean scene = g_test_rand_int_range (0, 20) == 0;
      GstBuffer *frame = json_frame_with (i * FRAME, (guint) g_test_rand_int_range (0, 3), g_test_rand_bit ());
      g_autofree gchar *line = NULL;

      json_add_rule (frame, "a", 7, 0, events);
      line = json_line_on (harness, scene ? json_change_scene (frame) : frame);
      g_assert_true (line || (events == 0 && !scene));
      n_lines += line != NULL;
      for (const gchar *at = line; at && (at = strstr (at, EVENT_TEXT)); at++)
        n_events++;
      n_events -= events;
      n_scenes += scene && strstr (line, "\"scene-change\":true");
      n_scenes -= scene;
    }
    g_assert_cmpuint (n_events, ==, 0);
    g_assert_cmpuint (n_scenes, ==, 0);
    while ((event = gst_harness_try_pull_event (harness))) {
      n_gaps += GST_EVENT_TYPE (event) == GST_EVENT_GAP;
      gst_event_unref (event);
    }
    g_assert_cmpuint (n_lines + n_gaps, ==, 300);
    g_assert_cmpint (n_lines < 300, ==, thin != 0);
  }
}

/* Frames that are none get no line, and gaps pass. */
static void
test_gaps (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");
  GstBuffer *frame = json_full_frame (FRAME);
  GstClockTime time = 0, duration = 0;
  GstEvent *event;

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_GAP);
  json_assert_told (harness, frame, FALSE);
  json_assert_stats (harness->element, 0, 0, 0);
  while ((event = gst_harness_pull_event (harness)) && GST_EVENT_TYPE (event) != GST_EVENT_GAP)
    gst_event_unref (event);
  gst_event_parse_gap (event, &time, &duration);
  g_assert_cmpuint (time, ==, FRAME);
  g_assert_cmpuint (duration, ==, FRAME);
  gst_event_unref (event);
}

/* --- UTC --------------------------------------------------------------------------------------------- */

static void
test_utc (void)
{
  const GstClockTime morning = G_GUINT64_CONSTANT (1795424400) * GST_SECOND;
  const GstClockTime since_1900 = G_GUINT64_CONSTANT (2208988800) * GST_SECOND;
  g_autoptr (GstHarness) harness = json_harness ("start-utc=2026-11-23T10:00:00.5+01:00");
  GstBuffer *frame = json_frame_at (2 * GST_SECOND);

  json_assert_has (harness, json_frame_at (FRAME), "\"utc\":\"2026-11-23T09:00:00.540000Z\",\"utc-source\":\"start\"",
                   TRUE);
  test_add_reference (frame, "timestamp/x-unix", morning + 123456789);
  json_assert_has (harness, frame, "\"utc\":\"2026-11-23T09:00:00.123456Z\",\"utc-source\":\"unix\"", TRUE);
  frame = json_frame_at (2 * GST_SECOND);
  test_add_reference (frame, "timestamp/x-ntp", since_1900 + morning + GST_SECOND);
  json_assert_has (harness, frame, "\"utc\":\"2026-11-23T09:00:01.000000Z\",\"utc-source\":\"ntp\"", TRUE);
  g_object_set (harness->element, "start-utc", NULL, NULL);
  json_assert_has (harness, json_frame_at (3 * GST_SECOND), "utc", FALSE);
}

/* The stream time counts, which a seek sets. */
static void
test_utc_of_stream_time (void)
{
  g_autoptr (GstHarness) harness = json_harness ("start-utc=2026-11-23T09:00:00Z");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.position = 10 * GST_SECOND;
  segment.time = 60 * GST_SECOND;
  segment.base = 5 * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  json_assert_line (harness, json_frame_at (11 * GST_SECOND),
                    "{\"camera\":\"camera\",\"timestamp\":11000000000,\"stream-time\":61000000000,"
                    "\"running-time\":6000000000,\"duration\":40000000,\"utc\":\"2026-11-23T09:01:01.000000Z\","
                    "\"utc-source\":\"start\",\"width\":320,\"height\":200}");
}

/* Returns the UTC of a line as the clock told it, ns. */
static gint64
clock_utc (const gchar *line)
{
  const gchar *text = strstr (line, "\"utc\":\"");
  g_autofree gchar *utc = text ? g_strndup (text + 7, 27) : NULL;
  g_autoptr (GDateTime) time = utc ? g_date_time_new_from_iso8601 (utc, NULL) : NULL;

  g_assert_nonnull (strstr (line, "\"utc-source\":\"clock\""));
  g_assert_nonnull (time);
  return g_date_time_to_unix (time) * GST_SECOND + g_date_time_get_microsecond (time) * GST_USECOND;
}

static void
test_utc_of_clock (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");
  g_autofree gchar *line = NULL;
  gint64 before, after;

  /* A frame of running time 1 s, at 4 s. */
  gst_harness_use_testclock (harness);
  g_assert_true (gst_harness_set_time (harness, 4 * GST_SECOND));
  before = g_get_real_time () * GST_USECOND - 3 * GST_SECOND;
  line = json_line_on (harness, json_frame_at (GST_SECOND));
  after = g_get_real_time () * GST_USECOND - 3 * GST_SECOND;
  g_assert_cmpint (clock_utc (line), >=, before);
  g_assert_cmpint (clock_utc (line), <=, after);
  json_assert_has (harness, json_frame_at (GST_CLOCK_TIME_NONE), "utc", FALSE);
}

#define WRONG                                                                                                          \
  "start-utc is '%s', which is not a date and time with zone since 1970; write it as in 2026-11-23T09:00:00Z"

static void
test_wrong_start_utc (void)
{
  g_autofree gchar *error = test_start_error ("ccajson", "start-utc", "today");
  g_autofree gchar *expected = g_strdup_printf (WRONG, "today");
  g_autofree gchar *later = g_strdup_printf (WRONG "; keeping the previous value", "2026-11-23");
  g_autoptr (GstHarness) harness = NULL;
  gchar *text;

  g_assert_cmpstr (error, ==, expected);
  g_assert_null (test_start_error ("ccajson", "start-utc", "2026-11-23T09:00:00Z"));

  harness = json_harness ("start-utc=2026-11-23T09:00:00Z");
  g_object_set (harness->element, "start-utc", "2026-11-23", NULL);
  test_assert_warning (harness, later);
  json_assert_has (harness, json_frame_at (0), "\"utc\":\"2026-11-23T09:00:00.000000Z\"", TRUE);
  g_object_set (harness->element, "start-utc", "2026-11-24T09:00:00Z", NULL);
  json_assert_has (harness, json_frame_at (0), "\"utc\":\"2026-11-24T09:00:00.000000Z\"", TRUE);
  g_object_get (harness->element, "start-utc", &text, NULL);
  g_assert_cmpstr (text, ==, "2026-11-24T09:00:00Z");
  g_free (text);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

/* --- Streams ----------------------------------------------------------------------------------------- */

static void
push_segment (GstHarness *harness, GstClockTime start, GstClockTime stop, GstClockTime base)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.position = segment.time = start;
  segment.stop = stop;
  segment.base = base;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
}

/* On a new timeline, the first frame is told. */
static void
test_flush_and_seek (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true interval=10000000000");

  json_assert_told (harness, json_frame_with (0, 1, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (FRAME, 2, TRUE), FALSE);
  /* Only the end of the segment is another. */
  push_segment (harness, 0, 60 * GST_SECOND, 0);
  json_assert_told (harness, json_frame_with (2 * FRAME, 2, TRUE), FALSE);

  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
  push_segment (harness, 0, GST_CLOCK_TIME_NONE, 0);
  json_assert_told (harness, json_frame_with (2 * FRAME, 2, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (3 * FRAME, 2, TRUE), FALSE);

  push_segment (harness, 20 * GST_SECOND, GST_CLOCK_TIME_NONE, 4 * FRAME);
  json_assert_told (harness, json_frame_with (20 * GST_SECOND, 2, TRUE), TRUE);
  json_assert_told (harness, json_frame_with (20 * GST_SECOND + FRAME, 2, TRUE), FALSE);
}

static void
test_renegotiation (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true");

  json_assert_has (harness, json_frame_at (0), "\"width\":320,\"height\":200", TRUE);
  json_assert_told (harness, json_frame_at (FRAME), FALSE);
  gst_harness_set_src_caps (harness, test_caps ("I420", 2 * WIDTH, HEIGHT, NULL));
  json_assert_has (harness, json_frame_at (2 * FRAME), "\"width\":640,\"height\":200", TRUE);
  json_assert_told (harness, json_frame_at (3 * FRAME), FALSE);
  gst_harness_set_src_caps (harness, test_caps ("I420", 2 * WIDTH, 2 * HEIGHT, NULL));
  json_assert_has (harness, json_frame_at (4 * FRAME), "\"width\":640,\"height\":400", TRUE);
  json_assert_told (harness, json_frame_at (5 * FRAME), FALSE);
}

/* Outside of the segment there is neither stream time nor running time; without times, lines come all the same. */
static void
test_outside_of_segment (void)
{
  g_autoptr (GstHarness) harness = json_harness ("interval=10000000000");
  GstSegment segment;

  push_segment (harness, GST_SECOND, 2 * GST_SECOND, 0);
  json_assert_line (
      harness, json_frame_at (5 * GST_SECOND),
      "{\"camera\":\"camera\",\"timestamp\":5000000000,\"duration\":40000000,\"width\":320,\"height\":200}");
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  json_assert_told (harness, json_frame_at (0), TRUE);
  json_assert_told (harness, json_frame_at (FRAME), TRUE);
}

/* A line and its copies are marked as written by ccajson; a part of a line is not. */
static void
test_mark (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");
  g_autoptr (GstBuffer) line = test_pass (harness, json_frame_at (0)), copy = gst_buffer_copy (line),
                        part = gst_buffer_copy_region (line, GST_BUFFER_COPY_ALL, 1, 5),
                        other = gst_buffer_new_allocate (NULL, 5, NULL);

  g_assert_nonnull (gst_cca_json_mark_get (line));
  g_assert_cmpmem (&gst_cca_json_mark_get (copy)->members, sizeof (GstCcaJsonMembers),
                   &gst_cca_json_mark_get (line)->members, sizeof (GstCcaJsonMembers));
  g_assert_null (gst_cca_json_mark_get (part));
  g_assert_null (gst_cca_json_mark_get (other));
}

/* How often a text has one of two characters, outside of strings. */
static guint
count_brackets (const gchar *text, gsize size, const gchar *brackets)
{
  gboolean quoted = FALSE;
  guint n = 0;

  for (gsize i = 0; i < size; i++) {
    quoted ^= text[i] == '"';
    n += !quoted && strchr (brackets, text[i]);
  }
  return n;
}

static GstCcaJsonMembers
members_of (GstBuffer *line)
{
  const GstCcaJsonMark *mark = gst_cca_json_mark_get (line);

  g_assert_nonnull (mark);
  return mark ? mark->members : (GstCcaJsonMembers) { 0 };
}

/* Members lie side by side, from the first to the last byte. */
static void
assert_members (GstBuffer *line, const gchar *const *names, guint n)
{
  const GstCcaJsonMembers members = members_of (line);
  gsize start = 1;
  GstMapInfo map;

  g_assert_true (gst_buffer_map (line, &map, GST_MAP_READ));
  g_assert_cmpuint (members.n, ==, n);
  for (guint i = 0; i < n; i++) {
    const gchar *text = (const gchar *) map.data + start;
    const gsize size = members.ends[i] - start;
    g_autofree gchar *begin = g_strdup_printf ("\"%s\":", names[i]);

    g_assert_true (strncmp (text, begin, strlen (begin)) == 0 && size > strlen (begin));
    g_assert_cmpuint (count_brackets (text, size, "{["), ==, count_brackets (text, size, "}]"));
    g_assert_cmpint (text[size], ==, i + 1 < n ? ',' : '}');
    start += size + 1;
  }
  g_assert_cmpuint (start, ==, map.size - strlen ("\n"));
  gst_buffer_unmap (line, &map);
}

/* Pushes the event by which ccacamera tells a state. */
/* The camera's state is in each line while it is not well, and in one when it is again; a change never gets lost. */
static void
test_camera_state (void)
{
  GstHarness *harness = json_harness ("");

  json_assert_has (harness, json_frame_at (0), "camera-state", FALSE);
  test_push_camera_state (harness, "covered");
  json_assert_has (harness, json_frame_at (FRAME), "\"camera-state\":\"covered\"", TRUE);
  json_assert_has (harness, json_frame_at (2 * FRAME), "\"camera-state\":\"covered\"", TRUE);
  test_push_camera_state (harness, "well");
  json_assert_has (harness, json_frame_at (3 * FRAME), "\"camera-state\":\"well\"", TRUE);
  json_assert_has (harness, json_frame_at (4 * FRAME), "camera-state", FALSE);
  test_harness_free (harness);

  harness = json_harness ("only-events=true interval=1000000000");
  json_assert_told (harness, json_frame_at (0), FALSE);
  test_push_camera_state (harness, "moved");
  json_assert_told (harness, json_frame_at (FRAME), TRUE);
  json_assert_told (harness, json_frame_at (2 * FRAME), FALSE);
  test_push_camera_state (harness, "dark");
  test_push_camera_state (harness, "well");
  json_assert_has (harness, json_frame_at (3 * FRAME), "\"camera-state\":\"well\"", TRUE);
  json_assert_told (harness, json_frame_at (4 * FRAME), FALSE);
  test_harness_free (harness);
}

static void
test_members (void)
{
  static const gchar *const all[] = {
    "camera",     "id",         "timestamp", "stream-time", "running-time", "duration",     "utc",
    "utc-source", "width",      "height",    "stale",       "scene-change", "camera-state", "n-components",
    "truncated",  "components", "n-tracks",  "tracks",      "events",       "counts",
  };
  static const gchar *const few[] = { "camera", "width", "height" };
  GstHarness *harness = json_harness ("start-utc=2026-11-23T09:00:00Z parts=components+tracks+events+counts+points");
  GstBuffer *frame = json_change_scene (json_full_frame (0)), *line;

  gst_buffer_get_cca_meta (frame)->stale = TRUE;
  test_push_camera_state (harness, "moved");
  line = test_pass (harness, frame);
  assert_members (line, all, G_N_ELEMENTS (all));
  g_assert_cmpuint (members_of (line).utc, ==, G_GUINT64_CONSTANT (1795424400) * GST_SECOND);
  gst_buffer_unref (line);
  test_harness_free (harness);

  harness = json_harness ("");
  line = test_pass (harness, gst_buffer_new ());
  assert_members (line, few, G_N_ELEMENTS (few));
  g_assert_false (GST_CLOCK_TIME_IS_VALID (members_of (line).utc));
  gst_buffer_unref (line);
  test_harness_free (harness);
}

/* Any memory and any format: pixels are not read. Neighbours may pad frames as they like. */
static void
test_any_video (void)
{
  static const gchar *const caps[] = {
    "video/x-raw(memory:NoSuchMemory),format=NV12",
    "video/x-raw(memory:DMABuf),format=DMA_DRM",
    "video/x-raw,format=RGBA64_LE",
  };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    g_autofree gchar *text = g_strdup_printf ("%s,width=320,height=200,framerate=0/1", caps[i]);
    g_autoptr (GstHarness) harness = json_harness_of_caps ("parts=components", gst_caps_from_string (text));
    GstBuffer *frame = json_add_component (gst_buffer_new (), "a");
    g_autoptr (GstQuery) query = gst_query_new_allocation (gst_caps_from_string (text), FALSE);
    g_autoptr (GstCaps) query_caps = NULL;

    GST_BUFFER_PTS (frame) = 0;
    GST_BUFFER_DURATION (frame) = FRAME;
    json_assert_line (harness, frame, HEAD ("0") COMPONENTS_TEXT "}");
    g_assert_true (gst_pad_peer_query (harness->srcpad, query));
    g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
    gst_query_parse_allocation (query, &query_caps, NULL);
  }
}

/* A sink that waits for its first buffer does not hold up its pipeline, however long no line comes. */
static void
test_preroll (void)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (
      "videotestsrc ! video/x-raw,width=64,height=64 ! tee name=t  t. ! queue max-size-buffers=2 ! fakesink sync=true  "
      "t. ! queue max-size-buffers=2 ! ccajson only-events=true ! fakesink",
      NULL);

  g_assert_nonnull (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 30 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* --- Properties -------------------------------------------------------------------------------------- */

static void
test_properties (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("ccajson", NULL);
  g_autofree gchar *camera = NULL, *id = NULL, *start = NULL, *again = NULL;
  gboolean on_change, only_events;
  guint64 interval;
  guint parts;

  g_object_get (element, "camera", &camera, "id", &id, "parts", &parts, "interval", &interval, "on-change", &on_change,
                "only-events", &only_events, "start-utc", &start, NULL);
  g_assert_cmpstr (camera, ==, "camera");
  g_assert_null (id);
  g_assert_null (start);
  g_assert_cmpuint (parts, ==, 15);
  g_assert_cmpuint (interval, ==, 0);
  g_assert_false (on_change || only_events);
  json_assert_stats (element, 0, 0, 0);

  g_clear_pointer (&camera, g_free);
  gst_util_set_object_arg (G_OBJECT (element), "parts", "points+tracks");
  g_object_set (element, "camera", "c", "id", "i", "interval", G_MAXUINT64, "on-change", TRUE, "only-events", TRUE,
                "start-utc", "2026-11-23T09:00:00Z", NULL);
  g_object_get (element, "camera", &camera, "id", &id, "parts", &parts, "interval", &interval, "on-change", &on_change,
                "only-events", &only_events, "start-utc", &start, NULL);
  g_assert_cmpstr (camera, ==, "c");
  g_assert_cmpstr (id, ==, "i");
  g_assert_cmpstr (start, ==, "2026-11-23T09:00:00Z");
  g_assert_cmpuint (parts, ==, 1 << 4 | 1 << 1);
  g_assert_cmpuint (interval, ==, G_MAXUINT64);
  g_assert_true (on_change && only_events);

  g_object_set (element, "camera", NULL, NULL);
  g_object_get (element, "camera", &again, NULL);
  g_assert_cmpstr (again, ==, "camera");
}

static void
test_stats (void)
{
  g_autoptr (GstHarness) harness = json_harness ("on-change=true");
  gsize bytes = 0;

  for (guint i = 0; i < 10; i++) {
    g_autofree gchar *line = json_line_on (harness, json_frame_with (i * FRAME, i / 5, TRUE));

    bytes += line ? strlen (line) + 1 : 0;
  }
  json_assert_stats (harness->element, 10, 2, bytes);
  gst_element_set_state (harness->element, GST_STATE_READY);
  json_assert_stats (harness->element, 10, 2, bytes);
  gst_element_set_state (harness->element, GST_STATE_PAUSED);
  json_assert_stats (harness->element, 0, 0, 0);
}

static gpointer
set_properties (gpointer data)
{
  GstHarness *harness = data;

  for (guint i = 0; i < 3000; i++) {
    g_autofree gchar *camera = g_strdup_printf ("camera %u", i);
    g_autoptr (GstStructure) stats = NULL;

    g_object_set (harness->element, "camera", camera, "id", i % 2 ? "a" : NULL, "parts", i % 32, "interval",
                  (guint64) (i % 3) * FRAME, "on-change", i % 5 == 0, "only-events", i % 7 == 0, "start-utc",
                  i % 11 ? NULL : "2026-11-23T09:00:00Z", NULL);
    g_object_get (harness->element, "stats", &stats, NULL);
  }
  return NULL;
}

/* Any thread may set properties while frames pass. */
static void
test_threads (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");
  GThread *thread = g_thread_new ("properties", set_properties, harness);

  for (guint i = 0; i < 1000; i++)
    g_free (json_line_on (harness, json_full_frame (i * FRAME)));
  g_thread_join (thread);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/json/frames", test_interval, test_mark, test_members, test_camera_state, test_only_events,
             test_late_change, test_no_event_is_lost, test_gaps);
  g_test_add_func ("/json/frames/on-change/components", test_on_change_components);
  g_test_add_func ("/json/frames/on-change/tracks", test_on_change_tracks);
  g_test_add_func ("/json/frames/on-change/counts", test_on_change_counts);
  g_test_add_func ("/json/frames/on-change/set", test_on_change_set);
  g_test_add_func ("/json/utc/sources", test_utc);
  g_test_add_func ("/json/utc/stream-time", test_utc_of_stream_time);
  g_test_add_func ("/json/utc/clock", test_utc_of_clock);
  g_test_add_func ("/json/utc/wrong-start", test_wrong_start_utc);
  ADD_TESTS ("/json/stream", test_flush_and_seek, test_renegotiation, test_outside_of_segment, test_any_video,
             test_preroll);
  g_test_add_func ("/json/properties/values", test_properties);
  g_test_add_func ("/json/properties/stats", test_stats);
  g_test_add_func ("/json/properties/threads", test_threads);
}
