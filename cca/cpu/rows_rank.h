/* gst-cca: how the runs of two rows meet, by counting bits, for processors that do it in one instruction
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The first run above that touches a run follows from a rank: how many runs above end before it. With the bits before each
 * word counted, a rank is one look-up and one population count, without a branch that random images would make
 * unpredictable. (LSL keeps the same ranks in a table of one entry a pixel: Lacassagne & Zavidovique, JRTIP 2011, section
 * 3.)
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
first_touching_rank (const CcaRuns *row, const CcaRuns *above, const CcaRunBits *above_bits, uint32_t reach,
                     uint16_t *first)
{
  for (uint32_t i = 0; i < row->n; i++)
    first[i] = rank (above_bits->ends, above_bits->ends_before, row->starts[i] + 1 - reach);
}

/* The first run that does not end before run j starts is the one that may connect it to the left. */
static uint32_t
bridged_rank (const CcaRuns *above, const CcaRuns *row, const CcaRunBits *row_bits, uint32_t reach, uint16_t *bridged)
{
  uint32_t n = 0;

  for (uint32_t j = 1; j < above->n; j++) {
    const uint32_t i = rank (row_bits->ends, row_bits->ends_before, above->starts[j] + 1 - reach);

    bridged[n] = j;
    n += (i < row->n) & (row->starts[i] < above->ends[j - 1] + reach);
  }
  return n;
}

static void
row_ops_init_rank (CcaRowOps *ops)
{
  ops->first_touching = first_touching_rank;
  ops->bridged = bridged_rank;
  ops->count_before = count_before_rank;
}
