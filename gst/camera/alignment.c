/* gst-cca: where a camera's view went
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "alignment.h"

#include <math.h>
#include <string.h>

#define LARGEST_SHIFT 0.3
#define LARGEST_SHIFT_ROLLED 0.15
#define ANGLE_STEP 5.0
#define ANGLES 4 /* steps to either side */
#define SCALE_STEP 0.1
#define N_CANDIDATES 12
#define N_ROLLED 4                                               /* of them, where they are rolled or zoomed */
#define LEAST_ENERGY (CCA_PICTURE_SPAN * CCA_PICTURE_SPAN * 1.0) /* of gradients: a grey level; noise has less */
#define LEAST_PART 0.15                                          /* of the grid that both show */

#define MOST_COLUMNS (CCA_PICTURE_MOST_COLUMNS / 2)
#define MOST_ROWS (CCA_PICTURE_MOST_ROWS / 2)

/* Samples of a frame, and how far they are apart in pixels. */
typedef struct
{
  int columns, rows;
  double spacing_x, spacing_y;
  float samples[CCA_PICTURE_MOST];
} Level;

/* Gradients of a frame; rolled, those of a convex part of it are known. */
typedef struct
{
  int columns, rows;
  int from[CCA_PICTURE_MOST_ROWS], to[CCA_PICTURE_MOST_ROWS]; /* of the known ones in a row: [from, to) */
  int16_t gradients[2 * CCA_PICTURE_MOST];                    /* to the right and downwards, in turn */
  int32_t energy[CCA_PICTURE_MOST + CCA_PICTURE_MOST_ROWS];   /* the sums of squares before each place of a row */
} Field;

typedef struct
{
  double correlation;
  int x, y; /* samples */
  double angle, scale;
} Candidate;

static int
larger (int a, int b)
{
  return a > b ? a : b;
}

static int
smaller (int a, int b)
{
  return a < b ? a : b;
}

/* --- Levels and fields --------------------------------------------------------------------------------- */

/* Returns how many samples are averaged along a side, to get at most `most`. */
static int
step_for (uint32_t n, int most)
{
  return larger (1, ((int) n + most - 1) / most);
}

static void
make_level (Level *level, const CcaPictureGrid *grid, const int16_t *samples, int most_columns, int most_rows)
{
  const int step_x = step_for (grid->columns, most_columns), step_y = step_for (grid->rows, most_rows);

  level->columns = (int) grid->columns / step_x;
  level->rows = (int) grid->rows / step_y;
  level->spacing_x = step_x * (double) (grid->width - grid->span) / larger (1, (int) grid->columns - 1);
  level->spacing_y = step_y * (double) (grid->height - 1) / larger (1, (int) grid->rows - 1);
  for (int y = 0; y < level->rows; y++)
    for (int x = 0; x < level->columns; x++) {
      int sum = 0;

      for (int j = 0; j < step_y; j++)
        for (int i = 0; i < step_x; i++)
          sum += samples[(y * step_y + j) * (int) grid->columns + x * step_x + i];
      level->samples[y * level->columns + x] = (float) sum / (float) (step_x * step_y);
    }
}

/* Rolls and zooms samples around the frame's middle. Those that come from outside are NAN. */
static void
warp (float *warped, const Level *level, double angle, double scale)
{
  const double turn = angle * M_PI / 180, aspect = level->spacing_y / level->spacing_x;
  const double cosine = cos (turn) / scale, sine = sin (turn) / scale;
  const double middle_x = (level->columns - 1) / 2.0, middle_y = (level->rows - 1) / 2.0;

  for (int y = 0; y < level->rows; y++)
    for (int x = 0; x < level->columns; x++) {
      const double from_x = middle_x + cosine * (x - middle_x) + sine * aspect * (y - middle_y);
      const double from_y = middle_y - sine / aspect * (x - middle_x) + cosine * (y - middle_y);
      const int left = (int) from_x, top = (int) from_y;
      const float part_x = (float) (from_x - left), part_y = (float) (from_y - top);
      const float *at = &level->samples[top * level->columns + left];
      float *to = &warped[y * level->columns + x];

      if (from_x < 0 || from_y < 0 || left + 1 >= level->columns || top + 1 >= level->rows)
        *to = NAN;
      else
        *to = (1 - part_y) * ((1 - part_x) * at[0] + part_x * at[1])
              + part_y * ((1 - part_x) * at[level->columns] + part_x * at[level->columns + 1]);
    }
}

