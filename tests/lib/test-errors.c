/* gst-cca: impossible arguments give the right status and a text with the value and the limit, and lose nothing
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "compare.h"
#include "counting-allocator.h"
#include "targets.h"

#define WIDTH 40u
#define HEIGHT 30u

/* texts: parts that the message must have, ended by NULL. */
static void
assert_failed (CcaStatus status, CcaStatus expected, const char *const *texts)
{
  const char *message = cca_last_error ();

  g_test_message ("%s: %s", cca_status_text (status), message);
  g_assert_cmpint (status, ==, expected);
  g_assert_cmpstr (message, !=, "");
  for (; *texts; texts++)
    if (!strstr (message, *texts))
      g_test_fail_printf ("\"%s\" does not say \"%s\"", message, *texts);
}

#define TEXTS(...) ((const char *const[]) { __VA_ARGS__, NULL })

/* --- Texts and tables -------------------------------------------------------------------------------- */

static void
test_names (void)
{
  static const char *const isa_names[] = { "auto", "c", "sse4.1", "avx2", "avx512", "neon" };
  static const char *const stage_names[] = { "foreground", "cleanup", "label", "components", "output" };
  static const uint32_t pixel_sizes[] = { 0, 4, 2, 4, 1 };

  g_assert_cmpstr (cca_last_error (), ==, ""); /* first in the program: nothing has failed yet */
  g_assert_cmpstr (cca_version (), ==, CCA_TEST_VERSION);
  for (int i = 0; i <= CCA_ISA_NEON; i++)
    g_assert_cmpstr (cca_isa_name (i), ==, isa_names[i]);
  g_assert_null (cca_isa_name (CCA_ISA_NEON + 1));
  for (int i = 0; i < CCA_N_STAGES; i++)
    g_assert_cmpstr (cca_stage_name (i), ==, stage_names[i]);
  g_assert_null (cca_stage_name (CCA_N_STAGES));
  for (int i = 0; i <= CCA_OUTPUT_MASK; i++)
    g_assert_cmpuint (cca_output_pixel_size (i), ==, pixel_sizes[i]);
  g_assert_cmpstr (cca_backend_name (CCA_BACKEND_CPU), ==, "cpu");
  g_assert_cmpstr (cca_backend_name (CCA_BACKEND_CUDA), ==, "cuda");
  g_assert_null (cca_backend_name (CCA_BACKEND_CUDA + 1));
  for (int i = CCA_OK; i <= CCA_ERROR_DEVICE; i++)
    for (int j = CCA_OK; j < i; j++)
      g_assert_cmpstr (cca_status_text (i), !=, cca_status_text (j));
  g_assert_true (cca_isa_available (CCA_ISA_AUTO));
  g_assert_true (cca_isa_available (CCA_ISA_C));
}

static void
test_registry (void)
{
  const CcaAlgorithm *const *all = cca_algorithms (CCA_BACKEND_CPU);
  bool runs = false, two_pass = false;

  for (const CcaAlgorithm *const *a = all; *a; a++) {
    runs |= g_str_equal ((*a)->name, "runs");
    two_pass |= g_str_equal ((*a)->name, "two-pass");
    g_assert_cmpstr ((*a)->name, !=, "auto");
    g_assert_cmpint ((*a)->backend, ==, CCA_BACKEND_CPU);
    g_assert_cmpuint (strlen ((*a)->description), >, 10);
    g_assert_cmpuint (strlen ((*a)->source), >, 10);
    g_assert_null (strchr ((*a)->description, '\n'));
    for (const CcaAlgorithm *const *b = all; b != a; b++)
      g_assert_cmpstr ((*a)->name, !=, (*b)->name);
  }
  g_assert_true (runs && two_pass);
  g_assert_nonnull (cca_algorithms (CCA_BACKEND_CUDA));
}

/* --- Contexts ---------------------------------------------------------------------------------------- */

static void *
no_alloc (void *user, size_t bytes)
{
  return NULL;
}

