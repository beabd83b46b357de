/* gst-cca: properties of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <string.h>

enum
{
  WIDTH = 97,
  HEIGHT = 61,
};

static const gchar *const elements[] = { "cca", "ccl", "cudacca", "cudaccl" };

/* The properties that users rely on: names, types, ranges and defaults. */
typedef struct
{
  const gchar *name, *type;
  gint64 min, max, standard;
} Property;

static const Property properties[] = {
  { "connectivity", "enum", 4, 8, 8 },
  { "foreground", "enum", 0, 4, 0 },
  { "preset", "enum", 0, 3, 0 },
  { "threshold", "uint", 0, 65535, 127 },
  { "threshold-low", "uint", 0, 65535, 128 },
  { "threshold-high", "uint", 0, 65535, 255 },
  { "invert", "boolean", 0, 1, FALSE },
  { "denoise", "boolean", 0, 1, FALSE },
  { "close-radius", "uint", 0, 8, 0 },
  { "min-area", "uint", 0, G_MAXUINT, 0 },
  { "max-area", "uint", 0, G_MAXUINT, 0 },
  { "max-components", "uint", 1, 1 << 24, 4096 },
  { "order", "enum", 0, 1, 0 },
  { "covariance", "boolean", 0, 1, FALSE },
  { "overlaps", "boolean", 0, 1, FALSE },
  { "shape", "boolean", 0, 1, FALSE },
  { "intensity", "boolean", 0, 1, FALSE },
  { "coverage", "boolean", 0, 1, FALSE },
  { "motion-model", "enum", 0, 1, CCA_MODEL_SAMPLES },
  { "motion-learning", "uint", 1, G_MAXUINT, 32 },
  { "motion-learning-time", "uint64", 0, G_MAXINT64, 0 },
  { "motion-period", "uint", 1, G_MAXUINT, 4 },
  { "motion-period-time", "uint64", 0, G_MAXINT64, 0 },
  { "motion-amplification", "uint", 1, 16, 2 },
  { "motion-min", "uint", 1, 65535, 16 },
  { "motion-max", "uint", 1, 65535, 64 },
  { "motion-tolerance", "uint", 1, 64, 10 },
  { "motion-shadows", "boolean", 0, 1, FALSE },
  { "absorb-time", "uint64", 0, G_MAXINT64, 60 * GST_SECOND },
  { "post-messages", "boolean", 0, 1, TRUE },
  { "message-interval", "uint64", 0, G_MAXINT64, 0 },
  { "message-max-components", "uint", 0, 1 << 24, 1024 },
  { "emit", "flags", 0, 7, 1 },
};

static gboolean
is_cuda (const gchar *element)
{
  return g_str_has_prefix (element, "cuda");
}

/* Sets a property of any type by its number, which GObject transforms. */
static void
set_number (GObject *object, GParamSpec *pspec, gint64 number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, number);
  g_object_set_property (object, pspec->name, &value);
}

static gint64
get_number (GObject *object, GParamSpec *pspec)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT64);
  g_object_get_property (object, pspec->name, &value);
  return g_value_get_int64 (&value);
}

static void
check_property (GstElement *element, const Property *property)
{
  GObject *object = G_OBJECT (element);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), property->name);

  g_assert_nonnull (pspec);
  g_assert_true (pspec->flags & G_PARAM_WRITABLE);
  g_assert_true (pspec->flags & GST_PARAM_MUTABLE_PLAYING);
  if (g_str_equal (property->type, "enum"))
    g_assert_true (G_IS_PARAM_SPEC_ENUM (pspec));
  else if (g_str_equal (property->type, "flags"))
    g_assert_true (G_IS_PARAM_SPEC_FLAGS (pspec));
  else if (g_str_equal (property->type, "boolean"))
    g_assert_true (G_IS_PARAM_SPEC_BOOLEAN (pspec));
  else if (g_str_equal (property->type, "uint64"))
    g_assert_true (G_IS_PARAM_SPEC_UINT64 (pspec));
  else
    g_assert_true (G_IS_PARAM_SPEC_UINT (pspec));
  if (G_IS_PARAM_SPEC_UINT (pspec)) {
    g_assert_cmpuint (G_PARAM_SPEC_UINT (pspec)->minimum, ==, property->min);
    g_assert_cmpuint (G_PARAM_SPEC_UINT (pspec)->maximum, ==, property->max);
  }
  g_assert_cmpint (get_number (object, pspec), ==, property->standard);
  set_number (object, pspec, property->max);
  g_assert_cmpint (get_number (object, pspec), ==, property->max);
  set_number (object, pspec, property->min);
  g_assert_cmpint (get_number (object, pspec), ==, property->min);
  set_number (object, pspec, property->standard);
  g_assert_cmpint (get_number (object, pspec), ==, property->standard);
}

