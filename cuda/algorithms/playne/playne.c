/* gst-cca: algorithms "playne" and "tree-merge", tiles of pixels, only the unions that no other one implies
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/playne/kernels.h"
#include "cuda/algorithms/segments/pixels.h"

CCA_CUDA_MODULE (playne, CCA_EARLY_ALWAYS);

static CcaStatus
label (const CcaCudaTask *task)
{
  const CcaSegmentsParams p = cca_segments_params (task);
  CcaStatus status = cca_pixels_tiles (task, cca_launch_reduce_tiles, &p, 1);

  if (status == CCA_OK)
    status = cca_pixels_tiles (task, cca_launch_reduce_borders, &p, CCA_BLOCK / 32);
  return status == CCA_OK ? cca_pixels_finish (task, &p) : status;
}

const CcaCudaAlgorithm cca_cuda_playne = CCA_PIXELS_ALGORITHM (
    playne,
    CCA_CUDA_ENTRY ("playne", "tiles of pixels in shared memory, first labels from neighbours, a vote a pixel",
                    "Playne & Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE TPDS "
                    "29, 2018"),
    CCA_VOTING_ONE_BY_ONE, cca_pixels_divide, label, false);

const CcaCudaAlgorithm cca_cuda_tree_merge = CCA_PIXELS_ALGORITHM (
    playne,
    CCA_CUDA_ENTRY ("tree-merge", "tiles as playne, trees of features are merged pairwise and balanced",
                    "Windisch, Kaever, Juckeland & Bieberle, Parallel algorithm for connected-component analysis using "
                    "CUDA, Algorithms 16, 2023, section 3.2; labels by Playne & Hawick, IEEE TPDS 29, 2018"),
    CCA_VOTING_TREE, cca_pixels_divide, label, false);
