/* gst-cca: a CUDA driver without a device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory is the host's, streams are done at once. Kernels do nothing, or with NULL_DEVICE_EMULATES run on the host
 * (emulator/). What needs a current context fails without one.
 */
#include "fake-cuda.h"
#include "functions.h"

#ifdef HAVE_EMULATOR
#include "emulator/emulator.h"
#endif

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PUSHED 4096
#define MAX_DEVICES 4

/* A context is the address of its device's ordinal. */
static _Thread_local CUcontext pushed[MAX_PUSHED];
static _Thread_local int n_pushed;
static CUdevice primaries[MAX_DEVICES] = { 0, 1, 2, 3 };
static char kernel; /* only its address matters */

#define NEED_CONTEXT()                                                                                                 \
  if (n_pushed == 0)                                                                                                   \
  return CUDA_ERROR_INVALID_CONTEXT

/* A function of the driver that only returns another one's result. */
#define RETURNS(result, name, ...)                                                                                     \
  static CUresult name (__VA_ARGS__)                                                                                   \
  {                                                                                                                    \
    return result;                                                                                                     \
  }

static CUresult
make (void **handle)
{
  NEED_CONTEXT ();
  *handle = malloc (1);
  return *handle ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Its memory on the host goes in any case: libgstcuda frees even when pushing the context has failed. */
static CUresult
destroy (void *handle)
{
  free (handle);
  NEED_CONTEXT ();
  return CUDA_SUCCESS;
}

static CUresult
done (void)
{
  NEED_CONTEXT ();
  return CUDA_SUCCESS;
}

RETURNS (CUDA_SUCCESS, init, unsigned flags)

static CUresult
driver_get_version (int *version)
{
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

static CUresult
get_error_string (CUresult error, const char **text)
{
  *text = "an error of the null device";
  return CUDA_SUCCESS;
}

static CUresult
device_get_count (int *count)
{
  const char *text = getenv ("NULL_DEVICES");

  *count = text ? atoi (text) : 1;
  return *count <= MAX_DEVICES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult
device_get (CUdevice *device, int ordinal)
{
  int count = 0;

  *device = ordinal;
  device_get_count (&count);
  return ordinal >= 0 && ordinal < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult
device_get_name (char *name, int size, CUdevice device)
{
  snprintf (name, (size_t) size, "null device");
  return CUDA_SUCCESS;
}

/* Returns an attribute; tests choose the compute capability. */
static CUresult
device_get_attribute (int *value, CUdevice_attribute attribute, CUdevice device)
{
  const char *text = getenv ("NULL_DEVICE_GENERATION");
  const int generation = text ? atoi (text) : 0;

  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = generation / 10; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = generation % 10; break;
    default: *value = 512; break; /* alignments, in bytes */
  }
  return CUDA_SUCCESS;
}

/* --- Contexts ---------------------------------------------------------------------------------------- */

static CUresult
primary_retain (CUcontext *context, CUdevice device)
{
  *context = (CUcontext) &primaries[device];
  return CUDA_SUCCESS;
}

RETURNS (CUDA_SUCCESS, primary_release, CUdevice device)

static CUresult
push (CUcontext context)
{
  if (context == NULL || n_pushed == MAX_PUSHED)
    return CUDA_ERROR_INVALID_CONTEXT;
  pushed[n_pushed++] = context;
  return CUDA_SUCCESS;
}

static CUresult
pop (CUcontext *context)
{
  NEED_CONTEXT ();
  *context = pushed[--n_pushed];
  return CUDA_SUCCESS;
}

static CUresult
context_create (CUcontext *context, unsigned flags, CUdevice device)
{
  CUdevice *made = malloc (sizeof *made);

  if (made == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *made = device;
  *context = (CUcontext) made;
  return push (*context);
}

static CUresult
context_destroy (CUcontext context)
{
  free (context);
  return CUDA_SUCCESS;
}

static CUresult
context_current (CUcontext *context)
{
  *context = n_pushed > 0 ? pushed[n_pushed - 1] : NULL;
  return CUDA_SUCCESS;
}

static CUresult
context_device (CUdevice *device)
{
  NEED_CONTEXT ();
  *device = *(CUdevice *) pushed[n_pushed - 1];
  return CUDA_SUCCESS;
}

/* --- Kernels, events, streams ------------------------------------------------------------------------ */

RETURNS (make ((void **) module), module_load, CUmodule *module, const void *image)
RETURNS (destroy (module), module_unload, CUmodule module)

static CUresult
module_function (CUfunction *function, CUmodule module, const char *name)
{
  NEED_CONTEXT ();
  *function = (CUfunction) &kernel;
#ifdef HAVE_EMULATOR
  if (getenv ("NULL_DEVICE_EMULATES"))
    *function = (CUfunction) emulator_find (name);
#endif
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static CUresult
launch (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
        unsigned block_z, unsigned shared, CUstream stream, void **params, void **extra)
{
  const bool possible = grid_x && grid_y && grid_z && block_x && block_y && block_z && grid_y <= 65535
                        && grid_z <= 65535 && block_x * block_y * block_z <= 1024;

  NEED_CONTEXT ();
  if (!possible || function == NULL)
    return CUDA_ERROR_INVALID_VALUE;
#ifdef HAVE_EMULATOR
  if (function != (CUfunction) &kernel) {
    const uint32_t grid[] = { grid_x, grid_y, grid_z }, block[] = { block_x, block_y, block_z };

    emulator_run ((const EmulatedKernel *) function, grid, block, params[0]);
  }
#endif
  return CUDA_SUCCESS;
}

static CUresult
launch_host (CUstream stream, CUhostFn f, void *data)
{
  NEED_CONTEXT ();
  f (data);
  return CUDA_SUCCESS;
}

RETURNS (make ((void **) event), event_create, CUevent *event, unsigned flags)
RETURNS (destroy (event), event_destroy, CUevent event)
RETURNS (done (), event_record, CUevent event, CUstream stream)

/* Every other time, the work is still under way. */
static CUresult
event_query (CUevent event)
{
  static _Atomic unsigned n;
  const CUresult result = done ();

  return result == CUDA_SUCCESS && n++ % 2 == 0 ? CUDA_ERROR_NOT_READY : result;
}

RETURNS (done (), event_synchronize, CUevent event)

static CUresult
event_elapsed (float *milliseconds, CUevent start, CUevent end)
{
  *milliseconds = 0.25f;
  return done ();
}

RETURNS (make ((void **) stream), stream_create, CUstream *stream, unsigned flags)
RETURNS (destroy (stream), stream_destroy, CUstream stream)
RETURNS (done (), stream_synchronize, CUstream stream)
RETURNS (done (), stream_wait_event, CUstream stream, CUevent event, unsigned flags)

/* --- Memory ------------------------------------------------------------------------------------------ */

static void *
host (CUdeviceptr memory)
{
  return (void *) (uintptr_t) memory;
}

static CUresult
alloc_host (void **memory, size_t bytes)
{
  NEED_CONTEXT ();
  if (bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  *memory = calloc (1, bytes);
  return *memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult
alloc (CUdeviceptr *memory, size_t bytes)
{
  void *block;
  CUresult result = alloc_host (&block, bytes);

  if (result == CUDA_SUCCESS)
    *memory = (uintptr_t) block;
  return result;
}

static CUresult
alloc_pitch (CUdeviceptr *memory, size_t *pitch, size_t row, size_t n_rows, unsigned element)
{
  *pitch = row;
  return alloc (memory, row * n_rows);
}

RETURNS (destroy (host (memory)), free_device, CUdeviceptr memory)
RETURNS (done (), host_register, void *memory, size_t bytes, unsigned flags)
RETURNS (done (), host_unregister, void *memory)

/* Leaves the values of memory that no driver knows. */
RETURNS (done (), pointer_attributes, unsigned n, CUpointer_attribute *attributes, void **values, CUdeviceptr pointer)

static CUresult
copy_up (CUdeviceptr to, const void *from, size_t bytes)
{
  memcpy (host (to), from, bytes);
  return done ();
}

static CUresult
copy_down (void *to, CUdeviceptr from, size_t bytes)
{
  memcpy (to, host (from), bytes);
  return done ();
}

RETURNS (copy_down (to, from, bytes), copy_down_async, void *to, CUdeviceptr from, size_t bytes, CUstream stream)

static CUresult
copy_2d (const CUDA_MEMCPY2D *copy, CUstream stream)
{
  const bool from_host = copy->srcMemoryType == CU_MEMORYTYPE_HOST, to_host = copy->dstMemoryType == CU_MEMORYTYPE_HOST,
             from_array = copy->srcMemoryType == CU_MEMORYTYPE_ARRAY;
  const FakeCudaArray array = from_array ? *(const FakeCudaArray *) copy->srcArray : (FakeCudaArray) { 0 };
  const size_t from_pitch = from_array ? array.pitch : copy->srcPitch;
  const char *from = from_array ? array.data : from_host ? copy->srcHost : host (copy->srcDevice);
  char *to = to_host ? copy->dstHost : host (copy->dstDevice);

  NEED_CONTEXT ();
  from += copy->srcY * from_pitch + copy->srcXInBytes;
  to += copy->dstY * copy->dstPitch + copy->dstXInBytes;
  for (size_t y = 0; y < copy->Height; y++)
    memcpy (to + y * copy->dstPitch, from + y * from_pitch, copy->WidthInBytes);
  return CUDA_SUCCESS;
}

RETURNS (copy_2d (copy, NULL), copy_2d_now, const CUDA_MEMCPY2D *copy)

static CUresult
set (CUdeviceptr memory, unsigned char value, size_t bytes)
{
  memset (host (memory), value, bytes);
  return done ();
}

RETURNS (set (memory, value, bytes), set_async, CUdeviceptr memory, unsigned char value, size_t bytes, CUstream stream)

static CUresult
set_2d_async (CUdeviceptr memory, size_t pitch, unsigned char value, size_t row, size_t n_rows, CUstream stream)
{
  for (size_t y = 0; y < n_rows; y++)
    memset (host (memory + y * pitch), value, row);
  return done ();
}

/* --- Graphs ------------------------------------------------------------------------------------------ */

/* Nodes in the order of adding. Each follows one of those before. */
typedef struct Node
{
  struct Node *next;
  CUDA_KERNEL_NODE_PARAMS kernel; /* without a function: no kernel */
  char params[768];               /* a copy of the kernel's */
  CUDA_MEMSET_NODE_PARAMS clear;  /* without memory: nothing to clear */
} Node;

typedef struct
{
  Node *first, *last;
  bool is_apart; /* the last one has no dependency so far */
} Graph;

static CUresult
graph_create (CUgraph *graph, unsigned flags)
{
  NEED_CONTEXT ();
  *graph = calloc (1, sizeof (Graph));
  return *graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult
graph_destroy (CUgraph handle)
{
  Graph *graph = (Graph *) handle;

  for (Node *node = graph->first, *next; node; node = next) {
    next = node->next;
    free (node);
  }
  return destroy (graph);
}

static bool
graph_has (const Graph *graph, CUgraphNode handle)
{
  const Node *node = graph->first;

  while (node && node != (const Node *) handle)
    node = node->next;
  return node != NULL;
}

static CUresult
graph_add (CUgraphNode *handle, CUgraph graph_handle, const CUgraphNode *before, size_t n_before, Node values)
{
  Graph *graph = (Graph *) graph_handle;
  Node *node;

  NEED_CONTEXT ();
  if (graph->is_apart || n_before > 1 || (n_before && !graph_has (graph, *before)))
    return CUDA_ERROR_INVALID_VALUE;
  node = malloc (sizeof *node);
  if (node == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *node = values;
  graph->is_apart = graph->last && n_before == 0;
  *(graph->last ? &graph->last->next : &graph->first) = node;
  graph->last = node;
  *handle = (CUgraphNode) node;
  return CUDA_SUCCESS;
}

static Node
kernel_node (const CUDA_KERNEL_NODE_PARAMS *params)
{
  Node node = { .kernel = *params };

#ifdef HAVE_EMULATOR
  if (params->func != (CUfunction) &kernel) {
    if (((const EmulatedKernel *) params->func)->n_params > sizeof node.params)
      abort ();
    memcpy (node.params, params->kernelParams[0], ((const EmulatedKernel *) params->func)->n_params);
  }
#endif
  return node;
}

static CUresult
graph_add_kernel (CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n_before,
                  const CUDA_KERNEL_NODE_PARAMS *params)
{
  return graph_add (node, graph, before, n_before, kernel_node (params));
}

static CUresult
graph_add_clear (CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n_before,
                 const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
  return graph_add (node, graph, before, n_before, (Node) { .clear = *params });
}

/* Of a kernel that has none so far. */
static CUresult
graph_add_dependencies (CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
                        size_t n)
{
  Graph *graph = (Graph *) handle;

  NEED_CONTEXT ();
  if (n != 1 || !graph->is_apart || (Node *) *to != graph->last || *from == *to || !graph_has (graph, *from))
    return CUDA_ERROR_INVALID_VALUE;
  graph->is_apart = false;
  return CUDA_SUCCESS;
}

/* The executable graph has the nodes of the one that it was made of, which lives as long. */
static CUresult
graph_instantiate (CUgraphExec *executable, CUgraph graph, unsigned long long flags)
{
  NEED_CONTEXT ();
  if (((Graph *) graph)->is_apart)
    return CUDA_ERROR_INVALID_VALUE;
  *executable = malloc (sizeof graph);
  if (*executable == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *(CUgraph *) *executable = graph;
  return CUDA_SUCCESS;
}

RETURNS (destroy (executable), executable_destroy, CUgraphExec executable)

static CUresult
change_kernel (CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
  Node changed = kernel_node (params);

  changed.next = ((Node *) node)->next;
  *(Node *) node = changed;
  return done ();
}

static CUresult
change_clear (CUgraphExec executable, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
  ((Node *) node)->clear = *params;
  return done ();
}

static CUresult
graph_launch (CUgraphExec executable, CUstream stream)
{
  CUresult result = done ();

  for (Node *node = (*(Graph **) executable)->first; node && result == CUDA_SUCCESS; node = node->next) {
    const CUDA_KERNEL_NODE_PARAMS *k = &node->kernel;
    void *params[] = { node->params };

    if (k->func)
      result = launch (k->func, k->gridDimX, k->gridDimY, k->gridDimZ, k->blockDimX, k->blockDimY, k->blockDimZ, 0,
                       stream, params, NULL);
    if (node->clear.dst)
      result = set (node->clear.dst, (unsigned char) node->clear.value, node->clear.width * node->clear.elementSize);
  }
  return result;
}

const FakeCudaFunctions fake_cuda_null = {
  .cuInit = init,
  .cuDriverGetVersion = driver_get_version,
  .cuGetErrorName = get_error_string,
  .cuGetErrorString = get_error_string,
  .cuDeviceGetCount = device_get_count,
  .cuDeviceGet = device_get,
  .cuDeviceGetName = device_get_name,
  .cuDeviceGetAttribute = device_get_attribute,
  .cuDevicePrimaryCtxRetain = primary_retain,
  .cuDevicePrimaryCtxRelease = primary_release,
  .cuCtxCreate_v2 = context_create,
  .cuCtxDestroy = context_destroy,
  .cuCtxPushCurrent = push,
  .cuCtxPopCurrent = pop,
  .cuCtxGetCurrent = context_current,
  .cuCtxGetDevice = context_device,
  .cuCtxSynchronize = done,
  .cuModuleLoadData = module_load,
  .cuModuleUnload = module_unload,
  .cuModuleGetFunction = module_function,
  .cuLaunchKernel = launch,
  .cuLaunchHostFunc = launch_host,
  .cuMemAlloc = alloc,
  .cuMemAllocPitch = alloc_pitch,
  .cuMemFree = free_device,
  .cuMemAllocHost = alloc_host,
  .cuMemFreeHost = destroy,
  .cuMemHostRegister = host_register,
  .cuMemHostUnregister = host_unregister,
  .cuMemcpyHtoD = copy_up,
  .cuMemcpyDtoH = copy_down,
  .cuMemcpyDtoHAsync = copy_down_async,
  .cuMemcpy2D = copy_2d_now,
  .cuMemcpy2DAsync = copy_2d,
  .cuMemsetD8 = set,
  .cuMemsetD8Async = set_async,
  .cuMemsetD2D8Async = set_2d_async,
  .cuPointerGetAttributes = pointer_attributes,
  .cuEventCreate = event_create,
  .cuEventDestroy = event_destroy,
  .cuEventRecord = event_record,
  .cuEventQuery = event_query,
  .cuEventSynchronize = event_synchronize,
  .cuEventElapsedTime = event_elapsed,
  .cuStreamCreate = stream_create,
  .cuStreamDestroy = stream_destroy,
  .cuStreamSynchronize = stream_synchronize,
  .cuStreamWaitEvent = stream_wait_event,
  .cuGraphCreate = graph_create,
  .cuGraphAddKernelNode = graph_add_kernel,
  .cuGraphAddMemsetNode = graph_add_clear,
  .cuGraphAddDependencies_v2 = graph_add_dependencies,
  .cuGraphInstantiate = graph_instantiate,
  .cuGraphExecKernelNodeSetParams = change_kernel,
  .cuGraphExecMemsetNodeSetParams = change_clear,
  .cuGraphLaunch = graph_launch,
  .cuGraphExecDestroy = executable_destroy,
  .cuGraphDestroy = graph_destroy,
};
