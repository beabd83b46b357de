/* gst-cca: plans and results over their lives
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

#define WIDTH 97u
#define HEIGHT 41u

static void
draw_random (uint8_t *pixels, uint32_t seed)
{
  Random random;

  random_init (&random, seed);
  pattern_random_values (&random, 256, 1 + seed % 3, pixels, WIDTH, HEIGHT);
}

static bool
check_plan (const Target *target, CcaPlan *plan, CcaResult *result, CcaOutput output, const CcaParams *params,
            uint32_t seed)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  uint8_t pixels[WIDTH * HEIGHT];
  g_autoptr (OracleFrame) expected = NULL;
  bool same;

  draw_random (pixels, seed);
  expected = oracle_run (&oracle_params, NULL, pixels, WIDTH, HEIGHT);
  same =
      check_same (compare_run (plan, result, output, target_layout (target, seed), pixels, expected), "frame %u", seed);
  return same;
}

/* Any parameter may change from frame to frame, and changes that fail may stand in between. */
static void
test_changes (CcaContext *context, const Target *target)
{
  static const CcaForeground foregrounds[] = { CCA_FOREGROUND_NONZERO, CCA_FOREGROUND_THRESHOLD, CCA_FOREGROUND_RANGE,
                                               CCA_FOREGROUND_VALUES };
  const uint32_t *threads = target_threads (target);
  uint32_t n_threads = 0;
  Random random;

  while (threads[n_threads])
    n_threads++;
  random_init (&random, 13);
  for (CcaOutput output = CCA_OUTPUT_NONE; output <= CCA_OUTPUT_MASK; output++) {
    CcaParams params = target_params (target, 8);
    g_autoptr (CcaPlan) plan = NULL;
    g_autoptr (CcaResult) result = NULL;

    if (!compare_can (target->algorithm, &params, output))
      continue;
    if (!check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, output, &plan), "plan")
        || !check_ok (cca_result_new (plan, &result), "result"))
      return;
    for (uint32_t i = 0; i < 200 && !g_test_failed (); i++) {
      CcaParams next = target_params (target, random_below (&random, 2) ? 4 : 8);

      next.foreground = foregrounds[random_below (&random, G_N_ELEMENTS (foregrounds))];
      next.threshold = (uint8_t) random_next (&random);
      next.low = (uint8_t) random_below (&random, 128);
      next.high = (uint8_t) (128 + random_below (&random, 128));
      next.invert = random_below (&random, 2);
      next.denoise = random_below (&random, 2);
      next.close_radius = random_below (&random, 4) ? 0 : random_below (&random, CCA_MAX_CLOSE_RADIUS + 1);
      next.min_area = random_below (&random, 4);
      next.max_width = random_below (&random, 4) ? 0 : 1 + random_below (&random, 20);
      next.min_height = random_below (&random, 4) ? 0 : random_below (&random, 4);
      next.max_components = 1 + random_below (&random, 1000);
      next.order = random_below (&random, 2) ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
      next.covariance = random_below (&random, 2);
      next.n_threads = threads[random_below (&random, n_threads)];
      if (!compare_can (target->algorithm, &next, output))
        continue;
      if (random_below (&random, 3) == 0) {
        CcaParams wrong = next;

        wrong.connectivity = 6;
        g_assert_cmpint (cca_plan_set_params (plan, &wrong), ==, CCA_ERROR_INVALID);
      } else {
        check_ok (cca_plan_set_params (plan, &next), "set_params %u", i);
        params = next;
      }
      if (!g_test_failed ())
        check_plan (target, plan, result, output, &params, i);
    }
    g_assert_cmpstr (cca_plan_algorithm (plan)->name, ==, target->algorithm->name);
  }
}

/* A plan that was made for few components may be asked for more, in either order. */
static void
test_limits (CcaContext *context, const Target *target)
{
  static const struct
  {
    uint32_t max_components;
    CcaOrder order;
  } limits[] = { { 1, CCA_ORDER_RASTER },    { 1, CCA_ORDER_AREA },   { 7, CCA_ORDER_RASTER },
                 { 1000, CCA_ORDER_RASTER }, { 900, CCA_ORDER_AREA }, { CCA_MAX_COMPONENTS, CCA_ORDER_RASTER } };

  for (size_t first = 0; first < G_N_ELEMENTS (limits) && !g_test_failed (); first++) {
    CcaParams params = target_params (target, 4);
    const CcaOutput output =
        compare_can (target->algorithm, &params, CCA_OUTPUT_MASK) ? CCA_OUTPUT_MASK : CCA_OUTPUT_NONE;
    g_autoptr (CcaPlan) plan = NULL;
    g_autoptr (CcaResult) result = NULL;

    params.foreground = CCA_FOREGROUND_THRESHOLD;
    for (size_t i = first; i < G_N_ELEMENTS (limits) && !g_test_failed (); i++) {
      params.max_components = limits[i].max_components;
      params.order = limits[i].order;
      if (plan == NULL) {
        g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, output, &plan), ==, CCA_OK);
        g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
      }
      if (check_ok (cca_plan_set_params (plan, &params), "set_params"))
        check_plan (target, plan, result, output, &params, 3 * (uint32_t) i);
    }
  }
}

