/* gst-cca: a CUDA driver that fails on demand
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "fake-cuda.h"

#include "cuda/driver.h"
#include "functions.h"
#include "held.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that libcca uses and that is missing here cannot be linked: it needs a line in functions.h, one below, and
 * one in null-device.c. */
__attribute__ ((used)) static void *const needed[] = {
#define NEEDED(name) (void *) &name,
  CCA_CUDA_FUNCTIONS (NEEDED)
#undef NEEDED
};

/* --- The driver behind this one ---------------------------------------------------------------------- */

static FakeCudaFunctions functions;
static bool is_null;

#define STRING(name) #name
#define SYMBOL(name) STRING (name)

static void
open_driver (void)
{
  const char *path = getenv ("FAKE_CUDA_DRIVER");
  void *library;

  is_null = path == NULL || path[0] == '\0';
  if (is_null) {
    functions = fake_cuda_null;
  } else if ((library = dlopen (path, RTLD_NOW | RTLD_LOCAL)) != NULL) {
#define LOAD(name) *(void **) &functions.name = dlsym (library, SYMBOL (name));
    FAKE_CUDA_FUNCTIONS (LOAD)
#undef LOAD
  } else {
    fprintf (stderr, "fake-cuda: FAKE_CUDA_DRIVER: %s\n", dlerror ());
    abort ();
  }
#define CHECK(name)                                                                                                    \
  if (functions.name == NULL) {                                                                                        \
    fprintf (stderr, "fake-cuda: %s lacks %s\n", is_null ? "the null device" : path, SYMBOL (name));                   \
    abort ();                                                                                                          \
  }
  FAKE_CUDA_FUNCTIONS (CHECK)
#undef CHECK
}

static const FakeCudaFunctions *
driver (void)
{
  static pthread_once_t opened = PTHREAD_ONCE_INIT;

  pthread_once (&opened, open_driver);
  return &functions;
}

static void
hold (FakeCudaKind kind, uintptr_t handle, size_t bytes)
{
  CUcontext context = NULL;

  driver ()->cuCtxGetCurrent (&context);
  held_add (kind, handle, bytes, context);
}

/* --- Failing ----------------------------------------------------------------------------------------- */

static struct
{
  pthread_mutex_t mutex;
  uint64_t n_calls, nth;
  FakeCudaSpan span;
  CUcontext lost;
  CUresult result;
  const char *failed;
} failing = { .mutex = PTHREAD_MUTEX_INITIALIZER };

/* Whether a function works without a context, too. */
static bool
needs_no_context (const char *name)
{
  return strcmp (name, "cuInit") == 0 || strcmp (name, "cuDriverGetVersion") == 0
         || strncmp (name, "cuGetError", 10) == 0 || strncmp (name, "cuDevice", 8) == 0
         || (strncmp (name, "cuCtx", 5) == 0 && strcmp (name, "cuCtxSynchronize") != 0);
}

/* Whether the call works in the context that is lost; the first of all loses its own. */
static bool
works_in_lost_context (const char *name)
{
  CUcontext current = NULL;

  if (needs_no_context (name))
    return false;
  driver ()->cuCtxGetCurrent (&current);
  if (failing.failed == NULL)
    failing.lost = current;
  return current == failing.lost;
}

/* With the mutex held. */
static bool
call_fails (const char *name)
{
  if (failing.nth == 0 || failing.n_calls < failing.nth)
    return false;
  switch (failing.span) {
    case FAKE_CUDA_ONCE: return failing.n_calls == failing.nth;
    case FAKE_CUDA_FROM_THEN_ON: return true;
    default: return works_in_lost_context (name);
  }
}

/* Counts a call. Returns the error that it must fail with, or CUDA_SUCCESS. */
static CUresult
count_call (const char *name)
{
  CUresult result = CUDA_SUCCESS;

  pthread_mutex_lock (&failing.mutex);
  failing.n_calls++;
  if (call_fails (name)) {
    result = failing.result;
    if (failing.failed == NULL)
      failing.failed = name;
  }
  pthread_mutex_unlock (&failing.mutex);
  return result;
}

