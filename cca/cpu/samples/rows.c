/* gst-cca: the row primitives of the background model SAMPLES
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Compiled once for every instruction set; CCA_LEVEL is its name. Loops use 8 and 16 bits only, so that compilers
 * vectorise them well.
 */
#include "cca/cpu/samples/rows.h"

#include <string.h>

#ifdef __AVX512VBMI__
#include <immintrin.h>
#endif

/* From this level on GCC vectorises these loops; a debug build keeps its level. */
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

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

/* Separate rows of sums: with neighbours from one row, compilers reuse them for the next place and do not vectorise. */
static __attribute__ ((noinline)) void
line_of (const uint16_t *restrict a, const uint16_t *restrict b, const uint16_t *restrict c, const uint16_t *restrict d,
         const uint8_t weights[4], uint32_t n, uint8_t *restrict out)
{
  const uint16_t wa = weights[0], wb = weights[1], wc = weights[2], wd = weights[3];

  if (wd == 0)
    for (uint32_t x = 0; x < n; x++)
      out[x] = (uint8_t) ((uint16_t) (a[x] + 2 * b[x] + c[x] + 32) >> 6);
  else
    for (uint32_t x = 0; x < n; x++)
      out[x] = (uint8_t) ((uint16_t) (wa * a[x] + wb * b[x] + wc * c[x] + wd * d[x] + 128) >> 8);
}

static void
line (const uint16_t *sums, const uint8_t weights[4], uint32_t n, uint8_t *out)
{
  line_of (sums, sums + 1, sums + 2, sums + 3, weights, n, out);
}

static void
look_up (const uint8_t table[256], uint32_t n, const uint8_t *row, uint8_t *out)
{
  uint32_t x = 0;

#ifdef __AVX512VBMI__
  const __m512i a = _mm512_loadu_si512 (table), b = _mm512_loadu_si512 (table + 64);
  const __m512i c = _mm512_loadu_si512 (table + 128), d = _mm512_loadu_si512 (table + 192);

  for (; x + 64 <= n; x += 64) {
    const __m512i at = _mm512_loadu_si512 (row + x);
    const __m512i low = _mm512_permutex2var_epi8 (a, at, b), high = _mm512_permutex2var_epi8 (c, at, d);

    _mm512_storeu_si512 (out + x, _mm512_mask_blend_epi8 (_mm512_movepi8_mask (at), low, high));
  }
#endif
  for (; x < n; x++)
    out[x] = table[row[x]];
}

/* --- Fetching ---------------------------------------------------------------------------------------- */

/* Pixels of a batch. */
#define LANES 64

/* Prefetches samples some rows below, by ascending address, as many as are read meanwhile. Reading them row by row
 * makes one stream per sample, which is half as fast. */
static ALWAYS_INLINE void
fetch_below (const uint8_t *samples, size_t stride, uint32_t n_rows, uint32_t n_samples, uint32_t x)
{
  for (uint32_t k = 0; k < n_samples; k++)
    __builtin_prefetch (samples + n_samples * (n_rows * stride + x) + k * LANES, 0, 2);
}

/* --- Grids ------------------------------------------------------------------------------------------- */

/* Differences whose sum fits into 16 bits. */
#define DIFFERENCES 2048

static uint64_t
difference (const uint8_t *restrict a, const uint8_t *restrict b, uint32_t n)
{
  uint64_t total = 0;

  _Static_assert (DIFFERENCES * CCA_SAMPLES_SHIFT_MOST <= UINT16_MAX, "a sum has 16 bits");
  for (uint32_t x = 0; x < n; x += DIFFERENCES) {
    const uint32_t end = n - x < DIFFERENCES ? n : x + DIFFERENCES;
    uint16_t sum = 0;

    for (uint32_t i = x; i < end; i++)
      sum = (uint16_t) (sum + least (distance_of (a[i], b[i]), CCA_SAMPLES_SHIFT_MOST));
    total += sum;
  }
  return total;
}

/* Returns the pixels of which a grid has one, as a word: vectors of words need no shuffling. */
static ALWAYS_INLINE uint32_t
pixel_at (const uint8_t *row, uint32_t k)
{
  uint32_t word;

  _Static_assert (CCA_SAMPLES_LIGHT_GRID == sizeof word, "a word has one point");
  memcpy (&word, row + sizeof word * k, sizeof word);
  return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? word >> 24 : word & 255;
}

