/* gst-cca: GStreamer's CUDA contexts, memory and streams
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All that the elements know of libgstcuda, and how its versions differ. In a build without it there is system memory
 * only: nothing is ever opened, and every buffer counts as one in system memory.
 */
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

/* Formats that libgstcuda allocates and whose values are bytes. */
#define GST_CCA_CUDA_FORMATS "{ NV12, NV21, I420, YV12, Y42B, Y444, YUY2, UYVY, RGBx, BGRx, RGBA, BGRA }"

#define GST_CCA_CUDA_MAX_KERNELS 4

/* A file of kernels, which the elements in a context share, and an element's memory for their arguments. */
typedef struct
{
  gpointer module, functions[GST_CCA_CUDA_MAX_KERNELS];
  gpointer host, device; /* pinned memory, and the device's */
  gsize host_size, device_size;
} GstCcaCudaKernels;

/* An element's part in a GPU. */
typedef struct
{
  GstElement *element;
  /* A GstCudaContext, written under the element's object lock; NULL: libcca works in a context of its own. */
  struct _GstCudaContext *context;
  gpointer stream;    /* for buffers that bring none */
  gboolean nvmm;      /* frames are in memory:NVMM (gstccanvmm.h) */
  gpointer nvmm_copy; /* device memory for such as have to be copied */
  gsize nvmm_copy_size;
  GstCcaCudaKernels kernels; /* of an element that has some, until it changes the context or closes it */
} GstCcaCuda;

/* Whether this build knows CUDA memory. */
gboolean gst_cca_cuda_is_built (void);

/* For the element's instance; the element outlives it. */
void gst_cca_cuda_init (GstCcaCuda *cuda, GstElement *element);

/* Takes the context that was set, or that neighbours, bins or the application have, or else the one on the device that
 * the elements of a process share, which it then offers to the former; device is an ordinal or -1 for any. On failure
 * nothing is open, and libcca reports the reason. You may close an unopened one. */
void gst_cca_cuda_open (GstCcaCuda *cuda, gint device);
void gst_cca_cuda_close (GstCcaCuda *cuda);

/* Marks the context as failed: no element takes it again, even if a neighbour still offers it. */
void gst_cca_cuda_lose (GstCcaCuda *cuda);

/* The CUcontext, or NULL. */
gpointer gst_cca_cuda_native (const GstCcaCuda *cuda);

/* For GstElementClass.set_context and for context queries. */
void gst_cca_cuda_set_context (GstCcaCuda *cuda, GstContext *context, gint device);
gboolean gst_cca_cuda_answer_query (GstCcaCuda *cuda, GstQuery *query);

/* Whether a buffer lies in CUDA or NVMM memory of another context. */
gboolean gst_cca_cuda_is_foreign (const GstCcaCuda *cuda, GstBuffer *buffer);
/* The ordinal of the device of such a buffer. */
gint gst_cca_cuda_device_of (const GstCcaCuda *cuda, GstBuffer *buffer);
/* Changes to the context of such a buffer. Nothing of the old one may be in use any more. */
void gst_cca_cuda_follow (GstCcaCuda *cuda, GstBuffer *buffer);

/* The flag to map a buffer with: that of CUDA for memory of the own context. Without it, mapping gives system
 * memory. */
GstMapFlags gst_cca_cuda_map_flag (const GstCcaCuda *cuda, GstBuffer *buffer);
/* Where the planes are in a buffer of CUDA memory, or NULL for other memory. */
const GstVideoInfo *gst_cca_cuda_layout (GstBuffer *buffer);
/* Returns the CUstream for work from input to output, which may be NULL. It waits for the work in flight on either. */
gpointer gst_cca_cuda_stream (const GstCcaCuda *cuda, GstBuffer *input, GstBuffer *output);
/* Enqueues filling rows of device memory with a byte. */
gboolean gst_cca_cuda_fill (const GstCcaCuda *cuda, gpointer stream, gpointer data, gsize pitch, gsize row_bytes,
                            gsize n_rows, guint8 value);

/* Counts a sight of a frame's block of system memory, and pins it until it is freed if it comes again and again: the
 * device then copies from and to it by itself. Other memory stays as it is. */
void gst_cca_cuda_see (const GstCcaCuda *cuda, const GstMapInfo *map);

/* --- Kernels of elements; only in builds that know CUDA memory --- */

/* Make of a list of kernels, such as CCA_KERNELS_veil, their names and their indices. */
#define GST_CCA_CUDA_NAME(kernel, type, file) "cca_" #kernel,
#define GST_CCA_CUDA_INDEX(kernel, type, file) KERNEL_##kernel,

/* A kernel to run on blocks of n_threads. */
typedef struct
{
  guint kernel; /* index of its name */
  guint columns, rows, n_threads;
  gpointer params;
} GstCcaCudaLaunch;

/* Returns how many blocks of a size cover n. */
static inline guint
gst_cca_cuda_n_blocks (guint n, guint size)
{
  return (n + size - 1) / size;
}

/* Loads kernels by their n names, unless they are loaded. Returns FALSE with an error if that fails. */
gboolean gst_cca_cuda_load (GstCcaCuda *cuda, gconstpointer fatbin, const gchar *const *names, guint n, GError **error);
/* Provides memory of at least these sizes; its contents are lost. */
gboolean gst_cca_cuda_reserve (GstCcaCuda *cuda, gsize host_size, gsize device_size, GError **error);
/* Copies n_bytes, which may be 0, from the beginning of the kernels' host memory to an offset in their device memory,
 * runs kernels one after the other, and waits until all is done. */
gboolean gst_cca_cuda_run (const GstCcaCuda *cuda, gpointer stream, gsize offset, gsize n_bytes,
                           const GstCcaCudaLaunch *launches, guint n, GError **error);

/* Posts an error of the element's work on a GPU, and marks the context as failed. */
void gst_cca_cuda_fail (GstCcaCuda *cuda, const GError *error);

/* A configured pool of CUDA memory, or NULL; size is that of its buffers. */
GstBufferPool *gst_cca_cuda_pool_new (const GstCcaCuda *cuda, GstCaps *caps, guint *size);
/* Whether the buffers of a pool are CUDA memory of the own context. */
gboolean gst_cca_cuda_has_pool (const GstCcaCuda *cuda, GstBufferPool *pool);
