/* gst-cca: the Kalman filter of a coordinate that moves with constant velocity
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "kalman.h"

void
gst_cca_kalman_init (GstCcaKalman *kalman, double position, double position_variance, double velocity_variance)
{
  *kalman = (GstCcaKalman) { position, 0.0, position_variance, 0.0, velocity_variance };
}

void
gst_cca_kalman_predict (GstCcaKalman *kalman, double seconds, double density)
{
  const double t = seconds;

  kalman->position += t * kalman->velocity;
  kalman->position_variance +=
      2.0 * t * kalman->covariance + t * t * kalman->velocity_variance + density * t * t * t / 3.0;
  kalman->covariance += t * kalman->velocity_variance + density * t * t / 2.0;
  kalman->velocity_variance += density * t;
}

void
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
