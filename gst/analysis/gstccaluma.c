/* gst-cca: the luma of a buffer, and its chroma, as an image of libcca
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaluma.h"

#include "gstccaformat.h"

static gboolean fail_format (GError **error, const GstVideoInfo *info, const gchar *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail_format (GError **error, const GstVideoInfo *info, const gchar *format, ...)
{
  va_list args;
  g_autofree gchar *problem = NULL;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
               "Buffer does not fit its caps, %dx%d %s: %s; the element upstream must make both agree",
               GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info), problem);
  return FALSE;
}

static gboolean
fail_map (GError **error)
{
  g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                       "The buffer's memory cannot be mapped for reading");
  return FALSE;
}

/* The part of a plane that is read, and its place in the buffer. */
typedef struct
{
  const gchar *name;
  gint row, n_rows; /* bytes, rows */
  gint stride;
  gsize offset;
} Extent;

/* A component of a plane that planes 1 and above share is read with its neighbours. */
static Extent
plane_extent (const GstVideoInfo *info, const GstVideoInfo *layout, const GstVideoMeta *meta, guint index)
{
  const guint component = index == 0 ? 0 : 1; /* both components of chroma are of one size */

  return (Extent) {
    .name = index == 0 ? "" : " of chroma",
    .row = index == 0 ? GST_VIDEO_INFO_WIDTH (info) * (gint) cca_format_pixel_size (gst_cca_format_plane (info))
                      : GST_VIDEO_INFO_COMP_WIDTH (info, component) * GST_VIDEO_INFO_COMP_PSTRIDE (info, component),
    .n_rows = GST_VIDEO_INFO_COMP_HEIGHT (info, component),
    .stride = meta ? meta->stride[index] : GST_VIDEO_INFO_PLANE_STRIDE (layout, index),
    .offset = meta ? meta->offset[index] : GST_VIDEO_INFO_PLANE_OFFSET (layout, index),
  };
}

/* From the first byte of the plane to the last. */
static gsize
extent_size (const Extent *extent)
{
  return (gsize) extent->stride * (extent->n_rows - 1) + extent->row;
}

/* If several memories hold the plane, GStreamer maps a merged copy, and puts it into a writable buffer in their place.
 * The extra reference makes the buffer read-only. */
static gboolean
map_range (const GstCcaLuma *luma, GstCcaPlane *plane, const Extent *extent, GError **error)
{
  guint index, n_memories;
  gsize skip;

  plane->meta = NULL;
  gst_buffer_ref (luma->buffer);
  if (!gst_buffer_find_memory (luma->buffer, extent->offset, extent_size (extent), &index, &n_memories, &skip)
      || !gst_buffer_map_range (luma->buffer, index, (gint) n_memories, &plane->map, luma->flags)) {
    gst_buffer_unref (luma->buffer);
    return fail_map (error);
  }
  plane->data = plane->map.data + skip;
  plane->stride = extent->stride;
  return TRUE;
}

/* The meta's own map function knows memory that is no plain bytes; but it maps just the plane's first memory. */
static gboolean
map_with_meta (const GstCcaLuma *luma, GstCcaPlane *plane, GstVideoMeta *meta, const Extent *extent, GError **error)
{
  gpointer data;
  gint stride;
  gsize available;

  if (!gst_video_meta_map (meta, plane->index, &plane->map, &data, &stride, luma->flags))
    return fail_map (error);
  available = plane->map.size - (gsize) ((guint8 *) data - plane->map.data);
  if (stride == extent->stride && available < extent_size (extent)) {
    gst_video_meta_unmap (meta, plane->index, &plane->map);
    return map_range (luma, plane, extent, error);
  }
  plane->meta = meta;
  plane->data = data;
  plane->stride = stride;
  return TRUE;
}

static gboolean
map_nvmm_plane (GstCcaLuma *luma, const GstVideoInfo *info, guint index, GError **error)
{
  const Extent extent = plane_extent (info, info, NULL, index);
  GstCcaPlane *plane = &luma->planes[luma->n_planes];

  plane->data =
      gst_cca_nvmm_plane (&luma->nvmm, index, (guint) extent.row, (guint) extent.n_rows, &plane->stride, error);
  if (!plane->data)
    return FALSE;
  luma->n_planes++;
  return TRUE;
}

/* Adds a plane to the luma's. */
static gboolean
map_plane (GstCcaLuma *luma, const GstVideoInfo *info, guint index, GError **error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (luma->buffer);
  const GstVideoInfo *cuda_layout = gst_cca_cuda_layout (luma->buffer);
  const Extent extent = plane_extent (info, cuda_layout ? cuda_layout : info, meta, index);
  const gsize size = gst_buffer_get_size (luma->buffer);
  GstCcaPlane *plane = &luma->planes[luma->n_planes];
  gsize needed;

  if (luma->nvmm.buffer)
    return map_nvmm_plane (luma, info, index, error);
  if (index > 0 && meta && index >= meta->n_planes)
    return fail_format (error, info, "its GstVideoMeta has %u planes", meta->n_planes);
  if (extent.stride < extent.row)
    return fail_format (error, info, "its stride%s is %d bytes and must be at least %d", extent.name, extent.stride,
                        extent.row);
  needed = meta || cuda_layout ? extent.offset + extent_size (&extent) : GST_VIDEO_INFO_SIZE (info);
  if (size < needed || extent.offset > size)
    return fail_format (error, info, "it has %" G_GSIZE_FORMAT " bytes and needs %" G_GSIZE_FORMAT, size, needed);
  plane->index = index;
  if (!(meta ? map_with_meta (luma, plane, meta, &extent, error) : map_range (luma, plane, &extent, error)))
    return FALSE;
  luma->n_planes++;
  return TRUE;
}

