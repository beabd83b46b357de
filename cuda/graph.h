/* gst-cca: a frame's work as one launch
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A plan's frames are the same sequence of kernels again and again, with a few other pointers. Collected, the sequence
 * is made a CUDA graph once; from then on a frame costs the driver an update for each step that has changed, and one
 * launch. Where the device can, a kernel that waits for the one before is started while that one still runs.
 */
#ifndef CCA_CUDA_GRAPH_H
#define CCA_CUDA_GRAPH_H

#include "cuda/device.h"

#define CCA_GRAPH_STEPS_MAX 40
#define CCA_STEP_PARAMS_MAX 512 /* bytes of the largest parameters of a kernel */

typedef struct
{
  uint32_t x, y, z;
} CcaDim;

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
  const void *params; /* the caller's */
  size_t n_params;    /* bytes */
  void *memory;
  size_t bytes; /* whole 4 bytes */
} CcaStep;

typedef struct
{
  CcaStep steps[CCA_GRAPH_STEPS_MAX];
  unsigned char params[CCA_GRAPH_STEPS_MAX][CCA_STEP_PARAMS_MAX]; /* of steps */
  CUgraphNode nodes[CCA_GRAPH_STEPS_MAX];
  bool changed[CCA_GRAPH_STEPS_MAX]; /* since the last launch */
  uint32_t n_steps;                  /* that are collected so far */
  uint32_t n_nodes;                  /* of the graph that was made; 0 without one */
  bool differs;                      /* what is collected is another sequence than the graph */
  CUgraph graph;
  CUgraphExec executable;
} CcaCudaGraph;

/* Does a step at once, on a stream. */
CcaStatus cca_cuda_step (const CcaCudaDevice *device, CUstream stream, const CcaStep *step);

/* Begins a frame: it has no steps. All zeros is a graph that has not been made. */
void cca_cuda_graph_start (CcaCudaGraph *graph);
CcaStatus cca_cuda_graph_add (CcaCudaGraph *graph, const CcaStep *step); /* copies it */

/* Launches the steps that were added. After a failure the next launch makes the graph anew. */
CcaStatus cca_cuda_graph_launch (CcaCudaGraph *graph, const CcaCudaDevice *device, CUstream stream);

/* Frees the graph; launches in flight complete. */
void cca_cuda_graph_close (CcaCudaGraph *graph, const CcaCudaDevice *device);

#endif
