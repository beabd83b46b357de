/* gst-cca: the list of a GstCcaTrackMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TRACKS_H
#define GST_CCA_TRACKS_H

#include <gst/cca/gstccatrackmeta.h>

#include "framemeta.h"

extern GstCcaFrameMetaKind gst_cca_tracks;

/* Copies tracks to a new storage, where *copies are. Sets both to NULL for none. Returns FALSE if memory is exhausted.
 */
gboolean gst_cca_tracks_store (GstBuffer **storage, GstCcaTrack **copies, const GstCcaTrack *tracks, guint n_tracks);

/* Returns whether the meta says how high objects are. */
gboolean gst_cca_tracks_know_heights (const GstCcaTrackMeta *meta);

#endif
