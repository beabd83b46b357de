/* gst-cca: JSON as it is written: numbers, texts, commas
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "gst/export/json/jsonwriter.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void
assert_text (GString *json, const gchar *text)
{
  g_assert_cmpstr (json->str, ==, text);
  g_string_truncate (json, 0);
}

static void
test_commas (void)
{
  GString *json = g_string_new (NULL);

  gst_cca_json_begin (json, NULL, '{');
  gst_cca_json_end (json, '{');
  assert_text (json, "{}");

  gst_cca_json_begin (json, NULL, '{');
  gst_cca_json_begin (json, "empty", '[');
  gst_cca_json_end (json, '[');
  gst_cca_json_add_uint (json, "number", 7);
  gst_cca_json_begin (json, "list", '[');
  gst_cca_json_add_uint (json, NULL, 1);
  gst_cca_json_begin (json, NULL, '[');
  gst_cca_json_add_decimal (json, NULL, 2.5);
  gst_cca_json_end (json, '[');
  gst_cca_json_begin (json, NULL, '{');
  gst_cca_json_add_boolean (json, "yes", TRUE);
  gst_cca_json_add_boolean (json, "no", FALSE);
  gst_cca_json_end (json, '{');
  gst_cca_json_end (json, '[');
  gst_cca_json_add_string (json, "text", "[{");
  gst_cca_json_add_string (json, "more", "");
  gst_cca_json_end (json, '{');
  assert_text (
      json, "{\"empty\":[],\"number\":7,\"list\":[1,[2.5],{\"yes\":true,\"no\":false}],\"text\":\"[{\",\"more\":\"\"}");
  g_string_free (json, TRUE);
}

static void
test_integers (void)
{
  GString *json = g_string_new (NULL);

  gst_cca_json_add_uint (json, NULL, 0);
  assert_text (json, "0");
  gst_cca_json_add_uint (json, NULL, 9);
  assert_text (json, "9");
  gst_cca_json_add_uint (json, NULL, 10);
  assert_text (json, "10");
  gst_cca_json_add_uint (json, NULL, G_MAXUINT64);
  assert_text (json, "18446744073709551615");
  g_string_free (json, TRUE);
}

static void
test_decimals (void)
{
  static const struct
  {
    gdouble value;
    const gchar *text;
  } cases[] = {
    { 0.0, "0" },
    { -0.0, "0" },
    { 1.0, "1" },
    { -1.0, "-1" },
    { 0.5, "0.5" },
    { -0.25, "-0.25" },
    { 0.125, "0.125" },
    { 100.0, "100" },
    { 100.01, "100.01" },
    { 1.0005, "1.001" },
    { 1.0004, "1" },
    { -0.0004, "0" },
    { -0.0006, "-0.001" },
    { 0.9996, "1" },
    { 9.9999, "10" },
    { 767.123456, "767.123" },
    { 999999999999.0, "999999999999" },
    { 1e12, "1000000000000" },
    { DBL_MIN, "0" },
  };
  GString *json = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gst_cca_json_add_decimal (json, NULL, cases[i].value);
    assert_text (json, cases[i].text);
  }
  g_string_free (json, TRUE);
}

/* Numbers of all sizes are read back to the nearest thousandth, and have no more digits than that. */
static void
test_random_decimals (void)
{
  GString *json = g_string_new (NULL);

  for (guint i = 0; i < 200000; i++) {
    const gdouble value = ldexp (g_test_rand_double_range (-1.0, 1.0), g_test_rand_int_range (-12, 60));
    const gdouble error = 0.0005 + fabs (value) * DBL_EPSILON;
    gdouble read;
    gchar *end;

    gst_cca_json_add_decimal (json, NULL, value);
    read = g_ascii_strtod (json->str, &end);
    g_assert_cmpstr (end, ==, "");
    g_assert_cmpfloat (fabs (read - value), <=, error);
    if (strchr (json->str, '.') && !strchr (json->str, 'e') && fabs (value) < 1e12)
      g_assert_cmpuint (strlen (strchr (json->str, '.')), <=, 4);
    g_string_truncate (json, 0);
  }
  g_string_free (json, TRUE);
}

static void
test_texts (void)
{
  static const struct
  {
    const gchar *value, *text;
  } cases[] = {
    { "", "\"\"" },
    { "gate 3", "\"gate 3\"" },
    { "\"quoted\" \\ /", "\"\\\"quoted\\\" \\\\ /\"" },
    { "a\nb\tc\x01", "\"a\\u000ab\\u0009c\\u0001\"" },
    { "Straße 北門 🚪", "\"Straße 北門 🚪\"" },
    { "\x7f\xc2\x85\xe2\x80\xa8\xe2\x80\xa9", "\"\\u007f\\u0085\\u2028\\u2029\"" },
    { "caf\xe9 \xff", "\"caf\xef\xbf\xbd \xef\xbf\xbd\"" },
    { "cut \xe5\x8c", "\"cut \xef\xbf\xbd\"" },
  };
  GString *json = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gst_cca_json_add_string (json, NULL, cases[i].value);
    /* A string that is cut off in the middle of a character ends with one or several replacement characters. */
    if (!g_utf8_validate (cases[i].value, -1, NULL))
      g_assert_true (g_utf8_validate (json->str, -1, NULL));
    if (i < G_N_ELEMENTS (cases) - 1)
      g_assert_cmpstr (json->str, ==, cases[i].text);
    g_string_truncate (json, 0);
  }
  g_string_free (json, TRUE);
}

/* Asserts that a text ends where its quotation marks say, and that all that is escaped may be. */
static void
assert_quoted (const gchar *text)
{
  const gchar *at = text;

  g_assert_cmpint (*at++, ==, '"');
  for (; *at != '"'; at++) {
    g_assert_cmpint ((guchar) *at, >=, 0x20);
    if (*at != '\\')
      continue;
    at++;
    g_assert_nonnull (strchr ("\"\\u", *at));
    for (gint k = 0; *at == 'u' && k < 4; k++)
      g_assert_true (g_ascii_isxdigit (at[k + 1]));
  }
  g_assert_cmpstr (at, ==, "\"");
}

/* For any bytes, the text is UTF-8 on one line. */
static void
test_random_texts (void)
{
  GString *json = g_string_new (NULL);

  for (guint i = 0; i < 20000; i++) {
    gchar bytes[24] = "";
    const gint length = g_test_rand_int_range (0, sizeof bytes);

    for (gint k = 0; k < length; k++)
      bytes[k] = (gchar) g_test_rand_int_range (1, 256);
    gst_cca_json_add_string (json, NULL, bytes);
    g_assert_true (g_utf8_validate (json->str, (gssize) json->len, NULL));
    assert_quoted (json->str);
    g_string_truncate (json, 0);
  }
  g_string_free (json, TRUE);
}

TESTS_MAIN ("/json-writer", test_commas, test_integers, test_decimals, test_random_decimals, test_texts,
            test_random_texts)
