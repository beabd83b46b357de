/* gst-cca: ccaonvif: rules and their events as notifications
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "onvif-test.h"

#include "gst/common/gstccatext.h"

#include <gst/video/video-event.h>

#define MESSAGE "/tt:MetadataStream/tt:Event/wsnt:NotificationMessage"
#define INSIDE "tns1:RuleEngine/FieldDetector/ObjectsInside"
#define OCCUPANCY "tns1:RuleEngine/CountAggregation/OccupancyCounter"
#define COUNTER "tns1:RuleEngine/CountAggregation/Counter"
#define SCENE_CHANGE "tns1:VideoSource/GlobalSceneChange/AnalyticsService"

static const GstCcaPoint corners[] = { { 100, 50 }, { 200, 50 }, { 200, 150 } };

/* A zone and a line with counters, as their metas have them at each frame. */
static const GstCcaRule rules[] = {
  { "door", GST_CCA_RULE_ZONE, 3, corners, 5, 4, 1 },
  { "gate", GST_CCA_RULE_LINE, 2, corners, 7, 2, 0 },
};

/* The items of a list of a message, as in "Name=Value Name=Value". */
static gchar *
items (xmlDoc *document, guint message, const gchar *list)
{
  const gchar *format = MESSAGE "[%u]/wsnt:Message/tt:Message/tt:%s/tt:SimpleItem";
  g_autofree gchar *path = g_strdup_printf (format, message, list);
  const guint n = (guint) onvif_number (document, "count(%s)", path);
  GString *text = g_string_new (NULL);

  for (guint i = 1; i <= n; i++) {
    g_autofree gchar *name = onvif_string (document, "%s[%u]/@Name", path, i);
    g_autofree gchar *value = onvif_string (document, "%s[%u]/@Value", path, i);

    g_string_append_printf (text, "%s%s=%s", i > 1 ? " " : "", name, value);
  }
  return g_string_free (text, FALSE);
}

/* Asserts the content of a message of a rule, counted from 1. */
static void
assert_message (xmlDoc *document, guint number, const gchar *topic, const gchar *operation, const gchar *rule,
                const gchar *data)
{
  g_autofree gchar *source = items (document, number, "Source"), *found = items (document, number, "Data");
  g_autofree gchar *expected =
      g_strdup_printf ("VideoSourceConfigurationToken=camera VideoAnalyticsConfigurationToken=" ID " Rule=%s", rule);

  onvif_assert_string (document, topic, MESSAGE "[%u]/wsnt:Topic", number);
  onvif_assert_string (document, "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete",
                       MESSAGE "[%u]/wsnt:Topic/@Dialect", number);
  onvif_assert_string (document, operation, MESSAGE "[%u]/wsnt:Message/tt:Message/@PropertyOperation", number);
  g_assert_cmpstr (source, ==, expected);
  g_assert_cmpstr (found, ==, data);
}

static void
assert_n_messages (xmlDoc *document, guint n)
{
  g_assert_cmpfloat (onvif_number (document, "count(" MESSAGE ")"), ==, n);
  g_assert_cmpfloat (onvif_number (document, "count(//tt:Event)"), ==, n > 0);
}

/* A harness whose receivers know the rules. */
static GstHarness *
harness_with_rules (void)
{
  GstHarness *harness = onvif_harness ("start-utc=" START_UTC);

  xmlFreeDoc (onvif_pass (harness, onvif_events (0, rules, G_N_ELEMENTS (rules), NULL, 0)));
  return harness;
}

/* --- Events ------------------------------------------------------------------------------------------ */

