/* gst-cca: the part of the ground that an object stands on, from its boxes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "footprint.h"

#include <math.h>

/* What is known of heights before the boxes tell: mean and deviation. */
#define USUAL_HEIGHT 1.6
#define UNUSUAL 0.5

/* What is known of widths: parts of the length, and how little that counts beside what boxes show. */
#define USUAL_WIDTH 0.4
#define WIDTH_WEIGHT 0.05

/* Widths are between these parts of lengths. So the breadth that boxes show, which is too small for corners behind the
 * nearest by up to the third factor, limits the depth. */
#define LEAST_WIDTH 0.15
#define MOST_WIDTH 0.6
#define NARROWED 1.25

/* The least difference of the scales along and across the view, below which the camera looks straight down. */
#define LEAST_TILT 0.03

GstCcaGroundCamera
gst_cca_ground_camera (const GstCcaGround *ground, double width, double height)
{
  const double *m = ground->to_image;
  GstCcaGroundCamera camera = { 0 };
  double h[3][3], straight, turned, per_focal2, scale, axis[3];

  /* Columns of the homography: the ground's axes, and the camera's place, as the camera sees them. */
  for (int i = 0; i < 3; i++) {
    h[i][0] = m[i] - width / 2.0 * m[6 + i];
    h[i][1] = m[3 + i] - height / 2.0 * m[6 + i];
    h[i][2] = m[6 + i];
  }
  /* The axes are as long as each other, and at a right angle. */
  straight = h[0][0] * h[0][0] + h[0][1] * h[0][1] - h[1][0] * h[1][0] - h[1][1] * h[1][1];
  turned = 2.0 * (h[0][0] * h[1][0] + h[0][1] * h[1][1]);
  scale = h[0][0] * h[0][0] + h[0][1] * h[0][1] + h[1][0] * h[1][0] + h[1][1] * h[1][1];
  per_focal2 = -(straight * (h[0][2] * h[0][2] - h[1][2] * h[1][2]) + turned * 2.0 * h[0][2] * h[1][2])
               / (straight * straight + turned * turned);
  if (!(hypot (straight, turned) > LEAST_TILT * scale) || !(per_focal2 > 0.0))
    return camera;
  for (int i = 0; i < 3; i++) {
    h[i][0] *= sqrt (per_focal2);
    h[i][1] *= sqrt (per_focal2);
  }
  scale = 0.0;
  for (int i = 0; i < 3; i++)
    scale += (h[0][i] * h[0][i] + h[1][i] * h[1][i]) / 2.0;
  for (int i = 0; i < 3; i++) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;

    axis[i] = h[0][a] * h[1][b] - h[0][b] * h[1][a];
    camera.foot[0] -= h[0][i] * h[2][i] / scale;
    camera.foot[1] -= h[1][i] * h[2][i] / scale;
    camera.height += axis[i] * h[2][i] / (scale * sqrt (scale));
  }
  camera.height = fabs (camera.height);
  camera.known = isfinite (camera.height) && camera.height > 0.0;
  return camera;
}

void
gst_cca_footprint_measure (GstCcaFootprint *footprint, const GstCcaGround *ground, const GstCcaGroundCamera *camera,
                           const double min[2], const double max[2], double deviation)
{
  const double middle = (min[0] + max[0]) / 2.0, pixel[2] = { 1.0, 1.0 };
  const GstCcaGroundScale scale = gst_cca_ground_scale (ground, pixel);
  const double across = (max[0] - min[0]) / gst_cca_ground_scale_at (&scale, middle, max[1]);
  double foot[2], top[2], jacobian[4], away[2], length, near, far, weight;

  if (!gst_cca_ground_place (ground, (const double[2]) { middle, max[1] }, foot, NULL)
      || !gst_cca_ground_place (ground, (const double[2]) { middle, min[1] }, top, jacobian))
    return;
  away[0] = top[0] - foot[0], away[1] = top[1] - foot[1];
  length = hypot (away[0], away[1]);
  weight = 1.0 / (deviation * deviation * (jacobian[1] * jacobian[1] + jacobian[3] * jacobian[3]));
  if (!(length > 0.0) || !isfinite (weight) || !isfinite (across))
    return;
  for (int i = 0; i < 2; i++)
    footprint->away[i] = away[i] / length;
  near = (foot[0] - camera->foot[0]) * footprint->away[0] + (foot[1] - camera->foot[1]) * footprint->away[1];
  far = near + length;
  footprint->weight += weight;
  footprint->near += weight * near;
  footprint->far += weight * far;
  footprint->near_near += weight * near * near;
  footprint->near_far += weight * near * far;
  footprint->across += weight * across;
}

void
gst_cca_footprint_move (GstCcaFootprint *footprint, const double velocity[2])
{
  const double speed = hypot (velocity[0], velocity[1]);

  for (int i = 0; i < 2; i++)
    footprint->forward[i] = velocity[i] / speed;
}

/* Returns how far the object reaches away from the camera. */
static double
depth_of (const GstCcaFootprint *footprint, const GstCcaGroundCamera *camera)
{
  const double near = footprint->near / footprint->weight, far = footprint->far / footprint->weight;
  const double usual_height = fmin (USUAL_HEIGHT, camera->height / 2.0), below = camera->height - usual_height;
  const double usual = camera->height / below, unusual = camera->height / (below * below) * UNUSUAL;
  const double trust = 1.0 / (unusual * unusual);
  double growth;

  if (!camera->known)
    return far - near;
  growth = (footprint->near_far - footprint->weight * near * far + trust * usual)
           / (footprint->near_near - footprint->weight * near * near + trust);
  return fmax (far / fmax (growth, 1.0) - near, 0.0);
}

bool
gst_cca_footprint_ends (const GstCcaFootprint *footprint, const GstCcaGroundCamera *camera, const double place[2],
                        double rear[2], double front[2])
{
  const double *away = footprint->away, *forward = footprint->forward;
  const double c = fabs (forward[0] * away[0] + forward[1] * away[1]);
  const double s = fabs (forward[0] * away[1] - forward[1] * away[0]);
  const double a = 1.0 + WIDTH_WEIGHT * USUAL_WIDTH * USUAL_WIDTH, b = 2.0 * c * s - WIDTH_WEIGHT * USUAL_WIDTH;
  const double d = 1.0 + WIDTH_WEIGHT, extreme = c > s ? LEAST_WIDTH : MOST_WIDTH;
  double depth, across, length;

  if (!(footprint->weight > 0.0) || !(c + s > 0.0))
    return false;
  across = footprint->across / footprint->weight;
  depth = fmin (depth_of (footprint, camera), NARROWED * across * (c + s * extreme) / (s + c * extreme));
  /* Length and width that show such a depth and such a breadth, by least squares. */
  length = fmax (((c * depth + s * across) * d - (s * depth + c * across) * b) / (a * d - b * b), 0.0);
  for (int i = 0; i < 2; i++) {
    const double middle = place[i] + away[i] * depth / 2.0;

    rear[i] = middle - forward[i] * length / 2.0;
    front[i] = middle + forward[i] * length / 2.0;
  }
  return true;
}