static void
test_contexts (void)
{
  CcaContext *const untouched = (CcaContext *) &untouched;
  CcaContext *context = untouched;
  CcaContextOptions options;

  assert_failed (cca_context_new (NULL, NULL), CCA_ERROR_INVALID, TEXTS ("context", "NULL"));

  cca_context_options_init (&options);
  options.backend = 17;
  assert_failed (cca_context_new (&options, &context), CCA_ERROR_INVALID, TEXTS ("backend", "17"));

  cca_context_options_init (&options);
  options.isa = 99;
  assert_failed (cca_context_new (&options, &context), CCA_ERROR_INVALID, TEXTS ("instruction set", "99"));

  cca_context_options_init (&options);
  options.device = -2;
  assert_failed (cca_context_new (&options, &context), CCA_ERROR_INVALID, TEXTS ("device", "-2", "-1"));

  cca_context_options_init (&options);
  options.allocator.alloc = no_alloc;
  assert_failed (cca_context_new (&options, &context), CCA_ERROR_INVALID, TEXTS ("alloc", "free"));

  for (CcaIsa isa = CCA_ISA_C; isa <= CCA_ISA_NEON; isa++)
    if (!cca_isa_available (isa)) {
      cca_context_options_init (&options);
      options.isa = isa;
      assert_failed (cca_context_new (&options, &context), CCA_ERROR_UNSUPPORTED, TEXTS (cca_isa_name (isa)));
    }
  g_assert_true (context == untouched);

  cca_context_free (NULL);
  g_assert_cmpint (cca_context_new (NULL, &context), ==, CCA_OK);
  g_assert_cmpint (cca_context_backend (context), ==, CCA_BACKEND_CPU);
  g_assert_cmpstr (cca_context_description (context), !=, "");
  cca_context_free (context);
}

/* --- Plans ------------------------------------------------------------------------------------------- */

static void
set_samples (CcaParams *params)
{
  params->foreground = CCA_FOREGROUND_MOTION;
  params->motion.model = CCA_MODEL_SAMPLES;
}

/* A change that makes parameters wrong, the status, and parts of the text. */
#define WRONG_PARAMS(W)                                                                                                \
  W (connectivity, INVALID, ("connectivity", "5", "4 or 8"), params->connectivity = 5)                                 \
  W (foreground, INVALID, ("foreground", "77"), params->foreground = 77)                                               \
  W (order, INVALID, ("order", "78"), params->order = 78)                                                              \
  W (range, INVALID, ("low", "201", "199"), params->foreground = CCA_FOREGROUND_RANGE, params->low = 201,              \
     params->high = 199)                                                                                               \
  W (areas, INVALID, ("min_area", "1001", "998"), params->min_area = 1001, params->max_area = 998)                     \
  W (widths, INVALID, ("min_width", "1002", "997"), params->min_width = 1002, params->max_width = 997)                 \
  W (too_high, INVALID, ("min_height", "65536", "65535"), params->min_height = CCA_MAX_SIZE + 1)                       \
  W (heights, INVALID, ("min_height", "1003", "996"), params->min_height = 1003, params->max_height = 996)             \
  W (too_many_components, INVALID, ("max_components", "16777217", "16777216"),                                         \
     params->max_components = CCA_MAX_COMPONENTS + 1)                                                                  \
  W (close_radius, INVALID, ("close_radius", "9", "8"), params->close_radius = 9)                                      \
  W (cell, INVALID, ("coverage_cell", "6", "16"), params->coverage_cell = 6)                                           \
  W (large_cell, INVALID, ("coverage_cell", "32", "16"), params->coverage_cell = 32)                                   \
  W (cell_of_values, UNSUPPORTED, ("coverage_cell", "8", "VALUES"), params->foreground = CCA_FOREGROUND_VALUES,        \
     params->coverage_cell = 8)                                                                                        \
  W (no_threads, INVALID, ("n_threads", "0", "64"), params->n_threads = 0)                                             \
  W (too_many_threads, INVALID, ("n_threads", "65", "64"), params->n_threads = 65)                                     \
  W (learning, INVALID, ("learning", "0", "1"), params->foreground = CCA_FOREGROUND_MOTION,                            \
     params->motion.learning = 0)                                                                                      \
  W (period, INVALID, ("period", "0", "1"), params->foreground = CCA_FOREGROUND_MOTION, params->motion.period = 0)     \
  W (amplification, INVALID, ("amplification", "17", "16"), params->foreground = CCA_FOREGROUND_MOTION,                \
     params->motion.amplification = 17)                                                                                \
  W (no_amplification, INVALID, ("amplification", "0", "1"), params->foreground = CCA_FOREGROUND_MOTION,               \
     params->motion.amplification = 0)                                                                                 \
  W (v_min, INVALID, ("v_min", "0", "1"), params->foreground = CCA_FOREGROUND_MOTION, params->motion.v_min = 0)        \
  W (v_max, INVALID, ("v_max", "98", "99"), params->foreground = CCA_FOREGROUND_MOTION, params->motion.v_min = 99,     \
     params->motion.v_max = 98)                                                                                        \
  W (format, INVALID, ("format", "8", "7"), params->format = 8)                                                        \
  W (matrix, INVALID, ("matrix", "3", "2"), params->matrix = 3)                                                        \
  W (black, INVALID, ("black", "256", "8 bits"), params->foreground = CCA_FOREGROUND_NONZERO, params->black = 256)     \
  W (threshold, INVALID, ("threshold", "1023", "8 bits"), params->format = CCA_FORMAT_P010,                            \
     params->foreground = CCA_FOREGROUND_THRESHOLD, params->threshold = 1023)                                          \
  W (high, INVALID, ("high", "300", "8 bits"), params->format = CCA_FORMAT_BGRX,                                       \
     params->foreground = CCA_FOREGROUND_RANGE, params->high = 300)                                                    \
  W (wide_v_max, INVALID, ("v_max", "65535", "8 bits"), params->foreground = CCA_FOREGROUND_MOTION,                    \
     params->motion.v_max = 65535)                                                                                     \
  W (model, INVALID, ("model", "2", "1"), set_samples (params), params->motion.model = CCA_MODEL_SAMPLES + 1)          \
  W (tolerance, INVALID, ("tolerance", "65", "64"), set_samples (params), params->motion.tolerance = 65)               \
  W (no_tolerance, INVALID, ("tolerance", "0", "1"), set_samples (params), params->motion.tolerance = 0)               \
  W (no_frames_to_learn, INVALID, ("learning", "0", "1"), set_samples (params), params->motion.learning = 0)           \
  W (samples_of_words, UNSUPPORTED, ("SAMPLES", "8 bits", "GRAY16_BE"), set_samples (params),                          \
     params->format = CCA_FORMAT_GRAY16_BE)                                                                            \
  W (algorithm, UNSUPPORTED, ("algorithm", "flood-fill"), params->algorithm = "flood-fill")

