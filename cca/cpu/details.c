/* gst-cca: the shapes and intensities of a frame's components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Labels ascend with the first pixels of components. So only one strip writes to the details of components that begin
 * in it. For components from above, each of which has a run in its first row, a strip has details of its own, merged at
 * the end.
 */
#include "cca/cpu/details.h"
#include "cca/features.h"
#include "cca/params.h"

#include <stdlib.h>
#include <string.h>

/* Rows of links that a strip keeps. */
#define N_LINKS 4

/* A component that begins in a strip above. */
typedef struct
{
  uint32_t label;
  CcaDetails details;
} Inherited;

typedef struct
{
  CcaLinks links[N_LINKS]; /* row y is at y % N_LINKS */
  CcaOutline outline;
  CcaDetails **places; /* for each run of a row */
  Inherited *inherited;
  uint32_t n_inherited;
  uint32_t greatest; /* greatest label in the strip */
  uint32_t n_before; /* components that begin above the strip */
  CcaDetails unused; /* scratch for components that are not measured */
} Strip;

struct CcaCpuDetails
{
  const CcaCpu *cpu;
  CcaFrameRuns *own_runs;
  CcaDetails *details;
  size_t capacity;
  char *block;
  /* The current frame. */
  const CcaMask *mask;
  uint32_t n;
  Strip strips[];
};

/* --- Workspace --------------------------------------------------------------------------------------- */

/* Takes a bit row with a word before and one after it, so that each word has neighbours, and no other padding. */
static uint64_t *
take_bits (CcaLayout *layout, const CcaCpu *cpu)
{
  uint64_t *words = cca_layout_take (layout, (cpu->row_words + 2) * sizeof *words);

  return words ? words + 1 : NULL;
}

static void
take_strip (CcaLayout *layout, const CcaCpu *cpu, Strip *strip)
{
  const uint32_t most_runs = cpu->params->foreground == CCA_FOREGROUND_VALUES ? cpu->width : (cpu->width + 1) / 2;

  strip->places = cca_layout_take (layout, most_runs * sizeof *strip->places);
  strip->inherited = cca_layout_take (layout, most_runs * sizeof *strip->inherited);
  if (!cpu->params->shape)
    return;
  for (uint32_t i = 0; i < N_LINKS; i++)
    strip->links[i] = (CcaLinks) { take_bits (layout, cpu), take_bits (layout, cpu), take_bits (layout, cpu),
                                   take_bits (layout, cpu), take_bits (layout, cpu) };
  strip->outline = (CcaOutline) { take_bits (layout, cpu), take_bits (layout, cpu), take_bits (layout, cpu),
                                  take_bits (layout, cpu), take_bits (layout, cpu), take_bits (layout, cpu) };
}

static size_t
block_size (const CcaCpu *cpu)
{
  CcaLayout layout = { NULL, 0 };
  Strip strip;

  for (uint32_t i = 0; i < cpu->most_strips; i++)
    take_strip (&layout, cpu, &strip);
  return layout.size;
}

static size_t
own_size (const CcaCpu *cpu)
{
  return sizeof (CcaCpuDetails) + cpu->most_strips * sizeof (Strip);
}

size_t
cca_cpu_details_size (const CcaCpu *cpu)
{
  return own_size (cpu) + block_size (cpu) + cca_frame_runs_size (cpu->height);
}

void
cca_cpu_details_free (CcaCpuDetails *self)
{
  const CcaCpu *cpu;

  if (self == NULL)
    return;
  cpu = self->cpu;
  cca_frame_runs_free (cpu->allocator, cpu->used, self->own_runs);
  cca_free (cpu->allocator, cpu->used, self->details);
  cca_free (cpu->allocator, cpu->used, self->block);
  cca_free (cpu->allocator, cpu->used, self);
}

CcaCpuDetails *
cca_cpu_details_new (const CcaCpu *cpu)
{
  CcaCpuDetails *self = cca_alloc (cpu->allocator, cpu->used, own_size (cpu));
  CcaLayout layout = { NULL, 0 };

  if (self == NULL)
    return NULL;
  memset (self, 0, own_size (cpu));
  self->cpu = cpu;
  self->own_runs = cca_frame_runs_new (cpu->allocator, cpu->used, cpu->height);
  self->block = cca_alloc (cpu->allocator, cpu->used, block_size (cpu));
  if (self->own_runs == NULL || self->block == NULL) {
    cca_cpu_details_free (self);
    return NULL;
  }
  memset (self->block, 0, block_size (cpu));
  layout.base = self->block;
  for (uint32_t i = 0; i < cpu->most_strips; i++)
    take_strip (&layout, cpu, &self->strips[i]);
  return self;
}

