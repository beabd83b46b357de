/* gst-cca: rules: tracks cross lines
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

static void
test_cross (void)
{
  g_autoptr (Film) film = film_with_line ();

  walk (film, 1, 150, 250, 150, 350, 20);
  assert_told (film, "cross gate 1 forward");
  assert_counts (film, 0, 1, 0, 0);
  walk (film, 1, 150, 350, 150, 250, 20);
  assert_told (film, "cross gate 1 backward");
  walk (film, 2, 180, 350, 120, 250, 20);
  assert_told (film, "cross gate 2 backward");
  assert_counts (film, 0, 1, 2, 0);
}

static void
test_jitter_on_line (void)
{
  g_autoptr (Film) film = film_with_line ();

  show_track (film, 1, 150, 280);
  for (guint i = 0; i < 101; i++)
    show_track (film, 1, 150 + i % 7, i % 2 ? 296 : 304);
  assert_told (film, "");
  show_track (film, 1, 150, 306);
  assert_told (film, "cross gate 1 forward");
  /* And back to where it came from. */
  for (guint i = 0; i < 101; i++)
    show_track (film, 1, 150, i % 2 ? 296 : 304);
  show_track (film, 1, 150, 310);
  assert_told (film, "");
}

static void
test_reversal_within_band (void)
{
  g_autoptr (Film) film = film_with_line ();

  walk (film, 1, 150, 250, 150, 304, 20);
  walk (film, 1, 150, 304, 150, 250, 20);
  assert_told (film, "");
}

/* The box of a person who stands on the line grows and shrinks with the foreground; a person who walks back goes
 * farther. A band that the rule sets holds both ways. */
static void
test_back (void)
{
  Film *film = film_with_line ();

  walk (film, 1, 150, 250, 150, 310, 20);
  assert_told (film, "cross gate 1 forward");
  for (guint i = 0; i < 11; i++) {
    show_track (film, 1, 150, 285);
    show_track (film, 1, 150, 310);
  }
  assert_told (film, "");
  show_track (film, 1, 150, 283);
  assert_told (film, "cross gate 1 backward");
  show_track (film, 1, 150, 315);
  assert_told (film, "");
  show_track (film, 1, 150, 317);
  assert_told (film, "cross gate 1 forward");
  film_free (film);

  film = film_new ();
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2)->band = 5.0;
  walk (film, 1, 150, 250, 150, 306, 20);
  show_track (film, 1, 150, 294);
  assert_told (film, "cross gate 1 forward, cross gate 1 backward");
  film_free (film);
}

/* The line counts, not its prolongation. */
static void
test_line_ends (void)
{
  g_autoptr (Film) film = film_with_line ();

  walk (film, 1, 99, 250, 99, 350, 20);
  walk (film, 2, 201, 350, 201, 250, 20);
  /* Round the end. */
  walk (film, 3, 190, 290, 220, 290, 10);
  walk (film, 3, 220, 290, 220, 310, 10);
  walk (film, 3, 220, 310, 190, 310, 10);
  assert_told (film, "");
  /* From beyond the end across the line. */
  walk (film, 4, 220, 290, 170, 310, 10);
  assert_told (film, "cross gate 4 forward");
}

static void
test_corner (void)
{
  const GstCcaPosition bent[] = { { 100, 300 }, { 150, 250 }, { 200, 300 } };

  /* A step ends on the corner, passes it, and runs along an arm. */
  for (guint steps = 1; steps <= 10; steps++) {
    g_autoptr (Film) film = film_new ();

    add_rule (film, GST_CCA_RULES_LINE, "bent", bent, 3);
    walk (film, 1, 150, 200, 150, 300, steps);
    assert_told (film, "cross bent 1 forward");
    walk (film, 1, 150, 300, 150, 200, steps);
    assert_told (film, "cross bent 1 backward");
    /* Over both arms: out again. */
    show_track (film, 3, 90, 280);
    show_track (film, 3, 210, 280);
    assert_told (film, "");
  }
}

static void
test_along_arm (void)
{
  const GstCcaPosition bent[] = { { 100, 300 }, { 150, 250 }, { 200, 300 } };
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_LINE, "bent", bent, 3);
  /* Onto the first arm, along it over the corner, and down on the other side. */
  show_track (film, 1, 110, 260);
  walk (film, 1, 125, 275, 150, 250, 5);
  show_track (film, 1, 150, 290);
  assert_told (film, "cross bent 1 forward");
  /* The same, and up again. */
  show_track (film, 2, 110, 260);
  walk (film, 2, 125, 275, 150, 250, 5);
  show_track (film, 2, 150, 220);
  assert_told (film, "");
}

/* Tracks move on a straight line between two frames. */
static void
test_frame_drop (void)
{
  g_autoptr (Film) film = film_with_line ();

  show_track (film, 1, 150, 200);
  film->time += 3 * SECOND;
  show_track (film, 1, 150, 400);
  assert_told (film, "cross gate 1 forward");
  /* Past the end: the prolongation is crossed, not the line. */
  film->time += 3 * SECOND;
  show_track (film, 1, 400, 200);
  assert_told (film, "");
}

/* A prediction alone never counts; a track that is seen again counts once, in that frame. */
static void
test_coasting_over_line (void)
{
  g_autoptr (Film) film = film_with_line ();

  show_track (film, 1, 150, 280);
  for (guint y = 290; y <= 330; y += 10)
    hide_track (film, 1, 150, y, 1);
  assert_told (film, "");
  show_moving (film, 1, 150, 275, 0, 250);
  assert_told (film, "");
  hide_track (film, 1, 150, 310, 3);
  assert_told (film, "");
  show_track (film, 1, 150, 320);
  assert_told (film, "cross gate 1 forward");
  show_track (film, 1, 150, 330);
  hide_track (film, 1, 150, 250, 1);
  show (film);
  assert_told (film, "");
  assert_counts (film, 0, 1, 0, 0);
}

