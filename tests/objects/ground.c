/* gst-cca: the ground: good and impossible fits, and the filter of an object's motion
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "ground-scene.h"

#include "gst/ground/motion.h"

static const Camera camera = { 8, 20, 60 };

/* A rectangle of 7 × 30 m, in order around it. */
static void
fill (GstCcaGroundPoint *points)
{
  static const gdouble corners[][2] = { { -3, 12 }, { 4, 12 }, { 4, 42 }, { -3, 42 } };

  for (guint i = 0; i < 4; i++) {
    const GstCcaPosition at = see (&camera, corners[i][0], corners[i][1], 0);

    points[i] = (GstCcaGroundPoint) { { at.x, at.y }, { corners[i][0], corners[i][1] } };
  }
}

static GstCcaGround
fitted (void)
{
  GstCcaGroundPoint points[4];
  GstCcaGround ground;
  gsize a, b;

  fill (points);
  g_assert_cmpint (gst_cca_ground_fit (&ground, points, 4, &a, &b), ==, GST_CCA_GROUND_FITS);
  return ground;
}

static void
test_exact (void)
{
  const GstCcaGround ground = fitted ();

  for (gdouble y = 5; y < 200; y += 7)
    for (gdouble x = -20; x <= 20; x += 5) {
      const GstCcaPosition at = see (&camera, x, y, 0);
      gdouble place[2], image[2], beside[2], j[4];

      g_assert_true (gst_cca_ground_place (&ground, (gdouble[]) { at.x, at.y }, place, j));
      g_assert_cmpfloat_with_epsilon (place[0], x, 1e-6 * y);
      g_assert_cmpfloat_with_epsilon (place[1], y, 1e-6 * y);
      g_assert_true (gst_cca_ground_image (&ground, place, image));
      g_assert_cmpfloat_with_epsilon (image[0], at.x, 1e-6);
      g_assert_true (gst_cca_ground_place (&ground, (gdouble[]) { at.x + 1e-4, at.y }, beside, NULL));
      g_assert_cmpfloat_with_epsilon (beside[0] - place[0], j[0] * 1e-4, 1e-7);
      g_assert_true (gst_cca_ground_place (&ground, (gdouble[]) { at.x, at.y + 1e-4 }, beside, NULL));
      g_assert_cmpfloat_with_epsilon (beside[1] - place[1], j[3] * 1e-4, 1e-4);
    }
}

static void
test_horizon (void)
{
  const GstCcaGround ground = fitted ();
  const gdouble horizon = see (&camera, 0, 1e9, 0).y;
  gdouble place[2];

  g_assert_true (gst_cca_ground_place (&ground, (gdouble[]) { 300, horizon + 0.1 }, place, NULL));
  g_assert_cmpfloat (place[1], >, 1000);
  g_assert_false (gst_cca_ground_place (&ground, (gdouble[]) { 300, horizon - 0.1 }, place, NULL));
  g_assert_false (gst_cca_ground_image (&ground, (gdouble[]) { 0, -10 }, place));
}

/* More points than needed: the least sum of squares in the picture, and residuals that say which point is off. */
/* The scale is that of a metre parallel to the horizon, under any roll, and of upright objects: people of one height
 * have the same height in metres wherever they stand. */
static void
test_scale (void)
{
  static const gdouble rolls[] = { -20, 0, 20 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < G_N_ELEMENTS (rolls); i++) {
    const Camera rolled = { 8, 15, 60, rolls[i] };
    const gdouble pixel[] = { 1, 1 };
    gdouble least = G_MAXDOUBLE, most = 0;
    GstCcaGroundPoint points[8];
    GstCcaGroundScale scale;
    GstCcaGround ground;
    gsize a, b;

    calibrate (&rolled, rand, 0, 8, 5, 10, 60, points);
    g_assert_cmpint (gst_cca_ground_fit (&ground, points, 8, &a, &b), ==, GST_CCA_GROUND_FITS);
    scale = gst_cca_ground_scale (&ground, pixel);
    for (gdouble y = 12; y <= 60; y += 4)
      for (gdouble x = -6; x <= 6; x += 3) {
        const GstCcaPosition at = see (&rolled, x, y, 0), right = see (&rolled, x + 1, y, 0);
        const GstCcaPosition head = see (&rolled, x, y, 1.75);
        const gdouble metre = hypot (right.x - at.x, right.y - at.y);
        const gdouble high = hypot (head.x - at.x, head.y - at.y) / gst_cca_ground_scale_at (&scale, at.x, at.y);

        g_assert_cmpfloat_with_epsilon (gst_cca_ground_scale_at (&scale, at.x, at.y), metre, 1e-6 * metre);
        least = MIN (least, high), most = MAX (most, high);
      }
    g_assert_cmpfloat (least, >, 1.75 * 0.85);
    g_assert_cmpfloat (most, <, 1.75 * 1.05);
  }
}

