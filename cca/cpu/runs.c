/* gst-cca: algorithm "runs", connected components by runs of pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Follows LSL and FLSL: Lacassagne & Zavidovique, Light speed labeling, JRTIP 6, 2011; Lemaitre, Hennequin &
 * Lacassagne, How to speed connected component labeling up with SIMD RLE algorithms, WPMVP 2020.
 *
 * A row of bits becomes runs; the runs above that touch a run are an interval, found by counting bits:
 *
 *     above    [ 0 ]  [ 1 ]    [ 2 ]      run a touches 0, 1: takes the label of 0, unites it with 1's
 *     row        [ a ]      [ b ]   [c]   run b touches 2; run c touches 2 only with 8-connectivity
 *
 * A row that equals the one above forms a slab with it; the algorithm finds and labels the runs of a slab only once.
 *
 * Adds the features of a run in closed form to the run's label, and folds them into the roots when the table is full
 * and at the end. An analysis keeps two rows of runs and a small table: a full table drops the components that the last
 * row no longer touches, which are finished, so that the workspace does not grow with the image. A labeling keeps all
 * runs to paint them; so do overlaps, shapes and intensities, which need them later.
 *
 * Threads process strips of the image in parallel. One thread unites the components across the borders of strips; then
 * the strips select, number and paint their components in parallel again.
 */
#include "cca/cpu/run_strip.h"
#include "cca/params.h"
#include "cca/status.h"

#include <string.h>

typedef struct
{
  CcaRunImage image;
  /* With several strips: the union-find of all labels that are roots in their strip. */
  uint32_t *parent;
  size_t n_parents; /* capacity */
  /* The current frame. */
  CcaSelection *selection;
  const CcaImage *output;
  char *block;        /* the fixed part of the workspace */
  CcaFrameRuns *kept; /* the runs of a labeling that need not be returned */
  CcaRunStrip strips[];
} Runs;

/* --- Workspace --------------------------------------------------------------------------------------- */

/* Divides the block; without one, only counts its bytes. */
static size_t
take_all (Runs *self, char *base)
{
  CcaLayout layout = { base, 0 };

  for (uint32_t i = 0; i < self->image.cpu->most_strips; i++)
    cca_run_strip_take (&layout, &self->image, &self->strips[i]);
  return layout.size;
}

static void
divide_image (Runs *self, uint32_t n_strips)
{
  for (uint32_t i = 0; i < n_strips; i++)
    self->strips[i].rows = cca_strip (self->image.cpu->height, n_strips, i);
}

/* Fills the members that depend only on the plan. */
static void
describe (Runs *self, const CcaCpu *cpu)
{
  memset (self, 0, sizeof *self + cpu->most_strips * sizeof (CcaRunStrip));
  self->image.cpu = cpu;
  self->image.values = cpu->params->foreground == CCA_FOREGROUND_VALUES;
  self->image.stores_runs = cca_params_labels (cpu->params);
  self->image.labeling = cpu->output != CCA_OUTPUT_NONE || self->image.stores_runs;
  self->image.most_runs = self->image.values ? cpu->width : (cpu->width + 1) / 2;
  divide_image (self, cpu->most_strips);
  self->strips[0].rows.last = cpu->height; /* room for frames of one strip */
}

/* Returns whether the algorithm itself must provide the memory for runs. */
static bool
needs_own_runs (const Runs *self)
{
  return self->image.labeling && !self->image.stores_runs;
}

static size_t
runs_estimate (const CcaCpu *cpu)
{
  _Alignas (Runs) char room[sizeof (Runs) + CCA_MAX_STRIPS * sizeof (CcaRunStrip)];
  Runs *self = (Runs *) room;
  size_t bytes = sizeof *self + cpu->most_strips * sizeof (CcaRunStrip);

  describe (self, cpu);
  bytes += take_all (self, NULL);
  if (needs_own_runs (self))
    bytes += cca_frame_runs_size (cpu->height);
  for (uint32_t i = 0; i < cpu->most_strips; i++)
    bytes += cca_label_table_size (cca_run_strip_first_labels (&self->image, self->strips[i].rows));
  return bytes;
}

