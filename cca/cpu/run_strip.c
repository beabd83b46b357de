/* gst-cca: a strip of the image for the algorithm "runs": its runs, their labels and its components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/run_strip.h"

#include <string.h>

/* --- Workspace --------------------------------------------------------------------------------------- */

/* Initial capacity of a label table: at least twice the labels that can stay live after a flush (in the last row and in
 * the strip's first), so that a flush frees half of it; then as many as make flushes rare and fit into a level-2 cache,
 * but not more bytes than pixels. */
#define CACHED_LABELS 8192

size_t
cca_run_strip_first_labels (const CcaRunImage *image, CcaStrip rows)
{
  const size_t n_rows = rows.last - rows.first, most = image->most_runs * n_rows + 1;
  const size_t needed = 4 * (size_t) image->most_runs + 2;
  const size_t affordable = image->cpu->width * n_rows / (sizeof (CcaFeatures) + 2 * sizeof (uint32_t));
  const size_t wanted = affordable < CACHED_LABELS ? affordable : CACHED_LABELS;
  const size_t capacity = wanted > needed ? wanted : needed;

  return most < capacity ? most : capacity;
}

static void
take_row (CcaLayout *layout, const CcaRunImage *image, CcaRow *row)
{
  row->runs = cca_layout_take (layout, (image->most_runs + CCA_ROW_SLACK) * sizeof (CcaRun));
  row->labels = cca_layout_take (layout, (image->most_runs + CCA_ROW_SLACK) * sizeof (uint32_t));
  row->n_words = image->cpu->row_words;
  row->starts = cca_layout_take (layout, image->cpu->row_words * sizeof (uint64_t));
  row->ends = cca_layout_take (layout, image->cpu->row_words * sizeof (uint64_t));
  row->ends_before = cca_layout_take (layout, image->cpu->row_words * sizeof (uint32_t));
}

void
cca_run_strip_take (CcaLayout *layout, const CcaRunImage *image, CcaRunStrip *strip)
{
  const CcaCpu *cpu = image->cpu;
  const uint32_t height = strip->rows.last - strip->rows.first;

  take_row (layout, image, &strip->row[0]);
  take_row (layout, image, &strip->row[1]);
  if (strip->rows.first > 0)
    take_row (layout, image, &strip->top);
  for (uint32_t i = 0; i < 2; i++)
    strip->bits[i] = cca_layout_take (layout, cpu->row_words * sizeof (uint64_t));
  if (image->values)
    strip->differ = cca_layout_take (layout, cpu->row_words * sizeof (uint64_t));
  for (uint32_t i = 0; i < 3; i++)
    strip->scratch[i] = cca_layout_take (layout, (image->most_runs + CCA_ROW_SLACK) * sizeof (uint16_t));
  if (image->labeling)
    strip->row_pixels = cca_layout_take (layout, image->most_runs * sizeof (uint32_t));
  if (cpu->most_strips > 1 && !image->labeling) {
    const uint64_t most = cca_most_components (cpu->width, height, cpu->params);

    strip->own.capacity = most < cpu->params->max_components ? (uint32_t) most : cpu->params->max_components;
    strip->own.stored = cca_layout_take (layout, strip->own.capacity * sizeof (CcaComponent));
    strip->own.keys = cca_layout_take (layout, strip->own.capacity * sizeof (uint32_t));
  }
}

void
cca_run_strip_free (const CcaRunImage *image, CcaRunStrip *strip)
{
  cca_label_table_free (&strip->table, image->cpu->allocator, image->cpu->used);
}

/* --- Rows -------------------------------------------------------------------------------------------- */

/* Finds the runs of a row for VALUES: a run also ends where the value changes, so that one may start where another
 * ends. */
static void
find_runs_of_values (const CcaRunImage *image, const CcaRunStrip *strip, CcaRow *row)
{
  const uint64_t *bits = row->bits;
  const uint32_t n_words = image->cpu->row_words;
  uint64_t carry = 0;
  uint32_t n_starts = 0, n_ends = 0;

  if (image->mask->values.wide)
    image->cpu->ops->differ_16 ((const CcaPixel16 *) cca_mask_pixels (image->mask, row->top), image->cpu->width,
                                strip->differ);
  else
    image->cpu->ops->differ (cca_mask_pixels (image->mask, row->top), image->cpu->width, strip->differ);
  for (uint32_t i = 0; i < n_words; i++) {
    const uint64_t left = bits[i] << 1 | carry, inner = bits[i] & left & strip->differ[i];
    uint64_t starts = (bits[i] & ~left) | inner, ends = (left & ~bits[i]) | inner;

    carry = bits[i] >> 63;
    for (; starts; starts &= starts - 1)
      row->runs[n_starts++].start = i * 64 + __builtin_ctzll (starts);
    for (; ends; ends &= ends - 1)
      row->runs[n_ends++].end = i * 64 + __builtin_ctzll (ends);
  }
  row->n = n_ends;
}

