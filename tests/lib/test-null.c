/* gst-cca: every public function of libcca with NULL for each argument that can be NULL
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The list of functions is made from cca.h; one without a test here does not compile.
 */
#include <glib.h>
#include <string.h>

#include "cca/cca.h"

enum
{
  WIDTH = 8,
  HEIGHT = 4,
};

/* Arguments that are right. */
static CcaContextOptions options;
static CcaContext *context;
static CcaParams params;
static CcaPlan *plan;
static CcaResult *result;
static uint8_t pixels[WIDTH * HEIGHT];
static const CcaImage image = { pixels, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };

/* An argument that is missing is named. */
static void
assert_named (const char *argument)
{
  gchar *words = g_strdup_printf ("%s is NULL", argument);

  g_test_message ("%s", cca_last_error ());
  if (!strstr (cca_last_error (), words))
    g_test_fail_printf ("\"%s\" does not say that %s", cca_last_error (), words);
  g_free (words);
  /* So that the next sentence is not this one. */
  cca_context_new (&(CcaContextOptions) { .backend = 99 }, &context);
}

static void
assert_refused (CcaStatus status, const char *argument)
{
  g_assert_cmpint (status, ==, CCA_ERROR_INVALID);
  assert_named (argument);
}

/* --- Functions without a pointer --------------------------------------------------------------------- */

#define HARMLESS(function, expected)                                                                                   \
  static void null_##function (void)                                                                                   \
  {                                                                                                                    \
    g_assert_true (expected);                                                                                          \
  }
HARMLESS (cca_status_text, cca_status_text (CCA_OK) != NULL)
HARMLESS (cca_last_error, cca_last_error () != NULL)
HARMLESS (cca_version, cca_version () != NULL)
HARMLESS (cca_backend_name, cca_backend_name ((CcaBackend) 99) == NULL)
HARMLESS (cca_algorithms, cca_algorithms ((CcaBackend) 99) != NULL)
HARMLESS (cca_isa_name, cca_isa_name ((CcaIsa) 99) == NULL)
HARMLESS (cca_isa_available, !cca_isa_available ((CcaIsa) 99))
HARMLESS (cca_format_name, cca_format_name ((CcaFormat) 99) == NULL)
HARMLESS (cca_format_pixel_size, cca_format_pixel_size ((CcaFormat) 99) == 0)
HARMLESS (cca_format_max_value, cca_format_max_value ((CcaFormat) 99) == 0)
HARMLESS (cca_output_pixel_size, cca_output_pixel_size ((CcaOutput) 99) == 0)
HARMLESS (cca_stage_name, cca_stage_name ((CcaStage) 99) == NULL)

/* --- Contexts and parameters ------------------------------------------------------------------------- */

static void
null_cca_context_options_init (void)
{
  cca_context_options_init (NULL);
  assert_named ("options");
}

static void
null_cca_context_new (void)
{
  CcaContext *made;

  assert_refused (cca_context_new (&options, NULL), "context");
  g_assert_cmpint (cca_context_new (NULL, &made), ==, CCA_OK);
  cca_context_free (made);
}

static void
null_cca_context_free (void)
{
  cca_context_free (NULL);
}

static void
null_cca_context_backend (void)
{
  g_assert_cmpint (cca_context_backend (NULL), ==, CCA_BACKEND_CPU);
  assert_named ("context");
}

static void
null_cca_context_description (void)
{
  g_assert_null (cca_context_description (NULL));
  assert_named ("context");
}

static void
null_cca_params_init (void)
{
  cca_params_init (NULL);
  assert_named ("params");
}

/* --- Plans ------------------------------------------------------------------------------------------- */

static void
null_cca_plan_estimate (void)
{
  size_t bytes;

  assert_refused (cca_plan_estimate (NULL, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &bytes), "context");
  assert_refused (cca_plan_estimate (context, WIDTH, HEIGHT, NULL, CCA_OUTPUT_NONE, &bytes), "params");
  assert_refused (cca_plan_estimate (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, NULL), "bytes");
}

