/* gst-cca: learned sizes, compared with those of scenes whose perspective is known
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <math.h>

#include "../add-tests.h"
#include "gst/track/sizes.h"

/* A camera over flat ground: heights on a line through the horizon. */
typedef struct
{
  gdouble horizon, slope; /* row; pixels of height for each row below it */
  gdouble aspect, filled;
} Ground;

/* A camera 7 m above the ground, and one at 3.5 m, which sees people twice as large. */
static const Ground street = { -40, 0.25, 0.4, 0.6 }, porch = { -40, 0.5, 0.5, 0.7 };

static gdouble
truth (const Ground *ground, gdouble foot)
{
  return ground->slope * (foot - ground->horizon);
}

static void
add (GstCcaSizes *sizes, guint64 id, gdouble foot, gdouble width, gdouble height, gdouble filled)
{
  gst_cca_sizes_add (sizes, &(GstCcaSizeSample) { 0, foot, width, height, filled, id });
}

/* Adds samples of objects that walk up and down from row 100 to row 500, five of each. */
static void
walk (GstCcaSizes *sizes, const Ground *ground, GRand *random, guint n, gdouble noise)
{
  for (guint i = 0; i < n; i++) {
    const gdouble foot = g_rand_double_range (random, 100, 500);
    const gdouble height = truth (ground, foot) * exp (g_rand_double_range (random, -noise, noise));

    add (sizes, 1 + i / 5, foot, ground->aspect * height, height, ground->filled);
  }
}

static void
assert_heights (const GstCcaSizes *sizes, const Ground *ground, gdouble from, gdouble to, gdouble error)
{
  for (gdouble foot = from; foot <= to; foot += 10) {
    g_assert_true (gst_cca_sizes_know (sizes, 0, foot));
    g_assert_cmpfloat (fabs (gst_cca_sizes_height (sizes, 0, foot) / truth (ground, foot) - 1), <, error);
  }
}

static void
test_perspective (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 4; i++) {
    const Ground *ground = i / 2 ? &porch : &street;
    const gboolean noisy = i % 2;
    GstCcaSizes sizes = { 0 };

    walk (&sizes, ground, random, GST_CCA_SIZES_SAMPLES, noisy ? 0.1 : 0.0);
    assert_heights (&sizes, ground, 120, 480, noisy ? 0.06 : 0.04);
    g_assert_cmpfloat_with_epsilon (sizes.aspect, ground->aspect, 1e-9);
    g_assert_cmpfloat_with_epsilon (sizes.filled, ground->filled, 1e-9);
    /* Half an object beyond the rows where some stood. */
    g_assert_false (gst_cca_sizes_know (&sizes, 0, 100 - 0.6 * truth (ground, 100)));
    g_assert_false (gst_cca_sizes_know (&sizes, 0, 500 + 0.6 * truth (ground, 500)));
  }
}

/* Sizes are known after 12 samples of two objects. */
static void
test_few (void)
{
  GstCcaSizes one = { 0 }, two = { 0 };

  for (guint i = 0; i < 100; i++) {
    g_assert_false (gst_cca_sizes_know (&one, 0, 300));
    add (&one, 7, 300, 20, 50, 0.5);
  }
  for (guint i = 0; i < 12; i++) {
    g_assert_false (gst_cca_sizes_know (&two, 0, 300));
    add (&two, 1 + i % 2, 300, 20, 50, 0.5);
  }
  g_assert_true (gst_cca_sizes_know (&two, 0, 300));
  g_assert_cmpfloat_with_epsilon (gst_cca_sizes_height (&two, 0, 300), 50, 0.01);
}

