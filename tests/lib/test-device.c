/* gst-cca: the library on a GPU: contexts, streams, frames in flight
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "device.h"
#include "patterns.h"

static bool
is_cuda (const Target *target)
{
  return target->backend == CCA_BACKEND_CUDA;
}

static CcaContext *
open_context (int device, void *native)
{
  CcaContextOptions options;
  CcaContext *context = NULL;

  cca_context_options_init (&options);
  options.backend = CCA_BACKEND_CUDA;
  options.device = device;
  options.native = native;
  return check_ok (cca_context_new (&options, &context), "context") ? context : NULL;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

#define WIDTH 333u
#define HEIGHT 211u
#define N_FRAMES 8u

static const uint32_t densities[N_FRAMES] = { 50, 3, 60, 41, 98, 0, 33, 75 };

/* Frames of one plan have all the same. */
static void
set_details (Case *test_case, bool measured)
{
  test_case->params.shape = test_case->params.intensity = measured;
}

/* Random frames, whose expected results are there before any thread asks for them. */
static GPtrArray *
random_cases (uint32_t connectivity)
{
  static GPtrArray *cases[2];
  GPtrArray **of = &cases[connectivity == 8];
  Random random;

  if (*of)
    return *of;
  *of = cases_new ();
  random_init (&random, 20 + connectivity);
  for (uint32_t i = 0; i < N_FRAMES; i++) {
    Case *test_case = cases_add (*of, WIDTH, HEIGHT, connectivity, "%u-connected, %u %%", connectivity, densities[i]);

    pattern_random (&random, densities[i], 1 + i % 2, test_case->pixels, WIDTH, HEIGHT);
    set_details (test_case, connectivity == 8);
    case_expected (test_case);
  }
  return *of;
}

static Case *
case_at (GPtrArray *cases, size_t i)
{
  return cases->pdata[i % cases->len];
}

/* A plan on a stream, and its frame. */
typedef struct
{
  const Target *target;
  CcaParams params;
  CcaOutput output;
  void *native, *stream; /* CUcontext and CUstream */
  GPtrArray *cases;
  CcaPlan *plan;
  CcaResult *result;
  CompareFrame frame;
  Case *shown; /* the frame's case; NULL without a frame */
} Lane;

static CcaOutput
labels_or_none (const Target *target, const CcaParams *params)
{
  return compare_can (target->algorithm, params, CCA_OUTPUT_LABELS_U32) ? CCA_OUTPUT_LABELS_U32 : CCA_OUTPUT_NONE;
}

static bool
lane_init (Lane *lane, CcaContext *context, const Target *target, void *native, GPtrArray *cases)
{
  *lane = (Lane) { .target = target, .params = case_at (cases, 0)->params, .native = native, .cases = cases };
  lane->params.algorithm = target->algorithm->name;
  lane->output = labels_or_none (target, &lane->params);
  lane->stream = device_stream_new (native);
  return check_ok (cca_plan_new (context, case_at (cases, 0)->width, case_at (cases, 0)->height, &lane->params,
                                 lane->output, &lane->plan),
                   "plan")
         && check_ok (cca_result_new (lane->plan, &lane->result), "result");
}

/* Makes the images of the i-th case, and enqueues the frame. */
static bool
lane_start (Lane *lane, uint32_t i)
{
  Case *test_case = case_at (lane->cases, i);
  Layout layout = target_layout (lane->target, i);

  layout.context = lane->native;
  lane->shown = test_case;
  compare_frame_init (&lane->frame, test_case->width, test_case->height, lane->output, layout, test_case->pixels);
  return check_ok (compare_frame_start (&lane->frame, lane->plan, lane->stream, lane->result), "%s", test_case->name);
}

static bool
lane_finish (Lane *lane)
{
  const bool same =
      check_same (compare_frame_finish (&lane->frame, case_expected (lane->shown)), "%s", lane->shown->name);

  compare_frame_clear (&lane->frame);
  lane->shown = NULL;
  return same;
}

