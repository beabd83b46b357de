/* gst-cca: the background model over sequences of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

/* A noisy scene with a square that wanders through it, flicker in a part, and a light that is switched. */
static void
draw_scene (Random *random, uint32_t t, uint8_t *pixels, uint32_t width, uint32_t height)
{
  const uint32_t side = 1 + MIN (width, height) / 3, left = t * 2 % width, top = t % height;

  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) {
      uint32_t value = 60 + x % 50 + random_below (random, 12) + (t / 45 % 2) * 40;

      if (x - left < side && y - top < side)
        value = 230 + random_below (random, 26);
      else if (x % 16 < 3)
        value = random_below (random, 256);
      else if (y == 0)
        value = t / 8 % 2 ? 255 : 0;
      pixels[y * width + x] = (uint8_t) value;
    }
}

/* Few levels above a constant background, often none. */
static void
draw_ripples (Random *random, uint32_t t, uint8_t *pixels, uint32_t width, uint32_t height)
{
  for (uint32_t i = 0; i < width * height; i++)
    pixels[i] = (uint8_t) (t == 0 || random_below (random, 3) == 0 ? 100 : 100 + random_below (random, 45));
}

/* A plan and the oracle's model of the same sequence. */
typedef struct
{
  void (*draw) (Random *random, uint32_t t, uint8_t *pixels, uint32_t width, uint32_t height);
  Target target;
  uint32_t width, height, t;
  CcaParams params;
  CcaOutput output;
  CcaPlan *plan;
  CcaResult *result;
  OracleModel *model;
  Random random;
  uint8_t *pixels;
} Sequence;

static bool
sequence_init (Sequence *sequence, CcaContext *context, const Target *target, uint32_t width, uint32_t height,
               const CcaParams *params, CcaOutput output)
{
  *sequence = (Sequence) {
    .draw = draw_scene, .target = *target, .width = width, .height = height, .params = *params, .output = output
  };
  sequence->params.foreground = CCA_FOREGROUND_MOTION;
  sequence->model = oracle_model_new (width, height);
  sequence->pixels = g_malloc ((size_t) width * height);
  random_init (&sequence->random, 10);
  return check_ok (cca_plan_new (context, width, height, &sequence->params, output, &sequence->plan), "plan")
         && check_ok (cca_result_new (sequence->plan, &sequence->result), "result");
}

static void
sequence_clear (Sequence *sequence)
{
  cca_result_free (sequence->result);
  cca_plan_free (sequence->plan);
  oracle_model_free (sequence->model);
  g_free (sequence->pixels);
}

static void
sequence_forget (Sequence *sequence)
{
  oracle_model_free (sequence->model);
  sequence->model = oracle_model_new (sequence->width, sequence->height);
}

/* Runs so many frames; *n_found adds up their components. */
static bool
sequence_run (Sequence *sequence, uint32_t n_frames, uint64_t *n_found)
{
  const OracleParams oracle_params = compare_oracle_params (&sequence->params);

  for (uint32_t i = 0; i < n_frames; i++, sequence->t++) {
    OracleFrame *expected;
    bool same;

    sequence->draw (&sequence->random, sequence->t, sequence->pixels, sequence->width, sequence->height);
    expected = oracle_run (&oracle_params, sequence->model, sequence->pixels, sequence->width, sequence->height);
    same = check_same (compare_run (sequence->plan, sequence->result, sequence->output,
                                    target_layout (&sequence->target, sequence->t), sequence->pixels, expected),
                       "%ux%u, frame %u of the sequence, %u threads", sequence->width, sequence->height, sequence->t,
                       sequence->params.n_threads);
    *n_found += expected->n_components;
    oracle_frame_free (expected);
    if (!same)
      return false;
  }
  return true;
}

static bool
sequence_set (Sequence *sequence)
{
  return check_ok (cca_plan_set_params (sequence->plan, &sequence->params), "set_params in frame %u", sequence->t);
}