/* Forgets a freed context, so that a new one at its address counts as another; NULL: the primary one. */
static void
forget_context (CUcontext context)
{
  pthread_mutex_lock (&failing.mutex);
  if (failing.lost && (context == NULL || context == failing.lost)) {
    failing.lost = NULL;
    failing.nth = 0;
  }
  pthread_mutex_unlock (&failing.mutex);
}

/* --- Guards ------------------------------------------------------------------------------------------ */

#define GUARD_BYTES 512 /* keeps the driver's alignment */
#define GUARD_VALUE 0xc7
#define UNSET_VALUE 0xa5 /* of memory that was never written */

static void
check_guard (const unsigned char *guard, const char *where, const Held *held)
{
  for (size_t i = 0; i < GUARD_BYTES; i++)
    if (guard[i] != GUARD_VALUE) {
      fprintf (stderr, "fake-cuda: byte %zu of the %d %s %zu bytes of %s was written\n", i, GUARD_BYTES, where,
               held->bytes, held_kind_name (held->kind));
      abort ();
    }
}

static CUresult
alloc_guarded (CUdeviceptr *memory, size_t bytes)
{
  const FakeCudaFunctions *f = driver ();
  CUdeviceptr block;
  CUresult result = f->cuMemAlloc (&block, bytes + 2 * GUARD_BYTES);

  if (result != CUDA_SUCCESS)
    return result;
  *memory = block + GUARD_BYTES;
  if ((result = f->cuMemsetD8 (block, GUARD_VALUE, GUARD_BYTES)) != CUDA_SUCCESS
      || (result = f->cuMemsetD8 (*memory + bytes, GUARD_VALUE, GUARD_BYTES)) != CUDA_SUCCESS
      || (!is_null && (result = f->cuMemsetD8 (*memory, UNSET_VALUE, bytes)) != CUDA_SUCCESS))
    return result;
  return f->cuStreamSynchronize (NULL);
}

static CUresult
free_guarded (const Held *held)
{
  const FakeCudaFunctions *f = driver ();
  const CUdeviceptr memory = held->handle;
  unsigned char guard[GUARD_BYTES];

  if (f->cuCtxSynchronize () == CUDA_SUCCESS
      && f->cuMemcpyDtoH (guard, memory - GUARD_BYTES, GUARD_BYTES) == CUDA_SUCCESS) {
    check_guard (guard, "before", held);
    f->cuMemcpyDtoH (guard, memory + held->bytes, GUARD_BYTES);
    check_guard (guard, "behind", held);
  }
  return f->cuMemFree (memory - GUARD_BYTES);
}

static CUresult
alloc_pinned_guarded (void **memory, size_t bytes)
{
  unsigned char *block;
  CUresult result = driver ()->cuMemAllocHost ((void **) &block, bytes + 2 * GUARD_BYTES);

  if (result != CUDA_SUCCESS)
    return result;
  memset (block, GUARD_VALUE, GUARD_BYTES);
  memset (block + GUARD_BYTES, UNSET_VALUE, bytes);
  memset (block + GUARD_BYTES + bytes, GUARD_VALUE, GUARD_BYTES);
  *memory = block + GUARD_BYTES;
  return CUDA_SUCCESS;
}

static CUresult
free_pinned_guarded (const Held *held)
{
  unsigned char *memory = (unsigned char *) held->handle;

  driver ()->cuCtxSynchronize ();
  check_guard (memory - GUARD_BYTES, "before", held);
  check_guard (memory + held->bytes, "behind", held);
  return driver ()->cuMemFreeHost (memory - GUARD_BYTES);
}

/* --- The driver's functions -------------------------------------------------------------------------- */

