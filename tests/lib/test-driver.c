/* gst-cca: the CUDA driver's failures, one after the other
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Runs on the fake driver (fake-cuda/), in front of a GPU or of the null device, whose kernels do nothing: there
 * results are not compared.
 */
#include <dlfcn.h>
#include <stdio.h>

#include <glib.h>

#include "cases.h"
#include "compare.h"
#include "counting-allocator.h"
#include "device.h"
#include "fake-cuda/fake-cuda.h"
#include "patterns.h"

#define WIDTH 90u
#define HEIGHT 60u
#define OUTPUT CCA_OUTPUT_LABELS_U32

static const FakeCuda *fake;

/* --- Frames ------------------------------------------------------------------------------------------ */

/* From few components to many and back. */
static const char *const figures[] = { "empty", "frame", "rings", "dots", "checkerboard", "corners" };
#define N_FIGURES G_N_ELEMENTS (figures)

/* The same images in host and in device memory, made once, as only libcca's calls of the driver shall be counted. */
static struct
{
  uint8_t pixels[N_FIGURES][WIDTH * HEIGHT], out[WIDTH * HEIGHT * 4];
  void *device_pixels[N_FIGURES], *device_out;
} images;

static void
images_init (void)
{
  for (size_t i = 0; i < N_FIGURES; i++) {
    pattern_draw (pattern_find (figures[i]), images.pixels[i], WIDTH, HEIGHT);
    images.device_pixels[i] = device_alloc (NULL, WIDTH * HEIGHT);
    device_upload (NULL, images.device_pixels[i], images.pixels[i], WIDTH * HEIGHT);
  }
  images.device_out = device_alloc (NULL, sizeof images.out);
}

static void
images_clear (void)
{
  for (size_t i = 0; i < N_FIGURES; i++)
    device_free (NULL, images.device_pixels[i]);
  device_free (NULL, images.device_out);
}

static CcaStatus
run (CcaPlan *plan, CcaResult *result, size_t figure, CcaMemory memory)
{
  const bool on_device = memory == CCA_MEMORY_DEVICE;
  const CcaImage in = { on_device ? images.device_pixels[figure] : images.pixels[figure], WIDTH, WIDTH, HEIGHT,
                        memory };
  const CcaImage out = { on_device ? images.device_out : images.out, WIDTH * 4, WIDTH, HEIGHT, memory };

  return cca_plan_run (plan, &in, &out, NULL, result);
}

/* Where kernels work, and but for MOTION, of which there is no model here. */
static void
check_measurement (const CcaMeasurement *measurement, const CcaParams *params, size_t figure)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  OracleFrame *expected;

  if (fake->is_null () || params->foreground == CCA_FOREGROUND_MOTION)
    return;
  expected = oracle_run (&oracle_params, NULL, images.pixels[figure], WIDTH, HEIGHT);
  check_same (compare_measurement (measurement, expected), "%s", figures[figure]);
  oracle_frame_free (expected);
}

static CcaStatus
open_context (CountingAllocator *counting, CcaContext **context)
{
  CcaContextOptions options;

  cca_context_options_init (&options);
  options.backend = CCA_BACKEND_CUDA;
  options.allocator = counting->allocator;
  return cca_context_new (&options, context);
}

/* --- Lives ------------------------------------------------------------------------------------------- */

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

/* Whether what fails is memory, after which all must still be right. */
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
  step_params (life, plan, result, &params, 4);
  params.foreground = CCA_FOREGROUND_VALUES;
  step_params (life, plan, result, &params, 3);
  step_params (life, plan, result, &params, 5);
  if (STEP (life, cca_plan_set_region (plan, NULL)) && STEP (life, cca_plan_set_sensitivity (plan, NULL)))
    step_frame (life, plan, result, &params, 4);
}

