/* gst-cca: the method of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-run.h"

#include <string.h>

#include "bench-digest.h"
#include "bench-samples.h"

/* More would not make small images colder. */
#define MAX_RING 4096u
/* Of each image's first byte; rows follow each other without gaps. */
#define ALIGNMENT 256u

/* One contender at work. */
typedef struct
{
  const BenchContender *contender;
  gpointer state;
  guint32 *found;       /* components of each distinct mask */
  guint32 n_iterations; /* the most of an image that was timed */
  GChecksum *digest;    /* of the labels of all of them */
  double *samples, *calls, *stages[CCA_N_STAGES];
  guint n;             /* images timed */
  double spent;        /* on them and on those before, ns */
  guint preempted;     /* of them */
  guint input, output; /* next on the rings */
} Runner;

/* A ring of buffers in one block. */
typedef struct
{
  guint n;
  const BenchMemory *memory;
  guint8 *block;
  gpointer *buffers;
} Ring;

static gboolean
ring_init (Ring *ring, const BenchMemory *memory, gsize bytes, guint multiple, gsize footprint, GError **error)
{
  const gsize wanted = MIN (footprint / bytes + 1, MAX_RING);
  const gsize stride = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  ring->n = (wanted + multiple - 1) / multiple * multiple;
  ring->memory = memory;
  ring->block = memory->alloc (ring->n * stride, error);
  if (ring->block == NULL)
    return FALSE;
  ring->buffers = g_new (gpointer, ring->n);
  for (guint i = 0; i < ring->n; i++)
    ring->buffers[i] = ring->block + i * stride;
  return TRUE;
}

static void
ring_clear (Ring *ring)
{
  if (ring->block != NULL)
    ring->memory->free (ring->block);
  g_free (ring->buffers);
}

static gboolean
fill_rings (const BenchCase *self, const BenchMethod *method, gboolean with_labels, Ring *inputs, Ring *outputs,
            GError **error)
{
  const gsize n_pixels = (gsize) self->width * self->height;

  if (!ring_init (inputs, method->memory, n_pixels, self->masks->len, method->footprint, error))
    return FALSE;
  for (guint i = 0; i < inputs->n; i++)
    if (!method->memory->write (inputs->buffers[i], g_ptr_array_index (self->masks, i % self->masks->len), n_pixels,
                                error))
      return FALSE;
  return !with_labels || ring_init (outputs, method->memory, n_pixels * sizeof (guint32), 1, method->footprint, error);
}

/* One image without the clocks. */
static gboolean
runner_do (Runner *runner, guint input, guint output, guint32 *n_components, GError **error)
{
  const BenchEngine *engine = runner->contender->engine;
  const double start = bench_now ();
  const gboolean done =
      engine->run (runner->state, input, output, error) && engine->wait (runner->state, n_components, error);

  runner->spent += bench_now () - start;
  return done;
}

/* One image by the clocks; the sample is of no use where `timed` is FALSE. */
static gboolean
runner_time (Runner *runner, const BenchMethod *method, gboolean timed, guint32 *n_components, GError **error)
{
  const BenchEngine *engine = runner->contender->engine;
  const BenchMemory *memory = method->memory;
  const glong preemptions = bench_preemptions ();
  const guint64 *stages = NULL;
  const double start = bench_now ();
  double call, time;

  if ((method->ahead > 0 && !memory->occupy (method->ahead, error)) || (method->signs && !memory->sign (error))
      || (memory->mark != NULL && !memory->mark (0, error))
      || !engine->run (runner->state, runner->input, runner->output, error)
      || (memory->mark != NULL && !memory->mark (1, error)) || !engine->wait (runner->state, n_components, error))
    return FALSE;
  time = call = bench_now () - start;
  if ((memory->elapsed != NULL && !memory->elapsed (&time, error)) || (method->signs && !memory->sign (error)))
    return FALSE;
  runner->spent += call;
  if (!timed)
    return TRUE;

  if (engine->stages != NULL)
    stages = engine->stages (runner->state);
  for (guint i = 0; stages != NULL && i < CCA_N_STAGES; i++)
    runner->stages[i][runner->n] = stages[i];
  if (engine->iterations != NULL)
    runner->n_iterations = MAX (runner->n_iterations, engine->iterations (runner->state));
  runner->samples[runner->n] = time;
  runner->calls[runner->n] = call;
  runner->n++;
  runner->preempted += bench_preemptions () != preemptions;
  return TRUE;
}