static ALWAYS_INLINE void
points_of_lanes (const uint8_t *restrict row, const uint8_t *restrict samples, size_t stride,
                 const uint8_t *restrict last, uint32_t n, CcaSamplesPoint *restrict out)
{
  for (uint32_t k = 0; k < n; k++) {
    uint32_t sum = CCA_SAMPLES_LUMA / 2;

#pragma GCC unroll 12
    for (uint32_t i = 0; i < CCA_SAMPLES_LUMA; i++)
      sum += pixel_at (samples + i * stride, k);
    out[k] = pixel_at (row, k) | (uint16_t) sum / CCA_SAMPLES_LUMA << 8 | pixel_at (samples, k) << 16
             | pixel_at (last, k) << 24;
  }
}

static void
points (const uint8_t *row, const uint8_t *samples, size_t stride, const uint8_t *last, uint32_t n,
        CcaSamplesPoint *out)
{
  const uint32_t each = LANES / CCA_SAMPLES_LIGHT_GRID;
  uint32_t k = 0, x = 0;

  for (; k + each <= n; k += each, x += LANES) {
    fetch_below (samples, stride, CCA_SAMPLES_LIGHT_GRID, CCA_SAMPLES_LUMA, x);
    points_of_lanes (row + x, samples + x, stride, last + x, each, out + k);
  }
  points_of_lanes (row + x, samples + x, stride, last + x, n - k, out + k);
}

static void
changes (const CcaSamplesPoint *restrict points, bool last, uint32_t n, uint16_t *restrict at)
{
  _Static_assert (CCA_SAMPLES_CHANGES_END <= UINT16_MAX, "an entry has 16 bits");

  for (uint32_t k = 0; k < n; k++) {
    const uint32_t mean = cca_samples_point_mean (points[k]), bin = mean / (256 / CCA_SAMPLES_LIGHT_BINS);
    const uint32_t change = CCA_SAMPLES_LIGHT_SPAN / 2 + cca_samples_point_p (points[k]) - mean;

    at[k] = (uint16_t) (cca_samples_point_last (points[k]) == last ? bin * CCA_SAMPLES_LIGHT_SPAN + change
                                                                   : CCA_SAMPLES_CHANGES_END);
  }
}

static uint32_t
tails (const CcaSamplesPoint *restrict points, const CcaSamplesLight *light, uint32_t n, uint8_t *restrict firsts,
       uint8_t *restrict distances)
{
  const uint8_t ceiling = light->ceiling;
  uint32_t n_last = 0;

  for (uint32_t k = 0; k < n; k++) {
    firsts[k] = (uint8_t) cca_samples_point_first (points[k]);
    distances[k] = (uint8_t) cca_samples_point_p (points[k]);
  }
  if (!light->identity)
    look_up (light->table, n, distances, distances);
  for (uint32_t k = 0; k < n; k++) {
    const uint8_t mean = (uint8_t) cca_samples_point_mean (points[k]);
    const bool last = cca_samples_point_last (points[k]);

    distances[k] = last ? 0 : distance_of (distances[k], least (mean, ceiling));
    n_last += last;
  }
  return n_last;
}

/* --- Distances --------------------------------------------------------------------------------------- */

/* Keeps the two smallest values. */
#define TWO_SMALLEST(first, second, value)                                                                             \
  do {                                                                                                                 \
    const uint8_t the_value = (value);                                                                                 \
                                                                                                                       \
    second = least (second, most (first, the_value));                                                                  \
    first = least (first, the_value);                                                                                  \
  } while (0)

