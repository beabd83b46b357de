/* gst-cca: what the algorithms on segments share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/segments.h"
#include "cca/selection.h"

static const CcaDim one = { 1, 1, 1 }, block = { CCA_BLOCK, 1, 1 }, scan_block = { CCA_SCAN_BLOCK, 1, 1 };

/* What components need: their features, and the selection's lists. */
static void
divide_components (CcaLayout *layout, const CcaPlan *plan, CcaWork *work)
{
  const CcaParams *params = &plan->params;
  const uint64_t most = cca_most_components (plan->width, plan->height, params->connectivity,
                                             params->foreground == CCA_FOREGROUND_VALUES);

  if (cca_cuda_measures (params)) {
    work->select.components = work->segments.of_components = cca_cuda_take_tallies (layout, plan, most);
    work->select.firsts = work->segments.firsts = cca_layout_take (layout, most * sizeof *work->segments.firsts);
  }
  if (cca_cuda_filters (params)) {
    work->select.chunk_counts = cca_layout_take (layout, CCA_SELECT_CHUNKS * sizeof *work->select.chunk_counts);
    work->select.numbers = cca_layout_take (layout, most * sizeof *work->select.numbers);
  }
}

void
cca_segments_divide (CcaLayout *layout, const CcaPlan *plan, uint64_t most, CcaWork *work)
{
  CcaSegmentsParams *segments = &work->segments;

  segments->parent = cca_layout_take (layout, most * sizeof *segments->parent);
  if (cca_cuda_algorithm (plan)->voting == CCA_VOTING_ON_THE_FLY && cca_cuda_measures (&plan->params))
    segments->of_segments = cca_cuda_take_tallies (layout, plan, most);
  segments->chunk_roots = cca_layout_take (layout, CCA_CHUNKS * sizeof *segments->chunk_roots);
  divide_components (layout, plan, work);
}

CcaStatus
cca_segments_each (const CcaCudaFrame *frame, CcaSegmentsLaunch *launch)
{
  const CcaDim grid = { CCA_CHUNKS / (CCA_BLOCK / 32), 1, 1 };

  return launch (&frame->queue, grid, block, frame->work.segments);
}

CcaStatus
cca_segments_words (const CcaCudaFrame *frame, CcaSegmentsLaunch *launch, uint32_t n_rows)
{
  const uint32_t words = CCA_BLOCK / 32;
  const CcaDim grid = { (frame->work.segments.planes.row_words * n_rows + words - 1) / words, 1, 1 };

  return n_rows > 0 ? launch (&frame->queue, grid, block, frame->work.segments) : CCA_OK;
}

CcaStatus
cca_segments_finish (const CcaCudaFrame *frame, const CcaSegmentKind *kind)
{
  const CcaVoting voting = frame->algorithm->voting;
  CcaStatus status;

  if ((status = cca_segments_each (frame, kind->flatten)) != CCA_OK
      || (status = cca_launch_scan_roots (&frame->queue, one, scan_block, frame->work.segments)) != CCA_OK
      || (status = cca_segments_each (frame, kind->number)) != CCA_OK)
    return status;
  if (!frame->work.segments.of_components.tally || voting == CCA_VOTING_ON_THE_FLY)
    return CCA_OK;
  if (voting == CCA_VOTING_ONE_BY_ONE)
    return cca_segments_each (frame, kind->measure);
  return cca_segments_each (frame,
                            frame->work.segments.of_components.moments ? kind->measure_cd_moments : kind->measure_cd);
}

CcaStatus
cca_segments_select (const CcaCudaFrame *frame)
{
  const CcaSelectParams *p = &frame->work.select;
  const CcaDim chunks = { CCA_SELECT_CHUNKS, 1, 1 };
  CcaStatus status;

  if (!cca_cuda_filters (frame->params)) {
    const uint32_t blocks = (p->wanted.n_selected + CCA_BLOCK - 1) / CCA_BLOCK;
    const CcaDim grid = { blocks < CCA_SELECT_CHUNKS ? blocks : CCA_SELECT_CHUNKS, 1, 1 };

    return blocks > 0 ? cca_launch_store_first (&frame->queue, grid, block, *p) : CCA_OK;
  }
  if ((status = cca_launch_count_selected (&frame->queue, chunks, block, *p)) != CCA_OK
      || (status = cca_launch_scan_selected (&frame->queue, one, scan_block, *p)) != CCA_OK)
    return status;
  return cca_launch_store_selected (&frame->queue, chunks, block, *p);
}

CcaStatus
cca_segments_paint (const CcaCudaFrame *frame, const CcaSegmentKind *kind, CcaCanvas canvas)
{
  const CcaPaintParams p = { frame->work.segments, frame->work.select.numbers, canvas };
  const CcaDim tile = { 32, 8, 1 };
  const uint32_t fours = (canvas.width + 3) / 4;
  const CcaDim grid = { (fours + tile.x - 1) / tile.x, (canvas.height + tile.y - 1) / tile.y, 1 };

  return kind->paint (&frame->queue, grid, tile, p);
}
