/* gst-cca: objects that came to a spot and went away from it, from an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "../add-tests.h"
#include "gst/index/spot.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)
#define MORNING (G_GUINT64_CONSTANT (1795424400) * SECOND)

enum
{
  SIDE = 8,
  COLUMNS = 40,
  ROWS = 30,
  LAST = 200 /* s */
};

static const GstCcaBox spot_box = { { 100, 100 }, { 140, 150 } };

/* A track of the spot's size that walks along x = 100 + way (t), from one second on to before another. */
typedef struct
{
  guint64 id;
  gint begin, end;
  gint from, to, stands_at, goes_at; /* it is at x = from, and from goes_at on moves to `to`, 40 pixels/s */
} Actor;

static gint
place_of (const Actor *actor, gint second)
{
  const gint sign = actor->to < actor->from ? -1 : 1;
  gint way = MAX (second - actor->goes_at, 0) * 40;

  if (actor->stands_at == 0)
    return actor->from + sign * MIN (way, ABS (actor->to - actor->from));
  /* The actor comes from `from` to the spot, stands, and leaves to `to`. */
  if (second < actor->stands_at)
    return 100 - 40 * (actor->stands_at - second);
  return 100 + way;
}

/* Marks a box as foreground. */
static void
mark (guint8 *cells, gint x, gint y, gint width, gint height)
{
  for (gint row = 0; row < ROWS; row++)
    for (gint column = 0; column < COLUMNS; column++)
      if (column * SIDE + SIDE / 2 >= x && column * SIDE + SIDE / 2 < x + width && row * SIDE + SIDE / 2 >= y
          && row * SIDE + SIDE / 2 < y + height)
        cells[row * COLUMNS + column] = 1;
}

/* Runs the actors, and a ghost: foreground at the spot from a second on to before another. Returns the events. */
static GArray *
run (const Actor *actors, guint n, gint ghost_begin, gint ghost_end, guint64 least)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (GstCcaIndexSpotEvent));
  GstCcaIndexSpot *spot = gst_cca_index_spot_new (&spot_box, least);
  GstCcaIndexSpotEvent event;
  bool failed = false;

  for (gint second = 0; second <= LAST; second++) {
    guint8 cells[COLUMNS * ROWS] = { 0 };
    GstCcaIndexTrack tracks[4];
    GstCcaIndexFrame frame = {
      .pts = second * SECOND,
      .utc = MORNING + second * SECOND,
      .has_tracks = true,
      .tracks = tracks,
      .has_cells = true,
      .cells = { SIDE, COLUMNS, ROWS, cells },
    };

    for (guint i = 0; i < n; i++) {
      const gint x = place_of (&actors[i], second);

      if (second < actors[i].begin || second >= actors[i].end)
        continue;
      tracks[frame.n_tracks++] =
          (GstCcaIndexTrack) { .id = actors[i].id, .place = { (guint) MAX (x, 0), 100, 40, 50 } };
      mark (cells, x, 100, 40, 50);
    }
    if (second >= ghost_begin && second < ghost_end)
      mark (cells, 100, 100, 40, 50);
    if (gst_cca_index_spot_add (spot, &frame, &event, &failed))
      g_array_append_val (events, event);
    g_assert_false (failed);
  }
  if (gst_cca_index_spot_finish (spot, &event))
    g_array_append_val (events, event);
  g_assert_true (gst_cca_index_spot_has_foreground (spot));
  gst_cca_index_spot_free (spot);
  return events;
}

static const GstCcaIndexSpotEvent *
only (GArray *events, GstCcaIndexSpotKind kind)
{
  const GstCcaIndexSpotEvent *event = &g_array_index (events, GstCcaIndexSpotEvent, 0);

  g_assert_cmpuint (events->len, ==, 1);
  g_assert_cmpint (event->kind, ==, kind);
  g_assert_cmpuint (event->begin.utc - event->begin.pts, ==, MORNING);
  return event;
}

static guint64
second_of (GstCcaIndexMoment moment)
{
  return moment.pts == GST_CCA_INDEX_NEVER ? moment.pts : moment.pts / SECOND;
}

