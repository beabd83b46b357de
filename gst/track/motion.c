/* gst-cca: how a tracked box moves: its place by Kalman filters, its size by what was seen of it whole
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "motion.h"

/* The acceleration's standard deviation over a second: in pixels/s², in the object's sizes/s², in its speeds/s. */
#define ACCELERATION 30.0
#define ACCELERATION_OF_SIZE 1.5
#define ACCELERATION_OF_SPEED 0.4

/* A size that was seen grows by half of the difference at once, and shrinks with this time constant, in seconds. */
#define GROWTH 0.5
#define SHRINKING_TIME 0.3

/* The part of a frame's shrinking that a track takes over; and the fastest that is taken for perspective, a second. */
#define SHRINKING_GAIN 0.4
#define FASTEST_SHRINKING 4.0

/* A box smaller than this part of the object, neither side of which is known to be hidden, has a variance so many times
 * as large: otherwise an object that goes behind a pole would seem to slow down. */
#define VAGUE_SIZE 0.88
#define VAGUE 30.0

/* An innovation of so many standard deviations is a turn. */
#define TURN 3.0

void
gst_cca_motion_init (GstCcaMotion *motion, const GstCcaBox *box, double speed)
{
  for (int i = 0; i < 2; i++) {
    const double size = box->max[i] - box->min[i], noise = GST_CCA_SIDE_NOISE + GST_CCA_SIDE_NOISE_OF_SIZE * size;

    gst_cca_kalman_init (&motion->centre[i], (box->min[i] + box->max[i]) / 2.0, noise * noise, speed * speed);
    motion->size[i] = size;
  }
  motion->shrinking = 0.0;
}

void
gst_cca_motion_predict (GstCcaMotion *motion, double seconds)
{
  const double size = gst_cca_max (motion->size[0], motion->size[1]);
  const double speed = gst_cca_length (motion->centre[0].velocity, motion->centre[1].velocity);
  const double acceleration = ACCELERATION + ACCELERATION_OF_SIZE * size + ACCELERATION_OF_SPEED * speed;

  for (int i = 0; i < 2; i++) {
    gst_cca_kalman_predict (&motion->centre[i], seconds, acceleration * acceleration);
    motion->size[i] *= exp (-motion->shrinking * seconds);
  }
}

void
gst_cca_motion_learn_shrinking (GstCcaMotion *motion, const GstCcaBox *last, const GstCcaBox *box, double seconds)
{
  double shrinking = FASTEST_SHRINKING;

  /* What hides a side changes one axis alone. */
  for (int i = 0; i < 2; i++)
    shrinking = gst_cca_min (shrinking, log ((last->max[i] - last->min[i]) / (box->max[i] - box->min[i])) / seconds);
  motion->shrinking = gst_cca_max (motion->shrinking + SHRINKING_GAIN * (shrinking - motion->shrinking), 0.0);
}

/* Adds the uncertainty of a turn: the filter then follows the next measurements instead of its past. */
static void
notice_turn (GstCcaKalman *centre, double offset, double variance, double size, double seconds)
{
  if (offset * offset < TURN * TURN * (centre->position_variance + variance) || seconds <= 0.0)
    return;
  centre->position_variance += offset * offset;
  if (fabs (offset) > size)
    centre->covariance += offset * offset / seconds;
  centre->velocity_variance += offset * offset / (seconds * seconds);
}

void
gst_cca_motion_update (GstCcaMotion *motion, const GstCcaBox *box, const GstCcaInnovation *innovation, double seconds,
                       bool one_piece)
{
  for (int i = 0; i < 2; i++) {
    const double difference = box->max[i] - box->min[i] - motion->size[i];
    const double change = one_piece ? difference : gst_cca_min (difference, 0.0);
    const bool low = innovation->seen & GST_CCA_SIDE_MIN (i), high = innovation->seen & GST_CCA_SIDE_MAX (i);

    const bool vague = low && high && difference < (VAGUE_SIZE - 1.0) * motion->size[i] - 1.0;
    const double variance = innovation->variance[i] * (vague ? VAGUE : 1.0);

    notice_turn (&motion->centre[i], innovation->offset[i], variance, motion->size[i], seconds);
    gst_cca_kalman_update (&motion->centre[i], innovation->offset[i], variance);
    if (low && high) {
      if (change != 0.0)
        motion->size[i] += change * (change > 0.0 ? GROWTH : 1.0 - exp (-seconds / SHRINKING_TIME));
    } else if (change > 0.0) {
      /* The side that is seen stays where it is. */
      motion->size[i] += change;
      motion->centre[i].position += low ? change / 2.0 : -change / 2.0;
    }
  }
}

void
gst_cca_motion_update_sides (GstCcaMotion *motion, const GstCcaBox *box, GstCcaSides sides)
{
  const GstCcaBox predicted = gst_cca_motion_box (motion);

  for (int i = 0; i < 2; i++) {
    const double noise = GST_CCA_SIDE_NOISE + GST_CCA_SIDE_NOISE_OF_SIZE * motion->size[i];
    const double low = box->min[i] - predicted.min[i], high = box->max[i] - predicted.max[i];
    const bool has_low = sides & GST_CCA_SIDE_MIN (i), has_high = sides & GST_CCA_SIDE_MAX (i);

    if (has_low && has_high)
      gst_cca_kalman_update (&motion->centre[i], (low + high) / 2.0, noise * noise);
    else if (has_low || has_high)
      gst_cca_kalman_update (&motion->centre[i], has_low ? low : high, noise * noise);
  }
}
