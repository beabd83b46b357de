/* gst-cca: tracks how elements change the geometry of frames that carry our metas
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstCcaMeta has no tags, because elements that move frames to or from a GPU drop tagged metas. But elements tell only
 * tagged metas how they change a frame. So a second meta, the witness, goes with the components: its tags are those of
 * GStreamer's own metas with coordinates. An element that changes the frame's geometry tells the witness how, or drops
 * it.
 */
#pragma once

#include "mapping.h"

typedef enum
{
  GST_CCA_CHANGE_NONE,    /* the new frame shows the old one pixel by pixel */
  GST_CCA_CHANGE_MAPPED,  /* a mapping leads from the old frame to the new one */
  GST_CCA_CHANGE_UNKNOWN, /* nothing can be said */
} GstCcaChange;

/* Adds a witness to a writable buffer that has none. Call it before a meta is added: elements copy the metas of a
 * buffer in their order. */
void gst_cca_geometry_watch (GstBuffer *buffer);

/* Returns how the frame changed between two buffers, while a meta of from is being copied to to. width and height are
 * the size of the frame that the meta's coordinates refer to. mapping is for these, and set only for
 * GST_CCA_CHANGE_MAPPED. */
GstCcaChange gst_cca_geometry_compare (GstBuffer *from, GstBuffer *to, guint width, guint height,
                                       GstCcaMapping *mapping);
