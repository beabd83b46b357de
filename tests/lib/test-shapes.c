/* gst-cca: figures and random images in every size around the width of a word, in every layout
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

static const uint32_t connectivities[] = { 4, 8 };

static void
add_random (GPtrArray *cases, Random *random, uint32_t width, uint32_t height, uint32_t connectivity)
{
  static const struct
  {
    uint32_t density, granularity;
  } kinds[] = { { 3, 1 },  { 20, 1 }, { 41, 1 }, { 50, 1 }, { 60, 1 },
                { 85, 1 }, { 98, 1 }, { 45, 2 }, { 60, 3 }, { 50, 7 } };

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++) {
    Case *test_case = cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, %u %% at granularity %u",
                                 width, height, connectivity, kinds[k].density, kinds[k].granularity);
    pattern_random (random, kinds[k].density, kinds[k].granularity, test_case->pixels, width, height);
  }
}

static void
add_patterns (GPtrArray *cases, uint32_t width, uint32_t height, uint32_t connectivity)
{
  for (size_t p = 0; p < n_patterns; p++) {
    Case *test_case = cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, %s", width, height,
                                 connectivity, pattern_name (p));
    pattern_draw (p, test_case->pixels, width, height);
    test_case->params.covariance = p % 2 == 0;
  }
}

static GPtrArray *
sizes_cases (void)
{
  static const uint32_t widths[] = { 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513 };
  static const uint32_t heights[] = { 1, 2, 3, 7, 16 };
  static GPtrArray *cases;
  Random random;

  if (cases)
    return cases;
  cases = cases_new ();
  random_init (&random, 1);
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (size_t h = 0; h < G_N_ELEMENTS (heights); h++)
      for (size_t c = 0; c < G_N_ELEMENTS (connectivities); c++) {
        add_patterns (cases, widths[w], heights[h], connectivities[c]);
        add_random (cases, &random, widths[w], heights[h], connectivities[c]);
      }
  return cases;
}

static void
test_sizes (CcaContext *context, const Target *target)
{
  /* There are enough cases for outputs in turn to meet every width. */
  cases_run (context, target, sizes_cases (), target->backend == CCA_BACKEND_CPU);
}

/* Every size up to a few pixels, random. */
static void
tiny_cases (GPtrArray *cases)
{
  Random random;

  random_init (&random, 2);
  for (uint32_t width = 1; width <= 14; width++)
    for (uint32_t height = 1; height <= 14; height++)
      for (size_t c = 0; c < G_N_ELEMENTS (connectivities); c++) {
        Case *test_case = cases_add (cases, width, height, connectivities[c], "%ux%u, %u-connected", width, height,
                                     connectivities[c]);
        pattern_random (&random, 30 + random_below (&random, 50), 1, test_case->pixels, width, height);
      }
}

/* Tall images, so that strips of threads have rows to meet in. */
static void
tall_cases (GPtrArray *cases)
{
  static const uint32_t widths[] = { 1, 2, 3, 33, 65, 130 };
  Random random;

  random_init (&random, 3);
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (size_t c = 0; c < G_N_ELEMENTS (connectivities); c++) {
      add_patterns (cases, widths[w], 301, connectivities[c]);
      add_random (cases, &random, widths[w], 301, connectivities[c]);
    }
}

/* Wide ones, so that the blocks of a GPU that number components share a row, for some of which none is stored. */
static void
wide_cases (GPtrArray *cases)
{
  static const uint32_t widths[] = { 2100, 4200 };
  Random random;

  random_init (&random, 16);
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (size_t c = 0; c < G_N_ELEMENTS (connectivities); c++)
      add_random (cases, &random, widths[w], 40, connectivities[c]);
  for (guint i = 0; i < cases->len; i++)
    if (i / 5 % 2)
      ((Case *) cases->pdata[i])->params.max_components = 0;
}

