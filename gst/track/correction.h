/* gst-cca: how the components of a frame correct its tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "state.h"

/* Collects what n components of a track are together: its box, centroid and labels. Returns their area, in pixels. */
double gst_cca_track_measure (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track,
                              const GstCcaLink *links, size_t n);

/* Takes in what a component of a track is said to be. A track is of the kind that has the majority (Boyer and Moore's
 * vote), of late: votes for it are limited. */
void gst_cca_track_learn_kind (Track *track, uint32_t kind);

/* Corrects all tracks, which have been predicted. links are their components. */
void gst_cca_tracker_correct (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds,
                              const GstCcaLink *links, size_t n_links);
