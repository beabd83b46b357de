/* gst-cca: overlaps of consecutive frames' components against the oracle's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

/* --- Streams ----------------------------------------------------------------------------------------- */

/* A plan, and the oracle's results for the same frames. */
typedef struct
{
  Target target;
  uint32_t width, height, t;
  CcaParams params;
  CcaOutput output;
  CcaPlan *plan;
  CcaResult *results[2]; /* in turn */
  OracleModel *model;
  OracleFrame *last; /* NULL where it is not known */
  uint8_t *pixels;
  uint64_t n_overlaps; /* found so far */
} Stream;

static bool
stream_init (Stream *stream, CcaContext *context, const Target *target, uint32_t width, uint32_t height,
             const CcaParams *params, CcaOutput output)
{
  *stream = (Stream) { .target = *target, .width = width, .height = height, .params = *params, .output = output };
  stream->model = oracle_model_new (width, height);
  stream->pixels = g_malloc0 ((size_t) width * height);
  return check_ok (cca_plan_new (context, width, height, params, output, &stream->plan), "plan")
         && check_ok (cca_result_new (stream->plan, &stream->results[0]), "result")
         && check_ok (cca_result_new (stream->plan, &stream->results[1]), "result");
}

static void
stream_forget (Stream *stream)
{
  oracle_frame_free (stream->last);
  stream->last = NULL;
}

static void
stream_clear (Stream *stream)
{
  for (size_t i = 0; i < G_N_ELEMENTS (stream->results); i++)
    cca_result_free (stream->results[i]);
  cca_plan_free (stream->plan);
  oracle_model_free (stream->model);
  stream_forget (stream);
  g_free (stream->pixels);
}

/* The oracle's frame of the pixels, of which the next one's overlaps are. */
static OracleFrame *
stream_expect (Stream *stream)
{
  const OracleParams params = compare_oracle_params (&stream->params);

  return oracle_run (&params, stream->model, stream->pixels, stream->width, stream->height);
}

static void
stream_follow (Stream *stream, OracleFrame *frame)
{
  stream_forget (stream);
  if (stream->params.overlaps)
    stream->last = frame;
  else
    oracle_frame_free (frame);
  stream->t++;
}

/* Runs the pixels and compares all that there is. */
static bool
stream_run (Stream *stream)
{
  CcaResult *result = stream->results[stream->t % G_N_ELEMENTS (stream->results)];
  OracleFrame *expected = stream_expect (stream);
  CcaMeasurement measurement;
  char *difference = compare_run (stream->plan, result, stream->output, target_layout (&stream->target, stream->t),
                                  stream->pixels, expected);

  if (!difference && cca_result_wait (result, &measurement) != CCA_OK)
    difference = g_strdup (cca_last_error ());
  if (!difference) {
    difference = compare_overlaps (&measurement, stream->last, expected, stream->params.max_components);
    stream->n_overlaps += measurement.n_overlaps;
  }
  stream_follow (stream, expected);
  return check_same (difference, "%ux%u, frame %u, foreground %d, %u threads, output %d", stream->width, stream->height,
                     stream->t - 1, stream->params.foreground, stream->params.n_threads, stream->output);
}

/* --- All pairs of small images ----------------------------------------------------------------------- */

#define MAX_SMALL_PIXELS 9u

/* All images of one size, with the oracle's frames. */
typedef struct
{
  uint32_t width, height, n;
  uint8_t pixels[1u << MAX_SMALL_PIXELS][MAX_SMALL_PIXELS];
  OracleFrame *frames[1u << MAX_SMALL_PIXELS];
} SmallImages;

static void
small_images_init (SmallImages *images, uint32_t width, uint32_t height, const CcaParams *params)
{
  const OracleParams oracle_params = compare_oracle_params (params);

  *images = (SmallImages) { .width = width, .height = height, .n = 1u << width * height };
  for (uint32_t i = 0; i < images->n; i++) {
    for (uint32_t p = 0; p < width * height; p++)
      images->pixels[i][p] = i >> p & 1 ? 255 : 0;
    images->frames[i] = oracle_run (&oracle_params, NULL, images->pixels[i], width, height);
  }
}

static void
small_images_clear (SmallImages *images)
{
  for (uint32_t i = 0; i < images->n; i++)
    oracle_frame_free (images->frames[i]);
}

