/* gst-cca: texts with placeholders, such as "cca/{camera}/events"
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "template.h"

#include <string.h>

struct _GstCcaTemplate
{
  gchar **parts; /* literal text and names by turns, beginning and ending with text */
};

static gboolean
fail (GError **error, const gchar *text, gsize position, const gchar *what)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\": %s at character %" G_GSIZE_FORMAT, text, what,
               position + 1);
  return FALSE;
}

static gboolean
is_well_formed (const gchar *text, GError **error)
{
  const gchar *open = NULL;

  for (const gchar *c = text; *c; c++) {
    if (*c == '{') {
      if (open)
        return fail (error, text, c - text, "a brace in a placeholder");
      open = c;
    } else if (*c == '}') {
      if (!open)
        return fail (error, text, c - text, "a closing brace without an opening one");
      if (open + 1 == c)
        return fail (error, text, c - text, "a placeholder without a name");
      open = NULL;
    } else if (open && !g_ascii_isalnum (*c) && *c != '-' && *c != '_') {
      return fail (error, text, c - text, "a placeholder's name may contain only letters, digits, '-' and '_'; wrong");
    }
  }
  return !open || fail (error, text, open - text, "an opening brace without a closing one");
}

GstCcaTemplate *
gst_cca_template_parse (const gchar *text, GError **error)
{
  GstCcaTemplate *self;

  if (!is_well_formed (text, error))
    return NULL;
  self = g_new (GstCcaTemplate, 1);
  /* An empty text has no parts, and is none. */
  self->parts = g_strsplit_set (text, "{}", -1);
  return self;
}

void
gst_cca_template_free (GstCcaTemplate *self)
{
  if (!self)
    return;
  g_strfreev (self->parts);
  g_free (self);
}

const gchar *
gst_cca_template_first (const GstCcaTemplate *self)
{
  return self->parts[0] ? self->parts[1] : NULL;
}

gboolean
gst_cca_template_has (const GstCcaTemplate *self, const gchar *name)
{
  for (guint i = 0; self->parts[i]; i++)
    if (i % 2 == 1 && strcmp (self->parts[i], name) == 0)
      return TRUE;
  return FALSE;
}

static void
append_value (GString *text, const gchar *value, gboolean (*is_allowed) (gunichar c))
{
  g_autofree gchar *valid = value ? g_utf8_make_valid (value, -1) : NULL;

  if (!valid || !valid[0])
    g_string_append_c (text, '_');
  for (const gchar *c = valid; c && *c; c = g_utf8_next_char (c)) {
    const gunichar character = g_utf8_get_char (c);

    g_string_append_unichar (text, !is_allowed || is_allowed (character) ? character : '_');
  }
}

gchar *
gst_cca_template_expand (const GstCcaTemplate *self, GstCcaTemplateValue value, gpointer data,
                         gboolean (*is_allowed) (gunichar c))
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; self->parts[i]; i++) {
    if (i % 2 == 0) {
      g_string_append (text, self->parts[i]);
    } else {
      g_autofree gchar *string = value ? value (self->parts[i], data) : NULL;

      append_value (text, string, is_allowed);
    }
  }
  return g_string_free (text, FALSE);
}