#define CALL(name, parameters, arguments)                                                                              \
  CUresult CUDAAPI name parameters                                                                                     \
  {                                                                                                                    \
    const CUresult failure = count_call (#name);                                                                       \
                                                                                                                       \
    return failure ? failure : driver ()->name arguments;                                                              \
  }

/* made: the handle, after success. */
#define MAKE(name, parameters, arguments, kind, made)                                                                  \
  CUresult CUDAAPI name parameters                                                                                     \
  {                                                                                                                    \
    CUresult result = count_call (#name);                                                                              \
                                                                                                                       \
    if (result == CUDA_SUCCESS)                                                                                        \
      result = driver ()->name arguments;                                                                              \
    if (result == CUDA_SUCCESS)                                                                                        \
      hold (kind, (uintptr_t) (made), 0);                                                                              \
    return result;                                                                                                     \
  }

#define RELEASE(name, parameters, arguments, kind, released)                                                           \
  CUresult CUDAAPI name parameters                                                                                     \
  {                                                                                                                    \
    const CUresult failure = count_call (#name), result = driver ()->name arguments;                                   \
                                                                                                                       \
    if (result == CUDA_SUCCESS)                                                                                        \
      held_remove (kind, (uintptr_t) (released));                                                                      \
    return failure ? failure : result;                                                                                 \
  }

CALL (cuInit, (unsigned flags), (flags))
CALL (cuDriverGetVersion, (int *version), (version))
CALL (cuGetErrorName, (CUresult error, const char **name), (error, name))
CALL (cuGetErrorString, (CUresult error, const char **text), (error, text))
CALL (cuDeviceGetCount, (int *count), (count))
CALL (cuDeviceGet, (CUdevice * device, int ordinal), (device, ordinal))
CALL (cuDeviceGetName, (char *name, int size, CUdevice device), (name, size, device))
CALL (cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device), (value, attribute, device))
CALL (cuCtxGetCurrent, (CUcontext * context), (context))
CALL (cuCtxGetDevice, (CUdevice * device), (device))
CALL (cuCtxSynchronize, (void), ())
CALL (cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name), (function, module, name))
CALL (cuLaunchKernel,
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
       unsigned block_z, unsigned shared, CUstream stream, void **params, void **extra),
      (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, params, extra))
CALL (cuLaunchHostFunc, (CUstream stream, CUhostFn f, void *data), (stream, f, data))
CALL (cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes), (to, from, bytes))
CALL (cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes), (to, from, bytes))
CALL (cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream), (to, from, bytes, stream))
CALL (cuMemcpy2D, (const CUDA_MEMCPY2D *copy), (copy))
CALL (cuMemcpy2DAsync, (const CUDA_MEMCPY2D *copy, CUstream stream), (copy, stream))
CALL (cuMemsetD8, (CUdeviceptr memory, unsigned char value, size_t bytes), (memory, value, bytes))
CALL (cuMemsetD8Async, (CUdeviceptr memory, unsigned char value, size_t bytes, CUstream stream),
      (memory, value, bytes, stream))
CALL (cuMemsetD2D8Async,
      (CUdeviceptr memory, size_t pitch, unsigned char value, size_t row, size_t n_rows, CUstream stream),
      (memory, pitch, value, row, n_rows, stream))
CALL (cuEventRecord, (CUevent event, CUstream stream), (event, stream))
CALL (cuEventSynchronize, (CUevent event), (event))
CALL (cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end), (milliseconds, start, end))
CALL (cuStreamSynchronize, (CUstream stream), (stream))
CALL (cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), (stream, event, flags))

CALL (cuGraphAddKernelNode,
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *before, size_t n_before,
       const CUDA_KERNEL_NODE_PARAMS *params),
      (node, graph, before, n_before, params))
CALL (cuGraphAddMemsetNode,
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *before, size_t n_before,
       const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context),
      (node, graph, before, n_before, params, context))
CALL (cuGraphAddDependencies_v2,
      (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges, size_t n),
      (graph, from, to, edges, n))
CALL (cuGraphExecKernelNodeSetParams, (CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params),
      (executable, node, params))
CALL (cuGraphExecMemsetNodeSetParams,
      (CUgraphExec executable, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context),
      (executable, node, params, context))
CALL (cuGraphLaunch, (CUgraphExec executable, CUstream stream), (executable, stream))

