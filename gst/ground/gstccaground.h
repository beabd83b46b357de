/* gst-cca: the ground from a file of rules
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_GROUND_H
#define GST_CCA_GROUND_H

#include <glib-object.h>

#include "homography.h"

G_BEGIN_DECLS

/* The error's domain; its text begins with the file's name, or with "JSON" for a text. */
#define GST_CCA_GROUND_ERROR (g_quark_from_static_string ("gst-cca-ground-error"))

/* Loads the member ground of rules in the format of ccazones: a file or, if the value begins with {, the text. Returns
 * FALSE and an error if it cannot be read, or has no ground. */
gboolean gst_cca_ground_load (const gchar *value, GstCcaGroundPicture *picture, GError **error);

/*
 * The plugin that links json-glib registers a type of this name as a GstDynamicTypeFactory; gst_cca_ground_load() loads
 * it by name and calls the function of its class. There are no instances.
 */
#define GST_CCA_GROUND_READER_NAME "GstCcaGroundReader"

typedef struct
{
  GObjectClass parent_class;

  /* Reads a text of length bytes. Returns FALSE and an error that begins with the origin. */
  gboolean (*read) (const gchar *text, gsize length, const gchar *origin, GstCcaGroundPicture *picture, GError **error);
} GstCcaGroundReaderClass;

G_END_DECLS

#endif
