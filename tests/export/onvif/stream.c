/* gst-cca: ccaonvif: times, properties, streams and failures
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "onvif-test.h"

#include <gst/check/gsttestclock.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <stdlib.h>
#include <string.h>

#define FRAME "/tt:MetadataStream/tt:VideoAnalytics/tt:Frame"

/* --- Times ------------------------------------------------------------------------------------------- */

/* Asserts the UTC in a document, in ns and as text, that a buffer (taken) tells. */
static void
assert_utc (GstBuffer *buffer, const gchar *text, GstClockTime utc)
{
  GstCaps *caps = gst_caps_new_empty_simple ("timestamp/x-unix");
  const GstReferenceTimestampMeta *meta = gst_buffer_get_reference_timestamp_meta (buffer, caps);
  xmlDoc *document;

  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->timestamp, ==, utc);
  gst_caps_unref (caps);
  document = onvif_parse (buffer);
  onvif_assert_string (document, text, FRAME "/@UtcTime");
  xmlFreeDoc (document);
}

/* The moment at which a frame was taken, whatever the moment is at which it is written. */
static void
test_utc (void)
{
  const GstClockTime utc = G_GUINT64_CONSTANT (1795424400123456789), to_1900 = G_GUINT64_CONSTANT (2208988800);
  g_autoptr (GstHarness) harness = onvif_harness ("start-utc=2020-02-29T01:00:00.25+01:00");
  GstBuffer *frame = onvif_tracks (GST_SECOND, NULL, 0);

  test_add_reference (frame, "timestamp/x-unix", utc);
  assert_utc (test_pass (harness, frame), "2026-11-23T09:00:00.123456Z", utc);
  frame = onvif_tracks (GST_SECOND, NULL, 0);
  test_add_reference (frame, "timestamp/x-ntp", utc + to_1900 * GST_SECOND);
  assert_utc (test_pass (harness, frame), "2026-11-23T09:00:00.123456Z", utc);
  assert_utc (test_pass (harness, onvif_tracks (GST_SECOND, NULL, 0)), "2020-02-29T00:00:01.250000Z",
              G_GUINT64_CONSTANT (1582934401250000000));
}

/* By default the pipeline's clock gives the age of a frame. */
static void
test_clock (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  const GstClockTime age = 10 * GST_SECOND, second = GST_SECOND;

  gst_harness_use_testclock (harness);
  gst_harness_set_time (harness, 12 * GST_SECOND);
  for (guint playing = 0; playing < 2; playing++) {
    const GstClockTime before = (GstClockTime) g_get_real_time () * GST_USECOND;
    GstCaps *caps = gst_caps_new_empty_simple ("timestamp/x-unix");
    GstBuffer *document;
    GstClockTime utc, expected;

    gst_element_set_state (harness->element, playing ? GST_STATE_PLAYING : GST_STATE_PAUSED);
    document = test_pass (harness, onvif_tracks (2 * GST_SECOND, NULL, 0));
    utc = gst_buffer_get_reference_timestamp_meta (document, caps)->timestamp;
    /* Until it plays: when the frame is shown if it plays from now. */
    expected = playing ? before - age : before + 2 * GST_SECOND;
    g_assert_cmpuint (utc, >=, expected);
    g_assert_cmpuint (utc, <, expected + 30 * second);
    gst_caps_unref (caps);
    xmlFreeDoc (onvif_parse (document));
  }
}

/* Documents go on in the frames' times. */
static void
test_time_stamps (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  GstBuffer *frame = onvif_tracks (5 * GST_SECOND, NULL, 0), *document;

  GST_BUFFER_OFFSET (frame) = 125;
  document = test_pass (harness, frame);
  g_assert_false (GST_BUFFER_OFFSET_IS_VALID (document));
  g_assert_cmpuint (GST_BUFFER_PTS (document), ==, 5 * GST_SECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (document), ==, 40 * GST_MSECOND);
  gst_buffer_unref (document);
  document = test_pass (harness, onvif_tracks (GST_CLOCK_TIME_NONE, NULL, 0));
  g_assert_false (GST_BUFFER_PTS_IS_VALID (document));
  xmlFreeDoc (onvif_parse (document));
}

