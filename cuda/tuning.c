/* gst-cca: the fastest algorithm for a GPU and a frame size
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/tuning.h"

/* Lines printed by `cca-bench --tune`; docs/benchmarks.md explains how to add one. */
const CcaTuning cca_tunings[] = {
  { 90,
    { { "patches-direct", 23592960 }, { "patches", CCA_ANY_SIZE } },
    { { "patches-direct", 23592960 }, { "patches", CCA_ANY_SIZE } } },
  { 0,
    { { "patches-direct", 23592960 }, { "patches", CCA_ANY_SIZE } },
    { { "patches-direct", 23592960 }, { "patches", CCA_ANY_SIZE } } },
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
