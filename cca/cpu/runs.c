/* gst-cca: algorithm "runs", connected components by runs of pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * In the line of LSL and FLSL: Lacassagne & Zavidovique, Light speed labeling, JRTIP 6, 2011; Lemaitre, Hennequin &
 * Lacassagne, How to speed connected component labeling up with SIMD RLE algorithms, WPMVP 2020.
 *
 * A row of bits becomes runs; the runs above that touch a run are an interval, found by counting bits:
 *
 *     above    [ 0 ]  [ 1 ]    [ 2 ]      run a touches 0, 1: takes the label of 0, unites it with 1's
 *     row        [ a ]      [ b ]   [c]   run b touches 2; run c touches 2 only with 8-connectivity
 *
 * A row that equals the one above has nothing new. It is one slab with it, which is found and labelled once.
 *
 * Features are added in closed form per run to the label at hand, and folded into the roots when the table is full and at the
 * end. Analysis keeps two rows of runs and a small table: when it is full, the components that the last row no longer touches
 * are finished and leave it, so that the workspace does not grow with the image. Labeling keeps all runs to paint them.
 *
 * Strips of the image can be done side by side; the components at their borders are then united.
 */
#include "cca/cpu/foreground.h"
#include "cca/status.h"

#include <string.h>

/* Where a slab's rows, and its runs in the store, begin. */
typedef struct
{
  uint32_t top;
  size_t first;
} StoredSlab;

/* All runs of a strip, for painting. */
typedef struct
{
  size_t n, capacity;
  CcaRun *runs;
  uint32_t *labels;
  uint32_t n_slabs;
  StoredSlab *slabs; /* n_slabs, and the end of the last */
} RunStore;

typedef struct
{
  CcaStrip rows;
  CcaStatus status;
  CcaLabelTable table;
  uint32_t n_labels; /* provisional ones in the table's `renamed` */
  uint32_t base;     /* where the strip's components begin in the joined table */

  CcaRow row[2], top; /* the slab under way and the one above in turn; the first row, where another strip lies above */
  CcaRow *last;       /* the last slab */
  uint64_t *bits[2];  /* room for their rows of the mask */
  uint64_t *differ;   /* values: pixels that differ from their left neighbour */
  uint16_t *scratch[3]; /* of label_row */

  CcaSelection *finished; /* analysis: where the strip's finished components go: the first strip's to the frame's selection, */
  CcaSelection own;       /* those of every other strip first to one of its own */
  RunStore store;         /* labeling */
  uint32_t *row_pixels;   /* labeling: the output pixel of each run of a row */
} Strip;

typedef struct
{
  const CcaCpu *cpu;
  bool values, labeling;
  uint32_t most_runs; /* in a row */
  CcaLabelTable joined; /* the components of all strips, where there is more than one */
  /* The frame under way. */
  const CcaMask *mask;
  CcaSelection *selection;
  const CcaImage *output;
  char *block; /* the fixed part of the workspace */
  Strip strips[];
} Runs;

/* --- Workspace ------------------------------------------------------------------------------------------ */

/* The labels that a table starts with: at least twice those that can be live after a flush (of the last row and of the
 * strip's first), so that a flush frees half of it; then as many as make flushes rare and still fit a level-2 cache, but not
 * more than a byte a pixel. */
#define CACHED_LABELS 8192

static size_t
first_capacity (const Runs *self, CcaStrip rows)
{
  const size_t n_rows = rows.last - rows.first, most = self->most_runs * n_rows + 1;
  const size_t needed = 4 * (size_t) self->most_runs + 2, affordable = self->cpu->width * n_rows / (sizeof (CcaFeatures) + 2 * sizeof (uint32_t));
  const size_t wanted = affordable < CACHED_LABELS ? affordable : CACHED_LABELS;
  const size_t capacity = wanted > needed ? wanted : needed;

  return most < capacity ? most : capacity;
}