static bool
lane_run (Lane *lane, uint32_t i)
{
  return lane_start (lane, i) && lane_finish (lane);
}

static void
lane_clear (Lane *lane)
{
  cca_result_free (lane->result);
  if (lane->shown)
    compare_frame_clear (&lane->frame);
  cca_plan_free (lane->plan);
  device_stream_free (lane->native, lane->stream);
}

/* --- Contexts ---------------------------------------------------------------------------------------- */

/* The library works in the caller's context and on its stream, and leaves both as they were. */
static void
test_native (CcaContext *unused, const Target *target)
{
  void *const native = device_context_new (0), *const current = device_context_current ();
  CcaContext *context = open_context (-1, native);
  Lane lane;

  if (context == NULL)
    return;
  if (lane_init (&lane, context, target, native, random_cases (8)))
    for (uint32_t i = 0; i < 3; i++)
      lane_run (&lane, i);
  g_assert_true (device_context_current () == current);
  lane_clear (&lane);
  cca_context_free (context);
  g_assert_true (device_context_current () == current);
  device_free (native, device_alloc (native, 1000));
  device_context_free (native);
}

/* The caller's context, another one of its device, and the primary one, by turns. */
static void
test_contexts (CcaContext *primary, const Target *target)
{
  void *const natives[] = { device_context_new (0), device_context_new (0), NULL };
  CcaContext *contexts[] = { open_context (-1, natives[0]), open_context (-1, natives[1]), primary };
  Lane lanes[G_N_ELEMENTS (natives)];
  bool good = true;

  for (size_t i = 0; i < G_N_ELEMENTS (natives); i++)
    good &= lane_init (&lanes[i], contexts[i], target, natives[i], random_cases (i % 2 ? 4 : 8));
  for (uint32_t turn = 0; turn < 12 && good; turn++)
    good = lane_run (&lanes[turn % G_N_ELEMENTS (natives)], turn);
  for (size_t i = 0; i < G_N_ELEMENTS (natives); i++) {
    lane_clear (&lanes[i]);
    if (natives[i] == NULL)
      continue;
    cca_context_free (contexts[i]);
    device_context_free (natives[i]);
  }
}

/* Every GPU by its number, the last one first, and then all at once. */
static void
test_gpus (CcaContext *unused, const Target *target)
{
  const int n = device_count ();
  void **natives;
  CcaContext **contexts;
  Lane *lanes;
  bool good = true;

  if (n < 2) {
    g_test_skip ("this machine has one GPU");
    return;
  }
  natives = g_new0 (void *, n);
  contexts = g_new0 (CcaContext *, n);
  lanes = g_new0 (Lane, n);
  for (int i = n - 1; i >= 0 && good; i--) {
    CcaContext *by_number = open_context (i, NULL);

    good = by_number != NULL;
    cca_context_free (by_number);
    natives[i] = device_context_new (i);
    contexts[i] = open_context (-1, natives[i]);
    good = good && contexts[i] && lane_init (&lanes[i], contexts[i], target, natives[i], random_cases (8));
  }
  for (uint32_t turn = 0; turn < N_FRAMES && good; turn++) {
    for (int i = 0; i < n && good; i++)
      good = lane_start (&lanes[i], turn + (uint32_t) i);
    for (int i = 0; i < n && good; i++)
      good = lane_finish (&lanes[i]);
  }
  for (int i = n - 1; i >= 0 && natives[i]; i--) {
    lane_clear (&lanes[i]);
    cca_context_free (contexts[i]);
    device_context_free (natives[i]);
  }
  g_free (lanes);
  g_free (contexts);
  g_free (natives);
}

/* --- Streams and threads ----------------------------------------------------------------------------- */

#define N_LANES 6u

