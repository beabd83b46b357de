/* gst-cca: frames of DeepStream and Jetson, in memory:NVMM
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A buffer's one memory is an NvBufSurface, which describes a batch of frames. On a discrete GPU a frame has an address
 * that kernels can read in the primary context of its device, where CUDA's runtime allocated it. On Jetson a frame is a
 * surface of the hardware: CUDA reads it as an EGLImage, whose planes have addresses, or are arrays in the hardware's
 * order of pixels, which are copied.
 */
#include "gstccanvmm.h"

#include "gstccadriver.h"

#define EGL_NO_X11
#include <cudaEGL.h>
#include <gst/cuda/cuda-gst.h>
#include <gst/cuda/gstcudacontext.h>
#include <nvbufsurface.h>

gboolean
gst_cca_nvmm_is_built (void)
{
  return TRUE;
}

/* --- CUDA -------------------------------------------------------------------------------------------- */

/* Functions of the driver that libgstcuda does not offer; NULL where there are none. */
typedef struct
{
  __typeof__ (cuGraphicsEGLRegisterImage) *register_image;
  __typeof__ (cuGraphicsResourceGetMappedEglFrame) *get_frame;
} Driver;

static const Driver *
driver (void)
{
  static gsize opened;
  static Driver functions;

  if (g_once_init_enter (&opened)) {
    functions.register_image = gst_cca_cuda_function ("cuGraphicsEGLRegisterImage");
    functions.get_frame = gst_cca_cuda_function ("cuGraphicsResourceGetMappedEglFrame");
    g_once_init_leave (&opened, 1);
  }
  return &functions;
}

static gboolean
check (CUresult result, const gchar *what, GError **error)
{
  return gst_cca_cuda_check (result, GST_RESOURCE_ERROR_READ, "NVMM memory", what, error);
}

/* --- Surfaces ---------------------------------------------------------------------------------------- */

static gboolean
map_surface (GstBuffer *buffer, GstMapInfo *map)
{
  if (gst_buffer_n_memory (buffer) != 1 || !gst_buffer_map (buffer, map, GST_MAP_READ))
    return FALSE;
  if (map->size >= sizeof (NvBufSurface))
    return TRUE;
  gst_buffer_unmap (buffer, map);
  return FALSE;
}

static NvBufSurface *
surface_of (const GstCcaNvmm *frame)
{
  return (NvBufSurface *) frame->map.data;
}

gint
gst_cca_nvmm_device_of (GstBuffer *buffer)
{
  GstMapInfo map;
  gint device;

  if (!map_surface (buffer, &map))
    return -1;
  device = (gint) ((const NvBufSurface *) map.data)->gpuId;
  gst_buffer_unmap (buffer, &map);
  return device;
}

static gboolean
check_batch (const NvBufSurface *surface, GError **error)
{
  const guint n = surface->batchSize == 1 ? 1 : surface->numFilled;

  if (n == 1)
    return TRUE;
  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
               "NVMM memory: the buffer is a batch of %u frames, and must be one frame; put this element before "
               "nvstreammux, or behind nvstreamdemux",
               n);
  return FALSE;
}

/* --- Images ------------------------------------------------------------------------------------------ */

/* Surfaces whose image was made here, and how many frames use it: several elements may read a surface at once. */
static GMutex images_mutex;
static GHashTable *images;

static gboolean
hold_image (GstCcaNvmm *frame)
{
  NvBufSurface *surface = surface_of (frame);
  gboolean has_image;
  guint n;

  g_mutex_lock (&images_mutex);
  if (!images)
    images = g_hash_table_new (NULL, NULL);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (images, surface));
  has_image = surface->surfaceList[0].mappedAddr.eglImage != NULL;
  if (n > 0 || !has_image)
    has_image = frame->holds_image = n > 0 || NvBufSurfaceMapEglImage (surface, 0) == 0;
  if (frame->holds_image)
    g_hash_table_insert (images, surface, GUINT_TO_POINTER (n + 1));
  g_mutex_unlock (&images_mutex);
  return has_image;
}

static void
drop_image (const GstCcaNvmm *frame)
{
  NvBufSurface *surface = surface_of (frame);
  guint n;

  g_mutex_lock (&images_mutex);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (images, surface)) - 1;
  if (n > 0) {
    g_hash_table_insert (images, surface, GUINT_TO_POINTER (n));
  } else {
    g_hash_table_remove (images, surface);
    NvBufSurfaceUnMapEglImage (surface, 0);
  }
  g_mutex_unlock (&images_mutex);
}

/* Bytes of the planes before one, in a copy of them. */
static gsize
offset_in_copy (const GstCcaNvmm *frame, guint index)
{
  const NvBufSurfacePlaneParams *params = &surface_of (frame)->surfaceList[0].planeParams;
  gsize offset = 0;

  for (guint i = 0; i < index; i++)
    offset += (gsize) params->pitch[i] * params->height[i];
  return offset;
}

static gboolean
reserve_copy (GstCcaCuda *cuda, gsize size, GError **error)
{
  CUdeviceptr memory = 0;

  if (size <= cuda->nvmm_copy_size)
    return TRUE;
  if (cuda->nvmm_copy)
    CuMemFree ((CUdeviceptr) GPOINTER_TO_SIZE (cuda->nvmm_copy));
  if (!check (CuMemAlloc (&memory, size), "no memory of the device for a copy of the frame", error))
    size = 0;
  cuda->nvmm_copy = GSIZE_TO_POINTER (memory);
  cuda->nvmm_copy_size = size;
  return size > 0;
}