static void
take_row (CcaLayout *layout, const Runs *self, CcaRow *row)
{
  row->runs = cca_layout_take (layout, (self->most_runs + CCA_ROW_SLACK) * sizeof (CcaRun));
  row->labels = cca_layout_take (layout, (self->most_runs + CCA_ROW_SLACK) * sizeof (uint32_t));
  row->n_words = self->cpu->row_words;
  row->starts = cca_layout_take (layout, self->cpu->row_words * sizeof (uint64_t));
  row->ends = cca_layout_take (layout, self->cpu->row_words * sizeof (uint64_t));
  row->ends_before = cca_layout_take (layout, self->cpu->row_words * sizeof (uint32_t));
}

static void
take_strip (CcaLayout *layout, const Runs *self, Strip *strip)
{
  const CcaCpu *cpu = self->cpu;
  const uint32_t height = strip->rows.last - strip->rows.first;

  take_row (layout, self, &strip->row[0]);
  take_row (layout, self, &strip->row[1]);
  if (strip->rows.first > 0)
    take_row (layout, self, &strip->top);
  for (uint32_t i = 0; i < 2; i++)
    strip->bits[i] = cca_layout_take (layout, cpu->row_words * sizeof (uint64_t));
  if (self->values)
    strip->differ = cca_layout_take (layout, cpu->row_words * sizeof (uint64_t));
  for (uint32_t i = 0; i < 3; i++)
    strip->scratch[i] = cca_layout_take (layout, (self->most_runs + CCA_ROW_SLACK) * sizeof (uint16_t));
  if (self->labeling) {
    strip->store.slabs = cca_layout_take (layout, ((size_t) height + 1) * sizeof (StoredSlab));
    strip->row_pixels = cca_layout_take (layout, self->most_runs * sizeof (uint32_t));
  } else if (strip->rows.first > 0) {
    const uint64_t most = cca_most_components (cpu->width, height, cpu->params->connectivity, self->values);

    strip->own.capacity = most < cpu->params->max_components ? (uint32_t) most : cpu->params->max_components;
    strip->own.stored = cca_layout_take (layout, strip->own.capacity * sizeof (CcaComponent));
    strip->own.keys = cca_layout_take (layout, strip->own.capacity * sizeof (uint32_t));
  }
}

/* Divides the block, or only counts its bytes. */
static size_t
take_all (Runs *self, char *base)
{
  CcaLayout layout = { base, 0 };

  for (uint32_t i = 0; i < self->cpu->n_strips; i++)
    take_strip (&layout, self, &self->strips[i]);
  return layout.size;
}

static RunStore
divide_store (CcaLayout *layout, size_t capacity)
{
  RunStore store = { .capacity = capacity };

  store.runs = cca_layout_take (layout, capacity * sizeof *store.runs);
  store.labels = cca_layout_take (layout, capacity * sizeof *store.labels);
  return store;
}

/* Makes room for the runs of one more row. */
static bool
reserve_store (const Runs *self, RunStore *store)
{
  const size_t needed = store->n + self->most_runs;
  const size_t capacity = store->capacity ? 2 * needed : needed;
  CcaLayout layout = { NULL, 0 };
  RunStore grown;

  if (needed <= store->capacity)
    return true;
  divide_store (&layout, capacity);
  layout = (CcaLayout){ cca_alloc (self->cpu->allocator, self->cpu->used, layout.size), 0 };
  if (layout.base == NULL)
    return false;
  grown = divide_store (&layout, capacity);
  grown.n = store->n;
  grown.n_slabs = store->n_slabs;
  grown.slabs = store->slabs;
  if (store->n > 0) {
    memcpy (grown.runs, store->runs, store->n * sizeof *store->runs);
    memcpy (grown.labels, store->labels, store->n * sizeof *store->labels);
  }
  cca_free (self->cpu->allocator, self->cpu->used, store->runs);
  *store = grown;
  return true;
}

