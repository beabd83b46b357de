/* gst-cca: polylines and polygons, compared with exact geometry
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "../add-tests.h"
#include "gst/zones/polygon.h"

/* A U, open to the top, whose notch is 10…20 × 0…20. */
static const GstCcaPosition u[] = { { 0, 0 },  { 10, 0 }, { 10, 20 }, { 20, 20 },
                                    { 20, 0 }, { 30, 0 }, { 30, 30 }, { 0, 30 } };

static void
test_contains (void)
{
  const GstCcaPosition inside[] = { { 5, 1 }, { 15, 25 }, { 25, 10 }, { 0, 0 }, { 10, 10 }, { 15, 20 }, { 30, 30 } };
  const GstCcaPosition outside[] = { { 15, 10 }, { 15, 0 }, { -1, 0 }, { 31, 20 }, { 15, 30.001 }, { 40, 20 } };

  for (guint i = 0; i < G_N_ELEMENTS (inside); i++)
    g_assert_true (gst_cca_polygon_contains (u, G_N_ELEMENTS (u), inside[i]));
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++)
    g_assert_false (gst_cca_polygon_contains (u, G_N_ELEMENTS (u), outside[i]));
}

static void
test_distance (void)
{
  g_assert_cmpfloat (gst_cca_polyline_distance (u, 2, FALSE, (GstCcaPosition) { 5, 3 }), ==, 3.0);
  g_assert_cmpfloat (gst_cca_polyline_distance (u, 2, FALSE, (GstCcaPosition) { 14, 3 }), ==, 5.0);
  g_assert_cmpfloat (gst_cca_polyline_distance (u, 2, FALSE, (GstCcaPosition) { -3, -4 }), ==, 5.0);
  /* Only the side that closes it is near. */
  g_assert_cmpfloat (gst_cca_polyline_distance (u, 8, TRUE, (GstCcaPosition) { 1, 15 }), ==, 1.0);
  g_assert_cmpfloat (gst_cca_polyline_distance (u, 8, FALSE, (GstCcaPosition) { 1, 15 }), ==, 9.0);
}

/* How many unit squares whose centres lie inside a polygon are in a box; exact where all sides are on the grid. */
static gdouble
count_squares (const GstCcaPosition *points, gsize n, const GstCcaBox *box)
{
  guint count = 0;

  for (gint y = box->min[1]; y < box->max[1]; y++)
    for (gint x = box->min[0]; x < box->max[0]; x++)
      count += gst_cca_polygon_contains (points, n, (GstCcaPosition) { x + 0.5, y + 0.5 });
  return count;
}

static void
test_shared (void)
{
  const GstCcaPosition triangle[] = { { 0, 0 }, { 10, 0 }, { 0, 10 } };
  const GstCcaBox all = { { -5, -5 }, { 40, 40 } }, half = { { 0, 0 }, { 5, 5 } }, corner = { { 5, 5 }, { 9, 9 } };
  const GstCcaBox cut = { { 4, 4 }, { 7, 7 } };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  g_assert_cmpfloat (gst_cca_polygon_area (u, G_N_ELEMENTS (u)), ==, 700.0);
  g_assert_cmpfloat (gst_cca_polygon_area (triangle, 3), ==, 50.0);
  g_assert_cmpfloat (gst_cca_polygon_shared (triangle, 3, &all), ==, 50.0);
  g_assert_cmpfloat (gst_cca_polygon_shared (triangle, 3, &half), ==, 25.0);
  g_assert_cmpfloat (gst_cca_polygon_shared (triangle, 3, &corner), ==, 0.0);
  g_assert_cmpfloat_with_epsilon (gst_cca_polygon_shared (triangle, 3, &cut), 2.0, 1e-12);
  for (guint i = 0; i < 1000; i++) {
    const gint x = g_rand_int_range (random, -10, 35), y = g_rand_int_range (random, -10, 35);
    const GstCcaBox box = { { x, y }, { x + g_rand_int_range (random, 1, 30), y + g_rand_int_range (random, 1, 30) } };

    g_assert_cmpfloat (gst_cca_polygon_shared (u, G_N_ELEMENTS (u), &box), ==,
                       count_squares (u, G_N_ELEMENTS (u), &box));
  }
}

/* A pixel is set if its centre lies inside, or on the border to the left or above. */
static void
check_fill (const GstCcaPosition *points, gsize n, guint width, guint height)
{
  g_autofree guint8 *mask = g_malloc (width * height);
  g_autofree gdouble *room = g_new (gdouble, n);

  memset (mask, 7, width * height);
  gst_cca_polygon_fill (points, n, width, height, 200, room, mask);
  for (guint i = 0; i < width * height; i++) {
    /* A little to the right and down, to where no border is. */
    const GstCcaPosition centre = { i % width + 0.5 + 1e-6, i / width + 0.5 + 1e-9 };

    g_assert_cmpuint (mask[i], ==, gst_cca_polygon_contains (points, n, centre) ? 200 : 7);
  }
}

