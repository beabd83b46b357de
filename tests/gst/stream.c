/* gst-cca: the elements in the course of a stream
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

enum
{
  WIDTH = 97,
  HEIGHT = 61,
};

#define MOTION "foreground=motion motion-model=sigma-delta motion-learning=1 motion-period=1 motion-min=2 denoise=false"

static CcaParams
motion_params (void)
{
  CcaParams params;

  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_MOTION;
  params.motion.learning = 1;
  params.motion.period = 1;
  params.motion.v_min = 2;
  return params;
}

/* A motion stream through an element and through libcca at once. */
typedef struct
{
  GstHarness *harness;
  TestReference *reference;
} Stream;

static Stream
stream_new (const gchar *format)
{
  const CcaParams params = motion_params ();

  return (Stream) { test_harness ("cca " MOTION, test_caps (format, WIDTH, HEIGHT, NULL)),
                    test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE) };
}

static void
stream_free (Stream *stream)
{
  test_harness_free (stream->harness);
  test_reference_free (stream->reference);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_free)

/* Pushes a frame and asserts that the element finds the same as libcca: components if moving, else none. */
static void
stream_push (Stream *stream, const gchar *format, guint seed, gboolean moving)
{
  const GstVideoInfo info = test_video_info (format, WIDTH, HEIGHT);
  g_autoptr (GstBuffer) buffer = gst_harness_push_and_pull (stream->harness, test_frame (&info, seed));

  test_reference_run (stream->reference, seed);
  g_assert_cmpint (stream->reference->measurement.n_components > 0, ==, moving);
  test_assert_meta (buffer, stream->reference);
}

/* After a flush the next frame is a first frame. */
static void
test_flush (void)
{
  g_auto (Stream) stream = stream_new ("GRAY8");

  stream_push (&stream, "GRAY8", 1, FALSE);
  stream_push (&stream, "GRAY8", 2, TRUE);
  test_push_flush (stream.harness);
  cca_plan_reset (stream.reference->plan);
  stream_push (&stream, "GRAY8", 3, FALSE);
  stream_push (&stream, "GRAY8", 1, TRUE);
}

/* A segment on another timeline makes the model learn anew; an update of the segment's end, and DISCONT, do not. */
static void
test_segments (void)
{
  g_auto (Stream) stream = stream_new ("GRAY8");
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstSegment segment;
  GstBuffer *buffer;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  stream_push (&stream, "GRAY8", 1, FALSE);
  stream_push (&stream, "GRAY8", 2, TRUE);
  segment.stop = 100 * GST_SECOND;
  g_assert_true (gst_harness_push_event (stream.harness, gst_event_new_segment (&segment)));
  stream_push (&stream, "GRAY8", 3, TRUE);

  buffer = test_frame (&info, 4);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  buffer = gst_harness_push_and_pull (stream.harness, buffer);
  test_reference_run (stream.reference, 4);
  g_assert_cmpuint (stream.reference->measurement.n_components, >, 0);
  test_assert_meta (buffer, stream.reference);
  gst_buffer_unref (buffer);

  segment.start = segment.time = 50 * GST_SECOND;
  g_assert_true (gst_harness_push_event (stream.harness, gst_event_new_segment (&segment)));
  cca_plan_reset (stream.reference->plan);
  stream_push (&stream, "GRAY8", 5, FALSE);
}

/* The background model survives a pause and a new format of the same size, not a stop. */
static void
test_states (void)
{
  g_auto (Stream) stream = stream_new ("GRAY8");

  stream_push (&stream, "GRAY8", 1, FALSE);
  gst_element_set_state (stream.harness->element, GST_STATE_PAUSED);
  gst_element_set_state (stream.harness->element, GST_STATE_PLAYING);
  stream_push (&stream, "GRAY8", 2, TRUE);
  gst_harness_set_src_caps (stream.harness, test_caps ("NV12", WIDTH, HEIGHT, NULL));
  stream_push (&stream, "NV12", 3, TRUE);
}

/* Every element can be stopped and started again, and used after EOS. */
static void
test_restart (gconstpointer data)
{
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (data);

  for (guint i = 0; i < 3; i++) {
    gst_element_set_state (pipeline, i ? GST_STATE_PLAYING : GST_STATE_PAUSED);
    gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
    test_play_to_end (pipeline);
    gst_element_set_state (pipeline, i == 1 ? GST_STATE_NULL : GST_STATE_READY);
  }
}

