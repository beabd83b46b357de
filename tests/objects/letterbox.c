/* gst-cca: crops fit into tiles, boxes are mapped back, and objects at seams count once
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "../add-tests.h"
#include "gst/gate/letterbox.h"

static void
assert_box (const GstCcaBox *box, gdouble left, gdouble top, gdouble right, gdouble bottom)
{
  g_assert_cmpfloat_with_epsilon (box->min[0], left, 1e-9);
  g_assert_cmpfloat_with_epsilon (box->min[1], top, 1e-9);
  g_assert_cmpfloat_with_epsilon (box->max[0], right, 1e-9);
  g_assert_cmpfloat_with_epsilon (box->max[1], bottom, 1e-9);
}

/* --- Letterbox ---------------------------------------------------------------------------------------- */

/* Half as large with bars above and below; a hole of the tile's size; one made larger with bars at the sides. */
static void
test_fit (void)
{
  const GstCcaSheet frame = { 1000, 800, { 1, 1 } }, tile = { 200, 100, { 1, 1 } };
  GstCcaLetterbox box;

  g_assert_true (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 100, 50, 400, 100 }, &box));
  assert_box (&box.crop, 100, 50, 500, 150);
  assert_box (&box.place, 0, 25, 200, 75);
  g_assert_true (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 3, 5, 200, 100 }, &box));
  assert_box (&box.crop, 3, 5, 203, 105);
  assert_box (&box.place, 0, 0, 200, 100);
  g_assert_true (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 980, 760, 20, 40 }, &box));
  assert_box (&box.place, 75, 0, 125, 100);
}

/* Chroma has half the samples: crops grow to even pixels, and end with the frame. */
static void
test_steps (void)
{
  const GstCcaSheet frame = { 101, 51, { 2, 2 } }, tile = { 33, 33, { 2, 2 } };
  GstCcaLetterbox box;

  g_assert_true (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 11, 7, 12, 9 }, &box));
  assert_box (&box.crop, 10, 6, 24, 16);
  assert_box (&box.place, 0, 4, 33, 28);
  g_assert_true (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 91, 41, 99, 99 }, &box));
  assert_box (&box.crop, 90, 40, 101, 51);
}

static void
test_outside (void)
{
  const GstCcaSheet frame = { 100, 100, { 2, 1 } }, tile = { 50, 50, { 1, 1 } };
  GstCcaLetterbox box;

  g_assert_false (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 100, 0, 10, 10 }, &box));
  g_assert_false (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 0, 4000000000, 10, 4000000000 }, &box));
  g_assert_false (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 10, 10, 0, 10 }, &box));
  g_assert_true (gst_cca_letterbox_fit (&frame, &tile, &(GstCcaTile) { 99, 99, 4000000000, 4000000000 }, &box));
  assert_box (&box.crop, 98, 99, 100, 100);
}

static GstCcaSheet
random_sheet (void)
{
  return (GstCcaSheet) { (guint) g_test_rand_int_range (1, 300),
                         (guint) g_test_rand_int_range (1, 300),
                         { 1u << g_test_rand_int_range (0, 3), 1u << g_test_rand_int_range (0, 2) } };
}

/* Any crop lies in its tile with its aspect, fills it in one direction, and its corners come back. */
static void
test_random (void)
{
  for (guint i = 0; i < 20000; i++) {
    const GstCcaSheet frame = random_sheet (), tile = random_sheet ();
    const GstCcaTile crop = { (guint) g_test_rand_int_range (0, (gint) frame.width),
                              (guint) g_test_rand_int_range (0, (gint) frame.height),
                              (guint) g_test_rand_int_range (1, 300), (guint) g_test_rand_int_range (1, 300) };
    const gdouble tile_side[2] = { tile.width, tile.height };
    gdouble scale[2], left[2];
    GstCcaLetterbox box;
    GstCcaBox back;

    g_assert_true (gst_cca_letterbox_fit (&frame, &tile, &crop, &box));
    for (guint k = 0; k < 2; k++) {
      const gdouble side = box.crop.max[k] - box.crop.min[k], place = box.place.max[k] - box.place.min[k];

      g_assert_cmpfloat (box.place.min[k], >=, 0.0);
      g_assert_cmpfloat (box.place.max[k], <=, tile_side[k]);
      g_assert_cmpfloat (fmod (box.place.min[k], tile.step[k]), ==, 0.0);
      g_assert_cmpfloat (fmod (box.crop.min[k], frame.step[k]), ==, 0.0);
      g_assert_cmpfloat (place, >=, 1.0);
      scale[k] = tile_side[k] / side;
      left[k] = tile_side[k] - place;
    }
    for (guint k = 0; k < 2; k++) {
      const gdouble side = box.crop.max[k] - box.crop.min[k], place = box.place.max[k] - box.place.min[k];

      g_assert_cmpfloat (fabs (place - side * MIN (scale[0], scale[1])), <=, tile.step[k]);
    }
    g_assert_cmpfloat (MIN (left[0] / tile.step[0], left[1] / tile.step[1]), <, 1.0);
    back = gst_cca_letterbox_back (&box, &box.place);
    assert_box (&back, box.crop.min[0], box.crop.min[1], box.crop.max[0], box.crop.max[1]);
  }
}

