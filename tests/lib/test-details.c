/* gst-cca: shapes and intensities: every format, sizes at the borders of words and tiles, order and truncation
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Other tests that compare with the oracle ask for shapes and intensities in turn (cases_add()).
 */
#include "cases.h"
#include "compare.h"
#include "patterns.h"

static Case *
add (GPtrArray *cases, uint32_t width, uint32_t height, uint32_t connectivity, const char *name)
{
  Case *test_case = cases_add (cases, width, height, connectivity, "%s, %ux%u, %u", name, width, height, connectivity);

  test_case->params.shape = true;
  test_case->params.intensity = true;
  return test_case;
}

/* Values of every format, in both halves of a word. */
static void
format_cases (GPtrArray *cases)
{
  const uint32_t width = 2051, height = 9; /* rows are converted by pieces of up to 1024 pixels */
  Random random;

  random_init (&random, 21);
  for (CcaFormat format = CCA_FORMAT_GRAY8; format <= CCA_FORMAT_GRAY16_BE; format++)
    for (int values = 0; values < 2; values++) {
      const uint32_t most = cca_format_max_value (format);
      Case *test_case = add (cases, width, height, values ? 4 : 8, cca_format_name (format));

      case_set_format (test_case, format, format % (CCA_MATRIX_BT2020 + 1));
      for (size_t i = 0; i < (size_t) width * height * cca_format_pixel_size (format); i++)
        test_case->pixels[i] = (uint8_t) random_below (&random, 256);
      test_case->params.foreground = values ? CCA_FOREGROUND_VALUES : CCA_FOREGROUND_RANGE;
      test_case->params.low = (uint16_t) (most / 9);
      test_case->params.high = (uint16_t) (most - most / 7);
      test_case->params.order = values ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
      test_case->params.max_components = values ? 100 : CCA_MAX_COMPONENTS;
    }
}

static void
size_cases (GPtrArray *cases)
{
  static const uint32_t widths[] = { 1, 2, 3, 27, 28, 29, 57, 63, 64, 65, 127, 130, 224, 225, 300 };
  static const uint32_t heights[] = { 1, 2, 5, 16, 17, 33, 50 };
  Random random;

  random_init (&random, 22);
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (size_t h = 0; h < G_N_ELEMENTS (heights); h++)
      for (uint32_t kind = 0; kind < 6; kind++) {
        Case *test_case = add (cases, widths[w], heights[h], kind % 2 ? 4 : 8, "random");
        const uint32_t side = 1 + (kind + w + h) % 6;

        if (kind < 4)
          pattern_random (&random, 20 + 20 * kind, side, test_case->pixels, widths[w], heights[h]);
        else
          pattern_random_values (&random, 3, side, test_case->pixels, widths[w], heights[h]);
        test_case->params.foreground = kind < 4 ? CCA_FOREGROUND_NONZERO : CCA_FOREGROUND_VALUES;
        test_case->params.order = kind == 3 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
        test_case->params.max_components = kind == 2 ? 3 : CCA_MAX_COMPONENTS;
        test_case->params.overlaps = kind == 1;
        test_case->params.min_area = kind == 0 ? 3 : 0;
      }
}

/* Drawn shapes: rings within rings, spirals, combs and the like. */
static void
drawn_cases (GPtrArray *cases)
{
  for (size_t i = 0; i < n_patterns; i++)
    for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
      Case *test_case = add (cases, 90, 61, connectivity, pattern_name (i));

      pattern_draw (i, test_case->pixels, 90, 61);
    }
}

CASES_MAIN ()
{
  cases_add_test ("/details/formats", format_cases, false, NULL);
  cases_add_test ("/details/sizes", size_cases, false, NULL);
  cases_add_test ("/details/drawn", drawn_cases, false, NULL);
}
