/* gst-cca: where figures of known size and shape explain a piece of foreground best
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "occupancy.h"

#include <math.h>
#include <string.h>

#define COLUMNS GST_CCA_SILHOUETTE_COLUMNS
#define ROWS GST_CCA_SILHOUETTE_ROWS

/* The silhouette's field, in heights of the object: to either side of the middle, above and below the foot. */
#define FIELD_SIDE 0.4
#define FIELD_ABOVE 1.1
#define FIELD_BELOW 0.1

/* The probability that a pixel is foreground where no object is. A silhouette's is 0 or between the other two: things
 * may hide what usually is seen. */
#define CLUTTER 0.03f
#define LEAST_PROBABILITY 0.05f
#define MOST_PROBABILITY 0.85f

/* More places than that to look at belong to no crowd: the whole picture has changed. */
#define MOST_CANDIDATES 3000

/* Steps of the search, in heights; places are not looked at where less than this part of a box is foreground. */
#define STEP 0.08
#define LEAST_FILLED 0.2

/* Figures may stand so far outside of the foreground's box, to the side, and below it; where the frame cuts it, farther
 * below. The highest foot is so far under the box's upper side. In heights. */
#define ASIDE 0.1
#define BELOW 0.08
#define BELOW_CUT 0.4
#define HIGHEST 0.5

/* A figure must explain so much of what one that stands alone does; an expected one counts so much more, within a
 * distance (in heights) of where it is expected. At least so much of a figure lies in the frame. */
#define LEAST_GAIN 0.38
#define EXPECTED 0.2
#define EXPECTED_WITHIN 0.15
#define LEAST_VISIBLE 0.3

static double
point_x (double x, double height, int column)
{
  return x + height * FIELD_SIDE * ((2 * column + 1.0) / COLUMNS - 1.0);
}

static double
point_y (double foot, double height, int row)
{
  return foot + height * ((row + 0.5) / ROWS * (FIELD_ABOVE + FIELD_BELOW) - FIELD_ABOVE);
}

/* Which of a figure's columns, or rows, a coordinate of another's lies in; -1: in none. */
static int
index_in (double offset, double scale, int n)
{
  const double place = offset * scale;

  return place >= 0.0 && place < n ? (int) place : -1;
}

bool
gst_cca_silhouette_sample (const GstCcaTrackerFrame *frame, const GstCcaBox *box, uint8_t *silhouette)
{
  const double x = (box->min[0] + box->max[0]) / 2.0, height = box->max[1] - box->min[1];
  const double pixels = (double) frame->cell * frame->cell;

  if (frame->coverage == NULL)
    return false;
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++) {
      const int i = index_in (point_x (x, height, column), 1.0 / frame->cell, (int) frame->columns);
      const int j = index_in (point_y (box->max[1], height, row), 1.0 / frame->cell, (int) frame->rows);
      const uint32_t n = i >= 0 && j >= 0 ? frame->coverage[(size_t) j * frame->columns + i] : 0;

      silhouette[row * COLUMNS + column] = (uint8_t) (255.0 * gst_cca_min (n, pixels) / pixels);
    }
  return true;
}

void
gst_cca_occupancy_init (GstCcaOccupancy *occupancy, const GstCcaTrackerFrame *frame, const GstCcaCoverage *coverage,
                        const GstCcaSizes *sizes, GstCcaHint *hints, size_t n_hints)
{
  occupancy->frame = frame;
  occupancy->coverage = coverage;
  occupancy->sizes = sizes;
  occupancy->hints = hints;
  occupancy->n_hints = n_hints;
  occupancy->whole = 0.0;
  occupancy->n = 0;
  for (int i = 0; i < GST_CCA_SILHOUETTE_POINTS; i++) {
    const float p = sizes->silhouette[i] < MOST_PROBABILITY ? sizes->silhouette[i] : MOST_PROBABILITY;

    occupancy->silhouette[i] = p >= LEAST_PROBABILITY ? p : 0.0f;
    occupancy->hit[i] = logf ((1.0f - (1.0f - CLUTTER) * (1.0f - p)) / CLUTTER);
    occupancy->miss[i] = logf (1.0f - p);
    occupancy->expected[i] = p * occupancy->hit[i] + (1.0f - p) * occupancy->miss[i];
    occupancy->whole += p >= LEAST_PROBABILITY ? occupancy->expected[i] : 0.0f;
  }
}

typedef struct
{
  int columns[COLUMNS], rows[ROWS];
} Overlap;

