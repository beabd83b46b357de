/* gst-cca: the kernels of "patches", for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/patches/params.h"

#define CCA_SOLVE_KERNELS(K, source)                                                                                   \
  K (solve_patches_##source, CcaPatchesSolveParams, patches)                                                           \
  K (solve_patches_##source##_moments, CcaPatchesSolveParams, patches)                                                 \
  K (solve_patches_##source##_direct, CcaPatchesSolveParams, patches)                                                  \
  K (solve_patches_##source##_moments_direct, CcaPatchesSolveParams, patches)

#define CCA_KERNELS_patches(K)                                                                                         \
  CCA_SOLVE_KERNELS (K, of_bits)                                                                                       \
  CCA_SOLVE_KERNELS (K, of_range)                                                                                      \
  CCA_SOLVE_KERNELS (K, of_values)

#define CCA_KERNELS_groups(K)                                                                                          \
  K (unite_patches, CcaPatchesParams, groups)                                                                          \
  K (unite_patches_moments, CcaPatchesParams, groups)                                                                  \
  K (unite_patches_of_values, CcaPatchesParams, groups)                                                                \
  K (unite_patches_of_values_moments, CcaPatchesParams, groups)

#define CCA_KERNELS_seams(K)                                                                                           \
  K (unite_groups, CcaPatchesParams, seams)                                                                            \
  K (accumulate_outer, CcaPatchesParams, seams)                                                                        \
  K (accumulate_outer_moments, CcaPatchesParams, seams)                                                                \
  K (filter_outer, CcaPatchesParams, seams)                                                                            \
  K (unite_direct, CcaPatchesParams, seams)                                                                            \
  K (accumulate_direct, CcaPatchesParams, seams)                                                                       \
  K (accumulate_direct_moments, CcaPatchesParams, seams)                                                               \
  K (filter_direct, CcaPatchesParams, seams)

#define CCA_KERNELS_numbers(K)                                                                                         \
  K (number_patches, CcaPatchesNumberParams, numbers)                                                                  \
  K (rank_patches, CcaPatchesNumberParams, numbers)                                                                    \
  K (paint_patches, CcaPatchesPaintParams, numbers)                                                                    \
  K (paint_patches_of_values, CcaPatchesPaintParams, numbers)                                                          \
  K (overlap_patches, CcaPatchesOverlapParams, numbers)                                                                \
  K (overlap_patches_of_values, CcaPatchesOverlapParams, numbers)