static void
null_cca_plan_new (void)
{
  CcaPlan *made = NULL;

  assert_refused (cca_plan_new (NULL, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &made), "context");
  assert_refused (cca_plan_new (context, WIDTH, HEIGHT, NULL, CCA_OUTPUT_NONE, &made), "params");
  assert_refused (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, NULL), "plan");
  g_assert_null (made);
}

static void
null_cca_plan_free (void)
{
  cca_plan_free (NULL);
}

static void
null_cca_plan_set_params (void)
{
  assert_refused (cca_plan_set_params (NULL, &params), "plan");
  assert_refused (cca_plan_set_params (plan, NULL), "params");
}

static void
null_cca_plan_set_region (void)
{
  assert_refused (cca_plan_set_region (NULL, &image), "plan");
  g_assert_cmpint (cca_plan_set_region (plan, NULL), ==, CCA_OK);
}

static void
null_cca_plan_set_sensitivity (void)
{
  assert_refused (cca_plan_set_sensitivity (NULL, &image), "plan");
  g_assert_cmpint (cca_plan_set_sensitivity (plan, NULL), ==, CCA_OK);
}

static void
null_cca_plan_hold (void)
{
  assert_refused (cca_plan_hold (NULL, NULL, 0), "plan");
  assert_refused (cca_plan_hold (plan, NULL, 1), "rectangles");
  g_assert_cmpint (cca_plan_hold (plan, NULL, 0), ==, CCA_OK);
}

static void
null_cca_plan_reset (void)
{
  cca_plan_reset (NULL);
  assert_named ("plan");
}

static void
null_cca_plan_algorithm (void)
{
  g_assert_null (cca_plan_algorithm (NULL));
  assert_named ("plan");
}

static void
null_cca_plan_memory (void)
{
  g_assert_cmpuint (cca_plan_memory (NULL), ==, 0);
  assert_named ("plan");
}

/* --- Results ----------------------------------------------------------------------------------------- */

static void
null_cca_result_new (void)
{
  CcaResult *made = NULL;

  assert_refused (cca_result_new (NULL, &made), "plan");
  assert_refused (cca_result_new (plan, NULL), "result");
  g_assert_null (made);
}

static void
null_cca_result_free (void)
{
  cca_result_free (NULL);
}

static void
null_cca_plan_run (void)
{
  const CcaImage empty = { NULL, WIDTH, WIDTH, HEIGHT, CCA_MEMORY_HOST };
  CcaMeasurement measurement;

  assert_refused (cca_plan_run (NULL, &image, NULL, NULL, result), "plan");
  assert_refused (cca_plan_run (plan, NULL, NULL, NULL, result), "input");
  assert_refused (cca_plan_run (plan, &empty, NULL, NULL, result), "input->data");
  assert_refused (cca_plan_run (plan, &image, NULL, NULL, NULL), "result");
  g_assert_cmpint (cca_plan_run (plan, &image, NULL, NULL, result), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
}

static void
null_cca_result_wait (void)
{
  CcaMeasurement measurement;

  g_assert_cmpint (cca_plan_run (plan, &image, NULL, NULL, result), ==, CCA_OK);
  assert_refused (cca_result_wait (NULL, &measurement), "result");
  assert_refused (cca_result_wait (result, NULL), "measurement");
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
}

static void
null_cca_component_ellipse (void)
{
  const CcaComponent component = { .cov_xx = 4, .cov_yy = 1 };
  double major = -1, minor = -1, angle = -1;

  cca_component_ellipse (NULL, &major, &minor, &angle);
  assert_named ("component");
  cca_component_ellipse (&component, NULL, &minor, &angle);
  assert_named ("major");
  cca_component_ellipse (&component, &major, NULL, &angle);
  assert_named ("minor");
  cca_component_ellipse (&component, &major, &minor, NULL);
  assert_named ("angle");
  g_assert_true (major == -1 && minor == -1 && angle == -1);
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  cca_context_options_init (&options);
  cca_params_init (&params);
  g_assert_cmpint (cca_context_new (&options, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
#define F(name) g_test_add_func ("/null/" #name, null_##name);
#include "public-functions.h"
#undef F
  failed = g_test_run ();
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
  return failed;
}