#define DEFINE(name, status, texts, ...)                                                                               \
  static void set_##name (CcaParams *params)                                                                           \
  {                                                                                                                    \
    __VA_ARGS__;                                                                                                       \
  }
WRONG_PARAMS (DEFINE)

#define TEXTS_OF(...) { __VA_ARGS__ }
#define ROW(name, status, texts, ...) { set_##name, CCA_ERROR_##status, TEXTS_OF texts },
static const struct
{
  void (*set) (CcaParams *params);
  CcaStatus status;
  const char *texts[4];
} wrong_params[] = { WRONG_PARAMS (ROW) };

/* A context whose memory is counted, on the target's backend. */
static CcaContext *
counted_context (const Target *target, CountingAllocator *counting)
{
  CcaContext *context;

  counting_allocator_init (counting);
  g_assert_cmpint (target_open (target, false, &counting->allocator, &context), ==, CCA_OK);
  return context;
}

static void
counted_context_free (CcaContext *context, CountingAllocator *counting)
{
  cca_context_free (context);
  g_assert_cmpuint (counting->blocks, ==, 0);
  counting_allocator_clear (counting);
}

static void
test_params (CcaContext *unused, const Target *target)
{
  CountingAllocator counting;
  CcaContext *context = counted_context (target, &counting);
  const CcaParams good = target_params (target, 8);
  CcaPlan *const untouched = (CcaPlan *) &untouched;
  CcaPlan *plan = untouched, *used = NULL;
  size_t bytes = 12345, held;

  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &good, CCA_OUTPUT_NONE, &used), ==, CCA_OK);
  held = counting.blocks;
  for (size_t i = 0; i < G_N_ELEMENTS (wrong_params); i++) {
    CcaParams params = good;

    wrong_params[i].set (&params);
    assert_failed (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), wrong_params[i].status,
                   wrong_params[i].texts);
    assert_failed (cca_plan_estimate (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &bytes), wrong_params[i].status,
                   wrong_params[i].texts);
    assert_failed (cca_plan_set_params (used, &params), wrong_params[i].status, wrong_params[i].texts);
    g_assert_true (plan == untouched);
    g_assert_cmpuint (bytes, ==, 12345);
    g_assert_cmpuint (counting.blocks, ==, held);
  }
  assert_failed (cca_plan_set_params (NULL, &good), CCA_ERROR_INVALID, TEXTS ("plan", "NULL"));
  assert_failed (cca_plan_set_params (used, NULL), CCA_ERROR_INVALID, TEXTS ("params", "NULL"));
  cca_plan_free (used);
  cca_plan_free (NULL);
  counted_context_free (context, &counting);
}

