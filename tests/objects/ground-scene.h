/* gst-cca: shared by the tests of the ground: a camera over a road, and the boxes of cars in its picture
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The ground's x axis leads to the right of the camera, its y axis away from it; the camera stands over (0, 0).
 */
#pragma once

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
  gdouble height; /* metres above the ground */
  gdouble tilt;   /* of the view below the horizon, degrees */
  gdouble view;   /* across the picture, degrees */
  gdouble roll;   /* clockwise, of the picture round its middle, degrees */
} Camera;

static const Camera cameras[] = {
  { 6, 12, 60 }, { 8, 20, 60 }, { 10, 25, 50 }, { 15, 35, 60 }, { 25, 30, 40 },
};

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

/* Returns the y of the ground point in the picture's middle column, at a fraction of its height. */
static inline gdouble
ground_at (const Camera *camera, gdouble share)
{
  gdouble low = 0.1, high = 1000;

  while (high - low > 1e-6) {
    const gdouble y = (low + high) / 2;

    if (see (camera, 0, y, 0).y > share * HEIGHT)
      low = y;
    else
      high = y;
  }
  return low;
}

typedef struct
{
  const gchar *name;
  gdouble length, width, height;
} Solid;

/* Returns the box of whole pixels round a solid whose middle stands at (x, y), cut at the picture's border. The heading
 * is clockwise from the y axis, degrees. */
static inline GstCcaBox
see_solid (const Camera *camera, const Solid *solid, gdouble x, gdouble y, gdouble heading)
{
  const gdouble c = cos (heading * G_PI / 180), s = sin (heading * G_PI / 180);
  GstCcaBox box = { { WIDTH, HEIGHT }, { 0, 0 } };

  for (guint i = 0; i < 8; i++) {
    const gdouble right = (i & 1 ? 0.5 : -0.5) * solid->width, ahead = (i & 2 ? 0.5 : -0.5) * solid->length;
    const GstCcaPosition corner =
        see (camera, x + right * c + ahead * s, y - right * s + ahead * c, i & 4 ? solid->height : 0);

    box.min[0] = MIN (box.min[0], floor (corner.x)), box.min[1] = MIN (box.min[1], floor (corner.y));
    box.max[0] = MAX (box.max[0], ceil (corner.x)), box.max[1] = MAX (box.max[1], ceil (corner.y));
  }
  for (guint i = 0; i < 2; i++) {
    const gdouble size = i == 0 ? WIDTH : HEIGHT;

    box.min[i] = CLAMP (box.min[i], 0, size), box.max[i] = CLAMP (box.max[i], 0, size);
  }
  return box;
}

/* Returns the box of a car that drives along y; (x, y) is the rear or front that the camera sees first. */
static inline GstCcaBox
see_car (const Camera *camera, gdouble x, gdouble y)
{
  static const Solid car = { "car", 4.5, 1.8, 1.5 };

  return see_solid (camera, &car, x, y + 2.25, 0);
}

/* Fills n ≥ 4 points on two lines along the road. Their image points are off by up to a fraction of the picture's width
 * and height. */
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

/* Fits the ground to n points, as from calibrate(). */
static inline GstCcaGround
calibrated_ground (const Camera *camera, GRand *rand, gdouble part, guint n, gdouble near, gdouble far)
{
  GstCcaGroundPoint points[64];
  GstCcaGround ground;
  gsize a, b;

  calibrate (camera, rand, part, n, 7, near, far, points);
  g_assert_cmpint (gst_cca_ground_fit (&ground, points, n, &a, &b), ==, GST_CCA_GROUND_FITS);
  return ground;
}

/* Runs the rules on a frame of objects. Returns the tracks on the ground. */
static inline const GstCcaRulesGroundTrack *
show_objects (GstCcaRules *rules, guint64 time, const GstCcaObject *objects, gsize n, gsize *n_seen)
{
  const GstCcaRulesFrame frame = { time, WIDTH, HEIGHT, 0, FALSE, objects, n };
  const GstCcaRulesEvent *events;
  gsize n_events;

  g_assert_true (gst_cca_rules_run (rules, &frame, &events, &n_events));
  return gst_cca_rules_ground_tracks (rules, n_seen);
}

/* Returns whether a box does not touch the picture's border. */
static inline gboolean
is_whole (const GstCcaBox *box)
{
  return box->min[0] >= 1 && box->max[0] <= WIDTH - 1 && box->min[1] >= 1 && box->max[1] <= HEIGHT - 1;
}

static inline gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  return *(const gdouble *) a < *(const gdouble *) b ? -1 : *(const gdouble *) a > *(const gdouble *) b;
}

/* Returns a percentile of sorted numbers. */
static inline gdouble
percentile (const GArray *sorted, guint percent)
{
  return g_array_index (sorted, gdouble, sorted->len * percent / 100);
}
