/* gst-cca: ccaindex writes a file per hour, and ccaindexsrc gives its frames back
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib/gstdio.h>
#include <string.h>

#include "../test-folder.h"
#include "track-test.h"

/* 2026-11-23T23:59:58Z: two seconds before midnight. */
#define EVENING (G_GUINT64_CONSTANT (1795478398) * GST_SECOND)
#define HOUR (3600 * GST_SECOND)

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *) a, *(gchar *const *) b);
}

/* Asserts that these are the names of all files, with commas, in the order of the alphabet. */
static void
assert_files (const gchar *expected)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *found = NULL;
  GDir *dir = g_dir_open (test_folder (), 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  found = g_strjoinv (",", (gchar **) names->pdata);
  g_assert_cmpstr (found, ==, expected);
}

/* A stream into an index with a file for each hour. */
static Stream
index_new (const gchar *properties)
{
  g_autofree gchar *launch =
      g_strdup_printf ("ccaindex location=%s/gate-%%Y%%m%%dT%%H.ccaindex %s", test_folder (), properties);

  return stream_of (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
}

static GstCcaTrack
track_at (guint64 id, guint x)
{
  return (GstCcaTrack) { .track_id = id,
                         .label = 1,
                         .x = x,
                         .y = 100,
                         .width = 40,
                         .height = 80,
                         .area = 3200,
                         .object_type = g_quark_from_static_string ("car") };
}

/* Passes a frame with a track, at a UTC or without. */
static void
pass_at (Stream *stream, GstClockTime utc, guint x)
{
  const GstCcaTrack track = track_at (3, x);
  g_autoptr (GstBuffer) buffer = bare_frame (stream), out = NULL;

  GST_BUFFER_DURATION (buffer) = FRAME;
  gst_buffer_add_cca_track_meta (buffer, "cca0", WIDTH, HEIGHT, &track, 1);
  if (GST_CLOCK_TIME_IS_VALID (utc))
    test_add_reference (buffer, "timestamp/x-unix", utc);
  gst_buffer_ref (buffer);
  out = test_pass (stream->harness, buffer);
  g_assert_true (out == buffer); /* unchanged, and not copied */
}

/* --- Reading ------------------------------------------------------------------------------------------ */

/* The frames of the index, by a source with properties. */
typedef struct
{
  GstElement *pipeline;
  GPtrArray *buffers; /* of GstBuffer */
  GArray *running_times;
  GPtrArray *warnings; /* texts */
  gchar *error;
  GstCaps *caps;
  GstSegment segment;
} Replay;

static GstPadProbeReturn
note (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Replay *replay = data;

  if (GST_IS_EVENT (info->data) && GST_EVENT_TYPE (info->data) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (info->data, &replay->segment);
  if (GST_IS_BUFFER (info->data)) {
    const GstClockTime time =
        gst_segment_to_running_time (&replay->segment, GST_FORMAT_TIME, GST_BUFFER_PTS (info->data));

    g_ptr_array_add (replay->buffers, gst_buffer_ref (info->data));
    g_array_append_val (replay->running_times, time);
    gst_caps_take (&replay->caps, gst_pad_get_current_caps (pad));
  }
  return GST_PAD_PROBE_OK;
}

static Replay
replay_new (const gchar *properties)
{
  g_autofree gchar *launch =
      g_strdup_printf ("ccaindexsrc location=%s %s ! fakesink name=sink sync=false", test_folder (), properties);
  Replay replay = { .buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref),
                    .running_times = g_array_new (FALSE, FALSE, sizeof (GstClockTime)),
                    .warnings = g_ptr_array_new_with_free_func (g_free),
                    .pipeline = test_pipeline_new (launch) };
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (replay.pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (replay.pipeline);
  GstMessage *message;
  gboolean done = FALSE;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, &replay, NULL);
  gst_element_set_state (replay.pipeline, GST_STATE_PLAYING);
  while (!done
         && (message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
                                                   GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING))) {
    done = GST_MESSAGE_TYPE (message) != GST_MESSAGE_WARNING;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
      g_ptr_array_add (replay.warnings, test_message_text (message));
    else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      replay.error = test_message_text (message);
    else
      gst_message_unref (message);
  }
  g_assert_true (done);
  test_pipeline_free (replay.pipeline);
  return replay;
}

static void
replay_free (Replay *replay)
{
  g_ptr_array_unref (replay->buffers);
  g_array_unref (replay->running_times);
  g_ptr_array_unref (replay->warnings);
  gst_clear_caps (&replay->caps);
  g_free (replay->error);
}

/* Returns how many frames there are, without an error or a warning. */
static guint
count_frames (const gchar *properties)
{
  Replay replay = replay_new (properties);
  const guint n = replay.buffers->len;

  g_assert_null (replay.error);
  g_assert_cmpuint (replay.warnings->len, ==, 0);
  replay_free (&replay);
  return n;
}

