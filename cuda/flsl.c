/* gst-cca: algorithms "flsl", "flsl-otf" and "flsl-cd", full runs on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/segments.h"

static const CcaSegmentKind runs = CCA_SEGMENT_KIND (runs);

static void
divide (CcaLayout *layout, const CcaPlan *plan, CcaWork *work)
{
  CcaSegmentsParams *segments = &work->segments;
  const bool touch = plan->params.foreground == CCA_FOREGROUND_VALUES;
  const uint64_t most = (uint64_t) (touch ? plan->width : (plan->width + 1) / 2) * plan->height;
  const size_t n_words = (size_t) segments->planes.row_words * plan->height;

  segments->runs = cca_layout_take (layout, most * sizeof *segments->runs);
  segments->rows = cca_layout_take (layout, most * sizeof *segments->rows);
  segments->row_runs = cca_layout_take (layout, (plan->height + 1) * sizeof *segments->row_runs);
  segments->ends_before = cca_layout_take (layout, n_words * sizeof *segments->ends_before);
  cca_segments_divide (layout, plan, most, work);
}

static CcaStatus
find_runs (const CcaCudaFrame *frame)
{
  const CcaDim one = { 1, 1, 1 }, block = { CCA_BLOCK, 1, 1 }, scan_block = { CCA_SCAN_BLOCK, 1, 1 };
  const uint32_t rows = CCA_BLOCK / 32;
  const CcaDim grid = { (frame->work.segments.planes.height + rows - 1) / rows, 1, 1 };
  CcaStatus status;

  if ((status = cca_launch_count_runs (&frame->queue, grid, block, frame->work.segments)) != CCA_OK
      || (status = cca_launch_scan_runs (&frame->queue, one, scan_block, frame->work.segments)) != CCA_OK)
    return status;
  return cca_launch_store_runs (&frame->queue, grid, block, frame->work.segments);
}

static CcaStatus
unite_runs (const CcaCudaFrame *frame, bool otf)
{
  const CcaPlanes *planes = &frame->work.segments.planes;
  const CcaDim block = { CCA_BLOCK, 1, 1 };
  const CcaDim borders = { 4, (planes->height - 1) / CCA_RUN_STRIP, 1 };
  CcaStatus status;
  const CcaDim words = { (planes->row_words * planes->height + CCA_BLOCK - 1) / CCA_BLOCK, 1, 1 };

  if (planes->joins)
    return (otf ? cca_launch_unite_runs_of_values_otf : cca_launch_unite_runs_of_values) (&frame->queue, words, block,
                                                                                          frame->work.segments);
  status = cca_segments_each (frame, otf ? cca_launch_unite_runs_otf : cca_launch_unite_runs);
  if (status != CCA_OK || borders.y == 0)
    return status;
  return (otf ? cca_launch_unite_strips_otf : cca_launch_unite_strips) (&frame->queue, borders, block,
                                                                        frame->work.segments);
}

static CcaStatus
label (const CcaCudaFrame *frame)
{
  const bool otf = frame->work.segments.of_segments.tally != NULL;
  CcaStatus status;

  if ((status = find_runs (frame)) != CCA_OK || (status = cca_segments_each (frame, cca_launch_link_runs)) != CCA_OK
      || (otf && (status = cca_segments_each (frame, cca_launch_vote_runs)) != CCA_OK)
      || (status = unite_runs (frame, otf)) != CCA_OK)
    return status;
  return cca_segments_finish (frame, &runs);
}

static CcaStatus
paint (const CcaCudaFrame *frame, CcaCanvas canvas)
{
  return cca_segments_paint (frame, &runs, canvas);
}

#define SOURCE                                                                                                         \
  "Lemaitre, Hennequin & Lacassagne, Taming voting algorithms on GPUs for an efficient connected component analysis "  \
  "algorithm, ICASSP 2021, "
#define CAPABILITIES CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES

const CcaCudaAlgorithm cca_cuda_flsl = {
  .entry = {
    .name = "flsl",
    .description = "full runs by compress-store, union-find on runs, a vote a run",
    .source = SOURCE "section 3.1",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CAPABILITIES,
  },
  .voting = CCA_VOTING_ONE_BY_ONE,
  .divide = divide,
  .label = label,
  .select = cca_segments_select,
  .paint = paint,
};

const CcaCudaAlgorithm cca_cuda_flsl_otf = {
  .entry = {
    .name = "flsl-otf",
    .description = "full runs, features merged on the fly while components are united",
    .source = SOURCE "sections 3.1 and 3.2",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CAPABILITIES,
  },
  .voting = CCA_VOTING_ON_THE_FLY,
  .divide = divide,
  .label = label,
  .select = cca_segments_select,
  .paint = paint,
};

const CcaCudaAlgorithm cca_cuda_flsl_cd = {
  .entry = {
    .name = "flsl-cd",
    .description = "full runs, votes of a warp for the same component added up first",
    .source = SOURCE "sections 3.1 and 3.3",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CAPABILITIES,
  },
  .voting = CCA_VOTING_TOGETHER,
  .divide = divide,
  .label = label,
  .select = cca_segments_select,
  .paint = paint,
};
