/* gst-cca: speeds of cars that drive over a rendered road, under calibrations that are wrong by known amounts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: test-objects-ground-speeds [-k]; with --table, prints the errors for other numbers of points, too
 */
#include <stdlib.h>
#include <string.h>

#include "../add-tests.h"
#include "ground-scene.h"

#define N_CALIBRATIONS 100

static const gdouble lanes[] = { -5.25, -1.75, 1.75, 5.25 }; /* those on the left come towards the camera */
static const gdouble speeds[] = { 15, 30, 50, 80, 120 };     /* km/h */

typedef struct
{
  gdouble median, p95;
  guint n;
} Errors;

/* Drives a car through the scene, and adds the error of the speed that the rules tell in the picture's middle, km/h. So
 * each car counts once, and slow ones not more often than fast ones. */
static void
drive (const Camera *camera, const GstCcaGround *ground, gdouble lane, gdouble kmh, gdouble far, GArray *errors)
{
  const GstCcaRulesParams params = { .ground = ground, .rise = 1.0 };
  GstCcaRules *rules = gst_cca_rules_new (&params);
  const gdouble middle = ground_at (camera, 0.6);
  gdouble y = lane < 0 ? far : ground_at (camera, 1.0), told = -1;
  guint64 time = 0;

  for (guint n = 0; n < 2000; n++, time += FRAME_NS, y += (lane < 0 ? -kmh : kmh) / 3.6 * FRAME_NS / 1e9) {
    GstCcaObject track = { .id = 1, .state = GST_CCA_OBJECT_CONFIRMED, .box = see_car (camera, lane, y) };
    const GstCcaRulesGroundTrack *seen;
    gsize n_seen;

    if (y > far || y < 0.1 || !(gst_cca_box_area (&track.box) > 0))
      break;
    seen = show_objects (rules, time, &track, 1, &n_seen);
    if (n_seen == 1 && (seen->known & GST_CCA_RULES_SPEED) && (lane < 0 ? y > middle : y < middle))
      told = fabs (seen->speed * 3.6 - kmh);
  }
  g_assert_cmpfloat (told, >=, 0);
  g_array_append_val (errors, told);
  gst_cca_rules_free (rules);
}

/* Cars of all speeds, in all lanes, under all cameras, each under many calibrations by n points. */
static Errors
measure (gdouble part, guint n)
{
  GArray *errors = g_array_new (FALSE, FALSE, sizeof (gdouble));
  GRand *rand = g_rand_new_with_seed (7);
  Errors result;

  for (guint i = 0; i < G_N_ELEMENTS (cameras); i++)
    for (guint k = 0; k < N_CALIBRATIONS; k++) {
      const Camera *camera = &cameras[i];
      const gdouble near = ground_at (camera, 0.95), far = ground_at (camera, 0.35);
      const GstCcaGround ground = calibrated_ground (camera, rand, part, n, near, far);

      for (guint l = 0; l < G_N_ELEMENTS (lanes); l++)
        drive (camera, &ground, lanes[l], speeds[(k + l) % G_N_ELEMENTS (speeds)], far, errors);
    }
  g_array_sort (errors, compare_numbers);
  result.n = errors->len;
  g_assert_cmpuint (result.n, >=, 2000);
  result.median = percentile (errors, 50);
  result.p95 = percentile (errors, 95);
  g_rand_free (rand);
  g_array_unref (errors);
  g_test_message ("%.0f %% of the picture, %u points: median %.2f km/h, 95 %% below %.2f km/h, %u cars", part * 100, n,
                  result.median, result.p95, result.n);
  return result;
}

static void
test_exact (void)
{
  const Errors errors = measure (0, 4);

  g_assert_cmpfloat (errors.median, <, 0.3);
  g_assert_cmpfloat (errors.p95, <, 2.0);
}

/* A ground that is calibrated by only four points. */
static void
test_one_percent (void)
{
  const Errors errors = measure (0.01, 4);

  g_assert_cmpfloat (errors.median, <=, 1.0);
  g_assert_cmpfloat (errors.p95, <=, 4.0);
}

static void
test_three_percent (void)
{
  const Errors errors = measure (0.03, 16);

  g_assert_cmpfloat (errors.median, <=, 1.1);
  g_assert_cmpfloat (errors.p95, <=, 7.0);
}

static void
print_table (void)
{
  static const guint numbers[] = { 4, 8, 12, 16, 24, 32 };
  static const gdouble parts[] = { 0, 0.01, 0.03 };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (numbers); k++) {
      const Errors errors = measure (parts[i], numbers[k]);

      g_print ("%.0f %% %2u points: median %.2f, 95 %% %.2f km/h (%u cars)\n", parts[i] * 100, numbers[k],
               errors.median, errors.p95, errors.n);
    }
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "--table") == 0) {
    print_table ();
    return 0;
  }
  g_test_init (&argc, &argv, NULL);
  ADD_TESTS ("/ground-speeds", test_exact, test_one_percent, test_three_percent);
  return g_test_run ();
}
