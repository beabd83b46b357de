/* gst-cca: the CUDA backend of a build without nvcc: keeps the API and reports the reason
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/backend.h"
#include "cca/status.h"

static const CcaAlgorithm *const algorithms[] = { NULL };

static CcaStatus
cuda_context_open (CcaContext *context, const CcaContextOptions *options)
{
  return cca_fail (CCA_ERROR_UNAVAILABLE, "gst-cca was built without CUDA: " CCA_CUDA_REASON);
}

const CcaBackendOps cca_cuda_backend = {
  .name = "cuda",
  .algorithms = algorithms,
  .context_open = cuda_context_open,
};
