/* gst-cca: algorithm "naive", pixels on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/naive/kernels.h"
#include "cuda/algorithms/segments/pixels.h"

CCA_CUDA_MODULE (naive, CCA_EARLY_ALWAYS);

static CcaStatus
label (const CcaCudaTask *task)
{
  const CcaSegmentsParams p = cca_segments_params (task);
  CcaStatus status = cca_pixels_init (task, &p);

  if (status == CCA_OK)
    status = cca_segments_words (task, cca_launch_unite_pixels, &p, p.planes.height);
  return status == CCA_OK ? cca_pixels_finish (task, &p) : status;
}

const CcaCudaAlgorithm cca_cuda_naive = CCA_PIXELS_ALGORITHM (
    naive,
    CCA_CUDA_ENTRY ("naive", "union-find on pixels, a vote a pixel: the baseline",
                    "Komura, GPU-based cluster-labeling algorithm without the use of conventional iteration, Computer "
                    "Physics Communications 194, 2015; Playne & Hawick, A new algorithm for parallel "
                    "connected-component labelling on GPUs, IEEE TPDS 29, 2018; as \"naive\" in Lemaitre, Hennequin & "
                    "Lacassagne, ICASSP 2021, section 2"),
    CCA_VOTING_ONE_BY_ONE, cca_pixels_divide, label, false);
