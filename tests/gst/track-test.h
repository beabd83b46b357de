/* gst-cca: shared by the tests of ccatrack
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

#include <gst/cca/gstccatrackmeta.h>

enum
{
  WIDTH = 640,
  HEIGHT = 360,
};

#define FRAME (40 * GST_MSECOND)

/* A stream of frames with the test's components. */
typedef struct
{
  GstHarness *harness;
  const gchar *id;
  guint width, height;
  GstClockTime time; /* of the next frame; or GST_CLOCK_TIME_NONE */
  GstBufferFlags flags;
  GstCcaComponent components[32];
  guint n;
} Stream;

/* Makes a stream of frames of WIDTH x HEIGHT through the element of a launch line. */
Stream stream_new (const gchar *launch);
/* Does the same with other caps (taken). */
Stream stream_of (const gchar *launch, GstCaps *caps);
/* Asserts that no warning or error is left, and frees the stream. */
void stream_free (Stream *stream);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_free)

/* Adds a component to the next frame. */
void add_box (Stream *stream, gint x, gint y, guint width, guint height);

/* Returns the next frame, with the added boxes. */
GstBuffer *next_frame (Stream *stream);
/* Returns the next frame, without meta. */
GstBuffer *bare_frame (Stream *stream);
/* Adds the boxes to a buffer as the components of an analysis. */
GstCcaMeta *add_analysis (Stream *stream, GstBuffer *buffer, const gchar *id);

/* Passes the next frame through the element, and returns the result. */
GstBuffer *pass_frame (Stream *stream);
void pass_and_drop (Stream *stream);
/* Passes n frames of a box at rest. */
void pass_still (Stream *stream, guint n);
/* Passes a frame of the box at rest, and returns the id of its track, which must be the only one; 0: there is none. */
guint64 pass_for_id (Stream *stream);

/* Returns the number of tracks in a frame, which must have their meta. */
guint n_tracks (GstBuffer *buffer);
/* Returns the track with an id, or NULL. */
const GstCcaTrack *find_track (GstBuffer *buffer, guint64 id);
/* Returns the track with an id, which must exist. */
const GstCcaTrack *need_track (GstBuffer *buffer, guint64 id);
