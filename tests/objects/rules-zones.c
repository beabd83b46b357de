/* gst-cca: rules: tracks enter and leave zones by their anchor, size and overlap
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

static void
test_enter_leave (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  walk (film, 1, 50, 150, 150, 150, 10);
  assert_told (film, "enter zone 1");
  assert_counts (film, 0, 1, 0, 1);
  walk (film, 1, 150, 150, 250, 150, 10);
  assert_told (film, "leave zone 1");
  assert_counts (film, 0, 1, 1, 0);
}

static void
test_event (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);
  const GstCcaRulesEvent *events;
  gsize n_events;
  GstCcaRulesFrame frame = { 0, 1000, 500, 0.0, FALSE, film->tracks, 1 };

  film->engine = gst_cca_rules_new (&film->params);
  put (film, 7, 150, 150);
  g_assert_true (gst_cca_rules_run (film->engine, &frame, &events, &n_events));
  g_assert_cmpuint (n_events, ==, 1);
  g_assert_cmpint (events[0].type, ==, GST_CCA_RULES_ENTER);
  g_assert_cmpuint (events[0].rule, ==, 0);
  g_assert_cmpuint (events[0].track, ==, 7);
  g_assert_cmpint (events[0].direction, ==, 0);
  g_assert_cmpfloat (events[0].position.x, ==, 150.0);
  g_assert_cmpfloat (events[0].position.y, ==, 150.0);
  g_assert_cmpuint (events[0].dwell, ==, 0);
  g_assert_cmpuint (events[0].counts.n_in, ==, 1);
  g_assert_cmpuint (events[0].occupancy, ==, 1);
  frame.time = 3 * SECOND;
  film->n = 0;
  put (film, 7, 250, 160);
  g_assert_true (gst_cca_rules_run (film->engine, &frame, &events, &n_events));
  g_assert_cmpuint (n_events, ==, 1);
  g_assert_cmpint (events[0].type, ==, GST_CCA_RULES_LEAVE);
  g_assert_cmpuint (events[0].dwell, ==, 3 * SECOND);
  g_assert_cmpfloat (events[0].position.x, ==, 250.0);
  g_assert_cmpuint (events[0].counts.n_out, ==, 1);
  g_assert_cmpuint (events[0].occupancy, ==, 0);
}

static void
test_jitter_on_border (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  show_track (film, 1, 90, 150);
  for (guint i = 0; i < 100; i++)
    show_track (film, 1, i % 2 ? 96 : 104, 150);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 94, 150);
  assert_told (film, "leave zone 1");
}

/* Narrower than the band. */
static void
test_narrow_zone (void)
{
  const GstCcaPosition slit[] = { { 100, 100 }, { 103, 100 }, { 103, 200 }, { 100, 200 } };
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "slit", slit, 4);
  walk (film, 1, 90, 150, 115, 150, 25);
  assert_told (film, "enter slit 1, leave slit 1");
}

/* The notch of a U does not belong to it. */
static void
test_concave (void)
{
  const GstCcaPosition u[] = { { 100, 100 }, { 140, 100 }, { 140, 180 }, { 160, 180 },
                               { 160, 100 }, { 200, 100 }, { 200, 200 }, { 100, 200 } };
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "u", u, G_N_ELEMENTS (u))->band = 0.0;
  walk (film, 1, 90, 150, 210, 150, 60);
  assert_told (film, "enter u 1, leave u 1, enter u 1, leave u 1");
  show_track (film, 2, 150, 150);
  assert_told (film, "");
}

static void
test_anchor (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  /* The centre is 20 above the lower side. */
  rule->anchor = GST_CCA_RULES_CENTER;
  show_track (film, 1, 150, 115);
  assert_told (film, "");
  show_track (film, 1, 150, 120);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 150, 220);
  assert_told (film, "");
  show_track (film, 1, 150, 226);
  assert_told (film, "leave zone 1");
}

