/* gst-cca: the luma of a buffer, and its chroma, as an image of libcca
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"
#include "gstccanvmm.h"

#include <gst/gst.h>
#include <gst/video/video.h>

/* A plane of a buffer, mapped for reading. */
typedef struct
{
  const guint8 *data;
  gint stride;
  GstVideoMeta *meta; /* that mapped it, or NULL */
  guint index;
  GstMapInfo map;
} GstCcaPlane;

/* A buffer's luma, and its chroma where that is wanted, mapped for reading. */
typedef struct
{
  CcaImage image;

  /*< private >*/
  GstBuffer *buffer;
  GstMapFlags flags;
  GstCcaNvmm nvmm; /* in such memory, that of all planes */
  GstCcaPlane planes[3];
  guint n_planes;
} GstCcaLuma;

/* Maps the luma of a frame as info and, where the buffer has one, its GstVideoMeta say; with with_chroma also the
 * chroma of formats that have it in planes of their own. No other memory of the buffer is touched. In memory of cuda's
 * context and in NVMM memory the image is one in device memory, else in system memory. Ends with gst_cca_luma_unmap(),
 * on the same thread. *error is of a GStreamer domain and says what does not fit. */
gboolean gst_cca_luma_map (GstCcaLuma *luma, GstBuffer *buffer, const GstVideoInfo *info, gboolean with_chroma,
                           GstCcaCuda *cuda, GError **error);
void gst_cca_luma_unmap (GstCcaLuma *luma);
