/* gst-cca: shared by the algorithms on segments
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/segments/segments.h"
#include "cca/params.h"
#include "cca/selection.h"

CCA_CUDA_MODULE (select, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (tree, CCA_EARLY_NEVER);

_Static_assert (sizeof (CcaSegmentsWorkspace) <= CCA_CUDA_WORKSPACE_MAX, "a plan has room for it");

static const CcaDim one = { 1, 1, 1 }, block = { CCA_BLOCK, 1, 1 }, scan_block = { CCA_SCAN_BLOCK, 1, 1 };
static const uint32_t warps_a_block = CCA_BLOCK / 32;

static uint32_t
at_most (uint64_t n, uint32_t limit)
{
  return n < limit ? (uint32_t) n : limit;
}

static CcaVoting
voting_of (const CcaCudaAlgorithm *algorithm)
{
  return *(const CcaVoting *) algorithm->variant;
}

/* Takes the memory for components: their features, and the lists for selecting them. */
static void
divide_components (CcaLayout *layout, const CcaCudaSpec *spec, CcaSegmentsWorkspace *workspace)
{
  CcaSegmentsParams *segments = &workspace->segments;
  CcaSelectParams *select = &workspace->select;
  const CcaParams *params = spec->params;
  const uint64_t max_components = cca_most_components (spec->width, spec->height, params);

  if (cca_params_measure (params)) {
    select->components = segments->component_features = cca_cuda_take_tallies (layout, spec, max_components);
    select->firsts = segments->firsts = cca_layout_take (layout, max_components * sizeof *segments->firsts);
  }
  if (cca_params_filter (params)) {
    select->n_chunks = at_most (cca_divide_up (max_components, CCA_BLOCK), CCA_SELECT_CHUNKS);
    select->chunk_counts = cca_layout_take (layout, select->n_chunks * sizeof *select->chunk_counts);
    select->numbers = cca_layout_take (layout, max_components * sizeof *select->numbers);
  }
}

/* Takes trees for the most segments of any kind in a frame, counting lanes without a segment: one for two pixels, or
 * one for each pixel of regions of equal value. */
static void
divide_tree (CcaLayout *layout, const CcaCudaSpec *spec, CcaTree *tree)
{
  const uint32_t word_places = spec->params->foreground == CCA_FOREGROUND_VALUES ? 32 : 16;
  const uint32_t n_blocks = cca_divide_up ((uint64_t) spec->row_words * word_places * spec->height, CCA_TREE_BLOCK);
  const uint64_t n_nodes = (uint64_t) n_blocks * CCA_TREE_BLOCK;
  const uint64_t max_components = cca_most_components (spec->width, spec->height, spec->params);

  tree->n_blocks = n_blocks;
  tree->roots = cca_layout_take (layout, n_blocks * sizeof *tree->roots);
  tree->counts = cca_layout_take (layout, n_blocks * sizeof *tree->counts);
  tree->components = cca_layout_take (layout, n_nodes * sizeof *tree->components);
  tree->children = cca_layout_take (layout, 2 * n_nodes * sizeof *tree->children);
  tree->parents = cca_layout_take (layout, n_nodes * sizeof *tree->parents);
  tree->sizes = cca_layout_take (layout, n_nodes * sizeof *tree->sizes);
  tree->features = cca_cuda_take_tallies (layout, spec, n_nodes);
  tree->balanced_components = cca_layout_take (layout, max_components * sizeof *tree->balanced_components);
  tree->balanced_features = cca_cuda_take_tallies (layout, spec, max_components);
}

void
cca_segments_divide (CcaLayout *layout, const CcaCudaSpec *spec, uint64_t max_segments, CcaSegmentsWorkspace *workspace)
{
  CcaSegmentsParams *segments = &workspace->segments;

  segments->parent = cca_layout_take (layout, max_segments * sizeof *segments->parent);
  if (voting_of (spec->algorithm) == CCA_VOTING_ON_THE_FLY && cca_params_measure (spec->params))
    segments->segment_features = cca_cuda_take_tallies (layout, spec, max_segments);
  if (voting_of (spec->algorithm) == CCA_VOTING_TREE && cca_params_measure (spec->params))
    divide_tree (layout, spec, &workspace->tree);
  segments->n_chunks =
      at_most (cca_divide_up ((uint64_t) spec->row_words * spec->height, warps_a_block) * warps_a_block, CCA_CHUNKS);
  segments->chunk_roots = cca_layout_take (layout, segments->n_chunks * sizeof *segments->chunk_roots);
  divide_components (layout, spec, workspace);
}

CcaSegmentsParams
cca_segments_params (const CcaCudaTask *task)
{
  CcaSegmentsParams p = ((const CcaSegmentsWorkspace *) task->workspace)->segments;

  p.planes = task->planes;
  p.headers = task->wanted.headers;
  return p;
}

CcaDim
cca_segments_chunks (const CcaSegmentsParams *p)
{
  return (CcaDim) { p->n_chunks / warps_a_block, 1, 1 };
}

