/* gst-cca: the iterations of the algorithms that count them, on ridge patterns
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Label equivalence needs exactly l iterations on Rˡ (evaluation paper, appendix A): ridges.h has the patterns.
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "ridges.h"

/* Of whole patterns; R⁷ has 97 rows of 186 pixels at scale 0. Of crests, which are few pixels at any level. */
#define MAX_LEVEL 7
#define MAX_CREST 10
#define MAX_SCALE 2

static bool
counts_iterations (const Target *target)
{
  return g_str_has_prefix (target->algorithm->name, "label-equivalence");
}

static bool
counts_none (const Target *target)
{
  return !counts_iterations (target);
}

/* Runs the image several times on a new plan, and expects the same number of iterations each time. */
static void
check_iterations (CcaContext *context, const Target *target, uint32_t connectivity, const uint8_t *pixels,
                  uint32_t width, uint32_t height, uint32_t n_iterations)
{
  const CcaParams params = target_params (target, connectivity);
  const OracleParams oracle_params = compare_oracle_params (&params);
  g_autoptr (OracleFrame) expected = oracle_run (&oracle_params, NULL, pixels, width, height);
  g_autoptr (CcaPlan) plan = NULL;
  g_autoptr (CcaResult) result = NULL;
  CcaMeasurement measurement;

  if (check_ok (cca_plan_new (context, width, height, &params, CCA_OUTPUT_LABELS_U32, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result"))
    for (uint32_t turn = 0; turn < 3 && !g_test_failed (); turn++) {
      check_same (compare_run (plan, result, CCA_OUTPUT_LABELS_U32, target_layout (target, turn), pixels, expected),
                  "%ux%u, %u-connectivity, turn %u", width, height, connectivity, turn);
      check_ok (cca_result_wait (result, &measurement), "wait");
      if (measurement.n_iterations != n_iterations)
        g_test_fail_printf ("%ux%u, %u-connectivity, turn %u: %u iterations, not %u", width, height, connectivity, turn,
                            measurement.n_iterations, n_iterations);
    }
}

/* A pattern with a margin of `margin` pixels, or its first n_rows rows if it has more. */
static void
check_ridge (CcaContext *context, const Target *target, uint32_t level, uint32_t scale, uint32_t n_rows,
             uint32_t margin)
{
  const Ridge ridge = ridge_new (level, scale);
  const uint32_t width = ridge.width + 2 * margin, height = ridge.height + 2 * margin;
  g_autofree uint8_t *pixels = g_malloc0 ((gsize) width * height);

  ridge_draw (&ridge, pixels + (gsize) margin * width + margin, width);
  for (uint32_t connectivity = 4; connectivity <= 8 && !g_test_failed (); connectivity += 4)
    check_iterations (context, target, connectivity, pixels, width, MIN (height, n_rows),
                      counts_iterations (target) ? level : 0);
  if (g_test_failed ())
    g_test_message ("level %u, scale %u, %u rows", level, scale, n_rows);
}

static void
test_ridges (CcaContext *context, const Target *target)
{
  for (uint32_t level = 1; level <= MAX_LEVEL && !g_test_failed (); level++)
    for (uint32_t scale = 0; scale <= MAX_SCALE && level + scale <= MAX_LEVEL && !g_test_failed (); scale++)
      check_ridge (context, target, level, scale, UINT32_MAX, level % 3);
}

/* The crest on the first row of the base decides alone. The greater levels need more iterations than a plan enqueues
 * for its first frame. */
static void
test_crests (CcaContext *context, const Target *target)
{
  for (uint32_t level = 2; level <= MAX_CREST && !g_test_failed (); level++)
    check_ridge (context, target, level, 0, level + 1, 0);
}

static void
test_none (CcaContext *context, const Target *target)
{
  check_ridge (context, target, 4, 0, UINT32_MAX, 1);
}

/* An image in which no pixel has a neighbour needs none. */
static void
test_nothing (CcaContext *context, const Target *target)
{
  uint8_t pixels[35 * 9] = { 0 };

  check_iterations (context, target, 8, pixels, 35, 9, 0);
  for (uint32_t y = 0; y < 9; y += 2)
    for (uint32_t x = 0; x < 35; x += 2)
      pixels[y * 35 + x] = 255;
  check_iterations (context, target, 8, pixels, 35, 9, 0);
  check_iterations (context, target, 8, pixels, 1, 1, 0);
}

CASES_MAIN ()
{
  targets_add_image_test_where ("/iterations/ridges", test_ridges, counts_iterations);
  targets_add_image_test_where ("/iterations/crests", test_crests, counts_iterations);
  targets_add_image_test_where ("/iterations/nothing", test_nothing, counts_iterations);
  targets_add_test_where ("/iterations/none", test_none, counts_none);
}
