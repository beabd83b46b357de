/* gst-cca: the members of an object of JSON, and the elements of an array, as they are written
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "slices.h"

#include <string.h>

/* The rest of a text. */
typedef struct
{
  const gchar *next, *end;
} Rest;

static gchar
peek (const Rest *rest)
{
  return rest->next < rest->end ? *rest->next : '\0';
}

static void
skip_space (Rest *rest)
{
  while (rest->next < rest->end && strchr (" \t\r\n", *rest->next))
    rest->next++;
}

static gboolean
skip_char (Rest *rest, gchar c)
{
  if (peek (rest) != c)
    return FALSE;
  rest->next++;
  return TRUE;
}

static gboolean
skip_string (Rest *rest)
{
  if (!skip_char (rest, '"'))
    return FALSE;
  while (rest->next < rest->end) {
    const gchar c = *rest->next++;

    if (c == '"')
      return TRUE;
    if (c == '\\')
      rest->next++;
  }
  return FALSE;
}

/* Up to the bracket that closes the one here. */
static gboolean
skip_brackets (Rest *rest)
{
  guint depth = 0;

  do {
    const gchar c = peek (rest);

    if (c == '"') {
      if (!skip_string (rest))
        return FALSE;
      continue;
    }
    if (c == '[' || c == '{')
      depth++;
    else if (c == ']' || c == '}')
      depth--;
    rest->next++;
  } while (depth > 0 && rest->next < rest->end);
  return depth == 0;
}

static gboolean
skip_value (Rest *rest, GstCcaSlice *value)
{
  const gchar *start = rest->next;
  gboolean found = TRUE;

  if (peek (rest) == '"')
    found = skip_string (rest);
  else if (peek (rest) == '[' || peek (rest) == '{')
    found = skip_brackets (rest);
  else
    while (rest->next < rest->end && (g_ascii_isalnum (*rest->next) || strchr ("+-.", *rest->next)))
      rest->next++;
  *value = (GstCcaSlice) { start, (gsize) (rest->next - start) };
  return found && rest->next > start && rest->next <= rest->end;
}

static gboolean
skip_member (Rest *rest, gboolean named, GstCcaMember *member)
{
  const gchar *start = rest->next;

  *member = (GstCcaMember) { .name = { start, 0 } };
  if (named) {
    if (!skip_string (rest))
      return FALSE;
    member->name.length = (gsize) (rest->next - start);
    skip_space (rest);
    if (!skip_char (rest, ':'))
      return FALSE;
    skip_space (rest);
  }
  if (!skip_value (rest, &member->value))
    return FALSE;
  member->whole = (GstCcaSlice) { start, (gsize) (rest->next - start) };
  return TRUE;
}

GArray *
gst_cca_slices (GstCcaSlice text)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (GstCcaMember));
  Rest rest = { text.text, text.text + text.length };
  gboolean named;
  gchar close;

  skip_space (&rest);
  named = peek (&rest) == '{';
  close = named ? '}' : ']';
  if (!skip_char (&rest, named ? '{' : '['))
    return NULL;
  skip_space (&rest);
  while (!skip_char (&rest, close)) {
    GstCcaMember member;

    if (members->len > 0 && !skip_char (&rest, ','))
      return NULL;
    skip_space (&rest);
    if (!skip_member (&rest, named, &member))
      return NULL;
    g_array_append_val (members, member);
    skip_space (&rest);
  }
  skip_space (&rest);
  return rest.next == rest.end ? g_steal_pointer (&members) : NULL;
}

GArray *
gst_cca_slices_at (GstCcaSlice text, const gsize *ends, guint n)
{
  g_autoptr (GArray) members = g_array_sized_new (FALSE, FALSE, sizeof (GstCcaMember), n);
  gsize start = 1; /* behind the brace */

  if (n == 0 || text.length == 0 || text.text[0] != '{' || ends[n - 1] != text.length - 1)
    return NULL;
  for (guint i = 0; i < n; i++) {
    GstCcaMember member;
    Rest rest;

    if (ends[i] <= start || ends[i] >= text.length || text.text[ends[i]] != (i + 1 < n ? ',' : '}'))
      return NULL;
    rest = (Rest) { text.text + start, text.text + ends[i] };
    member.whole = (GstCcaSlice) { rest.next, ends[i] - start };
    if (!skip_string (&rest))
      return NULL;
    member.name = (GstCcaSlice) { member.whole.text, (gsize) (rest.next - member.whole.text) };
    if (!skip_char (&rest, ':') || rest.next == rest.end)
      return NULL;
    member.value = (GstCcaSlice) { rest.next, (gsize) (rest.end - rest.next) };
    g_array_append_val (members, member);
    start = ends[i] + 1;
  }
  return g_steal_pointer (&members);
}

