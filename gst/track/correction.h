/* gst-cca: how the components of a frame correct its tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_CORRECTION_H
#define GST_CCA_CORRECTION_H

#include "track.h"

/* Collects what n components of a track are together: its box, centroid and labels. Returns their area, in pixels. */
double gst_cca_track_measure (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track,
                              const GstCcaLink *links, size_t n);

/* Corrects all tracks, which have been predicted. links are their components. */
void gst_cca_tracker_correct (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds,
                              const GstCcaLink *links, size_t n_links);

#endif
