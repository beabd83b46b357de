/* gst-cca: provisional labels with their features
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A label is an index. Labels are assigned in raster order, so the root of a set, its smallest label, has the first
 * pixel of the component. Features accumulate at any label of the set; cca_label_table_fold() adds them up at the root.
 */
#pragma once

#include "cca/cpu/union_find.h"
#include "cca/features.h"
#include "cca/memory.h"

typedef struct
{
  uint32_t n;      /* labels in use */
  size_t capacity; /* labels */
  CcaFeatures *features;
  uint32_t *parent;
  uint32_t *renamed; /* scratch space to fold and compact the table */
} CcaLabelTable;

size_t cca_label_table_size (size_t capacity);

/* Grows the table to `capacity` labels and keeps those in use. Without memory, returns false with the error set. */
bool cca_label_table_reserve (CcaLabelTable *table, const CcaAllocator *allocator, atomic_size_t *used,
                              size_t capacity);
void cca_label_table_free (CcaLabelTable *table, const CcaAllocator *allocator, atomic_size_t *used);

/* Points every label at its root, and adds all features to the roots. */
void cca_label_table_fold (CcaLabelTable *table);
