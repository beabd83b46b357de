/* gst-cca: where figures of known size and shape explain a piece of foreground best
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "occupancy.h"

#include <math.h>
#include <string.h>

#define COLUMNS GST_CCA_SILHOUETTE_COLUMNS
#define ROWS GST_CCA_SILHOUETTE_ROWS

/* How many points are evaluated at once; and what a worth's bound may be wrong by. */
#define LANES 8
#define ROUNDING 1e-4

#define FIELD_SIDE GST_CCA_SILHOUETTE_SIDE
#define FIELD_ABOVE GST_CCA_SILHOUETTE_ABOVE
#define FIELD_BELOW GST_CCA_SILHOUETTE_BELOW

/* The probability that a pixel is foreground: without an object; and the limits of a silhouette's, where it is not 0:
 * something may hide what is usually seen. */
#define CLUTTER 0.03f
#define ALONE ((1.0f - CLUTTER) / CLUTTER)
#define LEAST_PROBABILITY 0.05f
#define MOST_PROBABILITY 0.85f

/* The step of the search, in heights. It skips places where less than this part of the box is foreground, or whose
 * worth is too small to be improved. */
#define STEP 0.08
#define LEAST_FILLED 0.2
#define LEAST_COARSE 0.0

/* The search area, in heights: beyond the foreground's box to the side, and below it; farther below where the frame
 * cuts it; and from the box's upper side down to the highest foot. */
#define ASIDE 0.1
#define BELOW 0.08
#define BELOW_CUT 0.4
#define HIGHEST 0.5

/* The least part that a figure explains of what it would explain alone; what a track adds to the gain of a figure
 * within this distance, in heights; and the least part of a figure that lies in the frame. */
#define LEAST_GAIN 0.45
#define EXPECTED 0.27
#define EXPECTED_WITHIN 0.15
#define LEAST_VISIBLE 0.3

/* The penalty of a figure's size: times the square of its relative difference from objects there. */
#define UNUSUAL 10.0

static double
point_x (double x, double height, int column, int columns)
{
  return x + height * FIELD_SIDE * ((2 * column + 1.0) / columns - 1.0);
}

static double
point_y (double foot, double height, int row, int rows)
{
  return foot + height * ((row + 0.5) / rows * (FIELD_ABOVE + FIELD_BELOW) - FIELD_ABOVE);
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
      const int i = index_in (point_x (x, height, column, COLUMNS), 1.0 / frame->cell, (int) frame->columns);
      const int j = index_in (point_y (box->max[1], height, row, ROWS), 1.0 / frame->cell, (int) frame->rows);
      const uint32_t n = i >= 0 && j >= 0 ? frame->coverage[(size_t) j * frame->columns + i] : 0;

      silhouette[row * COLUMNS + column] = (uint8_t) (255.0 * gst_cca_min (n, pixels) / pixels);
    }
  return true;
}

/* Returns the natural logarithm of a number above 0, right to 1e-6: without branches and calls, for vectors. That of
 * the mantissa m, which lies around 1, is 2 artanh ((m - 1) / (m + 1)). */
static inline float
logarithm (float number)
{
  const int32_t root_of_half = 0x3f3504f3;
  int32_t bits, exponent;
  float m, s, z;

  memcpy (&bits, &number, sizeof bits);
  exponent = (bits - root_of_half) >> 23;
  bits -= exponent * (1 << 23);
  memcpy (&m, &bits, sizeof m);
  s = (m - 1.0f) / (m + 1.0f);
  z = s * s;
  return (float) exponent * (float) M_LN2 + s * (2.0f + z * (2.0f / 3.0f + z * (2.0f / 5.0f + z * (2.0f / 7.0f))));
}

/* Returns the logarithm of how much likelier a figure makes foreground that nothing else explains with these odds. */
static inline float
evidence (float probability, float odds)
{
  return logarithm (1.0f + probability * odds);
}

