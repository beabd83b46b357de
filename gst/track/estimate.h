/* gst-cca: corrects tracks whose components do not show their boxes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "state.h"

/* Corrects a track of which only parts are seen: its box lies where it covers most of them. Its size shrinks towards
 * what is seen. */
void gst_cca_estimate_partial (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double seconds);

/* Ends those of the first n sharers that are new, and whose component is no larger than the object of an older one:
 * they began with parts of it. Returns how many are left. */
size_t gst_cca_estimate_end_parts (GstCcaTracker *tracker, const GstCcaBox *box, size_t n);

/* Corrects the first n sharers, which are merged in a component, and notes their hits and misses. */
void gst_cca_estimate_merged (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, size_t n,
                              double seconds);
