/* gst-cca: the CUDA driver, opened at run time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/driver.h"
#include "cca/status.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static CcaCudaDriver functions;
static char unavailable[256]; /* the reason why there is no driver; empty if there is one */

/* The symbol that cuda.h maps a function's name to. */
#define STRING(name) #name
#define SYMBOL(name) STRING (name)

static const char *
error_text (const CcaCudaDriver *driver, CUresult result)
{
  const char *text = NULL;

  if (driver->cuGetErrorString == NULL || driver->cuGetErrorString (result, &text) != CUDA_SUCCESS || text == NULL)
    return "unknown error";
  return text;
}

static void
open_driver (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  CUresult result;
  int count = 0;

  if (library == NULL) {
    snprintf (unavailable, sizeof unavailable, "the NVIDIA driver is not installed: %s", dlerror ());
    return;
  }
#define LOAD(name)                                                                                                     \
  *(void **) &functions.name = dlsym (library, SYMBOL (name));                                                         \
  if (functions.name == NULL && unavailable[0] == '\0')                                                                \
    snprintf (unavailable, sizeof unavailable, "the NVIDIA driver is too old: libcuda.so.1 lacks %s", SYMBOL (name));
  CCA_CUDA_FUNCTIONS (LOAD)
#undef LOAD
  if (unavailable[0] != '\0')
    return;
  result = functions.cuInit (0);
  if (result == CUDA_SUCCESS)
    result = functions.cuDeviceGetCount (&count);
  if (result != CUDA_SUCCESS)
    snprintf (unavailable, sizeof unavailable, "no NVIDIA GPU can be used: the driver says \"%s\" (%d)",
              error_text (&functions, result), (int) result);
  else if (count == 0)
    snprintf (unavailable, sizeof unavailable, "the NVIDIA driver shows no GPU");
}

CcaStatus
cca_cuda_driver (const CcaCudaDriver **driver)
{
  pthread_once (&opened, open_driver);
  if (unavailable[0] != '\0')
    return cca_fail (CCA_ERROR_UNAVAILABLE, "%s", unavailable);
  *driver = &functions;
  return CCA_OK;
}

CcaStatus
cca_cuda_check (const CcaCudaDriver *driver, CUresult result, const char *what, ...)
{
  char action[128];
  va_list args;

  if (result == CUDA_SUCCESS)
    return CCA_OK;
  va_start (args, what);
  vsnprintf (action, sizeof action, what, args);
  va_end (args);
  return cca_fail (result == CUDA_ERROR_OUT_OF_MEMORY ? CCA_ERROR_MEMORY : CCA_ERROR_DEVICE,
                   "the GPU failed to %s: %s (%d)", action, error_text (driver, result), (int) result);
}
