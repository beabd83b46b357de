/* gst-cca: errors name properties in the elements, as they name members in the library: each property
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The library refuses each parameter that can be wrong, and the elements' text on that is looked at. Values that
 * GObject refuses before, as they are out of a property's range, are among them: no path to the library shall name a
 * member.
 */
#include "../add-tests.h"
#include "gst/analysis/gstccaparams.h"

#include <string.h>

typedef struct
{
  gsize offset, size;
  guint64 value;
} Change;

/* Wrong values, and the properties that their error has to name. */
typedef struct
{
  const gchar *property, *other;
  CcaForeground foreground;
  Change changes[2];
} Wrong;

#define SET(member, value) { offsetof (CcaParams, member), sizeof (((CcaParams *) 0)->member), value }

static const Wrong wrongs[] = {
  { "connectivity", NULL, CCA_FOREGROUND_NONZERO, { SET (connectivity, 5) } },
  { "foreground", NULL, (CcaForeground) 9, { { 0 } } },
  { "threshold", NULL, CCA_FOREGROUND_THRESHOLD, { SET (threshold, 256) } },
  { "threshold-low", NULL, CCA_FOREGROUND_RANGE, { SET (low, 256), SET (high, 300) } },
  { "threshold-high", NULL, CCA_FOREGROUND_RANGE, { SET (high, 256) } },
  { "threshold-low", "threshold-high", CCA_FOREGROUND_RANGE, { SET (low, 9), SET (high, 8) } },
  { "threshold-high", "threshold-low", CCA_FOREGROUND_RANGE, { SET (high, 0) } },
  { "close-radius", NULL, CCA_FOREGROUND_NONZERO, { SET (close_radius, 9) } },
  { "min-area", "max-area", CCA_FOREGROUND_NONZERO, { SET (min_area, 9), SET (max_area, 8) } },
  { "max-area", "min-area", CCA_FOREGROUND_NONZERO, { SET (max_area, 1), SET (min_area, 2) } },
  { "min-width", "max-width", CCA_FOREGROUND_NONZERO, { SET (min_width, 9), SET (max_width, 8) } },
  { "max-width", "min-width", CCA_FOREGROUND_NONZERO, { SET (max_width, 1), SET (min_width, 2) } },
  { "min-height", "max-height", CCA_FOREGROUND_NONZERO, { SET (min_height, 9), SET (max_height, 8) } },
  { "max-height", "min-height", CCA_FOREGROUND_NONZERO, { SET (max_height, 1), SET (min_height, 2) } },
  { "max-components", NULL, CCA_FOREGROUND_NONZERO, { SET (max_components, CCA_MAX_COMPONENTS + 1) } },
  { "order", NULL, CCA_FOREGROUND_NONZERO, { SET (order, 9) } },
  { "motion-learning", NULL, CCA_FOREGROUND_MOTION, { SET (motion.learning, 0) } },
  { "motion-period", NULL, CCA_FOREGROUND_MOTION, { SET (motion.period, 0) } },
  { "motion-amplification", NULL, CCA_FOREGROUND_MOTION, { SET (motion.amplification, 17) } },
  { "motion-min", NULL, CCA_FOREGROUND_MOTION, { SET (motion.v_min, 0) } },
  { "motion-min", "motion-max", CCA_FOREGROUND_MOTION, { SET (motion.v_min, 255) } },
  { "motion-max", NULL, CCA_FOREGROUND_MOTION, { SET (motion.v_max, 256) } },
  { "motion-max", "motion-min", CCA_FOREGROUND_MOTION, { SET (motion.v_max, 0) } },
  { "motion-model", NULL, CCA_FOREGROUND_MOTION, { SET (motion.model, 9) } },
  { "motion-tolerance",
    NULL,
    CCA_FOREGROUND_MOTION,
    { SET (motion.model, CCA_MODEL_SAMPLES), SET (motion.tolerance, 0) } },
  { "n-threads", NULL, CCA_FOREGROUND_NONZERO, { SET (n_threads, CCA_MAX_THREADS + 1) } },
};

/* Any value of these is right, or they are not the library's; an algorithm has the same name in both. */
static const gchar *const never_wrong[] = {
  "algorithm",
  "preset",
  "invert",
  "denoise",
  "covariance",
  "coverage",
  "overlaps",
  "shape",
  "intensity",
  "motion-shadows",
  "motion-learning-time",
  "motion-period-time",
  "emit",
  "id",
  "post-messages",
  "message-interval",
  "message-max-components",
  "stats",
  "absorb-time",
  "region",
  "sensitivity",
  "name",
  "parent",
  "qos",
  "output",
  NULL,
};

