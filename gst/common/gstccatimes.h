/* gst-cca: the times in element messages, and the timelines of streams
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TIMES_H
#define GST_CCA_TIMES_H

#include <gst/gst.h>

G_BEGIN_DECLS

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

G_END_DECLS

#endif
