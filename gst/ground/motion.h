/* gst-cca: place, speed and heading of an object on the ground, by a Kalman filter
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The filter knows how well a pixel tells a place: far from the camera a pixel is metres, and the filter smooths more.
 * Lengths are in metres, times in seconds, angles in degrees.
 */
#pragma once

#include "homography.h"

typedef struct
{
  bool started;
  double state[4];         /* place and velocity: x, y, x', y' */
  double covariance[4][4]; /* of the state */
  unsigned n_strange;      /* measurements in a row that do not fit the state */
} GstCcaGroundMotion;

/* Moves the state on by a time, in which nothing was measured. Nothing happens before the first measurement. */
void gst_cca_ground_motion_predict (GstCcaGroundMotion *motion, double seconds);

/* Corrects the state by the image point where the object stands, which is known as exactly as two standard deviations
 * across and down the picture say, in pixels. A point on or above the horizon changes nothing. */
void gst_cca_ground_motion_correct (GstCcaGroundMotion *motion, const GstCcaGround *ground, const double image[2],
                                    const double deviation[2]);

/* Returns whether the place is known to a few metres, and *speed gets the speed, m/s, or -1 while it is not known well
 * enough; *heading gets its direction, clockwise from the ground's y axis, 0…360, or -1 for an object that stands. */
bool gst_cca_ground_motion_read (const GstCcaGroundMotion *motion, double *speed, double *heading);
