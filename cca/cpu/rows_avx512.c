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

#define v_sub_16 _mm512_sub_epi16
#define v_sub_sat_16 _mm512_subs_epu16
#define v_add_sat_16 _mm512_adds_epu16
#define v_min_16 _mm512_min_epu16
#define v_max_16 _mm512_max_epu16
#define v_equal_bits_16(a, b) _mm512_cmpeq_epi16_mask (a, b)
#define v_where_zero_16(a, b) _mm512_maskz_mov_epi16 (_mm512_testn_epi16_mask (a, a), b)
#define v_exchange(a) _mm512_or_si512 (_mm512_slli_epi16 (a, 8), _mm512_srli_epi16 (a, 8))

static inline Vector
v_halves (Vector a, Vector b, int second)
{
  const Vector low = _mm512_set1_epi16 (0xff);
  const Vector packed = second ? _mm512_packus_epi16 (_mm512_srli_epi16 (a, 8), _mm512_srli_epi16 (b, 8))
                               : _mm512_packus_epi16 (_mm512_and_si512 (a, low), _mm512_and_si512 (b, low));

  /* The pack works within quarters: eights of pixels are in the order 0, 2, 4, 6, 1, 3, 5, 7. */
  return _mm512_permutexvar_epi64 (_mm512_setr_epi64 (0, 2, 4, 6, 1, 3, 5, 7), packed);
}

/* Returns the weighted sums of 16 pixels. The multiplication needs signed bytes beside the unsigned weights: each byte
 * is less by 128, so each sum by 256 * 128; no sum of two products overflows. */
static inline __m512i
sums_of_16 (const unsigned char *p, __m512i weights)
{
  const __m512i bytes = _mm512_xor_si512 (v_load (p), _mm512_set1_epi8 (-128));

  return _mm512_madd_epi16 (_mm512_maddubs_epi16 (weights, bytes), _mm512_set1_epi16 (1));
}

static inline Vector
v_weigh (const unsigned char *p, unsigned weights)
{
  const __m512i w = _mm512_set1_epi32 ((int) weights), offset = _mm512_set1_epi16 (-32768 + 128);
  const __m512i a = _mm512_packs_epi32 (sums_of_16 (p, w), sums_of_16 (p + 64, w));
  const __m512i b = _mm512_packs_epi32 (sums_of_16 (p + 128, w), sums_of_16 (p + 192, w));
  const __m512i packed = _mm512_packus_epi16 (_mm512_srli_epi16 (_mm512_add_epi16 (a, offset), 8),
                                              _mm512_srli_epi16 (_mm512_add_epi16 (b, offset), 8));

  /* The packs work within quarters: fours of pixels are in the order 0, 4, 8, 12, 1, 5, …. */
  return _mm512_permutexvar_epi32 (_mm512_setr_epi32 (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), packed);
}

#define ROWS_HAVE_FIND_RUNS
#include "cca/cpu/rows_details.h"
#include "cca/cpu/rows_rank.h"
#include "cca/cpu/rows_simd.h"

/* Stores the positions of a word's edges: 0…63, compressed by its bits (compress-store: Lemaitre, Hennequin &
 * Lacassagne, WPMVP 2020, section 3.2). */
