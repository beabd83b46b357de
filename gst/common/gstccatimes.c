/* gst-cca: a stream's times: in element messages, by the world's clock, and where time stamps may be wrong
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatimes.h"

#include "gstccalists.h"

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

GstClockTime
gst_cca_buffer_duration (GstBuffer *buffer, GstClockTime of_caps)
{
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    return GST_BUFFER_DURATION (buffer);
  return GST_CLOCK_TIME_IS_VALID (of_caps) ? of_caps : GST_SECOND / 30;
}

/* --- UTC ---------------------------------------------------------------------------------------------- */

/* From NTP's epoch, 1900, to that of Unix, 1970: 70 years with 17 leap days. */
#define NTP_TO_UNIX (G_GUINT64_CONSTANT (25567) * 24 * 3600 * GST_SECOND)

static GstCaps *
ntp_caps (void)
{
  static GstStaticCaps caps = GST_STATIC_CAPS ("timestamp/x-ntp");

  return gst_static_caps_get (&caps);
}

static GstCaps *
unix_caps (void)
{
  static GstStaticCaps caps = GST_STATIC_CAPS ("timestamp/x-unix");

  return gst_static_caps_get (&caps);
}

/* Returns the source that a reference of type timestamp/x-unix names, as frames of an index have it. */
static const gchar *
named_source (const GstCaps *reference)
{
  static const gchar *const sources[] = { "ntp", "unix", "start", "clock" };
  const gchar *name = gst_structure_get_string (gst_caps_get_structure (reference, 0), "source");

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (g_strcmp0 (name, sources[i]) == 0)
      return sources[i];
  return "unix";
}

/* Returns a timestamp that the buffer refers to, less that of 1970, and sets *source if that is known. */
static GstClockTime
reference_utc (GstBuffer *buffer, GstCaps *reference, GstClockTime epoch, const gchar **source)
{
  const GstReferenceTimestampMeta *meta = gst_buffer_get_reference_timestamp_meta (buffer, reference);

  gst_caps_unref (reference);
  if (!meta || !GST_CLOCK_TIME_IS_VALID (meta->timestamp) || meta->timestamp < epoch)
    return GST_CLOCK_TIME_NONE;
  *source = named_source (meta->reference);
  return meta->timestamp - epoch;
}

static GstClockTime
start_utc_of (GstClockTime start_utc, GstClockTime stream_time)
{
  if (!GST_CLOCK_TIME_IS_VALID (start_utc) || !GST_CLOCK_TIME_IS_VALID (stream_time)
      || stream_time >= GST_CLOCK_TIME_NONE - start_utc)
    return GST_CLOCK_TIME_NONE;
  return start_utc + stream_time;
}

static gboolean
is_playing (GstElement *element)
{
  gboolean playing;

  GST_OBJECT_LOCK (element);
  playing = GST_STATE (element) == GST_STATE_PLAYING;
  GST_OBJECT_UNLOCK (element);
  return playing;
}

static GstClockTime
clock_utc (GstElement *element, GstClockTime running_time)
{
  GstClockTime now;
  GstClockTimeDiff age;
  gint64 utc;

  if (!GST_CLOCK_TIME_IS_VALID (running_time) || !is_playing (element))
    return GST_CLOCK_TIME_NONE;
  now = gst_element_get_current_running_time (element);
  if (!GST_CLOCK_TIME_IS_VALID (now))
    return GST_CLOCK_TIME_NONE;
  age = GST_CLOCK_DIFF (running_time, now);
  utc = g_get_real_time () * GST_USECOND;
  return age > utc ? GST_CLOCK_TIME_NONE : (GstClockTime) (utc - age);
}

GstCcaUtc
gst_cca_utc_of_frame (GstElement *element, GstBuffer *buffer, const GstCcaMessageTimes *times, GstClockTime start_utc)
{
  const gchar *source;
  GstClockTime utc = reference_utc (buffer, ntp_caps (), NTP_TO_UNIX, &source);

  if (GST_CLOCK_TIME_IS_VALID (utc))
    return (GstCcaUtc) { utc, "ntp" };
  utc = reference_utc (buffer, unix_caps (), 0, &source);
  if (GST_CLOCK_TIME_IS_VALID (utc))
    return (GstCcaUtc) { utc, source };
  utc = start_utc_of (start_utc, times->stream_time);
  if (GST_CLOCK_TIME_IS_VALID (utc))
    return (GstCcaUtc) { utc, "start" };
  utc = clock_utc (element, times->running_time);
  if (GST_CLOCK_TIME_IS_VALID (utc))
    return (GstCcaUtc) { utc, "clock" };
  return (GstCcaUtc) { GST_CLOCK_TIME_NONE, NULL };
}