MAKE (cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device), (context, device), FAKE_CUDA_CONTEXT, device)
MAKE (cuCtxPushCurrent, (CUcontext context), (context), FAKE_CUDA_CURRENT, context)
MAKE (cuModuleLoadData, (CUmodule * module, const void *image), (module, image), FAKE_CUDA_MODULE, *module)
MAKE (cuGraphCreate, (CUgraph * graph, unsigned flags), (graph, flags), FAKE_CUDA_GRAPH, *graph)
MAKE (cuGraphInstantiate, (CUgraphExec * executable, CUgraph graph, unsigned long long flags),
      (executable, graph, flags), FAKE_CUDA_EXECUTABLE, *executable)
MAKE (cuStreamCreate, (CUstream * stream, unsigned flags), (stream, flags), FAKE_CUDA_STREAM, *stream)

RELEASE (cuMemHostUnregister, (void *memory), (memory), FAKE_CUDA_REGISTERED, memory)
RELEASE (cuModuleUnload, (CUmodule module), (module), FAKE_CUDA_MODULE, module)
RELEASE (cuEventDestroy, (CUevent event), (event), FAKE_CUDA_EVENT, event)
RELEASE (cuGraphExecDestroy, (CUgraphExec executable), (executable), FAKE_CUDA_EXECUTABLE, executable)
RELEASE (cuGraphDestroy, (CUgraph graph), (graph), FAKE_CUDA_GRAPH, graph)
RELEASE (cuStreamDestroy, (CUstream stream), (stream), FAKE_CUDA_STREAM, stream)

/* All holders share the primary context until the last one releases it. */
CUresult CUDAAPI
cuDevicePrimaryCtxRelease (CUdevice device)
{
  const CUresult failure = count_call ("cuDevicePrimaryCtxRelease"),
                 result = driver ()->cuDevicePrimaryCtxRelease (device);

  if (result == CUDA_SUCCESS)
    held_remove (FAKE_CUDA_CONTEXT, (uintptr_t) device);
  if (held_count (FAKE_CUDA_CONTEXT) == 0)
    forget_context (NULL);
  return failure ? failure : result;
}

CUresult CUDAAPI
cuCtxDestroy (CUcontext context)
{
  const CUresult failure = count_call ("cuCtxDestroy"), result = driver ()->cuCtxDestroy (context);

  if (result == CUDA_SUCCESS)
    held_remove (FAKE_CUDA_CONTEXT, (uintptr_t) context);
  forget_context (context);
  return failure ? failure : result;
}

/* The new context is current, too. */
CUresult CUDAAPI
cuCtxCreate_v2 (CUcontext *context, unsigned flags, CUdevice device)
{
  CUresult result = count_call ("cuCtxCreate");

  if (result == CUDA_SUCCESS)
    result = driver ()->cuCtxCreate_v2 (context, flags, device);
  if (result == CUDA_SUCCESS) {
    hold (FAKE_CUDA_CONTEXT, (uintptr_t) *context, 0);
    hold (FAKE_CUDA_CURRENT, (uintptr_t) *context, 0);
  }
  return result;
}

CUresult CUDAAPI
cuMemAlloc (CUdeviceptr *memory, size_t bytes)
{
  CUresult result = count_call ("cuMemAlloc");

  if (result == CUDA_SUCCESS)
    result = alloc_guarded (memory, bytes);
  if (result == CUDA_SUCCESS)
    hold (FAKE_CUDA_MEMORY, *memory, bytes);
  return result;
}

/* Callers may not need the context. */
CUresult CUDAAPI
cuCtxPopCurrent (CUcontext *context)
{
  const CUresult failure = count_call ("cuCtxPopCurrent");
  CUcontext popped;
  const CUresult result = driver ()->cuCtxPopCurrent (&popped);

  if (result == CUDA_SUCCESS) {
    held_remove (FAKE_CUDA_CURRENT, (uintptr_t) popped);
    if (context)
      *context = popped;
  }
  return failure ? failure : result;
}

