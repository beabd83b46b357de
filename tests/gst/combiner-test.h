/* gst-cca: what the tests of ccacombiner share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

#define FRAME (40 * GST_MSECOND) /* the caps of the tests say 25 frames a second */
#define ID "people"

enum
{
  NOTHING = G_MAXUINT /* no analysed frame's number */
};

typedef struct
{
  GstHarness *full, *meta; /* of one element; full also pulls */
} Streams;

/* Streams of frames of these sizes into a combiner with properties, not live. */
Streams streams_new (const gchar *properties, guint width, guint height, guint meta_width, guint meta_height);
/* Of 64x36 and 32x18 pixels. */
Streams small_streams (const gchar *properties);
void streams_free (Streams *streams);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Streams, streams_free)

/* A buffer that stands for a frame. */
GstBuffer *timed_buffer (GstClockTime time, GstClockTime duration);

/* Push a frame, which must be accepted: the one of a number, or one at a time. */
void push_full (Streams *streams, guint number);
void push_full_at (Streams *streams, GstClockTime time);

/* Push an analysed frame, whose component tells its number. */
void push_meta (Streams *streams, guint number);
void push_meta_at (Streams *streams, guint number, GstClockTime time, GstClockTime duration);
void add_number (GstBuffer *buffer, const gchar *id, guint number);

/* Pull a frame, and assert that it has what the analysed frame of that number brought, or NOTHING. */
void assert_frame (Streams *streams, guint frame, guint number);
void assert_frame_at (Streams *streams, GstClockTime time, guint number);

/* Asserts that nothing more comes out, within reason. */
void assert_waits (Streams *streams);

/* The next event of a type that comes out; it must come. */
GstEvent *pull_event (Streams *streams, GstEventType type);
