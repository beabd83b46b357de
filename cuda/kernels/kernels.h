/* gst-cca: the kernels of the foreground and of overlaps, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CCA_KERNELS_file (K) calls K (kernel, its parameters, file) for each kernel of a file, here and in the folders of the
 * algorithms.
 */
#ifndef CCA_CUDA_KERNELS_H
#define CCA_CUDA_KERNELS_H

#include "cuda/kernels/params.h"

#define CCA_KERNELS_foreground(K)                                                                                      \
  K (range, CcaRangeParams, foreground)                                                                                \
  K (motion, CcaMotionParams, foreground)                                                                              \
  K (values, CcaValuesParams, foreground)

#define CCA_KERNELS_cleanup(K)                                                                                         \
  K (majority, CcaCleanupParams, cleanup)                                                                              \
  K (dilate_rows, CcaCleanupParams, cleanup)                                                                           \
  K (dilate_columns_erode_rows, CcaCleanupParams, cleanup)                                                             \
  K (erode_columns, CcaCleanupParams, cleanup)

#define CCA_KERNELS_overlaps(K)                                                                                        \
  K (overlap_labels, CcaOverlapLabelsParams, overlaps)                                                                 \
  K (collect_overlaps, CcaCollectParams, overlaps)

#endif