static void
test_sizes (CcaContext *unused, const Target *target)
{
  static const struct
  {
    uint32_t width, height;
    const char *value;
  } sizes[] = { { 0, 1, "0x1" },
                { 1, 0, "1x0" },
                { 65536, 7, "65536x7" },
                { 7, 65536, "7x65536" },
                { UINT32_MAX, 1, "4294967295x1" } };
  CountingAllocator counting;
  CcaContext *context = counted_context (target, &counting);
  const CcaParams params = target_params (target, 8);
  CcaPlan *plan = NULL;
  size_t bytes;

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const uint32_t w = sizes[i].width, h = sizes[i].height;

    assert_failed (cca_plan_new (context, w, h, &params, CCA_OUTPUT_NONE, &plan), CCA_ERROR_INVALID,
                   TEXTS (sizes[i].value, "65535"));
    assert_failed (cca_plan_estimate (context, w, h, &params, CCA_OUTPUT_NONE, &bytes), CCA_ERROR_INVALID,
                   TEXTS (sizes[i].value, "65535"));
  }
  assert_failed (cca_plan_new (NULL, 1, 1, &params, CCA_OUTPUT_NONE, &plan), CCA_ERROR_INVALID,
                 TEXTS ("context", "NULL"));
  assert_failed (cca_plan_new (context, 1, 1, NULL, CCA_OUTPUT_NONE, &plan), CCA_ERROR_INVALID,
                 TEXTS ("params", "NULL"));
  assert_failed (cca_plan_new (context, 1, 1, &params, CCA_OUTPUT_NONE, NULL), CCA_ERROR_INVALID,
                 TEXTS ("plan", "NULL"));
  assert_failed (cca_plan_new (context, 1, 1, &params, CCA_OUTPUT_MASK + 1, &plan), CCA_ERROR_INVALID,
                 TEXTS ("output", "5"));
  assert_failed (cca_plan_estimate (NULL, 1, 1, &params, CCA_OUTPUT_NONE, &bytes), CCA_ERROR_INVALID,
                 TEXTS ("context", "NULL"));
  assert_failed (cca_plan_estimate (context, 1, 1, &params, CCA_OUTPUT_NONE, NULL), CCA_ERROR_INVALID,
                 TEXTS ("bytes", "NULL"));
  g_assert_null (plan);
  counted_context_free (context, &counting);
}

/* An algorithm refuses tasks outside its capabilities. */
static void
test_capabilities (CcaContext *context, const Target *target)
{
  const uint32_t can = target->algorithm->capabilities;
  CcaPlan *plan = NULL;

  for (int i = 0; i < 16; i++) {
    CcaParams params = target_params (target, i & 1 ? 4 : 8);
    const CcaOutput output = i & 2 ? CCA_OUTPUT_LABELS_U32 : CCA_OUTPUT_NONE;
    bool able = can & (i & 1 ? CCA_CAN_4 : CCA_CAN_8);

    able = able && (can & (i & 2 ? CCA_CAN_LABEL : CCA_CAN_ANALYSE));
    if (i & 4) {
      params.foreground = CCA_FOREGROUND_VALUES;
      able = able && (can & CCA_CAN_VALUES);
    }
    if (i & 8) {
      params.overlaps = true;
      able = able && (can & CCA_CAN_OVERLAPS);
    }
    if (able)
      g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, output, &plan), ==, CCA_OK);
    else
      assert_failed (cca_plan_new (context, WIDTH, HEIGHT, &params, output, &plan), CCA_ERROR_UNSUPPORTED,
                     TEXTS (target->algorithm->name));
    if (able)
      cca_plan_free (plan);
  }
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static void
test_images (CcaContext *unused, const Target *target)
{
  CountingAllocator counting;
  CcaContext *context = counted_context (target, &counting);
  const CcaParams params = target_params (target, 8);
  uint8_t pixels[WIDTH * HEIGHT] = { 0 };
  uint16_t labels[WIDTH * HEIGHT];
  const CcaImage in = { pixels, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  const CcaImage out = { labels, 2 * WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  CcaPlan *plan = NULL, *other = NULL;
  CcaResult *result = NULL, *second = NULL, *stranger = NULL;
  CcaMeasurement measurement;
  CcaImage wrong;

  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_LABELS_U16, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &other), ==, CCA_OK);
  assert_failed (cca_result_new (NULL, &result), CCA_ERROR_INVALID, TEXTS ("plan", "NULL"));
  assert_failed (cca_result_new (plan, NULL), CCA_ERROR_INVALID, TEXTS ("result", "NULL"));
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (other, &stranger), ==, CCA_OK);