/* Two of three rows repeat the one above, on both sides of wherever threads divide the image. */
static void
draw_slabs (Random *random, uint32_t density, uint8_t *mask, uint32_t width, uint32_t height)
{
  pattern_random (random, density, 1, mask, width, height);
  for (uint32_t y = 1; y < height; y++)
    if (random_below (random, 3) > 0)
      memcpy (mask + (size_t) y * width, mask + (size_t) (y - 1) * width, width);
}

static void
slab_cases (GPtrArray *cases)
{
  static const uint32_t sizes[][2] = { { 1, 31 }, { 2, 2 }, { 63, 3 }, { 65, 64 }, { 130, 301 } };
  static const uint32_t densities[] = { 3, 20, 41, 60, 85 };
  Random random;

  random_init (&random, 14);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t d = 0; d < G_N_ELEMENTS (densities); d++)
      for (size_t c = 0; c < G_N_ELEMENTS (connectivities); c++)
        for (int denoise = 0; denoise <= 1; denoise++) {
          const uint32_t width = sizes[s][0], height = sizes[s][1];
          Case *test_case =
              cases_add (cases, width, height, connectivities[c], "%ux%u, %u-connected, %u %%, denoise %d", width,
                         height, connectivities[c], densities[d], denoise);

          draw_slabs (&random, densities[d], test_case->pixels, width, height);
          test_case->params.denoise = denoise;
          test_case->params.covariance = true;
          test_case->params.min_area = d == 3 ? 5 : 0;
        }
}

/* All foreground but for holes, which do not touch the borders of squares of 32x32 pixels: large shapes, for which an
 * algorithm may have a short way. In the right half one of four squares has holes, in one of `one_in` pixels. */
static void
draw_holes (Random *random, uint32_t one_in, uint8_t *mask, uint32_t width, uint32_t height)
{
  const uint32_t square = 32;

  memset (mask, 255, (size_t) width * height);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = width / 2; x < width; x++)
      if (x / square % 2 && y / square % 2 && x % square % (square - 1) && y % square % (square - 1)
          && random_below (random, one_in) == 0)
        mask[(size_t) y * width + x] = 0;
}

static void
hole_cases (GPtrArray *cases)
{
  static const uint32_t sizes[][2] = { { 256, 256 }, { 512, 512 }, { 257, 600 } };
  static const uint32_t one_in[] = { 100, 3 }; /* none of which, or many, have something inside */
  static const uint32_t areas[][2] = { { 0, 0 }, { 50000, 0 }, { 0, 50000 } };
  Random random;

  random_init (&random, 15);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t h = 0; h < G_N_ELEMENTS (one_in); h++)
      for (size_t a = 0; a < G_N_ELEMENTS (areas); a++) {
        const uint32_t width = sizes[s][0], height = sizes[s][1], connectivity = connectivities[(h + a) % 2];
        Case *test_case =
            cases_add (cases, width, height, connectivity, "%ux%u, %u-connected, holes of one in %u, areas %u-%u",
                       width, height, connectivity, one_in[h], areas[a][0], areas[a][1]);

        draw_holes (&random, one_in[h], test_case->pixels, width, height);
        test_case->params.covariance = a != 1;
        test_case->params.min_area = areas[a][0];
        test_case->params.max_area = areas[a][1];
      }
}

/* Squares of 256x256 pixels: all foreground, all background, or with a hole at the border. Lines of more than 32 of
 * them meet lines across. */
static void
draw_squares (Random *random, uint32_t density, uint8_t *mask, uint32_t width, uint32_t height)
{
  const uint32_t size = 256;

  for (uint32_t y0 = 0; y0 < height; y0 += size)
    for (uint32_t x0 = 0; x0 < width; x0 += size) {
      const uint32_t end_x = MIN (x0 + size, width), end_y = MIN (y0 + size, height);
      const uint8_t value = random_below (random, 100) < density ? 255 : 0;

      for (uint32_t y = y0; y < end_y; y++)
        memset (mask + (size_t) y * width + x0, value, end_x - x0);
      if (random_below (random, 8) == 0)
        mask[(size_t) y0 * width + x0 + random_below (random, end_x - x0)] = 0;
    }
}

