/* gst-cca: rules: each allocation fails in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

#include "failing-malloc.h"

static void
test_memory (void)
{
  Film *film = busy_film ();
  GstCcaRules *engine;

  /* Making one. */
  for (guint i = 1;; i++) {
    n_allocations = 0;
    fail_at = i;
    engine = gst_cca_rules_new (&film->params);
    fail_at = 0;
    if (engine)
      break;
    g_assert_cmpuint (i, <, 50);
  }
  gst_cca_rules_free (engine);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rules-memory/memory", test_memory);
  return g_test_run ();
}
