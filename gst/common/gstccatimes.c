/* gst-cca: the times in element messages, and the timelines of streams
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatimes.h"

#include "gstccastructures.h"

#define NAMES(F)                                                                                                       \
  F (timestamp, "timestamp")                                                                                           \
  F (stream_time, "stream-time")                                                                                       \
  F (running_time, "running-time")                                                                                     \
  F (duration, "duration")

GST_CCA_DEFINE_NAMES (NAMES)

GstCcaMessageTimes
gst_cca_message_times (const GstSegment *segment, GstBuffer *buffer)
{
  const gboolean timed = segment->format == GST_FORMAT_TIME;
  const GstClockTime timestamp = GST_BUFFER_PTS (buffer);

  return (GstCcaMessageTimes) {
    .timestamp = timestamp,
    .stream_time = timed ? gst_segment_to_stream_time (segment, GST_FORMAT_TIME, timestamp) : GST_CLOCK_TIME_NONE,
    .running_time = timed ? gst_segment_to_running_time (segment, GST_FORMAT_TIME, timestamp) : GST_CLOCK_TIME_NONE,
    .duration = GST_BUFFER_DURATION (buffer),
  };
}

void
gst_cca_message_times_set (const GstCcaMessageTimes *times, GstStructure *structure)
{
  find_names ();
  gst_structure_id_set (structure, names.timestamp, G_TYPE_UINT64, times->timestamp, names.stream_time, G_TYPE_UINT64,
                        times->stream_time, names.running_time, G_TYPE_UINT64, times->running_time, names.duration,
                        G_TYPE_UINT64, times->duration, NULL);
}

gboolean
gst_cca_message_is_due (GstClockTime *last, guint64 interval, GstClockTime running_time)
{
  if (interval > 0 && GST_CLOCK_TIME_IS_VALID (*last) && GST_CLOCK_TIME_IS_VALID (running_time) && running_time >= *last
      && running_time - *last < interval)
    return FALSE;
  *last = running_time;
  return TRUE;
}

gboolean
gst_cca_begins_timeline (GstEvent *event, const GstSegment *segment)
{
  const GstSegment *next;

  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return FALSE;
  gst_event_parse_segment (event, &next);
  return next->format != segment->format || next->rate != segment->rate || next->start != segment->start
         || next->time != segment->time || next->base != segment->base;
}

GstClockTime
gst_cca_frame_duration (const GstCaps *caps)
{
  gint numerator, denominator;

  if (!gst_structure_get_fraction (gst_caps_get_structure (caps, 0), "framerate", &numerator, &denominator)
      || numerator <= 0 || denominator <= 0)
    return GST_CLOCK_TIME_NONE;
  return gst_util_uint64_scale_int (GST_SECOND, denominator, numerator);
}
