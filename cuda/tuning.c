/* gst-cca: the fastest algorithm for a GPU and a frame size
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/tuning.h"

/* Measured on GPUs of compute capability 9.0, the same for analysis and labels. */
#define ANY_GPU                                                                                                        \
  { "patches-direct", 23592960 },                                                                                      \
  {                                                                                                                    \
    "patches", CCA_ANY_SIZE                                                                                            \
  }

/* Add a line that `cca-bench --tune` prints in front of this one, only if it differs; docs/benchmarks.md has the
 * steps. */
const CcaTuning cca_tunings[] = {
  { 0, { ANY_GPU }, { ANY_GPU } },
};

const char *
cca_tuning_fastest (int generation, bool labels, uint64_t n_pixels)
{
  const CcaTuning *line = cca_tunings;
  const CcaTuningStep *step;

  while (line->generation != 0 && line->generation != generation)
    line++;
  step = labels ? line->labels : line->analysis;
  while (step->max_pixels < n_pixels)
    step++;
  return step->algorithm;
}
