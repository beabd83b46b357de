/* gst-cca: what the tests of the ground share: a camera over a road, and the boxes of cars in its picture
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The ground's x axis leads to the right of the camera, its y axis away from it; the camera stands over (0, 0).
 */
#ifndef GROUND_SCENE_H
#define GROUND_SCENE_H

#include <glib.h>
#include <math.h>
#include <string.h>

#include "gst/ground/homography.h"
#include "gst/zones/rules.h"

#define WIDTH 1280
#define HEIGHT 720
#define FRAME_NS (40 * G_GUINT64_CONSTANT (1000000))

typedef struct
{
  gdouble height; /* metres over the ground */
  gdouble tilt;   /* of the view below the horizon, degrees */
  gdouble view;   /* across the picture, degrees */
  gdouble roll;   /* clockwise, of the picture round its middle, degrees */
} Camera;

/* Returns the image point of a point over the ground, in pixels. */
static inline GstCcaPosition
see (const Camera *camera, gdouble x, gdouble y, gdouble z)
{
  const gdouble focal = WIDTH / 2.0 / tan (camera->view * G_PI / 360.0), tilt = camera->tilt * G_PI / 180.0;
  const gdouble down = camera->height - z, depth = y * cos (tilt) + down * sin (tilt);
  const gdouble right = focal * x / depth, below = focal * (down * cos (tilt) - y * sin (tilt)) / depth;
  const gdouble roll = camera->roll * G_PI / 180.0;

  return (GstCcaPosition) { WIDTH / 2.0 + right * cos (roll) - below * sin (roll),
                            HEIGHT / 2.0 + right * sin (roll) + below * cos (roll) };
}

/* Returns the box of whole pixels round a car that drives along y, whose rear or front that the camera sees first is at
 * (x, y), cut at the picture's border. */
static inline GstCcaBox
see_car (const Camera *camera, gdouble x, gdouble y)
{
  GstCcaBox box = { { WIDTH, HEIGHT }, { 0, 0 } };

  for (guint i = 0; i < 8; i++) {
    const GstCcaPosition corner = see (camera, x + (i & 1 ? 0.9 : -0.9), y + (i & 2 ? 4.5 : 0), i & 4 ? 1.5 : 0);

    box.min[0] = MIN (box.min[0], floor (corner.x)), box.min[1] = MIN (box.min[1], floor (corner.y));
    box.max[0] = MAX (box.max[0], ceil (corner.x)), box.max[1] = MAX (box.max[1], ceil (corner.y));
  }
  box.min[0] = CLAMP (box.min[0], 0, WIDTH), box.max[0] = CLAMP (box.max[0], 0, WIDTH);
  box.min[1] = CLAMP (box.min[1], 0, HEIGHT), box.max[1] = CLAMP (box.max[1], 0, HEIGHT);
  return box;
}

/* Fills n ≥ 4 points on two lines along the road, whose image points are off by up to a part of the picture's width and
 * height. */
static inline void
calibrate (const Camera *camera, GRand *rand, gdouble part, guint n, gdouble half_width, gdouble near, gdouble far,
           GstCcaGroundPoint *points)
{
  for (guint i = 0; i < n; i++) {
    const gdouble x = i % 2 == 0 ? -half_width : half_width;
    const gdouble y = near + (far - near) * (i / 2) / (n / 2 - 1); /* NOLINT: whole rows */
    const GstCcaPosition at = see (camera, x, y, 0);

    points[i] = (GstCcaGroundPoint) {
      { at.x + g_rand_double_range (rand, -1, 1) * part * WIDTH,
        at.y + g_rand_double_range (rand, -1, 1) * part * HEIGHT },
      { x, y },
    };
  }
}

#endif