/* A quarter of the tile is a quarter of the crop; bars show nothing. */
static void
test_back (void)
{
  const GstCcaLetterbox box = { { { 100, 50 }, { 500, 150 } }, { { 0, 25 }, { 200, 75 } } };
  GstCcaBox back = gst_cca_letterbox_back (&box, &(GstCcaBox) { { 50, 30 }, { 100, 60 } });

  assert_box (&back, 200, 60, 300, 120);
  back = gst_cca_letterbox_back (&box, &(GstCcaBox) { { -50, 0 }, { 10, 30 } });
  assert_box (&back, 100, 50, 120, 60);
  back = gst_cca_letterbox_back (&box, &(GstCcaBox) { { 50, 76 }, { 100, 99 } });
  g_assert_cmpfloat (gst_cca_box_area (&back), ==, 0.0);
}

/* --- Seams -------------------------------------------------------------------------------------------- */

/* Two crops of a frame of 400 x 200 that overlap from 180 to 220. */
static const GstCcaSheet seam_frame = { 400, 200, { 1, 1 } };
static const GstCcaBox crops[2] = { { { 0, 0 }, { 220, 200 } }, { { 180, 0 }, { 400, 200 } } };

static GstCcaFound
found (guint tile, guint kind, gdouble x, gdouble y, gdouble width, gdouble height)
{
  return (GstCcaFound) { { { x, y }, { x + width, y + height } }, crops[tile], .tile = tile, .kind = kind };
}

/* Returns which of them repeat others, as bits. */
static guint
mark (GstCcaFound *list, gsize n)
{
  const GstCcaFound *order[8];
  guint repeats = 0;

  gst_cca_seams_mark (list, order, n, &seam_frame);
  for (gsize i = 0; i < n; i++)
    repeats |= (guint) list[i].repeats << i;
  return repeats;
}

static void
test_seams (void)
{
  /* Whole in both; the larger stays. */
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 188, 50, 20, 40), found (1, 1, 189, 50, 20, 42) }, 2), ==, 1);
  /* Cut by the first crop, and whole in the second, which stays in any order. */
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 200, 50, 20, 40), found (1, 1, 200, 50, 60, 40) }, 2), ==, 1);
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (1, 1, 200, 50, 60, 40), found (0, 1, 200, 50, 20, 40) }, 2), ==, 2);
  /* The cut box is larger, but the whole one stays. */
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 190, 50, 30, 40), found (1, 1, 190, 50, 29, 40) }, 2), ==, 1);
  /* Of three of one object, one stays. */
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 188, 50, 20, 40), found (1, 1, 188, 50, 20, 41),
                                            found (0, 1, 189, 50, 20, 40) },
                          3),
                    ==, 5);
}

static void
test_no_seams (void)
{
  /* Of one tile, the detector has decided; other classes are other objects; neighbours do not overlap by half. */
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 188, 50, 20, 40), found (0, 1, 189, 50, 20, 42) }, 2), ==, 0);
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 188, 50, 20, 40), found (1, 2, 188, 50, 20, 40) }, 2), ==, 0);
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 180, 50, 20, 40), found (1, 1, 192, 50, 20, 40) }, 2), ==, 0);
  /* A child before a grown-up, both whole. */
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 190, 80, 10, 20), found (1, 1, 185, 20, 30, 100) }, 2), ==, 0);
  /* At the frame's border nothing is cut: there is no more of it. */
  g_assert_cmpuint (mark ((GstCcaFound[]) { found (0, 1, 190, 180, 10, 20), found (1, 1, 185, 100, 30, 100) }, 2), ==,
                    0);
  g_assert_cmpuint (mark (NULL, 0), ==, 0);
}

TESTS_MAIN ("/letterbox", test_fit, test_steps, test_outside, test_random, test_back, test_seams, test_no_seams)
