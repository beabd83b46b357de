/* gst-cca: an NVIDIA GPU for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-gpu.h"

#include <cuda.h>
#include <dlfcn.h>
#include <stdint.h>

#include "bench-engine.h"
#include "ceilings.h"

extern const unsigned char bench_fatbin_ceilings[];

#define FUNCTIONS(F)                                                                                                   \
  F (cuInit)                                                                                                           \
  F (cuGetErrorString)                                                                                                 \
  F (cuDeviceGet)                                                                                                      \
  F (cuDeviceGetName)                                                                                                  \
  F (cuDeviceGetAttribute)                                                                                             \
  F (cuDevicePrimaryCtxRetain)                                                                                         \
  F (cuCtxPushCurrent)                                                                                                 \
  F (cuStreamCreate)                                                                                                   \
  F (cuStreamSynchronize)                                                                                              \
  F (cuEventCreate)                                                                                                    \
  F (cuEventRecord)                                                                                                    \
  F (cuEventSynchronize)                                                                                               \
  F (cuEventElapsedTime)                                                                                               \
  F (cuMemAlloc)                                                                                                       \
  F (cuMemFree)                                                                                                        \
  F (cuMemAllocHost)                                                                                                   \
  F (cuMemFreeHost)                                                                                                    \
  F (cuMemcpyDtoHAsync)                                                                                                \
  F (cuMemcpyHtoD)                                                                                                     \
  F (cuMemcpyDtoH)                                                                                                     \
  F (cuMemsetD8)                                                                                                       \
  F (cuModuleLoadData)                                                                                                 \
  F (cuModuleGetFunction)                                                                                              \
  F (cuLaunchKernel)

static struct
{
#define MEMBER(name) __typeof__ (name) *name;
  FUNCTIONS (MEMBER)
#undef MEMBER
} driver;

/* Opened once and kept until the program ends. */
static struct
{
  gboolean open;
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUevent marks[2];
  char name[64];
} gpu;

static gboolean
check (CUresult result, const char *action, GError **error)
{
  const char *text = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  if (driver.cuGetErrorString (result, &text) != CUDA_SUCCESS)
    text = "unknown error";
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "the GPU failed to %s: %s (%d)", action, text, (int) result);
  return FALSE;
}

static gboolean
load_driver (GError **error)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

  if (library == NULL) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "the NVIDIA driver is not installed: %s", dlerror ());
    return FALSE;
  }
/* cuda.h maps names to versions of them. */
#define TEXT(name) #name
#define SYMBOL(name) TEXT (name)
#define LOAD(name)                                                                                                     \
  *(void **) &driver.name = dlsym (library, SYMBOL (name));                                                            \
  if (driver.name == NULL) {                                                                                           \
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "the NVIDIA driver lacks %s", SYMBOL (name));                 \
    return FALSE;                                                                                                      \
  }
  FUNCTIONS (LOAD)
#undef LOAD
  return TRUE;
}

static gboolean
gpu_open (GError **error)
{
  if (!gpu.open)
    gpu.open = load_driver (error) && check (driver.cuInit (0), "start", error)
               && check (driver.cuDeviceGet (&gpu.device, 0), "open", error)
               && check (driver.cuDeviceGetName (gpu.name, sizeof gpu.name, gpu.device), "tell its name", error)
               && check (driver.cuDevicePrimaryCtxRetain (&gpu.context, gpu.device), "make a context", error)
               && check (driver.cuCtxPushCurrent (gpu.context), "make its context current", error)
               && check (driver.cuStreamCreate (&gpu.stream, CU_STREAM_NON_BLOCKING), "make a stream", error)
               && check (driver.cuEventCreate (&gpu.marks[0], CU_EVENT_DEFAULT), "make an event", error)
               && check (driver.cuEventCreate (&gpu.marks[1], CU_EVENT_DEFAULT), "make an event", error);
  return gpu.open;
}

int
bench_gpu_attribute (int attribute)
{
  int value = 0;

  driver.cuDeviceGetAttribute (&value, attribute, gpu.device);
  return value;
}

