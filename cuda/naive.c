/* gst-cca: algorithm "naive", pixels on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/segments.h"

static const CcaSegmentKind pixels = CCA_SEGMENT_KIND (pixels);

static void
divide (CcaLayout *layout, const CcaPlan *plan, CcaWork *work)
{
  work->segments.row_ids = plan->width;
  cca_segments_divide (layout, plan, (uint64_t) plan->width * plan->height, work);
}

static CcaStatus
label (const CcaCudaFrame *frame)
{
  CcaStatus status = cca_segments_each (frame, cca_launch_init_pixels);

  if (status == CCA_OK)
    status = cca_segments_words (frame, cca_launch_unite_pixels, frame->work.segments.planes.height);
  return status == CCA_OK ? cca_segments_finish (frame, &pixels) : status;
}

static CcaStatus
paint (const CcaCudaFrame *frame, CcaCanvas canvas)
{
  return cca_segments_paint (frame, &pixels, canvas);
}

const CcaCudaAlgorithm cca_cuda_naive = {
  .entry = {
    .name = "naive",
    .description = "union-find on pixels, a vote a pixel: the baseline",
    .source = "Komura, GPU-based cluster-labeling algorithm without the use of conventional iteration, "
              "Computer Physics Communications 194, 2015; Playne & Hawick, A new algorithm for parallel "
              "connected-component labelling on GPUs, IEEE TPDS 29, 2018; as \"naive\" in Lemaitre, Hennequin & Lacassagne, ICASSP 2021, section 2",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES,
  },
  .voting = CCA_VOTING_ONE_BY_ONE,
  .divide = divide,
  .label = label,
  .select = cca_segments_select,
  .paint = paint,
};