/* Runs an image; its overlaps must be those with `last`, if there is one. */
static bool
run_small (const SmallImages *images, CcaPlan *plan, CcaResult *result, uint32_t last, uint32_t now)
{
  const CcaImage image = { (void *) images->pixels[now], images->width, images->width, images->height,
                           CCA_MEMORY_HOST };
  CcaMeasurement measurement;

  return check_ok (cca_plan_run (plan, &image, NULL, NULL, result), "run")
         && check_ok (cca_result_wait (result, &measurement), "wait")
         && check_same (compare_overlaps (&measurement, last < images->n ? images->frames[last] : NULL,
                                          images->frames[now], CCA_MAX_COMPONENTS),
                        "%ux%u, image %03x after %03x", images->width, images->height, now, last);
}

/* Every image follows every other: a, then a and b by turns for each b > a. Takes one a in `stride`. */
static void
run_all_pairs (const SmallImages *images, CcaPlan *plan, CcaResult *result, uint32_t stride)
{
  uint32_t last = UINT32_MAX;
  bool same = true;

  for (uint32_t a = 0; a < images->n && same; a += stride) {
    same = run_small (images, plan, result, last, a);
    last = a;
    for (uint32_t b = a; b < images->n && same; b++) {
      same = run_small (images, plan, result, last, b) && run_small (images, plan, result, b, a);
      last = a;
    }
  }
}

static void
test_small (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 2, 2 }, { 3, 2 }, { 2, 3 }, { 1, 4 }, { 4, 1 }, { 3, 3 } };

  for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4)
    for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
      CcaParams params = target_params (target, connectivity);
      g_autofree SmallImages *images = g_new (SmallImages, 1);

      params.overlaps = true;
      params.min_area = s % 3 == 1 ? 2 : 0;
      small_images_init (images, sizes[s][0], sizes[s][1], &params);
      for (const uint32_t *threads = target_threads (target); *threads && !g_test_failed (); threads++) {
        const bool slow = target->backend != CCA_BACKEND_CPU, large = images->n > 64;
        CcaPlan *plan = NULL;
        CcaResult *result = NULL;

        params.n_threads = *threads;
        if (compare_can (target->algorithm, &params, CCA_OUTPUT_NONE)
            && check_ok (cca_plan_new (context, sizes[s][0], sizes[s][1], &params, CCA_OUTPUT_NONE, &plan), "plan")
            && check_ok (cca_result_new (plan, &result), "result"))
          run_all_pairs (images, plan, result, slow ? (large ? 511 : 7) : large && *threads > 1 ? 61 : FRAME_STRIDE);
        cca_result_free (result);
        cca_plan_free (plan);
      }
      small_images_clear (images);
    }
}

/* --- Sequences --------------------------------------------------------------------------------------- */

/* A frame like the last, moved and with some noise; or an empty, a full, an equal or an unlike one. */
static void
draw_next (Random *random, uint32_t t, uint8_t *pixels, uint32_t width, uint32_t height)
{
  const size_t n = (size_t) width * height;
  g_autofree uint8_t *last = g_memdup2 (pixels, n);
  const uint32_t dx = random_below (random, 3), dy = random_below (random, 2);
  const uint32_t kind = t == 0 ? 0 : random_below (random, 12);

  switch (kind) {
    case 0: pattern_random (random, 10 + random_below (random, 80), 1 + t % 4, pixels, width, height); break;
    case 1: pattern_draw (random_below (random, (uint32_t) n_patterns), pixels, width, height); break;
    case 2: memset (pixels, t % 3 ? 0 : 255, n); break;
    case 3: break;
    case 4: pattern_random_values (random, 4, 1 + t % 3, pixels, width, height); break;
    default:
      for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
          pixels[(size_t) y * width + x] = last[(size_t) ((y + dy) % height) * width + (x + dx) % width];
      for (size_t i = 0; i < n; i++)
        if (random_below (random, 100) < 4)
          pixels[i] = (uint8_t) random_below (random, 256);
  }
}

