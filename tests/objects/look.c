/* gst-cca: the colours by which objects are told apart
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "../add-tests.h"
#include "gst/track/look.h"
#include "gst/track/occupancy.h"
#include "gst/track/tracker.h"

enum
{
  CELL = 4,
  COLUMNS = 80,
  ROWS = 40,
  N_CELLS = COLUMNS * ROWS
};

typedef struct
{
  guint8 cells[N_CELLS], colours[3 * N_CELLS];
  GstCcaTrackerFrame frame;
} Picture;

static void
clear (Picture *picture)
{
  memset (picture, 0, sizeof *picture);
  picture->frame = (GstCcaTrackerFrame) { .width = COLUMNS * CELL,
                                          .height = ROWS * CELL,
                                          .coverage = picture->cells,
                                          .colours = picture->colours,
                                          .cell = CELL,
                                          .columns = COLUMNS,
                                          .rows = ROWS };
}

/* Draws a person: a coat over trousers. */
static void
draw (Picture *picture, const GstCcaBox *box, guint8 coat, guint8 trousers)
{
  for (guint j = 0; j < ROWS; j++)
    for (guint i = 0; i < COLUMNS; i++) {
      const gdouble x = (i + 0.5) * CELL, y = (j + 0.5) * CELL;

      if (x < box->min[0] || x >= box->max[0] || y < box->min[1] || y >= box->max[1])
        continue;
      picture->cells[j * COLUMNS + i] = CELL * CELL;
      picture->colours[j * COLUMNS + i] = y < (box->min[1] + box->max[1]) / 2 ? coat : trousers;
      picture->colours[N_CELLS + j * COLUMNS + i] = picture->colours[2 * N_CELLS + j * COLUMNS + i] = 128;
    }
}

static GstCcaBox
person_at (gdouble x, gdouble foot)
{
  return (GstCcaBox) { { x - 12, foot - 80 }, { x + 12, foot } };
}

static void
test_same_and_other (void)
{
  const GstCcaBox boxes[] = { person_at (40, 100), person_at (120, 100), person_at (200, 100) };
  Picture picture;
  GstCcaLook look = { 0 }, looks[3];

  clear (&picture);
  draw (&picture, &boxes[0], 40, 90);
  draw (&picture, &boxes[1], 44, 94);
  draw (&picture, &boxes[2], 90, 40);
  for (guint i = 0; i < 3; i++)
    looks[i] = gst_cca_look_measure (&picture.frame, boxes, 3, i);
  g_assert_cmpfloat (gst_cca_look_cost (&look, &looks[0]), ==, 0.0);
  for (guint i = 0; i < 20; i++)
    gst_cca_look_learn (&look, &looks[0]);
  g_assert_cmpfloat_with_epsilon (look.mean[0][0], 40.0, 0.01);
  g_assert_cmpfloat_with_epsilon (look.mean[GST_CCA_LOOK_BANDS - 1][0], 90.0, 0.01);
  g_assert_cmpfloat (gst_cca_look_cost (&look, &looks[0]), <, 0.01);
  g_assert_cmpfloat (gst_cca_look_cost (&look, &looks[1]), <, 1.0);
  g_assert_cmpfloat (gst_cca_look_cost (&look, &looks[2]), >, 5.0);
}

/* An object in front hides the look of one behind it, in whole or in part, and not the reverse. */
static void
test_hidden (void)
{
  const GstCcaBox boxes[] = { person_at (100, 100), person_at (100, 104), person_at (200, 100), person_at (200, 140) };
  Picture picture;
  GstCcaLook behind, front, half;

  clear (&picture);
  draw (&picture, &boxes[0], 200, 200);
  draw (&picture, &boxes[1], 40, 40);
  draw (&picture, &boxes[2], 200, 200);
  draw (&picture, &boxes[3], 40, 40);
  behind = gst_cca_look_measure (&picture.frame, boxes, 4, 0);
  front = gst_cca_look_measure (&picture.frame, boxes, 4, 1);
  half = gst_cca_look_measure (&picture.frame, boxes, 4, 2);
  for (guint i = 1; i < GST_CCA_LOOK_BANDS; i++)
    g_assert_cmpfloat (behind.known[i], ==, 0.0);
  g_assert_cmpfloat (front.known[2], >, 0.9);
  g_assert_cmpfloat_with_epsilon (front.mean[2][0], 40.0, 0.01);
  g_assert_cmpfloat_with_epsilon (half.mean[0][0], 200.0, 0.01);
  g_assert_cmpfloat (half.known[GST_CCA_LOOK_BANDS - 1], ==, 0.0);
  g_assert_cmpfloat (gst_cca_look_cost (&front, &half), >, 20.0);
}