/* In a picture of twice the width, a pixel of the frame is two wide, and a metre has as many of the frame's. */
static void
test_scale_stretched (void)
{
  const gdouble square[] = { 1, 1 }, wide[] = { 2, 1 };
  const GstCcaGround ground = fitted ();
  const GstCcaGroundScale scale = gst_cca_ground_scale (&ground, square);
  GstCcaGround stretched = ground;
  GstCcaGroundScale other;

  for (guint k = 0; k < 3; k++)
    stretched.to_ground[3 * k] /= 2;
  other = gst_cca_ground_scale (&stretched, wide);
  for (gdouble y = 300; y <= 700; y += 50)
    g_assert_cmpfloat_with_epsilon (gst_cca_ground_scale_at (&other, 500, y), gst_cca_ground_scale_at (&scale, 500, y),
                                    1e-9);
  /* Straight from above there is no horizon: one scale everywhere. */
  other = gst_cca_ground_scale (&(GstCcaGround) { .to_ground = { 0.02, 0, 0, 0, -0.02, 0, 0, 0, 1 } }, square);
  g_assert_cmpfloat_with_epsilon (gst_cca_ground_scale_at (&other, 10, 700), 50, 1e-9);
}

static void
test_residuals (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  GstCcaGroundPoint points[24];
  GstCcaGround ground;
  gdouble sum = 0;
  gsize a, b;

  calibrate (&camera, rand, 0, 24, 5, 10, 50, points);
  points[5].image[0] += 20;
  g_assert_cmpint (gst_cca_ground_fit (&ground, points, 24, &a, &b), ==, GST_CCA_GROUND_FITS);
  for (guint i = 0; i < 24; i++) {
    const GstCcaGroundResidual residual = gst_cca_ground_residual (&ground, &points[i]);

    sum += residual.pixels * residual.pixels;
    if (i == 5) {
      g_assert_cmpfloat (residual.pixels, >, 10);
      g_assert_cmpfloat (residual.metres, >, 0.1);
    } else {
      g_assert_cmpfloat (residual.pixels, <, 6);
    }
  }
  /* No homography nearby has less. */
  for (guint i = 0; i < 8; i++)
    for (gint sign = -1; sign <= 1; sign += 2) {
      GstCcaGround other = ground;
      gdouble other_sum = 0;

      other.to_image[i] *= 1 + sign * 1e-4;
      for (guint k = 0; k < 24; k++) {
        gdouble image[2];

        g_assert_true (gst_cca_ground_image (&other, points[k].place, image));
        other_sum += (image[0] - points[k].image[0]) * (image[0] - points[k].image[0])
                     + (image[1] - points[k].image[1]) * (image[1] - points[k].image[1]);
      }
      g_assert_cmpfloat (other_sum, >=, sum * (1 - 1e-9));
    }
}

static GstCcaGroundFault
fault_of (const GstCcaGroundPoint *points, gsize n, gsize *a, gsize *b)
{
  GstCcaGround ground;

  return gst_cca_ground_fit (&ground, points, n, a, b);
}

static void
test_faults (void)
{
  GstCcaGroundPoint good[4], points[5];
  gsize a, b;

  fill (good);
  g_assert_cmpint (fault_of (good, 3, &a, &b), ==, GST_CCA_GROUND_FEW);

  memcpy (points, good, sizeof good);
  memcpy (points[3].place, points[1].place, sizeof points[3].place);
  g_assert_cmpint (fault_of (points, 4, &a, &b), ==, GST_CCA_GROUND_REPEATED);
  g_assert_cmpuint (a, ==, 1);
  g_assert_cmpuint (b, ==, 3);

  /* All on a line of the ground; then all but one. */
  for (guint i = 0; i < 5; i++)
    points[i] = (GstCcaGroundPoint) { { 100 + 10 * i, 500 + i * i * 7 }, { i, 10 + 2 * i } };
  g_assert_cmpint (fault_of (points, 5, &a, &b), ==, GST_CCA_GROUND_LINE);
  g_assert_cmpuint (a, ==, G_MAXSIZE);
  points[2].place[0] += 3;
  g_assert_cmpint (fault_of (points, 5, &a, &b), ==, GST_CCA_GROUND_LINE);
  g_assert_cmpuint (a, ==, 2);

  memcpy (points, good, sizeof good);
  for (guint i = 0; i < 4; i++)
    points[i].place[0] *= -1;
  g_assert_cmpint (fault_of (points, 4, &a, &b), ==, GST_CCA_GROUND_MIRRORED);

  /* Two corners exchanged: a bow tie is no view of a rectangle. */
  memcpy (points, good, sizeof good);
  memcpy (points[0].place, good[1].place, sizeof points[0].place);
  memcpy (points[1].place, good[0].place, sizeof points[0].place);
  g_assert_cmpint (fault_of (points, 4, &a, &b), ==, GST_CCA_GROUND_HORIZON);
  g_assert_cmpuint (a, <, 4);
}

