/* gst-cca: ridge patterns and the families of images made of them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "../add-tests.h"
#include "oracle.h"
#include "ridges.h"

#define MAX_SIDE_BITS 9

static uint8_t mask[1 << 2 * MAX_SIDE_BITS], other[1 << 2 * MAX_SIDE_BITS];

static uint32_t
count_components (const uint8_t *pixels, uint32_t width, uint32_t height, bool diagonal)
{
  const OracleParams params = { .diagonal = diagonal };
  OracleFrame *frame = oracle_run (&params, NULL, pixels, width, height);
  const uint32_t n = frame->n_components;

  oracle_frame_free (frame);
  return n;
}

static size_t
count_foreground (const uint8_t *pixels, size_t n_pixels)
{
  size_t n = 0;

  for (size_t i = 0; i < n_pixels; i++) {
    g_assert_true (pixels[i] == 0 || pixels[i] == 255);
    n += pixels[i] != 0;
  }
  return n;
}

/* Images drawn by hand after the formulas, and R⁴ after figure 3. */
static void
test_drawn (void)
{
  static const struct
  {
    uint32_t level, scale;
    const char *rows[16];
  } ridges[] = {
    { 1, 0, { "##", "##" } },
    { 1, 1, { "####..", "####..", ".####.", "..####" } },
    { 2, 0, { "#..#.", "#..#.", "####.", ".####" } },
    { 2,
      1,
      { "##....##.....", "##....##.....", "########.....", ".########....", "..########...", "...########..",
        "....########.", ".....########" } },
    { 3, 0, { "#.....#...", "#..#..#...", "#..#..#...", "#######...", ".#######..", "..#######.", "...#######" } },
    { 4,
      0,
      { "#...........#........", "#.....#.....#........", "#..#..#..#..#........", "#..#..#..#..#........",
        "#############........", ".#############.......", "..#############......", "...#############.....",
        "....#############....", ".....#############...", "......#############..", ".......#############.",
        "........#############" } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (ridges); i++) {
    const Ridge ridge = ridge_new (ridges[i].level, ridges[i].scale);

    g_test_message ("level %u, scale %u", ridge.level, ridge.scale);
    g_assert_cmpuint (ridge.width, ==, strlen (ridges[i].rows[0]));
    g_assert_null (ridges[i].rows[ridge.height]);
    memset (mask, 0, sizeof mask);
    ridge_draw (&ridge, mask, 32);
    for (uint32_t y = 0; y < ridge.height; y++)
      for (uint32_t x = 0; x < 32; x++)
        g_assert_cmpuint (mask[y * 32 + x], ==, x < ridge.width && ridges[i].rows[y][x] == '#' ? 255 : 0);
    g_assert_cmpuint (count_foreground (mask + ridge.height * 32, 32), ==, 0);
  }
}

/* Formulas 9 to 17. */
static void
test_measures (void)
{
  for (uint32_t l = 1; l < RIDGE_MAX_SIDE_BITS; l++)
    for (uint32_t k = 0; k + l < RIDGE_MAX_SIDE_BITS; k++) {
      const Ridge ridge = ridge_new (l, k);

      g_assert_cmpuint (ridge.crest_width, ==,
                        l == 1 ? 2u << k : (1u << (k + l - 1)) + (1u << (k + l - 2)) + (1u << k));
      g_assert_cmpuint (ridge.width, ==, 2 * ridge.crest_width - l - 1);
      g_assert_cmpuint (ridge.height, ==, l + (ridge.crest_width - l));
      g_assert_cmpuint (2 + ridge.width, <=, 1u << (k + l + 1));
      g_assert_cmpuint (2 + ridge.height, <=, 1u << (k + l + 1));
    }
}

/* Label equivalence as in §II-A and §V-B, one pixel after the other. Every scan lowers the roots of pixels to the
 * smallest label around, as labels were before; every analysis makes all labels roots. Returns the number of scans that
 * lowered a label, and whether one label was left. */
static uint32_t
count_iterations (const uint8_t *pixels, uint32_t width, uint32_t height, int connectivity, bool *one_left)
{
  static const int neighbours[8][2] = { { 0, -1 },  { -1, 0 }, { 1, 0 },  { 0, 1 },
                                        { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
  const uint32_t n = width * height;
  g_autofree uint32_t *labels = g_new (uint32_t, n), *roots = g_new (uint32_t, n);
  uint32_t first = n, n_iterations = 0;

  for (uint32_t i = 0; i < n; i++)
    labels[i] = roots[i] = i;
  for (bool changed = true; changed; n_iterations += changed) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t x = i % width, y = i / width;

      for (int j = 0; pixels[i] != 0 && j < connectivity; j++) {
        const uint32_t nx = x + (uint32_t) neighbours[j][0], ny = y + (uint32_t) neighbours[j][1];
        const uint32_t neighbour = ny * width + nx;

        if (nx >= width || ny >= height || pixels[neighbour] == 0 || labels[neighbour] >= labels[i])
          continue;
        roots[labels[i]] = MIN (roots[labels[i]], labels[neighbour]);
        changed = true;
      }
    }
    for (uint32_t i = 0; i < n; i++)
      while (roots[roots[i]] != roots[i])
        roots[i] = roots[roots[i]];
    memcpy (labels, roots, n * sizeof *labels);
  }
  *one_left = true;
  for (uint32_t i = 0; i < n; i++)
    if (pixels[i] != 0) {
      first = MIN (first, i);
      *one_left = *one_left && labels[i] == first;
    }
  return n_iterations;
}

/* Appendix A. */
static void
test_iterations (void)
{
  for (uint32_t l = 1; l < 8; l++)
    for (uint32_t k = 0; k + l < 8; k++)
      for (int connectivity = 4; connectivity <= 8; connectivity += 4) {
        const Ridge ridge = ridge_new (l, k);
        bool one_left;

        g_test_message ("level %u, scale %u, %d-connectivity", l, k, connectivity);
        memset (mask, 0, sizeof mask);
        ridge_draw (&ridge, mask, ridge.width);
        g_assert_cmpuint (count_iterations (mask, ridge.width, ridge.height, connectivity, &one_left), ==, l);
        g_assert_true (one_left);
        g_assert_cmpuint (count_components (mask, ridge.width, ridge.height, connectivity == 8), ==, 1);
      }
}

/* Draws a member, and checks the properties that all members have. */
static size_t
draw (Family family, uint32_t l, uint32_t s, uint32_t parameter, Random *random, uint32_t n)
{
  const size_t n_pixels = (size_t) 1 << 2 * n;
  size_t n_foreground;

  g_test_message ("%s (%u, %u) %u, n = %u", family_name (family), l, s, parameter, n);
  memset (mask, 1, sizeof mask);
  family_draw (family, l, s, parameter, random, mask, n);
  n_foreground = count_foreground (mask, n_pixels);
  if (family == FAMILY_SPIRAL)
    g_assert_cmpuint (n_foreground, <=, n_pixels / 2 + (1u << n));
  else if (family != FAMILY_RANDOM_MERGING)
    g_assert_cmpuint (n_foreground, <=, n_pixels / 4);
  return n_foreground;
}

static void
check_components (uint32_t n, uint32_t expected)
{
  g_assert_cmpuint (count_components (mask, 1u << n, 1u << n, false), ==, expected);
  g_assert_cmpuint (count_components (mask, 1u << n, 1u << n, true), ==, expected);
}

static void
test_leveling (void)
{
  for (uint32_t n = 2; n <= MAX_SIDE_BITS; n++)
    for (uint32_t l = family_first (FAMILY_LEVELING); l <= family_last (FAMILY_LEVELING, 0, n); l++) {
      const size_t n_foreground = draw (FAMILY_LEVELING, 0, 0, l, NULL, n);

      check_components (n, 1);
      /* A seventh of the image and more, but for what the crest takes of small patterns. */
      if (l + 3 < n)
        g_assert_cmpuint (n_foreground * 8, >, (size_t) 1 << 2 * n);
    }
}

/* Each size, but for a column that the samples miss; at 100 % the pattern itself. */
static void
test_scaling (void)
{
  const uint32_t n = 7, l = 2, side = 1u << n;
  const Ridge ridge = ridge_new (l, n - l - 1);

  for (uint32_t percent = 0; percent <= family_last (FAMILY_SCALING, l, n); percent++) {
    uint32_t right = 0, bottom = 0;

    draw (FAMILY_SCALING, l, 0, percent, NULL, n);
    for (uint32_t i = 0; i < side * side; i++)
      if (mask[i] != 0) {
        g_assert_true (i % side >= 1 && i / side >= 1);
        right = MAX (right, i % side);
        bottom = MAX (bottom, i / side);
      }
    g_assert_cmpint (ABS ((int) right - (int) ((ridge.width * percent + 50) / 100)), <=, 1);
    g_assert_cmpuint (bottom, ==, (ridge.height * percent + 50) / 100);
    check_components (n, percent != 0);
  }
  family_draw (FAMILY_LEVELING, 0, 0, l, NULL, other, n);
  g_assert_cmpmem (mask, side * side, other, side * side);
}

static void
test_subdivision (void)
{
  for (uint32_t n = 3; n <= MAX_SIDE_BITS; n++)
    for (uint32_t l = 1; l < n; l++)
      for (uint32_t s = 0; s <= family_last (FAMILY_SUBDIVISION, l, n); s++) {
        const Ridge ridge = ridge_new (l, n - l - 1 - s);
        const size_t n_foreground = draw (FAMILY_SUBDIVISION, l, 0, s, NULL, n);

        check_components (n, 1u << 2 * s);
        memset (other, 0, sizeof other);
        ridge_draw (&ridge, other, 1u << n);
        g_assert_cmpuint (n_foreground, ==, count_foreground (other, (size_t) 1 << 2 * n) << 2 * s);
      }
}

/* Every square has all of its pattern or nothing, in about the number asked for. */
static void
test_instancing (void)
{
  const uint32_t n = 8, l = 2, s = 5, cells = 1u << s, cell = 1u << (n - s), side = 1u << n;
  Random random;

  random_init (&random, 1);
  family_draw (FAMILY_SUBDIVISION, l, 0, s, NULL, other, n);
  for (uint32_t percent = 0; percent <= 100; percent += 20) {
    uint32_t n_kept = 0;

    draw (FAMILY_RANDOM_INSTANCING, l, s, percent, &random, n);
    for (uint32_t c = 0; c < cells * cells; c++) {
      const size_t start = (size_t) (c / cells) * cell * side + c % cells * cell;
      const bool kept = mask[start + side + 1] != 0;

      n_kept += kept;
      for (uint32_t y = 0; y < cell; y++)
        for (uint32_t x = 0; x < cell; x++)
          g_assert_cmpuint (mask[start + y * side + x], ==, kept ? other[start + y * side + x] : 0);
    }
    check_components (n, n_kept);
    g_assert_cmpint (ABS ((int) (n_kept * 100 / (cells * cells)) - (int) percent), <=, 4);
    if (percent % 100 == 0)
      g_assert_cmpuint (n_kept, ==, percent == 0 ? 0 : cells * cells);
  }
}

/* Lines are all as long, so pixels tell their number; three lines or fewer between four patterns make no ring. */
static void
test_merging (void)
{
  Random random;

  random_init (&random, 1);
  for (uint32_t l = 1; l <= 4; l++)
    for (uint32_t n = l + 2; n <= l + 4; n++) {
      const Ridge ridge = ridge_new (l, n - l - 2);
      const size_t n_patterns_alone = draw (FAMILY_SUBDIVISION, l, 0, 1, NULL, n);
      uint32_t seen = 0;

      for (uint32_t percent = 0; percent <= 100; percent += 5) {
        const size_t n_added = draw (FAMILY_RANDOM_MERGING, l, 1, percent, &random, n) - n_patterns_alone;
        const uint32_t length = (1u << (n - 1)) - ridge.crest_width, n_lines = n_added / length;

        g_assert_cmpuint (n_added % length, ==, 0);
        check_components (n, n_lines < 4 ? 4 - n_lines : 1);
        if (percent % 100 == 0)
          g_assert_cmpuint (n_lines, ==, percent == 0 ? 0 : 4);
        seen |= 1u << n_lines;
      }
      g_assert_cmpuint (seen, ==, 0x1f);
    }
  for (uint32_t s = 0; s <= 5; s++) {
    draw (FAMILY_RANDOM_MERGING, 3, s, 100, &random, MAX_SIDE_BITS);
    check_components (MAX_SIDE_BITS, 1);
    draw (FAMILY_RANDOM_MERGING, 3, s, 0, &random, MAX_SIDE_BITS);
    check_components (MAX_SIDE_BITS, 1u << 2 * s);
  }
}

static void
test_spiral (void)
{
  for (uint32_t n = 2; n <= 7; n++)
    for (uint32_t percent = 0; percent <= 100; percent += 5) {
      const uint32_t side = ((1u << n) * percent + 50) / 100;

      draw (FAMILY_SPIRAL, 0, 0, percent, NULL, n);
      check_components (n, side != 0);
      for (uint32_t i = 0; i < 1u << 2 * n; i++)
        if (mask[i] != 0)
          g_assert_true (i % (1u << n) < side && i >> n < side);
      if (side != 0)
        g_assert_cmpuint (mask[side - 1], ==, 255);
    }
}

static void
test_seed (void)
{
  const Family families[] = { FAMILY_RANDOM_INSTANCING, FAMILY_RANDOM_MERGING };
  const size_t n_pixels = (size_t) 1 << 2 * MAX_SIDE_BITS;

  for (size_t f = 0; f < G_N_ELEMENTS (families); f++) {
    Random random;

    random_init (&random, 7);
    family_draw (families[f], 3, 4, 50, &random, mask, MAX_SIDE_BITS);
    random_init (&random, 7);
    family_draw (families[f], 3, 4, 50, &random, other, MAX_SIDE_BITS);
    g_assert_cmpmem (mask, n_pixels, other, n_pixels);
    family_draw (families[f], 3, 4, 50, &random, other, MAX_SIDE_BITS);
    g_assert_cmpint (memcmp (mask, other, n_pixels), !=, 0);
  }
}

CASES_MAIN ()
{
  ADD_TESTS ("/ridges", test_drawn, test_measures, test_iterations, test_leveling, test_scaling, test_subdivision,
             test_spiral, test_seed);
  g_test_add_func ("/ridges/random-instancing", test_instancing);
  g_test_add_func ("/ridges/random-merging", test_merging);
}