static ALWAYS_INLINE void
distance_of_lanes (const uint8_t *restrict row, const uint8_t *restrict samples, size_t stride, uint32_t n,
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

static ALWAYS_INLINE void
distance_below (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint8_t ceiling, uint8_t *out)
{
  uint32_t x = 0;

  for (; x + LANES <= n; x += LANES) {
    fetch_below (samples, stride, 1, CCA_SAMPLES_LUMA, x);
    distance_of_lanes (row + x, samples + x, stride, LANES, ceiling, out + x);
  }
  distance_of_lanes (row + x, samples + x, stride, n - x, ceiling, out + x);
}

static void
distance (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint8_t ceiling, uint8_t *out)
{
  if (ceiling == 255)
    distance_below (row, samples, stride, n, 255, out);
  else
    distance_below (row, samples, stride, n, ceiling, out);
}

static ALWAYS_INLINE void
chroma_distance_of_lanes (const uint8_t *restrict u, const uint8_t *restrict v, const uint8_t *restrict us,
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
chroma_distance (const uint8_t *u, const uint8_t *v, const uint8_t *us, const uint8_t *vs, size_t stride, uint32_t n,
                 uint8_t *out)
{
  uint32_t x = 0;

  for (; x + LANES <= n; x += LANES) {
    fetch_below (us, stride, 1, CCA_SAMPLES_CHROMA, x);
    fetch_below (vs, stride, 1, CCA_SAMPLES_CHROMA, x);
    chroma_distance_of_lanes (u + x, v + x, us + x, vs + x, stride, LANES, out + x);
  }
  chroma_distance_of_lanes (u + x, v + x, us + x, vs + x, stride, n - x, out + x);
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

/* Exceeds any difference of colours in a shadow; two of them fit into 16 bits. */
#define MANY 2000

/* Returns the difference of two colours, each times the other's light, clamped. No product exceeds 16 bits. */
static ALWAYS_INLINE uint16_t
color_difference (uint8_t now, uint8_t b, uint8_t back, uint8_t q)
{
  const int16_t one = (int16_t) ((int16_t) (now - 128) * (int16_t) b);
  const int16_t other = (int16_t) ((int16_t) (back - 128) * (int16_t) q);
  const uint16_t difference = (uint16_t) ((one > other ? one : other) - (one > other ? other : one));

  return difference < MANY ? difference : MANY;
}

/* Whether a place is in a shadow, and in a deep one: darker, but not too dark, and of nearly the same colour. q is its
 * light and b the background's, both above black. A colour whose light changes keeps its products with the other
 * light. */
typedef struct
{
  bool usual, deep;
  bool coloured; /* the frame or the background has a colour there */
} Shadow;

static ALWAYS_INLINE Shadow
shadow_of (uint8_t luma, uint8_t u, uint8_t v, uint8_t back, uint8_t back_u, uint8_t back_v,
           const CcaSamplesLevels *levels)
{
  const uint8_t b = most (subtract_saturating (least (back, levels->ceiling), levels->black), 1);
  const uint8_t q = subtract_saturating (luma, levels->black);
  const uint16_t d = (uint16_t) (color_difference (u, b, back_u, q) + color_difference (v, b, back_v, q));

  _Static_assert (CCA_SAMPLES_SHADOW_CHROMA * 255 < MANY, "no more than MANY matters");
  const bool like = (q < b) & (d <= (uint16_t) (CCA_SAMPLES_SHADOW_CHROMA * b));

  return (Shadow) { like & ((uint16_t) (256 * q) >= (uint16_t) (CCA_SAMPLES_SHADOW_LEAST * b)),
                    like & ((uint16_t) (256 * q) >= (uint16_t) (CCA_SAMPLES_SHADOW_DEEP * b)),
                    (uint8_t) ((u ^ 128) | (v ^ 128) | (back_u ^ 128) | (back_v ^ 128)) != 0 };
}

/* PIXEL (k) for n pixels, k / 2 = i being the place of their chroma: two for each place, as vectors want it. */
#define FOR_PIXELS(n, PIXEL)                                                                                           \
  do {                                                                                                                 \
    for (uint32_t i = 0; i < (n) / 2; i++) {                                                                           \
      PIXEL (2 * i);                                                                                                   \
      PIXEL (2 * i + 1);                                                                                               \
    }                                                                                                                  \
    if ((n) % 2) {                                                                                                     \
      const uint32_t i = (n) / 2;                                                                                      \
                                                                                                                       \
      PIXEL (2 * i);                                                                                                   \
    }                                                                                                                  \
  } while (0)

/* Does the n pixels from x on, two for every place of chroma. */
static ALWAYS_INLINE void
shadows_of (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, CcaSamplesLevels levels, uint32_t x,
            uint32_t n, uint8_t *restrict distances, uint8_t *restrict unlike, uint8_t *restrict shaded,
            uint8_t *restrict coloured)
{
  const uint8_t *restrict p = frame->luma + x, *restrict u = frame->u + x / 2, *restrict v = frame->v + x / 2;
  const uint8_t *restrict s = background->luma + x, *restrict bu = background->u + x / 2,
                          *restrict bv = background->v + x / 2;
  uint8_t *restrict d = distances + x, *restrict n_unlike = unlike + x, *restrict n_shaded = shaded + x,
                    *restrict n_coloured = coloured + x;

#define PIXEL(k)                                                                                                       \
  do {                                                                                                                 \
    const Shadow shadow = shadow_of (p[k], u[i], v[i], s[k], bu[i], bv[i], &levels);                                   \
    const bool differs = d[k] > levels.unlike;                                                                         \
                                                                                                                       \
    n_unlike[k] = (uint8_t) (n_unlike[k] + differs);                                                                   \
    n_shaded[k] = (uint8_t) (n_shaded[k] + (differs & shadow.deep));                                                   \
    n_coloured[k] = (uint8_t) (n_coloured[k] + (differs & shadow.deep & shadow.coloured));                             \
    d[k] = shadow.usual ? 0 : d[k];                                                                                    \
  } while (0)
  FOR_PIXELS (n, PIXEL);
#undef PIXEL
}

/* Pixels of a part of a row, and of a segment of as many parts as a word has bits. */
#define PART 32
#define SEGMENT (64 * PART)

/* Returns a bit for each part of a row: whether a value exceeds the limit. Always set for a partial part. */
static ALWAYS_INLINE uint64_t
parts_above (const uint8_t *restrict values, uint32_t n, uint8_t limit)
{
  uint64_t parts = n % PART ? 1ull << n / PART : 0;

  for (uint32_t i = 0; i < n / PART; i++) {
    uint8_t over[PART];
    uint64_t words[PART / 8], any = 0;

    for (uint32_t x = 0; x < PART; x++)
      over[x] = subtract_saturating (values[i * PART + x], limit);
    memcpy (words, over, PART);
    for (uint32_t k = 0; k < PART / 8; k++)
      any |= words[k];
    parts |= (uint64_t) (any != 0) << i;
  }
  return parts;
}

/* Returns whether a pixel of a part with a distance above the limit is darker than the background; others are in no
 * shadow. */
static ALWAYS_INLINE bool
any_darker (const uint8_t *restrict p, const uint8_t *restrict s, const uint8_t *restrict d, uint8_t limit,
            uint8_t ceiling)
{
  uint64_t words[PART / 8], any = 0;
  uint8_t dark[PART];

  for (uint32_t x = 0; x < PART; x++)
    dark[x] = least (subtract_saturating (d[x], limit), subtract_saturating (least (s[x], ceiling), p[x]));
  memcpy (words, dark, PART);
  for (uint32_t k = 0; k < PART / 8; k++)
    any |= words[k];
  return any != 0;
}

/* Counts the pixels of a part without shadows. */
static ALWAYS_INLINE void
count_unlike (const uint8_t *restrict d, uint8_t limit, uint8_t *restrict unlike)
{
  for (uint32_t x = 0; x < PART; x++)
    unlike[x] = (uint8_t) (unlike[x] + (d[x] > limit));
}

static void
shadows (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, const CcaSamplesLevels *levels, uint32_t n,
         uint8_t *restrict distances, const CcaSamplesShadeCounts *counts)
{
  uint8_t *restrict unlike = counts->unlike, *restrict shaded = counts->shaded, *restrict coloured = counts->coloured;
  const uint8_t lowest = least (levels->threshold, levels->unlike);

  for (uint32_t x = 0; x < n; x += SEGMENT) {
    const uint32_t end = n - x < SEGMENT ? n : x + SEGMENT;

    for (uint64_t left = parts_above (distances + x, end - x, lowest); left; left &= left - 1) {
      const uint32_t at = x + PART * (uint32_t) __builtin_ctzll (left);

      if (end - at < PART)
        shadows_of (frame, background, *levels, at, end - at, distances, unlike, shaded, coloured);
      else if (any_darker (frame->luma + at, background->luma + at, distances + at, lowest, levels->ceiling))
        shadows_of (frame, background, *levels, at, PART, distances, unlike, shaded, coloured);
      else
        count_unlike (distances + at, levels->unlike, unlike + at);
    }
  }
}

static ALWAYS_INLINE void
shades_of (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, CcaSamplesLevels levels, uint32_t n,
           uint8_t *restrict out)
{
  const uint8_t *restrict p = frame->luma, *restrict u = frame->u, *restrict v = frame->v;
  const uint8_t *restrict s = background->luma, *restrict bu = background->u, *restrict bv = background->v;

#define PIXEL(k) out[k] = shadow_of (p[k], u[i], v[i], s[k], bu[i], bv[i], &levels).deep ? 255 : 0
  FOR_PIXELS (n, PIXEL);
#undef PIXEL
}

static void
shades (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, const CcaSamplesLevels *levels, uint32_t n,
        uint8_t *out)
{
  if (n == CCA_SAMPLES_BLOCK)
    shades_of (frame, background, *levels, CCA_SAMPLES_BLOCK, out);
  else
    shades_of (frame, background, *levels, n, out);
}

/* --- Decisions --------------------------------------------------------------------------------------- */

static void
decide (const uint8_t *restrict distances, const uint8_t *restrict flips, const uint8_t *restrict busy,
        const CcaSamplesLevels *levels, uint32_t n, uint8_t *restrict raw)
{
  const uint8_t threshold = levels->threshold, limit = levels->limit;

  for (uint32_t x = 0; x < n; x++) {
    const uint8_t least_of_all = least (add_saturating (threshold, least (flips[x], busy[x]) / 4), limit);

    raw[x] = distances[x] > least_of_all ? 255 : 0;
  }
}

static void
follow (const uint8_t *restrict row, const uint8_t *restrict distances, const uint8_t *restrict raw,
        const uint8_t *restrict last, uint8_t threshold, uint32_t n, uint8_t *restrict flips, uint8_t *restrict busy,
        uint8_t *restrict candidates, uint8_t *restrict still)
{
  for (uint32_t x = 0; x < n; x++) {
    const uint8_t same = distance_of (row[x], candidates[x]) <= threshold ? 255 : 0;

    flips[x] = raw[x] != last[x] ? add_saturating (flips[x], CCA_SAMPLES_FLIP) : subtract_saturating (flips[x], 1);
    busy[x] = distances[x] > threshold ? add_saturating (busy[x], CCA_SAMPLES_BUSY)
                                       : subtract_saturating (busy[x], CCA_SAMPLES_IDLE);
    still[x] = add_saturating (still[x], 1) & same & raw[x];
    candidates[x] = same ? candidates[x] : row[x];
  }
}

/* --- Moving background --- */

static ALWAYS_INLINE void
find_lanes (const uint8_t *restrict row, const uint8_t *restrict samples, size_t stride, uint32_t n, uint32_t n_across,
            uint8_t threshold, uint8_t ceiling, uint8_t *restrict found)
{
  _Static_assert (CCA_SAMPLES_REACHED == 6, "one line for each sample");

  for (uint32_t x = 0; x < n; x++) {
    uint8_t nearest = 255;

#pragma GCC unroll 5
    for (uint32_t i = 0; i < n_across; i++) {
      const uint8_t *s = samples + x + i;

#define SAMPLE(k) nearest = least (nearest, distance_of (row[x], least (s[(k) * stride], ceiling)))
      SAMPLE (0);
      SAMPLE (1);
      SAMPLE (2);
      SAMPLE (3);
      SAMPLE (4);
      SAMPLE (5);
#undef SAMPLE
    }
    found[x] |= nearest <= threshold ? 255 : 0;
  }
}

static void
find (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint32_t n_across,
      const CcaSamplesLevels *levels, uint8_t *found)
{
  const uint32_t usual = 2 * CCA_SAMPLES_REACH + 1;

  if (n == CCA_SAMPLES_BLOCK && n_across == usual)
    find_lanes (row, samples, stride, CCA_SAMPLES_BLOCK, usual, levels->threshold, levels->ceiling, found);
  else
    find_lanes (row, samples, stride, n, n_across, levels->threshold, levels->ceiling, found);
}

static void
add (const uint8_t *restrict row, uint32_t n, uint16_t *restrict sums)
{
  for (uint32_t x = 0; x < n; x++)
    sums[x] = (uint16_t) (sums[x] + row[x]);
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

const CcaSamplesOps PASTE (cca_samples_ops_, CCA_LEVEL) = {
  .columns = columns,
  .line = line,
  .look_up = look_up,
  .difference = difference,
  .points = points,
  .changes = changes,
  .tails = tails,
  .distance = distance,
  .chroma_distance = chroma_distance,
  .add_chroma = add_chroma,
  .shadows = shadows,
  .shades = shades,
  .decide = decide,
  .follow = follow,
  .find = find,
  .add = add,
  .update = update,
  .halve = halve,
};