static const struct
{
  GstCcaEvent event;
  struct
  {
    const gchar *topic, *operation, *data;
  } messages[2];
} events[] = {
  { { GST_CCA_EVENT_ENTER, "door", 7, GST_CCA_DIRECTION_NONE, 1, 1, 0, 6, 4, 2 },
    { { INSIDE, "Changed", "IsInside=true ObjectId=7" }, { OCCUPANCY, "Changed", "Count=2" } } },
  { { GST_CCA_EVENT_LEAVE, "door", 7, GST_CCA_DIRECTION_NONE, 1, 1, GST_SECOND, 6, 5, 1 },
    { { INSIDE, "Changed", "IsInside=true ObjectId=7" }, { OCCUPANCY, "Changed", "Count=1" } } },
  { { GST_CCA_EVENT_LEAVE, "door", 8, GST_CCA_DIRECTION_NONE, 1, 1, GST_SECOND, 6, 6, 0 },
    { { INSIDE, "Changed", "IsInside=false ObjectId=8" }, { OCCUPANCY, "Changed", "Count=0" } } },
  { { GST_CCA_EVENT_DWELL, "door", 7, GST_CCA_DIRECTION_NONE, 1, 1, 1500 * GST_MSECOND, 6, 4, 2 },
    { { "tns1:RuleEngine/LoiteringDetector/ObjectIsLoitering", "Changed",
        "ObjectId=7 Since=2026-11-23T09:00:01.500000Z" } } },
  { { GST_CCA_EVENT_DWELL, "door", 7, GST_CCA_DIRECTION_NONE, 1, 1, GST_CLOCK_TIME_NONE, 6, 4, 2 },
    { { "tns1:RuleEngine/LoiteringDetector/ObjectIsLoitering", "Changed", "ObjectId=7" } } },
  { { GST_CCA_EVENT_CROSS, "gate", 7, GST_CCA_DIRECTION_FORWARD, 1, 1, GST_CLOCK_TIME_NONE, 8, 2, 0 },
    { { "tns1:RuleEngine/LineDetector/Crossed", "", "ObjectId=7 cca:Direction=Right" },
      { COUNTER, "Changed", "Count=10 cca:Forward=8 cca:Backward=2" } } },
  { { GST_CCA_EVENT_CROSS, "gate", 9, GST_CCA_DIRECTION_BACKWARD, 1, 1, GST_CLOCK_TIME_NONE, 8, 3, 0 },
    { { "tns1:RuleEngine/LineDetector/Crossed", "", "ObjectId=9 cca:Direction=Left" },
      { COUNTER, "Changed", "Count=11 cca:Forward=8 cca:Backward=3" } } },
  { { GST_CCA_EVENT_CROSS, "gate", 0, GST_CCA_DIRECTION_NONE, 1, 1, GST_CLOCK_TIME_NONE, G_MAXUINT64, 3, 0 },
    { { "tns1:RuleEngine/LineDetector/Crossed", "", "" },
      { COUNTER, "Changed", "Count=2147483647 cca:Forward=18446744073709551615 cca:Backward=3" } } },
  { { GST_CCA_EVENT_LEFT, "door", 7, GST_CCA_DIRECTION_NONE, 1, 1, GST_SECOND, 6, 4, 2 },
    { { "tns1:RuleEngine/ObjectAbandoned", "", "ObjectId=7" } } },
  { { GST_CCA_EVENT_REMOVED, "door", 7, GST_CCA_DIRECTION_NONE, 1, 1, GST_SECOND, 6, 4, 2 },
    { { "tns1:RuleEngine/ObjectRemoved", "", "ObjectId=7" } } },
  { { GST_CCA_EVENT_MOTION_ON, "door", 0, GST_CCA_DIRECTION_NONE, 1, 1, GST_CLOCK_TIME_NONE, 6, 4, 2 },
    { { "tns1:RuleEngine/MotionRegionDetector/Motion", "Changed", "State=true" } } },
  { { GST_CCA_EVENT_MOTION_OFF, "door", 0, GST_CCA_DIRECTION_NONE, 1, 1, GST_CLOCK_TIME_NONE, 6, 4, 2 },
    { { "tns1:RuleEngine/MotionRegionDetector/Motion", "Changed", "State=false" } } },
  { { GST_CCA_EVENT_CROSS, "gate", 7, GST_CCA_DIRECTION_FORWARD, 1, 1, GST_CLOCK_TIME_NONE, 8, 2, 0,
      GST_CCA_MEASURE_SPEED, 12.5 },
    { { "tns1:RuleEngine/LineDetector/Crossed", "", "ObjectId=7 cca:Direction=Right cca:Speed=12.5" },
      { COUNTER, "Changed", "Count=10 cca:Forward=8 cca:Backward=2" } } },
  { { GST_CCA_EVENT_WRONG_WAY, "gate", 7, GST_CCA_DIRECTION_FORWARD, 1, 1, GST_CLOCK_TIME_NONE, 8, 2, 0 },
    { { "tns1:RuleEngine/cca:WrongWay", "", "ObjectId=7" } } },
  { { GST_CCA_EVENT_STOPPED, "door", 7, GST_CCA_DIRECTION_NONE, 1, 1, GST_SECOND, 6, 4, 2, GST_CCA_MEASURE_SPEED,
      0.25 },
    { { "tns1:RuleEngine/cca:ObjectStopped", "", "ObjectId=7 cca:Speed=0.25" } } },
  { { GST_CCA_EVENT_SECTION, "gate", 7, GST_CCA_DIRECTION_FORWARD, 1, 1, GST_SECOND, 8, 2, 0, GST_CCA_MEASURE_SPEED,
      30 },
    { { "tns1:RuleEngine/cca:SectionPassed", "", "ObjectId=7 cca:Speed=30" } } },
  { { GST_CCA_EVENT_CROWD_ON, "door", 0, GST_CCA_DIRECTION_NONE, 1, 1, GST_CLOCK_TIME_NONE, 6, 1, 5 },
    { { "tns1:RuleEngine/cca:Crowd", "Changed", "State=true Count=5" } } },
  { { GST_CCA_EVENT_CROWD_OFF, "door", 0, GST_CCA_DIRECTION_NONE, 1, 1, GST_CLOCK_TIME_NONE, 6, 3, 3 },
    { { "tns1:RuleEngine/cca:Crowd", "Changed", "State=false Count=3" } } },
};

