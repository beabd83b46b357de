/* gst-cca: settings of the elements that contradict each other, and settings without effect
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <string.h>

enum
{
  WIDTH = 97,
  HEIGHT = 61,
};

/* Pushes a frame and compares with libcca under the parameters that the element should have by now. */
static void
check_next_frame (GstHarness *harness, TestReference *reference, guint seed)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autoptr (GstBuffer) buffer = test_pass (harness, test_frame (&info, seed));

  test_reference_run (reference, seed);
  test_assert_meta (buffer, reference);
}

/* Pairs of which the first must not exceed the second. */
typedef struct
{
  const gchar *low, *high, *foreground;
} Pair;

static const Pair pairs[] = {
  { "threshold-low", "threshold-high", "range" },
  { "min-area", "max-area", "nonzero" },
  { "motion-min", "motion-max", "motion motion-model=sigma-delta" },
};

static GstHarness *
pair_harness (const Pair *pair, guint low, guint high)
{
  g_autofree gchar *launch =
      g_strdup_printf ("cca foreground=%s %s=%u %s=%u", pair->foreground, pair->low, low, pair->high, high);
  GstHarness *harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  return harness;
}

/* Asserts that a text names both properties, their values, and the remedy. */
static void
assert_names_pair (gchar *text, const Pair *pair, guint low, guint high)
{
  g_autofree gchar *expected =
      g_strdup_printf ("%s is %u and %s is %u; %s must not exceed %s: lower the one or raise the other", pair->low, low,
                       pair->high, high, pair->low, pair->high);

  if (!g_str_has_prefix (text, expected))
    g_error ("\"%s\" does not begin with \"%s\"", text, expected);
  g_free (text);
}

/* Contradicting values while playing are one warning, and the stream keeps the last settings. */
static void
test_contradiction (gconstpointer data)
{
  const Pair *pair = data;
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = pair_harness (pair, 20, 100);

  gst_buffer_unref (test_pass (harness, test_frame (&info, 8)));
  g_object_set (harness->element, pair->high, 19, NULL);
  gst_buffer_unref (test_pass (harness, test_frame (&info, 8)));
  assert_names_pair (test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING)), pair, 20, 19);
  gst_buffer_unref (test_pass (harness, test_frame (&info, 9)));
  g_object_set (harness->element, pair->low, 7, NULL);
  gst_buffer_unref (test_pass (harness, test_frame (&info, 10)));
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* The settings from before stay until the others agree. */
static void
test_contradiction_frames (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=range", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (TestReference) before = NULL, after = NULL;
  CcaParams params;

  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_RANGE;
  before = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
  params.low = 16;
  params.high = 100;
  after = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
  check_next_frame (harness, before, 8);
  g_object_set (harness->element, "threshold-high", 100, NULL);
  check_next_frame (harness, before, 8);
  check_next_frame (harness, before, 9);
  g_object_set (harness->element, "threshold-low", 16, NULL);
  check_next_frame (harness, after, 10);
}

/* The frame size changes before or after the first warning: the new size gives a warning, too. */
static void
test_contradiction_new_size (gconstpointer data)
{
  const Pair *pair = data;
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT), wide = test_video_info ("GRAY8", 131, HEIGHT);

  for (guint seen = 0; seen <= 1; seen++) {
    g_autoptr (GstHarness) harness = pair_harness (pair, 20, 100);

    gst_buffer_unref (test_pass (harness, test_frame (&info, 8)));
    g_object_set (harness->element, pair->high, 19, NULL);
    if (seen) {
      gst_buffer_unref (test_pass (harness, test_frame (&info, 8)));
      assert_names_pair (test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING)), pair, 20, 19);
    }
    gst_harness_set_src_caps (harness, test_caps ("GRAY8", 131, HEIGHT, NULL));
    gst_buffer_unref (test_pass (harness, test_frame (&wide, 8)));
    assert_names_pair (test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING)), pair, 20, 19);
    g_object_set (harness->element, pair->low, 7, NULL);
    gst_buffer_unref (test_pass (harness, test_frame (&wide, 10)));
    test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  }
}