/* Whether a text has a word, which is of letters, digits, hyphens, underlines and full stops. */
static gboolean
has_word (const gchar *text, const gchar *word)
{
  g_autofree gchar *pattern = g_strdup_printf ("(?<![\\w.-])%s(?![\\w-])", word);
  const gboolean found = g_regex_match_simple (pattern, text, 0, 0);

  return found;
}

static void
test_wrong (gconstpointer data)
{
  const Wrong *wrong = data;
  CcaContext *context;
  CcaPlan *plan = NULL;
  CcaParams params;
  g_autofree gchar *text = NULL;

  cca_params_init (&params);
  params.foreground = wrong->foreground;
  for (guint i = 0; i < G_N_ELEMENTS (wrong->changes); i++) /* little endian */
    memcpy ((guint8 *) &params + wrong->changes[i].offset, &wrong->changes[i].value, wrong->changes[i].size);
  g_assert_cmpint (cca_context_new (NULL, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, 8, 8, &params, CCA_OUTPUT_NONE, &plan), !=, CCA_OK);
  text = gst_cca_settings_error_text (cca_last_error ());
  g_test_message ("%s -> %s", cca_last_error (), text);
  g_assert_true (has_word (text, wrong->property));
  g_assert_true (!wrong->other || has_word (text, wrong->other));
  /* Neither names of members nor of structs are in the text. */
  g_assert_null (strchr (text, '_'));
  g_assert_false (g_regex_match_simple ("[a-z]\\.[a-z]", text, 0, 0));
  g_assert_false (has_word (text, "low") || has_word (text, "high"));
  cca_context_free (context);
}

/* Times as frames. */
static void
test_times (void)
{
  static const struct
  {
    guint64 time;
    gint rate, scale;
    guint32 frames;
  } cases[] = {
    { 0, 25, 1, 7 },
    { GST_SECOND, 25, 1, 25 },
    { GST_SECOND, 30000, 1001, 30 },
    { 59 * GST_MSECOND, 25, 1, 1 },
    { 60 * GST_MSECOND, 25, 1, 2 }, /* rounded */
    { 1, 25, 1, 1 },                /* at least one */
    { GST_SECOND, 0, 1, 7 },        /* a variable rate */
    { G_MAXUINT64, 25, 1, G_MAXUINT32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint period = 0; period < 2; period++) {
      GstCcaSettings settings;
      GstVideoInfo info;
      CcaParams params;

      gst_cca_settings_init (&settings);
      settings.params.motion.learning = settings.params.motion.period = 7;
      *(period ? &settings.period_time : &settings.learning_time) = cases[i].time;
      gst_video_info_init (&info);
      GST_VIDEO_INFO_FPS_N (&info) = cases[i].rate;
      GST_VIDEO_INFO_FPS_D (&info) = cases[i].scale;
      params = gst_cca_settings_resolve (&settings, &info);
      g_assert_cmpuint (period ? params.motion.period : params.motion.learning, ==, cases[i].frames);
      g_assert_cmpuint (period ? params.motion.learning : params.motion.period, ==, 7);
    }
}

/* A property that is new has to be in one of the two lists. */
static void
test_all (gconstpointer element)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (element);
  g_autoptr (GstElement) instance = gst_element_factory_create (factory, NULL);
  guint n;
  GParamSpec **properties = g_object_class_list_properties (G_OBJECT_GET_CLASS (instance), &n);

  for (guint i = 0; i < n; i++) {
    gboolean known = g_strv_contains (never_wrong, properties[i]->name);

    for (guint j = 0; j < G_N_ELEMENTS (wrongs); j++)
      known = known || g_str_equal (wrongs[j].property, properties[i]->name);
    if (!known)
      g_test_fail_printf ("%s: nobody knows how an error names %s", (const gchar *) element, properties[i]->name);
  }
  g_free (properties);
}

CASES_MAIN_AFTER (gst_init (&argc, &argv))
{
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    g_autofree gchar *path = g_strdup_printf ("/params/wrong/%s%s%s", wrongs[i].property, wrongs[i].other ? "-" : "",
                                              wrongs[i].other ? wrongs[i].other : "");

    g_test_add_data_func (path, &wrongs[i], test_wrong);
  }
  g_test_add_func ("/params/times", test_times);
  ADD_STRINGS ("/params/all", test_all, "cca", "ccl");
}
