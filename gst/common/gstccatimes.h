/* gst-cca: a stream's times: in element messages, by the world's clock, and where time stamps may be wrong
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

/* --- UTC ---------------------------------------------------------------------------------------------- */

/* The UTC of a frame. */
typedef struct
{
  GstClockTime utc;    /* ns since 1970-01-01T00:00:00Z, without leap seconds; or GST_CLOCK_TIME_NONE */
  const gchar *source; /* "ntp", "unix", "start" or "clock", static; NULL if utc is not known */
} GstCcaUtc;

/* Returns the UTC of a frame by the first of these that is known:
 * - "ntp", "unix": a GstReferenceTimestampMeta on the buffer, with the caps timestamp/x-ntp or timestamp/x-unix; the
 *   field "source" of the latter may name another of these sources, from which the time came
 * - "start": the frame's stream time after start_utc, the UTC of stream time 0; GST_CLOCK_TIME_NONE if not known
 * - "clock": the system's UTC less the frame's age, its running time by the pipeline's clock. Only while the element
 *   plays: before that the running time has no place on the clock.
 *
 * times are the buffer's. Call it from the streaming thread, without the element's object lock. */
GstCcaUtc gst_cca_utc_of_frame (GstElement *element, GstBuffer *buffer, const GstCcaMessageTimes *times,
                                GstClockTime start_utc);

/* Formats a valid UTC by RFC 3339 with microseconds, such as 2026-11-23T09:00:00.123456Z. Free it with g_free(). */
gchar *gst_cca_utc_to_string (GstClockTime utc);

/* Parses an ISO 8601 date and time with zone, such as 2026-11-23T09:00:00.5Z or 2026-11-23T10:00:00.5+01:00. Returns
 * GST_CLOCK_TIME_NONE if text is not one, is NULL, or is before 1970. */
GstClockTime gst_cca_utc_from_string (const gchar *text);

/* The error for a text that is none, as of printf(): the option's name and the text. */
#define GST_CCA_NOT_UTC                                                                                                \
  "%s is '%s', which is not a date and time with zone since 1970; write it as in 2026-11-23T09:00:00Z"

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