/* Many streams of one thread, with a frame under way on each. */
static void
test_streams (CcaContext *context, const Target *target)
{
  Lane lanes[N_LANES];
  bool good = true;

  for (uint32_t i = 0; i < N_LANES; i++)
    good &= lane_init (&lanes[i], context, target, NULL, random_cases (i % 2 ? 4 : 8));
  for (uint32_t turn = 0; turn < 12 && good; turn++) {
    for (uint32_t i = 0; i < N_LANES && good; i++)
      good = lane_start (&lanes[i], turn + i);
    for (uint32_t i = N_LANES; i-- > 0 && good;)
      good = lane_finish (&lanes[i]);
  }
  for (uint32_t i = 0; i < N_LANES; i++)
    lane_clear (&lanes[i]);
}

typedef struct
{
  Lane lane;
  bool good;
} Worker;

static void *
work (void *data)
{
  Worker *worker = data;

  for (uint32_t turn = 0; turn < 12 && worker->good; turn++)
    worker->good = lane_run (&worker->lane, turn);
  return NULL;
}

/* Streams of threads of their own, in one context. */
static void
test_threads (CcaContext *context, const Target *target)
{
  Worker workers[N_LANES];
  GThread *threads[N_LANES];

  for (uint32_t i = 0; i < N_LANES; i++)
    workers[i].good = lane_init (&workers[i].lane, context, target, NULL, random_cases (i % 2 ? 4 : 8));
  for (uint32_t i = 0; i < N_LANES; i++)
    threads[i] = g_thread_new ("worker", work, &workers[i]);
  for (uint32_t i = 0; i < N_LANES; i++) {
    g_thread_join (threads[i]);
    g_assert_true (workers[i].good);
    lane_clear (&workers[i].lane);
  }
}

/* --- Not waiting ------------------------------------------------------------------------------------- */

/* A stream stands before a gate until it is opened, or gives up. */
typedef struct
{
  GMutex mutex;
  GCond opened;
  bool is_open, gave_up;
} Gate;

#define GIVE_UP_AFTER (2 * G_TIME_SPAN_SECOND)

static void
stand_before (void *data)
{
  Gate *gate = data;
  const gint64 end = g_get_monotonic_time () + GIVE_UP_AFTER;

  g_mutex_lock (&gate->mutex);
  while (!gate->is_open && !gate->gave_up)
    gate->gave_up = !g_cond_wait_until (&gate->opened, &gate->mutex, end);
  g_mutex_unlock (&gate->mutex);
}

/* Whether the stream was still standing there. */
static bool
gate_open (Gate *gate)
{
  bool stood;

  g_mutex_lock (&gate->mutex);
  stood = !gate->gave_up;
  gate->is_open = true;
  g_cond_signal (&gate->opened);
  g_mutex_unlock (&gate->mutex);
  return stood;
}

/* Enqueues a frame on a stream that cannot move; then lets it move, and looks at the result. */
static void
check_returns (Lane *lane, uint32_t i)
{
  Gate gate = { .is_open = false };
  bool good;

  g_mutex_init (&gate.mutex);
  g_cond_init (&gate.opened);
  device_stream_call (lane->native, lane->stream, stand_before, &gate);
  good = lane_start (lane, i);
  if (!gate_open (&gate))
    g_test_fail_printf ("cca_plan_run() waited for the stream");
  if (good)
    lane_finish (lane);
  device_stream_wait (lane->native, lane->stream);
  g_cond_clear (&gate.opened);
  g_mutex_clear (&gate.mutex);
}

static void
test_returns (CcaContext *context, const Target *target)
{
  bool good = true;
  Lane lane;

  if (lane_init (&lane, context, target, NULL, random_cases (8))) {
    for (uint32_t i = 0; i < N_FRAMES && good; i++)
      good = lane_run (&lane, i);
    for (uint32_t i = 2; i < 6 && good && !g_test_failed (); i++)
      check_returns (&lane, i);
  }
  lane_clear (&lane);
}