/* The algorithm itself may change. */
static void
test_algorithms (CcaContext *context, const Target *target)
{
  const CcaAlgorithm *const *all = cca_algorithms (target->backend);
  CcaParams params = target_params (target, 8);
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  uint32_t seed = 0;

  if (!check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_MASK, &plan), "plan")
      || !check_ok (cca_result_new (plan, &result), "result"))
    return;
  check_plan (target, plan, result, CCA_OUTPUT_MASK, &params, seed++);
  for (const CcaAlgorithm *const *a = all; *a; a++) {
    params.algorithm = (*a)->name;
    if (!compare_can (*a, &params, CCA_OUTPUT_MASK))
      continue;
    check_ok (cca_plan_set_params (plan, &params), "set_params to %s", params.algorithm);
    g_assert_true (cca_plan_algorithm (plan) == *a);
    check_plan (target, plan, result, CCA_OUTPUT_MASK, &params, seed++);
    params.algorithm = "auto";
    check_ok (cca_plan_set_params (plan, &params), "set_params to auto");
    check_plan (target, plan, result, CCA_OUTPUT_MASK, &params, seed++);
  }
  cca_result_free (result);
  cca_plan_free (plan);
}

/* A measurement lives until its result is used again, whatever the plan does with other results. */
static void
test_results (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 4);
  const OracleParams oracle_params = compare_oracle_params (&params);
  CcaPlan *plan = NULL;
  CcaResult *results[3] = { NULL };
  CcaMeasurement measurements[3], again;
  OracleFrame *expected[3];
  uint8_t pixels[3][WIDTH * HEIGHT];

  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE)
      || !check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), "plan"))
    return;
  for (uint32_t i = 0; i < 3; i++) {
    const CcaImage image = { pixels[i], WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };

    draw_random (pixels[i], i);
    expected[i] = oracle_run (&oracle_params, NULL, pixels[i], WIDTH, HEIGHT);
    check_ok (cca_result_new (plan, &results[i]), "result");
    g_assert_cmpint (cca_result_wait (results[i], &measurements[i]), ==, CCA_ERROR_INVALID);
    check_ok (cca_plan_run (plan, &image, NULL, NULL, results[i]), "run");
    check_ok (cca_result_wait (results[i], &measurements[i]), "wait");
  }
  params.threshold = 3;
  params.foreground = CCA_FOREGROUND_THRESHOLD;
  check_ok (cca_plan_set_params (plan, &params), "set_params");
  for (uint32_t i = 0; i < 3; i++) {
    check_same (compare_measurement (&measurements[i], expected[i]), "result %u", i);
    check_ok (cca_result_wait (results[i], &again), "wait again");
    check_same (compare_measurement (&again, expected[i]), "result %u again", i);
  }
  cca_result_free (results[1]);
  check_same (compare_measurement (&measurements[0], expected[0]), "result 0 after another was freed");
  check_same (compare_measurement (&measurements[2], expected[2]), "result 2 after another was freed");
  cca_result_free (results[0]);
  cca_result_free (results[2]);
  cca_plan_free (plan);
  for (uint32_t i = 0; i < 3; i++)
    oracle_frame_free (expected[i]);
}

/* A frame that is under way when the parameters change is one of before, also where it turns out to need more room. */
static void
test_under_way (CcaContext *context, const Target *target)
{
  enum
  {
    N = 4
  };
  static const CcaForeground foregrounds[] = { CCA_FOREGROUND_NONZERO, CCA_FOREGROUND_MOTION, CCA_FOREGROUND_VALUES };

  for (guint k = 0; k < G_N_ELEMENTS (foregrounds) && !g_test_failed (); k++) {
    CcaParams params = target_params (target, k % 2 ? 4 : 8);
    const CcaOutput output = CCA_OUTPUT_LABELS_U32;
    g_autoptr (OracleModel) model = NULL;
    OracleParams oracle_params;
    OracleFrame *expected;
    CompareFrame frame;
    CcaParams next;
    uint8_t pixels[N][WIDTH * HEIGHT];
    g_autoptr (CcaPlan) plan = NULL;
    g_autoptr (CcaResult) result = NULL;

    params.foreground = foregrounds[k];
    params.motion.learning = 1;
    params.motion.period = 1;
    params.max_components = WIDTH * HEIGHT;
    if (!compare_can (target->algorithm, &params, output)
        || !check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, output, &plan), "plan"))
      continue;
    check_ok (cca_result_new (plan, &result), "result");
    next = params;
    next.foreground = CCA_FOREGROUND_THRESHOLD;
    next.covariance = true;
    oracle_params = compare_oracle_params (&params);
    if (params.foreground == CCA_FOREGROUND_MOTION)
      model = oracle_model_new (WIDTH, HEIGHT);
    for (guint i = 0; i < N; i++) {
      draw_random (pixels[i], 3 * i);
      /* Many small components. */
      for (guint p = 0; p < WIDTH * HEIGHT && params.foreground != CCA_FOREGROUND_VALUES; p++)
        pixels[i][p] = pixels[i][p] % (3 + i) ? 0 : 200;
      expected = oracle_run (&oracle_params, model, pixels[i], WIDTH, HEIGHT);
      compare_frame_init (&frame, WIDTH, HEIGHT, output, target_layout (target, i), pixels[i]);
      check_ok (compare_frame_start (&frame, plan, NULL, result), "run");
      if (i == N - 1)
        check_ok (cca_plan_set_params (plan, &next), "set_params");
      check_same (compare_frame_finish (&frame, expected), "foreground %d, frame %u", foregrounds[k], i);
      compare_frame_clear (&frame);
      oracle_frame_free (expected);
    }
    /* The plan has room for frames of its new parameters, too. */
    oracle_params = compare_oracle_params (&next);
    for (guint i = 0; i < N; i++) {
      expected = oracle_run (&oracle_params, NULL, pixels[i], WIDTH, HEIGHT);
      check_same (compare_run (plan, result, output, target_layout (target, i), pixels[i], expected),
                  "after foreground %d, frame %u", foregrounds[k], i);
      oracle_frame_free (expected);
    }
  }
}