/* --- Documents --------------------------------------------------------------------------------------- */

/* One document an interval; but events, and the first states of new rules, always. */
static void
test_interval (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("interval=100000000");
  const GstCcaRule rule = { "all", GST_CCA_RULE_ZONE };
  const GstCcaEvent event = { GST_CCA_EVENT_ENTER, "all", 1, .dwell = 0 };
  guint n = 0;

  for (guint i = 0; i < 25; i++) {
    const gboolean eventful = i == 7, due = i % 3 == 0;
    GstBuffer *frame = onvif_events (i * 40 * GST_MSECOND, &rule, 1, &event, eventful);

    if (due || eventful) {
      xmlFreeDoc (onvif_pass (harness, frame));
      n++;
    } else
      onvif_pass_gap (harness, frame);
  }
  g_assert_cmpuint (n, ==, 10);
  g_object_set (harness->element, "interval", (guint64) 0, NULL);
  for (guint i = 25; i < 28; i++)
    xmlFreeDoc (onvif_pass (harness, onvif_events (i * 40 * GST_MSECOND, &rule, 1, NULL, 0)));
}

static GstBuffer *
frame_of_two_analyses (GstClockTime time)
{
  const GstCcaTrack a = onvif_track (1, 50, 50), b = onvif_track (2, 70, 70);
  GstBuffer *frame = onvif_frame (time);

  gst_buffer_add_cca_meta (frame, "untracked", 320, 200, 0, NULL, 0);
  gst_buffer_add_cca_track_meta (frame, "a", 320, 200, &a, 1);
  gst_buffer_add_cca_track_meta (frame, "b", 640, 400, &b, 1);
  return frame;
}

static void
assert_analysis (GstHarness *harness, const gchar *id, const gchar *object)
{
  xmlDoc *document = onvif_pass (harness, frame_of_two_analyses (0));

  onvif_assert_string (document, id, FRAME "/@Source");
  onvif_assert_string (document, object, FRAME "/tt:Object/@ObjectId");
  /* Objects of another analysis have not ended. */
  g_assert_cmpfloat (onvif_number (document, "count(//tt:Delete)"), ==, 0);
  xmlFreeDoc (document);
}

static void
test_ids (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");

  assert_analysis (harness, "a", "1");
  g_object_set (harness->element, "id", "b", NULL);
  assert_analysis (harness, "b", "2");
  g_object_set (harness->element, "id", "untracked", NULL);
  assert_analysis (harness, "untracked", "");
  g_object_set (harness->element, "id", "c", NULL);
  for (guint i = 0; i < 3; i++)
    onvif_pass_gap (harness, frame_of_two_analyses (i));
  test_assert_warning (harness, "Nothing is written: id is 'c', but the frame has the analyses 'untracked', 'a', 'b'");
  g_object_set (harness->element, "id", NULL, NULL);
  assert_analysis (harness, "a", "1");
}