/* At the new size the last valid settings apply, with values that depend on the new caps. */
static void
test_contradiction_new_size_frames (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca max-area=50", test_caps ("GRAY8", 33, 20, NULL));
  const GstVideoInfo info = test_video_info ("GRAY8", 33, 20);
  TestReference *reference;
  GstBuffer *buffer;
  CcaParams params;

  gst_buffer_unref (test_pass (harness, test_frame (&info, 8)));
  g_object_set (harness->element, "min-area", 100, NULL);
  gst_buffer_unref (test_pass (harness, test_frame (&info, 8)));
  cca_params_init (&params);
  params.max_area = 50;
  for (guint limited = 0; limited <= 1; limited++) {
    const gchar *format = limited ? "I420" : "GRAY8", *range = limited ? "colorimetry=(string)bt709" : NULL;
    const GstVideoInfo next = test_video_info (format, WIDTH, HEIGHT);

    params.black = limited ? 16 : 0;
    reference = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
    test_reference_run (reference, 9);
    gst_harness_set_src_caps (harness, test_caps (format, WIDTH, HEIGHT, range));
    buffer = test_pass (harness, test_frame (&next, 9));
    test_assert_meta (buffer, reference);
    gst_buffer_unref (buffer);
    test_reference_free (reference);
  }
  test_assert_no_message (harness, GST_MESSAGE_ERROR);

  /* A start has no settings from before. */
  gst_element_set_state (harness->element, GST_STATE_READY);
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", 33, 20, NULL));
  g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 8)), ==, GST_FLOW_NOT_NEGOTIATED);
  gst_message_unref (test_pop_message (harness, GST_MESSAGE_ERROR));
}

/* The same from the start: an error. */
static void
test_contradiction_at_start (gconstpointer data)
{
  const Pair *pair = data;
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = pair_harness (pair, 9, 5);

  g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 0)), ==, GST_FLOW_NOT_NEGOTIATED);
  assert_names_pair (test_message_text (test_pop_message (harness, GST_MESSAGE_ERROR)), pair, 9, 5);
  /* One error, however often the caps are tried. */
  gst_harness_push (harness, test_frame (&info, 1));
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
}

/* A property that foreground=values ignores: the same components, and a warning that names it, once. */
static void
test_without_effect (gconstpointer data)
{
  const gchar *setting = data;
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_auto (GStrv) words = g_strsplit (setting, "=", 2);
  g_autofree gchar *pattern = g_strdup_printf ("foreground=values ignores *%s*", words[0]);
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=values", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (TestReference) reference = NULL;
  CcaParams params;

  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_VALUES;
  reference = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
  check_next_frame (harness, reference, 8);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  for (guint i = 0; i < 2; i++) {
    gst_util_set_object_arg (G_OBJECT (harness->element), words[0], words[1]);
    for (guint j = 0; j < 3; j++) {
      check_next_frame (harness, reference, 8 + j);
      g_object_set (harness->element, "threshold", j, NULL);
    }
    test_assert_warning (harness, pattern);
    test_assert_no_message (harness, GST_MESSAGE_ERROR);
    gst_util_set_object_arg (G_OBJECT (harness->element), words[0], "0");
    check_next_frame (harness, reference, 8);
    test_assert_no_message (harness, GST_MESSAGE_WARNING);
  }
  /* With another foreground it has its effect. */
  gst_util_set_object_arg (G_OBJECT (harness->element), "foreground", "threshold");
  gst_util_set_object_arg (G_OBJECT (harness->element), words[0], words[1]);
  gst_buffer_unref (test_pass (harness, test_frame (&info, 8)));
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

static GstBuffer *
plain_frame (guint8 value, guint n_black_rows)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  const gsize size = GST_VIDEO_INFO_SIZE (&info), black = n_black_rows * (gsize) GST_VIDEO_INFO_PLANE_STRIDE (&info, 0);
  GstBuffer *buffer = gst_buffer_new_and_alloc (size);

  gst_buffer_memset (buffer, 0, value, size);
  gst_buffer_memset (buffer, size - black, 0, black);
  return buffer;
}

static guint
count_hints (GstHarness *harness)
{
  GstMessage *message;
  guint n = 0;

  while ((message = test_pop_message (harness, GST_MESSAGE_INFO))) {
    GError *info = NULL;

    gst_message_parse_info (message, &info, NULL);
    g_assert_error (info, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS);
    g_assert_nonnull (strstr (info->message, "foreground=motion"));
    g_error_free (info);
    gst_message_unref (message);
    n++;
  }
  return n;
}

/* A newcomer's video without a foreground that means something: said once a start. */
static void
test_whole_frame (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca post-messages=false", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  gst_buffer_unref (test_pass (harness, plain_frame (0, 0)));
  gst_buffer_unref (test_pass (harness, plain_frame (50, HEIGHT / 5)));
  g_assert_cmpuint (count_hints (harness), ==, 0);
  gst_buffer_unref (test_pass (harness, plain_frame (50, HEIGHT / 20)));
  g_assert_cmpuint (count_hints (harness), ==, 1);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (test_pass (harness, plain_frame (200, 0)));
  g_assert_cmpuint (count_hints (harness), ==, 0);
  gst_element_set_state (harness->element, GST_STATE_READY);
  gst_util_set_object_arg (G_OBJECT (harness->element), "foreground", "threshold");
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_stream_start ("again")));
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  gst_buffer_unref (test_pass (harness, plain_frame (200, 0)));
  g_assert_cmpuint (count_hints (harness), ==, 0);
  gst_util_set_object_arg (G_OBJECT (harness->element), "foreground", "nonzero");
  gst_buffer_unref (test_pass (harness, plain_frame (200, 0)));
  g_assert_cmpuint (count_hints (harness), ==, 1);
}

