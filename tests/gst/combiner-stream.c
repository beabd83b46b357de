/* gst-cca: ccacombiner in the course of its two streams
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#define _GNU_SOURCE
#include "combiner-test.h"

#include <dlfcn.h>

#include <gst/check/gsttestclock.h>

/* --- A clock of its own -------------------------------------------------------------------------------- */

/* The monotonic time of a thread that has one, in microseconds. Its waits end at once, at their time limit. */
static _Thread_local gint64 scripted_time;

__attribute__ ((visibility ("default"))) gint64
g_get_monotonic_time (void)
{
  gint64 (*real) (void) = (gint64 (*) (void)) dlsym (RTLD_NEXT, "g_get_monotonic_time");

  return scripted_time > 0 ? scripted_time : real ();
}

__attribute__ ((visibility ("default"))) gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean (*real) (GCond *, GMutex *, gint64) =
      (gboolean (*) (GCond *, GMutex *, gint64)) dlsym (RTLD_NEXT, "g_cond_wait_until");

  if (scripted_time == 0)
    return real (cond, mutex, end_time);
  scripted_time = MAX (scripted_time, end_time);
  return FALSE;
}

/* --- The course of the streams ------------------------------------------------------------------------- */

/* Nothing is waited for where nothing will come. */
static void
test_meta_ends (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");

  push_meta (&streams, 0);
  for (guint i = 0; i < 3; i++)
    push_full (&streams, i);
  assert_frame (&streams, 0, 0);
  assert_waits (&streams);
  g_assert_true (gst_harness_push_event (streams.meta, gst_event_new_eos ()));
  assert_frame (&streams, 1, NOTHING);
  assert_frame (&streams, 2, NOTHING);
  push_full (&streams, 3);
  assert_frame (&streams, 3, NOTHING);
  g_assert_true (gst_harness_push_event (streams.full, gst_event_new_eos ()));
  gst_event_unref (pull_event (&streams, GST_EVENT_EOS));
}

/* Waiting frames are pushed before EOS; analysed frames that arrive later are ignored. */
static void
test_full_ends (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");

  push_full (&streams, 0);
  push_full (&streams, 1);
  g_assert_true (gst_harness_push_event (streams.full, gst_event_new_eos ()));
  push_meta (&streams, 0);
  push_meta (&streams, 1);
  assert_frame (&streams, 0, 0);
  assert_frame (&streams, 1, 1);
  gst_event_unref (pull_event (&streams, GST_EVENT_EOS));
  for (guint i = 2; i < 200; i++)
    push_meta (&streams, i);
}

/* The element does not wait for a branch that is not linked, or that is unlinked. */
static void
test_unlinked (void)
{
  Streams streams = small_streams ("missing=none");
  GstHarness *alone = test_harness ("ccacombiner", test_caps ("I420", 64, 36, NULL));

  gst_buffer_unref (test_pass (alone, timed_buffer (0, FRAME)));
  test_harness_free (alone);

  push_full (&streams, 0);
  assert_waits (&streams);
  gst_harness_teardown (streams.meta);
  assert_frame (&streams, 0, NOTHING);
  push_full (&streams, 1);
  assert_frame (&streams, 1, NOTHING);
  test_harness_free (streams.full);
}

/* The element stops waiting for a branch that is silent for too long, and waits again when it resumes. */
static void
test_silent (void)
{
  g_auto (Streams) streams = small_streams ("missing=none max-size-time=400000000");

  push_meta (&streams, 0);
  for (guint i = 0; i <= 10; i++)
    push_full (&streams, i);
  assert_frame (&streams, 0, 0);
  assert_waits (&streams); /* 1 to 10 are 360 ms */
  push_full (&streams, 11);
  for (guint i = 1; i <= 11; i++)
    assert_frame (&streams, i, NOTHING);
  push_full (&streams, 12);
  assert_frame (&streams, 12, NOTHING);
  push_meta (&streams, 1);
  push_full (&streams, 13);
  assert_waits (&streams);
  push_meta (&streams, 13);
  assert_frame (&streams, 13, 13);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "late"), ==, 1);
}

