/* gst-cca: where ccaoverlay's marks lie, without GStreamer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <math.h>

#include "../add-tests.h"
#include "gst/overlay/placement.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaPlacement, gst_cca_placement_free)

static gboolean
is_empty (const GstCcaRect *rect)
{
  return rect->w <= 0 || rect->h <= 0;
}

static gboolean
overlap (const GstCcaRect *a, const GstCcaRect *b)
{
  return !is_empty (a) && !is_empty (b) && a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h
         && b->y < a->y + a->h;
}

static gboolean
contains (const GstCcaRect *outer, const GstCcaRect *inner)
{
  return inner->x >= outer->x && inner->y >= outer->y && inner->x + inner->w <= outer->x + outer->w
         && inner->y + inner->h <= outer->y + outer->h;
}

static gboolean
is_aligned (gint position, gint origin, gint sample, gint size)
{
  return (position + origin) % sample == 0 || position == 0 || position == size;
}

static void
assert_aligned (const GstCcaView *view, const GstCcaRect *rect)
{
  g_assert_true (is_aligned (rect->x, view->left, view->sample_w, view->width));
  g_assert_true (is_aligned (rect->x + rect->w, view->left, view->sample_w, view->width));
  g_assert_true (is_aligned (rect->y, view->top, view->sample_h, view->height));
  g_assert_true (is_aligned (rect->y + rect->h, view->top, view->sample_h, view->height));
}

static GstCcaExtent
region_of (gint x, gint y, gint w, gint h)
{
  return (GstCcaExtent) { x, y, x + w, y + h, x + w / 2.0, y + h / 2.0 };
}

/* The samples of 4:4:4, 4:2:2, 4:2:0, 4:1:1, and interlaced 4:2:0. */
static const gint samples[][2] = { { 1, 1 }, { 2, 1 }, { 2, 2 }, { 4, 1 }, { 2, 4 } };

/* --- Lines ------------------------------------------------------------------------------------------- */

static void
check_ring (const GstCcaView *view, gint x, gint y, gint w, gint h, gint line)
{
  const GstCcaRect whole = { 0, 0, view->width, view->height }, box = { x, y, w, h };
  const GstCcaExtent region = region_of (x, y, w, h);
  const GstCcaRing ring = gst_cca_layout_ring (view, &region, line);
  const gint margin_x = line + view->sample_w, margin_y = line + view->sample_h;

  g_assert_true (contains (&ring.outer, &box));
  g_assert_true (contains (&whole, &ring.outer));
  assert_aligned (view, &ring.outer);
  g_assert_cmpint (box.x - ring.outer.x, <, line / 2 + view->sample_w);
  g_assert_cmpint (ring.outer.x + ring.outer.w - (x + w), <, line / 2 + view->sample_w);
  g_assert_cmpint (box.y - ring.outer.y, <, line / 2 + view->sample_h);
  g_assert_cmpint (ring.outer.y + ring.outer.h - (y + h), <, line / 2 + view->sample_h);
  if (is_empty (&ring.inner))
    return;
  assert_aligned (view, &ring.inner);
  g_assert_cmpint (ring.inner.x - ring.outer.x, >=, line);
  g_assert_cmpint (ring.inner.x - ring.outer.x, <, margin_x);
  g_assert_cmpint (ring.inner.y - ring.outer.y, >=, line);
  g_assert_cmpint (ring.inner.y - ring.outer.y, <, margin_y);
  g_assert_cmpint (ring.outer.w - ring.inner.w, >=, 2 * line);
  g_assert_cmpint (ring.outer.w - ring.inner.w, <, 2 * margin_x);
  g_assert_cmpint (ring.outer.h - ring.inner.h, >=, 2 * line);
  g_assert_cmpint (ring.outer.h - ring.inner.h, <, 2 * margin_y);
}

/* Wherever a box lies, its line covers whole chroma samples, close round it and in the view. */
static void
test_ring (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (samples); s++)
    for (gint phase = 0; phase < 4; phase++)
      for (gint line = 1; line <= 5; line++)
        for (gint x = 0; x < 33; x++)
          for (gint w = 1; x + w <= 33; w++) {
            const GstCcaView small = { 33, 33, phase, 3 - phase, samples[s][0], samples[s][1] };
            const gint h = 1 + w * 7 % 20;

            check_ring (&small, x, x * 5 % (34 - h), w, h, line);
          }
}

