/* gst-cca: the foreground of cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "compare.h"
#include "patterns.h"
#include "targets.h"

static const uint32_t cells[] = { 1, 2, 4, 8, 16 };

typedef struct
{
  const Target *target;
  CcaPlan *plan;
  CcaResult *result;
  uint32_t width, height;
  uint8_t *pixels;
} Walk;

static void
check (CcaStatus status)
{
  if (status != CCA_OK)
    g_test_fail_printf ("%s: %s", cca_status_text (status), cca_last_error ());
}

/* Runs a frame, and compares all that is measured of it. */
static bool
compare (Walk *walk, const CcaParams *params, uint32_t turn)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  OracleFrame *expected = oracle_run (&oracle_params, NULL, walk->pixels, walk->width, walk->height);
  CompareFrame frame;
  CcaMeasurement measurement = { 0 };
  char *difference;

  check (cca_plan_set_params (walk->plan, params));
  compare_frame_init (&frame, walk->width, walk->height, CCA_OUTPUT_NONE, target_layout (walk->target, turn),
                      walk->pixels);
  check (compare_frame_start (&frame, walk->plan, NULL, walk->result));
  check (cca_result_wait (walk->result, &measurement));
  difference = compare_measurement (&measurement, expected);
  if (!difference)
    difference = compare_coverage (&measurement, expected, params->coverage_cell);
  if (difference)
    g_test_fail_printf ("%ux%u, cells of %u, denoise %d, radius %u, least area %d, turn %u: %s", walk->width,
                        walk->height, params->coverage_cell, params->denoise, params->close_radius,
                        (int) params->min_area, turn, difference);
  g_free (difference);
  compare_frame_clear (&frame);
  oracle_frame_free (expected);
  return !g_test_failed ();
}

static void
run_size (CcaContext *context, Walk *walk, Random *random)
{
  CcaParams params = target_params (walk->target, 8);
  uint32_t turn = 0;
  bool same = true;

  walk->pixels = g_malloc ((gsize) walk->width * walk->height);
  params.n_threads = 2;
  check (cca_plan_new (context, walk->width, walk->height, &params, CCA_OUTPUT_NONE, &walk->plan));
  check (cca_result_new (walk->plan, &walk->result));
  for (guint c = 0; c < G_N_ELEMENTS (cells) && same; c++)
    for (uint32_t kind = 0; kind < 4 && same; kind++, turn++) {
      pattern_random (random, kind == 0 ? 100 : 30 + 20 * kind, 1 + turn % 5, walk->pixels, walk->width, walk->height);
      params.coverage_cell = cells[c];
      params.denoise = kind % 2;
      params.close_radius = turn % 3;
      params.min_area = kind == 3 ? 20 : 0;
      same = compare (walk, &params, turn);
    }
  params.coverage_cell = 0;
  if (same)
    compare (walk, &params, turn);
  cca_result_free (walk->result);
  cca_plan_free (walk->plan);
  g_free (walk->pixels);
}

static void
test_cells (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 15, 3 }, { 64, 16 }, { 65, 33 }, { 131, 47 }, { 300, 35 } };
  Random random;

  random_init (&random, 7);
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && !g_test_failed (); i++)
    run_size (context, &(Walk) { .target = target, .width = sizes[i][0], .height = sizes[i][1] }, &random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  targets_add_image_test ("/coverage/cells", test_cells);
  return g_test_run ();
}
