/* gst-cca: the parameters of the kernels of "label-equivalence", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/segments/params.h"

/* Rows of a strip. A warp works on a strip: a word's columns in so many rows. */
#define CCA_EQUIVALENCE_ROWS 8

/* Blocks of a grid at most. A pass that has nothing to do costs what starting its blocks takes. */
#define CCA_EQUIVALENCE_BLOCKS 2048

typedef struct
{
  CcaSegmentsParams segments; /* parent is the array of labels */
  uint32_t *changed;          /* for each iteration, beginning with iteration 0: whether it changed a label */
  uint32_t iteration;
  uint32_t n_iterations; /* enqueued */
} CcaEquivalenceParams;
