/* gst-cca: which components a frame reports
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/selection.h"

uint64_t
cca_most_components (uint32_t width, uint32_t height, uint32_t connectivity, bool values)
{
  const uint64_t pixels = (uint64_t) width * height;

  if (values)
    return pixels;
  if (connectivity == 4)
    return (pixels + 1) / 2;
  return (uint64_t) ((width + 1) / 2) * ((height + 1) / 2);
}

void
cca_selection_start (CcaSelection *selection, const CcaParams *params)
{
  selection->order = params->order;
  selection->min_area = params->min_area;
  selection->max_area = params->max_area ? params->max_area : UINT64_MAX;
  selection->n_found = 0;
  selection->n_stored = 0;
  selection->is_heap = false;
}

/* Whether a comes before b in the order. */
static inline bool
comes_before (CcaOrder order, const CcaFeatures *a, const CcaFeatures *b)
{
  if (order == CCA_ORDER_AREA && a->area != b->area)
    return a->area > b->area;
  return a->first < b->first;
}

/* Puts features into the hole of a heap of n, below all that come after it in the order. */
static void
sift_down (const CcaSelection *selection, uint32_t n, uint32_t hole, CcaFeatures features)
{
  CcaFeatures *heap = selection->stored;
  uint32_t child;

  while ((child = 2 * hole + 1) < n) {
    if (child + 1 < n && comes_before (selection->order, &heap[child], &heap[child + 1]))
      child++;
    if (!comes_before (selection->order, &features, &heap[child]))
      break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = features;
}

static void
make_heap (CcaSelection *selection)
{
  if (selection->is_heap)
    return;
  for (uint32_t i = selection->n_stored / 2; i-- > 0;)
    sift_down (selection, selection->n_stored, i, selection->stored[i]);
  selection->is_heap = true;
}

static void
keep (CcaSelection *selection, const CcaFeatures *features)
{
  if (selection->n_stored < selection->capacity) {
    selection->stored[selection->n_stored++] = *features;
    return;
  }
  make_heap (selection);
  if (comes_before (selection->order, features, &selection->stored[0]))
    sift_down (selection, selection->n_stored, 0, *features);
}

void
cca_selection_add (CcaSelection *selection, const CcaFeatures *features)
{
  if (!cca_selection_passes (selection, features))
    return;
  selection->n_found++;
  if (selection->firsts) {
    const uint32_t x = features->first & 0xffff, y = features->first >> 16;

    selection->firsts[(size_t) y * selection->first_words + x / 64] |= (uint64_t) 1 << x % 64;
  }
  keep (selection, features);
}

void
cca_selection_join (CcaSelection *selection, const CcaSelection *other)
{
  selection->n_found += other->n_found;
  for (uint32_t i = 0; i < other->n_stored; i++)
    keep (selection, &other->stored[i]);
}

static bool
is_sorted (const CcaSelection *selection)
{
  for (uint32_t i = 1; i < selection->n_stored; i++)
    if (comes_before (selection->order, &selection->stored[i], &selection->stored[i - 1]))
      return false;
  return true;
}

/* Heapsort, which needs no memory; components mostly come in raster order already. */
static void
sort (CcaSelection *selection)
{
  if (is_sorted (selection))
    return;
  make_heap (selection);
  for (uint32_t n = selection->n_stored; n-- > 1;) {
    const CcaFeatures last = selection->stored[n];

    selection->stored[n] = selection->stored[0];
    sift_down (selection, n, 0, last);
  }
  selection->is_heap = false;
}

/* The first pixels in rows before each. */
static void
count_firsts (const CcaSelection *selection, uint32_t height, uint32_t *before)
{
  const uint64_t *word = selection->firsts;
  uint32_t count = 0;

  for (uint32_t y = 0; y < height; y++) {
    before[y] = count;
    for (uint32_t i = 0; i < selection->first_words; i++)
      count += __builtin_popcountll (*word++);
  }
}

/* 1 plus the number of components that start before this one. */
static uint32_t
rank_of_first (const CcaSelection *selection, const uint32_t *before, uint32_t first)
{
  const uint32_t x = first & 0xffff, y = first >> 16;
  const uint64_t *row = selection->firsts + (size_t) y * selection->first_words;
  uint32_t count = before[y] + 1;

  for (uint32_t i = 0; i < x / 64; i++)
    count += __builtin_popcountll (row[i]);
  return count + __builtin_popcountll (row[x / 64] & (((uint64_t) 1 << x % 64) - 1));
}

void
cca_selection_finish (CcaSelection *selection, uint32_t height, bool covariance, uint32_t *before,
                      CcaComponent *components)
{
  sort (selection);
  if (selection->firsts)
    count_firsts (selection, height, before);
  for (uint32_t i = 0; i < selection->n_stored; i++) {
    const CcaFeatures *features = &selection->stored[i];
    const uint32_t label = selection->firsts ? rank_of_first (selection, before, features->first) : i + 1;

    components[i] = cca_component_from_features (features, label, covariance);
  }
}
