/* gst-cca: the oracle against frames worked out by hand
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "oracle.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE 16

/* Turns a picture into pixels: '.' is 0, a digit is itself, '#' is 255. */
static void
read_picture (const char *const *rows, uint8_t *pixels, uint32_t *width, uint32_t *height)
{
  *width = (uint32_t) strlen (rows[0]);
  for (*height = 0; rows[*height]; (*height)++)
    for (uint32_t x = 0; x < *width; x++) {
      const char c = rows[*height][x];
      pixels[*height * *width + x] = c == '.' ? 0 : c == '#' ? 255 : (uint8_t) (c - '0');
    }
}

static const OracleParams defaults = { .diagonal = true, .high = 255, .max_components = 1000 };

static OracleFrame *
run_picture (const OracleParams *params, const char *const *rows)
{
  uint8_t pixels[MAX_SIZE * MAX_SIZE];
  uint32_t width, height;

  read_picture (rows, pixels, &width, &height);
  return oracle_run (params, NULL, pixels, width, height);
}

/* Labels as a picture: '.' for 0, digits for the rest. */
static void
assert_labels (const OracleFrame *frame, const char *const *rows)
{
  for (uint32_t y = 0; y < frame->height; y++) {
    char line[MAX_SIZE + 1] = { 0 };

    for (uint32_t x = 0; x < frame->width; x++) {
      const uint32_t label = frame->labels[y * frame->width + x];
      line[x] = label == 0 ? '.' : (char) ('0' + label);
    }
    g_assert_cmpstr (line, ==, rows[y]);
  }
}

/* Labels of a picture under parameters; returns how many there are. */
static uint32_t
check_labels (const OracleParams *params, const char *const *in, const char *const *out)
{
  OracleFrame *frame = run_picture (params, in);
  const uint32_t n = frame->n_components;

  assert_labels (frame, out);
  oracle_frame_free (frame);
  return n;
}

static const char *const picture[] = { "#..#.", ".#.#.", "...#.", "##...", ".#..#", NULL };

static void
test_connectivity (void)
{
  static const char *const four[] = { "1..2.", ".3.2.", "...2.", "44...", ".4..5" };
  static const char *const eight[] = { "1..2.", ".1.2.", "...2.", "33...", ".3..4" };
  OracleParams params = defaults;

  g_assert_cmpuint (check_labels (&params, picture, eight), ==, 4);
  params.diagonal = false;
  g_assert_cmpuint (check_labels (&params, picture, four), ==, 5);
}

static void
test_features (void)
{
  OracleParams params = defaults;
  const OracleComponent *c;
  OracleFrame *frame;

  params.covariance = true;
  frame = run_picture (&params, picture);
  c = &frame->components[2]; /* (0, 3), (1, 3), (1, 4) */
  g_assert_cmpuint (c->label, ==, 3);
  g_assert_cmpuint (c->x_min, ==, 0);
  g_assert_cmpuint (c->x_max, ==, 1);
  g_assert_cmpuint (c->y_min, ==, 3);
  g_assert_cmpuint (c->y_max, ==, 4);
  g_assert_cmpuint (c->area, ==, 3);
  g_assert_cmpuint (c->sum_x, ==, 2);
  g_assert_cmpuint (c->sum_y, ==, 10);
  g_assert_cmpuint (c->sum_xx, ==, 2);
  g_assert_cmpuint (c->sum_xy, ==, 7);
  g_assert_cmpuint (c->sum_yy, ==, 34);
  g_assert_cmpfloat (c->centroid_x, ==, 2.0 / 3.0);
  g_assert_cmpfloat (c->centroid_y, ==, 10.0 / 3.0);
  g_assert_cmpfloat (c->cov_xx, ==, 2.0 / 9.0);
  g_assert_cmpfloat (c->cov_xy, ==, 1.0 / 9.0);
  g_assert_cmpfloat (c->cov_yy, ==, 2.0 / 9.0);
  oracle_frame_free (frame);
}

