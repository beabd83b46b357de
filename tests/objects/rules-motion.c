/* gst-cca: rules: motion in a zone begins and ends; a change of the whole scene triggers no event
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

static void
test_motion (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->motion_on = 1 * SECOND;
  rule->motion_off = 2 * SECOND;
  /* Too short. */
  stand (film, 1, 150, 150, 1);
  show (film);
  assert_told (film, "enter zone 1, leave zone 1");
  /* One after the other, without a gap. */
  stand (film, 2, 150, 150, 0.6);
  stand (film, 3, 150, 150, 0.6);
  assert_told (film, "enter zone 2, leave zone 2, enter zone 3, motion-on zone 3");
  /* A gap that is too short to end it. */
  for (guint i = 0; i < 49; i++)
    show (film);
  assert_told (film, "leave zone 3");
  stand (film, 4, 150, 150, 2);
  assert_told (film, "enter zone 4");
  for (guint i = 0; i < 50; i++)
    show (film);
  assert_told (film, "leave zone 4");
  show (film);
  assert_told (film, "motion-off zone 0");
  for (guint i = 0; i < 100; i++)
    show (film);
}

static void
test_motion_at_once (void)
{
  g_autoptr (Film) film = film_new ();
  GstCcaRulesRule *rule = add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);

  rule->motion_on = rule->motion_off = 0;
  show (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter all 1, motion-on all 1");
  show (film);
  assert_told (film, "leave all 1, motion-off all 0");
}

/* Motion outlasts a flush, and ends after its time. */
static void
test_motion_over_flush (void)
{
  g_autoptr (Film) film = film_new ();
  GstCcaRulesRule *rule = add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);

  rule->motion_on = 0;
  rule->motion_off = SECOND;
  film->time = 100 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter all 1, motion-on all 1");
  gst_cca_rules_forget (film->engine);
  film->time = 0;
  for (guint i = 0; i < 25; i++)
    show (film);
  assert_told (film, "");
  show (film);
  assert_told (film, "motion-off all 0");
}

/* A light is switched on: tracks begin, cross, stand and end while half of the frame is foreground, and a second
 * after. */
static void
test_scene_change (void)
{
  g_autoptr (Film) film = busy_film ();

  for (guint i = 0; i < 25; i++)
    show (film);
  film->coverage = 0.7;
  walk (film, 1, 150, 150, 150, 350, 10);
  film->coverage = 0.0;
  walk (film, 1, 150, 350, 150, 250, 3);
  stand (film, 2, 150, 150, 0.7);
  assert_told (film, "");
  assert_counts (film, 0, 0, 0, 1);
  assert_counts (film, 1, 0, 0, 0);
  /* The change is over: tracks inside continue, without having entered. */
  stand (film, 2, 150, 150, 0.3);
  assert_told (film, "dwell zone 2, left zone 2, motion-on zone 2");
  walk (film, 2, 150, 150, 150, 350, 10);
  assert_told (film, "leave zone 2, motion-off zone 0, cross gate 2 forward");
}

/* The same by the tracks' own areas. */
static void
test_scene_change_by_tracks (void)
{
  g_autoptr (Film) film = busy_film ();

  film->coverage = -1.0;
  for (guint i = 0; i < 25; i++)
    show (film);
  put (film, 1, 150, 150)->area = 300000;
  show (film);
  show (film);
  assert_told (film, "");
  assert_counts (film, 0, 0, 0, 0);
}

static void
test_scene_change_told (void)
{
  g_autoptr (Film) film = busy_film ();
  const GstCcaRulesEvent *events;
  gsize n_events = 1;

  show_track (film, 1, 50, 150);
  put (film, 1, 150, 150);
  g_assert_true (gst_cca_rules_run (film->engine,
                                    &(GstCcaRulesFrame) { film->time, 1000, 500, 0.0, TRUE, film->tracks, film->n },
                                    &events, &n_events));
  g_assert_cmpuint (n_events, ==, 0);
  film->time += SECOND;
  film->n = 0;
  show_track (film, 1, 50, 150);
  assert_told (film, "leave zone 1");
}

/* Foreground that always covers most of the frame is no change of the scene; a level that stays becomes usual. */
static void
test_scene_covers_frame (void)
{
  Film *film = busy_film ();

  film->coverage = 0.8;
  show_track (film, 1, 50, 150);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film_free (film);

  film = busy_film ();
  show (film);
  film->coverage = 0.8;
  stand (film, 1, 150, 150, 10);
  assert_told (film, "");
  for (guint i = 0; i < 10 * 25; i++)
    show (film);
  show_track (film, 1, 50, 150);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film_free (film);

  /* Rise 1 never is. */
  film = busy_film ();
  film->params.rise = 1.0;
  show (film);
  film->coverage = 1.0;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film_free (film);
}