/* Without colours or without foreground, and outside of the frame, nothing is known. */
static void
test_unknown (void)
{
  const GstCcaBox boxes[] = { person_at (100, 100),
                              { { -500, -500 }, { -400, -300 } },
                              { { 1e6, 1e6 }, { 2e6, 2e6 } } };
  Picture picture;

  clear (&picture);
  for (guint i = 0; i < 3; i++) {
    const GstCcaLook look = gst_cca_look_measure (&picture.frame, boxes, 3, i);

    for (guint k = 0; k < GST_CCA_LOOK_BANDS; k++)
      g_assert_cmpfloat (look.known[k], ==, 0.0);
  }
  draw (&picture, &boxes[0], 40, 40);
  g_assert_cmpfloat (gst_cca_look_measure (&picture.frame, boxes, 3, 0).known[0], >, 0.9);
  picture.frame.colours = NULL;
  g_assert_cmpfloat (gst_cca_look_measure (&picture.frame, boxes, 3, 0).known[0], ==, 0.0);
}

/* Teaches the tracker how large people are, and that they fill only a part of their boxes. */
static void
teach (GstCcaTracker *tracker)
{
  const GstCcaBox box = person_at (160, 100);
  GstCcaSizes sizes = { 0 };
  GstCcaSizeSample sample = { .width = 24, .height = 80, .filled = 0.55 };
  Picture picture;

  clear (&picture);
  draw (&picture, &box, 40, 60);
  sample.has_silhouette = gst_cca_silhouette_sample (&picture.frame, &box, sample.silhouette);
  for (guint i = 0; i < 24; i++) {
    sample.id = i % 3;
    sample.foot = 90 + i;
    gst_cca_sizes_add (&sizes, &sample);
  }
  gst_cca_tracker_set_sizes (tracker, &sizes, picture.frame.width, picture.frame.height);
}

/* Two people of one height walk towards each other, stop behind one another, and turn back: places and velocities say
 * that they passed, colours that they did not. */
static void
test_meeting (gconstpointer data)
{
  const gboolean has_colours = GPOINTER_TO_INT (data);
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  const GstCcaObject *tracks;
  guint64 first[2] = { 0, 0 };
  gsize n;

  teach (tracker);
  for (guint t = 0; t < 60; t++) {
    const gdouble way = t < 30 ? 4.0 * t : 4.0 * (60 - t);
    const GstCcaBox boxes[] = { person_at (40 + way, 100), person_at (280 - way, 100) };
    GstCcaTrackerComponent components[2];
    Picture picture;
    const gboolean meet = boxes[0].max[0] >= boxes[1].min[0];

    clear (&picture);
    draw (&picture, &boxes[1], 200, 120);
    draw (&picture, &boxes[0], 40, 60);
    for (guint i = 0; i < 2; i++)
      components[i] = (GstCcaTrackerComponent) { .label = i + 1,
                                                 .x = (guint) boxes[i].min[0],
                                                 .y = (guint) boxes[i].min[1],
                                                 .width = 24,
                                                 .height = 80,
                                                 .area = 24 * 80,
                                                 .centroid_x = boxes[i].min[0] + 11.5,
                                                 .centroid_y = 59.5 };
    if (meet)
      components[0].width = (guint) (boxes[1].max[0] - boxes[0].min[0]);
    components[0].area = components[0].width * 80;
    components[0].centroid_x = components[0].x + (components[0].width - 1) / 2.0;
    picture.frame.time = t * 40 * 1000000ull;
    picture.frame.components = components;
    picture.frame.n_components = meet ? 1 : 2;
    if (!has_colours)
      picture.frame.colours = NULL;
    g_assert_true (gst_cca_tracker_run (tracker, &picture.frame, &tracks, &n));
    for (gsize i = 0; (t == 10 || t == 59) && i < n; i++) {
      const gint person = tracks[i].box.min[0] > 140;

      if (tracks[i].state != GST_CCA_OBJECT_CONFIRMED)
        continue;
      if (t == 10)
        first[person] = tracks[i].id;
      else if (has_colours)
        g_assert_cmpuint (tracks[i].id, ==, first[person]);
    }
  }
  g_assert_cmpuint (first[0], !=, 0);
  g_assert_cmpuint (first[1], !=, 0);
  gst_cca_tracker_free (tracker);
}

