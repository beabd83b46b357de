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
  targets_add_test ("/plan/results", test_results);
  targets_add_image_test ("/plan/threads", test_threads);
}