static void
test_table (gconstpointer data)
{
  g_autoptr (GstElement) element = gst_element_factory_make (data, NULL);

  g_assert_nonnull (element);
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    check_property (element, &properties[i]);
}

/* Properties that only some elements have. */
static void
test_own (gconstpointer data)
{
  const gchar *name = data;
  const Property threads = { "n-threads", "uint", 1, 64, 1 };
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  GParamSpec *device = g_object_class_find_property (klass, "cuda-device-id");
  GParamSpec *output = g_object_class_find_property (klass, "output");

  if (is_cuda (name)) {
    g_assert_null (g_object_class_find_property (klass, "n-threads"));
    g_assert_true (G_IS_PARAM_SPEC_INT (device));
    g_assert_cmpint (G_PARAM_SPEC_INT (device)->minimum, ==, -1);
    g_assert_cmpint (get_number (G_OBJECT (element), device), ==, -1);
    g_assert_true (device->flags & GST_PARAM_MUTABLE_READY);
    g_assert_false (device->flags & GST_PARAM_MUTABLE_PLAYING & ~GST_PARAM_MUTABLE_READY);
    set_number (G_OBJECT (element), device, 3);
    g_assert_cmpint (get_number (G_OBJECT (element), device), ==, 3);
  } else {
    g_assert_null (device);
    check_property (element, &threads);
  }
  if (g_str_has_suffix (name, "ccl")) {
    g_assert_true (G_IS_PARAM_SPEC_ENUM (output));
    g_assert_true (output->flags & GST_PARAM_MUTABLE_READY);
    g_assert_false (output->flags & GST_PARAM_MUTABLE_PLAYING & ~GST_PARAM_MUTABLE_READY);
    for (gint i = 2; i >= 0; i--) {
      static const gchar *const nicks[] = { "colors", "labels", "mask" };

      gst_util_set_object_arg (G_OBJECT (element), "output", nicks[i]);
      g_assert_cmpint (get_number (G_OBJECT (element), output), ==, i);
    }
  } else {
    g_assert_null (output);
  }
}

/* Sets by nick, as on a command line, and checks the number. */
static void
check_nick (GstElement *element, const gchar *property, const gchar *nick, gint number)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);

  gst_util_set_object_arg (G_OBJECT (element), property, nick);
  g_assert_cmpint (get_number (G_OBJECT (element), pspec), ==, number);
}

static gboolean
is_refused (GstElement *element, const gchar *property, gint number)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);
  GValue value = G_VALUE_INIT;
  gboolean changed;

  g_value_init (&value, pspec->value_type);
  g_value_set_enum (&value, number);
  changed = g_param_value_validate (pspec, &value);
  g_value_unset (&value);
  return changed;
}

static void
test_nicks (gconstpointer data)
{
  g_autoptr (GstElement) element = gst_element_factory_make (data, NULL);
  gint connectivity;

  check_nick (element, "foreground", "threshold", CCA_FOREGROUND_THRESHOLD);
  check_nick (element, "foreground", "range", CCA_FOREGROUND_RANGE);
  check_nick (element, "foreground", "values", CCA_FOREGROUND_VALUES);
  check_nick (element, "foreground", "motion", CCA_FOREGROUND_MOTION);
  check_nick (element, "motion-model", "sigma-delta", CCA_MODEL_SIGMA_DELTA);
  check_nick (element, "motion-model", "samples", CCA_MODEL_SAMPLES);
  check_nick (element, "foreground", "nonzero", CCA_FOREGROUND_NONZERO);
  check_nick (element, "order", "area", CCA_ORDER_AREA);
  check_nick (element, "order", "raster", CCA_ORDER_RASTER);
  check_nick (element, "emit", "cca+roi", 3);
  check_nick (element, "emit", "analytics", 4);
  check_nick (element, "emit", "roi+analytics", 6);
  check_nick (element, "connectivity", "4", 4);
  check_nick (element, "connectivity", "8", 8);
  g_object_set (element, "connectivity", 4, NULL);
  g_object_get (element, "connectivity", &connectivity, NULL);
  g_assert_cmpint (connectivity, ==, 4);
  for (gint i = -1; i < 12; i++)
    g_assert_cmpint (is_refused (element, "connectivity", i), ==, i != 4 && i != 8);
}