/* As cuMemAlloc, to keep the guards. */
CUresult CUDAAPI
cuMemAllocPitch (CUdeviceptr *memory, size_t *pitch, size_t row, size_t n_rows, unsigned element)
{
  *pitch = (row + 511) / 512 * 512;
  return cuMemAlloc (memory, *pitch * n_rows);
}

CUresult CUDAAPI
cuMemFree (CUdeviceptr memory)
{
  const CUresult failure = count_call ("cuMemFree");
  const Held held = held_remove (FAKE_CUDA_MEMORY, memory);
  const CUresult result = free_guarded (&held);

  return failure ? failure : result;
}

CUresult CUDAAPI
cuMemAllocHost (void **memory, size_t bytes)
{
  CUresult result = count_call ("cuMemAllocHost");

  if (result == CUDA_SUCCESS)
    result = alloc_pinned_guarded (memory, bytes);
  if (result == CUDA_SUCCESS)
    hold (FAKE_CUDA_PINNED, (uintptr_t) *memory, bytes);
  return result;
}

CUresult CUDAAPI
cuMemFreeHost (void *memory)
{
  const CUresult failure = count_call ("cuMemFreeHost");
  const Held held = held_remove (FAKE_CUDA_PINNED, (uintptr_t) memory);
  const CUresult result = free_pinned_guarded (&held);

  return failure ? failure : result;
}

CUresult CUDAAPI
cuEventCreate (CUevent *event, unsigned flags)
{
  CUresult result = count_call ("cuEventCreate");

  if (result == CUDA_SUCCESS)
    result = driver ()->cuEventCreate (event, flags);
  if (result == CUDA_SUCCESS)
    hold (FAKE_CUDA_EVENT, (uintptr_t) *event, 0);
  return result;
}

static _Atomic uint64_t n_queries;

CUresult CUDAAPI
cuEventQuery (CUevent event)
{
  const CUresult failure = count_call ("cuEventQuery");

  n_queries++;
  return failure ? failure : driver ()->cuEventQuery (event);
}

CUresult CUDAAPI
cuMemHostRegister (void *memory, size_t bytes, unsigned flags)
{
  CUresult result = count_call ("cuMemHostRegister");
  Held held;

  if (result == CUDA_SUCCESS && held_find_pinned ((uintptr_t) memory, &held))
    result = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (result == CUDA_SUCCESS)
    result = driver ()->cuMemHostRegister (memory, bytes, flags);
  if (result == CUDA_SUCCESS)
    hold (FAKE_CUDA_REGISTERED, (uintptr_t) memory, bytes);
  return result;
}

/* The null device knows no memory. */
static void
describe_pinned (unsigned n, const CUpointer_attribute *attributes, void **values, CUdeviceptr pointer)
{
  Held held;

  if (!held_find_pinned (pointer, &held))
    return;
  for (unsigned i = 0; i < n; i++)
    switch (attributes[i]) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(CUmemorytype *) values[i] = CU_MEMORYTYPE_HOST; break;
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *) values[i] = held.handle; break;
      default: *(size_t *) values[i] = held.bytes; break;
    }
}

CUresult CUDAAPI
cuPointerGetAttributes (unsigned n, CUpointer_attribute *attributes, void **values, CUdeviceptr pointer)
{
  CUresult result = count_call ("cuPointerGetAttributes");

  if (result == CUDA_SUCCESS)
    result = driver ()->cuPointerGetAttributes (n, attributes, values, pointer);
  if (result == CUDA_SUCCESS && is_null)
    describe_pinned (n, attributes, values, pointer);
  return result;
}

/* --- EGLImages: only those of the null device -------------------------------------------------------- */

CUresult cuGraphicsEGLRegisterImage (CUgraphicsResource *resource, void *image, unsigned flags);
CUresult cuGraphicsResourceGetMappedEglFrame (void *frame, CUgraphicsResource resource, unsigned index, unsigned level);

