/* gst-cca: frames with parameters, run through a target and compared with the oracle
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cases.h"

#include "compare.h"

#define N_OUTPUTS (CCA_OUTPUT_MASK + 1)

static void
case_free (void *data)
{
  Case *test_case = data;

  g_free (test_case->name);
  g_free (test_case->pixels);
  oracle_frame_free (test_case->expected);
  g_free (test_case);
}

GPtrArray *
cases_new (void)
{
  return g_ptr_array_new_with_free_func (case_free);
}

Case *
cases_add (GPtrArray *cases, uint32_t width, uint32_t height, uint32_t connectivity, const char *format, ...)
{
  Case *test_case = g_new0 (Case, 1);
  va_list args;

  va_start (args, format);
  test_case->name = g_strdup_vprintf (format, args);
  va_end (args);
  test_case->width = width;
  test_case->height = height;
  test_case->pixels = g_malloc ((size_t) width * height);
  cca_params_init (&test_case->params);
  test_case->params.connectivity = connectivity;
  test_case->params.max_components = CCA_MAX_COMPONENTS;
  test_case->params.stage_interval = cases->len % 2; /* a GPU takes frames that are timed another way */
  test_case->params.shape = cases->len % 3 != 1;
  test_case->params.intensity = cases->len % 3 != 0;
  g_ptr_array_add (cases, test_case);
  return test_case;
}

void
case_set_format (Case *test_case, CcaFormat format, CcaMatrix matrix)
{
  test_case->params.format = format;
  test_case->params.matrix = matrix;
  g_free (test_case->pixels);
  test_case->pixels = g_malloc ((size_t) test_case->width * test_case->height * cca_format_pixel_size (format));
}

void
put_pixel (Random *random, CcaFormat format, uint8_t *pixel, uint32_t value)
{
  const uint32_t size = cca_format_pixel_size (format);

  for (uint32_t i = 0; i < size; i++)
    pixel[i] = (uint8_t) random_next (random);
  switch (format) {
    case CCA_FORMAT_GRAY8:
    case CCA_FORMAT_YUY2: pixel[0] = (uint8_t) value; break;
    case CCA_FORMAT_UYVY:
    case CCA_FORMAT_P010: pixel[1] = (uint8_t) value; break;
    case CCA_FORMAT_RGBX:
    case CCA_FORMAT_BGRX: memset (pixel, (uint8_t) value, 3); break;
    case CCA_FORMAT_GRAY16_LE: pixel[0] = (uint8_t) value, pixel[1] = (uint8_t) (value >> 8); break;
    case CCA_FORMAT_GRAY16_BE: pixel[1] = (uint8_t) value, pixel[0] = (uint8_t) (value >> 8); break;
  }
}

const OracleFrame *
case_expected (Case *test_case)
{
  if (!test_case->expected) {
    const OracleParams params = compare_oracle_params (&test_case->params);
    test_case->expected = oracle_run (&params, NULL, test_case->pixels, test_case->width, test_case->height);
  }
  return test_case->expected;
}

bool
check_same (char *difference, const char *format, ...)
{
  va_list args;
  g_autofree char *what = NULL;

  if (!difference)
    return true;
  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_test_fail_printf ("%s: %s", what, difference);
  g_free (difference);
  return false;
}

bool
check_ok (CcaStatus status, const char *format, ...)
{
  va_list args;
  g_autofree char *what = NULL;

  if (status == CCA_OK)
    return true;
  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_test_fail_printf ("%s: %s: %s", what, cca_status_text (status), cca_last_error ());
  return false;
}

/* The plans for the size at hand, one for each output. */
typedef struct
{
  CcaPlan *plan;
  CcaResult *result;
} Slot;

static void
slots_clear (Slot *slots)
{
  for (size_t i = 0; i < N_OUTPUTS; i++) {
    cca_result_free (slots[i].result);
    cca_plan_free (slots[i].plan);
    slots[i] = (Slot) { NULL, NULL };
  }
}

static bool
run_case (CcaContext *context, Slot *slot, Case *test_case, const CcaParams *params, CcaOutput output, Layout layout)
{
  CcaStatus status;

  layout.format = params->format;
  if (slot->plan) {
    status = cca_plan_set_params (slot->plan, params);
  } else {
    status = cca_plan_new (context, test_case->width, test_case->height, params, output, &slot->plan);
    if (status == CCA_OK)
      status = cca_result_new (slot->plan, &slot->result);
  }
  return check_ok (status, "%s, %u threads, output %d", test_case->name, params->n_threads, output)
         && check_same (
             compare_run (slot->plan, slot->result, output, layout, test_case->pixels, case_expected (test_case)),
             "%s, %u threads, output %d, offset %u, gap %u", test_case->name, params->n_threads, output, layout.offset,
             layout.gap);
}

void
cases_run (CcaContext *context, const Target *target, GPtrArray *cases, bool every_output)
{
  const bool copied = target_copies (target);
  const guint stride = cases->len <= 20 ? 1 : copied && cases->len > 50 ? MAX (4, FRAME_STRIDE) : FRAME_STRIDE;
  Slot slots[N_OUTPUTS] = { 0 };
  uint32_t turn = 0;
  bool same = true;

  for (const uint32_t *threads = target_threads (target); *threads && same; threads++) {
    uint32_t width = 0, height = 0;

    for (guint i = copied ? 0 : (target->isa + *threads) % stride; i < cases->len && same; i += stride) {
      Case *test_case = cases->pdata[i];
      CcaParams params = test_case->params;

      params.algorithm = target->algorithm->name;
      params.n_threads = *threads;
      if (test_case->width != width || test_case->height != height)
        slots_clear (slots);
      width = test_case->width;
      height = test_case->height;
      for (int output = 0; output < N_OUTPUTS && same; output++) {
        const bool in_turn = turn % N_OUTPUTS == (uint32_t) output;

        if (!compare_can (target->algorithm, &params, output)
            || (!in_turn && !(every_output && *threads == 1 && !copied && FRAME_STRIDE == 1)))
          continue;
        same = run_case (context, &slots[output], test_case, &params, output, target_layout (target, turn));
      }
      turn++;
    }
    slots_clear (slots);
  }
}

typedef struct
{
  void (*fill) (GPtrArray *cases);
  GPtrArray *cases; /* NULL: not filled yet */
  bool every_output;
} SharedCases;

static void
run_shared (CcaContext *context, const Target *target, void *data)
{
  SharedCases *shared = data;

  if (!shared->cases)
    shared->fill (shared->cases = cases_new ());
  cases_run (context, target, shared->cases, shared->every_output);
}

void
cases_add_test (const char *path, void (*fill) (GPtrArray *cases), bool every_output,
                bool (*applies) (const Target *target))
{
  static GSList *kept; /* to the end of the program */
  SharedCases *shared = g_new0 (SharedCases, 1);

  kept = g_slist_prepend (kept, shared);
  shared->fill = fill;
  shared->every_output = every_output;
  targets_add_image_data_test (path, run_shared, shared, applies);
}