static void
test_ring_elsewhere (void)
{
  const GstCcaView view = { 64, 48, 0, 0, 2, 2 };
  const GstCcaRect whole = { 0, 0, 64, 48 };
  const GstCcaExtent outside[] = { region_of (200, 10, 5, 5),
                                   region_of (-90, 10, 5, 5),
                                   region_of (1, 1000000, 9, 9),
                                   region_of (3, 3, 0, 5),
                                   { NAN, NAN, NAN, NAN, NAN, NAN } };
  GstCcaExtent region = { -1e300, -1e300, 1e300, 1e300, 0, 0 };
  GstCcaRing ring = gst_cca_layout_ring (&view, &region, 4);

  g_assert_true (contains (&ring.inner, &whole));
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++) {
    ring = gst_cca_layout_ring (&view, &outside[i], 4);
    g_assert_false (overlap (&ring.outer, &whole));
  }
  region = region_of (-5, 10, 9, 9);
  ring = gst_cca_layout_ring (&view, &region, 2);
  g_assert_cmpint (ring.outer.x, <, -5);
  g_assert_cmpint (ring.outer.x + ring.outer.w, ==, 6);
}

/* Dashes lie in the ring, apart from each other, on whole chroma samples, and hold its corners. */
static void
check_dashes (const GstCcaView *view, const GstCcaRing *ring, const GstCcaRect *dashes, gint n)
{
  const gint right = ring->outer.x + ring->outer.w - 1, bottom = ring->outer.y + ring->outer.h - 1;
  const GstCcaRect corners[] = { { ring->outer.x, ring->outer.y, 1, 1 },
                                 { right, ring->outer.y, 1, 1 },
                                 { ring->outer.x, bottom, 1, 1 },
                                 { right, bottom, 1, 1 } };

  g_assert_cmpint (n, <=, GST_CCA_MAX_DASHES);
  for (guint i = 0; i < G_N_ELEMENTS (corners); i++) {
    gint n_with = 0;

    for (gint j = 0; j < n; j++)
      n_with += contains (&dashes[j], &corners[i]);
    g_assert_cmpint (n_with, ==, 1);
  }
  for (gint i = 0; i < n; i++) {
    g_assert_false (is_empty (&dashes[i]));
    g_assert_true (contains (&ring->outer, &dashes[i]));
    g_assert_false (overlap (&ring->inner, &dashes[i]));
    assert_aligned (view, &dashes[i]);
    for (gint j = 0; j < i; j++)
      g_assert_false (overlap (&dashes[i], &dashes[j]));
  }
}

static gint
area_of (const GstCcaRect *rects, gint n)
{
  gint area = 0;

  for (gint i = 0; i < n; i++)
    area += rects[i].w * rects[i].h;
  return area;
}

static void
test_dashes (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (samples); s++)
    for (gint line = 1; line <= 4; line++)
      for (gint w = 1; w < 400; w += 1 + w / 9)
        for (gint h = 1; h < 400; h += 1 + h / 5) {
          const GstCcaView view = { 512, 512, 0, 0, samples[s][0], samples[s][1] };
          const GstCcaExtent region = region_of (17, 23, w, h);
          const GstCcaRing ring = gst_cca_layout_ring (&view, &region, line);
          const gint whole = area_of (&ring.outer, 1) - area_of (&ring.inner, 1);
          GstCcaRect dashes[GST_CCA_MAX_DASHES], corners[GST_CCA_MAX_DASHES];
          const gint n_dashes = gst_cca_layout_dashes (&view, &ring, dashes);
          const gint n_corners = gst_cca_layout_corners (&view, &ring, corners);

          if (is_empty (&ring.inner)) {
            g_assert_cmpint (n_dashes + n_corners, ==, 0);
            continue;
          }
          check_dashes (&view, &ring, dashes, n_dashes);
          check_dashes (&view, &ring, corners, n_corners);
          /* Where there is room, there are gaps. */
          if (w >= 64 && h >= 64) {
            g_assert_cmpint (n_corners, ==, 8);
            g_assert_cmpint (n_dashes, >=, 8);
            g_assert_cmpint (10 * area_of (dashes, n_dashes), <, 9 * whole);
            g_assert_cmpint (10 * area_of (corners, n_corners), <, 7 * whole);
          }
        }
}

