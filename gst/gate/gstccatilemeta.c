/* gst-cca: where a tile comes from, on its way from ccacrop to ccauncrop
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatilemeta.h"

#include <gst/video/video.h>

static GType
api_type (void)
{
  static const gchar *tags[] = { NULL };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("GstCcaTileMetaAPI", tags));
  return type;
}

static gboolean
init_meta (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((GstCcaTileMeta *) meta)->origin = (GstCcaTileOrigin) { 0 };
  return TRUE;
}

/* Elements that scale call it as if they copied, or not. Who reads the meta compares the sizes. */
static gboolean
transform_meta (GstBuffer *copy, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  if (!GST_META_TRANSFORM_IS_COPY (type) && !GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    return FALSE;
  gst_buffer_add_cca_tile_meta (copy, &((GstCcaTileMeta *) meta)->origin);
  return TRUE;
}

static const GstMetaInfo *
meta_info (void)
{
  static gsize info = 0;

  if (g_once_init_enter (&info))
    g_once_init_leave (&info, (gsize) gst_meta_register (api_type (), "GstCcaTileMeta", sizeof (GstCcaTileMeta),
                                                         init_meta, NULL, transform_meta));
  return (const GstMetaInfo *) info;
}

void
gst_buffer_add_cca_tile_meta (GstBuffer *buffer, const GstCcaTileOrigin *origin)
{
  ((GstCcaTileMeta *) gst_buffer_add_meta (buffer, meta_info (), NULL))->origin = *origin;
}

const GstCcaTileOrigin *
gst_buffer_get_cca_tile_origin (GstBuffer *buffer)
{
  const GstCcaTileMeta *meta = (const GstCcaTileMeta *) gst_buffer_get_meta (buffer, api_type ());

  return meta ? &meta->origin : NULL;
}
