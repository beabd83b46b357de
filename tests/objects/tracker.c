/* gst-cca: what the tracker promises: births, states, merging, parting, cuts, time, memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "../add-tests.h"
#include "gst/track/tracker.h"

#include "failing-malloc.h"

#define WIDTH 640
#define HEIGHT 360
#define FRAME_NS (40 * 1000 * 1000)

/* --- Frames ------------------------------------------------------------------------------------------ */

typedef struct
{
  GstCcaTracker *tracker;
  guint64 time;
  GstCcaTrackerComponent components[64];
  gsize n;
  gboolean whole;
  const GstCcaObject *tracks;
  gsize n_tracks;
} Film;

static void
film_init (Film *film)
{
  memset (film, 0, sizeof *film);
  film->tracker = gst_cca_tracker_new (NULL);
}

static void
film_clear (Film *film)
{
  gst_cca_tracker_free (film->tracker);
}

static void
add_box (Film *film, gint x, gint y, gint width, gint height)
{
  film->components[film->n] = (GstCcaTrackerComponent) {
    film->n + 1, x, y, width, height, (guint64) width * height, x + (width - 1) / 2.0, y + (height - 1) / 2.0
  };
  film->n++;
}

static void
add_kind (Film *film, guint32 kind, gint x, gint y, gint width, gint height)
{
  add_box (film, x, y, width, height);
  film->components[film->n - 1].kind = kind;
}

static gboolean
try_frame (Film *film)
{
  const GstCcaTrackerFrame frame = { film->time, WIDTH, HEIGHT, film->components, film->n, NULL, .whole = film->whole };

  return gst_cca_tracker_run (film->tracker, &frame, &film->tracks, &film->n_tracks);
}

/* Runs the frame of the added boxes, and begins the next, ns later. */
static void
run_frame (Film *film, guint64 ns)
{
  g_assert_true (try_frame (film));
  film->time += ns;
  film->n = 0;
}

static gdouble
width_of (const GstCcaObject *track)
{
  return track->box.max[0] - track->box.min[0];
}

static const GstCcaObject *
find_track (const Film *film, guint64 id)
{
  for (gsize i = 0; i < film->n_tracks; i++)
    if (film->tracks[i].id == id)
      return &film->tracks[i];
  return NULL;
}

/* The track with an id, which must be there. */
static const GstCcaObject *
need_track (const Film *film, guint64 id)
{
  const GstCcaObject *track = find_track (film, id);

  if (!track)
    g_error ("no track %" G_GUINT64_FORMAT, id);
  return track;
}

static void
assert_state (const Film *film, guint64 id, GstCcaObjectState state)
{
  const GstCcaObject *track = find_track (film, id);

  g_assert_true (track != NULL && track->state == state);
}

/* No other object is published. */
static void
assert_only (const Film *film, guint64 id)
{
  for (gsize i = 0; i < film->n_tracks; i++)
    g_assert_true (film->tracks[i].id == id || film->tracks[i].state == GST_CCA_OBJECT_TENTATIVE);
}

/* --- Tests ------------------------------------------------------------------------------------------- */

static void
test_birth (void)
{
  Film film;

  film_init (&film);
  for (guint i = 1; i <= 10; i++) {
    add_box (&film, 100 + 2 * i, 100, 30, 60);
    run_frame (&film, FRAME_NS);
    g_assert_cmpuint (film.n_tracks, ==, 1);
    g_assert_cmpuint (film.tracks[0].id, ==, 1);
    g_assert_cmpuint (film.tracks[0].age, ==, i);
    assert_state (&film, 1, i < 3 ? GST_CCA_OBJECT_TENTATIVE : GST_CCA_OBJECT_CONFIRMED);
    g_assert_cmpfloat (film.tracks[0].box.min[0], ==, 100 + 2 * i);
    g_assert_cmpfloat (width_of (&film.tracks[0]), ==, 30);
    g_assert_cmpfloat (film.tracks[0].centroid[0], ==, 100 + 2 * i + 14.5);
    g_assert_cmpuint (film.tracks[0].n_labels, ==, 1);
    g_assert_cmpuint (film.tracks[0].labels[0], ==, 1);
    g_assert_cmpuint (film.tracks[0].label, ==, 1);
    g_assert_cmpuint (film.tracks[0].area, ==, 1800);
    g_assert_cmpuint (film.tracks[0].first_seen, ==, 0);
    g_assert_cmpuint (film.tracks[0].last_seen, ==, (i - 1) * (guint64) FRAME_NS);
    g_assert_cmpuint (gst_cca_tracker_n_confirmed (film.tracker), ==, i < 3 ? 0 : 1);
  }
  /* 2 pixels in 40 ms. */
  g_assert_cmpfloat_with_epsilon (film.tracks[0].velocity[0], 50.0, 2.0);
  g_assert_cmpfloat_with_epsilon (film.tracks[0].velocity[1], 0.0, 2.0);
  film_clear (&film);
}

