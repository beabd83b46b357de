/* gst-cca: what the algorithms on segments share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/segments.h"

static const CcaDim one = { 1, 1, 1 }, block = { CCA_BLOCK, 1, 1 }, scan_block = { CCA_SCAN_BLOCK, 1, 1 };

void
cca_segments_divide (CcaLayout *layout, const CcaPlan *plan, uint64_t most, CcaVoting voting,
                     CcaSegmentsParams *segments)
{
  segments->parent = cca_layout_take (layout, most * sizeof *segments->parent);
  if (voting == CCA_VOTING_ON_THE_FLY && cca_cuda_measures (&plan->params))
    segments->of_segments = cca_cuda_take_tallies (layout, plan, most);
  segments->chunk_roots = cca_layout_take (layout, CCA_CHUNKS * sizeof *segments->chunk_roots);
}

CcaStatus
cca_segments_each (const CcaCudaFrame *frame, CcaSegmentsLaunch *launch)
{
  const CcaDim grid = { CCA_CHUNKS / (CCA_BLOCK / 32), 1, 1 };

  return launch (frame->device, grid, block, frame->stream, frame->segments);
}

CcaStatus
cca_segments_words (const CcaCudaFrame *frame, CcaSegmentsLaunch *launch, uint32_t n_rows)
{
  const uint32_t words = CCA_BLOCK / 32;
  const CcaDim grid = { (frame->segments.planes.row_words * n_rows + words - 1) / words, 1, 1 };

  return n_rows > 0 ? launch (frame->device, grid, block, frame->stream, frame->segments) : CCA_OK;
}

CcaStatus
cca_segments_finish (const CcaCudaFrame *frame, const CcaSegmentKind *kind, CcaVoting voting)
{
  CcaStatus status;

  if ((status = cca_segments_each (frame, kind->flatten)) != CCA_OK
      || (status = cca_launch_scan_roots (frame->device, one, scan_block, frame->stream, frame->segments)) != CCA_OK
      || (status = cca_segments_each (frame, kind->number)) != CCA_OK)
    return status;
  if (!frame->segments.of_components.tally || voting == CCA_VOTING_ON_THE_FLY)
    return CCA_OK;
  if (voting == CCA_VOTING_ONE_BY_ONE)
    return cca_segments_each (frame, kind->measure);
  return cca_segments_each (frame,
                            frame->segments.of_components.moments ? kind->measure_cd_moments : kind->measure_cd);
}

CcaStatus
cca_segments_paint (const CcaCudaFrame *frame, const CcaSegmentKind *kind, CcaPaintParams paint)
{
  const CcaDim tile = { 32, 8, 1 };
  const uint32_t fours = (paint.width + 3) / 4, height = frame->segments.planes.height;
  const CcaDim grid = { (fours + tile.x - 1) / tile.x, (height + tile.y - 1) / tile.y, 1 };

  paint.segments = frame->segments;
  return kind->paint (frame->device, grid, tile, frame->stream, paint);
}
