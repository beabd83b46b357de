/* gst-cca: the selection of the components that a frame reports
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/selection.h"
#include "cca/params.h"

#include <string.h>

uint64_t
cca_most_components (uint32_t width, uint32_t height, const CcaParams *params)
{
  const uint64_t pixels = (uint64_t) width * height;

  if (params->foreground == CCA_FOREGROUND_VALUES)
    return pixels;
  if (params->connectivity == 4)
    return (pixels + 1) / 2;
  return (uint64_t) ((width + 1) / 2) * ((height + 1) / 2);
}

static size_t
plane_words (const CcaSelection *selection)
{
  return (size_t) selection->row_words * selection->height;
}

static void
clear_firsts (CcaSelection *selection, size_t first_word, size_t end_word)
{
  memset (selection->firsts + first_word, 0, (end_word - first_word) * sizeof *selection->firsts);
}

static void
note_first (CcaSelection *selection, uint32_t key)
{
  const uint32_t x = key & 0xffff, y = key >> 16;

  selection->firsts[(size_t) y * selection->row_words + x / 64] |= (uint64_t) 1 << x % 64;
}

static void
start (CcaSelection *selection, const CcaParams *params)
{
  selection->order = params->order;
  selection->has_filter = cca_params_filter (params);
  selection->min_area = params->min_area;
  selection->area_span = (params->max_area ? params->max_area : UINT64_MAX) - params->min_area;
  selection->min_width = params->min_width;
  selection->width_span = (params->max_width ? params->max_width : CCA_MAX_SIZE) - params->min_width;
  selection->min_height = params->min_height;
  selection->height_span = (params->max_height ? params->max_height : CCA_MAX_SIZE) - params->min_height;
  selection->covariance = params->covariance;
  selection->n_found = 0;
  selection->n_stored = 0;
  selection->is_sorted = true;
  selection->is_heap = false;
}

void
cca_selection_start (CcaSelection *selection, const CcaParams *params)
{
  start (selection, params);
  if (selection->order == CCA_ORDER_AREA)
    clear_firsts (selection, 0, plane_words (selection));
}

void
cca_selection_start_beside (CcaSelection *selection, const CcaParams *params, const CcaSelection *other)
{
  start (selection, params);
  selection->firsts = other->firsts;
  selection->firsts_before = other->firsts_before;
  selection->row_words = other->row_words;
  selection->height = other->height;
}

/* Returns whether a component with this area and first pixel comes before stored component i in the order. */
static inline bool
comes_before (const CcaSelection *selection, uint64_t area, uint32_t key, uint32_t i)
{
  if (selection->order == CCA_ORDER_AREA && area != selection->stored[i].area)
    return area > selection->stored[i].area;
  return key < selection->keys[i];
}

static inline bool
stored_comes_before (const CcaSelection *selection, uint32_t i, uint32_t j)
{
  return comes_before (selection, selection->stored[i].area, selection->keys[i], j);
}

/* Puts a component into the hole of a heap of the first n, below all that come after it in the order. */
static void
sift_down (CcaSelection *selection, uint32_t n, uint32_t hole, CcaComponent component, uint32_t key)
{
  uint32_t child;

  while ((child = 2 * hole + 1) < n) {
    if (child + 1 < n && stored_comes_before (selection, child, child + 1))
      child++;
    if (!comes_before (selection, component.area, key, child))
      break;
    selection->stored[hole] = selection->stored[child];
    selection->keys[hole] = selection->keys[child];
    hole = child;
  }
  selection->stored[hole] = component;
  selection->keys[hole] = key;
}

static void
make_heap (CcaSelection *selection)
{
  if (selection->is_heap)
    return;
  for (uint32_t i = selection->n_stored / 2; i-- > 0;)
    sift_down (selection, selection->n_stored, i, selection->stored[i], selection->keys[i]);
  selection->is_heap = true;
  selection->is_sorted = false;
}

/* Returns whether there is room for a component with this area and first pixel, or a worse one to replace. */
static bool
is_wanted (CcaSelection *selection, uint64_t area, uint32_t key)
{
  if (selection->n_stored < selection->capacity)
    return true;
  if (selection->capacity == 0)
    return false;
  if (selection->is_sorted && !comes_before (selection, area, key, selection->n_stored - 1))
    return false;
  make_heap (selection);
  return comes_before (selection, area, key, 0);
}

/* Stores a component for which is_wanted() is true. */
static void
keep (CcaSelection *selection, const CcaComponent *component, uint32_t key)
{
  const uint32_t n = selection->n_stored;

  if (n == selection->capacity) {
    sift_down (selection, n, 0, *component, key);
    return;
  }
  if (n > 0 && comes_before (selection, component->area, key, n - 1))
    selection->is_sorted = false;
  selection->stored[n] = *component;
  selection->keys[n] = key;
  selection->n_stored++;
}

