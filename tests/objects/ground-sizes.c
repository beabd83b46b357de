/* gst-cca: size classes of objects that move over a rendered road, under cameras of several heights and tilts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: test-objects-ground-sizes [-k]; with --verbose, prints the areas that are measured, too
 */
#include "../add-tests.h"
#include "ground-scene.h"

/* A box on the ground, of which the silhouette fills a part. */
typedef struct
{
  const gchar *name;
  gdouble length, width, height; /* metres */
  gdouble fill;
} Body;

static const Body bodies[] = {
  { "walker", 0.3, 0.5, 1.75, 0.7 },
  { "cycle", 1.8, 0.6, 1.75, 0.5 },
  { "car", 4.5, 1.8, 1.5, 0.9 },
  { "lorry", 12, 2.5, 3.5, 0.9 },
};

/* From where bodies are seen: limits that hold for all cameras and places, and which class each body is of. */
typedef struct
{
  const gchar *name;
  gboolean sideways;
  guint n_classes;
  GstCcaRulesSizeClass classes[4];
  guint expected[4];
} View;

static const View views[] = {
  { "head-on", FALSE, 3, { { 1, 1.5 }, { 2, 8 }, { 3, 0 } }, { 1, 1, 2, 3 } }, /* a cycle is as a walker is */
  { "side-on", TRUE, 4, { { 1, 1 }, { 2, 3 }, { 3, 15 }, { 4, 0 } }, { 1, 2, 3, 4 } },
};

/* Fits the ground to four points that are off by up to a part of the picture. */
static GstCcaGround
ground_of (const Camera *camera, gdouble part, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  return calibrated_ground (camera, rand, part, 4, 15, 60);
}

/* Shows a body whose nearest part stands at (x, y); sideways: its length lies along x. Each point of a convex body's
 * silhouette is in two of its faces. */
