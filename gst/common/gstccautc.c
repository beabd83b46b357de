/* gst-cca: when, by the world's clock, a frame was taken
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccautc.h"

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