/* The analysed branch may be far ahead, but not without end; where the video needs it to go on, it does. */
static void
test_ahead (void)
{
  g_auto (Streams) streams = small_streams ("missing=none max-size-time=400000000");

  scripted_time = 1;
  for (guint i = 0; i <= 10; i++)
    push_meta (&streams, i);
  g_assert_cmpint (scripted_time, ==, 1); /* 0 to 10 are 400 ms */
  push_meta (&streams, 11);
  g_assert_cmpint (scripted_time, ==, 1 + G_TIME_SPAN_SECOND);
  scripted_time = 0;
  for (guint i = 0; i <= 11; i++) {
    push_full (&streams, i);
    assert_frame (&streams, i, i);
  }
}

static void
test_gaps (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");
  GstClockTime time, duration;
  g_autoptr (GstEvent) gap = NULL;

  for (guint i = 0; i < 3; i++)
    push_full (&streams, i);
  push_meta (&streams, 0);
  assert_frame (&streams, 0, 0);
  assert_waits (&streams);
  g_assert_true (gst_harness_push_event (streams.meta, gst_event_new_gap (FRAME, 2 * FRAME)));
  assert_frame (&streams, 1, NOTHING);
  assert_frame (&streams, 2, NOTHING);
  push_full (&streams, 3);
  assert_waits (&streams);

  /* Gaps of the video pass in their place; gaps of the other branch are dropped. */
  g_assert_true (gst_harness_push_event (streams.full, gst_event_new_gap (4 * FRAME, FRAME)));
  push_meta (&streams, 3);
  assert_frame (&streams, 3, 3);
  gap = pull_event (&streams, GST_EVENT_GAP);
  gst_event_parse_gap (gap, &time, &duration);
  g_assert_cmpuint (time, ==, 4 * FRAME);
  g_assert_cmpuint (duration, ==, FRAME);
}

/* A seek flushes both; each may also be flushed alone. */
static void
test_flush (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");

  for (guint i = 0; i < 3; i++)
    push_full (&streams, i + 100);
  push_meta (&streams, 50);
  test_push_flush (streams.full);
  test_push_flush (streams.meta);
  gst_event_unref (pull_event (&streams, GST_EVENT_FLUSH_STOP));
  push_full (&streams, 0);
  push_meta (&streams, 0);
  assert_frame (&streams, 0, 0);

  push_full (&streams, 1);
  push_meta (&streams, 3);
  assert_frame (&streams, 1, NOTHING);
  test_push_flush (streams.meta); /* forgets 3 */
  push_full (&streams, 2);
  push_full (&streams, 3);
  assert_waits (&streams);
  push_meta (&streams, 2);
  assert_frame (&streams, 2, 2);
  push_meta (&streams, 4);
  assert_frame (&streams, 3, NOTHING);

  push_full (&streams, 5);
  test_push_flush (streams.full); /* drops 5 */
  push_full (&streams, 4);
  assert_frame (&streams, 4, 4);
}

/* Either stream changes its size; frames wait with their own. */
static void
test_renegotiation (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");
  const GstCcaMeta *meta;
  GstBuffer *buffer;

  push_full (&streams, 0);
  gst_harness_set_src_caps (streams.full, test_caps ("NV12", 640, 360, NULL));
  push_full (&streams, 1);
  push_meta (&streams, 0);
  push_meta (&streams, 1);
  assert_frame (&streams, 0, 0);
  buffer = gst_harness_pull (streams.full);
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpuint (meta->width, ==, 640);
  g_assert_cmpuint (meta->components[0].x, ==, 20);
  gst_buffer_unref (buffer);

  gst_harness_set_src_caps (streams.meta, test_caps ("GRAY8", 320, 180, NULL));
  buffer = timed_buffer (2 * FRAME, FRAME);
  g_assert_nonnull (gst_buffer_add_cca_meta (buffer, ID, 320, 180, 1,
                                             &(GstCcaComponent) { .label = 1, .x = 100, .width = 1, .height = 1 }, 1));
  push_full (&streams, 2);
  g_assert_cmpint (gst_harness_push (streams.meta, buffer), ==, GST_FLOW_OK);
  buffer = gst_harness_pull (streams.full);
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpuint (meta->components[0].x, ==, 200);
  g_assert_cmpuint (meta->components[0].width, ==, 2);
  gst_buffer_unref (buffer);
}

