/* gst-cca: ccajson: the fields of a line, and the metas that it reads
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "json-test.h"

#include <math.h>

/* --- Fields ------------------------------------------------------------------------------------------ */

static void
test_full (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");

  json_assert_line (harness, json_full_frame (80 * GST_MSECOND),
                    HEAD ("80000000") COMPONENTS_TEXT TRACKS_TEXT EVENTS_TEXT COUNTS_TEXT "}");
  g_object_set (harness->element, "camera", "gate", NULL);
  gst_util_set_object_arg (G_OBJECT (harness->element), "parts", "counts+points");
  json_assert_line (
      harness, json_full_frame (120 * GST_MSECOND),
      "{\"camera\":\"gate\",\"id\":\"a\",\"timestamp\":120000000,\"stream-time\":120000000,"
      "\"running-time\":120000000,\"duration\":40000000,\"width\":320,\"height\":200,\"counts\":[" RULE_TEXT
      ",\"points\":[[100,170],[200.5,170.063]]}]}");
}

static void
test_buffers (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");
  GstBuffer *line = test_pass (harness, json_full_frame (80 * GST_MSECOND));
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  g_assert_cmpuint (gst_caps_get_size (caps), ==, 1);
  g_assert_true (gst_structure_has_name (structure, "application/x-ndjson"));
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 0);
  g_assert_cmpuint (GST_BUFFER_PTS (line), ==, 80 * GST_MSECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (line), ==, FRAME);
  g_assert_cmpuint (gst_buffer_n_memory (line), ==, 1);
  json_assert_stats (harness->element, 1, 1, gst_buffer_get_size (line));
  g_free (json_text_of (line));
}

/* Frames on which nothing is known, not even when they were. */
static void
test_without_metas (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");
  GstBuffer *frame = json_frame_at (GST_CLOCK_TIME_NONE);

  json_assert_line (harness, json_frame_at (0),
                    "{\"camera\":\"camera\",\"timestamp\":0,\"stream-time\":0,\"running-time\":0,\"duration\":40000000,"
                    "\"width\":320,\"height\":200}");
  GST_BUFFER_DURATION (frame) = GST_CLOCK_TIME_NONE;
  json_assert_line (harness, frame, "{\"camera\":\"camera\",\"width\":320,\"height\":200}");
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  g_object_set (harness->element, "id", "a", NULL);
  json_assert_has (harness, json_frame_at (FRAME), "\"id\":\"a\"", TRUE);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

static void
test_empty_metas (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");
  GstBuffer *frame = json_frame_at (0);

  gst_buffer_add_cca_meta (frame, "", WIDTH, HEIGHT, 0, NULL, 0);
  gst_buffer_add_cca_track_meta (frame, "", WIDTH, HEIGHT, NULL, 0);
  gst_buffer_add_cca_event_meta (frame, "", WIDTH, HEIGHT, NULL, 0, NULL, 0);
  json_assert_line (harness, frame,
                    "{\"camera\":\"camera\",\"id\":\"\",\"timestamp\":0,\"stream-time\":0,\"running-time\":0,"
                    "\"duration\":40000000,\"width\":320,\"height\":200,\"n-components\":0,\"truncated\":false,"
                    "\"components\":[],\"n-tracks\":0,\"tracks\":[],\"events\":[],\"counts\":[]}");
}

/* Each part alone, all, and none. */
static void
test_parts (void)
{
  static const struct
  {
    const gchar *parts, *text;
  } cases[] = {
    { "components", COMPONENTS_TEXT },
    { "tracks", TRACKS_TEXT },
    { "events", EVENTS_TEXT },
    { "counts", COUNTS_TEXT },
    { "points", "" },
    { "(GstCcaJsonParts)0", "" },
    { "counts+events", EVENTS_TEXT COUNTS_TEXT },
    { "components+tracks+events+counts+points",
      COMPONENTS_TEXT TRACKS_TEXT EVENTS_TEXT ",\"counts\":[" RULE_TEXT ",\"points\":[[100,170],[200.5,170.063]]}]" },
  };
  g_autoptr (GstHarness) harness = json_harness ("");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *expected = g_strconcat (HEAD ("0"), cases[i].text, "}", NULL);

    if (g_str_has_prefix (cases[i].parts, "("))
      g_object_set (harness->element, "parts", 0, NULL);
    else
      gst_util_set_object_arg (G_OBJECT (harness->element), "parts", cases[i].parts);
    json_assert_line (harness, json_full_frame (0), expected);
  }
}

