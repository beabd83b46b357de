/* gst-cca: a frame's work as one launch
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/graph.h"
#include "cca/status.h"

#include <string.h>

/* --- Steps ------------------------------------------------------------------------------------------- */

static CUDA_KERNEL_NODE_PARAMS
kernel_params (const CcaCudaDevice *device, const CcaStep *step, void **arguments)
{
  return (CUDA_KERNEL_NODE_PARAMS) {
    .func = cca_cuda_function (device, step->kernel),
    .gridDimX = step->grid.x,
    .gridDimY = step->grid.y,
    .gridDimZ = step->grid.z,
    .blockDimX = step->block.x,
    .blockDimY = step->block.y,
    .blockDimZ = step->block.z,
    .kernelParams = arguments,
  };
}

static CUDA_MEMSET_NODE_PARAMS
clear_params (const CcaStep *step)
{
  return (CUDA_MEMSET_NODE_PARAMS) {
    .dst = (CUdeviceptr) (uintptr_t) step->memory,
    .pitch = step->bytes,
    .elementSize = 4,
    .width = step->bytes / 4,
    .height = 1,
  };
}

static CcaStatus
check_step (const CcaCudaDevice *device, CUresult result, const char *action, const CcaStep *step)
{
  if (result == CUDA_SUCCESS)
    return CCA_OK;
  if (step->kind == CCA_STEP_CLEAR)
    return cca_cuda_check (device->driver, result, "%s clearing %zu bytes", action, step->bytes);
  return cca_cuda_check (device->driver, result, "%s %s with %ux%ux%u blocks", action,
                         step->kernel.module->kernels[step->kernel.index], step->grid.x, step->grid.y, step->grid.z);
}

CcaStatus
cca_cuda_step (const CcaCudaDevice *device, CUstream stream, const CcaStep *step)
{
  const CcaCudaDriver *driver = device->driver;
  void *arguments[] = { (void *) step->params };
  CUresult result;

  if (step->kind == CCA_STEP_CLEAR)
    result = driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) step->memory, 0, step->bytes, stream);
  else
    result = driver->cuLaunchKernel (cca_cuda_function (device, step->kernel), step->grid.x, step->grid.y, step->grid.z,
                                     step->block.x, step->block.y, step->block.z, 0, stream, arguments, NULL);
  return check_step (device, result, "launch", step);
}

/* --- Collecting -------------------------------------------------------------------------------------- */

/* Returns whether a graph's node can be updated from one step to the other. */
static bool
same_kind (const CcaStep *a, const CcaStep *b)
{
  return a->kind == b->kind && a->kernel.module == b->kernel.module && a->kernel.index == b->kernel.index
         && a->n_params == b->n_params && a->aside == b->aside && memcmp (&a->grid, &b->grid, sizeof a->grid) == 0
         && memcmp (&a->block, &b->block, sizeof a->block) == 0;
}

static bool
same_values (const CcaStep *a, const CcaStep *b)
{
  return a->memory == b->memory && a->bytes == b->bytes
         && (a->n_params == 0 || memcmp (a->params, b->params, a->n_params) == 0);
}

void
cca_cuda_graph_start (CcaCudaGraph *graph, uint64_t n_pixels)
{
  graph->n_pixels = n_pixels;
  graph->n_steps = 0;
  graph->differs = false;
}

CcaStatus
cca_cuda_graph_add (CcaCudaGraph *graph, const CcaStep *step)
{
  const uint32_t i = graph->n_steps;

  if (i == CCA_GRAPH_STEPS_MAX)
    return cca_fail (CCA_ERROR_DEVICE, "a frame takes more than %d steps", CCA_GRAPH_STEPS_MAX);
  if (i >= graph->n_nodes || !same_kind (&graph->steps[i], step))
    graph->differs = true;
  if (graph->differs || !same_values (&graph->steps[i], step)) {
    graph->steps[i] = *step;
    if (step->n_params > 0)
      graph->steps[i].params = memcpy (graph->params[i], step->params, step->n_params);
    graph->changed[i] = true;
  }
  graph->n_steps++;
  return CCA_OK;
}

/* --- Launching --------------------------------------------------------------------------------------- */

void
cca_cuda_graph_close (CcaCudaGraph *graph, const CcaCudaDevice *device)
{
  if (graph->executable)
    device->driver->cuGraphExecDestroy (graph->executable);
  if (graph->graph)
    device->driver->cuGraphDestroy (graph->graph);
  graph->executable = NULL;
  graph->graph = NULL;
  graph->n_nodes = 0;
}