gchar *
gst_cca_utc_to_string (GstClockTime utc)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc ((gint64) (utc / GST_SECOND));

  return g_strdup_printf ("%04d-%02d-%02dT%02d:%02d:%02d.%06uZ", g_date_time_get_year (time),
                          g_date_time_get_month (time), g_date_time_get_day_of_month (time),
                          g_date_time_get_hour (time), g_date_time_get_minute (time), g_date_time_get_second (time),
                          (guint) (utc % GST_SECOND / GST_USECOND));
}

GstClockTime
gst_cca_utc_from_string (const gchar *text)
{
  g_autoptr (GDateTime) time = text ? g_date_time_new_from_iso8601 (text, NULL) : NULL;
  gint64 seconds;

  if (!time)
    return GST_CLOCK_TIME_NONE;
  seconds = g_date_time_to_unix (time);
  /* The range of GstClockTime: until the year 2554. */
  if (seconds < 0 || (guint64) seconds >= GST_CLOCK_TIME_NONE / GST_SECOND)
    return GST_CLOCK_TIME_NONE;
  return (GstClockTime) seconds * GST_SECOND + (GstClockTime) g_date_time_get_microsecond (time) * GST_USECOND;
}

/* --- Clock ------------------------------------------------------------------------------------------- */

#define LARGEST_STEP_BACK GST_SECOND
#define LARGEST_STEP (10 * GST_SECOND)
#define LARGEST_GROWTH 10 /* of a step that is larger */

/* Whether a stamp may be the one behind a frame, in a stream of steps like this. */
static gboolean
follows (const GstCcaClockFrame *frame, GstClockTime stamp, GstClockTime step)
{
  if (stamp < frame->stamp)
    return frame->stamp - stamp <= LARGEST_STEP_BACK;
  return stamp - frame->stamp <= LARGEST_STEP || (stamp - frame->stamp) / LARGEST_GROWTH <= step;
}

static gboolean
leaps_ahead (const GstCcaClock *clock)
{
  return clock->doubts && clock->doubted.stamp > clock->believed.stamp;
}

static void
accept_stamp (GstCcaClock *clock, GstClockTime stamp, GstClockTime time)
{
  clock->believed = (GstCcaClockFrame) { stamp, time };
  clock->time = time;
  clock->doubts = FALSE;
}

/* Takes a stamp that follows the last accepted one. */
static GstCcaClockStep
take_next (GstCcaClock *clock, GstClockTime stamp)
{
  const gboolean was_ahead = leaps_ahead (clock);

  if (stamp > clock->believed.stamp) {
    const GstClockTime step = stamp - clock->believed.stamp, passed = clock->time - clock->believed.time;

    clock->step = step;
    accept_stamp (clock, stamp, clock->believed.time + MAX (step, passed));
  } else {
    accept_stamp (clock, clock->believed.stamp, clock->time);
  }
  return was_ahead ? GST_CCA_CLOCK_WAS_AHEAD : GST_CCA_CLOCK_GOES_ON;
}

/* Whether a stamp continues from the doubted one. After a leap ahead, steps may be as large as the leap. */
static gboolean
confirms (const GstCcaClock *clock, GstClockTime stamp)
{
  const GstClockTime step = leaps_ahead (clock) ? clock->doubted.stamp - clock->believed.stamp : clock->step;

  return clock->doubts && follows (&clock->doubted, stamp, step);
}

/* Takes a stamp that confirms the one that was doubted. */
static void
take_confirmed (GstCcaClock *clock, GstClockTime stamp)
{
  const GstCcaClockFrame from = leaps_ahead (clock) ? clock->believed : clock->doubted;
  const GstClockTime step = stamp > from.stamp ? stamp - from.stamp : 0, passed = clock->time - from.time;

  if (stamp > clock->doubted.stamp)
    clock->step = stamp - clock->doubted.stamp;
  accept_stamp (clock, stamp, from.time + MAX (step, passed));
}

static GstCcaClockStep
doubt (GstCcaClock *clock, GstClockTime stamp)
{
  clock->time += clock->step;
  clock->doubted = (GstCcaClockFrame) { stamp, clock->time };
  clock->doubts = TRUE;
  return stamp < clock->believed.stamp ? GST_CCA_CLOCK_WENT_BACK : GST_CCA_CLOCK_GOES_ON;
}

GstCcaClockStep
gst_cca_clock_advance (GstCcaClock *clock, GstClockTime stamp, GstClockTime duration)
{
  if (!GST_CLOCK_TIME_IS_VALID (stamp))
    stamp = clock->started ? (clock->doubts ? clock->doubted.stamp : clock->believed.stamp) + duration : 0;
  if (!clock->started) {
    clock->started = TRUE;
    clock->step = 0;
    accept_stamp (clock, stamp, stamp);
    return GST_CCA_CLOCK_GOES_ON;
  }
  if (follows (&clock->believed, stamp, clock->step))
    return take_next (clock, stamp);
  if (!confirms (clock, stamp))
    return doubt (clock, stamp);
  take_confirmed (clock, stamp);
  return GST_CCA_CLOCK_GOES_ON;
}
