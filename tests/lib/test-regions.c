/* gst-cca: regions of the image, and the sensitivity of motion by place
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "counting-allocator.h"
#include "patterns.h"

/* A plan on which everything changes from frame to frame, and what the oracle needs beside it. */
typedef struct
{
  const Target *target;
  CcaContext *context;
  CcaOutput output;
  uint32_t width, height;
  CcaParams params;
  CcaPlan *plan;
  CcaResult *result;
  OracleModel *model;
  OracleFrame *last;         /* the frame before, where its components are known */
  uint8_t *region, *factors; /* as set, or NULL */
  uint8_t *pixels;
  Random random;
} Walk;

static bool
one_in (Walk *walk, uint32_t n)
{
  return random_below (&walk->random, n) == 0;
}

/* Returns an image for cca_plan_set_region(), with bytes between its rows. */
static CcaImage
image_of (const Walk *walk, const uint8_t *bytes, uint8_t *room, uint32_t gap)
{
  const CcaImage image = { room, walk->width + gap, walk->width, walk->height, CCA_MEMORY_HOST };

  for (uint32_t y = 0; y < walk->height; y++) {
    memcpy (room + y * (walk->width + gap), bytes + y * walk->width, walk->width);
    memset (room + y * (walk->width + gap) + walk->width, 0xa5, gap);
  }
  return image;
}

/* Squares, a figure, a half plane, all or nothing; any byte but 0 is inside. */
static void
draw_region (Walk *walk, uint8_t *region)
{
  const uint32_t w = walk->width, h = walk->height, kind = random_below (&walk->random, 6), slope = 1 + kind;

  switch (kind) {
    case 0: memset (region, 0, w * h); break;
    case 1: memset (region, 1, w * h); break;
    case 2: pattern_draw (random_below (&walk->random, (uint32_t) n_patterns), region, w, h); break;
    case 3:
      for (uint32_t i = 0; i < w * h; i++)
        region[i] = i % w * slope > i / w ? (uint8_t) (1 + i % 255) : 0;
      break;
    default: pattern_random (&walk->random, 60, 1 + kind * 2, region, w, h); break;
  }
}

/* Sets a new region or none, and the same for factors. The plan copies what it is given. */
static bool
set_places (Walk *walk, bool region)
{
  const uint32_t n = walk->width * walk->height, gap = random_below (&walk->random, 5);
  uint8_t **const kept = region ? &walk->region : &walk->factors;
  g_autofree uint8_t *room = g_malloc ((walk->width + gap) * walk->height);
  bool ok;

  g_clear_pointer (kept, g_free);
  if (!one_in (walk, 3)) {
    *kept = g_malloc (n);
    if (region)
      draw_region (walk, *kept);
    else
      pattern_random_values (&walk->random, one_in (walk, 2) ? 256 : 40, 3, *kept, walk->width, walk->height);
  }
  if (*kept) {
    const CcaImage image = image_of (walk, *kept, room, gap);

    ok = check_ok (region ? cca_plan_set_region (walk->plan, &image) : cca_plan_set_sensitivity (walk->plan, &image),
                   "set");
    memset (room, 0x5a, (walk->width + gap) * walk->height);
  } else {
    ok = check_ok (region ? cca_plan_set_region (walk->plan, NULL) : cca_plan_set_sensitivity (walk->plan, NULL),
                   "unset");
  }
  return ok;
}

static void
forget_model (Walk *walk)
{
  oracle_model_free (walk->model);
  walk->model = oracle_model_new (walk->width, walk->height);
}

static void
set_last (Walk *walk, OracleFrame *frame)
{
  oracle_frame_free (walk->last);
  walk->last = frame;
}

