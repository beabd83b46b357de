/* gst-cca: shared by the tests of ccajson
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * With the environment variable CCAJSON_LINES, all lines go to that file, too, for those who know the schema.
 */
#include "json-test.h"

#ifdef HAVE_JSON_GLIB
#include <json-glib/json-glib.h>
#endif
#include <stdio.h>
#include <string.h>

/* Without a clock, by which every line would have another UTC. Caps are taken. */
GstHarness *
json_harness_of_caps (const gchar *properties, GstCaps *caps)
{
  g_autofree gchar *launch = g_strdup_printf ("ccajson %s", properties);
  GstHarness *harness = test_harness (launch, caps);

  gst_element_set_clock (harness->element, NULL);
  return harness;
}

GstHarness *
json_harness (const gchar *properties)
{
  return json_harness_of_caps (properties, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
}

GstBuffer *
json_frame_at (GstClockTime time)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (WIDTH * HEIGHT);

  GST_BUFFER_PTS (buffer) = time;
  GST_BUFFER_DURATION (buffer) = FRAME;
  return buffer;
}

/* A reader of another hand reads the line. */
static void
assert_readable (const gchar *text)
{
#ifdef HAVE_JSON_GLIB
  JsonParser *parser = json_parser_new ();
  GError *error = NULL;

  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)));
  g_object_unref (parser);
#endif
}

static void
keep_line (const gchar *text)
{
  const gchar *path = g_getenv ("CCAJSON_LINES");
  FILE *file;

  if (!path)
    return;
  file = fopen (path, "a");
  g_assert_nonnull (file);
  fputs (text, file);
  fclose (file);
}

/* The text of a buffer (taken), which is one line. */
gchar *
json_text_of (GstBuffer *buffer)
{
  gchar *text;
  gpointer copy;
  gsize size;

  gst_buffer_extract_dup (buffer, 0, (gsize) -1, &copy, &size);
  text = g_strndup (copy, size);
  g_assert_cmpuint (strlen (text), ==, size);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_true (size > 0 && strchr (text, '\n') == text + size - 1);
  keep_line (text);
  assert_readable (text);
  text[size - 1] = '\0';
  g_free (copy);
  gst_buffer_unref (buffer);
  return text;
}

/* The line on a frame (taken), or NULL if it gets none. */
gchar *
json_line_on (GstHarness *harness, GstBuffer *frame)
{
  const guint n = gst_harness_buffers_in_queue (harness);

  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  g_assert_cmpuint (gst_harness_buffers_in_queue (harness), <=, 1);
  return gst_harness_buffers_in_queue (harness) > 0 ? json_text_of (gst_harness_pull (harness)) : NULL;
}

void
json_assert_line (GstHarness *harness, GstBuffer *frame, const gchar *expected)
{
  g_autofree gchar *line = json_line_on (harness, frame);

  g_assert_cmpstr (line, ==, expected);
}

/* Asserts that a frame gets a line in which a text is, or is not. */
void
json_assert_has (GstHarness *harness, GstBuffer *frame, const gchar *text, gboolean there)
{
  g_autofree gchar *line = json_line_on (harness, frame);

  g_assert_nonnull (line);
  if ((strstr (line, text) != NULL) != there)
    g_error ("%s is %sin %s", text, there ? "not " : "", line);
}

void
json_assert_told (GstHarness *harness, GstBuffer *frame, gboolean told)
{
  g_autofree gchar *line = json_line_on (harness, frame);

  g_assert_cmpint (line != NULL, ==, told);
}

void
json_assert_stats (GstElement *element, guint64 frames, guint64 lines, guint64 bytes)
{
  guint64 is_frames, is_lines, is_bytes;
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get (stats, "frames", G_TYPE_UINT64, &is_frames, "lines", G_TYPE_UINT64, &is_lines,
                                    "bytes", G_TYPE_UINT64, &is_bytes, NULL));
  g_assert_cmpint (gst_structure_n_fields (stats), ==, 3);
  gst_structure_free (stats);
  g_assert_cmpuint (is_frames, ==, frames);
  g_assert_cmpuint (is_lines, ==, lines);
  g_assert_cmpuint (is_bytes, ==, bytes);
}

