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
 * Features are added in closed form per run to the label at hand, and folded into the roots when the table is full and
 * at the end. Analysis keeps two rows of runs and a small table: when it is full, the components that the last row no
 * longer touches are finished and leave it, so that the workspace does not grow with the image. Labeling keeps all runs
 * to paint them.
 *
 * Strips of the image can be done side by side; the components at their borders are then united.
 */
#include "cca/cpu/run_strip.h"
#include "cca/status.h"

#include <string.h>

typedef struct
{
  CcaRunImage image;
  CcaLabelTable joined; /* the components of all strips, where there is more than one */
  /* The frame under way. */
  CcaSelection *selection;
  const CcaImage *output;
  char *block; /* the fixed part of the workspace */
  CcaRunStrip strips[];
} Runs;

/* --- Workspace --------------------------------------------------------------------------------------- */

/* Divides the block, or only counts its bytes. */
static size_t
take_all (Runs *self, char *base)
{
  CcaLayout layout = { base, 0 };

  for (uint32_t i = 0; i < self->image.cpu->n_strips; i++)
    cca_run_strip_take (&layout, &self->image, &self->strips[i]);
  return layout.size;
}

/* Fills what follows from the plan alone. */
static void
describe (Runs *self, const CcaCpu *cpu)
{
  memset (self, 0, sizeof *self + cpu->n_strips * sizeof (CcaRunStrip));
  self->image.cpu = cpu;
  self->image.values = cpu->params->foreground == CCA_FOREGROUND_VALUES;
  self->image.labeling = cpu->output != CCA_OUTPUT_NONE;
  self->image.most_runs = self->image.values ? cpu->width : (cpu->width + 1) / 2;
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    self->strips[i].rows = cca_strip (cpu->height, cpu->n_strips, i);
}

static size_t
runs_estimate (const CcaCpu *cpu)
{
  _Alignas (Runs) char room[sizeof (Runs) + CCA_MAX_THREADS * sizeof (CcaRunStrip)];
  Runs *self = (Runs *) room;
  size_t bytes = sizeof *self + cpu->n_strips * sizeof (CcaRunStrip);

  describe (self, cpu);
  bytes += take_all (self, NULL);
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    bytes += cca_label_table_size (cca_run_strip_first_labels (&self->image, self->strips[i].rows));
  return bytes;
}

static void
runs_close (void *state)
{
  Runs *self = state;
  const CcaCpu *cpu = self->image.cpu;

  for (uint32_t i = 0; i < cpu->n_strips; i++)
    cca_run_strip_free (&self->image, &self->strips[i]);
  cca_label_table_free (&self->joined, cpu->allocator, cpu->used);
  cca_free (cpu->allocator, cpu->used, self->block);
  cca_free (cpu->allocator, cpu->used, self);
}

static CcaStatus
runs_open (const CcaCpu *cpu, void **state)
{
  Runs *self = cca_alloc (cpu->allocator, cpu->used, sizeof *self + cpu->n_strips * sizeof (CcaRunStrip));

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  describe (self, cpu);
  self->block = cca_alloc (cpu->allocator, cpu->used, take_all (self, NULL));
  if (self->block == NULL)
    goto failed;
  take_all (self, self->block);
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    if (!cca_label_table_reserve (&self->strips[i].table, cpu->allocator, cpu->used,
                                  cca_run_strip_first_labels (&self->image, self->strips[i].rows)))
      goto failed;
  *state = self;
  return CCA_OK;

failed:
  runs_close (self);
  return CCA_ERROR_MEMORY;
}

/* --- The whole image --------------------------------------------------------------------------------- */

