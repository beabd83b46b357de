/* gst-cca: algorithm "two-pass", the textbook
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Rosenfeld & Pfaltz, J. ACM 13, 1966, section 4, with the array-based union-find of Wu, Otoo & Suzuki, Pattern
 * Analysis and Applications 12, 2009, section 3. Written to be read; "runs" is the fast one.
 *
 *     8-connectivity   NW N NE     4-connectivity    .  N  .
 *                      W  x                          W  x
 *
 * First pass: a pixel takes the label of a neighbour that was scanned before it, or a new one; where two labels meet
 * they are united. Second pass: each pixel's label is replaced by its set's root and the pixel is added to the root's
 * features.
 */
#include "cca/cpu/foreground.h"
#include "cca/cpu/frame_runs.h"
#include "cca/cpu/union_find.h"
#include "cca/params.h"
#include "cca/status.h"

#include <string.h>

typedef struct
{
  const CcaCpu *cpu;
  uint32_t *labels;  /* a provisional label per pixel, 0 for background; then the component's index + 1 */
  uint64_t *bits;    /* room for a row of the mask */
  uint16_t *classes; /* two rows: 0 for background; only equal classes connect */

  uint32_t n_labels;
  size_t labels_capacity;
  uint32_t *parent; /* of provisional labels; after the first pass, a root's component index */
  uint32_t n_components;
  size_t components_capacity;
  CcaFeatures *features; /* of components */
  uint32_t *pixels;      /* output pixels of components */
} TwoPass;

/* Initial capacity of the equivalence table and the features; doubled when full. */
#define FIRST_CAPACITY 1024u

static size_t
image_size (const CcaCpu *cpu)
{
  return (size_t) cpu->width * cpu->height * sizeof (uint32_t);
}

static size_t
bits_size (const CcaCpu *cpu)
{
  return cpu->row_words * sizeof (uint64_t);
}

static size_t
two_pass_estimate (const CcaCpu *cpu)
{
  return sizeof (TwoPass) + image_size (cpu) + bits_size (cpu) + 2 * (size_t) cpu->width * sizeof (uint16_t)
         + FIRST_CAPACITY * sizeof (uint32_t) + FIRST_CAPACITY * (sizeof (CcaFeatures) + sizeof (uint32_t));
}

static void
two_pass_close (void *state)
{
  TwoPass *self = state;
  const CcaCpu *cpu = self->cpu;

  cca_free (cpu->allocator, cpu->used, self->pixels);
  cca_free (cpu->allocator, cpu->used, self->features);
  cca_free (cpu->allocator, cpu->used, self->parent);
  cca_free (cpu->allocator, cpu->used, self->classes);
  cca_free (cpu->allocator, cpu->used, self->bits);
  cca_free (cpu->allocator, cpu->used, self->labels);
  cca_free (cpu->allocator, cpu->used, self);
}

static CcaStatus
two_pass_open (const CcaCpu *cpu, void **state)
{
  TwoPass *self = cca_alloc (cpu->allocator, cpu->used, sizeof *self);

  if (self == NULL)
    return CCA_ERROR_MEMORY;
  *self = (TwoPass) { .cpu = cpu, .labels_capacity = FIRST_CAPACITY, .components_capacity = FIRST_CAPACITY };
  self->labels = cca_alloc (cpu->allocator, cpu->used, image_size (cpu));
  self->bits = cca_alloc (cpu->allocator, cpu->used, bits_size (cpu));
  self->classes = cca_alloc (cpu->allocator, cpu->used, 2 * (size_t) cpu->width * sizeof *self->classes);
  self->parent = cca_alloc (cpu->allocator, cpu->used, FIRST_CAPACITY * sizeof *self->parent);
  self->features = cca_alloc (cpu->allocator, cpu->used, FIRST_CAPACITY * sizeof *self->features);
  self->pixels = cca_alloc (cpu->allocator, cpu->used, FIRST_CAPACITY * sizeof *self->pixels);
  if (!self->labels || !self->bits || !self->classes || !self->parent || !self->features || !self->pixels) {
    two_pass_close (self);
    return CCA_ERROR_MEMORY;
  }
  *state = self;
  return CCA_OK;
}

