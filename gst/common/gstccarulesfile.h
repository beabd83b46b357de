/* gst-cca: rules in the format of ccazones, for elements whose plugin has no JSON parser
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib-object.h>

struct GstCcaGroundPicture;

/* The members that other elements use. */
typedef enum
{
  GST_CCA_RULES_FILE_GROUND,
  GST_CCA_RULES_FILE_REGION,
} GstCcaRulesFileMember;

/* The plugin ccazones, which links json-glib, registers a GstDynamicTypeFactory of this name. Its class has the
 * functions; there are no instances. */
#define GST_CCA_RULES_READER_NAME "GstCcaRulesReader"

typedef struct
{
  GObjectClass parent_class;

  /* Parses a text of length bytes. Returns rules that have the member, or NULL and an error that begins with the
   * origin. */
  gpointer (*parse) (const gchar *text, gsize length, const gchar *origin, GstCcaRulesFileMember member,
                     GError **error);

  /* For rules that have a ground. */
  void (*ground) (gconstpointer rules, struct GstCcaGroundPicture *picture);

  /* For rules that have a region: sets each byte of a mask of width * height to 255 inside it, or to 0. */
  void (*draw_region) (gconstpointer rules, guint width, guint height, guint8 *mask);

  void (*release) (gpointer rules);
} GstCcaRulesReaderClass;

typedef struct
{
  GstCcaRulesReaderClass *reader;
  gpointer rules;
} GstCcaRulesFile;

/* Returns whether a text is an object of JSON: the first character that is no white space is {. */
gboolean gst_cca_rules_file_is_json (const gchar *text);

/* Reads the rules that a property names: JSON or a file of at most 1 MiB. Returns what gst_cca_rules_file_free()
 * frees; NULL and an error that begins with the file's name, or with "JSON", if they cannot be read or lack the
 * member. */
GstCcaRulesFile *gst_cca_rules_file_load (const gchar *value, GstCcaRulesFileMember member, GError **error);

/* Reads a text of length bytes; for the rest, as above. */
GstCcaRulesFile *gst_cca_rules_file_parse (const gchar *text, gsize length, const gchar *origin,
                                           GstCcaRulesFileMember member, GError **error);

void gst_cca_rules_file_free (GstCcaRulesFile *file); /* NULL is allowed */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaRulesFile, gst_cca_rules_file_free)