/* More were found than are stored; a scene change; second moments. */
static void
test_components (void)
{
  GstCcaComponent components[2] = { json_component, json_component };
  g_autoptr (GstHarness) harness = json_harness ("parts=components");
  GstBuffer *frame = json_frame_at (0);

  components[0].cov_xx = 2.0;
  components[0].cov_xy = -0.5;
  components[0].cov_yy = 1.0 / 3.0;
  components[1].label = 2;
  gst_buffer_add_cca_meta (frame, "a", WIDTH, HEIGHT, 5, components, 2);
  json_assert_line (
      harness, json_change_scene (frame),
      HEAD ("0") ",\"scene-change\":true,\"n-components\":5,\"truncated\":true,\"components\":["
                 "{\"label\":1,\"x\":10,\"y\":20,\"width\":30,\"height\":40,\"area\":500,\"centroid-x\":24.25,"
                 "\"centroid-y\":39.123,\"covariance-xx\":2,\"covariance-xy\":-0.5,\"covariance-yy\":0.333},"
                 "{\"label\":2,\"x\":10,\"y\":20,\"width\":30,\"height\":40,\"area\":500,\"centroid-x\":24.25,"
                 "\"centroid-y\":39.123,\"covariance-xx\":0,\"covariance-xy\":0,\"covariance-yy\":0}]}");
}

static void
test_details (void)
{
  static const gchar box[] = "\"x\":10,\"y\":20,\"width\":30,\"height\":40,\"area\":500,\"centroid-x\":24.25,"
                             "\"centroid-y\":39.123";
  GstCcaComponent components[3] = { json_component, json_component, json_component };
  GstCcaShape shapes[3] = { { 10.5, 12.0625, -2 }, { 0, 1, 1 }, { 1, 1, 1 } };
  const GstCcaIntensity intensities[3] = { { 65000.0 / 3, 1, 65535 }, { 0, 0, 0 }, { 1, 1, 1 } };
  const gchar *shape = ",\"perimeter\":10.5,\"perimeter-crofton\":12.063,\"euler-number\":-2";
  const gchar *intensity = ",\"intensity-mean\":21666.667,\"intensity-min\":1,\"intensity-max\":65535";
  g_autoptr (GstHarness) harness = json_harness ("parts=components");

  components[1].label = 2;
  components[2].label = 3;
  shapes[2].perimeter = NAN; /* from elsewhere: no JSON */
  for (guint i = 0; i < 4; i++) {
    const gboolean has_shapes = i & 1, has_intensities = i & 2;
    GstBuffer *frame = json_frame_at (0);
    GstCcaMeta *meta = gst_buffer_add_cca_meta (frame, "a", WIDTH, HEIGHT, 3, components, 3);
    g_autoptr (GString) expected = g_string_new (HEAD ("0") ",\"n-components\":3,\"truncated\":false,");

    if (has_shapes)
      g_assert_true (gst_cca_meta_set_shapes (meta, shapes, 3));
    if (has_intensities)
      g_assert_true (gst_cca_meta_set_intensities (meta, intensities, 3));
    g_string_append_printf (expected, "\"components\":[{\"label\":1,%s%s%s},{\"label\":2,%s%s%s}", box,
                            has_shapes ? shape : "", has_intensities ? intensity : "", box,
                            has_shapes ? ",\"perimeter\":0,\"perimeter-crofton\":1,\"euler-number\":1" : "",
                            has_intensities ? ",\"intensity-mean\":0,\"intensity-min\":0,\"intensity-max\":0" : "");
    if (!has_shapes)
      g_string_append_printf (expected, ",{\"label\":3,%s%s}", box,
                              has_intensities ? ",\"intensity-mean\":1,\"intensity-min\":1,\"intensity-max\":1" : "");
    g_string_append (expected, "]}");
    json_assert_line (harness, frame, expected->str);
  }
}