/* Factors of the gradients in each direction, so that both weigh the same; at most 1. */
typedef struct
{
  float x, y;
} Balance;

/* Makes the gradients of samples, which are NAN where they are not known. */
static void
make_field (Field *field, const float *samples, int columns, int rows, Balance balance)
{
  field->columns = columns - 1;
  field->rows = rows - 1;
  for (int y = 0; y < field->rows; y++) {
    const float *at = &samples[y * columns];
    int16_t *gradients = &field->gradients[2 * y * field->columns];
    int32_t *energy = &field->energy[y * columns];
    int from = 0, to = field->columns;

    while (from < to && isnan (at[from] + at[from + 1] + at[from + columns]))
      from++;
    while (from < to && isnan (at[to - 1] + at[to] + at[to - 1 + columns]))
      to--;
    field->from[y] = from;
    field->to[y] = to;
    for (int x = from; x < to; x++) {
      gradients[2 * x] = (int16_t) (balance.x * (at[x + 1] - at[x]));
      gradients[2 * x + 1] = (int16_t) (balance.y * (at[x + columns] - at[x]));
    }
    energy[from] = 0;
    for (int x = from; x < to; x++)
      energy[x + 1] = energy[x] + gradients[2 * x] * gradients[2 * x] + gradients[2 * x + 1] * gradients[2 * x + 1];
  }
}

/* Returns the balance of a field, all of which is known. */
static Balance
balance_of (const Field *field)
{
  double right = 0, down = 0, least;

  for (int i = 0; i < field->columns * field->rows; i++) {
    right += field->gradients[2 * i] * field->gradients[2 * i];
    down += field->gradients[2 * i + 1] * field->gradients[2 * i + 1];
  }
  right = fmax (right / (field->columns * field->rows), LEAST_ENERGY);
  down = fmax (down / (field->columns * field->rows), LEAST_ENERGY);
  least = fmin (right, down);
  return (Balance) { (float) sqrt (least / right), (float) sqrt (least / down) };
}

/* --- Search --------------------------------------------------------------------------------------------- */

/* Of the part that both show if the picture, all of which is known, is moved by (shift_x, shift_y) samples. */
static double
correlation_at (const Field *reference, const Field *picture, int shift_x, int shift_y)
{
  const int columns = reference->columns, left = larger (0, -shift_x), right = columns - larger (0, shift_x);
  double products = 0, of_reference = 0, of_picture = 0, n = 0;

  for (int y = larger (0, -shift_y); y < reference->rows - larger (0, shift_y); y++) {
    const int from = larger (left, reference->from[y]), to = smaller (right, reference->to[y]);
    const int16_t *r = &reference->gradients[2 * (y * columns + from)];
    const int16_t *p = &picture->gradients[2 * ((y + shift_y) * columns + from + shift_x)];
    const int32_t *of_r = &reference->energy[y * (columns + 1)];
    const int32_t *of_p = &picture->energy[(y + shift_y) * (columns + 1) + shift_x];
    int32_t product = 0;

    if (from >= to)
      continue;
    for (int i = 0; i < 2 * (to - from); i++)
      product += r[i] * p[i];
    products += product;
    of_reference += of_r[to] - of_r[from];
    of_picture += of_p[to] - of_p[from];
    n += to - from;
  }
  if (n < LEAST_PART * columns * reference->rows || of_reference <= 0 || of_picture <= 0)
    return -1;
  return products / sqrt (of_reference * of_picture);
}

