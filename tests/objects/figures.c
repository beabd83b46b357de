/* gst-cca: figures in components, compared with where people were drawn
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "../add-tests.h"
#include "gst/track/figures.h"

enum
{
  CELL = 2,
  COLUMNS = 200,
  ROWS = 100,
  HEIGHT = 80, /* of people on every row */
};

/* A picture of 400×200 pixels, by cells. */
typedef struct
{
  guint8 cells[ROWS * COLUMNS];
  GstCcaTrackerComponent components[8];
  GstCcaTrackerFrame frame;
  GstCcaCoverage coverage;
  GstCcaSizes sizes;
  GstCcaFigures figures;
} Picture;

/* Returns whether a point, in heights, belongs to a person who stands at (0, 0): head, trunk and two legs. */
static gboolean
is_body (gdouble x, gdouble y)
{
  const gdouble head = (x * x) / (0.08 * 0.08) + (y + 0.9) * (y + 0.9) / (0.1 * 0.1);

  return head < 1 || (ABS (x) < 0.16 && y > -0.8 && y < -0.4)
         || (ABS (x) > 0.03 && ABS (x) < 0.14 && y > -0.45 && y < 0);
}

static void
draw_person_of (Picture *picture, gdouble x, gdouble foot, gdouble height)
{
  for (guint j = 0; j < ROWS; j++)
    for (guint i = 0; i < COLUMNS; i++)
      if (is_body ((CELL * (i + 0.5) - x) / height, (CELL * (j + 0.5) - foot) / height))
        picture->cells[j * COLUMNS + i] = CELL * CELL;
}

static void
draw_person (Picture *picture, gdouble x, gdouble foot)
{
  draw_person_of (picture, x, foot, HEIGHT);
}

static void
fill (Picture *picture, guint x, guint y, guint width, guint height, guint8 value)
{
  for (guint j = y / CELL; j < (y + height) / CELL; j++)
    for (guint i = x / CELL; i < (x + width) / CELL; i++)
      picture->cells[j * COLUMNS + i] = value;
}

/* Makes the foreground inside of a box a component. */
static void
add_component (Picture *picture, guint x, guint y, guint width, guint height)
{
  GstCcaTrackerComponent *c = &picture->components[picture->frame.n_components++];
  guint left = G_MAXUINT, top = G_MAXUINT, right = 0, bottom = 0;

  *c = (GstCcaTrackerComponent) { .label = (guint) picture->frame.n_components };
  for (guint j = y / CELL; j < (y + height) / CELL; j++)
    for (guint i = x / CELL; i < (x + width) / CELL; i++)
      if (picture->cells[j * COLUMNS + i]) {
        left = MIN (left, i * CELL);
        top = MIN (top, j * CELL);
        right = MAX (right, (i + 1) * CELL);
        bottom = MAX (bottom, (j + 1) * CELL);
        c->area += picture->cells[j * COLUMNS + i];
      }
  c->x = left;
  c->y = top;
  c->width = right - left;
  c->height = bottom - top;
}

/* A picture whose sizes were learned from one person after the other. */
static Picture *
picture_new (void)
{
  Picture *picture = g_new0 (Picture, 1);

  picture->frame = (GstCcaTrackerFrame) { .width = CELL * COLUMNS,
                                          .height = CELL * ROWS,
                                          .components = picture->components,
                                          .coverage = picture->cells,
                                          .cell = CELL,
                                          .columns = COLUMNS,
                                          .rows = ROWS };
  for (guint i = 0; i < 40; i++) {
    const gdouble x = 100 + 2 * i, foot = 100 + 2 * i;
    const GstCcaBox box = { { x - 13, foot - HEIGHT }, { x + 13, foot } };
    GstCcaSizeSample sample = { .foot = foot, .width = 26, .height = HEIGHT, .filled = 0.6, .id = i / 4 };

    memset (picture->cells, 0, sizeof picture->cells);
    draw_person (picture, x, foot);
    sample.has_silhouette = gst_cca_silhouette_sample (&picture->frame, &box, sample.silhouette);
    g_assert_true (sample.has_silhouette);
    gst_cca_sizes_add (&picture->sizes, &sample);
  }
  memset (picture->cells, 0, sizeof picture->cells);
  g_assert_true (picture->sizes.known && picture->sizes.has_silhouette);
  return picture;
}

static const GstCcaFigures *
find (Picture *picture, GstCcaHint *hints, gsize n_hints)
{
  g_assert_true (gst_cca_coverage_fill (&picture->coverage, &picture->frame));
  g_assert_true (
      gst_cca_figures_find (&picture->figures, &picture->frame, &picture->coverage, &picture->sizes, hints, n_hints));
  return &picture->figures;
}

static void
picture_free (Picture *picture)
{
  gst_cca_figures_clear (&picture->figures);
  g_free (picture->coverage.sums);
  g_free (picture);
}

/* Asserts that a detection shows the person who was drawn there, to a part of the height. Where people hide each other,
 * their heights are found less exactly than their places. */
