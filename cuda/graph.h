/* gst-cca: a frame's work as one launch
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All frames of a plan but the first, which also clears memory, run the same sequence of kernels; only a few pointers
 * differ. The second frame's sequence becomes a CUDA graph. A later frame costs the driver one launch, and an update
 * for each step that changed. On devices that support it, the graph starts a kernel while its predecessor still runs,
 * if the kernel waits for it itself.
 */
#pragma once

#include "cuda/device.h"

#define CCA_GRAPH_STEPS_MAX 160 /* label-equivalence takes up to 122, for images near CCA_PIXELS_LIMIT */
#define CCA_STEP_PARAMS_MAX 768 /* bytes of the largest parameters of a kernel */

typedef struct
{
  uint32_t x, y, z;
} CcaDim;

/* Returns n / by, rounded up. */
static inline uint32_t
cca_divide_up (uint64_t n, uint32_t by)
{
  return (uint32_t) ((n + by - 1) / by);
}

typedef enum
{
  CCA_STEP_KERNEL,
  CCA_STEP_CLEAR /* device memory */
} CcaStepKind;

typedef struct
{
  CcaStepKind kind;
  CcaCudaKernel kernel;
  CcaDim grid, block;
  const void *params; /* owned by the caller */
  size_t n_params;    /* bytes */
  void *memory;
  size_t bytes; /* a multiple of 4 */
  bool aside;   /* of the branch that runs in parallel to the other steps, from its first step on */
} CcaStep;

typedef struct
{
  CcaStep steps[CCA_GRAPH_STEPS_MAX];
  unsigned char params[CCA_GRAPH_STEPS_MAX][CCA_STEP_PARAMS_MAX]; /* copies, for `steps` */
  CUgraphNode nodes[CCA_GRAPH_STEPS_MAX];
  bool changed[CCA_GRAPH_STEPS_MAX]; /* since the last launch */
  uint64_t n_pixels;                 /* of the frame */
  uint32_t n_steps;                  /* steps collected so far */
  uint32_t n_nodes;                  /* nodes of the graph; 0: no graph */
  bool differs;                      /* the collected steps are not those of the graph */
  CUgraph graph;
  CUgraphExec executable;
} CcaCudaGraph;

/* Enqueues a step on a stream at once. */
CcaStatus cca_cuda_step (const CcaCudaDevice *device, CUstream stream, const CcaStep *step);

/* Begins a frame of n_pixels without steps. A graph of zeros is valid and empty. */
void cca_cuda_graph_start (CcaCudaGraph *graph, uint64_t n_pixels);
CcaStatus cca_cuda_graph_add (CcaCudaGraph *graph, const CcaStep *step); /* copies the step */

/* Launches the added steps. After a failure the next launch creates the graph again. */
CcaStatus cca_cuda_graph_launch (CcaCudaGraph *graph, const CcaCudaDevice *device, CUstream stream);

/* Destroys the graph; launched work continues. */
void cca_cuda_graph_close (CcaCudaGraph *graph, const CcaCudaDevice *device);