static void
test_types (void)
{
  g_autoptr (GstHarness) harness = harness_with_rules ();

  for (guint i = 0; i < G_N_ELEMENTS (events); i++) {
    const guint n = events[i].messages[1].topic ? 2 : 1;
    xmlDoc *document =
        onvif_pass (harness, onvif_events (3 * GST_SECOND, rules, G_N_ELEMENTS (rules), &events[i].event, 1));

    assert_n_messages (document, n);
    for (guint j = 0; j < n; j++)
      assert_message (document, j + 1, events[i].messages[j].topic, events[i].messages[j].operation,
                      events[i].event.rule, events[i].messages[j].data);
    onvif_assert_string (document, "2026-11-23T09:00:03.000000Z", MESSAGE "/wsnt:Message/tt:Message/@UtcTime");
    xmlFreeDoc (document);
  }
}

/* All of a frame, in their order, in one document. */
static void
test_together (void)
{
  g_autoptr (GstHarness) harness = harness_with_rules ();
  GstCcaEvent all[G_N_ELEMENTS (events)];
  guint n = 0;
  xmlDoc *document;

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    all[i] = events[i].event;
  document = onvif_pass (harness, onvif_events (3 * GST_SECOND, rules, G_N_ELEMENTS (rules), all, G_N_ELEMENTS (all)));
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    for (guint j = 0; j < 2 && events[i].messages[j].topic; j++)
      assert_message (document, ++n, events[i].messages[j].topic, events[i].messages[j].operation, all[i].rule,
                      events[i].messages[j].data);
  assert_n_messages (document, n);
  xmlFreeDoc (document);
}

/* The place from where something was removed is an object with that behaviour, in the frame that tells it. */
static void
test_removed (void)
{
  g_autoptr (GstHarness) harness = harness_with_rules ();
  const GstCcaTrack tracks[] = { { .track_id = 7, .width = 1, .height = 1 },
                                 { .track_id = 8, .width = 1, .height = 1 } };
  const GstCcaEvent removed = { GST_CCA_EVENT_REMOVED, "door", 8, .dwell = GST_SECOND };

  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame = onvif_tracks (i, tracks, 2);
    xmlDoc *document;

    gst_buffer_add_cca_event_meta (frame, ID, 320, 200, rules, G_N_ELEMENTS (rules), &removed, 1 - i);
    document = onvif_pass (harness, frame);
    g_assert_cmpfloat (onvif_number (document, "count(//tt:Object)"), ==, 2);
    g_assert_cmpfloat (onvif_number (document, "count(//tt:Behaviour/tt:Removed)"), ==, 1 - i);
    g_assert_cmpfloat (onvif_number (document, "count(//tt:Object[@ObjectId = 8]/tt:Behaviour/tt:Removed)"), ==, 1 - i);
    xmlFreeDoc (document);
  }
}

