/* gst-cca: impossible calls, and others that need no frame, between a fuzzed plan's frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "frames.h"

#include <string.h>

/* The status of a call that was not made, such as after an allocation that was made to fail. */
#define NOT_TRIED ((CcaStatus) - 1)

/* --- Contexts ---------------------------------------------------------------------------------------- */

static CcaContextOptions
default_options (void)
{
  CcaContextOptions options;

  cca_context_options_init (&options);
  options.backend = fuzz_backend;
  return options;
}

static CcaStatus
refuse_context (Session *session, uint8_t value, CcaStatus *expected)
{
  const CcaAllocator half[] = { { .alloc = session->bench->counting.allocator.alloc },
                                { .free = session->bench->counting.allocator.free } };
  CcaContextOptions options = default_options ();
  CcaContext *context = NULL;
  CcaStatus status;

  switch (value % 7) {
    case 0: return cca_context_new (value & 8 ? &options : NULL, NULL);
    case 1: options.backend = CCA_BACKEND_CUDA + 1 + value; break;
    case 2: options.device = -2 - (int) value; break;
    case 3: options.isa = CCA_ISA_NEON + 1 + value; break;
    case 4: options.allocator = half[value / 7 % 2]; break;
    case 5:
      options.backend = CCA_BACKEND_CPU;
      options.native = session;
      break;
    default:
      options.backend = CCA_BACKEND_CPU;
      options.isa = cca_isa_available (CCA_ISA_NEON) ? CCA_ISA_AVX2 : CCA_ISA_NEON;
      *expected = CCA_ERROR_UNSUPPORTED;
      break;
  }
  status = cca_context_new (&options, &context);
  if (context)
    session_fail (session, "a refused context was made");
  return status;
}

void
session_read_context (Session *session)
{
  CountingAllocator *counting = &session->bench->counting;
  const uint8_t value = read_byte (session->reader);
  CcaContextOptions options = default_options ();
  CcaContext *context = NULL;
  CcaStatus status;

  options.allocator = counting->allocator;
  options.isa = value % (CCA_ISA_NEON + 1);
  if (!cca_isa_available (options.isa))
    options.isa = CCA_ISA_AUTO;
  counting->n_calls = 0;
  counting->fail_at = value / 8 % 4;
  status = cca_context_new (value & 128 && fuzz_backend == CCA_BACKEND_CPU ? NULL : &options, &context);
  if (status != (context ? CCA_OK : CCA_ERROR_MEMORY))
    session_fail (session, "cca_context_new: %s: %s", cca_status_text (status), cca_last_error ());
  counting->fail_at = 0;
  if (context && (cca_context_backend (context) != fuzz_backend || cca_context_description (context)[0] == '\0'))
    session_fail (session, "the context is another: %s", cca_context_description (context));
  cca_context_free (context);
}

/* --- Names ------------------------------------------------------------------------------------------- */

void
session_read_names (Session *session)
{
  const uint8_t value = read_byte (session->reader);

  if ((cca_backend_name (value) != NULL) != (value <= CCA_BACKEND_CUDA)
      || (cca_isa_name (value) != NULL) != (value <= CCA_ISA_NEON)
      || (cca_stage_name (value) != NULL) != (value < CCA_N_STAGES)
      || (cca_output_pixel_size (value) != 0) != (value >= CCA_OUTPUT_LABELS_U32 && value <= CCA_OUTPUT_MASK)
      || (value > CCA_ISA_NEON && cca_isa_available (value))
      || (value > CCA_BACKEND_CUDA && cca_algorithms (value)[0] != NULL) || cca_status_text (value) == NULL
      || cca_version () == NULL)
    session_fail (session, "names of %u", value);
}

/* --- Plans ------------------------------------------------------------------------------------------- */

static CcaStatus
refuse_plan (Session *session, uint8_t value, CcaStatus *expected)
{
  uint32_t width = session->width, height = session->height;
  const CcaParams *params = &session->plan_params;
  CcaContext *context = session->context;
  CcaOutput output = session->output;
  CcaPlan *plan = NULL;
  CcaStatus status;
  size_t bytes = 0;

  switch (value % 8) {
    case 0: width = 0; break;
    case 1: height = 0; break;
    case 2: width = CCA_MAX_SIZE + 1 + value; break;
    case 3: height = CCA_MAX_SIZE + 1 + value; break;
    case 4: output = CCA_OUTPUT_MASK + 1 + value; break;
    case 5: context = NULL; break;
    case 6: params = NULL; break;
    case 7:
      *expected = params_expected_status (params, output);
      if (*expected == CCA_OK)
        *expected = CCA_ERROR_INVALID;
      return value & 8 ? cca_plan_new (context, width, height, params, output, NULL)
                       : cca_plan_estimate (context, width, height, params, output, NULL);
  }
  if (value & 64)
    return cca_plan_estimate (context, width, height, params, output, &bytes);
  status = cca_plan_new (context, width, height, params, output, &plan);
  if (plan)
    session_fail (session, "a refused plan was made");
  return status;
}

