/* gst-cca: the row primitives of the CPU backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The only code that knows instruction sets. A table is filled with the C versions and then overwritten, level by level,
 * by what the processor can do better; all levels give the same bits.
 *
 * Bit rows: pixel x is bit x % 64 of word x / 64. A row has cca_row_words (width) words; bits from width on are 0, so that
 * positions up to width + 1 can be asked for.
 */
#ifndef CCA_CPU_ROWS_H
#define CCA_CPU_ROWS_H

#include "cca/motion.h"

/* Words of a bit row, a multiple of a cache line. */
static inline uint32_t
cca_row_words (uint32_t width)
{
  return ((width + 2 + 63) / 64 + 7) / 8 * 8;
}

/* A row as runs; run i covers the pixels starts[i] <= x < ends[i]. Room for the largest row plus CCA_ROW_SLACK. */
typedef struct
{
  uint32_t n;
  uint16_t *starts, *ends;
} CcaRuns;

/* Elements that a primitive may write beyond the last one of a row's starts and ends. */
#define CCA_ROW_SLACK 64

/* The bit row of run ends, with the number of bits set before each word. */
typedef struct
{
  uint64_t *ends;
  uint32_t *ends_before;
} CcaRunBits;

typedef struct
{
  /* bits = (low <= v <= low + span) ^ invert. */
  void (*range) (const uint8_t *pixels, uint32_t width, uint8_t low, uint8_t span, bool invert, uint64_t *bits);
  /* bits = v differs from its left neighbour; 0 for the first pixel. */
  void (*differ) (const uint8_t *pixels, uint32_t width, uint64_t *bits);
  /* Moves background and spread by the pixels, bits = the foreground. Their rows have whole words of 64 pixels. */
  void (*motion) (const uint8_t *pixels, uint32_t width, uint8_t *background, uint8_t *spread, CcaMotionStep step,
                  uint64_t *bits);
  /* Writes the positions of the set bits and returns their number. */
  uint32_t (*positions) (const uint64_t *bits, uint32_t n_words, uint16_t *positions);
  /* For each run of `row` the first run of the row above that does not end before it, above->n where all do: reach is 1 where
   * a diagonal neighbour touches (8-connectivity), else 0. Of the runs from there on, those that start before the run's end
   * plus reach touch it. */
  void (*first_touching) (const CcaRuns *row, const CcaRuns *above, const CcaRunBits *above_bits, uint32_t reach,
                          uint16_t *first);
  /* Writes the runs j >= 1 of the row above that a run of this row connects with run j - 1, and returns their number. */
  uint32_t (*bridged) (const CcaRuns *above, const CcaRuns *row, const CcaRunBits *row_bits, uint32_t reach,
                       uint16_t *bridged);
  /* Counts the bits before each word, for the two above. */
  void (*count_before) (const uint64_t *bits, uint32_t n_words, uint32_t *before);
  /* Writes a row of pixels: values[i] on run i, background elsewhere. By bytes a pixel: 1, 2, 4. */
  void (*paint_u8) (void *row, uint32_t width, const CcaRuns *runs, const uint32_t *values, uint32_t background);
  void (*paint_u16) (void *row, uint32_t width, const CcaRuns *runs, const uint32_t *values, uint32_t background);
  void (*paint_u32) (void *row, uint32_t width, const CcaRuns *runs, const uint32_t *values, uint32_t background);
} CcaRowOps;

/* Fills the table for a level that is available, not AUTO. */
void cca_row_ops_init (CcaRowOps *ops, CcaIsa isa);

/* The best level of this build and processor. */
CcaIsa cca_isa_best (void);

void cca_row_ops_init_c (CcaRowOps *ops);
void cca_row_ops_init_sse41 (CcaRowOps *ops);
void cca_row_ops_init_avx2 (CcaRowOps *ops);
void cca_row_ops_init_avx512 (CcaRowOps *ops);
void cca_row_ops_init_neon (CcaRowOps *ops);

#endif
