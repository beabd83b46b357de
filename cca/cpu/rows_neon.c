/* gst-cca: row primitives for NEON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <arm_neon.h>
#include <stdint.h>

typedef uint8x16_t Vector;
#define VECTOR_BYTES 16
#define v_load(p) vld1q_u8 ((const uint8_t *) (p))
#define v_store(p, v) vst1q_u8 ((uint8_t *) (p), v)
#define v_set_u8(a) vdupq_n_u8 (a)
#define v_set_u16(a) vreinterpretq_u8_u16 (vdupq_n_u16 (a))
#define v_set_u32(a) vreinterpretq_u8_u32 (vdupq_n_u32 (a))
#define v_sub vsubq_u8
#define v_sub_sat vqsubq_u8
#define v_add_sat vqaddq_u8
#define v_min vminq_u8
#define v_max vmaxq_u8
#define v_or vorrq_u8
#define v_where_zero(a, b) vandq_u8 (vceqzq_u8 (a), b)

/* NEON has no movemask: each equal byte keeps its bit of the eight, and the two halves are added up. */
static inline uint32_t
v_equal_bits (Vector a, Vector b)
{
  static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
  const Vector kept = vandq_u8 (vceqq_u8 (a, b), vld1q_u8 (weights));

  return vaddv_u8 (vget_low_u8 (kept)) | (uint32_t) vaddv_u8 (vget_high_u8 (kept)) << 8;
}

#include "cca/cpu/rows_simd.h"

void
cca_row_ops_init_neon (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
}
