/* gst-cca: bytes to images and parameters, every target against the oracle
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "fuzz.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "targets.h"

#define MAX_WIDTH 320u
#define MAX_PIXELS 6000u
#define MAX_FRAMES 6u

/* Reads bytes; from the end on, zeros. */
typedef struct
{
  const uint8_t *data;
  size_t size, next;
} Reader;

static uint8_t
read_byte (Reader *reader)
{
  return reader->next < reader->size ? reader->data[reader->next++] : 0;
}

/* The same, but begins again at `start` when it comes to the end. */
static uint8_t
read_in_circles (Reader *reader, size_t start)
{
  if (reader->next >= reader->size)
    reader->next = start;
  return read_byte (reader);
}

typedef struct
{
  uint32_t width, height, n_frames;
  CcaParams params;
  CcaOutput output;
  Layout layout;
  bool possible; /* the parameters are within their ranges */
  uint8_t *pixels;
} Input;

enum
{
  FLAG_FOUR = 1,
  FLAG_INVERT = 2,
  FLAG_DENOISE = 4,
  FLAG_BY_AREA = 8,
  FLAG_COVARIANCE = 16,
  FLAG_UNORDERED = 32 /* limits stay in the order in which they come, possible or not */
};

static void
order_bytes (uint8_t *low, uint8_t *high)
{
  const uint8_t smaller = MIN (*low, *high), larger = MAX (*low, *high);

  *low = smaller;
  *high = larger;
}

static void
read_params (Reader *reader, Input *input)
{
  CcaParams *params = &input->params;
  const uint8_t flags = read_byte (reader);

  cca_params_init (params);
  params->connectivity = flags & FLAG_FOUR ? 4 : 8;
  params->invert = flags & FLAG_INVERT;
  params->denoise = flags & FLAG_DENOISE;
  params->order = flags & FLAG_BY_AREA ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  params->covariance = flags & FLAG_COVARIANCE;
  params->foreground = read_byte (reader) % (CCA_FOREGROUND_MOTION + 1);
  params->black = params->threshold = params->low = read_byte (reader);
  params->high = read_byte (reader);
  params->close_radius = read_byte (reader) % (CCA_MAX_CLOSE_RADIUS + 1);
  params->min_area = read_byte (reader) % 32;
  params->max_area = read_byte (reader) * 4u;
  params->max_components = read_byte (reader) * 8u + 1;
  params->n_threads = 1 + read_byte (reader) % 8;
  params->motion.learning = 1 + read_byte (reader) % 4;
  params->motion.period = 1 + read_byte (reader) % 4;
  params->motion.amplification = 1 + read_byte (reader) % 16;
  params->motion.v_min = 1 + read_byte (reader) % 64;
  params->motion.v_max = 1 + read_byte (reader) % 255;
  if (!(flags & FLAG_UNORDERED)) {
    order_bytes (&params->low, &params->high);
    order_bytes (&params->motion.v_min, &params->motion.v_max);
    if (params->max_area)
      params->min_area = MIN (params->min_area, params->max_area);
  }
  input->possible = !(params->foreground == CCA_FOREGROUND_RANGE && params->low > params->high)
                    && !(params->foreground == CCA_FOREGROUND_MOTION && params->motion.v_min > params->motion.v_max)
                    && !(params->max_area && params->min_area > params->max_area);
}

/* Pixels come as bytes, as bits, or as lengths of runs. */
static void
read_pixels (Reader *reader, Input *input)
{
  const size_t n = (size_t) input->width * input->height * input->n_frames;
  const uint8_t coding = read_byte (reader) % 3, value = read_byte (reader);
  const size_t start = reader->next;
  uint8_t byte = 0;

  input->pixels = g_malloc0 (n);
  if (start >= reader->size)
    return;
  for (size_t i = 0; i < n; i++) {
    if (coding == 0) {
      input->pixels[i] = read_in_circles (reader, start);
    } else if (coding == 1) {
      if (i % 8 == 0)
        byte = read_in_circles (reader, start);
      input->pixels[i] = byte >> i % 8 & 1 ? value : 0;
    } else {
      byte = read_in_circles (reader, start);
      for (size_t last = i + byte / 2; i < last && i < n - 1; i++)
        input->pixels[i] = byte & 1 ? value : 0;
      input->pixels[i] = byte & 1 ? value : 0;
    }
  }
}

