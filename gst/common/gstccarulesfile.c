/* gst-cca: rules in the format of ccazones, for elements whose plugin has no JSON parser
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccarulesfile.h"

#include <gst/gst.h>
#include <string.h>

#include "gstccatext.h"

#define MAX_BYTES (1024 * 1024) /* of a file */

/* A user of the plugin, and the alternative without it. */
static const struct
{
  const gchar *needs, *alternative;
} members[] = {
  [GST_CCA_RULES_FILE_GROUND] = { "the ground needs", "" },
  [GST_CCA_RULES_FILE_REGION] = { "polygons need", "; a PNG or PGM file works without" },
};

gboolean
gst_cca_rules_file_is_json (const gchar *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return *text == '{';
}

GstCcaRulesFile *
gst_cca_rules_file_parse (const gchar *text, gsize length, const gchar *origin, GstCcaRulesFileMember member,
                          GError **error)
{
  const GType type = gst_dynamic_type_factory_load (GST_CCA_RULES_READER_NAME);
  GstCcaRulesReaderClass *reader;
  GstCcaRulesFile *file;
  gpointer rules;

  if (type == G_TYPE_INVALID) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
                 "%s: %s the plugin ccazones, which is not installed: install it, or build with json-glib%s", origin,
                 members[member].needs, members[member].alternative);
    return NULL;
  }
  reader = g_type_class_ref (type);
  rules = reader->parse (text, length, origin, member, error);
  if (!rules) {
    g_type_class_unref (reader);
    return NULL;
  }
  file = g_new (GstCcaRulesFile, 1);
  *file = (GstCcaRulesFile) { reader, rules };
  return file;
}

GstCcaRulesFile *
gst_cca_rules_file_load (const gchar *value, GstCcaRulesFileMember member, GError **error)
{
  g_autofree gchar *text = NULL;
  gsize length;

  if (gst_cca_rules_file_is_json (value))
    return gst_cca_rules_file_parse (value, strlen (value), "JSON", member, error);
  text = gst_cca_file_read (value, MAX_BYTES, &length, error);
  if (text)
    return gst_cca_rules_file_parse (text, length, value, member, error);
  g_prefix_error (error, "%s: ", value);
  return NULL;
}

void
gst_cca_rules_file_free (GstCcaRulesFile *file)
{
  if (!file)
    return;
  file->reader->release (file->rules);
  g_type_class_unref (file->reader);
  g_free (file);
}
