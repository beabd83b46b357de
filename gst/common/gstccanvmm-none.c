/* gst-cca: frames of DeepStream and Jetson, in a build without nvbufsurface.h
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccanvmm.h"

gboolean
gst_cca_nvmm_is_built (void)
{
  return FALSE;
}

gint
gst_cca_nvmm_device_of (GstBuffer *buffer)
{
  return -1;
}

gboolean
gst_cca_nvmm_map (GstCcaNvmm *frame, GstCcaCuda *cuda, GstBuffer *buffer, GError **error)
{
  g_return_val_if_reached (FALSE);
}

void
gst_cca_nvmm_unmap (GstCcaNvmm *frame)
{
}

const guint8 *
gst_cca_nvmm_plane (GstCcaNvmm *frame, guint index, guint row, guint n_rows, gint *stride, GError **error)
{
  g_return_val_if_reached (NULL);
}

void
gst_cca_nvmm_forget (GstCcaCuda *cuda)
{
}
