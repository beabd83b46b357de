/* gst-cca: how much of a view's structure a picture still shows, and where it went
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "structure.h"

#include <math.h>
#include <string.h>

#define LEAST_STRENGTH (2.0 * CCA_PICTURE_SPAN) /* of a textured block's gradients, root of the mean square */
#define LEAST_PART 0.25                         /* of the grid's mean square */
#define REPLACED 0.3                            /* of the mean square: the least of other structure */
#define KEPT 0.5                                /* the correlation of a block that is still there */
#define LARGEST_SHIFT 0.3
#define HALVED_FROM 48 /* samples: a longer side is searched at half the resolution first */

typedef struct
{
  double product, reference, samples; /* sums of products of gradients */
} Sums;

static double
correlation (const Sums *sums)
{
  const double norm = sums->reference * sums->samples;

  return norm > 0 ? sums->product / sqrt (norm) : 0;
}

/* The samples that are averaged to one along a side. */
static uint32_t
coarse_step (uint32_t n)
{
  return n > HALVED_FROM ? 2 : 1;
}

/* Averages samples, so that what is finer than they are matters less. */
static void
make_coarse (int16_t *coarse, const CcaPictureGrid *grid, const int16_t *samples, uint32_t step_x, uint32_t step_y)
{
  const uint32_t columns = grid->columns / step_x, rows = grid->rows / step_y;

  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < columns; x++) {
      const int16_t *at = samples + y * step_y * grid->columns + x * step_x;
      const int right = at[step_x - 1], below = at[(step_y - 1) * grid->columns];

      coarse[y * columns + x] = (int16_t) ((at[0] + right + below + at[(step_y - 1) * grid->columns + step_x - 1]) / 4);
    }
}

/* --- At the same place --------------------------------------------------------------------------------- */

/* Adds the gradients of a part of a row, [from, to), which has a right and a lower neighbour. */
static void
add_row (Sums *sums, const int16_t *reference, const int16_t *samples, uint32_t columns, uint32_t from, uint32_t to)
{
  int64_t product = 0, of_reference = 0, of_samples = 0;

  for (uint32_t x = from; x < to; x++) {
    const int32_t rx = reference[x + 1] - reference[x], ry = reference[x + columns] - reference[x];
    const int32_t sx = samples[x + 1] - samples[x], sy = samples[x + columns] - samples[x];

    product += rx * sx + ry * sy;
    of_reference += rx * rx + ry * ry;
    of_samples += sx * sx + sy * sy;
  }
  sums->product += (double) product;
  sums->reference += (double) of_reference;
  sums->samples += (double) of_samples;
}

void
cca_structure_compare (CcaStructure *structure, const CcaPictureGrid *grid, const int16_t *reference,
                       const int16_t *samples)
{
  int16_t coarse[2][CCA_PICTURE_MOST];
  const uint32_t step_x = coarse_step (grid->columns), step_y = coarse_step (grid->rows);
  const uint32_t stride = grid->columns / step_x, columns = stride - 1, rows = grid->rows / step_y - 1;
  Sums blocks[CCA_STRUCTURE_BLOCKS] = { 0 }, all = { 0 };
  uint32_t n_gone = 0, n_replaced = 0;
  double least;

  *structure = (CcaStructure) { 0 };
  make_coarse (coarse[0], grid, reference, step_x, step_y);
  make_coarse (coarse[1], grid, samples, step_x, step_y);
  for (uint32_t y = 0; y < rows; y++) {
    Sums *row = blocks + y * CCA_STRUCTURE_ROWS / rows * CCA_STRUCTURE_COLUMNS;

    for (uint32_t i = 0; i < CCA_STRUCTURE_COLUMNS; i++)
      add_row (&row[i], coarse[0] + y * stride, coarse[1] + y * stride, stride, i * columns / CCA_STRUCTURE_COLUMNS,
               (i + 1) * columns / CCA_STRUCTURE_COLUMNS);
  }
  for (uint32_t i = 0; i < CCA_STRUCTURE_BLOCKS; i++) {
    all.product += blocks[i].product;
    all.reference += blocks[i].reference;
    all.samples += blocks[i].samples;
  }
  least = fmax (LEAST_PART * all.reference, LEAST_STRENGTH * LEAST_STRENGTH * (double) columns * (double) rows)
          / CCA_STRUCTURE_BLOCKS;
  for (uint32_t i = 0; i < CCA_STRUCTURE_BLOCKS; i++) {
    structure->textured[i] = blocks[i].reference > 0 && blocks[i].reference >= least;
    structure->kept[i] = structure->textured[i] && correlation (&blocks[i]) >= KEPT;
    structure->n_textured += structure->textured[i];
    if (structure->textured[i] && !structure->kept[i]) {
      n_gone++;
      n_replaced += blocks[i].samples >= REPLACED * blocks[i].reference;
    }
  }
  structure->replaced = n_gone > 0 ? (double) n_replaced / n_gone : 0;
  structure->correlation = correlation (&all);
  structure->strength = all.reference > 0 ? sqrt (all.samples / all.reference) : 0;
}

