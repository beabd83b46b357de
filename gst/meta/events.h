/* gst-cca: the lists of a GstCcaEventMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccaeventmeta.h>

#include "framemeta.h"

extern GstCcaFrameMetaKind gst_cca_events;

/* Rules, events and tracks on the ground with all that they point to, in one block of GLib's allocator. */
typedef struct
{
  gpointer block; /* begins with the rules, or the first list; NULL if all are empty */
  gsize size;     /* of the block, in bytes */
  GstCcaRule *rules;
  GstCcaEvent *events;
  GstCcaGroundTrack *ground_tracks;
  GstCcaPoint *points; /* of all rules */
  guint n_rules, n_events, n_ground_tracks;
  gsize n_points;
} GstCcaEventLists;

/* Copies the rules, events and tracks of other lists, of which block, size and points need not be set. Returns FALSE if
 * memory is exhausted. */
gboolean gst_cca_event_lists_copy (GstCcaEventLists *lists, const GstCcaEventLists *from);

/* Gives the lists to the meta, which takes ownership of the block. */
void gst_cca_event_lists_take (GstCcaEventMeta *meta, const GstCcaEventLists *lists);
