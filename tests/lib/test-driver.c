/* gst-cca: lives with the CUDA backend in which each call of the driver fails in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "../add-tests.h"
#include "cases.h"
#include "device.h"
#include "driver.h"

/* How calls fail. */
typedef struct
{
  const char *name;
  int result;
  FakeCudaSpan span;
  CcaStatus status; /* that this gives */
} Failing;

static const Failing failings[] = {
  { "out-of-memory", FAKE_CUDA_OUT_OF_MEMORY, FAKE_CUDA_ONCE, CCA_ERROR_MEMORY },
  { "once", FAKE_CUDA_UNKNOWN, FAKE_CUDA_ONCE, CCA_ERROR_DEVICE },
  { "from-then-on", FAKE_CUDA_UNKNOWN, FAKE_CUDA_FROM_THEN_ON, CCA_ERROR_DEVICE },
  { "illegal-address", FAKE_CUDA_ILLEGAL_ADDRESS, FAKE_CUDA_IN_THIS_CONTEXT, CCA_ERROR_DEVICE },
  { "uncorrectable", FAKE_CUDA_UNCORRECTABLE, FAKE_CUDA_IN_THIS_CONTEXT, CCA_ERROR_DEVICE },
};

/* A life with all that calls the driver. Without memory a step is tried again and must work then; after a failure of
 * the device the rest must fail or work, nothing else. */
typedef struct
{
  const Failing *failing; /* NULL: nothing shall fail */
  CountingAllocator counting;
  uint32_t n_failed;
} Life;

static bool
worked (Life *life, CcaStatus status)
{
  if (status == CCA_OK)
    return true;
  life->n_failed++;
  if (life->failing == NULL || fake->failed () == NULL)
    g_test_fail_printf ("failed without a cause: %s", cca_last_error ());
  else if (status != life->failing->status)
    g_test_fail_printf ("the failure of %s gives \"%s\": %s", fake->failed (), cca_status_text (status),
                        cca_last_error ());
  g_assert_cmpstr (cca_last_error (), !=, "");
  return false;
}

/* Returns whether the injected failure is one of memory, after which all must still be right. */
static bool
lacks_memory (const Life *life)
{
  return life->failing && life->failing->status == CCA_ERROR_MEMORY;
}

static bool
try_again (const Life *life)
{
  return lacks_memory (life) && life->n_failed == 1;
}

static bool
step_frame (Life *life, CcaPlan *plan, CcaResult *result, const CcaParams *params, size_t figure)
{
  const CcaMemory memory = figure % 2 ? CCA_MEMORY_DEVICE : CCA_MEMORY_HOST;
  const bool exact = life->n_failed == 0 || lacks_memory (life);
  CcaMeasurement measurement;

  if (!worked (life, run (plan, result, figure, memory)))
    return try_again (life) && step_frame (life, plan, result, params, figure);
  if (!worked (life, cca_result_wait (result, &measurement))) {
    if (cca_result_wait (result, &measurement) == CCA_OK)
      g_test_fail_printf ("a frame that failed by %s is there when asked for again", fake->failed ());
    return try_again (life) && step_frame (life, plan, result, params, figure);
  }
  if (exact)
    check_measurement (&measurement, params, figure);
  return true;
}

#define STEP(life, call) (worked (life, call) || (try_again (life) && worked (life, call)))

static void
step_params (Life *life, CcaPlan *plan, CcaResult *result, const CcaParams *params, size_t figure)
{
  if (STEP (life, cca_plan_set_params (plan, params)))
    step_frame (life, plan, result, params, figure);
}

static void
step_all_params (Life *life, CcaPlan *plan, CcaResult *result, CcaParams params)
{
  uint8_t bytes[WIDTH * HEIGHT];
  const CcaImage places = { .data = bytes, .pitch = WIDTH, .width = WIDTH, .height = HEIGHT };

  memset (bytes, 16, sizeof bytes); /* as a region, the whole image */
  for (size_t i = 0; i < N_FIGURES; i++)
    step_frame (life, plan, result, &params, i);
  if (STEP (life, cca_plan_set_region (plan, &places)))
    step_frame (life, plan, result, &params, 3);
  params.order = CCA_ORDER_AREA;
  params.covariance = true;
  params.denoise = true;
  params.close_radius = 2;
  params.max_components = CCA_MAX_COMPONENTS;
  step_params (life, plan, result, &params, 4);
  params.foreground = CCA_FOREGROUND_MOTION;
  step_params (life, plan, result, &params, 1);
  step_params (life, plan, result, &params, 2);
  if (STEP (life, cca_plan_set_sensitivity (plan, &places)))
    step_frame (life, plan, result, &params, 3);
  params.overlaps = true;
  params.shape = true;
  step_params (life, plan, result, &params, 4);
  params.foreground = CCA_FOREGROUND_VALUES;
  step_params (life, plan, result, &params, 3);
  step_params (life, plan, result, &params, 5);
  if (STEP (life, cca_plan_set_region (plan, NULL)) && STEP (life, cca_plan_set_sensitivity (plan, NULL)))
    step_frame (life, plan, result, &params, 4);
}

