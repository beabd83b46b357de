/* gst-cca: row primitives for AVX-512 with byte, word and compress instructions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <immintrin.h>

typedef __m512i Vector;
#define VECTOR_BYTES 64
#define v_load(p) _mm512_loadu_si512 (p)
#define v_store(p, v) _mm512_storeu_si512 (p, v)
#define v_set_u8(a) _mm512_set1_epi8 ((char) (a))
#define v_set_u16(a) _mm512_set1_epi16 ((short) (a))
#define v_set_u32(a) _mm512_set1_epi32 ((int) (a))
#define v_sub _mm512_sub_epi8
#define v_sub_sat _mm512_subs_epu8
#define v_add_sat _mm512_adds_epu8
#define v_min _mm512_min_epu8
#define v_max _mm512_max_epu8
#define v_or _mm512_or_si512
#define v_equal_bits(a, b) _mm512_cmpeq_epi8_mask (a, b)
#define v_where_zero(a, b) _mm512_maskz_mov_epi8 (_mm512_testn_epi8_mask (a, a), b)

#define ROWS_HAVE_FIND_RUNS
#include "cca/cpu/rows_rank.h"
#include "cca/cpu/rows_simd.h"

/* The positions of a word's edges are what a compress leaves of 0…63 (compress-store: Lemaitre, Hennequin & Lacassagne,
 * WPMVP 2020, section 3.2). */
static void
find_runs_avx512 (const uint64_t *bits, uint32_t n_words, CcaRow *row)
{
  const __m512i low = _mm512_set_epi16 (31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12,
                                        11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  uint16_t *out = (uint16_t *) row->runs;
  uint64_t carry = 0;

  count_ends (bits, n_words, row);
  for (uint32_t i = 0; i < n_words; i++) {
    const uint64_t edges = bits[i] ^ (bits[i] << 1 | carry);

    carry = bits[i] >> 63;
    if (edges) {
      const __m512i first = _mm512_add_epi16 (low, _mm512_set1_epi16 ((short) (i * 64)));
      const __m512i second = _mm512_add_epi16 (first, _mm512_set1_epi16 (32));
      const uint32_t n_first = _mm_popcnt_u32 ((uint32_t) edges);

      _mm512_storeu_si512 (out, _mm512_maskz_compress_epi16 ((uint32_t) edges, first));
      _mm512_storeu_si512 (out + n_first, _mm512_maskz_compress_epi16 ((uint32_t) (edges >> 32), second));
      out += _mm_popcnt_u64 (edges);
    }
  }
}

void
cca_row_ops_init_avx512 (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
  row_ops_init_label (ops);
  ops->find_runs = find_runs_avx512;
}
