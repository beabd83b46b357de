/* gst-cca: where upright objects of known size stand in the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "figures.h"

#include "array.h"

#define COLUMNS GST_CCA_SILHOUETTE_COLUMNS
#define ROWS GST_CCA_SILHOUETTE_ROWS
#define POINTS (COLUMNS * ROWS)

/* The silhouette's field, in heights of the object: to either side of the middle, above and below the foot. */
#define FIELD_SIDE 0.4
#define FIELD_ABOVE 1.1
#define FIELD_BELOW 0.1

/* The probability that a pixel is foreground where no object is; a silhouette's is between these. */
#define CLUTTER 0.03f
#define LEAST_PROBABILITY 0.05f
#define MOST_PROBABILITY 0.85f

/* Objects stand upright, and their shape shows where one ends and the next begins. */
#define UPRIGHT 0.75
#define SOLID 0.7

/* A component that is a single object, in sizes of one. */
#define SINGLE_WIDTH 1.3
#define SINGLE_LOW 0.75
#define SINGLE_HIGH 1.2

/* Components belong together that are not farther apart than this part of an object's height. */
#define GAP 0.2

#define MOST_FIGURES 12
#define MOST_CANDIDATES 3000

/* Steps of the search, in heights. */
#define STEP_X 0.08
#define STEP_Y 0.08

/* Places are not looked at where less than this part of a box is foreground. */
#define LEAST_FILLED 0.2

/* A figure must explain so much of what one that stands alone does; an expected one counts so much more, within a
 * distance (in heights) of where it is expected. */
#define LEAST_GAIN 0.38
#define EXPECTED 0.2
#define EXPECTED_WITHIN 0.15

/* Figures must explain so much of their components. */
#define EXPLAINED 0.6

typedef struct
{
  double x, foot, height;
  double gain, whole; /* what it explains; what it would explain alone */
} Figure;

typedef struct
{
  const GstCcaTrackerFrame *frame;
  const GstCcaSizes *sizes;
  const GstCcaCoverage *coverage;
  double cells; /* a pixel */
  GstCcaHint *hints;
  size_t n_hints;
  Figure figures[MOST_FIGURES];
  size_t n;
  float alone[POINTS], miss[POINTS], silhouette[POINTS], expected[POINTS];
} Fit;

void
gst_cca_figures_clear (GstCcaFigures *figures)
{
  free (figures->detections);
  free (figures->clusters);
}

/* Returns the part of the pixels around a point that are foreground, or -1 outside of the frame. */
static float
foreground_at (const GstCcaTrackerFrame *frame, double x, double y)
{
  if (x < 0.0 || y < 0.0 || x >= frame->width || y >= frame->height)
    return -1.0f;
  return frame->coverage[(size_t) (y / frame->cell) * frame->columns + (size_t) (x / frame->cell)]
         / (float) (frame->cell * frame->cell);
}

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

bool
gst_cca_figures_sample (const GstCcaTrackerFrame *frame, const GstCcaBox *box, uint8_t *silhouette)
{
  const double x = (box->min[0] + box->max[0]) / 2.0, height = box->max[1] - box->min[1];

  if (frame->coverage == NULL)
    return false;
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++) {
      const float part = foreground_at (frame, point_x (x, height, column), point_y (box->max[1], height, row));

      silhouette[row * COLUMNS + column] = (uint8_t) (255.0f * (part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part));
    }
  return true;
}

/* Which of a figure's columns, or rows, a coordinate of another's lies in; -1: in none. */
static int
index_in (double offset, double scale, int n)
{
  const double place = offset * scale;

  return place >= 0.0 && place < n ? (int) place : -1;
}

typedef struct
{
  int columns[COLUMNS], rows[ROWS];
} Overlap;