static gboolean
copy_plane (const GstCcaNvmm *frame, guint index, guint row, guint n_rows, GError **error)
{
  const CUDA_MEMCPY2D copy = {
    .srcMemoryType = CU_MEMORYTYPE_ARRAY,
    .srcArray = frame->planes[index],
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = (CUdeviceptr) GPOINTER_TO_SIZE (frame->cuda->nvmm_copy) + offset_in_copy (frame, index),
    .dstPitch = surface_of (frame)->surfaceList[0].planeParams.pitch[index],
    .WidthInBytes = row,
    .Height = n_rows,
  };

  return check (CuMemcpy2D (&copy), "a frame's array cannot be copied", error);
}

static gboolean
open_image (GstCcaNvmm *frame, GError **error)
{
  const Driver *functions = driver ();
  CUeglFrame image;

  if (!functions->register_image || !functions->get_frame)
    return check (CUDA_ERROR_NOT_SUPPORTED, "the CUDA driver knows no EGLImage", error);
  if (!check (functions->register_image ((CUgraphicsResource *) &frame->resource,
                                         surface_of (frame)->surfaceList[0].mappedAddr.eglImage,
                                         CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY),
              "a frame's EGLImage cannot be registered", error)) {
    frame->resource = NULL;
    return FALSE;
  }
  if (!check (functions->get_frame (&image, frame->resource, 0, 0), "a frame's EGLImage cannot be read", error))
    return FALSE;
  frame->n_planes = MIN (image.planeCount, G_N_ELEMENTS (frame->planes));
  frame->has_arrays = image.frameType == CU_EGL_FRAME_TYPE_ARRAY;
  for (guint i = 0; i < frame->n_planes; i++)
    frame->planes[i] = frame->has_arrays ? (gpointer) image.frame.pArray[i] : image.frame.pPitch[i];
  return !frame->has_arrays || reserve_copy (frame->cuda, offset_in_copy (frame, frame->n_planes), error);
}

/* The context stays current until the end. */
static gboolean
map_image (GstCcaNvmm *frame, GError **error)
{
  if (!hold_image (frame)) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                         "NVMM memory: a frame gives no EGLImage (NvBufSurfaceMapEglImage)");
    return FALSE;
  }
  frame->is_current = gst_cuda_context_push (frame->cuda->context);
  if (!frame->is_current)
    return check (CUDA_ERROR_INVALID_CONTEXT, "the CUDA context cannot be used", error);
  return open_image (frame, error);
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static gboolean
find_planes (GstCcaNvmm *frame, GError **error)
{
  const NvBufSurface *surface = surface_of (frame);
  const NvBufSurfaceParams *params = &surface->surfaceList[0];

  switch (surface->memType) {
    case NVBUF_MEM_CUDA_PINNED:
    case NVBUF_MEM_CUDA_DEVICE:
    case NVBUF_MEM_CUDA_UNIFIED:
      frame->n_planes = MIN (params->planeParams.num_planes, G_N_ELEMENTS (frame->planes));
      for (guint i = 0; i < frame->n_planes; i++)
        frame->planes[i] = (guint8 *) params->dataPtr + params->planeParams.offset[i];
      return TRUE;
    case NVBUF_MEM_SURFACE_ARRAY: return map_image (frame, error);
    default:
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                   "NVMM memory: frames are in memory of type %d (NvBufSurfaceMemType), which CUDA cannot read; put "
                   "\"nvvideoconvert nvbuf-memory-type=0\" before this element",
                   (gint) surface->memType);
      return FALSE;
  }
}

gboolean
gst_cca_nvmm_map (GstCcaNvmm *frame, GstCcaCuda *cuda, GstBuffer *buffer, GError **error)
{
  *frame = (GstCcaNvmm) { .cuda = cuda };
  if (!map_surface (buffer, &frame->map)) {
    g_set_error_literal (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                         "NVMM memory: the buffer has no NvBufSurface, although its caps say " GST_CCA_NVMM);
    return FALSE;
  }
  frame->buffer = buffer;
  if (check_batch (surface_of (frame), error) && find_planes (frame, error))
    return TRUE;
  gst_cca_nvmm_unmap (frame);
  return FALSE;
}

void
gst_cca_nvmm_unmap (GstCcaNvmm *frame)
{
  if (!frame->buffer)
    return;
  if (frame->resource)
    CuGraphicsUnregisterResource (frame->resource);
  if (frame->is_current)
    gst_cuda_context_pop (NULL);
  if (frame->holds_image)
    drop_image (frame);
  gst_buffer_unmap (frame->buffer, &frame->map);
  frame->buffer = NULL;
}

const guint8 *
gst_cca_nvmm_plane (GstCcaNvmm *frame, guint index, guint row, guint n_rows, gint *stride, GError **error)
{
  const NvBufSurfacePlaneParams *params = &surface_of (frame)->surfaceList[0].planeParams;

  if (index >= frame->n_planes || params->pitch[index] < row || params->height[index] < n_rows) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                 "NVMM memory: plane %u of the surface has %u rows of %u bytes, and %u of %u are needed", index,
                 index < frame->n_planes ? params->height[index] : 0,
                 index < frame->n_planes ? params->pitch[index] : 0, n_rows, row);
    return NULL;
  }
  *stride = (gint) params->pitch[index];
  if (!frame->has_arrays)
    return frame->planes[index];
  if (!copy_plane (frame, index, row, n_rows, error))
    return NULL;
  return (const guint8 *) frame->cuda->nvmm_copy + offset_in_copy (frame, index);
}

void
gst_cca_nvmm_forget (GstCcaCuda *cuda)
{
  if (cuda->nvmm_copy && gst_cuda_context_push (cuda->context)) {
    CuMemFree ((CUdeviceptr) GPOINTER_TO_SIZE (cuda->nvmm_copy));
    gst_cuda_context_pop (NULL);
  }
  cuda->nvmm_copy = NULL;
  cuda->nvmm_copy_size = 0;
}
