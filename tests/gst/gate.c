/* gst-cca: ccagate passes frames while something moves, and marks crops
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

static GstBuffer *
frame_with (Stream *stream, const GstCcaTrack *tracks, guint n)
{
  GstBuffer *buffer = bare_frame (stream);

  GST_BUFFER_DURATION (buffer) = FRAME;
  gst_buffer_add_cca_track_meta (buffer, "cca0", WIDTH, HEIGHT, tracks, n);
  return buffer;
}

static GstCcaTrack
track_at (guint64 id, guint x)
{
  return (GstCcaTrack) { .track_id = id, .label = 1, .x = x, .y = 100, .width = 40, .height = 80, .area = 3200 };
}

static void
push (Stream *stream, GstBuffer *buffer)
{
  g_assert_cmpint (gst_harness_push (stream->harness, buffer), ==, GST_FLOW_OK);
}

/* Pushes n empty frames, and returns how many buffers came out since the last call, which it drops. */
static guint
push_empty (Stream *stream, guint n)
{
  GstBuffer *buffer;
  guint n_out = 0;

  for (guint i = 0; i < n; i++)
    push (stream, frame_with (stream, NULL, 0));
  while ((buffer = gst_harness_try_pull (stream->harness))) {
    gst_buffer_unref (buffer);
    n_out++;
  }
  return n_out;
}

/* Returns the number of gap events since the last call, which follow each other without holes. */
static guint
count_gaps (Stream *stream)
{
  GstClockTime end = GST_CLOCK_TIME_NONE;
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_event (stream->harness))) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_GAP) {
      GstClockTime time, duration;

      gst_event_parse_gap (event, &time, &duration);
      if (n++ > 0)
        g_assert_cmpuint (time, ==, end);
      end = time + duration;
    }
    gst_event_unref (event);
  }
  return n;
}

static void
assert_told (Stream *stream, gboolean open, guint64 frames)
{
  g_autoptr (GstMessage) message = NULL;
  gboolean told;
  const GstStructure *structure = test_pop_structure (stream->harness, "cca-gate", &message);

  g_assert_true (gst_structure_get_boolean (structure, "open", &told));
  g_assert_cmpint (told, ==, open);
  g_assert_cmpuint (test_get_uint64 (structure, "frames"), ==, frames);
  g_assert_true (gst_structure_has_field_typed (structure, "running-time", G_TYPE_UINT64));
}

/* --- Frames -------------------------------------------------------------------------------------------- */

/* At 25 frames a second: the second from the start passes, then nothing until a track begins; five frames before it
 * pass, too, in order, and those in between were gaps. */
static void
test_frames (void)
{
  g_auto (Stream) stream = stream_new ("ccagate hold=1000000000 pre-roll=200000000");
  const GstCcaTrack track = track_at (1, 100);
  GstClockTime last = 0;
  GstBuffer *buffer;

  g_assert_cmpuint (push_empty (&stream, 26), ==, 26);
  assert_told (&stream, TRUE, 1);
  g_assert_cmpuint (push_empty (&stream, 50), ==, 0);
  assert_told (&stream, FALSE, 27);
  g_assert_cmpuint (count_gaps (&stream), ==, 45);
  push (&stream, frame_with (&stream, &track, 1));
  assert_told (&stream, TRUE, 77);
  for (guint i = 0; i < 6; i++) {
    buffer = gst_harness_pull (stream.harness);
    g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, (71 + i) * FRAME);
    g_assert_cmpint (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DISCONT), ==, i == 0);
    last = GST_BUFFER_PTS (buffer);
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (last, ==, 76 * FRAME);
  g_assert_null (gst_harness_try_pull (stream.harness));
  g_assert_cmpuint (count_gaps (&stream), ==, 0);
  /* It stands, and closes after a second. */
  for (guint i = 0; i < 40; i++)
    push (&stream, frame_with (&stream, &track, 1));
  assert_told (&stream, FALSE, 103);
  g_assert_cmpuint (push_empty (&stream, 0), ==, 25);
  test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
  g_assert_cmpuint (test_stat (stream.harness->element, NULL, "frames"), ==, 117);
  g_assert_cmpuint (test_stat (stream.harness->element, NULL, "passed"), ==, 26 + 6 + 25);
  g_assert_cmpuint (test_stat (stream.harness->element, NULL, "openings"), ==, 2);
}