/* Groups, cut and doubled objects, a quarter of all, do not move the line. */
static void
test_outliers (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (guint kind = 0; kind < 2; kind++) {
    GstCcaSizes sizes = { 0 };

    for (guint i = 0; i < GST_CCA_SIZES_SAMPLES; i++) {
      const gdouble foot = g_rand_double_range (random, 100, 500);
      const gdouble factor = i % 4 == 0 ? (kind == 0 ? 1.8 : 0.5) : exp (g_rand_double_range (random, -0.05, 0.05));
      const gdouble height = truth (&street, foot) * factor;

      add (&sizes, 1 + i / 5, foot, 0.4 * height, height, 0.6);
    }
    assert_heights (&sizes, &street, 120, 480, 0.07);
  }
}

/* People and cars have no common height. It is known again when only one kind is left. */
static void
test_two_kinds (void)
{
  const Ground cars = { -40, 0.5, 2.0, 0.9 };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  GstCcaSizes sizes = { 0 };

  for (guint i = 0; i < GST_CCA_SIZES_SAMPLES; i++)
    walk (&sizes, i % 2 ? &cars : &street, random, 1, 0.05);
  g_assert_false (gst_cca_sizes_know (&sizes, 0, 300));
  walk (&sizes, &cars, random, GST_CCA_SIZES_SAMPLES, 0.05);
  assert_heights (&sizes, &cars, 120, 480, 0.05);
  g_assert_cmpfloat_with_epsilon (sizes.aspect, 2.0, 1e-9);
}

/* The camera was moved: the last samples count, and no others. */
static void
test_forgets (void)
{
  const Ground other = { 60, 0.6, 0.5, 0.7 };
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  GstCcaSizes sizes = { 0 };

  walk (&sizes, &street, random, 1000, 0.0);
  walk (&sizes, &other, random, GST_CCA_SIZES_SAMPLES, 0.0);
  assert_heights (&sizes, &other, 200, 480, 0.04);
}

/* Objects on one row say nothing of the other rows, which get the same height. */
static void
test_one_row (void)
{
  GstCcaSizes sizes = { 0 };

  for (guint i = 0; i < 40; i++)
    add (&sizes, 1 + i % 4, 300, 20, 50, 0.5);
  g_assert_cmpfloat_with_epsilon (gst_cca_sizes_height (&sizes, 0, 280), 50, 0.01);
  g_assert_true (gst_cca_sizes_know (&sizes, 0, 320));
  g_assert_false (gst_cca_sizes_know (&sizes, 0, 330));
}

/* A pair that is seen all the time does not make the others wide. */
static void
test_slender (void)
{
  GstCcaSizes sizes = { 0 };

  for (guint i = 0; i < 160; i++)
    add (&sizes, 1, 300, 60, 50, 0.5);
  for (guint i = 0; i < 32; i++)
    add (&sizes, 2 + i / 4, 300, 20, 50, 0.5);
  g_assert_cmpfloat_with_epsilon (sizes.aspect, 0.4, 1e-9);
}

/* Samples that are listed and set again are the same sizes, in the order in which they came. */
static void
test_list (void)
{
  static const guint counts[] = { 0, 4, 100, GST_CCA_SIZES_SAMPLES, 300, 2 * GST_CCA_SIZES_SAMPLES };
  g_autoptr (GRand) random = g_rand_new_with_seed (6);

  for (guint k = 0; k < G_N_ELEMENTS (counts); k++) {
    const guint n = MIN (counts[k], GST_CCA_SIZES_SAMPLES);
    GstCcaSizes sizes = { 0 }, copy = { 0 };
    GstCcaSizeSample samples[GST_CCA_SIZES_SAMPLES];

    walk (&copy, &street, random, 50, 0.0);
    for (guint i = 0; i < counts[k]; i++)
      add (&sizes, 1 + i / 5, 100 + i, 30, 60 + i / 4.0, 0.5);
    g_assert_cmpuint (gst_cca_sizes_get (&sizes, samples), ==, n);
    for (guint i = 0; i < n; i++)
      g_assert_cmpfloat (samples[i].foot, ==, 100 + counts[k] - n + i);
    gst_cca_sizes_set (&copy, samples, n);
    g_assert_cmpint (copy.known, ==, sizes.known);
    g_assert_cmpint (copy.known, ==, n >= 12);
    for (gdouble foot = 0; foot < 600 && sizes.known; foot += 50)
      g_assert_cmpfloat_with_epsilon (gst_cca_sizes_height (&copy, 0, foot), gst_cca_sizes_height (&sizes, 0, foot),
                                      1e-9);
    /* Both go on learning in the same way. */
    for (guint i = 0; i < 40; i++) {
      add (&sizes, 1000 + i / 5, 300, 40, 110, 0.5);
      add (&copy, 1000 + i / 5, 300, 40, 110, 0.5);
    }
    g_assert_cmpfloat_with_epsilon (copy.slope, sizes.slope, 1e-9);
    g_assert_cmpfloat_with_epsilon (copy.offset, sizes.offset, 1e-9);
  }
}

