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

#define v_sub_16 _mm256_sub_epi16
#define v_sub_sat_16 _mm256_subs_epu16
#define v_add_sat_16 _mm256_adds_epu16
#define v_min_16 _mm256_min_epu16
#define v_max_16 _mm256_max_epu16
#define v_where_zero_16(a, b) _mm256_and_si256 (_mm256_cmpeq_epi16 (a, _mm256_setzero_si256 ()), b)
#define v_exchange(a) _mm256_or_si256 (_mm256_slli_epi16 (a, 8), _mm256_srli_epi16 (a, 8))

static inline unsigned
v_equal_bits_16 (Vector a, Vector b)
{
  const Vector equal = _mm256_packs_epi16 (_mm256_cmpeq_epi16 (a, b), _mm256_setzero_si256 ());
  const unsigned bits = (unsigned) _mm256_movemask_epi8 (equal);

  return (bits | bits >> 8) & 0xffff;
}

static inline Vector
v_halves (Vector a, Vector b, int second)
{
  const Vector low = _mm256_set1_epi16 (0xff);
  const Vector packed = second ? _mm256_packus_epi16 (_mm256_srli_epi16 (a, 8), _mm256_srli_epi16 (b, 8))
                               : _mm256_packus_epi16 (_mm256_and_si256 (a, low), _mm256_and_si256 (b, low));

  return _mm256_permute4x64_epi64 (packed, 0xd8);
}

/* Returns the weighted sums of eight pixels. The multiplication needs signed bytes beside the unsigned weights: each
 * byte is less by 128, so each sum by 256 * 128; no sum of two products overflows. */
static inline __m256i
sums_of_8 (const unsigned char *p, __m256i weights)
{
  const __m256i bytes = _mm256_xor_si256 (v_load (p), _mm256_set1_epi8 (-128));

  return _mm256_madd_epi16 (_mm256_maddubs_epi16 (weights, bytes), _mm256_set1_epi16 (1));
}

static inline Vector
v_weigh (const unsigned char *p, unsigned weights)
{
  const __m256i w = _mm256_set1_epi32 ((int) weights), offset = _mm256_set1_epi16 (-32768 + 128);
  const __m256i a = _mm256_packs_epi32 (sums_of_8 (p, w), sums_of_8 (p + 32, w));
  const __m256i b = _mm256_packs_epi32 (sums_of_8 (p + 64, w), sums_of_8 (p + 96, w));
  const __m256i packed = _mm256_packus_epi16 (_mm256_srli_epi16 (_mm256_add_epi16 (a, offset), 8),
                                              _mm256_srli_epi16 (_mm256_add_epi16 (b, offset), 8));

  /* The packs work within halves: fours of pixels are in the order 0, 2, 4, 6, 1, 3, 5, 7. */
  return _mm256_permutevar8x32_epi32 (packed, _mm256_setr_epi32 (0, 4, 1, 5, 2, 6, 3, 7));
}

#include "cca/cpu/rows_details.h"
#include "cca/cpu/rows_rank.h"
#include "cca/cpu/rows_simd.h"

void
cca_row_ops_init_avx2 (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
  row_ops_init_label (ops);
  row_ops_init_details (ops);
  ops->find_runs = find_runs_rank;
}