static void
test_confirm_frames (void)
{
  for (guint wanted = 1; wanted <= 5; wanted++) {
    const GstCcaTrackerParams params = { wanted, 30, G_MAXUINT64 };
    Film film;

    film_init (&film);
    gst_cca_tracker_set_params (film.tracker, &params);
    for (guint i = 1; i <= 6; i++) {
      add_box (&film, 100, 100, 30, 60);
      run_frame (&film, FRAME_NS);
      assert_state (&film, 1, i < wanted ? GST_CCA_OBJECT_TENTATIVE : GST_CCA_OBJECT_CONFIRMED);
    }
    film_clear (&film);
  }
}

/* A confirmed track coasts along its way for max_age frames. */
static void
test_coasting (void)
{
  const GstCcaTrackerParams params = { 3, 5, G_MAXUINT64 };
  Film film;
  gint x = 100;

  film_init (&film);
  gst_cca_tracker_set_params (film.tracker, &params);
  for (gint i = 0; i < 20; i++, x += 3) {
    add_box (&film, x, 100, 30, 60);
    run_frame (&film, FRAME_NS);
  }
  for (gint i = 0; i < 5; i++, x += 3) {
    run_frame (&film, FRAME_NS);
    assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
    g_assert_cmpfloat_with_epsilon (film.tracks[0].box.min[0], x, 2.0);
    g_assert_cmpuint (film.tracks[0].n_labels, ==, 0);
    g_assert_cmpuint (film.tracks[0].label, ==, 0);
    g_assert_cmpuint (film.tracks[0].area, ==, 1800);
    g_assert_cmpuint (film.tracks[0].last_seen, ==, 19 * (guint64) FRAME_NS);
  }
  add_box (&film, x, 100, 30, 60);
  run_frame (&film, FRAME_NS);
  assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
  for (gint i = 0; i < 6; i++)
    run_frame (&film, FRAME_NS);
  g_assert_cmpuint (film.n_tracks, ==, 0);
  film_clear (&film);
}

/* An object that vanishes in the open is found again where it would be, or a part of it that is as high; one of its
 * size beside that place is another object, and so is one that is much larger. */
static void
test_lost (void)
{
  static const struct
  {
    gint x, y, width, height;
    gboolean same;
  } found[] = { { 0, 0, 30, 60, TRUE },    { 8, 6, 30, 60, TRUE },      { 12, 0, 18, 60, TRUE },
                { 24, 12, 30, 60, FALSE }, { -22, -14, 30, 60, FALSE }, { -10, 10, 54, 82, FALSE } };

  for (guint k = 0; k < G_N_ELEMENTS (found); k++) {
    Film film;
    gint x = 100;

    film_init (&film);
    for (guint i = 0; i < 32; i++, x += 2) {
      if (i < 20)
        add_box (&film, x, 100, 30, 60);
      run_frame (&film, FRAME_NS);
    }
    for (guint i = 0; i < 4; i++, x += 2) {
      add_box (&film, x + found[k].x, 100 + found[k].y, found[k].width, found[k].height);
      run_frame (&film, FRAME_NS);
    }
    assert_state (&film, 1, found[k].same ? GST_CCA_OBJECT_CONFIRMED : GST_CCA_OBJECT_COASTING);
    g_assert_true ((find_track (&film, 2) == NULL) == found[k].same);
    film_clear (&film);
  }
}

static void
test_leaving (void)
{
  Film film;

  film_init (&film);
  for (gint x = 540; x < WIDTH; x += 6) {
    add_box (&film, x, 100, MIN (30, WIDTH - x), 60);
    run_frame (&film, FRAME_NS);
  }
  run_frame (&film, FRAME_NS);
  run_frame (&film, FRAME_NS);
  g_assert_cmpuint (film.n_tracks, ==, 0);
  film_clear (&film);
}

