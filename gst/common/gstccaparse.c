/* gst-cca: JSON that may come from anywhere, to nodes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-glib's parser recurses into arrays and objects without a limit, and accepts strings that are no UTF-8. So the
 * text is scanned first. json-glib also knows comments and strings in single quotes, in which brackets would not count:
 * the scan refuses both.
 */
#include "gstccaparse.h"

#include <string.h>

typedef struct
{
  const gchar *next, *end;
  guint line, depth;
  gboolean allow_zero;
  const gchar *problem;
} Scan;

static gboolean
fail (Scan *scan, const gchar *problem)
{
  scan->problem = problem;
  return FALSE;
}

/* Reads the four digits of \uXXXX; -1 if they are not there. */
static gint
scan_digits (Scan *scan)
{
  gint value = 0;

  for (guint i = 0; i < 4; i++) {
    if (scan->next == scan->end || !g_ascii_isxdigit (*scan->next))
      return -1;
    value = value * 16 + g_ascii_xdigit_value (*scan->next++);
  }
  return value;
}

static gboolean
scan_unicode (Scan *scan)
{
  const gint first = scan_digits (scan);
  gint second = -1;

  if (first < 0)
    return fail (scan, "\\u needs four hexadecimal digits");
  if (first == 0 && !scan->allow_zero)
    return fail (scan, "the character \\u0000 is not allowed");
  if (first < 0xd800 || first > 0xdfff)
    return TRUE;
  if (first < 0xdc00 && scan->end - scan->next >= 6 && memcmp (scan->next, "\\u", 2) == 0) {
    scan->next += 2;
    second = scan_digits (scan);
  }
  return (second >= 0xdc00 && second <= 0xdfff) || fail (scan, "half of a surrogate pair is no character");
}

/* Behind the opening quotation mark. */
static gboolean
scan_string (Scan *scan)
{
  while (scan->next < scan->end) {
    const gchar c = *scan->next++;

    if (c == '"')
      return TRUE;
    if ((guchar) c < ' ')
      return fail (scan, "a string has a control character; write it as \\n, \\t or \\u00XX");
    if (c != '\\')
      continue;
    if (scan->next == scan->end || !strchr ("\"\\/bfnrtu", *scan->next))
      return fail (scan, "a string has a backslash that escapes nothing");
    if (*scan->next++ == 'u' && !scan_unicode (scan))
      return FALSE;
  }
  return fail (scan, "a string does not end");
}

static gboolean
scan_text (Scan *scan)
{
  while (scan->next < scan->end) {
    const gchar c = *scan->next++;

    if (c == '"') {
      if (!scan_string (scan))
        return FALSE;
    } else if (c == '[' || c == '{') {
      if (++scan->depth > GST_CCA_PARSE_MAX_DEPTH)
        return fail (scan, "more than " G_STRINGIFY (GST_CCA_PARSE_MAX_DEPTH) " arrays and objects are in each other");
    } else if (c == ']' || c == '}') {
      scan->depth -= scan->depth > 0;
    } else if (c == '\n') {
      scan->line++;
    } else if (!g_ascii_isalnum (c) && !strchr (" \t\r,:+-.", c)) {
      return fail (scan, c == '/' ? "JSON has no comments" : "a character is not allowed outside of strings");
    }
  }
  return TRUE;
}

static gboolean
check (const gchar *text, gsize length, gboolean allow_zero, guint *line, GError **error)
{
  Scan scan = { .next = text, .end = text + length, .line = 1, .allow_zero = allow_zero };
  const gchar *valid;

  if (length > GST_CCA_PARSE_MAX_BYTES) {
    g_set_error (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_INVALID_DATA,
                 "the text has %" G_GSIZE_FORMAT " bytes; at most %d are allowed", length, GST_CCA_PARSE_MAX_BYTES);
    return FALSE;
  }
  if (!g_utf8_validate_len (text, length, &valid)) {
    scan.end = valid;
    if (scan_text (&scan))
      scan.problem = "a byte is not UTF-8";
  } else if (scan_text (&scan)) {
    return TRUE;
  }
  *line = scan.line;
  g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_INVALID_DATA, scan.problem);
  return FALSE;
}

static void
note_line (JsonParser *parser, gpointer error, gpointer line)
{
  *(guint *) line = json_parser_get_current_line (parser);
}

/* The reason in a parser's message, which begins with a place of its own. */
static const gchar *
reason_of (const GError *error)
{
  static const gchar mark[] = "Parse error: ";
  const gchar *found = strstr (error->message, mark);

  return found ? found + strlen (mark) : error->message;
}

JsonNode *
gst_cca_parse_json (const gchar *text, gsize length, gboolean allow_zero, guint *line, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) problem = NULL;
  JsonNode *root = NULL;
  guint unused;

  if (!line)
    line = &unused;
  *line = 0;
  if (!check (text, length, allow_zero, line, error))
    return NULL;
  g_signal_connect (parser, "error", G_CALLBACK (note_line), line);
  if (!json_parser_load_from_data (parser, text, (gssize) length, &problem))
    g_set_error_literal (error, problem->domain, problem->code, reason_of (problem));
  else if (!(root = json_parser_steal_root (parser)))
    g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE, "the text is empty");
  return root;
}