/* --- Properties -------------------------------------------------------------------------------------- */

static void
assert_initial (xmlDoc *document)
{
  assert_n_messages (document, 3);
  assert_message (document, 1, INSIDE, "Initialized", "door", "IsInside=true");
  assert_message (document, 2, OCCUPANCY, "Initialized", "door", "Count=1");
  assert_message (document, 3, COUNTER, "Initialized", "gate", "Count=9 cca:Forward=7 cca:Backward=2");
  xmlFreeDoc (document);
}

static void
test_properties (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  GstCcaRule other = rules[0];
  xmlDoc *document;

  assert_initial (onvif_pass (harness, onvif_events (0, rules, 2, NULL, 0)));
  document = onvif_pass (harness, onvif_events (1, rules, 2, NULL, 0));
  assert_n_messages (document, 0);
  xmlFreeDoc (document);
  /* Rules that are gone and new ones. */
  other.name = "window";
  other.occupancy = 0;
  document = onvif_pass (harness, onvif_events (2, &other, 1, NULL, 0));
  assert_n_messages (document, 5);
  assert_message (document, 1, INSIDE, "Deleted", "door", "");
  assert_message (document, 2, OCCUPANCY, "Deleted", "door", "");
  assert_message (document, 3, COUNTER, "Deleted", "gate", "");
  assert_message (document, 4, INSIDE, "Initialized", "window", "IsInside=false");
  assert_message (document, 5, OCCUPANCY, "Initialized", "window", "Count=0");
  xmlFreeDoc (document);
  /* A line of a zone's name. */
  other.type = GST_CCA_RULE_LINE;
  document = onvif_pass (harness, onvif_events (3, &other, 1, NULL, 0));
  assert_n_messages (document, 3);
  assert_message (document, 1, INSIDE, "Deleted", "window", "");
  assert_message (document, 3, COUNTER, "Initialized", "window", "Count=9 cca:Forward=5 cca:Backward=4");
  xmlFreeDoc (document);
  /* A frame that was not judged says nothing of rules; one of no rules says that there are none. */
  document = onvif_pass (harness, onvif_tracks (4, NULL, 0));
  assert_n_messages (document, 0);
  xmlFreeDoc (document);
  document = onvif_pass (harness, onvif_events (5, NULL, 0, NULL, 0));
  assert_n_messages (document, 1);
  assert_message (document, 1, COUNTER, "Deleted", "window", "");
  xmlFreeDoc (document);
}

/* A client that joins asks for a key unit, and gets all states with the next frame, which is written even if it is not
 * due. */
static void
test_synchronization (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("interval=1000000000");

  assert_initial (onvif_pass (harness, onvif_events (0, rules, 2, NULL, 0)));
  onvif_pass_gap (harness, onvif_events (1, rules, 2, NULL, 0));
  g_assert_true (gst_harness_push_upstream_event (
      harness, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 1)));
  /* Raw video has no key units to ask for. */
  while (gst_harness_upstream_events_in_queue (harness) > 0) {
    g_autoptr (GstEvent) event = gst_harness_pull_upstream_event (harness);

    g_assert_false (gst_video_event_is_force_key_unit (event));
  }
  assert_initial (onvif_pass (harness, onvif_events (2, rules, 2, NULL, 0)));
  onvif_pass_gap (harness, onvif_events (3, rules, 2, NULL, 0));
}

/* States in flight when the pipeline was flushed are written again. */
static void
test_flush (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  GstSegment segment;
  xmlDoc *document;

  assert_initial (onvif_pass (harness, onvif_events (0, rules, 2, NULL, 0)));
  test_push_flush (harness);
  assert_initial (onvif_pass (harness, onvif_events (0, rules, 2, NULL, 0)));
  /* An update of the segment flushes nothing. */
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.stop = 50 * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  document = onvif_pass (harness, onvif_events (1, rules, 2, NULL, 0));
  assert_n_messages (document, 0);
  xmlFreeDoc (document);
}