/* New sizes and formats in midstream. */
static void
test_renegotiation (gconstpointer data)
{
  static const struct
  {
    const gchar *format;
    guint width, height;
  } steps[] = { { "I420", 64, 48 },   { "I420", 65, 49 },   { "GRAY8", 1, 1 },
                { "NV12", 640, 360 }, { "Y444", 640, 360 }, { "I420", 64, 48 } };
  g_autoptr (GstHarness) harness = test_harness (data, NULL);
  const CcaParams params = test_threshold_params ();

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    const GstVideoInfo info = test_video_info (steps[i].format, steps[i].width, steps[i].height);
    g_autoptr (TestReference) reference =
        test_reference_new (steps[i].width, steps[i].height, &params, CCA_OUTPUT_NONE);

    gst_harness_set_src_caps (harness, test_caps (steps[i].format, steps[i].width, steps[i].height, NULL));
    for (guint j = 0; j < 2; j++) {
      g_autoptr (GstBuffer) buffer = gst_harness_push_and_pull (harness, test_frame (&info, i + j));

      test_reference_run (reference, i + j);
      test_assert_meta (buffer, reference);
    }
  }
}

/* Downstream changes its mind on the output while frames flow. */
static void
test_reconfigure (void)
{
  static const struct
  {
    const gchar *downstream;
    CcaOutput output;
  } steps[] = { { "video/x-raw,format=RGBA", CCA_OUTPUT_COLORS },
                { "video/x-raw,format=GRAY8", CCA_OUTPUT_MASK },
                { "video/x-raw,format=RGBA,label-format=u32", CCA_OUTPUT_LABELS_U32 },
                { "video/x-raw,format=GRAY16_LE", CCA_OUTPUT_LABELS_U16 } };
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("ccl", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (TestReference) reference = NULL;
    g_autoptr (GstBuffer) buffer = NULL;
    CcaParams params;
    g_autoptr (GstCaps) caps = NULL;

    cca_params_init (&params);
    reference = test_reference_new (WIDTH, HEIGHT, &params, steps[i].output);
    test_reference_run (reference, i);
    gst_harness_set_sink_caps_str (harness, steps[i].downstream);
    buffer = gst_harness_push_and_pull (harness, test_frame (&info, i));
    caps = gst_pad_get_current_caps (harness->sinkpad);
    test_assert_pixels (buffer, caps, reference);
  }
}

/* Nothing is looked for in a buffer that only fills a gap. */
static void
test_gap_buffer_cca (void)
{
  g_auto (Stream) stream = stream_new ("GRAY8");
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstBuffer *buffer = test_frame (&info, 9);
  GstMessage *message;

  stream_push (&stream, "GRAY8", 1, FALSE);
  message = test_pop_message (stream.harness, GST_MESSAGE_ELEMENT);
  g_assert_nonnull (message);
  gst_message_unref (message);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  buffer = gst_harness_push_and_pull (stream.harness, buffer);
  g_assert_null (gst_buffer_get_cca_meta (buffer));
  g_assert_true (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP));
  gst_buffer_unref (buffer);
  test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
  stream_push (&stream, "GRAY8", 2, TRUE);
}

static void
test_gap_buffer_ccl (void)
{
  static const struct
  {
    const gchar *downstream;
    guint8 pixel[4];
    gsize pixel_size;
  } cases[] = { { "video/x-raw,format=RGBA", { 0, 0, 0, 255 }, 4 },
                { "video/x-raw,format=GRAY16_LE", { 0, 0 }, 2 },
                { "video/x-raw,format=RGBA,label-format=u32", { 0, 0, 0, 0 }, 4 },
                { "video/x-raw,format=GRAY8", { 0 }, 1 } };
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstHarness) harness = test_harness ("ccl", NULL);
    g_autoptr (GstBuffer) buffer = test_frame (&info, 9);
    GstVideoFrame frame;
    GstVideoInfo out;
    g_autoptr (GstCaps) caps = NULL;

    gst_harness_set_sink_caps_str (harness, cases[i].downstream);
    gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    buffer = gst_harness_push_and_pull (harness, buffer);
    g_assert_true (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP));
    g_assert_null (gst_buffer_get_cca_meta (buffer));
    test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
    caps = gst_pad_get_current_caps (harness->sinkpad);
    g_assert_true (gst_video_info_from_caps (&out, caps));
    g_assert_true (gst_video_frame_map (&frame, &out, buffer, GST_MAP_READ));
    for (gint y = 0; y < HEIGHT; y++) {
      for (gint x = 0; x < WIDTH; x++)
        g_assert_cmpmem ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
                             + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + x * (gint) cases[i].pixel_size,
                         cases[i].pixel_size, cases[i].pixel, cases[i].pixel_size);
    }
    gst_video_frame_unmap (&frame);
  }
}

static void
test_events (gconstpointer data)
{
  g_autoptr (GstHarness) harness = test_harness (data, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  gboolean gap = FALSE, eos = FALSE;
  GstEvent *event;

  gst_buffer_unref (gst_harness_push_and_pull (harness, test_frame (&info, 0)));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_gap (0, GST_SECOND)));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  while ((event = gst_harness_try_pull_event (harness))) {
    gap |= GST_EVENT_TYPE (event) == GST_EVENT_GAP;
    eos |= GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
  g_assert_true (gap);
  g_assert_true (eos);
  g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 0)), ==, GST_FLOW_EOS);
}

