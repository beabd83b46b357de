/* gst-cca: how many foreground pixels a box has
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "coverage.h"

#include "array.h"

/* Fills a row of sums from the one above and the row's n cells. Most cells are empty: eight at a time. */
static void
fill_row (int32_t *restrict sums, const int32_t *restrict above, const uint8_t *cells, size_t n)
{
  const uint64_t empty = 0;
  uint32_t sum = 0;
  size_t x = 0;

  *sums++ = *above++;
  for (; x + 8 <= n; x += 8)
    if (memcmp (cells + x, &empty, 8) == 0)
      for (size_t k = x; k < x + 8; k++)
        sums[k] = above[k] + sum;
    else
      for (size_t k = x; k < x + 8; k++)
        sums[k] = above[k] + (sum += cells[k]);
  for (; x < n; x++)
    sums[x] = above[x] + (sum += cells[x]);
}

bool
gst_cca_coverage_fill (GstCcaCoverage *coverage, const GstCcaTrackerFrame *frame)
{
  const size_t pitch = (size_t) frame->columns + 1, n = pitch * (frame->rows + 1);

  /* At the last row and column, sum_at() reads what comes next, but does not count it. */
  if (!GST_CCA_RESERVE (coverage->sums, coverage->room, n + pitch + 1))
    return false;
  coverage->columns = frame->columns;
  coverage->rows = frame->rows;
  coverage->cell = frame->cell;
  memset (coverage->sums, 0, pitch * sizeof *coverage->sums);
  memset (coverage->sums + n, 0, (pitch + 1) * sizeof *coverage->sums);
  for (uint32_t y = 0; y < frame->rows; y++) {
    const int32_t *above = coverage->sums + y * pitch;

    fill_row (coverage->sums + (y + 1) * pitch, above, frame->coverage + (size_t) y * frame->columns, frame->columns);
  }
  return true;
}

/* Returns the pixels above and to the left of a point, in cells. */
static double
sum_at (const GstCcaCoverage *coverage, double x, double y)
{
  const int32_t column = (int32_t) x, row = (int32_t) y;
  const size_t pitch = (size_t) coverage->columns + 1;
  const int32_t *sums = coverage->sums + row * pitch + column;
  const double u = x - column, v = y - row;

  return (1.0 - v) * ((1.0 - u) * sums[0] + u * sums[1]) + v * ((1.0 - u) * sums[pitch] + u * sums[pitch + 1]);
}

double
gst_cca_coverage_count (const GstCcaCoverage *coverage, const GstCcaBox *box)
{
  const double left = gst_cca_min (gst_cca_max (box->min[0] / coverage->cell, 0.0), coverage->columns);
  const double right = gst_cca_min (gst_cca_max (box->max[0] / coverage->cell, left), coverage->columns);
  const double top = gst_cca_min (gst_cca_max (box->min[1] / coverage->cell, 0.0), coverage->rows);
  const double bottom = gst_cca_min (gst_cca_max (box->max[1] / coverage->cell, top), coverage->rows);

  return sum_at (coverage, right, bottom) - sum_at (coverage, left, bottom) - sum_at (coverage, right, top)
         + sum_at (coverage, left, top);
}