/* Returns 1 + the index of the step that step i waits for, or 0 for none: the last step of its branch or, for the
 * branch's first step, the step before it. */
static uint32_t
place_before (const CcaCudaGraph *graph, uint32_t i)
{
  uint32_t place = i;

  while (place > 0 && graph->steps[place - 1].aside != graph->steps[i].aside)
    place--;
  return place > 0 ? place : i;
}

static CcaStatus
add_node (CcaCudaGraph *graph, const CcaCudaDevice *device, uint32_t i)
{
  const CUgraphEdgeData early = { .from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                                  .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC };
  const CcaCudaDriver *driver = device->driver;
  const CcaStep *step = &graph->steps[i];
  const uint32_t place = place_before (graph, i);
  const CUgraphNode *before = place > 0 ? &graph->nodes[place - 1] : NULL;
  const bool starts_early = before && graph->steps[place - 1].kind == CCA_STEP_KERNEL && step->kind == CCA_STEP_KERNEL
                            && graph->steps[place - 1].aside == step->aside
                            && cca_cuda_starts_early (device, step->kernel, graph->n_pixels);
  void *arguments[] = { (void *) step->params };
  CUresult result;

  if (step->kind == CCA_STEP_KERNEL) {
    const CUDA_KERNEL_NODE_PARAMS params = kernel_params (device, step, arguments);
    result = driver->cuGraphAddKernelNode (&graph->nodes[i], graph->graph, before, before && !starts_early, &params);
  } else {
    const CUDA_MEMSET_NODE_PARAMS params = clear_params (step);
    result =
        driver->cuGraphAddMemsetNode (&graph->nodes[i], graph->graph, before, before != NULL, &params, device->context);
  }
  if (result == CUDA_SUCCESS && starts_early)
    result = driver->cuGraphAddDependencies_v2 (graph->graph, before, &graph->nodes[i], &early, 1);
  return check_step (device, result, "prepare", step);
}

static CcaStatus
change_node (const CcaCudaGraph *graph, const CcaCudaDevice *device, uint32_t i)
{
  const CcaCudaDriver *driver = device->driver;
  const CcaStep *step = &graph->steps[i];
  void *arguments[] = { (void *) step->params };
  CUresult result;

  if (step->kind == CCA_STEP_KERNEL) {
    const CUDA_KERNEL_NODE_PARAMS params = kernel_params (device, step, arguments);
    result = driver->cuGraphExecKernelNodeSetParams (graph->executable, graph->nodes[i], &params);
  } else {
    const CUDA_MEMSET_NODE_PARAMS params = clear_params (step);
    result = driver->cuGraphExecMemsetNodeSetParams (graph->executable, graph->nodes[i], &params, device->context);
  }
  return check_step (device, result, "change", step);
}

static CcaStatus
make_graph (CcaCudaGraph *graph, const CcaCudaDevice *device)
{
  const CcaCudaDriver *driver = device->driver;
  CcaStatus status;

  cca_cuda_graph_close (graph, device);
  status = cca_cuda_check (driver, driver->cuGraphCreate (&graph->graph, 0), "create a graph");
  for (uint32_t i = 0; i < graph->n_steps && status == CCA_OK; i++)
    status = add_node (graph, device, i);
  if (status == CCA_OK)
    status = cca_cuda_check (driver, driver->cuGraphInstantiate (&graph->executable, graph->graph, 0),
                             "instantiate a graph");
  if (status == CCA_OK)
    graph->n_nodes = graph->n_steps;
  return status;
}

CcaStatus
cca_cuda_graph_launch (CcaCudaGraph *graph, const CcaCudaDevice *device, CUstream stream)
{
  CcaStatus status = CCA_OK;

  if (graph->differs || graph->n_steps != graph->n_nodes)
    status = make_graph (graph, device);
  else
    for (uint32_t i = 0; i < graph->n_steps && status == CCA_OK; i++)
      if (graph->changed[i])
        status = change_node (graph, device, i);
  if (status == CCA_OK)
    status =
        cca_cuda_check (device->driver, device->driver->cuGraphLaunch (graph->executable, stream), "launch a graph");
  if (status != CCA_OK)
    cca_cuda_graph_close (graph, device);
  memset (graph->changed, 0, sizeof graph->changed);
  return status;
}