static void
test_default_line (void)
{
  for (gint height = 1; height < 5000; height++) {
    const GstCcaView view = { 640, height, 0, 0, 1, 1 };
    const gint line = gst_cca_view_default_line (&view);

    g_assert_cmpint (line % 2, ==, 0);
    g_assert_cmpint (line, >=, 2);
    g_assert_cmpint (line, <=, MAX (2, height / 200));
  }
}

/* A cross covers whole samples, holds the centroid, and leaves at least half of a box that has room for it. */
static void
test_cross (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (samples); s++)
    for (gint line = 1; line <= 5; line++)
      for (gint side = 1; side < 60; side++)
        for (gint x = 0; x < 8; x++) {
          const GstCcaView view = { 128, 128, x % 3, x % 2, samples[s][0], samples[s][1] };
          const GstCcaExtent region = region_of (20 + x, 30 - x, side, 2 * side);
          const GstCcaCross cross = gst_cca_layout_cross (&view, &region, line);
          const gint sample = MAX (view.sample_w, view.sample_h), thickness = (line + sample - 1) / sample * sample;

          assert_aligned (&view, &cross.across);
          assert_aligned (&view, &cross.down);
          g_assert_cmpint (cross.across.h, ==, thickness);
          g_assert_cmpint (cross.down.w, ==, thickness);
          g_assert_cmpint (cross.across.w, ==, cross.down.h);
          g_assert_cmpint (cross.across.w, <=, 5 * thickness);
          g_assert_cmpint (cross.across.w, <=, MAX (thickness, side / 2));
          g_assert_cmpfloat (cross.down.x, <=, region.centroid_x);
          g_assert_cmpfloat (cross.down.x + cross.down.w, >=, region.centroid_x);
          g_assert_cmpfloat (cross.across.y, <=, region.centroid_y);
          g_assert_cmpfloat (cross.across.y + cross.across.h, >=, region.centroid_y);
        }
}

static void
test_cross_elsewhere (void)
{
  const GstCcaView view = { 64, 48, 0, 0, 2, 2 };
  const gdouble wild[] = { NAN, INFINITY, -INFINITY };
  GstCcaExtent region = region_of (10, 10, 10, 10);
  GstCcaCross cross;

  for (guint i = 0; i < G_N_ELEMENTS (wild); i++) {
    region.centroid_x = wild[i];
    cross = gst_cca_layout_cross (&view, &region, 2);
    g_assert_true (is_empty (&cross.across) && is_empty (&cross.down));
  }
  region.centroid_x = -1e300;
  cross = gst_cca_layout_cross (&view, &region, 2);
  g_assert_cmpint (cross.down.x, <, -10);
}

/* --- Labels ------------------------------------------------------------------------------------------ */

enum
{
  WIDTH = 200,
  HEIGHT = 160,
  LABEL_W = 16,
  LABEL_H = 12,
};

static const GstCcaView view = { WIDTH, HEIGHT, 0, 0, 2, 2 };

static GstCcaRing
ring_of (gint x, gint y, gint w, gint h)
{
  const GstCcaExtent region = region_of (x, y, w, h);

  return gst_cca_layout_ring (&view, &region, 2);
}

/* Where the label of the first of some boxes goes, which is placed first. */
static GstCcaRect
place_of (const GstCcaRect *boxes, guint n)
{
  g_autoptr (GstCcaPlacement) placement = gst_cca_placement_new ();
  const GstCcaRect *places;
  GstCcaRect place;
  gsize n_places;

  gst_cca_placement_begin (placement, &view);
  for (guint i = 0; i < n; i++) {
    const GstCcaRing ring = ring_of (boxes[i].x, boxes[i].y, boxes[i].w, boxes[i].h);

    g_assert_true (gst_cca_placement_add (placement, &ring, LABEL_W, LABEL_H, n - i));
  }
  places = gst_cca_placement_run (placement, &n_places);
  g_assert_cmpuint (n_places, ==, n);
  place = places[0];
  return place;
}

