/* gst-cca: tracks as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TRACK_MESSAGE_H
#define GST_CCA_TRACK_MESSAGE_H

#include <gst/cca/gstccatrackmeta.h>

#include "gstccalists.h"
#include "gstccatimes.h"

G_BEGIN_DECLS

/* Returns an empty pool for the tracks in messages, which the caller unrefs. */
GstCcaListPool *gst_cca_track_message_pool_new (void);

/* Returns the message "cca-tracks" on n tracks in a frame of that size, whose components the analysis named id
 * found. */
GstMessage *gst_cca_track_message_new (GstCcaListPool *pool, GstObject *source, const gchar *id,
                                       const GstCcaMessageTimes *times, guint width, guint height,
                                       const GstCcaTrack *tracks, guint n);

G_END_DECLS

#endif