/* Events of the video pass unchanged; events of the other branch are dropped. */
static void
test_events (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");
  g_autofree gchar *title = NULL;
  GstTagList *tags;
  GstEvent *event = pull_event (&streams, GST_EVENT_STREAM_START);
  GstEvent *sent = gst_pad_get_sticky_event (streams.full->srcpad, GST_EVENT_STREAM_START, 0);
  g_autoptr (GstEvent) tag = NULL;

  g_assert_true (event == sent);
  gst_event_unref (event);
  gst_event_unref (sent);

  push_full (&streams, 0);
  g_assert_true (
      gst_harness_push_event (streams.meta, gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "analysis", NULL))));
  g_assert_true (
      gst_harness_push_event (streams.full, gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "film", NULL))));
  push_meta (&streams, 0);
  assert_frame (&streams, 0, 0);
  tag = pull_event (&streams, GST_EVENT_TAG);
  gst_event_parse_tag (tag, &tags);
  g_assert_true (gst_tag_list_get_string (tags, GST_TAG_TITLE, &title));
  g_assert_cmpstr (title, ==, "film");
}

static GstPadProbeReturn
count_event (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEEK
      || GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_QOS)
    ++*(guint *) data;
  return GST_PAD_PROBE_OK;
}

/* If both branches come from one source, it receives each upstream event once. */
static void
test_upstream_events (void)
{
  g_auto (Streams) streams = small_streams ("");
  guint n_full = 0, n_meta = 0;

  gst_pad_add_probe (streams.full->srcpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count_event, &n_full, NULL);
  gst_pad_add_probe (streams.meta->srcpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count_event, &n_meta, NULL);
  gst_harness_push_upstream_event (streams.full, gst_event_new_seek (1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                                                     GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0));
  gst_harness_push_upstream_event (streams.full, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2, FRAME, FRAME));
  g_assert_cmpuint (n_full, ==, 2);
  g_assert_cmpuint (n_meta, ==, 0);
}

/* Downstream decides how full-size frames are made, and does not hear of the others. */
static void
test_allocation (void)
{
  g_auto (Streams) streams = small_streams ("");
  g_autoptr (GstCaps) caps = test_caps ("I420", 64, 36, NULL);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  gst_harness_add_propose_allocation_meta (streams.full, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (streams.full, GST_VIDEO_CROP_META_API_TYPE, NULL);
  g_assert_true (gst_pad_peer_query (streams.full->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  g_assert_false (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL));
  gst_query_unref (query);

  query = gst_query_new_allocation (caps, TRUE);
  g_assert_true (gst_pad_peer_query (streams.meta->srcpad, query));
  g_assert_cmpuint (gst_query_get_n_allocation_metas (query), ==, 1);
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 0);
  gst_query_unref (query);
}

/* A serialised query does not block for ever behind waiting frames. */
static void
test_query_behind_waiting (void)
{
  g_auto (Streams) streams = small_streams ("missing=none");
  g_autoptr (GstCaps) caps = test_caps ("I420", 64, 36, NULL);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);

  push_full (&streams, 0);
  gst_pad_peer_query (streams.full->srcpad, query);
  assert_frame (&streams, 0, NOTHING);
}

