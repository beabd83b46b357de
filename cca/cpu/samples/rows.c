/* gst-cca: the row primitives of the background model SAMPLES
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Compiled once for every instruction set, whose name CCA_LEVEL is. Loops keep to 8 and 16 bits, so that compilers make
 * good vectors of them.
 */
#include "cca/cpu/samples/rows.h"

#include <string.h>

#define PASTE_AGAIN(a, b) a##b
#define PASTE(a, b) PASTE_AGAIN (a, b)

#define ALWAYS_INLINE inline __attribute__ ((always_inline))

static ALWAYS_INLINE uint8_t
least (uint8_t a, uint8_t b)
{
  return a < b ? a : b;
}

static ALWAYS_INLINE uint8_t
most (uint8_t a, uint8_t b)
{
  return a > b ? a : b;
}

static ALWAYS_INLINE uint8_t
distance_of (uint8_t a, uint8_t b)
{
  return (uint8_t) (most (a, b) - least (a, b));
}

static ALWAYS_INLINE uint8_t
add_saturating (uint8_t a, uint8_t b)
{
  return (uint8_t) (a + least (b, (uint8_t) (255 - a)));
}

static ALWAYS_INLINE uint8_t
subtract_saturating (uint8_t a, uint8_t b)
{
  return (uint8_t) (most (a, b) - b);
}

/* --- Smoothing --------------------------------------------------------------------------------------- */

static void
columns (const uint8_t *const rows[4], const uint8_t weights[4], uint32_t n, uint16_t *restrict sums)
{
  const uint8_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
  const uint16_t wa = weights[0], wb = weights[1], wc = weights[2], wd = weights[3];

  if (wd == 0)
    for (uint32_t x = 0; x < n; x++)
      sums[x] = (uint16_t) ((uint16_t) (a[x] + 2 * b[x] + c[x]) << 2);
  else
    for (uint32_t x = 0; x < n; x++)
      sums[x] = (uint16_t) (wa * a[x] + wb * b[x] + wc * c[x] + wd * d[x]);
}

static void
line (const uint16_t *restrict sums, const uint8_t weights[4], uint32_t n, uint8_t *restrict out)
{
  const uint16_t wa = weights[0], wb = weights[1], wc = weights[2], wd = weights[3];

  if (wd == 0)
    for (uint32_t x = 0; x < n; x++)
      out[x] = (uint8_t) ((uint16_t) (sums[x] + 2 * sums[x + 1] + sums[x + 2] + 32) >> 6);
  else
    for (uint32_t x = 0; x < n; x++) {
      const uint16_t sum =
          (uint16_t) (wa * sums[x] + wb * sums[x + 1] + wc * sums[x + 2] + wd * sums[x + 3] + 128);

      out[x] = (uint8_t) (sum >> 8);
    }
}

static void
look_up (const uint8_t table[256], uint32_t n, const uint8_t *row, uint8_t *out)
{
  for (uint32_t x = 0; x < n; x++)
    out[x] = table[row[x]];
}

/* --- Grids ------------------------------------------------------------------------------------------- */

/* Differences that a byte can add up. */
#define DIFFERENCES_A_BYTE (255 / CCA_SAMPLES_SHIFT_MOST)
#define LANES 64

static uint64_t
difference (const uint8_t *restrict a, const uint8_t *restrict b, uint32_t n)
{
  uint64_t total = 0;
  uint32_t x = 0;

  while (n - x >= LANES) {
    uint8_t lanes[LANES] = { 0 };

    for (uint32_t k = 0; k < DIFFERENCES_A_BYTE && n - x >= LANES; k++, x += LANES)
      for (uint32_t i = 0; i < LANES; i++)
        lanes[i] = (uint8_t) (lanes[i] + least (distance_of (a[x + i], b[x + i]), CCA_SAMPLES_SHIFT_MOST));
    for (uint32_t i = 0; i < LANES; i++)
      total += lanes[i];
  }
  for (; x < n; x++)
    total += least (distance_of (a[x], b[x]), CCA_SAMPLES_SHIFT_MOST);
  return total;
}

static void
mean (const uint8_t *restrict samples, size_t stride, uint32_t n, uint8_t *restrict out)
{
  for (uint32_t x = 0; x < n; x++) {
    uint16_t sum = CCA_SAMPLES_LUMA / 2;

#pragma GCC unroll 12
    for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++)
      sum = (uint16_t) (sum + samples[k * stride + x]);
    out[x] = (uint8_t) (sum / CCA_SAMPLES_LUMA);
  }
}