/* Parameters by turns, all kinds of which come together with all others in the end. */
static CcaParams
turn_params (const Target *target, uint32_t turn, uint32_t n_threads)
{
  static const CcaForeground foregrounds[] = { CCA_FOREGROUND_NONZERO, CCA_FOREGROUND_VALUES, CCA_FOREGROUND_THRESHOLD,
                                               CCA_FOREGROUND_MOTION, CCA_FOREGROUND_RANGE };
  static const uint32_t limits[] = { CCA_MAX_COMPONENTS, 1, 7, 0, 100 };
  static const uint64_t areas[][2] = { { 0, 0 }, { 2, 0 }, { 0, 20 }, { 3, 50 } };
  CcaParams params = target_params (target, turn % 2 ? 4 : 8);

  params.overlaps = true;
  params.n_threads = n_threads;
  params.foreground = foregrounds[turn % G_N_ELEMENTS (foregrounds)];
  params.motion = (CcaMotion) { CCA_MODEL_SIGMA_DELTA, 2, 2, 2, 2, 20 };
  params.high = 250;
  params.max_components = limits[turn / 2 % G_N_ELEMENTS (limits)];
  params.min_area = areas[turn / 3 % G_N_ELEMENTS (areas)][0];
  params.max_area = areas[turn / 3 % G_N_ELEMENTS (areas)][1];
  params.denoise = turn % 7 == 3;
  params.close_radius = turn % 11 == 5 ? 2 : 0;
  params.invert = turn % 13 == 7;
  params.covariance = turn % 3 == 1;
  params.order = turn % 4 == 2 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  return params;
}

static void
test_sequences (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 7, 3 }, { 31, 65 }, { 64, 16 }, { 65, 33 }, { 129, 25 }, { 3, 90 } };
  const uint32_t n_turns = target->backend == CCA_BACKEND_CPU ? 60 : target_copies (target) ? 10 : 20;
  const uint32_t n_frames = target->backend == CCA_BACKEND_CPU ? 12 : 6;
  uint64_t n_overlaps = 0;
  Random random;

  random_init (&random, 30);
  for (const uint32_t *threads = target_threads (target); *threads; threads++)
    for (uint32_t turn = 0; turn < n_turns; turn++) {
      const uint32_t *size = sizes[turn % G_N_ELEMENTS (sizes)];
      const CcaParams params = turn_params (target, turn, *threads);
      const CcaOutput output = turn / 2 % 2 ? turn % (CCA_OUTPUT_MASK + 1) : CCA_OUTPUT_NONE;
      bool same = true;
      Stream stream;

      if (!compare_can (target->algorithm, &params, output))
        continue;
      if (stream_init (&stream, context, target, size[0], size[1], &params, output))
        for (uint32_t i = 0; i < n_frames && same; i++) {
          draw_next (&random, i, stream.pixels, size[0], size[1]);
          same = stream_run (&stream);
        }
      n_overlaps += stream.n_overlaps;
      stream_clear (&stream);
      if (g_test_failed ())
        return;
    }
  g_assert_cmpuint (n_overlaps, >, target->backend == CCA_BACKEND_CPU ? 1000 : 100);
}

/* A frame with enough pairs to make all tables grow, and then one with few. */
static void
test_many (CcaContext *context, const Target *target)
{
  static const uint32_t densities[] = { 30, 32, 50, 1, 20, 0, 40 };
  const bool small = target->backend != CCA_BACKEND_CPU;
  const uint32_t width = small ? 130 : 401, height = small ? 70 : 303;
  Random random;

  random_init (&random, 31);
  for (const uint32_t *threads = target_threads (target); *threads; threads++) {
    CcaParams params = target_params (target, 4);
    bool same = true;
    Stream stream;

    params.overlaps = true;
    params.n_threads = *threads;
    if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
      continue;
    if (stream_init (&stream, context, target, width, height, &params, CCA_OUTPUT_NONE))
      for (size_t i = 0; i < G_N_ELEMENTS (densities) && same; i++) {
        pattern_random (&random, densities[i], 1, stream.pixels, width, height);
        same = stream_run (&stream);
      }
    if (same)
      g_assert_cmpuint (stream.n_overlaps, >, (uint64_t) width * height / 30);
    stream_clear (&stream);
  }
}

CASES_MAIN ()
{
  targets_add_test_where ("/overlaps/small", test_small, target_can_overlaps);
  targets_add_image_test_where ("/overlaps/sequences", test_sequences, target_can_overlaps);
  targets_add_test_where ("/overlaps/many", test_many, target_can_overlaps);
}
