/* gst-cca: algorithms "tile-merge" and "tile-merge-early", tiles on the GPU, merged level by level
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/params.h"
#include "cuda/algorithms/segments/pixels.h"
#include "cuda/algorithms/tile-merge/kernels.h"

CCA_CUDA_MODULE (tiles, CCA_EARLY_ALWAYS);

typedef struct
{
  CcaSegmentsWorkspace segments; /* must stand first */
  uint32_t *lost_roots;          /* as in CcaTileMergeParams */
} TileMergeWorkspace;

_Static_assert (sizeof (TileMergeWorkspace) <= CCA_CUDA_WORKSPACE_MAX, "a plan has room for it");

/* Returns how many seams between tiles of a size a level works on, along an extent of the image: every fourth is left
 * to the next level. */
static uint32_t
count_seams (uint32_t extent, uint32_t tile)
{
  const uint32_t n = (extent - 1) / tile;

  return n - n / CCA_TILES_MERGED;
}

/* Returns the blocks of a level, with a thread for each pixel of a seam, in whole words. The first level has the
 * most. */
static uint32_t
blocks_of_level (uint32_t width, uint32_t height, uint32_t tile)
{
  const uint32_t in_rows = count_seams (height, tile) * cca_divide_up (width, CCA_TILE) * CCA_TILE,
                 in_columns = count_seams (width, tile) * height;

  return cca_divide_up (in_rows + in_columns, CCA_BLOCK);
}

static void
divide_early (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace)
{
  TileMergeWorkspace *self = workspace;
  const size_t threads = (size_t) CCA_BLOCK * blocks_of_level (spec->width, spec->height, CCA_TILE);

  if (cca_params_measure (spec->params))
    self->lost_roots = cca_layout_take (layout, 2 * threads * sizeof *self->lost_roots);
  cca_pixels_divide (layout, spec, workspace);
}

static CcaStatus
solve_tiles (const CcaCudaTask *task, const CcaSegmentsParams *p)
{
  const CcaDim grid = { cca_divide_up (p->row_ids, CCA_TILE), cca_divide_up (p->planes.height, CCA_TILE), 1 },
               block = { CCA_BLOCK, 1, 1 };

  if (!p->segment_features.tally)
    return cca_launch_solve_tiles (&task->queue, grid, block, *p);
  return (p->segment_features.moments ? cca_launch_solve_tiles_early_moments
                                      : cca_launch_solve_tiles_early) (&task->queue, grid, block, *p);
}

/* Merges tiles into larger ones; `last`: into one, with no border left to update. */
static CcaStatus
merge_tiles (const CcaCudaTask *task, const CcaTileMergeParams *p, bool last)
{
  const CcaDim grid = { blocks_of_level (p->segments.row_ids, p->segments.planes.height, p->tile), 1, 1 },
               block = { CCA_BLOCK, 1, 1 };
  const bool early = p->segments.segment_features.tally != NULL;
  CcaStatus status = (early ? cca_launch_merge_tiles_early : cca_launch_merge_tiles) (&task->queue, grid, block, *p);

  if (status != CCA_OK || (last && !early))
    return status;
  return (early ? cca_launch_update_borders_early : cca_launch_update_borders) (&task->queue, grid, block, *p);
}

static CcaStatus
label (const CcaCudaTask *task)
{
  const TileMergeWorkspace *workspace = task->workspace;
  CcaTileMergeParams p = { cca_segments_params (task), CCA_TILE, workspace->lost_roots };
  const uint32_t width = p.segments.row_ids, height = p.segments.planes.height,
                 longer = width > height ? width : height;
  CcaStatus status = solve_tiles (task, &p.segments);

  for (; p.tile < longer && status == CCA_OK; p.tile *= CCA_TILES_MERGED)
    status = merge_tiles (task, &p, p.tile * CCA_TILES_MERGED >= longer);
  return status == CCA_OK ? cca_pixels_finish (task, &p.segments) : status;
}

#define GEMS "Stava & Benes, Connected component labeling in CUDA, GPU Computing Gems Emerald Edition, 2011, chapter 35"

const CcaCudaAlgorithm cca_cuda_tile_merge = CCA_PIXELS_ALGORITHM (
    tiles, CCA_CUDA_ENTRY ("tile-merge", "tiles solved in shared memory, merged 4x4 at a time, a vote a pixel", GEMS),
    CCA_VOTING_ONE_BY_ONE, cca_pixels_divide, label, false);

const CcaCudaAlgorithm cca_cuda_tile_merge_early = CCA_PIXELS_ALGORITHM (
    tiles,
    CCA_CUDA_ENTRY ("tile-merge-early", "tile-merge, features summed within tiles, moved to the new root at each merge",
                    GEMS "; early properties: Asad, Marroquim & Souza, On GPU connected components and properties, "
                         "IEEE Transactions on Image Processing 28, 2019, section III-C"),
    CCA_VOTING_ON_THE_FLY, divide_early, label, false);