static gboolean
has_name (const GstCcaMember *member, const gchar *name)
{
  const gsize length = strlen (name);

  return member->name.length == length + 2 && memcmp (member->name.text + 1, name, length) == 0;
}

GstCcaSlice
gst_cca_slices_find (const GArray *members, const gchar *name)
{
  for (guint i = members->len; i-- > 0;)
    if (has_name (&g_array_index (members, GstCcaMember, i), name))
      return g_array_index (members, GstCcaMember, i).value;
  return (GstCcaSlice) { NULL, 0 };
}

gchar *
gst_cca_slices_join (const GArray *members, const gchar *without)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < members->len; i++) {
    const GstCcaMember *member = &g_array_index (members, GstCcaMember, i);

    if (without && has_name (member, without))
      continue;
    if (text->len > 0)
      g_string_append_c (text, ',');
    g_string_append_len (text, member->whole.text, (gssize) member->whole.length);
  }
  return g_string_free (text, FALSE);
}

/* --- Strings ------------------------------------------------------------------------------------------ */

static gint
read_digits (Rest *rest)
{
  gint value = 0;

  for (guint i = 0; i < 4; i++) {
    const gint digit = g_ascii_xdigit_value (peek (rest));

    if (digit < 0)
      return -1;
    value = value * 16 + digit;
    rest->next++;
  }
  return value;
}

/* Reads the character behind \u; 0 if it is none. */
static gunichar
read_unicode (Rest *rest)
{
  const gint first = read_digits (rest);
  gint second;

  if (first < 0xd800 || first > 0xdfff)
    return (gunichar) MAX (first, 0);
  if (first > 0xdbff || !skip_char (rest, '\\') || !skip_char (rest, 'u'))
    return 0;
  second = read_digits (rest);
  if (second < 0xdc00 || second > 0xdfff)
    return 0;
  return 0x10000 + (((gunichar) first & 0x3ff) << 10 | ((gunichar) second & 0x3ff));
}

/* Reads an escape behind its backslash; 0 if it is none. */
static gunichar
read_escape (Rest *rest)
{
  static const gchar escapes[] = "\"\\/bfnrt", characters[] = "\"\\/\b\f\n\r\t";
  const gchar c = peek (rest), *found = c ? strchr (escapes, c) : NULL;

  if (c)
    rest->next++;
  if (found)
    return (gunichar) (guchar) characters[found - escapes];
  return c == 'u' ? read_unicode (rest) : 0;
}

static gchar *
decode (GstCcaSlice string)
{
  Rest rest = { string.text + 1, string.text + string.length - 1 };
  GString *text = g_string_sized_new (string.length);

  while (rest.next < rest.end) {
    const gchar c = *rest.next++;
    gunichar escaped;

    if (c != '\\') {
      g_string_append_c (text, c);
      continue;
    }
    escaped = read_escape (&rest);
    if (escaped == 0)
      break;
    g_string_append_unichar (text, escaped);
  }
  return g_string_free (text, FALSE);
}

gchar *
gst_cca_slice_text (GstCcaSlice value)
{
  if (value.length >= 2 && value.text[0] == '"')
    return decode (value);
  return value.length > 0 && (value.text[0] == '-' || g_ascii_isdigit (value.text[0]))
             ? g_strndup (value.text, value.length)
             : NULL;
}

gchar *
gst_cca_slices_string (const GArray *members, const gchar *name)
{
  const GstCcaSlice value = gst_cca_slices_find (members, name);

  return value.text && value.text[0] == '"' ? gst_cca_slice_text (value) : NULL;
}