static void
test_filter (void)
{
  static const char *const kept[] = { "1..2.", ".1.2.", "...2.", "33...", ".3..." };
  static const char *const small[] = { "1....", ".1...", ".....", ".....", "....2" };
  static const char *const square[] = { "1....", ".1...", ".....", "22...", ".2..." };
  static const char *const upright[] = { "...1.", "...1.", "...1.", ".....", "....." };
  OracleParams params = defaults;
  OracleFrame *frame;

  params.min_area = 2;
  params.max_components = 2;
  params.by_area = true;
  frame = run_picture (&params, picture);
  assert_labels (frame, kept);
  g_assert_cmpuint (frame->n_components, ==, 3);
  g_assert_cmpuint (frame->n_stored, ==, 2);
  g_assert_true (frame->truncated);
  g_assert_cmpuint (frame->components[0].label, ==, 2);
  g_assert_cmpuint (frame->components[1].label, ==, 3);
  oracle_frame_free (frame);

  params = defaults;
  params.max_area = 2;
  frame = run_picture (&params, picture);
  assert_labels (frame, small);
  g_assert_false (frame->truncated);
  oracle_frame_free (frame);

  params = defaults;
  params.min_width = params.max_width = 2;
  params.max_height = 2;
  check_labels (&params, picture, square);

  params = defaults;
  params.max_width = 1;
  params.min_height = 2;
  check_labels (&params, picture, upright);
}

static void
test_modes (void)
{
  static const char *const steps[] = { "01234", NULL };
  static const struct
  {
    OracleMode mode;
    bool invert;
    const char *expected[1];
  } cases[] = {
    { ORACLE_NONZERO, false, { "..111" } },   { ORACLE_NONZERO, true, { "11..." } },
    { ORACLE_THRESHOLD, false, { "...11" } }, { ORACLE_THRESHOLD, true, { "111.." } },
    { ORACLE_RANGE, false, { ".111." } },     { ORACLE_RANGE, true, { "1...2" } },
    { ORACLE_VALUES, false, { ".1234" } },    { ORACLE_VALUES, true, { ".1234" } },
  };
  OracleParams params = defaults;

  params.black = 1;
  params.threshold = 2;
  params.low = 1;
  params.high = 3;
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    params.mode = cases[i].mode;
    params.invert = cases[i].invert;
    check_labels (&params, steps, cases[i].expected);
  }
}

static void
test_values (void)
{
  static const char *const in[] = { "1122", "3122", "3312", "4441", NULL };
  static const char *const four[] = { "1122", "3122", "3342", "5556" };
  static const char *const eight[] = { "1122", "3122", "3312", "4441" };
  OracleParams params = defaults;

  params.mode = ORACLE_VALUES;
  check_labels (&params, in, eight);
  params.diagonal = false;
  check_labels (&params, in, four);
}

static void
test_clean_up (void)
{
  static const char *const noisy[] = { "##...#", "##....", "......", "..###.", "..#.#.", "..###.", NULL };
  static const char *const majority[] = { "......", "......", "......", "...1..", "..111.", "...1.." };
  static const char *const gaps[] = { "#.#...", "......", "......", "...#..", "......", "#....#", NULL };
  static const char *const closed[] = { "111...", "......", "......", "...2..", "......", "3....4" };
  OracleParams params = defaults;

  params.diagonal = false;
  params.denoise = true;
  check_labels (&params, noisy, majority);

  params.denoise = false;
  params.close_radius = 1;
  check_labels (&params, gaps, closed);
}

