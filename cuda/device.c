/* gst-cca: a CUDA device: context, kernels, memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/device.h"
#include "cca/status.h"

#include <string.h>

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
    status = cca_cuda_check (driver, driver->cuCtxGetDevice (&device->device), "get the context's device");
    cca_cuda_pop (device);
    return status;
  }
  status = cca_cuda_check (driver, driver->cuDeviceGetCount (&count), "count devices");
  if (status != CCA_OK)
    return status;
  if (ordinal >= count)
    return cca_fail (CCA_ERROR_UNAVAILABLE, "there is no CUDA device %d; the driver lists %d", ordinal, count);
  status = cca_cuda_check (driver, driver->cuDeviceGet (&device->device, ordinal < 0 ? 0 : ordinal), "open device %d",
                           ordinal);
  if (status == CCA_OK)
    status = cca_cuda_check (driver, driver->cuDevicePrimaryCtxRetain (&device->context, device->device),
                             "create a context on device %d", ordinal);
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
  device->compute_capability = 10 * major + minor;
  return cca_cuda_check (driver, result, "report its name and compute capability");
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
  if (status == CCA_OK)
    status = cca_cuda_modules_open (&device->modules, device->context);
  if (status != CCA_OK)
    cca_cuda_device_close (device);
  return status;
}

void
cca_cuda_device_close (CcaCudaDevice *device)
{
  const bool lost = cca_cuda_push (device) != CCA_OK;

  if (device->modules)
    cca_cuda_modules_close (device->modules, device->driver, lost);
  if (!lost)
    cca_cuda_pop (device);
  if (device->owns_context)
    device->driver->cuDevicePrimaryCtxRelease (device->device);
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
cca_cuda_load (const CcaCudaDevice *device, const CcaCudaModule *module)
{
  return cca_cuda_modules_load (device->modules, device->driver, module, device->name);
}

CUfunction
cca_cuda_function (const CcaCudaDevice *device, CcaCudaKernel kernel)
{
  return cca_cuda_modules_function (device->modules, kernel);
}

bool
cca_cuda_starts_early (const CcaCudaDevice *device, CcaCudaKernel kernel, uint64_t n_pixels)
{
  const CcaEarly early = kernel.module->early;

  return device->compute_capability >= 90 && early != CCA_EARLY_NEVER
         && (early == CCA_EARLY_ALWAYS || n_pixels <= CCA_SMALL_FRAME);
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
cca_cuda_alloc_copy (const CcaCudaDevice *device, const void *host, size_t bytes, void **memory)
{
  const CcaCudaDriver *driver = device->driver;
  void *made;
  CcaStatus status = cca_cuda_alloc (device, bytes, &made);

  if (status != CCA_OK)
    return status;
  /* The driver may return while it still copies from its staging buffer. */
  status = cca_cuda_check (driver, driver->cuMemcpyHtoD ((CUdeviceptr) (uintptr_t) made, host, bytes),
                           "copy %zu bytes to its memory", bytes);
  if (status == CCA_OK)
    status = cca_cuda_check (driver, driver->cuStreamSynchronize (NULL), "finish a copy");
  if (status == CCA_OK)
    *memory = made;
  else
    cca_cuda_free (device, made);
  return status;
}

CcaStatus
cca_cuda_alloc_pinned (const CcaCudaDevice *device, size_t bytes, void **memory)
{
  return cca_cuda_check (device->driver, device->driver->cuMemAllocHost (memory, bytes),
                         "allocate %zu bytes of pinned memory", bytes);
}

bool
cca_cuda_is_pinned (const CcaCudaDevice *device, const void *memory, size_t bytes)
{
  const CUdeviceptr first = (CUdeviceptr) (uintptr_t) memory;
  CUmemorytype type = 0;
  CUdeviceptr start = 0;
  size_t size = 0;
  CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                       CU_POINTER_ATTRIBUTE_RANGE_SIZE };
  void *values[] = { &type, &start, &size };

  /* For memory unknown to CUDA the driver leaves zeros. */
  return device->driver->cuPointerGetAttributes (3, attributes, values, first) == CUDA_SUCCESS
         && type == CU_MEMORYTYPE_HOST && first >= start && first - start <= size && bytes <= size - (first - start);
}

CcaStatus
cca_cuda_copy_up (const CcaCudaDevice *device, CUstream stream, void *to, size_t to_pitch, const void *from,
                  size_t from_pitch, size_t row, uint32_t n_rows)
{
  const CUDA_MEMCPY2D copy = {
    .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = from,
    .srcPitch = n_rows > 1 ? from_pitch : row, /* the driver rejects very large pitches */
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = (CUdeviceptr) (uintptr_t) to,
    .dstPitch = to_pitch,
    .WidthInBytes = row,
    .Height = n_rows,
  };

  return cca_cuda_check (device->driver, device->driver->cuMemcpy2DAsync (&copy, stream), "copy an image");
}

CcaStatus
cca_cuda_copy_down (const CcaCudaDevice *device, CUstream stream, void *to, size_t to_pitch, const void *from,
                    size_t from_pitch, size_t row, uint32_t n_rows)
{
  const CUDA_MEMCPY2D copy = {
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcDevice = (CUdeviceptr) (uintptr_t) from,
    .srcPitch = from_pitch,
    .dstMemoryType = CU_MEMORYTYPE_HOST,
    .dstHost = to,
    .dstPitch = to_pitch,
    .WidthInBytes = row,
    .Height = n_rows,
  };

  return cca_cuda_check (device->driver, device->driver->cuMemcpy2DAsync (&copy, stream), "copy an image");
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