static void
test_states (void)
{
  static const gchar *const names[] = { "\"state\":\"confirmed\"", "\"state\":\"merged\"", "\"state\":\"coasting\"" };
  g_autoptr (GstHarness) harness = json_harness ("parts=tracks");

  for (gint state = GST_CCA_TRACK_STATE_CONFIRMED; state <= GST_CCA_TRACK_STATE_COASTING; state++) {
    GstBuffer *frame = json_frame_at (0);
    GstCcaTrack track = json_walker;

    track.state = (GstCcaTrackState) state;
    gst_buffer_add_cca_track_meta (frame, "a", WIDTH, HEIGHT, &track, 1);
    json_assert_has (harness, frame, names[state], TRUE);
  }
}

static void
assert_event (GstHarness *harness, const GstCcaEvent *event, const gchar *text)
{
  g_autofree gchar *expected = g_strconcat (HEAD ("0") ",\"events\":[", text, "]}", NULL);
  GstBuffer *frame = json_frame_at (0);

  gst_buffer_add_cca_event_meta (frame, "a", WIDTH, HEIGHT, NULL, 0, event, 1);
  json_assert_line (harness, frame, expected);
}

/* Events of each type and direction; a line leaves out values that an event does not have. */
static void
test_events (void)
{
  static const gchar *const types[] = { "enter",   "leave",     "dwell",      "cross",     "left",
                                        "removed", "motion-on", "motion-off", "wrong-way", "stopped",
                                        "section", "crowd-on",  "crowd-off" };
  g_autoptr (GstHarness) harness = json_harness ("parts=events");
  GstCcaEvent event = json_crossing;

  event.rule = "door";
  event.track_id = 0;
  event.direction = GST_CCA_DIRECTION_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autofree gchar *text = g_strdup_printf (
        "{\"type\":\"%s\",\"rule\":\"door\",\"x\":25,\"y\":60,\"n-in\":7,\"n-out\":4,\"occupancy\":0}", types[i]);

    event.type = (GstCcaEventType) i;
    assert_event (harness, &event, text);
  }
  event.type = GST_CCA_EVENT_DWELL;
  event.track_id = G_MAXUINT64;
  event.direction = GST_CCA_DIRECTION_BACKWARD;
  event.x = -3.5;
  event.dwell = 10 * GST_SECOND;
  event.occupancy = 3;
  assert_event (harness, &event,
                "{\"type\":\"dwell\",\"rule\":\"door\",\"track-id\":18446744073709551615,\"direction\":\"backward\","
                "\"x\":-3.5,\"y\":60,\"dwell\":10000000000,\"n-in\":7,\"n-out\":4,\"occupancy\":3}");
}

/* Tracks on the ground, and the measures of rules and events; a line leaves out values that are unknown or no
 * numbers. */