/* Finds where the points of a figure lie in another. Returns whether any does. */
static bool
overlap (const GstCcaFigure *figure, const GstCcaFigure *other, Overlap *overlap)
{
  const double left = other->x - FIELD_SIDE * other->height, top = other->foot - FIELD_ABOVE * other->height;

  if (fabs (other->x - figure->x) >= FIELD_SIDE * (other->height + figure->height)
      || figure->foot - FIELD_ABOVE * figure->height >= other->foot + FIELD_BELOW * other->height
      || top >= figure->foot + FIELD_BELOW * figure->height)
    return false;
  for (int i = 0; i < COLUMNS; i++)
    overlap->columns[i] =
        index_in (point_x (figure->x, figure->height, i) - left, COLUMNS / (2.0 * FIELD_SIDE * other->height), COLUMNS);
  for (int i = 0; i < ROWS; i++)
    overlap->rows[i] = index_in (point_y (figure->foot, figure->height, i) - top,
                                 ROWS / ((FIELD_ABOVE + FIELD_BELOW) * other->height), ROWS);
  return true;
}

/* Finds what a figure explains besides the others: the logarithm of the foreground's likelihood ratio. Looks at each
 * stride-th point. */
static void
evaluate (const GstCcaOccupancy *occupancy, GstCcaFigure *figure, size_t self, int stride)
{
  const GstCcaTrackerFrame *frame = occupancy->frame;
  const float part_of_cell = 1.0f / ((float) frame->cell * (float) frame->cell);
  Overlap overlaps[GST_CCA_MOST_FIGURES];
  int cells[COLUMNS];
  size_t n = 0;

  for (size_t i = 0; i < occupancy->n; i++)
    n += i != self && overlap (figure, &occupancy->figures[i], &overlaps[n]);
  for (int i = stride / 2; i < COLUMNS; i += stride)
    cells[i] = index_in (point_x (figure->x, figure->height, i), 1.0 / frame->cell, (int) frame->columns);
  figure->gain = figure->whole = 0.0;
  for (int row = stride / 2; row < ROWS; row += stride) {
    const int cell = index_in (point_y (figure->foot, figure->height, row), 1.0 / frame->cell, (int) frame->rows);
    const uint8_t *line;
    float gain = 0.0f, whole = 0.0f;

    if (cell < 0)
      continue;
    line = frame->coverage + (size_t) cell * frame->columns;
    for (int column = stride / 2; column < COLUMNS; column += stride) {
      const int point = row * COLUMNS + column;
      const float own = occupancy->silhouette[point];
      float part, none = 1.0f - CLUTTER, explained = occupancy->hit[point];

      if (own <= 0.0f || cells[column] < 0)
        continue;
      part = line[cells[column]] * part_of_cell;
      whole += occupancy->expected[point];
      if (part <= 0.0f) {
        gain += occupancy->miss[point];
        continue;
      }
      for (size_t i = 0; i < n; i++)
        if (overlaps[i].columns[column] >= 0 && overlaps[i].rows[row] >= 0)
          none *= 1.0f - occupancy->silhouette[overlaps[i].rows[row] * COLUMNS + overlaps[i].columns[column]];
      if (none < 1.0f - CLUTTER)
        explained = logf ((1.0f - none * (1.0f - own)) / (1.0f - none));
      gain += part * explained + (1.0f - part) * occupancy->miss[point];
    }
    figure->gain += gain;
    figure->whole += whole;
  }
}

/* Returns what the track nearest to a figure adds to its gain. */
static double
bonus (const GstCcaOccupancy *occupancy, const GstCcaFigure *figure)
{
  double most = 0.0;

  for (size_t i = 0; i < occupancy->n_hints; i++) {
    const GstCcaHint *hint = &occupancy->hints[i];
    const double x = (hint->x - figure->x) / (EXPECTED_WITHIN * figure->height);
    const double y = (hint->foot - figure->foot) / (EXPECTED_WITHIN * figure->height);

    if (!hint->used && x * x + y * y < 9.0)
      most = gst_cca_max (most, exp (-0.5 * (x * x + y * y)));
  }
  return EXPECTED * most;
}

/* Returns how good a figure is: 1 where it is all that one alone would be. */
static double
worth (const GstCcaOccupancy *occupancy, const GstCcaFigure *figure, double visible)
{
  return figure->whole > visible ? figure->gain / figure->whole + bonus (occupancy, figure) : -INFINITY;
}

