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

#define v_sub_16 _mm_sub_epi16
#define v_sub_sat_16 _mm_subs_epu16
#define v_add_sat_16 _mm_adds_epu16
#define v_min_16 _mm_min_epu16
#define v_max_16 _mm_max_epu16
#define v_equal_bits_16(a, b)                                                                                          \
  ((uint32_t) _mm_movemask_epi8 (_mm_packs_epi16 (_mm_cmpeq_epi16 (a, b), _mm_setzero_si128 ())))
#define v_where_zero_16(a, b) _mm_and_si128 (_mm_cmpeq_epi16 (a, _mm_setzero_si128 ()), b)
#define v_exchange(a) _mm_or_si128 (_mm_slli_epi16 (a, 8), _mm_srli_epi16 (a, 8))

static inline Vector
v_halves (Vector a, Vector b, int second)
{
  const Vector low = _mm_set1_epi16 (0xff);

  if (second)
    return _mm_packus_epi16 (_mm_srli_epi16 (a, 8), _mm_srli_epi16 (b, 8));
  return _mm_packus_epi16 (_mm_and_si128 (a, low), _mm_and_si128 (b, low));
}

/* Returns the weighted sums of four pixels. The multiplication needs signed bytes beside the unsigned weights: each
 * byte is less by 128, so each sum by 256 * 128; no sum of two products overflows. */
static inline __m128i
sums_of_4 (const unsigned char *p, __m128i weights)
{
  const __m128i bytes = _mm_xor_si128 (v_load (p), _mm_set1_epi8 (-128));

  return _mm_madd_epi16 (_mm_maddubs_epi16 (weights, bytes), _mm_set1_epi16 (1));
}

static inline Vector
v_weigh (const unsigned char *p, unsigned weights)
{
  const __m128i w = _mm_set1_epi32 ((int) weights), offset = _mm_set1_epi16 (-32768 + 128);
  const __m128i a = _mm_packs_epi32 (sums_of_4 (p, w), sums_of_4 (p + 16, w));
  const __m128i b = _mm_packs_epi32 (sums_of_4 (p + 32, w), sums_of_4 (p + 48, w));

  return _mm_packus_epi16 (_mm_srli_epi16 (_mm_add_epi16 (a, offset), 8),
                           _mm_srli_epi16 (_mm_add_epi16 (b, offset), 8));
}

#include "cca/cpu/rows_details.h"
#include "cca/cpu/rows_rank.h"
#include "cca/cpu/rows_simd.h"

void
cca_row_ops_init_sse41 (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
  row_ops_init_label (ops);
  row_ops_init_details (ops);
  ops->find_runs = find_runs_rank;
}