static void
assert_rect (GstCcaRect a, GstCcaRect b)
{
  g_assert_cmpint (a.x, ==, b.x);
  g_assert_cmpint (a.y, ==, b.y);
  g_assert_cmpint (a.w, ==, b.w);
  g_assert_cmpint (a.h, ==, b.h);
}

#define PLACE_OF(...)                                                                                                  \
  place_of ((const GstCcaRect[]) { __VA_ARGS__ }, sizeof ((GstCcaRect[]) { __VA_ARGS__ }) / sizeof (GstCcaRect))
#define LABEL(x, y) ((GstCcaRect) { x, y, LABEL_W, LABEL_H })

/* The line round the box (51, 61) 22x30 is (50, 60) to (74, 92). */
static void
test_candidates (void)
{
  const GstCcaRect box = { 51, 61, 22, 30 };

  assert_rect (PLACE_OF (box), LABEL (50, 48));
  /* A box above to the left; above all along; below to the left; below all along; right, right at the top. */
  assert_rect (PLACE_OF (box, { 40, 45, 14, 10 }), LABEL (58, 48));
  assert_rect (PLACE_OF (box, { 40, 45, 50, 10 }), LABEL (50, 92));
  assert_rect (PLACE_OF (box, { 40, 45, 50, 10 }, { 45, 96, 8, 8 }), LABEL (58, 92));
  assert_rect (PLACE_OF (box, { 40, 45, 50, 10 }, { 40, 96, 50, 8 }), LABEL (74, 60));
  assert_rect (PLACE_OF (box, { 40, 45, 50, 10 }, { 40, 96, 50, 8 }, { 80, 62, 8, 8 }), LABEL (34, 60));
  assert_rect (PLACE_OF (box, { 40, 45, 50, 10 }, { 40, 96, 50, 8 }, { 80, 62, 8, 8 }, { 38, 62, 8, 8 }),
               LABEL (74, 80));
  assert_rect (PLACE_OF (box, { 40, 45, 50, 10 }, { 40, 96, 50, 8 }, { 80, 62, 8, 40 }, { 38, 62, 8, 8 }),
               LABEL (34, 80));
  assert_rect (PLACE_OF (box, { 40, 45, 50, 10 }, { 40, 96, 50, 8 }, { 80, 62, 8, 40 }, { 38, 62, 8, 40 }),
               (GstCcaRect) { 0, 0, 0, 0 });
  /* The view's edges. */
  assert_rect (PLACE_OF ({ 51, 3, 22, 30 }), LABEL (50, 34));
  assert_rect (PLACE_OF ({ WIDTH - 12, 61, 12, 30 }), LABEL (WIDTH - 16, 48));
  assert_rect (PLACE_OF ({ 51, 0, 22, HEIGHT }), LABEL (74, 0));
  assert_rect (PLACE_OF ({ WIDTH - 22, 0, 22, HEIGHT }), LABEL (WIDTH - 22 - 2 - LABEL_W, 0));
}

/* A component as large as the frame leaves room for its own label and for other labels. */
static void
test_inside (void)
{
  const GstCcaRect all = { 0, 0, WIDTH, HEIGHT };

  assert_rect (PLACE_OF (all), LABEL (4, 4));
  assert_rect (PLACE_OF (all, { 3, 3, 5, 5 }), LABEL (WIDTH - 4 - LABEL_W, 4));
  assert_rect (PLACE_OF ({ 51, 61, 22, 30 }, all), LABEL (50, 48));
  /* Never on another's line. */
  assert_rect (PLACE_OF ({ 51, 61, 22, 30 }, { 0, 52, WIDTH, 100 }), LABEL (50, 92));
}

