/* gst-cca: boxes in a shared component, compared with where the objects are
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <stdlib.h>

#include "../add-tests.h"
#include "gst/track/fit.h"

enum
{
  CELL = 2,
  COLUMNS = 100,
  ROWS = 80,
};

/* A component of 200×160 pixels at most, as its cells; objects are drawn into it. */
typedef struct
{
  guint8 cells[ROWS * COLUMNS];
  GstCcaCoverage coverage;
  GstCcaBlob blob;
} Picture;

/* Draws a full rectangle of whole cells. */
static void
draw (Picture *picture, guint x, guint y, guint width, guint height)
{
  const GstCcaBox box = { { x, y }, { x + width, y + height } };

  for (guint j = y / CELL; j < (y + height) / CELL; j++)
    for (guint i = x / CELL; i < (x + width) / CELL; i++)
      picture->cells[j * COLUMNS + i] = CELL * CELL;
  picture->blob.box = picture->blob.coverage != NULL ? gst_cca_box_join (&picture->blob.box, &box) : box;
  picture->blob.coverage = &picture->coverage;
}

static void
finish (Picture *picture)
{
  g_assert_true (gst_cca_coverage_fill (&picture->coverage, &(GstCcaTrackerFrame) {
                                                                .width = CELL * COLUMNS,
                                                                .height = CELL * ROWS,
                                                                .coverage = picture->cells,
                                                                .cell = CELL,
                                                                .columns = COLUMNS,
                                                                .rows = ROWS,
                                                            }));
}

static GstCcaTemplate
template_at (gdouble x, gdouble y, gdouble width, gdouble height)
{
  return (GstCcaTemplate) { .centre = { x, y }, .size = { width, height }, .deviation = { 6, 6 } };
}

static void
assert_near (const GstCcaTemplate *t, gdouble x, gdouble y, gdouble error)
{
  g_assert_cmpfloat_with_epsilon (t->centre[0], x, error);
  g_assert_cmpfloat_with_epsilon (t->centre[1], y, error);
}

static void
test_count (void)
{
  const GstCcaTemplate others[] = { template_at (25, 20, 10, 40), template_at (0, 0, 4, 4) };
  const GstCcaBox box = { { 10, 0 }, { 30, 40 } }, outside = { { 60, 60 }, { 90, 90 } };
  Picture picture = { 0 };
  const GstCcaBlob even = { .box = { { 0, 0 }, { 40, 40 } }, .density = 0.5 };

  draw (&picture, 0, 0, 40, 40);
  finish (&picture);
  for (guint i = 0; i < 2; i++) {
    const GstCcaBlob *blob = i ? &even : &picture.blob;
    const gdouble density = i ? 0.5 : 1;

    g_assert_cmpfloat (gst_cca_blob_count (blob, &box), ==, 800 * density);
    g_assert_cmpfloat (gst_cca_blob_count (blob, &outside), ==, 0);
    g_assert_cmpfloat (gst_cca_blob_count_own (blob, &box, others, 2, 2), ==, 400 * density);
    /* The first is itself, the second does not touch. */
    g_assert_cmpfloat (gst_cca_blob_count_own (blob, &box, others, 2, 0), ==, 800 * density);
  }
  /* Foreground of another component, outside of this one's box, does not count. */
  picture.blob.box = (GstCcaBox) { { 0, 0 }, { 20, 40 } };
  g_assert_cmpfloat (gst_cca_blob_count (&picture.blob, &box), ==, 400);
  free (picture.coverage.sums);
}

