/* gst-cca: how much of a view's structure a picture still shows
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "structure.h"

#include <math.h>
#include <string.h>

#define LEAST_STRENGTH (2.0 * CCA_PICTURE_SPAN) /* of a textured block's gradients, root of the mean square */
#define LEAST_PART 0.25                         /* of the grid's mean square */
#define NOISE (1.0 * CCA_PICTURE_SPAN) /* of gradients: a direction with no more than that is not weighted up */
#define REPLACED 0.3                   /* of the mean square: the least of other structure */
#define KEPT 0.5                       /* the correlation of a block that is still there */
#define HALVED_FROM 48                 /* samples: a longer side is compared at half the resolution */

/* Sums of products of gradients, to the right and downwards. */
typedef struct
{
  double product[2], reference[2], samples[2];
} Sums;

/* The same with both directions as one. */
typedef struct
{
  double product, reference, samples;
} Total;

/* Adds the directions, of which the second one is weighted. */
static Total
total_of (const Sums *sums, double weight)
{
  return (Total) {
    .product = sums->product[0] + weight * sums->product[1],
    .reference = sums->reference[0] + weight * sums->reference[1],
    .samples = sums->samples[0] + weight * sums->samples[1],
  };
}

static double
correlation (const Sums *sums, double weight)
{
  const Total total = total_of (sums, weight);
  const double norm = total.reference * total.samples;

  return norm > 0 ? total.product / sqrt (norm) : 0;
}

/* The samples that are averaged to one along a side. */
static uint32_t
coarse_step (uint32_t n)
{
  return n > HALVED_FROM ? 2 : 1;
}

/* Averages samples, so that finer structure matters less. */
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
  int64_t product[2] = { 0 }, of_reference[2] = { 0 }, of_samples[2] = { 0 };

  for (uint32_t x = from; x < to; x++) {
    const int32_t rx = reference[x + 1] - reference[x], ry = reference[x + columns] - reference[x];
    const int32_t sx = samples[x + 1] - samples[x], sy = samples[x + columns] - samples[x];

    product[0] += rx * sx;
    product[1] += ry * sy;
    of_reference[0] += rx * rx;
    of_reference[1] += ry * ry;
    of_samples[0] += sx * sx;
    of_samples[1] += sy * sy;
  }
  for (int i = 0; i < 2; i++) {
    sums->product[i] += (double) product[i];
    sums->reference[i] += (double) of_reference[i];
    sums->samples[i] += (double) of_samples[i];
  }
}

void
cca_structure_compare (CcaStructure *structure, const CcaPictureGrid *grid, const int16_t *reference,
                       const int16_t *samples)
{
  int16_t coarse[2][CCA_PICTURE_MOST];
  const uint32_t step_x = coarse_step (grid->columns), step_y = coarse_step (grid->rows);
  const uint32_t stride = grid->columns / step_x, columns = stride - 1, rows = grid->rows / step_y - 1;
  Sums blocks[CCA_STRUCTURE_BLOCKS] = { 0 }, all = { 0 };
  const double n = (double) columns * (double) rows, noise = NOISE * NOISE * n;
  uint32_t n_gone = 0, n_replaced = 0;
  double least, weight;
  Total whole;

  *structure = (CcaStructure) { 0 };
  make_coarse (coarse[0], grid, reference, step_x, step_y);
  make_coarse (coarse[1], grid, samples, step_x, step_y);
  for (uint32_t y = 0; y < rows; y++) {
    Sums *row = blocks + y * CCA_STRUCTURE_ROWS / rows * CCA_STRUCTURE_COLUMNS;

    for (uint32_t i = 0; i < CCA_STRUCTURE_COLUMNS; i++)
      add_row (&row[i], coarse[0] + y * stride, coarse[1] + y * stride, stride, i * columns / CCA_STRUCTURE_COLUMNS,
               (i + 1) * columns / CCA_STRUCTURE_COLUMNS);
  }
  for (uint32_t i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    for (int j = 0; j < 2; j++) {
      all.product[j] += blocks[i].product[j];
      all.reference[j] += blocks[i].reference[j];
      all.samples[j] += blocks[i].samples[j];
    }
  weight = fmax (all.reference[0], noise) / fmax (all.reference[1], noise);
  whole = total_of (&all, 1);
  least = fmax (LEAST_PART * whole.reference, LEAST_STRENGTH * LEAST_STRENGTH * n) / CCA_STRUCTURE_BLOCKS;
  for (uint32_t i = 0; i < CCA_STRUCTURE_BLOCKS; i++) {
    const Total block = total_of (&blocks[i], 1);

    structure->textured[i] = block.reference > 0 && block.reference >= least;
    structure->kept[i] = structure->textured[i] && correlation (&blocks[i], weight) >= KEPT;
    structure->n_textured += structure->textured[i];
    if (structure->textured[i] && !structure->kept[i]) {
      n_gone++;
      n_replaced += block.samples >= REPLACED * block.reference;
    }
  }
  structure->replaced = n_gone > 0 ? (double) n_replaced / n_gone : 0;
  structure->correlation = correlation (&all, weight);
  structure->strength = whole.reference > 0 ? sqrt (whole.samples / whole.reference) : 0;
}
