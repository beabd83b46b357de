/* gst-cca: properties that are names: what is refused, and when
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

/* The property, and an element with what it needs. */
typedef struct
{
  const gchar *element, *property, *more;
} Place;

static const Place places[] = {
  { "cca", "id", "" },
  { "ccl", "id", "" },
  { "ccatrack", "id", "" },
  { "ccagate", "id", "" },
  { "ccazones", "id", "rules={}" },
  { "ccajson", "id", "" },
  { "ccajson", "camera", "" },
  { "ccaonvif", "id", "" },
  { "ccaonvif", "camera", "" },
};

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

static gboolean
is_built (const Place *place)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (place->element);

  if (!factory)
    g_test_skip ("the build lacks the element");
  return factory != NULL;
}

static void
test_start (gconstpointer data)
{
  const Place *place = data;

  for (guint i = 0; i < G_N_ELEMENTS (wrongs) && is_built (place); i++) {
    g_autofree gchar *expected = g_strdup_printf ("%s %s", place->property, wrongs[i].problem);
    g_autofree gchar *text = test_start_error (place->element, place->property, wrongs[i].name);

    g_assert_cmpstr (text, ==, expected);
  }
}

static void
test_playing (gconstpointer data)
{
  const Place *place = data;
  g_autofree gchar *longest = longest_name (), *launch = g_strdup_printf ("%s %s", place->element, place->more);
  GstHarness *harness;

  if (!is_built (place))
    return;
  harness = test_harness (launch, test_caps ("GRAY8", 16, 16, NULL));
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
  test_harness_free (harness);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree gchar *start = g_strdup_printf ("/names/start/%s/%s", places[i].element, places[i].property);
    g_autofree gchar *playing = g_strdup_printf ("/names/playing/%s/%s", places[i].element, places[i].property);

    g_test_add_data_func (start, &places[i], test_start);
    g_test_add_data_func (playing, &places[i], test_playing);
  }
  return g_test_run ();
}
