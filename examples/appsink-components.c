/* gst-cca: reads the meta of each frame at an appsink and prints its components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: appsink-components [PIPELINE]
 * PIPELINE is one argument, written as for gst-launch-1.0, and ends in an element that attaches the meta; default: a
 * test pattern through cca.
 */
#include <gst/app/gstappsink.h>
#include <gst/cca/gstccameta.h>
#include <gst/gst.h>

#define DEFAULT_PIPELINE "videotestsrc num-buffers=10 pattern=ball ! cca"

static void
print_components (GstBuffer *buffer)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  if (!meta) {
    g_print ("no meta\n");
    return;
  }
  g_print ("%.3f s, %u x %u: %u components\n", GST_BUFFER_PTS (buffer) / (gdouble) GST_SECOND, meta->width,
           meta->height, meta->n_components);
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *c = &meta->components[i];

    g_print ("  %u: %u x %u at (%u, %u), %" G_GUINT64_FORMAT " pixels, centroid (%.2f, %.2f)\n", c->label, c->width,
             c->height, c->x, c->y, c->area, c->centroid_x, c->centroid_y);
  }
}

/* Prints every frame until the end of the stream. Returns whether there was no error. */
static gboolean
print_all (GstElement *pipeline)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *failure;
  GError *error;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!(failure = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) && !gst_app_sink_is_eos (GST_APP_SINK (sink))) {
    GstSample *sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), 100 * GST_MSECOND);

    if (sample) {
      print_components (gst_sample_get_buffer (sample));
      gst_sample_unref (sample);
    }
  }
  if (failure) {
    gst_message_parse_error (failure, &error, NULL);
    g_printerr ("appsink-components: %s\n", error->message);
    g_error_free (error);
    gst_message_unref (failure);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (sink);
  return !failure;
}

int
main (int argc, char **argv)
{
  GstElement *pipeline;
  GError *error = NULL;
  gchar *description;
  gboolean ok;

  gst_init (&argc, &argv);
  description = g_strdup_printf ("%s ! appsink name=sink sync=false", argc > 1 ? argv[1] : DEFAULT_PIPELINE);
  pipeline = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  g_free (description);
  if (!pipeline) {
    g_printerr ("appsink-components: %s\n", error->message);
    g_error_free (error);
    return 2;
  }
  ok = print_all (pipeline);
  gst_object_unref (pipeline);
  return ok ? 0 : 1;
}
