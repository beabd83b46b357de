/* gst-cca: frames on several threads: the same results, and no thread that works for nothing
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#define _GNU_SOURCE
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

static bool
uses_threads (const Target *target)
{
  return target->algorithm->capabilities & CCA_CAN_THREADS;
}

/* A context as users have it: frames get the threads that they pay for. */
static CcaContext *
open_default (const Target *target)
{
  CcaContext *context = NULL;

  g_assert_cmpint (target_open (target, false, NULL, &context), ==, CCA_OK);
  return context;
}

typedef struct
{
  CcaPlan *plan;
  CcaResult *result;
  OracleModel *model;
} Stream;

static bool
stream_init (Stream *stream, CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params,
             CcaOutput output)
{
  *stream = (Stream) { .model = oracle_model_new (width, height) };
  return check_ok (cca_plan_new (context, width, height, params, output, &stream->plan), "plan")
         && check_ok (cca_result_new (stream->plan, &stream->result), "result");
}

static void
stream_clear (Stream *stream)
{
  cca_result_free (stream->result);
  cca_plan_free (stream->plan);
  oracle_model_free (stream->model);
}

/* --- Strips ------------------------------------------------------------------------------------------ */

/* Sets parameters in turn: every foreground with every clean-up, both orders, truncation. */
static void
set_turn (CcaParams *params, uint32_t turn)
{
  static const CcaForeground foregrounds[] = { CCA_FOREGROUND_MOTION, CCA_FOREGROUND_THRESHOLD, CCA_FOREGROUND_MOTION,
                                               CCA_FOREGROUND_VALUES, CCA_FOREGROUND_RANGE };
  static const uint32_t radii[] = { 0, 1, CCA_MAX_CLOSE_RADIUS };

  params->foreground = foregrounds[turn % G_N_ELEMENTS (foregrounds)];
  params->motion = (CcaMotion) { .learning = 2, .period = 1, .amplification = 2, .v_min = 20, .v_max = 64 };
  params->low = 60;
  params->high = 180;
  params->connectivity = turn % 2 ? 4 : 8;
  params->denoise = turn / 2 % 2;
  params->close_radius = radii[turn % G_N_ELEMENTS (radii)];
  params->order = turn / 3 % 2 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  params->max_components = turn % 4 == 3 ? 5 : CCA_MAX_COMPONENTS;
  params->min_area = turn % 7 == 1 ? 3 : 0;
  params->covariance = turn % 2;
}

/* Heights that no number of strips divides, and fewer rows than strips, with a window that spans many strips. */
static void
test_strips (CcaContext *context, const Target *target)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 9, 2 }, { 1, 37 }, { 70, 3 }, { 131, 19 }, { 200, 67 } };
  static const uint32_t threads[] = { 2, 5, 23, CCA_MAX_THREADS };
  uint8_t pixels[200 * 67];
  Random random;

  random_init (&random, 21);
  for (uint32_t turn = 0; turn < 240 && !g_test_failed (); turn++) {
    const uint32_t *size = sizes[turn % G_N_ELEMENTS (sizes)];
    const uint32_t n_threads = threads[turn / G_N_ELEMENTS (sizes) % G_N_ELEMENTS (threads)];
    const CcaOutput output = turn % (CCA_OUTPUT_MASK + 1);
    CcaParams params = target_params (target, 8);
    OracleParams oracle_params;
    Stream stream;

    set_turn (&params, turn / 5);
    params.n_threads = n_threads;
    oracle_params = compare_oracle_params (&params);
    if (stream_init (&stream, context, size[0], size[1], &params, output))
      for (uint32_t i = 0; i < 6 && !g_test_failed (); i++) {
        g_autoptr (OracleFrame) expected = NULL;

        pattern_random_values (&random, i % 2 ? 256 : 90, 1 + turn % 3, pixels, size[0], size[1]);
        expected = oracle_run (&oracle_params, stream.model, pixels, size[0], size[1]);
        check_same (compare_run (stream.plan, stream.result, output, target_layout (target, turn), pixels, expected),
                    "turn %u, frame %u: %ux%u, %u threads", turn, i, size[0], size[1], n_threads);
      }
    stream_clear (&stream);
  }
}

/* --- Frames that pay for threads, and others ----------------------------------------------------------- */

#define WIDTH 700u
#define HEIGHT 501u

/* Busy frames and empty ones take turns, so that one plan has frames on one thread and on several. A narrow image gets
 * several threads for its first frame only, whose state the others find. */