/* Takes the silhouette's mean over squares of points. */
static void
shape_init (GstCcaShape *shape, const float *silhouette, size_t square)
{
  const size_t columns = COLUMNS / square, rows = ROWS / square;
  size_t n = 0;

  *shape = (GstCcaShape) { 0 };
  for (size_t row = 0; row < rows; row++) {
    float means[COLUMNS] = { 0.0f };

    for (size_t column = 0; column < columns; column++) {
      for (size_t k = 0; k < square * square; k++)
        means[column] += silhouette[(row * square + k / square) * COLUMNS + column * square + k % square];
      means[column] = gst_cca_min (means[column] / (square * square), MOST_PROBABILITY);
      if (means[column] >= LEAST_PROBABILITY) {
        shape->first[row] = shape->end[row] > 0 ? shape->first[row] : column;
        shape->end[row] = column + 1;
      } else
        means[column] = 0.0f;
    }
    for (size_t column = shape->first[row]; column < shape->end[row]; column++, n++) {
      const float p = means[column], miss = logarithm (1.0f - p), weight = evidence (p, ALONE) - miss;

      shape->probability[n] = p;
      shape->miss[n] = miss;
      shape->weight[n] = weight;
      shape->expected[n] = p * weight + miss;
      shape->nothing += miss;
      shape->whole += shape->expected[n];
    }
  }
}

void
gst_cca_occupancy_init (GstCcaOccupancy *occupancy, const GstCcaTrackerFrame *frame, const GstCcaCoverage *coverage,
                        const GstCcaSizes *sizes, GstCcaHint *hints, size_t n_hints, GstCcaPlace *places,
                        float *unexplained)
{
  occupancy->places = places;
  occupancy->unexplained = unexplained;
  occupancy->frame = frame;
  occupancy->coverage = coverage;
  occupancy->sizes = sizes;
  occupancy->hints = hints;
  occupancy->n_hints = n_hints;
  occupancy->n = 0;
  shape_init (&occupancy->fine, sizes->silhouette, 1);
  shape_init (&occupancy->coarse, sizes->silhouette, 2);
}

/* Writes which of `end` cells the n places from `first` on lie in; -1: in none. Without branches, for vectors. */
static inline void
indices (double first, double step, int n, int end, int *cells)
{
  const float from = (float) first, by = (float) step;

  for (int i = 0; i < n; i++) {
    const float place = from + by * (float) i;
    const bool within = (place >= 0.0f) & (place < (float) end);

    cells[i] = (int) (within ? place : -1.0f);
  }
}

/* Returns the box over which the points of a figure are spread. */
static GstCcaBox
extent_of (const GstCcaFigure *figure)
{
  return (GstCcaBox) { { figure->x - FIELD_SIDE * figure->height, figure->foot - FIELD_ABOVE * figure->height },
                       { figure->x + FIELD_SIDE * figure->height, figure->foot + FIELD_BELOW * figure->height } };
}

/* Writes with which of the cells in a range each of n parts begins, and the last one ends; the first at a place. */
static inline void
bounds (double first, double step, int n, GstCcaCells range, int *cells)
{
  for (int i = 0; i <= n; i++)
    cells[i] = (int) gst_cca_min (gst_cca_max (first + step * i + 0.5, range.first), range.end);
}

/* Lowers the odds that nothing explains the cells of a figure that lie in a box. */
static void
explain_in (GstCcaOccupancy *occupancy, const GstCcaFigure *figure, const GstCcaBox *box)
{
  const GstCcaTrackerFrame *frame = occupancy->frame;
  const GstCcaShape *shape = &occupancy->fine;
  const GstCcaBox extent = extent_of (figure), both = gst_cca_box_clip (&extent, box);
  const double cell = frame->cell;
  int left[COLUMNS + 1], top[ROWS + 1];
  const float *probability = shape->probability;

  bounds (extent.min[0] / cell, (extent.max[0] - extent.min[0]) / (COLUMNS * cell), COLUMNS,
          gst_cca_cells_between (both.min[0], both.max[0], cell, frame->columns), left);
  bounds (extent.min[1] / cell, (extent.max[1] - extent.min[1]) / (ROWS * cell), ROWS,
          gst_cca_cells_between (both.min[1], both.max[1], cell, frame->rows), top);
  for (int row = 0; row < ROWS; probability += shape->end[row] - shape->first[row], row++)
    for (int j = top[row]; j < top[row + 1]; j++)
      for (size_t i = shape->first[row]; i < shape->end[row]; i++) {
        const float p = probability[i - shape->first[row]];
        float *unexplained = occupancy->unexplained + (size_t) j * frame->columns;

        for (int k = left[i]; k < left[i + 1]; k++)
          unexplained[k] *= (1.0f - p) / (1.0f + unexplained[k] * p);
      }
}

