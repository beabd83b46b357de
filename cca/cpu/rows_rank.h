/* gst-cca: touching runs by counting bits, for processors that count them in one instruction
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
