/* gst-cca: the time from frame to frame, for stamps as cameras and decoders give them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "../add-tests.h"
#include "gst/track/clock.h"

#define INTERVAL 40000000u /* ns */

static gdouble
step_ms (GstCcaFrameClock *clock, guint64 *stamp, guint64 ns)
{
  *stamp += ns;
  return 1e3 * gst_cca_frame_clock_step (clock, *stamp);
}

/* Begins a stream with some frames at the usual interval. */
static void
begin (GstCcaFrameClock *clock, guint64 *stamp)
{
  *clock = (GstCcaFrameClock) { 0 };
  *stamp = G_MAXUINT64 - 5 * (guint64) INTERVAL; /* it overflows */
  g_assert_cmpfloat (step_ms (clock, stamp, 0), ==, 0.0);
  for (gint i = 0; i < 20; i++)
    g_assert_cmpfloat_with_epsilon (step_ms (clock, stamp, INTERVAL), 40.0, 1e-6);
}

static void
test_regular (void)
{
  GstCcaFrameClock clock;
  guint64 stamp;

  begin (&clock, &stamp);
}

/* What leaves frames out, or has gaps, tells the truth. */
static void
test_dropped (void)
{
  static const guint frames[] = { 1, 4, 1, 5, 2, 1, 250, 1, 1, 3, 1 };
  GstCcaFrameClock clock;
  guint64 stamp;

  begin (&clock, &stamp);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    g_assert_cmpfloat_with_epsilon (step_ms (&clock, &stamp, frames[i] * (guint64) INTERVAL), 40.0 * frames[i], 1e-6);
}

/* Every second frame has the stamp of the one before, or one next to it. */
static void
test_pairs (void)
{
  for (guint64 apart = 0; apart < 3; apart++) {
    GstCcaFrameClock clock;
    guint64 stamp;

    begin (&clock, &stamp);
    for (gint i = 0; i < 50; i++) {
      g_assert_cmpfloat_with_epsilon (step_ms (&clock, &stamp, apart), 40.0, 8.0);
      g_assert_cmpfloat_with_epsilon (step_ms (&clock, &stamp, 2 * INTERVAL - apart), 40.0, 8.0);
    }
  }
}

/* Pairs from the first frame on: the clock cannot know it yet, but soon does. */
static void
test_begins_with_pairs (void)
{
  GstCcaFrameClock clock = { 0 };
  guint64 stamp = 0;

  g_assert_cmpfloat (step_ms (&clock, &stamp, 0), ==, 0.0);
  for (gint i = 0; i < 50; i++) {
    const gdouble first = step_ms (&clock, &stamp, 1), second = step_ms (&clock, &stamp, 2 * INTERVAL - 1);

    if (i > 5) {
      g_assert_cmpfloat_with_epsilon (first, 40.0, 8.0);
      g_assert_cmpfloat_with_epsilon (second, 40.0, 8.0);
    }
  }
}

/* Frames come late, four at a time and a millisecond apart. Meanwhile the clock shows what has passed: no less than
 * half of the interval, and in all no more than the stamps and a burst. */
static void
test_bursts (void)
{
  GstCcaFrameClock clock;
  guint64 stamp, first;
  gdouble sum = 0.0;

  begin (&clock, &stamp);
  first = stamp;
  for (gint i = 0; i < 200; i++) {
    const gdouble ms = step_ms (&clock, &stamp, i % 4 < 3 ? 1000000u : 4 * INTERVAL - 3000000u);

    sum += ms;
    if (i > 20)
      g_assert_cmpfloat (ms, >=, 20.0);
    g_assert_cmpfloat (sum, >=, (stamp - first) / 1e6 - 1e-6);
    g_assert_cmpfloat (sum, <=, (stamp - first) / 1e6 + 160.0);
  }
}

/* After a restart the first frame follows none; the interval is known at once. */
static void
test_restart (void)
{
  GstCcaFrameClock clock;
  guint64 stamp;

  begin (&clock, &stamp);
  gst_cca_frame_clock_restart (&clock);
  g_assert_cmpfloat (step_ms (&clock, &stamp, 3600u * G_GUINT64_CONSTANT (1000000000)), ==, 0.0);
  g_assert_cmpfloat_with_epsilon (step_ms (&clock, &stamp, 0), 40.0, 1e-6);
}

TESTS_MAIN ("/clock", test_regular, test_dropped, test_pairs, test_begins_with_pairs, test_bursts, test_restart)
