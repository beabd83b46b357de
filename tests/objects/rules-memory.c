/* gst-cca: rules: each allocation fails in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

#include "failing-malloc.h"

/* Making rules fails with each of its allocations. */
static void
check_new (const GstCcaRulesParams *params)
{
  GstCcaRules *engine = NULL;

  for (guint i = 1; !engine; i++) {
    n_allocations = 0;
    fail_at = i;
    engine = gst_cca_rules_new (params);
    fail_at = 0;
    g_assert_cmpuint (i, <=, 50);
  }
  gst_cca_rules_free (engine);
}

static void
test_memory (void)
{
  Film *film = busy_film ();
  GstCcaRules *engine;

  check_new (&film->params);
  /* Frames: the first that succeeds after each failure, and what it counts. */
  for (guint i = 1; i <= 3; i++) {
    film->engine = gst_cca_rules_new (&film->params);
    for (guint j = 0; j < 20; j++)
      put (film, j + 1, 150, 150);
    n_allocations = 0;
    fail_at = i;
    g_assert_false (try_frame (film));
    fail_at = 0;
    g_assert_true (try_frame (film));
    assert_counts (film, 0, 20, 0, 20);
    film->n = 0;
    g_string_truncate (film->told, 0);
    /* Going on from one. */
    engine = gst_cca_rules_new (&film->params);
    n_allocations = 0;
    fail_at = MIN (i, 2);
    g_assert_false (gst_cca_rules_adopt (engine, film->engine));
    fail_at = 0;
    gst_cca_rules_free (engine);
    gst_cca_rules_free (film->engine);
  }
  film->engine = NULL;
  film_free (film);
  gst_cca_rules_free (NULL);
}

/* The same of rules that measure: each allocation of the first frame fails, and then it succeeds. */
static void
test_measures (void)
{
  static const GstCcaGround ground = { { 0.05, 0, 0, 0, -0.05, 25, 0, 0, 1 }, { 20, 0, 0, 0, -20, 500, 0, 0, 1 } };
  Film *film = film_new ();
  GstCcaRules *engine;
  gboolean done = FALSE;

  add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4)->crowded = 0;
  film->params.ground = &ground;
  check_new (&film->params);
  for (guint i = 1; !done; i++) {
    gsize n;

    film->engine = gst_cca_rules_new (&film->params);
    for (guint j = 0; j < 20; j++)
      put (film, j + 1, 150, 150);
    n_allocations = 0;
    fail_at = i;
    done = try_frame (film);
    fail_at = 0;
    g_assert_true (try_frame (film));
    assert_counts (film, 0, 20, 0, 20);
    gst_cca_rules_ground_tracks (film->engine, &n);
    g_assert_cmpuint (n, ==, 20);
    engine = gst_cca_rules_new (&film->params);
    n_allocations = 0;
    fail_at = 1 + i % 4;
    g_assert_false (gst_cca_rules_adopt (engine, film->engine));
    fail_at = 0;
    gst_cca_rules_free (engine);
    gst_cca_rules_free (film->engine);
    film->n = 0;
    g_assert_cmpuint (i, <, 20);
  }
  g_string_truncate (film->told, 0);
  film->engine = NULL;
  film_free (film);
}

TESTS_MAIN ("/rules-memory", test_memory, test_measures)