static CcaStatus
refuse_null (Session *session, uint8_t value, CcaStatus *expected)
{
  CcaMeasurement measurement;
  CcaResult *result = NULL;

  switch (value % 5) {
    case 0: return cca_plan_set_params (NULL, &session->params);
    case 1: return cca_plan_run (NULL, NULL, NULL, NULL, NULL);
    case 2: return cca_result_new (NULL, &result);
    case 3: return cca_result_wait (NULL, &measurement);
    default:
      cca_result_free (NULL);
      cca_plan_free (NULL);
      cca_context_free (NULL);
      return cca_context_new (NULL, NULL);
  }
}

/* --- Frames ------------------------------------------------------------------------------------------ */

/* One of input and output is not as it must be. */
static CcaStatus
run_misfit (Session *session, CcaResult *result, uint8_t value)
{
  uint8_t pixel[4] = { 0 };
  const uint32_t size = MAX (cca_output_pixel_size (session->output), 1), difference = 1 + value / 8;
  CcaImage input = { pixel, session->width, session->width, session->height, CCA_MEMORY_HOST };
  CcaImage output = { pixel, (ptrdiff_t) (session->width * size), session->width, session->height, CCA_MEMORY_HOST };
  CcaImage *misfit = value & 8 ? &output : &input;

  switch (value % 8) {
    case 0: misfit->data = NULL; break;
    case 1: misfit->width += difference; break;
    case 2: misfit->height -= difference; break;
    case 3: misfit->pitch -= (ptrdiff_t) difference; break;
    case 4: misfit->pitch = -misfit->pitch; break;
    case 5: misfit->memory = CCA_MEMORY_DEVICE + difference; break;
    case 6:
      if (fuzz_backend == CCA_BACKEND_CPU)
        misfit->memory = CCA_MEMORY_DEVICE;
      else
        misfit->data = NULL;
      break;
    default: return cca_plan_run (session->plan, NULL, NULL, NULL, result);
  }
  return cca_plan_run (session->plan, &input, &output, NULL, result);
}

/* The result is of a plan of the same size. */
static CcaStatus
run_for_another (Session *session, const CcaImage *input)
{
  CcaStatus status = NOT_TRIED;
  CcaResult *result = NULL;
  CcaPlan *plan = NULL;

  if (cca_plan_new (session->context, session->width, session->height, &session->plan_params, session->output, &plan)
          == CCA_OK
      && cca_result_new (plan, &result) == CCA_OK)
    status = cca_plan_run (session->plan, input, NULL, NULL, result);
  cca_result_free (result);
  cca_plan_free (plan);
  return status;
}

static CcaStatus
refuse_frame (Session *session, uint8_t value, CcaStatus *expected)
{
  uint8_t pixel = 0;
  const CcaImage input = { &pixel, session->width, session->width, session->height, CCA_MEMORY_HOST };
  CcaStatus status = NOT_TRIED;
  CcaMeasurement measurement;
  CcaResult *result = NULL;

  if (session->plan == NULL || cca_result_new (session->plan, &result) != CCA_OK)
    return NOT_TRIED;
  switch (value % 8) {
    case 0: status = cca_result_wait (result, value & 8 ? &measurement : NULL); break;
    case 1: status = cca_result_new (session->plan, NULL); break;
    case 2: status = cca_plan_run (session->plan, &input, NULL, NULL, NULL); break;
    case 3: status = cca_plan_set_params (session->plan, NULL); break;
    case 4:
      if (fuzz_backend == CCA_BACKEND_CPU)
        status = cca_plan_run (session->plan, &input, NULL, &pixel, result);
      break;
    case 5: status = run_for_another (session, &input); break;
    default: status = run_misfit (session, result, read_byte (session->reader)); break;
  }
  cca_result_free (result);
  return status;
}

void
session_read_refusal (Session *session)
{
  static CcaStatus (*const refusals[]) (Session *session, uint8_t value, CcaStatus *expected) = {
    refuse_context,
    refuse_plan,
    refuse_null,
    refuse_frame,
  };
  const uint8_t choice = read_byte (session->reader) % G_N_ELEMENTS (refusals), value = read_byte (session->reader);
  CcaStatus expected = CCA_ERROR_INVALID, status = refusals[choice](session, value, &expected);

  if (status == NOT_TRIED)
    return;
  if (status != expected || cca_last_error ()[0] == '\0')
    session_fail (session, "refusal %u, %u: %s: \"%s\"", choice, value, cca_status_text (status), cca_last_error ());
}
