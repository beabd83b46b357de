/* gst-cca: tests of the benchmark's method, on engines with known answers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../../add-tests.h"
#include "bench-digest.h"
#include "bench-run.h"
#include "bench-samples.h"
#include "bench-tuning.h"

#include <string.h>

/* An engine that counts the foreground pixels, plus an error of its own. */
typedef struct
{
  const BenchJob *job;
  guint calls, found;
} Counter;

static guint counts_of_inputs[64]; /* calls for each input, by all counters */
static GArray *inputs_in_turn;     /* of all calls; NULL: not noted */
static guint off_by;               /* added to the count by the second engine */

static gpointer
counter_open (const BenchJob *job, GError **error)
{
  Counter *counter = g_new0 (Counter, 1);

  counter->job = g_memdup2 (job, sizeof *job);
  return counter;
}

static gboolean
counter_run (gpointer state, guint input, guint output, GError **error)
{
  Counter *counter = state;
  const BenchJob *job = counter->job;

  g_assert_cmpuint (input, <, job->n_inputs);
  g_assert_cmpuint (input, <, G_N_ELEMENTS (counts_of_inputs));
  if (job->task == BENCH_LABELS) {
    g_assert_cmpuint (output, <, job->n_outputs);
    job->outputs[output][job->width * job->height - 1] = 1;
  }
  counter->calls++;
  counts_of_inputs[input]++;
  if (inputs_in_turn != NULL)
    g_array_append_val (inputs_in_turn, input);
  counter->found = 0;
  for (guint i = 0; i < job->width * job->height; i++)
    counter->found += job->inputs[input][i] != 0;
  return TRUE;
}

static gboolean
counter_wait (gpointer state, guint32 *n_components, GError **error)
{
  *n_components = ((Counter *) state)->found;
  return TRUE;
}

static gboolean
wrong_wait (gpointer state, guint32 *n_components, GError **error)
{
  *n_components = ((Counter *) state)->found + off_by;
  return TRUE;
}

static gboolean
failing_wait (gpointer state, guint32 *n_components, GError **error)
{
  g_set_error_literal (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "out of order");
  return FALSE;
}

static const char *
counter_device (gpointer state)
{
  return "test";
}

static void
counter_close (gpointer state)
{
  Counter *counter = state;

  g_free ((gpointer) counter->job);
  g_free (counter);
}

#define ENGINE(run_function, wait_function)                                                                            \
  { .open = counter_open, .run = run_function, .wait = wait_function, .device = counter_device, .close = counter_close }
static const BenchEngine counter_engine = ENGINE (counter_run, counter_wait);
static const BenchEngine wrong_engine = ENGINE (counter_run, wrong_wait);
static const BenchEngine failing_engine = ENGINE (counter_run, failing_wait);

/* Engines that label every pixel of the foreground for itself: upwards from 1, downwards, and all alike. */
static void
write_labels (const BenchJob *job, guint input, guint output, guint first, int step)
{
  guint label = first;

  for (guint i = 0; i < job->width * job->height; i++) {
    job->outputs[output][i] = job->inputs[input][i] != 0 ? label : 0;
    label += job->inputs[input][i] != 0 ? step : 0;
  }
}

#define LABELER(name, first, step)                                                                                     \
  static gboolean name##_run (gpointer state, guint input, guint output, GError **error)                               \
  {                                                                                                                    \
    counter_run (state, input, output, error);                                                                         \
    write_labels (((Counter *) state)->job, input, output, first, step);                                               \
    return TRUE;                                                                                                       \
  }                                                                                                                    \
  static const BenchEngine name##_engine = ENGINE (name##_run, counter_wait);
LABELER (up, 1, 1)
LABELER (down, 1000, -3)
LABELER (alike, 1, 0)

static BenchCase *
three_masks (void)
{
  BenchCase *bench_case = bench_case_new ("test", "test", 5, 3);
  guint8 mask[15] = { 0 };

  for (guint i = 0; i < 3; i++) {
    mask[i] = 255;
    bench_case_add (bench_case, mask, 5, 3);
  }
  return bench_case;
}

