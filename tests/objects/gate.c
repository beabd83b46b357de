/* gst-cca: when the gate is open, and which tiles cover moving objects
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "../add-tests.h"
#include "failing-malloc.h"
#include "gst/gate/gate.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaMotionGate, gst_cca_motion_gate_free)

#define MS 1000000u
#define FRAME (40 * MS)

static const GstCcaGateParams params = { .hold = 1000 * MS, .keep_alive = 5000u * (guint64) MS, .step = 0.15 };

static GstCcaGateTrack
track_at (guint64 id, gdouble x, gdouble y)
{
  return (GstCcaGateTrack) { id, { { x, y }, { x + 40, y + 100 } }, true };
}

static GstCcaGateDecision
run (GstCcaMotionGate *gate, guint64 time, const GstCcaGateTrack *tracks, gsize n)
{
  const GstCcaGateFrame frame = { .time = time, .tracks = tracks, .n_tracks = n };
  GstCcaGateDecision decision;

  g_assert_true (gst_cca_motion_gate_run (gate, &params, &frame, &decision));
  return decision;
}

/* Runs frames without anything until a time, and returns how many passed. */
static guint
idle (GstCcaMotionGate *gate, guint64 *time, guint64 end)
{
  guint n = 0;

  for (; *time < end; *time += FRAME)
    n += run (gate, *time, NULL, 0) != GST_CCA_GATE_DROP;
  return n;
}

/* --- Open and closed ----------------------------------------------------------------------------------- */

static void
test_start (void)
{
  g_autoptr (GstCcaMotionGate) gate = gst_cca_motion_gate_new ();
  guint64 time = 0;

  g_assert_cmpuint (idle (gate, &time, 4000u * (guint64) MS), ==, 26); /* frames of 0…1 s */
  gst_cca_motion_gate_reset (gate);
  g_assert_cmpint (run (gate, time, NULL, 0), ==, GST_CCA_GATE_PASS);
}

/* A track opens it when it begins and as long as it walks; it closes `hold` after the last step. */
static void
test_walk (void)
{
  g_autoptr (GstCcaMotionGate) gate = gst_cca_motion_gate_new ();
  GstCcaGateTrack track = track_at (3, 100, 100);
  guint64 time = 0;
  guint n = 0;

  idle (gate, &time, 2000 * MS);
  for (guint i = 0; i < 100; i++, time += FRAME) {
    g_assert_cmpint (run (gate, time, &track, 1), ==, GST_CCA_GATE_PASS);
    g_assert_true (gst_cca_motion_gate_track_moves (gate, 0));
    track.box = track_at (3, 100 + i, 100).box; /* 25 pixels a second: 15 pixels are a step */
  }
  for (guint i = 0; i < 100; i++, time += FRAME)
    n += run (gate, time, &track, 1) == GST_CCA_GATE_PASS;
  g_assert_cmpuint (n, <=, 25);
  g_assert_cmpuint (n, >=, 25 - 16);
  g_assert_false (gst_cca_motion_gate_track_moves (gate, 0));
}

/* The outline of a standing person is never still; and predicted boxes do not count as motion. */
static void
test_noise (void)
{
  g_autoptr (GstCcaMotionGate) gate = gst_cca_motion_gate_new ();
  guint64 time = 0;

  for (guint i = 0; i < 30; i++, time += FRAME)
    run (gate, time, (GstCcaGateTrack[]) { track_at (1, 100, 100), track_at (2, 300, 100) }, 2);
  for (guint i = 0; i < 90; i++, time += FRAME) {
    GstCcaGateTrack tracks[2] = { track_at (1, 100 + i % 7, 104 - i % 7), track_at (2, 300 + 10 * i, 100) };

    tracks[1].seen = false;
    g_assert_cmpint (run (gate, time, tracks, 2), ==, GST_CCA_GATE_DROP);
  }
}

