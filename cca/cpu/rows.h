/* gst-cca: the row primitives of the CPU backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Only this code depends on instruction sets. cca_row_ops_init() fills a table with the C versions, then replaces them,
 * level by level, with those for the processor's instruction sets. All levels give the same bits.
 *
 * Bit rows: pixel x is bit x % 64 of word x / 64. A row has cca_row_words (width) words; bits from width on are 0, so
 * positions up to width + 1 are valid.
 */
#pragma once

#include "cca/cpu/label_table.h"
#include "cca/cpu/samples/rows.h"
#include "cca/motion.h"

/* Returns the words of a bit row, a multiple of a cache line. */
static inline uint32_t
cca_row_words (uint32_t width)
{
  return ((width + 2 + 63) / 64 + 7) / 8 * 8;
}

/* Returns the bits of word i of a bit row whose pixels are first <= x <= last; at least one is. */
static inline uint64_t
cca_bits_between (uint32_t i, uint32_t first, uint32_t last)
{
  return (i == first / 64 ? UINT64_MAX << first % 64 : UINT64_MAX)
         & (i == last / 64 ? UINT64_MAX >> (63 - last % 64) : UINT64_MAX);
}

/* The pixels start <= x < end of a row. */
typedef struct
{
  uint16_t start, end;
} CcaRun;

/* Runs that a primitive may write beyond the last run of a row. */
#define CCA_ROW_SLACK 32

/* A slab: equal rows top <= y < bottom of the image, stored once, as labelled runs from left to right. */
typedef struct
{
  uint32_t top, bottom;
  uint32_t n;
  CcaRun *runs;     /* capacity: the most runs of a row + CCA_ROW_SLACK */
  uint32_t *labels; /* n labels, followed by a 0; the same capacity */
  uint32_t n_words;
  const uint64_t *bits;    /* owned by the caller, valid while the row is in use */
  uint64_t *starts, *ends; /* bit rows of the runs' starts and ends */
  uint32_t *ends_before;   /* number of ends before each word */
} CcaRow;

/* Returns the first run of a row that ends at x or later, or n. *cursor must be 0 at first and kept between calls with
 * increasing x. */
static inline uint32_t
cca_first_run_from (const CcaRow *row, uint32_t x, uint32_t *cursor)
{
  while (*cursor < row->n && row->runs[*cursor].end < x)
    (*cursor)++;
  return *cursor;
}

/* Links between the pixels of a row within their components, as bit rows. The words before and after each row are 0. */
typedef struct
{
  uint64_t *right;   /* (x, y) with (x + 1, y) */
  uint64_t *down;    /* (x, y) with (x, y + 1) */
  uint64_t *falling; /* (x, y) with (x + 1, y + 1) */
  uint64_t *rising;  /* (x, y) with (x - 1, y + 1) */
  uint64_t *border;  /* border pixels: a side is not on a pixel of the component */
} CcaLinks;

/* What shapes count in a row, as bit rows. */
typedef struct
{
  uint64_t *steps, *slants, *halves;              /* border pixels that count 1, the root of 2, half of both */
  uint64_t *squares;                              /* pixels linked with all three to the right and below */
  uint64_t *falling_crossings, *rising_crossings; /* diagonal links whose pixels share no linked neighbour */
} CcaOutline;

/* Pixels of an image, at any alignment. */
typedef uint8_t CcaPixel8;
typedef uint16_t __attribute__ ((aligned (1))) CcaPixel16;
typedef uint32_t __attribute__ ((aligned (1))) CcaPixel32;

