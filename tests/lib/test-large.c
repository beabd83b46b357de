/* gst-cca: images with more components, runs and columns than any table begins with
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "cases.h"
#include "patterns.h"

static Case *
add_pattern (GPtrArray *cases, uint32_t width, uint32_t height, uint32_t connectivity, const char *name)
{
  Case *test_case =
      cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, %s", width, height, connectivity, name);

  g_assert_cmpuint (pattern_find (name), <, n_patterns);
  pattern_draw (pattern_find (name), test_case->pixels, width, height);
  return test_case;
}

static Case *
add_random (GPtrArray *cases, Random *random, uint32_t width, uint32_t height, uint32_t connectivity, uint32_t density)
{
  Case *test_case = cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, %u %%", width, height,
                               connectivity, density);

  pattern_random (random, density, 1, test_case->pixels, width, height);
  return test_case;
}

/* In one plan, so that tables grow from nearly nothing to their fullest and are then far too large. */
static void
many_cases (GPtrArray *cases)
{
  const uint32_t width = 2048, height = 1024 / FRAME_STRIDE;
  Random random;
  Case *huge;

  random_init (&random, 5);
  add_pattern (cases, width, height, 8, "frame");
  add_pattern (cases, width, height, 8, "dots");
  add_pattern (cases, width, height, 4, "checkerboard")->params.covariance = true;
  add_pattern (cases, width, height, 8, "comb-up");
  add_pattern (cases, width, height, 8, "spiral-clockwise");
  /* One component is so large that its moments need more digits than a double has. */
  huge = add_random (cases, &random, width, height, 4, 65);
  huge->params.order = CCA_ORDER_AREA;
  huge->params.covariance = true;
  add_pattern (cases, width, height, 8, "corners");
}

static void
thin_cases (GPtrArray *cases)
{
  static const uint32_t sizes[][2] = { { 65535, 2 }, { 2, 65535 }, { 65535, 1 }, { 1, 65535 } };
  static const char *const names[] = { "full", "checkerboard", "dots", "corners", "comb-up", "comb-left" };
  Random random;

  random_init (&random, 6);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    const uint32_t width = sizes[s][0], height = sizes[s][1];

    for (size_t n = 0; n < G_N_ELEMENTS (names); n++)
      add_pattern (cases, width, height, n % 2 ? 4 : 8, names[n])->params.covariance = true;
    add_random (cases, &random, width, height, 4, 70);
    add_random (cases, &random, width, height, 8, 40);
  }
}

CASES_MAIN ()
{
  cases_add_test ("/large/many", many_cases, false, NULL);
  cases_add_test ("/large/thin", thin_cases, false, NULL);
}
