/* gst-cca: the formats of input images: which value each pixel has, in every mode
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

/* The formats; GRAY8 has tests of its own, and is among them for changes between them. */
#define N_FORMATS (CCA_FORMAT_GRAY16_BE + 1)

static bool
is_rgb (CcaFormat format)
{
  return format == CCA_FORMAT_RGBX || format == CCA_FORMAT_BGRX;
}

/* Fills a case with pixels of all kinds, often of values beside a or b. */
static void
fill (Random *random, Case *test_case, uint32_t a, uint32_t b)
{
  const CcaFormat format = test_case->params.format;
  const uint32_t size = cca_format_pixel_size (format), most = cca_format_max_value (format);

  for (uint32_t i = 0; i < test_case->width * test_case->height; i++) {
    uint8_t *pixel = test_case->pixels + (size_t) i * size;

    if (random_below (random, 3) > 0)
      put_pixel (random, format, pixel, ((random_next (random) % 2 ? a : b) + random_below (random, 3) - 1) & most);
    else
      for (uint32_t k = 0; k < size; k++) /* the ends of the range among them */
        pixel[k] = (uint8_t) (random_next (random) % 4 ? random_next (random) : random_next (random) % 2 ? 255 : 0);
  }
}

/* --- Ranges ------------------------------------------------------------------------------------------ */

static void
add_range (GPtrArray *cases, Random *random, CcaFormat format, CcaForeground foreground, uint32_t width, uint32_t a,
           uint32_t b)
{
  const CcaMatrix matrix = is_rgb (format) ? cases->len % 3 : 0;
  Case *test_case = cases_add (cases, width, width > 1000 ? 2 : 5, random_next (random) % 2 ? 4 : 8,
                               "%s, %u wide, matrix %d, foreground %d, %u, %u", cca_format_name (format), width, matrix,
                               foreground, a, b);

  case_set_format (test_case, format, matrix);
  fill (random, test_case, a, b);
  test_case->params.foreground = foreground;
  test_case->params.black = test_case->params.threshold = (uint16_t) a;
  test_case->params.low = (uint16_t) MIN (a, b);
  test_case->params.high = (uint16_t) MAX (a, b);
  test_case->params.invert = cases->len % 4 == 0;
}

/* Neighbours in the list have other formats, so that plans change theirs. */
static void
range_cases (GPtrArray *cases)
{
  static const uint32_t limits[] = { 0, 1, 16, 127, 128, 254, 255 }, wide_limits[] = { 255, 256, 4095, 32767, 65535 };
  static const uint32_t widths[] = { 1, 2, 15, 17, 31, 33, 63, 64, 65, 100, 127, 129, 200, 257 };
  Random random;

  random_init (&random, 31);
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (CcaFormat format = CCA_FORMAT_YUY2; format < N_FORMATS; format++)
      for (CcaForeground foreground = CCA_FOREGROUND_NONZERO; foreground <= CCA_FOREGROUND_RANGE; foreground++)
        for (int twice = 0; twice < 2; twice++) {
          const bool wide = cca_format_max_value (format) > 255 && twice;
          const uint32_t a = wide ? wide_limits[random_below (&random, G_N_ELEMENTS (wide_limits))]
                                  : limits[random_below (&random, G_N_ELEMENTS (limits))];
          const uint32_t b = wide ? wide_limits[random_below (&random, G_N_ELEMENTS (wide_limits))]
                                  : limits[random_below (&random, G_N_ELEMENTS (limits))];

          add_range (cases, &random, format, foreground, widths[w], a, b);
        }
}

/* Rows of several thousand pixels, which the CPU backend reads in many pieces. */
static void
long_cases (GPtrArray *cases)
{
  static const uint32_t widths[] = { 4095, 4096, 4097, 4160, 8192, 9001 };
  Random random;

  random_init (&random, 32);
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (CcaFormat format = CCA_FORMAT_YUY2; format < N_FORMATS; format++) {
      add_range (cases, &random, format, CCA_FOREGROUND_THRESHOLD, widths[w], 127, 127);
      add_range (cases, &random, format, CCA_FOREGROUND_VALUES, widths[w], 3, 4);
    }
}

static bool
has_pieces (const Target *target)
{
  return target->backend == CCA_BACKEND_CPU && target->algorithm->capabilities & CCA_CAN_VALUES;
}

/* Every luma that the weights can give: 33 steps of each of the three colours, with both ends. */
static void
luma_cases (GPtrArray *cases)
{
  Random random;

  random_init (&random, 33);
  for (CcaFormat format = CCA_FORMAT_RGBX; format <= CCA_FORMAT_BGRX; format++)
    for (CcaMatrix matrix = CCA_MATRIX_BT601; matrix <= CCA_MATRIX_BT2020; matrix++)
      for (uint32_t threshold = 0; threshold < 255; threshold += 51) {
        Case *test_case = cases_add (cases, 33 * 33, 33, 4, "%s, matrix %d, threshold %u", cca_format_name (format),
                                     matrix, threshold);

        case_set_format (test_case, format, matrix);
        for (uint32_t i = 0; i < 33 * 33 * 33; i++) {
          uint8_t *pixel = test_case->pixels + 4 * (size_t) i;

          pixel[0] = (uint8_t) MIN (i % 33 * 8, 255);
          pixel[1] = (uint8_t) MIN (i / 33 % 33 * 8, 255);
          pixel[2] = (uint8_t) MIN (i / 33 / 33 * 8, 255);
          pixel[3] = (uint8_t) random_next (&random);
        }
        test_case->params.foreground = CCA_FOREGROUND_THRESHOLD;
        test_case->params.threshold = (uint16_t) threshold;
      }
}

