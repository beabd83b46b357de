/* gst-cca: regions of the image, the sensitivity of motion by place, and plans on which everything changes, also while
 * a frame is in flight SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

/* A plan, and the oracle's state. */
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
  GPtrArray *frames;         /* the oracle's */
  const OracleFrame *last;   /* the frame before, where its components are known */
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

/* Sets a new region or none, or new factors or none. The plan copies them. */
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

/* Returns the target's algorithm, another one of its backend, or that which the backend chooses. */
static const char *
some_algorithm (Walk *walk)
{
  const CcaAlgorithm *const *algorithms = cca_algorithms (walk->target->backend);
  uint32_t n = 0;

  while (algorithms[n])
    n++;
  if (one_in (walk, 8))
    return "auto";
  return one_in (walk, 4) ? algorithms[random_below (&walk->random, n)]->name : walk->target->algorithm->name;
}

/* Returns whether the algorithm that they name serves these parameters; one that the backend chooses does. */
static bool
can_run (const Walk *walk, const CcaParams *params)
{
  for (const CcaAlgorithm *const *a = cca_algorithms (walk->target->backend); *a; a++)
    if (g_str_equal ((*a)->name, params->algorithm))
      return compare_can (*a, params, walk->output);
  return true;
}

/* Returns the parameters with one other than before. */
static CcaParams
change_one (Walk *walk)
{
  CcaParams next = walk->params;

  switch (random_below (&walk->random, 6)) {
    case 0: next.overlaps = !next.overlaps; break;
    case 1: next.shape = !next.shape; break;
    case 2: next.connectivity = 12 - next.connectivity; break;
    case 3: next.min_area = random_below (&walk->random, 5); break;
    case 4: next.max_components = one_in (walk, 2) ? CCA_MAX_COMPONENTS : 5; break;
    default: next.algorithm = some_algorithm (walk); break;
  }
  return next;
}

/* Returns parameters that are all new; motion often stays, so that its model has a past. */
static CcaParams
change_all (Walk *walk)
{
  const uint32_t *threads = target_threads (walk->target);
  CcaParams next = target_params (walk->target, one_in (walk, 2) ? 4 : 8);
  uint32_t n_threads = 0, scale;

  while (threads[n_threads])
    n_threads++;
  next.algorithm = some_algorithm (walk);
  next.foreground = random_below (&walk->random, CCA_FOREGROUND_MOTION + 1);
  if (walk->params.foreground == CCA_FOREGROUND_MOTION && !one_in (walk, 3))
    next.foreground = CCA_FOREGROUND_MOTION;
  if (one_in (walk, 3))
    next.format = random_below (&walk->random, CCA_FORMAT_GRAY16_BE + 1);
  scale = cca_format_max_value (next.format) / 255;
  next.motion = (CcaMotion) { .learning = 1 + random_below (&walk->random, one_in (walk, 3) ? 40 : 3),
                              .period = 1 + random_below (&walk->random, 4),
                              .amplification = (uint8_t) (1 + random_below (&walk->random, 4)),
                              .v_min = (uint16_t) (scale * (1 + random_below (&walk->random, 40))),
                              .v_max = (uint16_t) (scale * (41 + random_below (&walk->random, 200))) };
  next.threshold = (uint16_t) (scale * random_below (&walk->random, 256));
  next.low = (uint16_t) (scale * random_below (&walk->random, 128));
  next.high = (uint16_t) (scale * (128 + random_below (&walk->random, 128)));
  next.invert = one_in (walk, 3);
  next.denoise = one_in (walk, 3);
  next.close_radius = one_in (walk, 3) ? 1 + random_below (&walk->random, CCA_MAX_CLOSE_RADIUS) : 0;
  next.min_area = one_in (walk, 4) ? random_below (&walk->random, 4) : 0;
  next.max_width = one_in (walk, 4) ? 1 + random_below (&walk->random, 20) : 0;
  next.min_height = one_in (walk, 4) ? random_below (&walk->random, 4) : 0;
  next.max_height = one_in (walk, 4) ? 4 : 0;
  next.covariance = one_in (walk, 2);
  next.overlaps = one_in (walk, 2);
  next.shape = one_in (walk, 2);
  next.intensity = one_in (walk, 2);
  next.order = one_in (walk, 3) ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  next.max_components =
      one_in (walk, 3) ? random_below (&walk->random, one_in (walk, 2) ? 9 : 1000) : CCA_MAX_COMPONENTS;
  next.n_threads = threads[random_below (&walk->random, n_threads)];
  return next;
}

