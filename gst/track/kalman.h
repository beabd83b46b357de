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

#endif
