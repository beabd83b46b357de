/* gst-cca: bytes to a sequence of frames, parameters, resets and sizes, with the oracle beside it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An input chooses an instruction set and a size, then gives operations until its bytes end. After every frame the
 * measurement and the output image must equal the oracle's.
 */
#include "frames.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WIDTH 270u
#define USUAL_HEIGHT 20u

enum
{
  MAX_OPERATIONS = 24,
  MAX_FAILING = 12 /* allocations from now to the one that fails */
};

void
session_fail (const Session *session, const char *format, ...)
{
  const CcaParams *params = &session->params;
  va_list args;
  char *problem;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr (
      "%s on %s, byte %zu: %ux%u %s, %s memory, %u-connected, foreground %d, output %d, %u threads, denoise %d, "
      "close %u, areas %" G_GUINT64_FORMAT "…%" G_GUINT64_FORMAT ", cells of %u, %u components: %s\n",
      params->algorithm ? params->algorithm : "NULL", cca_context_description (session->context), session->reader->next,
      session->width, session->height, cca_format_name (session->plan_params.format),
      session->layout.memory == CCA_MEMORY_HOST ? "host" : "device", params->connectivity, params->foreground,
      session->output, params->n_threads, params->denoise, params->close_radius, params->min_area, params->max_area,
      params->coverage_cell, params->max_components, problem);
  abort ();
}

/* --- Pixels ------------------------------------------------------------------------------------------ */

enum
{
  CODING_BYTES,
  CODING_BITS,
  CODING_RUNS,
  CODING_CHANGES, /* of the last frame */
  N_CODINGS
};

static void
read_runs (Reader *part, uint8_t value, uint8_t *pixels, size_t n)
{
  for (size_t i = 0; i < n;) {
    const uint8_t byte = read_in_circles (part);

    for (size_t last = MIN (n, i + byte / 2 + 1); i < last; i++)
      pixels[i] = byte & 1 ? value : 0;
  }
}

static void
read_changes (Reader *part, uint8_t value, uint8_t *pixels, size_t n)
{
  while (reader_left (part)) {
    const size_t first = read_u16 (part) % n, length = read_byte (part) % 64;

    memset (pixels + first, value, MIN (length, n - first));
  }
}

/* A frame: how it is coded, a value, how many bytes, and those. */
static void
read_pixels (Session *session)
{
  const size_t n = (size_t) session->width * session->height * MAX (cca_format_pixel_size (session->params.format), 1);
  const uint8_t coding = read_byte (session->reader) % N_CODINGS, value = read_byte (session->reader);
  Reader part = read_part (session->reader, read_byte (session->reader));
  uint8_t byte = 0;

  switch (coding) {
    case CODING_BYTES:
      for (size_t i = 0; i < n; i++)
        session->pixels[i] = read_in_circles (&part);
      break;
    case CODING_BITS:
      for (size_t i = 0; i < n; i++) {
        if (i % 8 == 0)
          byte = read_in_circles (&part);
        session->pixels[i] = byte >> i % 8 & 1 ? value : 0;
      }
      break;
    case CODING_RUNS: read_runs (&part, value, session->pixels, n); break;
    default: read_changes (&part, value, session->pixels, n); break;
  }
}

/* --- Plans ------------------------------------------------------------------------------------------- */

/* Whether the allocation that was made to fail has done so. */
static bool
is_starved (const CountingAllocator *counting)
{
  return counting->fail_at && counting->n_calls >= counting->fail_at;
}

/* Checks that a call returned the expected status. Returns false if it lacked memory. */
static bool
succeeded (const Session *session, CcaStatus status, CcaStatus expected, const char *call)
{
  if (status == CCA_ERROR_MEMORY && is_starved (&session->bench->counting))
    return false;
  if (status != expected)
    session_fail (session, "%s: %s: %s", call, cca_status_text (status), cca_last_error ());
  return status == CCA_OK;
}

static void
new_model (Session *session)
{
  oracle_model_free (session->model);
  session->model = oracle_model_new (session->width, session->height);
}

/* Makes a frame the last one that the plan knows; it takes it. */
static void
set_last (Session *session, OracleFrame *frame)
{
  oracle_frame_free (session->last);
  session->last = frame;
}

