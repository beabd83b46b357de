/* gst-cca: files of kernels, loaded into a CUDA context
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/modules.h"
#include "cca/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MODULES_MAX 48

typedef struct
{
  const CcaCudaModule *module;
  CUmodule handle;
  CUfunction functions[CCA_MODULE_KERNELS_MAX];
} Loaded;

struct CcaCudaModules
{
  CUcontext context;
  CcaCudaModules *next;
  uint32_t n_users;
  pthread_mutex_t loading; /* held to append to `loaded`; the first n_loaded entries never change */
  Loaded loaded[MODULES_MAX];
  _Atomic uint32_t n_loaded;
};

/* Guards the process's list of contexts and their numbers of users. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static CcaCudaModules *contexts;

static CcaCudaModules *
find_context (CUcontext context)
{
  CcaCudaModules *modules = contexts;

  while (modules && modules->context != context)
    modules = modules->next;
  return modules;
}

CcaStatus
cca_cuda_modules_open (CcaCudaModules **modules, CUcontext context)
{
  CcaCudaModules *found;

  pthread_mutex_lock (&mutex);
  found = find_context (context);
  /* Not by a context's allocator: other contexts share it. */
  if (found == NULL && (found = calloc (1, sizeof *found)) != NULL) {
    found->context = context;
    pthread_mutex_init (&found->loading, NULL);
    found->next = contexts;
    contexts = found;
  }
  if (found)
    found->n_users++;
  pthread_mutex_unlock (&mutex);
  *modules = found;
  return found ? CCA_OK : cca_fail (CCA_ERROR_MEMORY, "no memory for %zu bytes", sizeof *found);
}

/* Removes modules from the list; the caller holds the mutex. */
static void
unlink_modules (const CcaCudaModules *modules)
{
  CcaCudaModules **place = &contexts;

  while (*place != modules)
    place = &(*place)->next;
  *place = modules->next;
}

void
cca_cuda_modules_close (CcaCudaModules *modules, const CcaCudaDriver *driver, bool lost)
{
  bool is_last;

  pthread_mutex_lock (&mutex);
  is_last = --modules->n_users == 0;
  if (is_last)
    unlink_modules (modules);
  pthread_mutex_unlock (&mutex);
  if (!is_last)
    return;
  for (uint32_t i = 0; i < modules->n_loaded && !lost; i++)
    driver->cuModuleUnload (modules->loaded[i].handle);
  pthread_mutex_destroy (&modules->loading);
  free (modules);
}

/* Returns a loaded module, or NULL if it is not loaded. */
static const Loaded *
find_module (const CcaCudaModules *modules, const CcaCudaModule *module)
{
  const uint32_t n = modules->n_loaded;

  for (uint32_t i = 0; i < n; i++)
    if (modules->loaded[i].module == module)
      return &modules->loaded[i];
  return NULL;
}

/* Loads a module and appends it; the caller holds modules->loading. */
static CcaStatus
append_module (CcaCudaModules *modules, const CcaCudaDriver *driver, const CcaCudaModule *module,
               const char *device_name)
{
  Loaded loaded = { .module = module };
  CcaStatus status;

  if (modules->n_loaded == MODULES_MAX)
    return cca_fail (CCA_ERROR_UNSUPPORTED, "cannot load the kernels of %s: a context holds at most %d modules",
                     module->name, MODULES_MAX);
  status = cca_cuda_check (driver, driver->cuModuleLoadData (&loaded.handle, module->fatbin),
                           "load the kernels \"%s\" for %s", module->name, device_name);
  if (status != CCA_OK)
    return status;
  for (uint32_t i = 0; i < module->n_kernels && status == CCA_OK; i++)
    status =
        cca_cuda_check (driver, driver->cuModuleGetFunction (&loaded.functions[i], loaded.handle, module->kernels[i]),
                        "find kernel %s", module->kernels[i]);
  if (status != CCA_OK) {
    driver->cuModuleUnload (loaded.handle);
    return status;
  }
  modules->loaded[modules->n_loaded] = loaded;
  modules->n_loaded++; /* from now on visible to other threads */
  return CCA_OK;
}

CcaStatus
cca_cuda_modules_load (CcaCudaModules *modules, const CcaCudaDriver *driver, const CcaCudaModule *module,
                       const char *device_name)
{
  CcaStatus status = CCA_OK;

  pthread_mutex_lock (&modules->loading);
  if (find_module (modules, module) == NULL)
    status = append_module (modules, driver, module, device_name);
  pthread_mutex_unlock (&modules->loading);
  return status;
}

CUfunction
cca_cuda_modules_function (const CcaCudaModules *modules, CcaCudaKernel kernel)
{
  const Loaded *loaded = find_module (modules, kernel.module);

  return loaded ? loaded->functions[kernel.index] : NULL;
}