static GstCcaObject
see_body (const Camera *camera, const Body *body, gdouble x, gdouble y, gboolean sideways)
{
  static const guint faces[][4] = { { 0, 1, 3, 2 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                    { 2, 3, 7, 6 }, { 0, 2, 6, 4 }, { 1, 3, 7, 5 } };
  const gdouble across = sideways ? body->length : body->width, along = sideways ? body->width : body->length;
  GstCcaObject object = { .id = 1, .state = GST_CCA_OBJECT_CONFIRMED, .box = { { 1e9, 1e9 }, { -1e9, -1e9 } } };
  GstCcaPosition corners[8];
  gdouble area = 0;

  for (guint i = 0; i < 8; i++) {
    corners[i] =
        see (camera, x + (i & 1 ? across / 2 : -across / 2), y + (i & 2 ? along : 0), i & 4 ? body->height : 0);
    object.box.min[0] = MIN (object.box.min[0], floor (corners[i].x));
    object.box.min[1] = MIN (object.box.min[1], floor (corners[i].y));
    object.box.max[0] = MAX (object.box.max[0], ceil (corners[i].x));
    object.box.max[1] = MAX (object.box.max[1], ceil (corners[i].y));
  }
  for (guint i = 0; i < 6; i++) {
    gdouble doubled = 0;

    for (guint k = 0; k < 4; k++) {
      const GstCcaPosition a = corners[faces[i][k]], b = corners[faces[i][(k + 1) % 4]];

      doubled += a.x * b.y - b.x * a.y;
    }
    area += body->fill * fabs (doubled) / 4;
  }
  object.area = (guint64) round (area);
  return object;
}

/* Shows a frame, and returns the track on the ground, or NULL. */
static const GstCcaRulesGroundTrack *
show (GstCcaRules *rules, guint n, GstCcaObject *object)
{
  gsize n_seen;
  const GstCcaRulesGroundTrack *seen = show_objects (rules, n * FRAME_NS, object, 1, &n_seen);

  return n_seen == 1 ? seen : NULL;
}

/* Returns the track of a body that stands somewhere for a while; none where it is not wholly in the picture. */
static GstCcaRulesGroundTrack
watch (const Camera *camera, const GstCcaGround *ground, const Body *body, const View *view, gdouble x, gdouble y)
{
  GstCcaRulesParams params = { .ground = ground, .rise = 1.0, .n_size_classes = view->n_classes };
  GstCcaObject object = see_body (camera, body, x, y, view->sideways);
  GstCcaRulesGroundTrack last = { 0 };
  GstCcaRules *rules;

  if (!is_whole (&object.box))
    return last;
  memcpy (params.size_classes, view->classes, sizeof view->classes);
  rules = gst_cca_rules_new (&params);
  for (guint i = 0; i < 20; i++) {
    const GstCcaRulesGroundTrack *seen = show (rules, i, &object);

    if (seen)
      last = *seen;
  }
  g_assert_cmpuint (last.id, ==, 1);
  gst_cca_rules_free (rules);
  return last;
}

/* Wherever a body stands wholly in the picture of any camera, it is of its class. */
static void
test_classes (gconstpointer data)
{
  const View *view = data;

  for (guint b = 0; b < G_N_ELEMENTS (bodies); b++) {
    gdouble least = 1e9, most = 0;
    guint n = 0;

    for (guint c = 0; c < G_N_ELEMENTS (cameras); c++) {
      const GstCcaGround ground = ground_of (&cameras[c], 0, 1);

      for (gdouble x = -8; x <= 8; x += 4)
        for (gdouble y = 10; y <= 70; y += 10) {
          const GstCcaRulesGroundTrack track = watch (&cameras[c], &ground, &bodies[b], view, x, y);

          if (track.id == 0)
            continue;
          g_assert_cmpuint (track.size_class, ==, view->expected[b]);
          least = MIN (least, track.area), most = MAX (most, track.area);
          n++;
        }
    }
    g_test_message ("%s %s: %.2f to %.2f square metres at %u places", bodies[b].name, view->name, least, most, n);
    g_assert_cmpuint (n, >=, 75);
  }
}

/* Points of the ground that are off change the area of a car by little. */
static void
test_calibration (void)
{
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gdouble median, p95;

  for (guint c = 0; c < G_N_ELEMENTS (cameras); c++) {
    const GstCcaGround exact = ground_of (&cameras[c], 0, 1);

    for (guint seed = 1; seed <= 100; seed++) {
      const GstCcaGround off = ground_of (&cameras[c], 0.01, seed);

      for (gdouble y = 20; y <= 60; y += 20) {
        const GstCcaRulesGroundTrack truth = watch (&cameras[c], &exact, &bodies[2], &views[0], 2, y);
        const GstCcaRulesGroundTrack track = watch (&cameras[c], &off, &bodies[2], &views[0], 2, y);
        const gdouble error = truth.id != 0 ? fabs (track.area / truth.area - 1) : 0;

        if (truth.id != 0)
          g_array_append_val (errors, error);
      }
    }
  }
  g_array_sort (errors, compare_numbers);
  g_assert_cmpuint (errors->len, >=, 1000);
  median = percentile (errors, 50);
  p95 = percentile (errors, 95);
  g_test_message ("1 %% of the picture: areas are off by %.3f, 95 %% of them by at most %.3f; %u cars", median, p95,
                  errors->len);
  g_assert_cmpfloat (median, <=, 0.05);
  g_assert_cmpfloat (p95, <=, 0.2);
}

/* The area is the same if the camera is not level, and if the ground was measured in a picture whose pixels are not
 * square, as is that of relative units. */
static void
test_rolled (void)
{
  static const gdouble rolls[] = { -25, 0, 25 };

  for (guint i = 0; i < G_N_ELEMENTS (rolls); i++) {
    const Camera level = { 10, 25, 50, 0 }, rolled = { 10, 25, 50, rolls[i] };
    const GstCcaGround ground = ground_of (&level, 0, 1);
    GstCcaGround stretched = ground_of (&rolled, 0, 1);
    const GstCcaRulesGroundTrack truth = watch (&level, &ground, &bodies[0], &views[0], 1, 30);
    const GstCcaRulesParams params = {
      .ground = &stretched, .ground_width = 2 * WIDTH, .ground_height = HEIGHT, .rise = 1.0
    };
    GstCcaObject object = see_body (&rolled, &bodies[0], 1, 30, FALSE);
    const GstCcaRulesGroundTrack *seen = NULL;
    GstCcaRules *rules;

    for (guint k = 0; k < 3; k++) {
      stretched.to_ground[3 * k] /= 2;
      stretched.to_image[k] *= 2;
    }
    rules = gst_cca_rules_new (&params);
    for (guint k = 0; k < 20; k++)
      seen = show (rules, k, &object);
    g_assert_nonnull (seen);
    g_assert_cmpuint (truth.id, ==, 1);
    g_assert_cmpfloat_with_epsilon (seen->area / truth.area, 1, 0.04);
    gst_cca_rules_free (rules);
  }
}

CASES_MAIN ()
{
  ADD_ROWS ("/ground-sizes", views, test_classes);
  ADD_TESTS ("/ground-sizes", test_calibration, test_rolled);
}
