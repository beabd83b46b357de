/* gst-cca: the method of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-run.h"

#include <string.h>

#include "bench-samples.h"

/* More would not make small images colder. */
#define MAX_RING 4096u
/* Of each image's first pixel; rows follow each other without gaps. */
#define ALIGNMENT 64u

/* One contender at work. */
typedef struct
{
  const BenchContender *contender;
  gpointer state;
  double *samples;
  guint preempted;     /* samples */
  guint input, output; /* next on the rings */
} Runner;

/* A ring of buffers in one block. */
typedef struct
{
  guint n;
  guint8 *block;
  gpointer *buffers;
} Ring;

static void
ring_init (Ring *ring, gsize bytes, guint multiple, gsize footprint)
{
  const gsize wanted = MIN (footprint / bytes + 1, MAX_RING);
  const gsize stride = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  ring->n = (wanted + multiple - 1) / multiple * multiple;
  ring->block = g_aligned_alloc (ring->n, stride, ALIGNMENT);
  memset (ring->block, 0xff, ring->n * stride); /* no page faults later */
  ring->buffers = g_new (gpointer, ring->n);
  for (guint i = 0; i < ring->n; i++)
    ring->buffers[i] = ring->block + i * stride;
}

static void
ring_clear (Ring *ring)
{
  g_aligned_free (ring->block);
  g_free (ring->buffers);
}

static void
fill_rings (const BenchCase *self, gsize footprint, gboolean with_labels, Ring *inputs, Ring *outputs)
{
  const gsize n_pixels = (gsize) self->width * self->height;

  ring_init (inputs, n_pixels, self->masks->len, footprint);
  for (guint i = 0; i < inputs->n; i++)
    memcpy (inputs->buffers[i], g_ptr_array_index (self->masks, i % self->masks->len), n_pixels);
  if (with_labels)
    ring_init (outputs, n_pixels * sizeof (guint32), 1, footprint);
}

static gboolean
runner_do (const Runner *runner, guint input, guint output, guint32 *n_components, GError **error)
{
  return runner->contender->engine->run (runner->state, input, output, n_components, error);
}

/* Compares a result with what the first contender found. */
static gboolean
check (const BenchCase *self, const Runner *runner, const Runner *first, guint mask, guint32 found, guint32 expected,
       GError **error)
{
  g_autofree char *what = NULL;

  if (found == expected)
    return TRUE;
  what = bench_case_describe (self);
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_MISMATCH,
               "%s, mask %u: %s (%s) finds %u components, but %s (%s) finds %u", what, mask, runner->contender->name,
               bench_task_name (runner->contender->task), found, first->contender->name,
               bench_task_name (first->contender->task), expected);
  return FALSE;
}