static void
live (Life *life)
{
  CcaParams params;
  CcaContext *context = NULL;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL, *second = NULL;

  cca_params_init (&params);
  params.connectivity = 4;
  params.stage_interval = 3; /* frames in device memory that are timed, and others */
  if (STEP (life, open_context (&life->counting, &context))
      && STEP (life, cca_plan_new (context, WIDTH, HEIGHT, &params, OUTPUT, &plan))
      && STEP (life, cca_result_new (plan, &result)) && STEP (life, cca_result_new (plan, &second))) {
    /* One more is under way all the time, and at the end. */
    worked (life, run (plan, second, 3, CCA_MEMORY_DEVICE));
    step_all_params (life, plan, result, params);
    worked (life, run (plan, second, 2, CCA_MEMORY_DEVICE));
  }
  cca_result_free (second);
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

/* What must be as before a life. A context that cannot be made current, or whose device is lost, takes what was made
 * in it along. */
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

/* --- Frames of every algorithm ----------------------------------------------------------------------- */

/* A frame that finds no memory is lost, and nothing else: the next one is right, and the plan holds what it held. */
static void
test_frames (CcaContext *context, const Target *target)
{
  const size_t dots = 3;
  CcaParams params = target_params (target, 4);
  CcaMeasurement measurement;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  bool reached = true;

  if (!compare_can (target->algorithm, &params, OUTPUT))
    return;
  params.stage_interval = 1; /* step by step: a graph would be made anew */
  images_init ();
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  for (int i = 0; i < 3; i++) {
    g_assert_cmpint (run (plan, result, dots, target->memory), ==, CCA_OK);
    g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  }
  for (uint64_t n = 1; reached && !g_test_failed (); n++) {
    uint64_t before[FAKE_CUDA_N_KINDS];
    CcaStatus status;

    for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++)
      before[kind] = fake->n_held (kind);
    fake->fail (n, FAKE_CUDA_ONCE, FAKE_CUDA_OUT_OF_MEMORY);
    status = run (plan, result, dots, target->memory);
    if (status == CCA_OK)
      status = cca_result_wait (result, &measurement);
    reached = fake->failed () != NULL;
    if (status != CCA_OK && (status != CCA_ERROR_MEMORY || !reached))
      g_test_fail_printf ("call %" G_GUINT64_FORMAT " gives \"%s\": %s", n, cca_status_text (status),
                          cca_last_error ());
    for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++)
      if (fake->n_held (kind) != before[kind])
        g_test_fail_printf ("call %" G_GUINT64_FORMAT ", %s: the number of kind %s changes", n, fake->failed (),
                            fake->kind_name (kind));
    fake->fail (0, FAKE_CUDA_ONCE, 0);
    if (check_ok (run (plan, result, dots, target->memory), "the frame after call %" G_GUINT64_FORMAT, n)
        && check_ok (cca_result_wait (result, &measurement), "the frame after call %" G_GUINT64_FORMAT, n))
      check_measurement (&measurement, &params, dots);
    if (!reached && n <= 10)
      g_test_fail_printf ("a frame calls the driver %" G_GUINT64_FORMAT " times only", n - 1);
  }
  cca_result_free (result);
  cca_plan_free (plan);
  images_clear ();
}

/* Frames of MOTION, one call of the driver in which finds no memory. A frame that cca_plan_run() refuses is none for
 * the model; one that is lost later moved it. Returns whether there were so many calls. */
static bool
watch (CcaContext *context, const Target *target, const CcaParams *params, uint64_t n)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  OracleModel *model = oracle_model_new (WIDTH, HEIGHT);
  CcaMeasurement measurement;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  bool reached;

  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  fake->fail (n, FAKE_CUDA_ONCE, FAKE_CUDA_OUT_OF_MEMORY);
  for (size_t i = 0; i < 3 && !g_test_failed (); i++) {
    const size_t figure = (i + 3) % N_FIGURES;
    OracleFrame *expected;

    if (run (plan, result, figure, target->memory) != CCA_OK)
      continue;
    expected = oracle_run (&oracle_params, model, images.pixels[figure], WIDTH, HEIGHT);
    if (cca_result_wait (result, &measurement) == CCA_OK)
      check_same (compare_measurement (&measurement, expected), "frame %zu, failure of call %" G_GUINT64_FORMAT ", %s",
                  i, n, fake->failed ());
    oracle_frame_free (expected);
  }
  reached = fake->failed () != NULL;
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  cca_result_free (result);
  cca_plan_free (plan);
  oracle_model_free (model);
  return reached;
}

static void
watch_model (CcaContext *context, const Target *target, CcaModel model)
{
  CcaParams params = target_params (target, 4);
  uint64_t n = 1;

  if (!compare_can (target->algorithm, &params, OUTPUT))
    return;
  if (fake->is_null ()) {
    g_test_skip ("the kernels of the null device do nothing");
    return;
  }
  images_init ();
  params.foreground = CCA_FOREGROUND_MOTION;
  params.motion.model = model;
  params.motion.learning = 1;
  /* Step by step, or as a graph. */
  params.stage_interval = target->memory == CCA_MEMORY_HOST;
  while (watch (context, target, &params, n) && !g_test_failed ())
    n++;
  g_test_message ("%" G_GUINT64_FORMAT " calls of the driver, each failed in turn", n - 1);
  if (n <= 40 && !g_test_failed ())
    g_test_fail_printf ("frames call the driver %" G_GUINT64_FORMAT " times only", n - 1);
  images_clear ();
}

static void
test_motion (CcaContext *context, const Target *target)
{
  watch_model (context, target, CCA_MODEL_SIGMA_DELTA);
}

