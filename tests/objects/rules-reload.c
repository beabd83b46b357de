/* gst-cca: rules: exchanged rules keep the counters and tracks of those that stay
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

/* Exchanges the engine's rules for the film's present ones. */
static void
reload (Film *film)
{
  GstCcaRules *engine = gst_cca_rules_new (&film->params);

  g_assert_true (gst_cca_rules_adopt (engine, film->engine));
  gst_cca_rules_free (film->engine);
  film->engine = engine;
}

static void
test_adopt (void)
{
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "a", square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "b", far_square, 4);
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  walk (film, 1, 150, 150, 350, 150, 10);
  walk (film, 1, 350, 150, 150, 150, 10);
  put (film, 1, 150, 150);
  put (film, 2, 120, 298);
  show (film);
  assert_told (film, "enter a 1, leave a 1, enter b 1, leave b 1, enter a 1");

  /* Another order, another time to dwell, and a new zone in which a track is. */
  film->params.n_rules = 0;
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  add_rule (film, GST_CCA_RULES_ZONE, "c", square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "b", far_square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "a", square, 4)->dwell = 6 * FRAME_NS;
  reload (film);
  assert_counts (film, 3, 2, 1, 1);
  assert_counts (film, 2, 1, 1, 0);
  assert_counts (film, 1, 0, 0, 0);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 3, 2), ==, 1);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 2, 3), ==, 1);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 1, 2), ==, 0);
  /* A crossing that had begun is completed. */
  for (guint i = 0; i < 2; i++) {
    put (film, 1, 150, 150);
    put (film, 2, 120, 302 + 10 * i);
    show (film);
  }
  assert_told (film, "cross gate 2 forward");
  assert_counts (film, 1, 0, 0, 1);
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell a 1");
  show_track (film, 1, 350, 150);
  assert_told (film, "leave c 1, enter b 1, leave a 1");

  /* Another place: counts anew. */
  film->params.n_rules = 0;
  add_rule (film, GST_CCA_RULES_ZONE, "b", square, 4);
  reload (film);
  assert_counts (film, 0, 0, 0, 0);
  show (film);
  assert_told (film, "");
}

/* The usual coverage is kept. */
static void
test_adopt_scene (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  film->coverage = 0.8;
  show_track (film, 1, 50, 150);
  reload (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  film->coverage = 1.0;
  show (film);
  assert_told (film, "leave zone 1");
}

/* Before the first frame, and without rules. */
static void
test_adopt_nothing (void)
{
  g_autoptr (Film) film = film_new ();
  gsize n_points;

  film->engine = gst_cca_rules_new (&film->params);
  reload (film);
  show_track (film, 1, 150, 150);
  add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
  reload (film);
  g_assert_nonnull (gst_cca_rules_points (film->engine, 0, &n_points));
  show_track (film, 1, 150, 150);
  assert_told (film, "");
  assert_counts (film, 0, 0, 0, 1);
  film->params.n_rules = 0;
  reload (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "");
}

TESTS_MAIN ("/rules-reload", test_adopt, test_adopt_scene, test_adopt_nothing)