static void
test_keep_alive (void)
{
  const GstCcaGateTrack track = track_at (1, 100, 100);
  g_autoptr (GstCcaMotionGate) gate = gst_cca_motion_gate_new ();
  guint64 time = 0, last = 0;
  guint n = 0;

  for (; time < 21000u * (guint64) MS; time += FRAME) {
    const GstCcaGateDecision decision = run (gate, time, &track, 1);

    if (decision == GST_CCA_GATE_KEEP_ALIVE) {
      g_assert_cmpuint (time - last, ==, 5000u * (guint64) MS);
      n++;
    }
    if (decision != GST_CCA_GATE_DROP)
      last = time;
  }
  g_assert_cmpuint (n, ==, 3); /* after 1 s: 6, 11, 16 s; the next is due at 21 s */
  g_assert_cmpuint (idle (gate, &time, time + 20000u * (guint64) MS), ==, 0); /* the picture is empty */
}

/* Motion without tracks: a change of the scene, components. */
static void
test_other_motion (void)
{
  g_autoptr (GstCcaMotionGate) gate = gst_cca_motion_gate_new ();
  GstCcaGateFrame frame = { .moves = true };
  GstCcaGateDecision decision;
  guint64 time = 0;

  idle (gate, &time, 2000 * MS);
  frame.time = time;
  g_assert_true (gst_cca_motion_gate_run (gate, &params, &frame, &decision));
  g_assert_cmpint (decision, ==, GST_CCA_GATE_PASS);
  time += FRAME;
  g_assert_cmpuint (idle (gate, &time, time + 3000u * (guint64) MS), ==, 25);
  frame = (GstCcaGateFrame) { .stands = true };
  for (guint n = 0; n < 3; time += FRAME) {
    frame.time = time;
    g_assert_true (gst_cca_motion_gate_run (gate, &params, &frame, &decision));
    g_assert_cmpint (decision, !=, GST_CCA_GATE_PASS);
    n += decision == GST_CCA_GATE_KEEP_ALIVE;
  }
}

/* Tracks come, go and come between others. */
static void
test_ids (void)
{
  const GstCcaGateTrack a = track_at (1, 0, 0), b = track_at (5, 200, 0), c = track_at (9, 400, 0);
  g_autoptr (GstCcaMotionGate) gate = gst_cca_motion_gate_new ();
  guint64 time = 0;

  for (guint i = 0; i < 40; i++, time += FRAME)
    run (gate, time, (GstCcaGateTrack[]) { a, c }, 2);
  g_assert_cmpint (run (gate, time, (GstCcaGateTrack[]) { a, c }, 2), ==, GST_CCA_GATE_DROP);
  g_assert_cmpint (run (gate, time + 1, (GstCcaGateTrack[]) { a, b, c }, 3), ==, GST_CCA_GATE_PASS);
  g_assert_false (gst_cca_motion_gate_track_moves (gate, 0));
  g_assert_true (gst_cca_motion_gate_track_moves (gate, 1));
  g_assert_false (gst_cca_motion_gate_track_moves (gate, 2));
  time += 2000 * MS;
  g_assert_cmpint (run (gate, time, (GstCcaGateTrack[]) { b, c }, 2), ==, GST_CCA_GATE_DROP);
  g_assert_cmpint (run (gate, time + 1, (GstCcaGateTrack[]) { a, b, c }, 3), ==, GST_CCA_GATE_PASS);
}

static void
test_memory (void)
{
  GstCcaGateTrack tracks[100];
  GstCcaGateFrame frame = { .tracks = tracks, .n_tracks = G_N_ELEMENTS (tracks) };
  GstCcaGateDecision decision = GST_CCA_GATE_KEEP_ALIVE;
  g_autoptr (GstCcaMotionGate) gate = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    tracks[i] = track_at (i + 1, 10 * i, 0);
  n_allocations = 0;
  fail_at = 1;
  g_assert_null (gst_cca_motion_gate_new ());
  fail_at = 0;
  gate = gst_cca_motion_gate_new ();
  n_allocations = 0;
  fail_at = 1;
  g_assert_false (gst_cca_motion_gate_run (gate, &params, &frame, &decision));
  fail_at = 0;
  g_assert_cmpint (decision, ==, GST_CCA_GATE_KEEP_ALIVE);
  g_assert_true (gst_cca_motion_gate_run (gate, &params, &frame, &decision));
}