CcaFrameRuns *
cca_cpu_details_runs (const CcaCpuDetails *self)
{
  return self->own_runs;
}

/* --- Components -------------------------------------------------------------------------------------- */

static void
greatest_strip (void *data, uint32_t index)
{
  CcaCpuDetails *self = data;
  const CcaRunStore *store = &self->cpu->runs->strips[index];
  uint32_t greatest = 0;

  for (size_t i = 0; i < store->n; i++)
    greatest = store->labels[i] > greatest ? store->labels[i] : greatest;
  self->strips[index].greatest = greatest;
}

static int
compare_labels (const void *a, const void *b)
{
  const uint32_t left = ((const Inherited *) a)->label, right = ((const Inherited *) b)->label;

  return (left > right) - (left < right);
}

/* Lists the components from above that have a run in a strip's first row, once each, sorted by label. */
static void
inherit (Strip *strip, const CcaRowRuns *row)
{
  uint32_t n = 0, n_kept = 0;

  for (uint32_t i = 0; i < row->n; i++)
    if (row->labels[i] <= strip->n_before)
      strip->inherited[n++] = (Inherited) { .label = row->labels[i] };
  qsort (strip->inherited, n, sizeof *strip->inherited, compare_labels);
  for (uint32_t i = 0; i < n; i++)
    if (n_kept == 0 || strip->inherited[i].label != strip->inherited[n_kept - 1].label)
      strip->inherited[n_kept++] = strip->inherited[i];
  strip->n_inherited = n_kept;
}

/* Returns the details to which a strip adds a component's pixels. */
static CcaDetails *
place_of (CcaCpuDetails *self, Strip *strip, uint32_t label)
{
  uint32_t first = 0, end = strip->n_inherited;

  if (label > self->n)
    return &strip->unused;
  if (label > strip->n_before)
    return &self->details[label - 1];
  while (end - first > 1) {
    const uint32_t middle = first + (end - first) / 2;

    if (strip->inherited[middle].label <= label)
      first = middle;
    else
      end = middle;
  }
  return &strip->inherited[first].details;
}

/* --- Shapes ------------------------------------------------------------------------------------------ */

/* Sets the bits start <= x < end, which may be none. */
static void
set_bits (uint64_t *bits, int32_t start, int32_t end)
{
  const uint32_t first = (uint32_t) start, last = (uint32_t) end - 1;

  if (start >= end)
    return;
  for (uint32_t i = first / 64; i <= last / 64; i++)
    bits[i] |= cca_bits_between (i, first, last);
}

static int32_t
larger (int32_t a, int32_t b)
{
  return a > b ? a : b;
}

static int32_t
smaller (int32_t a, int32_t b)
{
  return a < b ? a : b;
}

/* Sets the links of a row's pixels with the next pixel of the row and with the pixels of the row below. */
static void
link_runs (const CcaRowRuns *row, const CcaRowRuns *below, const CcaLinks *links)
{
  uint32_t first = 0;

  for (uint32_t i = 0; i < row->n; i++) {
    const int32_t start = row->runs[i].start, end = row->runs[i].end;

    set_bits (links->right, start, end - 1);
    set_bits (links->border, start, end);
    while (first < below->n && below->runs[first].end < start)
      first++;
    for (uint32_t j = first; j < below->n && below->runs[j].start <= end; j++) {
      const int32_t other_start = below->runs[j].start, other_end = below->runs[j].end;

      if (below->labels[j] != row->labels[i])
        continue;
      set_bits (links->down, larger (start, other_start), smaller (end, other_end));
      set_bits (links->falling, larger (start, other_start - 1), smaller (end, other_end - 1));
      set_bits (links->rising, larger (start, other_start + 1), smaller (end, other_end + 1));
    }
  }
}

/* Makes the links of a row; those of the row above must exist. */
static void
make_links (const CcaCpuDetails *self, const CcaRowRuns *row, const CcaRowRuns *below, const CcaLinks *above,
            const CcaLinks *links)
{
  const uint32_t n_words = self->cpu->row_words;
  const size_t n_bytes = n_words * sizeof (uint64_t);

  memset (links->right, 0, n_bytes);
  memset (links->down, 0, n_bytes);
  memset (links->falling, 0, n_bytes);
  memset (links->rising, 0, n_bytes);
  memset (links->border, 0, n_bytes);
  if (row->n == 0)
    return;
  link_runs (row, below, links);
  for (uint32_t i = 0; i < n_words; i++)
    links->border[i] &= ~(links->right[i] & (links->right[i] << 1 | links->right[(int64_t) i - 1] >> 63)
                          & links->down[i] & above->down[i]);
}

