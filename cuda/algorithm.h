/* gst-cca: the interface of a CUDA algorithm
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An algorithm is a folder in cuda/algorithms/, with a host file that defines a CcaCudaAlgorithm, files of kernels,
 * their list (kernels.h) and their parameters; plus a line in cuda/registry.c and one in cuda/meson.build. It includes
 * this header and cuda/module.h. A CcaCudaTask gives it the foreground, the size filter and the destination of the
 * features. Its workspace, kernels and parameters are private. CONTRIBUTING.md lists the steps and names an example.
 */
#pragma once

#include "cca/backend.h"
#include "cca/memory.h"
#include "cuda/kernels/params.h"
#include "cuda/queue.h"

typedef struct CcaCudaAlgorithm CcaCudaAlgorithm;

/* What a plan asks of an algorithm. */
typedef struct
{
  const CcaCudaAlgorithm *algorithm;
  uint32_t width, height;
  CcaOutput output; /* CCA_OUTPUT_NONE for an analysis */
  const CcaParams *params;
  const CcaHeld *held;
  uint32_t row_words;     /* of a plane of bits */
  const uint32_t *region; /* a plane; NULL for the whole image */
  const uint8_t *factors; /* of cca_plan_set_sensitivity(), in rows of row_words * 32 bytes; or NULL */
  uint32_t capacity; /* the largest capacity that a frame needed, in the algorithm's units (CcaDeviceHeader.needed); 0
                        at first */
} CcaCudaSpec;

/* A frame's work for an algorithm. */
typedef struct
{
  const CcaCudaAlgorithm *algorithm;
  CcaCudaQueue queue;
  const CcaParams *params;
  /* The foreground: planes of bits or, only if the algorithm reads ranges, pixels and their range. planes.bits or
   * range.pixels is NULL. */
  CcaPlanes planes;
  CcaRangeParams range;
  CcaSizes sizes;        /* the limits of the size filter */
  CcaWanted wanted;      /* where to store the features of components that pass */
  const void *workspace; /* filled by divide() */
  bool follows;          /* the plan's last frame was completely enqueued in the same workspace */
} CcaCudaTask;

struct CcaCudaAlgorithm
{
  CcaAlgorithm entry; /* the registry's entry; must stand first */

  const CcaCudaModule *const *modules; /* NULL-terminated; loaded with the first plan that takes the algorithm */
  const void *variant;                 /* private to the folder: distinguishes its algorithms */

  /* label() can apply a range of pixel values itself. It gets the pixels and the range unless the clean-up needs the
   * plane of the foreground. */
  bool reads_range;

  /* A frame may need a larger workspace or more passes than were enqueued, and then reports it in
   * CcaDeviceHeader.needed. */
  bool grows;

  /* Takes the device memory of a plan from the layout, and fills the algorithm's description of it, which the caller
   * has zeroed. With a layout that only counts bytes, the pointers are NULL. */
  void (*divide) (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace);

  /* Enqueues the unions, and the measurements that all components need. */
  CcaStatus (*label) (const CcaCudaTask *task);

  /* Enqueues the kernels that count, number and store the components that pass the size filter: task->wanted. */
  CcaStatus (*select) (const CcaCudaTask *task);

  /* Enqueues the output image of a frame; call after label() and select(). */
  CcaStatus (*paint) (const CcaCudaTask *task, CcaCanvas canvas);

  /* Enqueues the kernel that stores the labels of a frame's rows of tiles and counts their overlaps with those of the
   * last frame (cuda/kernels/overlaps.cuh); call after label() and select(). If NULL, the backend takes overlaps from
   * an image of labels that paint() makes; the algorithm must not read ranges then. */
  CcaStatus (*overlap) (const CcaCudaTask *task, CcaOverlapsParams overlaps);
};

#define CCA_CUDA_WORKSPACE_MAX 512

/* The registry's entry of an algorithm that supports everything. */
#define CCA_CUDA_ENTRY(its_name, its_description, its_source)                                                          \
  {                                                                                                                    \
    .name = its_name,                                                                                                  \
    .description = its_description,                                                                                    \
    .source = its_source,                                                                                              \
    .backend = CCA_BACKEND_CUDA,                                                                                       \
    .capabilities = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES | CCA_CAN_OVERLAPS,       \
  }

/* Takes a list of n tallies, with moments if the plan requests covariance. */
static inline CcaTallies
cca_cuda_take_tallies (CcaLayout *layout, const CcaCudaSpec *spec, uint64_t n)
{
  CcaTallies list = { cca_layout_take (layout, n * sizeof *list.tally), NULL };

  if (spec->params->covariance)
    list.moments = cca_layout_take (layout, n * sizeof *list.moments);
  return list;
}