/* --- Tiles --------------------------------------------------------------------------------------------- */

static const GstCcaTilesParams plain = { .width = 1000, .height = 600, .multiple = 1, .most = 4 };

static gdouble
area_of (const GstCcaTile *tiles, gsize n)
{
  gdouble area = 0;

  for (gsize i = 0; i < n; i++)
    area += (gdouble) tiles[i].width * tiles[i].height;
  return area;
}

static void
test_tile (void)
{
  static const struct
  {
    GstCcaTilesParams params;
    GstCcaBox box;
    GstCcaTile tile;
  } cases[] = {
    { { 1000, 600, 0, 0, 0, 0, 1, 4 }, { { 100, 200 }, { 150, 240 } }, { 100, 200, 50, 40 } },
    { { 1000, 600, 0, 0, 0, 0, 1, 4 }, { { 100.5, 200.5 }, { 150.1, 240 } }, { 100, 200, 51, 40 } },
    { { 1000, 600, 0.1, 0, 0, 0, 1, 4 }, { { 100, 200 }, { 150, 240 } }, { 95, 195, 60, 50 } },
    { { 1000, 600, 0, 320, 320, 0, 1, 4 }, { { 500, 200 }, { 550, 240 } }, { 365, 60, 320, 320 } },
    { { 1000, 600, 0, 320, 320, 0, 1, 4 }, { { 0, 580 }, { 50, 600 } }, { 0, 280, 320, 320 } },
    { { 1000, 600, 0, 0, 0, 1, 1, 4 }, { { 100, 200 }, { 150, 240 } }, { 100, 195, 50, 50 } },
    { { 1000, 600, 0, 0, 0, 1, 1, 4 }, { { 0, 0 }, { 900, 10 } }, { 0, 0, 900, 600 } },
    { { 1000, 600, 0, 0, 0, 0, 32, 4 }, { { 100, 200 }, { 150, 240 } }, { 93, 188, 64, 64 } },
    { { 1000, 600, 0, 2000, 2000, 0, 32, 4 }, { { 100, 200 }, { 150, 240 } }, { 0, 0, 1000, 600 } },
    { { 1000, 600, 0, 0, 0, 0, 1, 4 }, { { -50, -50 }, { 20, 30 } }, { 0, 0, 20, 30 } },
  };
  GstCcaTile tiles[GST_CCA_TILES_MOST];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_cmpuint (gst_cca_tiles_cover (&cases[i].params, &cases[i].box, 1, tiles), ==, 1);
    g_assert_cmpuint (tiles[0].x, ==, cases[i].tile.x);
    g_assert_cmpuint (tiles[0].y, ==, cases[i].tile.y);
    g_assert_cmpuint (tiles[0].width, ==, cases[i].tile.width);
    g_assert_cmpuint (tiles[0].height, ==, cases[i].tile.height);
  }
  g_assert_cmpuint (gst_cca_tiles_cover (&plain, &(GstCcaBox) { { 1000, 0 }, { 1020, 30 } }, 1, tiles), ==, 0);
  g_assert_cmpuint (gst_cca_tiles_cover (&plain, NULL, 0, tiles), ==, 0);
}

/* Boxes near each other share a tile, others do not, unless there would be too many. */
static void
test_merging (void)
{
  const GstCcaBox boxes[] = { { { 0, 0 }, { 50, 100 } },
                              { { 45, 0 }, { 95, 100 } },
                              { { 800, 400 }, { 850, 500 } },
                              { { 860, 400 }, { 900, 500 } } };
  GstCcaTilesParams p = plain;
  GstCcaTile tiles[GST_CCA_TILES_MOST];

  g_assert_cmpuint (gst_cca_tiles_cover (&p, boxes, 4, tiles), ==, 3); /* a gap of 10 pixels costs more */
  p.most = 2;
  g_assert_cmpuint (gst_cca_tiles_cover (&p, boxes, 4, tiles), ==, 2);
  g_assert_cmpfloat (area_of (tiles, 2), ==, 95 * 100 + 100 * 100);
  p.most = 1;
  g_assert_cmpuint (gst_cca_tiles_cover (&p, boxes, 4, tiles), ==, 1);
  g_assert_cmpfloat (area_of (tiles, 1), ==, 900 * 500);
  p.most = 4;
  p.min_width = p.min_height = 320;
  g_assert_cmpuint (gst_cca_tiles_cover (&p, boxes, 4, tiles), ==, 2);
}

