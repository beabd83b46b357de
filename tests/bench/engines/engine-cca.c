/* gst-cca: libcca as an engine of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-engine.h"

typedef struct
{
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *result;
  CcaImage *inputs;
  guint n_inputs;
  CcaImage *outputs; /* NULL for analysis */
  const BenchMemory *memory;
  gpointer converted; /* the block of the inputs, if they are not the job's */
  gpointer stream;
  CcaMeasurement measurement;
} CcaState;

static void
cca_state_close (gpointer data)
{
  CcaState *state = data;

  cca_result_free (state->result);
  cca_plan_free (state->plan);
  cca_context_free (state->context);
  if (state->converted != NULL)
    state->memory->free (state->converted);
  g_free (state->inputs);
  g_free (state->outputs);
  g_free (state);
}

static CcaImage *
new_images (const BenchJob *job, gpointer const *data, guint n, guint pixel_size)
{
  CcaImage *images = g_new (CcaImage, n);

  for (guint i = 0; i < n; i++)
    images[i] = (CcaImage) { .data = data[i],
                             .pitch = (ptrdiff_t) job->width * pixel_size,
                             .width = job->width,
                             .height = job->height,
                             .memory = job->memory->kind };
  return images;
}

/* Gives the engine inputs of its own in another format, as many as are as large as the job's. All bytes of a pixel are
 * those of the mask, which is black or white in any format. */
static gboolean
convert_inputs (CcaState *state, const BenchJob *job, GError **error)
{
  const guint size = cca_format_pixel_size (job->format);
  const gsize n_pixels = (gsize) job->width * job->height;
  const guint n = MAX (job->n_inputs / size / job->n_masks, 1) * job->n_masks;
  g_autofree guint8 *mask = g_malloc (n_pixels), *pixels = g_malloc (n_pixels * size);
  g_autofree gpointer *data = g_new (gpointer, n);

  state->converted = job->memory->alloc (n * n_pixels * size, error);
  if (state->converted == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (!job->memory->read (mask, job->inputs[i % job->n_masks], n_pixels, error))
      return FALSE;
    for (gsize k = 0; k < n_pixels * size; k++)
      pixels[k] = mask[k / size];
    data[i] = (guint8 *) state->converted + i * n_pixels * size;
    if (!job->memory->write (data[i], pixels, n_pixels * size, error))
      return FALSE;
  }
  state->inputs = new_images (job, data, n, size);
  state->n_inputs = n;
  return TRUE;
}

static gpointer
cca_state_open (const BenchJob *job, GError **error)
{
  CcaState *state = g_new0 (CcaState, 1);
  const CcaOutput output = job->task == BENCH_LABELS ? CCA_OUTPUT_LABELS_U32 : CCA_OUTPUT_NONE;
  CcaContextOptions options;
  CcaParams params;

  cca_context_options_init (&options);
  options.backend = job->algorithm->backend;
  options.isa = job->isa;
  if (job->memory->native != NULL) {
    options.native = job->memory->native ();
    state->stream = job->memory->stream ();
  }
  cca_params_init (&params);
  params.algorithm = job->algorithm->name;
  params.connectivity = job->connectivity;
  params.n_threads = job->n_threads;
  params.max_components = job->max_components;
  params.stage_interval = job->stages;
  params.overlaps = job->overlaps;
  params.shape = job->shapes;
  params.intensity = job->intensities;
  params.format = job->format;
  state->memory = job->memory;

  if (cca_context_new (&options, &state->context) != CCA_OK
      || cca_plan_new (state->context, job->width, job->height, &params, output, &state->plan) != CCA_OK
      || cca_result_new (state->plan, &state->result) != CCA_OK) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "%s (%s): %s", job->algorithm->name, cca_isa_name (job->isa),
                 cca_last_error ());
    cca_state_close (state);
    return NULL;
  }
  if (job->format == CCA_FORMAT_GRAY8) {
    state->inputs = new_images (job, (gpointer const *) job->inputs, job->n_inputs, 1);
    state->n_inputs = job->n_inputs;
  } else if (!convert_inputs (state, job, error)) {
    cca_state_close (state);
    return NULL;
  }
  if (output != CCA_OUTPUT_NONE)
    state->outputs = new_images (job, (gpointer const *) job->outputs, job->n_outputs, cca_output_pixel_size (output));
  return state;
}

static gboolean
cca_state_fail (const CcaState *state, GError **error)
{
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "%s: %s", cca_plan_algorithm (state->plan)->name,
               cca_last_error ());
  return FALSE;
}

static gboolean
cca_state_run (gpointer data, guint input, guint output, GError **error)
{
  CcaState *state = data;
  const CcaImage *image = state->outputs != NULL ? &state->outputs[output] : NULL;

  return cca_plan_run (state->plan, &state->inputs[input % state->n_inputs], image, state->stream, state->result)
             == CCA_OK
         || cca_state_fail (state, error);
}

static gboolean
cca_state_wait (gpointer data, guint32 *n_components, GError **error)
{
  CcaState *state = data;

  if (cca_result_wait (state->result, &state->measurement) != CCA_OK)
    return cca_state_fail (state, error);
  *n_components = state->measurement.n_components;
  return TRUE;
}

static const guint64 *
cca_state_stages (gpointer data)
{
  return ((CcaState *) data)->measurement.stage_ns;
}

static guint32
cca_state_iterations (gpointer data)
{
  return ((CcaState *) data)->measurement.n_iterations;
}

static gsize
cca_state_memory (gpointer data)
{
  return cca_plan_memory (((CcaState *) data)->plan);
}

static const char *
cca_state_device (gpointer data)
{
  return cca_context_description (((CcaState *) data)->context);
}

const BenchEngine bench_engine_cca = { .open = cca_state_open,
                                       .run = cca_state_run,
                                       .wait = cca_state_wait,
                                       .stages = cca_state_stages,
                                       .iterations = cca_state_iterations,
                                       .memory = cca_state_memory,
                                       .device = cca_state_device,
                                       .close = cca_state_close };
