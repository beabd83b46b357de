/* gst-cca: the background model over sequences of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

/* A plan and the oracle's model of the same sequence. */
typedef struct Sequence Sequence;
struct Sequence
{
  void (*draw) (Sequence *s);
  Target target;
  uint32_t width, height, t;
  CcaParams params;
  CcaOutput output;
  CcaPlan *plan;
  CcaResult *result;
  OracleModel *model;
  Random random;
  uint8_t *pixels;
  uint64_t n_found; /* components of all frames */
};

/* A noisy scene with a square that wanders through it, flicker in a part, and a light that is switched. */
static void
draw_scene (Sequence *s)
{
  const uint32_t side = 1 + MIN (s->width, s->height) / 3, left = s->t * 2 % s->width, top = s->t % s->height;

  for (uint32_t y = 0; y < s->height; y++)
    for (uint32_t x = 0; x < s->width; x++) {
      uint32_t value = 60 + x % 50 + random_below (&s->random, 12) + (s->t / 45 % 2) * 40;

      if (x - left < side && y - top < side)
        value = 230 + random_below (&s->random, 26);
      else if (x % 16 < 3)
        value = random_below (&s->random, 256);
      else if (y == 0)
        value = s->t / 8 % 2 ? 255 : 0;
      s->pixels[y * s->width + x] = (uint8_t) value;
    }
}

/* Few levels above a constant background, often none. */
static void
draw_ripples (Sequence *s)
{
  for (uint32_t i = 0; i < s->width * s->height; i++)
    s->pixels[i] =
        (uint8_t) (s->t == 0 || random_below (&s->random, 3) == 0 ? 100 : 100 + random_below (&s->random, 45));
}

/* A noisy ramp with a bright square that wanders, on the scale of the format. */
static void
draw_formatted (Sequence *s)
{
  const CcaFormat format = s->params.format;
  const uint32_t scale = cca_format_max_value (format) > 255 ? 257 : 1, side = 1 + MIN (s->width, s->height) / 3;

  for (uint32_t y = 0; y < s->height; y++)
    for (uint32_t x = 0; x < s->width; x++) {
      uint32_t value = (60 + x % 50) * scale + random_below (&s->random, 12 * scale);

      if (x - s->t * 2 % s->width < side && y - s->t % s->height < side)
        value = 255 * scale - random_below (&s->random, 26 * scale);
      else if (x % 16 < 3)
        value = random_below (&s->random, 256 * scale - scale + 1);
      put_pixel (&s->random, format, s->pixels + ((size_t) y * s->width + x) * cca_format_pixel_size (format), value);
    }
}

static bool
sequence_init (Sequence *s, CcaContext *context, const Target *target, uint32_t width, uint32_t height,
               const CcaParams *params, CcaOutput output)
{
  *s = (Sequence) {
    .draw = draw_scene, .target = *target, .width = width, .height = height, .params = *params, .output = output
  };
  s->params.foreground = CCA_FOREGROUND_MOTION;
  s->model = oracle_model_new (width, height);
  s->pixels = g_malloc (4 * (size_t) width * height);
  random_init (&s->random, 10);
  return check_ok (cca_plan_new (context, width, height, &s->params, output, &s->plan), "plan")
         && check_ok (cca_result_new (s->plan, &s->result), "result");
}

static void
sequence_clear (Sequence *s)
{
  cca_result_free (s->result);
  cca_plan_free (s->plan);
  oracle_model_free (s->model);
  g_free (s->pixels);
}

static bool
sequence_run (Sequence *s, uint32_t n_frames)
{
  const OracleParams oracle_params = compare_oracle_params (&s->params);

  for (uint32_t i = 0; i < n_frames; i++, s->t++) {
    Layout layout = target_layout (&s->target, s->t);
    OracleFrame *expected;
    bool same;

    layout.format = s->params.format;
    s->draw (s);
    expected = oracle_run (&oracle_params, s->model, s->pixels, s->width, s->height);
    same = check_same (compare_run (s->plan, s->result, s->output, layout, s->pixels, expected),
                       "%s, %ux%u, frame %u of the sequence, %u threads", cca_format_name (s->params.format), s->width,
                       s->height, s->t, s->params.n_threads);
    s->n_found += expected->n_components;
    oracle_frame_free (expected);
    if (!same)
      return false;
  }
  return true;
}

static bool
sequence_set (Sequence *s)
{
  return check_ok (cca_plan_set_params (s->plan, &s->params), "set_params in frame %u", s->t);
}

