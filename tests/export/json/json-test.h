/* gst-cca: shared by the tests of ccajson
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "tests/gst/element-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

enum
{
  WIDTH = 320,
  HEIGHT = 200,
};

#define FRAME (40 * GST_MSECOND)
#define HEAD(time)                                                                                                     \
  "{\"camera\":\"camera\",\"id\":\"a\",\"timestamp\":" time ",\"stream-time\":" time ",\"running-time\":" time         \
  ",\"duration\":40000000,\"width\":320,\"height\":200"

/* Returns a harness around ccajson with properties. It has no clock, by which every line would have another UTC. Takes
 * the caps. */
GstHarness *json_harness_of_caps (const gchar *properties, GstCaps *caps);
GstHarness *json_harness (const gchar *properties);

/* Returns a frame without metas. */
GstBuffer *json_frame_at (GstClockTime time);

/* Returns the text of a buffer (taken), which must be one line, without its end. */
gchar *json_text_of (GstBuffer *buffer);

/* Returns the line for a frame (taken), or NULL if there is none. */
gchar *json_line_on (GstHarness *harness, GstBuffer *frame);

/* Assert that a frame (taken) gets this line; a line with or without a text; any line. */
void json_assert_line (GstHarness *harness, GstBuffer *frame, const gchar *expected);
void json_assert_has (GstHarness *harness, GstBuffer *frame, const gchar *text, gboolean there);
void json_assert_told (GstHarness *harness, GstBuffer *frame, gboolean told);

void json_assert_stats (GstElement *element, guint64 frames, guint64 lines, guint64 bytes);

/* One of each, and its text in a line. */
extern const GstCcaComponent json_component;
extern const GstCcaTrack json_walker;
extern const GstCcaRule json_gate;
extern const GstCcaEvent json_crossing;

#define COMPONENT_TEXT                                                                                                 \
  "{\"label\":1,\"x\":10,\"y\":20,\"width\":30,\"height\":40,\"area\":500,\"centroid-x\":24.25,\"centroid-y\":39.123}"
#define COMPONENTS_TEXT ",\"n-components\":1,\"truncated\":false,\"components\":[" COMPONENT_TEXT "]"
#define TRACK_TEXT                                                                                                     \
  "{\"track-id\":7,\"state\":\"confirmed\",\"label\":1,\"x\":10,\"y\":20,\"width\":30,\"height\":40,\"area\":500,"     \
  "\"centroid-x\":24.25,\"centroid-y\":39.123,\"velocity-x\":-12,\"velocity-y\":3.75,\"age\":31}"
#define TRACKS_TEXT ",\"n-tracks\":1,\"tracks\":[" TRACK_TEXT "]"
#define EVENT_TEXT                                                                                                     \
  "{\"type\":\"cross\",\"rule\":\"gate\",\"track-id\":7,\"direction\":\"forward\",\"x\":25,\"y\":60,\"n-in\":7,"       \
  "\"n-out\":4,\"occupancy\":0}"
#define EVENTS_TEXT ",\"events\":[" EVENT_TEXT "]"
#define RULE_TEXT "{\"name\":\"gate\",\"type\":\"line\",\"n-in\":7,\"n-out\":4,\"occupancy\":0"
#define COUNTS_TEXT ",\"counts\":[" RULE_TEXT "}]"

/* Add these to a buffer, and return it; the rule with these counters, and n_events times the event. */
GstBuffer *json_add_component (GstBuffer *buffer, const gchar *id);
GstBuffer *json_add_track (GstBuffer *buffer, const gchar *id);
GstBuffer *json_add_rule (GstBuffer *buffer, const gchar *id, guint64 n_in, guint occupancy, guint n_events);

/* Returns a frame with one of each, of the analysis "a". */
GstBuffer *json_full_frame (GstClockTime time);

/* Returns a frame with n components, at most 8, and, if asked, n tracks. */
GstBuffer *json_frame_with (GstClockTime time, guint n, gboolean tracks);

/* Makes a frame with components the first of another scene. */
GstBuffer *json_change_scene (GstBuffer *buffer);