static void
test_returns_first (CcaContext *context, const Target *target)
{
  Lane lane;

  if (lane_init (&lane, context, target, NULL, random_cases (8)))
    check_returns (&lane, 0);
  lane_clear (&lane);
}

static Case *
add_figure (GPtrArray *cases, const char *name)
{
  Case *test_case = cases_add (cases, 512, 512, 8, "%s", name);

  pattern_draw (pattern_find (name), test_case->pixels, 512, 512);
  return test_case;
}

/* Few components, then far more than ever before, and few again: in results that were small, and in order of area,
 * which needs them all. */
static GPtrArray *
growing_cases (CcaOrder order)
{
  static const char *const names[] = { "corners", "corners", "dots", "dots", "corners", "empty", "dots", "full" };
  static GPtrArray *cases[2];

  if (cases[order])
    return cases[order];
  cases[order] = cases_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    Case *test_case = add_figure (cases[order], names[i]);

    test_case->params.order = order;
    set_details (test_case, order == CCA_ORDER_AREA);
  }
  return cases[order];
}

static void
test_returns_growing (CcaContext *context, const Target *target)
{
  Lane lane;

  if (lane_init (&lane, context, target, NULL, growing_cases (CCA_ORDER_RASTER)) && lane_run (&lane, 0)) {
    check_returns (&lane, 2); /* many, expected to be few */
    check_returns (&lane, 3); /* many, expected to be many */
    check_returns (&lane, 4);
  }
  lane_clear (&lane);
}

static void
test_growing (CcaContext *context, const Target *target)
{
  for (CcaOrder order = CCA_ORDER_RASTER; order <= CCA_ORDER_AREA; order++) {
    GPtrArray *cases = growing_cases (order);
    Lane lane;

    if (lane_init (&lane, context, target, NULL, cases))
      for (uint32_t i = 0; i < 2 * cases->len && !g_test_failed (); i++)
        lane_run (&lane, i);
    lane_clear (&lane);
  }
}

/* --- Changes ----------------------------------------------------------------------------------------- */

/* The parameters change while a frame is under way, which keeps its own. */
static void
test_changes (CcaContext *context, const Target *target)
{
  const size_t busy_bytes = 256u << 20;
  void *busy = device_alloc (NULL, busy_bytes);
  GPtrArray *cases[] = { random_cases (8), random_cases (4) };
  Lane lane;

  if (lane_init (&lane, context, target, NULL, cases[0]))
    for (uint32_t i = 0; i < 24 && !g_test_failed (); i++) {
      CcaParams params = case_at (cases[(i + 1) % 2], i)->params;

      params.algorithm = target->algorithm->name;
      params.max_components = 15000 + 500 * (i % 3); /* more than there are */
      lane.cases = cases[i % 2];
      device_stream_clear (NULL, lane.stream, busy, busy_bytes);
      if (lane_start (&lane, i) && check_ok (cca_plan_set_params (lane.plan, &params), "set_params %u", i))
        lane_finish (&lane);
    }
  lane_clear (&lane);
  device_free (NULL, busy);
}

/* --- Repetition -------------------------------------------------------------------------------------- */

#define REPETITIONS 100u
#define CONTENDED_SIZE 768u

/* Images of which many threads want the same words at once. */
static GPtrArray *
contended_cases (void)
{
  static const char *const names[] = { "full", "spiral-clockwise", "comb-up", "comb-left", "holes" };
  static GPtrArray *cases;
  Random random;

  if (cases)
    return cases;
  cases = cases_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    Case *test_case = cases_add (cases, CONTENDED_SIZE, CONTENDED_SIZE, 8, "%s", names[i]);

    pattern_draw (pattern_find (names[i]), test_case->pixels, CONTENDED_SIZE, CONTENDED_SIZE);
    test_case->params.covariance = true;
  }
  random_init (&random, 21);
  for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
    /* The site percolation thresholds of the square lattice, %. */
    const uint32_t density = connectivity == 4 ? 59 : 41;
    Case *test_case =
        cases_add (cases, CONTENDED_SIZE, CONTENDED_SIZE, connectivity, "%u %%, %u-connected", density, connectivity);

    pattern_random (&random, density, 1, test_case->pixels, CONTENDED_SIZE, CONTENDED_SIZE);
    test_case->params.covariance = true;
  }
  return cases;
}

