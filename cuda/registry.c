/* gst-cca: the algorithms of the CUDA backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/registry.h"
#include "cuda/tuning.h"

#include <string.h>

#define ALGORITHMS(A)                                                                                                  \
  A (patches)                                                                                                          \
  A (patches_direct)                                                                                                   \
  A (flsl_cd)                                                                                                          \
  A (flsl_otf)                                                                                                         \
  A (flsl)                                                                                                             \
  A (ha4_cd)                                                                                                           \
  A (ha4_otf)                                                                                                          \
  A (ha4_64)                                                                                                           \
  A (ha4)                                                                                                              \
  A (label_equivalence)                                                                                                \
  A (label_equivalence_early)                                                                                          \
  A (tile_merge)                                                                                                       \
  A (tile_merge_early)                                                                                                 \
  A (playne)                                                                                                           \
  A (dlp)                                                                                                              \
  A (flsl_tree)                                                                                                        \
  A (ha4_tree)                                                                                                         \
  A (tree_merge)                                                                                                       \
  A (naive)

#define DECLARE(name) extern const CcaCudaAlgorithm cca_cuda_##name;
ALGORITHMS (DECLARE)

#define ENTRY(name) &cca_cuda_##name.entry,
const CcaAlgorithm *const cca_cuda_algorithms[] = { ALGORITHMS (ENTRY) NULL };

const CcaAlgorithm *
cca_cuda_choose (const CcaCudaDevice *device, uint32_t width, uint32_t height, const CcaParams *params,
                 CcaOutput output)
{
  const char *fastest =
      cca_tuning_fastest (device->compute_capability, output != CCA_OUTPUT_NONE, (uint64_t) width * height);
  const CcaAlgorithm *able = NULL;

  for (const CcaAlgorithm *const *a = cca_cuda_algorithms; *a; a++) {
    if (cca_algorithm_lacks (*a, params, output))
      continue;
    if (strcmp ((*a)->name, fastest) == 0)
      return *a;
    if (able == NULL)
      able = *a;
  }
  return able ? able : cca_cuda_algorithms[0];
}
