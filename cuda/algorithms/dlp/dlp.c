/* gst-cca: algorithm "dlp", each pixel propagates the least label of its neighbours to all of them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/dlp/kernels.h"
#include "cuda/algorithms/segments/pixels.h"

CCA_CUDA_MODULE (dlp, CCA_EARLY_ALWAYS);

static CcaStatus
label (const CcaCudaTask *task)
{
  const CcaSegmentsParams p = cca_segments_params (task);
  CcaStatus status = cca_pixels_tiles (task, cca_launch_propagate_in_tiles, &p, 1);

  if (status == CCA_OK)
    status = cca_pixels_tiles (task, cca_launch_propagate_over_borders, &p, CCA_BLOCK / 32 / CCA_DLP_BORDERS);
  return status == CCA_OK ? cca_pixels_finish (task, &p) : status;
}

const CcaCudaAlgorithm cca_cuda_dlp = CCA_PIXELS_ALGORITHM (
    dlp,
    CCA_CUDA_ENTRY ("dlp", "tiles of pixels, each propagates the least label of its neighbours, a vote a pixel",
                    "Cabaret, Lacassagne & Etiemble, Distanceless label propagation: an efficient direct connected "
                    "component labeling algorithm for GPUs, IPTA 2017"),
    CCA_VOTING_ONE_BY_ONE, cca_pixels_divide, label, false);