static void
runs_close (void *state)
{
  Runs *self = state;
  const CcaCpu *cpu = self->image.cpu;

  for (uint32_t i = 0; i < cpu->most_strips; i++)
    cca_run_strip_free (&self->image, &self->strips[i]);
  cca_frame_runs_free (cpu->allocator, cpu->used, self->kept);
  cca_free (cpu->allocator, cpu->used, self->parent);
  cca_free (cpu->allocator, cpu->used, self->block);
  cca_free (cpu->allocator, cpu->used, self);
}

static CcaStatus
runs_open (const CcaCpu *cpu, void **state)
{
  Runs *self = cca_alloc (cpu->allocator, cpu->used, sizeof *self + cpu->most_strips * sizeof (CcaRunStrip));

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  describe (self, cpu);
  self->block = cca_alloc (cpu->allocator, cpu->used, take_all (self, NULL));
  if (self->block == NULL)
    goto failed;
  take_all (self, self->block);
  if (needs_own_runs (self)) {
    self->kept = cca_frame_runs_new (cpu->allocator, cpu->used, cpu->height);
    if (self->kept == NULL)
      goto failed;
  }
  for (uint32_t i = 0; i < cpu->most_strips; i++)
    if (!cca_label_table_reserve (&self->strips[i].table, cpu->allocator, cpu->used,
                                  cca_run_strip_first_labels (&self->image, self->strips[i].rows)))
      goto failed;
  *state = self;
  return CCA_OK;

failed:
  runs_close (self);
  return CCA_ERROR_MEMORY;
}

/* --- One strip --------------------------------------------------------------------------------------- */

/* Returns the name of component n's runs (n = 0: the background): its label if the runs are returned, else its output
 * pixel. */
static uint32_t
name_of (const Runs *self, uint32_t n)
{
  return self->image.stores_runs ? n : cca_output_pixel (self->image.cpu->output, n);
}

/* Passes the components of the folded table to the selection. A labeling also sets `renamed` to the name of each
 * label's component. */
static void
give_components (const Runs *self, CcaLabelTable *table)
{
  uint32_t n = 0;

  for (uint32_t label = 0; label < table->n; label++) {
    if (table->parent[label] != label) {
      table->renamed[label] = table->renamed[table->parent[label]];
    } else {
      const bool passes = cca_selection_passes (self->selection, &table->features[label]);

      table->renamed[label] = name_of (self, passes ? ++n : 0);
      cca_selection_add (self->selection, &table->features[label]);
    }
  }
}

/* --- Several strips ---------------------------------------------------------------------------------- */

static bool
in_raster_order (const Runs *self)
{
  return self->image.cpu->params->order == CCA_ORDER_RASTER;
}

/* Counts the labels of all strips and reserves the union-find for them. */
static bool
reserve_parents (Runs *self)
{
  const CcaCpu *cpu = self->image.cpu;
  size_t n = 0;

  for (uint32_t i = 0; i < cpu->n_strips; i++) {
    self->strips[i].base = n;
    n += self->strips[i].table.n;
  }
  if (n <= self->n_parents)
    return true;
  if (!cca_grow (cpu->allocator, cpu->used, (void **) &self->parent, 0, 2 * n * sizeof *self->parent))
    return false;
  self->n_parents = 2 * n;
  return true;
}

static void
separate_strip (void *data, uint32_t index)
{
  Runs *self = data;
  const CcaRunStrip *strip = &self->strips[index];

  for (uint32_t label = 0; label < strip->table.n; label++)
    self->parent[strip->base + label] = strip->base + label;
}

/* Returns the strip that owns a label: this one or one above. */
static const CcaRunStrip *
strip_of (const CcaRunStrip *strip, uint32_t label)
{
  while (label < strip->base)
    strip--;
  return strip;
}

static CcaFeatures *
features_of (const CcaRunStrip *strip, uint32_t label)
{
  strip = strip_of (strip, label);
  return &strip->table.features[label - strip->base];
}