static void
test_turns (void)
{
  g_autoptr (BenchCase) bench_case = three_masks ();
  const BenchContender contenders[] = {
    { .name = "a", .counts = TRUE, .engine = &counter_engine, .n_threads = 1 },
    { .name = "b", .counts = TRUE, .task = BENCH_LABELS, .engine = &counter_engine, .n_threads = 1 }
  };
  const BenchMethod method = { .iterations = 4, .footprint = 64, .memory = &bench_host_memory };
  BenchSummary summaries[2];
  GError *error = NULL;

  memset (counts_of_inputs, 0, sizeof counts_of_inputs);
  g_assert_true (bench_run (bench_case, 8, contenders, 2, &method, summaries, &error));
  g_assert_no_error (error);
  for (guint c = 0; c < 2; c++) {
    /* Four are rounded up to six, twice each mask. */
    g_assert_cmpuint (summaries[c].iterations, ==, 6);
    g_assert_cmpfloat (summaries[c].n_components, ==, 2); /* of 1, 2 and 3 */
    g_assert_cmpstr (summaries[c].device, ==, "test");
    g_assert_cmpuint (summaries[c].memory, ==, 0);
    g_assert_cmpfloat (summaries[c].min, >=, 0);
    g_assert_cmpfloat (summaries[c].min, <=, summaries[c].p10);
    g_assert_cmpfloat (summaries[c].p10, <=, summaries[c].median);
    g_assert_cmpfloat (summaries[c].median, <=, summaries[c].p90);
    bench_summary_clear (&summaries[c]);
  }
  /* The ring of six inputs: once each mask for the check, then six images each, from opposite ends of the ring. */
  for (guint i = 0; i < 6; i++)
    g_assert_cmpuint (counts_of_inputs[i], ==, i < 3 ? 4 : 2);
  g_assert_cmpuint (counts_of_inputs[6], ==, 0);
}

/* Each image comes after the one before it on the ring, and is timed as often as without. */
static void
test_lead (void)
{
  static const guint expected[] = { 0, 1, 2, 5, 0, 0, 1, 1, 2 };
  g_autoptr (BenchCase) bench_case = three_masks ();
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (guint));
  const BenchContender contender = { .name = "a", .counts = TRUE, .engine = &counter_engine, .n_threads = 1 };
  const BenchMethod method = { .iterations = 3, .lead = 1, .footprint = 64, .memory = &bench_host_memory };
  BenchSummary summary;
  GError *error = NULL;

  inputs_in_turn = inputs;
  g_assert_true (bench_run (bench_case, 8, &contender, 1, &method, &summary, &error));
  inputs_in_turn = NULL;
  g_assert_no_error (error);
  g_assert_cmpuint (summary.iterations, ==, 3);
  bench_summary_clear (&summary);
  g_assert_cmpmem (inputs->data, inputs->len * sizeof (guint), expected, sizeof expected);
}

static void
test_mismatch (void)
{
  g_autoptr (BenchCase) bench_case = three_masks ();
  const BenchContender contenders[] = { { .name = "right", .counts = TRUE, .engine = &counter_engine, .n_threads = 1 },
                                        { .name = "wrong", .counts = TRUE, .engine = &wrong_engine, .n_threads = 1 } };
  const BenchMethod method = { .iterations = 1, .memory = &bench_host_memory };
  BenchSummary summaries[2];
  g_autoptr (GError) error = NULL;

  off_by = 0;
  g_assert_true (bench_run (bench_case, 8, contenders, 2, &method, summaries, &error));
  g_assert_no_error (error);
  bench_summary_clear (&summaries[0]);
  bench_summary_clear (&summaries[1]);

  off_by = 1;
  g_assert_false (bench_run (bench_case, 8, contenders, 2, &method, summaries, &error));
  g_assert_error (error, BENCH_ERROR, BENCH_ERROR_MISMATCH);
  g_assert_nonnull (strstr (error->message, "wrong (analysis) finds 2"));
  g_assert_nonnull (strstr (error->message, "right (analysis) finds 1"));
}