/* Whatever comes, heights are numbers of at least 0. */
static void
test_extremes (void)
{
  static const gdouble values[][2] = { { 1e6, 1e6 }, { 1e-6, 1e6 }, { 1e6, 1e-6 }, { 0, 1 }, { 65535, 65535 } };
  static const gdouble rows[] = { -1e9, 0, 1, 300, 65535, 1e9 };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint k = 0; k < G_N_ELEMENTS (values); k++) {
    GstCcaSizes sizes = { 0 };

    for (guint i = 0; i < 3 * GST_CCA_SIZES_SAMPLES; i++) {
      add (&sizes, 1 + i % 3, i % 7 ? values[k][0] : g_rand_double_range (random, 0, 1e6), i % 5 ? values[k][1] : 1,
           i % 11 ? values[k][1] : g_rand_double_range (random, 1e-6, 1e6), 1);
      for (guint j = 0; j < G_N_ELEMENTS (rows) && sizes.known; j++) {
        const gdouble height = gst_cca_sizes_height (&sizes, 0, rows[j]);

        g_assert_true (isfinite (height) && height >= 0);
      }
    }
  }
}

/* --- On known ground --------------------------------------------------------------------------------- */

/* The street, with a horizon that sinks to the right: pixels a metre. */
static const GstCcaGroundScale sloping = { -0.02, 0.15, 6 };

static gdouble
truth_on_ground (gdouble metres, gdouble x, gdouble foot)
{
  return metres * (sloping.x * x + sloping.y * foot + sloping.offset);
}

/* Adds samples of objects that all stand near one place. */
static void
stand (GstCcaSizes *sizes, GRand *random, guint n, guint64 id, gdouble metres)
{
  for (guint i = 0; i < n; i++) {
    const gdouble x = g_rand_double_range (random, 100, 130), foot = g_rand_double_range (random, 300, 320);
    const gdouble height = truth_on_ground (metres, x, foot) * exp (g_rand_double_range (random, -0.05, 0.05));

    gst_cca_sizes_add (sizes, &(GstCcaSizeSample) { x, foot, 0.4 * height, height, 0.6, id + i / 5 });
  }
}

static void
assert_metres (const GstCcaSizes *sizes, gdouble metres)
{
  g_assert_cmpfloat_with_epsilon (sizes->metres, metres, 0.03 * metres);
  for (gdouble x = 0; x <= 640; x += 160)
    for (gdouble foot = 150; foot <= 480; foot += 30) {
      g_assert_cmpint (gst_cca_sizes_know (sizes, x, foot), ==, gst_cca_sizes_height (sizes, x, foot) >= 16);
      g_assert_cmpfloat_with_epsilon (gst_cca_sizes_height (sizes, x, foot), truth_on_ground (metres, x, foot),
                                      0.03 * truth_on_ground (metres, x, foot));
    }
  /* Above the horizon stands nothing. */
  g_assert_false (gst_cca_sizes_know (sizes, 640, 20));
  g_assert_cmpfloat (gst_cca_sizes_height (sizes, 640, 20), ==, 0);
}

