/* gst-cca: gates and costs: whether a component may be a track's, and what speaks against it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cost.h"

#include <math.h>

/* The gate on the squared Mahalanobis distance. */
#define GATE_DISTANCE 16.0

/* The radius of the gate around a prediction, in longer sides of the track: always; more for an occluded track, whose
 * place was estimated; more for each second unseen, up to a limit. */
#define RADIUS 0.5
#define RADIUS_OCCLUDED 0.15
#define RADIUS_PER_SECOND_UNSEEN 0.5
#define RADIUS_UNSEEN_MAX 0.75

/* The gate of a track that turned: its steps a frame. Of a track seen once, whose velocity is unknown: its longer
 * sides, and the frame's diagonals a second. */
#define TURN_STEPS 1.2
#define NEW_SIDES 8.0
#define NEW_DIAGONALS_PER_SECOND 2.5
#define TURN_WEIGHT 9.0

/* The gate on the ratio of areas, one way or the other. */
#define MAX_AREA_RATIO 3.0

/* A lost track's prediction and a component must overlap this much: intersection over union. */
#define MIN_IOU 0.3

/* Standard deviations of the logarithms of a size and an area, from frame to frame. */
#define SIZE_NOISE 0.3
#define AREA_NOISE 0.4

/* For an occluded track, whose place was estimated, size counts more than place. */
#define OCCLUDED_DISTANCE_WEIGHT 0.06
#define OCCLUDED_SIZE_WEIGHT 3.0
#define OCCLUDED_SIZE_MAX 16.0

/* Makes confirmed tracks win. */
#define COST_TENTATIVE 2.0

/* Finite: detectors mistake kinds. */
#define COST_KIND 4.0

static double
square (double x)
{
  return x * x;
}

static GstCcaLogSize
log_size (double width, double height, double area)
{
  return (GstCcaLogSize) { { log (width + 1.0), log (height + 1.0) }, log (area + 2.0) };
}

static GstCcaLogSize
size_of_component (const GstCcaScan *scan, uint32_t component)
{
  const GstCcaTrackerComponent *c = &scan->frame->components[component];

  return log_size (c->width, c->height, c->area > 0 ? (double) c->area : (double) c->width * c->height);
}

GstCcaPrediction
gst_cca_prediction (const Track *track, const GstCcaMotion *motion)
{
  return (GstCcaPrediction) { .track = track,
                              .motion = motion,
                              .box = gst_cca_motion_box (motion),
                              .size = log_size (track->motion.size[0], track->motion.size[1], track->area) };
}

/* --- Gates ------------------------------------------------------------------------------------------- */

double
gst_cca_gate_radius (const Track *track)
{
  const double side = gst_cca_track_longer_side (track) + 1.0;

  return side
         * (RADIUS + (track->occluded ? RADIUS_OCCLUDED : 0.0)
            + gst_cca_min (RADIUS_PER_SECOND_UNSEEN * track->unseen, RADIUS_UNSEEN_MAX));
}

double
gst_cca_gate_radius_turned (const GstCcaScan *scan, const Track *track)
{
  const double diagonal = gst_cca_length (scan->frame->width, scan->frame->height);
  const double side = gst_cca_track_longer_side (track);

  if (track->hits > 1)
    return RADIUS * side + TURN_STEPS * gst_cca_track_pace (track) * scan->seconds;
  return gst_cca_max (side,
                      gst_cca_min (NEW_DIAGONALS_PER_SECOND * diagonal * scan->seconds, NEW_SIDES * (side + 1.0)));
}

static bool
has_like_area (const GstCcaPrediction *prediction, const GstCcaLogSize *size)
{
  return !(fabs (size->area - prediction->size.area) > log (MAX_AREA_RATIO));
}

/* Returns whether a lost track may be found again in a box. The Mahalanobis distance does not tell: the covariance of
 * the prediction grows so fast that it soon includes a new object beside that place. */
