/* gst-cca: the CUDA backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The driver is opened at run time, so that everything else works where there is none. This version finds the driver and the
 * device and has no algorithms yet, so that opening a context always ends with the reason why it cannot be used.
 */
#include "cca/backend.h"
#include "cca/status.h"

#include <cuda.h>
#include <dlfcn.h>

static const CcaAlgorithm *const algorithms[] = { NULL };

/* Where the driver names its error, its words; else the number's. */
static const char *
driver_error (void *driver, CUresult error)
{
  CUresult (*get_string) (CUresult, const char **) = (CUresult (*) (CUresult, const char **)) dlsym (driver, "cuGetErrorString");
  const char *text = NULL;

  if (get_string == NULL || get_string (error, &text) != CUDA_SUCCESS || text == NULL)
    text = "unknown error";
  return text;
}

/* CCA_OK where the driver shows at least device + 1 devices. */
static CcaStatus
find_device (void *driver, int device)
{
  CUresult (*init) (unsigned) = (CUresult (*) (unsigned)) dlsym (driver, "cuInit");
  CUresult (*get_count) (int *) = (CUresult (*) (int *)) dlsym (driver, "cuDeviceGetCount");
  CUresult error;
  int count = 0;

  if (init == NULL || get_count == NULL)
    return cca_fail (CCA_ERROR_UNAVAILABLE, "libcuda.so.1 is no NVIDIA driver: it lacks cuInit or cuDeviceGetCount");
  error = init (0);
  if (error == CUDA_SUCCESS)
    error = get_count (&count);
  if (error != CUDA_SUCCESS)
    return cca_fail (CCA_ERROR_UNAVAILABLE, "no NVIDIA GPU can be used: the driver says \"%s\" (%d)",
                     driver_error (driver, error), (int) error);
  if (device >= count)
    return cca_fail (CCA_ERROR_UNAVAILABLE, "there is no CUDA device %d; the driver shows %d", device, count);
  if (count == 0)
    return cca_fail (CCA_ERROR_UNAVAILABLE, "the NVIDIA driver shows no GPU");
  return CCA_OK;
}

static CcaStatus
cuda_context_open (CcaContext *context, const CcaContextOptions *options)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  CcaStatus status;

  if (driver == NULL)
    return cca_fail (CCA_ERROR_UNAVAILABLE, "the NVIDIA driver is not installed: %s", dlerror ());
  status = find_device (driver, options->device);
  dlclose (driver);
  if (status != CCA_OK)
    return status;
  return cca_fail (CCA_ERROR_UNAVAILABLE, "gst-cca %s has no GPU algorithms yet", cca_version ());
}

const CcaBackendOps cca_cuda_backend = {
  .name = "cuda",
  .algorithms = algorithms,
  .context_open = cuda_context_open,
};
