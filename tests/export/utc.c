/* gst-cca: the UTC of frames, from each of its sources
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"
#include "gst/common/gstccatimes.h"

#include <gst/check/gsttestclock.h>

/* 2026-11-23T09:00:00Z, and the seconds from 1900 to 1970. */
#define MORNING (G_GUINT64_CONSTANT (1795424400) * GST_SECOND)
#define SINCE_1900 (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)

static const GstCcaMessageTimes unknown_times = { GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE,
                                                  GST_CLOCK_TIME_NONE };

/* --- Text -------------------------------------------------------------------------------------------- */

static void
test_text (void)
{
  static const struct
  {
    GstClockTime utc;
    const gchar *text;
  } cases[] = {
    { 0, "1970-01-01T00:00:00.000000Z" },
    { 999, "1970-01-01T00:00:00.000000Z" },
    { MORNING, "2026-11-23T09:00:00.000000Z" },
    { MORNING + 123456789, "2026-11-23T09:00:00.123456Z" },
    { MORNING - 1, "2026-11-23T08:59:59.999999Z" },
    { 1709210096 * GST_SECOND, "2024-02-29T12:34:56.000000Z" },
    { GST_CLOCK_TIME_NONE - 1, "2554-07-21T23:34:33.709551Z" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *text = gst_cca_utc_to_string (cases[i].utc);

    g_assert_cmpstr (text, ==, cases[i].text);
    if (i < G_N_ELEMENTS (cases) - 1) /* the last is later than the latest time that is read */
      g_assert_cmpuint (gst_cca_utc_from_string (text), ==, cases[i].utc / GST_USECOND * GST_USECOND);
  }
}

static void
test_parse (void)
{
  static const struct
  {
    const gchar *text;
    GstClockTime utc;
  } cases[] = {
    { "2026-11-23T09:00:00Z", MORNING },
    { "20261123T090000Z", MORNING },
    { "2026-11-23T10:00:00+01:00", MORNING },
    { "2026-11-23T04:30:00-0430", MORNING },
    { "2026-11-23T09:00:00.5Z", MORNING + GST_SECOND / 2 },
    { "2026-11-23T09:00:00,25Z", MORNING + GST_SECOND / 4 },
    { "1970-01-01T00:00:00Z", 0 },
    { "1969-12-31T23:59:59Z", GST_CLOCK_TIME_NONE },
    { "2600-01-01T00:00:00Z", GST_CLOCK_TIME_NONE },
    { "2026-11-23T09:00:00", GST_CLOCK_TIME_NONE }, /* of which zone? */
    { "2026-11-23", GST_CLOCK_TIME_NONE },
    { "2026-02-30T09:00:00Z", GST_CLOCK_TIME_NONE },
    { "yesterday", GST_CLOCK_TIME_NONE },
    { "\xff\xfe", GST_CLOCK_TIME_NONE },
    { "", GST_CLOCK_TIME_NONE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("case %u", i);
    g_assert_cmpuint (gst_cca_utc_from_string (cases[i].text), ==, cases[i].utc);
  }
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static void
assert_utc (GstCcaUtc is, GstClockTime utc, const gchar *source)
{
  g_assert_cmpuint (is.utc, ==, utc);
  g_assert_cmpstr (is.source, ==, source);
}

static void
test_reference (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("identity", NULL);
  GstCcaMessageTimes times = unknown_times;
  GstBuffer *buffer = gst_buffer_new ();

  times.stream_time = 2 * GST_SECOND;
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, GST_CLOCK_TIME_NONE), GST_CLOCK_TIME_NONE, NULL);
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), MORNING + 2 * GST_SECOND, "start");
  assert_utc (gst_cca_utc_of_frame (element, buffer, &unknown_times, MORNING), GST_CLOCK_TIME_NONE, NULL);
  times.stream_time = GST_CLOCK_TIME_NONE - MORNING;
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), GST_CLOCK_TIME_NONE, NULL);
  times.stream_time = 2 * GST_SECOND;

  /* Of an unknown clock, and of one that does not run yet. */
  test_add_reference (buffer, "timestamp/x-some-camera", MORNING);
  test_add_reference (buffer, "timestamp/x-ntp", 7 * GST_SECOND);
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), MORNING + 2 * GST_SECOND, "start");
  test_add_reference (buffer, "timestamp/x-unix", MORNING + 5);
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), MORNING + 5, "unix");
  gst_buffer_unref (buffer);

  buffer = gst_buffer_new ();
  test_add_reference (buffer, "timestamp/x-unix", MORNING + 5);
  test_add_reference (buffer, "timestamp/x-ntp, host=(string)camera", SINCE_1900 + MORNING + 9);
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), MORNING + 9, "ntp");
  gst_buffer_unref (buffer);

  /* A frame of an index names where its time came from. */
  buffer = gst_buffer_new ();
  test_add_reference (buffer, "timestamp/x-unix, source=(string)clock", MORNING + 5);
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), MORNING + 5, "clock");
  gst_buffer_unref (buffer);
  buffer = gst_buffer_new ();
  test_add_reference (buffer, "timestamp/x-unix, source=(string)sundial", MORNING + 5);
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), MORNING + 5, "unix");
  gst_buffer_unref (buffer);
}

/* A frame of this age, between the two readings of the system's clock. */
static void
assert_clock_utc (GstElement *element, GstClockTime running_time, GstClockTimeDiff age)
{
  GstCcaMessageTimes times = unknown_times;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  gint64 before, after;
  GstCcaUtc utc;

  times.running_time = running_time;
  before = g_get_real_time ();
  utc = gst_cca_utc_of_frame (element, buffer, &times, GST_CLOCK_TIME_NONE);
  after = g_get_real_time ();
  g_assert_cmpstr (utc.source, ==, "clock");
  g_assert_cmpint ((gint64) utc.utc + age, >=, before * GST_USECOND);
  g_assert_cmpint ((gint64) utc.utc + age, <=, after * GST_USECOND);

  /* All others are preferred. */
  times.stream_time = GST_SECOND;
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, MORNING), MORNING + GST_SECOND, "start");
}

static void
assert_no_utc (GstElement *element, GstClockTime running_time)
{
  GstCcaMessageTimes times = unknown_times;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();

  times.running_time = running_time;
  assert_utc (gst_cca_utc_of_frame (element, buffer, &times, GST_CLOCK_TIME_NONE), GST_CLOCK_TIME_NONE, NULL);
}

static void
test_clock (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("identity", NULL);
  g_autoptr (GstClock) clock = gst_test_clock_new_with_start_time (8 * GST_SECOND);

  gst_element_set_base_time (element, 5 * GST_SECOND);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PLAYING), ==, GST_STATE_CHANGE_SUCCESS);
  assert_no_utc (element, GST_SECOND);
  gst_element_set_clock (element, clock);
  assert_clock_utc (element, GST_SECOND, 2 * GST_SECOND);
  assert_clock_utc (element, 3 * GST_SECOND, 0);
  assert_clock_utc (element, 10 * GST_SECOND, -7 * GST_SECOND);
  gst_test_clock_set_time (GST_TEST_CLOCK (clock), 15 * GST_SECOND);
  assert_clock_utc (element, GST_SECOND, 9 * GST_SECOND);
  assert_no_utc (element, GST_CLOCK_TIME_NONE);

  gst_element_set_state (element, GST_STATE_PAUSED);
  assert_no_utc (element, GST_SECOND);
  gst_element_set_state (element, GST_STATE_NULL);
}

GST_TESTS_MAIN ("/utc", test_text, test_parse, test_reference, test_clock)
