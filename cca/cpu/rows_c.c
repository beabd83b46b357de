/* gst-cca: row primitives in portable C, the reference of every other level
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/rows.h"

#define first_run_from cca_first_run_from
#include "cca/cpu/rows_label.h"

#include "cca/cpu/rows_details.h"

#include <string.h>

static void
halves_c (const uint8_t *pixels, uint32_t n, bool second, uint8_t *values)
{
  for (uint32_t i = 0; i < n; i++)
    values[i] = pixels[2 * i + second];
}

static void
weigh_c (const uint8_t *pixels, uint32_t n, uint32_t weights, uint8_t *values)
{
  for (uint32_t i = 0; i < n; i++) {
    uint32_t sum = 128;

    for (uint32_t k = 0; k < 4; k++)
      sum += pixels[4 * i + k] * (weights >> 8 * k & 0xff);
    values[i] = (uint8_t) (sum >> 8);
  }
}

static void
exchange_c (const uint8_t *pixels, uint32_t n, CcaPixel16 *values)
{
  for (uint32_t i = 0; i < n; i++)
    values[i] = (uint16_t) (pixels[2 * i] << 8 | pixels[2 * i + 1]);
}

static void
range_exchanged_c (const CcaPixel16 *pixels, uint32_t width, uint16_t low, uint16_t span, bool invert, uint64_t *bits)
{
  memset (bits, 0, cca_row_words (width) * sizeof *bits);
  for (uint32_t x = 0; x < width; x++) {
    const bool inside = (uint16_t) (__builtin_bswap16 (pixels[x]) - low) <= span;

    bits[x / 64] |= (uint64_t) (inside != invert) << x % 64;
  }
}

static int
clamp (int value, int low, int high)
{
  return value < low ? low : value > high ? high : value;
}

/* The primitives for values of a type, whose largest value is `most`. */
#define VALUES(type, pixel, most, range_name, differ_name, motion_name, by_place_name)                                 \
  static void range_name (const pixel *pixels, uint32_t width, type low, type span, bool invert, uint64_t *bits)       \
  {                                                                                                                    \
    memset (bits, 0, cca_row_words (width) * sizeof *bits);                                                            \
    for (uint32_t x = 0; x < width; x++) {                                                                             \
      const bool inside = (type) (pixels[x] - low) <= span;                                                            \
                                                                                                                       \
      bits[x / 64] |= (uint64_t) (inside != invert) << x % 64;                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void differ_name (const pixel *pixels, uint32_t width, uint64_t *bits)                                        \
  {                                                                                                                    \
    memset (bits, 0, cca_row_words (width) * sizeof *bits);                                                            \
    for (uint32_t x = 1; x < width; x++)                                                                               \
      bits[x / 64] |= (uint64_t) (pixels[x] != pixels[x - 1]) << x % 64;                                               \
  }                                                                                                                    \
                                                                                                                       \
  static inline void motion_name##_of (const pixel *pixels, uint32_t width, type *background, type *spread,            \
                                       const type *least, CcaMotionStep step, uint64_t *bits)                          \
  {                                                                                                                    \
    memset (bits, 0, cca_row_words (width) * sizeof *bits);                                                            \
    for (uint32_t x = 0; x < width; x++) {                                                                             \
      const int v_min = least ? least[x] : step.v_min, v_max = step.v_max > v_min ? step.v_max : v_min;                \
      const int m = clamp (pixels[x], background[x] - step.step, background[x] + step.step);                           \
      const int difference = m < pixels[x] ? pixels[x] - m : m - pixels[x];                                            \
      int v = spread[x];                                                                                               \
                                                                                                                       \
      if (difference != 0)                                                                                             \
        v = clamp (clamp (step.amplification * difference, 0, most), v - step.level, v + step.level);                  \
      v = clamp (v, v_min, v_max);                                                                                     \
      background[x] = (type) m;                                                                                        \
      spread[x] = (type) v;                                                                                            \
      bits[x / 64] |= (uint64_t) (step.report && difference >= v) << x % 64;                                           \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void motion_name (const pixel *pixels, uint32_t width, type *background, type *spread, CcaMotionStep step,    \
                           uint64_t *bits)                                                                             \
  {                                                                                                                    \
    motion_name##_of (pixels, width, background, spread, NULL, step, bits);                                            \
  }                                                                                                                    \
                                                                                                                       \
  static void by_place_name (const pixel *pixels, uint32_t width, type *background, type *spread, const type *least,   \
                             CcaMotionStep step, uint64_t *bits)                                                       \
  {                                                                                                                    \
    motion_name##_of (pixels, width, background, spread, least, step, bits);                                           \
  }

VALUES (uint8_t, CcaPixel8, UINT8_MAX, range_c, differ_c, motion_c, motion_by_place_c)
VALUES (uint16_t, CcaPixel16, UINT16_MAX, range_16_c, differ_16_c, motion_16_c, motion_by_place_16_c)

/* Runs alternate starts and ends in memory, as the row does. */
static void
find_runs_c (CcaRow *row)
{
  const uint64_t *bits = row->bits;
  uint16_t *out = (uint16_t *) row->runs;
  uint64_t carry = 0;

  for (uint32_t i = 0; i < row->n_words; i++) {
    uint64_t edges = bits[i] ^ (bits[i] << 1 | carry);

    carry = bits[i] >> 63;
    for (; edges; edges &= edges - 1)
      *out++ = i * 64 + __builtin_ctzll (edges);
  }
  row->n = (uint32_t) (out - (uint16_t *) row->runs) / 2;
}

#define PAINT(name, type)                                                                                              \
  static void name (void *row, uint32_t width, const CcaRun *runs, uint32_t n, const uint32_t *values,                 \
                    uint32_t background)                                                                               \
  {                                                                                                                    \
    type *out = row;                                                                                                   \
    uint32_t x = 0;                                                                                                    \
                                                                                                                       \
    for (uint32_t i = 0; i < n; i++) {                                                                                 \
      while (x < runs[i].start)                                                                                        \
        out[x++] = (type) background;                                                                                  \
      while (x < runs[i].end)                                                                                          \
        out[x++] = (type) values[i];                                                                                   \
    }                                                                                                                  \
    while (x < width)                                                                                                  \
      out[x++] = (type) background;                                                                                    \
  }

PAINT (paint_u8_c, CcaPixel8)
PAINT (paint_u16_c, CcaPixel16)
PAINT (paint_u32_c, CcaPixel32)

void
cca_row_ops_init_c (CcaRowOps *ops)
{
  *ops = (CcaRowOps) {
    .halves = halves_c,
    .weigh = weigh_c,
    .exchange = exchange_c,
    .range = range_c,
    .range_16 = range_16_c,
    .range_exchanged = range_exchanged_c,
    .differ = differ_c,
    .differ_16 = differ_16_c,
    .motion = motion_c,
    .motion_16 = motion_16_c,
    .motion_by_place = motion_by_place_c,
    .motion_by_place_16 = motion_by_place_16_c,
    .find_runs = find_runs_c,
    .paint_u8 = paint_u8_c,
    .paint_u16 = paint_u16_c,
    .paint_u32 = paint_u32_c,
  };
  row_ops_init_label (ops);
  row_ops_init_details (ops);
}