/* As a driver does in a context alone. */
static CUresult
check_image (const char *function)
{
  const CUresult failure = count_call (function);
  CUcontext current = NULL;

  if (failure != CUDA_SUCCESS)
    return failure;
  if (!is_null)
    return CUDA_ERROR_NOT_SUPPORTED;
  driver ()->cuCtxGetCurrent (&current);
  return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult CUDAAPI
cuGraphicsEGLRegisterImage (CUgraphicsResource *resource, void *image, unsigned flags)
{
  const CUresult result = check_image ("cuGraphicsEGLRegisterImage");

  if (result == CUDA_SUCCESS) {
    *resource = image;
    hold (FAKE_CUDA_RESOURCE, (uintptr_t) image, 0);
  }
  return result;
}

CUresult CUDAAPI
cuGraphicsResourceGetMappedEglFrame (void *frame, CUgraphicsResource resource, unsigned index, unsigned level)
{
  const CUresult result = check_image ("cuGraphicsResourceGetMappedEglFrame");
  const FakeCudaImage *image = (const FakeCudaImage *) resource;

  if (result == CUDA_SUCCESS)
    memcpy (frame, image->frame, image->bytes);
  return result;
}

CUresult CUDAAPI
cuGraphicsUnregisterResource (CUgraphicsResource resource)
{
  const CUresult result = check_image ("cuGraphicsUnregisterResource");

  if (is_null)
    held_remove (FAKE_CUDA_RESOURCE, (uintptr_t) resource);
  return result;
}

/* --- The interface for tests ------------------------------------------------------------------------- */

static bool
control_is_null (void)
{
  driver ();
  return is_null && getenv ("NULL_DEVICE_EMULATES") == NULL;
}

static void
control_fail (uint64_t nth, FakeCudaSpan span, int result)
{
  pthread_mutex_lock (&failing.mutex);
  failing.n_calls = 0;
  failing.nth = nth;
  failing.span = span;
  failing.lost = NULL;
  failing.result = (CUresult) result;
  failing.failed = NULL;
  pthread_mutex_unlock (&failing.mutex);
}

static uint64_t
control_n_calls (void)
{
  uint64_t n;

  pthread_mutex_lock (&failing.mutex);
  n = failing.n_calls;
  pthread_mutex_unlock (&failing.mutex);
  return n;
}

static const char *
control_failed (void)
{
  const char *name;

  pthread_mutex_lock (&failing.mutex);
  name = failing.failed;
  pthread_mutex_unlock (&failing.mutex);
  return name;
}

static uint64_t
control_n_queries (void)
{
  return n_queries;
}

static bool
goes_with_context (FakeCudaKind kind)
{
  return kind != FAKE_CUDA_CONTEXT && kind != FAKE_CUDA_CURRENT && kind != FAKE_CUDA_RESOURCE;
}

static void
control_release_since (uint64_t mark)
{
  const FakeCudaFunctions *f = driver ();
  CUcontext context;
  Held held;

  while (held_find_since (mark, goes_with_context, &held)) {
    void *handle = (void *) held.handle;

    held_remove (held.kind, held.handle);
    f->cuCtxPushCurrent (held.context);
    switch (held.kind) {
      case FAKE_CUDA_MEMORY: free_guarded (&held); break;
      case FAKE_CUDA_PINNED: free_pinned_guarded (&held); break;
      case FAKE_CUDA_REGISTERED: f->cuMemHostUnregister (handle); break;
      case FAKE_CUDA_MODULE: f->cuModuleUnload (handle); break;
      case FAKE_CUDA_EVENT: f->cuEventDestroy (handle); break;
      case FAKE_CUDA_GRAPH: f->cuGraphDestroy (handle); break;
      case FAKE_CUDA_EXECUTABLE: f->cuGraphExecDestroy (handle); break;
      default: f->cuStreamDestroy (handle); break;
    }
    f->cuCtxPopCurrent (&context);
  }
}

__attribute__ ((visibility ("default"))) extern const FakeCuda fake_cuda;

const FakeCuda fake_cuda = {
  .is_null = control_is_null,
  .kind_name = held_kind_name,
  .fail = control_fail,
  .n_calls = control_n_calls,
  .failed = control_failed,
  .n_held = held_count,
  .n_made = held_made,
  .n_queries = control_n_queries,
  .mark = held_made_of_all,
  .release_since = control_release_since,
};
