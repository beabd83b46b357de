/* gst-cca: where the foreground was for most of a while, in coarse cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "foreground.h"

#include "array.h"

#define MOST_COLUMNS 96

void
gst_cca_index_foreground_clear (GstCcaIndexForeground *foreground)
{
  free (foreground->sums);
  free (foreground->votes);
  free (foreground->cells);
  *foreground = (GstCcaIndexForeground) { 0 };
}

bool
gst_cca_index_foreground_fits (const GstCcaIndexForeground *foreground, uint32_t side, uint32_t columns, uint32_t rows)
{
  return foreground->n_frames == 0
         || (foreground->side == side && foreground->columns == columns && foreground->rows == rows);
}

static size_t
n_coarse (const GstCcaIndexForeground *foreground)
{
  return (size_t) foreground->coarse.columns * foreground->coarse.rows;
}

static bool
begin (GstCcaIndexForeground *foreground, uint32_t side, uint32_t columns, uint32_t rows)
{
  const uint32_t longer = columns > rows ? columns : rows, factor = (longer + MOST_COLUMNS - 1) / MOST_COLUMNS;

  foreground->side = side;
  foreground->columns = columns;
  foreground->rows = rows;
  foreground->factor = factor;
  foreground->n_frames = 0;
  foreground->coarse = (GstCcaIndexCells) {
    .side = side * factor,
    .columns = (columns + factor - 1) / factor,
    .rows = (rows + factor - 1) / factor,
  };
  if (!GST_CCA_RESERVE (foreground->sums, foreground->room_sums, n_coarse (foreground))
      || !GST_CCA_RESERVE (foreground->votes, foreground->room_votes, n_coarse (foreground))
      || !GST_CCA_RESERVE (foreground->cells, foreground->room_cells, n_coarse (foreground)))
    return false;
  memset (foreground->votes, 0, n_coarse (foreground) * sizeof *foreground->votes);
  return true;
}

bool
gst_cca_index_foreground_add (GstCcaIndexForeground *foreground, uint32_t side, uint32_t columns, uint32_t rows,
                              const uint8_t *counts)
{
  uint32_t factor;

  if (columns == 0 || rows == 0)
    return true;
  if ((foreground->n_frames == 0 || !gst_cca_index_foreground_fits (foreground, side, columns, rows))
      && !begin (foreground, side, columns, rows))
    return false;
  factor = foreground->factor;
  memset (foreground->sums, 0, n_coarse (foreground) * sizeof *foreground->sums);
  for (uint32_t row = 0; row < rows; row++) {
    uint32_t *sums = foreground->sums + (size_t) (row / factor) * foreground->coarse.columns;

    for (uint32_t column = 0; column < columns; column++)
      sums[column / factor] += *counts++;
  }
  for (size_t i = 0; i < n_coarse (foreground); i++)
    foreground->votes[i] +=
        4 * (uint64_t) foreground->sums[i] >= (uint64_t) foreground->coarse.side * foreground->coarse.side;
  foreground->n_frames++;
  return true;
}

GstCcaIndexCells
gst_cca_index_foreground_take (GstCcaIndexForeground *foreground)
{
  GstCcaIndexCells cells = foreground->coarse;

  if (foreground->n_frames == 0)
    return (GstCcaIndexCells) { 0 };
  for (size_t i = 0; i < n_coarse (foreground); i++)
    foreground->cells[i] = 2 * foreground->votes[i] >= foreground->n_frames;
  cells.cells = foreground->cells;
  foreground->n_frames = 0;
  return cells;
}
