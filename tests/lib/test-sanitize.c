/* gst-cca: every kernel on few pixels, for compute-sanitizer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every algorithm with every foreground, output and order, with and without a clean-up, in both connectivities and
 * memories. The sanitizers slow a kernel down a hundred times and more, so there is no frame too many.
 */
#include <glib.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

#define MAX_PIXELS 5500u

/* Two are longer than any block of threads; one has tiles of several levels in both directions. */
static const uint32_t sizes[][2] = { { 67, 35 }, { 135, 40 }, { 5, 1100 }, { 1100, 5 } };

/* Gives every other turn's plan a region and a sensitivity. */
static bool
set_places (CcaPlan *plan, OracleParams *oracle_params, uint32_t turn)
{
  static uint8_t bytes[MAX_PIXELS];
  const uint32_t *size = sizes[turn % G_N_ELEMENTS (sizes)];
  const CcaImage image = { bytes, size[0], size[0], size[1], CCA_MEMORY_HOST };

  if (turn / 2 % 2)
    return true;
  for (uint32_t i = 0; i < size[0] * size[1]; i++)
    bytes[i] = (uint8_t) (i % 3 == 0 ? 0 : i);
  oracle_params->region = oracle_params->factors = bytes;
  return check_ok (cca_plan_set_region (plan, &image), "region")
         && check_ok (cca_plan_set_sensitivity (plan, &image), "sensitivity");
}

/* Runs a frame, after one that is the background of MOTION or has overlapping components. */
static void
check_frames (CcaContext *context, const Target *target, const CcaParams *params, CcaOutput output, uint32_t turn)
{
  const uint32_t width = sizes[turn % G_N_ELEMENTS (sizes)][0], height = sizes[turn % G_N_ELEMENTS (sizes)][1];
  OracleParams oracle_params = compare_oracle_params (params);
  g_autoptr (OracleModel) model = oracle_model_new (width, height);
  uint8_t pixels[MAX_PIXELS];
  Random random;
  g_autoptr (CcaPlan) plan = NULL;
  g_autoptr (CcaResult) result = NULL;

  random_init (&random, turn);
  if (check_ok (cca_plan_new (context, width, height, params, output, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result") && set_places (plan, &oracle_params, turn))
    for (uint32_t frame = 0; frame < (params->foreground == CCA_FOREGROUND_MOTION || params->overlaps ? 2 : 1);
         frame++) {
      g_autoptr (OracleFrame) expected = NULL;

      if (params->foreground == CCA_FOREGROUND_VALUES)
        pattern_random_values (&random, 3, 1, pixels, width, height);
      else
        pattern_random (&random, 50, 1 + turn % 2, pixels, width, height);
      expected = oracle_run (&oracle_params, model, pixels, width, height);
      check_same (compare_run (plan, result, output, target_layout (target, turn), pixels, expected),
                  "turn %u, frame %u, foreground %d, output %d", turn, frame, params->foreground, output);
    }
}

static void
test_frames (CcaContext *context, const Target *target)
{
  /* The image's memory makes no difference to a clean-up. */
  const int last_clean = target->memory == CCA_MEMORY_DEVICE;
  uint32_t turn = 0;

  for (CcaForeground foreground = CCA_FOREGROUND_NONZERO; foreground <= CCA_FOREGROUND_MOTION; foreground++)
    for (int connectivity = 4; connectivity <= 8; connectivity += 4)
      for (int clean = 0; clean <= last_clean && !g_test_failed (); clean++, turn++) {
        const CcaOutput output = turn % (CCA_OUTPUT_MASK + 1);
        CcaParams params = target_params (target, connectivity);

        params.foreground = foreground;
        params.motion.learning = 1;
        params.denoise = clean;
        params.close_radius = clean ? 1 + turn % 3 : 0;
        params.order = turn % 3 ? CCA_ORDER_RASTER : CCA_ORDER_AREA;
        params.covariance = turn % 2;
        params.overlaps = turn % 3 == 0;
        params.shape = turn % 4 < 2;
        params.intensity = turn % 4 == 0 || turn % 4 == 3;
        params.min_area = turn % 4;
        params.max_width = turn % 3 == 1 ? 6 : 0;
        params.min_height = turn % 5 == 0 ? 2 : 0;
        params.max_components = turn % 5 ? CCA_MAX_COMPONENTS : 3;
        if (compare_can (target->algorithm, &params, output))
          check_frames (context, target, &params, output, turn);
      }
}

/* The background model SAMPLES on a frame that has a shift, with chroma. The mask of the last frame but one is a change
 * of scene. */
static void
test_samples (CcaContext *context, const Target *target)
{
  const uint32_t width = 71, height = 67, half_width = 36, half_height = 34;
  uint8_t pixels[71 * 67], colors[2 * 36 * 34];
  const OracleChroma chroma = { colors, colors + 1, 2 * half_width, 2, 1, 1 };
  CcaParams params = target_params (target, 8);
  g_autoptr (OracleModel) model = oracle_model_new (width, height);
  OracleParams oracle_params;
  Random random;
  g_autoptr (CcaPlan) plan = NULL;
  g_autoptr (CcaResult) result = NULL;

  params.foreground = CCA_FOREGROUND_MOTION;
  params.motion.model = CCA_MODEL_SAMPLES;
  params.motion.learning = 2;
  oracle_params = compare_oracle_params (&params);
  random_init (&random, 5);
  for (uint32_t i = 0; i < 2 * half_width * half_height; i++)
    colors[i] = (uint8_t) (100 + random_below (&random, 40));
  if (check_ok (cca_plan_new (context, width, height, &params, CCA_OUTPUT_NONE, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result"))
    for (uint32_t frame = 0; frame < 6 && !g_test_failed (); frame++) {
      g_autoptr (OracleFrame) expected = NULL;

      for (uint32_t i = 0; i < width * height; i++)
        pixels[i] =
            (uint8_t) ((frame == 4 ? 250 : 60 + i % width) - random_below (&random, 4) - (i % 97 < frame ? 50 : 0));
      oracle_model_set_chroma (model, &chroma);
      expected = oracle_run (&oracle_params, model, pixels, width, height);
      check_same (
          compare_run_colored (plan, result, CCA_OUTPUT_NONE, target_layout (target, frame), pixels, &chroma, expected),
          "frame %u", frame);
    }
}

static bool
is_cuda (const Target *target)
{
  return target->backend == CCA_BACKEND_CUDA;
}

static bool
is_first_cuda (const Target *target)
{
  return is_cuda (target) && target_is_first (target);
}

CASES_MAIN ()
{
  targets_add_image_test_where ("/sanitize", test_frames, is_cuda);
  targets_add_image_test_where ("/sanitize/samples", test_samples, is_first_cuda);
}
