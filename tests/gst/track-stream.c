/* gst-cca: ccatrack: times, flushes, segments, caps and buffers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

#include <math.h>

/* Half of the frames are missing, and the buffers are marked: ids stay, and time stamps give the speeds. */
static void
test_dropped_frames (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (guint i = 0; i < 40; i++) {
    const gint x = 50 + 8 * (gint) i;
    g_autoptr (GstBuffer) buffer = NULL;

    if (i > 5 && i % 4 < 2) {
      stream.time += FRAME;
      stream.flags = GST_BUFFER_FLAG_DISCONT;
      continue;
    }
    add_box (&stream, x, 100, 20, 20);
    add_box (&stream, x + 40, 100, 20, 20);
    buffer = pass_frame (&stream);
    if (i >= 3) {
      g_assert_cmpuint (n_tracks (buffer), ==, 2);
      g_assert_cmpuint (need_track (buffer, 1)->x, ==, x);
      g_assert_cmpuint (need_track (buffer, 2)->x, ==, x + 40);
    }
    if (i == 39)
      g_assert_cmpfloat_with_epsilon (need_track (buffer, 1)->velocity_x, 200.0, 10.0);
  }
}

/* Frames that the analysis did not see pass, and count as missing. */
static void
test_without_components (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack max-age=3");
  GstBuffer *buffer, *in;

  pass_still (&stream, 5);
  for (guint i = 0; i < 10; i++) {
    in = bare_frame (&stream);
    buffer = test_pass (stream.harness, in);
    g_assert_true (buffer == in);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  for (guint i = 0; i < 10; i++) {
    add_box (&stream, 400, 200, 10, 10);
    stream.flags = GST_BUFFER_FLAG_GAP;
    buffer = pass_frame (&stream);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    g_assert_true (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP));
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
}

/* Without time stamps the caps' frame rate counts, then 30 frames a second; only that deserves a warning. */
static void
test_without_times (void)
{
  static const struct
  {
    const gchar *framerate;
    gdouble frames_per_second;
    gboolean warns;
  } cases[] = { { "25/1", 25.0, FALSE }, { "50/1", 50.0, FALSE }, { "0/1", 30.0, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *text =
        g_strdup_printf ("video/x-raw,format=GRAY8,width=640,height=360,framerate=%s", cases[i].framerate);
    g_auto (Stream) stream = stream_of ("ccatrack", gst_caps_from_string (text));
    GstBuffer *buffer;

    stream.time = GST_CLOCK_TIME_NONE;
    for (gint k = 0; k < 20; k++) {
      add_box (&stream, 100 + 2 * k, 100, 30, 60);
      buffer = pass_frame (&stream);
      if (k == 19)
        g_assert_cmpfloat_with_epsilon (need_track (buffer, 1)->velocity_x, 2.0 * cases[i].frames_per_second, 2.0);
      gst_buffer_unref (buffer);
    }
    if (cases[i].warns)
      test_assert_warning (stream.harness, "*frame rate*");
  }
}

static void
push_segment (Stream *stream, GstClockTime start, GstClockTime stop)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = start;
  segment.stop = stop;
  g_assert_true (gst_harness_push_event (stream->harness, gst_event_new_segment (&segment)));
}

/* The next frames are other objects', and ids go on. */
static void
assert_begins_anew (Stream *stream, guint64 id)
{
  g_assert_cmpuint (pass_for_id (stream), ==, 0);
  g_assert_cmpuint (pass_for_id (stream), ==, 0);
  g_assert_cmpuint (pass_for_id (stream), ==, id);
}

static void
test_flush (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  pass_still (&stream, 5);
  test_push_flush (stream.harness);
  assert_begins_anew (&stream, 2);
}

/* A segment on another timeline ends all tracks, an update of a segment's end does not. */
static void
test_segments (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  pass_still (&stream, 5);
  push_segment (&stream, 0, 100 * GST_SECOND);
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  push_segment (&stream, 50 * GST_SECOND, 100 * GST_SECOND);
  stream.time = 50 * GST_SECOND;
  assert_begins_anew (&stream, 2);
}

/* Time stamps that go back a little are irregular; if they go back far, another timeline begins. */
static void
test_time_goes_back (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  stream.time = 10 * GST_SECOND;
  pass_still (&stream, 5);
  stream.time -= 3 * FRAME;
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  stream.time -= 5 * GST_SECOND;
  assert_begins_anew (&stream, 2);
}

/* Components of a meta that another process made up: outside of the frame, nowhere, and of more pixels than their
 * box. */
static void
test_made_up (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");
  g_autoptr (GstBuffer) buffer = NULL;

  for (guint i = 0; i < 10; i++) {
    gst_clear_buffer (&buffer);
    add_box (&stream, 100, 100, 20, 40);
    stream.components[0].area = G_MAXUINT64;
    add_box (&stream, 200, 100, 20, 40);
    stream.components[1].x = stream.components[1].width = G_MAXUINT;
    add_box (&stream, 300, 100, 20, 40);
    stream.components[2].y = HEIGHT - 1;
    add_box (&stream, 400, 100, 20, 40);
    stream.components[3].centroid_x = NAN;
    buffer = pass_frame (&stream);
  }
  g_assert_cmpuint (n_tracks (buffer), ==, 1);
  g_assert_cmpuint (need_track (buffer, 1)->area, ==, 20 * 40);
}

/* A single stamp far ahead is wrong: the object has not been away for a year. */
static void
test_time_leaps (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");
  GstClockTime time;

  pass_still (&stream, 5);
  time = stream.time;
  stream.time += 365 * 86400 * GST_SECOND;
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  stream.time = time + FRAME;
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  pass_still (&stream, 5);
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
}

static void
test_renegotiation (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  pass_still (&stream, 5);
  gst_harness_set_src_caps (stream.harness, test_caps ("NV12", WIDTH, HEIGHT, NULL));
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  gst_harness_set_src_caps (stream.harness, test_caps ("GRAY8", 2 * WIDTH, 2 * HEIGHT, NULL));
  stream.width = 2 * WIDTH;
  stream.height = 2 * HEIGHT;
  assert_begins_anew (&stream, 2);
}

/* Another start is another count, from 1 again. */
static void
test_restart (void)
{
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc num-buffers=20 pattern=ball ! video/x-raw,format=GRAY8 ! cca "
                         "foreground=threshold ! ccatrack name=track ! fakesink");

  for (guint i = 0; i < 3; i++) {
    test_play_to_end (pipeline);
    g_assert_cmpuint (test_stat (pipeline, "track", "frames"), ==, 20);
    g_assert_cmpuint (test_stat (pipeline, "track", "tracks"), ==, 1);
    gst_element_set_state (pipeline, i == 1 ? GST_STATE_NULL : GST_STATE_READY);
  }
}

