/* gst-cca: shared by the algorithms on segments
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The published algorithms differ in two things: what a segment is (a pixel, a run cut at words, a full run), with the
 * kernels that find and unite segments; and how segments vote for features.
 */
#pragma once

#include "cuda/algorithm.h"
#include "cuda/algorithms/segments/kernels.h"
#include "cuda/module.h"

/* How segments vote for the features of their components. */
typedef enum
{
  CCA_VOTING_ONE_BY_ONE,
  CCA_VOTING_CONFLICT_DETECTION, /* a warp first sums its lanes' votes for the same component */
  CCA_VOTING_ON_THE_FLY,         /* features are merged while segments are united */
  CCA_VOTING_TREE,               /* trees of features are merged pairwise (tree.cuh) */
} CcaVoting;

/* A plan's workspace: the kernels' parameters but those of a frame. */
typedef struct
{
  CcaSegmentsParams segments;
  CcaSelectParams select;
  CcaTree tree;
} CcaSegmentsWorkspace;

typedef CcaStatus CcaSegmentsLaunch (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, CcaSegmentsParams params);
typedef CcaStatus CcaTreeLaunch (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, CcaTreeParams params);
typedef CcaStatus CcaPaintLaunch (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, CcaPaintParams params);

/* The launch functions of a kind of segments. */
typedef struct
{
  CcaSegmentsLaunch *flatten, *number, *measure, *measure_cd, *measure_cd_moments;
  CcaTreeLaunch *plant_trees;
  CcaPaintLaunch *paint;
} CcaSegmentKind;

#define CCA_SEGMENT_KIND(kind)                                                                                         \
  { .flatten = cca_launch_flatten_##kind,                                                                              \
    .number = cca_launch_number_##kind,                                                                                \
    .measure = cca_launch_measure_##kind,                                                                              \
    .measure_cd = cca_launch_measure_##kind##_cd,                                                                      \
    .measure_cd_moments = cca_launch_measure_##kind##_cd_moments,                                                      \
    .plant_trees = cca_launch_plant_trees_##kind,                                                                      \
    .paint = cca_launch_paint_##kind }

/* Defines an algorithm whose file of kernels is `file`. */
#define CCA_SEGMENTS_ALGORITHM(file, its_entry, its_voting, its_divide, its_label, its_paint)                          \
  {                                                                                                                    \
    .entry = its_entry,                                                                                                \
    .modules = (const CcaCudaModule *const[]) { &cca_cuda_module_##file, &cca_cuda_module_select,                      \
                                                &cca_cuda_module_tree, NULL },                                         \
    .variant = (const CcaVoting[]) { its_voting },                                                                     \
    .divide = its_divide,                                                                                              \
    .label = its_label,                                                                                                \
    .select = cca_segments_select,                                                                                     \
    .paint = its_paint,                                                                                                \
  }

extern const CcaCudaModule cca_cuda_module_select, cca_cuda_module_tree;

/* Takes the memory of every kind for up to max_segments segments, with their features if the algorithm merges on the
 * fly. */
void cca_segments_divide (CcaLayout *layout, const CcaCudaSpec *spec, uint64_t max_segments,
                          CcaSegmentsWorkspace *workspace);

/* Returns the parameters of a frame's kernels. */
CcaSegmentsParams cca_segments_params (const CcaCudaTask *task);

/* Returns the grid of blocks of CCA_BLOCK threads with a warp for each chunk. */
CcaDim cca_segments_chunks (const CcaSegmentsParams *p);

/* Enqueue a kernel whose warps work on p->n_chunks chunks of segments, or on one word each of n_rows rows. */
CcaStatus cca_segments_each (const CcaCudaTask *task, CcaSegmentsLaunch *launch, const CcaSegmentsParams *p);
CcaStatus cca_segments_words (const CcaCudaTask *task, CcaSegmentsLaunch *launch, const CcaSegmentsParams *p,
                              uint32_t n_rows);

/* Enqueue the steps after the unions. */
CcaStatus cca_segments_finish (const CcaCudaTask *task, const CcaSegmentKind *kind, const CcaSegmentsParams *p);

/* Enqueues the steps after flatten (): every segment must point at its root, and chunk_roots have the roots of each
 * chunk. */
CcaStatus cca_segments_number (const CcaCudaTask *task, const CcaSegmentKind *kind, const CcaSegmentsParams *p);

/* Enqueue the selection, and the output image. */
CcaStatus cca_segments_select (const CcaCudaTask *task);
CcaStatus cca_segments_paint (const CcaCudaTask *task, const CcaSegmentKind *kind, CcaCanvas canvas);