static bool
overlaps (const GstCcaBox *predicted, const GstCcaBox *box)
{
  const double shared = gst_cca_box_shared (predicted, box);

  return shared >= MIN_IOU * (gst_cca_box_area (predicted) + gst_cca_box_area (box) - shared);
}

/* --- Costs ------------------------------------------------------------------------------------------- */

double
gst_cca_cost_kind (const GstCcaScan *scan, const Track *track, uint32_t component)
{
  const uint32_t kind = scan->frame->components[component].kind;

  return kind != 0 && track->kind != 0 && kind != track->kind ? COST_KIND : 0.0;
}

/* Compares sizes along the axes whose two sides are seen, and areas if all four are. */
static double
cost_of_size (const GstCcaPrediction *prediction, const GstCcaLogSize *size, GstCcaSides seen)
{
  const GstCcaLogSize *expected = &prediction->size;
  double cost = 0.0;

  for (int i = 0; i < 2; i++)
    if ((seen & GST_CCA_SIDE_MIN (i)) && (seen & GST_CCA_SIDE_MAX (i)))
      cost += square ((size->side[i] - expected->side[i]) / SIZE_NOISE);
  if (seen == GST_CCA_ALL_SIDES && prediction->track->area > 0.0)
    cost += square ((size->area - expected->area) / AREA_NOISE);
  return cost;
}

/* Weighs the distance of a component against its size. */
static double
cost_of_place_and_size (const GstCcaPrediction *prediction, double distance, const GstCcaLogSize *size,
                        GstCcaSides in_frame, GstCcaSides seen)
{
  if (!prediction->track->occluded)
    return distance + cost_of_size (prediction, size, seen);
  return OCCLUDED_DISTANCE_WEIGHT * gst_cca_min (distance, GATE_DISTANCE)
         + gst_cca_min (OCCLUDED_SIZE_WEIGHT * cost_of_size (prediction, size, in_frame), OCCLUDED_SIZE_MAX);
}

double
gst_cca_cost (const GstCcaScan *scan, const GstCcaPrediction *prediction, double radius, uint32_t component)
{
  const Track *track = prediction->track;
  const GstCcaBox *box = &scan->boxes[component];
  const GstCcaSides in_frame = gst_cca_sides_in_frame (scan->frame, box);
  /* Looks tell a lost track from a new object; without them, only overlap does. */
  const bool must_overlap = gst_cca_track_is_lost (track) && scan->looks == NULL;
  GstCcaInnovation innovation;
  GstCcaLogSize size;
  double distance, cost;

  if (gst_cca_box_distance (box, &prediction->box) > radius || (must_overlap && !overlaps (&prediction->box, box)))
    return INFINITY;
  innovation = gst_cca_motion_compare (prediction->motion, box, in_frame);
  distance = gst_cca_motion_distance (prediction->motion, &innovation);
  size = size_of_component (scan, component);
  if ((distance > GATE_DISTANCE && !track->occluded) || !has_like_area (prediction, &size))
    return INFINITY;
  cost = cost_of_place_and_size (prediction, distance, &size, in_frame, innovation.seen);
  cost += gst_cca_track_is_confirmed (track) ? 0.0 : COST_TENTATIVE;
  cost += gst_cca_cost_kind (scan, track, component);
  if (gst_cca_track_is_confirmed (track) && scan->looks != NULL)
    cost += gst_cca_look_cost (&track->look, &scan->looks[component]);
  return cost;
}

double
gst_cca_cost_turned (const GstCcaScan *scan, const GstCcaPrediction *prediction, const GstCcaBox *last, double radius,
                     uint32_t component)
{
  const GstCcaBox *box = &scan->boxes[component];
  const double distance = gst_cca_box_distance (box, last) / radius;
  const GstCcaLogSize size = size_of_component (scan, component);

  if (distance > 1.0 || !has_like_area (prediction, &size))
    return INFINITY;
  return TURN_WEIGHT * distance * distance + cost_of_size (prediction, &size, gst_cca_sides_in_frame (scan->frame, box))
         + gst_cca_cost_kind (scan, prediction->track, component);
}
