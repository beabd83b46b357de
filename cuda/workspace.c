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
cca_cuda_filters (const CcaParams *params)
{
  return params->min_area > 1 || params->max_area > 0;
}

bool
cca_cuda_measures (const CcaParams *params)
{
  return params->max_components > 0 || cca_cuda_filters (params);
}

bool
cca_cuda_cleans (const CcaParams *params)
{
  return params->foreground != CCA_FOREGROUND_VALUES && (params->denoise || params->close_radius > 0);
}

size_t
cca_cuda_model_plane (const CcaPlan *plan)
{
  return (size_t) words_of (plan->width) * 32 * plan->height;
}

int64_t
cca_cuda_input_pitch (const CcaPlan *plan)
{
  return (int64_t) cca_align (plan->width);
}

size_t
cca_cuda_input_size (const CcaPlan *plan)
{
  return (size_t) cca_cuda_input_pitch (plan) * plan->height;
}

size_t
cca_cuda_mask_size (const CcaPlan *plan)
{
  return (size_t) words_of (plan->width) * plan->height * sizeof (uint32_t);
}

bool
cca_cuda_keeps_mask (const CcaPlan *plan)
{
  return plan->params.foreground == CCA_FOREGROUND_MOTION && cca_cuda_algorithm (plan)->grows;
}

/* Whether the foreground is a plane at all, of the plan and not of a frame. */
static bool
has_mask (const CcaPlan *plan)
{
  const bool range =
      plan->params.foreground != CCA_FOREGROUND_MOTION && plan->params.foreground != CCA_FOREGROUND_VALUES;
  const bool reads = range && cca_cuda_algorithm (plan)->reads_range && !cca_cuda_cleans (&plan->params);

  return !cca_cuda_keeps_mask (plan) && !reads;
}

static void
divide_planes (CcaCudaWorkspace *self, CcaLayout *layout, const CcaPlan *plan)
{
  const CcaParams *params = &plan->params;
  const size_t plane = cca_cuda_mask_size (plan);
  const size_t padded_row = self->padded_words * sizeof (uint32_t);
  CcaPlanes *planes = &self->work.segments.planes;

  if (has_mask (plan))
    self->mask = cca_layout_take (layout, plane);
  if (cca_cuda_cleans (params))
    self->cleaned = cca_layout_take (layout, plane);
  if (cca_cuda_cleans (params) && params->close_radius > 0) {
    self->dilated = cca_layout_take (layout, padded_row * plan->height);
    self->eroded = cca_layout_take (layout, padded_row * (plan->height + 2 * params->close_radius));
  }
  if (params->foreground == CCA_FOREGROUND_VALUES) {
    planes->joins = self->joins = cca_layout_take (layout, plane);
    planes->vertical = self->vertical = cca_layout_take (layout, plane);
    planes->falling = self->falling = cca_layout_take (layout, plane);
    planes->rising = self->rising = cca_layout_take (layout, plane);
  }
  planes->bits = self->cleaned ? self->cleaned : self->mask;
  planes->row_words = self->row_words;
  planes->height = plan->height;
  self->work.patches.planes = *planes;
}

/* Divides the block, or only counts its bytes. */
static size_t
divide (CcaCudaWorkspace *self, char *base, const CcaPlan *plan)
{
  const CcaParams *params = &plan->params;
  CcaLayout layout = { base, 0 };

  memset (self, 0, sizeof *self);
  self->row_words = words_of (plan->width);
  self->padded_words = words_of (plan->width + 2 * params->close_radius);
  self->output_pitch = (int64_t) cca_align ((size_t) plan->width * cca_output_pixel_size (plan->output));

  if (plan->output != CCA_OUTPUT_NONE)
    self->output = cca_layout_take (&layout, self->output_pitch * plan->height);
  divide_planes (self, &layout, plan);
  cca_cuda_algorithm (plan)->divide (&layout, plan, &self->work);
  return layout.size;
}

uint32_t
cca_cuda_n_selected (const CcaPlan *plan)
{
  const CcaParams *params = &plan->params;
  const uint64_t most = cca_most_components (plan->width, plan->height, params->connectivity,
                                             params->foreground == CCA_FOREGROUND_VALUES);

  /* By area the host chooses, from all. */
  if (params->max_components > 0 && params->order == CCA_ORDER_AREA)
    return (uint32_t) most;
  return most < params->max_components ? (uint32_t) most : params->max_components;
}

size_t
cca_cuda_workspace_size (const CcaPlan *plan)
{
  CcaCudaWorkspace workspace;

  return divide (&workspace, NULL, plan);
}

bool
cca_cuda_workspace_serves (const CcaPlan *plan, const CcaPlan *other)
{
  CcaCudaWorkspace a, b;
  char *const anywhere = (char *) CCA_ALIGNMENT;

  divide (&a, anywhere, plan);
  divide (&b, anywhere, other);
  return plan->algorithm == other->algorithm && memcmp (&a, &b, sizeof a) == 0;
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
