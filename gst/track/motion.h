/* gst-cca: how a tracked box moves: its place by Kalman filters, its size by what was seen of it whole
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * As SORT has it, the state is centre and size (Bewley, Ge, Ott, Ramos & Upcroft, "Simple Online and Realtime
 * Tracking", ICIP 2016, section 3.2). Unlike there, prediction follows time, and a measured box counts side by side:
 * where a pole, another object or the frame's border hides one side, the other side says where the object is, and its
 * size stays.
 */
#pragma once

#include <stdbool.h>

#include "box.h"

/* --- Kalman filter ----------------------------------------------------------------------------------- */

/* A coordinate that moves with constant velocity.
 * R. E. Kalman, "A New Approach to Linear Filtering and Prediction Problems", Journal of Basic Engineering 82, 1960.
 * The state is position and velocity, the position is measured, and the acceleration is white noise in continuous time,
 * so that two short steps are one long one: Bar-Shalom, Li & Kirubarajan, "Estimation with Applications to Tracking and
 * Navigation", 2001, section 6.2.2. */
typedef struct
{
  double position, velocity; /* pixels, pixels/s */
  /* Their covariance: pixels², pixels²/s, pixels²/s². */
  double position_variance, covariance, velocity_variance;
} GstCcaKalman;

/* Begins at a measured position, with no velocity known. Variances are positive. */
static inline void
gst_cca_kalman_init (GstCcaKalman *kalman, double position, double position_variance, double velocity_variance)
{
  *kalman = (GstCcaKalman) { position, 0.0, position_variance, 0.0, velocity_variance };
}

/* Moves the state by seconds >= 0; density is the acceleration's spectral density, pixels²/s³, >= 0. */
static inline void
gst_cca_kalman_predict (GstCcaKalman *kalman, double seconds, double density)
{
  const double t = seconds;

  kalman->position += t * kalman->velocity;
  kalman->position_variance +=
      2.0 * t * kalman->covariance + t * t * kalman->velocity_variance + density * t * t * t / 3.0;
  kalman->covariance += t * kalman->velocity_variance + density * t * t / 2.0;
  kalman->velocity_variance += density * t;
}

/* Corrects the state by an innovation: a measured position less the predicted one. variance > 0 is the measurement's.
 */
static inline void
gst_cca_kalman_update (GstCcaKalman *kalman, double innovation, double variance)
{
  const double total = kalman->position_variance + variance;
  const double position_gain = kalman->position_variance / total, velocity_gain = kalman->covariance / total;

  kalman->position += position_gain * innovation;
  kalman->velocity += velocity_gain * innovation;
  kalman->velocity_variance -= velocity_gain * kalman->covariance;
  kalman->covariance *= variance / total;
  kalman->position_variance *= variance / total;
}

/* --- Motion ------------------------------------------------------------------------------------------ */

typedef struct
{
  GstCcaKalman centre[2];
  double size[2];   /* pixels */
  double shrinking; /* how fast the size decreases, as the object recedes: relative, a second; 0 or more */
} GstCcaMotion;

/* A side of a box, as a set: of axis i, 1 << (2 i) is the lower one, 2 << (2 i) the upper one. */
typedef unsigned GstCcaSides;
#define GST_CCA_SIDE_MIN(axis) (1u << (2 * (axis)))
#define GST_CCA_SIDE_MAX(axis) (2u << (2 * (axis)))
#define GST_CCA_ALL_SIDES 15u

/* How a measured box differs from the prediction. */
typedef struct
{
  double offset[2];   /* of the centre, by the sides that are seen: pixels */
  double variance[2]; /* of the measurement, pixels² */
  GstCcaSides seen;   /* those of the measured box's sides that are taken for the object's own */
} GstCcaInnovation;

/* Begins with a box. speed is the standard deviation of the velocities to expect, pixels/s. */
void gst_cca_motion_init (GstCcaMotion *motion, const GstCcaBox *box, double speed);

/* Moves the box by seconds >= 0. */
void gst_cca_motion_predict (GstCcaMotion *motion, double seconds);