static void
test_measures (void)
{
  const GstCcaRule rule = { .name = "lane",
                            .type = GST_CCA_RULE_ZONE,
                            .measured = GST_CCA_MEASURE_SPEED | GST_CCA_MEASURE_FLOW | GST_CCA_MEASURE_OCCUPIED
                                        | GST_CCA_MEASURE_CONGESTION | GST_CCA_MEASURE_QUEUE,
                            .speed = 13.25,
                            .flow = 12,
                            .occupied = 0.5,
                            .congestion = 0.125,
                            .queue = 3,
                            .queue_length = 21.5 };
  GstCcaEvent event = json_crossing;
  GstCcaGroundTrack track = {
    7, GST_CCA_MEASURE_SPEED | GST_CCA_MEASURE_HEADING, -1.5, 40, 13.75, 350.5, 6.25, g_quark_from_string ("car")
  };
  GstHarness *harness = json_harness ("parts=tracks");

  for (guint i = 0; i < 3; i++) {
    static const gchar *const texts[] = {
      "\"age\":31,\"ground\":{\"x\":-1.5,\"y\":40,\"speed\":13.75,\"heading\":350.5,\"area\":6.25,\"size-class\":"
      "\"car\"}}",
      "\"age\":31,\"ground\":{\"x\":-1.5,\"y\":40,\"area\":6.25}}",
      "\"age\":31}",
    };
    GstBuffer *frame = json_add_track (json_frame_at (i * FRAME), "a");
    GstCcaEventMeta *meta = gst_buffer_add_cca_event_meta (frame, "a", WIDTH, HEIGHT, NULL, 0, NULL, 0);

    if (i == 1)
      track.measured = track.size_class = 0;
    if (i == 2)
      track.y = NAN;
    g_assert_true (gst_cca_event_meta_set_ground_tracks (meta, &track, 1));
    json_assert_has (harness, frame, texts[i], TRUE);
  }
  test_harness_free (harness);

  harness = json_harness ("parts=events+counts");
  event.measured = GST_CCA_MEASURE_SPEED | GST_CCA_MEASURE_HEADWAY | GST_CCA_MEASURE_GAP;
  event.speed = 25.5;
  event.headway = 2 * GST_SECOND;
  event.gap = 51;
  event.size_class = g_quark_from_string ("car");
  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame = json_frame_at (i * FRAME);

    gst_buffer_add_cca_event_meta (frame, "a", WIDTH, HEIGHT, &rule, 1, &event, 1);
    json_assert_has (harness, frame,
                     i == 0 ? "\"occupancy\":0,\"speed\":25.5,\"headway\":2000000000,\"gap\":51,\"size-class\":\"car\"}"
                            : "\"occupancy\":0,\"speed\":13.25,\"flow\":12,\"occupied\":0.5,\"congestion\":0.125,"
                              "\"queue\":3,\"queue-length\":21.5}",
                     TRUE);
  }
  test_harness_free (harness);
}

/* A zone that is the whole frame has no points. */
static void
test_rules (void)
{
  const GstCcaRule rules[] = { { .name = "all", .type = GST_CCA_RULE_ZONE, .n_in = G_MAXUINT64, .occupancy = 2 },
                               json_gate };
  g_autoptr (GstHarness) harness = json_harness ("parts=counts+points");
  GstBuffer *frame = json_frame_at (0);

  gst_buffer_add_cca_event_meta (frame, "a", WIDTH, HEIGHT, rules, 2, NULL, 0);
  json_assert_line (
      harness, frame,
      HEAD ("0") ",\"counts\":[{\"name\":\"all\",\"type\":\"zone\",\"n-in\":18446744073709551615,\"n-out\":0,"
                 "\"occupancy\":2,\"points\":[]}," RULE_TEXT ",\"points\":[[100,170],[200.5,170.063]]}]}");
}

/* JSON has no infinity and no NaN. */
static void
test_not_finite (void)
{
  GstCcaComponent components[2] = { json_component, json_component };
  GstCcaTrack tracks[2] = { json_walker, json_walker };
  GstCcaEvent events[2] = { json_crossing, json_crossing };
  GstCcaPoint points[2] = { { NAN, 1 }, { 2, 3 } };
  GstCcaRule rule = json_gate;
  g_autoptr (GstHarness) harness = json_harness ("parts=components+tracks+events+counts+points");
  GstBuffer *frame = json_frame_at (0);

  components[0].centroid_y = NAN;
  tracks[0].velocity_x = INFINITY;
  events[0].x = -INFINITY;
  rule.points = points;
  gst_buffer_add_cca_meta (frame, "a", WIDTH, HEIGHT, 2, components, 2);
  gst_buffer_add_cca_track_meta (frame, "a", WIDTH, HEIGHT, tracks, 2);
  gst_buffer_add_cca_event_meta (frame, "a", WIDTH, HEIGHT, &rule, 1, events, 2);
  json_assert_line (harness, frame,
                    HEAD ("0") ",\"n-components\":2,\"truncated\":false,\"components\":[" COMPONENT_TEXT
                               "],\"n-tracks\":2,"
                               "\"tracks\":[" TRACK_TEXT "],\"events\":[" EVENT_TEXT "],\"counts\":[" RULE_TEXT
                               ",\"points\":[[2,3]]}]}");
}