static void
drop_plan (Session *session)
{
  set_last (session, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (session->results); i++) {
    cca_result_free (session->results[i]);
    session->results[i] = NULL;
  }
  cca_plan_free (session->plan);
  session->plan = NULL;
  g_clear_pointer (&session->region, g_free);
  g_clear_pointer (&session->factors, g_free);
}

/* Sizes of an output of their own, and how the images lie in memory. */
static void
read_size (Session *session)
{
  Reader *reader = session->reader;
  uint32_t height, most;

  drop_plan (session);
  session->width = 1 + read_u16 (reader) % MAX_WIDTH;
  most = fuzz_max_pixels / MAX (session->width, fuzz_min_row);
  height = read_byte (reader);
  session->height = 1 + (height < 200 ? height % USUAL_HEIGHT : height) % most;
  session->output = read_byte (reader) % (CCA_OUTPUT_MASK + 1);
  session->layout.offset = read_byte (reader) % 64;
  session->layout.gap = read_byte (reader) % 70;
  session->layout.memory = CCA_MEMORY_HOST;
  if (fuzz_backend == CCA_BACKEND_CUDA && session->layout.gap % 2)
    session->layout.memory = CCA_MEMORY_DEVICE;
  g_free (session->pixels);
  session->pixels = g_malloc0 (4 * (size_t) session->width * session->height); /* of any format */
  new_model (session);
}

/* Makes or changes the plan. Returns whether it has the parameters read; impossible ones are discarded. */
static bool
prepare_plan (Session *session)
{
  const CcaStatus expected = params_expected_status (&session->params, session->output);
  const bool was_motion = session->plan_params.foreground == CCA_FOREGROUND_MOTION;
  const CcaModel model = session->plan_params.motion.model;
  const uint32_t most = cca_format_max_value (session->plan_params.format);
  size_t estimate = 0;
  bool ready;

  if (session->plan) {
    ready = succeeded (session, cca_plan_set_params (session->plan, &session->params), expected, "cca_plan_set_params");
    if (ready && was_motion
        && (session->params.foreground != CCA_FOREGROUND_MOTION || session->params.motion.model != model
            || cca_format_max_value (session->params.format) != most))
      new_model (session);
  } else {
    if (cca_plan_estimate (session->context, session->width, session->height, &session->params, session->output,
                           &estimate)
        != expected)
      session_fail (session, "cca_plan_estimate: %s", cca_last_error ());
    ready = succeeded (session,
                       cca_plan_new (session->context, session->width, session->height, &session->params,
                                     session->output, &session->plan),
                       expected, "cca_plan_new");
    if (ready && cca_plan_memory (session->plan) > estimate)
      session_fail (session, "%zu bytes, estimated %zu", cca_plan_memory (session->plan), estimate);
  }
  if (ready && !session->params.overlaps)
    set_last (session, NULL);
  if (ready)
    session->plan_params = session->params;
  else
    session->params = session->plan_params;
  return ready || session->plan;
}

static CcaResult *
prepare_result (Session *session, uint8_t choice)
{
  CcaResult **result = &session->results[choice % G_N_ELEMENTS (session->results)];

  if (*result == NULL)
    succeeded (session, cca_result_new (session->plan, result), CCA_OK, "cca_result_new");
  return *result;
}

static void
check_ellipses (const Session *session, const CcaMeasurement *measurement)
{
  for (uint32_t i = 0; i < measurement->n_stored; i++) {
    double major, minor, angle;

    cca_component_ellipse (&measurement->components[i], &major, &minor, &angle);
    if (!(major >= minor && minor >= 0 && angle > -G_PI && angle <= G_PI / 2))
      session_fail (session, "ellipse of component %u: %g, %g, %g", i, major, minor, angle);
  }
}

/* Gives the plan a region or factors, whose bytes go round in a part of the input; none where the part is empty. */
static void
read_places (Session *session, bool region)
{
  const size_t n = (size_t) session->width * session->height;
  Reader part = read_part (session->reader, read_byte (session->reader));
  uint8_t *bytes = reader_left (&part) ? g_malloc (n) : NULL, **kept = region ? &session->region : &session->factors;
  const CcaImage image = { .data = bytes,
                           .pitch = (ptrdiff_t) session->width,
                           .width = session->width,
                           .height = session->height,
                           .memory = CCA_MEMORY_HOST };
  CcaStatus status;

  if (session->plan == NULL) {
    g_free (bytes);
    return;
  }
  for (size_t i = 0; bytes && i < n; i++)
    bytes[i] = read_in_circles (&part);
  status = (region ? cca_plan_set_region : cca_plan_set_sensitivity) (session->plan, bytes ? &image : NULL);
  if (succeeded (session, status, CCA_OK, region ? "cca_plan_set_region" : "cca_plan_set_sensitivity")) {
    g_free (*kept);
    *kept = bytes;
  } else {
    g_free (bytes);
  }
}

