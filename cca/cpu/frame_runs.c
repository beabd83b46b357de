/* gst-cca: the runs of a frame with their labels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/frame_runs.h"

#include <string.h>

size_t
cca_frame_runs_size (uint32_t height)
{
  /* At most one slab per row and the end marker of each strip. */
  return sizeof (CcaFrameRuns) + ((size_t) height + CCA_MAX_STRIPS) * sizeof (CcaStoredSlab);
}

CcaFrameRuns *
cca_frame_runs_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t height)
{
  CcaFrameRuns *frame = cca_alloc (allocator, used, cca_frame_runs_size (height));

  if (frame == NULL)
    return NULL;
  memset (frame, 0, sizeof *frame);
  frame->height = height;
  return frame;
}

void
cca_frame_runs_free (const CcaAllocator *allocator, atomic_size_t *used, CcaFrameRuns *frame)
{
  if (frame == NULL)
    return;
  for (uint32_t i = 0; i < CCA_MAX_STRIPS; i++)
    cca_free (allocator, used, frame->strips[i].runs);
  cca_free (allocator, used, frame);
}

void
cca_frame_runs_start (CcaFrameRuns *frame, uint32_t n_strips)
{
  for (uint32_t i = 0; i < n_strips; i++) {
    CcaRunStore *store = &frame->strips[i];

    store->n = 0;
    store->n_slabs = 0;
    store->slabs = frame->slabs + cca_strip (frame->height, n_strips, i).first + i;
  }
}

static CcaRunStore
divide (CcaLayout *layout, size_t capacity)
{
  CcaRunStore store = { .capacity = capacity };

  store.runs = cca_layout_take (layout, capacity * sizeof *store.runs);
  store.labels = cca_layout_take (layout, capacity * sizeof *store.labels);
  return store;
}

bool
cca_run_store_reserve (CcaRunStore *store, const CcaAllocator *allocator, atomic_size_t *used, size_t n)
{
  const size_t needed = store->n + n;
  const size_t capacity = store->capacity ? 2 * needed : needed;
  CcaLayout layout = { NULL, 0 };
  CcaRunStore grown;

  if (needed <= store->capacity)
    return true;
  divide (&layout, capacity);
  layout = (CcaLayout) { cca_alloc (allocator, used, layout.size), 0 };
  if (layout.base == NULL)
    return false;
  grown = divide (&layout, capacity);
  grown.n = store->n;
  grown.n_slabs = store->n_slabs;
  grown.slabs = store->slabs;
  if (store->n > 0) {
    memcpy (grown.runs, store->runs, store->n * sizeof *store->runs);
    memcpy (grown.labels, store->labels, store->n * sizeof *store->labels);
  }
  cca_free (allocator, used, store->runs);
  *store = grown;
  return true;
}

void
cca_frame_next_slab (CcaFrameCursor *cursor)
{
  if (++cursor->slab < cursor->frame->strips[cursor->strip].n_slabs)
    return;
  cursor->strip++;
  cursor->slab = 0;
}

CcaFrameCursor
cca_frame_find_row (const CcaFrameRuns *frame, uint32_t y)
{
  CcaFrameCursor cursor = { frame, 0, 0 };
  uint32_t beyond;

  while (frame->strips[cursor.strip].slabs[frame->strips[cursor.strip].n_slabs].top <= y)
    cursor.strip++;
  beyond = frame->strips[cursor.strip].n_slabs;
  while (beyond - cursor.slab > 1) {
    const uint32_t middle = cursor.slab + (beyond - cursor.slab) / 2;

    if (frame->strips[cursor.strip].slabs[middle].top <= y)
      cursor.slab = middle;
    else
      beyond = middle;
  }
  return cursor;
}