static void
test_noise_is_not_confirmed (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 50; i++) {
    add_box (&film, i * 197 % 600, i * 83 % 340, 2, 2);
    run_frame (&film, FRAME_NS);
    for (gsize k = 0; k < film.n_tracks; k++)
      g_assert_cmpint (film.tracks[k].state, ==, GST_CCA_OBJECT_TENTATIVE);
  }
  film_clear (&film);
}

/* Adds two objects of 30 × 60 pixels, which are one component where they touch. */
static void
add_pair (Film *film, gint left, gint right)
{
  if (left + 30 < right) {
    add_box (film, left, 100, 30, 60);
    add_box (film, right, 100, 30, 60);
  } else
    add_box (film, left, 100, right + 30 - left, 60);
}

/* Two meet, share a component in which the first stops and turns, and part; sizes do not tell them apart. */
static void
test_merging (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 60; i++) {
    const gint way = i < 30 ? 3 * i : 3 * (60 - i), left = 200 + way, right = 400 - way;

    add_pair (&film, left, right);
    run_frame (&film, FRAME_NS);
    if (i < 3)
      continue;
    g_assert_cmpuint (film.n_tracks, ==, 2);
    for (guint64 id = 1; id <= 2; id++) {
      const GstCcaObject *track = find_track (&film, id);
      const gint x = id == 1 ? left : right;

      g_assert_nonnull (track);
      assert_state (&film, id, left + 30 < right ? GST_CCA_OBJECT_CONFIRMED : GST_CCA_OBJECT_MERGED);
      g_assert_cmpfloat_with_epsilon (track->box.min[0], x, 8.0);
      g_assert_cmpfloat_with_epsilon (width_of (track), 30, 2.0);
      g_assert_cmpuint (track->n_labels, ==, 1);
    }
  }
  film_clear (&film);
}

/* Two meet and go on as one: of those that explain the same pixels, the oldest is seen. */
static void
test_same_place (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 60; i++) {
    const gint way = 3 * MIN (i, 30), left = 200 + way, right = 380 - way;

    add_pair (&film, left, right);
    run_frame (&film, FRAME_NS);
    if (i >= 3)
      g_assert_cmpint (need_track (&film, 1)->state, !=, GST_CCA_OBJECT_COASTING);
  }
  film_clear (&film);
}

/* An object is joined for a moment with something that no track follows: it keeps its size. Later it stays as large. */
static void
test_in_larger (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 70; i++) {
    const gboolean joined = (i >= 20 && i < 25) || i >= 50;
    const gint x = 200 + 3 * i;

    add_box (&film, joined ? x - 60 : x, 100, joined ? 90 : 30, 60);
    run_frame (&film, FRAME_NS);
    if (i < 3 || (i >= 55 && i < 68))
      continue;
    assert_only (&film, 1);
    assert_state (&film, 1, joined && i < 55 ? GST_CCA_OBJECT_MERGED : GST_CCA_OBJECT_CONFIRMED);
    g_assert_cmpfloat_with_epsilon (width_of (need_track (&film, 1)), i < 55 ? 30 : 90, 2.0);
  }
  film_clear (&film);
}

/* A person comes into the frame piece by piece: two pieces have tracks, and become one component that grows to many
 * times their size. Soon it is one track's own. */
static void
test_outgrown (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 50; i++) {
    if (i < 10) {
      add_box (&film, 100, 100, 24, 24);
      add_box (&film, 150, 120, 24, 24);
    } else {
      const gint growth = 4 * MIN (i - 10, 15);

      add_box (&film, 100 - growth, 100 - growth, 74 + 2 * growth, 44 + 2 * growth);
    }
    run_frame (&film, FRAME_NS);
    if (i == 14) {
      assert_state (&film, 1, GST_CCA_OBJECT_MERGED);
      assert_state (&film, 2, GST_CCA_OBJECT_MERGED);
    }
  }
  g_assert_cmpuint (film.n_tracks, ==, 1);
  assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
  g_assert_cmpfloat (width_of (&film.tracks[0]), ==, 194.0);
  film_clear (&film);
}

/* Two cars, one behind the other, come in as one component. As soon as they part, they are two tracks. */
static void
test_lane (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 20; i++) {
    const gint y = 100 + 2 * i;

    if (i < 10) {
      add_box (&film, 200, y, 60, 104);
    } else {
      add_box (&film, 205, y, 50, 46);
      add_box (&film, 200, y + 50, 60, 54);
    }
    run_frame (&film, FRAME_NS);
    g_assert_cmpuint (film.n_tracks, ==, i < 10 ? 1 : 2);
    if (i >= 12) {
      assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
      assert_state (&film, 2, GST_CCA_OBJECT_CONFIRMED);
    }
  }
  film_clear (&film);
}

