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
 *   v_sub_16, v_sub_sat_16, v_add_sat_16, v_min_16, v_max_16, v_equal_bits_16, v_where_zero_16   the same for words
 *   v_halves (a, b, second)     the bytes of two vectors' words that stand first or second in memory
 *   v_weigh (p, weights)        the values of VECTOR_BYTES pixels at p; see CcaRowOps.weigh
 *   v_exchange (a)              the bytes of each word exchanged
 */
#include "cca/cpu/rows.h"

#include <string.h>

/* Calls a function for n values, a vector at a time. The last vectors overlap; fewer values than a vector go to the
 * scalar function. */
#define FOR_EACH_VECTOR(lanes, vector, scalar)                                                                         \
  do {                                                                                                                 \
    uint32_t i = 0;                                                                                                    \
                                                                                                                       \
    for (; i + (lanes) <= n; i += (lanes))                                                                             \
      vector;                                                                                                          \
    if (i < n && n >= (lanes)) {                                                                                       \
      i = n - (lanes);                                                                                                 \
      vector;                                                                                                          \
    }                                                                                                                  \
    for (; n < (lanes) && i < n; i++)                                                                                  \
      scalar;                                                                                                          \
  } while (0)

static void
halves_simd (const uint8_t *pixels, uint32_t n, bool second, uint8_t *values)
{
  FOR_EACH_VECTOR (
      VECTOR_BYTES,
      v_store (values + i, v_halves (v_load (pixels + 2 * i), v_load (pixels + 2 * i + VECTOR_BYTES), second)),
      values[i] = pixels[2 * i + second]);
}

static inline uint8_t
weigh_pixel (const uint8_t *pixel, uint32_t weights)
{
  uint32_t sum = 128;

  for (uint32_t k = 0; k < 4; k++)
    sum += pixel[k] * (weights >> 8 * k & 0xff);
  return (uint8_t) (sum >> 8);
}

static void
weigh_simd (const uint8_t *pixels, uint32_t n, uint32_t weights, uint8_t *values)
{
  FOR_EACH_VECTOR (VECTOR_BYTES, v_store (values + i, v_weigh (pixels + 4 * i, weights)),
                   values[i] = weigh_pixel (pixels + 4 * i, weights));
}

static void
exchange_simd (const uint8_t *pixels, uint32_t n, CcaPixel16 *values)
{
  FOR_EACH_VECTOR (VECTOR_BYTES / 2, v_store (values + i, v_exchange (v_load (pixels + 2 * i))),
                   values[i] = (uint16_t) (pixels[2 * i] << 8 | pixels[2 * i + 1]));
}

#undef FOR_EACH_VECTOR

/* Computes the bit words of a row: the expression gives word i from the 64 readable pixels at `chunk`. A partial last
 * word is read through a copy. */
#define FOR_EACH_WORD(type, chunk_to_word)                                                                             \
  do {                                                                                                                 \
    const uint32_t n_full = width / 64, rest = width % 64, n_words = cca_row_words (width);                            \
                                                                                                                       \
    for (uint32_t i = 0; i < n_full; i++) {                                                                            \
      const type *chunk = pixels + i * 64;                                                                             \
                                                                                                                       \
      bits[i] = chunk_to_word;                                                                                         \
    }                                                                                                                  \
    for (uint32_t i = n_full; i < n_words; i++)                                                                        \
      bits[i] = 0;                                                                                                     \
    if (rest) {                                                                                                        \
      type chunk[64] = { 0 };                                                                                          \
      const uint32_t i = n_full;                                                                                       \
                                                                                                                       \
      memcpy (chunk, pixels + i * 64, rest * sizeof (type));                                                           \
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

  FOR_EACH_WORD (CcaPixel8, word_in_range (chunk, v_low, v_span) ^ flip);
}

static inline uint64_t
word_in_range_16 (const CcaPixel16 *chunk, bool exchange, Vector low, Vector span)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES / 2) {
    const Vector values = v_load (chunk + k), offset = v_sub_16 (exchange ? v_exchange (values) : values, low);

    word |= (uint64_t) v_equal_bits_16 (v_min_16 (offset, span), offset) << k;
  }
  return word;
}

