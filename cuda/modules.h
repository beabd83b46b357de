/* gst-cca: files of kernels, loaded into a CUDA context
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Loading takes milliseconds and device memory. All users of a driver context, such as the elements of many pipelines,
 * share the modules loaded into it.
 */
#pragma once

#include "cuda/driver.h"

/* When kernels may start while the previous kernel still runs, and wait for it themselves. That saves the launch
 * latency, but a waiting kernel takes room on the multiprocessors from the running one. */
typedef enum
{
  CCA_EARLY_NEVER,
  CCA_EARLY_IN_SMALL_FRAMES, /* of up to CCA_SMALL_FRAME pixels */
  CCA_EARLY_ALWAYS
} CcaEarly;

#define CCA_SMALL_FRAME (1u << 25)

#define CCA_MODULE_KERNELS_MAX 32

/* A file of kernels. The build compiles it to a fatbin and embeds it; CCA_CUDA_MODULE (cuda/module.h) defines this. */
typedef struct
{
  const char *name;
  const unsigned char *fatbin;
  const char *const *kernels; /* names of its functions */
  uint32_t n_kernels;
  CcaEarly early;
} CcaCudaModule;

typedef struct
{
  const CcaCudaModule *module;
  uint32_t index; /* into module->kernels */
} CcaCudaKernel;

/* The modules loaded into one context. */
typedef struct CcaCudaModules CcaCudaModules;

/* Acquire the modules of a context, and release them; the last release unloads them. For that the context must be
 * current; if `lost`, nothing is unloaded. Any thread may call them. */
CcaStatus cca_cuda_modules_open (CcaCudaModules **modules, CUcontext context);
void cca_cuda_modules_close (CcaCudaModules *modules, const CcaCudaDriver *driver, bool lost);

/* Loads a module if it is not loaded yet. The context must be current; a failure's text names the device. */
CcaStatus cca_cuda_modules_load (CcaCudaModules *modules, const CcaCudaDriver *driver, const CcaCudaModule *module,
                                 const char *device_name);

/* Returns the function of a kernel, or NULL if its module is not loaded. */
CUfunction cca_cuda_modules_function (const CcaCudaModules *modules, CcaCudaKernel kernel);
