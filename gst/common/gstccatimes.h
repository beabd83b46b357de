/* gst-cca: a stream's times and timelines: in element messages, and where time stamps may be wrong
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

/* The times of a buffer in a segment; GST_CLOCK_TIME_NONE where there is none. */
typedef struct
{
  GstClockTime timestamp, stream_time, running_time, duration;
} GstCcaMessageTimes;

GstCcaMessageTimes gst_cca_message_times (const GstSegment *segment, GstBuffer *buffer);

/* Sets the fields "timestamp", "stream-time", "running-time" and "duration". */
void gst_cca_message_times_set (const GstCcaMessageTimes *times, GstStructure *structure);

/* Returns whether interval, ns, is over since the last message went out at the running time *last, which is
 * GST_CLOCK_TIME_NONE before the first; if so, *last becomes running_time. A message without a running time is due. */
gboolean gst_cca_message_is_due (GstClockTime *last, guint64 interval, GstClockTime running_time);

/* Returns whether an event is a segment whose frames do not follow those of the element's segment on one timeline.
 * Updates of a segment's end do not matter. A flush empties the element's segment, so that any segment behind it is on
 * another timeline. */
gboolean gst_cca_begins_timeline (GstEvent *event, const GstSegment *segment);

/* Returns the duration of a frame by the framerate of fixed caps, or GST_CLOCK_TIME_NONE if they have none. */
GstClockTime gst_cca_frame_duration (const GstCaps *caps);

/* Returns the duration of a buffer, else that of the caps, else 1/30 s. */
GstClockTime gst_cca_buffer_duration (GstBuffer *buffer, GstClockTime of_caps);

/* --- Clock ------------------------------------------------------------------------------------------- */

/*
 * Time stamps come from cameras, files and networks. A clock makes of them a time that never goes back and never stops:
 *
 * - A stamp up to a second before the last one is an irregularity: time stands still.
 * - A stamp that lies farther back, or ahead by more than 10 s and more than ten times the last step, is doubted: time
 * advances by the last step. The next stamp decides. If it continues the stamps before, the one in between was wrong.
 * If it continues the doubted one, both are right: a leap ahead was a gap, a leap back begins another timeline.
 */
typedef enum
{
  GST_CCA_CLOCK_GOES_ON,
  GST_CCA_CLOCK_WENT_BACK, /* the stamp lies before the last ones by more than a second */
  GST_CCA_CLOCK_WAS_AHEAD, /* the last stamp lay far ahead, and was wrong */
} GstCcaClockStep;

typedef struct
{
  GstClockTime stamp, time;
} GstCcaClockFrame;

/* All 0 before the first frame, and for another timeline. */
typedef struct
{
  gboolean started;
  /* Of the last frame, ns: its stamp until one is doubted. Only differences count: it may overflow. */
  GstClockTime time;
  GstClockTime step;                  /* between the last two frames that were believed */
  GstCcaClockFrame believed, doubted; /* the last ones */
  gboolean doubts;                    /* the last frame was doubted */
} GstCcaClock;

/* Takes the next frame's time stamp or, where that is GST_CLOCK_TIME_NONE, its duration, which is not. */
GstCcaClockStep gst_cca_clock_advance (GstCcaClock *clock, GstClockTime stamp, GstClockTime duration);
