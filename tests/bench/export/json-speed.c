/* gst-cca: json-speed, what a line of ccajson costs
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: json-speed [OBJECTS…]
 *
 * Pushes frames that carry so many objects through ccajson, and prints for each kind of object the processor time of a
 * push less that of one through identity: the median of 21 blocks of 200 frames. Beside it stands the time that
 * json-glib takes for the line's text alone, from a tree that is ready. Wants GST_PLUGIN_PATH to name the built
 * plugins.
 */
#include "../times.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_BLOCKS 21
#define N_FRAMES 200
#define WIDTH 1920
#define HEIGHT 1080

/* The kinds of objects that a frame carries. */
enum
{
  COMPONENTS = 1 << 0,
  TRACKS = 1 << 1,
  EVENTS = 1 << 2,
};

static const struct
{
  const gchar *name;
  guint objects;
} kinds[] = {
  { "nothing", 0 },
  { "components", COMPONENTS },
  { "tracks", TRACKS },
  { "events and counts", EVENTS },
  { "all of them", COMPONENTS | TRACKS | EVENTS },
};

typedef struct
{
  GstElement *pipeline;
  GstPad *source;
} Lane;

static Lane
lane_new (const gchar *element)
{
  g_autofree gchar *launch = g_strdup_printf ("%s name=first ! fakesink name=last sync=false async=false", element);
  GError *error = NULL;
  Lane lane = { gst_parse_launch (launch, &error), gst_pad_new ("source", GST_PAD_SRC) };
  GstElement *first;
  GstPad *sink;
  GstCaps *caps = gst_caps_from_string ("video/x-raw,format=NV12,width=1920,height=1080,framerate=25/1");
  GstSegment segment;

  if (error) {
    fprintf (stderr, "json-speed: %s\n", error->message);
    exit (1);
  }
  first = gst_bin_get_by_name (GST_BIN (lane.pipeline), "first");
  sink = gst_element_get_static_pad (first, "sink");
  gst_pad_set_active (lane.source, TRUE);
  gst_pad_link (lane.source, sink);
  gst_element_set_state (lane.pipeline, GST_STATE_PLAYING);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (lane.source, gst_event_new_stream_start ("speed"));
  gst_pad_push_event (lane.source, gst_event_new_caps (caps));
  gst_pad_push_event (lane.source, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  gst_object_unref (sink);
  gst_object_unref (first);
  return lane;
}

static void
lane_free (Lane *lane)
{
  gst_element_set_state (lane->pipeline, GST_STATE_NULL);
  gst_object_unref (lane->pipeline);
  gst_object_unref (lane->source);
}

static GstBuffer *
make_frame (guint objects, guint n)
{
  g_autofree GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  g_autofree GstCcaTrack *tracks = g_new0 (GstCcaTrack, n);
  g_autofree GstCcaEvent *events = g_new0 (GstCcaEvent, n);
  g_autofree GstCcaRule *rules = g_new0 (GstCcaRule, n);
  GstBuffer *buffer = gst_buffer_new ();

  for (guint i = 0; i < n; i++) {
    const guint x = i * 7919 % WIDTH, y = i * 104729 % HEIGHT;

    components[i] = (GstCcaComponent) { .label = i + 1,
                                        .x = x,
                                        .y = y,
                                        .width = 40,
                                        .height = 90,
                                        .area = 2345,
                                        .centroid_x = x + 20.123,
                                        .centroid_y = y + 45.678 };
    tracks[i] = (GstCcaTrack) { .track_id = 1000 + i,
                                .label = i + 1,
                                .x = x,
                                .y = y,
                                .width = 40,
                                .height = 90,
                                .area = 2345,
                                .centroid_x = x + 20.123,
                                .centroid_y = y + 45.678,
                                .velocity_x = -12.345,
                                .velocity_y = 6.789,
                                .age = 250 };
    events[i] = (GstCcaEvent) { .type = GST_CCA_EVENT_CROSS,
                                .rule = "entrance",
                                .track_id = 1000 + i,
                                .direction = GST_CCA_DIRECTION_FORWARD,
                                .x = x + 20.5,
                                .y = y + 90.0,
                                .dwell = GST_CLOCK_TIME_NONE,
                                .n_in = 123,
                                .n_out = 45 };
    rules[i] = (GstCcaRule) { .name = "entrance", .type = GST_CCA_RULE_LINE, .n_in = 123, .n_out = 45 };
  }
  if (objects & COMPONENTS)
    gst_buffer_add_cca_meta (buffer, "cca0", WIDTH, HEIGHT, n, components, n);
  if (objects & TRACKS)
    gst_buffer_add_cca_track_meta (buffer, "cca0", WIDTH, HEIGHT, tracks, n);
  if (objects & EVENTS)
    gst_buffer_add_cca_event_meta (buffer, "cca0", WIDTH, HEIGHT, rules, n, events, n);
  return buffer;
}

/* Returns the mean time of a push, µs. */
static gdouble
time_block (Lane *lane, GstBuffer *frame)
{
  gdouble time = 0.0;

  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *buffer = gst_buffer_copy (frame);
    gdouble start;

    GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
    GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
    start = bench_processor_time ();
    gst_pad_push (lane->source, buffer);
    time += bench_processor_time () - start;
  }
  return time / GST_USECOND / N_FRAMES;
}

static gdouble
median (gdouble *times)
{
  bench_sort (times, N_BLOCKS);
  return times[N_BLOCKS / 2];
}

/* Returns the last line that left the lane. */
static gchar *
copy_line (Lane *lane)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (lane->pipeline), "last");
  g_autoptr (GstSample) sample = NULL;
  GstBuffer *buffer;
  gchar *line;
  gsize size;

  g_object_get (element, "last-sample", &sample, NULL);
  buffer = gst_sample_get_buffer (sample);
  size = gst_buffer_get_size (buffer);
  line = g_malloc0 (size + 1);
  gst_buffer_extract (buffer, 0, line, size);
  return line;
}

/* Returns the time that json-glib takes for the text of a line, from a tree that is ready, µs. */
static gdouble
time_json_glib (const gchar *line)
{
  g_autoptr (JsonNode) tree = json_from_string (line, NULL);
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  gdouble times[N_BLOCKS];

  json_generator_set_root (generator, tree);
  for (guint i = 0; i < N_BLOCKS; i++) {
    const gdouble start = bench_processor_time ();

    for (guint k = 0; k < N_FRAMES; k++)
      json_generator_to_gstring (generator, g_string_truncate (text, 0));
    times[i] = (bench_processor_time () - start) / GST_USECOND / N_FRAMES;
  }
  return median (times);
}

static void
measure (const gchar *name, guint objects, guint n)
{
  Lane json = lane_new ("ccajson"), none = lane_new ("identity");
  GstBuffer *frame = make_frame (objects, n);
  g_autofree gchar *line = NULL;
  gdouble times[N_BLOCKS];

  for (guint i = 0; i < N_BLOCKS; i++)
    times[i] = time_block (&json, frame) - time_block (&none, frame);
  line = copy_line (&json);
  printf ("%6u  %-18s %8.1f us  %8" G_GSIZE_FORMAT " bytes  json-glib %8.1f us\n", n, name, median (times),
          strlen (line), time_json_glib (line));
  gst_buffer_unref (frame);
  lane_free (&json);
  lane_free (&none);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  for (int i = 1; i < MAX (argc, 2); i++) {
    const guint n = (guint) strtoul (argc > 1 ? argv[i] : "100", NULL, 10);

    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      measure (kinds[k].name, kinds[k].objects, n);
  }
  return 0;
}
