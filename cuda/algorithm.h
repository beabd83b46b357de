/* gst-cca: what a CUDA algorithm is
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Adding one is a host file that defines a CcaCudaAlgorithm, a file of kernels, and a line in backend.c.
 */
#ifndef CCA_CUDA_ALGORITHM_H
#define CCA_CUDA_ALGORITHM_H

#include "cca/backend.h"
#include "cuda/device.h"

/* A frame on its way through an algorithm. */
typedef struct
{
  const CcaCudaDevice *device;
  CUstream stream;
  uint32_t height;
  CcaRunsParams runs; /* bits are the foreground; the rest is workspace and where the results belong */
} CcaCudaFrame;

typedef struct
{
  CcaAlgorithm entry; /* the registry's, first */

  /* Enqueues the unions, and the numbering and features of all components. Leaves header->n_all, features and, in
   * runs.parent, the component of every run. */
  CcaStatus (*label) (const CcaCudaFrame *frame);
} CcaCudaAlgorithm;

extern const CcaCudaAlgorithm cca_cuda_flsl_cd, cca_cuda_flsl;

#endif
