/* gst-cca: rules: tracks that stay in a zone: dwelling, left and removed objects
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

static void
test_dwell (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->dwell = 2 * SECOND;
  stand (film, 1, 150, 150, 2);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell zone 1");
  walk (film, 1, 150, 150, 180, 180, 100);
  assert_told (film, "");
  /* Out and in again: another stay. */
  show_track (film, 1, 50, 50);
  assert_told (film, "leave zone 1");
  stand (film, 1, 150, 150, 2);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell zone 1");
  g_string_truncate (film->told, 0);
}

/* Time counts, not frames. */
static void
test_dwell_over_dropped_frames (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->dwell = 2 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  film->time += 2 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell zone 1");
}

static void
test_left (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->left = 3 * SECOND;
  /* Someone walks for longer than that. */
  walk (film, 1, 110, 150, 190, 150, 50);
  walk (film, 1, 190, 150, 110, 150, 50);
  assert_told (film, "enter zone 1");
  /* Someone puts something down; it jitters. */
  for (guint i = 0; i <= 75; i++) {
    put (film, 1, 110, 150);
    put (film, 2, 150 + i % 3, 150)->area = 100;
    show (film);
  }
  assert_told (film, "enter zone 2, left zone 1, left zone 2");
  /* Told once a stop; it is pushed a little and stops again. */
  stand (film, 2, 151, 150, 5);
  assert_told (film, "leave zone 1");
  stand (film, 2, 160, 150, 3.2);
  assert_told (film, "left zone 2");
}

/* Standing still counts from where both is true: still, and inside. */
static void
test_left_counts_inside (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->left = 2 * SECOND;
  rule->radius = 20;
  stand (film, 1, 95, 150, 5);
  assert_told (film, "");
  stand (film, 1, 102, 150, 2);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 102, 150);
  assert_told (film, "left zone 1");
}

/* An object that is seen only now and then counts as standing there in between, for any time. */
static void
test_left_seen_seldom (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->left = 15 * SECOND;
  for (guint i = 0; i < 4; i++) {
    show_track (film, 1, 150, 150 + i % 2);
    assert_told (film, i == 0 ? "enter zone 1" : i == 3 ? "left zone 1" : "");
    hide_track (film, 1, 150, 150, 5 * 25 - 1);
  }
  /* Found elsewhere in the zone, it has moved. */
  show_track (film, 1, 120, 150);
  hide_track (film, 1, 120, 150, 5 * 25 - 1);
  show_track (film, 1, 120, 150);
  assert_told (film, "");
}

static void
test_left_of_a_size (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->left = 1 * SECOND;
  rule->max_area = 200;
  for (guint i = 0; i < 50; i++) {
    put (film, 1, 120, 150);
    put (film, 2, 150, 150)->area = 100;
    show (film);
  }
  assert_told (film, "enter zone 2, left zone 2");
}

/* A still track of the zone's size and place is the ghost of the guarded object, which is gone. */
static void
test_removed (void)
{
  const GstCcaPosition around[] = { { 138, 108 }, { 162, 108 }, { 162, 152 }, { 138, 152 } };
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_new ();

  rule = add_rule (film, GST_CCA_RULES_ZONE, "statue", around, 4);
  rule->removed = 2 * SECOND;
  rule->left = 1 * SECOND;
  rule->births = FALSE;
  /* Someone passes by. */
  walk (film, 1, 100, 150, 200, 150, 100);
  assert_told (film, "enter statue 1, leave statue 1");
  /* Someone stands beside it, at its foot and half in front of it. */
  stand (film, 1, 170, 180, 4);
  assert_told (film, "");
  /* Something that is much larger than the zone stops in front of it. */
  for (guint i = 0; i < 100; i++) {
    put (film, 2, 150, 150)->box = (GstCcaBox) { { 50, 50 }, { 250, 250 } };
    show (film);
  }
  assert_told (film, "");
  /* Something small is put there. */
  for (guint i = 0; i < 100; i++) {
    put (film, 3, 150, 150)->box = (GstCcaBox) { { 145, 140 }, { 155, 150 } };
    show (film);
  }
  assert_told (film, "left statue 3");
  /* The place itself differs from the background; its lower side may even lie outside. */
  for (guint i = 0; i < 100; i++) {
    put (film, 4, 150, 154);
    show (film);
  }
  assert_told (film, "removed statue 4");
}

TESTS_MAIN ("/rules-dwell", test_dwell, test_dwell_over_dropped_frames, test_left, test_left_counts_inside,
            test_left_seen_seldom, test_left_of_a_size, test_removed)