/* Each ccazones in a row adds a meta of its own. */
static void
test_several_metas (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");

  for (guint i = 0; i < 2; i++) {
    const GstCcaEvent cross = {
      GST_CCA_EVENT_CROSS, "gate", 4, GST_CCA_DIRECTION_FORWARD, 0, 0, GST_CLOCK_TIME_NONE, 8, 2, 0
    };
    GstBuffer *frame = onvif_events (i, &rules[0], 1, &events[0].event, i);
    xmlDoc *document;

    gst_buffer_add_cca_event_meta (frame, "other", 320, 200, rules, 2, &cross, 1);
    gst_buffer_add_cca_event_meta (frame, ID, 320, 200, &rules[1], 1, &cross, i);
    document = onvif_pass (harness, frame);
    if (i == 0) {
      assert_initial (document);
      continue;
    }
    assert_n_messages (document, 4);
    assert_message (document, 1, INSIDE, "Changed", "door", "IsInside=true ObjectId=7");
    assert_message (document, 4, COUNTER, "Changed", "gate", "Count=10 cca:Forward=8 cca:Backward=2");
    xmlFreeDoc (document);
  }
}

/* A change of the scene lasts until the first frame without one, however many there are. */
static void
test_scene_change (void)
{
  static const struct
  {
    gboolean change;
    const gchar *data; /* NULL: nothing is told */
  } frames[] = { { FALSE, NULL }, { TRUE, "State=true" }, { TRUE, NULL }, { FALSE, "State=false" }, { FALSE, NULL } };
  g_autoptr (GstHarness) harness = onvif_harness ("");

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    GstBuffer *frame = onvif_tracks (i, NULL, 0);
    xmlDoc *document;

    gst_buffer_add_cca_meta (frame, ID, 320, 200, 0, NULL, 0)->scene_change = frames[i].change;
    document = onvif_pass (harness, frame);
    assert_n_messages (document, frames[i].data ? 1 : 0);
    if (frames[i].data) {
      g_autofree gchar *source = items (document, 1, "Source"), *data = items (document, 1, "Data");

      onvif_assert_string (document, SCENE_CHANGE, MESSAGE "/wsnt:Topic");
      g_assert_cmpstr (source, ==, "VideoSource=camera RuleName=" ID);
      g_assert_cmpstr (data, ==, frames[i].data);
    }
    xmlFreeDoc (document);
  }
}

/* --- The camera -------------------------------------------------------------------------------------- */

static const gchar *const tampering[] = {
  "tns1:VideoSource/GlobalSceneChange/ImagingService",
  "tns1:VideoSource/ImageTooBlurry/ImagingService",
  "tns1:VideoSource/ImageTooBright/ImagingService",
  "tns1:VideoSource/ImageTooDark/ImagingService",
  "tns1:VideoSource/SignalLoss",
  "tns1:VideoSource/cca:PictureFrozen",
};

static void
assert_tampering (xmlDoc *document, guint number, const gchar *topic, const gchar *operation, const gchar *expected)
{
  g_autofree gchar *source = items (document, number, "Source"), *data = items (document, number, "Data");

  onvif_assert_string (document, topic, MESSAGE "[%u]/wsnt:Topic", number);
  onvif_assert_string (document, operation, MESSAGE "[%u]/wsnt:Message/tt:Message/@PropertyOperation", number);
  g_assert_cmpstr (source, ==, "Source=camera");
  g_assert_cmpstr (data, ==, expected);
}

/* Passes a frame, whose document has all properties of a camera that is well but for one; -1: for none. */
static void
assert_all_tampering (GstHarness *harness, GstClockTime time, gint set, const gchar *state)
{
  xmlDoc *document = onvif_pass (harness, onvif_tracks (time, NULL, 0));

  assert_n_messages (document, G_N_ELEMENTS (tampering));
  for (gint i = 0; i < (gint) G_N_ELEMENTS (tampering); i++) {
    g_autofree gchar *data = g_strdup_printf ("State=%s cca:State=%s", i == set ? "true" : "false", state);

    assert_tampering (document, (guint) i + 1, tampering[i], "Initialized", data);
  }
  xmlFreeDoc (document);
}

