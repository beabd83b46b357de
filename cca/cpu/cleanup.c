/* gst-cca: clean-up of bit planes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/cleanup.h"

#include <stdbool.h>
#include <string.h>

/* Words of the widest padded row. */
#define MOST_WORDS ((CCA_MAX_SIZE + 2 * CCA_MAX_CLOSE_RADIUS + 2) / 64 + 8)

/* A sum of up to 3 for each of 64 pixels, bit-sliced. */
typedef struct
{
  uint64_t ones, twos;
} Sum;

/* Returns, for each pixel of a word of a row, how many of it and its two neighbours are set. */
static Sum
sum_of_three (const uint64_t *row, uint32_t n_words, uint32_t i)
{
  const uint64_t before = i > 0 ? row[i - 1] >> 63 : 0, after = i + 1 < n_words ? row[i + 1] << 63 : 0;
  const uint64_t left = row[i] << 1 | before, right = row[i] >> 1 | after;

  return (Sum) { left ^ row[i] ^ right, (left & row[i]) | (right & (left ^ row[i])) };
}

/* Bit-sliced addition: the nine pixels make ones + 2 (carry + twos) + 4 fours. */
static uint64_t
majority_of (const uint64_t *above, const uint64_t *row, const uint64_t *below, uint32_t n_words, uint32_t i)
{
  const Sum a = sum_of_three (above, n_words, i), b = sum_of_three (row, n_words, i);
  const Sum c = sum_of_three (below, n_words, i);
  const uint64_t ones = a.ones ^ b.ones ^ c.ones, carry = (a.ones & b.ones) | (c.ones & (a.ones ^ b.ones));
  const uint64_t twos = a.twos ^ b.twos ^ c.twos, fours = (a.twos & b.twos) | (c.twos & (a.twos ^ b.twos));
  const uint64_t sum_2 = carry ^ twos, sum_4 = carry & twos;

  return (fours & sum_4) | ((fours ^ sum_4) & (ones | sum_2));
}

void
cca_majority (const uint64_t *in, uint64_t *out, uint32_t row_words, uint32_t height, CcaStrip rows)
{
  static const uint64_t outside[MOST_WORDS];

  for (uint32_t y = rows.first; y < rows.last; y++) {
    const uint64_t *row = in + (size_t) y * row_words;
    const uint64_t *above = y > 0 ? row - row_words : outside;
    const uint64_t *below = y + 1 < height ? row + row_words : outside;

    for (uint32_t i = 0; i < row_words; i++)
      /* If all three words are 0, a pixel has at most 3 set neighbours. */
      out[(size_t) y * row_words + i] =
          above[i] | row[i] | below[i] ? majority_of (above, row, below, row_words, i) : 0;
  }
}

/* Words of each row that one pass handles; rows are a multiple of them. */
#define PIECE 8

/* Sets out to the union, or the intersection, of rows first…last of a plane. */
static void
join_rows (const uint64_t *plane, uint32_t row_words, uint32_t n_words, uint32_t first, uint32_t last, bool each,
           uint64_t *out)
{
  for (uint32_t i = 0; i < n_words; i += PIECE) {
    uint64_t words[PIECE];

    memcpy (words, plane + (size_t) first * row_words + i, sizeof words);
    for (uint32_t y = first + 1; y <= last; y++)
      for (uint32_t k = 0; k < PIECE; k++) {
        const uint64_t word = plane[(size_t) y * row_words + i + k];

        words[k] = each ? words[k] & word : words[k] | word;
      }
    memcpy (out + i, words, sizeof words);
  }
}

static bool
is_empty (const uint64_t *row, uint32_t n_words)
{
  uint64_t any = 0;

  for (uint32_t i = 0; i < n_words; i++)
    any |= row[i];
  return any == 0;
}

static void
shift_up (const uint64_t *in, uint64_t *out, uint32_t n_words, uint32_t shift)
{
  out[0] = in[0] << shift;
  for (uint32_t i = 1; i < n_words; i++)
    out[i] = in[i] << shift | in[i - 1] >> (64 - shift);
}

static void
shift_down (const uint64_t *in, uint64_t *out, uint32_t n_words, uint32_t shift)
{
  for (uint32_t i = 0; i + 1 < n_words; i++)
    out[i] = in[i] >> shift | in[i + 1] << (64 - shift);
  out[n_words - 1] = in[n_words - 1] >> shift;
}

/* A window of 2 r + 1 pixels is built by doubling. */
void
cca_dilate_rows (const uint64_t *in, uint64_t *dilated, uint32_t width, uint32_t radius, CcaStrip rows)
{
  const uint32_t in_words = cca_row_words (width), n_words = cca_row_words (width + 2 * radius);
  uint64_t shifted[MOST_WORDS];

  for (uint32_t y = rows.first; y < rows.last; y++) {
    uint64_t *row = dilated + (size_t) y * n_words;

    memset (row, 0, n_words * sizeof *row);
    if (is_empty (in + (size_t) y * in_words, in_words))
      continue;
    memcpy (row, in + (size_t) y * in_words, in_words * sizeof *row);
    for (uint32_t span = 1, step; span < 2 * radius + 1; span += step) {
      step = span < 2 * radius + 1 - span ? span : 2 * radius + 1 - span;
      shift_up (row, shifted, n_words, step);
      for (uint32_t i = 0; i < n_words; i++)
        row[i] |= shifted[i];
    }
  }
}

void
cca_dilate_columns_erode_rows (const uint64_t *dilated, uint64_t *eroded, uint32_t width, uint32_t height,
                               uint32_t radius, CcaStrip rows)
{
  const uint32_t n_words = cca_row_words (width + 2 * radius);
  uint64_t shifted[MOST_WORDS];

  for (uint32_t y = rows.first; y < rows.last; y++) {
    const uint32_t first = y > 2 * radius ? y - 2 * radius : 0, last = y < height ? y : height - 1;
    uint64_t *row = eroded + (size_t) y * n_words;

    join_rows (dilated, n_words, n_words, first, last, false, row);
    if (is_empty (row, n_words))
      continue;
    for (uint32_t span = 1, step; span < 2 * radius + 1; span += step) {
      step = span < 2 * radius + 1 - span ? span : 2 * radius + 1 - span;
      shift_down (row, shifted, n_words, step);
      for (uint32_t i = 0; i < n_words; i++)
        row[i] &= shifted[i];
    }
  }
}

void
cca_erode_columns (const uint64_t *eroded, uint64_t *out, uint32_t width, uint32_t radius, CcaStrip rows)
{
  const uint32_t in_words = cca_row_words (width + 2 * radius), n_words = cca_row_words (width);

  for (uint32_t y = rows.first; y < rows.last; y++)
    join_rows (eroded, in_words, n_words, y, y + 2 * radius, true, out + (size_t) y * n_words);
}
