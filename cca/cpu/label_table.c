/* gst-cca: provisional labels with their features
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/label_table.h"

#include <string.h>

static CcaLabelTable
divide (CcaLayout *layout, size_t capacity)
{
  CcaLabelTable table = { .capacity = capacity };

  table.features = cca_layout_take (layout, capacity * sizeof *table.features);
  table.parent = cca_layout_take (layout, capacity * sizeof *table.parent);
  table.renamed = cca_layout_take (layout, capacity * sizeof *table.renamed);
  return table;
}

size_t
cca_label_table_size (size_t capacity)
{
  CcaLayout layout = { NULL, 0 };

  divide (&layout, capacity);
  return layout.size;
}

bool
cca_label_table_reserve (CcaLabelTable *table, const CcaAllocator *allocator, atomic_size_t *used, size_t capacity)
{
  CcaLayout layout = { NULL, 0 };
  CcaLabelTable grown;

  if (capacity <= table->capacity)
    return true;
  layout.base = cca_alloc (allocator, used, cca_label_table_size (capacity));
  if (layout.base == NULL)
    return false;
  grown = divide (&layout, capacity);
  grown.n = table->n;
  if (table->n > 0) {
    memcpy (grown.features, table->features, table->n * sizeof *table->features);
    memcpy (grown.parent, table->parent, table->n * sizeof *table->parent);
  }
  cca_free (allocator, used, table->features);
  *table = grown;
  return true;
}

void
cca_label_table_free (CcaLabelTable *table, const CcaAllocator *allocator, atomic_size_t *used)
{
  cca_free (allocator, used, table->features);
}

void
cca_label_table_fold (CcaLabelTable *table)
{
  for (uint32_t label = 0; label < table->n; label++) {
    const uint32_t parent = table->parent[label];

    if (parent != label) {
      /* The parent is smaller: it already points at its root. */
      const uint32_t root = table->parent[parent];

      table->parent[label] = root;
      cca_features_merge (&table->features[root], &table->features[label]);
    }
  }
}