/* One pixel through the model, its values worked out by hand: learning 4 gives the steps 6, 4, 2 in frames 1, 2, 3. */
static void
test_motion (void)
{
  static const struct
  {
    uint8_t value;
    bool foreground;
  } frames[] = {
    { 100, false }, /* M = 100, V = 2 */
    { 110, false }, /* M = 106, O = 4, V = 3: learning */
    { 110, false }, /* M = 110, O = 0 */
    { 120, false }, /* M = 112, O = 8, V = 4 */
    { 115, false }, /* 4 is a multiple of 2: M = 113, O = 2, 2 O = 4, V = 4 */
    { 119, true },  /* O = 6, V = 5 */
    { 118, false }, /* M = 114, O = 4, V = 6: above the limit of 5, so 5 */
    { 119, true },  /* O = 5, V = 5 */
    { 114, false }, /* M = 114, O = 0, V stays */
    { 109, true },  /* O = 5, V = 5 */
    { 113, false }, /* M = 113, O = 0 */
    { 112, false }, /* O = 1, 2 O = 2, V = 4 */
    { 112, false }, /* M = 112, O = 0 */
    { 117, true },  /* O = 5, V = 5 */
  };
  OracleParams params = defaults;
  OracleModel *model = oracle_model_new (1, 1);

  params.mode = ORACLE_MOTION;
  params.learning = 4;
  params.period = 2;
  params.amplification = 2;
  params.v_min = 2;
  params.v_max = 5;
  for (size_t t = 0; t < G_N_ELEMENTS (frames); t++) {
    uint16_t *mask = oracle_classes (&params, model, &frames[t].value, 1, 1);

    g_test_message ("frame %zu", t);
    g_assert_cmpuint (mask[0], ==, frames[t].foreground);
    free (mask);
  }
  oracle_model_free (model);
}

