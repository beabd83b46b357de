/* gst-cca: labels and features of a row of runs
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Included once by each level that compiles these for its own instructions; the level first defines
 *   first_run_from (row, x, cursor)   as cca_first_run_from(), which may do without the cursor
 */
#include "cca/cpu/rows.h"

/* Unites the labels of the listed runs j of the row above with those of their left neighbours. */
static inline void
unite_with_left (const CcaRow *above, const uint16_t *list, uint32_t n, uint32_t *parent)
{
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t left = above->labels[list[k] - 1], right = above->labels[list[k]];

    if (left != right)
      cca_unite (parent, left, right);
  }
}

/* Makes a label for each new component, whose first pixel is in row y. */
static inline void
new_labels (CcaLabelTable *table, const uint16_t *starts, uint32_t n, uint32_t y)
{
  for (uint32_t k = 0; k < n; k++) {
    table->parent[table->n + k] = table->n + k;
    table->features[table->n + k] = cca_features_empty (starts[k], y);
  }
  table->n += n;
}

/* Lists the runs j of the row above that this row connects with run j - 1 by bridging the gap between them. Branchless,
 * because random images would make a branch unpredictable. */
static inline uint32_t
list_bridged (const CcaRow *above, const CcaRow *row, uint32_t reach, uint16_t *list)
{
  uint32_t n = 0, cursor = 0;

  for (uint32_t j = 1; j < above->n; j++) {
    const uint32_t i = first_run_from (row, above->runs[j].start + 1 - reach, &cursor);

    list[n] = j;
    n += (i < row->n) & (row->runs[i].start < above->runs[j - 1].end + reach);
  }
  return n;
}

static void
label_row (const CcaRow *above, CcaRow *row, uint32_t reach, CcaLabelTable *table, uint16_t *const scratch[3])
{
  const CcaRun *restrict runs = row->runs, *restrict runs_above = above->runs;
  const uint32_t *restrict labels_above = above->labels, *restrict parent = table->parent;
  uint32_t *restrict labels = row->labels;
  uint16_t *restrict new_starts = scratch[0];
  const uint32_t n = row->n, n_above = above->n;
  uint32_t n_new = 0, cursor = 0;

  unite_with_left (above, scratch[0], list_bridged (above, row, reach, scratch[0]), table->parent);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t first = first_run_from (above, runs[i].start + 1 - reach, &cursor);
    const uint32_t is_new = (first == n_above) | (runs_above[first].start >= runs[i].end + reach);
    const uint32_t inherited = parent[labels_above[first]];

    new_starts[n_new] = runs[i].start;
    labels[i] = (inherited & (is_new - 1)) | ((table->n + n_new) & -is_new);
    n_new += is_new;
  }
  labels[n] = 0;
  new_labels (table, new_starts, n_new, row->top);
}

static void
measure_slab (const CcaRow *slab, CcaFeatures *features)
{
  const CcaRun *restrict runs = slab->runs;
  const uint32_t *restrict labels = slab->labels, n = slab->n, top = slab->top, bottom = slab->bottom;

  /* A slab of one row, the usual case in random images, needs two multiplications fewer per run. */
  if (bottom == top + 1)
    for (uint32_t i = 0; i < n; i++)
      cca_features_add_run (&features[labels[i]], runs[i].start, runs[i].end, top, top + 1);
  else
    for (uint32_t i = 0; i < n; i++)
      cca_features_add_run (&features[labels[i]], runs[i].start, runs[i].end, top, bottom);
}

static void
row_ops_init_label (CcaRowOps *ops)
{
  ops->label_row = label_row;
  ops->measure_slab = measure_slab;
}