/* Keeps the best candidates, each at its own place. */
static void
offer (Candidate *best, const Candidate *candidate)
{
  int i = N_CANDIDATES - 1;

  for (int j = 0; j < N_CANDIDATES; j++)
    if (best[j].angle == candidate->angle && best[j].scale == candidate->scale && best[j].correlation > -1
        && larger (best[j].x - candidate->x, candidate->x - best[j].x) <= 1
        && larger (best[j].y - candidate->y, candidate->y - best[j].y) <= 1) {
      if (best[j].correlation >= candidate->correlation)
        return;
      i = j;
      break;
    }
  if (candidate->correlation <= best[i].correlation)
    return;
  for (; i > 0 && best[i - 1].correlation < candidate->correlation; i--)
    best[i] = best[i - 1];
  best[i] = *candidate;
}

/* Offers the shifts of a window. */
static void
search (Candidate *best, const Field *reference, const Field *picture, double angle, double scale, int middle_x,
        int middle_y, int most_x, int most_y)
{
  for (int y = middle_y - most_y; y <= middle_y + most_y; y++)
    for (int x = middle_x - most_x; x <= middle_x + most_x; x++) {
      const Candidate candidate = { correlation_at (reference, picture, x, y), x, y, angle, scale };

      offer (best, &candidate);
    }
}

static void
no_candidates (Candidate *best)
{
  for (int i = 0; i < N_CANDIDATES; i++)
    best[i] = (Candidate) { .correlation = -1, .scale = 1 };
}

/* A level of the reference and of the picture, and their fields: the reference's is rolled and zoomed. */
typedef struct
{
  Level reference, picture;
  Field of_reference, of_picture;
  Balance balance;
  double angle, scale;
} Pair;

static void
make_pair (Pair *pair, const CcaPictureGrid *grid, const int16_t *reference, const int16_t *samples, int columns,
           int rows)
{
  make_level (&pair->reference, grid, reference, columns, rows);
  make_level (&pair->picture, grid, samples, columns, rows);
  make_field (&pair->of_reference, pair->reference.samples, pair->reference.columns, pair->reference.rows,
              (Balance) { 1, 1 });
  pair->balance = balance_of (&pair->of_reference);
  make_field (&pair->of_reference, pair->reference.samples, pair->reference.columns, pair->reference.rows,
              pair->balance);
  make_field (&pair->of_picture, pair->picture.samples, pair->picture.columns, pair->picture.rows, pair->balance);
  pair->angle = 0;
  pair->scale = 1;
}

static void
roll (Pair *pair, double angle, double scale)
{
  float warped[CCA_PICTURE_MOST];

  if (angle == pair->angle && scale == pair->scale)
    return;
  pair->angle = angle;
  pair->scale = scale;
  if (angle != 0 || scale != 1)
    warp (warped, &pair->reference, angle, scale);
  make_field (&pair->of_reference, angle != 0 || scale != 1 ? warped : pair->reference.samples, pair->reference.columns,
              pair->reference.rows, pair->balance);
}

static void
search_shifts (Candidate *best, Pair *pair)
{
  search (best, &pair->of_reference, &pair->of_picture, 0, 1, 0, 0, (int) (pair->reference.columns * LARGEST_SHIFT),
          (int) (pair->reference.rows * LARGEST_SHIFT));
}

static void
search_rolls (Candidate *best, Pair *pair)
{
  const int most_x = (int) (pair->reference.columns * LARGEST_SHIFT_ROLLED);
  const int most_y = (int) (pair->reference.rows * LARGEST_SHIFT_ROLLED);

  for (int i = -ANGLES; i <= ANGLES; i++)
    for (int j = -1; j <= 1; j++)
      if (i != 0 || j != 0) {
        roll (pair, i * ANGLE_STEP, 1 + j * SCALE_STEP);
        search (best, &pair->of_reference, &pair->of_picture, i * ANGLE_STEP, 1 + j * SCALE_STEP, 0, 0, most_x, most_y);
      }
}

