/* gst-cca: ccacombiner in pipelines as users write them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#define SOURCE                                                                                                         \
  "videotestsrc num-buffers=60 pattern=ball ! video/x-raw,format=I420,width=1280,height=720,framerate=30/1 ! tee "     \
  "name=t ccacombiner name=c missing=none "
/* With as much time as a slow machine needs. */
#define LIVE                                                                                                           \
  "videotestsrc is-live=true num-buffers=60 ! video/x-raw,format=I420,width=1280,height=720,framerate=30/1 ! tee "     \
  "name=t ccacombiner name=c missing=none max-wait=100000000000 "
#define ANALYSIS "videoscale ! video/x-raw,width=320 ! cca foreground=threshold ! c.meta "

/* Branches as users write them, with the least and the most that default queues hold: each frame is as it must be. */
static void
test_pipelines (void)
{
  static const struct
  {
    const gchar *launch;
    guint64 matched, analysed;
  } cases[] = {
    { SOURCE "t. ! queue ! c.sink t. ! queue ! " ANALYSIS "c. ! fakesink", 60, 60 },
    { SOURCE "t. ! c.sink t. ! " ANALYSIS "c. ! fakesink", 60, 60 },
    { SOURCE "t. ! queue ! " ANALYSIS "t. ! queue ! c.sink c. ! fakesink", 60, 60 },
    { SOURCE "t. ! queue max-size-buffers=1 ! c.sink t. ! queue max-size-buffers=1 ! " ANALYSIS "c. ! fakesink", 60,
      60 },
    { LIVE "t. ! queue ! c.sink t. ! queue ! " ANALYSIS "c. ! fakesink", 60, 60 },
    /* Fewer frames are analysed, and their durations say so. */
    { SOURCE "t. ! queue max-size-buffers=1 ! c.sink "
             "t. ! queue ! videorate ! video/x-raw,framerate=10/1 ! " ANALYSIS "c. ! fakesink",
      20, 0 },
    /* Frames are dropped. */
    { SOURCE "t. ! queue max-size-buffers=1 ! c.sink "
             "t. ! queue ! videorate drop-only=true max-rate=5 ! " ANALYSIS "c. ! fakesink",
      10, 10 },
    { SOURCE "t. ! queue ! c.sink t. ! queue ! valve drop=true drop-mode=forward-sticky-events ! " ANALYSIS
             "c. ! fakesink",
      0, 0 },
    { SOURCE "t. ! queue ! videorate ! video/x-raw,framerate=10/1 ! c.sink t. ! queue ! " ANALYSIS "c. ! fakesink", 21,
      60 },
    /* One branch is behind. */
    { SOURCE "t. ! queue ! c.sink t. ! queue ! identity sleep-time=5000 ! " ANALYSIS "c. ! fakesink", 60, 60 },
    { SOURCE "t. ! queue ! identity sleep-time=5000 ! c.sink t. ! queue ! " ANALYSIS "c. ! fakesink", 60, 60 },
    { SOURCE "t. ! queue ! c.sink t. ! queue min-threshold-buffers=10 ! " ANALYSIS "c. ! fakesink", 60, 60 },
    { SOURCE "t. ! queue ! c.sink t. ! queue ! " ANALYSIS "c. ! identity sleep-time=5000 ! fakesink", 60, 60 },
    /* A live one is by more than max-size-time. */
    { LIVE "max-size-time=500000000 t. ! queue min-threshold-time=1000000000 max-size-bytes=0 max-size-time=3000000000 "
           "! c.sink t. ! queue ! " ANALYSIS "c. ! fakesink",
      60, 60 },
    /* A branch wants no more. */
    { SOURCE "t. ! queue ! c.sink t. ! identity eos-after=20 ! queue ! " ANALYSIS "c. ! fakesink", 19, 19 },
    { SOURCE "t. ! identity eos-after=20 ! queue ! c.sink t. ! queue ! " ANALYSIS "c. ! fakesink", 19, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestPipeline) pipeline = test_pipeline_new (cases[i].launch);

    /* The first twice: nothing is left of the first time. */
    for (guint j = 0; j < (i == 0 ? 2 : 1); j++) {
      test_play_to_end (pipeline);
      g_test_message ("case %u: matched %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, i,
                      test_stat (pipeline, "c", "matched"), test_stat (pipeline, "c", "frames"));
      g_assert_cmpuint (test_stat (pipeline, "c", "matched"), ==, cases[i].matched);
      if (cases[i].analysed > 0)
        g_assert_cmpuint (test_stat (pipeline, "c", "analysed"), ==, cases[i].analysed);
      gst_element_set_state (pipeline, GST_STATE_READY);
    }
  }
}

