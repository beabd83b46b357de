/* gst-cca: labels and features of a row of runs
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Included once by each level that wants these compiled for its instructions; it first defines
 *   first_run_from (row, x, cursor)   as cca_first_run_from(), which may do without the cursor
 */
#include "cca/cpu/rows.h"

/* Unites the labels of the row above that meet in this row. A run of this row connects run j of the row above with run j - 1
 * where it reaches over the gap between them; those j are listed first, without a branch, as random images make it
 * unpredictable. */
static inline void
unite_bridged (const CcaRow *above, const CcaRow *row, uint32_t reach, uint32_t *parent, uint16_t *bridged)
{
  uint32_t n = 0, cursor = 0;

  for (uint32_t j = 1; j < above->n; j++) {
    const uint32_t i = first_run_from (row, above->runs[j].start + 1 - reach, &cursor);

    bridged[n] = j;
    n += (i < row->n) & (row->runs[i].start < above->runs[j - 1].end + reach);
  }
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t left = above->labels[bridged[k] - 1], right = above->labels[bridged[k]];

    if (left != right)
      cca_unite (parent, left, right);
  }
}

static void
label_row (const CcaRow *above, CcaRow *row, uint32_t y, uint32_t reach, CcaLabelTable *table, uint16_t *bridged)
{
  const CcaRun *restrict runs = row->runs, *restrict runs_above = above->runs;
  const uint32_t *restrict labels_above = above->labels;
  uint32_t *restrict labels = row->labels, *restrict parent = table->parent;
  CcaFeatures *restrict features = table->features;
  const uint32_t n = row->n, n_above = above->n;
  uint32_t next = table->n, cursor = 0;

  unite_bridged (above, row, reach, parent, bridged);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t first = first_run_from (above, runs[i].start + 1 - reach, &cursor);
    const uint32_t fresh = (first == n_above) | (runs_above[first].start >= runs[i].end + reach);
    const uint32_t inherited = parent[labels_above[first]];

    parent[next] = next;
    features[next].first = y << 16 | runs[i].start;
    labels[i] = (inherited & (fresh - 1)) | (next & -fresh);
    next += fresh;
  }
  labels[n] = 0;
  for (uint32_t label = table->n; label < next; label++)
    features[label] = cca_features_empty (features[label].first & 0xffff, y);
  table->n = next;
}

static void
measure_row (const CcaRow *row, uint32_t y, CcaFeatures *features)
{
  const CcaRun *restrict runs = row->runs;
  const uint32_t *restrict labels = row->labels, n = row->n;

  for (uint32_t i = 0; i < n; i++)
    cca_features_add_run (&features[labels[i]], runs[i].start, runs[i].end, y);
}

static void
row_ops_init_label (CcaRowOps *ops)
{
  ops->label_row = label_row;
  ops->measure_row = measure_row;
}