static void
test_changing_work (CcaContext *unused, const Target *target)
{
  static const uint8_t busy[] = { 1, 1, 0, 0, 1, 0, 1, 1, 0, 1 };
  g_autofree uint8_t *pixels = g_malloc (WIDTH * HEIGHT);
  g_autoptr (CcaContext) context = open_default (target);
  Random random;

  random_init (&random, 22);
  for (uint32_t turn = 0; turn < 16 && !g_test_failed (); turn++) {
    const uint32_t width = turn < 8 ? WIDTH : 24;
    const CcaOutput output = turn % 2 ? CCA_OUTPUT_LABELS_U32 : CCA_OUTPUT_NONE;
    CcaParams params = target_params (target, turn % 2 ? 4 : 8);
    OracleParams oracle_params;
    Stream stream;

    params.n_threads = 2 + turn % 3;
    params.foreground = turn % 8 < 4 ? CCA_FOREGROUND_MOTION : CCA_FOREGROUND_THRESHOLD;
    params.motion.learning = 1;
    params.denoise = turn / 2 % 2;
    params.close_radius = turn % 4 == 3 ? 2 : 0;
    params.order = turn % 4 == 1 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
    oracle_params = compare_oracle_params (&params);
    if (stream_init (&stream, context, width, HEIGHT, &params, output))
      for (size_t i = 0; i < G_N_ELEMENTS (busy) && !g_test_failed (); i++) {
        g_autoptr (OracleFrame) expected = NULL;

        memset (pixels, 0, width * HEIGHT);
        if (busy[i])
          pattern_random_values (&random, 256, 1 + turn / 4 % 2, pixels, width, HEIGHT);
        expected = oracle_run (&oracle_params, stream.model, pixels, width, HEIGHT);
        check_same (compare_run (stream.plan, stream.result, output, target_layout (target, i), pixels, expected),
                    "turn %u, frame %zu, %u wide, %u threads", turn, i, width, params.n_threads);
      }
    stream_clear (&stream);
  }
}

/* --- Threads that sleep -------------------------------------------------------------------------------- */

/* Returns whether all threads but this one wait for something. A thread that polls runs, or would like to. */
static bool
others_sleep (void)
{
  const gchar *const own = g_strdup_printf ("%d", (gint) gettid ());
  GDir *const tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;
  bool sleep = true;

  g_assert_nonnull (tasks);
  while ((task = g_dir_read_name (tasks)) != NULL) {
    g_autofree gchar *path = g_build_filename ("/proc/self/task", task, "stat", NULL);
    gchar *stat = NULL;

    if (!g_str_equal (task, own) && g_file_get_contents (path, &stat, NULL, NULL)) {
      const gchar *const name_end = strrchr (stat, ')');

      g_assert_nonnull (name_end);
      sleep = sleep && name_end[2] == 'S';
    }
    g_free (stat);
  }
  g_dir_close (tasks);
  g_free ((gpointer) own);
  return sleep;
}

static void
run_frame (Stream *stream, const CcaImage *image)
{
  CcaMeasurement measurement;

  g_assert_cmpint (cca_plan_run (stream->plan, image, NULL, NULL, stream->result), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (stream->result, &measurement), ==, CCA_OK);
}

/* Frames that take microseconds are left to the caller's thread: after a while, the others sleep from frame to frame.
 * If they worked, they would poll for the next stage when a frame is done. The test's own limit of time ends a wait
 * that is in vain; on a busy machine, some frames take longer. */
static void
test_small_frames (CcaContext *unused, const Target *target)
{
  static uint8_t pixels[64 * 48];
  const CcaImage image = { pixels, 64, 64, 48, CCA_MEMORY_HOST };
  g_autoptr (CcaContext) context = open_default (target);
  CcaParams params = target_params (target, 8);
  Stream stream;

  params.n_threads = 4;
  params.denoise = true;
  if (stream_init (&stream, context, image.width, image.height, &params, CCA_OUTPUT_NONE))
    for (uint32_t n_asleep = 0; n_asleep < 200;) {
      run_frame (&stream, &image);
      n_asleep = others_sleep () ? n_asleep + 1 : 0;
    }
  stream_clear (&stream);
}

/* Threads that have nothing to do sleep. */
static void
test_idle (CcaContext *context, const Target *target)
{
  static uint8_t pixels[64 * 48];
  const CcaImage image = { pixels, 64, 64, 48, CCA_MEMORY_HOST };
  CcaParams params = target_params (target, 8);
  Stream stream;

  params.n_threads = 4;
  if (stream_init (&stream, context, image.width, image.height, &params, CCA_OUTPUT_NONE)) {
    /* This context gives frames all threads; on a busy machine it may take some until another gets a processor. */
    do
      run_frame (&stream, &image);
    while (others_sleep ());
    while (!others_sleep ())
      g_usleep (1000);
  }
  stream_clear (&stream);
}

CASES_MAIN ()
{
  targets_add_test_where ("/threads/strips", test_strips, uses_threads);
  targets_add_test_where ("/threads/changing-work", test_changing_work, uses_threads);
  targets_add_test_where ("/threads/small-frames", test_small_frames, uses_threads);
  targets_add_test_where ("/threads/idle", test_idle, uses_threads);
}