/* Each state of a camera is a property, which changes even if no document is due. */
static void
test_camera_states (void)
{
  static const struct
  {
    const gchar *state;
    guint property;
  } states[] = { { "covered", 0 }, { "moved", 0 }, { "defocused", 1 }, { "blinded", 2 },
                 { "dark", 3 },    { "lost", 4 },  { "frozen", 5 } };
  g_autoptr (GstHarness) harness = onvif_harness ("interval=1000000000");

  test_push_camera_state (harness, "well");
  assert_all_tampering (harness, 0, -1, "well");
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    for (guint well = 0; well < 2; well++) {
      const gchar *state = well ? "well" : states[i].state;
      g_autofree gchar *data = g_strdup_printf ("State=%s cca:State=%s", well ? "false" : "true", state);
      xmlDoc *document;

      test_push_camera_state (harness, state);
      document = onvif_pass (harness, onvif_tracks (2 * i + well, NULL, 0));
      assert_n_messages (document, 1);
      assert_tampering (document, 1, tampering[states[i].property], "Changed", data);
      xmlFreeDoc (document);
      onvif_pass_gap (harness, onvif_tracks (2 * i + well, NULL, 0));
    }
}

/* From one trouble to the next, of the same property and of another. */
static void
test_camera_troubles (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  xmlDoc *document;

  test_push_camera_state (harness, "covered");
  assert_all_tampering (harness, 0, 0, "covered");
  test_push_camera_state (harness, "moved");
  document = onvif_pass (harness, onvif_tracks (1, NULL, 0));
  assert_n_messages (document, 1);
  assert_tampering (document, 1, tampering[0], "Changed", "State=true cca:State=moved");
  xmlFreeDoc (document);
  test_push_camera_state (harness, "dark");
  document = onvif_pass (harness, onvif_tracks (2, NULL, 0));
  assert_n_messages (document, 2);
  assert_tampering (document, 1, tampering[0], "Changed", "State=false cca:State=dark");
  assert_tampering (document, 2, tampering[3], "Changed", "State=true cca:State=dark");
  xmlFreeDoc (document);
  /* A client that joins gets all states. */
  g_assert_true (gst_harness_push_upstream_event (
      harness, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 1)));
  assert_all_tampering (harness, 3, 3, "dark");
}

/* --- Names ------------------------------------------------------------------------------------------- */

/* Readers get names as they were set, except for characters that XML cannot hold. */
static void
test_names (void)
{
  /* The properties take valid ones. */
  static const gchar *const names[][2] = {
    { "a<b>&c;\"d'e", "a<b>&c;\"d'e" },
    { "]]><!-- &amp; %n", "]]><!-- &amp; %n" },
    { "Straße 門 \xf0\x9f\x9a\xaa", "Straße 門 \xf0\x9f\x9a\xaa" },
    { " tab\tand\nline\r ", " tab\tand\nline\r " },
    { "\x01\x1f\x7f", "\xef\xbf\xbd\xef\xbf\xbd\x7f" },
    { "no \xff UTF-8 \xc3", "no \xef\xbf\xbd UTF-8 \xef\xbf\xbd" },
    { "\xef\xbf\xbe and \xef\xbf\xbf", "\xef\xbf\xbd and \xef\xbf\xbd" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstHarness) harness = onvif_harness ("");
    GstCcaRule rule = rules[0];
    GstBuffer *frame = onvif_frame (0);
    xmlDoc *document;

    rule.name = names[i][0];
    gst_buffer_add_cca_event_meta (frame, names[i][0], 320, 200, &rule, 1, NULL, 0);
    if (!gst_cca_name_problem (names[i][0]))
      g_object_set (harness->element, "camera", names[i][0], "id", names[i][0], NULL);
    document = onvif_pass (harness, frame);
    onvif_assert_string (document, names[i][1], "//tt:Frame/@Source");
    for (guint j = gst_cca_name_problem (names[i][0]) ? 2 : 1; j <= 3; j++)
      onvif_assert_string (document, names[i][1], MESSAGE "[1]//tt:Source/tt:SimpleItem[%u]/@Value", j);
    xmlFreeDoc (document);
  }
}

int
main (int argc, char **argv)
{
  onvif_init (&argc, &argv);
  ADD_TESTS ("/onvif/events", test_types, test_together, test_removed, test_properties, test_synchronization,
             test_flush, test_several_metas, test_scene_change, test_camera_states, test_camera_troubles, test_names);
  return onvif_run ();
}