/* Other parameters; motion often stays, so that its model has a past. */
static bool
change_params (Walk *walk)
{
  const uint32_t *threads = target_threads (walk->target);
  CcaParams next = target_params (walk->target, one_in (walk, 2) ? 4 : 8);
  const bool was_motion = walk->params.foreground == CCA_FOREGROUND_MOTION;
  uint32_t n_threads = 0, scale;

  while (threads[n_threads])
    n_threads++;
  next.foreground = random_below (&walk->random, CCA_FOREGROUND_MOTION + 1);
  if (was_motion && !one_in (walk, 3))
    next.foreground = CCA_FOREGROUND_MOTION;
  if (one_in (walk, 3))
    next.format = random_below (&walk->random, CCA_FORMAT_GRAY16_BE + 1);
  scale = cca_format_max_value (next.format) / 255;
  next.motion = (CcaMotion) { .learning = 1 + random_below (&walk->random, 3),
                              .period = 1 + random_below (&walk->random, 4),
                              .amplification = (uint8_t) (1 + random_below (&walk->random, 4)),
                              .v_min = (uint16_t) (scale * (1 + random_below (&walk->random, 40))),
                              .v_max = (uint16_t) (scale * (41 + random_below (&walk->random, 200))) };
  next.threshold = (uint16_t) (scale * random_below (&walk->random, 256));
  next.low = (uint16_t) (scale * random_below (&walk->random, 128));
  next.high = (uint16_t) (scale * (128 + random_below (&walk->random, 128)));
  next.invert = one_in (walk, 3);
  next.denoise = one_in (walk, 3);
  next.close_radius = one_in (walk, 3) ? 1 + random_below (&walk->random, 3) : 0;
  next.min_area = one_in (walk, 4) ? 3 : 0;
  next.max_height = one_in (walk, 4) ? 4 : 0;
  next.covariance = one_in (walk, 2);
  next.overlaps = one_in (walk, 2);
  next.shape = one_in (walk, 2);
  next.intensity = one_in (walk, 2);
  next.order = one_in (walk, 3) ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  next.max_components = one_in (walk, 3) ? random_below (&walk->random, 9) : CCA_MAX_COMPONENTS;
  next.n_threads = threads[random_below (&walk->random, n_threads)];
  if (!compare_can (walk->target->algorithm, &next, walk->output))
    return true;
  if (!check_ok (cca_plan_set_params (walk->plan, &next), "set_params"))
    return false;
  if (was_motion
      && (next.foreground != CCA_FOREGROUND_MOTION
          || cca_format_max_value (next.format) != cca_format_max_value (walk->params.format)))
    forget_model (walk);
  if (!next.overlaps)
    set_last (walk, NULL);
  walk->params = next;
  return true;
}

static void
draw_frame (Walk *walk)
{
  const uint32_t n_values = walk->params.foreground == CCA_FOREGROUND_VALUES ? 3 : one_in (walk, 3) ? 60 : 256;

  pattern_random_values (&walk->random, n_values, 1 + random_below (&walk->random, 3), walk->pixels,
                         walk->width * cca_format_pixel_size (walk->params.format), walk->height);
}

static bool
run_frame (Walk *walk, uint32_t number)
{
  OracleParams oracle_params = compare_oracle_params (&walk->params);
  Layout layout = target_layout (walk->target, number);
  CcaMeasurement measurement;
  OracleFrame *expected;
  CompareFrame frame;
  bool same;

  oracle_params.region = walk->region;
  oracle_params.factors = walk->factors;
  draw_frame (walk);
  expected = oracle_run (&oracle_params, walk->model, walk->pixels, walk->width, walk->height);
  layout.format = walk->params.format;
  compare_frame_init (&frame, walk->width, walk->height, walk->output, layout, walk->pixels);
  same = check_ok (compare_frame_start (&frame, walk->plan, NULL, walk->result), "run")
         && check_ok (cca_result_wait (walk->result, &measurement), "wait")
         && check_same (compare_frame_finish (&frame, expected), "%ux%u, frame %u, foreground %d, output %d",
                        walk->width, walk->height, number, walk->params.foreground, walk->output)
         && check_same (compare_overlaps (&measurement, walk->last, expected, walk->params.max_components),
                        "%ux%u, frame %u, overlaps", walk->width, walk->height, number);
  compare_frame_clear (&frame);
  set_last (walk, walk->params.overlaps ? expected : NULL);
  if (!walk->params.overlaps)
    oracle_frame_free (expected);
  return same;
}

static void
go (Walk *walk, uint32_t n_frames)
{
  walk->params = target_params (walk->target, walk->target->algorithm->capabilities & CCA_CAN_8 ? 8 : 4);
  if (!compare_can (walk->target->algorithm, &walk->params, walk->output))
    return;
  walk->pixels = g_malloc (4 * walk->width * walk->height); /* of any format */
  walk->model = oracle_model_new (walk->width, walk->height);
  if (check_ok (cca_plan_new (walk->context, walk->width, walk->height, &walk->params, walk->output, &walk->plan),
                "plan")
      && check_ok (cca_result_new (walk->plan, &walk->result), "result"))
    for (uint32_t i = 0; i < n_frames; i++)
      if ((one_in (walk, 3) && !set_places (walk, true)) || (one_in (walk, 4) && !set_places (walk, false))
          || (one_in (walk, 3) && !change_params (walk)) || !run_frame (walk, i))
        break;
  cca_result_free (walk->result);
  cca_plan_free (walk->plan);
  set_last (walk, NULL);
  oracle_model_free (walk->model);
  g_free (walk->region);
  g_free (walk->factors);
  g_free (walk->pixels);
}

static void
test_walks (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 31, 9 }, { 33, 34 }, { 64, 12 }, { 131, 47 }, { 300, 5 } };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes) && !g_test_failed (); s++) {
    Walk walk = { .target = target,
                  .context = context,
                  .output = s % (CCA_OUTPUT_MASK + 1),
                  .width = sizes[s][0],
                  .height = sizes[s][1] };

    random_init (&walk.random, (uint32_t) s);
    go (&walk, 60);
  }
}

/* --- Refusals ---------------------------------------------------------------------------------------- */

#define WIDTH 40u
#define HEIGHT 20u