typedef struct
{
  const CcaSamplesOps *samples;

  /* Convert n pixels to n values. */
  /* values = one of the two bytes of each pixel. */
  void (*halves) (const uint8_t *pixels, uint32_t n, bool second, uint8_t *values);
  /* values = the sum of the four bytes of each pixel, weighted as by cca_format_weights(). */
  void (*weigh) (const uint8_t *pixels, uint32_t n, uint32_t weights, uint8_t *values);
  /* values = each pixel with its two bytes swapped. */
  void (*exchange) (const uint8_t *pixels, uint32_t n, CcaPixel16 *values);

  /* Turn values into bits; _16: values of 16 bits. */
  /* bits = (low <= v <= low + span) ^ invert. */
  void (*range) (const uint8_t *pixels, uint32_t width, uint8_t low, uint8_t span, bool invert, uint64_t *bits);
  void (*range_16) (const CcaPixel16 *values, uint32_t width, uint16_t low, uint16_t span, bool invert, uint64_t *bits);
  /* The same for values whose two bytes are swapped. */
  void (*range_exchanged) (const CcaPixel16 *values, uint32_t width, uint16_t low, uint16_t span, bool invert,
                           uint64_t *bits);
  /* bits = v differs from its left neighbour; 0 for the first pixel. */
  void (*differ) (const uint8_t *pixels, uint32_t width, uint64_t *bits);
  void (*differ_16) (const CcaPixel16 *values, uint32_t width, uint64_t *bits);
  /* Updates background and spread with the pixels; bits = the foreground. All rows have whole words of 64 pixels. */
  void (*motion) (const uint8_t *pixels, uint32_t width, uint8_t *background, uint8_t *spread, CcaMotionStep step,
                  uint64_t *bits);
  void (*motion_16) (const CcaPixel16 *values, uint32_t width, uint16_t *background, uint16_t *spread,
                     CcaMotionStep step, uint64_t *bits);
  /* The same with a least spread for each pixel instead of step.v_min, in whole words, too. */
  void (*motion_by_place) (const uint8_t *pixels, uint32_t width, uint8_t *background, uint8_t *spread,
                           const uint8_t *least, CcaMotionStep step, uint64_t *bits);
  void (*motion_by_place_16) (const CcaPixel16 *values, uint32_t width, uint16_t *background, uint16_t *spread,
                              const uint16_t *least, CcaMotionStep step, uint64_t *bits);
  /* Fills a row from its bits, except the labels. */
  void (*find_runs) (CcaRow *row);
  /* Labels the runs of a row: unites labels of the row above that meet in it, and makes new ones. reach is 1 for
   * 8-connectivity, else 0. The table must have room for one label per run and one more; each array of scratch for one
   * position per run of either row, and CCA_ROW_SLACK. */
  void (*label_row) (const CcaRow *above, CcaRow *row, uint32_t reach, CcaLabelTable *table,
                     uint16_t *const scratch[3]);
  /* Adds the runs of a slab to the features of their labels, without second moments. */
  void (*measure_slab) (const CcaRow *slab, CcaFeatures *features);
  /* Finds the outline of a row of n_words; crossings only if `diagonal`. */
  void (*outline_row) (const CcaLinks *above, const CcaLinks *row, const CcaLinks *below, uint32_t n_words,
                       bool diagonal, const CcaOutline *outline);
  /* Adds the shapes of n runs of a row to n details. */
  void (*measure_shapes) (const CcaLinks *row, const CcaOutline *outline, const CcaRun *runs, uint32_t n,
                          CcaDetails *const *details);
  /* Adds n values, at most CCA_MAX_SIZE, of a component's pixels to its details. */
  void (*measure_values) (const uint8_t *values, uint32_t n, CcaDetails *details);
  void (*measure_values_16) (const CcaPixel16 *values, uint32_t n, CcaDetails *details);
  /* Write a row of pixels of 1, 2 or 4 bytes: values[i] on run i, background elsewhere. */
  void (*paint_u8) (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,
                    uint32_t background);
  void (*paint_u16) (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,
                     uint32_t background);
  void (*paint_u32) (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,
                     uint32_t background);
} CcaRowOps;

/* Fills the table for a level, which must be available, and not AUTO. */
void cca_row_ops_init (CcaRowOps *ops, CcaIsa isa);

/* Returns the best level that this build and processor support. */
CcaIsa cca_isa_best (void);

void cca_row_ops_init_c (CcaRowOps *ops);
void cca_row_ops_init_sse41 (CcaRowOps *ops);
void cca_row_ops_init_avx2 (CcaRowOps *ops);
void cca_row_ops_init_avx512 (CcaRowOps *ops);
void cca_row_ops_init_neon (CcaRowOps *ops);