static char *
digest_of (const guint32 *labels, const guint8 *mask, gsize n)
{
  g_autoptr (GChecksum) digest = g_checksum_new (G_CHECKSUM_MD5);
  g_autofree guint32 *copy = g_memdup2 (labels, n * sizeof *labels);

  bench_digest_add (digest, copy, mask, n);
  return g_strdup (g_checksum_get_string (digest));
}

/* A digest is that of the numbers in raster order. */
static void
test_digest (void)
{
  static const guint32 raster[] = { 0, 1, 1, 2, 0, 3, 2, 1 };
  static const guint32 others[] = { 0, 70, 70, 9, 0, 4000000000, 9, 70 };
  static const guint32 merged[] = { 0, 1, 1, 2, 0, 2, 2, 1 };
  static const guint32 with_background[] = { 5, 1, 1, 0, 6, 3, 0, 1 };
  static const guint8 mask[] = { 0, 255, 255, 255, 0, 255, 255, 255 };
  g_autofree char *expected =
      g_compute_checksum_for_data (G_CHECKSUM_MD5, (const guchar *) raster, sizeof raster); /* on little-endian hosts */
  g_autofree char *of_raster = digest_of (raster, NULL, 8), *of_others = digest_of (others, NULL, 8),
                  *of_merged = digest_of (merged, NULL, 8), *of_masked = digest_of (with_background, mask, 8);

  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    g_assert_cmpstr (of_raster, ==, expected);
  g_assert_cmpstr (of_others, ==, of_raster);
  g_assert_cmpstr (of_masked, ==, of_raster);
  g_assert_cmpstr (of_merged, !=, of_raster);
}

static void
test_labels (void)
{
  g_autoptr (BenchCase) bench_case = three_masks ();
  const BenchContender contenders[] = {
    { .name = "up", .counts = TRUE, .task = BENCH_LABELS, .engine = &up_engine, .n_threads = 1 },
    { .name = "down", .counts = TRUE, .task = BENCH_LABELS, .engine = &down_engine, .n_threads = 1 },
    { .name = "alike", .counts = TRUE, .task = BENCH_LABELS, .engine = &alike_engine, .n_threads = 1 },
  };
  BenchMethod method = { .iterations = 1, .memory = &bench_host_memory };
  BenchSummary summaries[3];
  g_autoptr (GError) error = NULL;

  g_assert_true (bench_run (bench_case, 8, contenders, 3, &method, summaries, &error));
  g_assert_no_error (error);
  for (guint c = 0; c < 3; c++) {
    g_assert_null (summaries[c].digest);
    bench_summary_clear (&summaries[c]);
  }

  method.check_labels = TRUE;
  g_assert_true (bench_run (bench_case, 8, contenders, 2, &method, summaries, &error));
  g_assert_no_error (error);
  g_assert_nonnull (summaries[0].digest);
  g_assert_cmpstr (summaries[0].digest, ==, summaries[1].digest);
  bench_summary_clear (&summaries[0]);
  bench_summary_clear (&summaries[1]);

  g_assert_false (bench_run (bench_case, 8, contenders, 3, &method, summaries, &error));
  g_assert_error (error, BENCH_ERROR, BENCH_ERROR_MISMATCH);
  g_assert_nonnull (strstr (error->message, "the labels of alike differ from those of up"));
}

static void
test_failure (void)
{
  g_autoptr (BenchCase) bench_case = three_masks ();
  const BenchContender contender = { .name = "broken", .engine = &failing_engine, .n_threads = 1 };
  const BenchMethod method = { .iterations = 1, .memory = &bench_host_memory };
  BenchSummary summary;
  g_autoptr (GError) error = NULL;

  g_assert_false (bench_run (bench_case, 8, &contender, 1, &method, &summary, &error));
  g_assert_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE);
}