/* 4K frames with their 640 wide analysis, which fill a default queue one by one. */
static void
test_large (void)
{
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (
      "videotestsrc num-buffers=20 pattern=ball ! video/x-raw,format=I420,width=3840,height=2160,framerate=30/1 ! tee "
      "name=t t. ! queue ! ccacombiner name=c missing=none ! fakesink t. ! queue ! videorate ! "
      "video/x-raw,framerate=5/1 ! videoscale ! video/x-raw,width=640 ! cca foreground=threshold ! c.meta");

  test_play_to_end (pipeline);
  g_assert_cmpuint (test_stat (pipeline, "c", "frames"), ==, 20);
  g_assert_cmpuint (test_stat (pipeline, "c", "matched"), >=, 4);
}

/* Seeks of a paused and of a playing pipeline, with and without flush. */
static void
test_seeks (void)
{
  static const GstSeekFlags flags[] = { GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_NONE };
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc num-buffers=2000 ! video/x-raw,width=160,height=120,framerate=25/1 ! tee name=t "
                         "t. ! queue ! ccacombiner name=c missing=none ! fakesink sync=true t. ! queue ! cca ! c.meta");
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++) {
    g_assert_true (gst_element_seek (pipeline, 1, GST_FORMAT_TIME, flags[i], GST_SEEK_TYPE_SET,
                                     (i + 1) * 10 * GST_SECOND, GST_SEEK_TYPE_SET,
                                     (i + 1) * 10 * GST_SECOND + GST_SECOND / 2));
    g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
  }
  message =
      gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline), 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_message_unref (message);
  g_assert_cmpuint (test_stat (pipeline, "c", "frames"), >=, 12);
  g_assert_cmpuint (test_stat (pipeline, "c", "without"), ==, 0);
}

/* An end or an error downstream reaches both sources. */
static void
test_downstream_ends (void)
{
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc ! video/x-raw,width=160,height=120,framerate=25/1 ! tee name=t t. ! queue ! "
                         "ccacombiner name=c ! identity eos-after=10 ! fakesink t. ! queue ! cca ! c.meta");

  test_play_to_end (pipeline);
}

static void
test_downstream_fails (void)
{
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc ! video/x-raw,width=160,height=120,framerate=25/1 ! tee name=t t. ! queue ! "
                         "ccacombiner name=c ! identity error-after=10 ! fakesink t. ! queue ! cca ! c.meta");
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message =
      gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline), 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_ERROR);
}

/* Stopped at any moment. */
static void
test_stops (void)
{
  for (guint i = 0; i < 40; i++) {
    g_autoptr (TestPipeline) pipeline = test_pipeline_new (
        "videotestsrc ! video/x-raw,width=160,height=120,framerate=25/1 ! tee name=t t. ! queue ! ccacombiner name=c ! "
        "fakesink t. ! queue ! identity drop-probability=0.5 ! cca ! c.meta");

    gst_element_set_state (pipeline, i % 4 == 0 ? GST_STATE_PAUSED : GST_STATE_PLAYING);
    g_usleep (i % 8 * 1000);
  }
}

GST_TESTS_MAIN ("/combiner-pipeline", test_pipelines, test_large, test_seeks, test_downstream_ends,
                test_downstream_fails, test_stops)