static Input
read_input (const uint8_t *data, size_t size)
{
  Reader reader = { data, size, 0 };
  Input input;

  input.width = read_byte (&reader);
  input.width = 1 + (input.width | (uint32_t) read_byte (&reader) << 8) % MAX_WIDTH;
  input.height = 1 + read_byte (&reader) % MIN (256u, MAX_PIXELS / input.width);
  input.output = read_byte (&reader) % (CCA_OUTPUT_MASK + 1);
  input.layout = (Layout) { .memory = CCA_MEMORY_HOST };
  input.layout.offset = read_byte (&reader) % 64;
  input.layout.gap = read_byte (&reader) % 70;
  input.n_frames = 1 + read_byte (&reader) % MAX_FRAMES;
  read_params (&reader, &input);
  read_pixels (&reader, &input);
  return input;
}

/* --- Targets ----------------------------------------------------------------------------------------- */

/* A target that can work here; they are opened once. */
typedef struct
{
  Target target;
  CcaContext *context;
} Opened;

static void
open_target (const Target *target, void *data)
{
  GArray *all = data;
  Opened opened = { *target, NULL };
  CcaContextOptions options;

  cca_context_options_init (&options);
  options.backend = target->backend;
  options.isa = target->isa;
  options.all_threads = true;
  if (cca_context_new (&options, &opened.context) == CCA_OK)
    g_array_append_val (all, opened);
}

static void
close_target (void *data)
{
  cca_context_free (((Opened *) data)->context);
}

static GArray *targets;

static void
close_targets (void)
{
  g_array_unref (targets);
}

static void
open_targets (void)
{
  targets = g_array_new (FALSE, FALSE, sizeof (Opened));
  g_array_set_clear_func (targets, close_target);
  targets_for_each (open_target, targets);
  atexit (close_targets);
}

static void
fail (const Input *input, const Opened *opened, const char *what)
{
  g_printerr ("%s on %s: %ux%u, %u-connected, foreground %d, output %d, %u threads, denoise %d, close %u: %s\n",
              opened->target.algorithm->name, cca_context_description (opened->context), input->width, input->height,
              input->params.connectivity, input->params.foreground, input->output, input->params.n_threads,
              input->params.denoise, input->params.close_radius, what);
  abort ();
}

static void
run_target (const Input *input, const Opened *opened, OracleFrame *const *expected)
{
  const size_t frame_size = (size_t) input->width * input->height;
  CcaParams params = input->params;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  CcaStatus status;

  params.algorithm = opened->target.algorithm->name;
  if (!compare_can (opened->target.algorithm, &params, input->output))
    return;
  status = cca_plan_new (opened->context, input->width, input->height, &params, input->output, &plan);
  if (status != (input->possible ? CCA_OK : CCA_ERROR_INVALID))
    fail (input, opened, status ? cca_last_error () : "impossible parameters were taken");
  if (status != CCA_OK)
    return;
  if (cca_result_new (plan, &result) != CCA_OK)
    fail (input, opened, cca_last_error ());
  for (uint32_t i = 0; i < input->n_frames; i++) {
    char *difference =
        compare_run (plan, result, input->output, input->layout, input->pixels + i * frame_size, expected[i]);
    if (difference)
      fail (input, opened, difference);
  }
  cca_result_free (result);
  cca_plan_free (plan);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Input input = read_input (data, size);
  const OracleParams oracle_params = compare_oracle_params (&input.params);
  OracleModel *model = oracle_model_new (input.width, input.height);
  OracleFrame *expected[MAX_FRAMES] = { NULL };

  if (!targets)
    open_targets ();
  for (uint32_t i = 0; i < input.n_frames && input.possible; i++)
    expected[i] = oracle_run (&oracle_params, model, input.pixels + (size_t) i * input.width * input.height,
                              input.width, input.height);
  for (guint t = 0; t < targets->len; t++)
    run_target (&input, &g_array_index (targets, Opened, t), expected);
  for (uint32_t i = 0; i < input.n_frames; i++)
    oracle_frame_free (expected[i]);
  oracle_model_free (model);
  g_free (input.pixels);
  return 0;
}