/* Unites the components on both sides of the border between two strips, in the joined table. */
static void
unite_border (Runs *self, CcaRunStrip *strip, CcaRunStrip *above)
{
  const CcaRunImage *image = &self->image;
  const CcaRow *top = &strip->top, *bottom = above->last;
  const uint32_t reach = image->cpu->params->connectivity == 8, y = strip->rows.first;
  uint32_t cursor = 0;

  for (uint32_t i = 0; i < top->n; i++) {
    const CcaRun run = top->runs[i];

    for (uint32_t j = cca_first_run_from (bottom, run.start + 1 - reach, &cursor);
         j < bottom->n && bottom->runs[j].start < run.end + reach; j++) {
      if (image->values
          && cca_mask_pixels (image->mask, y)[run.start] != cca_mask_pixels (image->mask, y - 1)[bottom->runs[j].start])
        continue;
      cca_unite (self->joined.parent, strip->base + top->labels[i], above->base + bottom->labels[j]);
    }
  }
}

static bool
join_strips (Runs *self)
{
  const CcaCpu *cpu = self->image.cpu;
  CcaLabelTable *joined = &self->joined;
  size_t n = 0;

  for (uint32_t i = 0; i < cpu->n_strips; i++) {
    self->strips[i].base = n;
    n += self->strips[i].table.n;
  }
  joined->n = 0;
  if (n > joined->capacity && !cca_label_table_reserve (joined, cpu->allocator, cpu->used, 2 * n))
    return false;
  joined->n = n;
  for (uint32_t i = 0; i < cpu->n_strips; i++) {
    const CcaLabelTable *table = &self->strips[i].table;

    if (table->n > 0)
      memcpy (joined->features + self->strips[i].base, table->features, table->n * sizeof *table->features);
  }
  for (uint32_t label = 0; label < n; label++)
    joined->parent[label] = label;
  for (uint32_t i = 1; i < cpu->n_strips; i++)
    unite_border (self, &self->strips[i], &self->strips[i - 1]);
  cca_label_table_fold (joined);
  return true;
}

/* The folded table of all components that are not finished yet. */
static CcaLabelTable *
whole_table (Runs *self)
{
  return self->image.cpu->n_strips == 1 ? &self->strips[0].table : &self->joined;
}

/* Gives the components of the folded table to the selection; for labeling, `renamed` then tells the number of each
 * label. */
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

static void
label_strip (void *data, uint32_t index)
{
  Runs *self = data;
  CcaRunStrip *strip = &self->strips[index];

  strip->finished = self->selection;
  if (!self->image.labeling && index > 0) {
    strip->finished = &strip->own;
    cca_selection_start_beside (&strip->own, self->image.cpu->params, self->selection);
  }
  strip->status = cca_run_strip_label (&self->image, strip) ? CCA_OK : CCA_ERROR_MEMORY;
}

static CcaStatus
runs_label (void *state, const CcaMask *mask, CcaSelection *selection)
{
  Runs *self = state;

  self->image.mask = mask;
  self->selection = selection;
  cca_threads_run (self->image.cpu->threads, label_strip, self);
  for (uint32_t i = 0; i < self->image.cpu->n_strips; i++)
    if (self->strips[i].status != CCA_OK)
      return cca_fail (self->strips[i].status, "no memory for the runs of this frame");
  if (self->image.cpu->n_strips > 1 && !join_strips (self))
    return CCA_ERROR_MEMORY;
  give_components (self, whole_table (self));
  if (!self->image.labeling)
    for (uint32_t i = 1; i < self->image.cpu->n_strips; i++)
      cca_selection_join (selection, &self->strips[i].own);
  return CCA_OK;
}

static void
paint_strip (void *data, uint32_t index)
{
  const Runs *self = data;
  const CcaCpu *cpu = self->image.cpu;
  const CcaRunStrip *strip = &self->strips[index];
  uint32_t *pixels = strip->table.renamed;

  if (cpu->n_strips > 1)
    for (uint32_t label = 0; label < strip->n_labels; label++)
      pixels[label] = self->joined.renamed[strip->base + pixels[label]];
  cca_run_strip_paint (&self->image, strip, self->output);
}

static void
runs_paint (void *state, const CcaSelection *selection, const CcaImage *output)
{
  Runs *self = state;
  CcaLabelTable *table = whole_table (self);

  for (uint32_t label = 0; label < table->n; label++)
    table->renamed[label] = cca_output_pixel (self->image.cpu->output, table->renamed[label]);
  self->output = output;
  cca_threads_run (self->image.cpu->threads, paint_strip, self);
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