/* Labels a row for VALUES: only runs of equal value connect. */
static void
label_row_of_values (const CcaRunImage *image, CcaRunStrip *strip, uint32_t reach, const CcaRow *above, CcaRow *row)
{
  const uint32_t y = row->top;
  CcaLabelTable *table = &strip->table;
  const uint8_t *here = cca_mask_pixels (image->mask, y), *north = y > 0 ? cca_mask_pixels (image->mask, y - 1) : NULL;
  const bool wide = image->mask->values.wide;
  uint32_t cursor = 0;

  for (uint32_t i = 0; i < row->n; i++) {
    const CcaRun run = row->runs[i];
    const uint32_t value = cca_value_at (here, run.start, wide);
    uint32_t label = table->n;

    for (uint32_t j = cca_first_run_from (above, run.start + 1 - reach, &cursor);
         j < above->n && above->runs[j].start < run.end + reach; j++)
      if (cca_value_at (north, above->runs[j].start, wide) == value)
        label = label == table->n ? above->labels[j] : cca_unite (table->parent, label, above->labels[j]);
    if (label == table->n) {
      table->parent[label] = label;
      table->features[label] = cca_features_empty (run.start, y);
      table->n++;
    }
    row->labels[i] = label;
  }
}

static void
measure_moments (const CcaRow *slab, CcaFeatures *features)
{
  for (uint32_t i = 0; i < slab->n; i++)
    cca_features_add_run_moments (&features[slab->labels[i]], slab->runs[i].start, slab->runs[i].end, slab->top,
                                  slab->bottom);
}

/* --- Labels ------------------------------------------------------------------------------------------ */

static void
mark_labels (CcaLabelTable *table, const CcaRow *row)
{
  for (uint32_t i = 0; i < row->n; i++)
    table->renamed[table->parent[row->labels[i]]] = true;
}

static void
rename_labels (const CcaLabelTable *table, CcaRow *row)
{
  for (uint32_t i = 0; i < row->n; i++)
    row->labels[i] = table->renamed[table->parent[row->labels[i]]];
}

/* Flushes the table: folds it, and passes the finished components, which have no run in `row` (the last one so far) or
 * in the strip's first row, to strip->finished. */
static void
flush (CcaRunStrip *strip, CcaRow *row)
{
  CcaLabelTable *table = &strip->table;
  uint32_t n_live = 0;

  cca_label_table_fold (table);
  memset (table->renamed, 0, table->n * sizeof *table->renamed);
  mark_labels (table, &strip->top);
  mark_labels (table, row);
  for (uint32_t label = 0; label < table->n; label++) {
    if (table->parent[label] != label)
      continue;
    if (table->renamed[label]) {
      table->renamed[label] = n_live;
      table->features[n_live++] = table->features[label];
    } else {
      cca_selection_add (strip->finished, &table->features[label]);
    }
  }
  rename_labels (table, &strip->top);
  rename_labels (table, row);
  for (uint32_t label = 0; label < n_live; label++)
    table->parent[label] = label;
  table->n = n_live;
}

/* Makes room for the labels of one more row. An analysis flushes the table; a labeling needs all labels to the end, so
 * it grows the table. */
static bool
reserve_labels (const CcaRunImage *image, CcaRunStrip *strip, CcaRow *above)
{
  CcaLabelTable *table = &strip->table;
  const size_t needed = (size_t) table->n + image->most_runs + 1;

  if (needed <= table->capacity)
    return true;
  if (image->labeling)
    return cca_label_table_reserve (table, image->cpu->allocator, image->cpu->used, 2 * needed);
  flush (strip, above);
  return true;
}

/* --- Slabs ------------------------------------------------------------------------------------------- */

static bool
store_row (const CcaRunImage *image, CcaRunStrip *strip, const CcaRow *row)
{
  CcaRunStore *store = strip->store;

  if (!cca_run_store_reserve (store, image->cpu->allocator, image->cpu->used, image->most_runs))
    return false;
  cca_run_store_begin_slab (store, row->top);
  memcpy (store->runs + store->n, row->runs, row->n * sizeof *row->runs);
  memcpy (store->labels + store->n, row->labels, row->n * sizeof *row->labels);
  store->n += row->n;
  return true;
}

static void
copy_row (CcaRow *to, const CcaRow *from)
{
  to->n = from->n;
  memcpy (to->runs, from->runs, from->n * sizeof *from->runs);
  memcpy (to->labels, from->labels, from->n * sizeof *from->labels);
}

/* Empties the row above the strip. */
static void
clear_row (CcaRow *row, uint64_t *bits)
{
  memset (bits, 0, row->n_words * sizeof *bits);
  row->bits = bits;
  row->n = 0;
  row->top = row->bottom = 0;
  row->runs[0] = (CcaRun) { 0, 0 };
  row->labels[0] = 0;
  memset (row->starts, 0, row->n_words * sizeof *row->starts);
  memset (row->ends, 0, row->n_words * sizeof *row->ends);
  memset (row->ends_before, 0, row->n_words * sizeof *row->ends_before);
}