/* --- Distances --------------------------------------------------------------------------------------- */

/* The two smallest of the values so far. */
#define TWO_SMALLEST(first, second, value)                                                                             \
  do {                                                                                                                 \
    const uint8_t the_value = (value);                                                                                 \
                                                                                                                       \
    second = least (second, most (first, the_value));                                                                  \
    first = least (first, the_value);                                                                                  \
  } while (0)

static ALWAYS_INLINE void
distance_below (const uint8_t *restrict row, const uint8_t *restrict samples, size_t stride, uint32_t n,
                uint8_t ceiling, uint8_t *restrict out)
{
  _Static_assert (CCA_SAMPLES_LUMA == 12, "one line for each sample");

  for (uint32_t x = 0; x < n; x++) {
    const uint8_t *s = samples + x;
    uint8_t first = 255, second = 255;

#define SAMPLE(k) TWO_SMALLEST (first, second, distance_of (row[x], least (s[(k) * stride], ceiling)))
    SAMPLE (0);
    SAMPLE (1);
    SAMPLE (2);
    SAMPLE (3);
    SAMPLE (4);
    SAMPLE (5);
    SAMPLE (6);
    SAMPLE (7);
    SAMPLE (8);
    SAMPLE (9);
    SAMPLE (10);
    SAMPLE (11);
#undef SAMPLE
    out[x] = second;
  }
}

static void
distance (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint8_t ceiling, uint8_t *out)
{
  if (ceiling == 255)
    distance_below (row, samples, stride, n, 255, out);
  else
    distance_below (row, samples, stride, n, ceiling, out);
}

static void
chroma_distance (const uint8_t *restrict u, const uint8_t *restrict v, const uint8_t *restrict us,
                 const uint8_t *restrict vs, size_t stride, uint32_t n, uint8_t *restrict out)
{
  _Static_assert (CCA_SAMPLES_CHROMA == 6, "one line for each sample");

  for (uint32_t x = 0; x < n; x++) {
    uint8_t first = 255, second = 255;

#define SAMPLE(k)                                                                                                      \
  TWO_SMALLEST (first, second,                                                                                         \
                add_saturating (distance_of (u[x], us[(k) * stride + x]), distance_of (v[x], vs[(k) * stride + x])))
    SAMPLE (0);
    SAMPLE (1);
    SAMPLE (2);
    SAMPLE (3);
    SAMPLE (4);
    SAMPLE (5);
#undef SAMPLE
    out[x] = subtract_saturating (second, CCA_SAMPLES_CHROMA_FREE);
  }
}

static void
add_chroma (const uint8_t *restrict chroma, uint32_t n, uint8_t *restrict distances)
{
  for (uint32_t i = 0; i < n / 2; i++) {
    distances[2 * i] = add_saturating (distances[2 * i], chroma[i]);
    distances[2 * i + 1] = add_saturating (distances[2 * i + 1], chroma[i]);
  }
  if (n % 2)
    distances[n - 1] = add_saturating (distances[n - 1], chroma[n / 2]);
}

/* --- Shadows ----------------------------------------------------------------------------------------- */

/* Whether a place is in a shadow: darker, but not by too much, and of nearly the same colour. q is its light, b that of
 * the background, both above black; the products are those that a colour keeps when its light changes. */
static ALWAYS_INLINE bool
in_shadow (int32_t luma, int32_t u, int32_t v, int32_t back, int32_t back_u, int32_t back_v,
           const CcaSamplesLevels *levels)
{
  const int32_t below = back < levels->ceiling ? back : levels->ceiling;
  const int32_t b = below > levels->black + 1 ? below - levels->black : 1;
  const int32_t q = luma > levels->black ? luma - levels->black : 0;
  const int32_t du = (u - 128) * b - (back_u - 128) * q, dv = (v - 128) * b - (back_v - 128) * q;
  const int32_t d = (du < 0 ? -du : du) + (dv < 0 ? -dv : dv);

  return (q < b) & (256 * q >= CCA_SAMPLES_SHADOW_LEAST * b) & (d <= CCA_SAMPLES_SHADOW_CHROMA * b);
}