void
cca_selection_add (CcaSelection *selection, const CcaFeatures *features)
{
  if (!cca_selection_passes (selection, features))
    return;
  selection->n_found++;
  if (selection->order == CCA_ORDER_AREA)
    note_first (selection, features->first);
  if (is_wanted (selection, features->area, features->first)) {
    /* In raster order this label is final. */
    const CcaComponent component =
        cca_component_from_features (features, selection->n_stored + 1, selection->covariance);

    keep (selection, &component, features->first);
  }
}

void
cca_selection_join (CcaSelection *selection, const CcaSelection *other)
{
  selection->n_found += other->n_found;
  selection->is_sorted = selection->is_sorted && other->n_stored == 0;
  for (uint32_t i = 0; i < other->n_stored; i++)
    if (is_wanted (selection, other->stored[i].area, other->keys[i]))
      keep (selection, &other->stored[i], other->keys[i]);
}

static void
count_firsts (CcaSelection *selection, size_t first_word, size_t end_word)
{
  uint32_t count = 0;

  for (size_t i = first_word; i < end_word; i++) {
    selection->firsts_before[i] = count;
    count += __builtin_popcountll (selection->firsts[i]);
  }
}

/* Returns the number of first pixels before this one. */
static uint32_t
rank_of_first (const CcaSelection *selection, uint32_t key)
{
  const uint32_t x = key & 0xffff, y = key >> 16;
  const size_t i = (size_t) y * selection->row_words + x / 64;

  return selection->firsts_before[i] + __builtin_popcountll (selection->firsts[i] & (((uint64_t) 1 << x % 64) - 1));
}

static void
swap_stored (CcaSelection *selection, uint32_t i, uint32_t j)
{
  const CcaComponent component = selection->stored[i];
  const uint32_t key = selection->keys[i];

  selection->stored[i] = selection->stored[j];
  selection->keys[i] = selection->keys[j];
  selection->stored[j] = component;
  selection->keys[j] = key;
}

/* Sets the first pixels of the kept components in the bit plane, and counts them in the rows that they span. */
static void
rank_kept (CcaSelection *selection)
{
  uint32_t least = UINT32_MAX, most = 0;
  size_t first_word, end_word;

  for (uint32_t i = 0; i < selection->n_stored; i++) {
    least = selection->keys[i] < least ? selection->keys[i] : least;
    most = selection->keys[i] > most ? selection->keys[i] : most;
  }
  first_word = (size_t) (least >> 16) * selection->row_words;
  end_word = ((size_t) (most >> 16) + 1) * selection->row_words;
  clear_firsts (selection, first_word, end_word);
  for (uint32_t i = 0; i < selection->n_stored; i++)
    note_first (selection, selection->keys[i]);
  count_firsts (selection, first_word, end_word);
}

void
cca_selection_rank (CcaSelection *selection)
{
  if (!selection->is_sorted)
    rank_kept (selection);
}

void
cca_selection_place (CcaSelection *selection, const CcaSelection *other, uint32_t n_before)
{
  for (uint32_t i = 0; i < other->n_stored; i++) {
    const uint32_t place = n_before + (other->is_sorted ? i : rank_of_first (other, other->keys[i]));

    if (place < selection->capacity) {
      selection->stored[place] = other->stored[i];
      selection->stored[place].label = place + 1;
    }
  }
}

void
cca_selection_set (CcaSelection *selection, uint32_t place, const CcaFeatures *features)
{
  if (place < selection->capacity)
    selection->stored[place] = cca_component_from_features (features, place + 1, selection->covariance);
}

void
cca_selection_count (CcaSelection *selection, uint32_t n_found)
{
  selection->n_found = n_found;
  selection->n_stored = n_found < selection->capacity ? n_found : selection->capacity;
}

/* Moves each component to the place of its rank: every swap puts one into its final place. */
static void
finish_raster (CcaSelection *selection)
{
  rank_kept (selection);
  for (uint32_t i = 0; i < selection->n_stored; i++) {
    for (uint32_t rank; (rank = rank_of_first (selection, selection->keys[i])) != i;)
      swap_stored (selection, i, rank);
    selection->stored[i].label = i + 1;
  }
}

/* Heapsort: the components are a heap already, or in no order. */
static void
finish_area (CcaSelection *selection)
{
  make_heap (selection);
  for (uint32_t n = selection->n_stored; n-- > 1;) {
    const CcaComponent last = selection->stored[n];
    const uint32_t key = selection->keys[n];

    selection->stored[n] = selection->stored[0];
    selection->keys[n] = selection->keys[0];
    sift_down (selection, n, 0, last, key);
  }
  count_firsts (selection, 0, plane_words (selection));
  for (uint32_t i = 0; i < selection->n_stored; i++)
    selection->stored[i].label = rank_of_first (selection, selection->keys[i]) + 1;
}

void
cca_selection_finish (CcaSelection *selection)
{
  if (selection->order == CCA_ORDER_AREA)
    finish_area (selection);
  else if (!selection->is_sorted)
    finish_raster (selection);
}
