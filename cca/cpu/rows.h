/* gst-cca: the row primitives of the CPU backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The only code that knows instruction sets. A table is filled with the C versions and then overwritten, level by
 * level, by what the processor can do better; all levels give the same bits.
 *
 * Bit rows: pixel x is bit x % 64 of word x / 64. A row has cca_row_words (width) words; bits from width on are 0, so
 * that positions up to width + 1 can be asked for.
 */
#ifndef CCA_CPU_ROWS_H
#define CCA_CPU_ROWS_H

#include "cca/cpu/label_table.h"
#include "cca/motion.h"

/* Words of a bit row, a multiple of a cache line. */
static inline uint32_t
cca_row_words (uint32_t width)
{
  return ((width + 2 + 63) / 64 + 7) / 8 * 8;
}

/* The pixels start <= x < end of a row. */
typedef struct
{
  uint16_t start, end;
} CcaRun;

/* Runs that a primitive may write beyond the last one of a row. */
#define CCA_ROW_SLACK 32

/* Rows top <= y < bottom of the image, which are equal (a slab), as the runs of one from left to right, with their
 * labels. */
typedef struct
{
  uint32_t top, bottom;
  uint32_t n;
  CcaRun *runs;     /* room for the most runs and CCA_ROW_SLACK */
  uint32_t *labels; /* n, and a 0 behind; likewise */
  uint32_t n_words;
  const uint64_t *bits;    /* the caller's, as long as it works with the row */
  uint64_t *starts, *ends; /* bit rows of the runs' starts and ends */
  uint32_t *ends_before;   /* the number of ends before each word */
} CcaRow;

/* The first run of a row that ends at x or later, or n. cursor, 0 at first, is kept between calls with growing x. */
static inline uint32_t
cca_first_run_from (const CcaRow *row, uint32_t x, uint32_t *cursor)
{
  while (*cursor < row->n && row->runs[*cursor].end < x)
    (*cursor)++;
  return *cursor;
}

/* Pixels of an output image, which may lie at any address. */
typedef uint8_t CcaPixel8;
typedef uint16_t __attribute__ ((aligned (1))) CcaPixel16;
typedef uint32_t __attribute__ ((aligned (1))) CcaPixel32;

typedef struct
{
  /* bits = (low <= v <= low + span) ^ invert. */
  void (*range) (const uint8_t *pixels, uint32_t width, uint8_t low, uint8_t span, bool invert, uint64_t *bits);
  /* bits = v differs from its left neighbour; 0 for the first pixel. */
  void (*differ) (const uint8_t *pixels, uint32_t width, uint64_t *bits);
  /* Moves background and spread by the pixels, bits = the foreground. Their rows have whole words of 64 pixels. */
  void (*motion) (const uint8_t *pixels, uint32_t width, uint8_t *background, uint8_t *spread, CcaMotionStep step,
                  uint64_t *bits);
  /* Fills a row from its bits, but for the labels. */
  void (*find_runs) (CcaRow *row);
  /* Fills the labels of a row: unites those of the row above that meet in it, and makes new ones. reach is 1 where a
   * diagonal neighbour touches (8-connectivity), else 0. The table has room for a label a run and one more; each of the
   * arrays in scratch for a position a run of either row and CCA_ROW_SLACK. */
  void (*label_row) (const CcaRow *above, CcaRow *row, uint32_t reach, CcaLabelTable *table,
                     uint16_t *const scratch[3]);
  /* Adds the runs of a slab to the features of their labels, without second moments. */
  void (*measure_slab) (const CcaRow *slab, CcaFeatures *features);
  /* Writes a row of pixels: values[i] on run i, background elsewhere. By bytes a pixel: 1, 2, 4. */
  void (*paint_u8) (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,
                    uint32_t background);
  void (*paint_u16) (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,
                     uint32_t background);
  void (*paint_u32) (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,
                     uint32_t background);
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
