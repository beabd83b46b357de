/* gst-cca: where upright objects of known size stand in the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A component may be several people, and a person several components. Where the tracker knows how high objects are from
 * row to row and what they look like (sizes.h), it looks for the objects themselves: for the figures that together
 * explain the foreground best, as in Fleuret, Berclaz, Lengagne & Fua, "Multicamera People Tracking with a
 * Probabilistic Occupancy Map", PAMI 30, 2008, section 4, for one camera, with a learned silhouette in place of their
 * rectangles (Ge & Collins, "Marked Point Processes for Crowd Counting", CVPR 2009, section 4).
 */
#ifndef GST_CCA_FIGURES_H
#define GST_CCA_FIGURES_H

#include "box.h"
#include "coverage.h"
#include "sizes.h"
#include "tracker.h"

/* What a track is made from: a component, or a figure in some. */
typedef struct
{
  GstCcaBox box;
  double area;        /* foreground pixels */
  uint32_t component; /* it, or the one that has most of the figure */
  bool single;        /* it is surely one object */
  bool estimated;     /* a figure that shares its components with others: the box is as large as objects are there */
} GstCcaDetection;

/* Where a figure is expected. */
typedef struct
{
  double x, foot; /* the middle of the lower side, pixels */
  bool used;
} GstCcaHint;

/* The detections of a frame; all zero at first. */
typedef struct
{
  GstCcaDetection *detections;
  size_t n, room;
  uint32_t *clusters; /* of the components */
  size_t clusters_room;
  float *gains; /* of the silhouette's points */
} GstCcaFigures;

void gst_cca_figures_clear (GstCcaFigures *figures);

/* Samples the foreground around an object: what the silhouette is learned from. Returns FALSE if it is not known. */
bool gst_cca_figures_sample (const GstCcaTrackerFrame *frame, const GstCcaBox *box, uint8_t *silhouette);

/* Finds a frame's detections: its components where sizes are not known. hints are used up. Returns FALSE if memory is
 * exhausted. */
bool gst_cca_figures_find (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, const GstCcaCoverage *coverage,
                           const GstCcaSizes *sizes, GstCcaHint *hints, size_t n_hints);

#endif