/* Fills what follows from the plan alone. */
static void
describe (Runs *self, const CcaCpu *cpu)
{
  memset (self, 0, sizeof *self + cpu->n_strips * sizeof (Strip));
  self->cpu = cpu;
  self->values = cpu->params->foreground == CCA_FOREGROUND_VALUES;
  self->labeling = cpu->output != CCA_OUTPUT_NONE;
  self->most_runs = self->values ? cpu->width : (cpu->width + 1) / 2;
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    self->strips[i].rows = cca_strip (cpu->height, cpu->n_strips, i);
}

static size_t
runs_estimate (const CcaCpu *cpu)
{
  _Alignas (Runs) char room[sizeof (Runs) + CCA_MAX_THREADS * sizeof (Strip)];
  Runs *self = (Runs *) room;
  size_t bytes = sizeof *self + cpu->n_strips * sizeof (Strip);

  describe (self, cpu);
  bytes += take_all (self, NULL);
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    bytes += cca_label_table_size (first_capacity (self, self->strips[i].rows));
  return bytes;
}

static void
runs_close (void *state)
{
  Runs *self = state;
  const CcaCpu *cpu = self->cpu;

  for (uint32_t i = 0; i < cpu->n_strips; i++) {
    cca_label_table_free (&self->strips[i].table, cpu->allocator, cpu->used);
    cca_free (cpu->allocator, cpu->used, self->strips[i].store.runs);
  }
  cca_label_table_free (&self->joined, cpu->allocator, cpu->used);
  cca_free (cpu->allocator, cpu->used, self->block);
  cca_free (cpu->allocator, cpu->used, self);
}

static CcaStatus
runs_open (const CcaCpu *cpu, void **state)
{
  Runs *self = cca_alloc (cpu->allocator, cpu->used, sizeof *self + cpu->n_strips * sizeof (Strip));

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  describe (self, cpu);
  self->block = cca_alloc (cpu->allocator, cpu->used, take_all (self, NULL));
  if (self->block == NULL)
    goto failed;
  take_all (self, self->block);
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    if (!cca_label_table_reserve (&self->strips[i].table, cpu->allocator, cpu->used,
                                  first_capacity (self, self->strips[i].rows)))
      goto failed;
  *state = self;
  return CCA_OK;

failed:
  runs_close (self);
  return CCA_ERROR_MEMORY;
}

/* --- Rows ----------------------------------------------------------------------------------------------- */

