/* gst-cca: which components a frame reports
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Finished components come in any order; the area filter drops some, all others are counted, and the best `capacity` in
 * the order asked for are kept: appended while there is room, then in a heap whose top is the worst. Labels are ranks
 * of first pixels, and are counted in a bit plane of first pixels: of all that passed for order by area, where they are
 * noted as they come; of those kept for raster order, where they are also the places that the components are moved to.
 */
#ifndef CCA_SELECTION_H
#define CCA_SELECTION_H

#include "cca/features.h"

typedef struct
{
  /* The caller's memory, capacity of each. */
  uint32_t capacity;
  CcaComponent *stored;
  uint32_t *keys; /* the first pixel of each stored one, y << 16 | x */
  /* The caller's memory: height rows of row_words words. */
  uint64_t *firsts;        /* the bit of every first pixel */
  uint32_t *firsts_before; /* the bits in the words before each */
  uint32_t row_words, height;

  CcaOrder order;
  uint64_t min_area, max_area; /* max_area is UINT64_MAX for no limit */
  bool covariance;
  uint32_t n_found, n_stored;
  bool is_sorted, is_heap;
} CcaSelection;

/* How many components an image can have at the most. */
uint64_t cca_most_components (uint32_t width, uint32_t height, const CcaParams *params);

/* Empties the selection and takes the parameters. */
void cca_selection_start (CcaSelection *selection, const CcaParams *params);

/* The same for one that shares the plane of first pixels with another, that was started before. In raster order
 * selections of different rows can be filled, ranked and placed side by side. */
void cca_selection_start_beside (CcaSelection *selection, const CcaParams *params, const CcaSelection *other);

static inline bool
cca_selection_passes (const CcaSelection *selection, const CcaFeatures *features)
{
  return features->area >= selection->min_area && features->area <= selection->max_area;
}

/* Counts and perhaps keeps a component that passes. */
void cca_selection_add (CcaSelection *selection, const CcaFeatures *features);

/* Adds what another selection counted and kept, which has the same plane of first pixels and was started without
 * clearing it (cca_selection_start_beside()). */
void cca_selection_join (CcaSelection *selection, const CcaSelection *other);

/* Raster order: finds the place of each component among those kept, for cca_selection_place(). */
void cca_selection_rank (CcaSelection *selection);

/* Raster order: puts what another selection kept, which is ranked, sorted behind the first n_before components, as far
 * as there is room. */
void cca_selection_place (CcaSelection *selection, const CcaSelection *other, uint32_t n_before);

/* Raster order: makes a component that passes the one at `place`, if there is room. */
void cca_selection_set (CcaSelection *selection, uint32_t place, const CcaFeatures *features);

/* Sets the counts of a selection whose components were placed or set in raster order. */
void cca_selection_count (CcaSelection *selection, uint32_t n_found);

/* Sorts and labels what is kept. */
void cca_selection_finish (CcaSelection *selection);

#endif
