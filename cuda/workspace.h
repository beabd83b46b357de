/* gst-cca: the device memory of a plan
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_WORKSPACE_H
#define CCA_CUDA_WORKSPACE_H

#include "cuda/algorithm.h"

/* Parts of one block of device memory; those that the parameters do not need are NULL. */
typedef struct
{
  void *block;
  uint8_t *output; /* for images in host memory */
  int64_t output_pitch;
  uint32_t row_words, padded_words; /* of a plane, and of one padded for closing */
  uint32_t *mask, *cleaned, *dilated, *eroded;
  uint32_t *joins, *vertical, *falling, *rising; /* as in CcaPlanes */
  CcaWork work;
} CcaCudaWorkspace;

/* Bytes of device memory that cca_cuda_workspace_open() allocates for a plan that is described. */
size_t cca_cuda_workspace_size (const CcaPlan *plan);
CcaStatus cca_cuda_workspace_open (CcaCudaWorkspace *workspace, const CcaCudaDevice *device, const CcaPlan *plan);
void cca_cuda_workspace_close (CcaCudaWorkspace *workspace, const CcaCudaDevice *device);

/* The size and pitch of the device's copy of an image in host memory, which is allocated when there is one. */
int64_t cca_cuda_input_pitch (const CcaPlan *plan);
size_t cca_cuda_input_size (const CcaPlan *plan);

/* Bytes of the plane of bits that MOTION makes of a frame: the frame's own, where the frame can be done again. */
size_t cca_cuda_mask_size (const CcaPlan *plan);
bool cca_cuda_keeps_mask (const CcaPlan *plan);

/* Components that a frame's result can need on the device. */
uint32_t cca_cuda_n_selected (const CcaPlan *plan);

/* Whether the workspace of a plan is also that of another, of the same size and output. */
bool cca_cuda_workspace_serves (const CcaPlan *plan, const CcaPlan *other);

/* Bytes of a background model's background, and of its spread: whole words of pixels. */
size_t cca_cuda_model_plane (const CcaPlan *plan);

/* Whether the mask is cleaned up with these parameters. */
bool cca_cuda_cleans (const CcaParams *params);

#endif
