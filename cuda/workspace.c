/* gst-cca: the device memory of a plan
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/workspace.h"
#include "cca/memory.h"
#include "cca/selection.h"

#include <string.h>

/* Words of a row of bits: one more bit than pixels, and whole 16 bytes. */
static uint32_t
words_of (uint32_t width)
{
  return (width / 32 + 1 + 3) / 4 * 4;
}

bool
cca_cuda_cleans (const CcaParams *params)
{
  return params->denoise || params->close_radius > 0;
}

/* Divides the block, or only counts its bytes. */
static size_t
divide (CcaCudaWorkspace *self, char *base, const CcaPlan *plan)
{
  const CcaParams *params = &plan->params;
  const uint32_t width = plan->width, height = plan->height;
  const uint64_t most = cca_most_components (width, height, params->connectivity, false);
  CcaLayout layout = { base, 0 };
  CcaRunsParams *runs = &self->runs;
  size_t plane;

  memset (self, 0, sizeof *self);
  self->row_words = words_of (width);
  self->padded_words = words_of (width + 2 * params->close_radius);
  self->input_pitch = (int64_t) cca_align (width);
  self->output_pitch = (int64_t) cca_align ((size_t) width * cca_output_pixel_size (plan->output));
  plane = (size_t) self->row_words * height * sizeof (uint32_t);

  self->input = cca_layout_take (&layout, self->input_pitch * height);
  if (plan->output != CCA_OUTPUT_NONE)
    self->output = cca_layout_take (&layout, self->output_pitch * height);
  self->mask = cca_layout_take (&layout, plane);
  if (cca_cuda_cleans (params))
    self->cleaned = cca_layout_take (&layout, plane);
  if (params->close_radius > 0) {
    const size_t row = self->padded_words * sizeof (uint32_t);

    self->dilated = cca_layout_take (&layout, row * height);
    self->eroded = cca_layout_take (&layout, row * (height + 2 * params->close_radius));
  }

  runs->row_words = self->row_words;
  runs->height = height;
  runs->most_runs = (width + 1) / 2;
  runs->runs = cca_layout_take (&layout, (size_t) runs->most_runs * height * sizeof *runs->runs);
  runs->n_runs = cca_layout_take (&layout, height * sizeof *runs->n_runs);
  runs->ends_before = cca_layout_take (&layout, (size_t) self->row_words * height * sizeof *runs->ends_before);
  runs->parent = cca_layout_take (&layout, (size_t) runs->most_runs * height * sizeof *runs->parent);
  runs->row_roots = cca_layout_take (&layout, height * sizeof *runs->row_roots);
  runs->features = cca_layout_take (&layout, most * sizeof *runs->features);
  self->chunk_counts = cca_layout_take (&layout, CCA_SELECT_CHUNKS * sizeof *self->chunk_counts);
  self->numbers = cca_layout_take (&layout, most * sizeof *self->numbers);

  /* By area the host chooses, from all. */
  self->n_selected =
      params->order == CCA_ORDER_AREA || most < params->max_components ? (uint32_t) most : params->max_components;
  return layout.size;
}

size_t
cca_cuda_workspace_size (const CcaPlan *plan)
{
  CcaCudaWorkspace workspace;

  return divide (&workspace, NULL, plan);
}

CcaStatus
cca_cuda_workspace_open (CcaCudaWorkspace *workspace, const CcaCudaDevice *device, const CcaPlan *plan)
{
  void *block;
  CcaStatus status = cca_cuda_alloc (device, cca_cuda_workspace_size (plan), &block);

  if (status != CCA_OK)
    return status;
  divide (workspace, block, plan);
  workspace->block = block;
  return CCA_OK;
}

void
cca_cuda_workspace_close (CcaCudaWorkspace *workspace, const CcaCudaDevice *device)
{
  cca_cuda_free (device, workspace->block);
}