/* A car comes, is parked, and goes. */
static void
test_visit (void)
{
  const Actor car = { 7, 45, 180, 0, 0, 50, 150 };
  g_autoptr (GArray) events = run (&car, 1, 0, 0, 10 * SECOND);
  const GstCcaIndexSpotEvent *event = only (events, GST_CCA_INDEX_VISITED);

  g_assert_cmpuint (event->track, ==, 7);
  g_assert_cmpuint (second_of (event->begin), ==, 50);
  g_assert_cmpuint (second_of (event->end), ==, 150);
}

/* Passers-by are listed only on request. */
static void
test_passers_by (void)
{
  const Actor walker = { 7, 45, 60, 0, 0, 50, 51 };
  g_autoptr (GArray) events = run (&walker, 1, 0, 0, 10 * SECOND), all = run (&walker, 1, 0, 0, 0);

  g_assert_cmpuint (events->len, ==, 0);
  only (all, GST_CCA_INDEX_VISITED);
}

/* An object that comes and stays becomes background in the end. */
static void
test_stay (void)
{
  const Actor car = { 7, 45, 110, 0, 0, 50, 1000 };
  g_autoptr (GArray) events = run (&car, 1, 0, 0, 10 * SECOND);
  const GstCcaIndexSpotEvent *event = only (events, GST_CCA_INDEX_STAYED);

  g_assert_cmpuint (second_of (event->at), ==, 50);
  g_assert_cmpuint (second_of (event->end), ==, 109);
}

static void
test_still_there (void)
{
  const Actor car = { 7, 45, 1000, 0, 0, 50, 1000 };
  g_autoptr (GArray) events = run (&car, 1, 0, 0, 10 * SECOND);
  const GstCcaIndexSpotEvent *event = only (events, GST_CCA_INDEX_STAYED);

  g_assert_cmpuint (second_of (event->end), ==, GST_CCA_INDEX_NEVER);
}

/* An object of the background leaves: its track begins at the spot, where a ghost stays. */
static void
test_vanish (void)
{
  const Actor car = { 7, 80, 100, 100, 300, 0, 80 };
  g_autoptr (GArray) events = run (&car, 1, 80, 84, 10 * SECOND);
  const GstCcaIndexSpotEvent *event = only (events, GST_CCA_INDEX_VANISHED);

  g_assert_cmpuint (event->track, ==, 7);
  g_assert_cmpuint (second_of (event->at), ==, 80);
}

/* A person takes an object away: a track begins at its place, and ends there. */
static void
test_taken (void)
{
  const Actor actors[] = { { 7, 45, 60, 0, 0, 50, 51 }, { 8, 52, 56, 100, 100, 0, 0 } };
  g_autoptr (GArray) events = run (actors, 2, 50, 56, 10 * SECOND);
  const GstCcaIndexSpotEvent *event = only (events, GST_CCA_INDEX_CHANGED);

  g_assert_cmpuint (event->track, ==, 7);
  g_assert_cmpuint (second_of (event->begin), ==, 50);
  g_assert_cmpuint (second_of (event->end), ==, 55);
}

/* Foreground that no track explains. */
static void
test_changed (void)
{
  g_autoptr (GArray) events = run (NULL, 0, 70, 75, 10 * SECOND), flicker = run (NULL, 0, 70, 71, 0);
  const GstCcaIndexSpotEvent *event = only (events, GST_CCA_INDEX_CHANGED);

  g_assert_cmpuint (event->track, ==, 0);
  g_assert_cmpuint (flicker->len, ==, 0);
}

static void
test_unknown (void)
{
  GstCcaIndexSpot *spot = gst_cca_index_spot_new (&spot_box, 0);
  const GstCcaIndexFrame frame = { .has_tracks = true, .has_cells = true };
  GstCcaIndexSpotEvent event;
  bool failed = false;

  g_assert_false (gst_cca_index_spot_add (spot, &frame, &event, &failed));
  g_assert_false (gst_cca_index_spot_has_foreground (spot));
  g_assert_false (gst_cca_index_spot_finish (spot, &event));
  gst_cca_index_spot_free (spot);
}

TESTS_MAIN ("/spot", test_visit, test_passers_by, test_stay, test_still_there, test_vanish, test_taken, test_changed,
            test_unknown)
