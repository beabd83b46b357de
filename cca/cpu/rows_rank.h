/* gst-cca: runs and their labels by counting bits, for processors that do it in one instruction
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The first run of a row that ends at x or later follows from a rank: how many runs end before x. With the ends before
 * each word counted, a rank is one look-up and one population count, without a branch that random images would make
 * unpredictable. (LSL keeps the same ranks in a table of one entry a pixel: Lacassagne & Zavidovique, JRTIP 2011,
 * section 3.)
 */
#include "cca/cpu/rows.h"

static inline uint32_t
first_run_from (const CcaRow *row, uint32_t x, uint32_t *cursor)
{
  const uint64_t below = ((uint64_t) 1 << x % 64) - 1;

  return row->ends_before[x / 64] + __builtin_popcountll (row->ends[x / 64] & below);
}

#include "cca/cpu/rows_label.h"

/* Fills a row except its runs and labels. */
static inline void
count_runs (CcaRow *row)
{
  const uint64_t *bits = row->bits;
  uint64_t carry = 0;
  uint32_t count = 0;

  for (uint32_t i = 0; i < row->n_words; i++) {
    const uint64_t left = bits[i] << 1 | carry;

    carry = bits[i] >> 63;
    row->starts[i] = bits[i] & ~left;
    row->ends[i] = left & ~bits[i];
    row->ends_before[i] = count;
    count += __builtin_popcountll (row->ends[i]);
  }
  row->n = count;
}

#ifndef ROWS_HAVE_FIND_RUNS
static void
find_runs_rank (CcaRow *row)
{
  uint16_t *out = (uint16_t *) row->runs;

  count_runs (row);
  for (uint32_t i = 0; i < row->n_words; i++)
    for (uint64_t edges = row->starts[i] | row->ends[i]; edges; edges &= edges - 1)
      *out++ = i * 64 + __builtin_ctzll (edges);
}
#endif