/* A track that passes behind a pole on the line crosses it, if it keeps its speed, slows down, stops for a while or
 * hurries. */
static void
test_behind_a_pole (void)
{
  static const struct
  {
    gdouble velocity, found; /* pixels a second; y, 0.96 s after it was last seen at 290 */
  } cases[] = { { 50, 338 }, { 50, 312 }, { 50, 370 }, { 100, 386 }, { 20, 310 }, { 0, 309 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = film_with_line ();

    show_moving (film, 1, 150, 290, 0, cases[i].velocity);
    hide_track (film, 1, 150, 300, 23);
    show_moving (film, 1, 150, cases[i].found, 0, cases[i].velocity);
    assert_told (film, "cross gate 1 forward");
  }
}

/* An object that is found where the track's motion does not lead has not crossed the line; from there on it may. */
static void
test_found_elsewhere (void)
{
  static const struct
  {
    gdouble velocity_x, velocity_y, x, y; /* where it is found 0.96 s after it was last seen at (150, 290) */
  } cases[] = {
    { 0, 0, 150, 330 },    /* stood still */
    { 0, 50, 150, 410 },   /* much too fast */
    { 0, -50, 150, 340 },  /* walked away from the line */
    { 50, 0, 150, 340 },   /* walked along it */
    { 0, 50, 195, 338 },   /* beside its way */
    { NAN, NAN, 150, 310 } /* of a tracker that does not know */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = film_with_line ();

    show_moving (film, 1, 150, 290, cases[i].velocity_x, cases[i].velocity_y);
    hide_track (film, 1, 150, 310, 23);
    show_track (film, 1, cases[i].x, cases[i].y);
    assert_told (film, "");
    walk (film, 1, 150, 340, 150, 250, 20);
    assert_told (film, "cross gate 1 backward");
    assert_counts (film, 0, 0, 1, 0);
  }
}

/* A crossing that was seen, but not yet beyond the band, is not completed by a jump. */
static void
test_found_elsewhere_within_band (void)
{
  g_autoptr (Film) film = film_with_line ();

  walk (film, 1, 150, 280, 150, 303, 20);
  hide_track (film, 1, 150, 303, 2);
  show_track (film, 1, 150, 400);
  walk (film, 1, 150, 400, 150, 420, 5);
  assert_told (film, "");
}

/* Of two tracks with the same way, the one that is hidden for longer than the limit does not count. */
static void
test_longest_gap (void)
{
  g_autoptr (Film) film = film_with_line ();

  show_moving (film, 1, 150, 290, 0, 10);
  hide_track (film, 1, 150, 310, 24);
  show_track (film, 1, 150, 320);
  assert_told (film, "cross gate 1 forward");
  show_moving (film, 2, 150, 290, 0, 10);
  hide_track (film, 2, 150, 310, 25);
  show_track (film, 2, 150, 320);
  assert_told (film, "");
}

static void
test_birth_and_death_at_line (void)
{
  g_autoptr (Film) film = film_with_line ();

  /* Begins within the band, before the line; the second behind it. */
  walk (film, 1, 150, 297, 150, 350, 20);
  assert_told (film, "cross gate 1 forward");
  walk (film, 2, 150, 303, 150, 350, 20);
  assert_told (film, "");
  /* Ends within the band. */
  walk (film, 3, 150, 250, 150, 304, 20);
  show (film);
  assert_told (film, "");
  /* Another track continues from there: it has not crossed. */
  walk (film, 4, 150, 304, 150, 350, 20);
  assert_told (film, "");
}

/* Of two tracks that merge on the line, the one that continues counts. */
static void
test_merged_ids_at_line (void)
{
  g_autoptr (Film) film = film_with_line ();

  for (guint i = 0; i < 10; i++) {
    put (film, 1, 140 + i, 280 + 2 * i);
    put (film, 2, 160 - i, 280 + 2 * i);
    show (film);
  }
  walk (film, 1, 150, 298, 150, 350, 10);
  assert_told (film, "cross gate 1 forward");
  assert_counts (film, 0, 1, 0, 0);
}

/* A track goes down to a place where the anchor has not crossed the line, and on to one where it has. */
static void
assert_crosses_by (GstCcaRulesAnchor anchor, gdouble from, gdouble before, gdouble beyond)
{
  g_autoptr (Film) film = film_with_line ();

  film->rules[0].anchor = anchor;
  walk (film, 1, 150, from, 150, before, 20);
  assert_told (film, "");
  show_track (film, 1, 150, beyond);
  assert_told (film, "cross gate 1 forward");
}

static void
test_line_anchor (void)
{
  assert_crosses_by (GST_CCA_RULES_CENTER, 250, 324, 326);
}

/* 7 % of the box's height of 40 pixels are 2.8. */
static void
test_foot (void)
{
  assert_crosses_by (GST_CCA_RULES_FOOT, 280, 307, 309);
}

TESTS_MAIN ("/rules-lines", test_cross, test_jitter_on_line, test_reversal_within_band, test_back, test_line_ends,
            test_corner, test_along_arm, test_frame_drop, test_coasting_over_line, test_behind_a_pole,
            test_found_elsewhere, test_found_elsewhere_within_band, test_longest_gap, test_birth_and_death_at_line,
            test_merged_ids_at_line, test_line_anchor, test_foot)