static void
test_keep_alive (void)
{
  g_auto (Stream) stream = stream_new ("ccagate hold=0 pre-roll=200000000 keep-alive=1000000000 post-messages=false");
  const GstCcaTrack track = track_at (1, 100);
  GstClockTime last = 0;
  GstBuffer *buffer;
  guint n = 0;

  for (guint i = 0; i < 101; i++)
    push (&stream, frame_with (&stream, &track, 1));
  while ((buffer = gst_harness_try_pull (stream.harness))) {
    g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, n * GST_SECOND);
    last = GST_BUFFER_PTS (buffer);
    gst_buffer_unref (buffer);
    n++;
  }
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpuint (last, ==, 4 * GST_SECOND);
  test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
}

/* Without tracks, components decide; without both, everything passes, with one warning. */
static void
test_metas (void)
{
  g_auto (Stream) stream = stream_new ("ccagate hold=0 pre-roll=0 keep-alive=0");
  GstCcaMeta *meta;
  GstBuffer *buffer;

  pass_and_drop (&stream);
  push (&stream, next_frame (&stream));
  g_assert_null (gst_harness_try_pull (stream.harness));
  add_box (&stream, 10, 10, 20, 20);
  pass_and_drop (&stream);
  push (&stream, next_frame (&stream));
  g_assert_null (gst_harness_try_pull (stream.harness));

  buffer = bare_frame (&stream);
  meta = add_analysis (&stream, buffer, "cca0");
  meta->scene_change = TRUE;
  gst_buffer_unref (test_pass (stream.harness, buffer));
  push (&stream, next_frame (&stream));
  g_assert_null (gst_harness_try_pull (stream.harness));
  buffer = bare_frame (&stream);
  meta = add_analysis (&stream, buffer, "cca0");
  meta->stale = TRUE;
  gst_buffer_unref (test_pass (stream.harness, buffer));
  push (&stream, next_frame (&stream));
  g_assert_null (gst_harness_try_pull (stream.harness));

  test_assert_no_message (stream.harness, GST_MESSAGE_WARNING);
  gst_buffer_unref (test_pass (stream.harness, bare_frame (&stream)));
  gst_buffer_unref (test_pass (stream.harness, bare_frame (&stream)));
  test_assert_warning (stream.harness, "*neither tracks nor components*put cca and ccatrack before ccagate*");
  g_object_set (stream.harness->element, "id", "yard", NULL);
  pass_and_drop (&stream);
}

/* A frame that says that it is one, and nothing else, changes nothing. */
static void
test_gap_frames (void)
{
  g_auto (Stream) stream = stream_new ("ccagate hold=1000000000 pre-roll=0");

  push_empty (&stream, 10);
  stream.flags = GST_BUFFER_FLAG_GAP;
  gst_buffer_unref (test_pass (stream.harness, bare_frame (&stream)));
  push_empty (&stream, 40);
  stream.flags = GST_BUFFER_FLAG_GAP;
  push (&stream, bare_frame (&stream));
  g_assert_null (gst_harness_try_pull (stream.harness));
}