static void
range_16_simd (const CcaPixel16 *pixels, uint32_t width, uint16_t low, uint16_t span, bool invert, uint64_t *bits)
{
  const Vector v_low = v_set_u16 (low), v_span = v_set_u16 (span);
  const uint64_t flip = invert ? ~(uint64_t) 0 : 0;

  FOR_EACH_WORD (CcaPixel16, word_in_range_16 (chunk, false, v_low, v_span) ^ flip);
}

static void
range_exchanged_simd (const CcaPixel16 *pixels, uint32_t width, uint16_t low, uint16_t span, bool invert,
                      uint64_t *bits)
{
  const Vector v_low = v_set_u16 (low), v_span = v_set_u16 (span);
  const uint64_t flip = invert ? ~(uint64_t) 0 : 0;

  FOR_EACH_WORD (CcaPixel16, word_in_range_16 (chunk, true, v_low, v_span) ^ flip);
}

static inline uint64_t
word_equal (const uint8_t *a, const uint8_t *b)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES)
    word |= (uint64_t) v_equal_bits (v_load (a + k), v_load (b + k)) << k;
  return word;
}

static inline uint64_t
word_equal_16 (const CcaPixel16 *a, const CcaPixel16 *b)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES / 2)
    word |= (uint64_t) v_equal_bits_16 (v_load (a + k), v_load (b + k)) << k;
  return word;
}

#define DIFFER(name, type, equal)                                                                                      \
  static void name (const type *pixels, uint32_t width, uint64_t *bits)                                                \
  {                                                                                                                    \
    const uint32_t n_words = cca_row_words (width);                                                                    \
                                                                                                                       \
    memset (bits, 0, n_words * sizeof *bits);                                                                          \
    for (uint32_t x = 0; x < width; x += 64) {                                                                         \
      const uint32_t n = width - x < 64 ? width - x : 64;                                                              \
                                                                                                                       \
      if (x > 0 && n == 64) {                                                                                          \
        bits[x / 64] = ~equal (pixels + x, pixels + x - 1);                                                            \
      } else {                                                                                                         \
        /* The first pixel has no left neighbour, and the last word may have fewer than 64 pixels. */                  \
        type here[64] = { 0 }, left[64] = { 0 };                                                                       \
                                                                                                                       \
        memcpy (here, pixels + x, n * sizeof (type));                                                                  \
        left[0] = x > 0 ? pixels[x - 1] : pixels[0];                                                                   \
        memcpy (left + 1, pixels + x, (n - 1) * sizeof (type));                                                        \
        bits[x / 64] = ~equal (here, left) & (~(uint64_t) 0 >> (64 - n));                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }

DIFFER (differ_simd, CcaPixel8, word_equal)
DIFFER (differ_16_simd, CcaPixel16, word_equal_16)

#undef DIFFER

/* Moves background and spread by a vector; returns the bits where the difference reaches the spread. */
static inline uint64_t
motion_vector (Vector pixel, uint8_t *background, uint8_t *spread, Vector least, CcaMotionStep step)
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
  spread_moved = v_max (v_min (spread_moved, v_set_u8 (step.v_max)), least);
  v_store (background, moved);
  v_store (spread, spread_moved);
  return v_equal_bits (v_max (difference, spread_moved), difference);
}

static inline uint64_t
word_motion (const uint8_t *chunk, uint8_t *background, uint8_t *spread, CcaMotionStep step)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES)
    word |= motion_vector (v_load (chunk + k), background + k, spread + k, v_set_u8 (step.v_min), step) << k;
  return step.report ? word : 0;
}

static inline uint64_t
word_motion_by_place (const uint8_t *chunk, uint8_t *background, uint8_t *spread, const uint8_t *least,
                      CcaMotionStep step)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES)
    word |= motion_vector (v_load (chunk + k), background + k, spread + k, v_load (least + k), step) << k;
  return step.report ? word : 0;
}

/* Background and spread have rows of whole words; only the pixels may end early. */
static void
motion_simd (const uint8_t *pixels, uint32_t width, uint8_t *background, uint8_t *spread, CcaMotionStep step,
             uint64_t *bits)
{
  FOR_EACH_WORD (CcaPixel8, word_motion (chunk, background + i * 64, spread + i * 64, step));
}