/* Returns whether other targets show most of what this one does. */
static bool
is_brief (const Target *target)
{
  return target_copies (target) || !target_is_first (target);
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

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (const uint32_t *threads = target_threads (target); *threads; threads++)
      for (size_t m = 0; m < G_N_ELEMENTS (motions); m++) {
        CcaParams params = target_params (target, m % 2 ? 4 : 8);
        CcaOutput output = m % (CCA_OUTPUT_MASK + 1);
        Sequence s;

        params.motion = motions[m];
        params.n_threads = *threads;
        params.denoise = m % 3 == 0;
        params.close_radius = m == 3 ? 3 : 0;
        params.invert = m == 4;
        if (!compare_can (target->algorithm, &params, output) || (is_brief (target) && (i + m) % 4))
          continue;
        if (sequence_init (&s, context, target, sizes[i][0], sizes[i][1], &params, output))
          sequence_run (&s, 130);
        n_found += s.n_found;
        sequence_clear (&s);
        if (g_test_failed ())
          return;
      }
  g_assert_cmpuint (n_found, >, 1000);
}

/* Limits of the spread that move while the background stands still, so that spreads are found outside of them. */
static void
test_limits (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 8);
  Sequence s;

  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
    return;
  params.motion = (CcaMotion) { CCA_MODEL_SIGMA_DELTA, 1, 1000000, 2, 1, 64 };
  if (sequence_init (&s, context, target, 131, 7, &params, CCA_OUTPUT_NONE)) {
    s.draw = draw_ripples;
    for (uint32_t i = 0; i < (is_brief (target) ? 15 : 60) && !g_test_failed (); i++) {
      s.params.motion.v_min = (uint8_t) (1 + random_below (&s.random, 30));
      s.params.motion.v_max = (uint8_t) (s.params.motion.v_min + random_below (&s.random, 40));
      s.params.motion.amplification = (uint8_t) (1 + random_below (&s.random, 3));
      if (sequence_set (&s))
        sequence_run (&s, 1 + random_below (&s.random, 40));
    }
    g_assert_cmpuint (s.n_found, >, 500);
  }
  sequence_clear (&s);
}

static void
test_formats (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 67, 9 }, { 129, 25 }, { 4100, 2 } };
  static const CcaMotion motions[] = { { CCA_MODEL_SIGMA_DELTA, 12, 4, 2, 16, 64 },
                                       { CCA_MODEL_SIGMA_DELTA, 1, 1, 1, 1, 255 },
                                       { CCA_MODEL_SIGMA_DELTA, 7, 3, 16, 200, 250 } };
  static const CcaMotion wide_motions[] = { { CCA_MODEL_SIGMA_DELTA, 12, 4, 2, 16 * 257, 64 * 257 },
                                            { CCA_MODEL_SIGMA_DELTA, 1, 1, 1, 31, 65535 },
                                            { CCA_MODEL_SIGMA_DELTA, 7, 3, 16, 65535, 65535 },
                                            { CCA_MODEL_SIGMA_DELTA, 20, 2, 3, 500, 40000 } };
  uint64_t n_found = 0;

  for (CcaFormat format = CCA_FORMAT_YUY2; format <= CCA_FORMAT_GRAY16_BE; format++)
    for (const uint32_t *threads = target_threads (target); *threads; threads++)
      for (size_t i = 0; i < 4; i++) {
        const bool wide = cca_format_max_value (format) > 255;
        CcaParams params = target_params (target, i % 2 ? 4 : 8);
        Sequence s;

        params.format = format;
        params.matrix = i % 3;
        params.motion = wide ? wide_motions[(i + format) % 4] : motions[(i + format) % 3];
        params.n_threads = *threads;
        params.invert = i == 2;
        if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE) || (is_brief (target) && i != 2))
          continue;
        if (sequence_init (&s, context, target, sizes[i][0], sizes[i][1], &params, CCA_OUTPUT_NONE)) {
          s.draw = draw_formatted;
          sequence_run (&s, 40);
        }
        n_found += s.n_found;
        sequence_clear (&s);
        if (g_test_failed ())
          return;
      }
  g_assert_cmpuint (n_found, >, 500);
}

CASES_MAIN ()
{
  targets_add_image_test ("/motion/sequences", test_sequences);
  targets_add_image_test ("/motion/limits", test_limits);
  targets_add_image_test ("/motion/formats", test_formats);
}
