/* gst-cca: the test images themselves
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "../add-tests.h"
#include "oracle.h"
#include "patterns.h"

/* The published sequence of the generator for its default seed. */
static void
test_random (void)
{
  Random random;
  uint32_t value = 0;

  random_init (&random, 5489);
  g_assert_cmpuint (random_next (&random), ==, 3499211612u);
  for (int i = 1; i < 10000; i++)
    value = random_next (&random);
  g_assert_cmpuint (value, ==, 4123659995u);
  for (int i = 0; i < 1000; i++)
    g_assert_cmpuint (random_below (&random, 7), <, 7);
}

static void
test_density (void)
{
  static uint8_t mask[512 * 512];
  Random random;

  random_init (&random, 1);
  for (uint32_t density = 0; density <= 100; density += 25)
    for (uint32_t granularity = 1; granularity <= 4; granularity++) {
      uint32_t n = 0;

      pattern_random (&random, density, granularity, mask, 512, 512);
      for (size_t i = 0; i < sizeof mask; i++) {
        g_assert_true (mask[i] == 0 || mask[i] == 255);
        g_assert_cmpuint (mask[i], ==,
                          mask[i / 512 / granularity * granularity * 512 + i % 512 / granularity * granularity]);
        n += mask[i] != 0;
      }
      g_assert_cmpint (ABS ((int) (n * 100 / sizeof mask) - (int) density), <=, 2);
    }
}

/* Components of figures whose number is known, 4- and 8-connected. */
static void
test_figures (void)
{
  static const struct
  {
    const char *name;
    uint32_t width, height, four, eight;
  } figures[] = {
    { "empty", 9, 7, 0, 0 },
    { "full", 9, 7, 1, 1 },
    { "checkerboard", 9, 7, 32, 1 },
    { "dots", 9, 7, 20, 20 },
    { "columns", 9, 7, 5, 5 },
    { "rows", 9, 7, 4, 4 },
    { "comb-up", 9, 7, 1, 1 },
    { "comb-down", 9, 7, 1, 1 },
    { "comb-left", 9, 7, 1, 1 },
    { "comb-right", 9, 7, 1, 1 },
    { "rings", 13, 13, 4, 4 },
    { "corners", 9, 7, 4, 4 },
    { "diagonals", 9, 9, 27, 6 },
    { "antidiagonals", 9, 9, 27, 5 },
    { "spiral-clockwise", 21, 12, 1, 1 },
    { "spiral-counterclockwise", 64, 33, 1, 1 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (figures); i++)
    for (int diagonal = 0; diagonal <= 1; diagonal++) {
      const OracleParams params = { .diagonal = diagonal, .max_components = 1000 };
      const size_t pattern = pattern_find (figures[i].name);
      uint8_t mask[64 * 33];
      OracleFrame *frame;

      g_assert_cmpuint (pattern, <, n_patterns);
      pattern_draw (pattern, mask, figures[i].width, figures[i].height);
      frame = oracle_run (&params, NULL, mask, figures[i].width, figures[i].height);
      g_test_message ("%s", figures[i].name);
      g_assert_cmpuint (frame->n_components, ==, diagonal ? figures[i].eight : figures[i].four);
      oracle_frame_free (frame);
    }
}

TESTS_MAIN ("/patterns", test_random, test_density, test_figures)
