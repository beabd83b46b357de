/* gst-cca: the foreground pixels in boxes, compared with counts of pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <stdlib.h>

#include "../add-tests.h"
#include "gst/track/coverage.h"

/* Cells of 2 to 16 pixels; the last of a row and of a column may reach over the frame. */
typedef struct
{
  guint8 cells[64 * 64];
  GstCcaTrackerFrame frame;
} Picture;

static void
make_picture (Picture *picture, GRand *random, guint cell, guint columns, guint rows, gint full)
{
  picture->frame = (GstCcaTrackerFrame) {
    .width = columns * cell - cell / 2,
    .height = rows * cell,
    .coverage = picture->cells,
    .cell = cell,
    .columns = columns,
    .rows = rows,
  };
  for (guint i = 0; i < columns * rows; i++)
    picture->cells[i] = (guint8) (full >= 0 ? full : g_rand_int_range (random, 0, MIN ((gint) (cell * cell), 255) + 1));
}

/* Returns how long the part of 0…size from `low` to `high` is that two intervals share. */
static gdouble
shared (gdouble low, gdouble high, gdouble from, gdouble to)
{
  return MAX (MIN (high, to) - MAX (low, from), 0.0);
}

/* Adds up the cells one by one, each spread evenly. */
static gdouble
count_cells (const Picture *picture, const GstCcaBox *box)
{
  const GstCcaTrackerFrame *frame = &picture->frame;
  gdouble sum = 0.0;

  for (guint y = 0; y < frame->rows; y++)
    for (guint x = 0; x < frame->columns; x++)
      sum += picture->cells[y * frame->columns + x]
             * shared (box->min[0], box->max[0], (gdouble) x * frame->cell, (x + 1.0) * frame->cell)
             * shared (box->min[1], box->max[1], (gdouble) y * frame->cell, (y + 1.0) * frame->cell)
             / ((gdouble) frame->cell * frame->cell);
  return sum;
}

/* Boxes anywhere: whole cells and parts, over the border, outside, without area. */
static void
test_brute_force (void)
{
  static const guint sizes[][3] = {
    { 2, 64, 64 }, { 4, 7, 31 }, { 16, 1, 1 }, { 8, 1, 40 }, { 8, 40, 1 }, { 2, 3, 2 }
  };
  GRand *random = g_rand_new_with_seed (1);
  GstCcaCoverage coverage = { 0 };
  Picture picture;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const gdouble width = sizes[i][0] * sizes[i][1], height = sizes[i][0] * sizes[i][2];

    make_picture (&picture, random, sizes[i][0], sizes[i][1], sizes[i][2], -1);
    g_assert_true (gst_cca_coverage_fill (&coverage, &picture.frame));
    for (guint k = 0; k < 500; k++) {
      GstCcaBox box;

      for (gint axis = 0; axis < 2; axis++) {
        const gdouble side = axis == 0 ? width : height;
        const gdouble a = g_rand_double_range (random, -side / 2, 1.5 * side);
        const gdouble b = g_rand_double_range (random, -side / 2, 1.5 * side);

        box.min[axis] = k % 3 == 0 ? floor (MIN (a, b)) : MIN (a, b);
        box.max[axis] = k % 5 == 0 ? box.min[axis] : k % 3 == 0 ? ceil (MAX (a, b)) : MAX (a, b);
      }
      g_assert_cmpfloat_with_epsilon (gst_cca_coverage_count (&coverage, &box), count_cells (&picture, &box), 1e-6);
    }
  }
  g_rand_free (random);
  free (coverage.sums);
}

/* The whole frame, of the largest counts, and boxes of any size around it. */
static void
test_extremes (void)
{
  static const GstCcaBox boxes[] = {
    { { 0, 0 }, { 1024, 1024 } },
    { { -1e9, -1e9 }, { 1e9, 1e9 } },
    { { -INFINITY, -INFINITY }, { INFINITY, INFINITY } },
  };
  static const GstCcaBox outside[] = {
    { { -50, 0 }, { 0, 1024 } },         { { 1024, 0 }, { 1e9, 1024 } },
    { { 0, 1024 }, { 1024, INFINITY } }, { { 100, 100 }, { 50, 50 } }, /* of no box */
    { { 1024, 1024 }, { 1024, 1024 } },
  };
  GstCcaCoverage coverage = { 0 };
  Picture picture;

  make_picture (&picture, NULL, 16, 64, 64, 255);
  g_assert_true (gst_cca_coverage_fill (&coverage, &picture.frame));
  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    g_assert_cmpfloat (gst_cca_coverage_count (&coverage, &boxes[i]), ==, 64 * 64 * 255);
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++)
    g_assert_cmpfloat (gst_cca_coverage_count (&coverage, &outside[i]), ==, 0);
  free (coverage.sums);
}

/* A frame leaves nothing of a larger or a smaller one before it. */
static void
test_refill (void)
{
  const GstCcaBox all = { { 0, 0 }, { 1e6, 1e6 } };
  GstCcaCoverage coverage = { 0 };
  Picture picture;

  for (guint i = 0; i < 4; i++) {
    const guint n = i % 2 ? 2 : 50;

    make_picture (&picture, NULL, 4, n, n, 3);
    g_assert_true (gst_cca_coverage_fill (&coverage, &picture.frame));
    g_assert_cmpfloat (gst_cca_coverage_count (&coverage, &all), ==, n * n * 3);
    make_picture (&picture, NULL, 4, n, n, 0);
    g_assert_true (gst_cca_coverage_fill (&coverage, &picture.frame));
    g_assert_cmpfloat (gst_cca_coverage_count (&coverage, &all), ==, 0);
  }
  free (coverage.sums);
}

TESTS_MAIN ("/coverage", test_brute_force, test_extremes, test_refill)