/* A reserved place stays free, also without components. */
static void
test_reserve (void)
{
  g_autoptr (GstCcaPlacement) placement = gst_cca_placement_new ();
  const GstCcaRing ring = ring_of (51, 61, 22, 30);
  gsize n;

  gst_cca_placement_begin (placement, &view);
  gst_cca_placement_reserve (placement, &(GstCcaRect) { 0, 0, WIDTH, 61 });
  g_assert_true (gst_cca_placement_add (placement, &ring, LABEL_W, LABEL_H, 1));
  assert_rect (gst_cca_placement_run (placement, &n)[0], LABEL (50, 92));

  gst_cca_placement_begin (placement, &view);
  gst_cca_placement_run (placement, &n);
  g_assert_cmpuint (n, ==, 0);
}

/* A text that belongs to no box gets the first free of its places, else the nearest free one, and covers a large box
 * before it goes without. */
static void
test_find (void)
{
  g_autoptr (GstCcaPlacement) placement = gst_cca_placement_new ();
  const GstCcaRect wanted[] = { LABEL (60, 70), LABEL (100, 100) };
  const GstCcaRing person = ring_of (51, 61, 22, 30), all = ring_of (0, 0, WIDTH, HEIGHT);
  const GstCcaRect box = { 51, 61, 22, 30 };
  GstCcaRect place;
  gsize n;

  gst_cca_placement_begin (placement, &view);
  g_assert_true (gst_cca_placement_add (placement, &person, 0, 0, 1));
  assert_rect (gst_cca_placement_find (placement, wanted, 2), wanted[1]);
  /* That one is taken now. */
  place = gst_cca_placement_find (placement, wanted, 2);
  g_assert_false (is_empty (&place) || overlap (&place, &box) || overlap (&place, &wanted[1]));
  g_assert_cmpint (ABS (place.x - wanted[0].x) + ABS (place.y - wanted[0].y), <, 60);
  gst_cca_placement_run (placement, &n);
  g_assert_cmpuint (n, ==, 1);

  gst_cca_placement_begin (placement, &view);
  g_assert_true (gst_cca_placement_add (placement, &all, LABEL_W, LABEL_H, 1));
  assert_rect (gst_cca_placement_find (placement, wanted, 2), wanted[0]);

  gst_cca_placement_begin (placement, &view);
  gst_cca_placement_reserve (placement, &(GstCcaRect) { 0, 0, WIDTH, HEIGHT });
  place = gst_cca_placement_find (placement, wanted, 2);
  g_assert_true (is_empty (&place));
}

/* If two labels compete for the last free place, the larger component gets it. */
static void
test_weight (void)
{
  g_autoptr (GstCcaPlacement) placement = gst_cca_placement_new ();
  const GstCcaRing left = ring_of (0, 0, 90, HEIGHT), right = ring_of (110, 0, 90, HEIGHT);

  for (guint heavier = 0; heavier < 2; heavier++) {
    const GstCcaRect *places;
    gsize n;

    gst_cca_placement_begin (placement, &view);
    /* The labels are too large to lie inside, and the gap between the boxes has room for one. */
    gst_cca_placement_reserve (placement, &(GstCcaRect) { 0, 0, WIDTH, 100 });
    g_assert_true (gst_cca_placement_add (placement, &left, LABEL_W, 60, heavier == 0));
    g_assert_true (gst_cca_placement_add (placement, &right, LABEL_W, 60, heavier == 1));
    places = gst_cca_placement_run (placement, &n);
    g_assert_cmpuint (n, ==, 2);
    g_assert_true (is_empty (&places[1 - heavier]));
    assert_rect (places[heavier], (GstCcaRect) { 92, HEIGHT - 60, LABEL_W, 60 });
  }
}

static gboolean
touches (const GstCcaRect *place, const GstCcaRect *box)
{
  const GstCcaRect around = { box->x - 1, box->y - 1, box->w + 2, box->h + 2 };

  return overlap (place, &around) && !overlap (place, box);
}