/* Compares two numbers of components of a mask. */
static gboolean
check (const BenchCase *self, guint mask, const Runner *runner, guint32 found, const Runner *first, guint32 expected,
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

/* Adds the labels on the outputs' first place to a contender's digest. */
static gboolean
digest_labels (const BenchCase *self, guint mask, Runner *runner, const Ring *outputs, GError **error)
{
  const gsize n_pixels = (gsize) self->width * self->height;
  g_autofree guint32 *labels = g_new (guint32, n_pixels);

  if (!outputs->memory->read (labels, outputs->buffers[0], n_pixels * sizeof *labels, error))
    return FALSE;
  /* Contenders that do not count label the background, too. */
  bench_digest_add (runner->digest, labels, runner->contender->counts ? NULL : g_ptr_array_index (self->masks, mask),
                    n_pixels);
  return TRUE;
}

/* Compares the labels of all masks. */
static gboolean
check_digest (const BenchCase *self, Runner *runner, Runner *first, GError **error)
{
  g_autofree char *what = NULL;

  if (g_str_equal (g_checksum_get_string (runner->digest), g_checksum_get_string (first->digest)))
    return TRUE;
  what = bench_case_describe (self);
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_MISMATCH, "%s: the labels of %s differ from those of %s", what,
               runner->contender->name, first->contender->name);
  return FALSE;
}

/* Every contender does every distinct mask. */
static gboolean
cross_check (const BenchCase *self, Runner *runners, guint n_runners, const Ring *outputs, const BenchMethod *method,
             GError **error)
{
  const Runner *first = NULL;   /* of the contenders that count */
  Runner *first_labeler = NULL; /* of those that label, too */

  for (guint r = 0; r < n_runners; r++) {
    Runner *runner = &runners[r];

    if (first == NULL && runner->contender->counts)
      first = runner;
    if (method->check_labels && runner->contender->task == BENCH_LABELS)
      runner->digest = g_checksum_new (G_CHECKSUM_MD5);
    for (guint mask = 0; mask < self->masks->len; mask++)
      if (!runner_do (runner, mask, 0, &runner->found[mask], error)
          || (runner->contender->counts
              && !check (self, mask, runner, runner->found[mask], first, first->found[mask], error))
          || (runner->digest != NULL && !digest_labels (self, mask, runner, outputs, error)))
        return FALSE;
    if (runner->digest == NULL || !runner->contender->counts)
      continue;
    if (first_labeler == NULL)
      first_labeler = runner;
    if (!check_digest (self, runner, first_labeler, error))
      return FALSE;
  }
  return TRUE;
}

/* Whether a contender that has taken too long has done enough. */
static gboolean
is_impatient (const Runner *runner, const BenchMethod *method, guint n_masks, gboolean warming_up)
{
  return method->patience > 0 && runner->spent > method->patience
         && (warming_up || (runner->n > 0 && runner->n % n_masks == 0));
}

/* A place on a ring, n before another. */
static guint
place_before (const Ring *ring, guint place, guint n)
{
  return ring->n != 0 ? (place + ring->n - n % ring->n) % ring->n : 0;
}

/* A contender's turn: `lead` images that are not timed, then one that is. */
static gboolean
runner_turn (Runner *runner, const BenchCase *self, const Ring *inputs, const Ring *outputs, const BenchMethod *method,
             gboolean timed, GError **error)
{
  for (guint back = method->lead + 1; back-- > 0;) {
    const guint input = place_before (inputs, runner->input, back),
                output = place_before (outputs, runner->output, back);
    const guint mask = input % self->masks->len;
    guint32 found;

    if (!(back > 0 ? runner_do (runner, input, output, &found, error)
                   : runner_time (runner, method, timed, &found, error))
        || (runner->contender->counts && !check (self, mask, runner, found, runner, runner->found[mask], error)))
      return FALSE;
  }
  runner->input = (runner->input + 1) % inputs->n;
  runner->output = outputs->n != 0 ? (runner->output + 1) % outputs->n : 0;
  return TRUE;
}

static gboolean
measure (const BenchCase *self, Runner *runners, guint n_runners, const Ring *inputs, const Ring *outputs,
         const BenchMethod *method, guint iterations, GError **error)
{
  for (guint i = 0; i < method->warm_up + iterations; i++) {
    for (guint r = 0; r < n_runners; r++) {
      if (!is_impatient (&runners[r], method, self->masks->len, i < method->warm_up)
          && !runner_turn (&runners[r], self, inputs, outputs, method, i >= method->warm_up, error))
        return FALSE;
    }
  }
  return TRUE;
}