/* Changes the parameters while a frame is in flight, and ends with one. */
static void
step_late (Life *life, CcaPlan *plan, CcaResult *result, CcaParams params)
{
  CcaMeasurement measurement;

  params.overlaps = true;
  params.intensity = true;
  step_params (life, plan, result, &params, 2);
  if (worked (life, run (plan, result, 3, CCA_MEMORY_DEVICE))) {
    params.overlaps = false;
    params.intensity = false;
    worked (life, cca_plan_set_params (plan, &params));
    worked (life, cca_result_wait (result, &measurement));
  }
  worked (life, run (plan, result, 2, CCA_MEMORY_DEVICE));
}

static void
live (Life *life)
{
  CcaParams params;
  CcaContext *context = NULL;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;

  cca_params_init (&params);
  params.connectivity = 4;
  params.stage_interval = 3; /* frames in device memory that are timed, and others */
  if (STEP (life, open_context (&life->counting, &context))
      && STEP (life, cca_plan_new (context, WIDTH, HEIGHT, &params, OUTPUT, &plan))
      && STEP (life, cca_result_new (plan, &result))) {
    step_all_params (life, plan, result, params);
    step_late (life, plan, result, params);
  }
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
}

static void
check_life (void)
{
  Life life = { 0 };

  counting_allocator_init (&life.counting);
  live (&life);
  counting_allocator_clear (&life.counting);
}

/* Checks that all objects are freed after a life. Those in a context that cannot be made current, or whose device is
 * lost, are gone with it. */
static void
check_held (const uint64_t *before, const Failing *failing, uint64_t n)
{
  const bool lost = failing->span == FAKE_CUDA_FROM_THEN_ON || g_strcmp0 (fake->failed (), "cuCtxPushCurrent") == 0;

  for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++) {
    if (lost && kind != FAKE_CUDA_CONTEXT && kind != FAKE_CUDA_CURRENT)
      continue;
    if (fake->n_held (kind) != before[kind])
      g_test_fail_printf ("call %" G_GUINT64_FORMAT ", %s: %" G_GINT64_FORMAT " of kind %s leak", n, fake->failed (),
                          (gint64) (fake->n_held (kind) - before[kind]), fake->kind_name (kind));
  }
}

static void
test_failing (gconstpointer data)
{
  const Failing *failing = data;
  bool reached = true;
  uint64_t n;

  images_init ();
  check_life ();
  for (n = 1; reached && !g_test_failed (); n++) {
    const uint64_t mark = fake->mark ();
    Life life = { .failing = failing };
    uint64_t before[FAKE_CUDA_N_KINDS];

    for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++)
      before[kind] = fake->n_held (kind);
    counting_allocator_init (&life.counting);
    fake->fail (n, failing->span, failing->result);
    live (&life);
    reached = fake->failed () != NULL;
    check_held (before, failing, n);
    if (life.counting.blocks != 0)
      g_test_fail_printf ("call %" G_GUINT64_FORMAT ", %s: %zu blocks of host memory leak", n, fake->failed (),
                          life.counting.blocks);
    counting_allocator_clear (&life.counting);
    fake->fail (0, FAKE_CUDA_ONCE, 0);
    device_keep ();
    fake->release_since (mark);
    if (n % 16 == 0)
      check_life ();
  }
  check_life ();
  g_test_message ("%" G_GUINT64_FORMAT " calls of the driver, each failed in turn", n - 2);
  if (n <= 50 && !g_test_failed ())
    g_test_fail_printf ("a life calls the driver %" G_GUINT64_FORMAT " times only", n - 2);
  images_clear ();
}

/* The driver is opened once a process. */
static void
first_use (gconstpointer data)
{
  CountingAllocator counting;
  CcaContext *context = NULL;

  counting_allocator_init (&counting);
  fake->fail (GPOINTER_TO_UINT (data), FAKE_CUDA_ONCE, FAKE_CUDA_UNKNOWN);
  g_assert_cmpint (open_context (&counting, &context), ==, CCA_ERROR_UNAVAILABLE);
  g_assert_nonnull (fake->failed ());
  g_assert_cmpstr (cca_last_error (), !=, "");
  g_assert_null (context);
  g_assert_cmpuint (counting.blocks, ==, 0);
}

static void
test_first_use (void)
{
  static const char *const children[] = { "/driver/first-use/subprocess/1", "/driver/first-use/subprocess/2" };

  for (size_t i = 0; i < G_N_ELEMENTS (children); i++) {
    g_test_trap_subprocess (children[i], 0, 0);
    g_test_trap_assert_passed ();
  }
}

int
main (int argc, char **argv)
{
  driver_init (&argc, &argv);
  g_test_add_func ("/driver/first-use", test_first_use);
  g_test_add_data_func ("/driver/first-use/subprocess/1", GUINT_TO_POINTER (1), first_use);
  g_test_add_data_func ("/driver/first-use/subprocess/2", GUINT_TO_POINTER (2), first_use);
  ADD_ROWS ("/driver/fails", failings, test_failing);
  return g_test_run ();
}
