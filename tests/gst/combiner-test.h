/* gst-cca: shared by the tests of ccacombiner
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

/* Makes streams of frames of these sizes into a combiner with properties, not live. */
Streams streams_new (const gchar *properties, guint width, guint height, guint meta_width, guint meta_height);
/* Makes streams of 64x36 and 32x18 pixels. */
Streams small_streams (const gchar *properties);
void streams_free (Streams *streams);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Streams, streams_free)

/* Returns a buffer that represents a frame. */
GstBuffer *timed_buffer (GstClockTime time, GstClockTime duration);

/* Push a frame, by its number or its time; it must be accepted. */
void push_full (Streams *streams, guint number);
void push_full_at (Streams *streams, GstClockTime time);

/* Push an analysed frame, whose component encodes its number. */
void push_meta (Streams *streams, guint number);
void push_meta_at (Streams *streams, guint number, GstClockTime time, GstClockTime duration);
void add_number (GstBuffer *buffer, const gchar *id, guint number);

/* Pull a frame, and assert that it has the metas of the analysed frame of that number, or NOTHING. */
void assert_frame (Streams *streams, guint frame, guint number);
void assert_frame_at (Streams *streams, GstClockTime time, guint number);

/* Asserts that no frame comes out within a short time. */
void assert_waits (Streams *streams);

/* Returns the next event of a type, which must come. */
GstEvent *pull_event (Streams *streams, GstEventType type);
