/* gst-cca: the Kalman filter of a coordinate that moves with constant velocity
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * R. E. Kalman, "A New Approach to Linear Filtering and Prediction Problems", Journal of Basic Engineering 82, 1960.
 * The state is position and velocity, the position is measured, and the acceleration is white noise in continuous time,
 * so that two short steps are one long one: Bar-Shalom, Li & Kirubarajan, "Estimation with Applications to Tracking and
 * Navigation", 2001, section 6.2.2.
 */
#ifndef GST_CCA_KALMAN_H
#define GST_CCA_KALMAN_H

typedef struct
{
  double position, velocity; /* pixels, pixels/s */
  /* Their covariance: pixels², pixels²/s, pixels²/s². */
  double position_variance, covariance, velocity_variance;
} GstCcaKalman;

/* Begins at a measured position, with no velocity known. Variances are positive. */
void gst_cca_kalman_init (GstCcaKalman *kalman, double position, double position_variance, double velocity_variance);

/* Moves the state by seconds >= 0; density is the acceleration's spectral density, pixels²/s³, >= 0. */
void gst_cca_kalman_predict (GstCcaKalman *kalman, double seconds, double density);

/* Corrects the state by an innovation: a measured position less the predicted one. variance > 0 is the measurement's.
 */
void gst_cca_kalman_update (GstCcaKalman *kalman, double innovation, double variance);

#endif