/* Corrects the motion by a measured box that is the object's alone, or of which it has some sides
 * (GstCcaInnovation.seen may be changed before). seconds have passed since the last correction. */
void gst_cca_motion_update (GstCcaMotion *motion, const GstCcaBox *box, const GstCcaInnovation *innovation,
                            double seconds, bool one_piece);

/* Learns how fast an object becomes smaller whose box is seen whole in two frames, so many seconds apart. */
void gst_cca_motion_learn_shrinking (GstCcaMotion *motion, const GstCcaBox *last, const GstCcaBox *box, double seconds);

/* Corrects the place alone by those sides of a box, the object's and others', that are this object's. */
void gst_cca_motion_update_sides (GstCcaMotion *motion, const GstCcaBox *box, GstCcaSides sides);

/* --- What runs for each track and each component near it, in line --------------------------------------- */

/* A side's standard deviation: in pixels, and as a part of the object's size. */
#define GST_CCA_SIDE_NOISE 0.5
#define GST_CCA_SIDE_NOISE_OF_SIZE 0.06

/* The two sides of axis 0. */
#define GST_CCA_BOTH_SIDES (GST_CCA_SIDE_MIN (0) | GST_CCA_SIDE_MAX (0))

/* A box whose size is less than this part of the object's is a part of it. */
#define GST_CCA_WHOLE 0.95

/* Returns the whole object's box. */
static inline GstCcaBox
gst_cca_motion_box (const GstCcaMotion *motion)
{
  GstCcaBox box;

  for (int i = 0; i < 2; i++) {
    box.min[i] = motion->centre[i].position - motion->size[i] / 2.0;
    box.max[i] = motion->centre[i].position + motion->size[i] / 2.0;
  }
  return box;
}

/* Compares a measured box with the predicted one. sides are those that are not at the frame's border; of them a side is
 * not seen if the box is too small and the opposite side is where it was expected. Has no branches: a processor cannot
 * foresee which sides are seen. */
static inline GstCcaInnovation
gst_cca_motion_compare (const GstCcaMotion *motion, const GstCcaBox *box, GstCcaSides sides)
{
  const GstCcaBox predicted = gst_cca_motion_box (motion);
  GstCcaInnovation innovation = { .seen = 0 };

  for (int i = 0; i < 2; i++) {
    const double low = box->min[i] - predicted.min[i], high = box->max[i] - predicted.max[i];
    const double noise = GST_CCA_SIDE_NOISE + GST_CCA_SIDE_NOISE_OF_SIZE * motion->size[i];
    const double offsets[] = { (low + high) / 2.0, low, high, (low + high) / 2.0 };
    const double doubts[] = { 1.0, 2.0, 2.0, 1.0 };
    const GstCcaSides inside = sides >> (2 * i) & GST_CCA_BOTH_SIDES;
    const bool is_small = box->max[i] - box->min[i] < GST_CCA_WHOLE * motion->size[i] - 1.0;
    const bool is_part = (inside % GST_CCA_BOTH_SIDES == 0) & is_small;
    const GstCcaSides hidden = (fabs (low) > 2.0 * fabs (high) + noise ? GST_CCA_SIDE_MIN (0) : 0)
                               | (fabs (high) > 2.0 * fabs (low) + noise ? GST_CCA_SIDE_MAX (0) : 0);
    const GstCcaSides seen = (inside + GST_CCA_BOTH_SIDES * (inside == 0)) & ~(hidden * is_part);

    innovation.offset[i] = offsets[seen];
    innovation.variance[i] = noise * noise * doubts[seen];
    innovation.seen |= seen << (2 * i);
  }
  return innovation;
}

/* Returns the squared Mahalanobis distance of an innovation: of its two axes, in standard deviations². */
static inline double
gst_cca_motion_distance (const GstCcaMotion *motion, const GstCcaInnovation *innovation)
{
  double distance = 0.0;

  for (int i = 0; i < 2; i++)
    distance +=
        innovation->offset[i] * innovation->offset[i] / (motion->centre[i].position_variance + innovation->variance[i]);
  return distance;
}