static void
assert_error (const gchar *properties, const gchar *pattern)
{
  Replay replay = replay_new (properties);

  g_test_message ("%s", replay.error);
  g_assert_nonnull (replay.error);
  g_assert_true (g_pattern_match_simple (pattern, replay.error));
  g_assert_cmpuint (replay.buffers->len, ==, 0);
  replay_free (&replay);
}

/* --- Cases -------------------------------------------------------------------------------------------- */

static void
test_frames (void)
{
  Stream stream = index_new ("");
  GstCaps *unix_time = gst_caps_new_empty_simple ("timestamp/x-unix");
  Replay replay;

  for (guint i = 0; i < 10; i++)
    pass_at (&stream, EVENING - HOUR + i * FRAME, 10 * i);
  stream_free (&stream);
  assert_files ("gate-20261123T22.ccaindex");
  replay = replay_new ("");
  g_assert_null (replay.error);
  g_assert_cmpuint (replay.buffers->len, ==, 10);
  g_assert_true (gst_caps_features_contains (gst_caps_get_features (replay.caps, 0), "memory:CcaIndex"));
  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = g_ptr_array_index (replay.buffers, i);
    const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);

    g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 0);
    g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, i * FRAME);
    g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, FRAME);
    g_assert_cmpuint (gst_buffer_get_reference_timestamp_meta (buffer, unix_time)->timestamp, ==,
                      EVENING - HOUR + i * FRAME);
    g_assert_nonnull (meta);
    g_assert_cmpstr (meta->id, ==, "cca0");
    g_assert_cmpuint (meta->width, ==, WIDTH);
    g_assert_cmpuint (meta->n_tracks, ==, 1);
    g_assert_cmpuint (meta->tracks[0].track_id, ==, 3);
    g_assert_cmpuint (meta->tracks[0].x, ==, 10 * i);
    g_assert_cmpstr (g_quark_to_string (meta->tracks[0].object_type), ==, "car");
    g_assert_null (gst_buffer_get_cca_meta (buffer));
  }
  replay_free (&replay);
  gst_caps_unref (unix_time);
  test_folder_empty (test_folder ());
}

/* At midnight and each hour the element begins a new file without a gap. */
static void
test_hours (void)
{
  Stream stream = index_new ("");
  Replay replay;

  for (guint i = 0; i < 100; i++)
    pass_at (&stream, EVENING + i * FRAME, 1);
  stream.time += HOUR;
  pass_at (&stream, EVENING + 100 * FRAME + HOUR, 1);
  /* A little back is jitter, but an hour is another file, whose name may be taken. */
  pass_at (&stream, EVENING + 2 * GST_SECOND + HOUR - FRAME, 1);
  pass_at (&stream, EVENING, 1);
  assert_files ("gate-20261123T23-2.ccaindex,gate-20261123T23.ccaindex,gate-20261124T00.ccaindex,"
                "gate-20261124T01.ccaindex");
  stream_free (&stream);
  replay = replay_new ("");
  g_assert_null (replay.error);
  g_assert_cmpuint (replay.buffers->len, ==, 103);
  for (guint i = 1; i < 103; i++)
    g_assert_cmpuint (g_array_index (replay.running_times, GstClockTime, i), >,
                      g_array_index (replay.running_times, GstClockTime, i - 1));
  replay_free (&replay);
  g_assert_cmpuint (count_frames ("from=2026-11-24T00:00:00Z"), ==, 52);
  g_assert_cmpuint (count_frames ("from=2026-11-23T23:59:59Z to=2026-11-24T00:00:01Z"), ==, 50);
  g_assert_cmpuint (count_frames ("to=2026-11-23T00:00:00Z"), ==, 0);
  test_folder_empty (test_folder ());
}

/* Time stamps are kept as they come. */
static void
test_back (void)
{
  static const GstClockTime times[] = { 0, FRAME, 60 * GST_SECOND, 2 * FRAME, GST_CLOCK_TIME_NONE, 3 * FRAME };
  Stream stream = index_new ("start-utc=2026-11-23T09:00:00Z");
  Replay replay;

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    stream.time = times[i];
    pass_at (&stream, GST_CLOCK_TIME_NONE, 1);
  }
  stream_free (&stream);
  assert_files ("gate-20261123T09.ccaindex");
  replay = replay_new ("");
  g_assert_null (replay.error);
  g_assert_cmpuint (replay.buffers->len, ==, G_N_ELEMENTS (times));
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    g_assert_cmpuint (GST_BUFFER_PTS (g_ptr_array_index (replay.buffers, i)), ==, times[i]);
  replay_free (&replay);
  test_folder_empty (test_folder ());
}