/* "auto" and the backend's registry, nothing else. */
static void
test_algorithms (gconstpointer data)
{
  const CcaBackend backend = is_cuda (data) ? CCA_BACKEND_CUDA : CCA_BACKEND_CPU;
  const guint needed = CCA_CAN_ANALYSE | (g_str_has_suffix (data, "ccl") ? CCA_CAN_LABEL : 0);
  const CcaAlgorithm *const *algorithms = cca_algorithms (backend);
  g_autoptr (GstElement) element = gst_element_factory_make (data, NULL);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), "algorithm");
  GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  guint n = 1;

  g_assert_true (pspec->flags & GST_PARAM_MUTABLE_PLAYING);
  g_assert_cmpstr (g_enum_get_value (klass, (gint) get_number (G_OBJECT (element), pspec))->value_nick, ==, "auto");
  for (guint i = 0; algorithms[i]; i++) {
    const GEnumValue *value = g_enum_get_value_by_nick (klass, algorithms[i]->name);

    if ((algorithms[i]->capabilities & needed) != needed)
      continue;
    g_assert_nonnull (value);
    g_assert_nonnull (strstr (value->value_name, algorithms[i]->description));
    g_assert_nonnull (strstr (value->value_name, algorithms[i]->source));
    check_nick (element, "algorithm", algorithms[i]->name, value->value);
    n++;
  }
  check_nick (element, "algorithm", "auto", 0);
  g_assert_cmpuint (klass->n_values, ==, n);
}

static void
assert_switch (GstElement *element, const gchar *name, gboolean expected)
{
  gboolean on;

  g_object_get (element, name, &on, NULL);
  g_assert_cmpint (on, ==, expected);
}

/* On for motion unless somebody said otherwise. */
static void
test_follows_motion (gconstpointer name)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("cca", NULL);

  assert_switch (element, name, FALSE);
  gst_util_set_object_arg (G_OBJECT (element), "foreground", "motion");
  assert_switch (element, name, TRUE);
  gst_util_set_object_arg (G_OBJECT (element), "foreground", "range");
  assert_switch (element, name, FALSE);
  g_object_set (element, name, TRUE, NULL);
  assert_switch (element, name, TRUE);
  g_object_set (element, name, FALSE, NULL);
  gst_util_set_object_arg (G_OBJECT (element), "foreground", "motion");
  assert_switch (element, name, FALSE);
}

/* Pushes a frame and compares with libcca under the parameters that the element should have by now. */
static void
check_next_frame (GstHarness *harness, const CcaParams *params, guint seed)
{
  g_autoptr (TestReference) reference = test_reference_of_frame (WIDTH, HEIGHT, params, seed);
  g_autoptr (GstBuffer) buffer = test_pass_frame (harness, seed);

  test_assert_meta (buffer, reference);
}

static void
set_and_check (GstHarness *harness, const gchar *property, const gchar *value, const CcaParams *params)
{
  gst_util_set_object_arg (G_OBJECT (harness->element), property, value);
  check_next_frame (harness, params, 7);
}

#define CHANGE(member, number, property, value)                                                                        \
  (params.member = (number), set_and_check (harness, property, value, &params))

