/* gst-cca: a device: its context, kernels, memory and events
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/device.h"
#include "cca/status.h"
#include "cuda/kernels/ideas.h"

#include <string.h>

/* The fatbins that the build embeds, one a file of kernels. */
#define EXTERN(file) extern const unsigned char cca_fatbin_##file[];
CCA_KERNEL_FILES (EXTERN)
#undef EXTERN

static const struct
{
  const char *name;
  CcaModule module;
} kernels[CCA_N_KERNELS] = {
#define ENTRY(name, params, file) [CCA_KERNEL_##name] = { "cca_" #name, CCA_MODULE_##file },
  CCA_KERNELS (ENTRY)
#undef ENTRY
};

static CcaStatus
load_kernels (CcaCudaDevice *device)
{
  static const unsigned char *const images[CCA_N_MODULES] = {
#define IMAGE(file) [CCA_MODULE_##file] = cca_fatbin_##file,
    CCA_KERNEL_FILES (IMAGE)
#undef IMAGE
  };
  const CcaCudaDriver *driver = device->driver;
  CcaStatus status = CCA_OK;

  for (int i = 0; i < CCA_N_MODULES && status == CCA_OK; i++)
    status = cca_cuda_check (driver, driver->cuModuleLoadData (&device->modules[i], images[i]),
                             "load the kernels for %s", device->name);
  for (int i = 0; i < CCA_N_KERNELS && status == CCA_OK; i++)
    status = cca_cuda_check (
        driver, driver->cuModuleGetFunction (&device->kernels[i], device->modules[kernels[i].module], kernels[i].name),
        "find kernel %s", kernels[i].name);
  return status;
}

static CcaStatus
open_context (CcaCudaDevice *device, int ordinal, void *native)
{
  const CcaCudaDriver *driver = device->driver;
  CcaStatus status;
  int count = 0;

  if (native) {
    device->context = native;
    if ((status = cca_cuda_push (device)) != CCA_OK)
      return status;
    status = cca_cuda_check (driver, driver->cuCtxGetDevice (&device->device), "tell the context's device");
    cca_cuda_pop (device);
    return status;
  }
  status = cca_cuda_check (driver, driver->cuDeviceGetCount (&count), "count devices");
  if (status != CCA_OK)
    return status;
  if (ordinal >= count)
    return cca_fail (CCA_ERROR_UNAVAILABLE, "there is no CUDA device %d; the driver shows %d", ordinal, count);
  status = cca_cuda_check (driver, driver->cuDeviceGet (&device->device, ordinal < 0 ? 0 : ordinal), "open device %d",
                           ordinal);
  if (status == CCA_OK)
    status = cca_cuda_check (driver, driver->cuDevicePrimaryCtxRetain (&device->context, device->device),
                             "make a context on device %d", ordinal);
  device->owns_context = status == CCA_OK;
  return status;
}

static CcaStatus
describe (CcaCudaDevice *device)
{
  const CcaCudaDriver *driver = device->driver;
  int major = 0, minor = 0;
  CUresult result = driver->cuDeviceGetName (device->name, sizeof device->name, device->device);

  if (result == CUDA_SUCCESS)
    result = driver->cuDeviceGetAttribute (&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device->device);
  if (result == CUDA_SUCCESS)
    result = driver->cuDeviceGetAttribute (&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device->device);
  device->generation = 10 * major + minor;
  return cca_cuda_check (driver, result, "tell its name and compute capability");
}

CcaStatus
cca_cuda_device_open (CcaCudaDevice *device, int ordinal, void *native)
{
  CcaStatus status;

  memset (device, 0, sizeof *device);
  if ((status = cca_cuda_driver (&device->driver)) != CCA_OK
      || (status = open_context (device, ordinal, native)) != CCA_OK)
    return status;
  status = describe (device);
  if (status == CCA_OK && (status = cca_cuda_push (device)) == CCA_OK) {
    status = load_kernels (device);
    cca_cuda_pop (device);
  }
  if (status != CCA_OK)
    cca_cuda_device_close (device);
  return status;
}

void
cca_cuda_device_close (CcaCudaDevice *device)
{
  const CcaCudaDriver *driver = device->driver;

  if (cca_cuda_push (device) == CCA_OK) {
    for (int i = 0; i < CCA_N_MODULES; i++)
      if (device->modules[i])
        driver->cuModuleUnload (device->modules[i]);
    cca_cuda_pop (device);
  }
  if (device->owns_context)
    driver->cuDevicePrimaryCtxRelease (device->device);
}

CcaStatus
cca_cuda_push (const CcaCudaDevice *device)
{
  return cca_cuda_check (device->driver, device->driver->cuCtxPushCurrent (device->context),
                         "make its context current");
}

void
cca_cuda_pop (const CcaCudaDevice *device)
{
  CUcontext context;

  device->driver->cuCtxPopCurrent (&context);
}

CcaStatus
cca_cuda_alloc (const CcaCudaDevice *device, size_t bytes, void **memory)
{
  CUdeviceptr pointer = 0;
  CcaStatus status = cca_cuda_check (device->driver, device->driver->cuMemAlloc (&pointer, bytes),
                                     "allocate %zu bytes of its memory", bytes);

  if (status == CCA_OK)
    *memory = (void *) (uintptr_t) pointer;
  return status;
}

CcaStatus
cca_cuda_alloc_pinned (const CcaCudaDevice *device, size_t bytes, void **memory)
{
  return cca_cuda_check (device->driver, device->driver->cuMemAllocHost (memory, bytes),
                         "allocate %zu bytes of pinned memory", bytes);
}

void
cca_cuda_free (const CcaCudaDevice *device, void *memory)
{
  if (memory)
    device->driver->cuMemFree ((CUdeviceptr) (uintptr_t) memory);
}

void
cca_cuda_free_pinned (const CcaCudaDevice *device, void *memory)
{
  if (memory)
    device->driver->cuMemFreeHost (memory);
}

const char *
cca_cuda_kernel_name (CcaKernel kernel)
{
  return kernels[kernel].name;
}

bool
cca_cuda_starts_early (const CcaCudaDevice *device, CcaKernel kernel)
{
  static const bool waits[CCA_N_MODULES] = {
    [CCA_MODULE_patches] = true, [CCA_MODULE_groups] = true, [CCA_MODULE_borders] = true, [CCA_MODULE_numbers] = true
  };

  return CCA_USES (EARLY) && device->generation >= 90 && waits[kernels[kernel].module];
}
