/* gst-cca: the kernels of "label-equivalence", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/label-equivalence/params.h"

#define CCA_KERNELS_equivalence(K)                                                                                     \
  K (prelabel_pixels, CcaEquivalenceParams, equivalence)                                                               \
  K (scan_labels, CcaEquivalenceParams, equivalence)                                                                   \
  K (analyse_labels, CcaEquivalenceParams, equivalence)                                                                \
  K (analyse_labels_early, CcaEquivalenceParams, equivalence)                                                          \
  K (settle_labels, CcaEquivalenceParams, equivalence)