/* The box of two vehicles is lost: one is in a component with a parked one, much smaller than the box. The other, with
 * a component of its own, is no part of the lost box, but gets a track. */
static void
test_beside_lost (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 20; i++) {
    if (i < 12) {
      add_box (&film, 364, 64, 80, 95);
      add_box (&film, 200, 0, 430, 355);
    } else {
      add_box (&film, 360, 60, 160, 190);
      add_box (&film, 300, 150, 56, 60);
    }
    run_frame (&film, FRAME_NS);
    if (i >= 15) {
      assert_state (&film, 2, GST_CCA_OBJECT_COASTING);
      assert_state (&film, 3, GST_CCA_OBJECT_CONFIRMED);
      g_assert_cmpfloat (width_of (need_track (&film, 3)), ==, 56.0);
    }
  }
  film_clear (&film);
}

/* Two cars askew share a component, whose box grows until it is fifteen times that of the small one: they stay
 * two, and part as such. */
static void
test_merged_small (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 60; i++) {
    const gint y = 50 + 4 * i, apart = i / 2, x = 240 - i;

    if (i < 10 || i >= 50) {
      add_box (&film, 240, y, 18, 16);
      add_box (&film, x, y + 16 + apart, 24, 24);
    } else
      add_box (&film, x, y, 258 - x, 40 + apart);
    run_frame (&film, FRAME_NS);
    g_assert_cmpuint (film.n_tracks, ==, 2);
    if (i < 3)
      continue;
    for (guint64 id = 1; id <= 2; id++)
      assert_state (&film, id, i < 10 || i >= 50 ? GST_CCA_OBJECT_CONFIRMED : GST_CCA_OBJECT_MERGED);
    g_assert_cmpfloat_with_epsilon (need_track (&film, 1)->box.min[1], y, 6.0);
    g_assert_cmpfloat_with_epsilon (need_track (&film, 2)->box.min[1], y + 16 + apart, 6.0);
  }
  film_clear (&film);
}

/* Objects come in at the border bit by bit. What shrinks there to a piece at its far end is another object. */
static void
test_border (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 3; i++) {
    add_box (&film, 0, 40, 200, 60);
    run_frame (&film, FRAME_NS);
  }
  assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
  add_box (&film, 130, 40, 70, 60);
  run_frame (&film, FRAME_NS);
  assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  film_clear (&film);
}

/* An object whose outline flickers at the border does not move: what is left of it at its far end is another object. */
static void
test_outline (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 21; i++) {
    const gint width = i % 2 ? 100 : 200;

    add_box (&film, WIDTH - width, 40, width, 60);
    run_frame (&film, FRAME_NS);
    assert_only (&film, 1);
  }
  assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
  add_box (&film, WIDTH - 80, 40, 80, 60);
  run_frame (&film, FRAME_NS);
  assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  film_clear (&film);
}

/* Nor does it move in the long time to the next frame, in which another object has come beside it. */
static void
test_outline_later (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 8; i++) {
    const gint height = i < 7 ? 60 : 30;

    add_box (&film, 0, 220 - height, 25, height);
    run_frame (&film, i < 7 ? 2 * FRAME_NS : 20 * FRAME_NS);
  }
  assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
  add_box (&film, 0, 130, 25, 35);
  run_frame (&film, FRAME_NS);
  assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  film_clear (&film);
}

/* A car drives away, smaller by 4 % in each frame. Where it is not seen, its box is as large as the car would be. */
static void
test_receding (void)
{
  gdouble width = 120.0;
  Film film;

  film_init (&film);
  for (gint i = 0; i < 15; i++, width *= 0.96) {
    const gint side = (gint) (width + 0.5);

    add_box (&film, 300 - side / 2, 60 + side, side, side * 3 / 4);
    run_frame (&film, FRAME_NS);
  }
  run_frame (&film, FRAME_NS);
  assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  g_assert_cmpfloat_with_epsilon (film.tracks[0].box.max[0] - film.tracks[0].box.min[0], width, 0.1 * width);
  film_clear (&film);
}