static void
use_hint (GstCcaOccupancy *occupancy, const GstCcaFigure *figure, bool used)
{
  GstCcaHint *best = NULL;
  double least = 9.0;

  for (size_t i = 0; i < occupancy->n_hints; i++) {
    GstCcaHint *hint = &occupancy->hints[i];
    const double x = (hint->x - figure->x) / (EXPECTED_WITHIN * figure->height);
    const double y = (hint->foot - figure->foot) / (EXPECTED_WITHIN * figure->height);

    if (hint->used != used && x * x + y * y < least) {
      least = x * x + y * y;
      best = hint;
    }
  }
  if (best != NULL)
    best->used = used;
}

GstCcaBox
gst_cca_occupancy_box (const GstCcaOccupancy *occupancy, const GstCcaFigure *figure)
{
  const double width = occupancy->sizes->width * figure->height;

  return (GstCcaBox) { { figure->x - width / 2.0, figure->foot - figure->height },
                       { figure->x + width / 2.0, figure->foot } };
}

/* Finds the best of the places in an area, in steps of heights. */
static void
search (const GstCcaOccupancy *occupancy, GstCcaFigure *best, size_t self, const GstCcaBox *area, double step,
        int stride)
{
  const double visible = LEAST_VISIBLE * occupancy->whole / (stride * stride);
  GstCcaFigure found = *best;
  double most = -INFINITY, height;

  for (double foot = area->min[1]; foot <= area->max[1]; foot += step * height) {
    height = gst_cca_max (gst_cca_sizes_height (occupancy->sizes, foot), 1.0);
    for (double x = area->min[0]; x <= area->max[0]; x += step * height) {
      GstCcaFigure tried = { .x = x, .foot = foot, .height = height };
      const GstCcaBox box = gst_cca_occupancy_box (occupancy, &tried);
      double value;

      if (gst_cca_coverage_count (occupancy->coverage, &box) < LEAST_FILLED * gst_cca_box_area (&box))
        continue;
      evaluate (occupancy, &tried, self, stride);
      value = worth (occupancy, &tried, visible);
      if (value > most) {
        most = value;
        found = tried;
      }
    }
  }
  *best = found;
}

/* Improves a figure's place, along one axis after the other, and returns its worth. */
static double
refine (const GstCcaOccupancy *occupancy, GstCcaFigure *figure, size_t self)
{
  static const double steps[] = { 0.04, 0.04, 0.0133, 0.0133 };

  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const double step = steps[i] * figure->height, r = 3.01 * step;
    const bool along_x = i % 2 == 0;
    const GstCcaBox area = { { figure->x - (along_x ? r : 0.0), figure->foot - (along_x ? 0.0 : r) },
                             { figure->x + (along_x ? r : 0.0), figure->foot + (along_x ? 0.0 : r) } };

    search (occupancy, figure, self, &area, steps[i], 1);
  }
  return worth (occupancy, figure, 1e-9);
}

/* Improves the figures once more, now that all are known, and drops those that the others explain. */
static void
settle (GstCcaOccupancy *occupancy)
{
  for (size_t i = occupancy->n; i-- > 0;) {
    GstCcaFigure *figure = &occupancy->figures[i];

    use_hint (occupancy, figure, false);
    if (refine (occupancy, figure, i) >= LEAST_GAIN) {
      use_hint (occupancy, figure, true);
      continue;
    }
    occupancy->n--;
    memmove (figure, figure + 1, (occupancy->n - i) * sizeof *figure);
  }
}

void
gst_cca_occupancy_find (GstCcaOccupancy *occupancy, const GstCcaBox *box)
{
  const double low = gst_cca_max (gst_cca_sizes_height (occupancy->sizes, box->min[1]), 1.0);
  const double high = gst_cca_max (gst_cca_sizes_height (occupancy->sizes, box->max[1]), 1.0);
  const double below = box->max[1] >= occupancy->frame->height ? BELOW_CUT : BELOW;
  const GstCcaBox area = { { box->min[0] - ASIDE * high, box->min[1] + HIGHEST * low },
                           { box->max[0] + ASIDE * high, box->max[1] + below * high } };

  const double side = STEP * gst_cca_min (low, high);

  occupancy->n = 0;
  if ((area.max[0] - area.min[0]) * (area.max[1] - area.min[1]) > MOST_CANDIDATES * side * side)
    return;
  while (occupancy->n < GST_CCA_MOST_FIGURES) {
    GstCcaFigure *figure = &occupancy->figures[occupancy->n];

    *figure = (GstCcaFigure) { .height = high };
    search (occupancy, figure, occupancy->n, &area, STEP, 2);
    if (figure->gain <= 0.0 || refine (occupancy, figure, occupancy->n) < LEAST_GAIN)
      break;
    use_hint (occupancy, figure, true);
    occupancy->n++;
  }
  settle (occupancy);
}
