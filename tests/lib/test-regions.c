/* gst-cca: regions of the image, and the sensitivity of motion by place: refusals, and memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "counting-allocator.h"

/* --- Refusals ---------------------------------------------------------------------------------------- */

#define WIDTH 40u
#define HEIGHT 20u

/* Returns the number of foreground pixels of a white frame: those inside the region. */
static uint64_t
count_white (CcaPlan *plan, CcaResult *result)
{
  static uint8_t white[WIDTH * HEIGHT];
  const CcaImage image = { white, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  CcaMeasurement measurement;

  memset (white, 255, sizeof white);
  if (!check_ok (cca_plan_run (plan, &image, NULL, NULL, result), "run")
      || !check_ok (cca_result_wait (result, &measurement), "wait") || measurement.n_stored != 1)
    return 0;
  return measurement.components[0].area;
}

typedef CcaStatus Set (CcaPlan *plan, const CcaImage *image);

static void
refuse (CcaPlan *plan, Set *set, CcaImage image, const char *text)
{
  g_assert_cmpint (set (plan, &image), ==, CCA_ERROR_INVALID);
  if (!strstr (cca_last_error (), text))
    g_test_fail_printf ("\"%s\" does not say \"%s\"", cca_last_error (), text);
}

/* A refused region leaves the old one. */
static void
test_refusals (CcaContext *context, const Target *target)
{
  static Set *const sets[] = { cca_plan_set_region, cca_plan_set_sensitivity };
  static const char *const names[] = { "region", "factors" };
  uint8_t half[WIDTH * HEIGHT] = { 0 };
  const CcaImage good = { half, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  CcaParams params = target_params (target, 8);
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;

  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
    return;
  memset (half, 1, sizeof half / 2);
  if (check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result")
      && check_ok (cca_plan_set_region (plan, &good), "region")) {
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
    for (size_t i = 0; i < G_N_ELEMENTS (sets); i++) {
      CcaImage wrong = good;
      char *text = g_strdup_printf ("%s is 41x20, but the plan was made for 40x20", names[i]);

      wrong.width = WIDTH + 1;
      refuse (plan, sets[i], wrong, text);
      g_free (text);
      wrong = good;
      wrong.pitch = WIDTH - 1;
      refuse (plan, sets[i], wrong, "has a pitch of 39 bytes");
      wrong = good;
      wrong.data = NULL;
      refuse (plan, sets[i], wrong, "->data is NULL");
      wrong = good;
      wrong.memory = CCA_MEMORY_DEVICE;
      refuse (plan, sets[i], wrong, "must be in host memory");
    }
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
    cca_plan_reset (plan);
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
    g_assert_cmpint (cca_plan_set_region (plan, NULL), ==, CCA_OK);
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT);
  }
  cca_result_free (result);
  cca_plan_free (plan);
}

/* --- Memory ------------------------------------------------------------------------------------------ */

/* An allocation that fails leaves the old region, nothing leaks, and the plan counts its memory. */
static void
test_memory (CcaContext *unused, const Target *target)
{
  uint8_t half[WIDTH * HEIGHT] = { 0 }, all[WIDTH * HEIGHT];
  const CcaImage regions[] = { { half, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST },
                               { all, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST } };
  CcaParams params = target_params (target, 8);
  CountingAllocator counting;
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *result;
  size_t without, blocks;

  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
    return;
  memset (half, 1, sizeof half / 2);
  memset (all, 1, sizeof all);
  counting_allocator_init (&counting);
  g_assert_cmpint (target_open (target, false, &counting.allocator, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  /* The first frame may need room of its own. */
  g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT);
  without = cca_plan_memory (plan);
  blocks = counting.blocks;
  g_assert_cmpint (cca_plan_set_region (plan, &regions[0]), ==, CCA_OK);
  g_assert_cmpuint (cca_plan_memory (plan), >, without);

  counting.once = true;
  counting.n_calls = 0;
  counting.fail_at = 1;
  g_assert_cmpint (cca_plan_set_region (plan, &regions[1]), ==, CCA_ERROR_MEMORY);
  counting.n_calls = 0;
  g_assert_cmpint (cca_plan_set_sensitivity (plan, &regions[1]), ==, CCA_ERROR_MEMORY);
  counting.fail_at = 0;
  g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
  g_assert_cmpint (cca_plan_set_region (plan, &regions[1]), ==, CCA_OK);
  g_assert_cmpint (cca_plan_set_sensitivity (plan, &regions[1]), ==, CCA_OK);
  g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT);
  g_assert_cmpint (cca_plan_set_region (plan, NULL), ==, CCA_OK);
  g_assert_cmpint (cca_plan_set_sensitivity (plan, NULL), ==, CCA_OK);
  g_assert_cmpuint (cca_plan_memory (plan), ==, without);
  g_assert_cmpuint (counting.blocks, ==, blocks);
  g_assert_cmpint (cca_plan_set_region (plan, &regions[0]), ==, CCA_OK);
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
  g_assert_cmpuint (counting.blocks, ==, 0);
  counting_allocator_clear (&counting);
}

CASES_MAIN ()
{
  targets_add_test ("/regions/refusals", test_refusals);
  targets_add_test ("/regions/memory", test_memory);
}
