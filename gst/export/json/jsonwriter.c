/* gst-cca: writes JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "jsonwriter.h"

#include <math.h>
#include <string.h>

/* Numbers from here on have no thousandths that a gdouble could tell apart. */
#define LARGE 1e12

/* Digits of the largest guint64. */
#define MAX_DIGITS 20

static void
begin_value (GString *json, const gchar *name)
{
  const gchar last = json->len > 0 ? json->str[json->len - 1] : '[';

  if (last != '{' && last != '[')
    g_string_append_c (json, ',');
  if (name) {
    g_string_append_c (json, '"');
    g_string_append (json, name);
    g_string_append_len (json, "\":", 2);
  }
}

void
gst_cca_json_begin (GString *json, const gchar *name, gchar bracket)
{
  begin_value (json, name);
  g_string_append_c (json, bracket);
}

void
gst_cca_json_end (GString *json, gchar bracket)
{
  g_string_append_c (json, bracket == '{' ? '}' : ']');
}

static void
append_digits (GString *json, guint64 value)
{
  gchar digits[MAX_DIGITS];
  gsize at = sizeof digits;

  do
    digits[--at] = (gchar) ('0' + value % 10);
  while (value /= 10);
  g_string_append_len (json, digits + at, (gssize) (sizeof digits - at));
}

void
gst_cca_json_add_uint (GString *json, const gchar *name, guint64 value)
{
  begin_value (json, name);
  append_digits (json, value);
}

void
gst_cca_json_add_boolean (GString *json, const gchar *name, gboolean value)
{
  begin_value (json, name);
  g_string_append (json, value ? "true" : "false");
}

static void
append_thousandths (GString *json, guint thousandths)
{
  gchar digits[] = { '.', (gchar) ('0' + thousandths / 100), (gchar) ('0' + thousandths / 10 % 10),
                     (gchar) ('0' + thousandths % 10) };
  gssize n = sizeof digits;

  while (digits[n - 1] == '0')
    n--;
  if (n > 1)
    g_string_append_len (json, digits, n);
}

void
gst_cca_json_add_decimal (GString *json, const gchar *name, gdouble value)
{
  const gdouble size = fabs (value);
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  guint64 rounded;

  begin_value (json, name);
  if (size >= LARGE) {
    g_string_append (json, g_ascii_dtostr (text, sizeof text, value));
    return;
  }
  rounded = (guint64) (size * 1000.0 + 0.5);
  if (value < 0.0 && rounded > 0)
    g_string_append_c (json, '-');
  append_digits (json, rounded / 1000);
  append_thousandths (json, (guint) (rounded % 1000));
}

/* Whether a character must be escaped: control characters, and those that some readers take for the end of a line. */
static gboolean
is_special (gunichar c)
{
  return c < 0x20 || c == '"' || c == '\\' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

static void
append_special (GString *json, gunichar c)
{
  if (c == '"' || c == '\\')
    g_string_append_printf (json, "\\%c", (gchar) c);
  else
    g_string_append_printf (json, "\\u%04x", c);
}

void
gst_cca_json_add_string (GString *json, const gchar *name, const gchar *value)
{
  const gsize length = strlen (value);
  g_autofree gchar *valid = g_utf8_validate_len (value, length, NULL) ? NULL : g_utf8_make_valid (value, length);
  const gchar *rest = valid ? valid : value, *at = rest;

  begin_value (json, name);
  g_string_append_c (json, '"');
  for (; *at; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);

    if (!is_special (c))
      continue;
    g_string_append_len (json, rest, at - rest);
    append_special (json, c);
    rest = g_utf8_next_char (at);
  }
  g_string_append_len (json, rest, at - rest);
  g_string_append_c (json, '"');
}
