/* gst-cca: algorithms "flsl", "flsl-otf", "flsl-cd" and "flsl-tree", full runs on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/flsl/kernels.h"
#include "cuda/algorithms/segments/segments.h"

CCA_CUDA_MODULE (runs, CCA_EARLY_IN_SMALL_FRAMES);

static const CcaSegmentKind runs = CCA_SEGMENT_KIND (runs);

static void
divide (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace)
{
  CcaSegmentsParams *segments = &((CcaSegmentsWorkspace *) workspace)->segments;
  const bool touch = spec->params->foreground == CCA_FOREGROUND_VALUES;
  const uint64_t max_runs = (uint64_t) (touch ? spec->width : (spec->width + 1) / 2) * spec->height;
  const size_t n_words = (size_t) spec->row_words * spec->height;

  segments->runs = cca_layout_take (layout, max_runs * sizeof *segments->runs);
  segments->rows = cca_layout_take (layout, max_runs * sizeof *segments->rows);
  segments->row_runs = cca_layout_take (layout, (spec->height + 1) * sizeof *segments->row_runs);
  segments->ends_before = cca_layout_take (layout, n_words * sizeof *segments->ends_before);
  cca_segments_divide (layout, spec, max_runs, workspace);
}

static CcaStatus
find_runs (const CcaCudaQueue *queue, const CcaSegmentsParams *p)
{
  const CcaDim one = { 1, 1, 1 }, block = { CCA_BLOCK, 1, 1 }, scan_block = { CCA_SCAN_BLOCK, 1, 1 };
  const uint32_t rows = CCA_BLOCK / 32;
  const CcaDim grid = { (p->planes.height + rows - 1) / rows, 1, 1 };
  CcaStatus status;

  if ((status = cca_launch_count_runs (queue, grid, block, *p)) != CCA_OK
      || (status = cca_launch_scan_runs (queue, one, scan_block, *p)) != CCA_OK)
    return status;
  return cca_launch_store_runs (queue, grid, block, *p);
}

static CcaStatus
unite_runs (const CcaCudaTask *task, const CcaSegmentsParams *p, bool otf)
{
  const CcaPlanes *planes = &p->planes;
  const CcaDim block = { CCA_BLOCK, 1, 1 };
  const CcaDim seams = { 4, (planes->height - 1) / CCA_RUN_STRIP, 1 };
  const CcaDim words = { (planes->row_words * planes->height + CCA_BLOCK - 1) / CCA_BLOCK, 1, 1 };
  CcaStatus status;

  if (planes->joins)
    return (otf ? cca_launch_unite_runs_of_values_otf : cca_launch_unite_runs_of_values) (&task->queue, words, block,
                                                                                          *p);
  status = cca_segments_each (task, otf ? cca_launch_unite_runs_otf : cca_launch_unite_runs, p);
  if (status != CCA_OK || seams.y == 0)
    return status;
  return (otf ? cca_launch_unite_strips_otf : cca_launch_unite_strips) (&task->queue, seams, block, *p);
}

static CcaStatus
label (const CcaCudaTask *task)
{
  const CcaSegmentsParams p = cca_segments_params (task);
  const bool otf = p.segment_features.tally != NULL;
  CcaStatus status;

  if ((status = find_runs (&task->queue, &p)) != CCA_OK
      || (status = cca_segments_each (task, cca_launch_link_runs, &p)) != CCA_OK
      || (otf && (status = cca_segments_each (task, cca_launch_merge_linked_runs, &p)) != CCA_OK)
      || (status = unite_runs (task, &p, otf)) != CCA_OK)
    return status;
  return cca_segments_finish (task, &runs, &p);
}

static CcaStatus
paint (const CcaCudaTask *task, CcaCanvas canvas)
{
  return cca_segments_paint (task, &runs, canvas);
}

#define FLSL(its_name, its_description, sections, voting)                                                              \
  CCA_SEGMENTS_ALGORITHM (runs,                                                                                        \
                          CCA_CUDA_ENTRY (its_name, its_description,                                                   \
                                          "Lemaitre, Hennequin & Lacassagne, Taming voting algorithms on GPUs for an " \
                                          "efficient connected component analysis algorithm, ICASSP 2021, " sections), \
                          voting, divide, label, paint)

const CcaCudaAlgorithm cca_cuda_flsl = FLSL ("flsl", "full runs by compress-store, union-find on runs, a vote a run",
                                             "section 3.1", CCA_VOTING_ONE_BY_ONE);
const CcaCudaAlgorithm cca_cuda_flsl_otf =
    FLSL ("flsl-otf", "full runs, features merged on the fly while components are united", "sections 3.1 and 3.2",
          CCA_VOTING_ON_THE_FLY);
const CcaCudaAlgorithm cca_cuda_flsl_cd =
    FLSL ("flsl-cd", "full runs, a warp adds up votes for the same component first", "sections 3.1 and 3.3",
          CCA_VOTING_CONFLICT_DETECTION);
const CcaCudaAlgorithm cca_cuda_flsl_tree =
    FLSL ("flsl-tree", "full runs, trees of features are merged pairwise and balanced",
          "section 3.1; Windisch, Kaever, Juckeland & Bieberle, Parallel algorithm for connected-component analysis "
          "using CUDA, Algorithms 16, 2023, section 3.2",
          CCA_VOTING_TREE);