static void
test_fill (void)
{
  const GstCcaPosition diamond[] = { { 10.5, 0.5 }, { 20.5, 10.5 }, { 10.5, 20.5 }, { 0.5, 10.5 } };
  const GstCcaPosition beyond[] = { { -20, -20 }, { 90, -10 }, { 70, 50 }, { -30, 60 } };
  const GstCcaPosition sliver[] = { { 3.6, 0 }, { 4.4, 0 }, { 4.4, 20 }, { 3.6, 20 } };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  guint n_simple = 0;

  check_fill (u, G_N_ELEMENTS (u), 40, 40);
  check_fill (u, G_N_ELEMENTS (u), 15, 25);
  check_fill (diamond, G_N_ELEMENTS (diamond), 30, 30);
  check_fill (beyond, G_N_ELEMENTS (beyond), 33, 17);
  check_fill (sliver, G_N_ELEMENTS (sliver), 10, 10);
  while (n_simple < 200) {
    GstCcaPosition points[7];
    const guint n = (guint) g_rand_int_range (random, 3, 8);
    gsize first, second;

    for (guint i = 0; i < n; i++)
      points[i] =
          (GstCcaPosition) { g_rand_int_range (random, -20, 140) / 2.0, g_rand_int_range (random, -20, 100) / 4.0 };
    if (gst_cca_polygon_area (points, n) == 0.0 || gst_cca_polygon_crosses_itself (points, n, &first, &second))
      continue;
    n_simple++;
    check_fill (points, n, 60, 20);
  }
}

static gint
crossings (const GstCcaPosition *points, gsize n, gdouble from_x, gdouble from_y, gdouble to_x, gdouble to_y)
{
  return gst_cca_polyline_crossings (points, n, (GstCcaPosition) { from_x, from_y }, (GstCcaPosition) { to_x, to_y });
}

static void
test_crossings (void)
{
  /* To the right: seen along it, its right side is below it. */
  const GstCcaPosition line[] = { { 0, 0 }, { 10, 0 } }, bent[] = { { 0, 10 }, { 10, 0 }, { 20, 10 } };

  g_assert_cmpint (crossings (line, 2, 5, -5, 5, 5), ==, 1);
  g_assert_cmpint (crossings (line, 2, 5, 5, 5, -5), ==, -1);
  g_assert_cmpint (crossings (line, 2, 5, -5, 8, -1), ==, 0);
  /* Beside its ends. */
  g_assert_cmpint (crossings (line, 2, 12, -5, 12, 5), ==, 0);
  g_assert_cmpint (crossings (line, 2, -2, 5, -2, -5), ==, 0);
  g_assert_cmpint (crossings (line, 2, 5, -1, 30, 1), ==, 0);
  /* Along it, and no way at all. */
  g_assert_cmpint (crossings (line, 2, -5, 0, 15, 0), ==, 0);
  g_assert_cmpint (crossings (line, 2, 5, 0, 5, 0), ==, 0);
  /* Onto it and on, or back. */
  g_assert_cmpint (crossings (line, 2, 5, -5, 5, 0) + crossings (line, 2, 5, 0, 5, 5), ==, 1);
  g_assert_cmpint (crossings (line, 2, 5, -5, 5, 0) + crossings (line, 2, 5, 0, 5, -5), ==, 0);
  /* Through the corner, from outside to inside of the bend; along it; over both arms. */
  g_assert_cmpint (crossings (bent, 3, 10, -5, 10, 5), ==, 1);
  g_assert_cmpint (crossings (bent, 3, 10, -5, 10, 0) + crossings (bent, 3, 10, 0, 10, 5), ==, 1);
  g_assert_cmpint (crossings (bent, 3, 0, 0, 20, 0), ==, 0);
  g_assert_cmpint (crossings (bent, 3, 0, 5, 20, 5), ==, 0);
}

/* Any way crosses a closed line to the inside and to the outside in turn. */
static void
test_crossings_of_polygon (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  GstCcaPosition closed[G_N_ELEMENTS (u) + 1];
  guint n_ends = 0;

  for (guint i = 0; i < G_N_ELEMENTS (closed); i++)
    closed[i] = u[i % G_N_ELEMENTS (u)];
  for (guint i = 0; i < 2000; i++) {
    GstCcaPosition at = { -5, -5 };
    gint sum = 0;

    /* Steps on a coarse grid, so that the way often meets points and runs along sides. */
    for (guint j = 0; j < 20; j++) {
      const GstCcaPosition next = { 5 * g_rand_int_range (random, -1, 8), 5 * g_rand_int_range (random, -1, 8) };

      sum += gst_cca_polyline_crossings (closed, G_N_ELEMENTS (closed), at, next);
      at = next;
      g_assert_cmpint (sum, >=, 0);
      g_assert_cmpint (sum, <=, 1);
      if (gst_cca_polyline_distance (u, G_N_ELEMENTS (u), TRUE, at) > 0.0) {
        g_assert_cmpint (sum, ==, gst_cca_polygon_contains (u, G_N_ELEMENTS (u), at));
        n_ends++;
      }
    }
  }
  g_assert_cmpuint (n_ends, >, 1000);
}

static void
test_crosses_itself (void)
{
  const GstCcaPosition bow[] = { { 0, 0 }, { 10, 10 }, { 10, 0 }, { 0, 10 } };
  const GstCcaPosition touching[] = { { 0, 0 }, { 10, 0 }, { 10, 10 }, { 5, 0 }, { 0, 10 } };
  gsize first = 0, second = 0;

  g_assert_false (gst_cca_polygon_crosses_itself (u, G_N_ELEMENTS (u), &first, &second));
  g_assert_false (gst_cca_polygon_crosses_itself (u, 3, &first, &second));
  g_assert_true (gst_cca_polygon_crosses_itself (bow, 4, &first, &second));
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (second, ==, 2);
  g_assert_true (gst_cca_polygon_crosses_itself (touching, 5, &first, &second));
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (second, ==, 2);
}

TESTS_MAIN ("/polygon", test_contains, test_distance, test_shared, test_fill, test_crossings, test_crossings_of_polygon,
            test_crosses_itself)