/* Gives the frame chroma that follows from its pixels, which have room for it. */
static void
set_chroma (Session *session, CompareFrame *frame, uint8_t layout, OracleChroma *chroma)
{
  const uint32_t shift_x = layout & 1, shift_y = layout >> 1 & 1, step = layout & 4 ? 2 : 1;
  const size_t n = (size_t) session->width * session->height, width = (session->width + shift_x) >> shift_x,
               size = width * ((session->height + shift_y) >> shift_y);
  uint8_t *planes = session->pixels + n;

  for (size_t i = 0; i < 2 * size; i++)
    planes[i] = (uint8_t) (100 + session->pixels[i % n] / 4 + i % 3);
  *chroma = (OracleChroma) { planes, planes + (step == 2 ? 1 : size), step * width, step, shift_x, shift_y };
  compare_frame_set_chroma (frame, chroma, session->layout);
}

/* Tells the plan and the model where an object is, or that there is none. */
static void
hold (Session *session)
{
  const uint32_t width = session->width, height = session->height, n = session->pixels[0] & 1;
  const CcaRectangle rectangle = { width / 4, height / 4, (width + 1) / 2, (height + 1) / 2 };

  session->held = (OracleRectangle) { rectangle.x, rectangle.y, rectangle.width, rectangle.height };
  if (succeeded (session, cca_plan_hold (session->plan, &rectangle, n), CCA_OK, "cca_plan_hold"))
    oracle_model_hold (session->model, &session->held, n);
}

/* Runs a frame and compares. One that is lost to a failing allocation has moved the background model where
 * cca_plan_run() took it. */
static void
run_frame (Session *session, CcaResult *result, CcaOutput output, uint8_t choice)
{
  const bool colored = choice & 4 && session->plan_params.format == CCA_FORMAT_GRAY8;
  OracleParams oracle_params = compare_oracle_params (&session->plan_params);
  CcaMeasurement measurement;
  OracleFrame *expected, *known = NULL;
  OracleChroma chroma;
  CompareFrame frame;
  char *difference;

  session->layout.format = session->plan_params.format;
  oracle_params.region = session->region;
  oracle_params.factors = session->factors;
  compare_frame_init (&frame, session->width, session->height, output, session->layout, session->pixels);
  if (colored)
    set_chroma (session, &frame, choice >> 3, &chroma);
  oracle_model_set_chroma (session->model, colored ? &chroma : NULL);
  hold (session);
  if (succeeded (session, compare_frame_start (&frame, session->plan, NULL, result), CCA_OK, "cca_plan_run")) {
    expected = oracle_run (&oracle_params, session->model, session->pixels, session->width, session->height);
    if (succeeded (session, cca_result_wait (result, &measurement), CCA_OK, "cca_result_wait")) {
      difference = compare_frame_finish (&frame, expected);
      if (!difference)
        difference = compare_overlaps (&measurement, session->last, expected, session->plan_params.max_components);
      if (!difference)
        difference = compare_coverage (&measurement, &oracle_params, colored ? &chroma : NULL, session->pixels,
                                       expected, session->plan_params.coverage_cell);
      if (difference)
        session_fail (session, "%s", difference);
      check_ellipses (session, &measurement);
      known = session->plan_params.overlaps ? expected : NULL;
    }
    if (!known)
      oracle_frame_free (expected);
  }
  set_last (session, known);
  compare_frame_clear (&frame);
}

/* The oracle's time for a pixel grows with the square of the closing's radius. */
static uint32_t
frame_cost (const Session *session)
{
  const CcaParams *params = &session->params;
  const uint32_t side = 2 * params->close_radius + 1;
  uint32_t pixel = 2 + side * side / 16;

  if (params->foreground == CCA_FOREGROUND_MOTION && params->motion.model == CCA_MODEL_SAMPLES)
    pixel += fuzz_samples_cost;
  return fuzz_frame_cost + session->width * session->height * pixel;
}

static void
reset (Session *session)
{
  if (session->plan)
    cca_plan_reset (session->plan);
  new_model (session);
  set_last (session, NULL);
}

