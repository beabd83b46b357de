/* gst-cca: the parameters of the kernels on segments, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Segments: what an algorithm unites, pieces of rows that are connected by themselves: pixels, runs cut at words, or
 * full runs. A segment's id grows in raster order and is its provisional label.
 */
#ifndef CCA_SEGMENTS_PARAMS_H
#define CCA_SEGMENTS_PARAMS_H

#include "cuda/kernels/params.h"

/* Rows of the strips into which full runs are divided for uniting. */
#define CCA_RUN_STRIP 8

/* The ids of segments, or words, are divided into this many chunks of raster order, a warp each. */
#define CCA_CHUNKS 8192

typedef struct
{
  CcaPlanes planes;

  /* Pixels, and runs cut at words: the id of the segment that starts at (x, y) is y * row_ids + (x >> id_shift). */
  uint32_t row_ids, id_shift;

  /* Full runs: the id is their rank. */
  uint32_t *runs;        /* a run: start | end << 16 */
  uint16_t *rows;        /* a run */
  uint32_t *row_runs;    /* a row: its runs, then those of the rows before it; behind the last row all runs */
  uint16_t *ends_before; /* a word: run ends in the words before it in the row */

  uint32_t *parent;            /* a segment; numbered: CCA_NUMBERED | component */
  CcaTallies segment_features; /* votes so far; NULL without on-the-fly merging */
  uint32_t *chunk_roots;       /* a chunk: its roots, then those of the chunks before it */
  CcaHeaders headers;
  CcaTallies component_features;
  uint32_t *firsts; /* a component: its first pixel, y << 16 | x */
} CcaSegmentsParams;

#define CCA_NUMBERED CCA_PIXELS_LIMIT

/* The chunks into which components are divided for filtering, a block each. */
#define CCA_SELECT_CHUNKS 1024

typedef struct
{
  CcaWanted wanted;
  CcaAreas areas;
  CcaTallies components;
  const uint32_t *firsts;
  uint32_t *chunk_counts; /* CCA_SELECT_CHUNKS: components of each that pass; then of those before it */
  uint32_t *numbers;      /* a component: 1…n, or 0 where it does not pass; NULL where all do */
} CcaSelectParams;

typedef struct
{
  CcaSegmentsParams segments;
  const uint32_t *numbers; /* as in CcaSelectParams */
  CcaCanvas canvas;
} CcaPaintParams;

#endif
