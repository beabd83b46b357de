/* gst-cca: the luma of a buffer as an image of libcca
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaluma.h"

#include "gstccaformat.h"

static gboolean fail_format (GError **error, const GstVideoInfo *info, const gchar *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail_format (GError **error, const GstVideoInfo *info, const gchar *format, ...)
{
  va_list args;
  gchar *problem;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
               "Buffer does not fit its caps, %dx%d %s: %s; the element upstream must make both agree",
               GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info), problem);
  g_free (problem);
  return FALSE;
}

static gboolean
fail_map (GError **error)
{
  g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                       "The buffer's memory cannot be mapped for reading");
  return FALSE;
}

/* The bytes of a row of the plane that are read. */
static gint
luma_row (const GstVideoInfo *info)
{
  return GST_VIDEO_INFO_WIDTH (info) * (gint) cca_format_pixel_size (gst_cca_format_plane (info));
}

/* From the first byte of the plane to the last. */
static gsize
luma_extent (const GstVideoInfo *info, gint stride)
{
  return (gsize) stride * (GST_VIDEO_INFO_HEIGHT (info) - 1) + luma_row (info);
}

/* The memories that hold the plane may be more than one. Then GStreamer maps a merged copy, and would also replace
 * those of a writable buffer by it; hence the reference. */
static gboolean
map_range (GstCcaLuma *luma, gsize offset, gsize extent, GError **error)
{
  guint index, n_memories;
  gsize skip;

  luma->meta = NULL;
  gst_buffer_ref (luma->buffer);
  if (!gst_buffer_find_memory (luma->buffer, offset, extent, &index, &n_memories, &skip)
      || !gst_buffer_map_range (luma->buffer, index, (gint) n_memories, &luma->map, luma->flags)) {
    gst_buffer_unref (luma->buffer);
    return fail_map (error);
  }
  luma->image.data = luma->map.data + skip;
  return TRUE;
}

/* The meta's own map function knows memory that is no plain bytes; but it maps just the plane's first memory. */
static gboolean
map_with_meta (GstCcaLuma *luma, GstVideoMeta *meta, gsize extent, GError **error)
{
  gpointer data;
  gint stride;
  gsize available;

  if (!gst_video_meta_map (meta, 0, &luma->map, &data, &stride, luma->flags))
    return fail_map (error);
  available = luma->map.size - (gsize) ((guint8 *) data - luma->map.data);
  if (stride == meta->stride[0] && available < extent) {
    gst_video_meta_unmap (meta, 0, &luma->map);
    return map_range (luma, meta->offset[0], extent, error);
  }
  luma->meta = meta;
  luma->image.data = data;
  luma->image.pitch = stride;
  return TRUE;
}

gboolean
gst_cca_luma_map (GstCcaLuma *luma, GstBuffer *buffer, const GstVideoInfo *info, const GstCcaCuda *cuda, GError **error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoInfo *cuda_layout = gst_cca_cuda_layout (buffer);
  const GstVideoInfo *layout = cuda_layout ? cuda_layout : info;
  const GstMapFlags cuda_flag = gst_cca_cuda_map_flag (cuda, buffer);
  const gint width = GST_VIDEO_INFO_WIDTH (info), height = GST_VIDEO_INFO_HEIGHT (info);
  const gint stride = meta ? meta->stride[0] : GST_VIDEO_INFO_PLANE_STRIDE (layout, 0);
  const gsize offset = meta ? meta->offset[0] : GST_VIDEO_INFO_PLANE_OFFSET (layout, 0);
  const gsize size = gst_buffer_get_size (buffer);
  gsize needed;

  if (meta && (meta->width < (guint) width || meta->height < (guint) height))
    return fail_format (error, info, "its GstVideoMeta says %ux%u", meta->width, meta->height);
  if (stride < luma_row (info))
    return fail_format (error, info, "its stride is %d bytes and must be at least %d", stride, luma_row (info));
  needed = meta || cuda_layout ? offset + luma_extent (info, stride) : GST_VIDEO_INFO_SIZE (info);
  if (size < needed || offset > size)
    return fail_format (error, info, "it has %" G_GSIZE_FORMAT " bytes and needs %" G_GSIZE_FORMAT, size, needed);

  luma->buffer = buffer;
  luma->flags = GST_MAP_READ | cuda_flag;
  luma->image = (CcaImage) {
    .pitch = stride,
    .width = (guint32) width,
    .height = (guint32) height,
    .memory = cuda_flag ? CCA_MEMORY_DEVICE : CCA_MEMORY_HOST,
  };
  return meta ? map_with_meta (luma, meta, luma_extent (info, stride), error)
              : map_range (luma, offset, luma_extent (info, stride), error);
}

void
gst_cca_luma_unmap (GstCcaLuma *luma)
{
  if (luma->meta) {
    gst_video_meta_unmap (luma->meta, 0, &luma->map);
  } else {
    gst_buffer_unmap (luma->buffer, &luma->map);
    gst_buffer_unref (luma->buffer);
  }
}