static void
test_sequences (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 33, 30 }, { 67, 9 }, { 129, 25 } };
  static const CcaMotion motions[] = {
    { CCA_MODEL_SIGMA_DELTA, 32, 4, 2, 16, 64 },  { CCA_MODEL_SIGMA_DELTA, 1, 1, 1, 1, 255 },
    { CCA_MODEL_SIGMA_DELTA, 7, 3, 4, 2, 40 },    { CCA_MODEL_SIGMA_DELTA, 100, 1, 16, 1, 8 },
    { CCA_MODEL_SIGMA_DELTA, 20, 50, 3, 30, 30 }, { CCA_MODEL_SIGMA_DELTA, 2, 1000, 16, 255, 255 },
    { CCA_MODEL_SIGMA_DELTA, 3, 2, 15, 4, 255 }
  };
  uint64_t n_found = 0;

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (const uint32_t *threads = target_threads (target); *threads; threads++)
      for (size_t m = 0; m < G_N_ELEMENTS (motions); m++) {
        CcaParams params = target_params (target, m % 2 ? 4 : 8);
        CcaOutput output = m % (CCA_OUTPUT_MASK + 1);
        Sequence sequence;

        params.motion = motions[m];
        params.n_threads = *threads;
        params.denoise = m % 3 == 0;
        params.close_radius = m == 3 ? 3 : 0;
        params.invert = m == 4;
        if (!compare_can (target->algorithm, &params, output) || (target_copies (target) && (s + m) % 4))
          continue;
        if (sequence_init (&sequence, context, target, sizes[s][0], sizes[s][1], &params, output))
          sequence_run (&sequence, 130, &n_found);
        sequence_clear (&sequence);
        if (g_test_failed ())
          return;
      }
  g_assert_cmpuint (n_found, >, 1000);
}

/* The model is kept while the foreground stays MOTION, forgotten by a reset and by another foreground. */
static void
test_changes (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 8);
  CcaOutput output = CCA_OUTPUT_LABELS_U32;
  uint64_t n_found = 0;
  Sequence s;

  params.motion.learning = 10;
  if (!compare_can (target->algorithm, &params, output))
    output = CCA_OUTPUT_NONE;
  if (!sequence_init (&s, context, target, 70, 21, &params, output) || !sequence_run (&s, 25, &n_found))
    goto done;

  s.params.motion = (CcaMotion) { CCA_MODEL_SIGMA_DELTA, 5, 1, 5, 3, 50 };
  s.params.denoise = true;
  s.params.connectivity = 4;
  if (!sequence_set (&s) || !sequence_run (&s, 25, &n_found))
    goto done;

  s.params.motion.learning = 80; /* learning again from where the frames are */
  if (!sequence_set (&s) || !sequence_run (&s, 40, &n_found))
    goto done;

  cca_plan_reset (s.plan);
  sequence_forget (&s);
  s.params.motion.learning = 4;
  if (!sequence_set (&s) || !sequence_run (&s, 25, &n_found))
    goto done;

  s.params.foreground = CCA_FOREGROUND_THRESHOLD;
  if (!sequence_set (&s) || !sequence_run (&s, 3, &n_found))
    goto done;
  s.params.foreground = CCA_FOREGROUND_MOTION;
  sequence_forget (&s);
  if (!sequence_set (&s) || !sequence_run (&s, 25, &n_found))
    goto done;

  /* A change that fails changes nothing. */
  s.params.motion.v_min = 0;
  g_assert_cmpint (cca_plan_set_params (s.plan, &s.params), ==, CCA_ERROR_INVALID);
  s.params.motion.v_min = 3;
  sequence_run (&s, 25, &n_found);
done:
  sequence_clear (&s);
}

/* Limits of the spread that move while the background stands still, so that spreads are found outside of them. */
static void
test_limits (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 8);
  uint64_t n_found = 0;
  Sequence s;

  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
    return;
  params.motion = (CcaMotion) { CCA_MODEL_SIGMA_DELTA, 1, 1000000, 2, 1, 64 };
  if (sequence_init (&s, context, target, 131, 7, &params, CCA_OUTPUT_NONE)) {
    s.draw = draw_ripples;
    for (uint32_t i = 0; i < (target_copies (target) ? 15 : 60) && !g_test_failed (); i++) {
      s.params.motion.v_min = (uint8_t) (1 + random_below (&s.random, 30));
      s.params.motion.v_max = (uint8_t) (s.params.motion.v_min + random_below (&s.random, 40));
      s.params.motion.amplification = (uint8_t) (1 + random_below (&s.random, 3));
      if (sequence_set (&s))
        sequence_run (&s, 1 + random_below (&s.random, 40), &n_found);
    }
    g_assert_cmpuint (n_found, >, 500);
  }
  sequence_clear (&s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  targets_add_image_test ("/motion/sequences", test_sequences);
  targets_add_image_test ("/motion/changes", test_changes);
  targets_add_image_test ("/motion/limits", test_limits);
  return g_test_run ();
}