/* For any boxes and settings, every box is covered, every tile lies in the frame, and there are few tiles. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint round = 0; round < 2000; round++) {
    const gsize n = (gsize) g_rand_int_range (random, 0, round % 50 == 0 ? 300 : 20);
    const GstCcaTilesParams p = {
      .width = (guint) g_rand_int_range (random, 1, 900),
      .height = (guint) g_rand_int_range (random, 1, 600),
      .margin = g_rand_boolean (random) ? g_rand_double_range (random, 0, 0.5) : 0,
      .min_width = (guint) g_rand_int_range (random, 0, 400),
      .min_height = (guint) g_rand_int_range (random, 0, 400),
      .aspect = g_rand_boolean (random) ? g_rand_double_range (random, 0.2, 4) : 0,
      .multiple = (guint) g_rand_int_range (random, 1, 40),
      .most = (guint) g_rand_int_range (random, 1, GST_CCA_TILES_MOST + 1),
    };
    const GstCcaBox frame = { { 0, 0 }, { p.width, p.height } };
    GstCcaTile tiles[GST_CCA_TILES_MOST];
    GstCcaBox boxes[300];
    gsize n_tiles;

    for (gsize i = 0; i < n; i++) {
      boxes[i].min[0] = g_rand_double_range (random, -20, p.width);
      boxes[i].min[1] = g_rand_double_range (random, -20, p.height);
      boxes[i].max[0] = boxes[i].min[0] + g_rand_double_range (random, 0.1, 200);
      boxes[i].max[1] = boxes[i].min[1] + g_rand_double_range (random, 0.1, 200);
    }
    n_tiles = gst_cca_tiles_cover (&p, boxes, n, tiles);
    g_assert_cmpuint (n_tiles, <=, p.most);
    for (gsize k = 0; k < n_tiles; k++) {
      g_assert_cmpuint (tiles[k].width, >=, 1);
      g_assert_cmpuint (tiles[k].height, >=, 1);
      g_assert_cmpuint (tiles[k].x + tiles[k].width, <=, p.width);
      g_assert_cmpuint (tiles[k].y + tiles[k].height, <=, p.height);
      g_assert_cmpuint (tiles[k].width, >=, MIN (p.min_width, p.width));
      g_assert_true (tiles[k].width % p.multiple == 0 || tiles[k].width == p.width);
      g_assert_true (tiles[k].height % p.multiple == 0 || tiles[k].height == p.height);
    }
    for (gsize i = 0; i < n; i++) {
      const GstCcaBox inside = gst_cca_box_clip (&boxes[i], &frame);
      gboolean covered = !gst_cca_box_touches (&boxes[i], &frame);

      for (gsize k = 0; k < n_tiles && !covered; k++)
        covered = tiles[k].x <= inside.min[0] && tiles[k].y <= inside.min[1]
                  && tiles[k].x + tiles[k].width >= inside.max[0] && tiles[k].y + tiles[k].height >= inside.max[1];
      g_assert_true (covered);
    }
  }
}

CASES_MAIN ()
{
  ADD_TESTS ("/gate", test_start, test_walk, test_noise, test_keep_alive, test_other_motion, test_ids, test_memory);
  g_test_add_func ("/gate/tiles/one", test_tile);
  g_test_add_func ("/gate/tiles/merging", test_merging);
  g_test_add_func ("/gate/tiles/random", test_random);
}