/* Returns whether row y equals the one above; for VALUES, also in its values. */
static bool
repeats_above (const CcaRunImage *image, uint32_t y, const uint64_t *bits, const CcaRow *above)
{
  if (memcmp (bits, above->bits, above->n_words * sizeof *bits) != 0)
    return false;
  return !image->values
         || memcmp (cca_mask_pixels (image->mask, y), cca_mask_pixels (image->mask, y - 1),
                    (size_t) image->cpu->width << image->mask->values.wide)
                == 0;
}

/* Finds and labels the runs of a slab from its first row. */
static bool
begin_slab (const CcaRunImage *image, CcaRunStrip *strip, CcaRow *above, CcaRow *row)
{
  const CcaCpu *cpu = image->cpu;
  const uint32_t reach = cpu->params->connectivity == 8;

  if (!reserve_labels (image, strip, above))
    return false;
  if (image->values) {
    find_runs_of_values (image, strip, row);
    label_row_of_values (image, strip, reach, above, row);
  } else {
    cpu->ops->find_runs (row);
    cpu->ops->label_row (above, row, reach, &strip->table, strip->scratch);
  }
  if (row->top == strip->rows.first && row->top > 0)
    copy_row (&strip->top, row);
  return !image->labeling || store_row (image, strip, row);
}

/* Measures a slab whose last row is known. */
static void
end_slab (const CcaRunImage *image, CcaRunStrip *strip, const CcaRow *slab)
{
  image->cpu->ops->measure_slab (slab, strip->table.features);
  if (image->cpu->params->covariance)
    measure_moments (slab, strip->table.features);
}

static bool
label_rows (const CcaRunImage *image, CcaRunStrip *strip)
{
  uint32_t turn = 0;

  strip->table.n = 0;
  strip->top.n = 0;
  clear_row (&strip->row[1], strip->bits[1]);
  for (uint32_t y = strip->rows.first; y < strip->rows.last; y++) {
    const uint64_t *bits = cca_mask_row (image->mask, y, strip->bits[turn]);
    CcaRow *row = &strip->row[turn], *above = &strip->row[1 - turn];

    if (y > strip->rows.first && repeats_above (image, y, bits, above)) {
      above->bottom++;
      continue;
    }
    end_slab (image, strip, above);
    row->top = y;
    row->bottom = y + 1;
    row->bits = bits;
    if (!begin_slab (image, strip, above, row))
      return false;
    turn = 1 - turn;
  }
  strip->last = &strip->row[1 - turn];
  end_slab (image, strip, strip->last);
  return true;
}

bool
cca_run_strip_label (const CcaRunImage *image, CcaRunStrip *strip)
{
  if (!label_rows (image, strip))
    return false;
  if (image->labeling)
    cca_run_store_finish (strip->store, strip->rows.last);
  cca_label_table_fold (&strip->table);
  return true;
}

void
cca_run_strip_rename (CcaRunStrip *strip)
{
  const uint32_t *renamed = strip->table.renamed;
  CcaRunStore *store = strip->store;

  for (size_t i = 0; i < store->n; i++)
    store->labels[i] = renamed[store->labels[i]];
}

void
cca_run_strip_drop (CcaRunStrip *strip)
{
  CcaRunStore *store = strip->store;
  size_t n = 0, i = 0;

  for (uint32_t s = 0; s < store->n_slabs; s++) {
    const size_t end = store->slabs[s + 1].first;

    store->slabs[s].first = n;
    for (; i < end; i++) {
      store->runs[n] = store->runs[i];
      store->labels[n] = store->labels[i];
      n += store->labels[i] != 0;
    }
  }
  store->n = n;
  cca_run_store_finish (store, strip->rows.last);
}

/* Sets the output pixel of each run of a slab. */
static void
find_pixels (const CcaRunImage *image, const CcaRunStrip *strip, const uint32_t *labels, uint32_t n)
{
  const uint32_t *pixels = strip->table.renamed;

  if (image->stores_runs)
    for (uint32_t i = 0; i < n; i++)
      strip->row_pixels[i] = cca_output_pixel (image->cpu->output, labels[i]);
  else
    for (uint32_t i = 0; i < n; i++)
      strip->row_pixels[i] = pixels[labels[i]];
}

void
cca_run_strip_paint (const CcaRunImage *image, const CcaRunStrip *strip, const CcaImage *output)
{
  const CcaCpu *cpu = image->cpu;
  const CcaRunStore *store = strip->store;
  const uint32_t pixel_size = cca_output_pixel_size (cpu->output), background = cca_output_pixel (cpu->output, 0);
  void (*const paint) (void *, uint32_t, const CcaRun *, uint32_t, const uint32_t *, uint32_t) =
      pixel_size == 1   ? cpu->ops->paint_u8
      : pixel_size == 2 ? cpu->ops->paint_u16
                        : cpu->ops->paint_u32;

  for (uint32_t s = 0; s < store->n_slabs; s++) {
    const CcaStoredSlab *slab = &store->slabs[s];
    const uint32_t n = slab[1].first - slab->first;

    find_pixels (image, strip, store->labels + slab->first, n);
    for (uint32_t y = slab->top; y < slab[1].top; y++)
      paint ((char *) output->data + (ptrdiff_t) y * output->pitch, cpu->width, store->runs + slab->first, n,
             strip->row_pixels, background);
  }
}
