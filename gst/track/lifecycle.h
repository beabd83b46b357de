/* gst-cca: hits and misses of a track, and how far it may move
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "state.h"

/* Returns whether a track has been seen often enough to know the size of its object. */
static inline bool
gst_cca_track_knows_size (const Track *track)
{
  return track->hits >= 6;
}

/* Ends a track with this frame. */
static inline void
gst_cca_track_end (Track *track)
{
  track->misses = track->hits + 1;
}

/* Returns whether a track may be published in a box: it moves little for its size, or keeps its size and moves as
 * predicted or no faster than before; or it is too new to tell. */
bool gst_cca_track_may_move (const GstCcaTrackerFrame *frame, const Track *track, const GstCcaMotion *predicted,
                             const GstCcaBox *now, double seconds);

/* Returns whether a track's box has moved from its start, beyond what its outline does. */
bool gst_cca_track_has_moved (const Track *track);

/* Notes that a frame shows a track in its box. state is for a track that is, or becomes, confirmed. */
void gst_cca_track_note_hit (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track,
                             GstCcaObjectState state);

/* Notes that a frame, seconds after the last, does not show a track; hidden: because others hide it. */
void gst_cca_track_note_miss (Track *track, double seconds, bool hidden);
