/* gst-cca: frames of image and video files for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-media.h"

#include <gst/app/gstappsink.h>

#include "bench-engine.h"

static GstElement *
make_pipeline (const char *location, GError **error)
{
  g_autofree char *uri = gst_uri_is_valid (location) ? g_strdup (location) : gst_filename_to_uri (location, error);
  GstElement *pipeline, *decoder;

  if (uri == NULL)
    return NULL;
  pipeline = gst_parse_launch ("uridecodebin name=decoder "
                               "! videoconvert "
                               "! appsink name=sink sync=false max-buffers=4 caps=video/x-raw,format=GRAY8",
                               error);
  if (pipeline == NULL)
    return NULL;
  decoder = gst_bin_get_by_name (GST_BIN (pipeline), "decoder");
  g_object_set (decoder, "uri", uri, NULL);
  gst_object_unref (decoder);
  return pipeline;
}

/* Returns whether the pipeline has failed; sets an error with GStreamer's details, which general messages leave out. */
static gboolean
has_failed (GstElement *pipeline, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) cause = NULL;
  g_autofree char *details = NULL;

  if (message == NULL)
    return FALSE;
  gst_message_parse_error (message, &cause, &details);
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_INPUT, "%s\n%s", cause->message, details != NULL ? details : "");
  return TRUE;
}

static gboolean
hand_over (GstSample *sample, guint number, BenchFrameFunc func, gpointer user, GError **error)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  gboolean more;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      || !gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample), GST_MAP_READ)) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_INPUT, "frame %u cannot be mapped", number);
    return FALSE;
  }
  more = func (&frame, number, user, error);
  gst_video_frame_unmap (&frame);
  return more;
}

static gboolean
read_frames (GstElement *pipeline, BenchFrameFunc func, gpointer user, GError **error)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstAppSink *appsink = GST_APP_SINK (sink);
  guint number = 0;

  /* A failing pipeline need not send an end of stream, hence the time limit of each pull. */
  for (;;) {
    g_autoptr (GstSample) sample = gst_app_sink_try_pull_sample (appsink, 50 * GST_MSECOND);
    GError *failure = NULL;

    if (sample != NULL) {
      if (!hand_over (sample, number++, func, user, &failure)) {
        if (failure == NULL)
          return TRUE;
        g_propagate_error (error, failure);
        return FALSE;
      }
    } else if (has_failed (pipeline, error)) {
      return FALSE;
    } else if (gst_app_sink_is_eos (appsink)) {
      if (number == 0)
        g_set_error_literal (error, BENCH_ERROR, BENCH_ERROR_INPUT, "no picture in it");
      return number != 0;
    }
  }
}

gboolean
bench_media_read (const char *location, BenchFrameFunc func, gpointer user, GError **error)
{
  g_autoptr (GstElement) pipeline = make_pipeline (location, error);
  gboolean done = FALSE;

  if (pipeline != NULL) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    done = read_frames (pipeline, func, user, error);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  if (!done)
    g_prefix_error (error, "%s: ", location);
  return done;
}
