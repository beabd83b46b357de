/* gst-cca: properties that are names: which values are refused, and when
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

/* Each element of the build that has one of these properties. */
static const gchar *const properties[] = { "id", "camera" };

typedef struct
{
  const gchar *element, *property;
} Place;

static const struct
{
  const gchar *name, *problem;
} wrongs[] = {
  { "a\xff", "must be valid UTF-8" },
  { "\xed\xa0\x80", "must be valid UTF-8" }, /* a surrogate */
  { "\xe2\x82", "must be valid UTF-8" },
  { "a\nb", "must not have control characters" },
  { "\x1b[2J", "must not have control characters" },
  { "\xc2\x85", "must not have control characters" }, /* U+0085 */
  { "0123456789012345678901234567890123456789012345678901234567890123456", "must have at most 64 characters" },
};

/* 64 characters of 3 bytes. */
static gchar *
longest_name (void)
{
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < 64; i++)
    g_string_append (name, "\xe2\x82\xac");
  return g_string_free (name, FALSE);
}

static void
test_start (gconstpointer data)
{
  const Place *place = data;

  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    g_autofree gchar *expected = g_strdup_printf ("%s %s", place->property, wrongs[i].problem);
    g_autofree gchar *text = test_start_error (place->element, place->property, wrongs[i].name);

    g_assert_cmpstr (text, ==, expected);
  }
}

static void
test_playing (gconstpointer data)
{
  const Place *place = data;
  g_autofree gchar *longest = longest_name (), *launch = test_element_launch (place->element);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", 16, 16, NULL));

  g_object_set (harness->element, place->property, longest, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    g_autofree gchar *expected =
        g_strdup_printf ("%s %s; keeping the previous value", place->property, wrongs[i].problem);
    g_autofree gchar *value = NULL;

    g_object_set (harness->element, place->property, wrongs[i].name, NULL);
    test_assert_warning (harness, expected);
    g_object_get (harness->element, place->property, &value, NULL);
    g_assert_cmpstr (value, ==, longest);
  }
}

/* `camera` of ccaoverlay is a switch. */
static gboolean
has_name (const gchar *element_name, const gchar *property)
{
  g_autoptr (GstElement) element = gst_element_factory_make (element_name, NULL);
  GParamSpec *spec;

  g_assert_nonnull (element);
  spec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);
  return spec && G_IS_PARAM_SPEC_STRING (spec);
}

static void
add_tests (const gchar *element, const gchar *property)
{
  g_autofree gchar *start = g_strdup_printf ("/names/start/%s/%s", element, property);
  g_autofree gchar *playing = g_strdup_printf ("/names/playing/%s/%s", element, property);
  Place *place = g_new (Place, 1);

  *place = (Place) { g_intern_string (element), property };
  g_test_add_data_func_full (start, g_memdup2 (place, sizeof *place), test_start, g_free);
  g_test_add_data_func_full (playing, place, test_playing, g_free);
}

int
main (int argc, char **argv)
{
  g_auto (GStrv) elements = test_elements ();

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (gchar **element = elements; *element; element++)
    for (guint i = 0; i < G_N_ELEMENTS (properties) && !g_str_has_prefix (*element, "cuda"); i++)
      if (has_name (*element, properties[i]))
        add_tests (*element, properties[i]);
  return g_test_run ();
}
