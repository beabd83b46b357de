/* gst-cca: row primitives for any vector of bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Included once by each rows_<level>.c, which first defines its vector:
 *   Vector, VECTOR_BYTES        the type and its size, 16, 32 or 64
 *   v_load, v_store             unaligned
 *   v_set_u8, v_set_u16, v_set_u32
 *   v_sub, v_sub_sat, v_add_sat, v_min, v_max, v_or   unsigned bytes
 *   v_equal_bits (a, b)         one bit a byte, the first byte lowest
 *   v_where_zero (a, b)         b where a is 0, else 0
 */
#include "cca/cpu/rows.h"

#include <string.h>

/* The bit words of a row: the expression gives word i from the 64 readable pixels at `chunk`. The last, partial word is
 * read through a copy. */
#define FOR_EACH_WORD(chunk_to_word)                                                                                   \
  do {                                                                                                                 \
    const uint32_t n_full = width / 64, rest = width % 64, n_words = cca_row_words (width);                            \
                                                                                                                       \
    for (uint32_t i = 0; i < n_full; i++) {                                                                            \
      const uint8_t *chunk = pixels + i * 64;                                                                          \
                                                                                                                       \
      bits[i] = chunk_to_word;                                                                                         \
    }                                                                                                                  \
    for (uint32_t i = n_full; i < n_words; i++)                                                                        \
      bits[i] = 0;                                                                                                     \
    if (rest) {                                                                                                        \
      uint8_t chunk[64] = { 0 };                                                                                       \
      const uint32_t i = n_full;                                                                                       \
                                                                                                                       \
      memcpy (chunk, pixels + i * 64, rest);                                                                           \
      bits[i] = (chunk_to_word) & (((uint64_t) 1 << rest) - 1);                                                        \
    }                                                                                                                  \
  } while (0)

static inline uint64_t
word_in_range (const uint8_t *chunk, Vector low, Vector span)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES) {
    const Vector offset = v_sub (v_load (chunk + k), low);

    word |= (uint64_t) v_equal_bits (v_min (offset, span), offset) << k;
  }
  return word;
}

static void
range_simd (const uint8_t *pixels, uint32_t width, uint8_t low, uint8_t span, bool invert, uint64_t *bits)
{
  const Vector v_low = v_set_u8 (low), v_span = v_set_u8 (span);
  const uint64_t flip = invert ? ~(uint64_t) 0 : 0;

  FOR_EACH_WORD (word_in_range (chunk, v_low, v_span) ^ flip);
}

static inline uint64_t
word_equal (const uint8_t *a, const uint8_t *b)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES)
    word |= (uint64_t) v_equal_bits (v_load (a + k), v_load (b + k)) << k;
  return word;
}

static void
differ_simd (const uint8_t *pixels, uint32_t width, uint64_t *bits)
{
  const uint32_t n_words = cca_row_words (width);

  memset (bits, 0, n_words * sizeof *bits);
  for (uint32_t x = 0; x < width; x += 64) {
    const uint32_t n = width - x < 64 ? width - x : 64;

    if (x > 0 && n == 64) {
      bits[x / 64] = ~word_equal (pixels + x, pixels + x - 1);
    } else {
      /* The first pixel has no left neighbour to read and the last word no 64 pixels. */
      uint8_t here[64] = { 0 }, left[64] = { 0 };

      memcpy (here, pixels + x, n);
      left[0] = x > 0 ? pixels[x - 1] : pixels[0];
      memcpy (left + 1, pixels + x, n - 1);
      bits[x / 64] = ~word_equal (here, left) & (~(uint64_t) 0 >> (64 - n));
    }
  }
}

/* One vector of motion_simd: moves background and spread, returns the bits where the difference reaches the spread. */
static inline uint64_t
motion_vector (Vector pixel, uint8_t *background, uint8_t *spread, CcaMotionStep step)
{
  const Vector one = v_set_u8 (1), reach = v_set_u8 (step.step);
  const Vector m = v_load (background), v = v_load (spread);
  const Vector moved = v_max (v_min (pixel, v_add_sat (m, reach)), v_sub_sat (m, reach));
  const Vector difference = v_or (v_sub_sat (pixel, moved), v_sub_sat (moved, pixel));
  Vector target = difference, spread_moved;

  for (uint32_t i = 1; i < step.amplification; i++)
    target = v_add_sat (target, difference);
  target = v_or (target, v_where_zero (difference, v));
  spread_moved = v_max (v_min (target, v_add_sat (v, one)), v_sub_sat (v, one));
  spread_moved = v_max (v_min (spread_moved, v_set_u8 (step.v_max)), v_set_u8 (step.v_min));
  v_store (background, moved);
  v_store (spread, spread_moved);
  return v_equal_bits (v_max (difference, spread_moved), difference);
}

static inline uint64_t
word_motion (const uint8_t *chunk, uint8_t *background, uint8_t *spread, CcaMotionStep step)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES)
    word |= motion_vector (v_load (chunk + k), background + k, spread + k, step) << k;
  return step.report ? word : 0;
}

/* Background and spread have rows of whole words, so that only the pixels end early. */
static void
motion_simd (const uint8_t *pixels, uint32_t width, uint8_t *background, uint8_t *spread, CcaMotionStep step,
             uint64_t *bits)
{
  FOR_EACH_WORD (word_motion (chunk, background + i * 64, spread + i * 64, step));
}

#undef FOR_EACH_WORD

/* A segment is written in whole vectors that may run over its end, since the next segment is written after it; only
 * near the end of the row pixel by pixel. */
#define PAINT(name, type, v_set)                                                                                       \
  static inline uint32_t name##_segment (type *out, uint32_t x, uint32_t end, uint32_t width, type value)              \
  {                                                                                                                    \
    const uint32_t lanes = VECTOR_BYTES / sizeof (type);                                                               \
    const Vector vector = v_set (value);                                                                               \
                                                                                                                       \
    while (x < end && x + lanes <= width) {                                                                            \
      v_store (out + x, vector);                                                                                       \
      x += lanes;                                                                                                      \
    }                                                                                                                  \
    for (; x < end; x++)                                                                                               \
      out[x] = value;                                                                                                  \
    return end;                                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  static void name (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,                 \
                    uint32_t background)                                                                               \
  {                                                                                                                    \
    uint32_t x = 0;                                                                                                    \
                                                                                                                       \
    for (uint32_t i = 0; i < n; i++) {                                                                                 \
      x = name##_segment (row, x, runs[i].start, width, (type) background);                                            \
      x = name##_segment (row, x, runs[i].end, width, (type) values[i]);                                               \
    }                                                                                                                  \
    name##_segment (row, x, width, width, (type) background);                                                          \
  }

PAINT (paint_u8_simd, CcaPixel8, v_set_u8)
PAINT (paint_u16_simd, CcaPixel16, v_set_u16)
PAINT (paint_u32_simd, CcaPixel32, v_set_u32)

#undef PAINT

static void
row_ops_init_simd (CcaRowOps *ops)
{
  ops->range = range_simd;
  ops->differ = differ_simd;
  ops->motion = motion_simd;
  ops->paint_u8 = paint_u8_simd;
  ops->paint_u16 = paint_u16_simd;
  ops->paint_u32 = paint_u32_simd;
}