static void
assert_person (const GstCcaFigures *figures, gdouble x, gdouble foot, gboolean estimated)
{
  for (gsize i = 0; i < figures->n; i++) {
    const GstCcaDetection *d = &figures->detections[i];

    if (ABS ((d->box.min[0] + d->box.max[0]) / 2 - x) < 0.08 * HEIGHT && ABS (d->box.max[1] - foot) < 0.08 * HEIGHT
        && ABS (d->box.max[1] - d->box.min[1] - HEIGHT) < 0.13 * HEIGHT) {
      g_assert_true (d->single);
      g_assert_cmpint (d->estimated, ==, estimated);
      return;
    }
  }
  g_error ("nobody stands at %g, %g", x, foot);
}

/* Two and three people who touch and hide each other in part are found in one component. */
static void
test_side_by_side (void)
{
  static const gdouble ways[] = { 28, 24, 20, 16 };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    for (guint n = 2; n <= 3; n++) {
      Picture *picture = picture_new ();
      const GstCcaFigures *figures;

      for (guint k = 0; k < n; k++)
        draw_person (picture, 150 + k * ways[i], 140 + 4 * k);
      add_component (picture, 0, 0, 400, 200);
      figures = find (picture, NULL, 0);
      g_assert_cmpuint (figures->n, ==, n);
      for (guint k = 0; k < n; k++) {
        assert_person (figures, 150 + k * ways[i], 140 + 4 * k, TRUE);
        g_assert_cmpuint (figures->detections[k].component, ==, 0);
      }
      picture_free (picture);
    }
}

/* A person who is smaller or much taller than others is one, also beside somebody else. */
static void
test_heights (void)
{
  static const gdouble heights[] = { 72, 90, 100 };

  for (guint i = 0; i < G_N_ELEMENTS (heights); i++) {
    Picture *picture = picture_new ();
    const GstCcaFigures *figures;
    gdouble middles = 0;

    draw_person_of (picture, 150, 150, heights[i]);
    draw_person (picture, 176, 144);
    add_component (picture, 0, 0, 400, 200);
    figures = find (picture, NULL, 0);
    g_assert_cmpuint (figures->n, ==, 2);
    for (guint k = 0; k < 2; k++)
      middles += (figures->detections[k].box.min[0] + figures->detections[k].box.max[0]) / 2;
    g_assert_cmpfloat_with_epsilon (middles, 150 + 176, 0.08 * HEIGHT);
    picture_free (picture);
  }
}

/* A belt and a pole cut a person into four pieces: one detection has all of them, and the box around them. */
static void
test_pieces (void)
{
  Picture *picture = picture_new ();
  const GstCcaFigures *figures;

  draw_person (picture, 200, 150);
  fill (picture, 180, 112, 40, 6, 0);
  fill (picture, 198, 0, 4, 200, 0);
  add_component (picture, 180, 60, 18, 52);
  add_component (picture, 202, 60, 20, 52);
  add_component (picture, 180, 118, 18, 40);
  add_component (picture, 202, 118, 20, 40);
  figures = find (picture, NULL, 0);
  g_assert_cmpuint (figures->n, ==, 1);
  assert_person (figures, 200, 150, FALSE);
  for (guint i = 0; i < 4; i++)
    g_assert_true (gst_cca_figures_has (figures, &figures->detections[0], i));
  picture_free (picture);
}

/* What does not look like people stays what it is: a car as wide as three, a speck, a strip; and one person alone. */
static void
test_others (void)
{
  Picture *picture = picture_new ();
  const GstCcaFigures *figures;

  fill (picture, 20, 60, 120, 70, CELL * CELL);
  add_component (picture, 20, 60, 120, 70);
  fill (picture, 200, 180, 6, 6, CELL * CELL);
  add_component (picture, 200, 180, 6, 6);
  draw_person (picture, 300, 150);
  add_component (picture, 270, 60, 60, 100);
  figures = find (picture, NULL, 0);
  g_assert_cmpuint (figures->n, ==, 3);
  for (guint i = 0; i < 3; i++) {
    const GstCcaDetection *d = &figures->detections[i];
    const GstCcaTrackerComponent *c = &picture->components[d->component];

    g_assert_false (d->estimated);
    g_assert_cmpfloat (d->box.min[0], ==, c->x);
    g_assert_cmpfloat (d->box.max[1], ==, c->y + c->height);
    g_assert_cmpfloat (d->area, ==, c->area);
    g_assert_cmpint (d->single, ==, d->component == 2);
  }
  picture_free (picture);
}

/* Somebody of whom half is hidden is found where a track expects him, and the track is used. */
static void
test_expected (void)
{
  Picture *picture = picture_new ();
  GstCcaHint hints[] = { { 150, 150, 0, FALSE }, { 160, 146, 0, FALSE }, { 20, 100, 0, FALSE } };
  gsize without;

  draw_person (picture, 150, 150);
  draw_person (picture, 160, 146);
  add_component (picture, 0, 0, 400, 200);
  without = find (picture, NULL, 0)->n;
  g_assert_cmpuint (find (picture, hints, 3)->n, >=, without);
  assert_person (&picture->figures, 150, 150, picture->figures.n > 1);
  g_assert_true (hints[0].used || hints[1].used);
  g_assert_false (hints[2].used);
  picture_free (picture);
}