/* Names as odd as they come, in all places where names are; the property camera takes valid ones. */
static void
test_names (void)
{
  static const struct
  {
    const gchar *name, *text;
    gboolean is_valid;
  } cases[] = {
    { "", "\"\"", TRUE },
    { "Tür 北 🚪", "\"Tür 北 🚪\"", TRUE },
    { "\"a\\b\"\n\t\x1b", "\"\\\"a\\\\b\\\"\\u000a\\u0009\\u001b\"", FALSE },
    { "caf\xe9", "\"caf\xef\xbf\xbd\"", FALSE },
    { "],\"x\":[", "\"],\\\"x\\\":[\"", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gchar *text = cases[i].text;
    g_autoptr (GstHarness) harness = json_harness ("parts=events+counts");
    GstCcaEvent event = json_crossing;
    GstCcaRule rule = json_gate;
    GstBuffer *frame = json_frame_at (0);
    g_autofree gchar *expected = g_strdup_printf (
        "{\"camera\":%s,\"id\":%s,\"timestamp\":0,\"stream-time\":0,\"running-time\":0,\"duration\":40000000,"
        "\"width\":320,\"height\":200,\"events\":[{\"type\":\"cross\",\"rule\":%s,\"track-id\":7,"
        "\"direction\":\"forward\",\"x\":25,\"y\":60,\"n-in\":7,\"n-out\":4,\"occupancy\":0}],"
        "\"counts\":[{\"name\":%s,\"type\":\"line\",\"n-in\":7,\"n-out\":4,\"occupancy\":0}]}",
        cases[i].is_valid ? text : "\"camera\"", text, text, text);

    event.rule = rule.name = cases[i].name;
    gst_buffer_add_cca_event_meta (frame, cases[i].name, WIDTH, HEIGHT, &rule, 1, &event, 1);
    if (cases[i].is_valid)
      g_object_set (harness->element, "camera", cases[i].name, NULL);
    json_assert_line (harness, frame, expected);
  }
}

/* Coordinates are for another frame than the video's: the line says for which, and that it is so. */
static void
test_stale (void)
{
  g_autoptr (GstHarness) harness =
      json_harness_of_caps ("parts=components", test_caps ("GRAY8", WIDTH / 2, HEIGHT / 2, NULL));

  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = json_full_frame (0);

    gst_buffer_get_cca_meta (frame)->stale = i == 0;
    gst_buffer_get_cca_track_meta (frame)->stale = i == 1;
    gst_buffer_get_cca_event_meta (frame)->stale = i == 2;
    json_assert_line (harness, frame, HEAD ("0") ",\"stale\":true" COMPONENTS_TEXT "}");
  }
  json_assert_line (harness, json_full_frame (0), HEAD ("0") COMPONENTS_TEXT "}");
}

/* --- Which metas ------------------------------------------------------------------------------------- */

static void
test_ids (void)
{
  g_autoptr (GstHarness) harness = json_harness ("");

  json_assert_has (harness, json_add_component (json_add_component (json_frame_at (0), "a"), "b"), "\"id\":\"a\"",
                   TRUE);
  g_object_set (harness->element, "id", "b", NULL);
  json_assert_has (harness, json_add_component (json_add_component (json_frame_at (0), "a"), "b"), "\"id\":\"b\"",
                   TRUE);
  /* Tracks of another analysis are not mixed in. */
  json_assert_has (harness, json_add_track (json_add_component (json_frame_at (0), "b"), "a"), "tracks", FALSE);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);

  json_assert_has (harness, json_add_track (json_add_component (json_frame_at (0), "a"), "c"), "n-", FALSE);
  test_assert_warning (harness, "Nothing of the analysis is written: id is 'b', but the frame has metas of 'a', 'c'");
  json_assert_has (harness, json_add_component (json_frame_at (0), "a"), "n-", FALSE);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);

  g_object_set (harness->element, "id", NULL, NULL);
  json_assert_has (harness, json_add_track (json_frame_at (0), "t"), "\"id\":\"t\"", TRUE);
  json_assert_has (harness, json_add_rule (json_frame_at (0), "e", 0, 0, 0), "\"id\":\"e\"", TRUE);
  /* Tracks come first, whatever the order of the metas. */
  json_assert_has (harness, json_add_track (json_add_component (json_frame_at (0), "c"), "t"), "\"id\":\"t\"", TRUE);
}

