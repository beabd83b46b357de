/* gst-cca: a device: its context, modules of kernels, memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_DEVICE_H
#define CCA_CUDA_DEVICE_H

#include "cuda/driver.h"

/* A file of kernels, which the build compiles to a fatbin and embeds; CCA_CUDA_MODULE of cuda/module.h defines it. */
typedef struct
{
  const char *name;
  const unsigned char *fatbin;
  const char *const *kernels; /* names of its functions */
  uint32_t n_kernels;
  bool starts_early; /* a kernel can be started while the one before it runs, for which it waits itself */
} CcaCudaModule;

typedef struct
{
  const CcaCudaModule *module;
  uint32_t index; /* in module->kernels */
} CcaCudaKernel;

#define CCA_MODULES_MAX 48
#define CCA_MODULE_KERNELS_MAX 32

typedef struct
{
  const CcaCudaModule *module;
  CUmodule handle;
  CUfunction functions[CCA_MODULE_KERNELS_MAX];
} CcaLoadedModule;

typedef struct
{
  const CcaCudaDriver *driver;
  CUdevice device;
  CUcontext context;
  bool owns_context; /* retained the primary one */
  CcaLoadedModule modules[CCA_MODULES_MAX];
  uint32_t n_modules;
  char name[64];
  int compute_capability; /* 10 * major + minor */
} CcaCudaDevice;

/* Opens a device: the caller's context where native is given, else the primary one of the ordinal, -1 for the first. */
CcaStatus cca_cuda_device_open (CcaCudaDevice *device, int ordinal, void *native);
void cca_cuda_device_close (CcaCudaDevice *device);

/* Everything below needs the device's context to be current. */
CcaStatus cca_cuda_push (const CcaCudaDevice *device);
void cca_cuda_pop (const CcaCudaDevice *device);

/* Loads a module, unless it is loaded. Its kernels can be launched from then on. */
CcaStatus cca_cuda_load (CcaCudaDevice *device, const CcaCudaModule *module);

/* Returns the function of a kernel whose module is loaded. */
CUfunction cca_cuda_function (const CcaCudaDevice *device, CcaCudaKernel kernel);

/* Returns whether a kernel can be started on this device while the one before it still runs. */
bool cca_cuda_starts_early (const CcaCudaDevice *device, CcaCudaKernel kernel);

CcaStatus cca_cuda_alloc (const CcaCudaDevice *device, size_t bytes, void **memory);
CcaStatus cca_cuda_alloc_pinned (const CcaCudaDevice *device, size_t bytes, void **memory);
void cca_cuda_free (const CcaCudaDevice *device, void *memory);        /* NULL is allowed */
void cca_cuda_free_pinned (const CcaCudaDevice *device, void *memory); /* NULL is allowed */

#endif