/* Finds where the points of a figure lie in another. Returns whether any does. */
static bool
overlap (const Figure *figure, const Figure *other, Overlap *overlap)
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
evaluate (const Fit *fit, Figure *figure, size_t self, int stride)
{
  const GstCcaTrackerFrame *frame = fit->frame;
  const float part_of_cell = 1.0f / (float) (frame->cell * frame->cell);
  Overlap overlaps[MOST_FIGURES];
  int cells[COLUMNS];
  size_t n = 0;

  for (size_t i = 0; i < fit->n; i++)
    n += i != self && overlap (figure, &fit->figures[i], &overlaps[n]);
  for (int i = stride / 2; i < COLUMNS; i += stride)
    cells[i] = index_in (point_x (figure->x, figure->height, i), fit->cells, (int) frame->columns);
  figure->gain = figure->whole = 0.0;
  for (int row = stride / 2; row < ROWS; row += stride) {
    const int cell = index_in (point_y (figure->foot, figure->height, row), fit->cells, (int) frame->rows);
    const uint8_t *line = frame->coverage + (size_t) cell * frame->columns;
    float gain = 0.0f, whole = 0.0f;

    if (cell < 0)
      continue;
    for (int column = stride / 2; column < COLUMNS; column += stride) {
      const int point = row * COLUMNS + column;
      const float own = fit->silhouette[point];
      float part, none = 1.0f - CLUTTER, explained = fit->alone[point];

      if (own <= 0.0f || cells[column] < 0)
        continue;
      part = line[cells[column]] * part_of_cell;
      whole += fit->expected[point];
      if (part <= 0.0f) {
        gain += fit->miss[point];
        continue;
      }
      for (size_t i = 0; i < n; i++)
        if (overlaps[i].columns[column] >= 0 && overlaps[i].rows[row] >= 0)
          none *= 1.0f - fit->silhouette[overlaps[i].rows[row] * COLUMNS + overlaps[i].columns[column]];
      if (none < 1.0f - CLUTTER)
        explained = logf ((1.0f - none * (1.0f - own)) / (1.0f - none));
      gain += part * explained + (1.0f - part) * fit->miss[point];
    }
    figure->gain += gain;
    figure->whole += whole;
  }
}

/* Returns what the track nearest to a figure adds to its gain. */
static double
bonus (const Fit *fit, const Figure *figure)
{
  double most = 0.0;

  for (size_t i = 0; i < fit->n_hints; i++) {
    const GstCcaHint *hint = &fit->hints[i];
    const double x = (hint->x - figure->x) / (EXPECTED_WITHIN * figure->height);
    const double y = (hint->foot - figure->foot) / (EXPECTED_WITHIN * figure->height);

    if (!hint->used && x * x + y * y < 9.0)
      most = gst_cca_max (most, exp (-0.5 * (x * x + y * y)));
  }
  return EXPECTED * most;
}

/* Returns how good a figure is: 1 where it is all that one alone would be. */
static double
worth (const Fit *fit, const Figure *figure, double visible)
{
  return figure->whole > visible ? figure->gain / figure->whole + bonus (fit, figure) : -INFINITY;
}