/* Adds the planes of chroma, which may be one. */
static gboolean
map_chroma (GstCcaLuma *luma, const GstVideoInfo *info, GError **error)
{
  const guint planes[] = { GST_VIDEO_INFO_COMP_PLANE (info, 1), GST_VIDEO_INFO_COMP_PLANE (info, 2) };
  const GstCcaPlane *u = &luma->planes[1], *v = planes[1] == planes[0] ? u : &luma->planes[2];

  if (!map_plane (luma, info, planes[0], error) || (v != u && !map_plane (luma, info, planes[1], error)))
    return FALSE;
  if (u->stride != v->stride)
    return fail_format (error, info, "its strides of chroma are %d and %d bytes and must be the same", u->stride,
                        v->stride);
  luma->image.chroma = (CcaChroma) {
    .u = u->data + GST_VIDEO_INFO_COMP_POFFSET (info, 1),
    .v = v->data + GST_VIDEO_INFO_COMP_POFFSET (info, 2),
    .pitch = u->stride,
    .step = (guint32) GST_VIDEO_INFO_COMP_PSTRIDE (info, 1),
    .shift_x = info->finfo->w_sub[1],
    .shift_y = info->finfo->h_sub[1],
  };
  return TRUE;
}

/* Shows a GPU the blocks of system memory that the planes lie in. */
static void
show_blocks (const GstCcaLuma *luma, const GstCcaCuda *cuda)
{
  for (guint i = 0; i < luma->n_planes; i++)
    if (i == 0 || luma->planes[i].map.memory != luma->planes[i - 1].map.memory)
      gst_cca_cuda_see (cuda, &luma->planes[i].map);
}

static gboolean
map_nvmm (GstCcaLuma *luma, GstCcaCuda *cuda, GError **error)
{
  gint device;

  if (!gst_cca_cuda_is_foreign (cuda, luma->buffer))
    return gst_cca_nvmm_map (&luma->nvmm, cuda, luma->buffer, error);
  device = gst_cca_cuda_device_of (cuda, luma->buffer);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "Frames are in NVMM memory of CUDA device %d, on which the element does not work; set cuda-device-id to "
               "%d, or to -1",
               device, device);
  return FALSE;
}

gboolean
gst_cca_luma_map (GstCcaLuma *luma, GstBuffer *buffer, const GstVideoInfo *info, gboolean with_chroma, GstCcaCuda *cuda,
                  GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstMapFlags cuda_flag = gst_cca_cuda_map_flag (cuda, buffer);
  const gint width = GST_VIDEO_INFO_WIDTH (info), height = GST_VIDEO_INFO_HEIGHT (info);

  if (meta && (meta->width < (guint) width || meta->height < (guint) height))
    return fail_format (error, info, "its GstVideoMeta says %ux%u", meta->width, meta->height);
  *luma = (GstCcaLuma) { .buffer = buffer, .flags = GST_MAP_READ | cuda_flag };
  if (cuda->nvmm && !map_nvmm (luma, cuda, error))
    return FALSE;
  if (!map_plane (luma, info, 0, error)) {
    gst_cca_luma_unmap (luma);
    return FALSE;
  }
  luma->image = (CcaImage) {
    .data = (gpointer) luma->planes[0].data,
    .pitch = luma->planes[0].stride,
    .width = (guint32) width,
    .height = (guint32) height,
    .memory = cuda_flag || cuda->nvmm ? CCA_MEMORY_DEVICE : CCA_MEMORY_HOST,
  };
  if (with_chroma && gst_cca_format_has_chroma (info) && !map_chroma (luma, info, error)) {
    gst_cca_luma_unmap (luma);
    return FALSE;
  }
  if (luma->image.memory == CCA_MEMORY_HOST)
    show_blocks (luma, cuda);
  return TRUE;
}

void
gst_cca_luma_unmap (GstCcaLuma *luma)
{
  if (luma->nvmm.buffer) {
    gst_cca_nvmm_unmap (&luma->nvmm);
    luma->n_planes = 0;
  }
  while (luma->n_planes > 0) {
    GstCcaPlane *plane = &luma->planes[--luma->n_planes];

    if (plane->meta) {
      gst_video_meta_unmap (plane->meta, plane->index, &plane->map);
    } else {
      gst_buffer_unmap (luma->buffer, &plane->map);
      gst_buffer_unref (luma->buffer);
    }
  }
}
