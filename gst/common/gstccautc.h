/* gst-cca: when, by the world's clock, a frame was taken
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccatimes.h"

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
