/* gst-cca: frames of DeepStream and Jetson, in memory:NVMM
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All that the elements know of NvBufSurface. In a build without its header no caps have such memory.
 */
#pragma once

#include "gstccacuda.h"

/* The caps feature. */
#define GST_CCA_NVMM "memory:NVMM"

/* A frame, mapped for reading. */
typedef struct
{
  /*< private >*/
  GstCcaCuda *cuda;
  GstBuffer *buffer; /* NULL: nothing is mapped */
  GstMapInfo map;
  gpointer planes[3]; /* addresses, or arrays of CUDA's */
  guint n_planes;
  gboolean has_arrays, holds_image, is_current;
  gpointer resource; /* CUDA's, of the image */
} GstCcaNvmm;

/* Whether this build reads such memory. */
gboolean gst_cca_nvmm_is_built (void);

/* Returns the ordinal of the device whose primary context can read a buffer; -1 if the buffer has no surface. */
gint gst_cca_nvmm_device_of (GstBuffer *buffer);

/* Maps the one frame of a buffer until gst_cca_nvmm_unmap() on the same thread, in that context, which is cuda's. Fails
 * with an error of a GStreamer domain. */
gboolean gst_cca_nvmm_map (GstCcaNvmm *frame, GstCcaCuda *cuda, GstBuffer *buffer, GError **error);
void gst_cca_nvmm_unmap (GstCcaNvmm *frame);

/* Returns where a plane of a mapped frame lies in device memory, of which n_rows rows of row bytes will be read by work
 * that begins after the work on the context's default stream; NULL with an error if the surface has less. */
const guint8 *gst_cca_nvmm_plane (GstCcaNvmm *frame, guint index, guint row, guint n_rows, gint *stride,
                                  GError **error);

/* Frees what was kept for an element's frames; its context is still open. */
void gst_cca_nvmm_forget (GstCcaCuda *cuda);