/* Of four people in a row, a search for the best figure first finds fewer. All are found where tracks expect them, and
 * each detection says how much of its box it shares with others. */
static void
test_crowded (void)
{
  for (gint step = -4; step <= 4; step += 4) {
    Picture *picture = picture_new ();
    GstCcaHint hints[4];
    const GstCcaFigures *figures;

    for (gint k = 0; k < 4; k++) {
      draw_person (picture, 150 + 12 * k, 150 + step * k);
      hints[k] = (GstCcaHint) { 148 + 12 * k + k % 2 * 4, 152 + step * k - k % 2 * 5, 0, FALSE };
    }
    add_component (picture, 0, 0, 400, 200);
    g_assert_cmpuint (find (picture, NULL, 0)->n, <, 4);
    figures = find (picture, hints, 4);
    g_assert_cmpuint (figures->n, ==, 4);
    for (gint k = 0; k < 4; k++) {
      assert_person (figures, 150 + 12 * k, 150 + step * k, TRUE);
      g_assert_true (hints[k].used);
      g_assert_cmpfloat (figures->detections[k].shared, >, 0.2);
      g_assert_cmpfloat (figures->detections[k].shared, <, 0.8);
    }
    picture_free (picture);
  }
}

/* Figures explain nothing of the next frame: the same frame once more has the same figures. */
static void
test_again (void)
{
  Picture *picture = picture_new ();
  GstCcaBox boxes[2];

  draw_person (picture, 150, 150);
  draw_person (picture, 166, 154);
  add_component (picture, 0, 0, 400, 200);
  for (guint i = 0; i < 3; i++) {
    const GstCcaFigures *figures = find (picture, NULL, 0);

    g_assert_cmpuint (figures->n, ==, 2);
    for (guint k = 0; k < 2; k++)
      if (i == 0)
        boxes[k] = figures->detections[k].box;
      else
        g_assert_cmpmem (&figures->detections[k].box, sizeof *boxes, &boxes[k], sizeof *boxes);
  }
  picture_free (picture);
}

/* Without coverage, without sizes, and with foreground everywhere, detections are the components. */
static void
test_extremes (void)
{
  Picture *picture = picture_new ();

  g_assert_cmpuint (find (picture, NULL, 0)->n, ==, 0);
  fill (picture, 0, 0, 400, 200, CELL * CELL);
  add_component (picture, 0, 0, 400, 200);
  g_assert_cmpuint (find (picture, NULL, 0)->n, ==, 1);
  g_assert_false (picture->figures.detections[0].estimated);
  memset (picture->cells, 0, sizeof picture->cells);
  picture->frame.n_components = 0;
  draw_person (picture, 150, 140);
  draw_person (picture, 174, 140);
  add_component (picture, 0, 0, 400, 200);
  g_assert_cmpuint (find (picture, NULL, 0)->n, ==, 2);
  picture->frame.coverage = NULL;
  g_assert_true (
      gst_cca_figures_find (&picture->figures, &picture->frame, &picture->coverage, &picture->sizes, NULL, 0));
  g_assert_cmpuint (picture->figures.n, ==, 1);
  picture->frame.coverage = picture->cells;
  picture->sizes.known = FALSE;
  g_assert_cmpuint (find (picture, NULL, 0)->n, ==, 1);
  picture_free (picture);
}

/* Where vehicles are among the objects that sizes were learned from, there are no figures. */
static void
test_vehicles (void)
{
  Picture *picture = picture_new ();

  draw_person (picture, 150, 140);
  draw_person (picture, 174, 140);
  add_component (picture, 0, 0, 400, 200);
  g_assert_cmpuint (find (picture, NULL, 0)->n, ==, 2);
  for (guint i = 0; i < 12; i++) {
    const GstCcaSizeSample car = {
      .foot = 100 + 6 * i, .width = 150, .height = HEIGHT, .filled = 0.7, .id = 100 + i / 3
    };

    gst_cca_sizes_add (&picture->sizes, &car);
  }
  g_assert_true (picture->sizes.known);
  g_assert_cmpuint (find (picture, NULL, 0)->n, ==, 1);
  picture_free (picture);
}

/* What passes too fast for people on foot is a component, where a slower track has figures. */
static void
test_fast (void)
{
  Picture *picture = picture_new ();

  draw_person (picture, 150, 140);
  draw_person (picture, 174, 140);
  add_component (picture, 0, 0, 400, 200);
  for (guint i = 0; i < 3; i++) {
    GstCcaHint hint = { .x = i < 2 ? 160 : 300, .foot = 140, .speed = HEIGHT * (i == 0 ? 1.5 : 3.0) };

    g_test_message ("hint %u", i);
    g_assert_cmpuint (find (picture, &hint, 1)->n, ==, i == 1 ? 1 : 2);
  }
  picture_free (picture);
}

TESTS_MAIN ("/figures", test_side_by_side, test_heights, test_pieces, test_others, test_expected, test_crowded,
            test_again, test_extremes, test_vehicles, test_fast)
