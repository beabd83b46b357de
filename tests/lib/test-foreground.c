/* gst-cca: which pixels are foreground, values, and the clean-up of the mask
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "cases.h"
#include "patterns.h"

static const uint32_t sizes[][2] = { { 1, 1 }, { 3, 3 }, { 17, 9 }, { 64, 33 }, { 65, 20 }, { 130, 40 } };

/* --- Modes ------------------------------------------------------------------------------------------- */

static void
add_mode (GPtrArray *cases, Random *random, CcaForeground foreground, uint8_t a, uint8_t b)
{
  for (int invert = 0; invert <= 1; invert++) {
    Case *test_case = cases_add (cases, 131, 9, random_next (random) % 2 ? 4 : 8, "foreground %d, %u, %u, invert %d",
                                 foreground, a, b, invert);

    /* All values, and those beside a limit often. */
    pattern_random_values (random, 256, 1, test_case->pixels, 131, 9);
    for (uint32_t i = 0; i < 131 * 9; i += 1 + random_below (random, 4))
      test_case->pixels[i] = (uint8_t) ((random_next (random) % 2 ? a : b) + random_below (random, 3) - 1);
    test_case->params.foreground = foreground;
    test_case->params.black = test_case->params.threshold = a;
    test_case->params.low = a;
    test_case->params.high = b;
    test_case->params.invert = invert;
  }
}

static void
mode_cases (GPtrArray *cases)
{
  static const uint8_t limits[] = { 0, 1, 16, 126, 127, 128, 129, 235, 254, 255 };
  Random random;

  random_init (&random, 7);
  for (size_t a = 0; a < G_N_ELEMENTS (limits); a++) {
    add_mode (cases, &random, CCA_FOREGROUND_NONZERO, limits[a], limits[a]);
    add_mode (cases, &random, CCA_FOREGROUND_THRESHOLD, limits[a], limits[a]);
    for (size_t b = a; b < G_N_ELEMENTS (limits); b++)
      add_mode (cases, &random, CCA_FOREGROUND_RANGE, limits[a], limits[b]);
  }
}

/* --- Values ------------------------------------------------------------------------------------------ */

static void
add_values (GPtrArray *cases, Random *random, uint32_t width, uint32_t height, uint32_t connectivity)
{
  static const uint32_t kinds[][2] = { { 2, 1 }, { 3, 1 }, { 4, 2 }, { 9, 3 }, { 256, 1 }, { 256, 5 } };

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++) {
    Case *test_case = cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, %u values, granularity %u",
                                 width, height, connectivity, kinds[k][0], kinds[k][1]);

    pattern_random_values (random, kinds[k][0], kinds[k][1], test_case->pixels, width, height);
    test_case->params.foreground = CCA_FOREGROUND_VALUES;
    /* Without meaning here, and so without effect. */
    test_case->params.invert = k % 2;
    test_case->params.denoise = k % 3 == 0;
    test_case->params.close_radius = k;
    test_case->params.min_area = k == 3 ? 4 : 0;
  }
}

/* Figures in one value on another one or on background. */
static void
add_figures (GPtrArray *cases, uint32_t width, uint32_t height, uint32_t connectivity)
{
  for (size_t p = 0; p < n_patterns; p++) {
    Case *test_case = cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, two values, %s", width,
                                 height, connectivity, pattern_name (p));

    pattern_draw (p, test_case->pixels, width, height);
    for (size_t i = 0; i < (size_t) width * height; i++)
      test_case->pixels[i] = test_case->pixels[i] ? 255 : p % 2 ? 254 : 0;
    test_case->params.foreground = CCA_FOREGROUND_VALUES;
  }
}

/* Every pixel differs from its neighbours by one. */
static void
add_ramp (GPtrArray *cases, uint32_t width, uint32_t height)
{
  Case *test_case = cases_add (cases, width, height, 8, "%ux%u, ramp", width, height);

  for (uint32_t i = 0; i < width * height; i++)
    test_case->pixels[i] = (uint8_t) (i % width + i / width * 3);
  test_case->params.foreground = CCA_FOREGROUND_VALUES;
}

static void
value_cases (GPtrArray *cases)
{
  Random random;

  random_init (&random, 8);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
      add_values (cases, &random, sizes[s][0], sizes[s][1], connectivity);
      add_figures (cases, sizes[s][0], sizes[s][1], connectivity);
    }
    add_ramp (cases, sizes[s][0], sizes[s][1]);
  }
}

/* --- Clean-up ---------------------------------------------------------------------------------------- */

static void
add_clean_up (GPtrArray *cases, Random *random, uint32_t width, uint32_t height, bool denoise, uint32_t radius)
{
  static const uint32_t densities[] = { 1, 7, 35, 60, 90 };

  for (size_t d = 0; d < G_N_ELEMENTS (densities); d++) {
    const uint32_t connectivity = (d + radius) % 2 ? 4 : 8;
    Case *test_case = cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, %u %%, denoise %d, close %u",
                                 width, height, connectivity, densities[d], denoise, radius);

    pattern_random (random, densities[d], 1 + random_below (random, 2), test_case->pixels, width, height);
    test_case->params.denoise = denoise;
    test_case->params.close_radius = radius;
    test_case->params.invert = d == 4;
  }
}

static void
clean_up_cases (GPtrArray *cases)
{
  Random random;

  random_init (&random, 9);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int denoise = 0; denoise <= 1; denoise++)
      for (uint32_t radius = 0; radius <= CCA_MAX_CLOSE_RADIUS; radius++)
        add_clean_up (cases, &random, sizes[s][0], sizes[s][1], denoise, radius);
}

/* All 2^9 neighbourhoods of a pixel, in the image and cut off by its borders. */
static void
majority_cases (GPtrArray *cases)
{

  for (uint32_t image = 0; image < 512; image++) {
    Case *test_case = cases_add (cases, 3, 3, 8, "majority in 3x3, image %03x", image);

    for (uint32_t i = 0; i < 9; i++)
      test_case->pixels[i] = (uint8_t) (image >> i & 1);
    test_case->params.denoise = true;
  }
  for (uint32_t image = 0; image < 512; image++) {
    Case *test_case = cases_add (cases, 69, 5, 8, "majority in a word, image %03x", image);

    for (uint32_t i = 0; i < 69 * 5; i++) {
      const uint32_t bit = i % 69 % 3 + i / 69 % 3 * 3;
      test_case->pixels[i] = (uint8_t) (image >> bit & 1);
    }
    test_case->params.denoise = true;
  }
}

CASES_MAIN ()
{
  cases_add_test ("/foreground/modes", mode_cases, true, NULL);
  cases_add_test ("/foreground/values", value_cases, true, target_can_values);
  cases_add_test ("/foreground/clean-up", clean_up_cases, false, NULL);
  cases_add_test ("/foreground/majority", majority_cases, false, NULL);
}