static void
read_frame (Session *session)
{
  const uint8_t choice = read_byte (session->reader);
  CcaResult *result;

  read_pixels (session);
  if (!prepare_plan (session) || !(result = prepare_result (session, choice)))
    return;
  session->budget -= MIN (session->budget, frame_cost (session));
  run_frame (session, result, choice & 2 ? CCA_OUTPUT_NONE : session->output, choice);
}

/* --- Inputs ------------------------------------------------------------------------------------------ */

static Bench bench;

static void
close_bench (void)
{
  for (CcaIsa isa = CCA_ISA_AUTO; isa <= CCA_ISA_NEON; isa++)
    cca_context_free (bench.contexts[isa]);
  if (bench.counting.blocks)
    g_printerr ("%zu blocks were not freed\n", bench.counting.blocks);
  counting_allocator_clear (&bench.counting);
}

static void
open_bench (void)
{
  CcaContextOptions options;

  fuzz_backend_start ();
  counting_allocator_init (&bench.counting);
  bench.counting.once = true;
  cca_context_options_init (&options);
  options.backend = fuzz_backend;
  options.allocator = bench.counting.allocator;
  for (CcaIsa isa = CCA_ISA_AUTO; isa <= CCA_ISA_NEON; isa++) {
    options.isa = isa;
    options.all_threads = isa != CCA_ISA_C; /* on frames as small as these, too; C, the slowest, chooses */
    if (fuzz_backend == CCA_BACKEND_CPU ? cca_isa_available (isa) : isa == CCA_ISA_AUTO)
      if (cca_context_new (&options, &bench.contexts[isa]) != CCA_OK)
        g_error ("no context: %s", cca_last_error ());
  }
  atexit (close_bench);
}

static uint64_t
held_by_session (void)
{
  return bench.counting.blocks + fuzz_backend_held ();
}

static void
read_other (Session *session, uint8_t choice)
{
  switch (choice) {
    case 0: session_read_names (session); break;
    case 1: session_read_context (session); break;
    case 30: read_places (session, true); break;
    case 31: read_places (session, false); break;
    default: session_read_refusal (session); break;
  }
}

static void
read_operation (Session *session)
{
  CountingAllocator *counting = &session->bench->counting;
  const uint8_t operation = read_byte (session->reader);

  if (is_starved (counting))
    counting->fail_at = 0;
  switch (operation % 8) {
    case 0:
    case 1: session_read_param (session); break;
    case 2: read_size (session); break;
    case 3: reset (session); break;
    case 4: read_other (session, operation / 8); break;
    case 5:
      counting->n_calls = 0;
      counting->fail_at = 1 + operation / 8 % MAX_FAILING;
      break;
    default: read_frame (session); break;
  }
}

/* Reads the parameters with the greatest effect. The model learns from the first frame, as an input may have only
 * two. */
static void
read_first_params (Session *session)
{
  const uint8_t choice = read_byte (session->reader);
  CcaParams *params = &session->params;

  cca_params_init (params);
  params->foreground = choice % (CCA_FOREGROUND_MOTION + 1);
  params->connectivity = choice & 64 ? 4 : 8;
  params->algorithm = cca_algorithms (fuzz_backend)[choice & 128 ? 1 : 0]->name;
  params->motion.learning = 1;
  params->motion.period = 2;
  session->plan_params = *params;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Reader reader = { data, size, 0 };
  Session session = { .reader = &reader, .bench = &bench, .budget = fuzz_budget };
  uint64_t held;
  CcaIsa isa;

  if (bench.contexts[CCA_ISA_AUTO] == NULL)
    open_bench ();
  isa = read_byte (&reader) % (CCA_ISA_NEON + 1);
  session.context = bench.contexts[bench.contexts[isa] ? isa : CCA_ISA_AUTO];
  read_first_params (&session);
  held = held_by_session ();
  read_size (&session);
  for (int i = 0; i < MAX_OPERATIONS && reader_left (&reader) && session.budget; i++)
    read_operation (&session);
  bench.counting.fail_at = 0;
  drop_plan (&session);
  if (held_by_session () != held)
    session_fail (&session, "%" G_GUINT64_FORMAT " things were held before, %" G_GUINT64_FORMAT " are now", held,
                  held_by_session ());
  oracle_model_free (session.model);
  g_free (session.pixels);
  return 0;
}
