/* gst-cca: shared by the tests of ccazones
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

enum
{
  WIDTH = 320,
  HEIGHT = 200,
};

/* A zone of 100…200 × 50…150, and a line at y = 170; the band is 2 pixels. */
#define ZONE "{\"name\": \"door\", \"points\": [[100, 50], [200, 50], [200, 150], [100, 150]]"
#define LINE "{\"name\": \"gate\", \"points\": [[100, 170], [200, 170]]}"
#define RULES "{\"zones\": [" ZONE "}], \"lines\": [" LINE "]}"

/* Returns a harness around the element with these rules and more properties, for frames of WIDTH x HEIGHT or of other
 * caps (taken). */
GstHarness *harness_with (const gchar *rules, const gchar *more);
GstHarness *harness_of_caps (const gchar *rules, const gchar *more, GstCaps *caps);

/* Returns a track of 10×20, by the middle of its box's lower side. */
GstCcaTrack track_at (guint64 id, guint x, guint y);

GstBuffer *frame_with_tracks (const gchar *id, guint width, guint height, GstClockTime time, const GstCcaTrack *tracks,
                              guint n);

/* Pushes a frame with a track at a place, and returns the result. */
GstBuffer *pass_track (GstHarness *harness, GstClockTime time, guint64 id, guint x, guint y);
/* Does the same, and drops the result. */
void push_track (GstHarness *harness, GstClockTime time, guint64 id, guint x, guint y);

/* Makes the element read its rules again. Returns whether it did. */
gboolean reload (GstElement *element);

/* Returns a counter of a rule: "n-in", "n-out" or "occupancy"; G_MAXUINT64 without such a rule. */
guint64 counter_of (GstElement *element, const gchar *rule, const gchar *counter);
void assert_counts (GstHarness *harness, const gchar *rule, guint64 in, guint64 out, guint64 inside);