/* Late frames are analysed like all others: none is missing in the background model. */
static void
test_qos (void)
{
  g_auto (Stream) stream = stream_new ("GRAY8");
  gboolean qos;

  g_object_get (stream.harness->element, "qos", &qos, NULL);
  g_assert_false (qos);
  stream_push (&stream, "GRAY8", 1, FALSE);
  g_assert_true (gst_harness_push_upstream_event (
      stream.harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 10.0, 10 * GST_SECOND, 10 * GST_SECOND)));
  for (guint i = 2; i < 6; i++)
    stream_push (&stream, "GRAY8", i, TRUE);
}

/* Frames before caps. */
static void
test_no_caps (gconstpointer data)
{
  g_autoptr (GstHarness) harness = test_harness (data, NULL);
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (harness, gst_event_new_stream_start ("test"));
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
  g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 0)), ==, GST_FLOW_NOT_NEGOTIATED);
}

/* Every branch of a tee analyses every frame of the same buffers. */
static void
test_branches (void)
{
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc num-buffers=30 pattern=ball ! video/x-raw,width=160,height=120 ! tee name=t "
                         "t. ! queue ! cca name=a foreground=threshold ! fakesink "
                         "t. ! queue ! cca name=b " MOTION " ! fakesink "
                         "t. ! queue ! ccl name=c output=mask ! cca name=d foreground=values ! fakesink");
  guint counts[4] = { 0 };
  gboolean ended = FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!ended) {
    g_autoptr (GstMessage) message =
        gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline), 20 * GST_SECOND,
                                    GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING | GST_MESSAGE_ELEMENT);

    g_assert_nonnull (message);
    g_assert_true (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS || GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT);
    ended = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    if (!ended)
      counts[GST_OBJECT_NAME (GST_MESSAGE_SRC (message))[0] - 'a']++;
  }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_assert_cmpuint (counts[i], ==, 30);
}

/* A flushing seek of a paused pipeline gives a frame of the new place, analysed. */
static void
test_seek (void)
{
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (
      "videotestsrc num-buffers=100 ! video/x-raw,width=160,height=120,framerate=10/1 ! cca ! fakesink sync=true");
  guint64 time = 0;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_true (gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 4 * GST_SECOND));
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  while (time < 4 * GST_SECOND) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline), 20 * GST_SECOND,
                                                                 GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);

    g_assert_nonnull (message);
    g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_ELEMENT);
    g_assert_true (gst_structure_get_uint64 (gst_message_get_structure (message), "stream-time", &time));
  }
  g_assert_cmpuint (time, ==, 4 * GST_SECOND);
}

/* Fields that are stored interleaved are one picture. */
static void
test_interlaced (void)
{
  static const gchar *const modes[] = { "interleaved", "mixed", "progressive" };
  CcaParams params;

  cca_params_init (&params);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autoptr (TestReference) reference = test_reference_of_frame (WIDTH, HEIGHT, &params, i);
    g_autofree gchar *more = g_strdup_printf ("interlace-mode=(string)%s", modes[i]);
    g_autoptr (GstHarness) harness = test_harness ("cca", test_caps ("GRAY8", WIDTH, HEIGHT, more));
    g_autoptr (GstBuffer) buffer = test_pass_frame (harness, i);

    test_assert_meta (buffer, reference);
  }
}

/* Upstream may use downstream's ways of making buffers; cropping by meta is not among them. */
static void
test_allocation (void)
{
  GstHarness *harness = test_harness ("cca", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstCaps) caps = test_caps ("GRAY8", WIDTH, HEIGHT, NULL);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_CROP_META_API_TYPE, NULL);
  g_assert_true (gst_pad_peer_query (harness->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  g_assert_false (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL));
  gst_query_unref (query);
  test_harness_free (harness);

  harness = test_harness ("ccl", gst_caps_ref (caps));
  query = gst_query_new_allocation (caps, TRUE);
  g_assert_true (gst_pad_peer_query (harness->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  g_assert_false (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL));
  gst_query_unref (query);
  test_harness_free (harness);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/stream", test_flush, test_segments, test_states, test_reconfigure, test_qos, test_branches, test_seek,
             test_interlaced, test_allocation);
  g_test_add_data_func ("/stream/restart/cca", "videotestsrc num-buffers=3 ! cca ! fakesink", test_restart);
  g_test_add_data_func ("/stream/restart/ccl", "videotestsrc num-buffers=3 ! ccl ! fakesink", test_restart);
  g_test_add_data_func ("/stream/renegotiation/cca", "cca foreground=threshold", test_renegotiation);
  g_test_add_data_func ("/stream/renegotiation/ccl", "ccl foreground=threshold", test_renegotiation);
  g_test_add_func ("/stream/gap-buffer/cca", test_gap_buffer_cca);
  g_test_add_func ("/stream/gap-buffer/ccl", test_gap_buffer_ccl);
  ADD_STRINGS ("/stream/events", test_events, "cca", "ccl");
  ADD_STRINGS ("/stream/no-caps", test_no_caps, "cca", "ccl");
}
