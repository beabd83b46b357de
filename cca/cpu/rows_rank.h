/* gst-cca: how the runs of two rows meet, by counting bits, for processors that do it in one instruction
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The runs above that touch a run follow from two ranks: how many of them end before it, how many start up to its end.
 * With the bits before each word counted, a rank is one look-up and one population count, without a branch that random
 * images would make unpredictable. (LSL keeps the same ranks in a table of one entry a pixel: Lacassagne & Zavidovique,
 * JRTIP 2011, section 3.)
 */
#include "cca/cpu/rows.h"

static void
count_before_rank (const uint64_t *bits, uint32_t n_words, uint32_t *before)
{
  uint32_t count = 0;

  for (uint32_t i = 0; i < n_words; i++) {
    before[i] = count;
    count += __builtin_popcountll (bits[i]);
  }
}

/* The number of bits set below x. */
static inline uint32_t
rank (const uint64_t *bits, const uint32_t *before, uint32_t x)
{
  const uint64_t below = ((uint64_t) 1 << x % 64) - 1;

  return before[x / 64] + __builtin_popcountll (bits[x / 64] & below);
}

static void
touching_rank (const CcaRuns *row, const CcaRuns *above, const CcaRunBits *above_bits, uint32_t reach, uint16_t *first,
               uint16_t *last)
{
  for (uint32_t i = 0; i < row->n; i++) {
    first[i] = rank (above_bits->ends, above_bits->ends_before, row->starts[i] + 1 - reach);
    last[i] = rank (above_bits->starts, above_bits->starts_before, row->ends[i] + reach);
  }
}

static uint32_t
bridged_rank (const CcaRuns *above, const CcaRuns *row, const CcaRunBits *row_bits, uint32_t reach, uint16_t *bridged)
{
  uint32_t n = 0;

  for (uint32_t j = 1; j < above->n; j++) {
    const uint32_t started = rank (row_bits->starts, row_bits->starts_before, above->ends[j - 1] + reach);
    const uint32_t ended = rank (row_bits->ends, row_bits->ends_before, above->starts[j] + 1 - reach);

    bridged[n] = j;
    n += started > ended;
  }
  return n;
}

static void
row_ops_init_rank (CcaRowOps *ops)
{
  ops->touching = touching_rank;
  ops->bridged = bridged_rank;
  ops->count_before = count_before_rank;
}
