/* gst-cca: the shapes and intensities of a row's runs
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Included once by each level that compiles these for its own instructions.
 */
#include "cca/cpu/rows.h"

/* How many of four neighbours of each pixel have a bit set: ones + 2 twos + 4 fours. */
typedef struct
{
  uint64_t ones, twos, fours;
} Count;

static inline Count
count_four (uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
  const uint64_t ones_ab = a ^ b, ones_cd = c ^ d, twos_ab = a & b, twos_cd = c & d;

  return (Count) { ones_ab ^ ones_cd, (twos_ab ^ twos_cd) | (ones_ab & ones_cd), twos_ab & twos_cd };
}

/* Returns word i of a bit row shifted by a pixel: each place gets its left, or right, neighbour. */
static inline uint64_t
from_left (const uint64_t *bits, uint32_t i)
{
  return bits[i] << 1 | bits[(int64_t) i - 1] >> 63;
}

static inline uint64_t
from_right (const uint64_t *bits, uint32_t i)
{
  return bits[i] >> 1 | bits[i + 1] << 63;
}

/* Classifies the border pixels of a row by those around them (CcaShape.perimeter), and finds what the Euler number
 * counts: plus 1 for each pixel, minus 1 for each link over a side, plus 1 for each square of four and, with corners,
 * minus 1 for each crossing, a diagonal link whose pixels share no linked neighbour. */
static void
outline_row (const CcaLinks *above, const CcaLinks *row, const CcaLinks *below, uint32_t n_words, bool diagonal,
             const CcaOutline *outline)
{
  const uint64_t crossings = diagonal ? UINT64_MAX : 0;

  for (uint32_t i = 0; i < n_words; i++) {
    const uint64_t border = row->border[i], right = row->right[i], left = from_left (row->right, i);
    const uint64_t down = row->down[i], falling = row->falling[i], rising = row->rising[i];
    const Count sides = count_four (left & from_left (row->border, i), right & from_right (row->border, i),
                                    above->down[i] & above->border[i], down & below->border[i]);
    const Count corners = count_four (from_left (above->falling, i) & from_left (above->border, i),
                                      from_right (above->rising, i) & from_right (above->border, i),
                                      falling & from_right (below->border, i), rising & from_left (below->border, i));
    const uint64_t one_side = sides.ones & ~sides.twos, up_to_two = ~corners.fours & ~(corners.ones & corners.twos);

    outline->steps[i] = border & sides.twos & up_to_two;
    outline->slants[i] = border
                         & ((~sides.ones & ~sides.twos & ~sides.fours & corners.twos & ~corners.ones)
                            | (one_side & corners.twos & corners.ones));
    outline->halves[i] = border & one_side & (corners.ones ^ corners.twos);
    outline->squares[i] = right & down & falling;
    outline->falling_crossings[i] = falling & ~right & ~down & crossings;
    outline->rising_crossings[i] = rising & ~left & ~down & crossings;
  }
}

/* Counts bits of a run in a word of a row. */
#define COUNT(bits) ((uint64_t) __builtin_popcountll ((bits)[i] & mask))

static void
measure_shapes (const CcaLinks *row, const CcaOutline *outline, const CcaRun *runs, uint32_t n,
                CcaDetails *const *details)
{
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t start = runs[k].start, last = runs[k].end - 1u;
    uint64_t steps = 0, slants = 0, halves = 0, down = 0, slanting = 0, squares = 0, crossings = 0;
    CcaDetails *d = details[k];

    for (uint32_t i = start / 64; i <= last / 64; i++) {
      const uint64_t mask = cca_bits_between (i, start, last);

      steps += COUNT (outline->steps);
      slants += COUNT (outline->slants);
      halves += COUNT (outline->halves);
      down += COUNT (row->down);
      slanting += COUNT (row->falling) + COUNT (row->rising);
      squares += COUNT (outline->squares);
      crossings += COUNT (outline->falling_crossings) + COUNT (outline->rising_crossings);
    }
    d->half_steps += 2 * steps + halves;
    d->half_slants += 2 * slants + halves;
    d->entries += 1 + (last + 1 - start) - down;
    d->slanting_entries += 2 * (last + 1 - start) - slanting;
    d->euler_number += (int64_t) (1 + squares - down - crossings);
  }
}

#define MEASURE_VALUES(name, pixel)                                                                                    \
  static void name (const pixel *values, uint32_t n, CcaDetails *details)                                              \
  {                                                                                                                    \
    uint32_t min = UINT16_MAX, max = 0;                                                                                \
    uint32_t sum = 0;                                                                                                  \
                                                                                                                       \
    for (uint32_t i = 0; i < n; i++) {                                                                                 \
      const uint32_t v = values[i];                                                                                    \
                                                                                                                       \
      sum += v;                                                                                                        \
      min = v < min ? v : min;                                                                                         \
      max = v > max ? v : max;                                                                                         \
    }                                                                                                                  \
    details->sum += sum;                                                                                               \
    details->not_min = ~min > details->not_min ? ~min : details->not_min;                                              \
    details->max = max > details->max ? max : details->max;                                                            \
  }

MEASURE_VALUES (measure_values, CcaPixel8)
MEASURE_VALUES (measure_values_16, CcaPixel16)

static void
row_ops_init_details (CcaRowOps *ops)
{
  ops->outline_row = outline_row;
  ops->measure_shapes = measure_shapes;
  ops->measure_values = measure_values;
  ops->measure_values_16 = measure_values_16;
}