/* Makes room for the most new labels of a row. */
static bool
reserve_labels (TwoPass *self)
{
  const size_t needed = (size_t) self->n_labels + self->cpu->width + 1;
  const size_t capacity = 2 * needed;

  if (needed <= self->labels_capacity)
    return true;
  if (!cca_grow (self->cpu->allocator, self->cpu->used, (void **) &self->parent, self->n_labels * sizeof *self->parent,
                 capacity * sizeof *self->parent))
    return false;
  self->labels_capacity = capacity;
  return true;
}

static bool
reserve_components (TwoPass *self)
{
  const CcaCpu *cpu = self->cpu;
  const size_t capacity = 2 * (size_t) self->n_components;

  if (self->n_components <= self->components_capacity)
    return true;
  if (!cca_grow (cpu->allocator, cpu->used, (void **) &self->features, 0, capacity * sizeof *self->features)
      || !cca_grow (cpu->allocator, cpu->used, (void **) &self->pixels, 0, capacity * sizeof *self->pixels))
    return false;
  self->components_capacity = capacity;
  return true;
}

static void
read_classes (const TwoPass *self, const CcaMask *mask, uint32_t y, uint16_t *classes)
{
  const bool values = self->cpu->params->foreground == CCA_FOREGROUND_VALUES;
  const uint8_t *pixels = cca_mask_pixels (mask, y);
  const uint64_t *bits = cca_mask_row (mask, y, self->bits);

  for (uint32_t x = 0; x < self->cpu->width; x++) {
    const bool is_set = bits[x / 64] >> x % 64 & 1;

    classes[x] = values && is_set ? (uint16_t) cca_value_at (pixels, x, mask->values.wide) : is_set;
  }
}

static bool
first_pass (TwoPass *self, const CcaMask *mask)
{
  const uint32_t width = self->cpu->width, height = self->cpu->height;
  const bool diagonal = self->cpu->params->connectivity == 8;

  self->n_labels = 1; /* 0 is the background */
  for (uint32_t y = 0; y < height; y++) {
    uint32_t *label = self->labels + (size_t) y * width, *above = label - width;
    uint16_t *here = self->classes + y % 2 * width, *north = self->classes + (y + 1) % 2 * width;

    if (!reserve_labels (self))
      return false;
    read_classes (self, mask, y, here);
    for (uint32_t x = 0; x < width; x++) {
      const uint16_t class = here[x];
      uint32_t neighbours[4], n = 0;

      label[x] = 0;
      if (class == 0)
        continue;
      if (x > 0 && here[x - 1] == class)
        neighbours[n++] = label[x - 1];
      if (y > 0 && diagonal && x > 0 && north[x - 1] == class)
        neighbours[n++] = above[x - 1];
      if (y > 0 && north[x] == class)
        neighbours[n++] = above[x];
      if (y > 0 && diagonal && x + 1 < width && north[x + 1] == class)
        neighbours[n++] = above[x + 1];

      if (n == 0) {
        label[x] = self->n_labels;
        self->parent[self->n_labels] = self->n_labels;
        self->n_labels++;
        continue;
      }
      label[x] = neighbours[0];
      for (uint32_t i = 1; i < n; i++)
        label[x] = cca_unite (self->parent, label[x], neighbours[i]);
    }
  }
  return true;
}

/* Replaces each root by its component's index in raster order. */
static void
number_components (TwoPass *self)
{
  self->n_components = 0;
  for (uint32_t label = 1; label < self->n_labels; label++) {
    const uint32_t parent = self->parent[label];

    self->parent[label] = parent == label ? self->n_components++ : self->parent[parent];
  }
}

static void
second_pass (TwoPass *self)
{
  const uint32_t width = self->cpu->width, height = self->cpu->height;

  for (uint32_t i = 0; i < self->n_components; i++)
    self->features[i].area = 0;
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      uint32_t *label = &self->labels[(size_t) y * width + x];
      CcaFeatures *features;

      if (*label == 0)
        continue;
      features = &self->features[self->parent[*label]];
      *label = self->parent[*label] + 1;
      if (features->area == 0)
        *features = cca_features_empty (x, y);
      cca_features_add_run (features, x, x + 1, y, y + 1);
      if (self->cpu->params->covariance)
        cca_features_add_run_moments (features, x, x + 1, y, y + 1);
    }
  }
}