/* Tries the candidates of a coarser level, whose steps were so many of this one. */
static void
try_candidates (Candidate *best, Pair *pair, const Candidate *coarse, int n, int step_x, int step_y)
{
  for (int i = 0; i < n && coarse[i].correlation > -1; i++) {
    roll (pair, coarse[i].angle, coarse[i].scale);
    search (best, &pair->of_reference, &pair->of_picture, coarse[i].angle, coarse[i].scale, coarse[i].x * step_x,
            coarse[i].y * step_y, step_x, step_y);
  }
}

/* Tries rolls and zooms beside the best candidate, if it has any. */
static void
refine (Candidate *best, Pair *pair)
{
  for (double step = 0.5; step >= 0.25; step /= 2) {
    const Candidate middle = best[0];

    for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++)
        if ((i != 0 || j != 0) && (middle.angle != 0 || middle.scale != 1)) {
          const double angle = middle.angle + i * step * ANGLE_STEP, scale = middle.scale + j * step * SCALE_STEP;

          roll (pair, angle, scale);
          search (best, &pair->of_reference, &pair->of_picture, angle, scale, middle.x, middle.y, 1, 1);
        }
  }
}

/* --- The result ------------------------------------------------------------------------------------------ */

/* The place of a peak between samples, by a parabola through it and its neighbours. */
static double
vertex (double before, double at, double after)
{
  const double curvature = before - 2 * at + after;

  return curvature < 0 ? fmax (-0.5, fmin (0.5, 0.5 * (before - after) / curvature)) : 0;
}

static void
set_shift (CcaAlignment *alignment, const Pair *pair, const Candidate *peak)
{
  const Field *reference = &pair->of_reference, *picture = &pair->of_picture;

  alignment->shift_x = pair->reference.spacing_x
                       * (peak->x
                          + vertex (correlation_at (reference, picture, peak->x - 1, peak->y), peak->correlation,
                                    correlation_at (reference, picture, peak->x + 1, peak->y)));
  alignment->shift_y = pair->reference.spacing_y
                       * (peak->y
                          + vertex (correlation_at (reference, picture, peak->x, peak->y - 1), peak->correlation,
                                    correlation_at (reference, picture, peak->x, peak->y + 1)));
}

CcaAlignment
cca_alignment_find (const CcaPictureGrid *grid, const int16_t *reference, const int16_t *samples, double enough)
{
  CcaAlignment alignment = { .correlation = -1, .here = -1, .scale = 1 };
  Candidate coarse[N_CANDIDATES], best[N_CANDIDATES], finest[N_CANDIDATES];
  Pair low, pair;
  int step_x, step_y;

  make_pair (&low, grid, reference, samples, MOST_COLUMNS / 2, MOST_ROWS / 2);
  if (low.of_reference.columns < 3 || low.of_reference.rows < 3)
    return alignment;
  make_pair (&pair, grid, reference, samples, MOST_COLUMNS, MOST_ROWS);
  alignment.here = correlation_at (&pair.of_reference, &pair.of_picture, 0, 0);
  step_x = pair.reference.columns / low.reference.columns;
  step_y = pair.reference.rows / low.reference.rows;
  no_candidates (best);
  no_candidates (coarse);
  search_shifts (coarse, &low);
  try_candidates (best, &pair, coarse, N_CANDIDATES, step_x, step_y);
  if (best[0].correlation < enough) {
    no_candidates (coarse);
    search_rolls (coarse, &low);
    try_candidates (best, &pair, coarse, N_ROLLED, step_x, step_y);
    refine (best, &pair);
  }
  alignment.correlation = best[0].correlation;
  alignment.angle = best[0].angle;
  alignment.scale = best[0].scale;

  step_x = (int) grid->columns / pair.reference.columns;
  step_y = (int) grid->rows / pair.reference.rows;
  make_pair (&pair, grid, reference, samples, (int) grid->columns, (int) grid->rows);
  roll (&pair, best[0].angle, best[0].scale);
  no_candidates (finest);
  search (finest, &pair.of_reference, &pair.of_picture, best[0].angle, best[0].scale, best[0].x * step_x,
          best[0].y * step_y, step_x, step_y);
  set_shift (&alignment, &pair, &finest[0]);
  return alignment;
}

