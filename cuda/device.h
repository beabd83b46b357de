/* gst-cca: a CUDA device: context, kernels, memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/modules.h"

typedef struct
{
  const CcaCudaDriver *driver;
  CUdevice device;
  CUcontext context;
  bool owns_context; /* retained the primary context */
  CcaCudaModules *modules;
  char name[64];
  int compute_capability; /* 10 * major + minor */
} CcaCudaDevice;

/* Opens a device: the caller's CUcontext `native` or, if NULL, the primary context of device `ordinal`; -1 is the first
 * device. */
CcaStatus cca_cuda_device_open (CcaCudaDevice *device, int ordinal, void *native);
void cca_cuda_device_close (CcaCudaDevice *device);

/* Make the device's context current, and restore the previous one. All functions below need the device's context to be
 * current. */
CcaStatus cca_cuda_push (const CcaCudaDevice *device);
void cca_cuda_pop (const CcaCudaDevice *device);

/* Loads a module if it is not loaded yet, so that its kernels can be launched. May be called from any thread, but not
 * by cca_plan_run(): the driver may wait for the device. */
CcaStatus cca_cuda_load (const CcaCudaDevice *device, const CcaCudaModule *module);

/* Returns the function of a kernel, or NULL if its module is not loaded; the driver rejects a launch of NULL. */
CUfunction cca_cuda_function (const CcaCudaDevice *device, CcaCudaKernel kernel);

/* Returns whether a kernel may start on this device while the previous one still runs, in a frame of n_pixels. */
bool cca_cuda_starts_early (const CcaCudaDevice *device, CcaCudaKernel kernel, uint64_t n_pixels);

CcaStatus cca_cuda_alloc (const CcaCudaDevice *device, size_t bytes, void **memory);
/* Allocates memory and copies the host's data into it. */
CcaStatus cca_cuda_alloc_copy (const CcaCudaDevice *device, const void *host, size_t bytes, void **memory);
CcaStatus cca_cuda_alloc_pinned (const CcaCudaDevice *device, size_t bytes, void **memory);
/* Returns whether CUDA has pinned these bytes of host memory, so that the device can transfer them itself. */
bool cca_cuda_is_pinned (const CcaCudaDevice *device, const void *memory, size_t bytes);
/* Enqueue a copy of rows from pinned memory to the device's, and back. */
CcaStatus cca_cuda_copy_up (const CcaCudaDevice *device, CUstream stream, void *to, size_t to_pitch, const void *from,
                            size_t from_pitch, size_t row, uint32_t n_rows);
CcaStatus cca_cuda_copy_down (const CcaCudaDevice *device, CUstream stream, void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t row, uint32_t n_rows);
void cca_cuda_free (const CcaCudaDevice *device, void *memory);        /* NULL is allowed */
void cca_cuda_free_pinned (const CcaCudaDevice *device, void *memory); /* NULL is allowed */
