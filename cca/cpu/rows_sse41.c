/* gst-cca: row primitives for SSE4.1 and POPCNT
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <immintrin.h>

typedef __m128i Vector;
#define VECTOR_BYTES 16
#define v_load(p) _mm_loadu_si128 ((const __m128i *) (p))
#define v_store(p, v) _mm_storeu_si128 ((__m128i *) (p), v)
#define v_set_u8(a) _mm_set1_epi8 ((char) (a))
#define v_set_u16(a) _mm_set1_epi16 ((short) (a))
#define v_set_u32(a) _mm_set1_epi32 ((int) (a))
#define v_sub _mm_sub_epi8
#define v_sub_sat _mm_subs_epu8
#define v_add_sat _mm_adds_epu8
#define v_min _mm_min_epu8
#define v_max _mm_max_epu8
#define v_or _mm_or_si128
#define v_equal_bits(a, b) ((uint32_t) _mm_movemask_epi8 (_mm_cmpeq_epi8 (a, b)))
#define v_where_zero(a, b) _mm_and_si128 (_mm_cmpeq_epi8 (a, _mm_setzero_si128 ()), b)

#include "cca/cpu/rows_rank.h"
#include "cca/cpu/rows_simd.h"

void
cca_row_ops_init_sse41 (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
  row_ops_init_label (ops);
  ops->find_runs = find_runs_rank;
}