double
cca_alignment_motion (const CcaAlignment *alignment, const CcaPictureGrid *grid)
{
  const double turn = alignment->angle * M_PI / 180, width = grid->width, height = grid->height;
  const double cosine = alignment->scale * cos (turn) - 1, sine = alignment->scale * sin (turn);
  double farthest = 0;

  for (int i = 0; i < 4; i++) {
    const double x = i % 2 == 0 ? -width / 2 : width / 2, y = i < 2 ? -height / 2 : height / 2;
    const double motion_x = cosine * x - sine * y + alignment->shift_x;
    const double motion_y = sine * x + cosine * y + alignment->shift_y;

    farthest = fmax (farthest, fmax (fabs (motion_x) / width, fabs (motion_y) / height));
  }
  return farthest;
}

/* Where samples of a grid come from. */
static void
sample_at (const CcaPictureGrid *grid, const int16_t *samples, double x, double y, int16_t *sample)
{
  const int columns = (int) grid->columns, rows = (int) grid->rows;
  const double at_x = fmax (0, fmin (columns - 1.001, x)), at_y = fmax (0, fmin (rows - 1.001, y));
  const int left = (int) at_x, top = (int) at_y;
  const double part_x = at_x - left, part_y = at_y - top;
  const int16_t *at = &samples[top * columns + left];

  *sample = (int16_t) lround ((1 - part_y) * ((1 - part_x) * at[0] + part_x * at[1])
                              + part_y * ((1 - part_x) * at[columns] + part_x * at[columns + 1]));
}

void
cca_alignment_apply (const CcaAlignment *alignment, const CcaPictureGrid *grid, const int16_t *samples,
                     int16_t *aligned)
{
  const double turn = alignment->angle * M_PI / 180;
  const double cosine = cos (turn) / alignment->scale, sine = sin (turn) / alignment->scale;
  const double spacing_x = (double) (grid->width - grid->span) / larger (1, (int) grid->columns - 1);
  const double spacing_y = (double) (grid->height - 1) / larger (1, (int) grid->rows - 1);
  const double middle_x = (grid->columns - 1) / 2.0, middle_y = (grid->rows - 1) / 2.0;

  for (uint32_t y = 0; y < grid->rows; y++)
    for (uint32_t x = 0; x < grid->columns; x++) {
      const double to_x = (x - middle_x) * spacing_x - alignment->shift_x;
      const double to_y = (y - middle_y) * spacing_y - alignment->shift_y;

      sample_at (grid, samples, middle_x + (cosine * to_x + sine * to_y) / spacing_x,
                 middle_y + (cosine * to_y - sine * to_x) / spacing_y, &aligned[y * grid->columns + x]);
    }
}

void
cca_alignment_shift (const CcaAlignment *alignment, const CcaPictureGrid *grid, float *samples)
{
  const int columns = (int) grid->columns, rows = (int) grid->rows;
  const int shift_x = (int) lround (alignment->shift_x * (columns - 1) / larger (1, (int) (grid->width - grid->span)));
  const int shift_y = (int) lround (alignment->shift_y * (rows - 1) / larger (1, (int) grid->height - 1));
  float shifted[CCA_PICTURE_MOST];

  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      const int from_x = x - shift_x, from_y = y - shift_y;
      const bool known = from_x >= 0 && from_x < columns && from_y >= 0 && from_y < rows;

      shifted[y * columns + x] = samples[known ? from_y * columns + from_x : y * columns + x];
    }
  memcpy (samples, shifted, sizeof *samples * grid->columns * grid->rows);
}
