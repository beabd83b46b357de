/* gst-cca: a device: its context, kernels, memory and events
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_DEVICE_H
#define CCA_CUDA_DEVICE_H

#include "cuda/driver.h"
#include "cuda/kernels/params.h"

typedef enum
{
#define CCA_KERNEL_ENUM(name, params, file) CCA_KERNEL_##name,
  CCA_KERNELS (CCA_KERNEL_ENUM)
#undef CCA_KERNEL_ENUM
      CCA_N_KERNELS
} CcaKernel;

typedef enum
{
#define CCA_MODULE_ENUM(file) CCA_MODULE_##file,
  CCA_KERNEL_FILES (CCA_MODULE_ENUM)
#undef CCA_MODULE_ENUM
      CCA_N_MODULES
} CcaModule;

typedef struct
{
  const CcaCudaDriver *driver;
  CUdevice device;
  CUcontext context;
  bool owns_context; /* retained the primary one */
  CUmodule modules[CCA_N_MODULES];
  CUfunction kernels[CCA_N_KERNELS];
  char name[64];
  int generation; /* compute capability, 10 * major + minor */
} CcaCudaDevice;

/* Opens a device: the caller's context where native is given, else the primary one of the ordinal, -1 for the first. */
CcaStatus cca_cuda_device_open (CcaCudaDevice *device, int ordinal, void *native);
void cca_cuda_device_close (CcaCudaDevice *device);

/* Everything below needs the device's context to be current. */
CcaStatus cca_cuda_push (const CcaCudaDevice *device);
void cca_cuda_pop (const CcaCudaDevice *device);

CcaStatus cca_cuda_alloc (const CcaCudaDevice *device, size_t bytes, void **memory);
CcaStatus cca_cuda_alloc_pinned (const CcaCudaDevice *device, size_t bytes, void **memory);
void cca_cuda_free (const CcaCudaDevice *device, void *memory);        /* NULL is allowed */
void cca_cuda_free_pinned (const CcaCudaDevice *device, void *memory); /* NULL is allowed */

typedef struct
{
  uint32_t x, y, z;
} CcaDim;

const char *cca_cuda_kernel_name (CcaKernel kernel);

/* Whether a kernel can be started while the one before still runs, for which it waits itself: start_kernel () in
 * kernels/warp.cuh. */
bool cca_cuda_starts_early (const CcaCudaDevice *device, CcaKernel kernel);

#endif
