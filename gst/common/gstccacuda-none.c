/* gst-cca: GStreamer's CUDA contexts, memory and streams, in a build without libgstcuda
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccacuda.h"

gboolean
gst_cca_cuda_is_built (void)
{
  return FALSE;
}

void
gst_cca_cuda_init (GstCcaCuda *cuda, GstElement *element)
{
  *cuda = (GstCcaCuda) { .element = element };
}

void
gst_cca_cuda_open (GstCcaCuda *cuda, gint device)
{
}

void
gst_cca_cuda_close (GstCcaCuda *cuda)
{
}

void
gst_cca_cuda_lose (GstCcaCuda *cuda)
{
}

gpointer
gst_cca_cuda_native (const GstCcaCuda *cuda)
{
  return NULL;
}

void
gst_cca_cuda_set_context (GstCcaCuda *cuda, GstContext *context, gint device)
{
}

gboolean
gst_cca_cuda_answer_query (GstCcaCuda *cuda, GstQuery *query)
{
  return FALSE;
}

gboolean
gst_cca_cuda_is_foreign (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  return FALSE;
}

gint
gst_cca_cuda_device_of (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  return -1;
}

void
gst_cca_cuda_follow (GstCcaCuda *cuda, GstBuffer *buffer)
{
}

GstMapFlags
gst_cca_cuda_map_flag (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  return (GstMapFlags) 0;
}

const GstVideoInfo *
gst_cca_cuda_layout (GstBuffer *buffer)
{
  return NULL;
}

gpointer
gst_cca_cuda_stream (const GstCcaCuda *cuda, GstBuffer *input, GstBuffer *output)
{
  return NULL;
}

gboolean
gst_cca_cuda_fill (const GstCcaCuda *cuda, gpointer stream, gpointer data, gsize pitch, gsize row_bytes, gsize n_rows,
                   guint8 value)
{
  return FALSE;
}

void
gst_cca_cuda_see (const GstCcaCuda *cuda, const GstMapInfo *map)
{
}

GstBufferPool *
gst_cca_cuda_pool_new (const GstCcaCuda *cuda, GstCaps *caps, guint *size)
{
  return NULL;
}

gboolean
gst_cca_cuda_has_pool (const GstCcaCuda *cuda, GstBufferPool *pool)
{
  return FALSE;
}
