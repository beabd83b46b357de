/* gst-cca: a mark on buffers whose text ccajson wrote
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccajsonmark.h"

static gboolean
init_mark (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  return TRUE;
}

static gboolean
transform_mark (GstBuffer *to, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  const GstMetaTransformCopy *copy = data;

  if (!GST_META_TRANSFORM_IS_COPY (type) || copy->region)
    return FALSE;
  gst_cca_json_mark_add (to);
  return TRUE;
}

static const GstMetaInfo *
mark_info (void)
{
  static const gchar *tags[] = { GST_META_TAG_MEMORY_STR, NULL };
  static gsize info;

  if (g_once_init_enter (&info)) {
    const GType api = gst_meta_api_type_register (GST_CCA_JSON_MARK_NAME "API", tags);

    g_once_init_leave (&info, (gsize) gst_meta_register (api, GST_CCA_JSON_MARK_NAME, sizeof (GstMeta), init_mark, NULL,
                                                         transform_mark));
  }
  return (const GstMetaInfo *) info;
}

void
gst_cca_json_mark_add (GstBuffer *buffer)
{
  gst_buffer_add_meta (buffer, mark_info (), NULL);
}
