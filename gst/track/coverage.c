/* gst-cca: how many foreground pixels a box has
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "coverage.h"

#include "array.h"

/* Returns how many of n cells, from the first on, are known to have no foreground: most have none. */
static uint32_t
count_empty (const uint8_t *cells, uint32_t n)
{
  uint32_t i = 0;

  for (uint64_t word; i + sizeof word <= n; i += sizeof word) {
    memcpy (&word, cells + i, sizeof word);
    if (word != 0)
      break;
  }
  return i;
}

bool
gst_cca_coverage_fill (GstCcaCoverage *coverage, const GstCcaTrackerFrame *frame)
{
  const size_t pitch = (size_t) frame->columns + 1;

  if (!GST_CCA_RESERVE (coverage->sums, coverage->room, pitch * (frame->rows + 1)))
    return false;
  coverage->columns = frame->columns;
  coverage->rows = frame->rows;
  coverage->cell = frame->cell;
  memset (coverage->sums, 0, pitch * sizeof *coverage->sums);
  for (uint32_t y = 0; y < frame->rows; y++) {
    const uint8_t *cells = frame->coverage + (size_t) y * frame->columns;
    const uint32_t *above = coverage->sums + y * pitch;
    uint32_t *sums = coverage->sums + (y + 1) * pitch, sum = 0;

    sums[0] = 0;
    for (uint32_t x = 0; x < frame->columns;) {
      uint32_t end = x + count_empty (cells + x, frame->columns - x);

      for (; x < end; x++)
        sums[x + 1] = above[x + 1] + sum;
      for (end = x + 8 < frame->columns ? x + 8 : frame->columns; x < end; x++) {
        sum += cells[x];
        sums[x + 1] = above[x + 1] + sum;
      }
    }
  }
  return true;
}

/* Returns the pixels above and to the left of a point, in cells. */
static double
sum_at (const GstCcaCoverage *coverage, double x, double y)
{
  const uint32_t column = (uint32_t) x, row = (uint32_t) y;
  const size_t pitch = (size_t) coverage->columns + 1;
  const uint32_t *sums = coverage->sums + row * pitch + column;
  const double u = x - column, v = y - row;
  const size_t right = u > 0.0, below = v > 0.0 ? pitch : 0;

  return (1.0 - v) * ((1.0 - u) * sums[0] + u * sums[right]) + v * ((1.0 - u) * sums[below] + u * sums[below + right]);
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
