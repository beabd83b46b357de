/* gst-cca: shared by the algorithms whose segments are pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/segments/pixels.h"

CCA_CUDA_MODULE (pixels, CCA_EARLY_ALWAYS);

/* Two neighbouring foreground pixels of a row can belong to different components only with regions of equal value. */
static CcaSegmentKind
pixels_of (const CcaCudaTask *task)
{
  CcaSegmentKind kind = CCA_SEGMENT_KIND (pixels);

  if (!task->planes.joins)
    kind.plant_trees = cca_launch_plant_trees_pairs;
  return kind;
}

void
cca_pixels_divide (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace)
{
  CcaSegmentsParams *segments = &((CcaSegmentsWorkspace *) workspace)->segments;

  segments->row_ids = spec->width;
  segments->roots = cca_layout_take (layout, (size_t) spec->row_words * spec->height * sizeof *segments->roots);
  cca_segments_divide (layout, spec, (uint64_t) spec->width * spec->height, workspace);
}

CcaStatus
cca_pixels_init (const CcaCudaTask *task, const CcaSegmentsParams *p)
{
  return cca_segments_each (task, cca_launch_init_pixels, p);
}

CcaStatus
cca_pixels_tiles (const CcaCudaTask *task, CcaSegmentsLaunch *launch, const CcaSegmentsParams *p, uint32_t tiles)
{
  const uint32_t columns = CCA_TILE * tiles;
  const CcaDim block = { CCA_BLOCK, 1, 1 };
  const CcaDim grid = { (p->row_ids + columns - 1) / columns, (p->planes.height + CCA_TILE - 1) / CCA_TILE, 1 };

  return launch (&task->queue, grid, block, *p);
}

CcaStatus
cca_pixels_finish (const CcaCudaTask *task, const CcaSegmentsParams *p)
{
  const CcaSegmentKind pixels = pixels_of (task);

  return cca_segments_finish (task, &pixels, p);
}

CcaStatus
cca_pixels_number (const CcaCudaTask *task, const CcaSegmentsParams *p)
{
  const CcaSegmentKind pixels = pixels_of (task);

  return cca_segments_number (task, &pixels, p);
}

CcaStatus
cca_pixels_paint (const CcaCudaTask *task, CcaCanvas canvas)
{
  const CcaSegmentKind pixels = pixels_of (task);

  return cca_segments_paint (task, &pixels, canvas);
}
