/* gst-cca: no object outlives its pipeline
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <string.h>

static void
collect_record (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function, gint line,
                GObject *object, GstDebugMessage *message, gpointer data)
{
  const gchar *text = gst_debug_message_get (message);

  if (g_str_has_prefix (text, "object-alive, "))
    g_string_append_printf (data, "%s\n", text);
}

/* Returns the log of the leaks tracer: the objects that are alive, one a line. (Its signal "get-live-objects" would
 * take their last references.) */
static gchar *
live_objects (void)
{
  GString *text = g_string_new (NULL);
  GList *tracers = gst_tracing_get_active_tracers ();

  gst_debug_add_log_function (collect_record, text, NULL);
  gst_debug_set_threshold_for_name ("GST_TRACER", GST_LEVEL_TRACE);
  g_signal_emit_by_name (tracers->data, "log-live-objects");
  gst_debug_unset_threshold_for_name ("GST_TRACER");
  gst_debug_remove_log_function (collect_record);
  g_list_free_full (tracers, gst_object_unref);
  return g_string_free (text, FALSE);
}

/* The threads of a stopped pipeline may let go of their tasks a moment later. */
static void
assert_nothing_lives (void)
{
  gchar *live = live_objects ();

  for (guint i = 0; i < 500 && *live; i++) {
    g_usleep (10000);
    g_free (live);
    live = live_objects ();
  }
  g_assert_cmpstr (live, ==, "");
  g_free (live);
}

static gboolean
can_trace (void)
{
  GList *tracers = gst_tracing_get_active_tracers ();
  const gboolean active = tracers != NULL;

  g_list_free_full (tracers, gst_object_unref);
  if (!active)
    g_test_skip ("GStreamer's leaks tracer (plugin coretracers) is not installed");
  return active;
}

static GstBusSyncReply
drop_element_messages (GstBus *bus, GstMessage *message, gpointer data)
{
  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ELEMENT)
    return GST_BUS_PASS;
  ++*(guint *) data;
  gst_message_unref (message);
  return GST_BUS_DROP;
}

/* Runs a pipeline to its end, however slow the machine is. Returns how many element messages came. */
static guint
run_pipeline (const gchar *launch)
{
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (launch);
  GError *error = NULL;
  guint n_messages = 0;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_bus_set_sync_handler (bus, drop_element_messages, &n_messages, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  g_assert_no_error (error);
  return n_messages;
}

static void
test_frames (void)
{
  if (!can_trace ())
    return;
  g_assert_cmpuint (
      run_pipeline (
          "videotestsrc num-buffers=300 pattern=smpte ! video/x-raw,format=I420,width=160,height=120 ! tee name=t "
          "t. ! queue ! cca foreground=motion motion-model=sigma-delta motion-learning=3 emit=cca+roi ! ccatrack ! "
          "ccagate mode=crops hold=0 keep-alive=40000000 post-messages=false ! ccacrop ! "
          "video/x-raw,width=64,height=64 ! queue ! cca foreground=values emit=roi post-messages=false ! ccauncrop ! "
          "fakesink "
          "t. ! queue ! cca foreground=values ! ccl output=labels post-messages=false ! fakesink "
          "t. ! queue ! ccl foreground=threshold coverage=true post-messages=false ! ccaoverlay ! ccaprivacy ! "
          "fakesink "
          "t. ! queue ! ccacamera lost-time=0 ! fakesink "
          "t. ! queue ! ccacombiner name=c ! fakesink "
          "t. ! queue ! videoscale ! video/x-raw,width=80 ! cca foreground=threshold post-messages=false ! c.meta"),
      ==, 900);
  assert_nothing_lives ();
}

/* A plugin of its own, which may not have been built. */
static void
test_zones (void)
{
  if (!can_trace () || test_skip_without_element ("ccazones"))
    return;
  /* The ball's track enters; the counters come at the end. */
  g_assert_cmpuint (
      run_pipeline ("videotestsrc num-buffers=300 pattern=ball ! video/x-raw,format=I420,width=160,height=120 "
                    "! cca foreground=threshold post-messages=false "
                    "region={\"units\":\"relative\",\"region\":[{\"points\":[[0,0],[1,0],[1,1],[0,1]]}]} "
                    "! ccatrack post-messages=false ! ccazones rules={\"zones\":[{\"name\":\"all\"}]} ! fakesink"),
      ==, 2);
  assert_nothing_lives ();
}

/* Each element that reads metas. */
static void
test_readers (void)
{
  g_auto (GStrv) elements = test_elements ();

  for (gchar **name = elements; can_trace () && *name; name++)
    if (test_element_reads_metas (*name)) {
      g_autofree gchar *launch = test_element_launch (*name);
      g_autofree gchar *text = g_strdup_printf (
          "videotestsrc num-buffers=100 pattern=ball ! video/x-raw,format=I420,width=160,height=120 ! "
          "cca foreground=threshold post-messages=false ! ccatrack post-messages=false ! queue ! %s ! fakesink",
          launch);

      run_pipeline (text);
      assert_nothing_lives ();
    }
}

/* Elements that never ran, or could not. */
static void
test_idle (void)
{
  g_auto (GStrv) elements = test_elements ();

  if (!can_trace ())
    return;
  for (gchar **name = elements; *name; name++) {
    g_autoptr (GstElement) element = gst_element_factory_make (*name, NULL);

    g_assert_nonnull (element);
    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_element_set_state (element, GST_STATE_NULL);
  }
  assert_nothing_lives ();
}

/* The tracer tells of objects and buffers. */
static void
test_control (void)
{
  GstBus *bus;
  GstBuffer *buffer;
  gchar *live;

  if (!can_trace ())
    return;
  assert_nothing_lives ();
  bus = gst_bus_new ();
  buffer = gst_buffer_new ();
  live = live_objects ();
  g_assert_nonnull (strstr (live, "GstBus,"));
  g_assert_nonnull (strstr (live, "GstBuffer,"));
  g_free (live);
  gst_buffer_unref (buffer);
  gst_object_unref (bus);
  assert_nothing_lives ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("GST_TRACERS", "leaks", TRUE);
  gst_init (&argc, &argv);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_set_active (TRUE);
  ADD_TESTS ("/leaks", test_frames, test_zones, test_readers, test_idle, test_control);
  return g_test_run ();
}
