/* gst-cca: the metas of a frame to a frame of an index, and back
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>

#include "frame.h"

/* The lists of a frame; all 0 before the first. */
typedef struct
{
  GstCcaIndexComponent *components;
  gsize room_components;
  GstCcaIndexTrack *tracks;
  gsize room_tracks;
} GstCcaIndexLists;

void gst_cca_index_lists_clear (GstCcaIndexLists *lists);

/* Fills in the frame from the metas of an analysis; either may be NULL. The frame refers to them and to the lists.
 * Returns FALSE if memory is exhausted. */
gboolean gst_cca_index_frame_read (GstCcaIndexFrame *frame, GstCcaIndexLists *lists, const GstCcaMeta *components,
                                   const GstCcaTrackMeta *tracks);

/* Adds to an empty buffer the times and metas that a frame had. Returns FALSE if memory is exhausted. */
gboolean gst_cca_index_frame_attach (const GstCcaIndexFrame *frame, GstBuffer *buffer);

/* Returns the source of UTC of a name, which may be NULL for none. */
GstCcaIndexUtcSource gst_cca_index_utc_source_by_name (const gchar *name);