static void
square_cases (GPtrArray *cases)
{
  static const uint32_t sizes[][2] = { { 1100, 1030 }, { 9000, 300 }, { 300, 9000 } };
  static const uint32_t densities[] = { 60, 97 };
  Random random;

  random_init (&random, 17);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t d = 0; d < G_N_ELEMENTS (densities); d++)
      for (size_t c = 0; c < G_N_ELEMENTS (connectivities); c++) {
        const uint32_t width = sizes[s][0], height = sizes[s][1];
        Case *test_case = cases_add (cases, width, height, connectivities[c], "%ux%u, %u-connected, squares, %u %%",
                                     width, height, connectivities[c], densities[d]);

        draw_squares (&random, densities[d], test_case->pixels, width, height);
        test_case->params.min_area = s == 0 && c == 0 ? 100000 : 0;
      }
}

/* --- Pages ------------------------------------------------------------------------------------------- */

/* Two pages between pages that cannot be touched. */
static uint8_t *
pages_new (size_t page)
{
  uint8_t *pages = mmap (NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true (pages != MAP_FAILED);
  g_assert_cmpint (mprotect (pages + page, 2 * page, PROT_READ | PROT_WRITE), ==, 0);
  return pages;
}

/* Images that start or end with a page: one byte read or written beyond them ends the program. */
static void
test_pages (CcaContext *context, const Target *target)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  uint8_t *in_pages = pages_new (page), *out_pages = pages_new (page);
  Random random;

  random_init (&random, 4);
  for (uint32_t width = 1; width <= 200; width++)
    for (int at_end = 0; at_end <= 1; at_end++) {
      const uint32_t height = 1 + width % 3;
      const CcaParams params = target_params (target, width % 2 ? 4 : 8);
      const OracleParams oracle_params = compare_oracle_params (&params);
      const CcaOutput output = 1 + (width + height) % CCA_OUTPUT_MASK;
      const uint32_t pixel_size = cca_output_pixel_size (output);
      const size_t in_size = (size_t) width * height, out_size = in_size * pixel_size;
      uint8_t *in = at_end ? in_pages + 3 * page - in_size : in_pages + page;
      uint8_t *out = at_end ? out_pages + 3 * page - out_size : out_pages + page;
      const CcaImage input = { in, width, width, height, CCA_MEMORY_HOST };
      const CcaImage image = { out, (ptrdiff_t) width * pixel_size, width, height, CCA_MEMORY_HOST };
      const Guarded written = { .image = image, .rows = out, .row_bytes = (size_t) width * pixel_size };
      g_autoptr (OracleFrame) expected = NULL;
      g_autoptr (CcaPlan) plan = NULL;
      g_autoptr (CcaResult) result = NULL;
      CcaMeasurement measurement;

      if (!compare_can (target->algorithm, &params, output))
        continue;
      pattern_random (&random, 55, 1, in, width, height);
      expected = oracle_run (&oracle_params, NULL, in, width, height);
      if (check_ok (cca_plan_new (context, width, height, &params, output, &plan), "plan")
          && check_ok (cca_result_new (plan, &result), "result")
          && check_ok (cca_plan_run (plan, &input, &image, NULL, result), "run")
          && check_ok (cca_result_wait (result, &measurement), "wait")) {
        check_same (compare_measurement (&measurement, expected), "%ux%u", width, height);
        check_same (compare_output (&written, output, expected), "%ux%u", width, height);
      }
    }
  munmap (in_pages, 4 * page);
  munmap (out_pages, 4 * page);
}

CASES_MAIN ()
{
  cases_add_test ("/shapes/tiny", tiny_cases, true, NULL);
  targets_add_image_test ("/shapes/sizes", test_sizes);
  cases_add_test ("/shapes/tall", tall_cases, true, NULL);
  cases_add_test ("/shapes/wide", wide_cases, false, NULL);
  cases_add_test ("/shapes/slabs", slab_cases, true, NULL);
  cases_add_test ("/shapes/holes", hole_cases, false, NULL);
  cases_add_test ("/shapes/squares", square_cases, false, NULL);
  targets_add_test ("/shapes/pages", test_pages);
}
