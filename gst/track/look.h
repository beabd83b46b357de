/* gst-cca: what colour objects have, by which they are told apart when they meet
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An object's look is the mean colour of the foreground in horizontal bands of its box, without what other objects
 * cover. It tells people apart by their clothes, as the colours of body parts do in Wu & Nevatia, "Detection and
 * Tracking of Multiple, Partially Occluded Humans by Bayesian Combination of Edgelet based Part Detectors", IJCV 75,
 * 2007, section 5.
 */
#pragma once

#include "box.h"
#include "tracker.h"

#define GST_CCA_LOOK_BANDS 5

/* All zero: not known. */
typedef struct
{
  float mean[GST_CCA_LOOK_BANDS][3]; /* Y, U, V */
  float known[GST_CCA_LOOK_BANDS];   /* of a detection: which part of the band is seen; of a track: 1 after a while */
} GstCcaLook;

/* Measures the look of a box; others, n of them, are the boxes of all detections of the frame, number `self` this
 * one's. Those that stand in front of it cover it. Unknown if the frame's colours are. */
GstCcaLook gst_cca_look_measure (const GstCcaTrackerFrame *frame, const GstCcaBox *boxes, size_t n, size_t self);

/* Learns from the look of a detection that is the track's own. */
void gst_cca_look_learn (GstCcaLook *look, const GstCcaLook *seen);

/* Returns what a detection's look says against a track's: the mean squared deviation of a band, weighted as the costs
 * of cost.c; 0 where they have no band in common. */
double gst_cca_look_cost (const GstCcaLook *look, const GstCcaLook *seen);