/* An object that drives, in a picture where each foot is off by up to two pixels; and that then stops. */
static void
test_motion (void)
{
  const GstCcaGround ground = fitted ();
  const gdouble deviation[] = { 1, 1 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  GstCcaGroundMotion motion = { 0 };
  gdouble y = 12, speed, heading;

  g_assert_false (gst_cca_ground_motion_read (&motion, &speed, &heading));
  for (guint i = 0; i < 150; i++) {
    const GstCcaPosition at = see (&camera, 2, y, 0);

    gst_cca_ground_motion_predict (&motion, 0.04);
    gst_cca_ground_motion_correct (
        &motion, &ground,
        (gdouble[]) { at.x + g_rand_double_range (rand, -2, 2), at.y + g_rand_double_range (rand, -2, 2) }, deviation);
    g_assert_true (gst_cca_ground_motion_read (&motion, &speed, &heading));
    if (i == 0)
      g_assert_cmpfloat (speed, ==, -1); /* not known after one look */
    if (i == 60) {
      g_assert_cmpfloat_with_epsilon (speed, 10, 0.7);
      g_assert_true (heading < 5 || heading > 355);
    }
    if (i < 75)
      y += 10 * 0.04;
  }
  g_assert_cmpfloat (speed, >=, 0);
  g_assert_cmpfloat (speed, <, 0.5);
  g_assert_cmpfloat (heading, ==, -1);
}

/* One wild box hardly counts; a box that stays elsewhere begins anew. */
static void
test_strange (void)
{
  const GstCcaGround ground = fitted ();
  const gdouble deviation[] = { 1, 1 };
  GstCcaGroundMotion motion = { 0 };
  gdouble speed, heading;

  for (guint i = 0; i < 100; i++) {
    const GstCcaPosition at = see (&camera, 0, i < 50 ? 20 : 40, 0);
    gdouble image[] = { at.x, at.y };

    if (i == 25)
      image[1] -= 60;
    gst_cca_ground_motion_predict (&motion, 0.04);
    gst_cca_ground_motion_correct (&motion, &ground, image, deviation);
    if (i == 25) {
      g_assert_true (gst_cca_ground_motion_read (&motion, &speed, &heading));
      g_assert_cmpfloat_with_epsilon (motion.state[1], 20, 1.0);
    }
  }
  g_assert_true (gst_cca_ground_motion_read (&motion, &speed, &heading));
  g_assert_cmpfloat_with_epsilon (motion.state[1], 40, 0.1);
  g_assert_cmpfloat (speed, <, 0.5);
}

/* After a long time without frames nothing is known. */
static void
test_pause (void)
{
  const GstCcaGround ground = fitted ();
  const GstCcaPosition at = see (&camera, 0, 20, 0);
  GstCcaGroundMotion motion = { 0 };
  gdouble speed, heading;

  for (guint i = 0; i < 50; i++) {
    gst_cca_ground_motion_predict (&motion, 0.04);
    gst_cca_ground_motion_correct (&motion, &ground, (gdouble[]) { at.x, at.y }, (gdouble[]) { 1, 1 });
  }
  g_assert_true (gst_cca_ground_motion_read (&motion, &speed, &heading));
  gst_cca_ground_motion_predict (&motion, 1e10);
  g_assert_false (gst_cca_ground_motion_read (&motion, &speed, &heading));
  gst_cca_ground_motion_correct (&motion, &ground, (gdouble[]) { at.x, at.y }, (gdouble[]) { 1, 1 });
  g_assert_true (gst_cca_ground_motion_read (&motion, &speed, &heading));
  g_assert_cmpfloat (speed, ==, -1);
}

TESTS_MAIN ("/ground", test_exact, test_horizon, test_scale, test_scale_stretched, test_residuals, test_faults,
            test_motion, test_strange, test_pause)