/* Each ccazones of several in a row adds its own rules. */
static void
test_several_zones (void)
{
  GstHarness *harness = json_harness ("parts=events+counts");
  GstBuffer *frame = json_add_rule (json_frame_at (0), "a", 7, 0, 2);
  GstCcaRule zone = { .name = "hall", .type = GST_CCA_RULE_ZONE, .n_in = 3, .n_out = 1, .occupancy = 2 };

  gst_buffer_add_cca_event_meta (frame, "b", WIDTH, HEIGHT, &zone, 1, &json_crossing, 1);
  gst_buffer_add_cca_event_meta (frame, "a", WIDTH, HEIGHT, &zone, 1, &json_crossing, 1);
  json_assert_line (harness, frame,
                    HEAD ("0") ",\"events\":[" EVENT_TEXT "," EVENT_TEXT "," EVENT_TEXT "],\"counts\":[" RULE_TEXT
                               "},{\"name\":\"hall\",\"type\":\"zone\",\"n-in\":3,\"n-out\":1,\"occupancy\":2}]}");
  test_harness_free (harness);

  /* Its counters count, too, and so do its events. */
  harness = json_harness ("on-change=true");
  for (guint i = 0; i < 6; i++) {
    frame = json_add_rule (json_frame_at (i * FRAME), "a", 7, 0, 0);
    zone.n_in = i / 2;
    gst_buffer_add_cca_event_meta (frame, "a", WIDTH, HEIGHT, &zone, 1, &json_crossing, i == 5);
    json_assert_told (harness, frame, i % 2 == 0 || i == 5);
  }
  test_harness_free (harness);
}

/* Metas for frames of different sizes cannot share a line. */
static void
test_sizes (void)
{
  g_autoptr (GstHarness) harness = json_harness ("parts=components+tracks");

  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame = json_add_component (json_frame_at (0), "a");

    gst_buffer_add_cca_track_meta (frame, "a", 2 * WIDTH, 2 * HEIGHT, &json_walker, 1);
    json_assert_line (harness, frame,
                      "{\"camera\":\"camera\",\"id\":\"a\",\"timestamp\":0,\"stream-time\":0,\"running-time\":0,"
                      "\"duration\":40000000,\"width\":640,\"height\":400" TRACKS_TEXT "}");
  }
  test_assert_warning (harness,
                       "The metas of 'a' are for frames of several sizes; those for 640x400 pixels are written");
}

/* The class of an object is a text from outside. */
static void
test_class (void)
{
  g_autoptr (GstHarness) harness = json_harness ("parts=tracks");
  GstCcaTrack track = json_walker;

  track.object_type = g_quark_from_string ("traffic \"light\"");
  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame = json_frame_at (i * FRAME);

    gst_buffer_add_cca_track_meta (frame, "a", 320, 200, &track, 1);
    if (track.object_type != 0)
      json_assert_has (harness, frame, "\"label\":1,\"class\":\"traffic \\\"light\\\"\",\"x\":10", TRUE);
    else
      json_assert_has (harness, frame, "class", FALSE);
    track.object_type = 0;
  }
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/json/line", test_full, test_buffers, test_without_metas, test_empty_metas, test_parts, test_components,
             test_details, test_states, test_events, test_measures, test_rules, test_not_finite, test_names, test_stale,
             test_class);
  ADD_TESTS ("/json/metas", test_ids, test_several_zones, test_sizes);
}