/* A pole of 8 pixels cuts an object of 40 in two. */
static void
test_cut (void)
{
  Film film;

  film_init (&film);
  for (gint x = 100; x < 400; x += 2) {
    const gint pole = 250, left = CLAMP (pole - x, 0, 40), right = CLAMP (x + 40 - pole - 8, 0, 40);

    if (left > 0)
      add_box (&film, x, 100, left, 60);
    if (right > 0)
      add_box (&film, x + 40 - right, 100, right, 60);
    run_frame (&film, FRAME_NS);
    g_assert_cmpuint (film.n_tracks, ==, 1);
    g_assert_cmpuint (film.tracks[0].id, ==, 1);
    if (left > 0 && right > 0) {
      assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
      g_assert_cmpuint (film.tracks[0].n_labels, ==, 2);
      g_assert_cmpuint (film.tracks[0].labels[0], ==, 1);
      g_assert_cmpuint (film.tracks[0].labels[1], ==, 2);
      g_assert_cmpuint (film.tracks[0].label, ==, left >= right ? 1 : 2);
      g_assert_cmpuint (film.tracks[0].area, ==, (left + right) * 60);
      g_assert_cmpfloat (film.tracks[0].box.min[0], ==, x);
      g_assert_cmpfloat (width_of (&film.tracks[0]), ==, 40);
    }
  }
  film_clear (&film);
}

/* One component becomes two that go their ways: one keeps the id. */
static void
test_split (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 40; i++) {
    if (i < 10)
      add_box (&film, 300, 100, 40, 60);
    else {
      add_box (&film, 300 - 3 * (i - 9), 100, 20, 60);
      add_box (&film, 320 + 3 * (i - 9), 100, 20, 60);
    }
    run_frame (&film, FRAME_NS);
  }
  g_assert_cmpuint (film.n_tracks, ==, 2);
  g_assert_nonnull (find_track (&film, 1));
  for (gsize i = 0; i < 2; i++)
    g_assert_cmpint (film.tracks[i].state, ==, GST_CCA_OBJECT_CONFIRMED);
  film_clear (&film);
}

/* A row of equal objects moves by 8 pixels in a frame time. After 4 or 5 of them each is nearest to where another was.
 */
static void
test_dropped_frames (void)
{
  static const guint steps[] = { 1, 4, 1, 5 };
  Film film;
  gint x = 10;

  film_init (&film);
  for (gint i = 0; x + 120 < WIDTH; i++) {
    const guint n = i < 8 ? 1 : steps[i % 4];

    for (gint k = 0; k < 4; k++)
      add_box (&film, x + 36 * k, 100, 7, 20);
    run_frame (&film, n * (guint64) FRAME_NS);
    g_assert_cmpuint (film.n_tracks, ==, 4);
    for (gint k = 0; k < 4; k++) {
      g_assert_cmpuint (film.tracks[k].id, ==, k + 1);
      g_assert_cmpfloat (film.tracks[k].box.min[0], ==, x + 36 * k);
    }
    x += 8 * (gint) n;
  }
  film_clear (&film);
}

/* Every second frame has nearly the stamp of the one before. An object leaves while another comes in far away: they are
 * two, whatever speed such stamps pretend. */
static void
test_pairs_of_stamps (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 40; i++) {
    add_box (&film, 200 - 4 * i, 100, 30, 16);
    run_frame (&film, i % 2 == 0 ? 1 : 2 * (guint64) FRAME_NS - 1);
  }
  g_assert_cmpuint (film.n_tracks, ==, 1);
  assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
  for (gint i = 0; i < 10; i++) {
    add_box (&film, 280 - 4 * i, 102, 28, 16);
    run_frame (&film, i % 2 == 0 ? 1 : 2 * (guint64) FRAME_NS - 1);
    g_assert_cmpfloat (need_track (&film, 1)->box.max[0], <, 100.0);
  }
  assert_state (&film, 2, GST_CCA_OBJECT_CONFIRMED);
  film_clear (&film);
}

/* A component far off a large box would be a jump of its track, which is not seen then. So the component begins another
 * one, which keeps it in the frames after that, in which it lies on the way of the lost one. */