static bool
change_params (Walk *walk)
{
  CcaParams next = one_in (walk, 2) ? change_one (walk) : change_all (walk);

  if (!can_run (walk, &next))
    return true;
  if (one_in (walk, 5)) { /* a change that fails changes nothing */
    next.connectivity = 6;
    g_assert_cmpint (cca_plan_set_params (walk->plan, &next), ==, CCA_ERROR_INVALID);
    return true;
  }
  if (!check_ok (cca_plan_set_params (walk->plan, &next), "set_params"))
    return false;
  if (!g_str_equal (next.algorithm, "auto"))
    g_assert_cmpstr (cca_plan_algorithm (walk->plan)->name, ==, next.algorithm);
  if (walk->params.foreground == CCA_FOREGROUND_MOTION
      && (next.foreground != CCA_FOREGROUND_MOTION
          || cca_format_max_value (next.format) != cca_format_max_value (walk->params.format)))
    forget_model (walk);
  if (!next.overlaps)
    walk->last = NULL;
  walk->params = next;
  return true;
}

/* Makes some of the changes that are allowed between frames and while one is in flight. */
static bool
change (Walk *walk)
{
  if (one_in (walk, 12)) {
    cca_plan_reset (walk->plan);
    forget_model (walk);
    walk->last = NULL;
  }
  return (!one_in (walk, 3) || set_places (walk, true)) && (!one_in (walk, 4) || set_places (walk, false))
         && (!one_in (walk, 3) || change_params (walk));
}

static void
draw_frame (Walk *walk)
{
  const uint32_t n_values = walk->params.foreground == CCA_FOREGROUND_VALUES ? 3 : one_in (walk, 3) ? 60 : 256;

  pattern_random_values (&walk->random, n_values, 1 + random_below (&walk->random, 3), walk->pixels,
                         walk->width * cca_format_pixel_size (walk->params.format), walk->height);
}

/* Waits for a frame of these parameters, and compares all that it gives. */
static bool
finish_frame (Walk *walk, uint32_t number, const CcaParams *params, CompareFrame *frame, const OracleFrame *before,
              const OracleFrame *expected)
{
  CcaMeasurement measurement;

  return check_ok (cca_result_wait (walk->result, &measurement), "wait")
         && check_same (compare_frame_finish (frame, expected), "%ux%u, frame %u, foreground %d, output %d",
                        walk->width, walk->height, number, params->foreground, walk->output)
         && check_same (compare_overlaps (&measurement, before, expected, params->max_components),
                        "%ux%u, frame %u, overlaps", walk->width, walk->height, number);
}

/* Runs a frame. Changes while it is in flight apply to the next one, which finds its overlaps even if this frame's
 * result was freed. */
static bool
run_frame (Walk *walk, uint32_t number)
{
  const CcaParams params = walk->params;
  const OracleFrame *const before = walk->last;
  OracleParams oracle_params = compare_oracle_params (&params);
  const CcaOutput output = one_in (walk, 4) ? CCA_OUTPUT_NONE : walk->output; /* a plan that can paint need not */
  Layout layout = target_layout (walk->target, number);
  OracleFrame *expected;
  CompareFrame frame;
  bool good;

  oracle_params.region = walk->region;
  oracle_params.factors = walk->factors;
  draw_frame (walk);
  expected = oracle_run (&oracle_params, walk->model, walk->pixels, walk->width, walk->height);
  g_ptr_array_add (walk->frames, expected);
  layout.format = params.format;
  compare_frame_init (&frame, walk->width, walk->height, output, layout, walk->pixels);
  good = check_ok (compare_frame_start (&frame, walk->plan, NULL, walk->result), "run");
  walk->last = params.overlaps ? expected : NULL;
  good = good && change (walk);
  if (good && one_in (walk, 6)) {
    cca_result_free (walk->result);
    good = check_ok (cca_result_new (walk->plan, &walk->result), "result");
  } else {
    good = good && finish_frame (walk, number, &params, &frame, before, expected);
  }
  compare_frame_clear (&frame);
  return good;
}

static void
free_frame (gpointer frame)
{
  oracle_frame_free (frame);
}

static void
go (Walk *walk, uint32_t n_frames)
{
  walk->params = target_params (walk->target, walk->target->algorithm->capabilities & CCA_CAN_8 ? 8 : 4);
  if (!compare_can (walk->target->algorithm, &walk->params, walk->output))
    return;
  walk->pixels = g_malloc (4 * walk->width * walk->height); /* of any format */
  walk->model = oracle_model_new (walk->width, walk->height);
  walk->frames = g_ptr_array_new_with_free_func (free_frame);
  if (check_ok (cca_plan_new (walk->context, walk->width, walk->height, &walk->params, walk->output, &walk->plan),
                "plan")
      && check_ok (cca_result_new (walk->plan, &walk->result), "result"))
    for (uint32_t i = 0; i < n_frames; i++)
      if (!change (walk) || !run_frame (walk, i))
        break;
  cca_result_free (walk->result);
  cca_plan_free (walk->plan);
  g_ptr_array_unref (walk->frames);
  oracle_model_free (walk->model);
  g_free (walk->region);
  g_free (walk->factors);
  g_free (walk->pixels);
}

static void
test_walks (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = {
    { 1, 1 }, { 31, 9 }, { 33, 34 }, { 64, 12 }, { 131, 47 }, { 300, 5 }, { 130, 95 }
  };

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

CASES_MAIN ()
{
  targets_add_image_test ("/walks/any", test_walks);
}