static void
test_samples (CcaContext *context, const Target *target)
{
  watch_model (context, target, CCA_MODEL_SAMPLES);
}

/* Frames with overlaps, two in flight, one call of the driver in which finds no memory. The frame after one that fails
 * knows none before it, and all others find their overlaps. Returns whether there were so many calls. */
static bool
compare_with_last (CcaContext *context, const CcaParams *params, CcaMemory memory, uint64_t n)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  OracleFrame *frames[N_FIGURES + 2] = { NULL }; /* NULL where a frame failed */
  CcaMeasurement measurement;
  CcaPlan *plan = NULL;
  CcaResult *results[2] = { NULL, NULL };
  bool reached;

  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, params, OUTPUT, &plan), ==, CCA_OK);
  for (size_t i = 0; i < G_N_ELEMENTS (results); i++)
    g_assert_cmpint (cca_result_new (plan, &results[i]), ==, CCA_OK);
  fake->fail (n, FAKE_CUDA_ONCE, FAKE_CUDA_OUT_OF_MEMORY);
  for (size_t i = 0; i <= G_N_ELEMENTS (frames) && !g_test_failed (); i++) {
    if (i < G_N_ELEMENTS (frames) && run (plan, results[i % 2], i % N_FIGURES, memory) == CCA_OK)
      frames[i] = oracle_run (&oracle_params, NULL, images.pixels[i % N_FIGURES], WIDTH, HEIGHT);
    if (i == 0 || frames[i - 1] == NULL)
      continue;
    if (cca_result_wait (results[(i - 1) % 2], &measurement) == CCA_OK)
      check_same (compare_overlaps (&measurement, i > 1 ? frames[i - 2] : NULL, frames[i - 1], params->max_components),
                  "frame %zu, failure of call %" G_GUINT64_FORMAT ", %s", i - 1, n, fake->failed ());
    else
      g_clear_pointer (&frames[i - 1], oracle_frame_free);
  }
  reached = fake->failed () != NULL;
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (results); i++)
    cca_result_free (results[i]);
  cca_plan_free (plan);
  for (size_t i = 0; i < G_N_ELEMENTS (frames); i++)
    oracle_frame_free (frames[i]);
  return reached;
}

static void
test_overlaps (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 4);
  uint64_t n = 1;

  if (!compare_can (target->algorithm, &params, OUTPUT))
    return;
  if (fake->is_null ()) {
    g_test_skip ("the kernels of the null device do nothing");
    return;
  }
  images_init ();
  params.overlaps = true;
  params.stage_interval = target->memory == CCA_MEMORY_HOST;
  while (compare_with_last (context, &params, target->memory, n) && !g_test_failed ())
    n++;
  g_test_message ("%" G_GUINT64_FORMAT " calls of the driver, each failed in turn", n - 1);
  if (n <= 40 && !g_test_failed ())
    g_test_fail_printf ("frames call the driver %" G_GUINT64_FORMAT " times only", n - 1);
  images_clear ();
}

/* --- Steady state ------------------------------------------------------------------------------------ */

static void
set_nothing (CcaParams *params)
{
}

static void
set_area (CcaParams *params)
{
  params->order = CCA_ORDER_AREA;
  params->covariance = true;
  params->max_components = 5;
}

static void
set_filter (CcaParams *params)
{
  params->min_area = 3;
  params->max_area = 900;
  params->close_radius = 1;
}

static void
set_motion (CcaParams *params)
{
  params->foreground = CCA_FOREGROUND_MOTION;
  params->motion.learning = 1;
  params->denoise = true;
}

static void
set_samples (CcaParams *params)
{
  set_motion (params);
  params->motion.model = CCA_MODEL_SAMPLES;
}

static void
set_values (CcaParams *params)
{
  params->foreground = CCA_FOREGROUND_VALUES;
}

static void
set_count_only (CcaParams *params)
{
  params->max_components = 0;
}

static void
set_overlaps (CcaParams *params)
{
  params->overlaps = true;
}

static void (*const settings[]) (CcaParams *params) = { set_nothing, set_area,   set_filter,     set_motion,
                                                        set_samples, set_values, set_count_only, set_overlaps };