#define RUN(p, i, o, s, r) cca_plan_run (p, i, o, s, r), CCA_ERROR_INVALID
  assert_failed (RUN (NULL, &in, &out, NULL, result), TEXTS ("plan", "NULL"));
  assert_failed (RUN (plan, NULL, &out, NULL, result), TEXTS ("input", "NULL"));
  assert_failed (RUN (plan, &in, &out, NULL, NULL), TEXTS ("result", "NULL"));
  assert_failed (RUN (plan, &in, &out, NULL, stranger), TEXTS ("result"));
  assert_failed (RUN (other, &in, &out, NULL, stranger), TEXTS ("output", "CCA_OUTPUT_NONE"));
  if (target->backend == CCA_BACKEND_CPU)
    assert_failed (RUN (plan, &in, &out, pixels, result), TEXTS ("stream"));

  wrong = in;
  wrong.data = NULL;
  assert_failed (RUN (plan, &wrong, &out, NULL, result), TEXTS ("input", "NULL"));
  wrong = out;
  wrong.data = NULL;
  assert_failed (RUN (plan, &in, &wrong, NULL, result), TEXTS ("output", "NULL"));
  wrong = in;
  wrong.pitch = WIDTH - 1;
  assert_failed (RUN (plan, &wrong, &out, NULL, result), TEXTS ("input", "39", "40"));
  wrong.pitch = -(ptrdiff_t) WIDTH;
  assert_failed (RUN (plan, &wrong, &out, NULL, result), TEXTS ("input", "-40", "40"));
  wrong = out;
  wrong.pitch = 2 * WIDTH - 1;
  assert_failed (RUN (plan, &in, &wrong, NULL, result), TEXTS ("output", "79", "80"));
  wrong.pitch = -(ptrdiff_t) (2 * WIDTH);
  assert_failed (RUN (plan, &in, &wrong, NULL, result), TEXTS ("output", "-80", "80"));
  wrong = in;
  wrong.width = WIDTH - 1;
  assert_failed (RUN (plan, &wrong, &out, NULL, result), TEXTS ("input", "39x30", "40x30"));
  wrong = out;
  wrong.height = HEIGHT + 1;
  assert_failed (RUN (plan, &in, &wrong, NULL, result), TEXTS ("output", "40x31", "40x30"));
  wrong = in;
  wrong.memory = 9;
  assert_failed (RUN (plan, &wrong, &out, NULL, result), TEXTS ("input", "9"));
  if (target->backend == CCA_BACKEND_CPU) {
    wrong = in;
    wrong.memory = CCA_MEMORY_DEVICE;
    assert_failed (cca_plan_run (plan, &wrong, &out, NULL, result), CCA_ERROR_INVALID, TEXTS ("input", "device"));
  }