static void
test_too_far (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 12; i++) {
    add_box (&film, 300 - 10 * i, 20, 180, 150);
    run_frame (&film, 4 * FRAME_NS);
  }
  assert_state (&film, 1, GST_CCA_OBJECT_CONFIRMED);
  for (gint i = 0; i < 4; i++) {
    add_box (&film, 175 - 10 * i, 20, 90, 45);
    run_frame (&film, 4 * FRAME_NS);
  }
  assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  assert_state (&film, 2, GST_CCA_OBJECT_CONFIRMED);
  film_clear (&film);
}

/* An object of 30 pixels goes slowly behind a wall of 60 and comes out on the other side: it keeps its id and
 * its speed, and at least half of its size while less and less of it is seen. */
static void
test_wall (void)
{
  const gint wall = 250, width = 60;
  Film film;

  film_init (&film);
  for (gint x = 100; x < 400; x += 4) {
    const gint left = CLAMP (wall - x, 0, 30), right = CLAMP (x + 30 - wall - width, 0, 30);

    if (left > 0)
      add_box (&film, x, 100, left, 60);
    if (right > 0)
      add_box (&film, x + 30 - right, 100, right, 60);
    run_frame (&film, FRAME_NS);
    g_assert_cmpfloat_with_epsilon (width_of (need_track (&film, 1)), 30, 15.0);
    if (right > 0 && right < 30) /* its first pixels may be those of another */
      continue;
    assert_only (&film, 1);
    g_assert_cmpfloat_with_epsilon (need_track (&film, 1)->box.min[0], x, 10.0);
    if (left + right == 0)
      assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  }
  film_clear (&film);
}

/* Two of different heights meet, stand side by side as one component, and go back or on: their sizes tell them apart,
 * though nothing else does. */
static void
test_sizes (gconstpointer data)
{
  const gboolean pass = GPOINTER_TO_INT (data);
  Film film;

  film_init (&film);
  for (gint i = 0; i < 120; i++) {
    const gint step = MIN (i, 48) - MAX (i - 78, 0) * (pass ? -1 : 1);
    const gint tall = 100 + 2 * step, small = 300 - 2 * step;

    if (i < 48 ? tall + 30 < small : i > 78 && ABS (tall - small) > 30) {
      add_box (&film, tall, 100, 30, 60);
      add_box (&film, small, 110, 30, 50);
    } else {
      add_box (&film, MIN (tall, small), 100, 30 + ABS (tall - small), 60);
    }
    run_frame (&film, FRAME_NS);
    if (i < 3 || (i > 40 && i < 110))
      continue;
    g_assert_cmpuint (film.n_tracks, ==, 2);
    g_assert_cmpfloat_with_epsilon (need_track (&film, 1)->box.min[0], tall, 3.0);
    g_assert_cmpfloat_with_epsilon (need_track (&film, 2)->box.min[0], small, 3.0);
  }
  film_clear (&film);
}

/* One that stands still keeps its component, whatever appears beside it. */
static void
test_still (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 40; i++) {
    add_box (&film, 100, 100, 30, 60);
    if (i >= 20)
      add_box (&film, 131 + i % 2, 100, 30, 60);
    run_frame (&film, FRAME_NS);
    g_assert_cmpfloat (need_track (&film, 1)->box.min[0], ==, 100);
    g_assert_cmpuint (need_track (&film, 1)->n_labels, ==, 1);
  }
  g_assert_cmpuint (film.n_tracks, ==, 2);
  film_clear (&film);
}

static void
test_reset (void)
{
  Film film;

  film_init (&film);
  for (gint i = 0; i < 5; i++) {
    add_box (&film, 100, 100, 30, 60);
    run_frame (&film, FRAME_NS);
  }
  gst_cca_tracker_reset (film.tracker);
  film.time = 0;
  add_box (&film, 100, 100, 30, 60);
  run_frame (&film, FRAME_NS);
  g_assert_cmpuint (film.n_tracks, ==, 1);
  g_assert_cmpuint (film.tracks[0].id, ==, 2);
  assert_state (&film, 2, GST_CCA_OBJECT_TENTATIVE);
  film_clear (&film);
}

