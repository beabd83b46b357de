/* gst-cca: what a CUDA algorithm is
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An algorithm is a folder in cuda/algorithms/: a host file that defines a CcaCudaAlgorithm, files of kernels, their
 * list (kernels.h) and their parameters; a line in cuda/registry.c and one in cuda/meson.build. It includes this header
 * and cuda/module.h. It gets the foreground, the areas wanted and where features go; nobody else knows its workspace,
 * its kernels or their parameters. CONTRIBUTING.md walks through an example.
 */
#ifndef CCA_CUDA_ALGORITHM_H
#define CCA_CUDA_ALGORITHM_H

#include "cca/backend.h"
#include "cca/memory.h"
#include "cuda/kernels/params.h"
#include "cuda/queue.h"

typedef struct CcaCudaAlgorithm CcaCudaAlgorithm;

/* What a plan asks for. */
typedef struct
{
  const CcaCudaAlgorithm *algorithm;
  uint32_t width, height;
  CcaOutput output; /* CCA_OUTPUT_NONE for an analysis */
  const CcaParams *params;
  uint32_t row_words; /* of a plane of bits */
  uint32_t capacity;  /* what a frame has needed, in units of the algorithm's (CcaDeviceHeader.needed); 0 at first */
} CcaCudaSpec;

/* A frame's work for an algorithm. */
typedef struct
{
  const CcaCudaAlgorithm *algorithm;
  CcaCudaQueue queue;
  const CcaParams *params;
  /* The foreground: planes of bits, or, where the algorithm reads ranges, perhaps the pixels and their range; then
   * planes.bits is NULL, else range.pixels. */
  CcaPlanes planes;
  CcaRangeParams range;
  CcaAreas areas;        /* of the components wanted */
  CcaWanted wanted;      /* where their features go */
  const void *workspace; /* what divide() has filled */
  bool follows;          /* the plan's last frame was enqueued to its end in the same workspace */
} CcaCudaTask;

struct CcaCudaAlgorithm
{
  CcaAlgorithm entry; /* the registry's, first */

  const CcaCudaModule *const *modules; /* ended by NULL */
  const void *variant;                 /* the folder's own: what tells its algorithms apart */

  /* Whether label() finds a range of pixel values itself, where no clean-up wants the foreground's plane first. */
  bool reads_range;

  /* Whether a frame can need more workspace than there is: CcaDeviceHeader.needed. */
  bool grows;

  /* Takes the device memory of a plan from the layout, and fills the algorithm's description of it, which is zeroed.
   * With a layout that only counts, pointers are NULL. */
  void (*divide) (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace);

  /* Enqueues the unions, and what all components need. */
  CcaStatus (*label) (const CcaCudaTask *task);

  /* Enqueues counting, numbering and storing of those that pass the area filter: task->wanted. */
  CcaStatus (*select) (const CcaCudaTask *task);

  /* Enqueues the output image of a frame that is labelled and selected. */
  CcaStatus (*paint) (const CcaCudaTask *task, CcaCanvas canvas);
};

#define CCA_CUDA_WORKSPACE_MAX 512

/* The registry's entry of an algorithm that serves everything. */
#define CCA_CUDA_ENTRY(its_name, its_description, its_source)                                                          \
  {                                                                                                                    \
    .name = its_name,                                                                                                  \
    .description = its_description,                                                                                    \
    .source = its_source,                                                                                              \
    .backend = CCA_BACKEND_CUDA,                                                                                       \
    .capabilities = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES,                          \
  }

/* Takes a list of n tallies, with moments where they are asked for. */
static inline CcaTallies
cca_cuda_take_tallies (CcaLayout *layout, const CcaCudaSpec *spec, uint64_t n)
{
  CcaTallies list = { cca_layout_take (layout, n * sizeof *list.tally), NULL };

  if (spec->params->covariance)
    list.moments = cca_layout_take (layout, n * sizeof *list.moments);
  return list;
}

#endif
