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
 * Features are added in closed form per run to the label at hand, and folded into the roots when the table is full and at the
 * end. Analysis keeps two rows of runs and a small table: when it is full, the components that the last row no longer touches
 * are finished and leave it, so that the workspace does not grow with the image. Labeling keeps all runs to paint them.
 *
 * Strips of the image can be done side by side; the components at their borders are then united.
 */
#include "cca/cpu/algorithm.h"
#include "cca/cpu/label_table.h"
#include "cca/status.h"

#include <string.h>

/* A row of runs with their labels. */
typedef struct
{
  CcaRuns runs;
  uint32_t *labels; /* n + 1 of them may be read */
} Row;

/* All runs of a strip, for painting. */
typedef struct
{
  size_t n, capacity;
  uint16_t *starts, *ends;
  uint32_t *labels;
  size_t *row_first; /* where each row of the strip begins, and the end of the last */
} RunStore;

typedef struct
{
  CcaStrip rows;
  CcaStatus status;
  CcaLabelTable table;
  uint32_t n_labels; /* provisional ones in the table's `renamed` */
  uint32_t base;     /* where the strip's components begin in the joined table */

  Row row[2], top;    /* rows y and y - 1 in turn; the first row, where another strip lies above */
  CcaRunBits bits[2]; /* of rows y and y - 1 */
  uint64_t *starts;   /* row y's run starts as bits */
  uint64_t *differ;   /* values: pixels that differ from their left neighbour */
  uint16_t *first_touching, *bridged;

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
 * strip's first), so that a flush frees half of it, and enough that flushes are rare; small enough for a level-2 cache. */
#define FEWEST_LABELS 4096

static size_t
first_capacity (const Runs *self, CcaStrip rows)
{
  const size_t most = (size_t) self->most_runs * (rows.last - rows.first) + 1;
  const size_t wanted = 4 * (size_t) self->most_runs + 2;
  const size_t capacity = wanted > FEWEST_LABELS ? wanted : FEWEST_LABELS;

  return most < capacity ? most : capacity;
}

static void
take_row (CcaLayout *layout, Row *row, uint32_t most_runs)
{
  row->runs.starts = cca_layout_take (layout, (most_runs + CCA_ROW_SLACK) * sizeof (uint16_t));
  row->runs.ends = cca_layout_take (layout, (most_runs + CCA_ROW_SLACK) * sizeof (uint16_t));
  row->labels = cca_layout_take (layout, (most_runs + 1) * sizeof (uint32_t));
}

static void
take_strip (CcaLayout *layout, const Runs *self, Strip *strip)
{
  const CcaCpu *cpu = self->cpu;
  const uint32_t height = strip->rows.last - strip->rows.first;

  for (uint32_t i = 0; i < 2; i++) {
    strip->bits[i].ends = cca_layout_take (layout, cpu->row_words * sizeof (uint64_t));
    strip->bits[i].ends_before = cca_layout_take (layout, cpu->row_words * sizeof (uint32_t));
    take_row (layout, &strip->row[i], self->most_runs);
  }
  if (strip->rows.first > 0)
    take_row (layout, &strip->top, self->most_runs);
  strip->starts = cca_layout_take (layout, cpu->row_words * sizeof (uint64_t));
  if (self->values)
    strip->differ = cca_layout_take (layout, cpu->row_words * sizeof (uint64_t));
  strip->first_touching = cca_layout_take (layout, self->most_runs * sizeof (uint16_t));
  strip->bridged = cca_layout_take (layout, self->most_runs * sizeof (uint16_t));
  if (self->labeling) {
    strip->store.row_first = cca_layout_take (layout, ((size_t) height + 1) * sizeof (size_t));
    strip->row_pixels = cca_layout_take (layout, self->most_runs * sizeof (uint32_t));
  } else if (strip->rows.first > 0) {
    const uint64_t most = cca_most_components (cpu->width, height, cpu->params->connectivity, self->values);

    strip->own.capacity = most < cpu->params->max_components ? (uint32_t) most : cpu->params->max_components;
    strip->own.stored = cca_layout_take (layout, strip->own.capacity * sizeof (CcaFeatures));
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

  store.starts = cca_layout_take (layout, capacity * sizeof *store.starts);
  store.ends = cca_layout_take (layout, capacity * sizeof *store.ends);
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
  grown.row_first = store->row_first;
  if (store->n > 0) {
    memcpy (grown.starts, store->starts, store->n * sizeof *store->starts);
    memcpy (grown.ends, store->ends, store->n * sizeof *store->ends);
    memcpy (grown.labels, store->labels, store->n * sizeof *store->labels);
  }
  cca_free (self->cpu->allocator, self->cpu->used, store->starts);
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
    cca_free (cpu->allocator, cpu->used, self->strips[i].store.starts);
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

static const uint8_t *
row_values (const CcaMask *mask, uint32_t y)
{
  return (const uint8_t *) mask->values->data + (ptrdiff_t) y * mask->values->pitch;
}

/* The runs of row y, and the bits of their ends. A run of values also ends where the value changes. */
static void
find_runs (const Runs *self, const Strip *strip, uint32_t y, const CcaRunBits *bits, CcaRuns *runs)
{
  const CcaRowOps *ops = self->cpu->ops;
  const uint32_t n_words = self->cpu->row_words;
  const uint64_t *row = self->mask->bits + (size_t) y * self->mask->row_words;

  strip->starts[0] = row[0] & ~(row[0] << 1);
  bits->ends[0] = ~row[0] & row[0] << 1;
  for (uint32_t i = 1; i < n_words; i++) {
    const uint64_t left = row[i] << 1 | row[i - 1] >> 63;

    strip->starts[i] = row[i] & ~left;
    bits->ends[i] = ~row[i] & left;
  }
  if (self->values) {
    ops->differ (row_values (self->mask, y), self->cpu->width, strip->differ);
    for (uint32_t i = 0; i < n_words; i++) {
      const uint64_t inner = row[i] & (row[i] << 1 | (i > 0 ? row[i - 1] >> 63 : 0)) & strip->differ[i];

      strip->starts[i] |= inner;
      bits->ends[i] |= inner;
    }
  }
  runs->n = ops->positions (strip->starts, n_words, runs->starts);
  ops->positions (bits->ends, n_words, runs->ends);
  ops->count_before (bits->ends, n_words, bits->ends_before);
}

/* Unites the labels of the row above that meet in this row and gives every run of row y a label. But for the unions nothing
 * here branches on the image, so that random ones find little to mispredict. */
static void
label_row (const Runs *self, Strip *strip, uint32_t y, const Row *row, const CcaRunBits *bits, const Row *above)
{
  const uint32_t reach = self->cpu->params->connectivity == 8, n = row->runs.n;
  const uint32_t n_bridged = self->cpu->ops->bridged (&above->runs, &row->runs, bits, reach, strip->bridged);
  const uint16_t *restrict first = strip->first_touching, *restrict starts_above = above->runs.starts;
  const uint32_t *restrict labels_above = above->labels;
  uint32_t *restrict labels = row->labels, *restrict parent = strip->table.parent;
  CcaFeatures *restrict features = strip->table.features;
  uint32_t next = strip->table.n;

  for (uint32_t k = 0; k < n_bridged; k++) {
    const uint32_t left = labels_above[strip->bridged[k] - 1], right = labels_above[strip->bridged[k]];

    if (left != right)
      cca_unite (parent, left, right);
  }
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t fresh = (first[i] == above->runs.n) | (starts_above[first[i]] >= row->runs.ends[i] + reach);
    const uint32_t inherited = parent[labels_above[first[i]]];

    parent[next] = next;
    features[next].first = y << 16 | row->runs.starts[i];
    labels[i] = inherited ^ ((inherited ^ next) & -fresh);
    next += fresh;
  }
  labels[n] = 0;
  for (uint32_t label = strip->table.n; label < next; label++)
    features[label] = cca_features_empty (features[label].first & 0xffff, y);
  strip->table.n = next;
}

static inline void
measure_row (const Strip *strip, uint32_t y, const Row *row, const bool covariance)
{
  const uint16_t *restrict starts = row->runs.starts, *restrict ends = row->runs.ends;
  const uint32_t *restrict labels = row->labels;
  CcaFeatures *restrict features = strip->table.features;

  for (uint32_t i = 0; i < row->runs.n; i++) {
    cca_features_add_run (&features[labels[i]], starts[i], ends[i], y);
    if (covariance)
      cca_features_add_run_moments (&features[labels[i]], starts[i], ends[i], y);
  }
}

/* The labels where only runs of equal value connect. */
static void
label_row_of_values (const Runs *self, Strip *strip, uint32_t y, Row *row, const Row *above)
{
  const uint32_t reach = self->cpu->params->connectivity == 8;
  CcaLabelTable *table = &strip->table;
  const uint8_t *here = row_values (self->mask, y), *north = y > 0 ? row_values (self->mask, y - 1) : NULL;

  for (uint32_t i = 0; i < row->runs.n; i++) {
    const uint32_t start = row->runs.starts[i], end = row->runs.ends[i];
    uint32_t label = table->n;

    for (uint32_t j = strip->first_touching[i]; j < above->runs.n && above->runs.starts[j] < end + reach; j++)
      if (north[above->runs.starts[j]] == here[start])
        label = label == table->n ? above->labels[j] : cca_unite (table->parent, label, above->labels[j]);
    if (label == table->n) {
      table->parent[label] = label;
      table->features[label] = cca_features_empty (start, y);
      table->n++;
    }
    row->labels[i] = label;
  }
}

/* --- Strips --------------------------------------------------------------------------------------------- */

static void
mark_labels (CcaLabelTable *table, const Row *row)
{
  for (uint32_t i = 0; i < row->runs.n; i++)
    table->renamed[table->parent[row->labels[i]]] = true;
}

static void
rename_labels (const CcaLabelTable *table, Row *row)
{
  for (uint32_t i = 0; i < row->runs.n; i++)
    row->labels[i] = table->renamed[table->parent[row->labels[i]]];
}

/* Folds the table and lets the finished components go: those that neither `row`, the last one so far, nor the strip's first
 * row has. row is NULL where nothing follows below. */
static void
flush (Strip *strip, Row *row)
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
compact (Strip *strip, Row *last)
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
reserve_labels (const Runs *self, Strip *strip, Row *above)
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
store_row (const Runs *self, Strip *strip, const Row *row)
{
  RunStore *store = &strip->store;

  if (!reserve_store (self, store))
    return false;
  memcpy (store->starts + store->n, row->runs.starts, row->runs.n * sizeof *store->starts);
  memcpy (store->ends + store->n, row->runs.ends, row->runs.n * sizeof *store->ends);
  memcpy (store->labels + store->n, row->labels, row->runs.n * sizeof *store->labels);
  store->n += row->runs.n;
  return true;
}

static void
copy_row (Row *to, const Row *from)
{
  to->runs.n = from->runs.n;
  memcpy (to->runs.starts, from->runs.starts, from->runs.n * sizeof *to->runs.starts);
  memcpy (to->runs.ends, from->runs.ends, from->runs.n * sizeof *to->runs.ends);
  memcpy (to->labels, from->labels, from->runs.n * sizeof *to->labels);
}

static bool
label_rows (const Runs *self, Strip *strip)
{
  const CcaParams *params = self->cpu->params;
  const uint32_t reach = params->connectivity == 8;

  strip->table.n = 0;
  strip->store.n = 0;
  strip->top.runs.n = 0;
  for (uint32_t y = strip->rows.first; y < strip->rows.last; y++) {
    const uint32_t turn = (y - strip->rows.first) % 2;
    Row *row = &strip->row[turn], *above = &strip->row[1 - turn];

    if (y == strip->rows.first) {
      above->runs.n = 0;
      above->runs.starts[0] = 0;
      above->labels[0] = 0;
      memset (strip->bits[1].ends, 0, self->cpu->row_words * sizeof (uint64_t));
      memset (strip->bits[1].ends_before, 0, self->cpu->row_words * sizeof (uint32_t));
    }
    if (!reserve_labels (self, strip, above))
      return false;
    find_runs (self, strip, y, &strip->bits[turn], &row->runs);
    self->cpu->ops->first_touching (&row->runs, &above->runs, &strip->bits[1 - turn], reach, strip->first_touching);
    if (self->values)
      label_row_of_values (self, strip, y, row, above);
    else
      label_row (self, strip, y, row, &strip->bits[turn], above);
    if (params->covariance)
      measure_row (strip, y, row, true);
    else
      measure_row (strip, y, row, false);
    if (y == strip->rows.first && y > 0)
      copy_row (&strip->top, row);
    if (self->labeling) {
      strip->store.row_first[y - strip->rows.first] = strip->store.n;
      if (!store_row (self, strip, row))
        return false;
    }
  }
  return true;
}

static Row *
last_row (Strip *strip)
{
  return &strip->row[(strip->rows.last - strip->rows.first - 1) % 2];
}

static void
label_strip (void *data, uint32_t index)
{
  Runs *self = data;
  Strip *strip = &self->strips[index];

  strip->finished = self->selection;
  if (!self->labeling && index > 0) {
    strip->finished = &strip->own;
    cca_selection_start (&strip->own, self->cpu->params);
    strip->own.firsts = self->selection->firsts;
    strip->own.first_words = self->selection->first_words;
  }
  if (!label_rows (self, strip)) {
    strip->status = CCA_ERROR_MEMORY;
    return;
  }
  strip->status = CCA_OK;
  if (!self->labeling) {
    flush (strip, strip->rows.last < self->cpu->height ? last_row (strip) : NULL);
    return;
  }
  strip->store.row_first[strip->rows.last - strip->rows.first] = strip->store.n;
  if (self->cpu->n_strips == 1)
    cca_label_table_fold (&strip->table);
  else
    compact (strip, last_row (strip));
}

/* --- The whole image ------------------------------------------------------------------------------------ */

/* Unites the components on both sides of the border between two strips, in the joined table. */
static void
unite_border (Runs *self, Strip *strip, Strip *above)
{
  const Row *top = &strip->top, *bottom = last_row (above);
  const CcaRunBits *bits = &above->bits[(above->rows.last - above->rows.first - 1) % 2];
  const uint32_t reach = self->cpu->params->connectivity == 8, y = strip->rows.first;

  self->cpu->ops->first_touching (&top->runs, &bottom->runs, bits, reach, strip->first_touching);
  for (uint32_t i = 0; i < top->runs.n; i++) {
    for (uint32_t j = strip->first_touching[i];
         j < bottom->runs.n && bottom->runs.starts[j] < top->runs.ends[i] + reach; j++) {
      if (self->values
          && row_values (self->mask, y)[top->runs.starts[i]] != row_values (self->mask, y - 1)[bottom->runs.starts[j]])
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

static CcaStatus
runs_label (void *state, const CcaMask *mask, CcaSelection *selection)
{
  Runs *self = state;
  const CcaLabelTable *table;

  self->mask = mask;
  self->selection = selection;
  cca_threads_run (self->cpu->threads, label_strip, self);
  for (uint32_t i = 0; i < self->cpu->n_strips; i++)
    if (self->strips[i].status != CCA_OK)
      return cca_fail (self->strips[i].status, "no memory for the runs of this frame");
  if (self->cpu->n_strips > 1 && !join_strips (self))
    return CCA_ERROR_MEMORY;
  table = whole_table (self);
  for (uint32_t label = 0; label < table->n; label++)
    if (table->parent[label] == label)
      cca_selection_add (selection, &table->features[label]);
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
  uint32_t *pixels = strip->table.renamed;

  if (cpu->n_strips > 1)
    for (uint32_t label = 0; label < strip->n_labels; label++)
      pixels[label] = self->joined.renamed[strip->base + pixels[label]];
  for (uint32_t y = strip->rows.first; y < strip->rows.last; y++) {
    const size_t first = store->row_first[y - strip->rows.first];
    const CcaRuns runs = { store->row_first[y - strip->rows.first + 1] - first, store->starts + first,
                           store->ends + first };
    void *row = (char *) self->output->data + (ptrdiff_t) y * self->output->pitch;

    for (uint32_t i = 0; i < runs.n; i++)
      strip->row_pixels[i] = pixels[store->labels[first + i]];
    (pixel_size == 1   ? cpu->ops->paint_u8
     : pixel_size == 2 ? cpu->ops->paint_u16
                       : cpu->ops->paint_u32) (row, cpu->width, &runs, strip->row_pixels, background);
  }
}

static void
runs_paint (void *state, const CcaSelection *selection, const CcaImage *output)
{
  Runs *self = state;
  CcaLabelTable *table = whole_table (self);
  uint32_t n = 0;

  for (uint32_t label = 0; label < table->n; label++) {
    if (table->parent[label] != label)
      table->renamed[label] = table->renamed[table->parent[label]];
    else
      table->renamed[label] = cca_output_pixel (
          self->cpu->output, cca_selection_passes (selection, &table->features[label]) ? ++n : 0);
  }
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