static void
test_overlap (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->anchor = GST_CCA_RULES_OVERLAP;
  rule->overlap = 0.5;
  show_track (film, 1, 99, 180); /* 9 of 20 pixels */
  assert_told (film, "");
  show_track (film, 1, 100, 180);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 95, 180);
  assert_told (film, "");
  show_track (film, 1, 94, 180);
  assert_told (film, "leave zone 1");
  film_free (film);

  film = film_with_zone (&rule);
  rule->anchor = GST_CCA_RULES_OVERLAP;
  rule->overlap = 0.0;
  show_track (film, 1, 90, 180); /* side by side */
  assert_told (film, "");
  show_track (film, 1, 90.5, 180);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 90, 180);
  assert_told (film, "leave zone 1");
  film_free (film);
}

static void
test_birth_and_death_inside (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  stand (film, 1, 150, 150, 1);
  assert_told (film, "enter zone 1");
  show (film);
  assert_told (film, "leave zone 1");
  assert_counts (film, 0, 1, 1, 0);
  film_free (film);

  /* Only those over the border count; the others are inside all the same. */
  film = film_with_zone (&rule);
  rule->births = FALSE;
  rule->dwell = SECOND;
  stand (film, 1, 150, 150, 2);
  assert_told (film, "dwell zone 1");
  assert_counts (film, 0, 0, 0, 1);
  walk (film, 1, 150, 150, 250, 150, 5);
  assert_told (film, "leave zone 1");
  walk (film, 1, 250, 150, 150, 150, 5);
  assert_told (film, "enter zone 1");
  show (film);
  assert_told (film, "");
  assert_counts (film, 0, 1, 1, 0);
  film_free (film);
}

/* Two tracks become one, and two again. */
static void
test_merged_ids (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  for (guint i = 0; i < 5; i++) {
    put (film, 1, 120 + i, 150);
    put (film, 2, 180 - i, 150);
    show (film);
  }
  assert_told (film, "enter zone 1, enter zone 2");
  stand (film, 1, 150, 150, 1);
  assert_told (film, "leave zone 2");
  assert_counts (film, 0, 2, 1, 1);
  put (film, 1, 120, 150);
  put (film, 3, 180, 150);
  show (film);
  assert_told (film, "enter zone 3");
  assert_counts (film, 0, 3, 1, 2);
  show (film);
  assert_told (film, "leave zone 1, leave zone 3");
  assert_counts (film, 0, 3, 3, 0);
}

