/* gst-cca: frames of every algorithm in which each call of the driver finds no memory in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "cases.h"
#include "compare.h"
#include "driver.h"

/* A frame without memory is lost, and nothing else: the next one is right, and the plan holds as many objects as
 * before. */
static void
watch_frames (CcaContext *context, const Target *target, size_t figure)
{
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
  for (size_t i = 0; i < 4; i++) {
    g_assert_cmpint (run (plan, result, i < 2 ? CHECKERBOARD : figure, target->memory), ==, CCA_OK);
    g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  }
  for (uint64_t n = 1; reached && !g_test_failed (); n++) {
    uint64_t before[FAKE_CUDA_N_KINDS];
    CcaStatus status;

    for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++)
      before[kind] = fake->n_held (kind);
    fake->fail (n, FAKE_CUDA_ONCE, FAKE_CUDA_OUT_OF_MEMORY);
    status = run (plan, result, figure, target->memory);
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
    if (check_ok (run (plan, result, figure, target->memory), "the frame after call %" G_GUINT64_FORMAT, n)
        && check_ok (cca_result_wait (result, &measurement), "the frame after call %" G_GUINT64_FORMAT, n))
      check_measurement (&measurement, &params, figure);
    if (!reached && n <= 10)
      g_test_fail_printf ("a frame calls the driver %" G_GUINT64_FORMAT " times only", n - 1);
  }
  cca_result_free (result);
  cca_plan_free (plan);
  images_clear ();
}

static void
test_frames (CcaContext *context, const Target *target)
{
  watch_frames (context, target, DOTS);
  if (target->memory == CCA_MEMORY_HOST)
    watch_frames (context, target, CHECKERBOARD);
}

/* Runs frames in which the nth call of the driver finds no memory. Returns false if there were fewer calls. */
typedef bool Watch (CcaContext *context, const Target *target, const CcaParams *params, uint64_t n);

/* Has each call fail in turn. */
static void
watch_each (CcaContext *context, const Target *target, CcaParams params, Watch *watch)
{
  uint64_t n = 1;

  if (!compare_can (target->algorithm, &params, OUTPUT))
    return;
  if (fake->is_null ()) {
    g_test_skip ("the kernels of the null device do nothing");
    return;
  }
  images_init ();
  /* Step by step, or as a graph. */
  params.stage_interval = target->memory == CCA_MEMORY_HOST;
  while (watch (context, target, &params, n) && !g_test_failed ())
    n++;
  g_test_message ("%" G_GUINT64_FORMAT " calls of the driver, each failed in turn", n - 1);
  if (n <= 40 && !g_test_failed ())
    g_test_fail_printf ("frames call the driver %" G_GUINT64_FORMAT " times only", n - 1);
  images_clear ();
}

/* Frames of MOTION. The model has not seen a frame that cca_plan_run() refuses; it has seen one that is lost later. */
static bool
watch_motion (CcaContext *context, const Target *target, const CcaParams *params, uint64_t n)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  g_autoptr (OracleModel) model = oracle_model_new (WIDTH, HEIGHT);
  CcaMeasurement measurement;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  bool reached;

  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  fake->fail (n, FAKE_CUDA_ONCE, FAKE_CUDA_OUT_OF_MEMORY);
  for (size_t i = 0; i < 3 && !g_test_failed (); i++) {
    const size_t figure = (i + 3) % N_FIGURES;
    g_autoptr (OracleFrame) expected = NULL;

    if (run (plan, result, figure, target->memory) != CCA_OK)
      continue;
    expected = oracle_run (&oracle_params, model, image_of (figure), WIDTH, HEIGHT);
    if (cca_result_wait (result, &measurement) == CCA_OK)
      check_same (compare_measurement (&measurement, expected), "frame %zu, failure of call %" G_GUINT64_FORMAT ", %s",
                  i, n, fake->failed ());
  }
  reached = fake->failed () != NULL;
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  cca_result_free (result);
  cca_plan_free (plan);
  return reached;
}

static void
watch_model (CcaContext *context, const Target *target, CcaModel model)
{
  CcaParams params = target_params (target, 4);

  params.foreground = CCA_FOREGROUND_MOTION;
  params.motion.model = model;
  params.motion.learning = 1;
  watch_each (context, target, params, watch_motion);
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

/* Frames with overlaps. The frame after a failed one has no overlaps, all others have theirs. */
static bool
watch_overlaps (CcaContext *context, const Target *target, const CcaParams *params, uint64_t n)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  OracleFrame *frames[N_FIGURES + 2] = { NULL }; /* NULL where a frame failed */
  CcaMeasurement measurement;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  bool reached;

  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  fake->fail (n, FAKE_CUDA_ONCE, FAKE_CUDA_OUT_OF_MEMORY);
  for (size_t i = 0; i < G_N_ELEMENTS (frames) && !g_test_failed (); i++) {
    if (run (plan, result, i % N_FIGURES, target->memory) != CCA_OK || cca_result_wait (result, &measurement) != CCA_OK)
      continue;
    frames[i] = oracle_run (&oracle_params, NULL, image_of (i % N_FIGURES), WIDTH, HEIGHT);
    check_same (compare_overlaps (&measurement, i > 0 ? frames[i - 1] : NULL, frames[i], params->max_components),
                "frame %zu, failure of call %" G_GUINT64_FORMAT ", %s", i, n, fake->failed ());
  }
  reached = fake->failed () != NULL;
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  cca_result_free (result);
  cca_plan_free (plan);
  for (size_t i = 0; i < G_N_ELEMENTS (frames); i++)
    oracle_frame_free (frames[i]);
  return reached;
}

static void
test_overlaps (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 4);

  params.overlaps = true;
  watch_each (context, target, params, watch_overlaps);
}

/* Frames of MOTION with shapes and intensities. */
static void
test_details (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 8);

  params.foreground = CCA_FOREGROUND_MOTION;
  params.motion.learning = 1;
  params.shape = true;
  params.intensity = true;
  params.order = target->memory == CCA_MEMORY_HOST ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  watch_each (context, target, params, watch_motion);
}

int
main (int argc, char **argv)
{
  driver_init (&argc, &argv);
  targets_add_image_test_where ("/driver-frames/frames", test_frames, is_cuda);
  targets_add_image_test_where ("/driver-frames/motion", test_motion, is_cuda);
  targets_add_image_test_where ("/driver-frames/samples", test_samples, is_cuda);
  targets_add_image_test_where ("/driver-frames/overlaps", test_overlaps, is_cuda);
  targets_add_image_test_where ("/driver-frames/details", test_details, is_cuda);
  return g_test_run ();
}
