/* gst-cca: rules: counters of flows between zones, counters beyond 32 bits, resets
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

static void
test_flows (void)
{
  const GstCcaPosition nested[] = { { 120, 120 }, { 180, 120 }, { 180, 180 }, { 120, 180 } };
  g_autoptr (Film) film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "a", square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "b", far_square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);
  add_rule (film, GST_CCA_RULES_ZONE, "aside", nested, 4)->flows = FALSE;
  /* To b and back, again into a, and two who end in between. */
  walk (film, 1, 150, 150, 350, 150, 20);
  walk (film, 1, 350, 150, 150, 150, 20);
  walk (film, 1, 150, 150, 150, 250, 20);
  walk (film, 1, 150, 250, 150, 150, 20);
  walk (film, 2, 150, 150, 250, 150, 20);
  walk (film, 3, 250, 150, 350, 150, 20);
  walk (film, 4, 120, 150, 350, 150, 20);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 0, 1), ==, 2);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 1, 0), ==, 1);
  for (guint i = 0; i < 4; i++)
    for (guint j = 0; j < 4; j++)
      if (i == j || i > 1 || j > 1)
        g_assert_cmpuint (gst_cca_rules_flow (film->engine, i, j), ==, 0);
  gst_cca_rules_reset_counts (film->engine);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 0, 1), ==, 0);
  g_string_truncate (film->told, 0);
}

static void
test_large_counters (void)
{
  g_autoptr (Film) film = film_with_line ();

  walk (film, 1, 150, 250, 150, 350, 10);
  gst_cca_rules_counts (film->engine, 0)->n_in = G_MAXUINT32;
  walk (film, 2, 150, 250, 150, 350, 10);
  assert_counts (film, 0, G_GUINT64_CONSTANT (0x100000000), 0, 0);
  gst_cca_rules_counts (film->engine, 0)->n_out = G_GUINT64_CONSTANT (0x1234567890);
  walk (film, 2, 150, 350, 150, 250, 10);
  assert_counts (film, 0, G_GUINT64_CONSTANT (0x100000000), G_GUINT64_CONSTANT (0x1234567891), 0);
  g_string_truncate (film->told, 0);
}

static void
test_reset (void)
{
  GstCcaRulesRule *rule;
  g_autoptr (Film) film = film_with_zone (&rule);

  show_track (film, 1, 150, 150);
  assert_counts (film, 0, 1, 0, 1);
  gst_cca_rules_reset_counts (film->engine);
  assert_counts (film, 0, 0, 0, 1);
  show_track (film, 1, 250, 150);
  assert_counts (film, 0, 0, 1, 0);
  g_string_truncate (film->told, 0);
}

TESTS_MAIN ("/rules-counts", test_flows, test_large_counters, test_reset)