/* Every repetition must give the oracle's result. */
static void
test_repetitions (CcaContext *context, const Target *target)
{
  GPtrArray *cases = contended_cases ();

  for (guint i = 0; i < cases->len && !g_test_failed (); i++) {
    Case *test_case = cases->pdata[i];
    CcaParams params = test_case->params;
    CcaOutput output;
    g_autoptr (CcaPlan) plan = NULL;
    g_autoptr (CcaResult) result = NULL;

    params.algorithm = target->algorithm->name;
    output = labels_or_none (target, &params);
    if (check_ok (cca_plan_new (context, CONTENDED_SIZE, CONTENDED_SIZE, &params, output, &plan), "plan")
        && check_ok (cca_result_new (plan, &result), "result"))
      for (uint32_t n = 0; n < REPETITIONS && !g_test_failed (); n++)
        check_same (
            compare_run (plan, result, output, target_layout (target, 0), test_case->pixels, case_expected (test_case)),
            "%s, repetition %u", test_case->name, n);
  }
}

/* Stages are timed once in stage_interval frames, and the times stay until the next. */
static void
test_stage_times (CcaContext *context, const Target *target)
{
  GPtrArray *cases = random_cases (8);
  uint64_t last = 0;
  Lane lane;

  if (!lane_init (&lane, context, target, NULL, cases)) {
    lane_clear (&lane);
    return;
  }
  for (uint32_t interval = 0; interval <= 3; interval += 3) {
    lane.params.stage_interval = interval;
    if (!check_ok (cca_plan_set_params (lane.plan, &lane.params), "interval %u", interval))
      break;
    for (uint32_t i = 0; i < 4 && lane_run (&lane, i); i++) {
      CcaMeasurement measurement;
      const uint64_t *label = &measurement.stage_ns[CCA_STAGE_LABEL];

      if (!check_ok (cca_result_wait (lane.result, &measurement), "frame %u", i))
        break;
      g_test_message ("interval %u, frame %u: labelling took %" G_GUINT64_FORMAT " ns", interval, i, *label);
      if (interval == 0)
        g_assert_cmpuint (*label, ==, 0);
      else if (i % 3 == 1)
        g_assert_cmpuint (*label, >, 0);
      else
        g_assert_cmpuint (*label, ==, last);
      last = *label;
    }
  }
  lane_clear (&lane);
}

static bool
is_cuda_on_device (const Target *target)
{
  return is_cuda (target) && target->memory == CCA_MEMORY_DEVICE;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  targets_add_image_test_where ("/device/native", test_native, is_cuda);
  targets_add_image_test_where ("/device/contexts", test_contexts, is_cuda);
  targets_add_image_test_where ("/device/gpus", test_gpus, is_cuda);
  targets_add_image_test_where ("/device/streams", test_streams, is_cuda);
  targets_add_image_test_where ("/device/threads", test_threads, is_cuda);
  targets_add_image_test_where ("/device/returns/steady", test_returns, is_cuda);
  targets_add_image_test_where ("/device/returns/first", test_returns_first, is_cuda);
  targets_add_image_test_where ("/device/returns/growing", test_returns_growing, is_cuda);
  targets_add_image_test_where ("/device/growing", test_growing, is_cuda);
  targets_add_image_test_where ("/device/changes", test_changes, is_cuda);
  targets_add_image_test_where ("/device/stage-times", test_stage_times, is_cuda);
  targets_add_image_test_where ("/device/repetitions", test_repetitions, is_cuda_on_device);
  return g_test_run ();
}
