/* gst-cca: the ground from a file of rules
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaground.h"

#include <gst/gst.h>
#include <string.h>

#include "gst/common/gstccatext.h"

#define MAX_BYTES (1024 * 1024) /* of a file */

static gboolean
read_text (const gchar *text, gsize length, const gchar *origin, GstCcaGroundPicture *picture, GError **error)
{
  const GType type = gst_dynamic_type_factory_load (GST_CCA_GROUND_READER_NAME);
  GstCcaGroundReaderClass *reader;
  gboolean done;

  if (type == G_TYPE_INVALID) {
    g_set_error (
        error, GST_CCA_GROUND_ERROR, 0,
        "%s: the ground needs the plugin ccazones, which is not installed: install it, or build with json-glib",
        origin);
    return FALSE;
  }
  reader = g_type_class_ref (type);
  done = reader->read (text, length, origin, picture, error);
  g_type_class_unref (reader);
  return done;
}

gboolean
gst_cca_ground_load (const gchar *value, GstCcaGroundPicture *picture, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *text = NULL;
  gsize length;

  if (g_str_has_prefix (value, "{"))
    return read_text (value, strlen (value), "JSON", picture, error);
  text = gst_cca_file_read (value, MAX_BYTES, &length, &problem);
  if (text)
    return read_text (text, length, value, picture, error);
  g_set_error (error, GST_CCA_GROUND_ERROR, 0, "%s: %s", value, problem->message);
  return FALSE;
}
