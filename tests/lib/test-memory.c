/* gst-cca: memory: failing allocations, steady state, estimates
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "counting-allocator.h"
#include "patterns.h"

/* --- Failing allocations ----------------------------------------------------------------------------- */

#define WIDTH 90u
#define HEIGHT 60u

/* Frames that need more memory from one to the next. */
static const char *const growing[] = { "empty", "frame", "rings", "columns", "dots", "checkerboard" };

static CcaStatus
run_figure (CcaPlan *plan, CcaResult *result, CcaOutput output, const CcaParams *params, const char *name)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  uint8_t pixels[WIDTH * HEIGHT], out[WIDTH * HEIGHT * 4];
  const CcaImage image = { pixels, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  const CcaImage out_image = { out, WIDTH * 4, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  CcaMeasurement measurement;
  OracleModel *model = NULL;
  OracleFrame *expected;
  CcaStatus status;

  pattern_draw (pattern_find (name), pixels, WIDTH, HEIGHT);
  status = cca_plan_run (plan, &image, output ? &out_image : NULL, NULL, result);
  if (status == CCA_OK)
    status = cca_result_wait (result, &measurement);
  if (status != CCA_OK || params->foreground == CCA_FOREGROUND_MOTION)
    return status;
  expected = oracle_run (&oracle_params, model, pixels, WIDTH, HEIGHT);
  check_same (compare_measurement (&measurement, expected), "%s", name);
  oracle_frame_free (expected);
  return status;
}

/* A life of all calls that allocate. A step that fails with CCA_ERROR_MEMORY is counted and tried again; with a lasting
 * failure the life ends there. */
typedef struct
{
  const Target *target;
  CountingAllocator counting;
  uint32_t n_threads, n_failures;
  CcaOutput output;
  bool lasting;
} Life;

static bool
survived (Life *life, CcaStatus status)
{
  if (status == CCA_OK)
    return true;
  g_assert_cmpint (status, ==, CCA_ERROR_MEMORY);
  g_assert_cmpstr (cca_last_error (), !=, "");
  life->n_failures++;
  return false;
}

/* Tries twice where a failure passes. */
#define STEP(call)                                                                                                     \
  if (!survived (life, call) && (life->lasting || !survived (life, call)))                                             \
  goto end

static void
live (Life *life)
{
  CcaParams params = target_params (life->target, 4);
  CcaContext *context = NULL;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;

  params.n_threads = life->n_threads;
  params.max_components = 1000; /* results grow with the components found, up to this */
  STEP (target_open (life->target, true, &life->counting.allocator, &context));
  STEP (cca_plan_new (context, WIDTH, HEIGHT, &params, life->output, &plan));
  STEP (cca_result_new (plan, &result));
  for (size_t i = 0; i < G_N_ELEMENTS (growing); i++)
    STEP (run_figure (plan, result, life->output, &params, growing[i]));
  params.close_radius = 3;
  params.denoise = true;
  params.order = CCA_ORDER_AREA;
  params.covariance = true;
  params.max_components = 100000;
  params.overlaps = target_can_overlaps (life->target);
  params.shape = params.intensity = params.overlaps;
  STEP (cca_plan_set_params (plan, &params));
  STEP (run_figure (plan, result, life->output, &params, "checkerboard"));
  STEP (run_figure (plan, result, life->output, &params, "dots"));
  params.denoise = false;
  params.close_radius = 0;
  STEP (cca_plan_set_params (plan, &params));
  STEP (run_figure (plan, result, life->output, &params, "checkerboard"));
  params.foreground = CCA_FOREGROUND_VALUES;
  if (compare_can (life->target->algorithm, &params, life->output)) {
    STEP (cca_plan_set_params (plan, &params));
    STEP (run_figure (plan, result, life->output, &params, "columns"));
  }
  params.foreground = CCA_FOREGROUND_MOTION;
  params.overlaps = false;
  params.shape = false;
  STEP (cca_plan_set_params (plan, &params));
  STEP (run_figure (plan, result, life->output, &params, "rings"));
  STEP (run_figure (plan, result, life->output, &params, "dots"));
  params.motion.model = CCA_MODEL_SAMPLES;
  STEP (cca_plan_set_params (plan, &params));
  STEP (run_figure (plan, result, life->output, &params, "rings"));
end:
  /* After a failure that lasts the plan must still work once there is memory again. */
  life->counting.fail_at = 0;
  if (result && life->lasting && life->n_failures) {
    params = target_params (life->target, 8);
    g_assert_cmpint (cca_plan_set_params (plan, &params), ==, CCA_OK);
    g_assert_cmpint (run_figure (plan, result, life->output, &params, "dots"), ==, CCA_OK);
  }
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
}

static void
test_failures (CcaContext *unused, const Target *target)
{
  for (const uint32_t *threads = target_threads (target); *threads && *threads <= 2; threads++)
    for (CcaOutput output = CCA_OUTPUT_NONE; output <= CCA_OUTPUT_LABELS_U32; output++)
      for (int lasting = 0; lasting <= 1; lasting++) {
        const CcaParams params = target_params (target, 4);
        bool failed = compare_can (target->algorithm, &params, output);

        for (uint64_t n = 1; failed && !g_test_failed (); n++) {
          Life life = { .target = target, .n_threads = *threads, .output = output, .lasting = lasting };

          g_assert_cmpuint (n, <, 10000);
          counting_allocator_init (&life.counting);
          life.counting.fail_at = n;
          life.counting.once = !lasting;
          live (&life);
          failed = life.n_failures > 0;
          if (life.counting.blocks != 0)
            g_test_fail_printf ("%zu blocks leak after failure of allocation %" G_GUINT64_FORMAT ", %u threads",
                                life.counting.blocks, n, *threads);
          counting_allocator_clear (&life.counting);
        }
      }
}

/* --- Failing allocations and the background model ----------------------------------------------------- */

/* So wide that a table of labels grows in the first frame already. */
#define SCENE_WIDTH 1100u
#define SCENE_HEIGHT 9u
#define SCENE_FRAMES 7u

/* A life over frames of MOTION, one allocation of which fails. The model has not seen a frame that cca_plan_run()
 * refuses; it has seen one that is lost later. The next frame has no overlaps with either. */
typedef struct
{
  CountingAllocator counting;
  CcaParams params;
  CcaOutput output;
  OracleFrame *last; /* NULL where it is not known */
  bool failed;       /* an allocation of a frame did */
} Scene;

static void
draw_scene (uint32_t t, uint8_t *pixels)
{
  static const char *const figures[] = { "dots", "checkerboard", "empty", "columns" };

  pattern_draw (pattern_find (figures[t % G_N_ELEMENTS (figures)]), pixels, SCENE_WIDTH, SCENE_HEIGHT);
}

/* Keeps a frame (taken) as the last one, if overlaps are asked for. */
static void
scene_know (Scene *scene, OracleFrame *frame)
{
  oracle_frame_free (scene->last);
  scene->last = scene->params.overlaps ? frame : NULL;
}

static void
watch_frame (Scene *scene, uint32_t t, CcaPlan *plan, CcaResult *result, OracleModel *model)
{
  const OracleParams oracle_params = compare_oracle_params (&scene->params);
  static uint8_t pixels[SCENE_WIDTH * SCENE_HEIGHT], out[SCENE_WIDTH * SCENE_HEIGHT * 4];
  const CcaImage image = { pixels, SCENE_WIDTH, SCENE_WIDTH, SCENE_HEIGHT, CCA_MEMORY_HOST };
  const CcaImage out_image = { out, SCENE_WIDTH * 4, SCENE_WIDTH, SCENE_HEIGHT, CCA_MEMORY_HOST };
  CcaMeasurement measurement;
  OracleFrame *expected;
  CcaStatus status;

  draw_scene (t, pixels);
  status = cca_plan_run (plan, &image, scene->output ? &out_image : NULL, NULL, result);
  if (status != CCA_OK) {
    g_assert_cmpint (status, ==, CCA_ERROR_MEMORY);
    scene->failed = true;
    scene_know (scene, NULL);
    return;
  }
  expected = oracle_run (&oracle_params, model, pixels, SCENE_WIDTH, SCENE_HEIGHT);
  status = cca_result_wait (result, &measurement);
  if (status == CCA_OK) {
    check_same (compare_measurement (&measurement, expected), "frame %u after failure of allocation %" G_GUINT64_FORMAT,
                t, scene->counting.fail_at);
    check_same (compare_overlaps (&measurement, scene->last, expected, scene->params.max_components),
                "overlaps of frame %u after failure of allocation %" G_GUINT64_FORMAT, t, scene->counting.fail_at);
  } else {
    g_assert_cmpint (status, ==, CCA_ERROR_MEMORY);
    scene->failed = true;
  }
  scene_know (scene, status == CCA_OK ? expected : NULL);
  if (scene->last != expected)
    oracle_frame_free (expected);
}

/* Changes parameters in between; where that fails, the last frame is still known. */
static void
change_scene (Scene *scene, CcaPlan *plan)
{
  scene->params.close_radius = 1;
  if (cca_plan_set_params (plan, &scene->params) != CCA_OK) {
    scene->failed = true;
    scene->params.close_radius = 0;
  }
}

/* Fails the nth allocation after the plan and the result were made. */
static void
watch (const Target *target, Scene *scene, uint64_t n)
{
  g_autoptr (OracleModel) model = oracle_model_new (SCENE_WIDTH, SCENE_HEIGHT);
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *result;

  counting_allocator_init (&scene->counting);
  scene->counting.once = true;
  g_assert_cmpint (target_open (target, true, &scene->counting.allocator, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, SCENE_WIDTH, SCENE_HEIGHT, &scene->params, scene->output, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  scene->counting.fail_at = scene->counting.n_calls + n;
  for (uint32_t t = 0; t < SCENE_FRAMES && !g_test_failed (); t++) {
    if (t == 4)
      change_scene (scene, plan);
    watch_frame (scene, t, plan, result, model);
  }
  g_clear_pointer (&scene->last, oracle_frame_free);
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
  g_assert_cmpuint (scene->counting.blocks, ==, 0);
  counting_allocator_clear (&scene->counting);
}

static void
test_motion (CcaContext *unused, const Target *target)
{
  uint32_t n_failures = 0;

  for (const uint32_t *threads = target_threads (target); *threads && *threads <= 2; threads++)
    for (int i = 0; i < 20; i++) {
      Scene scene = { .params = target_params (target, 4), .output = i & 1 ? CCA_OUTPUT_LABELS_U32 : CCA_OUTPUT_NONE };

      scene.params.foreground = CCA_FOREGROUND_MOTION;
      scene.params.motion.learning = 1;
      scene.params.motion.model = i & 16 ? CCA_MODEL_SAMPLES : CCA_MODEL_SIGMA_DELTA;
      scene.params.invert = i & 2;
      scene.params.denoise = i & 4;
      scene.params.overlaps = i & 8;
      scene.params.intensity = i & 4;
      scene.params.n_threads = *threads;
      if (!compare_can (target->algorithm, &scene.params, scene.output))
        continue;
      scene.failed = true;
      for (uint64_t n = 1; scene.failed && !g_test_failed (); n++) {
        scene.failed = false;
        scene.params.close_radius = 0;
        watch (target, &scene, n);
        n_failures += scene.failed;
      }
    }
  g_test_message ("%u frames were lost", n_failures);
  g_assert_cmpuint (n_failures, >, 0);
}

/* --- Steady state ------------------------------------------------------------------------------------ */

/* Frames like the first one allocate nothing. */
static void
test_steady (CcaContext *unused, const Target *target)
{
  static const CcaForeground foregrounds[] = { CCA_FOREGROUND_NONZERO, CCA_FOREGROUND_THRESHOLD, CCA_FOREGROUND_VALUES,
                                               CCA_FOREGROUND_MOTION, CCA_FOREGROUND_MOTION };
  static const char *const names[] = { "checkerboard", "rings", "empty" };
  uint32_t turn = 0;

  for (const uint32_t *threads = target_threads (target); *threads; threads++)
    for (size_t f = 0; f < G_N_ELEMENTS (foregrounds); f++) {
      const CcaOutput output = turn++ % 2 ? CCA_OUTPUT_LABELS_U32 : CCA_OUTPUT_NONE;
      CcaParams params = target_params (target, 4);
      CountingAllocator counting;
      CcaContext *context;
      CcaPlan *plan;
      CcaResult *result;

      params.foreground = foregrounds[f];
      params.motion.learning = 1;
      params.motion.model = f == 4 ? CCA_MODEL_SAMPLES : CCA_MODEL_SIGMA_DELTA;
      params.n_threads = *threads;
      params.denoise = f == 1;
      params.close_radius = f == 1 ? 2 : 0;
      params.order = f % 2 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
      params.overlaps = f >= 2 && target_can_overlaps (target);
      params.shape = f % 2 && target_can_overlaps (target);
      params.intensity = f < 3 && target_can_overlaps (target);
      if (!compare_can (target->algorithm, &params, output))
        continue;
      counting_allocator_init (&counting);
      g_assert_cmpint (target_open (target, true, &counting.allocator, &context), ==, CCA_OK);
      g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, output, &plan), ==, CCA_OK);
      g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
      /* Pictures by turns are changes of the scene for the model of samples, which begins anew with the fifth: its
       * foreground repeats itself later. */
      const uint32_t n_first = f == 4 ? 15 * G_N_ELEMENTS (names) : 2 * G_N_ELEMENTS (names);

      for (uint32_t frame = 0; frame < 2 * n_first + 18; frame++) {
        const uint64_t before = counting.n_calls;

        g_assert_cmpint (run_figure (plan, result, output, &params, names[frame % G_N_ELEMENTS (names)]), ==, CCA_OK);
        if (frame >= n_first)
          g_assert_cmpuint (counting.n_calls, ==, before);
      }
      cca_result_free (result);
      cca_plan_free (plan);
      cca_context_free (context);
      g_assert_cmpuint (counting.blocks, ==, 0);
      counting_allocator_clear (&counting);
    }
}

/* --- Sizes ------------------------------------------------------------------------------------------- */

/* Bytes of a block beside its own: alignment, and the allocator's pointer. */
#define BLOCK_OVERHEAD 128u

/* Bytes of the background model, whose rows may be as long as whole vectors. */
static size_t
model_size (uint32_t width, uint32_t height, const CcaParams *params)
{
  const size_t plane = ((size_t) width + 63) / 64 * 64 * height;
  const size_t half_plane = ((size_t) (width + 1) / 2 + 63) / 64 * 64 * ((height + 1) / 2);
  const size_t n_blocks = (size_t) (width + 15) / 16 * ((height + 15) / 16);

  if (params->foreground != CCA_FOREGROUND_MOTION)
    return 0;
  if (params->motion.model == CCA_MODEL_SIGMA_DELTA)
    return 2 * plane;
  /* 12 samples, 6 planes of state, 2 x 6 samples of chroma, 2 and 2 x 2 of each of two scenes, a grid of 8 pixels,
   * blocks; tables, and gaps between. */
  return 22 * plane + 20 * half_plane + plane / 64 + 32 * n_blocks + 10240;
}

static void
check_estimate (const Target *target, uint32_t width, uint32_t height, const CcaParams *params, CcaOutput output)
{
  const size_t model = model_size (width, height, params);
  CountingAllocator counting;
  CcaContext *context;
  CcaPlan *plan;
  size_t estimate = 0, before, blocks, seen;

  counting_allocator_init (&counting);
  g_assert_cmpint (target_open (target, true, &counting.allocator, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_estimate (context, width, height, params, output, &estimate), ==, CCA_OK);
  before = counting.bytes;
  blocks = counting.blocks;
  g_assert_cmpint (cca_plan_new (context, width, height, params, output, &plan), ==, CCA_OK);
  seen = counting.bytes - before;
  blocks = counting.blocks - blocks;
  g_test_message ("%ux%u, %u threads, output %d: estimate %zu, memory %zu, allocated %zu in %zu blocks", width, height,
                  params->n_threads, output, estimate, cca_plan_memory (plan), seen, blocks);
  g_assert_cmpuint (cca_plan_memory (plan), ==, estimate);
  /* Elsewhere the workspace is in the device's memory, which this allocator does not see. */
  if (target->backend == CCA_BACKEND_CPU) {
    g_assert_cmpuint (seen, >=, estimate);
    /* The plan itself has room for the rectangles that are held. */
    g_assert_cmpuint (seen, <=, estimate + model + blocks * BLOCK_OVERHEAD + CCA_MAX_HELD * sizeof (CcaRectangle));
  }
  cca_plan_free (plan);
  cca_context_free (context);
  counting_allocator_clear (&counting);
}

static void
test_estimate (CcaContext *unused, const Target *target)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 65, 33 }, { 1920, 1080 }, { 2, 65535 }, { 65535, 2 } };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (const uint32_t *threads = target_threads (target); *threads; threads++)
      for (CcaOutput output = CCA_OUTPUT_NONE; output <= CCA_OUTPUT_MASK; output++)
        for (int motion = 0; motion <= 2; motion++) {
          CcaParams params = target_params (target, 8);

          params.n_threads = *threads;
          params.foreground = motion ? CCA_FOREGROUND_MOTION : CCA_FOREGROUND_NONZERO;
          params.motion.model = motion == 2 ? CCA_MODEL_SAMPLES : CCA_MODEL_SIGMA_DELTA;
          params.close_radius = motion == 1 ? 4 : 0;
          params.denoise = motion == 1;
          params.overlaps = motion && target_can_overlaps (target);
          params.shape = motion == 1 && target_can_overlaps (target);
          params.intensity = motion != 1 && target_can_overlaps (target);
          if (compare_can (target->algorithm, &params, output))
            check_estimate (target, sizes[s][0], sizes[s][1], &params, output);
        }
}