/* One pixel in every format, by hand. */
static void
test_formats (void)
{
  static const struct
  {
    OracleFormat format;
    double red, green;
    uint8_t bytes[4];
    uint32_t value;
  } pixels[] = {
    { ORACLE_GRAY8, 0, 0, { 7, 1, 2, 3 }, 7 },
    { ORACLE_YUY2, 0, 0, { 200, 100, 1, 2 }, 200 },
    { ORACLE_UYVY, 0, 0, { 200, 100, 1, 2 }, 100 },
    { ORACLE_P010, 0, 0, { 0xc0, 0x12, 1, 2 }, 0x12 },
    { ORACLE_GRAY16_LE, 0, 0, { 0x34, 0x12, 1, 2 }, 0x1234 },
    { ORACLE_GRAY16_BE, 0, 0, { 0x34, 0x12, 1, 2 }, 0x3412 },
    { ORACLE_RGBX, 0.299, 0.587, { 10, 20, 30, 255 }, 18 },   /* 770 + 3000 + 870 + 128 = 18 * 256 + 160 */
    { ORACLE_BGRX, 0.299, 0.587, { 10, 20, 30, 255 }, 22 },   /* 2310 + 3000 + 290 + 128 = 22 * 256 + 96 */
    { ORACLE_RGBX, 0.2126, 0.7152, { 10, 20, 30, 255 }, 19 }, /* 540 + 3660 + 570 + 128 = 19 * 256 + 34 */
    { ORACLE_RGBX, 0.2627, 0.678, { 10, 20, 30, 255 }, 18 },  /* 670 + 3480 + 450 + 128 = 18 * 256 + 120 */
    { ORACLE_RGBX, 0.2126, 0.7152, { 255, 255, 255, 0 }, 255 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (pixels); i++) {
    OracleParams params = defaults;

    params.format = pixels[i].format;
    params.red = pixels[i].red;
    params.green = pixels[i].green;
    g_assert_cmpuint (oracle_value (&params, pixels[i].bytes, 0), ==, pixels[i].value);
  }
}

/* Values of 16 bits: a grey level is a 16th of v_min. */
static void
test_wide_motion (void)
{
  static const struct
  {
    uint16_t value;
    bool foreground;
  } frames[] = {
    { 10000, false }, /* M = 10000, V = 160; a level is 10 */
    { 10100, false }, /* learning, by 4 levels: M = 10040, O = 60, 2 O = 120: V stays at its least */
    { 11000, true },  /* M = 10050, O = 950, V = 170 */
    { 10229, false }, /* M stays, O = 179, V = 180 */
    { 10260, true },  /* M = 10060, O = 200, V = 190 */
    { 10061, false }, /* M stays, O = 1, 2 O = 2: V = 180 */
    { 10060, false }, /* M = 10060, O = 0: V stays */
    { 10250, true },  /* M stays, O = 190, V = 190 */
  };
  OracleParams params = defaults;
  OracleModel *model = oracle_model_new (1, 1);

  params.format = ORACLE_GRAY16_LE;
  params.mode = ORACLE_MOTION;
  params.learning = 2;
  params.period = 2;
  params.amplification = 2;
  params.v_min = 160;
  params.v_max = 1000;
  for (size_t t = 0; t < G_N_ELEMENTS (frames); t++) {
    const uint8_t bytes[2] = { (uint8_t) frames[t].value, (uint8_t) (frames[t].value >> 8) };
    uint16_t *mask = oracle_classes (&params, model, bytes, 1, 1);

    g_test_message ("frame %zu", t);
    g_assert_cmpuint (mask[0], ==, frames[t].foreground);
    free (mask);
  }
  oracle_model_free (model);
}

static void
test_overlaps (void)
{
  static const char *const before[] = { "##..#", "#...#", ".....", "###.#", NULL };
  static const char *const now[] = { "####.", "....#", ".....", "#.###", NULL };
  /* before: 1 1 . . 2 now: 1 1 1 1 . with 4-connectivity 1 . . . 2 . . . . 2 . . . . . . . . . . 3 3 3 . 4 3 . 4 4 4 */
  static const OracleOverlap expected[] = { { 1, 1, 2 }, { 2, 2, 1 }, { 3, 3, 1 }, { 3, 4, 1 }, { 4, 4, 1 } };
  OracleParams params = defaults;
  OracleFrame *a, *b;
  OracleOverlap *overlaps;
  size_t n;

  params.diagonal = false;
  a = run_picture (&params, before);
  b = run_picture (&params, now);
  overlaps = oracle_overlaps (a, b, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpuint (overlaps[i].before, ==, expected[i].before);
    g_assert_cmpuint (overlaps[i].now, ==, expected[i].now);
    g_assert_cmpuint (overlaps[i].pixels, ==, expected[i].pixels);
  }
  free (overlaps);

  /* Components that the size filter drops overlap nothing: 1 and 3, of three pixels each, are left. */
  oracle_frame_free (a);
  params.min_area = 3;
  a = run_picture (&params, before);
  overlaps = oracle_overlaps (a, b, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (overlaps[0].pixels, ==, 2);
  g_assert_cmpuint (overlaps[1].before, ==, 2);
  g_assert_cmpuint (overlaps[1].now, ==, 3);
  g_assert_cmpuint (overlaps[2].now, ==, 4);
  free (overlaps);
  oracle_frame_free (a);
  oracle_frame_free (b);
}

/* Cells also count components that the size filter drops, and end with the frame. */
static void
test_coverage (void)
{
  static const char *const shape[] = { "##..#", "##...", ".#.##", NULL };
  static const uint8_t of_two[] = { 4, 0, 1, 1, 1, 1 };
  OracleParams params = defaults;
  uint32_t columns, rows;
  OracleFrame *frame;
  uint8_t *cells;

  params.min_area = 2;
  frame = run_picture (&params, shape);
  cells = oracle_coverage (frame, 2, &columns, &rows);
  g_assert_cmpmem (cells, columns * rows, of_two, sizeof of_two);
  g_assert_cmpuint (columns, ==, 3);
  free (cells);
  oracle_frame_free (frame);
}

/* A region is background before the clean-up, which must not bring it back. */
static void
test_region (void)
{
  static const char *const ring[] = { "#####", "#...#", "#...#", "#####", NULL };
  static const char *const inside[] = { "#####", "##.##", "##.##", "#####", NULL };
  static const char *const left[] = { "11.22", "1...2", "1...2", "11.22" };
  static const char *const closed[] = { "11.22", "11.22", "11.22", "11.22" };
  uint8_t region[MAX_SIZE * MAX_SIZE];
  uint32_t width, height;
  OracleParams params = defaults;

  read_picture (inside, region, &width, &height);
  for (uint32_t y = 0; y < height; y++)
    region[y * width + 2] = 0;
  params.region = region;
  check_labels (&params, ring, left);
  params.close_radius = 1;
  check_labels (&params, ring, closed);
}

/* Two pixels that differ by 12 from their background, one with half the least spread of the other. */
static void
test_sensitivity (void)
{
  const uint8_t factors[] = { 16, 8, 32, 0 }, quiet[] = { 50, 50, 50, 50 }, moved[] = { 62, 62, 62, 51 };
  OracleParams params = defaults;
  OracleModel *model = oracle_model_new (4, 1);
  OracleFrame *frame;

  params.mode = ORACLE_MOTION;
  params.learning = 1;
  params.period = 1000;
  params.amplification = 1;
  params.v_min = 16;
  params.v_max = 20;
  params.factors = factors;
  oracle_frame_free (oracle_run (&params, model, quiet, 4, 1));
  frame = oracle_run (&params, model, moved, 4, 1);
  assert_labels (frame, (const char *const[]) { ".1.2" });
  oracle_frame_free (frame);
  oracle_model_free (model);
}

static void
assert_shape (bool diagonal, const char *const *rows, double perimeter, double crofton, int64_t euler_number)
{
  OracleParams params = defaults;
  OracleFrame *frame;

  params.diagonal = diagonal;
  params.shape = true;
  frame = run_picture (&params, rows);
  g_assert_cmpuint (frame->n_components, ==, 1);
  g_assert_cmpfloat_with_epsilon (frame->components[0].perimeter, perimeter, 1e-9);
  g_assert_cmpfloat_with_epsilon (frame->components[0].perimeter_crofton, crofton, 1e-9);
  g_assert_cmpint (frame->components[0].euler_number, ==, euler_number);
  oracle_frame_free (frame);
}

static void
test_shapes (void)
{
  static const char *const pixel[] = { "...", ".#.", NULL };
  static const char *const square[] = { "####", "####", "####", "####", NULL };
  static const char *const diamond[] = { "..#..", ".#.#.", "#...#", ".#.#.", "..#..", NULL };
  static const char *const frame_of_two[] = { "#####", "#.#.#", "#####", NULL };
  static const char *const touching[] = { "##..", "#.#.", "###.", NULL };
  const double q = G_PI / 4, root = sqrt (2);

  /* Lines enter a pixel four times, two of them along diagonals. */
  assert_shape (true, pixel, 0, q * (2 + 2 / root), 1);
  /* 12 border pixels at two others each; 4 rows, 4 columns and 7 diagonals each way. */
  assert_shape (true, square, 12, q * (8 + 14 / root), 1);
  /* 8 pixels, each at two corners. Rows and columns enter 1, 2, 2, 2, 1 times; diagonals twice three pixels in a line,
   * and twice one alone. */
  assert_shape (true, diamond, 8 * root, q * (16 + (4 + 4) / root), 0);
  /* Two holes; rows enter 1, 3, 1 times, columns 1, 2, 1, 2, 1 times. */
  assert_shape (true, frame_of_two, 12, q * (12 + (9 + 9) / root), -1);
  /* A hole that opens at a corner, beside which two pixels have one side and one or two corners. */
  assert_shape (true, touching, 5 + (1 + root), q * (8 + (5 + 5) / root), 0);
  assert_shape (false, touching, 5 + (1 + root), q * (8 + (5 + 5) / root), 1);
}

static void
test_intensities (void)
{
  static const char *const rows[] = { "12..9", "3...9", "....8", NULL };
  OracleParams params = defaults;
  OracleFrame *frame;

  params.intensity = true;
  frame = run_picture (&params, rows);
  g_assert_cmpuint (frame->n_components, ==, 2);
  g_assert_cmpfloat (frame->components[0].value_mean, ==, 2);
  g_assert_cmpuint (frame->components[0].value_min, ==, 1);
  g_assert_cmpuint (frame->components[0].value_max, ==, 3);
  g_assert_cmpfloat (frame->components[1].value_mean, ==, 26.0 / 3);
  g_assert_cmpuint (frame->components[1].value_min, ==, 8);
  g_assert_cmpuint (frame->components[1].value_max, ==, 9);
  oracle_frame_free (frame);
}

TESTS_MAIN ("/oracle", test_connectivity, test_features, test_filter, test_modes, test_values, test_clean_up,
            test_motion, test_formats, test_wide_motion, test_region, test_sensitivity, test_overlaps, test_coverage,
            test_shapes, test_intensities)
