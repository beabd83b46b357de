/* gst-cca: the runs of a frame with their labels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Consecutive equal rows form a slab, whose runs are stored once. Each strip of the frame has its own memory, so that
 * threads can store runs in parallel.
 */
#pragma once

#include "cca/cpu/algorithm.h"

/* A slab: its first row, and its first run in the store. */
typedef struct
{
  uint32_t top;
  size_t first;
} CcaStoredSlab;

/* The runs of a strip, row by row, from left to right. */
typedef struct
{
  size_t n, capacity;
  CcaRun *runs;
  uint32_t *labels;
  uint32_t n_slabs;
  CcaStoredSlab *slabs; /* n_slabs, and an end marker */
} CcaRunStore;

struct CcaFrameRuns
{
  uint32_t height;
  CcaRunStore strips[CCA_MAX_STRIPS];
  CcaStoredSlab slabs[]; /* shared out among the strips */
};

/* Returns the bytes that cca_frame_runs_new() allocates. Memory for runs grows with the frames. */
size_t cca_frame_runs_size (uint32_t height);

/* Makes a store for frames of a height, in any number of strips. Without memory, returns NULL with the error set. */
CcaFrameRuns *cca_frame_runs_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t height);
void cca_frame_runs_free (const CcaAllocator *allocator, atomic_size_t *used,
                          CcaFrameRuns *frame); /* NULL is allowed */

/* Empties the store for a frame of n strips. */
void cca_frame_runs_start (CcaFrameRuns *frame, uint32_t n_strips);

/* Makes room for n more runs. Without memory, returns false with the error set. */
bool cca_run_store_reserve (CcaRunStore *store, const CcaAllocator *allocator, atomic_size_t *used, size_t n);

/* Begins a slab, whose runs follow. */
static inline void
cca_run_store_begin_slab (CcaRunStore *store, uint32_t top)
{
  store->slabs[store->n_slabs++] = (CcaStoredSlab) { top, store->n };
}

/* Ends the strip, whose last row is end - 1. */
static inline void
cca_run_store_finish (CcaRunStore *store, uint32_t end)
{
  store->slabs[store->n_slabs] = (CcaStoredSlab) { end, store->n };
}

/* A slab of a frame. */
typedef struct
{
  const CcaFrameRuns *frame;
  uint32_t strip, slab;
} CcaFrameCursor;

static inline const CcaStoredSlab *
cca_frame_slab (const CcaFrameCursor *cursor)
{
  return &cursor->frame->strips[cursor->strip].slabs[cursor->slab];
}

/* Returns the row after the slab. */
static inline uint32_t
cca_frame_slab_end (const CcaFrameCursor *cursor)
{
  return cca_frame_slab (cursor)[1].top;
}

/* Advances to the next slab. */
void cca_frame_next_slab (CcaFrameCursor *cursor);

/* Returns the slab that has row y. */
CcaFrameCursor cca_frame_find_row (const CcaFrameRuns *frame, uint32_t y);

/* The runs of a row. */
typedef struct
{
  const CcaRun *runs;
  const uint32_t *labels;
  uint32_t n;
} CcaRowRuns;

/* Returns the runs of row y, which must be in the cursor's slab or in the next; advances the cursor to it. */
static inline CcaRowRuns
cca_frame_row (CcaFrameCursor *cursor, uint32_t y)
{
  const CcaStoredSlab *slab;
  const CcaRunStore *store;

  if (cca_frame_slab_end (cursor) == y)
    cca_frame_next_slab (cursor);
  slab = cca_frame_slab (cursor);
  store = &cursor->frame->strips[cursor->strip];
  return (CcaRowRuns) { store->runs + slab->first, store->labels + slab->first,
                        (uint32_t) (slab[1].first - slab->first) };
}