/* Pushes frames and returns by how many the stats' components grow; *expected: by how many they should. */
static guint64
count_more (GstHarness *harness, TestReference *reference, guint seed, guint64 *expected)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  guint64 components[2] = { 0 };

  *expected = 0;
  for (guint i = 0; i < 2; i++) {
    components[i] = test_stat (harness->element, NULL, "components");
    for (guint j = 0; j < 3 && i == 0; j++) {
      gst_buffer_unref (test_pass (harness, test_frame (&info, seed + j)));
      test_reference_run (reference, seed + j);
      *expected += reference->measurement.n_components;
    }
  }
  return components[1] - components[0];
}

/* Without a recipient components are only counted; a new recipient gets them with the next frame. */
static void
test_unwanted (gconstpointer launch)
{
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (TestReference) reference = NULL;
  guint64 expected;
  CcaParams params;

  cca_params_init (&params);
  params.min_area = strstr (launch, "min-area") ? 12 : 0;
  reference = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
  for (guint i = 0; i < 3; i++) {
    g_object_set (harness->element, "emit", 0, "post-messages", FALSE, NULL);
    g_assert_cmpuint (count_more (harness, reference, 3 * i, &expected), ==, expected);
    g_assert_cmpuint (expected, >, 0);
    test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
    g_object_set (harness->element, "emit", 1, NULL);
    check_next_frame (harness, reference, i);
    g_object_set (harness->element, "emit", 0, "post-messages", TRUE, NULL);
    g_assert_cmpuint (count_more (harness, reference, 3 * i, &expected), ==, expected);
    for (guint j = 0; j < 3; j++) {
      g_autoptr (GstMessage) message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
      const GstStructure *structure;
      guint n;

      g_assert_nonnull (message);
      structure = gst_message_get_structure (message);
      g_assert_true (gst_structure_get_uint (structure, "n-components", &n));
      g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "components")), ==, n);
    }
  }
}

/* --- Limits of 16 bits ------------------------------------------------------------------------------- */

static GstBuffer *
gray16_frame (guint16 value)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 4, NULL); /* a pixel, in a row of whole words */
  const guint8 bytes[4] = { (guint8) value, (guint8) (value >> 8), 0, 0 };

  gst_buffer_fill (buffer, 0, bytes, sizeof bytes);
  return buffer;
}

/* A value that fits pixels of 16 bits only: frames of 8 bits are refused with an error that names all. */
static void
test_wide_limit (void)
{
  const GstVideoInfo narrow = test_video_info ("NV12", 1, 1);
  g_autoptr (GstHarness) harness =
      test_harness ("cca foreground=threshold threshold=300", test_caps ("GRAY16_LE", 1, 1, NULL));

  for (guint16 value = 300; value <= 301; value++) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, gray16_frame (value));

    g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_components, ==, value - 300);
  }
  gst_harness_set_src_caps (harness, test_caps ("NV12", 1, 1, NULL));
  g_assert_cmpint (gst_harness_push (harness, test_frame (&narrow, 1)), ==, GST_FLOW_ERROR);
  test_assert_error (harness, "threshold is 300; with pixels of 8 bits it must be in 0…255");
}

/* The same at the start, and while playing, when the stream continues. */
static void
test_narrow_limit (void)
{
  const GstVideoInfo info = test_video_info ("YUY2", 33, 20);
  GstHarness *harness = test_harness ("cca foreground=threshold threshold=300", NULL);

  gst_harness_set_src_caps (harness, test_caps ("YUY2", 33, 20, NULL));
  g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 1)), ==, GST_FLOW_NOT_NEGOTIATED);
  test_assert_error (harness, "threshold is 300; with pixels of 8 bits it must be in 0…255");
  test_harness_free (harness);

  harness = test_harness ("cca foreground=motion motion-model=sigma-delta", test_caps ("YUY2", 33, 20, NULL));
  gst_buffer_unref (test_pass (harness, test_frame (&info, 1)));
  g_object_set (harness->element, "motion-max", 256, NULL);
  gst_buffer_unref (test_pass (harness, test_frame (&info, 2)));
  test_assert_warning (harness,
                       "motion-max is 256; with pixels of 8 bits it must be in 0…255; keeping the previous settings*");
  test_harness_free (harness);
}

