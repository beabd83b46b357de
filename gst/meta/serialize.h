/* gst-cca: the meta as bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_SERIALIZE_H
#define GST_CCA_SERIALIZE_H

#include <gst/cca/gstccameta.h>

/* As GStreamer calls them; before 1.24 nothing does, but the tests can still read. */
#if GST_CHECK_VERSION(1, 24, 0)
gboolean gst_cca_meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version);
#endif
GstMeta *gst_cca_meta_deserialize (const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size,
                                   guint8 version);

#endif