static void
test_quantiles (void)
{
  double samples[] = { 40, 10, 30, 20 };
  const double one = 7;

  bench_sort (samples, 4);
  g_assert_cmpfloat (bench_quantile (samples, 4, 0), ==, 10);
  g_assert_cmpfloat (bench_quantile (samples, 4, 0.5), ==, 25);
  g_assert_cmpfloat (bench_quantile (samples, 4, 1), ==, 40);
  g_assert_cmpfloat (bench_quantile (samples, 3, 0.5), ==, 20);
  g_assert_cmpfloat (bench_quantile (&one, 1, 0.9), ==, 7);
}

static void
test_scaling (void)
{
  const guint8 mask[] = { 255, 0, 0, 255 };
  const guint8 doubled[] = { 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255 };
  g_autoptr (BenchCase) larger = bench_case_new ("test", "test", 4, 4);
  g_autoptr (BenchCase) smaller = bench_case_new ("test", "test", 2, 2);

  bench_case_add (larger, mask, 2, 2);
  g_assert_cmpmem (g_ptr_array_index (larger->masks, 0), 16, doubled, 16);
  bench_case_measure_density (larger);
  g_assert_cmpfloat (larger->density, ==, 50);
  bench_case_add (smaller, doubled, 4, 4);
  g_assert_cmpmem (g_ptr_array_index (smaller->masks, 0), 4, mask, 4);
}

/* Three algorithms, of which one never does all cases, on square frames. */
static void
tune (BenchTuning *tuning, guint side, const double (*times)[3])
{
  static const char *const names[] = { "small", "large", "partial" };
  g_autoptr (BenchCase) bench_case = bench_case_new ("test", "test", side, side);

  for (guint repeat = 0; repeat < 2; repeat++) {
    for (BenchTask task = BENCH_ANALYSIS; task <= BENCH_LABELS; task++) {
      BenchContender contenders[3];
      BenchSummary summaries[3];

      for (guint i = 0; i < 3; i++) {
        contenders[i] = (BenchContender) { .name = names[i], .task = task };
        /* 4 and 1/4 of the mean, geometrically. */
        summaries[i] = (BenchSummary) { .median = times[task][i] * (repeat ? 4 : 0.25) };
      }
      bench_tuning_add (tuning, bench_case, contenders, repeat ? 2 : 3, summaries);
    }
  }
}

static void
test_tuning (void)
{
  /* Analysis: "large" from 200 on; at 800 "small" is the faster one by too little. Labels: always "small". */
  static const double at_100[2][3] = { { 1000, 2000, 1 }, { 1000, 2000, 1 } };
  static const double at_200[2][3] = { { 3000, 2500, 1 }, { 3000, 3001, 1 } };
  static const double at_800[2][3] = { { 5000, 5050, 1 }, { 5000, 5500, 1 } };
  g_autoptr (BenchTuning) tuning = bench_tuning_new ();
  g_autofree char *line = NULL, *table = NULL;

  tune (tuning, 200, at_200);
  tune (tuning, 800, at_800);
  tune (tuning, 100, at_100);
  line = bench_tuning_line (tuning, 90);
  g_assert_cmpstr (line, ==,
                   "  { 90, { { \"small\", 20000 }, { \"large\", CCA_ANY_SIZE } }, "
                   "{ { \"small\", CCA_ANY_SIZE } } },\n");
  table = bench_tuning_table (tuning);
  g_test_message ("%s", table);
  g_assert_nonnull (strstr (table, "200x200             2        3.0         2.5*"));
  g_assert_nonnull (strstr (table, "800x800             2        5.0*        5.0"));
}

TESTS_MAIN ("/bench/method", test_turns, test_lead, test_mismatch, test_digest, test_labels, test_failure,
            test_quantiles, test_scaling, test_tuning)