/* A plan that can paint need not. */
static void
test_no_output (CcaContext *context, const Target *target)
{
  for (CcaOutput output = CCA_OUTPUT_LABELS_U32; output <= CCA_OUTPUT_MASK; output++)
    for (const uint32_t *threads = target_threads (target); *threads; threads++) {
      CcaParams params = target_params (target, 8);
      g_autoptr (CcaPlan) plan = NULL;
      g_autoptr (CcaResult) result = NULL;

      params.n_threads = *threads;
      if (!compare_can (target->algorithm, &params, output))
        continue;
      if (check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, output, &plan), "plan")
          && check_ok (cca_result_new (plan, &result), "result")) {
        check_plan (target, plan, result, CCA_OUTPUT_NONE, &params, 1);
        check_plan (target, plan, result, output, &params, 2);
        check_plan (target, plan, result, CCA_OUTPUT_NONE, &params, 3);
      }
    }
}

/* --- Threads ----------------------------------------------------------------------------------------- */

typedef struct
{
  CcaContext *context;
  const Target *target;
  CcaParams params;
  CcaOutput output;
  char *difference;
} Worker;

static void *
work (void *data)
{
  Worker *worker = data;
  const OracleParams oracle_params = compare_oracle_params (&worker->params);
  g_autofree uint8_t *pixels = g_malloc (WIDTH * HEIGHT);

  for (uint32_t round = 0; round < 10 && !worker->difference; round++) {
    g_autoptr (CcaPlan) plan = NULL;
    g_autoptr (CcaResult) result = NULL;

    if (cca_plan_new (worker->context, WIDTH, HEIGHT, &worker->params, worker->output, &plan) != CCA_OK
        || cca_result_new (plan, &result) != CCA_OK)
      worker->difference = g_strdup (cca_last_error ());
    for (uint32_t i = 0; i < 20 && !worker->difference; i++) {
      g_autoptr (OracleFrame) expected = NULL;

      draw_random (pixels, round * 20 + i);
      expected = oracle_run (&oracle_params, NULL, pixels, WIDTH, HEIGHT);
      worker->difference =
          compare_run (plan, result, worker->output, target_layout (worker->target, i), pixels, expected);
    }
  }
  return NULL;
}

/* Plans of one context in threads of their own. */
static void
test_threads (CcaContext *context, const Target *target)
{
  Worker workers[3];
  GThread *threads[G_N_ELEMENTS (workers)];

  for (size_t i = 0; i < G_N_ELEMENTS (workers); i++) {
    workers[i] = (Worker) { .context = context,
                            .target = target,
                            .params = target_params (target, i % 2 ? 4 : 8),
                            .output = i == 0 ? CCA_OUTPUT_NONE : CCA_OUTPUT_LABELS_U32 };
    workers[i].params.threshold = (uint8_t) (40 * i);
    workers[i].params.foreground = CCA_FOREGROUND_THRESHOLD;
    workers[i].params.n_threads = target->algorithm->capabilities & CCA_CAN_THREADS ? 1 + (uint32_t) i : 1;
    if (!compare_can (target->algorithm, &workers[i].params, workers[i].output))
      workers[i].output = CCA_OUTPUT_NONE;
    threads[i] = g_thread_new ("worker", work, &workers[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (workers); i++) {
    g_thread_join (threads[i]);
    check_same (workers[i].difference, "thread %zu", i);
  }
}

CASES_MAIN ()
{
  targets_add_image_test ("/plan/changes", test_changes);
  targets_add_image_test ("/plan/limits", test_limits);
  targets_add_image_test_where ("/plan/algorithms", test_algorithms, target_can_label);
  targets_add_test ("/plan/results", test_results);
  targets_add_test ("/plan/under-way", test_under_way);
  targets_add_image_test ("/plan/no-output", test_no_output);
  targets_add_image_test ("/plan/threads", test_threads);
}