/* Random scenes: labels lie in the view, on no other label and on no line, cover no small box, and touch their own. */
static void
check_scene (GstCcaPlacement *placement, GRand *random, gint n, guint *n_placed, GstCcaRect *first)
{
  g_autofree GstCcaRing *rings = g_new (GstCcaRing, n);
  const GstCcaRect whole = { 0, 0, WIDTH, HEIGHT }, *places;
  gsize n_places;

  gst_cca_placement_begin (placement, &view);
  for (gint i = 0; i < n; i++) {
    const gint w = g_rand_int_range (random, 1, g_rand_int_range (random, 2, WIDTH));
    const gint h = g_rand_int_range (random, 1, g_rand_int_range (random, 2, HEIGHT));

    rings[i] = ring_of (g_rand_int_range (random, -w, WIDTH), g_rand_int_range (random, -h, HEIGHT), w, h);
    g_assert_true (gst_cca_placement_add (placement, &rings[i], LABEL_W - 1, LABEL_H - 1, w * h));
  }
  places = gst_cca_placement_run (placement, &n_places);
  g_assert_cmpuint (n_places, ==, n);
  for (gint i = 0; i < n; i++) {
    const GstCcaRect own = gst_cca_view_clip (&view, &rings[i].outer);

    if (is_empty (&places[i]))
      continue;
    (*n_placed)++;
    g_assert_true (contains (&whole, &places[i]));
    g_assert_true (touches (&places[i], &own) || contains (&rings[i].inner, &places[i]));
    g_assert_cmpint (places[i].w, ==, LABEL_W);
    g_assert_cmpint (places[i].h, ==, LABEL_H);
    assert_aligned (&view, &places[i]);
    for (gint j = 0; j < n; j++) {
      const GstCcaRect inner = gst_cca_view_clip (&view, &rings[j].inner);
      const gboolean large = (inner.w - 4) * (inner.h - 4) >= 16 * LABEL_W * LABEL_H;

      g_assert_false (i != j && overlap (&places[i], &places[j]));
      if (overlap (&places[i], &rings[j].outer))
        g_assert_true (large && contains (&rings[j].inner, &places[i]));
    }
  }
  *first = places[0];
}

static void
test_random_scenes (void)
{
  g_autoptr (GstCcaPlacement) placement = gst_cca_placement_new ();
  guint n_placed = 0, n_wanted = 0;

  for (guint seed = 0; seed < 2000; seed++) {
    GstCcaRect first[2];

    for (gint again = 0; again < 2; again++) {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);

      check_scene (placement, random, 1 + seed % 40, &n_placed, &first[again]);
    }
    assert_rect (first[0], first[1]);
    n_wanted += 2 * (1 + seed % 40);
  }
  /* Most get a place, though not all can. */
  g_assert_cmpuint (n_placed, >, n_wanted / 3);
  g_assert_cmpuint (n_placed, <, n_wanted);
}

/* A placement follows the size of its view. */
static void
test_sizes (void)
{
  static const gint sizes[][2] = { { 1, 1 }, { 640, 480 }, { 63, 2000 }, { 64, 1 }, { 65, 3 }, { 4000, 33 } };
  g_autoptr (GstCcaPlacement) placement = gst_cca_placement_new ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const GstCcaView sized = { sizes[i][0], sizes[i][1], 0, 0, 1, 1 };
    const GstCcaExtent region = region_of (0, 0, 1, 1);
    const GstCcaRing ring = gst_cca_layout_ring (&sized, &region, 0);
    const GstCcaRect *places;
    gsize n;

    gst_cca_placement_begin (placement, &sized);
    g_assert_true (gst_cca_placement_add (placement, &ring, 9, 1, 0));
    places = gst_cca_placement_run (placement, &n);
    g_assert_cmpuint (n, ==, 1);
    assert_rect (places[0], sized.width < 9     ? (GstCcaRect) { 0, 0, 0, 0 }
                            : sized.height == 1 ? (GstCcaRect) { 1, 0, 9, 1 }
                                                : (GstCcaRect) { 0, 1, 9, 1 });
  }
}

TESTS_MAIN ("/overlay-layout", test_ring, test_ring_elsewhere, test_dashes, test_default_line, test_cross,
            test_cross_elsewhere, test_candidates, test_inside, test_reserve, test_find, test_weight,
            test_random_scenes, test_sizes)
