/* gst-cca: the Kalman filter, compared with closed forms
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <math.h>

#include "../add-tests.h"
#include "gst/track/motion.h"

/* Without process noise the filter is the least-squares line through the measurements; with a vague prior, at times
 * 0…n - 1, the variance of the line's end is r (4 n - 2) / (n (n + 1)) and of its slope 12 r / (n (n² - 1)). */
static void
test_line (void)
{
  const gdouble measured[] = { 3.0, 4.5, 5.0, 7.5, 8.0, 10.5, 10.0, 12.0 }, r = 0.25;
  const gint n = G_N_ELEMENTS (measured);
  gdouble sum = 0.0, sum_t = 0.0, sum_tt = 0.0, sum_tz = 0.0, slope;
  GstCcaKalman kalman;

  gst_cca_kalman_init (&kalman, measured[0], r, 1e8);
  for (gint i = 1; i < n; i++) {
    gst_cca_kalman_predict (&kalman, 1.0, 0.0);
    gst_cca_kalman_update (&kalman, measured[i] - kalman.position, r);
  }
  for (gint i = 0; i < n; i++) {
    sum += measured[i];
    sum_t += i;
    sum_tt += i * i;
    sum_tz += i * measured[i];
  }
  slope = (n * sum_tz - sum_t * sum) / (n * sum_tt - sum_t * sum_t);
  g_assert_cmpfloat_with_epsilon (kalman.velocity, slope, 1e-6);
  g_assert_cmpfloat_with_epsilon (kalman.position, (sum - slope * sum_t) / n + slope * (n - 1), 1e-6);
  g_assert_cmpfloat_with_epsilon (kalman.position_variance, r * (4.0 * n - 2.0) / (n * (n + 1.0)), 1e-6);
  g_assert_cmpfloat_with_epsilon (kalman.velocity_variance, 12.0 * r / (n * (n * n - 1.0)), 1e-6);
}

/* The covariance that white acceleration of density q adds in a time t: q t³ / 3, q t² / 2, q t. */
static void
test_process (void)
{
  const gdouble q = 2.0, t = 1.5;
  GstCcaKalman kalman;

  gst_cca_kalman_init (&kalman, 1.0, 0.5, 4.0);
  kalman.velocity = -3.0;
  gst_cca_kalman_predict (&kalman, t, q);
  g_assert_cmpfloat_with_epsilon (kalman.position, 1.0 - 3.0 * t, 1e-12);
  g_assert_cmpfloat_with_epsilon (kalman.velocity, -3.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (kalman.position_variance, 0.5 + 4.0 * t * t + q * t * t * t / 3.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (kalman.covariance, 4.0 * t + q * t * t / 2.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (kalman.velocity_variance, 4.0 + q * t, 1e-12);
}

static void
test_steps (void)
{
  GstCcaKalman once, often;

  gst_cca_kalman_init (&once, 10.0, 1.0, 9.0);
  once.velocity = 5.0;
  once.covariance = 0.5;
  often = once;
  gst_cca_kalman_predict (&once, 1.0, 7.0);
  for (gint i = 0; i < 10; i++)
    gst_cca_kalman_predict (&often, 0.1, 7.0);
  g_assert_cmpfloat_with_epsilon (once.position, often.position, 1e-9);
  g_assert_cmpfloat_with_epsilon (once.position_variance, often.position_variance, 1e-9);
  g_assert_cmpfloat_with_epsilon (once.covariance, often.covariance, 1e-9);
  g_assert_cmpfloat_with_epsilon (once.velocity_variance, often.velocity_variance, 1e-9);
}

/* For q = r = t = 1 the steady state solves the Riccati equation P = F (P - K H P) F' + Q. Its entry for the velocity
 * is covariance² / (position_variance + 1) = 1. */
static void
test_steady_state (void)
{
  GstCcaKalman kalman, last;

  gst_cca_kalman_init (&kalman, 0.0, 1.0, 1.0);
  for (gint i = 0; i < 200; i++) {
    gst_cca_kalman_update (&kalman, 0.0, 1.0);
    gst_cca_kalman_predict (&kalman, 1.0, 1.0);
  }
  last = kalman;
  gst_cca_kalman_update (&kalman, 0.0, 1.0);
  gst_cca_kalman_predict (&kalman, 1.0, 1.0);
  g_assert_cmpfloat_with_epsilon (kalman.position_variance, last.position_variance, 1e-12);
  g_assert_cmpfloat_with_epsilon (last.covariance * last.covariance, last.position_variance + 1.0, 1e-9);
}

TESTS_MAIN ("/kalman", test_line, test_process, test_steps, test_steady_state)