/* As above, for values of 16 bits. */
static inline uint64_t
motion_vector_16 (Vector pixel, uint16_t *background, uint16_t *spread, Vector least, CcaMotionStep step)
{
  const Vector level = v_set_u16 (step.level), reach = v_set_u16 (step.step);
  const Vector m = v_load (background), v = v_load (spread);
  const Vector moved = v_max_16 (v_min_16 (pixel, v_add_sat_16 (m, reach)), v_sub_sat_16 (m, reach));
  const Vector difference = v_or (v_sub_sat_16 (pixel, moved), v_sub_sat_16 (moved, pixel));
  Vector target = difference, spread_moved;

  for (uint32_t i = 1; i < step.amplification; i++)
    target = v_add_sat_16 (target, difference);
  target = v_or (target, v_where_zero_16 (difference, v));
  spread_moved = v_max_16 (v_min_16 (target, v_add_sat_16 (v, level)), v_sub_sat_16 (v, level));
  spread_moved = v_max_16 (v_min_16 (spread_moved, v_set_u16 (step.v_max)), least);
  v_store (background, moved);
  v_store (spread, spread_moved);
  return v_equal_bits_16 (v_max_16 (difference, spread_moved), difference);
}

static inline uint64_t
word_motion_16 (const CcaPixel16 *chunk, uint16_t *background, uint16_t *spread, CcaMotionStep step)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES / 2)
    word |= motion_vector_16 (v_load (chunk + k), background + k, spread + k, v_set_u16 (step.v_min), step) << k;
  return step.report ? word : 0;
}

static inline uint64_t
word_motion_by_place_16 (const CcaPixel16 *chunk, uint16_t *background, uint16_t *spread, const uint16_t *least,
                         CcaMotionStep step)
{
  uint64_t word = 0;

  for (uint32_t k = 0; k < 64; k += VECTOR_BYTES / 2)
    word |= motion_vector_16 (v_load (chunk + k), background + k, spread + k, v_load (least + k), step) << k;
  return step.report ? word : 0;
}

static void
motion_16_simd (const CcaPixel16 *pixels, uint32_t width, uint16_t *background, uint16_t *spread, CcaMotionStep step,
                uint64_t *bits)
{
  FOR_EACH_WORD (CcaPixel16, word_motion_16 (chunk, background + i * 64, spread + i * 64, step));
}

static void
motion_by_place_simd (const uint8_t *pixels, uint32_t width, uint8_t *background, uint8_t *spread, const uint8_t *least,
                      CcaMotionStep step, uint64_t *bits)
{
  FOR_EACH_WORD (CcaPixel8, word_motion_by_place (chunk, background + i * 64, spread + i * 64, least + i * 64, step));
}

static void
motion_by_place_16_simd (const CcaPixel16 *pixels, uint32_t width, uint16_t *background, uint16_t *spread,
                         const uint16_t *least, CcaMotionStep step, uint64_t *bits)
{
  FOR_EACH_WORD (CcaPixel16,
                 word_motion_by_place_16 (chunk, background + i * 64, spread + i * 64, least + i * 64, step));
}

#undef FOR_EACH_WORD

/* Writes a segment in whole vectors that may run over its end, since the next segment overwrites that; near the end of
 * the row, pixel by pixel. */
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
  ops->halves = halves_simd;
  ops->weigh = weigh_simd;
  ops->exchange = exchange_simd;
  ops->range = range_simd;
  ops->range_16 = range_16_simd;
  ops->range_exchanged = range_exchanged_simd;
  ops->differ = differ_simd;
  ops->differ_16 = differ_16_simd;
  ops->motion = motion_simd;
  ops->motion_16 = motion_16_simd;
  ops->motion_by_place = motion_by_place_simd;
  ops->motion_by_place_16 = motion_by_place_16_simd;
  ops->paint_u8 = paint_u8_simd;
  ops->paint_u16 = paint_u16_simd;
  ops->paint_u32 = paint_u32_simd;
}