/* --- Frames with metas ------------------------------------------------------------------------------- */

const GstCcaComponent json_component = {
  .label = 1, .x = 10, .y = 20, .width = 30, .height = 40, .area = 500, .centroid_x = 24.25, .centroid_y = 39.12345
};
const GstCcaTrack json_walker = { .track_id = 7,
                                  .state = GST_CCA_TRACK_STATE_CONFIRMED,
                                  .label = 1,
                                  .x = 10,
                                  .y = 20,
                                  .width = 30,
                                  .height = 40,
                                  .area = 500,
                                  .centroid_x = 24.25,
                                  .centroid_y = 39.12345,
                                  .velocity_x = -12.0004,
                                  .velocity_y = 3.75,
                                  .age = 31 };
static const GstCcaPoint line_points[] = { { 100, 170 }, { 200.5, 170.0625 } };
const GstCcaRule json_gate = { .name = "gate",
                               .type = GST_CCA_RULE_LINE,
                               .n_points = G_N_ELEMENTS (line_points),
                               .points = line_points,
                               .n_in = 7,
                               .n_out = 4 };
const GstCcaEvent json_crossing = { .type = GST_CCA_EVENT_CROSS,
                                    .rule = "gate",
                                    .track_id = 7,
                                    .direction = GST_CCA_DIRECTION_FORWARD,
                                    .x = 25,
                                    .y = 60,
                                    .dwell = GST_CLOCK_TIME_NONE,
                                    .n_in = 7,
                                    .n_out = 4 };

GstBuffer *
json_add_component (GstBuffer *buffer, const gchar *id)
{
  gst_buffer_add_cca_meta (buffer, id, WIDTH, HEIGHT, 1, &json_component, 1);
  return buffer;
}

GstBuffer *
json_add_track (GstBuffer *buffer, const gchar *id)
{
  gst_buffer_add_cca_track_meta (buffer, id, WIDTH, HEIGHT, &json_walker, 1);
  return buffer;
}

/* Adds the rule with these counters, and n_events times the event. */
GstBuffer *
json_add_rule (GstBuffer *buffer, const gchar *id, guint64 n_in, guint occupancy, guint n_events)
{
  GstCcaEvent events[2] = { json_crossing, json_crossing };
  GstCcaRule rule = json_gate;

  rule.n_in = n_in;
  rule.occupancy = occupancy;
  gst_buffer_add_cca_event_meta (buffer, id, WIDTH, HEIGHT, &rule, 1, events, n_events);
  return buffer;
}

/* A frame with one of each. */
GstBuffer *
json_full_frame (GstClockTime time)
{
  return json_add_rule (json_add_track (json_add_component (json_frame_at (time), "a"), "a"), "a", 7, 0, 1);
}

/* Returns a frame with n components and, with tracks, n tracks. */
GstBuffer *
json_frame_with (GstClockTime time, guint n, gboolean tracks)
{
  GstCcaComponent components[8];
  GstCcaTrack walkers[8];
  GstBuffer *buffer = json_frame_at (time);

  for (guint i = 0; i < n; i++) {
    components[i] = json_component;
    components[i].label = i + 1;
    walkers[i] = json_walker;
    walkers[i].track_id = i + 1;
  }
  gst_buffer_add_cca_meta (buffer, "a", WIDTH, HEIGHT, n, components, n);
  if (tracks)
    gst_buffer_add_cca_track_meta (buffer, "a", WIDTH, HEIGHT, walkers, n);
  return buffer;
}

GstBuffer *
json_change_scene (GstBuffer *buffer)
{
  gst_buffer_get_cca_meta (buffer)->scene_change = TRUE;
  return buffer;
}
