/* gst-cca: which algorithm is the fastest on which GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The only place that knows generations of GPUs. `cca-bench --tune` prints the line of the GPU it runs on.
 */
#ifndef CCA_CUDA_TUNING_H
#define CCA_CUDA_TUNING_H

#include <stdbool.h>
#include <stdint.h>

#define CCA_TUNING_STEPS 8
#define CCA_ANY_SIZE UINT64_MAX

/* An algorithm of the registry and the largest frame, in pixels, that it is the fastest for. */
typedef struct
{
  const char *algorithm;
  uint64_t max_pixels;
} CcaTuningStep;

typedef struct
{
  int generation; /* compute capability, 10 * major + minor; 0 stands for all that have no line */
  /* By growing size; the last one in use is for CCA_ANY_SIZE. */
  CcaTuningStep analysis[CCA_TUNING_STEPS], labels[CCA_TUNING_STEPS];
} CcaTuning;

/* Ended by the line of generation 0. */
extern const CcaTuning cca_tunings[];

/* The name of the algorithm that is the fastest for a frame of so many pixels, with an output image or without. */
const char *cca_tuning_fastest (int generation, bool labels, uint64_t n_pixels);

#endif
