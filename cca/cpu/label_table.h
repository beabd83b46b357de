/* gst-cca: provisional labels with their features
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A label is an index; labels are given in raster order, so that the root of a set, its smallest label, carries the
 * first pixel of the component. Features are summed at whatever label is at hand and folded into the roots later.
 */
#ifndef CCA_CPU_LABEL_TABLE_H
#define CCA_CPU_LABEL_TABLE_H

#include "cca/cpu/union_find.h"
#include "cca/features.h"
#include "cca/memory.h"

typedef struct
{
  uint32_t n;      /* labels in use */
  size_t capacity; /* labels that fit */
  CcaFeatures *features;
  uint32_t *parent;
  uint32_t *renamed; /* scratch of those who fold and compact */
} CcaLabelTable;

size_t cca_label_table_size (size_t capacity);

/* Makes room for `capacity` labels, keeping those in use; false with the error set where there is no memory. */
bool cca_label_table_reserve (CcaLabelTable *table, const CcaAllocator *allocator, atomic_size_t *used,
                              size_t capacity);
void cca_label_table_free (CcaLabelTable *table, const CcaAllocator *allocator, atomic_size_t *used);

/* Points every label at its root and moves all features there. */
void cca_label_table_fold (CcaLabelTable *table);

#endif