static void
test_sizes (void)
{
  static const struct
  {
    gdouble min_area, max_area, min_width, max_width, min_height, max_height;
    gboolean fits;
  } cases[] = {
    { 500, 500, 20, 20, 40, 40, TRUE }, { 501, 0, 0, 0, 0, 0, FALSE }, { 0, 499, 0, 0, 0, 0, FALSE },
    { 0, 0, 21, 0, 0, 0, FALSE },       { 0, 0, 0, 19, 0, 0, FALSE },  { 0, 0, 0, 0, 41, 0, FALSE },
    { 0, 0, 0, 0, 0, 39, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = film_new ();

    add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
    add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
    for (guint j = 0; j < 2; j++) {
      film->rules[j].min_area = cases[i].min_area;
      film->rules[j].max_area = cases[i].max_area;
      film->rules[j].min_width = cases[i].min_width;
      film->rules[j].max_width = cases[i].max_width;
      film->rules[j].min_height = cases[i].min_height;
      film->rules[j].max_height = cases[i].max_height;
    }
    walk (film, 1, 150, 150, 150, 350, 20);
    assert_told (film, cases[i].fits ? "enter zone 1, leave zone 1, cross gate 1 forward" : "");
  }
}

/* A track that enters stays inside, whatever its size becomes; one that is too small at first enters later. */
static void
test_sizes_inside (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->min_area = 400;
  put (film, 1, 150, 150)->area = 300;
  show (film);
  assert_told (film, "");
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  put (film, 1, 150, 150)->area = 300;
  show (film);
  assert_told (film, "");
  show_track (film, 1, 250, 150);
  assert_told (film, "leave zone 1");
}

static void
test_coasting (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  rule->dwell = SECOND;
  /* Predicted to enter, seen elsewhere. */
  show_track (film, 1, 90, 150);
  coast (film, 1, 150, 150);
  show (film);
  show_track (film, 1, 80, 150);
  assert_told (film, "");
  /* Seen inside again. */
  coast (film, 1, 120, 150);
  show (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  /* Predicted to leave; dwelling is told when it is seen again. */
  for (guint i = 0; i < 50; i++) {
    coast (film, 1, 150 + 10 * i, 150);
    show (film);
  }
  assert_told (film, "");
  assert_counts (film, 0, 1, 0, 1);
  show_track (film, 1, 160, 150);
  assert_told (film, "dwell zone 1");
  /* It ends where it was last seen. */
  coast (film, 1, 500, 150);
  show (film);
  show (film);
  assert_told (film, "leave zone 1");
  /* A track whose first listing is coasting has no place. */
  coast (film, 2, 150, 150);
  show (film);
  assert_told (film, "");
  show (film);
  assert_told (film, "");
}

/* A track that is found where its motion does not lead is judged as one that ended and one that began. */
static void
test_found_elsewhere (void)
{
  for (guint births = 0; births < 2; births++) {
    GstCcaRulesRule *rule;
    g_autoptr (Film) film = film_with_zone (&rule);

    rule->births = births;
    rule->dwell = SECOND;
    show_track (film, 1, 50, 150);
    hide_track (film, 1, 60, 150, 5);
    show_track (film, 1, 150, 150);
    assert_told (film, births ? "enter zone 1" : "");
    assert_counts (film, 0, births, 0, 1);
    /* It stays, wherever in the zone it is found. */
    hide_track (film, 1, 150, 150, 5);
    show_track (film, 1, 195, 150);
    assert_told (film, "");
    stand (film, 1, 195, 150, 1.0);
    assert_told (film, "dwell zone 1");
    hide_track (film, 1, 195, 150, 5);
    assert_told (film, "");
    show_track (film, 1, 300, 150);
    assert_told (film, births ? "leave zone 1" : "");
    assert_counts (film, 0, births, births, 0);
    /* It was outside, so it enters. */
    walk (film, 1, 250, 150, 150, 150, 10);
    assert_told (film, "enter zone 1");
    /* And leaves, as its motion says. */
    show_moving (film, 1, 150, 150, 200, 0);
    hide_track (film, 1, 195, 150, 11);
    show_track (film, 1, 246, 150);
    assert_told (film, "leave zone 1");
  }
}

/* It has not come from the zone where it was last seen. */
static void
test_found_elsewhere_flows (void)
{
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "one", square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "two", far_square, 4);
  show_moving (film, 1, 150, 150, 200, 0);
  hide_track (film, 1, 200, 150, 24);
  show_track (film, 1, 350, 150);
  assert_told (film, "enter one 1, leave one 1, enter two 1");
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 0, 1), ==, 1);
  hide_track (film, 1, 350, 150, 24);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter one 1, leave two 1");
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 1, 0), ==, 0);
}

static void
test_whole_frame (void)
{
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);
  show_track (film, 1, 0, 0);
  assert_told (film, "enter all 1");
  show_track (film, 1, 1000, 500);
  show_track (film, 1, 1010, 520);
  assert_told (film, "");
  assert_counts (film, 0, 1, 0, 1);
}

TESTS_MAIN ("/rules-zones", test_enter_leave, test_event, test_jitter_on_border, test_narrow_zone, test_concave,
            test_anchor, test_overlap, test_birth_and_death_inside, test_merged_ids, test_sizes, test_sizes_inside,
            test_coasting, test_found_elsewhere, test_found_elsewhere_flows, test_whole_frame)