/* Two that stand side by side and touch, each expected elsewhere. */
static void
test_side_by_side (void)
{
  static const gdouble errors[][4] = { { 0, 0, 0, 0 }, { 5, 3, -5, 3 }, { -6, 0, 6, 0 }, { 4, -4, 4, -4 } };
  Picture picture = { 0 };

  draw (&picture, 20, 20, 20, 60);
  draw (&picture, 40, 24, 20, 60);
  finish (&picture);
  for (guint i = 0; i < G_N_ELEMENTS (errors); i++) {
    GstCcaTemplate templates[] = { template_at (30 + errors[i][0], 50 + errors[i][1], 20, 60),
                                   template_at (50 + errors[i][2], 54 + errors[i][3], 20, 60) };

    gst_cca_fit (&picture.blob, templates, 2);
    assert_near (&templates[0], 30, 50, 2);
    assert_near (&templates[1], 50, 54, 2);
    for (guint k = 0; k < 2; k++) {
      g_assert_cmpfloat (templates[k].filled, >, 0.9);
      g_assert_cmpfloat (templates[k].own, >, 0.9);
    }
  }
  free (picture.coverage.sums);
}

/* One before the other: together they cover both. The one in front of all has nothing that the other cannot explain. */
static void
test_one_before_the_other (void)
{
  GstCcaTemplate templates[] = { template_at (32, 47, 20, 60), template_at (42, 68, 20, 60) };
  GstCcaTemplate inside[] = { template_at (30, 50, 20, 60), template_at (30, 50, 10, 30) };
  Picture picture = { 0 };

  draw (&picture, 20, 20, 20, 60);
  draw (&picture, 30, 36, 20, 60);
  finish (&picture);
  gst_cca_fit (&picture.blob, templates, 2);
  assert_near (&templates[0], 30, 50, 2.5);
  assert_near (&templates[1], 40, 66, 2.5);
  gst_cca_fit (&picture.blob, inside, 2);
  g_assert_cmpfloat (inside[1].own, <, 0.3);
  free (picture.coverage.sums);
}

/* Nothing is drawn farther than the reach from where it is expected, whatever lies there. */
static void
test_reach (void)
{
  GstCcaTemplate far = template_at (20, 80, 20, 60);
  Picture picture = { 0 };

  draw (&picture, 0, 50, 10, 60);
  draw (&picture, 140, 0, 60, 160);
  finish (&picture);
  gst_cca_fit (&picture.blob, &far, 1);
  g_assert_cmpfloat (far.centre[0], >=, 20 - 15);
  g_assert_cmpfloat (far.centre[0], <=, 20);
  g_assert_cmpfloat_with_epsilon (far.centre[1], 80, 15);
  free (picture.coverage.sums);
}

/* More than can be told apart, boxes without area, without foreground, and of the largest sizes: numbers stay numbers,
 * and what cannot be placed stays. */
static void
test_extremes (void)
{
  GstCcaTemplate many[64];
  Picture picture = { 0 };

  draw (&picture, 0, 0, 200, 160);
  finish (&picture);
  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    many[i] = template_at (3 * i, 80, i % 9 == 0 ? 0 : i % 7 == 0 ? 1e6 : 20, i % 9 == 0 ? 0 : 60);
  gst_cca_fit (&picture.blob, many, G_N_ELEMENTS (many));
  for (guint i = 0; i < G_N_ELEMENTS (many); i++) {
    g_assert_true (isfinite (many[i].centre[0]) && isfinite (many[i].centre[1]));
    g_assert_cmpfloat_with_epsilon (many[i].centre[0], 3 * i, i < 16 ? 20 : 1e-9);
    g_assert_true (many[i].filled >= 0 && many[i].filled <= 1 && many[i].own >= 0 && many[i].own <= 1);
  }
  for (guint i = 0; i < ROWS * COLUMNS; i++)
    picture.cells[i] = 0;
  finish (&picture);
  many[1] = template_at (30, 50, 20, 60);
  gst_cca_fit (&picture.blob, &many[1], 1);
  g_assert_cmpfloat (many[1].filled, ==, 0);
  assert_near (&many[1], 30, 50, 1e-9);
  gst_cca_fit (&picture.blob, NULL, 0);
  free (picture.coverage.sums);
}

TESTS_MAIN ("/fit", test_count, test_side_by_side, test_one_before_the_other, test_reach, test_extremes)