static int
gpu_generation (void)
{
  return 10 * bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
         + bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

static gsize
gpu_cache_size (void)
{
  return bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
}

static gpointer
gpu_alloc (gsize bytes, GError **error)
{
  g_autofree char *action = g_strdup_printf ("allocate %" G_GSIZE_FORMAT " bytes", bytes);
  CUdeviceptr block = 0;

  if (!check (driver.cuMemAlloc (&block, bytes), action, error))
    return NULL;
  if (!check (driver.cuMemsetD8 (block, 0xff, bytes), "fill memory", error)) {
    driver.cuMemFree (block);
    return NULL;
  }
  return (gpointer) (uintptr_t) block;
}

static void
gpu_free (gpointer block)
{
  if (block != NULL)
    driver.cuMemFree ((CUdeviceptr) (uintptr_t) block);
}

static gboolean
gpu_write (gpointer to, gconstpointer from, gsize bytes, GError **error)
{
  return check (driver.cuMemcpyHtoD ((CUdeviceptr) (uintptr_t) to, from, bytes), "take an image", error);
}

static gboolean
gpu_read (gpointer to, gconstpointer from, gsize bytes, GError **error)
{
  return check (driver.cuMemcpyDtoH (to, (CUdeviceptr) (uintptr_t) from, bytes), "give an image back", error);
}

gpointer
bench_gpu_alloc_pinned (gsize bytes, GError **error)
{
  void *block;

  return check (driver.cuMemAllocHost (&block, bytes), "allocate pinned memory", error) ? block : NULL;
}

void
bench_gpu_free_pinned (gpointer block)
{
  if (block != NULL)
    driver.cuMemFreeHost (block);
}

gboolean
bench_gpu_copy (gpointer to, gconstpointer from, gsize bytes, GError **error)
{
  return check (driver.cuMemcpyDtoHAsync (to, (CUdeviceptr) (uintptr_t) from, bytes, gpu.stream), "copy to the host",
                error);
}

gboolean
bench_gpu_finish (GError **error)
{
  return check (driver.cuStreamSynchronize (gpu.stream), "finish its work", error);
}

static gpointer
gpu_native (void)
{
  return gpu.context;
}

static gpointer
gpu_stream (void)
{
  return gpu.stream;
}

static gboolean
gpu_mark (guint end, GError **error)
{
  return check (driver.cuEventRecord (gpu.marks[end], gpu.stream), "record an event", error);
}

static gboolean
gpu_elapsed (double *ns, GError **error)
{
  float ms;

  if (!check (driver.cuEventSynchronize (gpu.marks[1]), "finish its work", error)
      || !check (driver.cuEventElapsedTime (&ms, gpu.marks[0], gpu.marks[1]), "tell the time", error))
    return FALSE;
  *ns = ms * 1e6;
  return TRUE;
}

const char *
bench_gpu_name (void)
{
  return gpu.name;
}

gpointer
bench_gpu_kernel (gconstpointer fatbin, const char *name, GError **error)
{
  CUmodule module;
  CUfunction kernel = NULL;

  if (!check (driver.cuModuleLoadData (&module, fatbin), "load kernels", error)
      || !check (driver.cuModuleGetFunction (&kernel, module, name), "find a kernel", error))
    return NULL;
  return kernel;
}

gboolean
bench_gpu_launch (gpointer kernel, guint n_blocks, guint n_threads, gpointer params, GError **error)
{
  void *arguments[] = { params };

  return check (driver.cuLaunchKernel (kernel, n_blocks, 1, 1, n_threads, 1, 1, 0, gpu.stream, arguments, NULL),
                "launch a kernel", error);
}

/* One thread of a kernel of ceilings.cu, which is looked up at the first time. */
static gboolean
launch_one (gpointer *kernel, const char *name, CeilingParams params, GError **error)
{
  if (*kernel == NULL)
    *kernel = bench_gpu_kernel (bench_fatbin_ceilings, name, error);
  return *kernel != NULL && bench_gpu_launch (*kernel, 1, 1, &params, error);
}

static gboolean
gpu_occupy (guint64 ns, GError **error)
{
  static gpointer kernel;

  return launch_one (&kernel, "bench_occupy", (CeilingParams) { .bytes = ns }, error);
}

static gboolean
gpu_sign (GError **error)
{
  static gpointer kernel;

  return launch_one (&kernel, "bench_mark", (CeilingParams) { 0 }, error);
}

const BenchMemory bench_device_memory = {
  .name = "device",
  .kind = CCA_MEMORY_DEVICE,
  .open = gpu_open,
  .cache_size = gpu_cache_size,
  .alloc = gpu_alloc,
  .free = gpu_free,
  .write = gpu_write,
  .read = gpu_read,
  .native = gpu_native,
  .stream = gpu_stream,
  .mark = gpu_mark,
  .elapsed = gpu_elapsed,
  .occupy = gpu_occupy,
  .sign = gpu_sign,
  .generation = gpu_generation,
};