/* Adds a component of what is drawn in a box. */
static void
add_component (Picture *picture, GstCcaTrackerComponent *components, const GstCcaBox *box)
{
  const gdouble width = box->max[0] - box->min[0], height = box->max[1] - box->min[1];
  const gsize n = picture->frame.n_components++;

  components[n] = (GstCcaTrackerComponent) { .label = (guint32) n + 1,
                                             .x = (guint) box->min[0],
                                             .y = (guint) box->min[1],
                                             .width = (guint) width,
                                             .height = (guint) height,
                                             .area = (guint64) (width * height),
                                             .centroid_x = box->min[0] + (width - 1) / 2.0,
                                             .centroid_y = box->min[1] + (height - 1) / 2.0 };
  picture->frame.components = components;
}

/* One comes out from behind a wall where another goes behind it in the same frame: the colours tell who is seen. */
static void
test_wall (void)
{
  static const guint8 coats[] = { 60, 100 };
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  const GstCcaObject *tracks;
  guint64 first[2] = { 0, 0 };
  gsize n;

  teach (tracker);
  for (guint t = 0; t < 31; t++) {
    const GstCcaBox boxes[] = { person_at (16 + 8.0 * t, 100), person_at (304 - 8.0 * t, 100) };
    const gboolean seen[] = { t < 12 || t >= 18, t < 18 || t >= 24 };
    GstCcaTrackerComponent components[2];
    Picture picture;

    clear (&picture);
    for (guint i = 0; i < 2; i++)
      if (seen[i]) {
        draw (&picture, &boxes[i], coats[i], coats[i]);
        add_component (&picture, components, &boxes[i]);
      }
    picture.frame.time = t * 40 * 1000000ull;
    g_assert_true (gst_cca_tracker_run (tracker, &picture.frame, &tracks, &n));
    for (gsize i = 0; i < n; i++) {
      const gint person = (tracks[i].box.min[0] > 140) == (t < 18);

      if (tracks[i].state != GST_CCA_OBJECT_CONFIRMED || (t != 10 && t != 30))
        continue;
      if (t == 10)
        first[person] = tracks[i].id;
      else
        g_assert_cmpuint (tracks[i].id, ==, first[person]);
    }
  }
  g_assert_cmpuint (first[0], !=, 0);
  g_assert_cmpuint (first[1], !=, 0);
  gst_cca_tracker_free (tracker);
}

/* Somebody whom a thing without the shape of people touches for some frames keeps place and size. */
static void
test_group (void)
{
  const GstCcaBox person = person_at (100, 100), thing = { { 112, 80 }, { 212, 100 } };
  const GstCcaBox both = gst_cca_box_join (&person, &thing);
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  const GstCcaObject *tracks;
  gsize n;

  teach (tracker);
  for (guint t = 0; t < 30; t++) {
    GstCcaTrackerComponent component;
    Picture picture;

    clear (&picture);
    draw (&picture, &person, 60, 60);
    if (t >= 20)
      draw (&picture, &thing, 200, 200);
    add_component (&picture, &component, t < 20 ? &person : &both);
    picture.frame.time = t * 40 * 1000000ull;
    g_assert_true (gst_cca_tracker_run (tracker, &picture.frame, &tracks, &n));
    g_assert_cmpuint (n, ==, 1);
    g_assert_cmpfloat_with_epsilon (tracks[0].box.min[0], person.min[0], 3);
    g_assert_cmpfloat_with_epsilon (tracks[0].box.max[0], person.max[0], 3);
    g_assert_cmpint (tracks[0].state == GST_CCA_OBJECT_MERGED, ==, t >= 20);
  }
  gst_cca_tracker_free (tracker);
}

CASES_MAIN ()
{
  ADD_TESTS ("/look", test_same_and_other, test_hidden, test_unknown, test_wall, test_group);
  g_test_add_data_func ("/look/meeting", GINT_TO_POINTER (TRUE), test_meeting);
}
