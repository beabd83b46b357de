/* gst-cca: the CPU instruction sets
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/rows.h"

bool
cca_isa_available (CcaIsa isa)
{
  switch (isa) {
    case CCA_ISA_AUTO:
    case CCA_ISA_C: return true;
#if CCA_HAVE_X86
    case CCA_ISA_SSE41: return __builtin_cpu_supports ("sse4.1") && __builtin_cpu_supports ("popcnt");
    case CCA_ISA_AVX2: return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi2");
    case CCA_ISA_AVX512:
      return __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl")
             && __builtin_cpu_supports ("avx512vbmi") && __builtin_cpu_supports ("avx512vbmi2")
             && __builtin_cpu_supports ("avx512bitalg") && cca_isa_available (CCA_ISA_AVX2);
#endif
#if CCA_HAVE_NEON
    case CCA_ISA_NEON: return true;
#endif
    default: return false;
  }
}

CcaIsa
cca_isa_best (void)
{
  static const CcaIsa best_first[] = { CCA_ISA_AVX512, CCA_ISA_AVX2, CCA_ISA_SSE41, CCA_ISA_NEON };

  for (unsigned i = 0; i < sizeof best_first / sizeof best_first[0]; i++)
    if (cca_isa_available (best_first[i]))
      return best_first[i];
  return CCA_ISA_C;
}

void
cca_row_ops_init (CcaRowOps *ops, CcaIsa isa)
{
  cca_row_ops_init_c (ops);
  ops->samples = &cca_samples_ops_c;
#if CCA_HAVE_X86
  if (isa >= CCA_ISA_SSE41 && isa <= CCA_ISA_AVX512) {
    cca_row_ops_init_sse41 (ops);
    ops->samples = &cca_samples_ops_sse41;
  }
  if (isa >= CCA_ISA_AVX2 && isa <= CCA_ISA_AVX512) {
    cca_row_ops_init_avx2 (ops);
    ops->samples = &cca_samples_ops_avx2;
  }
  if (isa == CCA_ISA_AVX512) {
    cca_row_ops_init_avx512 (ops);
    ops->samples = &cca_samples_ops_avx512;
  }
#endif
#if CCA_HAVE_NEON
  if (isa == CCA_ISA_NEON) {
    cca_row_ops_init_neon (ops);
    ops->samples = &cca_samples_ops_neon;
  }
#endif
}