/* A buffer that others hold keeps its metas, and its pixels are not copied. */
static void
test_shared (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");
  GstBuffer *in, *out;

  add_box (&stream, 100, 100, 30, 60);
  in = next_frame (&stream);
  out = test_pass (stream.harness, gst_buffer_ref (in));
  g_assert_true (out != in);
  g_assert_true (gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
  g_assert_null (gst_buffer_get_cca_track_meta (in));
  g_assert_nonnull (gst_buffer_get_cca_track_meta (out));
  g_assert_nonnull (gst_buffer_get_cca_meta (out));
  gst_buffer_unref (out);
  gst_buffer_unref (in);

  add_box (&stream, 100, 100, 30, 60);
  in = next_frame (&stream);
  out = test_pass (stream.harness, in);
  g_assert_true (out == in);
  gst_buffer_unref (out);
}

/* Any raw video in any memory, which need not be mapped. */
static void
test_caps_of_any (void)
{
  static const gchar *const texts[] = {
    "video/x-raw,format=GRAY8",
    "video/x-raw,format=RGBA",
    "video/x-raw,format=NV12",
    "video/x-raw,format=P010_10LE",
    "video/x-raw(memory:NoSuchMemory),format=NV12",
    "video/x-raw(memory:CUDAMemory),format=I420",
    "video/x-raw(memory:GLMemory,meta:GstVideoOverlayComposition),format=RGBA",
    "video/x-raw(memory:SystemMemory,meta:GstVideoOverlayComposition),format=BGRx",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree gchar *text = g_strconcat (texts[i], ",width=640,height=360,framerate=25/1", NULL);
    g_autoptr (GstCaps) caps = gst_caps_from_string (text), out = NULL;
    g_auto (Stream) stream = stream_of ("ccatrack", gst_caps_ref (caps));

    pass_still (&stream, 5);
    g_assert_cmpuint (pass_for_id (&stream), ==, 1);
    out = gst_pad_get_current_caps (stream.harness->sinkpad);
    g_assert_true (gst_caps_is_equal (out, caps));
  }
}

/* Downstream's wishes for buffers reach upstream. */
static void
test_allocation (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");
  g_autoptr (GstCaps) caps = test_caps ("GRAY8", WIDTH, HEIGHT, NULL);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, FALSE);

  gst_harness_add_propose_allocation_meta (stream.harness, GST_VIDEO_META_API_TYPE, NULL);
  pass_still (&stream, 1);
  g_assert_true (gst_pad_peer_query (stream.harness->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/track-stream", test_dropped_frames, test_without_components, test_without_times, test_flush,
             test_segments, test_time_goes_back, test_time_leaps, test_made_up, test_renegotiation, test_restart,
             test_shared, test_allocation);
  g_test_add_func ("/track-stream/caps", test_caps_of_any);
}