/* Frames that wait become gaps before an event behind them; after a flush they are gone, and the gate is open. */
static void
test_events (void)
{
  g_auto (Stream) stream = stream_new ("ccagate hold=0 pre-roll=60000000000");

  push_empty (&stream, 20);
  g_assert_cmpuint (count_gaps (&stream), ==, 0);
  test_push_flush (stream.harness);
  g_assert_cmpuint (count_gaps (&stream), ==, 0);
  stream.time = 0;
  g_assert_cmpuint (push_empty (&stream, 20), ==, 1);
  g_assert_cmpuint (count_gaps (&stream), ==, 0);
  gst_harness_set_src_caps (stream.harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  push_empty (&stream, 10);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  g_assert_cmpuint (count_gaps (&stream), ==, 29);
}

static void
test_latency (void)
{
  g_auto (Stream) stream = stream_new ("ccagate pre-roll=300000000");

  push_empty (&stream, 1);
  gst_harness_set_upstream_latency (stream.harness, 50 * GST_MSECOND);
  g_assert_cmpuint (gst_harness_query_latency (stream.harness), ==, 350 * GST_MSECOND);
}

/* --- Crops --------------------------------------------------------------------------------------------- */

static guint
count_crops (GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
}

static void
assert_crop (GstBuffer *buffer, gint id, guint x, guint y, guint width, guint height)
{
  const GstVideoRegionOfInterestMeta *roi = gst_buffer_get_video_region_of_interest_meta_id (buffer, id);

  g_assert_nonnull (roi);
  g_assert_cmpstr (g_quark_to_string (roi->roi_type), ==, "cca-crop");
  g_assert_cmpuint (roi->x, ==, x);
  g_assert_cmpuint (roi->y, ==, y);
  g_assert_cmpuint (roi->w, ==, width);
  g_assert_cmpuint (roi->h, ==, height);
}

/* Crops show tracks that move, also in the frames before; those of a keep-alive frame show all tracks. */
static void
test_crops (void)
{
  g_auto (Stream) stream =
      stream_new ("ccagate mode=crops hold=200000000 pre-roll=80000000 keep-alive=1000000000 crop-margin=0 "
                  "crop-width=100 crop-height=100 crop-multiple=4");
  const GstCcaTrack parked = track_at (1, 20);
  GstBuffer *buffer;

  for (guint i = 0; i < 45; i++)
    push (&stream, frame_with (&stream, &parked, 1));
  /* At the start the whole frame is unknown; after a second, only the track is of interest. */
  for (guint i = 0; i < 7; i++) {
    buffer = gst_harness_pull (stream.harness);
    g_assert_cmpuint (count_crops (buffer), ==, 1);
    if (i < 6)
      assert_crop (buffer, 1, 0, 0, WIDTH, HEIGHT);
    else
      assert_crop (buffer, 1, 0, 90, 100, 100);
    gst_buffer_unref (buffer);
  }
  g_assert_null (gst_harness_try_pull (stream.harness));

  push (&stream, frame_with (&stream, (GstCcaTrack[]) { parked, track_at (2, 400) }, 2));
  for (guint i = 0; i < 3; i++) {
    buffer = gst_harness_pull (stream.harness);
    g_assert_cmpuint (count_crops (buffer), ==, 1);
    assert_crop (buffer, 1, 370, 90, 100, 100);
    gst_buffer_unref (buffer);
  }
  while (!(buffer = gst_harness_try_pull (stream.harness)) || count_crops (buffer) == 1) {
    g_clear_pointer (&buffer, gst_buffer_unref);
    push (&stream, frame_with (&stream, (GstCcaTrack[]) { parked, track_at (2, 400) }, 2));
  }
  g_assert_cmpuint (count_crops (buffer), ==, 2);
  assert_crop (buffer, 1, 0, 90, 100, 100);
  assert_crop (buffer, 2, 370, 90, 100, 100);
  gst_buffer_unref (buffer);
}

/* Metas may be for another size of the frame; without metas, the crop is the whole frame. */
static void
test_crops_of_frames (void)
{
  g_auto (Stream) stream = stream_new ("ccagate mode=crops crop-margin=0 crop-multiple=1");
  const GstCcaTrack track = track_at (1, 100);
  GstCcaMeta *meta;
  GstBuffer *buffer;

  gst_buffer_unref (test_pass (stream.harness, frame_with (&stream, NULL, 0)));
  stream.time += GST_SECOND;
  buffer = bare_frame (&stream);
  gst_buffer_add_cca_track_meta (buffer, "cca0", WIDTH / 2, HEIGHT / 2, &track, 1);
  buffer = test_pass (stream.harness, buffer);
  assert_crop (buffer, 1, 200, 200, 80, 160);
  gst_buffer_unref (buffer);
  buffer = bare_frame (&stream);
  meta = add_analysis (&stream, buffer, "cca0");
  meta->scene_change = TRUE;
  buffer = test_pass (stream.harness, buffer);
  g_assert_cmpuint (count_crops (buffer), ==, 1);
  assert_crop (buffer, 1, 0, 0, WIDTH, HEIGHT);
  gst_buffer_unref (buffer);
}

/* A tracker behind it does not take crops for objects. */
static void
test_crops_are_no_objects (void)
{
  g_auto (Stream) stream = stream_new ("ccagate mode=crops ! ccatrack confirm-frames=1 detections=roi");
  g_autoptr (GstBuffer) buffer = frame_with (&stream, (GstCcaTrack[]) { track_at (1, 100) }, 1);

  gst_buffer_remove_meta (buffer, (GstMeta *) gst_buffer_get_cca_track_meta (buffer));
  add_box (&stream, 10, 10, 20, 20);
  add_analysis (&stream, buffer, "cca0");
  buffer = test_pass (stream.harness, buffer);
  g_assert_cmpuint (count_crops (buffer), ==, 1);
  g_assert_cmpuint (n_tracks (buffer), ==, 0);
}

/* A ball that flies is never held back, and the pipeline ends. */
static void
test_pipeline (void)
{
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc num-buffers=80 pattern=ball ! video/x-raw,width=320,height=240 "
                         "! cca foreground=motion ! ccatrack ! ccagate name=gate ! fakesink sync=false");

  test_play_to_end (pipeline);
  g_assert_cmpuint (test_stat (pipeline, "gate", "frames"), ==, 80);
  g_assert_cmpuint (test_stat (pipeline, "gate", "passed"), ==, 80);
}