CcaStatus
cca_segments_each (const CcaCudaTask *task, CcaSegmentsLaunch *launch, const CcaSegmentsParams *p)
{
  return launch (&task->queue, cca_segments_chunks (p), block, *p);
}

CcaStatus
cca_segments_words (const CcaCudaTask *task, CcaSegmentsLaunch *launch, const CcaSegmentsParams *p, uint32_t n_rows)
{
  const CcaDim grid = { cca_divide_up (p->planes.row_words * n_rows, warps_a_block), 1, 1 };

  return n_rows > 0 ? launch (&task->queue, grid, block, *p) : CCA_OK;
}

/* Enqueues the voting by trees: a tree for each block of segments, half as many after each step, then the balancing of
 * the last one. */
static CcaStatus
merge_trees (const CcaCudaTask *task, const CcaSegmentKind *kind, const CcaSegmentsParams *segments)
{
  CcaTreeParams p = { .segments = *segments, .tree = ((const CcaSegmentsWorkspace *) task->workspace)->tree };
  const CcaDim trees = { p.tree.n_blocks, 1, 1 }, tree_block = { CCA_TREE_BLOCK, 1, 1 };
  const CcaDim nodes = { cca_divide_up (p.tree.n_blocks, warps_a_block), 1, 1 };
  const CcaDim harvest = { at_most (p.tree.n_blocks, CCA_SELECT_CHUNKS), 1, 1 };
  CcaStatus status = kind->plant_trees (&task->queue, trees, tree_block, p);

  for (p.step = 1; p.step < p.tree.n_blocks && status == CCA_OK; p.step *= 2) {
    const uint32_t n_pairs = cca_divide_up (p.tree.n_blocks, 2 * p.step);
    const CcaDim sources = { cca_divide_up (n_pairs * p.step, warps_a_block), 1, 1 };

    status = cca_launch_merge_trees (&task->queue, sources, block, p);
  }
  if (status != CCA_OK || (status = cca_launch_size_subtrees (&task->queue, nodes, block, p)) != CCA_OK
      || (status = cca_launch_balance_tree (&task->queue, nodes, block, p)) != CCA_OK)
    return status;
  return cca_launch_harvest_tree (&task->queue, harvest, block, p);
}

CcaStatus
cca_segments_finish (const CcaCudaTask *task, const CcaSegmentKind *kind, const CcaSegmentsParams *p)
{
  const CcaStatus status = cca_segments_each (task, kind->flatten, p);

  return status == CCA_OK ? cca_segments_number (task, kind, p) : status;
}

CcaStatus
cca_segments_number (const CcaCudaTask *task, const CcaSegmentKind *kind, const CcaSegmentsParams *p)
{
  const CcaVoting voting = voting_of (task->algorithm);
  const CcaStatus status = cca_segments_each (task, kind->number, p);

  if (status != CCA_OK)
    return status;
  if (!p->component_features.tally || voting == CCA_VOTING_ON_THE_FLY)
    return CCA_OK;
  if (voting == CCA_VOTING_TREE)
    return merge_trees (task, kind, p);
  if (voting == CCA_VOTING_ONE_BY_ONE)
    return cca_segments_each (task, kind->measure, p);
  return cca_segments_each (task, p->component_features.moments ? kind->measure_cd_moments : kind->measure_cd, p);
}

CcaStatus
cca_segments_select (const CcaCudaTask *task)
{
  CcaSelectParams p = ((const CcaSegmentsWorkspace *) task->workspace)->select;
  const CcaDim chunks = { p.n_chunks, 1, 1 };
  CcaStatus status;

  p.wanted = task->wanted;
  p.sizes = task->sizes;
  if (!cca_params_filter (task->params)) {
    const uint32_t blocks = (p.wanted.n_selected + CCA_BLOCK - 1) / CCA_BLOCK;
    const CcaDim grid = { blocks < CCA_SELECT_CHUNKS ? blocks : CCA_SELECT_CHUNKS, 1, 1 };

    return blocks > 0 ? cca_launch_store_first (&task->queue, grid, block, p) : CCA_OK;
  }
  if ((status = cca_launch_count_selected (&task->queue, chunks, block, p)) != CCA_OK
      || (status = cca_launch_scan_selected (&task->queue, one, scan_block, p)) != CCA_OK)
    return status;
  return cca_launch_store_selected (&task->queue, chunks, block, p);
}

CcaStatus
cca_segments_paint (const CcaCudaTask *task, const CcaSegmentKind *kind, CcaCanvas canvas)
{
  const CcaSegmentsWorkspace *workspace = task->workspace;
  const CcaPaintParams p = { cca_segments_params (task), workspace->select.numbers, canvas };
  const CcaDim tile = { 32, 8, 1 };
  const uint32_t fours = (canvas.width + 3) / 4;
  const CcaDim grid = { (fours + tile.x - 1) / tile.x, (canvas.height + tile.y - 1) / tile.y, 1 };

  return kind->paint (&task->queue, grid, tile, p);
}
