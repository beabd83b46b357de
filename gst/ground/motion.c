/* gst-cca: place, speed and heading of an object on the ground, by a Kalman filter
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "motion.h"

#include <math.h>
#include <string.h>

/* How fast velocities change: the spectral density of white acceleration, m²/s³. A car that brakes with 3 m/s² for two
 * seconds changes its speed by 6 m/s, four deviations. */
#define AGILITY 1.5

#define FIRST_SPEED 25.0 /* m/s: the deviation of an unknown velocity */

/* A measurement this many deviations off counts less, and after MAX_STRANGE in a row the filter begins anew. */
#define STRANGE 3.0
#define MAX_STRANGE 12

#define LONGEST_STEP 10.0 /* seconds without a frame after which nothing is known any more */

/* Largest standard deviations of a published place, metres, and speed: m/s, or a part of the speed. */
#define KNOWN_PLACE 5.0
#define KNOWN_SPEED 0.8
#define KNOWN_PART 0.08
#define LEAST_SPEED 0.5 /* below, no heading is told */

#define PI 3.14159265358979323846

void
gst_cca_ground_motion_predict (GstCcaGroundMotion *motion, double t)
{
  double (*const p)[4] = motion->covariance;

  if (!motion->started || !(t > 0.0))
    return;
  if (t > LONGEST_STEP) {
    *motion = (GstCcaGroundMotion) { 0 };
    return;
  }
  for (int i = 0; i < 2; i++)
    motion->state[i] += t * motion->state[2 + i];
  /* F P Fᵀ + Q, rows first. */
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 2; i++)
      p[i][j] += t * p[2 + i][j];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 2; j++)
      p[i][j] += t * p[i][2 + j];
  for (int i = 0; i < 2; i++) {
    p[i][i] += AGILITY * t * t * t / 3.0;
    p[i][2 + i] += AGILITY * t * t / 2.0;
    p[2 + i][i] += AGILITY * t * t / 2.0;
    p[2 + i][2 + i] += AGILITY * t;
  }
}

static void
start (GstCcaGroundMotion *motion, const double place[2], double noise[2][2])
{
  *motion = (GstCcaGroundMotion) { .started = true, .state = { place[0], place[1], 0.0, 0.0 } };
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++)
      motion->covariance[i][j] = noise[i][j];
    motion->covariance[2 + i][2 + i] = FIRST_SPEED * FIRST_SPEED;
  }
}

/* Inverts a symmetric matrix of 2×2. */
static void
invert (double m[2][2], double inverse[2][2])
{
  const double d = m[0][0] * m[1][1] - m[0][1] * m[1][0];

  inverse[0][0] = m[1][1] / d, inverse[1][1] = m[0][0] / d;
  inverse[0][1] = -m[0][1] / d, inverse[1][0] = -m[1][0] / d;
}

static void
update (GstCcaGroundMotion *motion, const double place[2], double noise[2][2])
{
  double (*const p)[4] = motion->covariance;
  const double off[2] = { place[0] - motion->state[0], place[1] - motion->state[1] };
  double sum[2][2], inverse[2][2], gain[4][2], before[4][4], distance;

  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      sum[i][j] = p[i][j] + noise[i][j];
  invert (sum, inverse);
  distance = off[0] * (inverse[0][0] * off[0] + inverse[0][1] * off[1])
             + off[1] * (inverse[1][0] * off[0] + inverse[1][1] * off[1]);
  if (!(distance >= 0.0))
    return;
  if (distance > STRANGE * STRANGE) {
    if (++motion->n_strange > MAX_STRANGE) {
      start (motion, place, noise);
      return;
    }
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        sum[i][j] = p[i][j] + noise[i][j] * distance / (STRANGE * STRANGE);
    invert (sum, inverse);
  } else {
    motion->n_strange = 0;
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 2; j++)
      gain[i][j] = p[i][0] * inverse[0][j] + p[i][1] * inverse[1][j];
  memcpy (before, p, sizeof before);
  for (int i = 0; i < 4; i++) {
    motion->state[i] += gain[i][0] * off[0] + gain[i][1] * off[1];
    for (int j = 0; j < 4; j++)
      p[i][j] -= gain[i][0] * before[0][j] + gain[i][1] * before[1][j];
  }
}

void
gst_cca_ground_motion_correct (GstCcaGroundMotion *motion, const GstCcaGround *ground, const double image[2],
                               const double deviation[2])
{
  double place[2], j[4], noise[2][2];

  if (!gst_cca_ground_place (ground, image, place, j))
    return;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      noise[i][k] =
          j[2 * i] * j[2 * k] * deviation[0] * deviation[0] + j[2 * i + 1] * j[2 * k + 1] * deviation[1] * deviation[1];
  /* Near the horizon, the noise exceeds the range in which the filter is stable. */
  if (!(noise[0][0] + noise[1][1] < 1e8))
    return;
  if (motion->started)
    update (motion, place, noise);
  else
    start (motion, place, noise);
}

bool
gst_cca_ground_motion_read (const GstCcaGroundMotion *motion, double *speed, double *heading)
{
  const double *v = &motion->state[2];
  const double (*p)[4] = motion->covariance;
  const double length = hypot (v[0], v[1]);
  double variance;

  *speed = *heading = -1.0;
  if (!motion->started || !(p[0][0] + p[1][1] <= 2.0 * KNOWN_PLACE * KNOWN_PLACE))
    return false;
  /* Along the velocity; any direction of an object that stands. */
  variance = length > KNOWN_SPEED
                 ? (v[0] * v[0] * p[2][2] + 2.0 * v[0] * v[1] * p[2][3] + v[1] * v[1] * p[3][3]) / (length * length)
                 : p[2][2] + p[3][3];
  if (variance <= fmax (KNOWN_SPEED, KNOWN_PART * length) * fmax (KNOWN_SPEED, KNOWN_PART * length))
    *speed = length;
  if (*speed >= LEAST_SPEED) {
    *heading = atan2 (v[0], v[1]) * 180.0 / PI;
    if (*heading < 0.0)
      *heading += 360.0;
  }
  return true;
}