/* Returns how many buffers an element asks upstream for. */
static guint
asked_buffers (const gchar *launch, const gchar *caps)
{
  g_autoptr (GstHarness) harness = test_harness (launch, NULL);
  g_autoptr (GstCaps) frames = gst_caps_from_string (caps);
  g_autoptr (GstQuery) query = gst_query_new_allocation (frames, TRUE);
  guint size, least = 0;

  gst_pad_peer_query (harness->srcpad, query);
  if (gst_query_get_n_allocation_pools (query) > 0) {
    gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, &least, NULL);
    g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 1);
    g_assert_cmpuint (size, >=, 320 * 240 * 3 / 2);
  }
  return least;
}

/* The element asks a decoder in device memory for as many surfaces as frames may wait here, also if the element behind
 * answers no allocation query. */
static void
test_allocation (void)
{
#define FRAMES "format=NV12,width=320,height=240"
  static const gchar in_cuda[] = "video/x-raw(memory:CUDAMemory)," FRAMES ",framerate=25/1";

  g_assert_cmpuint (asked_buffers ("ccagate", in_cuda), ==, 13);
  g_assert_cmpuint (asked_buffers ("ccagate pre-roll=2000000000", in_cuda), ==, 50);
  g_assert_cmpuint (asked_buffers ("ccagate pre-roll=0", in_cuda), ==, 0);
  g_assert_cmpuint (asked_buffers ("ccagate ! ccagate pre-roll=2000000000", in_cuda), ==, 63);
  g_assert_cmpuint (asked_buffers ("ccagate ! ccacrop", in_cuda), ==, 13);
  g_assert_cmpuint (asked_buffers ("ccagate", "video/x-raw(memory:DMABuf)," FRAMES ",framerate=0/1"), ==, 16);
  g_assert_cmpuint (asked_buffers ("ccagate", "video/x-raw," FRAMES ",framerate=25/1"), ==, 0);
}

GST_TESTS_MAIN ("/gate", test_frames, test_keep_alive, test_metas, test_gap_frames, test_events, test_latency,
                test_allocation, test_crops, test_crops_of_frames, test_crops_are_no_objects, test_pipeline)
