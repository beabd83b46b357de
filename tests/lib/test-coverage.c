/* gst-cca: the foreground of cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

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
  OracleModel *model;         /* NULL: none */
  const OracleChroma *chroma; /* NULL: none */
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
  OracleFrame *expected;
  CompareFrame frame;
  CcaMeasurement measurement = { 0 };
  g_autofree char *difference = NULL;

  Layout layout = target_layout (walk->target, turn);

  layout.format = params->format;
  check (cca_plan_set_params (walk->plan, params));
  compare_frame_init (&frame, walk->width, walk->height, CCA_OUTPUT_NONE, layout, walk->pixels);
  if (walk->chroma)
    compare_frame_set_chroma (&frame, walk->chroma, layout);
  if (walk->model)
    oracle_model_set_chroma (walk->model, walk->chroma);
  expected = oracle_run (&oracle_params, walk->model, walk->pixels, walk->width, walk->height);
  check (compare_frame_start (&frame, walk->plan, NULL, walk->result));
  check (cca_result_wait (walk->result, &measurement));
  difference = compare_measurement (&measurement, expected);
  if (!difference)
    difference =
        compare_coverage (&measurement, &oracle_params, walk->chroma, walk->pixels, expected, params->coverage_cell);
  if (difference)
    g_test_fail_printf ("%s, %ux%u, cells of %u, denoise %d, radius %u, least area %d, turn %u: %s",
                        cca_format_name (params->format), walk->width, walk->height, params->coverage_cell,
                        params->denoise, params->close_radius, (int) params->min_area, turn, difference);
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

static void
fill (Random *random, uint8_t *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    bytes[i] = (uint8_t) random_below (random, 256);
}

/* The colours of every format's pixels. */
static void
test_formats (CcaContext *context, const Target *target)
{
  Walk walk = { .target = target, .width = 131, .height = 47 };
  Random random;

  random_init (&random, 8);
  walk.pixels = g_malloc ((gsize) walk.width * walk.height * 4);
  fill (&random, walk.pixels, (size_t) walk.width * walk.height * 4);
  for (uint32_t format = 0; format <= CCA_FORMAT_GRAY16_BE && !g_test_failed (); format++) {
    CcaParams params = target_params (target, 8);

    params.format = format;
    params.foreground = CCA_FOREGROUND_RANGE;
    params.low = (uint16_t) (cca_format_max_value (format) / 8);
    params.high = (uint16_t) (cca_format_max_value (format) / 4);
    params.coverage_cell = cells[format % G_N_ELEMENTS (cells)];
    check (cca_plan_new (context, walk.width, walk.height, &params, CCA_OUTPUT_NONE, &walk.plan));
    check (cca_result_new (walk.plan, &walk.result));
    compare (&walk, &params, format);
    cca_result_free (walk.result);
    cca_plan_free (walk.plan);
  }
  g_free (walk.pixels);
}

/* The colours of images with chroma, in each of its layouts. */
static void
test_chroma (CcaContext *context, const Target *target)
{
  Walk walk = { .target = target, .width = 102, .height = 70 };
  const size_t n = (size_t) walk.width * walk.height;
  const uint8_t *planes = g_malloc (2 * n);
  const OracleChroma planes_of[] = { { planes, planes + n, walk.width, 1, 0, 0 },
                                     { planes, planes + n, walk.width / 2, 1, 1, 1 },
                                     { planes, planes + n, walk.width / 2, 1, 1, 0 },
                                     { planes, planes + 1, walk.width, 2, 1, 1 } };
  Random random;

  random_init (&random, 9);
  walk.pixels = g_malloc (n);
  for (guint i = 0; i < G_N_ELEMENTS (planes_of) && !g_test_failed (); i++) {
    CcaParams params = target_params (target, 8);

    params.foreground = CCA_FOREGROUND_MOTION;
    params.motion.model = CCA_MODEL_SAMPLES;
    params.motion.learning = 2;
    params.coverage_cell = i % 2 ? 2 : 4;
    walk.model = oracle_model_new (walk.width, walk.height);
    walk.chroma = &planes_of[i];
    check (cca_plan_new (context, walk.width, walk.height, &params, CCA_OUTPUT_NONE, &walk.plan));
    check (cca_result_new (walk.plan, &walk.result));
    for (uint32_t t = 0; t < 5 && !g_test_failed (); t++) {
      fill (&random, (uint8_t *) planes, 2 * n);
      memset (walk.pixels, 60, n);
      for (uint32_t y = 10; t > 2 && y < 40; y++)
        fill (&random, walk.pixels + y * walk.width + 20, 50);
      compare (&walk, &params, t);
    }
    cca_result_free (walk.result);
    cca_plan_free (walk.plan);
    oracle_model_free (walk.model);
  }
  g_free (walk.pixels);
  g_free ((uint8_t *) planes);
}

CASES_MAIN ()
{
  targets_add_image_test ("/coverage/cells", test_cells);
  targets_add_image_test ("/coverage/formats", test_formats);
  targets_add_image_test ("/coverage/chroma", test_chroma);
}
