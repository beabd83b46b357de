/* gst-cca: the lists of a GstCcaEventMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_EVENTS_H
#define GST_CCA_EVENTS_H

#include <gst/cca/gstccaeventmeta.h>

#include "framemeta.h"

extern GstCcaFrameMetaKind gst_cca_events;

/* Rules and events with all that they point to, in one block of GLib's allocator. */
typedef struct
{
  gpointer block; /* begins with the rules, or without any with the events; NULL if there are neither */
  gsize size;     /* of the block, in bytes */
  GstCcaRule *rules;
  GstCcaEvent *events;
  GstCcaPoint *points; /* of all rules */
  guint n_rules, n_events;
  gsize n_points;
} GstCcaEventLists;

/* Copies rules and events. Returns FALSE if memory is exhausted. */
gboolean gst_cca_event_lists_copy (GstCcaEventLists *lists, const GstCcaRule *rules, guint n_rules,
                                   const GstCcaEvent *events, guint n_events);

/* Makes the lists those of the meta, which takes ownership of the block. */
void gst_cca_event_lists_take (GstCcaEventMeta *meta, const GstCcaEventLists *lists);

#endif