static void
explain (GstCcaOccupancy *occupancy, const GstCcaFigure *figure)
{
  const GstCcaBox extent = extent_of (figure);

  explain_in (occupancy, figure, &extent);
}

void
gst_cca_unexplained_clear (float *unexplained, size_t n)
{
  for (size_t i = 0; i < n; i++)
    unexplained[i] = ALONE;
}

/* Clears the cells of a figure. */
static void
clear (GstCcaOccupancy *occupancy, const GstCcaFigure *figure)
{
  const GstCcaTrackerFrame *frame = occupancy->frame;
  const GstCcaBox extent = extent_of (figure);
  const GstCcaCells columns = gst_cca_cells_between (extent.min[0], extent.max[0], frame->cell, frame->columns);
  const GstCcaCells rows = gst_cca_cells_between (extent.min[1], extent.max[1], frame->cell, frame->rows);

  for (int j = rows.first; j < rows.end; j++)
    gst_cca_unexplained_clear (occupancy->unexplained + (size_t) j * frame->columns + columns.first,
                               (size_t) (columns.end - columns.first));
}

/* Leaves the cells of one of the figures to the others. */
static void
leave (GstCcaOccupancy *occupancy, const GstCcaFigure *figure)
{
  const GstCcaBox extent = extent_of (figure);

  clear (occupancy, figure);
  for (size_t i = 0; i < occupancy->n; i++)
    if (&occupancy->figures[i] != figure)
      explain_in (occupancy, &occupancy->figures[i], &extent);
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

static inline double
sum (const float lanes[LANES])
{
  double total = 0.0;

  for (int k = 0; k < LANES; k++)
    total += lanes[k];
  return total;
}

/* Returns how good a figure is by what it explains that is unexplained, the logarithm of the foreground's likelihood
 * ratio: 1 where it is all that one alone would be. Where it is certainly less than `least`, returns -INFINITY. */
static inline double
worth (const GstCcaOccupancy *occupancy, const GstCcaShape *shape, int columns, int rows, const GstCcaFigure *figure,
       double least)
{
  const GstCcaTrackerFrame *frame = occupancy->frame;
  const uint8_t *coverage = frame->coverage;
  const float *unexplained = occupancy->unexplained;
  const double pixels = (double) frame->cell * frame->cell;
  int cells[COLUMNS], row_cells[ROWS], counts[GST_CCA_SILHOUETTE_POINTS];
  float odds[GST_CCA_SILHOUETTE_POINTS], most[LANES] = { 0.0f }, gain[LANES] = { 0.0f };
  double nothing = shape->nothing, whole = shape->whole, extra;
  size_t n = 0;
  bool inside;

  indices (point_x (figure->x, figure->height, 0, columns) / frame->cell,
           2.0 * FIELD_SIDE * figure->height / (columns * frame->cell), columns, (int) frame->columns, cells);
  indices (point_y (figure->foot, figure->height, 0, rows) / frame->cell,
           (FIELD_ABOVE + FIELD_BELOW) * figure->height / (rows * frame->cell), rows, (int) frame->rows, row_cells);
  inside = cells[0] >= 0 && cells[columns - 1] >= 0 && row_cells[0] >= 0 && row_cells[rows - 1] >= 0;
  for (int row = 0; row < rows; row++) {
    const size_t place = (size_t) row_cells[row] * frame->columns;

    for (size_t i = shape->first[row]; i < shape->end[row]; i++, n++)
      if (inside || (row_cells[row] >= 0 && cells[i] >= 0)) {
        counts[n] = coverage[place + cells[i]];
        odds[n] = unexplained[place + cells[i]];
      } else {
        counts[n] = 0;
        odds[n] = 0.0f;
        nothing -= shape->miss[n];
        whole -= shape->expected[n];
      }
  }
  if (whole <= LEAST_VISIBLE * shape->whole)
    return -INFINITY;
  for (; n % LANES > 0; n++) {
    counts[n] = 0;
    odds[n] = 0.0f;
  }
  extra = bonus (occupancy, figure);
  for (size_t i = 0; i < n; i += LANES)
    for (int k = 0; k < LANES; k++)
      most[k] += (float) counts[i + k] * shape->weight[i + k];
  if ((sum (most) / pixels + nothing) / whole + extra < least - ROUNDING)
    return -INFINITY;
  for (size_t i = 0; i < n; i += LANES)
    for (int k = 0; k < LANES; k++)
      gain[k] += (float) counts[i + k] * (evidence (shape->probability[i + k], odds[i + k]) - shape->miss[i + k]);
  return (sum (gain) / pixels + nothing) / whole + extra;
}

static double
coarse_worth (const GstCcaOccupancy *occupancy, const GstCcaFigure *figure, double least)
{
  return worth (occupancy, &occupancy->coarse, COLUMNS / 2, ROWS / 2, figure, least);
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

static double
height_at (const GstCcaOccupancy *occupancy, double x, double foot)
{
  return gst_cca_max (gst_cca_sizes_height (occupancy->sizes, x, foot), 1.0);
}

/* Lists the places in an area where much is foreground, in steps of heights, with their worth beside the figures that
 * there are. */
static void
list_places (GstCcaOccupancy *occupancy, const GstCcaBox *area)
{
  double height;

  occupancy->n_places = 0;
  for (double foot = area->min[1]; foot <= area->max[1]; foot += STEP * height) {
    height = height_at (occupancy, (area->min[0] + area->max[0]) / 2.0, foot);
    for (double x = area->min[0]; x <= area->max[0]; x += STEP * height) {
      const GstCcaFigure figure = { .x = x, .foot = foot, .height = height_at (occupancy, x, foot), .scale = 1.0 };
      GstCcaPlace place = { figure, 0.0, occupancy->n };
      const GstCcaBox box = gst_cca_occupancy_box (occupancy, &place.figure);

      if (gst_cca_coverage_count (occupancy->coverage, &box) < LEAST_FILLED * gst_cca_box_area (&box))
        continue;
      place.worth = coarse_worth (occupancy, &place.figure, LEAST_COARSE);
      if (place.worth < LEAST_COARSE)
        continue;
      /* The estimate of how many there are is too low where heights fall downwards. */
      if (occupancy->n_places == GST_CCA_MOST_PLACES)
        return;
      occupancy->places[occupancy->n_places++] = place;
    }
  }
}

/* Returns the best place beside the figures that there are; NULL if there is none. A figure makes the others' worth
 * less, never more: what was found before one was added is a bound, and few places need to be looked at again. */
static const GstCcaPlace *
best_place (GstCcaOccupancy *occupancy)
{
  for (;;) {
    GstCcaPlace *best = NULL;

    for (size_t i = 0; i < occupancy->n_places; i++)
      if (best == NULL || occupancy->places[i].worth > best->worth)
        best = &occupancy->places[i];
    if (best == NULL || best->n_others == occupancy->n)
      return best;
    best->worth = coarse_worth (occupancy, &best->figure, -INFINITY);
    best->n_others = occupancy->n;
  }
}

/* Returns a figure's worth, which is less the more its height differs from that of objects there. */
static double
usual_worth (const GstCcaOccupancy *occupancy, GstCcaFigure *figure, double least)
{
  const double unusual = UNUSUAL * (figure->scale - 1.0) * (figure->scale - 1.0);

  figure->height = figure->scale * height_at (occupancy, figure->x, figure->foot);
  return worth (occupancy, &occupancy->fine, COLUMNS, ROWS, figure, least + unusual) - unusual;
}

/* Improves a figure's place and its height, along one axis after the other, and returns its worth. */
static double
refine (const GstCcaOccupancy *occupancy, GstCcaFigure *figure)
{
  static const struct
  {
    double x, foot, scale; /* steps: from where it is, but the scale from 1 */
  } axes[] = { { 0.04, 0.0, 0.0 }, { 0.0, 0.04, 0.0 }, { 0.0, 0.0, 0.06 }, { 0.0133, 0.0, 0.0 }, { 0.0, 0.0133, 0.0 } };
  double most = usual_worth (occupancy, figure, -INFINITY);

  for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
    const GstCcaFigure middle = *figure;
    const int reach = axes[i].scale > 0.0 ? 2 : 3;

    for (int k = -reach; k <= reach; k++) {
      GstCcaFigure tried = middle;
      double value;

      if (k == 0 && (axes[i].scale <= 0.0 || middle.scale == 1.0))
        continue;
      tried.x += k * axes[i].x * middle.height;
      tried.foot += k * axes[i].foot * middle.height;
      if (axes[i].scale > 0.0)
        tried.scale = 1.0 + k * axes[i].scale;
      value = usual_worth (occupancy, &tried, most);
      if (value > most) {
        most = value;
        *figure = tried;
      }
    }
  }
  return most;
}

/* Improves the first n figures, and drops those that the others explain. */
static void
settle (GstCcaOccupancy *occupancy, size_t n)
{
  for (size_t i = n; i-- > 0;) {
    GstCcaFigure *figure = &occupancy->figures[i];

    use_hint (occupancy, figure, false);
    leave (occupancy, figure);
    if (refine (occupancy, figure) >= LEAST_GAIN) {
      use_hint (occupancy, figure, true);
      explain (occupancy, figure);
      continue;
    }
    occupancy->n--;
    memmove (figure, figure + 1, (occupancy->n - i) * sizeof *figure);
  }
}

/* Begins with the figures that are expected in an area. The best single one would often stand between two people, and
 * leave no room for them. */
static void
expect (GstCcaOccupancy *occupancy, const GstCcaBox *area)
{
  for (size_t i = 0; i < occupancy->n_hints && occupancy->n < GST_CCA_MOST_FIGURES; i++) {
    GstCcaHint *hint = &occupancy->hints[i];

    if (hint->used || hint->x < area->min[0] || hint->x > area->max[0] || hint->foot < area->min[1]
        || hint->foot > area->max[1])
      continue;
    hint->used = true;
    occupancy->figures[occupancy->n] = (GstCcaFigure) {
      .x = hint->x, .foot = hint->foot, .height = height_at (occupancy, hint->x, hint->foot), .scale = 1.0
    };
    explain (occupancy, &occupancy->figures[occupancy->n++]);
  }
  settle (occupancy, occupancy->n);
}

void
gst_cca_occupancy_find (GstCcaOccupancy *occupancy, const GstCcaBox *box)
{
  const double x = (box->min[0] + box->max[0]) / 2.0;
  const double low = height_at (occupancy, x, box->min[1]), high = height_at (occupancy, x, box->max[1]);
  const double below = box->max[1] >= occupancy->frame->height ? BELOW_CUT : BELOW;
  const GstCcaBox area = { { box->min[0] - ASIDE * high, box->min[1] + HIGHEST * low },
                           { box->max[0] + ASIDE * high, box->max[1] + below * high } };
  const double side = STEP * gst_cca_min (low, high);
  const double columns = (area.max[0] - area.min[0]) / side + 1.0, rows = (area.max[1] - area.min[1]) / side + 1.0;
  const GstCcaPlace *place;

  occupancy->n = 0;
  if (columns * rows > GST_CCA_MOST_PLACES)
    return;
  expect (occupancy, &area);
  list_places (occupancy, &area);
  while (occupancy->n < GST_CCA_MOST_FIGURES && (place = best_place (occupancy)) != NULL) {
    GstCcaFigure *figure = &occupancy->figures[occupancy->n];

    *figure = place->figure;
    if (refine (occupancy, figure) < LEAST_GAIN)
      break;
    use_hint (occupancy, figure, true);
    explain (occupancy, figure);
    occupancy->n++;
  }
  settle (occupancy, occupancy->n > 0 ? occupancy->n - 1 : 0);
  for (size_t i = 0; i < occupancy->n; i++)
    clear (occupancy, &occupancy->figures[i]);
}