/* Frames of which nothing is known are no frames without objects. */
static void
test_nothing (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  GstBuffer *frame;

  for (guint i = 0; i < 3; i++)
    onvif_pass_gap (harness, onvif_frame (i));
  test_assert_warning (harness, "A frame carries no metas to write: put cca before ccaonvif");
  for (guint i = 0; i < 3; i++) {
    frame = onvif_tracks (i, NULL, 0);
    gst_buffer_get_cca_track_meta (frame)->stale = TRUE;
    onvif_pass_gap (harness, frame);
  }
  test_assert_warning (harness, "Nothing is written: an element reshaped the frame of 'people'; put ccaonvif before it "
                                "[its metas are for a frame of 320x200 pixels]");
  for (guint i = 0; i < 2; i++) {
    frame = i ? onvif_tracks (i, NULL, 0) : onvif_frame (i);
    GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_GAP);
    onvif_pass_gap (harness, frame);
  }
  /* Nor is there a gap at no time. */
  g_assert_cmpint (gst_harness_push (harness, onvif_frame (GST_CLOCK_TIME_NONE)), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

/* --- Streams ----------------------------------------------------------------------------------------- */

static void
test_any_memory (void)
{
  static const gchar *const caps[] = {
    "video/x-raw, format=NV12, width=320, height=200, framerate=25/1",
    "video/x-raw(memory:Somewhere), format=P010_10LE, width=320, height=200, framerate=0/1",
    "video/x-raw(memory:DMABuf), format=DMA_DRM, drm-format=NV12, width=320, height=200, framerate=25/1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    g_autoptr (GstHarness) harness = test_harness ("ccaonvif", gst_caps_from_string (caps[i]));
    g_autoptr (GstCaps) expected = gst_caps_from_string ("application/x-onvif-metadata, parsed=true"), found = NULL;

    xmlFreeDoc (onvif_pass (harness, onvif_tracks (0, NULL, 0)));
    found = gst_pad_get_current_caps (harness->sinkpad);
    g_assert_true (gst_caps_is_strictly_equal (found, expected));
  }
}

static void
test_renegotiation (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  const GstCcaTrack track = onvif_track (1, 50, 50);

  for (guint i = 1; i <= 3; i++) {
    GstBuffer *frame = onvif_frame (i);
    xmlDoc *document;

    gst_harness_set_src_caps (harness, test_caps ("NV12", 320 * i, 200 * i, NULL));
    gst_buffer_add_cca_track_meta (frame, ID, 320 * i, 200 * i, &track, 1);
    document = onvif_pass (harness, frame);
    g_assert_cmpfloat_with_epsilon (onvif_number (document, "//tt:Scale/@x"), 2.0 / (320 * i), 1e-9);
    onvif_assert_string (document, i == 1 ? "150" : i == 2 ? "350" : "550", "//tt:BoundingBox/@top");
    xmlFreeDoc (document);
  }
}

static void
test_stats (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("interval=100000000");
  guint64 n_bytes = 0, frames, documents, bytes;

  for (guint start = 0; start < 2; start++) {
    GstStructure *stats;

    for (guint i = 0; i < 6; i++) {
      gst_harness_push (harness, onvif_tracks (i * 40 * GST_MSECOND, NULL, 0));
      if (i % 3 == 0) {
        g_autoptr (GstBuffer) document = gst_harness_pull (harness);

        n_bytes += gst_buffer_get_size (document);
      }
    }
    g_object_get (harness->element, "stats", &stats, NULL);
    g_assert_true (gst_structure_has_name (stats, "cca-onvif-stats"));
    g_assert_true (gst_structure_get (stats, "frames", G_TYPE_UINT64, &frames, "documents", G_TYPE_UINT64, &documents,
                                      "bytes", G_TYPE_UINT64, &bytes, NULL));
    g_assert_cmpuint (frames, ==, 6);
    g_assert_cmpuint (documents, ==, 2);
    g_assert_cmpuint (bytes, ==, n_bytes);
    gst_structure_free (stats);
    /* They begin anew with the element. */
    gst_element_set_state (harness->element, GST_STATE_NULL);
    gst_element_set_state (harness->element, GST_STATE_PLAYING);
    gst_harness_set_src_caps (harness, test_caps ("GRAY8", 320, 200, NULL));
    n_bytes = 0;
  }
}

/* --- Failures ---------------------------------------------------------------------------------------- */

static gint allocations_left = -1; /* until one fails; below 0: none does */

static gboolean
is_denied (void)
{
  return allocations_left >= 0 && allocations_left-- == 0;
}

static void *
failing_malloc (size_t size)
{
  return is_denied () ? NULL : malloc (size);
}

static void *
failing_realloc (void *block, size_t size)
{
  return is_denied () ? NULL : realloc (block, size);
}

static void
say_nothing (void *data, const char *format, ...)
{
}

static char *
failing_strdup (const char *text)
{
  return is_denied () ? NULL : strdup (text);
}

/* Passes a frame while an allocation fails. Returns the document, or NULL after one error; *failed: whether one
 * failed. */
static GstBuffer *
pass_with_failure (gint number, gboolean *failed)
{
  g_autoptr (GstHarness) harness = onvif_harness ("start-utc=" START_UTC);
  const GstCcaTrack track = onvif_track (1, 50, 50);
  const GstCcaRule rule = { "all", GST_CCA_RULE_ZONE };
  GstBuffer *frame = onvif_tracks (0, &track, 1), *document;
  GstFlowReturn flow;

  gst_buffer_add_cca_event_meta (frame, ID, 320, 200, &rule, 1, NULL, 0);
  allocations_left = number;
  flow = gst_harness_push (harness, frame);
  *failed = number >= 0 && allocations_left < 0;
  allocations_left = -1;
  document = gst_harness_try_pull (harness);
  g_assert_cmpint (flow, ==, document ? GST_FLOW_OK : GST_FLOW_ERROR);
  if (!document) {
    g_autofree gchar *text = test_message_text (test_pop_message (harness, GST_MESSAGE_ERROR));

    g_assert_cmpstr (text, ==,
                     "Out of memory while writing the objects of a frame; raise min-area of the element that finds "
                     "components");
  }
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
  return document;
}

/* Each failing allocation of libxml2 ends the stream with one error, or the document is complete. */
static void
test_allocations (void)
{
  gboolean failed;
  g_autoptr (GstBuffer) whole = pass_with_failure (-1, &failed);
  guint n_errors = 0;

  xmlSetGenericErrorFunc (NULL, say_nothing);
  failed = TRUE;
  for (gint n = 0; failed; n++) {
    g_autoptr (GstBuffer) document = pass_with_failure (n, &failed);
    GstMapInfo map;

    if (!document) {
      n_errors++;
      continue;
    }
    g_assert_true (gst_buffer_map (document, &map, GST_MAP_READ));
    g_assert_cmpuint (map.size, ==, gst_buffer_get_size (whole));
    g_assert_cmpint (gst_buffer_memcmp (whole, 0, map.data, map.size), ==, 0);
    gst_buffer_unmap (document, &map);
  }
  xmlSetGenericErrorFunc (NULL, NULL);
  g_assert_cmpuint (n_errors, >, 10);
}

/* --- A clip ------------------------------------------------------------------------------------------ */

/* The documents of a clip so far. */
typedef struct
{
  guint n;
  gdouble crossings; /* events */
  gdouble count;     /* the counter of the line in the last document that told it */
  GHashTable *seen, *deleted;
} Clip;

static gchar *
clip_path (void)
{
  const gchar *argv[] = { g_getenv ("FETCH_MEDIA"), NULL };
  gchar *path = NULL;
  gint status;

  if (!g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &path, NULL, &status, NULL)
      || !g_spawn_check_wait_status (status, NULL))
    g_clear_pointer (&path, g_free);
  return path ? g_strstrip (path) : NULL;
}

