/* gst-cca: a mark on buffers whose text ccajson wrote
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A private meta of the process: whoever finds it need not check that the text is JSON. Elements that change the memory
 * drop it. It says nothing of a part of the buffer.
 */
#ifndef GST_CCA_JSON_MARK_H
#define GST_CCA_JSON_MARK_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_CCA_JSON_MARK_NAME "GstCcaJsonMark"

static inline gboolean
gst_cca_json_mark_is_on (GstBuffer *buffer)
{
  const GstMetaInfo *info = gst_meta_get_info (GST_CCA_JSON_MARK_NAME);

  return info && gst_buffer_get_meta (buffer, info->api);
}

G_END_DECLS

#endif
