/* gst-cca: the parameters of the kernels on segments, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A segment is the unit of an algorithm's unions: connected pixels of a row, either a single pixel, a run cut at words,
 * or a full run. Its id grows in raster order and is its provisional label.
 */
#pragma once

#include "cuda/kernels/params.h"

/* Rows of a strip, within which full runs are united first. */
#define CCA_RUN_STRIP 8

/* Rows and columns of a tile of pixels, which a block unites in shared memory first. */
#define CCA_TILE 32

/* Limit of chunks of segments, or of words, in raster order; each warp works on one. */
#define CCA_CHUNKS 8192

typedef struct
{
  CcaPlanes planes;

  /* Pixels, and runs cut at words: the segment that starts at (x, y) has the id y * row_ids + (x >> id_shift). */
  uint32_t row_ids, id_shift;

  /* Full runs: a run's id is its rank. */
  uint32_t *runs;        /* for each run start | end << 16 */
  uint16_t *rows;        /* for each run its row */
  uint32_t *row_runs;    /* for each row its runs, then those of the rows before it; after the last row all runs */
  uint16_t *ends_before; /* for each word the run ends in the words before it in the row */

  uint32_t *parent;            /* for each segment; a numbered root has CCA_NUMBERED | component */
  CcaTallies segment_features; /* for each segment, the sums so far; NULL without on-the-fly merging */
  uint32_t *roots;             /* pixels: for each word its roots, as bits */
  uint32_t *chunk_roots;       /* for each chunk its number of roots */
  uint32_t n_chunks;           /* most chunks of a frame of this size, in whole blocks; up to CCA_CHUNKS */
  CcaHeaders headers;
  CcaTallies component_features;
  uint32_t *firsts; /* for each component its first pixel, y << 16 | x */
} CcaSegmentsParams;

#define CCA_NUMBERED CCA_PIXELS_LIMIT

/* Segments whose features a block merges into one tree in shared memory. */
#define CCA_TREE_BLOCK 256

/* Trees of features (tree.cuh). Block b has counts[b] nodes from b * CCA_TREE_BLOCK on. */
typedef struct
{
  uint32_t n_blocks;
  uint32_t *roots;      /* for each block; a tree of several blocks is at its first block */
  uint32_t *counts;     /* for each block */
  uint32_t *components; /* for each node; no_component after it was merged into another one */
  uint32_t *children;   /* for each node two */
  uint32_t *parents;    /* for each node */
  uint32_t *sizes;      /* for each node the size of its subtree, itself included; 0 until all are counted */
  CcaTallies features;  /* for each node */

  /* The nodes of the last tree, packed in preorder; as many as its root's size. */
  uint32_t *balanced_components;
  CcaTallies balanced_features;
} CcaTree;

typedef struct
{
  CcaSegmentsParams segments;
  CcaTree tree;
  uint32_t step; /* blocks per tree before this merge */
} CcaTreeParams;

/* Limit of chunks of components for the filter; each block works on one. */
#define CCA_SELECT_CHUNKS 1024

typedef struct
{
  CcaWanted wanted;
  CcaSizes sizes;
  CcaTallies components;
  const uint32_t *firsts;
  uint32_t n_chunks;      /* most chunks of components of a frame of this size; up to CCA_SELECT_CHUNKS */
  uint32_t *chunk_counts; /* for each chunk its components that pass the filter, then those of the chunks before it */
  uint32_t *numbers;      /* for each component 1…n, or 0 if it does not pass; NULL without a filter */
} CcaSelectParams;

typedef struct
{
  CcaSegmentsParams segments;
  const uint32_t *numbers; /* as in CcaSelectParams */
  CcaCanvas canvas;
} CcaPaintParams;