static void
use_hint (Fit *fit, const Figure *figure, bool used)
{
  GstCcaHint *best = NULL;
  double least = 9.0;

  for (size_t i = 0; i < fit->n_hints; i++) {
    GstCcaHint *hint = &fit->hints[i];
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

static GstCcaBox
box_of_figure (const Fit *fit, const Figure *figure)
{
  const double width = fit->sizes->width * figure->height;

  return (GstCcaBox) { { figure->x - width / 2.0, figure->foot - figure->height },
                       { figure->x + width / 2.0, figure->foot } };
}

static void
search (const Fit *fit, Figure *best, size_t self, const GstCcaBox *area, double step_x, double step_y, int stride)
{
  double most = -INFINITY, whole = 0.0;
  Figure found = *best;

  for (int i = 0; i < POINTS; i++)
    whole += fit->expected[i];
  whole = 0.3 * whole / (stride * stride);
  for (double foot = area->min[1]; foot <= area->max[1];) {
    const double height = gst_cca_sizes_height (fit->sizes, foot);

    for (double x = area->min[0]; x <= area->max[0]; x += step_x * height) {
      Figure tried = { .x = x, .foot = foot, .height = height };
      const GstCcaBox box = box_of_figure (fit, &tried);
      double value;

      if (gst_cca_coverage_count (fit->coverage, &box) < LEAST_FILLED * gst_cca_box_area (&box))
        continue;

      evaluate (fit, &tried, self, stride);
      value = worth (fit, &tried, whole);
      if (value > most) {
        most = value;
        found = tried;
      }
    }
    foot += step_y * height;
  }
  *best = found;
}

/* Improves a figure's place, along one axis after the other, and returns its worth. */
static double
refine (const Fit *fit, Figure *figure, size_t self)
{
  static const double steps[] = { 0.04, 0.04, 0.0133, 0.0133 };

  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const double step = steps[i] * figure->height, r = 3.01 * step;
    const bool along_x = i % 2 == 0;
    const GstCcaBox area = { { figure->x - (along_x ? r : 0.0), figure->foot - (along_x ? 0.0 : r) },
                             { figure->x + (along_x ? r : 0.0), figure->foot + (along_x ? 0.0 : r) } };

    search (fit, figure, self, &area, steps[i], steps[i], 1);
  }
  return worth (fit, figure, 1e-9);
}

static void
fit_cluster (Fit *fit, const GstCcaBox *box)
{
  const GstCcaTrackerFrame *frame = fit->frame;
  const double low = gst_cca_sizes_height (fit->sizes, box->min[1]), high = gst_cca_sizes_height (fit->sizes, box->max[1]);
  const bool cut = box->max[1] >= frame->height;
  const GstCcaBox area = { { box->min[0] - 0.1 * high, box->min[1] + 0.5 * low },
                           { box->max[0] + 0.1 * high, box->max[1] + (cut ? 0.4 : 0.08) * high } };

  fit->n = 0;
  if ((area.max[0] - area.min[0]) / (STEP_X * low) * (area.max[1] - area.min[1]) / (STEP_Y * low) > MOST_CANDIDATES)
    return;
  while (fit->n < MOST_FIGURES) {
    Figure *figure = &fit->figures[fit->n];

    *figure = (Figure) { .height = high };
    search (fit, figure, fit->n, &area, STEP_X, STEP_Y, 2);
    if (figure->gain <= 0.0 || refine (fit, figure, fit->n) < LEAST_GAIN) {
      break;
    }
    use_hint (fit, figure, true);
    fit->n++;
  }
  for (size_t i = fit->n; i-- > 0;) {
    use_hint (fit, &fit->figures[i], false);
    if (refine (fit, &fit->figures[i], i) < LEAST_GAIN) {
      for (size_t k = i + 1; k < fit->n; k++)
        fit->figures[k - 1] = fit->figures[k];
      fit->n--;
    } else
      use_hint (fit, &fit->figures[i], true);
  }
}

static GstCcaBox
box_of_component (const GstCcaTrackerComponent *c)
{
  return (GstCcaBox) { { c->x, c->y }, { (double) c->x + c->width, (double) c->y + c->height } };
}

static double
area_of_component (const GstCcaTrackerComponent *c)
{
  return c->area > 0 ? (double) c->area : (double) c->width * c->height;
}

static void
add (GstCcaFigures *figures, const GstCcaBox *box, double area, uint32_t component, bool single, bool estimated)
{
  figures->detections[figures->n++] = (GstCcaDetection) { *box, area, component, single, estimated };
}

static void
add_component (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, uint32_t component, bool single)
{
  const GstCcaTrackerComponent *c = &frame->components[component];
  const GstCcaBox box = box_of_component (c);

  add (figures, &box, area_of_component (c), component, single, false);
}

/* Returns the foreground pixels that two boxes share. */
static double
pixels_in (const Fit *fit, const GstCcaBox *a, const GstCcaBox *b)
{
  GstCcaBox both;

  for (int i = 0; i < 2; i++) {
    both.min[i] = gst_cca_max (a->min[i], b->min[i]);
    both.max[i] = gst_cca_min (a->max[i], b->max[i]);
    if (both.max[i] <= both.min[i])
      return 0.0;
  }
  return gst_cca_coverage_count (fit->coverage, &both);
}

static bool
is_single (const GstCcaSizes *sizes, const GstCcaBox *box)
{
  const double height = gst_cca_sizes_height (sizes, box->max[1]), width = sizes->width * height;

  return box->max[0] - box->min[0] <= SINGLE_WIDTH * width && box->max[1] - box->min[1] >= SINGLE_LOW * height
         && box->max[1] - box->min[1] <= SINGLE_HIGH * height;
}

static bool
is_large (const GstCcaSizes *sizes, const GstCcaBox *box)
{
  const double height = gst_cca_sizes_height (sizes, box->max[1]), width = sizes->width * height;

  return box->max[0] - box->min[0] > SINGLE_WIDTH * width || box->max[1] - box->min[1] > SINGLE_HIGH * height;
}

/* Makes detections of a cluster's components. */
static void
detect (GstCcaFigures *figures, Fit *fit, uint32_t cluster)
{
  const GstCcaTrackerFrame *frame = fit->frame;
  GstCcaBox box = { { 0 }, { 0 } }, boxes[MOST_FIGURES], joined[MOST_FIGURES];
  double own[MOST_FIGURES], shared[MOST_FIGURES], most[MOST_FIGURES], total = 0.0, explained = 0.0;
  uint32_t largest[MOST_FIGURES];
  size_t n = 0;
  const size_t first = figures->n;

  for (uint32_t i = 0; i < frame->n_components; i++)
    if (figures->clusters[i] == cluster) {
      const GstCcaBox c = box_of_component (&frame->components[i]);

      box = n++ > 0 ? gst_cca_box_join (&box, &c) : c;
    }
  if (n == 0)
    return;
  if (gst_cca_sizes_know (fit->sizes, box.max[1]) && !(n == 1 && is_single (fit->sizes, &box))
      && (n > 1 || is_large (fit->sizes, &box)))
    fit_cluster (fit, &box);
  else
    fit->n = 0;
  for (size_t i = 0; i < fit->n; i++) {
    boxes[i] = box_of_figure (fit, &fit->figures[i]);
    own[i] = shared[i] = most[i] = 0.0;
    largest[i] = 0;
  }
  for (uint32_t i = 0; i < frame->n_components; i++) {
    const GstCcaTrackerComponent *c = &frame->components[i];
    const GstCcaBox part = box_of_component (c);
    const double area = area_of_component (c);
    double sum = 0.0, best = 0.0;
    size_t mine = 0;

    if (figures->clusters[i] != cluster)
      continue;
    for (size_t k = 0; k < fit->n; k++) {
      const GstCcaBox grown = gst_cca_box_grow (&boxes[k], 0.12 * fit->figures[k].height);
      const double inside = pixels_in (fit, &part, &grown) / area;
      const double pixels = pixels_in (fit, &part, &boxes[k]);

      if (pixels > most[k]) {
        most[k] = pixels;
        largest[k] = i;
      }
      sum += pixels / area;
      if (inside > best) {
        best = inside;
        mine = k;
      }
    }
    total += area_of_component (c);
    explained += gst_cca_min (sum, 1.0) * area_of_component (c);
    if (best >= 0.9 && sum < 1.15) {
      joined[mine] = own[mine] > 0.0 ? gst_cca_box_join (&joined[mine], &part) : part;
      own[mine] += area_of_component (c);
    } else if (sum < 0.3)
      add_component (figures, frame, i, false);
    else
      for (size_t k = 0; k < fit->n; k++)
        shared[k] += pixels_in (fit, &part, &boxes[k]);
  }
  if (fit->n == 0 || explained < EXPLAINED * total) {
    figures->n = first;
    for (uint32_t i = 0; i < frame->n_components; i++)
      if (figures->clusters[i] == cluster)
        add_component (figures, frame, i, is_single (fit->sizes, &box));
    return;
  }
  for (size_t k = 0; k < fit->n; k++)
    if (own[k] > 0.0 && shared[k] < 0.2 * own[k]
        && is_single (fit->sizes, &joined[k]))
      add (figures, &joined[k], own[k], largest[k], true, false);
    else
      add (figures, &boxes[k], own[k] + shared[k], largest[k], true, true);
}

/* Joins components that are near each other, and returns how many clusters they are. */
static void
cluster (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, const GstCcaSizes *sizes)
{
  for (uint32_t i = 0; i < frame->n_components; i++)
    figures->clusters[i] = i;
  for (uint32_t i = 0; i < frame->n_components; i++) {
    const GstCcaBox box = box_of_component (&frame->components[i]);
    const GstCcaBox near = gst_cca_box_grow (&box, GAP * gst_cca_sizes_height (sizes, box.max[1]));

    for (uint32_t k = 0; k < i; k++) {
      const GstCcaBox other = box_of_component (&frame->components[k]);
      const uint32_t from = figures->clusters[i], to = figures->clusters[k];

      if (from == to || !gst_cca_box_touches (&near, &other))
        continue;
      for (uint32_t j = 0; j <= i; j++)
        if (figures->clusters[j] == from)
          figures->clusters[j] = to;
    }
  }
}

bool
gst_cca_figures_find (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, const GstCcaCoverage *coverage,
                      const GstCcaSizes *sizes, GstCcaHint *hints, size_t n_hints)
{
  Fit fit = { .frame = frame, .sizes = sizes, .coverage = coverage, .cells = frame->cell ? 1.0 / frame->cell : 0.0, .hints = hints, .n_hints = n_hints };

  figures->n = 0;
  if (!GST_CCA_RESERVE (figures->detections, figures->room, frame->n_components * (MOST_FIGURES + 1))
      || !GST_CCA_RESERVE (figures->clusters, figures->clusters_room, frame->n_components))
    return false;
  if (!sizes->known || sizes->aspect > UPRIGHT || sizes->filled > SOLID || !sizes->has_silhouette
      || frame->coverage == NULL || frame->n_components > 200) {
    for (uint32_t i = 0; i < frame->n_components; i++)
      add_component (figures, frame, i, false);
    return true;
  }
  for (int i = 0; i < POINTS; i++) {
    const float p = sizes->silhouette[i];
    const float bounded = p < LEAST_PROBABILITY ? 0.0f : p > MOST_PROBABILITY ? MOST_PROBABILITY : p;

    fit.silhouette[i] = bounded;
    fit.alone[i] = logf ((1.0f - (1.0f - CLUTTER) * (1.0f - bounded)) / CLUTTER);
    fit.miss[i] = logf (1.0f - bounded);
    fit.expected[i] = bounded * fit.alone[i] + (1.0f - bounded) * fit.miss[i];
  }
  cluster (figures, frame, sizes);
  for (uint32_t i = 0; i < frame->n_components; i++)
    detect (figures, &fit, i);
  return true;
}
