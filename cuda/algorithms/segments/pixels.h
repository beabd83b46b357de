/* gst-cca: shared by the algorithms whose segments are pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A pixel's id is its address y * width + x. An algorithm on pixels makes each foreground pixel its own root
 * (cca_pixels_init(), or a kernel of its own), unites them in kernels of its own, and ends with cca_pixels_finish().
 */
#pragma once

#include "cuda/algorithms/segments/segments.h"

extern const CcaCudaModule cca_cuda_module_pixels;

/* Defines an algorithm whose file of kernels is `file`. its_divide is cca_pixels_divide(), or calls it for the
 * CcaSegmentsWorkspace at the start of a larger workspace. */
#define CCA_PIXELS_ALGORITHM(file, its_entry, its_voting, its_divide, its_label, its_grows)                            \
  {                                                                                                                    \
    .entry = its_entry,                                                                                                \
    .modules = (const CcaCudaModule *const[]) { &cca_cuda_module_##file, &cca_cuda_module_pixels,                      \
                                                &cca_cuda_module_select, &cca_cuda_module_tree, NULL },                \
    .variant = (const CcaVoting[]) { its_voting },                                                                     \
    .grows = its_grows,                                                                                                \
    .divide = its_divide,                                                                                              \
    .label = its_label,                                                                                                \
    .select = cca_segments_select,                                                                                     \
    .paint = cca_pixels_paint,                                                                                         \
  }

/* divide() and paint() of CcaCudaAlgorithm. */
void cca_pixels_divide (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace);
CcaStatus cca_pixels_paint (const CcaCudaTask *task, CcaCanvas canvas);

/* Enqueues a kernel whose blocks work on `tiles` neighbouring tiles each (segments/tiles.cuh). */
CcaStatus cca_pixels_tiles (const CcaCudaTask *task, CcaSegmentsLaunch *launch, const CcaSegmentsParams *p,
                            uint32_t tiles);

/* Enqueue the kernel that makes every foreground pixel its own root, and, after the unions, the remaining steps. */
CcaStatus cca_pixels_init (const CcaCudaTask *task, const CcaSegmentsParams *p);
CcaStatus cca_pixels_finish (const CcaCudaTask *task, const CcaSegmentsParams *p);

/* Enqueues the remaining steps of an algorithm whose own kernel flattens (cca_segments_number()). */
CcaStatus cca_pixels_number (const CcaCudaTask *task, const CcaSegmentsParams *p);