/* Ids ascend and never come back, whatever happens. */
static void
test_ids (void)
{
  GRand *random = g_rand_new_with_seed (3);
  GHashTable *ended = g_hash_table_new (NULL, NULL), *alive = g_hash_table_new (NULL, NULL);
  Film film;

  film_init (&film);
  for (gint i = 0; i < 300; i++) {
    GHashTable *now = g_hash_table_new (NULL, NULL);
    GHashTableIter iter;
    gpointer key;

    for (gint n = g_rand_int_range (random, 0, 40); n > 0; n--)
      add_box (&film, g_rand_int_range (random, 0, 600), g_rand_int_range (random, 0, 320),
               g_rand_int_range (random, 1, 40), g_rand_int_range (random, 1, 40));
    run_frame (&film, FRAME_NS);
    for (gsize k = 0; k < film.n_tracks; k++) {
      g_assert_true (k == 0 || film.tracks[k - 1].id < film.tracks[k].id);
      g_assert_false (g_hash_table_contains (ended, GSIZE_TO_POINTER (film.tracks[k].id)));
      g_hash_table_add (now, GSIZE_TO_POINTER (film.tracks[k].id));
    }
    g_hash_table_iter_init (&iter, alive);
    while (g_hash_table_iter_next (&iter, &key, NULL))
      if (!g_hash_table_contains (now, key))
        g_hash_table_add (ended, key);
    g_hash_table_unref (alive);
    alive = now;
  }
  g_assert_cmpuint (g_hash_table_size (ended), >, 100);
  g_hash_table_unref (alive);
  g_hash_table_unref (ended);
  g_rand_free (random);
  film_clear (&film);
}

/* A component as large as the frame, thousands at one place, and none. */
static void
test_extremes (void)
{
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  GstCcaTrackerComponent *many = g_new (GstCcaTrackerComponent, 2000);
  GstCcaTrackerFrame frame = { 0, WIDTH, HEIGHT, many, 0, NULL, 0 };
  const GstCcaObject *tracks;
  gsize n_tracks;

  for (guint i = 0; i < 2000; i++)
    many[i] = (GstCcaTrackerComponent) { i + 1, 5, 5, 3, 3, 0, 6.0, 6.0 };
  many[0] = (GstCcaTrackerComponent) { 1, 0, 0, WIDTH, HEIGHT, 1, 0.0, 0.0 };
  for (guint i = 0; i < 12; i++) {
    frame.n_components = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 2000;
    g_assert_true (gst_cca_tracker_run (tracker, &frame, &tracks, &n_tracks));
    frame.time += i % 2 ? FRAME_NS : 0;
  }
  g_free (many);
  gst_cca_tracker_free (tracker);
}

static void
add_crossing (Film *film, gint i)
{
  add_box (film, 100 + 4 * i, 100, 30, 60);
  if (i < 15 || i > 30)
    add_box (film, 300 - 4 * i, 100, 30, 60);
  for (gint k = 0; k < i / 4; k++)
    add_box (film, 20 + 40 * k, 200, 8, 8);
}

/* Each allocation fails once; the frame is tried again, and the tracks are as if nothing had happened. */
static void
test_memory (void)
{
  guint n_failed = 0;

  for (guint at = 1;; at++) {
    Film film, expected;
    gboolean failed = FALSE;

    film_init (&expected);
    memset (&film, 0, sizeof film);
    n_allocations = 0;
    fail_at = at;
    film.tracker = gst_cca_tracker_new (NULL);
    if (film.tracker == NULL) {
      failed = TRUE;
      film.tracker = gst_cca_tracker_new (NULL);
    }
    for (gint i = 0; i < 45; i++) {
      add_crossing (&film, i);
      if (!try_frame (&film)) {
        failed = TRUE;
        g_assert_true (try_frame (&film));
      }
      film.time += FRAME_NS;
      film.n = 0;
    }
    fail_at = 0;
    for (gint i = 0; i < 45; i++) {
      add_crossing (&expected, i);
      run_frame (&expected, FRAME_NS);
    }
    g_assert_cmpuint (film.n_tracks, ==, expected.n_tracks);
    for (gsize i = 0; i < film.n_tracks; i++) {
      g_assert_cmpuint (film.tracks[i].id, ==, expected.tracks[i].id);
      g_assert_cmpint (film.tracks[i].state, ==, expected.tracks[i].state);
      g_assert_cmpfloat (film.tracks[i].box.min[0], ==, expected.tracks[i].box.min[0]);
    }
    film_clear (&film);
    film_clear (&expected);
    if (!failed)
      break;
    n_failed++;
  }
  g_assert_cmpuint (n_failed, >, 20);
}

