/* gst-cca: where figures of known size and shape explain a piece of foreground best
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A figure stands on a row, has about the height of objects there, and makes each point around it foreground with the
 * probability of the learned silhouette (sizes.h). Figures are added one by one, each where it raises the foreground's
 * likelihood most, as long as it is worth it: a greedy search in the model of Fleuret, Berclaz, Lengagne & Fua,
 * "Multicamera People Tracking with a Probabilistic Occupancy Map", PAMI 30, 2008, section 4, for one camera, with
 * learned shapes in place of their rectangles as Ge & Collins have them in "Marked Point Processes for Crowd Counting",
 * CVPR 2009, section 4.
 */
#pragma once

#include "box.h"
#include "coverage.h"
#include "sizes.h"
#include "tracker.h"

#define GST_CCA_MOST_FIGURES 12

/* More places to look at belong to no crowd: the whole picture has changed. */
#define GST_CCA_MOST_PLACES 3000

typedef struct
{
  double x, foot; /* the middle of the lower side, pixels */
  double height;  /* pixels */
  double scale;   /* of its height to that of objects there */
} GstCcaFigure;

/* Where a figure is expected. */
typedef struct
{
  double x, foot; /* the middle of the lower side, pixels */
  double speed;   /* pixels/s */
  bool used;      /* a figure stands there */
} GstCcaHint;

/* Of the points of a silhouette between the first and the last of each row that say something, row by row: the
 * probability, what it says if it is not foreground, how much more it says if it is and nothing else explains that, and
 * what it says on average. */
typedef struct
{
  float probability[GST_CCA_SILHOUETTE_POINTS], miss[GST_CCA_SILHOUETTE_POINTS], weight[GST_CCA_SILHOUETTE_POINTS];
  float expected[GST_CCA_SILHOUETTE_POINTS];
  double nothing, whole; /* the sums of what all say without foreground, and on average */
  size_t first[GST_CCA_SILHOUETTE_ROWS], end[GST_CCA_SILHOUETTE_ROWS]; /* their columns in each row */
} GstCcaShape;

/* Where a figure may stand. */
typedef struct
{
  GstCcaFigure figure;
  double worth;
  size_t n_others; /* how many figures were there when its worth was found */
} GstCcaPlace;

typedef struct
{
  GstCcaFigure figures[GST_CCA_MOST_FIGURES]; /* the result, n of them */
  size_t n;
  GstCcaPlace *places; /* room for GST_CCA_MOST_PLACES */
  size_t n_places;
  float *unexplained; /* of each cell: the odds that neither clutter nor a figure makes it foreground */

  const GstCcaTrackerFrame *frame;
  const GstCcaCoverage *coverage;
  const GstCcaSizes *sizes;
  GstCcaHint *hints;
  size_t n_hints;
  GstCcaShape fine, coarse;
} GstCcaOccupancy;

/* Samples the foreground around an object that is seen alone: what silhouettes are learned from. Returns FALSE if the
 * frame's coverage is not known. */
bool gst_cca_silhouette_sample (const GstCcaTrackerFrame *frame, const GstCcaBox *box, uint8_t *silhouette);

/* Makes n cells of GstCcaOccupancy.unexplained as they are without figures. */
void gst_cca_unexplained_clear (float *unexplained, size_t n);

/* Prepares for a frame. All must live as long as the occupancy is used; sizes have a silhouette; unexplained is
 * clear. */
void gst_cca_occupancy_init (GstCcaOccupancy *occupancy, const GstCcaTrackerFrame *frame,
                             const GstCcaCoverage *coverage, const GstCcaSizes *sizes, GstCcaHint *hints,
                             size_t n_hints, GstCcaPlace *places, float *unexplained);

/* Finds the figures in a piece of foreground; none where it is too large for that. Leaves unexplained clear. */
void gst_cca_occupancy_find (GstCcaOccupancy *occupancy, const GstCcaBox *box);

/* Returns a figure's box, as wide as objects are. */
GstCcaBox gst_cca_occupancy_box (const GstCcaOccupancy *occupancy, const GstCcaFigure *figure);
