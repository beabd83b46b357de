/* gst-cca: the tracker as a shared library, libccatracker, which the Python module has in its wheel
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The library is of the module's version, and has no other users. Calls are those of tracker.h, with tracks as the
 * element publishes them.
 */
#pragma once

#include "published.h"
#include "tracker.h"

typedef struct CcaTracker CcaTracker;

/* Returns a tracker, which the caller frees; NULL if memory is exhausted. */
CcaTracker *cca_tracker_new (const GstCcaTrackerParams *params);
void cca_tracker_free (CcaTracker *tracker); /* NULL is allowed */

void cca_tracker_reset (CcaTracker *tracker);

/* Takes the ground, from n points of frames of that size; the frames need not have it. Returns a GstCcaGroundFault, and
 * a and b as gst_cca_ground_fit() does. */
int cca_tracker_set_ground (CcaTracker *tracker, const GstCcaGroundPoint *points, size_t n, uint32_t width,
                            uint32_t height, bool people, size_t *a, size_t *b);

/* Takes a frame and returns its published tracks by ascending id, valid until the next call for this tracker. Returns
 * FALSE if memory is exhausted: then the frame is lost. */
bool cca_tracker_run (CcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaPublished **tracks, size_t *n);

uint64_t cca_tracker_n_confirmed (const CcaTracker *tracker);
bool cca_tracker_heights (const CcaTracker *tracker, GstCcaTrackerHeight heights[2]);
double cca_tracker_metres (const CcaTracker *tracker);