#undef RUN

  assert_failed (cca_result_wait (result, &measurement), CCA_ERROR_INVALID, TEXTS ("no frame"));
  assert_failed (cca_result_wait (NULL, &measurement), CCA_ERROR_INVALID, TEXTS ("result", "NULL"));
  assert_failed (cca_result_wait (result, NULL), CCA_ERROR_INVALID, TEXTS ("measurement", "NULL"));

  g_assert_cmpint (cca_plan_run (plan, &in, &out, NULL, result), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  g_assert_cmpuint (measurement.n_components, ==, 0);

  /* Behind a frame that was refused, the one before is not there any more; the next one is. */
  wrong = in;
  wrong.width = WIDTH - 1;
  assert_failed (cca_plan_run (plan, &wrong, &out, NULL, result), CCA_ERROR_INVALID, TEXTS ("input", "39x30"));
  assert_failed (cca_result_wait (result, &measurement), CCA_ERROR_INVALID, TEXTS ("failed"));
  g_assert_cmpint (cca_plan_run (plan, &in, &out, NULL, result), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);

  /* A frame is refused while another one is in flight, which stays: until it is waited for, or its result freed. */
  g_assert_cmpint (cca_result_new (plan, &second), ==, CCA_OK);
  g_assert_cmpint (cca_plan_run (plan, &in, &out, NULL, result), ==, CCA_OK);
  for (int i = 0; i < 2; i++)
    assert_failed (cca_plan_run (plan, &in, &out, NULL, i ? result : second), CCA_ERROR_INVALID,
                   TEXTS ("in flight", "cca_result_wait"));
  assert_failed (cca_result_wait (second, &measurement), CCA_ERROR_INVALID, TEXTS ("no frame"));
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  g_assert_cmpint (cca_plan_run (plan, &in, &out, NULL, second), ==, CCA_OK);
  cca_result_free (second);
  g_assert_cmpint (cca_plan_run (plan, &in, &out, NULL, result), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  cca_result_free (stranger);
  cca_result_free (result);
  cca_result_free (NULL);
  cca_plan_free (other);
  cca_plan_free (plan);
  counted_context_free (context, &counting);
}

/* Chroma planes that do not fit the frame; only SAMPLES reads them. */
static void
test_chroma (CcaContext *unused, const Target *target)
{
  CountingAllocator counting;
  CcaContext *context = counted_context (target, &counting);
  CcaParams params = target_params (target, 8);
  uint8_t pixels[WIDTH * HEIGHT] = { 0 }, chroma[2 * WIDTH * HEIGHT] = { 0 };
  const CcaImage good = { pixels, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST, { chroma, chroma + 1, WIDTH, 2, 1, 1 } };
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  CcaMeasurement measurement;
  CcaImage wrong;

  set_samples (&params);
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
#define RUN(...) assert_failed (cca_plan_run (plan, &wrong, NULL, NULL, result), CCA_ERROR_INVALID, TEXTS (__VA_ARGS__))
  wrong = good;
  wrong.chroma.u = NULL;
  RUN ("chroma", "u", "v");
  wrong = good;
  wrong.chroma.v = NULL;
  RUN ("chroma", "u", "v");
  wrong = good;
  wrong.chroma.step = 0;
  RUN ("step", "0", "1");
  wrong.chroma.step = 3;
  RUN ("step", "3", "2");
  wrong = good;
  wrong.chroma.shift_x = 2;
  RUN ("shift", "2", "1");
  wrong = good;
  wrong.chroma.shift_y = 2;
  RUN ("shift", "2", "1");
  wrong = good;
  wrong.chroma.pitch = WIDTH - 2;
  RUN ("chroma", "pitch", "38", "39");
  wrong.chroma.pitch = -(ptrdiff_t) WIDTH;
  RUN ("chroma", "pitch", "-40", "39");
  wrong = good;
  wrong.chroma.shift_x = 0;
  RUN ("chroma", "pitch", "40", "79");
#undef RUN
  g_assert_cmpint (cca_plan_run (plan, &good, NULL, NULL, result), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);

  /* Others do not look at it. */
  params.motion.model = CCA_MODEL_SIGMA_DELTA;
  g_assert_cmpint (cca_plan_set_params (plan, &params), ==, CCA_OK);
  wrong.chroma.step = 0;
  g_assert_cmpint (cca_plan_run (plan, &wrong, NULL, NULL, result), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  cca_result_free (result);
  cca_plan_free (plan);
  counted_context_free (context, &counting);
}

static bool
can_analyse (const Target *target)
{
  const CcaParams params = target_params (target, 8);

  return compare_can (target->algorithm, &params, CCA_OUTPUT_NONE);
}

/* The text of the last error belongs to its thread. */
static void *
read_error (void *data)
{
  return g_strdup (cca_last_error ());
}

static void
test_error_thread (void)
{
  g_autofree char *text = NULL;

  assert_failed (cca_context_new (NULL, NULL), CCA_ERROR_INVALID, TEXTS ("NULL"));
  text = g_thread_join (g_thread_new ("other", read_error, NULL));
  g_assert_cmpstr (text, ==, "");
}

CASES_MAIN ()
{
  ADD_TESTS ("/errors", test_names, test_registry, test_contexts);
  g_test_add_func ("/errors/thread", test_error_thread);
  targets_add_test ("/errors/params", test_params);
  targets_add_test ("/errors/sizes", test_sizes);
  targets_add_test ("/errors/capabilities", test_capabilities);
  targets_add_test_where ("/errors/images", test_images, target_can_label);
  targets_add_test_where ("/errors/chroma", test_chroma, can_analyse);
}
