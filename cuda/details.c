/* gst-cca: the shapes and intensities of a frame's components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/details.h"
#include "cca/format.h"
#include "cuda/foreground.h"
#include "cuda/kernels/kernels.h"
#include "cuda/module.h"

CCA_CUDA_MODULE (details, CCA_EARLY_ALWAYS);

/* Limit of blocks that clear or store details. */
#define LIST_BLOCKS_MAX 256

CcaStatus
cca_cuda_details_load (CcaCudaDevice *device)
{
  return cca_cuda_load (device, &cca_cuda_module_details);
}

CcaStatus
cca_cuda_details_find (const CcaCudaTask *task, CcaCanvas labels, const CcaImage *input, CcaFoundDetails found)
{
  const CcaLabelled labelled = { .labels = (const uint32_t *) labels.out,
                                 .label_pitch = labels.pitch / (int64_t) sizeof (uint32_t),
                                 .width = labels.width,
                                 .height = labels.height,
                                 .details = found.details,
                                 .n_details = found.n_details };
  const CcaShapesParams shapes = { .labelled = labelled, .diagonal = task->params->connectivity == 8 };
  const CcaIntensitiesParams intensities = { .labelled = labelled,
                                             .pixels = input->data,
                                             .pitch = input->pitch,
                                             .format = cca_format_info (task->params->format)->pixels,
                                             .reading = cca_cuda_reading (task->params, input) };
  const CcaDim block = { CCA_BLOCK, 1, 1 };
  const uint32_t n_blocks = cca_divide_up (found.n_details, CCA_BLOCK);
  /* Depends on the plan only: another grid would change the graph. */
  const CcaDim list_grid = { n_blocks < LIST_BLOCKS_MAX ? n_blocks : LIST_BLOCKS_MAX, 1, 1 };
  const uint32_t rows = cca_divide_up (labels.height, CCA_DETAIL_ROWS);
  const CcaDim shapes_grid = { cca_divide_up (labels.width, CCA_SHAPE_COLUMNS * (CCA_BLOCK / 32)), rows, 1 },
               intensities_grid = { cca_divide_up (labels.width, CCA_BLOCK), rows, 1 };
  CcaStatus status = cca_launch_clear_details (&task->queue, list_grid, block, found);

  if (status == CCA_OK && task->params->shape)
    status = cca_launch_shapes (&task->queue, shapes_grid, block, shapes);
  if (status == CCA_OK && task->params->intensity)
    status = cca_launch_intensities (&task->queue, intensities_grid, block, intensities);
  return status == CCA_OK ? cca_launch_store_details (&task->queue, list_grid, block, found) : status;
}