/* The pad `sink` accepts downstream's caps, `meta` accepts any. */
static void
test_caps_queries (void)
{
  g_auto (Streams) streams = small_streams ("");
  GstCaps *caps;

  gst_harness_set_sink_caps_str (streams.full, "video/x-raw(memory:CUDAMemory),format=NV12");
  caps = gst_pad_peer_query_caps (streams.full->srcpad, NULL);
  g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps, 0), "format"), ==, "NV12");
  g_assert_true (gst_caps_features_contains (gst_caps_get_features (caps, 0), "memory:CUDAMemory"));
  gst_caps_unref (caps);
  caps = gst_pad_peer_query_caps (streams.meta->srcpad, NULL);
  g_assert_false (gst_structure_has_field (gst_caps_get_structure (caps, 0), "format"));
  gst_caps_unref (caps);
}

/* --- Live ---------------------------------------------------------------------------------------------- */

/* Of branches that are 20 and 50 ms behind, each frame waits 50 ms + max-wait on the clock. */
static void
test_live (void)
{
  g_auto (Streams) streams = small_streams ("missing=none max-wait=30000000");
  GstTestClock *clock;
  GstQuery *query;
  GstClockTime min, max;
  gboolean live;

  gst_harness_set_live (streams.full, TRUE);
  gst_harness_set_live (streams.meta, TRUE);
  gst_harness_set_upstream_latency (streams.full, 20 * GST_MSECOND);
  gst_harness_set_upstream_latency (streams.meta, 50 * GST_MSECOND);
  gst_harness_use_testclock (streams.full);
  clock = gst_harness_get_testclock (streams.full);

  query = gst_query_new_latency ();
  g_assert_true (gst_pad_peer_query (streams.full->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, &max);
  g_assert_true (live);
  g_assert_cmpuint (min, ==, 80 * GST_MSECOND);
  gst_query_unref (query);

  /* Without an analysed frame, frame 0 is pushed at 80 ms, not before. */
  push_full (&streams, 0);
  g_assert_true (gst_harness_wait_for_clock_id_waits (streams.full, 1, 20));
  g_assert_cmpuint (gst_test_clock_get_next_entry_time (clock), ==, 80 * GST_MSECOND);
  gst_harness_set_time (streams.full, 80 * GST_MSECOND - 1);
  assert_waits (&streams);
  g_assert_true (gst_harness_crank_single_clock_wait (streams.full));
  assert_frame (&streams, 0, NOTHING);

  /* An analysed one: no wait. */
  push_full (&streams, 1);
  push_meta (&streams, 1);
  assert_frame (&streams, 1, 1);
  g_assert_cmpuint (gst_clock_get_time (GST_CLOCK (clock)), ==, 80 * GST_MSECOND);

  /* One that comes too late. */
  push_full (&streams, 2);
  g_assert_true (gst_harness_wait_for_clock_id_waits (streams.full, 1, 20));
  g_assert_cmpuint (gst_test_clock_get_next_entry_time (clock), ==, 2 * FRAME + 80 * GST_MSECOND);
  g_assert_true (gst_harness_crank_single_clock_wait (streams.full));
  assert_frame (&streams, 2, NOTHING);
  push_meta (&streams, 2);
  g_assert_cmpuint (test_stat (streams.full->element, NULL, "late"), ==, 1);

  /* The limit may change while a frame waits. */
  push_full (&streams, 3);
  g_assert_true (gst_harness_wait_for_clock_id_waits (streams.full, 1, 20));
  g_object_set (streams.full->element, "max-wait", 40 * GST_MSECOND, NULL);
  while (gst_test_clock_get_next_entry_time (clock) != 3 * FRAME + 90 * GST_MSECOND)
    g_usleep (1000);
  gst_message_unref (test_pop_message (streams.full, GST_MESSAGE_LATENCY));
  g_assert_true (gst_harness_crank_single_clock_wait (streams.full));
  assert_frame (&streams, 3, NOTHING);
  gst_object_unref (clock);
}

GST_TESTS_MAIN ("/combiner-stream", test_meta_ends, test_full_ends, test_unlinked, test_silent, test_ahead, test_gaps,
                test_flush, test_renegotiation, test_events, test_upstream_events, test_allocation,
                test_query_behind_waiting, test_caps_queries, test_live)
