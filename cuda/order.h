/* gst-cca: the order of overlaps
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

/* Puts the first n_first of n overlaps into `sorted`, by before, then now. `sorted` has room for all n; both lists are
 * workspace, and `overlaps` is lost. No two have the same labels. */
void cca_cuda_order_overlaps (CcaOverlap *overlaps, uint32_t n, uint32_t n_first, CcaOverlap *sorted);
