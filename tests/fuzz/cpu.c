/* gst-cca: the CPU backend for the fuzzer of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "frames.h"

const CcaBackend fuzz_backend = CCA_BACKEND_CPU;
const uint32_t fuzz_max_pixels = 9000, fuzz_min_row = 1;
const uint32_t fuzz_frame_cost = 1000, fuzz_samples_cost = 5, fuzz_budget = 32000;

void
fuzz_backend_start (void)
{
}

uint64_t
fuzz_backend_held (void)
{
  return 0;
}
