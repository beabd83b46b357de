/* gst-cca: overlaps while frames are in flight, some of which have to run again
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A plan goes through random calls: frames of few and of many components, results that are waited for or freed, resets
 * and changed parameters in between. Every result that is waited for is compared with the oracle's.
 */
#include <glib.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

typedef struct
{
  const Target *target;
  uint32_t width, height;
  CcaParams params;
  CcaOutput output;
  CcaPlan *plan;
  CcaResult *result;
  CompareFrame frame; /* if it is in flight */
  bool in_flight;
  size_t before;           /* the last frame of the one in flight */
  uint32_t max_components; /* of the one in flight */
  GPtrArray *frames;       /* the oracle's */
  GPtrArray *pixels;
  size_t last; /* of the next frame; an index of frames, or SIZE_MAX if none is known */
  uint32_t n_compared;
  Random random;
} Walk;

static void
forget_flight (Walk *walk)
{
  if (walk->in_flight)
    compare_frame_clear (&walk->frame);
  walk->in_flight = false;
}

/* Some frames need more room than plans have at first. */
static uint8_t *
draw (Walk *walk)
{
  static const uint32_t densities[] = { 3, 10, 50, 40, 95 };
  uint8_t *pixels = g_malloc0 ((size_t) walk->width * walk->height);

  if (random_below (&walk->random, 4) == 0)
    pattern_random_values (&walk->random, 3, 1 + random_below (&walk->random, 3), pixels, walk->width, walk->height);
  else
    pattern_random (&walk->random, densities[random_below (&walk->random, G_N_ELEMENTS (densities))],
                    1 + random_below (&walk->random, 4), pixels, walk->width, walk->height);
  return pixels;
}

static void
start (Walk *walk)
{
  const OracleParams oracle_params = compare_oracle_params (&walk->params);
  uint8_t *pixels = draw (walk);

  g_ptr_array_add (walk->pixels, pixels);
  g_ptr_array_add (walk->frames, oracle_run (&oracle_params, NULL, pixels, walk->width, walk->height));
  compare_frame_init (&walk->frame, walk->width, walk->height, walk->output,
                      target_layout (walk->target, walk->frames->len), pixels);
  check_ok (compare_frame_start (&walk->frame, walk->plan, NULL, walk->result), "frame %u", walk->frames->len - 1);
  walk->in_flight = true;
  walk->before = walk->params.overlaps ? walk->last : SIZE_MAX;
  walk->max_components = walk->params.max_components;
  walk->last = walk->params.overlaps ? walk->frames->len - 1 : SIZE_MAX;
}

static void
finish (Walk *walk)
{
  const OracleFrame *now = g_ptr_array_index (walk->frames, walk->frames->len - 1);
  CcaMeasurement measurement;
  char *difference = compare_frame_finish (&walk->frame, now);

  if (!difference && cca_result_wait (walk->result, &measurement) != CCA_OK)
    difference = g_strdup (cca_last_error ());
  if (!difference)
    difference = compare_overlaps (&measurement,
                                   walk->before == SIZE_MAX ? NULL : g_ptr_array_index (walk->frames, walk->before),
                                   now, walk->max_components);
  check_same (difference, "frame %u", walk->frames->len - 1);
  walk->n_compared++;
  forget_flight (walk);
}

/* The frame after one whose result is freed still finds its overlaps with it. */
static void
drop (Walk *walk)
{
  cca_result_free (walk->result);
  forget_flight (walk); /* its images had to stay until it was done */
  check_ok (cca_result_new (walk->plan, &walk->result), "result");
}

static void
change (Walk *walk)
{
  const CcaAlgorithm *const *algorithms = cca_algorithms (walk->target->backend);
  CcaParams params = walk->params;
  uint32_t n = 0;

  while (algorithms[n])
    n++;
  switch (random_below (&walk->random, 6)) {
    case 0: params.overlaps = !params.overlaps; break;
    case 1: params.algorithm = algorithms[random_below (&walk->random, n)]->name; break;
    case 2:
      params.foreground = params.foreground == CCA_FOREGROUND_VALUES ? CCA_FOREGROUND_NONZERO : CCA_FOREGROUND_VALUES;
      break;
    case 3:
      params.min_area = random_below (&walk->random, 5);
      params.min_width = random_below (&walk->random, 4);
      break;
    case 4: params.connectivity = 12 - params.connectivity; break;
    default: params.max_components = random_below (&walk->random, 2) ? CCA_MAX_COMPONENTS : 5;
  }
  if (check_ok (cca_plan_set_params (walk->plan, &params), "parameters after frame %u", walk->frames->len))
    walk->params = params;
  if (!params.overlaps)
    walk->last = SIZE_MAX;
}

static void
step (Walk *walk)
{
  const uint32_t what = random_below (&walk->random, 100);

  if (what < 10) {
    cca_plan_reset (walk->plan);
    walk->last = SIZE_MAX;
  } else if (what < 30) {
    change (walk);
  } else if (!walk->in_flight) {
    start (walk);
  } else if (what < 40) {
    drop (walk);
  } else {
    finish (walk);
  }
}

static void
free_frame (gpointer frame)
{
  oracle_frame_free (frame);
}

static void
test_walks (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 67, 35 }, { 130, 95 }, { 40, 33 } };

  for (uint32_t seed = 0; seed < 6 && !g_test_failed (); seed++) {
    Walk walk = { .target = target,
                  .width = sizes[seed % G_N_ELEMENTS (sizes)][0],
                  .height = sizes[seed % G_N_ELEMENTS (sizes)][1],
                  .params = target_params (target, seed % 2 ? 4 : 8),
                  .output = seed % 3 == 1 ? CCA_OUTPUT_MASK : CCA_OUTPUT_NONE,
                  .frames = g_ptr_array_new_with_free_func (free_frame),
                  .pixels = g_ptr_array_new_with_free_func (g_free),
                  .last = SIZE_MAX };

    walk.params.overlaps = true;
    walk.params.stage_interval = seed % 4;
    random_init (&walk.random, 50 + seed);
    if (check_ok (cca_plan_new (context, walk.width, walk.height, &walk.params, walk.output, &walk.plan), "plan")) {
      check_ok (cca_result_new (walk.plan, &walk.result), "result");
      for (uint32_t i = 0; i < 80 && !g_test_failed (); i++)
        step (&walk);
      g_assert_cmpuint (walk.n_compared, >, 5);
    }
    cca_result_free (walk.result);
    forget_flight (&walk);
    cca_plan_free (walk.plan);
    g_ptr_array_unref (walk.frames);
    g_ptr_array_unref (walk.pixels);
  }
}

CASES_MAIN ()
{
  targets_add_image_test_where ("/overlaps-walks/walks", test_walks, target_can_overlaps);
}
