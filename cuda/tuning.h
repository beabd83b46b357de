/* gst-cca: the fastest algorithm for a GPU and a frame size
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * `cca-bench --tune` prints the line for the GPU it runs on. docs/benchmarks.md explains when and how to add it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CCA_TUNING_STEPS 8
#define CCA_ANY_SIZE UINT64_MAX

/* An algorithm of the registry, and the largest frame for which it is the fastest, in pixels. */
typedef struct
{
  const char *algorithm;
  uint64_t max_pixels;
} CcaTuningStep;

typedef struct
{
  int generation; /* compute capability, 10 * major + minor; 0: all others */
  /* In increasing order of size; the last used step has CCA_ANY_SIZE. */
  CcaTuningStep analysis[CCA_TUNING_STEPS], labels[CCA_TUNING_STEPS];
} CcaTuning;

/* The line of generation 0 ends the table. */
extern const CcaTuning cca_tunings[];

/* Returns the name of the fastest algorithm for a frame of n_pixels, with an output image if `labels`. */
const char *cca_tuning_fastest (int generation, bool labels, uint64_t n_pixels);