/* The element keeps the files of an earlier run; the source plays both without a gap in running time. */
static void
test_sessions (void)
{
  Replay replay;

  for (guint run = 0; run < 2; run++) {
    g_auto (Stream) stream = index_new ("");

    for (guint i = 0; i < 25; i++)
      pass_at (&stream, EVENING - HOUR + (run * 100 + i) * FRAME, 1);
    if (run == 1) {
      test_push_flush (stream.harness);
      stream.time = 0;
      pass_at (&stream, EVENING - HOUR + 300 * FRAME, 1);
    }
  }
  assert_files ("gate-20261123T22.ccaindex,gate-20261123T23-2.ccaindex,gate-20261123T23.ccaindex");
  replay = replay_new ("");
  g_assert_null (replay.error);
  g_assert_cmpuint (replay.buffers->len, ==, 51);
  for (guint i = 0; i < 51; i++)
    g_assert_cmpuint (g_array_index (replay.running_times, GstClockTime, i), ==, i * FRAME);
  replay_free (&replay);
  test_folder_empty (test_folder ());
}

static void
test_stats (void)
{
  Stream stream = index_new ("camera=gate");

  for (guint i = 0; i < 100; i++)
    pass_at (&stream, EVENING + i * FRAME, 1);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  g_assert_cmpuint (test_stat (stream.harness->element, NULL, "frames"), ==, 100);
  g_assert_cmpuint (test_stat (stream.harness->element, NULL, "files"), ==, 2);
  g_assert_cmpuint (test_stat (stream.harness->element, NULL, "bytes"), >, 100);
  stream_free (&stream);
  test_folder_empty (test_folder ());
}

/* Frames without metas are not indexed, with one warning. */
static void
test_nothing (void)
{
  Stream stream = index_new ("id=other");

  pass_at (&stream, EVENING, 1);
  pass_at (&stream, EVENING + FRAME, 1);
  test_assert_warning (stream.harness, "*neither tracks nor components of 'other'*put cca and ccatrack before*");
  stream_free (&stream);
  assert_files ("");
}

/* A file that was cut off is told, and read up to there. */
static void
test_cut_off (void)
{
  g_autofree gchar *path = g_build_filename (test_folder (), "gate-20261123T22.ccaindex", NULL), *text = NULL;
  Stream stream = index_new ("");
  Replay replay;
  gsize size;

  for (guint i = 0; i < 50; i++)
    pass_at (&stream, EVENING - HOUR + i * FRAME, 1);
  stream_free (&stream);
  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  g_assert_true (g_file_set_contents (path, text, (gssize) size - 1, NULL));
  replay = replay_new ("");
  g_assert_null (replay.error);
  g_assert_cmpuint (replay.buffers->len, ==, 50);
  g_assert_cmpuint (replay.warnings->len, ==, 1);
  g_assert_true (
      g_pattern_match_simple ("*gate-20261123T22.ccaindex is cut off or damaged at byte *", replay.warnings->pdata[0]));
  replay_free (&replay);

  /* Damaged before its end. */
  text[size / 2] ^= 1;
  g_assert_true (g_file_set_contents (path, text, (gssize) size, NULL));
  replay = replay_new ("");
  g_assert_null (replay.error);
  g_assert_cmpuint (replay.buffers->len, ==, 0);
  g_assert_cmpuint (replay.warnings->len, ==, 1);
  replay_free (&replay);
  test_folder_empty (test_folder ());
}

static void
test_errors (void)
{
  g_autofree gchar *path = g_build_filename (test_folder (), "other.ccaindex", NULL);
  g_autofree gchar *none = test_start_error ("ccaindex", "location", NULL);
  Stream gate = index_new ("camera=gate"), yard;

  g_assert_true (g_pattern_match_simple ("*set location to their name*", none));
  assert_error ("location=\"\"", "*set location to files of ccaindex*");
  assert_error ("", "*no files *.ccaindex*");
  assert_error ("from=tomorrow", "*from is 'tomorrow'*2026-11-23T09:00:00Z*");
  g_assert_true (g_file_set_contents (path, "no index", -1, NULL));
  assert_error ("", "*other.ccaindex is no index of ccaindex*");
  g_unlink (path);

  pass_at (&gate, EVENING, 1);
  stream_free (&gate);
  yard = index_new ("camera=yard");
  pass_at (&yard, EVENING + GST_SECOND, 1);
  stream_free (&yard);
  assert_error ("", "*of the camera 'gate'*of 'yard'*name the files of one camera*");
  test_folder_empty (test_folder ());
}

/* A disk that takes nothing is an error, which names the file and the reason. */
static void
test_no_file (void)
{
  g_auto (Stream) stream =
      stream_of ("ccaindex location=/proc/nowhere/a.ccaindex", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  const GstCcaTrack track = track_at (3, 1);
  GstBuffer *buffer = bare_frame (&stream);

  gst_buffer_add_cca_track_meta (buffer, "cca0", WIDTH, HEIGHT, &track, 1);
  g_assert_cmpint (gst_harness_push (stream.harness, buffer), ==, GST_FLOW_ERROR);
  test_assert_error (stream.harness, "*Cannot write the index /proc/nowhere/a.ccaindex: *");
}

GST_TESTS_MAIN ("/index", test_frames, test_hours, test_back, test_sessions, test_stats, test_nothing, test_cut_off,
                test_errors, test_no_file)
