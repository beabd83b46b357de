/* gst-cca: how a tracked box moves: its place by Kalman filters, its size by what was seen of it whole
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * As SORT has it, the state is centre and size (Bewley, Ge, Ott, Ramos & Upcroft, "Simple Online and Realtime
 * Tracking", ICIP 2016, section 3.2). Unlike there, prediction follows time, and a measured box counts side by side:
 * where a pole, another object or the frame's border hides one side, the other side says where the object is, and its
 * size stays.
 */
#ifndef GST_CCA_MOTION_H
#define GST_CCA_MOTION_H

#include <stdbool.h>

#include "box.h"
#include "kalman.h"

typedef struct
{
  GstCcaKalman centre[2];
  double size[2]; /* pixels */
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

/* Returns how fast the box moves, in pixels/s. */
double gst_cca_motion_speed (const GstCcaMotion *motion);

/* Returns the whole object's box. */
GstCcaBox gst_cca_motion_box (const GstCcaMotion *motion);

/* Compares a measured box with the predicted one. sides are those that are not at the frame's border; of them a side is
 * not seen if the box is too small and the opposite side is where it was expected. */
GstCcaInnovation gst_cca_motion_compare (const GstCcaMotion *motion, const GstCcaBox *box, GstCcaSides sides);

/* Returns the squared Mahalanobis distance of an innovation: of its two axes, in standard deviations². */
double gst_cca_motion_distance (const GstCcaMotion *motion, const GstCcaInnovation *innovation);

/* Corrects the motion by a measured box that is the object's alone, or of which it has some sides
 * (GstCcaInnovation.seen may be changed before). seconds have passed since the last correction. */
void gst_cca_motion_update (GstCcaMotion *motion, const GstCcaBox *box, const GstCcaInnovation *innovation,
                            double seconds, bool one_piece);

/* Corrects the place alone by those sides of a box, the object's and others', that are this object's. */
void gst_cca_motion_update_sides (GstCcaMotion *motion, const GstCcaBox *box, GstCcaSides sides);

#endif