/* --- Values ------------------------------------------------------------------------------------------ */

/* Adds images with regions of a few values, some of which differ in one byte only. */
static void
value_cases (GPtrArray *cases)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 3, 3 }, { 17, 9 }, { 64, 33 }, { 65, 20 }, { 130, 40 } };
  static const uint32_t values[] = { 0, 1, 255, 256, 257, 511, 65280, 65535 };
  Random random;

  random_init (&random, 34);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (CcaFormat format = CCA_FORMAT_GRAY8; format < N_FORMATS; format++)
      for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
        const uint32_t width = sizes[s][0], height = sizes[s][1], n = width * height,
                       granularity = 1 + connectivity / 8;
        g_autofree uint8_t *regions = g_malloc (n);
        Case *test_case = cases_add (cases, width, height, connectivity, "%s, %ux%u, %u-connected",
                                     cca_format_name (format), width, height, connectivity);

        case_set_format (test_case, format, CCA_MATRIX_BT709);
        pattern_random_values (&random, G_N_ELEMENTS (values), granularity, regions, width, height);
        for (uint32_t i = 0; i < n; i++)
          put_pixel (&random, format, test_case->pixels + (size_t) i * cca_format_pixel_size (format),
                     values[regions[i]]);
        test_case->params.foreground = CCA_FOREGROUND_VALUES;
      }
}

/* --- Facts ------------------------------------------------------------------------------------------- */

static void
test_table (void)
{
  static const struct
  {
    const char *name;
    uint32_t size, most;
  } facts[] = { { "GRAY8", 1, 255 }, { "YUY2", 2, 255 }, { "UYVY", 2, 255 },        { "P010", 2, 255 },
                { "RGBX", 4, 255 },  { "BGRX", 4, 255 }, { "GRAY16_LE", 2, 65535 }, { "GRAY16_BE", 2, 65535 } };

  g_assert_cmpuint (G_N_ELEMENTS (facts), ==, N_FORMATS);
  for (CcaFormat format = 0; format < N_FORMATS; format++) {
    g_assert_cmpstr (cca_format_name (format), ==, facts[format].name);
    g_assert_cmpuint (cca_format_pixel_size (format), ==, facts[format].size);
    g_assert_cmpuint (cca_format_max_value (format), ==, facts[format].most);
  }
  for (int i = 0; i < 2; i++) {
    const CcaFormat none = i ? N_FORMATS : (CcaFormat) -1;

    g_assert_null (cca_format_name (none));
    g_assert_cmpuint (cca_format_pixel_size (none), ==, 0);
    g_assert_cmpuint (cca_format_max_value (none), ==, 0);
  }
}

/* A row of pixels needs its bytes. */
static void
test_pitch (CcaContext *context, const Target *target)
{
  for (CcaFormat format = CCA_FORMAT_GRAY8; format < N_FORMATS; format++) {
    const uint32_t row = 33 * cca_format_pixel_size (format);
    g_autofree char *needed = g_strdup_printf ("at least %u", row);
    g_autofree uint8_t *pixels = g_malloc0 ((size_t) row * 2);
    CcaParams params = target_params (target, 8);
    CcaImage image = { .data = pixels, .pitch = (ptrdiff_t) row - 1, .width = 33, .height = 2 };
    g_autoptr (CcaPlan) plan = NULL;
    g_autoptr (CcaResult) result = NULL;

    params.format = format;
    if (!check_ok (cca_plan_new (context, 33, 2, &params, CCA_OUTPUT_NONE, &plan), "plan")
        || !check_ok (cca_result_new (plan, &result), "result"))
      return;
    g_assert_cmpint (cca_plan_run (plan, &image, NULL, NULL, result), ==, CCA_ERROR_INVALID);
    g_assert_nonnull (strstr (cca_last_error (), needed));
    image.pitch = row;
    check_ok (cca_plan_run (plan, &image, NULL, NULL, result), "%s", cca_format_name (format));
  }
}

CASES_MAIN ()
{
  g_test_add_func ("/formats/table", test_table);
  cases_add_test ("/formats/ranges", range_cases, false, NULL);
  cases_add_test ("/formats/long-rows", long_cases, false, has_pieces);
  cases_add_test ("/formats/luma", luma_cases, false, NULL);
  cases_add_test ("/formats/values", value_cases, true, target_can_values);
  targets_add_test ("/formats/pitch", test_pitch);
}