/* Pushes a frame; returns the warning that it brings, or NULL. */
static gchar *
warning_of_frame (GstHarness *harness, guint seed)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstMessage *message;

  gst_buffer_unref (test_pass (harness, test_frame (&info, seed)));
  message = test_pop_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  return message ? test_message_text (message) : NULL;
}

/* A property of the background model that is not in use is one warning, which names it and the remedy. */
static void
test_other_model (gconstpointer data)
{
  g_auto (GStrv) words = g_strsplit (data, " ", 4);
  const gchar *model = words[0], *name = words[1], *value = words[2], *instead = words[3];
  const gboolean samples = g_str_equal (model, "samples");
  g_autofree gchar *launch = g_strdup_printf ("cca foreground=motion motion-model=%s %s=%s", model, name, value);
  g_autofree gchar *sentence = g_strdup_printf ("motion-model=%s ignores %s: set %s instead", model, name, instead);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  gchar *text = warning_of_frame (harness, 0);

  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, sentence));
  g_assert_nonnull (strstr (text, samples ? "motion-model=sigma-delta" : "motion-model=samples"));
  g_free (text);
  for (guint i = 1; i < 4; i++) {
    g_object_set (harness->element, "min-area", i, NULL);
    g_assert_null (warning_of_frame (harness, i));
  }
  /* With its own model, and without a model, it is fine. */
  gst_util_set_object_arg (G_OBJECT (harness->element), "motion-model", samples ? "sigma-delta" : "samples");
  g_assert_null (warning_of_frame (harness, 4));
  gst_util_set_object_arg (G_OBJECT (harness->element), "foreground", "threshold");
  g_assert_null (warning_of_frame (harness, 5));
}

/* Properties that were not set give no warning; several are named together; setting the default counts as setting. */
static void
test_other_model_several (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=motion", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autofree gchar *text = NULL;

  g_assert_null (warning_of_frame (harness, 0));
  g_object_set (harness->element, "motion-max", 64, "motion-min", 16, "motion-tolerance", 4, NULL);
  text = warning_of_frame (harness, 1);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "ignores motion-min, motion-max: "));
}

/* GRAY16 has the model of grey levels unless another is set. */
static void
test_other_model_wide (void)
{
  const GstVideoInfo info = test_video_info ("GRAY16_LE", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=motion motion-min=100 motion-max=400",
                                                 test_caps ("GRAY16_LE", WIDTH, HEIGHT, NULL));

  gst_buffer_unref (test_pass (harness, test_frame (&info, 0)));
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

int
main (int argc, char **argv)
{
  /* The model in use, a property of the other one with a value, and the property to set instead. */
  static const gchar *const other_model[] = {
    "samples motion-min 20 motion-tolerance",          "samples motion-max 80 motion-tolerance",
    "samples motion-period 8 motion-tolerance",        "samples motion-period-time 1000000000 motion-tolerance",
    "samples motion-amplification 3 motion-tolerance", "sigma-delta motion-tolerance 8 motion-min",
    "sigma-delta motion-shadows true motion-min",
  };

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  ADD_ROWS ("/settings/contradiction/playing", pairs, test_contradiction);
  ADD_ROWS ("/settings/contradiction/new-size", pairs, test_contradiction_new_size);
  ADD_ROWS ("/settings/contradiction/start", pairs, test_contradiction_at_start);
  g_test_add_func ("/settings/contradiction/frames", test_contradiction_frames);
  g_test_add_func ("/settings/contradiction/new-size-frames", test_contradiction_new_size_frames);
  g_test_add_data_func ("/settings/without-effect/invert", "invert=true", test_without_effect);
  g_test_add_data_func ("/settings/without-effect/denoise", "denoise=true", test_without_effect);
  g_test_add_data_func ("/settings/without-effect/close-radius", "close-radius=2", test_without_effect);
  add_strings ("/settings/other-model", other_model, G_N_ELEMENTS (other_model), test_other_model);
  g_test_add_func ("/settings/other-model/several", test_other_model_several);
  g_test_add_func ("/settings/other-model/wide", test_other_model_wide);
  g_test_add_func ("/settings/limit/wide", test_wide_limit);
  g_test_add_func ("/settings/limit/narrow", test_narrow_limit);
  g_test_add_func ("/settings/whole-frame", test_whole_frame);
  g_test_add_data_func ("/settings/unwanted/cca", "cca", test_unwanted);
  g_test_add_data_func ("/settings/unwanted/cca-filter", "cca min-area=12", test_unwanted);
  g_test_add_data_func ("/settings/unwanted/ccl", "ccl", test_unwanted);
  return g_test_run ();
}
