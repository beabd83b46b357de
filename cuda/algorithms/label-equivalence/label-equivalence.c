/* gst-cca: algorithms "label-equivalence", pixels on the GPU, iterated
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/params.h"
#include "cuda/algorithms/label-equivalence/kernels.h"
#include "cuda/algorithms/segments/pixels.h"

CCA_CUDA_MODULE (equivalence, CCA_EARLY_ALWAYS);

/* Iterations enqueued at first, the last of which only finds that nothing changes: videos take 1 to 6 (evaluation
 * paper, section IV-A). */
#define FIRST_ITERATIONS 8

typedef struct
{
  CcaSegmentsWorkspace segments; /* first: pixels.h */
  uint32_t *changed;             /* CcaEquivalenceParams */
  uint32_t n_iterations;
} Workspace;

_Static_assert (sizeof (Workspace) <= CCA_CUDA_WORKSPACE_MAX, "a plan has room for it");

/* Returns a number of iterations that suffices for every image. Two iterations at least halve the roots of a component
 * that has several: a root that is lowered joins another; one that is not has a neighbour, which joins it, or a smaller
 * root, which then is this root's neighbour in the next iteration. One iteration more finds that nothing changes. */
static uint32_t
enough_iterations (uint64_t n_pixels)
{
  uint32_t halvings = 0;

  while (n_pixels >> (halvings + 1))
    halvings++;
  return 2 * halvings + 1;
}

static void
divide (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace)
{
  const uint32_t wanted = spec->capacity > FIRST_ITERATIONS ? spec->capacity : FIRST_ITERATIONS,
                 enough = enough_iterations ((uint64_t) spec->width * spec->height);
  Workspace *self = workspace;

  cca_pixels_divide (layout, spec, workspace);
  self->n_iterations = wanted < enough ? wanted : enough;
  self->changed = cca_layout_take (layout, self->n_iterations * sizeof *self->changed);
}

static CcaDim
strips (const CcaPlanes *planes)
{
  const uint64_t n = (uint64_t) planes->row_words
                     * ((planes->height + CCA_EQUIVALENCE_ROWS - 1) / CCA_EQUIVALENCE_ROWS),
                 blocks = (n + CCA_BLOCK / 32 - 1) / (CCA_BLOCK / 32);

  return (CcaDim) { blocks < CCA_EQUIVALENCE_BLOCKS ? (uint32_t) blocks : CCA_EQUIVALENCE_BLOCKS, 1, 1 };
}

static CcaStatus
label (const CcaCudaTask *task)
{
  const Workspace *workspace = task->workspace;
  const CcaDim block = { CCA_BLOCK, 1, 1 }, grid = strips (&task->planes);
  CcaEquivalenceParams p = { cca_segments_params (task), workspace->changed, 0, workspace->n_iterations };
  const bool early = p.segments.segment_features.tally;
  CcaStatus status = cca_cuda_clear (&task->queue, p.changed, p.n_iterations * sizeof *p.changed);

  for (; status == CCA_OK && p.iteration < p.n_iterations; p.iteration++) {
    status = p.iteration == 0 ? cca_launch_prelabel_pixels (&task->queue, grid, block, p)
                              : cca_launch_scan_labels (&task->queue, grid, block, p);
    if (status == CCA_OK)
      status = early ? cca_launch_analyse_labels_early (&task->queue, grid, block, p)
                     : cca_launch_analyse_labels (&task->queue, grid, block, p);
  }
  if (status == CCA_OK)
    status = cca_launch_settle_labels (&task->queue, cca_segments_chunks (&p.segments), block, p);
  return status == CCA_OK ? cca_pixels_number (task, &p.segments) : status;
}

#define SOURCE                                                                                                         \
  "Hawick, Leist & Playne, Parallel graph component labelling with GPUs and CUDA, Parallel Computing 36, 2010; "       \
  "Kalentev, Rai, Kemnitz & Schneider, Connected component labeling on a 2D grid using CUDA, Journal of Parallel and " \
  "Distributed Computing 71, 2011"

const CcaCudaAlgorithm cca_cuda_label_equivalence = CCA_PIXELS_ALGORITHM (
    equivalence,
    CCA_CUDA_ENTRY ("label-equivalence", "smallest labels passed on until none changes, a vote a pixel", SOURCE),
    CCA_VOTING_ONE_BY_ONE, divide, label, true);

const CcaCudaAlgorithm cca_cuda_label_equivalence_early = CCA_PIXELS_ALGORITHM (
    equivalence,
    CCA_CUDA_ENTRY ("label-equivalence-early", "label-equivalence, features move whenever a root is lost",
                    SOURCE "; early properties: Asad, Marroquim & Souza, On GPU connected components and properties, "
                           "IEEE Transactions on Image Processing 28, 2019, section III-A"),
    CCA_VOTING_ON_THE_FLY, divide, label, true);
