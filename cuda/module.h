/* gst-cca: defines a file of kernels and a launch function for each kernel
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/queue.h"

/* Defines cca_cuda_module_file and a function cca_launch_kernel () for each kernel of its list CCA_KERNELS_file.
 * Unless its_early is CCA_EARLY_NEVER, the kernels synchronise with the previous grid themselves
 * (cuda/kernels/warp.cuh). */
#define CCA_CUDA_MODULE(file, its_early)                                                                               \
  extern const unsigned char cca_fatbin_##file[];                                                                      \
  static const char *const file##_kernels[] = { CCA_KERNELS_##file (CCA_KERNEL_NAME) };                                \
  enum                                                                                                                 \
  {                                                                                                                    \
    CCA_KERNELS_##file (CCA_KERNEL_INDEX) file##_n_kernels                                                             \
  };                                                                                                                   \
  _Static_assert (file##_n_kernels <= CCA_MODULE_KERNELS_MAX, "the kernels of " #file " fit");                         \
  const CcaCudaModule cca_cuda_module_##file = { #file, cca_fatbin_##file, file##_kernels, file##_n_kernels,           \
                                                 its_early };                                                          \
  CCA_KERNELS_##file (CCA_KERNEL_LAUNCH) _Static_assert (true, "a semicolon may follow")

#define CCA_KERNEL_NAME(kernel, type, file) "cca_" #kernel,
#define CCA_KERNEL_INDEX(kernel, type, file) kernel##_index,
#define CCA_KERNEL_LAUNCH(kernel, type, file)                                                                          \
  static inline CcaStatus cca_launch_##kernel (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, type params)      \
  {                                                                                                                    \
    _Static_assert (sizeof params <= CCA_STEP_PARAMS_MAX, "the parameters of " #kernel " fit");                        \
    return cca_cuda_launch (queue, (CcaCudaKernel) { &cca_cuda_module_##file, kernel##_index }, grid, block, &params,  \
                            sizeof params);                                                                            \
  }