/* Sets the label of each component: n for the n-th that passes, 0 for others. */
static void
label_components (const TwoPass *self, const CcaSelection *selection, uint32_t *labels)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < self->n_components; i++)
    labels[i] = cca_selection_passes (selection, &self->features[i]) ? ++n : 0;
}

/* Stores the runs of the components that pass, in cpu->runs. */
static bool
store_runs (TwoPass *self, const CcaSelection *selection)
{
  const CcaCpu *cpu = self->cpu;
  CcaRunStore *store = &cpu->runs->strips[0];

  cca_frame_runs_start (cpu->runs, 1);
  label_components (self, selection, self->pixels);
  for (uint32_t y = 0; y < cpu->height; y++) {
    const uint32_t *label = self->labels + (size_t) y * cpu->width;

    if (!cca_run_store_reserve (store, cpu->allocator, cpu->used, cpu->width))
      return false;
    cca_run_store_begin_slab (store, y);
    for (uint32_t x = 0, end; x < cpu->width; x = end) {
      for (end = x + 1; end < cpu->width && label[end] == label[x];)
        end++;
      if (label[x] == 0 || self->pixels[label[x] - 1] == 0)
        continue;
      store->runs[store->n] = (CcaRun) { (uint16_t) x, (uint16_t) end };
      store->labels[store->n++] = self->pixels[label[x] - 1];
    }
  }
  cca_run_store_finish (store, cpu->height);
  return true;
}

static CcaStatus
two_pass_label (void *state, const CcaMask *mask, CcaSelection *selection)
{
  TwoPass *self = state;

  if (!first_pass (self, mask))
    return CCA_ERROR_MEMORY;
  number_components (self);
  if (!reserve_components (self))
    return CCA_ERROR_MEMORY;
  second_pass (self);
  for (uint32_t i = 0; i < self->n_components; i++)
    cca_selection_add (selection, &self->features[i]);
  if (cca_params_labels (self->cpu->params) && !store_runs (self, selection))
    return CCA_ERROR_MEMORY;
  return CCA_OK;
}

static void
two_pass_paint (void *state, const CcaSelection *selection, const CcaImage *output)
{
  const TwoPass *self = state;
  const uint32_t width = self->cpu->width, pixel_size = cca_output_pixel_size (self->cpu->output);
  const uint32_t background = cca_output_pixel (self->cpu->output, 0);

  label_components (self, selection, self->pixels);
  for (uint32_t i = 0; i < self->n_components; i++)
    self->pixels[i] = cca_output_pixel (self->cpu->output, self->pixels[i]);
  for (uint32_t y = 0; y < self->cpu->height; y++) {
    uint8_t *row = (uint8_t *) output->data + (ptrdiff_t) y * output->pitch;

    for (uint32_t x = 0; x < width; x++) {
      const uint32_t label = self->labels[(size_t) y * width + x];
      const uint32_t pixel = label ? self->pixels[label - 1] : background;

      /* Little endian: the low bytes come first. */
      memcpy (row + (size_t) x * pixel_size, &pixel, pixel_size);
    }
  }
}

const CcaCpuAlgorithm cca_cpu_two_pass = {
  .entry = {
    .name = "two-pass",
    .description = "textbook two-pass labeling with union-find, one pixel at a time",
    .source = "Rosenfeld & Pfaltz, Sequential operations in digital picture processing, J. ACM 13, 1966; "
              "Wu, Otoo & Suzuki, Optimizing two-pass connected-component labeling algorithms, PAA 12, 2009",
    .backend = CCA_BACKEND_CPU,
    .capabilities = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES | CCA_CAN_OVERLAPS,
  },
  .estimate = two_pass_estimate,
  .open = two_pass_open,
  .close = two_pass_close,
  .label = two_pass_label,
  .paint = two_pass_paint,
};
