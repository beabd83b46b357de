/* gst-cca: the device memory of a plan
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/workspace.h"
#include "cca/params.h"

#include <string.h>

/* Divides the block, or only counts its bytes. */
static void
divide (CcaCudaWorkspace *self, char *base, const CcaCudaSpec *spec)
{
  CcaLayout layout = { base, 0 };

  memset (self, 0, sizeof *self);
  self->output_pitch = (int64_t) cca_align ((size_t) spec->width * cca_output_pixel_size (spec->output));
  if (spec->output != CCA_OUTPUT_NONE)
    self->output = cca_layout_take (&layout, self->output_pitch * spec->height);
  self->label_pitch = (int64_t) cca_align ((size_t) spec->width * sizeof *self->labels);
  if ((spec->params->overlaps && spec->algorithm->overlap == NULL) || cca_params_details (spec->params))
    self->labels = cca_layout_take (&layout, (size_t) self->label_pitch * spec->height);
  cca_cuda_masks_divide (&self->masks, &layout, spec);
  spec->algorithm->divide (&layout, spec, self->algorithm);
  self->size = layout.size;
}

size_t
cca_cuda_workspace_size (const CcaCudaSpec *spec)
{
  CcaCudaWorkspace workspace;

  divide (&workspace, NULL, spec);
  return workspace.size;
}

bool
cca_cuda_workspace_serves (const CcaCudaSpec *spec, const CcaCudaSpec *other)
{
  CcaCudaWorkspace a, b;
  char *const anywhere = (char *) CCA_ALIGNMENT;

  divide (&a, anywhere, spec);
  divide (&b, anywhere, other);
  return spec->algorithm == other->algorithm && memcmp (&a, &b, sizeof a) == 0;
}

CcaStatus
cca_cuda_workspace_open (CcaCudaWorkspace *workspace, const CcaCudaDevice *device, const CcaCudaSpec *spec)
{
  void *block;
  CcaStatus status = cca_cuda_alloc (device, cca_cuda_workspace_size (spec), &block);

  if (status != CCA_OK)
    return status;
  divide (workspace, block, spec);
  workspace->block = block;
  return CCA_OK;
}

void
cca_cuda_workspace_close (CcaCudaWorkspace *workspace, const CcaCudaDevice *device)
{
  cca_cuda_free (device, workspace->block);
}