/* Unites the components on both sides of a border between strips, and merges their features. */
static void
unite_border (Runs *self, const CcaRunStrip *strip, const CcaRunStrip *above)
{
  const CcaRunImage *image = &self->image;
  const CcaRow *top = &strip->top, *bottom = above->last;
  const uint32_t reach = image->cpu->params->connectivity == 8, y = strip->rows.first;
  const uint8_t *here = cca_mask_pixels (image->mask, y), *north = cca_mask_pixels (image->mask, y - 1);
  const bool wide = image->mask->values.wide;
  uint32_t cursor = 0;

  for (uint32_t i = 0; i < top->n; i++) {
    const CcaRun run = top->runs[i];

    for (uint32_t j = cca_first_run_from (bottom, run.start + 1 - reach, &cursor);
         j < bottom->n && bottom->runs[j].start < run.end + reach; j++) {
      uint32_t a, b, root;

      if (image->values && cca_value_at (here, run.start, wide) != cca_value_at (north, bottom->runs[j].start, wide))
        continue;
      a = cca_find (self->parent, above->base + above->table.parent[bottom->labels[j]]);
      b = cca_find (self->parent, strip->base + strip->table.parent[top->labels[i]]);
      if (a == b)
        continue;
      root = cca_unite (self->parent, a, b);
      cca_features_merge (features_of (strip, root), features_of (strip, root == a ? b : a));
    }
  }
}

/* Returns whether a label is the root of a component of the image. */
static bool
is_root (const Runs *self, const CcaRunStrip *strip, uint32_t label)
{
  return strip->table.parent[label] == label && self->parent[strip->base + label] == strip->base + label;
}

/* Counts the strip's components that pass the filter. An analysis also stores them in the strip's selection. */
static void
select_strip (void *data, uint32_t index)
{
  Runs *self = data;
  CcaRunStrip *strip = &self->strips[index];
  const CcaLabelTable *table = &strip->table;

  strip->n_found = 0;
  for (uint32_t label = 0; label < table->n; label++)
    if (is_root (self, strip, label)) {
      if (self->image.labeling)
        strip->n_found += cca_selection_passes (self->selection, &table->features[label]);
      else
        cca_selection_add (&strip->own, &table->features[label]);
    }
  if (self->image.labeling)
    return;
  strip->n_found = strip->own.n_found;
  if (in_raster_order (self))
    cca_selection_rank (&strip->own);
}

/* Labeling: names the strip's components and, in raster order, stores them in the frame's selection. */
static void
number_strip (Runs *self, CcaRunStrip *strip)
{
  const CcaLabelTable *table = &strip->table;
  uint32_t n = strip->n_before;

  for (uint32_t label = 0; label < table->n; label++)
    if (is_root (self, strip, label)) {
      const bool passes = cca_selection_passes (self->selection, &table->features[label]);

      if (passes && in_raster_order (self))
        cca_selection_set (self->selection, n, &table->features[label]);
      n += passes;
      table->renamed[label] = name_of (self, passes ? n : 0);
    }
}

static void
place_strip (void *data, uint32_t index)
{
  Runs *self = data;
  CcaRunStrip *strip = &self->strips[index];

  if (self->image.labeling)
    number_strip (self, strip);
  else if (in_raster_order (self))
    cca_selection_place (self->selection, &strip->own, strip->n_before);
}

/* Adds the components of all strips to the selection one after the other: place_strip() cannot order by area. */
static void
join_selections (Runs *self)
{
  for (uint32_t i = 0; i < self->image.cpu->n_strips; i++) {
    const CcaRunStrip *strip = &self->strips[i];

    if (!self->image.labeling)
      cca_selection_join (self->selection, &strip->own);
    else
      for (uint32_t label = 0; label < strip->table.n; label++)
        if (is_root (self, strip, label))
          cca_selection_add (self->selection, &strip->table.features[label]);
  }
}

static bool
join_strips (Runs *self)
{
  const CcaCpu *cpu = self->image.cpu;
  uint32_t n_found = 0;

  if (!reserve_parents (self))
    return false;
  cca_threads_run (cpu->threads, cpu->n_strips, separate_strip, self);
  for (uint32_t i = 1; i < cpu->n_strips; i++)
    unite_border (self, &self->strips[i], &self->strips[i - 1]);
  cca_threads_run (cpu->threads, cpu->n_strips, select_strip, self);
  for (uint32_t i = 0; i < cpu->n_strips; i++) {
    self->strips[i].n_before = n_found;
    n_found += self->strips[i].n_found;
  }
  cca_threads_run (cpu->threads, cpu->n_strips, place_strip, self);
  if (in_raster_order (self))
    cca_selection_count (self->selection, n_found);
  else
    join_selections (self);
  return true;
}

