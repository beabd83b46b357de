/* gst-cca: row primitives for AVX2 and BMI
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <immintrin.h>

typedef __m256i Vector;
#define VECTOR_BYTES 32
#define v_load(p) _mm256_loadu_si256 ((const __m256i *) (p))
#define v_store(p, v) _mm256_storeu_si256 ((__m256i *) (p), v)
#define v_set_u8(a) _mm256_set1_epi8 ((char) (a))
#define v_set_u16(a) _mm256_set1_epi16 ((short) (a))
#define v_set_u32(a) _mm256_set1_epi32 ((int) (a))
#define v_sub _mm256_sub_epi8
#define v_sub_sat _mm256_subs_epu8
#define v_add_sat _mm256_adds_epu8
#define v_min _mm256_min_epu8
#define v_max _mm256_max_epu8
#define v_or _mm256_or_si256
#define v_equal_bits(a, b) ((uint32_t) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (a, b)))
#define v_where_zero(a, b) _mm256_and_si256 (_mm256_cmpeq_epi8 (a, _mm256_setzero_si256 ()), b)

#include "cca/cpu/rows_rank.h"
#include "cca/cpu/rows_simd.h"

void
cca_row_ops_init_avx2 (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
  row_ops_init_label (ops);
  ops->find_runs = find_runs_rank;
}