/* Tracks that the change tears about have crossed nothing. */
static void
test_scene_change_moves_tracks (void)
{
  g_autoptr (Film) film = busy_film ();

  walk (film, 1, 150, 250, 150, 280, 5);
  film->coverage = 0.9;
  show_track (film, 1, 150, 320);
  film->coverage = 0.0;
  stand (film, 1, 150, 320, 2);
  assert_told (film, "");
  walk (film, 1, 150, 320, 150, 280, 5);
  assert_told (film, "cross gate 1 backward");
}

/* The times of motion begin anew behind a change. */
static void
test_scene_change_in_motion (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->motion_on = 2 * SECOND;
  rule->motion_off = SECOND;
  stand (film, 1, 150, 150, 1);
  assert_told (film, "enter zone 1");
  film->coverage = 0.9;
  stand (film, 1, 150, 150, 0.2);
  film->coverage = 0.0;
  stand (film, 1, 150, 150, 2.9);
  assert_told (film, "");
  stand (film, 1, 150, 150, 0.2);
  assert_told (film, "motion-on zone 1");
}

/* The camera is covered: zones are empty, no events are told, and tracks that are there afterwards begin anew. */
static void
test_pause (void)
{
  g_autoptr (Film) film = busy_film ();

  walk (film, 1, 50, 150, 150, 150, 5);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film->paused = TRUE;
  film->coverage = 0.9;
  walk (film, 1, 150, 150, 150, 350, 10);
  walk (film, 2, 50, 150, 150, 150, 10);
  assert_told (film, "");
  assert_counts (film, 0, 1, 0, 0);
  assert_counts (film, 1, 0, 0, 0);
  film->paused = FALSE;
  film->coverage = 0.0;
  stand (film, 2, 150, 150, 0.9);
  assert_told (film, "");
  assert_counts (film, 0, 1, 0, 1);
  /* As after a change of the scene. Motion was on before, and still is. */
  stand (film, 2, 150, 150, 0.2);
  assert_told (film, "dwell zone 2, left zone 2");
  walk (film, 2, 150, 150, 150, 350, 10);
  assert_told (film, "leave zone 2, motion-off zone 0, cross gate 2 forward");
}

/* A pause from the first frame on, without a hold time: tracks have not entered, and the coverage of the pause does not
 * become usual. */
static void
test_pause_without_hold (void)
{
  g_autoptr (Film) film = busy_film ();

  film->params.hold = 0;
  film->paused = TRUE;
  film->coverage = 0.9;
  stand (film, 1, 150, 150, 5);
  film->paused = FALSE;
  film->coverage = 0.1;
  show_track (film, 1, 150, 150);
  assert_counts (film, 0, 0, 0, 1);
  film->coverage = 0.9; /* were that usual, nothing would be silent */
  show_track (film, 1, 150, 350);
  assert_told (film, "");
  assert_counts (film, 0, 0, 0, 0);
}

/* How long tracks are inside counts from the end of the pause. */
static void
test_pause_dwell (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->dwell = 4 * SECOND;
  rule->motion_on = 2 * SECOND;
  rule->motion_off = SECOND;
  stand (film, 1, 150, 150, 3);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film->paused = TRUE;
  stand (film, 1, 150, 150, 10);
  film->paused = FALSE;
  stand (film, 1, 150, 150, 3.9);
  assert_told (film, "");
  stand (film, 1, 150, 150, 0.3);
  assert_told (film, "dwell zone 1");
  film->paused = TRUE;
  stand (film, 1, 150, 150, 10);
  film->paused = FALSE;
  for (guint i = 0; i < 45; i++)
    show (film);
  assert_told (film, "");
  for (guint i = 0; i < 10; i++)
    show (film);
  assert_told (film, "motion-off zone 0");
}

TESTS_MAIN ("/rules-motion", test_motion, test_motion_at_once, test_motion_over_flush, test_scene_change,
            test_scene_change_by_tracks, test_scene_change_told, test_scene_covers_frame,
            test_scene_change_moves_tracks, test_scene_change_in_motion, test_pause, test_pause_without_hold,
            test_pause_dwell)