/* No object comes back that was deleted, and only objects that were there are. */
static void
check_objects (Clip *clip, xmlDoc *document)
{
  const guint n = (guint) onvif_number (document, "count(//tt:Object)");
  const guint n_deleted = (guint) onvif_number (document, "count(//tt:Delete)");

  for (guint i = 1; i <= n; i++) {
    gchar *id = onvif_string (document, "//tt:Object[%u]/@ObjectId", i);

    g_assert_cmpstr (id, !=, "");
    g_assert_false (g_hash_table_contains (clip->deleted, id));
    g_hash_table_add (clip->seen, id);
  }
  for (guint i = 1; i <= n_deleted; i++) {
    gchar *id = onvif_string (document, "//tt:Delete[%u]/@ObjectId", i);

    g_assert_true (g_hash_table_contains (clip->seen, id));
    g_assert_true (g_hash_table_add (clip->deleted, id));
  }
}

static void
check_counts (Clip *clip, xmlDoc *document)
{
  const gchar *counter = "//wsnt:NotificationMessage[wsnt:Topic = 'tns1:RuleEngine/CountAggregation/Counter'][last()]"
                         "//tt:SimpleItem[@Name = 'Count']/@Value";
  const gdouble n = onvif_number (document, "count(%s)", counter);

  clip->crossings += onvif_number (document, "count(//wsnt:Topic[. = 'tns1:RuleEngine/LineDetector/Crossed'])");
  if (n > 0)
    clip->count = onvif_number (document, "%s", counter);
}