/* --- Strips ------------------------------------------------------------------------------------------ */

/* Adds the values of a row's pixels. */
static void
measure_values (const CcaCpuDetails *self, uint32_t y, const CcaRowRuns *row, CcaDetails *const *places)
{
  const CcaMask *mask = self->mask;
  const CcaValues *values = &mask->values;
  const uint8_t *pixels = cca_mask_pixels (mask, y);
  const CcaRowOps *ops = self->cpu->ops;
  CcaValuesRoom room;

  for (uint32_t i = 0; i < row->n; i++) {
    const uint32_t end = row->runs[i].end, most = cca_values_piece (values, end);

    for (uint32_t x = row->runs[i].start; x < end; x += most) {
      const uint32_t n = end - x < most ? end - x : most;
      const void *of_run = cca_values_get (values, pixels + (size_t) x * values->format->size, n, &room);

      if (values->wide)
        ops->measure_values_16 (of_run, n, places[i]);
      else
        ops->measure_values (of_run, n, places[i]);
    }
  }
}

static void
measure_strip (void *data, uint32_t index)
{
  CcaCpuDetails *self = data;
  const CcaCpu *cpu = self->cpu;
  const CcaStrip rows = cca_strip (cpu->height, cpu->n_strips, index);
  Strip *strip = &self->strips[index];
  const uint32_t begin = rows.first < 2 ? 0 : rows.first - 2;
  CcaFrameCursor cursor = cca_frame_find_row (cpu->runs, begin);
  CcaRowRuns row = { .n = 0 }, here, below = cca_frame_row (&cursor, begin);

  strip->n_inherited = 0;
  for (uint32_t i = 0; i < N_LINKS && cpu->params->shape; i++)
    make_links (self, &row, &row, &strip->links[i], &strip->links[i]);
  /* First make this row's links: the border of the row above depends on them. */
  for (uint32_t y = begin; y <= rows.last; y++) {
    const CcaLinks *links[3];

    here = below;
    below = y + 1 < cpu->height ? cca_frame_row (&cursor, y + 1) : (CcaRowRuns) { .n = 0 };
    for (uint32_t i = 0; i < 3; i++)
      links[i] = &strip->links[(y + N_LINKS - 2 + i) % N_LINKS];
    if (cpu->params->shape)
      make_links (self, &here, &below, links[1], links[2]);
    if (y == rows.first)
      inherit (strip, &here);
    if (y > rows.first && row.n > 0) {
      for (uint32_t i = 0; i < row.n; i++)
        strip->places[i] = place_of (self, strip, row.labels[i]);
      if (cpu->params->shape) {
        cpu->ops->outline_row (links[0], links[1], links[2], cpu->row_words, cpu->params->connectivity == 8,
                               &strip->outline);
        cpu->ops->measure_shapes (links[1], &strip->outline, row.runs, row.n, strip->places);
      }
      if (cpu->params->intensity)
        measure_values (self, y - 1, &row, strip->places);
    }
    row = here;
  }
}

const CcaDetails *
cca_cpu_details_find (CcaCpuDetails *self, const CcaMask *mask, uint32_t n)
{
  const CcaCpu *cpu = self->cpu;
  uint32_t n_before = 0;

  if (n > self->capacity || self->details == NULL) {
    self->capacity = 0;
    if (!cca_grow (cpu->allocator, cpu->used, (void **) &self->details, 0,
                   (2 * (size_t) n + 1) * sizeof *self->details))
      return NULL;
    self->capacity = 2 * (size_t) n + 1;
  }
  memset (self->details, 0, n * sizeof *self->details);
  self->mask = mask;
  self->n = n;
  if (cpu->n_strips > 1)
    cca_threads_run (cpu->threads, cpu->n_strips, greatest_strip, self);
  for (uint32_t i = 0; i < cpu->n_strips; i++) {
    self->strips[i].n_before = n_before;
    n_before = self->strips[i].greatest > n_before ? self->strips[i].greatest : n_before;
  }
  cca_threads_run (cpu->threads, cpu->n_strips, measure_strip, self);
  for (uint32_t i = 0; i < cpu->n_strips; i++)
    for (uint32_t j = 0; j < self->strips[i].n_inherited; j++)
      if (self->strips[i].inherited[j].label <= n)
        cca_details_merge (&self->details[self->strips[i].inherited[j].label - 1],
                           &self->strips[i].inherited[j].details);
  return self->details;
}