/* --- Elsewhere --------------------------------------------------------------------------------- */

/* The gradients of a picture, or of one at half the resolution. */
typedef struct
{
  int columns, rows;
  float x[CCA_PICTURE_MOST], y[CCA_PICTURE_MOST];
} Field;

static void
make_field (Field *field, const CcaPictureGrid *grid, const int16_t *samples, uint32_t step_x, uint32_t step_y)
{
  int16_t coarse[CCA_PICTURE_MOST];
  const int columns = (int) (grid->columns / step_x), rows = (int) (grid->rows / step_y);

  make_coarse (coarse, grid, samples, step_x, step_y);
  field->columns = columns - 1;
  field->rows = rows - 1;
  for (int y = 0; y < rows - 1; y++)
    for (int x = 0; x < columns - 1; x++) {
      const int16_t *at = &coarse[y * columns + x];

      field->x[y * (columns - 1) + x] = (float) (at[1] - at[0]);
      field->y[y * (columns - 1) + x] = (float) (at[columns] - at[0]);
    }
}

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

/* Of the part that both show if the picture is moved by (shift_x, shift_y) samples. */
static double
correlation_at (const Field *reference, const Field *picture, int shift_x, int shift_y)
{
  const int columns = reference->columns, left = larger (0, -shift_x), right = columns - larger (0, shift_x);
  Sums sums = { 0 };

  for (int y = larger (0, -shift_y); y < reference->rows - larger (0, shift_y); y++) {
    const float *rx = reference->x + y * columns, *ry = reference->y + y * columns;
    const float *px = picture->x + (y + shift_y) * columns + shift_x,
                *py = picture->y + (y + shift_y) * columns + shift_x;
    float product = 0, of_reference = 0, of_picture = 0;

    for (int x = left; x < right; x++) {
      product += rx[x] * px[x] + ry[x] * py[x];
      of_reference += rx[x] * rx[x] + ry[x] * ry[x];
      of_picture += px[x] * px[x] + py[x] * py[x];
    }
    sums.product += product;
    sums.reference += of_reference;
    sums.samples += of_picture;
  }
  return correlation (&sums);
}

typedef struct
{
  double correlation;
  int x, y;
} Peak;

/* Finds the best shift of a window. */
static Peak
search (const Field *reference, const Field *picture, int left, int right, int top, int bottom)
{
  Peak best = { -1, 0, 0 };

  for (int y = top; y <= bottom; y++)
    for (int x = left; x <= right; x++) {
      const double here = correlation_at (reference, picture, x, y);

      if (here > best.correlation)
        best = (Peak) { here, x, y };
    }
  return best;
}

/* The place of a peak between samples, by a parabola through it and its neighbours. */
static double
vertex (double before, double at, double after)
{
  const double curvature = before - 2 * at + after;

  return curvature < 0 ? fmax (-0.5, fmin (0.5, 0.5 * (before - after) / curvature)) : 0;
}

CcaShift
cca_structure_find_shift (const CcaPictureGrid *grid, const int16_t *reference, const int16_t *samples)
{
  const uint32_t step_x = coarse_step (grid->columns), step_y = coarse_step (grid->rows);
  const int most_x = (int) (grid->columns * LARGEST_SHIFT), most_y = (int) (grid->rows * LARGEST_SHIFT);
  Field of_reference, of_picture;
  Peak peak;
  double x, y;

  make_field (&of_reference, grid, reference, step_x, step_y);
  make_field (&of_picture, grid, samples, step_x, step_y);
  peak = search (&of_reference, &of_picture, -most_x / (int) step_x, most_x / (int) step_x, -most_y / (int) step_y,
                 most_y / (int) step_y);
  if (step_x * step_y > 1) {
    const int near_x = peak.x * (int) step_x, near_y = peak.y * (int) step_y;

    make_field (&of_reference, grid, reference, 1, 1);
    make_field (&of_picture, grid, samples, 1, 1);
    peak = search (&of_reference, &of_picture, larger (near_x - 1, -most_x), smaller (near_x + 1, most_x),
                   larger (near_y - 1, -most_y), smaller (near_y + 1, most_y));
  }
  if (of_reference.columns <= most_x + 1 || of_reference.rows <= most_y + 1)
    return (CcaShift) { 0 };
  x = peak.x
      + vertex (correlation_at (&of_reference, &of_picture, peak.x - 1, peak.y), peak.correlation,
                correlation_at (&of_reference, &of_picture, peak.x + 1, peak.y));
  y = peak.y
      + vertex (correlation_at (&of_reference, &of_picture, peak.x, peak.y - 1), peak.correlation,
                correlation_at (&of_reference, &of_picture, peak.x, peak.y + 1));
  return (CcaShift) {
    .correlation = peak.correlation,
    .x = x * (double) (grid->width - grid->span) / (grid->columns - 1),
    .y = y * (double) (grid->height - 1) / (grid->rows - 1),
  };
}