/* On known ground, sizes that were seen at one place hold in the whole picture, along columns, too. */
static void
test_ground (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  GstCcaSizes sizes = { 0 }, later = { 0 };
  GstCcaSizeSample samples[GST_CCA_SIZES_SAMPLES];

  gst_cca_sizes_set_ground (&sizes, &sloping, false);
  g_assert_false (sizes.known);
  stand (&sizes, random, 4, 1, 1.75);
  g_assert_false (gst_cca_sizes_know (&sizes, 100, 300));
  stand (&sizes, random, 4, 2, 1.75);
  assert_metres (&sizes, 1.75);
  /* Samples of an earlier run, from a file, are of use with a ground, too. */
  gst_cca_sizes_set (&later, samples, gst_cca_sizes_get (&sizes, samples));
  g_assert_false (gst_cca_sizes_know (&later, 400, 450));
  gst_cca_sizes_set_ground (&later, &sloping, false);
  assert_metres (&later, 1.75);
}

/* The height of people is known before anybody is seen. Objects of one common height replace it; objects of several
 * heights bring it back. */
static void
test_people (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  GstCcaSizes sizes = { 0 };
  float sum = 0;

  gst_cca_sizes_set_ground (&sizes, &sloping, true);
  assert_metres (&sizes, 1.7);
  g_assert_true (sizes.has_silhouette);
  for (guint i = 0; i < GST_CCA_SILHOUETTE_POINTS; i++)
    sum += sizes.silhouette[i];
  /* A quarter of the field, which is .8 × 1.2 heights: as much as a box of .4 × 1 that is 60 % full. */
  g_assert_cmpfloat_with_epsilon (sum / GST_CCA_SILHOUETTE_POINTS, 0.25, 0.05);
  stand (&sizes, random, 4, 1, 1.2);
  assert_metres (&sizes, 1.7);
  stand (&sizes, random, 40, 10, 1.2);
  assert_metres (&sizes, 1.2);
  for (guint i = 0; i < GST_CCA_SIZES_SAMPLES; i++)
    stand (&sizes, random, 1, 100 + i, i % 2 ? 1.2 : 3.6);
  assert_metres (&sizes, 1.7);
}

/* The typical area is the median of the last objects' means, however long each was seen; of a few, the largest. */
static void
test_typical_area (void)
{
  GstCcaSizes sizes = { 0 };

  for (guint i = 0; i < 100; i++)
    gst_cca_sizes_add_area (&sizes, 1, i % 2 ? 900 : 1100);
  gst_cca_sizes_add_area (&sizes, 2, 300);
  g_assert_cmpfloat (gst_cca_sizes_typical_area (&sizes), ==, 0);
  gst_cca_sizes_add_area (&sizes, 3, 200);
  g_assert_cmpfloat_with_epsilon (gst_cca_sizes_typical_area (&sizes), 1000, 1e-6);
  for (guint id = 4; id < 8; id++)
    gst_cca_sizes_add_area (&sizes, id, id < 7 ? 5000 : 300);
  g_assert_cmpfloat (gst_cca_sizes_typical_area (&sizes), ==, 5000);
  gst_cca_sizes_add_area (&sizes, 8, 200);
  g_assert_cmpfloat_with_epsilon (gst_cca_sizes_typical_area (&sizes), 1000, 1e-6);
  for (guint i = 0; i < GST_CCA_SIZES_OBJECTS / 2 + 1; i++)
    gst_cca_sizes_add_area (&sizes, 9 + i, 50);
  g_assert_cmpfloat (gst_cca_sizes_typical_area (&sizes), ==, 50);
  for (guint i = 0; i < GST_CCA_SIZES_OBJECTS; i++)
    gst_cca_sizes_add_area (&sizes, 100 + i, 70);
  g_assert_cmpfloat (gst_cca_sizes_typical_area (&sizes), ==, 70);
}

TESTS_MAIN ("/sizes", test_perspective, test_few, test_outliers, test_two_kinds, test_forgets, test_one_row,
            test_slender, test_list, test_extremes, test_ground, test_people, test_typical_area)
