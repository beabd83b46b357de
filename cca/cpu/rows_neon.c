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

/* NEON has no movemask: each equal byte keeps one bit of eight, and the two halves are summed. */
static inline uint32_t
v_equal_bits (Vector a, Vector b)
{
  static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
  const Vector kept = vandq_u8 (vceqq_u8 (a, b), vld1q_u8 (weights));

  return vaddv_u8 (vget_low_u8 (kept)) | (uint32_t) vaddv_u8 (vget_high_u8 (kept)) << 8;
}

#define V_16(operation, a, b) vreinterpretq_u8_u16 (operation (vreinterpretq_u16_u8 (a), vreinterpretq_u16_u8 (b)))
#define v_sub_16(a, b) V_16 (vsubq_u16, a, b)
#define v_sub_sat_16(a, b) V_16 (vqsubq_u16, a, b)
#define v_add_sat_16(a, b) V_16 (vqaddq_u16, a, b)
#define v_min_16(a, b) V_16 (vminq_u16, a, b)
#define v_max_16(a, b) V_16 (vmaxq_u16, a, b)
#define v_where_zero_16(a, b) vandq_u8 (V_16 (vceqq_u16, a, vdupq_n_u8 (0)), b)
#define v_halves(a, b, second) ((second) ? vuzp2q_u8 (a, b) : vuzp1q_u8 (a, b))
#define v_exchange(a) vrev16q_u8 (a)

static inline uint32_t
v_equal_bits_16 (Vector a, Vector b)
{
  static const uint16_t weights[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };

  return vaddvq_u16 (vandq_u16 (vceqq_u16 (vreinterpretq_u16_u8 (a), vreinterpretq_u16_u8 (b)), vld1q_u16 (weights)));
}

static inline Vector
v_weigh (const uint8_t *p, uint32_t weights)
{
  const uint8x16x4_t bytes = vld4q_u8 (p);
  uint16x8_t low = vdupq_n_u16 (0), high = low;

  for (int k = 0; k < 4; k++) {
    const uint8x8_t weight = vdup_n_u8 ((uint8_t) (weights >> 8 * k));

    low = vmlal_u8 (low, vget_low_u8 (bytes.val[k]), weight);
    high = vmlal_u8 (high, vget_high_u8 (bytes.val[k]), weight);
  }
  return vcombine_u8 (vrshrn_n_u16 (low, 8), vrshrn_n_u16 (high, 8));
}

#include "cca/cpu/rows_simd.h"

void
cca_row_ops_init_neon (CcaRowOps *ops)
{
  row_ops_init_simd (ops);
}
