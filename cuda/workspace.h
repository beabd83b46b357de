/* gst-cca: the device memory of a plan
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/foreground.h"

#include <stdalign.h>

/* Parts of one block of device memory; a part that the parameters do not need is NULL. */
typedef struct
{
  void *block;
  size_t size;     /* bytes of the block */
  uint8_t *output; /* the output image if the caller's is in host memory */
  int64_t output_pitch;
  uint32_t *labels; /* an image of labels, for details, and for overlaps if the algorithm does not find them itself */
  int64_t label_pitch;
  CcaCudaMasks masks;
  alignas (16) unsigned char algorithm[CCA_CUDA_WORKSPACE_MAX]; /* filled by CcaCudaAlgorithm.divide() */
} CcaCudaWorkspace;

/* Returns the bytes of device memory that cca_cuda_workspace_open() allocates. */
size_t cca_cuda_workspace_size (const CcaCudaSpec *spec);
CcaStatus cca_cuda_workspace_open (CcaCudaWorkspace *workspace, const CcaCudaDevice *device, const CcaCudaSpec *spec);
void cca_cuda_workspace_close (CcaCudaWorkspace *workspace, const CcaCudaDevice *device);

/* Returns whether the workspace of `spec` also serves `other`. Both have the same size and output. */
bool cca_cuda_workspace_serves (const CcaCudaSpec *spec, const CcaCudaSpec *other);
