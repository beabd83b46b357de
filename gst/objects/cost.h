/* gst-cca: what it costs to take a component for a track's, by place, size, area and shared pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All of it runs for each track and each component near it, in line. A cost is a squared Mahalanobis distance, or adds
 * to one.
 */
#ifndef GST_CCA_COST_H
#define GST_CCA_COST_H

#include <math.h>

#include "association.h"

/* Squared Mahalanobis distance up to which a component may be a track's: 99.97 % of two axes. */
#define GST_CCA_GATE 16.0

/* What shared pixels are worth: all of the smaller one's. */
#define GST_CCA_WORTH_OF_OVERLAP 6.0

/* Standard deviations of the logarithms of a size and an area, from frame to frame. */
#define GST_CCA_SIZE_NOISE 0.3
#define GST_CCA_AREA_NOISE 0.4

/* Of a track that comes out of a merge: what its place counts, and the most that a size, or the area, can count. */
#define GST_CCA_MERGED_DISTANCE 0.25
#define GST_CCA_MOST_UNLIKE 16.0
#define GST_CCA_MOST_HIDDEN 6.0

/* A component that is so many times as large as a track is not the track's: GST_CCA_SIZE_NOISE makes it cost more than
 * any other explanation. */
#define GST_CCA_TOO_LARGE 6.0

/* More than 1 by more than rounding errors. */
#define GST_CCA_ROUNDED_UP (1.0 + 1e-9)

/* Tentative tracks have what confirmed ones leave. */
#define GST_CCA_COST_TENTATIVE 2.0

/* The logarithms of a size and an area, each with something added, so that specks of a few pixels are like each other.
 */
typedef struct
{
  double side[2], area;
} GstCcaLogSize;

/* A component as tracks compare it. */
typedef struct
{
  GstCcaSides inside; /* the sides that do not lie at the frame's border */
  GstCcaLogSize size;
} GstCcaLook;

static inline GstCcaLogSize
gst_cca_log_size (double width, double height, double area)
{
  return (GstCcaLogSize) { { log (width + 1.0), log (height + 1.0) }, log (area + 2.0) };
}

static inline double
gst_cca_square (double x)
{
  return x * x;
}

/* Returns what a component's size says against a track; a side that is not seen says nothing. expected is the track's
 * size. */
static inline double
gst_cca_cost_of_size (const GstCcaCandidate *track, const GstCcaLogSize *expected, const GstCcaLogSize *size,
                      GstCcaSides seen)
{
  double cost = 0.0;

  for (int i = 0; i < 2; i++)
    if ((seen & GST_CCA_SIDE_MIN (i)) && (seen & GST_CCA_SIDE_MAX (i)))
      cost += gst_cca_square ((size->side[i] - expected->side[i]) / GST_CCA_SIZE_NOISE);
  if (seen == GST_CCA_ALL_SIDES && track->area > 0.0)
    cost += gst_cca_square ((size->area - expected->area) / GST_CCA_AREA_NOISE);
  return cost;
}

/* Returns what a component's size says against a track that comes out of a merge. Its place is not sure, so its size
 * decides, as far as it was seen not to vary. */
static inline double
gst_cca_cost_of_merged_size (const GstCcaCandidate *track, const GstCcaLogSize *expected, const GstCcaLook *look,
                             GstCcaSides seen)
{
  const GstCcaLogSize *size = &look->size;
  double cost = 0.0;

  for (int i = 0; i < 2; i++) {
    const GstCcaSides both = GST_CCA_SIDE_MIN (i) | GST_CCA_SIDE_MAX (i);

    if ((look->inside & both) == both)
      cost += gst_cca_min ((seen & both) == both ? GST_CCA_MOST_UNLIKE : GST_CCA_MOST_HIDDEN,
                           gst_cca_square (size->side[i] - expected->side[i]) / track->size_variance[i]);
  }
  if (seen == GST_CCA_ALL_SIDES && track->area > 0.0)
    cost += gst_cca_min (GST_CCA_MOST_UNLIKE, gst_cca_square (size->area - expected->area) / track->area_variance);
  return cost;
}

/* Returns the cost of a component at a squared Mahalanobis distance from a track's prediction; shared is the part of
 * the smaller one's pixels that both share, 0…1. */
static inline double
gst_cca_cost_near (const GstCcaCandidate *track, const GstCcaLogSize *expected, const GstCcaLook *look, double distance,
                   GstCcaSides seen, double shared)
{
  const double capped = gst_cca_min (distance, GST_CCA_GATE), worth = GST_CCA_WORTH_OF_OVERLAP * shared;

  if (track->merged)
    return GST_CCA_MERGED_DISTANCE * capped + gst_cca_cost_of_merged_size (track, expected, look, seen) - worth;
  return capped + gst_cca_cost_of_size (track, expected, &look->size, seen)
         + (track->confirmed ? 0.0 : GST_CCA_COST_TENTATIVE) - worth;
}

/* Returns the cost of a component for a lost track; distance is from its prediction, as a part of its reach. */
static inline double
gst_cca_cost_far (const GstCcaCandidate *track, const GstCcaLogSize *expected, const GstCcaLook *look, double distance,
                  double shared)
{
  return 9.0 * distance * distance + gst_cca_cost_of_size (track, expected, &look->size, look->inside)
         - 2.0 * GST_CCA_WORTH_OF_OVERLAP * shared;
}

/* Returns whether a component's size alone speaks against a track, whatever its place. */
static inline bool
gst_cca_cost_is_too_large (const GstCcaCandidate *track, const GstCcaBox *box)
{
  return box->max[0] - box->min[0] + 1.0 > GST_CCA_TOO_LARGE * (track->motion->size[0] + 1.0)
         || box->max[1] - box->min[1] + 1.0 > GST_CCA_TOO_LARGE * (track->motion->size[1] + 1.0);
}

/* Returns whether the size alone makes a component that shares no pixel with a track that comes out of a merge dearer
 * for it than a cost, which is less than GST_CCA_MOST_HIDDEN. Most components around such a track are ruled out here.
 */
static inline bool
gst_cca_cost_is_unlike (const GstCcaCandidate *track, const GstCcaLogSize *expected, const GstCcaLook *look,
                        double cost)
{
  for (int i = 0; i < 2; i++) {
    const GstCcaSides both = GST_CCA_SIDE_MIN (i) | GST_CCA_SIDE_MAX (i);

    if ((look->inside & both) == both
        && gst_cca_square (look->size.side[i] - expected->side[i])
               > GST_CCA_ROUNDED_UP * cost * track->size_variance[i])
      return true;
  }
  return false;
}

#endif
