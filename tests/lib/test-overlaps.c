/* gst-cca: overlaps of consecutive frames' components against the oracle's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "counting-allocator.h"
#include "patterns.h"

/* --- Streams ----------------------------------------------------------------------------------------- */

/* A plan, and what the oracle knows of the same frames. */
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

static bool
stream_set (Stream *stream)
{
  if (!stream->params.overlaps)
    stream_forget (stream);
  return check_ok (cca_plan_set_params (stream->plan, &stream->params), "set_params before frame %u", stream->t);
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

/* So many pairs that all tables grow, and then a frame of few. */
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

/* --- What is known ----------------------------------------------------------------------------------- */

/* Sets parameters, and runs two frames. */
static bool
stream_change (Stream *stream, Random *random)
{
  bool same = stream_set (stream);

  for (uint32_t i = 0; i < 2 && same; i++) {
    draw_next (random, stream->t, stream->pixels, stream->width, stream->height);
    same = stream_run (stream);
  }
  return same;
}

/* The last frame's components stay known whatever changes but overlaps, even the algorithm. */
static void
test_changes (CcaContext *context, const Target *target)
{
  const CcaAlgorithm *const *algorithms = cca_algorithms (target->backend);
  uint32_t n_algorithms = 0;
  Random random;

  while (algorithms[n_algorithms])
    n_algorithms++;
  random_init (&random, 32);
  for (CcaOutput output = CCA_OUTPUT_NONE; output <= CCA_OUTPUT_LABELS_U32; output++) {
    CcaParams params = turn_params (target, 0, 1);
    bool same = true;
    Stream stream;

    if (!compare_can (target->algorithm, &params, output))
      continue;
    if (stream_init (&stream, context, target, 75, 41, &params, output))
      for (uint32_t turn = 0; turn < 60 && same; turn++) {
        const bool was_motion = stream.params.foreground == CCA_FOREGROUND_MOTION;

        params = turn_params (target, turn, 1 + turn * 3 % 8);
        params.overlaps = turn % 8 < 6;
        if (turn % 3 == 0 && compare_can (algorithms[turn % n_algorithms], &params, output))
          params.algorithm = algorithms[turn % n_algorithms]->name;
        else if (!compare_can (target->algorithm, &params, output))
          continue;
        stream.params = params;
        if (was_motion && params.foreground != CCA_FOREGROUND_MOTION) {
          oracle_model_free (stream.model);
          stream.model = oracle_model_new (stream.width, stream.height);
        }
        same = stream_change (&stream, &random);
      }
    if (same)
      g_assert_cmpuint (stream.n_overlaps, >, 100);
    stream_clear (&stream);
  }
}

/* What makes the last frame unknown, and what does not. */
static void
test_known (CcaContext *context, const Target *target)
{
  CcaParams params = turn_params (target, 0, 1);
  CcaImage image;
  Random random;
  Stream s;

  random_init (&random, 33);
  if (!stream_init (&s, context, target, 40, 30, &params, CCA_OUTPUT_NONE) || !stream_change (&s, &random))
    goto done;

  cca_plan_reset (s.plan);
  stream_forget (&s);
  if (!stream_change (&s, &random))
    goto done;

  /* Off and on with no frame in between. */
  s.params.overlaps = false;
  if (!stream_set (&s))
    goto done;
  s.params.overlaps = true;
  if (!stream_change (&s, &random))
    goto done;

  /* A change that fails changes nothing. */
  s.params.connectivity = 5;
  g_assert_cmpint (cca_plan_set_params (s.plan, &s.params), ==, CCA_ERROR_INVALID);
  s.params.connectivity = params.connectivity;
  if (!stream_run (&s))
    goto done;

  /* A frame that is refused is no frame. */
  image = (CcaImage) { s.pixels, s.width - 1, s.width, s.height, CCA_MEMORY_HOST };
  g_assert_cmpint (cca_plan_run (s.plan, &image, NULL, NULL, s.results[0]), ==, CCA_ERROR_INVALID);
  stream_change (&s, &random);
done:
  stream_clear (&s);
}

/* --- Failing allocations ----------------------------------------------------------------------------- */

static CcaStatus
run_starved (Stream *s, const CountingAllocator *counting)
{
  CcaImage image = { s->pixels, s->width, s->width, s->height, CCA_MEMORY_HOST };
  CcaResult *result = s->results[0];
  OracleFrame *expected = stream_expect (s);
  CcaMeasurement measurement;
  CcaStatus status = cca_plan_run (s->plan, &image, NULL, NULL, result);

  if (status == CCA_OK)
    status = cca_result_wait (result, &measurement);
  if (status == CCA_OK) {
    check_same (compare_measurement (&measurement, expected), "frame %u", s->t);
    check_same (compare_overlaps (&measurement, s->last, expected, s->params.max_components),
                "frame %u after failure of allocation %" G_GUINT64_FORMAT, s->t, counting->fail_at);
    stream_follow (s, expected);
  } else {
    g_assert_cmpint (status, ==, CCA_ERROR_MEMORY);
    oracle_frame_free (expected);
    stream_forget (s);
  }
  return status;
}

/* Fails the nth allocation of a life; returns whether there was one. A frame that is lost is not known to the next. */
static bool
live_starved (const Target *target, uint32_t n_threads, uint64_t n)
{
  static const uint32_t densities[] = { 5, 30, 30, 50, 40 };
  CcaParams params = target_params (target, 4);
  CountingAllocator counting;
  CcaContext *context;
  Random random;
  Stream s;
  bool failed;

  counting_allocator_init (&counting);
  counting.once = true;
  params.n_threads = n_threads;
  params.overlaps = true;
  g_assert_cmpint (target_open (target, true, &counting.allocator, &context), ==, CCA_OK);
  g_assert_true (stream_init (&s, context, target, 90, 60, &params, CCA_OUTPUT_NONE));
  counting.fail_at = counting.n_calls + n;
  random_init (&random, 34);
  for (size_t i = 0; i < G_N_ELEMENTS (densities) && !g_test_failed (); i++) {
    pattern_random (&random, densities[i], 1, s.pixels, s.width, s.height);
    if (i == 3) {
      /* Where the change fails, the last frame is still known. */
      s.params.overlaps = false;
      if (cca_plan_set_params (s.plan, &s.params) == CCA_OK)
        stream_forget (&s);
      s.params.overlaps = true;
      if (cca_plan_set_params (s.plan, &s.params) != CCA_OK)
        g_assert_cmpint (cca_plan_set_params (s.plan, &s.params), ==, CCA_OK);
    }
    run_starved (&s, &counting);
  }
  failed = counting.n_calls >= counting.fail_at;
  stream_clear (&s);
  cca_context_free (context);
  g_assert_cmpuint (counting.blocks, ==, 0);
  counting_allocator_clear (&counting);
  return failed;
}

static bool
is_best_with_overlaps (const Target *target)
{
  return target_can_overlaps (target) && target_is_best_isa (target);
}

static void
test_starved (CcaContext *unused, const Target *target)
{
  for (const uint32_t *threads = target_threads (target); *threads && *threads <= 2; threads++)
    for (uint64_t n = 1; !g_test_failed () && live_starved (target, *threads, n); n++)
      g_assert_cmpuint (n, <, 1000);
}

/* --- Steady state ------------------------------------------------------------------------------------ */

/* Frames like those before allocate nothing. */
static void
test_steady (CcaContext *unused, const Target *target)
{
  static const uint32_t densities[] = { 40, 3, 30 };

  for (const uint32_t *threads = target_threads (target); *threads; threads++) {
    CcaParams params = target_params (target, 8);
    CountingAllocator counting;
    CcaContext *context;
    Stream s;

    counting_allocator_init (&counting);
    params.n_threads = *threads;
    params.overlaps = true;
    g_assert_cmpint (target_open (target, true, &counting.allocator, &context), ==, CCA_OK);
    g_assert_true (stream_init (&s, context, target, 200, 90, &params, CCA_OUTPUT_NONE));
    for (uint32_t frame = 0; frame < 30 && !g_test_failed (); frame++) {
      const uint64_t before = counting.n_calls;
      Random random;

      random_init (&random, frame % 3);
      pattern_random (&random, densities[frame % 3], 1, s.pixels, s.width, s.height);
      g_assert_true (stream_run (&s));
      if (frame >= 7)
        g_assert_cmpuint (counting.n_calls, ==, before);
    }
    stream_clear (&s);
    cca_context_free (context);
    g_assert_cmpuint (counting.blocks, ==, 0);
    counting_allocator_clear (&counting);
  }
}

CASES_MAIN ()
{
  targets_add_test_where ("/overlaps/small", test_small, target_can_overlaps);
  targets_add_image_test_where ("/overlaps/sequences", test_sequences, target_can_overlaps);
  targets_add_test_where ("/overlaps/many", test_many, target_can_overlaps);
  targets_add_image_test_where ("/overlaps/changes", test_changes, target_can_overlaps);
  targets_add_image_test_where ("/overlaps/known", test_known, target_can_overlaps);
  targets_add_test_where ("/overlaps/starved", test_starved, is_best_with_overlaps);
  targets_add_test_where ("/overlaps/steady", test_steady, is_best_with_overlaps);
}
