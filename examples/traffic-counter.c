/* gst-cca: a traffic counter: prints each crossing of a line with the line's counts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 * usage: traffic-counter RULES SOURCE, such as: traffic-counter road.json "filesrc location=road.mp4 ! decodebin" */
#include <gst/gst.h>

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_autofree gchar *text = g_strdup_printf ("%s ! videoconvert ! cca foreground=motion post-messages=false"
                                            " ! ccatrack post-messages=false ! ccazones config=\"%s\" ! fakesink",
                                            argc == 3 ? argv[2] : "SOURCE", argc == 3 ? argv[1] : "RULES");
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  GstMessageType type = pipeline != NULL ? GST_MESSAGE_ELEMENT : GST_MESSAGE_ERROR;
  if (pipeline != NULL)
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (type == GST_MESSAGE_ELEMENT) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
        GST_ELEMENT_BUS (pipeline), GST_CLOCK_TIME_NONE, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    const GstStructure *event = gst_message_get_structure (message);
    guint64 time, forward, backward;
    if (gst_message_has_name (message, "cca-event")
        && gst_structure_get (event, "stream-time", G_TYPE_UINT64, &time, "n-in", G_TYPE_UINT64, &forward, "n-out",
                              G_TYPE_UINT64, &backward, NULL))
      g_print ("%.1f s, %s: %" G_GUINT64_FORMAT " forward, %" G_GUINT64_FORMAT " backward\n", time / 1e9,
               gst_structure_get_string (event, "rule"), forward, backward);
    type = GST_MESSAGE_TYPE (message);
    if (type == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
  }
  if (pipeline != NULL)
    gst_element_set_state (pipeline, GST_STATE_NULL);
  if (error != NULL)
    g_printerr ("traffic-counter: %s\n", error->message);
  return error != NULL;
}