static bool
is_runs (const Target *target)
{
  return g_str_equal (target->algorithm->name, "runs");
}

/* The promise of the run-length algorithm: analysis within 2 bytes a pixel, whatever the content. */
static void
test_runs_memory (CcaContext *context, const Target *target)
{
  const uint32_t width = 1920, height = 1080;
  const size_t limit = 2 * (size_t) width * height;
  g_autofree uint8_t *pixels = g_malloc ((size_t) width * height);
  Random random;

  random_init (&random, 14);
  for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
    const CcaImage image = { pixels, width, width, height, CCA_MEMORY_HOST };
    CcaParams params;
    CcaPlan *plan = NULL;
    CcaResult *result = NULL;
    CcaMeasurement measurement;

    cca_params_init (&params);
    params.algorithm = target->algorithm->name;
    params.connectivity = connectivity;
    params.covariance = true;
    g_assert_cmpint (cca_plan_new (context, width, height, &params, CCA_OUTPUT_NONE, &plan), ==, CCA_OK);
    g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
    for (uint32_t density = 0; density <= 110; density += 10) {
      if (density <= 100)
        pattern_random (&random, density, 1, pixels, width, height);
      else
        pattern_draw (pattern_find ("checkerboard"), pixels, width, height);
      check_ok (cca_plan_run (plan, &image, NULL, NULL, result), "run");
      check_ok (cca_result_wait (result, &measurement), "wait");
      g_test_message ("density %u: %u components, %zu bytes, %.3f a pixel", density, measurement.n_components,
                      cca_plan_memory (plan), (double) cca_plan_memory (plan) / (width * height));
      g_assert_cmpuint (cca_plan_memory (plan), <=, limit);
    }
    cca_result_free (result);
    cca_plan_free (plan);
  }
}

CASES_MAIN ()
{
  targets_add_test_where ("/memory/failures", test_failures, target_is_best_isa);
  targets_add_test_where ("/memory/motion", test_motion, target_is_best_isa);
  targets_add_test_where ("/memory/steady", test_steady, target_is_best_isa);
  targets_add_test_where ("/memory/estimate", test_estimate, target_is_best_isa);
  targets_add_test_where ("/memory/runs", test_runs_memory, is_runs);
}