/* Frames like those before make nothing in the driver, and allocate nothing on the host. */
static void
check_steady (const Target *target, const CcaParams *params)
{
  uint64_t before[FAKE_CUDA_N_KINDS] = { 0 };
  size_t n_allocations = 0;
  CountingAllocator counting;
  CcaMeasurement measurement;
  CcaContext *context = NULL;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;

  counting_allocator_init (&counting);
  g_assert_cmpint (open_context (&counting, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  for (size_t frame = 0; frame < 6 * N_FIGURES; frame++) {
    const bool steady = frame >= 2 * N_FIGURES;

    g_assert_cmpint (run (plan, result, frame % N_FIGURES, target->memory), ==, CCA_OK);
    g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
    check_measurement (&measurement, params, frame % N_FIGURES);
    for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++) {
      if (steady && kind != FAKE_CUDA_CURRENT && fake->n_made (kind) != before[kind])
        g_test_fail_printf ("frame %zu makes %s", frame, fake->kind_name (kind));
      before[kind] = fake->n_made (kind);
    }
    if (steady && counting.n_calls != n_allocations)
      g_test_fail_printf ("frame %zu allocates host memory", frame);
    n_allocations = counting.n_calls;
  }
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
  counting_allocator_clear (&counting);
}

static void
test_steady (CcaContext *context, const Target *target)
{
  images_init ();
  for (size_t i = 0; i < G_N_ELEMENTS (settings) && !g_test_failed (); i++) {
    CcaParams params = target_params (target, 4);

    settings[i](&params);
    if (compare_can (target->algorithm, &params, OUTPUT))
      check_steady (target, &params);
  }
  images_clear ();
}

/* --- Growth ------------------------------------------------------------------------------------------ */

static uint64_t
n_released (FakeCudaKind kind)
{
  return fake->n_made (kind) - fake->n_held (kind);
}

/* Releasing memory waits for the device, so that cca_plan_run() must not, though a result needs more room while another
 * frame is under way. */
static void
test_growing (CcaContext *context, const Target *target)
{
  const size_t dots = 3;
  CcaParams params = target_params (target, 4);
  CcaMeasurement measurement;
  CcaPlan *plan = NULL;
  CcaResult *busy = NULL, *result = NULL;
  uint64_t device, pinned;

  if (!compare_can (target->algorithm, &params, OUTPUT))
    return;
  images_init ();
  params.max_components = 2;
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &busy), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  g_assert_cmpint (run (plan, result, dots, target->memory), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  params.max_components = 500;
  device = fake->n_made (FAKE_CUDA_MEMORY);
  g_assert_cmpint (cca_plan_set_params (plan, &params), ==, CCA_OK);
  g_assert_cmpuint (fake->n_made (FAKE_CUDA_MEMORY), ==, device); /* the plan's workspace serves */
  g_assert_cmpint (run (plan, busy, dots, target->memory), ==, CCA_OK);

  device = n_released (FAKE_CUDA_MEMORY);
  pinned = n_released (FAKE_CUDA_PINNED);
  g_assert_cmpint (run (plan, result, dots, target->memory), ==, CCA_OK);
  g_assert_cmpuint (n_released (FAKE_CUDA_MEMORY), ==, device);
  g_assert_cmpuint (n_released (FAKE_CUDA_PINNED), ==, pinned);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  check_measurement (&measurement, &params, dots);
  g_assert_cmpuint (n_released (FAKE_CUDA_MEMORY), ==, device + 1);
  g_assert_cmpint (cca_result_wait (busy, &measurement), ==, CCA_OK);
  check_measurement (&measurement, &params, dots);
  cca_result_free (result);
  cca_result_free (busy);
  cca_plan_free (plan);
  images_clear ();
}

static bool
is_cuda (const Target *target)
{
  return target->backend == CCA_BACKEND_CUDA;
}

int
main (int argc, char **argv)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);

  fake = library ? dlsym (library, "fake_cuda") : NULL;
  if (fake == NULL) {
    fprintf (stderr,
             "test-driver: libcuda.so.1 is not the fake one; start it by fake-cuda/with-fake-cuda, or for the null "
             "device with LD_LIBRARY_PATH=fake-cuda\n");
    return 2;
  }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/driver/first-use", test_first_use);
  g_test_add_data_func ("/driver/first-use/subprocess/1", GUINT_TO_POINTER (1), first_use);
  g_test_add_data_func ("/driver/first-use/subprocess/2", GUINT_TO_POINTER (2), first_use);
  for (size_t i = 0; i < G_N_ELEMENTS (failings); i++) {
    char *path = g_strdup_printf ("/driver/fails/%s", failings[i].name);

    g_test_add_data_func (path, &failings[i], test_failing);
    g_free (path);
  }
  targets_add_image_test_where ("/driver/frames", test_frames, is_cuda);
  targets_add_image_test_where ("/driver/motion", test_motion, is_cuda);
  targets_add_image_test_where ("/driver/samples", test_samples, is_cuda);
  targets_add_image_test_where ("/driver/overlaps", test_overlaps, is_cuda);
  targets_add_image_test_where ("/driver/steady", test_steady, is_cuda);
  targets_add_image_test_where ("/driver/growing", test_growing, is_cuda);
  return g_test_run ();
}
