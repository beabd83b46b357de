/* gst-cca: overlaps of the components of consecutive frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Merges the runs of both frames row by row, and sums the shared pixels of each pair of labels in a hash table. Each
 * strip of rows has its own table, so that threads can work in parallel.
 */
#pragma once

#include "cca/cpu/frame_runs.h"

typedef struct CcaOverlaps CcaOverlaps;

/* Returns the bytes that cca_overlaps_new() allocates. Memory for runs and pairs grows with the frames. */
size_t cca_overlaps_size (uint32_t height);

/* Makes the workspace. Without memory, returns NULL with the error set. */
CcaOverlaps *cca_overlaps_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t height);
void cca_overlaps_free (CcaOverlaps *self); /* NULL is allowed */

/* Begins a frame; the current runs become those of the last frame. Returns the store for this frame's runs. */
CcaFrameRuns *cca_overlaps_next_frame (CcaOverlaps *self);

/* Finds the overlaps of this frame, whose runs are stored, with the last one, on the threads that are awake. Sets *n to
 * their number. Without memory, returns false with the error set. */
bool cca_overlaps_find (CcaOverlaps *self, CcaThreads *threads, uint32_t n_strips, size_t *n);

/* Writes the first n overlaps, sorted by before, then now. */
void cca_overlaps_get (const CcaOverlaps *self, CcaOverlap *overlaps, size_t n);
