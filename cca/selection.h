/* gst-cca: the selection of the components that a frame reports
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The caller adds finished components in any order. The size filter drops some; the selection counts all others and
 * keeps the best `capacity` in the requested order: it appends while there is room, then uses a heap with the worst at
 * the top. A label is the rank of the component's first pixel, counted in a bit plane of first pixels. Order by area
 * sets the bits of all components that pass, as they come. Raster order sets those of the kept ones, whose ranks are
 * also their final places.
 */
#pragma once

#include "cca/features.h"

typedef struct
{
  /* The caller's memory, `capacity` entries each. */
  uint32_t capacity;
  CcaComponent *stored;
  uint32_t *keys; /* the first pixel of each stored component, y << 16 | x */
  /* The caller's memory: height rows of row_words words. */
  uint64_t *firsts;        /* the bit of every first pixel */
  uint32_t *firsts_before; /* the number of bits in the words before each word */
  uint32_t row_words, height;

  CcaOrder order;
  bool has_filter;
  uint64_t min_area, area_span;                            /* a component passes if area - min_area <= area_span */
  uint32_t min_width, width_span, min_height, height_span; /* the same for the sides of the box */
  bool covariance;
  uint32_t n_found, n_stored;
  bool is_sorted, is_heap;
} CcaSelection;

/* Returns the most components that an image of this size can have. */
uint64_t cca_most_components (uint32_t width, uint32_t height, const CcaParams *params);

/* Empties the selection and sets its parameters. */
void cca_selection_start (CcaSelection *selection, const CcaParams *params);

/* Starts a selection that shares the plane of first pixels with `other`, which was started before. In raster order,
 * selections of different rows can be filled, ranked and placed in parallel. */
void cca_selection_start_beside (CcaSelection *selection, const CcaParams *params, const CcaSelection *other);

/* Returns whether a component passes the size filter. */
static inline bool
cca_selection_passes (const CcaSelection *selection, const CcaFeatures *features)
{
  const uint32_t width = features->x_max - features->x_min + 1, height = features->y_max - (features->first >> 16) + 1;

  return !selection->has_filter
         || (features->area - selection->min_area <= selection->area_span
             && width - selection->min_width <= selection->width_span
             && height - selection->min_height <= selection->height_span);
}

/* Counts a component that passes the filter, and keeps it if it is among the best so far. */
void cca_selection_add (CcaSelection *selection, const CcaFeatures *features);

/* Adds the count and the kept components of another selection, which shares the plane of first pixels
 * (cca_selection_start_beside()). */
void cca_selection_join (CcaSelection *selection, const CcaSelection *other);

/* Raster order: ranks the kept components, for cca_selection_place(). */
void cca_selection_rank (CcaSelection *selection);

/* Raster order: copies the ranked components of another selection, sorted, behind the first n_before, as far as there
 * is room. */
void cca_selection_place (CcaSelection *selection, const CcaSelection *other, uint32_t n_before);

/* Raster order: stores a component that passes the filter at `place`, if there is room. */
void cca_selection_set (CcaSelection *selection, uint32_t place, const CcaFeatures *features);

/* Raster order: sets the counts of a selection filled by cca_selection_place() or cca_selection_set(). */
void cca_selection_count (CcaSelection *selection, uint32_t n_found);

/* Sorts and labels the selected components. */
void cca_selection_finish (CcaSelection *selection);
