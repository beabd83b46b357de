/* gst-cca: backends, algorithms and the names of enum values
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/backend.h"

#define N_ELEMENTS(array) (sizeof (array) / sizeof (array)[0])

static const CcaBackendOps *const backends[] = {
  [CCA_BACKEND_CPU] = &cca_cpu_backend,
  [CCA_BACKEND_CUDA] = &cca_cuda_backend,
};

const CcaBackendOps *
cca_backend_ops (CcaBackend backend)
{
  return (unsigned) backend < N_ELEMENTS (backends) ? backends[backend] : NULL;
}

const char *
cca_backend_name (CcaBackend backend)
{
  const CcaBackendOps *ops = cca_backend_ops (backend);

  return ops ? ops->name : NULL;
}

const CcaAlgorithm *const *
cca_algorithms (CcaBackend backend)
{
  static const CcaAlgorithm *const none[] = { NULL };
  const CcaBackendOps *ops = cca_backend_ops (backend);

  return ops ? ops->algorithms : none;
}

const char *
cca_isa_name (CcaIsa isa)
{
  static const char *const names[] = {
    [CCA_ISA_AUTO] = "auto", [CCA_ISA_C] = "c",           [CCA_ISA_SSE41] = "sse4.1",
    [CCA_ISA_AVX2] = "avx2", [CCA_ISA_AVX512] = "avx512", [CCA_ISA_NEON] = "neon",
  };

  return (unsigned) isa < N_ELEMENTS (names) ? names[isa] : NULL;
}

const char *
cca_stage_name (CcaStage stage)
{
  static const char *const names[CCA_N_STAGES] = {
    [CCA_STAGE_FOREGROUND] = "foreground", [CCA_STAGE_CLEANUP] = "cleanup", [CCA_STAGE_LABEL] = "label",
    [CCA_STAGE_COMPONENTS] = "components", [CCA_STAGE_OUTPUT] = "output",
  };

  return (unsigned) stage < N_ELEMENTS (names) ? names[stage] : NULL;
}

uint32_t
cca_output_pixel_size (CcaOutput output)
{
  static const uint8_t sizes[] = {
    [CCA_OUTPUT_NONE] = 0,   [CCA_OUTPUT_LABELS_U32] = 4, [CCA_OUTPUT_LABELS_U16] = 2,
    [CCA_OUTPUT_COLORS] = 4, [CCA_OUTPUT_MASK] = 1,
  };

  return (unsigned) output < N_ELEMENTS (sizes) ? sizes[output] : 0;
}