static void
summarise (Runner *runner, guint n_masks, BenchSummary *summary)
{
  const BenchEngine *engine = runner->contender->engine;
  const guint iterations = runner->n;
  double *samples = runner->samples, sum = 0, components = 0;

  bench_sort (samples, iterations);
  bench_sort (runner->calls, iterations);
  for (guint i = 0; i < iterations; i++)
    sum += samples[i];
  for (guint i = 0; i < n_masks; i++)
    components += runner->found[i];
  *summary =
      (BenchSummary) { .device = g_strdup (engine->device (runner->state)),
                       .iterations = iterations,
                       .preempted = runner->preempted,
                       .min = samples[0],
                       .p10 = bench_quantile (samples, iterations, 0.1),
                       .median = bench_quantile (samples, iterations, 0.5),
                       .p90 = bench_quantile (samples, iterations, 0.9),
                       .mean = sum / iterations,
                       .call = bench_quantile (runner->calls, iterations, 0.5),
                       .has_stages = engine->stages != NULL,
                       .n_components = components / n_masks,
                       .n_iterations = runner->n_iterations,
                       .memory = engine->memory != NULL ? engine->memory (runner->state) : 0,
                       .digest = runner->digest != NULL ? g_strdup (g_checksum_get_string (runner->digest)) : NULL };
  for (guint i = 0; engine->stages != NULL && i < CCA_N_STAGES; i++) {
    bench_sort (runner->stages[i], iterations);
    summary->stages[i] = bench_quantile (runner->stages[i], iterations, 0.5);
  }
}

void
bench_summary_clear (BenchSummary *summary)
{
  g_clear_pointer (&summary->device, g_free);
  g_clear_pointer (&summary->digest, g_free);
}

static gboolean
runner_open (Runner *runner, const BenchCase *self, guint connectivity, const BenchContender *contender,
             const Ring *inputs, const Ring *outputs, const BenchMethod *method, guint iterations, GError **error)
{
  const BenchJob job = { .width = self->width,
                         .height = self->height,
                         .connectivity = connectivity,
                         .task = contender->task,
                         .algorithm = contender->algorithm,
                         .peer = contender->algorithm == NULL ? contender->name : NULL,
                         .isa = contender->isa,
                         .format = contender->format,
                         .n_threads = contender->n_threads,
                         .max_components = contender->max_components,
                         .stages = method->stages,
                         .overlaps = method->overlaps,
                         .shapes = method->shapes,
                         .intensities = method->intensities,
                         .memory = inputs->memory,
                         .n_masks = self->masks->len,
                         .n_inputs = inputs->n,
                         .inputs = (guint8 *const *) inputs->buffers,
                         .n_outputs = outputs->n,
                         .outputs = (guint32 *const *) outputs->buffers };

  runner->contender = contender;
  runner->found = g_new (guint32, self->masks->len);
  runner->samples = g_new (double, iterations);
  runner->calls = g_new (double, iterations);
  for (guint i = 0; i < CCA_N_STAGES; i++)
    runner->stages[i] = g_new (double, iterations);
  runner->state = contender->engine->open (&job, error);
  return runner->state != NULL;
}

static void
runner_close (Runner *runner)
{
  if (runner->state != NULL)
    runner->contender->engine->close (runner->state);
  for (guint i = 0; i < CCA_N_STAGES; i++)
    g_free (runner->stages[i]);
  g_free (runner->found);
  g_clear_pointer (&runner->digest, g_checksum_free);
  g_free (runner->samples);
  g_free (runner->calls);
}

/* The method with its memory opened and its footprint known. */
static gboolean
start (BenchMethod *method, GError **error)
{
  gsize cache;

  if (!method->memory->open (error))
    return FALSE;
  cache = method->memory->cache_size ();
  if (method->footprint == BENCH_TWICE_THE_CACHE)
    method->footprint = cache > 0 ? 2 * cache : (gsize) 128 << 20;
  return TRUE;
}

gboolean
bench_run (const BenchCase *self, guint connectivity, const BenchContender *contenders, guint n_contenders,
           const BenchMethod *asked, BenchSummary *summaries, GError **error)
{
  const guint n_masks = self->masks->len;
  const guint iterations = (asked->iterations + n_masks - 1) / n_masks * n_masks;
  g_autofree Runner *runners = g_new0 (Runner, n_contenders);
  Ring inputs = { 0 }, outputs = { 0 };
  BenchMethod method = *asked;
  gboolean with_labels = FALSE, done;

  for (guint c = 0; c < n_contenders; c++)
    with_labels |= contenders[c].task == BENCH_LABELS;
  done = start (&method, error) && fill_rings (self, &method, with_labels, &inputs, &outputs, error);
  for (guint c = 0; done && c < n_contenders; c++) {
    runners[c].input = (guint64) inputs.n * c / n_contenders;
    runners[c].output = (guint64) outputs.n * c / n_contenders;
    done = runner_open (&runners[c], self, connectivity, &contenders[c], &inputs, &outputs, &method, iterations, error);
  }
  done = done && cross_check (self, runners, n_contenders, &outputs, &method, error)
         && measure (self, runners, n_contenders, &inputs, &outputs, &method, iterations, error);
  for (guint c = 0; c < n_contenders; c++) {
    if (done)
      summarise (&runners[c], n_masks, &summaries[c]);
    runner_close (&runners[c]);
  }
  ring_clear (&inputs);
  ring_clear (&outputs);
  return done;
}