/* A detector loses a walker behind another one for some frames: no box is both. */
static void
test_whole_hidden (void)
{
  Film film;

  film_init (&film);
  film.whole = TRUE;
  for (gint i = 0; i < 60; i++) {
    const gint left = 100 + 4 * i, right = 340 - 4 * i;

    if (i < 26 || i > 34)
      add_kind (&film, 1, right, 100, 30, 80);
    add_kind (&film, 1, left, 105, 30, 80);
    run_frame (&film, FRAME_NS);
    g_assert_cmpuint (film.n_tracks, ==, 2);
    for (gsize k = 0; k < film.n_tracks; k++)
      g_assert_cmpint (film.tracks[k].state, !=, GST_CCA_OBJECT_MERGED);
    if (i >= 28 && i <= 34)
      assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  }
  g_assert_cmpfloat_with_epsilon (need_track (&film, 1)->box.min[0], 104, 4);
  g_assert_cmpfloat_with_epsilon (need_track (&film, 2)->box.min[0], 336, 4);
  film_clear (&film);
}

/* An object that stands in front of another for long is known to be there: when both vanish, one that comes beside them
 * is not it. */
static void
test_whole_front (void)
{
  Film film;

  film_init (&film);
  film.whole = TRUE;
  for (gint i = 0; i < 102; i++) {
    if (i < 100)
      add_kind (&film, 1, 200, 100, 30, 80);
    if (i < 55)
      add_kind (&film, 1, 192, 120, 30, 60);
    if (i >= 100)
      add_kind (&film, 1, 200 + 38, 105, 30, 80);
    run_frame (&film, FRAME_NS);
    g_assert_cmpfloat_with_epsilon (need_track (&film, 1)->box.min[0], 200, 3);
  }
  assert_state (&film, 1, GST_CCA_OBJECT_COASTING);
  film_clear (&film);
}

/* Two objects in one place, of kinds: each keeps its own, though the other's box is nearer for a frame. */
static void
test_kinds (void)
{
  Film film;

  film_init (&film);
  film.whole = TRUE;
  for (gint i = 0; i < 40; i++) {
    const gint shake = i % 2 ? 3 : -3;

    add_kind (&film, 5, 100 + 4 * i + shake, 100 + shake, 40, 60);
    add_kind (&film, 6, 100 + 4 * i - shake, 100 - shake, 40, 60);
    run_frame (&film, FRAME_NS);
    g_assert_cmpuint (film.n_tracks, ==, 2);
    g_assert_cmpuint (need_track (&film, 1)->kind, ==, 5);
    g_assert_cmpuint (need_track (&film, 2)->kind, ==, 6);
    g_assert_cmpuint (need_track (&film, 1)->label, ==, 1);
  }
  film_clear (&film);
}

/* Small objects of a detector are no noise, and a cut one is two. */
static void
test_whole_small (void)
{
  for (guint whole = 0; whole < 2; whole++) {
    Film film;

    film_init (&film);
    film.whole = whole;
    for (gint i = 0; i < 80; i++) {
      add_kind (&film, 1, 10 + 5 * i, 60, 30, 80);
      add_kind (&film, 1, 600 - 5 * i, 150, 30, 80);
      if (i >= 60)
        add_kind (&film, 2, 300, 250, 12, 12);
      run_frame (&film, FRAME_NS);
    }
    g_assert_cmpuint (film.n_tracks, ==, 2 + whole);
    g_assert_cmpint (gst_cca_tracker_heights (film.tracker, (GstCcaTrackerHeight[2]) { { 0 } }), ==, !whole);
    film_clear (&film);
  }
}

CASES_MAIN ()
{
  ADD_TESTS ("/tracker", test_birth, test_confirm_frames, test_coasting, test_lost, test_leaving, test_merging,
             test_same_place, test_in_larger, test_outgrown, test_beside_lost, test_lane, test_merged_small,
             test_border, test_outline, test_outline_later, test_receding, test_cut, test_split, test_dropped_frames,
             test_pairs_of_stamps, test_too_far, test_wall, test_still, test_kinds, test_reset, test_ids, test_extremes,
             test_memory);
  g_test_add_func ("/tracker/noise", test_noise_is_not_confirmed);
  g_test_add_data_func ("/tracker/sizes/back", GINT_TO_POINTER (FALSE), test_sizes);
  g_test_add_data_func ("/tracker/sizes/on", GINT_TO_POINTER (TRUE), test_sizes);
  g_test_add_func ("/tracker/whole/hidden", test_whole_hidden);
  g_test_add_func ("/tracker/whole/front", test_whole_front);
  g_test_add_func ("/tracker/whole/small", test_whole_small);
}