static void
shadows (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, const CcaSamplesLevels *levels, uint32_t n,
         uint8_t *restrict distances)
{
  const CcaSamplesLevels of = *levels;

  for (uint32_t x = 0; x < n; x += LANES) {
    const uint32_t end = n - x < LANES ? n - x : LANES;
    const uint8_t *restrict p = frame->luma + x, *restrict u = frame->u + x / 2, *restrict v = frame->v + x / 2;
    const uint8_t *restrict s = background->luma + x, *restrict bu = background->u + x / 2,
                           *restrict bv = background->v + x / 2;
    uint8_t *restrict d = distances + x, tallest = 0;

    for (uint32_t i = 0; i < end; i++)
      tallest = most (tallest, d[i]);
    if (tallest <= of.threshold)
      continue;
    for (uint32_t i = 0; i < end; i++)
      d[i] = in_shadow (p[i], u[i / 2], v[i / 2], s[i], bu[i / 2], bv[i / 2], &of) ? 0 : d[i];
  }
}

/* --- Decisions --------------------------------------------------------------------------------------- */

static void
tallest (const uint8_t *const rows[7], uint32_t n, uint8_t *restrict out)
{
  const uint8_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
  const uint8_t *restrict e = rows[4], *restrict f = rows[5], *restrict g = rows[6];

  for (uint32_t x = 0; x < n; x++)
    out[x] = most (most (most (a[x], b[x]), most (c[x], d[x])), most (most (e[x], f[x]), g[x]));
}

static void
widest (const uint8_t *restrict row, uint32_t n, uint8_t *restrict out)
{
  const uint8_t *r = row - CCA_SAMPLES_RADIUS;

  for (uint32_t x = 0; x < n; x++)
    out[x] = most (most (most (r[x], r[x + 1]), most (r[x + 2], r[x + 3])),
                   most (most (r[x + 4], r[x + 5]), r[x + 6]));
}

static void
decide (const uint8_t *restrict distances, const uint8_t *restrict largest, const uint8_t *restrict flips,
        const CcaSamplesLevels *levels, uint32_t n, uint8_t *restrict raw)
{
  const uint8_t threshold = levels->threshold, limit = levels->limit;

  for (uint32_t x = 0; x < n; x++) {
    const uint8_t least_of_all = least (add_saturating (threshold, flips[x] / 4), limit);
    const uint8_t part = (uint8_t) ((uint16_t) (largest[x] * CCA_SAMPLES_PART) >> 8);

    raw[x] = (distances[x] > least_of_all) & (distances[x] >= part) ? 255 : 0;
  }
}

static void
follow (const uint8_t *restrict row, const uint8_t *restrict raw, const uint8_t *restrict last, uint8_t threshold,
        uint32_t n, uint8_t *restrict flips, uint8_t *restrict candidates, uint8_t *restrict still)
{
  for (uint32_t x = 0; x < n; x++) {
    const uint8_t same = distance_of (row[x], candidates[x]) <= threshold ? 255 : 0;

    flips[x] = raw[x] != last[x] ? add_saturating (flips[x], CCA_SAMPLES_FLIP) : subtract_saturating (flips[x], 1);
    still[x] = add_saturating (still[x], 1) & same & raw[x];
    candidates[x] = same ? candidates[x] : row[x];
  }
}

/* --- Updates ----------------------------------------------------------------------------------------- */

static void
update (const uint8_t *restrict row, const uint8_t *restrict not, const uint8_t *restrict take, uint32_t n,
        uint8_t *restrict sample)
{
  for (uint32_t x = 0; x < n; x++) {
    const uint8_t change = (uint8_t) (take[x] & ~not[x]);

    sample[x] = (uint8_t) ((row[x] & change) | (sample[x] & ~change));
  }
}

static void
halve (const uint8_t *above, const uint8_t *below, uint32_t n, uint8_t *restrict out)
{
  for (uint32_t i = 0; i < n / 2; i++)
    out[i] = above[2 * i] | above[2 * i + 1] | below[2 * i] | below[2 * i + 1];
  if (n % 2)
    out[n / 2] = above[n - 1] | below[n - 1];
}

static void
pick (const uint8_t *restrict bytes, uint32_t step, uint32_t n, uint8_t *restrict out)
{
  if (step == 2)
    for (uint32_t i = 0; i < n; i++)
      out[i] = bytes[2 * i];
  else
    for (uint32_t i = 0; i < n; i++)
      out[i] = bytes[4 * i];
}

const CcaSamplesOps PASTE (cca_samples_ops_, CCA_LEVEL) = {
  .columns = columns,
  .line = line,
  .look_up = look_up,
  .difference = difference,
  .mean = mean,
  .distance = distance,
  .chroma_distance = chroma_distance,
  .add_chroma = add_chroma,
  .shadows = shadows,
  .tallest = tallest,
  .widest = widest,
  .decide = decide,
  .follow = follow,
  .update = update,
  .halve = halve,
  .pick = pick,
};