/* Every contender does every distinct mask. */
static gboolean
cross_check (const BenchCase *self, const Runner *runners, guint n_runners, guint32 *expected, GError **error)
{
  for (guint mask = 0; mask < self->masks->len; mask++) {
    for (guint r = 0; r < n_runners; r++) {
      guint32 found;

      if (!runner_do (&runners[r], mask, 0, &found, error))
        return FALSE;
      if (r == 0)
        expected[mask] = found;
      if (!check (self, &runners[r], &runners[0], mask, found, expected[mask], error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
measure (const BenchCase *self, Runner *runners, guint n_runners, const Ring *inputs, const Ring *outputs,
         guint warm_up, guint iterations, const guint32 *expected, GError **error)
{
  for (guint i = 0; i < warm_up + iterations; i++) {
    for (guint r = 0; r < n_runners; r++) {
      Runner *runner = &runners[r];
      const guint mask = runner->input % self->masks->len;
      const glong preemptions = bench_preemptions ();
      const double start = bench_now ();
      double end;
      guint32 found;

      if (!runner_do (runner, runner->input, runner->output, &found, error))
        return FALSE;
      end = bench_now ();
      if (!check (self, runner, &runners[0], mask, found, expected[mask], error))
        return FALSE;
      if (i >= warm_up) {
        runner->samples[i - warm_up] = end - start;
        runner->preempted += bench_preemptions () != preemptions;
      }
      runner->input = (runner->input + 1) % inputs->n;
      runner->output = outputs->n != 0 ? (runner->output + 1) % outputs->n : 0;
    }
  }
  return TRUE;
}

static void
summarise (Runner *runner, guint iterations, const guint32 *n_components, guint n_masks, BenchSummary *summary)
{
  const BenchEngine *engine = runner->contender->engine;
  double *samples = runner->samples, sum = 0, components = 0;

  bench_sort (samples, iterations);
  for (guint i = 0; i < iterations; i++)
    sum += samples[i];
  for (guint i = 0; i < n_masks; i++)
    components += n_components[i];
  *summary = (BenchSummary){ .device = g_strdup (engine->device (runner->state)),
                             .iterations = iterations,
                             .preempted = runner->preempted,
                             .min = samples[0],
                             .p10 = bench_quantile (samples, iterations, 0.1),
                             .median = bench_quantile (samples, iterations, 0.5),
                             .p90 = bench_quantile (samples, iterations, 0.9),
                             .mean = sum / iterations,
                             .n_components = components / n_masks,
                             .memory = engine->memory != NULL ? engine->memory (runner->state) : 0 };
}

void
bench_summary_clear (BenchSummary *summary)
{
  g_clear_pointer (&summary->device, g_free);
}

static gboolean
open_runner (const BenchCase *self, guint connectivity, const BenchContender *contender, const Ring *inputs,
             const Ring *outputs, Runner *runner, GError **error)
{
  const BenchJob job = { .width = self->width,
                         .height = self->height,
                         .connectivity = connectivity,
                         .task = contender->task,
                         .algorithm = contender->algorithm,
                         .isa = contender->isa,
                         .n_threads = contender->n_threads,
                         .max_components = contender->max_components,
                         .n_inputs = inputs->n,
                         .inputs = (guint8 *const *) inputs->buffers,
                         .n_outputs = outputs->n,
                         .outputs = (guint32 *const *) outputs->buffers };

  runner->contender = contender;
  runner->state = contender->engine->open (&job, error);
  return runner->state != NULL;
}

gboolean
bench_run (const BenchCase *self, guint connectivity, const BenchContender *contenders, guint n_contenders,
           const BenchMethod *method, BenchSummary *summaries, GError **error)
{
  const guint n_masks = self->masks->len;
  const guint iterations = (method->iterations + n_masks - 1) / n_masks * n_masks;
  g_autofree Runner *runners = g_new0 (Runner, n_contenders);
  g_autofree guint32 *expected = g_new (guint32, n_masks);
  Ring inputs = { 0 }, outputs = { 0 };
  gboolean with_labels = FALSE, done = TRUE;

  for (guint c = 0; c < n_contenders; c++)
    with_labels |= contenders[c].task == BENCH_LABELS;
  fill_rings (self, method->footprint, with_labels, &inputs, &outputs);

  for (guint c = 0; done && c < n_contenders; c++) {
    runners[c].samples = g_new (double, iterations);
    runners[c].input = (guint64) inputs.n * c / n_contenders;
    runners[c].output = (guint64) outputs.n * c / n_contenders;
    done = open_runner (self, connectivity, &contenders[c], &inputs, &outputs, &runners[c], error);
  }
  done = done && cross_check (self, runners, n_contenders, expected, error)
         && measure (self, runners, n_contenders, &inputs, &outputs, method->warm_up, iterations, expected, error);
  for (guint c = 0; c < n_contenders; c++) {
    if (done)
      summarise (&runners[c], iterations, expected, n_masks, &summaries[c]);
    if (runners[c].state != NULL)
      contenders[c].engine->close (runners[c].state);
    g_free (runners[c].samples);
  }
  ring_clear (&inputs);
  ring_clear (&outputs);
  return done;
}