/* The runs of a row where a run also ends where the value changes, so that a start and an end may share their place. */
static void
find_runs_of_values (const Runs *self, const Strip *strip, CcaRow *row)
{
  const uint64_t *bits = row->bits;
  const uint32_t n_words = self->cpu->row_words;
  uint64_t carry = 0;
  uint32_t n_starts = 0, n_ends = 0;

  self->cpu->ops->differ (cca_mask_pixels (self->mask, row->top), self->cpu->width, strip->differ);
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

/* The labels of a row where only runs of equal value connect. */
static void
label_row_of_values (const Runs *self, Strip *strip, uint32_t reach, const CcaRow *above, CcaRow *row)
{
  const uint32_t y = row->top;
  CcaLabelTable *table = &strip->table;
  const uint8_t *here = cca_mask_pixels (self->mask, y), *north = y > 0 ? cca_mask_pixels (self->mask, y - 1) : NULL;
  uint32_t cursor = 0;

  for (uint32_t i = 0; i < row->n; i++) {
    const CcaRun run = row->runs[i];
    uint32_t label = table->n;

    for (uint32_t j = cca_first_run_from (above, run.start + 1 - reach, &cursor);
         j < above->n && above->runs[j].start < run.end + reach; j++)
      if (north[above->runs[j].start] == here[run.start])
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

/* --- Strips --------------------------------------------------------------------------------------------- */

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

/* Folds the table and lets the finished components go: those that neither `row`, the last one so far, nor the strip's first
 * row has. row is NULL where nothing follows below. */
static void
flush (Strip *strip, CcaRow *row)
{
  CcaLabelTable *table = &strip->table;
  uint32_t n_live = 0;

  cca_label_table_fold (table);
  memset (table->renamed, 0, table->n * sizeof *table->renamed);
  mark_labels (table, &strip->top);
  if (row)
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
  if (row)
    rename_labels (table, row);
  for (uint32_t label = 0; label < n_live; label++)
    table->parent[label] = label;
  table->n = n_live;
}

/* Folds the table and keeps only the roots; `renamed` tells the component of each provisional label. */
static void
compact (Strip *strip, CcaRow *last)
{
  CcaLabelTable *table = &strip->table;
  uint32_t n_components = 0;

  cca_label_table_fold (table);
  for (uint32_t label = 0; label < table->n; label++) {
    if (table->parent[label] != label) {
      table->renamed[label] = table->renamed[table->parent[label]];
    } else {
      table->renamed[label] = n_components;
      table->features[n_components++] = table->features[label];
    }
  }
  rename_labels (table, &strip->top);
  rename_labels (table, last);
  strip->n_labels = table->n;
  table->n = n_components;
}

/* Makes room for the labels of one more row: an analysis flushes, a labeling, which needs all labels at the end, grows. */
static bool
reserve_labels (const Runs *self, Strip *strip, CcaRow *above)
{
  CcaLabelTable *table = &strip->table;
  const size_t needed = (size_t) table->n + self->most_runs + 1;

  if (needed <= table->capacity)
    return true;
  if (self->labeling)
    return cca_label_table_reserve (table, self->cpu->allocator, self->cpu->used, 2 * needed);
  flush (strip, above);
  return true;
}

static bool
store_row (const Runs *self, Strip *strip, const CcaRow *row)
{
  RunStore *store = &strip->store;

  if (!reserve_store (self, store))
    return false;
  store->slabs[store->n_slabs++] = (StoredSlab){ row->top, store->n };
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

/* The row above the first one. */
static void
clear_row (CcaRow *row, uint64_t *bits)
{
  memset (bits, 0, row->n_words * sizeof *bits);
  row->bits = bits;
  row->n = 0;
  row->top = row->bottom = 0;
  row->runs[0] = (CcaRun){ 0, 0 };
  row->labels[0] = 0;
  memset (row->starts, 0, row->n_words * sizeof *row->starts);
  memset (row->ends, 0, row->n_words * sizeof *row->ends);
  memset (row->ends_before, 0, row->n_words * sizeof *row->ends_before);
}

/* Whether row y equals the one above; where only equal values connect, in its values, too. */
static bool
repeats_above (const Runs *self, uint32_t y, const uint64_t *bits, const CcaRow *above)
{
  return memcmp (bits, above->bits, above->n_words * sizeof *bits) == 0
         && (!self->values
             || memcmp (cca_mask_pixels (self->mask, y), cca_mask_pixels (self->mask, y - 1), self->cpu->width) == 0);
}

/* Finds and labels the runs of a slab by its first row. */
static bool
begin_slab (const Runs *self, Strip *strip, CcaRow *above, CcaRow *row)
{
  const CcaCpu *cpu = self->cpu;
  const uint32_t reach = cpu->params->connectivity == 8;

  if (!reserve_labels (self, strip, above))
    return false;
  if (self->values) {
    find_runs_of_values (self, strip, row);
    label_row_of_values (self, strip, reach, above, row);
  } else {
    cpu->ops->find_runs (row);
    cpu->ops->label_row (above, row, reach, &strip->table, strip->scratch);
  }
  if (row->top == strip->rows.first && row->top > 0)
    copy_row (&strip->top, row);
  return !self->labeling || store_row (self, strip, row);
}

/* Measures a slab, all rows of which are known. */
static void
end_slab (const Runs *self, Strip *strip, const CcaRow *slab)
{
  self->cpu->ops->measure_slab (slab, strip->table.features);
  if (self->cpu->params->covariance)
    measure_moments (slab, strip->table.features);
}

static bool
label_rows (const Runs *self, Strip *strip)
{
  uint32_t turn = 0;

  strip->table.n = 0;
  strip->store.n = 0;
  strip->store.n_slabs = 0;
  strip->top.n = 0;
  clear_row (&strip->row[1], strip->bits[1]);
  for (uint32_t y = strip->rows.first; y < strip->rows.last; y++) {
    const uint64_t *bits = cca_mask_row (self->mask, y, strip->bits[turn]);
    CcaRow *row = &strip->row[turn], *above = &strip->row[1 - turn];

    if (y > strip->rows.first && repeats_above (self, y, bits, above)) {
      above->bottom++;
      continue;
    }
    end_slab (self, strip, above);
    row->top = y;
    row->bottom = y + 1;
    row->bits = bits;
    if (!begin_slab (self, strip, above, row))
      return false;
    turn = 1 - turn;
  }
  strip->last = &strip->row[1 - turn];
  end_slab (self, strip, strip->last);
  return true;
}

static void
label_strip (void *data, uint32_t index)
{
  Runs *self = data;
  Strip *strip = &self->strips[index];

  strip->finished = self->selection;
  if (!self->labeling && index > 0) {
    strip->finished = &strip->own;
    cca_selection_start_beside (&strip->own, self->cpu->params, self->selection);
  }
  if (!label_rows (self, strip)) {
    strip->status = CCA_ERROR_MEMORY;
    return;
  }
  strip->status = CCA_OK;
  if (!self->labeling) {
    flush (strip, strip->rows.last < self->cpu->height ? strip->last : NULL);
    return;
  }
  strip->store.slabs[strip->store.n_slabs] = (StoredSlab){ strip->rows.last, strip->store.n };
  if (self->cpu->n_strips == 1)
    cca_label_table_fold (&strip->table);
  else
    compact (strip, strip->last);
}

/* --- The whole image ------------------------------------------------------------------------------------ */

/* Unites the components on both sides of the border between two strips, in the joined table. */
static void
unite_border (Runs *self, Strip *strip, Strip *above)
{
  const CcaRow *top = &strip->top, *bottom = above->last;
  const uint32_t reach = self->cpu->params->connectivity == 8, y = strip->rows.first;
  uint32_t cursor = 0;

  for (uint32_t i = 0; i < top->n; i++) {
    const CcaRun run = top->runs[i];

    for (uint32_t j = cca_first_run_from (bottom, run.start + 1 - reach, &cursor);
         j < bottom->n && bottom->runs[j].start < run.end + reach; j++) {
      if (self->values
          && cca_mask_pixels (self->mask, y)[run.start] != cca_mask_pixels (self->mask, y - 1)[bottom->runs[j].start])
        continue;
      cca_unite (self->joined.parent, strip->base + top->labels[i], above->base + bottom->labels[j]);
    }
  }
}

static bool
join_strips (Runs *self)
{
  CcaLabelTable *joined = &self->joined;
  size_t n = 0;

  for (uint32_t i = 0; i < self->cpu->n_strips; i++) {
    self->strips[i].base = n;
    n += self->strips[i].table.n;
  }
  joined->n = 0;
  if (n > joined->capacity && !cca_label_table_reserve (joined, self->cpu->allocator, self->cpu->used, 2 * n))
    return false;
  joined->n = n;
  for (uint32_t i = 0; i < self->cpu->n_strips; i++) {
    const CcaLabelTable *table = &self->strips[i].table;

    if (table->n > 0)
      memcpy (joined->features + self->strips[i].base, table->features, table->n * sizeof *table->features);
  }
  for (uint32_t label = 0; label < n; label++)
    joined->parent[label] = label;
  for (uint32_t i = 1; i < self->cpu->n_strips; i++)
    unite_border (self, &self->strips[i], &self->strips[i - 1]);
  cca_label_table_fold (joined);
  return true;
}

/* The folded table of all components that are not finished yet. */
static CcaLabelTable *
whole_table (Runs *self)
{
  return self->cpu->n_strips == 1 ? &self->strips[0].table : &self->joined;
}

/* Gives the components of the folded table to the selection; for labeling, `renamed` then tells the number of each label. */
static void
give_components (const Runs *self, CcaLabelTable *table)
{
  uint32_t n = 0;

  for (uint32_t label = 0; label < table->n; label++) {
    if (table->parent[label] != label) {
      table->renamed[label] = table->renamed[table->parent[label]];
    } else {
      table->renamed[label] = cca_selection_passes (self->selection, &table->features[label]) ? ++n : 0;
      cca_selection_add (self->selection, &table->features[label]);
    }
  }
}

static CcaStatus
runs_label (void *state, const CcaMask *mask, CcaSelection *selection)
{
  Runs *self = state;

  self->mask = mask;
  self->selection = selection;
  cca_threads_run (self->cpu->threads, label_strip, self);
  for (uint32_t i = 0; i < self->cpu->n_strips; i++)
    if (self->strips[i].status != CCA_OK)
      return cca_fail (self->strips[i].status, "no memory for the runs of this frame");
  if (self->cpu->n_strips > 1 && !join_strips (self))
    return CCA_ERROR_MEMORY;
  give_components (self, whole_table (self));
  if (!self->labeling)
    for (uint32_t i = 1; i < self->cpu->n_strips; i++)
      cca_selection_join (selection, &self->strips[i].own);
  return CCA_OK;
}

static void
paint_strip (void *data, uint32_t index)
{
  const Runs *self = data;
  const CcaCpu *cpu = self->cpu;
  const Strip *strip = &self->strips[index];
  const RunStore *store = &strip->store;
  const uint32_t pixel_size = cca_output_pixel_size (cpu->output), background = cca_output_pixel (cpu->output, 0);
  void (*const paint) (void *, uint32_t, const CcaRun *, uint32_t, const uint32_t *, uint32_t)
      = pixel_size == 1   ? cpu->ops->paint_u8
        : pixel_size == 2 ? cpu->ops->paint_u16
                          : cpu->ops->paint_u32;
  uint32_t *pixels = strip->table.renamed;

  if (cpu->n_strips > 1)
    for (uint32_t label = 0; label < strip->n_labels; label++)
      pixels[label] = self->joined.renamed[strip->base + pixels[label]];
  for (uint32_t s = 0; s < store->n_slabs; s++) {
    const StoredSlab *slab = &store->slabs[s];
    const uint32_t n = slab[1].first - slab->first;

    for (uint32_t i = 0; i < n; i++)
      strip->row_pixels[i] = pixels[store->labels[slab->first + i]];
    for (uint32_t y = slab->top; y < slab[1].top; y++)
      paint ((char *) self->output->data + (ptrdiff_t) y * self->output->pitch, cpu->width, store->runs + slab->first, n,
             strip->row_pixels, background);
  }
}

static void
runs_paint (void *state, const CcaSelection *selection, const CcaImage *output)
{
  Runs *self = state;
  CcaLabelTable *table = whole_table (self);

  for (uint32_t label = 0; label < table->n; label++)
    table->renamed[label] = cca_output_pixel (self->cpu->output, table->renamed[label]);
  self->output = output;
  cca_threads_run (self->cpu->threads, paint_strip, self);
}

const CcaCpuAlgorithm cca_cpu_runs = {
  .entry = {
    .name = "runs",
    .description = "runs of pixels found by SIMD, union-find on runs, features in closed form",
    .source = "Lacassagne & Zavidovique, Light speed labeling, JRTIP 6, 2011; Lemaitre, Hennequin & Lacassagne, How to "
              "speed connected component labeling up with SIMD RLE algorithms, WPMVP 2020",
    .backend = CCA_BACKEND_CPU,
    .capabilities
    = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES | CCA_CAN_THREADS,
  },
  .estimate = runs_estimate,
  .open = runs_open,
  .close = runs_close,
  .label = runs_label,
  .paint = runs_paint,
};