static void
check_document (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  Clip *clip = data;
  xmlDoc *document = onvif_parse (gst_buffer_ref (buffer));
  g_autoptr (GDateTime) start = g_date_time_new_from_iso8601 (START_UTC, NULL);
  g_autofree gchar *utc = onvif_string (document, FRAME "/@UtcTime");
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (utc, NULL);

  g_assert_cmpint (g_date_time_difference (time, start), ==, (gint64) (GST_BUFFER_PTS (buffer) / GST_USECOND));
  check_objects (clip, document);
  check_counts (clip, document);
  clip->n++;
  xmlFreeDoc (document);
}

static void
test_clip (void)
{
  g_autofree gchar *path = clip_path (), *launch = NULL;
  g_autoptr (GError) error = NULL;
  Clip clip = { 0 };
  g_autoptr (GstElement) pipeline = NULL;
  GstElement *element;
  GstMessage *message;
  g_autoptr (GstBus) bus = NULL;

  if (!path) {
    g_test_skip ("the clip cannot be fetched");
    return;
  }
  if (test_skip_without_element ("ccazones") || test_skip_without_element ("avdec_msmpeg4"))
    return;
  launch = g_strdup_printf (
      "filesrc location=%s ! decodebin ! videoscale ! video/x-raw,width=384,height=288 ! cca foreground=motion "
      "post-messages=false ! ccatrack post-messages=false ! ccazones name=zones post-messages=false ! "
      "ccaonvif start-utc=" START_UTC " ! fakesink name=sink signal-handoffs=true",
      path);
  pipeline = gst_parse_launch (launch, &error);
  g_assert_no_error (error);
  element = gst_bin_get_by_name (GST_BIN (pipeline), "zones");
  g_object_set (element, "rules",
                "{\"units\": \"relative\", \"lines\": [{\"name\": \"gate\", \"points\": [[0.05, 0.6], [0.95, 0.6]]}]}",
                NULL);
  gst_object_unref (element);
  clip.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  clip.deleted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  element = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (element, "handoff", G_CALLBACK (check_document), &clip);
  gst_object_unref (element);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_assert_cmpuint (clip.n, ==, 795);
  g_assert_cmpfloat (clip.crossings, >, 10);
  g_assert_cmpfloat (clip.count, ==, clip.crossings);
  g_assert_cmpuint (g_hash_table_size (clip.deleted), >, 10);
  g_hash_table_unref (clip.seen);
  g_hash_table_unref (clip.deleted);
}

int
main (int argc, char **argv)
{
  xmlMemSetup (free, failing_malloc, failing_realloc, failing_strdup);
  onvif_init (&argc, &argv);
  ADD_TESTS ("/onvif/stream", test_utc, test_clock, test_time_stamps, test_interval, test_ids, test_nothing,
             test_any_memory, test_renegotiation, test_stats, test_allocations, test_clip);
  return onvif_run ();
}