/* Sets the name of each of the strip's labels to that of its component. */
static void
resolve_labels (const Runs *self, const CcaRunStrip *strip)
{
  const CcaLabelTable *table = &strip->table;

  for (uint32_t label = 0; label < table->n; label++) {
    uint32_t root = strip->base + label;

    if (table->parent[label] != label) {
      table->renamed[label] = table->renamed[table->parent[label]];
    } else if (self->parent[root] != root) {
      const CcaRunStrip *above;

      while (self->parent[root] != root)
        root = self->parent[root];
      above = strip_of (strip, root);
      table->renamed[label] = above->table.renamed[root - above->base];
    }
  }
}

/* --- The whole image --------------------------------------------------------------------------------- */

/* Labeling: divides the memory for runs among the strips. */
static void
start_runs (Runs *self)
{
  const CcaCpu *cpu = self->image.cpu;
  CcaFrameRuns *runs = self->image.stores_runs ? cpu->runs : self->kept;

  cca_frame_runs_start (runs, cpu->n_strips);
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    self->strips[i].store = &runs->strips[i];
}

static void
label_strip (void *data, uint32_t index)
{
  Runs *self = data;
  CcaRunStrip *strip = &self->strips[index];

  strip->finished = self->selection;
  if (!self->image.labeling && self->image.cpu->n_strips > 1) {
    strip->finished = &strip->own;
    cca_selection_start_beside (&strip->own, self->image.cpu->params, self->selection);
  }
  strip->status = cca_run_strip_label (&self->image, strip) ? CCA_OK : CCA_ERROR_MEMORY;
}

/* Replaces the labels of a strip's returned runs by those of components that pass the filter, and drops the others. */
static void
rename_strip (void *data, uint32_t index)
{
  Runs *self = data;
  CcaRunStrip *strip = &self->strips[index];

  if (self->image.cpu->n_strips > 1)
    resolve_labels (self, strip);
  cca_run_strip_rename (strip);
  if (cca_params_filter (self->image.cpu->params))
    cca_run_strip_drop (strip);
}

static CcaStatus
runs_label (void *state, const CcaMask *mask, CcaSelection *selection)
{
  Runs *self = state;
  const CcaCpu *cpu = self->image.cpu;

  divide_image (self, cpu->n_strips);
  if (self->image.labeling)
    start_runs (self);
  self->image.mask = mask;
  self->selection = selection;
  cca_threads_run (cpu->threads, cpu->n_strips, label_strip, self);
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    if (self->strips[i].status != CCA_OK)
      return cca_fail (self->strips[i].status, "no memory for the runs of this frame");
  if (cpu->n_strips == 1)
    give_components (self, &self->strips[0].table);
  else if (!join_strips (self))
    return CCA_ERROR_MEMORY;
  if (self->image.stores_runs)
    cca_threads_run (cpu->threads, cpu->n_strips, rename_strip, self);
  return CCA_OK;
}

static void
paint_strip (void *data, uint32_t index)
{
  const Runs *self = data;
  const CcaRunStrip *strip = &self->strips[index];

  if (self->image.cpu->n_strips > 1 && !self->image.stores_runs)
    resolve_labels (self, strip);
  cca_run_strip_paint (&self->image, strip, self->output);
}

static void
runs_paint (void *state, const CcaSelection *selection, const CcaImage *output)
{
  Runs *self = state;

  self->output = output;
  cca_threads_run (self->image.cpu->threads, self->image.cpu->n_strips, paint_strip, self);
}

const CcaCpuAlgorithm cca_cpu_runs = {
  .entry = {
    .name = "runs",
    .description = "runs of pixels found by SIMD, union-find on runs, features in closed form",
    .source = "Lacassagne & Zavidovique, Light speed labeling, JRTIP 6, 2011; Lemaitre, Hennequin & Lacassagne, How to "
              "speed connected component labeling up with SIMD RLE algorithms, WPMVP 2020",
    .backend = CCA_BACKEND_CPU,
    .capabilities
    = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES | CCA_CAN_THREADS | CCA_CAN_OVERLAPS,
  },
  .estimate = runs_estimate,
  .open = runs_open,
  .close = runs_close,
  .label = runs_label,
  .paint = runs_paint,
};
