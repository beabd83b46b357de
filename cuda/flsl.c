/* gst-cca: algorithms "flsl" and "flsl-cd", full runs on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Lemaitre, Hennequin & Lacassagne, ICASSP 2021: section 3.1 (full runs) and 3.3 (conflict detection).
 */
#include "cuda/algorithm.h"

/* Warps of a block; a warp does a row. */
#define ROWS_A_BLOCK 4

static CcaStatus
label (const CcaCudaFrame *frame, CcaStatus (*measure) (const CcaCudaDevice *, CcaDim, CcaDim, CUstream, CcaRunsParams))
{
  const CcaDim rows = { (frame->height + ROWS_A_BLOCK - 1) / ROWS_A_BLOCK, 1, 1 }, warps = { 32 * ROWS_A_BLOCK, 1, 1 };
  const CcaDim one = { 1, 1, 1 }, scan = { 1024, 1, 1 };
  const CcaCudaDevice *device = frame->device;
  CcaStatus status;

  if ((status = cca_launch_find_runs (device, rows, warps, frame->stream, frame->runs)) != CCA_OK
      || (status = cca_launch_link_runs (device, rows, warps, frame->stream, frame->runs)) != CCA_OK
      || (status = cca_launch_unite_runs (device, rows, warps, frame->stream, frame->runs)) != CCA_OK
      || (status = cca_launch_flatten (device, rows, warps, frame->stream, frame->runs)) != CCA_OK
      || (status = cca_launch_scan_roots (device, one, scan, frame->stream, frame->runs)) != CCA_OK
      || (status = cca_launch_number (device, rows, warps, frame->stream, frame->runs)) != CCA_OK)
    return status;
  return measure (device, rows, warps, frame->stream, frame->runs);
}

static CcaStatus
flsl_label (const CcaCudaFrame *frame)
{
  return label (frame, cca_launch_measure_runs);
}

static CcaStatus
flsl_cd_label (const CcaCudaFrame *frame)
{
  return label (frame, cca_launch_measure_runs_cd);
}

#define SOURCE                                                                                                         \
  "Lemaitre, Hennequin & Lacassagne, Taming voting algorithms on GPUs for an efficient connected component analysis "  \
  "algorithm, ICASSP 2021, "

const CcaCudaAlgorithm cca_cuda_flsl = {
  .entry = {
    .name = "flsl",
    .description = "full runs by compress-store, union-find on runs, a vote a run",
    .source = SOURCE "section 3.1",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL,
  },
  .label = flsl_label,
};

const CcaCudaAlgorithm cca_cuda_flsl_cd = {
  .entry = {
    .name = "flsl-cd",
    .description = "full runs, votes of a warp for the same component added up first",
    .source = SOURCE "sections 3.1 and 3.3",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL,
  },
  .label = flsl_cd_label,
};
