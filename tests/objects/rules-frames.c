/* gst-cca: rules: flushes, times that overflow, and sizes of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

static void
test_forget (void)
{
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  film->time = 100 * SECOND;
  put (film, 1, 150, 150);
  put (film, 2, 150, 280);
  show (film);
  assert_told (film, "enter zone 1");
  gst_cca_rules_forget (film->engine);
  assert_counts (film, 0, 1, 0, 0);
  /* An earlier time; the same ids are other tracks. */
  film->time = 0;
  put (film, 1, 150, 350);
  put (film, 2, 150, 350);
  show (film);
  assert_told (film, "");
}

/* Only differences of times count. */
static void
test_time_overflows (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->dwell = 2 * SECOND;
  film->time = UINT64_MAX - SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  film->width *= 2;
  show (film);
  film->width /= 2;
  stand (film, 2, 150, 150, 1);
  assert_told (film, "");
  stand (film, 2, 150, 150, 1.5);
  assert_told (film, "dwell zone 2");
}

/* The frame size doubles: no track has moved, and tracks of a tracker that begins anew do not enter. */
static void
test_frame_size (void)
{
  const GstCcaPosition relative[] = { { 0.1, 0.2 }, { 0.2, 0.2 }, { 0.2, 0.4 }, { 0.1, 0.4 } };
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_new ();
  gsize n_points;

  rule = add_rule (film, GST_CCA_RULES_ZONE, "zone", relative, 4);
  rule->left = 2 * SECOND;
  rule->min_area = 500 / 500000.0;
  rule->min_width = 20 / 1000.0;
  rule->min_height = 40 / 500.0;
  rule->band = 5 / 500.0;
  film->params.relative = TRUE;
  stand (film, 1, 150, 150, 1);
  assert_told (film, "enter zone 1");
  film->width *= 2;
  film->height *= 2;
  for (guint i = 0; i <= 25; i++) {
    GstCcaObject *track = put (film, 1, 300, 300);

    track->box = (GstCcaBox) { { 280, 220 }, { 320, 300 } };
    track->area *= 4;
    show (film);
  }
  assert_told (film, "left zone 1");
  g_assert_cmpfloat (gst_cca_rules_points (film->engine, 0, &n_points)[2].x, ==, 400.0);
  g_assert_cmpuint (n_points, ==, 4);
  show_track (film, 1, 190, 300);
  assert_told (film, "");
  show_track (film, 1, 189, 300);
  assert_told (film, "leave zone 1");
  /* Too small now. */
  show_track (film, 2, 300, 300);
  assert_told (film, "");
  put (film, 2, 300, 300)->area *= 4;
  film->tracks[0].box = (GstCcaBox) { { 280, 220 }, { 320, 300 } };
  show (film);
  assert_told (film, "enter zone 2");
  film->width /= 2;
  film->height /= 2;
  show (film);
  stand (film, 3, 150, 150, 0.5);
  assert_told (film, "");
  assert_counts (film, 0, 2, 1, 1);
}

/* A track that is not seen while the frame's size changes is where it was, in the new size. */
static void
test_frame_size_while_coasting (void)
{
  g_autoptr (Film) film = film_new ();
  const GstCcaPosition middle[] = { { 0.5, 0.0 }, { 0.5, 1.0 } };

  add_rule (film, GST_CCA_RULES_LINE, "middle", middle, 2);
  film->params.relative = TRUE;
  film->params.hold = 0;
  show_track (film, 1, 600, 250);
  film->width *= 2;
  film->height *= 2;
  coast (film, 1, 1200, 500);
  show (film);
  show_track (film, 1, 1100, 500);
  assert_told (film, "");
  show_track (film, 1, 900, 500);
  assert_told (film, "cross middle 1 forward");
  film->width /= 2;
  film->height /= 2;
  coast (film, 1, 450, 250);
  show (film);
  show_track (film, 1, 450, 250);
  assert_told (film, "");
  /* So does its velocity: found again a second after it was last seen. */
  show_moving (film, 1, 450, 250, 100, 0);
  film->width *= 2;
  film->height *= 2;
  hide_track (film, 1, 900, 500, 24);
  show_track (film, 1, 1100, 500);
  assert_told (film, "cross middle 1 backward");
}

static void
test_reference_size (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);
  gsize n_points;

  film->params.width = 500;
  film->params.height = 1000;
  show_track (film, 1, 300, 75);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 300, 102);
  assert_told (film, "");
  g_assert_cmpfloat (gst_cca_rules_points (film->engine, 0, &n_points)[2].x, ==, 400.0);
  g_assert_cmpfloat (gst_cca_rules_points (film->engine, 0, &n_points)[2].y, ==, 100.0);
}

TESTS_MAIN ("/rules-frames", test_forget, test_time_overflows, test_frame_size, test_frame_size_while_coasting,
            test_reference_size)
