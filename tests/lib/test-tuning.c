/* gst-cca: the algorithm that the CUDA backend's `auto` chooses
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The table is the backend's own, compiled in. On the null device of fake-cuda/ every line of it is tried, on a GPU the
 * one that serves it.
 */
#include <glib.h>

#include "../add-tests.h"
#include "cuda/tuning.h"
#include "compare.h"
#include "device.h"

/* A generation that has no line. */
#define UNKNOWN 10009

static const CcaAlgorithm *
find_algorithm (const char *name)
{
  for (const CcaAlgorithm *const *a = cca_algorithms (CCA_BACKEND_CUDA); *a; a++)
    if (g_str_equal ((*a)->name, name))
      return *a;
  return NULL;
}

static void
check_steps (int generation, const char *task, const CcaTuningStep *steps, uint32_t needed)
{
  size_t n = 0;

  do {
    const CcaTuningStep *step = &steps[n];
    const CcaAlgorithm *algorithm = step->algorithm ? find_algorithm (step->algorithm) : NULL;

    g_test_message ("%d, %s: %s", generation, task, step->algorithm);
    if (algorithm == NULL)
      g_test_fail_printf ("generation %d, %s: algorithm \"%s\" is not in the registry", generation, task,
                          step->algorithm ? step->algorithm : "");
    else if ((algorithm->capabilities & needed) != needed)
      g_test_fail_printf ("generation %d, %s: algorithm \"%s\" cannot do it", generation, task, step->algorithm);
    if (n > 0 && step->max_pixels <= steps[n - 1].max_pixels)
      g_test_fail_printf ("generation %d, %s: the sizes of step %zu do not grow", generation, task, n);
  } while (steps[n].max_pixels != CCA_ANY_SIZE && ++n < CCA_TUNING_STEPS);
  if (n == CCA_TUNING_STEPS)
    g_test_fail_printf ("generation %d, %s: no step is for CCA_ANY_SIZE", generation, task);
}

static bool
steps_equal (const CcaTuningStep *steps, const CcaTuningStep *others)
{
  size_t i = 0;

  while (g_strcmp0 (steps[i].algorithm, others[i].algorithm) == 0 && steps[i].max_pixels == others[i].max_pixels)
    if (steps[i++].max_pixels == CCA_ANY_SIZE)
      return true;
  return false;
}

static void
test_table (void)
{
  const CcaTuning *line = cca_tunings, *last = cca_tunings;

  while (last->generation != 0)
    last++;

  for (;; line++) {
    check_steps (line->generation, "analysis", line->analysis, CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE);
    check_steps (line->generation, "labels", line->labels, CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_LABEL);
    for (const CcaTuning *earlier = cca_tunings; earlier < line; earlier++)
      if (earlier->generation == line->generation)
        g_test_fail_printf ("generation %d has two lines", line->generation);
    if (line->generation == 0)
      break;
    if (steps_equal (line->analysis, last->analysis) && steps_equal (line->labels, last->labels))
      g_test_fail_printf ("generation %d has the line of all others", line->generation);
  }
}

/* Checks that a plan for n_pixels chooses the algorithm of the table. */
static void
check_choice (CcaContext *context, int generation, CcaOutput output, uint64_t n_pixels)
{
  const uint32_t width = n_pixels > 1 << 12 ? 1 << 12 : (uint32_t) n_pixels, height = (uint32_t) (n_pixels / width);
  const CcaAlgorithm *fastest =
      find_algorithm (cca_tuning_fastest (generation, output != CCA_OUTPUT_NONE, (uint64_t) width * height));
  CcaParams params;
  CcaPlan *plan;

  g_assert_nonnull (fastest);
  cca_params_init (&params);
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t values = i / 2 ? CCA_CAN_VALUES : 0;

    params.connectivity = i % 2 ? 8 : 4;
    params.foreground = values ? CCA_FOREGROUND_VALUES : CCA_FOREGROUND_NONZERO;
    g_assert_cmpint (cca_plan_new (context, width, height, &params, output, &plan), ==, CCA_OK);
    if ((fastest->capabilities & values) == values)
      g_assert_cmpstr (cca_plan_algorithm (plan)->name, ==, fastest->name);
    g_assert_cmpuint (cca_plan_algorithm (plan)->capabilities & values, ==, values);
    cca_plan_free (plan);
  }
}

/* Small frames, and those on both sides of every border between steps. */
static void
check_task (CcaContext *context, int generation, CcaOutput output, const CcaTuningStep *steps)
{
  check_choice (context, generation, output, 1);
  for (; steps->max_pixels != CCA_ANY_SIZE; steps++) {
    check_choice (context, generation, output, steps->max_pixels);
    check_choice (context, generation, output, steps->max_pixels + (1 << 12));
  }
}

/* `auto` on the device that is there, by the line that serves it. */
static void
check_auto (const CcaTuning *line)
{
  const int generation = device_generation (0);
  CcaContextOptions options;
  CcaContext *context;

  g_test_message ("generation %d by the line of %d", generation, line->generation);
  cca_context_options_init (&options);
  options.backend = CCA_BACKEND_CUDA;
  g_assert_cmpint (cca_context_new (&options, &context), ==, CCA_OK);
  check_task (context, generation, CCA_OUTPUT_NONE, line->analysis);
  check_task (context, generation, CCA_OUTPUT_LABELS_U32, line->labels);
  cca_context_free (context);
}

static void
pretend (int generation)
{
  g_autofree char *text = g_strdup_printf ("%d", generation);

  g_setenv ("NULL_DEVICE_GENERATION", text, TRUE);
}

static void
test_auto (void)
{
  const CcaTuning *line = cca_tunings;

  if (device_count () == 0) {
    g_test_skip ("there is no GPU");
    return;
  }
  pretend (UNKNOWN);
  if (device_generation (0) != UNKNOWN) {
    while (line->generation != 0 && line->generation != device_generation (0))
      line++;
    check_auto (line);
    return;
  }
  for (; line->generation != 0; line++) {
    pretend (line->generation);
    check_auto (line);
  }
  pretend (UNKNOWN);
  check_auto (line);
}

CASES_MAIN ()
{
  g_test_add_func ("/tuning/table", test_table);
  g_test_add_func ("/tuning/auto", test_auto);
}
