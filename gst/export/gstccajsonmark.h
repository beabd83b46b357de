/* gst-cca: a mark on buffers whose text ccajson wrote
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A private meta of the process: the buffer is one line of JSON, and the mark says where its members are, so that
 * readers need not parse it. Elements that change the memory drop it. It is not copied with a part of the buffer.
 */
#pragma once

#include <gst/gst.h>

#define GST_CCA_JSON_MARK_NAME "GstCcaJsonMark"
#define GST_CCA_JSON_MAX_MEMBERS 20

/* The members of a line. */
typedef struct
{
  guint n;
  gsize
      ends[GST_CCA_JSON_MAX_MEMBERS]; /* of each "name":value, in bytes from the start; a comma or the brace follows */
  GstClockTime utc;                   /* of the frame, or GST_CLOCK_TIME_NONE */
} GstCcaJsonMembers;

typedef struct
{
  GstMeta meta;
  GstCcaJsonMembers members;
} GstCcaJsonMark;

/* Returns the mark on a buffer, or NULL. */
static inline const GstCcaJsonMark *
gst_cca_json_mark_get (GstBuffer *buffer)
{
  const GstMetaInfo *info = gst_meta_get_info (GST_CCA_JSON_MARK_NAME);

  return info ? (const GstCcaJsonMark *) gst_buffer_get_meta (buffer, info->api) : NULL;
}
