/* gst-cca: which components a frame reports
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Finished components come in any order; the area filter drops some, all others are counted, and the best `capacity` in the
 * order asked for are kept: appended while there is room, then in a heap whose top is the worst. Labels are ranks among all
 * that passed, so for order by area the first pixel of each is noted in a bit plane, where ranks are counted at the end.
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
  /* The caller's memory, only for order by area, else NULL. */
  uint64_t *firsts; /* height rows of first_words words */
  uint32_t first_words;
  uint32_t *firsts_before; /* height */

  CcaOrder order;
  uint64_t min_area, max_area; /* max_area is UINT64_MAX for no limit */
  bool covariance;
  uint32_t n_found, n_stored;
  bool is_sorted, is_heap;
} CcaSelection;

/* How many components an image can have at the most. */
uint64_t cca_most_components (uint32_t width, uint32_t height, uint32_t connectivity, bool values);

/* Empties the selection and takes the parameters; firsts, where there are, is left to the caller to clear. */
void cca_selection_start (CcaSelection *selection, const CcaParams *params);

static inline bool
cca_selection_passes (const CcaSelection *selection, const CcaFeatures *features)
{
  return features->area >= selection->min_area && features->area <= selection->max_area;
}

/* Counts and perhaps keeps a component that passes. */
void cca_selection_add (CcaSelection *selection, const CcaFeatures *features);

/* Adds what another selection with the same plane of first pixels counted and kept. */
void cca_selection_join (CcaSelection *selection, const CcaSelection *other);

/* Sorts and labels what is kept. */
void cca_selection_finish (CcaSelection *selection, uint32_t height);

#endif