/* The foreground's pixels of a frame that is white but for what the region leaves out. */
static uint64_t
count_white (CcaPlan *plan, CcaResult *result)
{
  static uint8_t white[WIDTH * HEIGHT];
  const CcaImage image = { white, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  CcaMeasurement measurement;

  memset (white, 255, sizeof white);
  if (!check_ok (cca_plan_run (plan, &image, NULL, NULL, result), "run")
      || !check_ok (cca_result_wait (result, &measurement), "wait") || measurement.n_stored != 1)
    return 0;
  return measurement.components[0].area;
}

typedef CcaStatus Set (CcaPlan *plan, const CcaImage *image);

static void
refuse (CcaPlan *plan, Set *set, CcaImage image, const char *text)
{
  g_assert_cmpint (set (plan, &image), ==, CCA_ERROR_INVALID);
  if (!strstr (cca_last_error (), text))
    g_test_fail_printf ("\"%s\" does not say \"%s\"", cca_last_error (), text);
}

/* What is refused leaves the old region. */
static void
test_refusals (CcaContext *context, const Target *target)
{
  static Set *const sets[] = { cca_plan_set_region, cca_plan_set_sensitivity };
  static const char *const names[] = { "region", "factors" };
  uint8_t half[WIDTH * HEIGHT] = { 0 };
  const CcaImage good = { half, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  CcaParams params = target_params (target, 8);
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;

  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
    return;
  memset (half, 1, sizeof half / 2);
  if (check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result")
      && check_ok (cca_plan_set_region (plan, &good), "region")) {
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
    for (size_t i = 0; i < G_N_ELEMENTS (sets); i++) {
      CcaImage wrong = good;
      char *text = g_strdup_printf ("%s is 41x20, but the plan was made for 40x20", names[i]);

      wrong.width = WIDTH + 1;
      refuse (plan, sets[i], wrong, text);
      g_free (text);
      wrong = good;
      wrong.pitch = WIDTH - 1;
      refuse (plan, sets[i], wrong, "has a pitch of 39 bytes");
      wrong = good;
      wrong.data = NULL;
      refuse (plan, sets[i], wrong, "->data is NULL");
      wrong = good;
      wrong.memory = CCA_MEMORY_DEVICE;
      refuse (plan, sets[i], wrong, "must be in host memory");
    }
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
    cca_plan_reset (plan);
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
    g_assert_cmpint (cca_plan_set_region (plan, NULL), ==, CCA_OK);
    g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT);
  }
  cca_result_free (result);
  cca_plan_free (plan);
}

/* --- Memory ------------------------------------------------------------------------------------------ */

/* An allocation that fails leaves the old region, nothing leaks, and the plan counts what it holds. */
static void
test_memory (CcaContext *unused, const Target *target)
{
  uint8_t half[WIDTH * HEIGHT] = { 0 }, all[WIDTH * HEIGHT];
  const CcaImage regions[] = { { half, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST },
                               { all, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST } };
  CcaParams params = target_params (target, 8);
  CountingAllocator counting;
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *result;
  size_t without, blocks;

  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
    return;
  memset (half, 1, sizeof half / 2);
  memset (all, 1, sizeof all);
  counting_allocator_init (&counting);
  g_assert_cmpint (target_open (target, false, &counting.allocator, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  /* The first frame may need room of its own. */
  g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT);
  without = cca_plan_memory (plan);
  blocks = counting.blocks;
  g_assert_cmpint (cca_plan_set_region (plan, &regions[0]), ==, CCA_OK);
  g_assert_cmpuint (cca_plan_memory (plan), >, without);

  counting.once = true;
  counting.n_calls = 0;
  counting.fail_at = 1;
  g_assert_cmpint (cca_plan_set_region (plan, &regions[1]), ==, CCA_ERROR_MEMORY);
  counting.n_calls = 0;
  g_assert_cmpint (cca_plan_set_sensitivity (plan, &regions[1]), ==, CCA_ERROR_MEMORY);
  counting.fail_at = 0;
  g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT / 2);
  g_assert_cmpint (cca_plan_set_region (plan, &regions[1]), ==, CCA_OK);
  g_assert_cmpint (cca_plan_set_sensitivity (plan, &regions[1]), ==, CCA_OK);
  g_assert_cmpuint (count_white (plan, result), ==, WIDTH * HEIGHT);
  g_assert_cmpint (cca_plan_set_region (plan, NULL), ==, CCA_OK);
  g_assert_cmpint (cca_plan_set_sensitivity (plan, NULL), ==, CCA_OK);
  g_assert_cmpuint (cca_plan_memory (plan), ==, without);
  g_assert_cmpuint (counting.blocks, ==, blocks);
  g_assert_cmpint (cca_plan_set_region (plan, &regions[0]), ==, CCA_OK);
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
  g_assert_cmpuint (counting.blocks, ==, 0);
  counting_allocator_clear (&counting);
}

CASES_MAIN ()
{
  targets_add_image_test ("/regions/walks", test_walks);
  targets_add_test ("/regions/refusals", test_refusals);
  targets_add_test ("/regions/memory", test_memory);
}