static void
find_runs_avx512 (CcaRow *row)
{
  const __m512i iota =
      _mm512_set_epi8 (63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
                       39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                       15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  uint16_t *out = (uint16_t *) row->runs;

  count_runs (row);
  for (uint32_t i = 0; i < row->n_words; i++) {
    const uint64_t edges = row->starts[i] | row->ends[i];
    const uint32_t n = (uint32_t) _mm_popcnt_u64 (edges);

    if (n > 0) {
      const __m512i within = _mm512_maskz_compress_epi8 (edges, iota);
      const __m512i base = _mm512_set1_epi16 ((short) (i * 64));

      _mm512_storeu_si512 (out, _mm512_add_epi16 (_mm512_cvtepu8_epi16 (_mm512_castsi512_si256 (within)), base));
      if (n > 32)
        _mm512_storeu_si512 (out + 32,
                             _mm512_add_epi16 (_mm512_cvtepu8_epi16 (_mm512_extracti64x4_epi64 (within, 1)), base));
      out += n;
    }
  }
}

/* Returns, for each bit b of a word, how many bits are set below b, or up to it: one byte a bit. */
static inline __m512i
counts_below (uint64_t word, __m512i masks)
{
  const __m512i byte_of_bit =
      _mm512_set_epi64 (0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
                        0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const uint64_t counts = (uint64_t) _mm_cvtsi128_si64 (_mm_popcnt_epi8 (_mm_cvtsi64_si128 ((long long) word)));
  const __m512i before = _mm512_set1_epi64 ((long long) (counts * 0x0101010101010101 << 8));
  const __m512i within =
      _mm512_and_si512 (_mm512_shuffle_epi8 (_mm512_set1_epi64 ((long long) word), byte_of_bit), masks);

  return _mm512_add_epi8 (_mm512_shuffle_epi8 (before, byte_of_bit), _mm512_popcnt_epi8 (within));
}

/* Stores the counts at the bits of `at`, each plus `before`. Returns how many. No two neighbours are set in `at`, so
 * that a word has at most 32. */
static inline uint32_t
store_counts (uint64_t at, __m512i counts, uint32_t before, uint16_t *out)
{
  const __m512i bytes = _mm512_maskz_compress_epi8 (at, counts);
  const __m512i words = _mm512_cvtepu8_epi16 (_mm512_castsi512_si256 (bytes));

  _mm512_storeu_si512 (out, _mm512_add_epi16 (words, _mm512_set1_epi16 ((short) before)));
  return (uint32_t) _mm_popcnt_u64 (at);
}

/* Stores, for each bit of `at`, the number of bits of `of` below it, or up to it: the results of first_run_from(), a
 * whole word at once. */
static void
ranks (const uint64_t *at, const uint64_t *of, uint32_t n_words, bool up_to, uint16_t *out)
{
  const __m512i masks = _mm512_set1_epi64 (up_to ? (long long) 0xff7f3f1f0f070301 : 0x7f3f1f0f07030100);
  uint32_t before = 0;

  for (uint32_t i = 0; i < n_words; i++) {
    if (at[i])
      out += store_counts (at[i], counts_below (of[i], masks), before, out);
    before += (uint32_t) _mm_popcnt_u64 (of[i]);
  }
}

/* Does the same as list_bridged(), a word at a time. The row bridges a gap of the row above if it fills the gap and,
 * with 4-connectivity, also the pixels on both sides: a carry that enters the gap then leaves it again.
 *
 *     above    ##....##..#
 *     row      .######.##.
 *     enters     x          with 8-connectivity also into the gap on the right
 *     leaves         x
 */
static uint32_t
list_bridged_by_words (const CcaRow *above, const CcaRow *row, uint32_t reach, uint16_t *list)
{
  const __m512i masks = _mm512_set1_epi64 (0x7f3f1f0f07030100);
  const uint64_t no_sides = reach ? ~(uint64_t) 0 : 0;
  uint64_t last = 0;
  uint32_t n = 0, before = 0;
  unsigned char carry = 0;

  for (uint32_t i = 0; i < row->n_words; i++) {
    const uint64_t bits = row->bits[i], left = bits << 1 | last;
    const uint64_t enters = above->ends[i] & bits & (left | no_sides);
    const uint64_t leaves = above->starts[i] & (bits | no_sides);
    unsigned long long sum;

    carry = _addcarry_u64 (carry, bits & ~above->bits[i], enters, &sum);
    if (sum & leaves)
      n += store_counts (sum & leaves, counts_below (above->starts[i], masks), before, list + n);
    before += (uint32_t) _mm_popcnt_u64 (above->starts[i]);
    last = bits >> 63;
  }
  return n;
}

/* Does label_row() for rows of many runs: with the ranks, everything but the unions is vectorised. */
static void
label_dense_row (const CcaRow *above, CcaRow *row, uint32_t reach, CcaLabelTable *table, uint16_t *const scratch[3])
{
  const __m512i iota_32 = _mm512_set_epi32 (15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  uint16_t *first = scratch[0], *last = scratch[1], *new_starts = scratch[2];
  uint32_t n = 0;

  unite_with_left (above, scratch[0], list_bridged_by_words (above, row, reach, scratch[0]), table->parent);

  /* A run is new if as many runs of the row above end before it as start by its end. */
  ranks (row->starts, above->ends, row->n_words, reach == 0, first);
  ranks (row->ends, above->starts, row->n_words, reach == 1, last);
  for (uint32_t i = 0; i < row->n; i += 16) {
    const __mmask16 valid = row->n - i < 16 ? (1u << (row->n - i)) - 1 : UINT16_MAX;
    const __m256i first_16 = _mm256_loadu_si256 ((const __m256i *) (first + i));
    const __mmask16 is_new =
        _mm256_mask_cmpeq_epi16_mask (valid, first_16, _mm256_loadu_si256 ((const __m256i *) (last + i)));
    const __mmask16 is_old = valid & ~is_new;
    const __m512i zero = _mm512_setzero_si512 ();
    const __m512i touched =
        _mm512_mask_i32gather_epi32 (zero, is_old, _mm512_cvtepu16_epi32 (first_16), above->labels, 4);
    const __m512i inherited = _mm512_mask_i32gather_epi32 (zero, is_old, touched, table->parent, 4);
    const __m512i fresh = _mm512_add_epi32 (iota_32, _mm512_set1_epi32 ((int) (table->n + n)));
    const __m512i starts = _mm512_maskz_compress_epi32 (is_new, _mm512_loadu_si512 (row->runs + i));

    _mm512_storeu_si512 (row->labels + i, _mm512_mask_expand_epi32 (inherited, is_new, fresh));
    _mm256_storeu_si256 ((__m256i *) (new_starts + n), _mm512_cvtepi32_epi16 (starts));
    n += _mm_popcnt_u32 (is_new);
  }
  row->labels[row->n] = 0;
  new_labels (table, new_starts, n, row->top);
}

/* Runs per word from which counting whole words is faster, by measurement. */
#define DENSE_RUNS_A_WORD 3

static void
label_row_avx512 (const CcaRow *above, CcaRow *row, uint32_t reach, CcaLabelTable *table, uint16_t *const scratch[3])
{
  if (row->n + above->n >= 2 * DENSE_RUNS_A_WORD * row->n_words)
    label_dense_row (above, row, reach, table, scratch);
  else
    label_row (above, row, reach, table, scratch);
}

void
cca_row_ops_init_avx512 (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
  row_ops_init_label (ops);
  row_ops_init_details (ops);
  ops->find_runs = find_runs_avx512;
  ops->label_row = label_row_avx512;
}