/* Every change counts from the next frame on. */
static void
test_playing (gconstpointer data)
{
  g_autoptr (GstHarness) harness = test_harness (data, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  CcaParams params;

  cca_params_init (&params);
  check_next_frame (harness, &params, 7);
  CHANGE (foreground, CCA_FOREGROUND_THRESHOLD, "foreground", "threshold");
  CHANGE (threshold, 16, "threshold", "16");
  CHANGE (connectivity, 4, "connectivity", "4");
  CHANGE (algorithm, "two-pass", "algorithm", "two-pass");
  CHANGE (invert, true, "invert", "true");
  CHANGE (close_radius, 1, "close-radius", "1");
  CHANGE (denoise, true, "denoise", "true");
  params.close_radius = 0;
  params.denoise = false;
  gst_util_set_object_arg (G_OBJECT (harness->element), "close-radius", "0");
  set_and_check (harness, "denoise", "false", &params);
  CHANGE (coverage_cell, 2, "coverage", "true");
  CHANGE (coverage_cell, 0, "coverage", "false");
  CHANGE (min_area, 3, "min-area", "3");
  CHANGE (max_area, 60, "max-area", "60");
  CHANGE (min_width, 2, "min-width", "2");
  CHANGE (max_width, 20, "max-width", "20");
  CHANGE (min_height, 2, "min-height", "2");
  CHANGE (max_height, 18, "max-height", "18");
  CHANGE (order, CCA_ORDER_AREA, "order", "area");
  CHANGE (max_components, 2, "max-components", "2");
  CHANGE (covariance, true, "covariance", "true");
  CHANGE (shape, true, "shape", "true");
  CHANGE (intensity, true, "intensity", "true");
  CHANGE (n_threads, 2, "n-threads", "2");
  params.foreground = CCA_FOREGROUND_RANGE;
  params.high = 200;
  gst_util_set_object_arg (G_OBJECT (harness->element), "foreground", "range");
  set_and_check (harness, "threshold-high", "200", &params);
  CHANGE (low, 127, "threshold-low", "127");
  params.foreground = CCA_FOREGROUND_VALUES;
  params.invert = false;
  gst_util_set_object_arg (G_OBJECT (harness->element), "invert", "false");
  set_and_check (harness, "foreground", "values", &params);
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* Frames, components, times, algorithm, backend. */
static void
test_stats (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca algorithm=two-pass", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  guint64 frames, components, expected = 0, time, label_time = 0;
  GstStructure *stats;

  for (guint i = 0; i < 5; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_push_and_pull (harness, test_frame (&info, i));

    expected += gst_buffer_get_cca_meta (buffer)->n_components;
  }
  g_object_get (harness->element, "stats", &stats, NULL);
  g_assert_true (gst_structure_has_name (stats, "cca-stats"));
  g_assert_true (gst_structure_get_uint64 (stats, "frames", &frames));
  g_assert_true (gst_structure_get_uint64 (stats, "components", &components));
  g_assert_cmpuint (frames, ==, 5);
  g_assert_cmpuint (components, ==, expected);
  for (guint i = 0; i < CCA_N_STAGES; i++) {
    g_autofree gchar *name = g_strconcat (cca_stage_name (i), "-time", NULL);

    g_assert_true (gst_structure_get_uint64 (stats, name, &time));
    if (i == CCA_STAGE_LABEL)
      label_time = time;
  }
  g_assert_cmpuint (label_time, >, 0);
  g_assert_cmpstr (gst_structure_get_string (stats, "algorithm"), ==, "two-pass");
  g_assert_nonnull (gst_structure_get_string (stats, "backend"));
  gst_structure_free (stats);

  /* A new start counts anew. */
  gst_element_set_state (harness->element, GST_STATE_READY);
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  g_object_get (harness->element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, "frames", &frames));
  g_assert_cmpuint (frames, ==, 0);
  gst_structure_free (stats);
}

/* Without a usable GPU, one error names the reason and the element to use instead. */
static void
test_unavailable (gconstpointer data)
{
  CcaContextOptions options;
  CcaContext *context;
  g_autoptr (GstElement) element = NULL;
  GstMessage *message;
  GError *error = NULL;
  gchar *twin;
  g_autoptr (GstBus) bus = NULL;

  cca_context_options_init (&options);
  options.backend = CCA_BACKEND_CUDA;
  if (cca_context_new (&options, &context) == CCA_OK) {
    cca_context_free (context);
    g_test_skip ("a GPU is available here");
    return;
  }
  element = gst_element_factory_make (data, NULL);
  bus = gst_bus_new ();
  gst_element_set_bus (element, bus);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpint (gst_element_set_state (element, i ? GST_STATE_PLAYING : GST_STATE_READY), ==,
                     GST_STATE_CHANGE_FAILURE);
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    g_assert_nonnull (message);
    gst_message_parse_error (message, &error, NULL);
    g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND);
    twin = g_strdup_printf ("use \"%s\" instead", (const gchar *) data + strlen ("cuda"));
    g_assert_true (g_str_has_prefix (error->message, cca_last_error ()));
    g_assert_cmpuint (strlen (cca_last_error ()), >, 10);
    g_assert_nonnull (strstr (error->message, twin));
    g_free (twin);
    g_clear_error (&error);
    gst_message_unref (message);
    g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING));
    gst_element_set_state (element, GST_STATE_NULL);
  }
  gst_element_set_bus (element, NULL);
}

GST_CASES_MAIN ()
{
  add_strings ("/properties/table", elements, G_N_ELEMENTS (elements), test_table);
  add_strings ("/properties/own", elements, G_N_ELEMENTS (elements), test_own);
  add_strings ("/properties/nicks", elements, G_N_ELEMENTS (elements), test_nicks);
  add_strings ("/properties/algorithms", elements, G_N_ELEMENTS (elements), test_algorithms);
  ADD_STRINGS ("/properties", test_follows_motion, "denoise", "coverage");
  ADD_STRINGS ("/properties/playing", test_playing, "cca", "ccl");
  g_test_add_func ("/properties/stats", test_stats);
  ADD_STRINGS ("/properties/unavailable", test_unavailable, "cudacca", "cudaccl");
}
