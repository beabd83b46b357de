/* gst-cca: what a CUDA algorithm is
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Adding one is a host file that defines a CcaCudaAlgorithm, a file of kernels, and a line in backend.c.
 */
#ifndef CCA_CUDA_ALGORITHM_H
#define CCA_CUDA_ALGORITHM_H

#include "cca/backend.h"
#include "cca/memory.h"
#include "cuda/queue.h"

/* What an algorithm has of a plan's workspace: the parameters of its kernels, but for what a frame brings. */
typedef struct
{
  CcaSegmentsParams segments;
  CcaSelectParams select;
  CcaPatchesParams patches;
  CcaRangeParams range; /* where the algorithm finds the foreground itself; else pixels is NULL */
} CcaWork;

/* How segments vote for the features of their components. */
typedef enum
{
  CCA_VOTING_ONE_BY_ONE,
  CCA_VOTING_TOGETHER,   /* conflict detection */
  CCA_VOTING_ON_THE_FLY, /* while segments are united */
} CcaVoting;

typedef struct CcaCudaAlgorithm CcaCudaAlgorithm;

/* A frame on its way through an algorithm. */
typedef struct
{
  const CcaCudaAlgorithm *algorithm;
  CcaCudaQueue queue;
  const CcaParams *params;
  bool follows; /* a frame of the same plan, in the same workspace, of which everything was enqueued */
  CcaWork work;
} CcaCudaFrame;

struct CcaCudaAlgorithm
{
  CcaAlgorithm entry; /* the registry's, first */
  CcaVoting voting;   /* of algorithms on segments */

  /* Whether label() finds a range of pixel values itself, for which work.range then has pixels, where no clean-up wants
   * the foreground's plane first. */
  bool reads_range;

  /* Whether a frame can need more workspace than there is: CcaDeviceHeader.needed, in the units of CcaPlan.room. */
  bool grows;

  /* Takes the algorithm's workspace for a plan, or only counts its bytes. */
  void (*divide) (CcaLayout *layout, const CcaPlan *plan, CcaWork *work);

  /* Enqueues the unions, and what all components need. */
  CcaStatus (*label) (const CcaCudaFrame *frame);

  /* Enqueues counting, numbering and storing those that pass the area filter: what CcaWanted asks for. */
  CcaStatus (*select) (const CcaCudaFrame *frame);

  /* Enqueues the output image of a frame that is labelled and selected. */
  CcaStatus (*paint) (const CcaCudaFrame *frame, CcaCanvas canvas);
};

/* The algorithm of a plan on this backend. */
static inline const CcaCudaAlgorithm *
cca_cuda_algorithm (const CcaPlan *plan)
{
  return (const CcaCudaAlgorithm *) plan->algorithm;
}

/* Whether components are measured at all: whether any is stored or filtered. */
bool cca_cuda_measures (const CcaParams *params);

/* Whether there is an area filter, which every component passes otherwise. */
bool cca_cuda_filters (const CcaParams *params);

/* A list of n tallies, with moments where the plan's parameters ask for them. */
static inline CcaTallies
cca_cuda_take_tallies (CcaLayout *layout, const CcaPlan *plan, uint64_t n)
{
  CcaTallies list = { cca_layout_take (layout, n * sizeof *list.tally), NULL };

  if (plan->params.covariance)
    list.moments = cca_layout_take (layout, n * sizeof *list.moments);
  return list;
}

extern const CcaCudaAlgorithm cca_cuda_flsl_cd, cca_cuda_flsl_otf, cca_cuda_flsl;
extern const CcaCudaAlgorithm cca_cuda_ha4_cd, cca_cuda_ha4_otf, cca_cuda_ha4_64, cca_cuda_ha4;
extern const CcaCudaAlgorithm cca_cuda_naive, cca_cuda_patches, cca_cuda_patches_direct;

#endif
