/* gst-cca: gates and costs: whether a component may be a track's, and what speaks against it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A gate is the region around a track's prediction outside which a component cannot be the track's. Inside it, a cost
 * is a squared Mahalanobis distance, to which differences in size, kind and look add.
 */
#pragma once

#include "track.h"

/* The logarithms of a size and an area, each with an offset that makes specks of a few pixels alike. */
typedef struct
{
  double side[2], area;
} GstCcaLogSize;

/* What a frame should show of a track. */
typedef struct
{
  const Track *track;
  const GstCcaMotion *motion; /* predicted */
  GstCcaBox box;              /* predicted */
  GstCcaLogSize size;
} GstCcaPrediction;

/* Returns the prediction for a track whose predicted motion is given; both must outlive it. */
GstCcaPrediction gst_cca_prediction (const Track *track, const GstCcaMotion *motion);

/* Returns how far a track's centre may be from its prediction, pixels. */
double gst_cca_gate_radius (const Track *track);

/* Returns the same for a track that turned or is new, from where it was in the last frame. */
double gst_cca_gate_radius_turned (const GstCcaScan *scan, const Track *track);

/* Returns the cost of a component near the prediction, or INFINITY outside the gate of this radius. */
double gst_cca_cost (const GstCcaScan *scan, const GstCcaPrediction *prediction, double radius, uint32_t component);

/* Returns the cost of a component near the last box of a track that turned, or INFINITY outside the gate. */
double gst_cca_cost_turned (const GstCcaScan *scan, const GstCcaPrediction *prediction, const GstCcaBox *last,
                            double radius, uint32_t component);

/* Returns the cost of a component of another kind than the track, or 0. */
double gst_cca_cost_kind (const GstCcaScan *scan, const Track *track, uint32_t component);
