/* gst-cca: the foreground pixels of each cell of a frame, and its colour
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Bits are summed in fields of words, many cells at once: first neighbouring bits of a row, as in a population count,
 * up to a field per cell or byte; then rows. For these each field gets a byte of its own, so that no sum overflows. The
 * size of cells is a constant when the functions below are compiled.
 */
#include "cca/cpu/coverage.h"
#include "cca/params.h"

#include <stdbool.h>
#include <string.h>

#define ALWAYS_INLINE inline __attribute__ ((always_inline))

/* Words whose sums stay in registers; rows are a multiple of them. */
#define PIECE 4u

/* Returns whether no pixel of a piece is set, the usual case in a motion mask. */
static ALWAYS_INLINE bool
is_empty (const uint64_t *mask, uint32_t row_words, uint32_t n_rows)
{
  uint64_t any = 0;

  for (uint32_t y = 0; y < n_rows; y++)
    for (uint32_t i = 0; i < PIECE; i++)
      any |= mask[(size_t) y * row_words + i];
  return any == 0;
}

/* Returns, in each field of `bits` bits, at most 8, how many of its bits are set. */
static ALWAYS_INLINE uint64_t
count_fields (uint64_t word, uint32_t bits)
{
  if (bits > 1)
    word -= word >> 1 & 0x5555555555555555u;
  if (bits > 2)
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  if (bits > 4)
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return word;
}

/* Returns the sum of both halves of a cell of 16, clamped to 255. */
static ALWAYS_INLINE uint8_t
add_halves (uint64_t left, uint64_t right)
{
  return (uint8_t) (left + right < 255 ? left + right : 255);
}

/* Counts the cells of a piece. */
static ALWAYS_INLINE void
count_piece (const uint64_t *mask, uint32_t row_words, uint32_t n_rows, uint32_t cell, uint8_t *cells)
{
  const uint32_t bits = cell < 8 ? cell : 8, n_fields = 8 / bits; /* of a byte */
  const uint64_t field = 0x0101010101010101u * ((1u << bits) - 1);
  uint64_t sums[8][PIECE] = { 0 };

  for (uint32_t y = 0; y < n_rows; y++)
    for (uint32_t i = 0; i < PIECE; i++) {
      const uint64_t counts = count_fields (mask[(size_t) y * row_words + i], bits);

      for (uint32_t f = 0; f < n_fields; f++)
        sums[f][i] += counts >> f * bits & field;
    }
  for (uint32_t i = 0; i < PIECE; i++)
    if (cell <= 8)
      for (uint32_t byte = 0; byte < 8; byte++)
        for (uint32_t f = 0; f < n_fields; f++)
          *cells++ = (uint8_t) (sums[f][i] >> byte * 8);
    else
      for (uint64_t rest = sums[0][i], n = 0; n < 4; n++, rest >>= 16)
        *cells++ = add_halves (rest & 255, rest >> 8 & 255);
}

static ALWAYS_INLINE void
count_row (const uint64_t *mask, uint32_t row_words, uint32_t n_rows, uint32_t cell, uint32_t columns, uint8_t *cells)
{
  const uint32_t n_cells = 64 / cell * PIECE;
  uint8_t last[64 * PIECE];

  for (; columns >= n_cells; columns -= n_cells, cells += n_cells, mask += PIECE)
    if (is_empty (mask, row_words, n_rows))
      memset (cells, 0, n_cells);
    else
      count_piece (mask, row_words, n_rows, cell, cells);
  if (columns > 0) {
    count_piece (mask, row_words, n_rows, cell, last);
    memcpy (cells, last, columns);
  }
}

void
cca_coverage_count (const uint64_t *mask, uint32_t row_words, uint32_t height, uint32_t cell, uint32_t columns,
                    CcaStrip rows, uint8_t *cells)
{
  for (uint32_t j = rows.first; j < rows.last; j++) {
    const uint64_t *first = mask + (size_t) j * cell * row_words;
    const uint32_t n_rows = height - j * cell < cell ? height - j * cell : cell;
    uint8_t *row = cells + (size_t) j * columns;

    switch (cell) {
      case 1: count_row (first, row_words, n_rows, 1, columns, row); break;
      case 2: count_row (first, row_words, n_rows, 2, columns, row); break;
      case 4: count_row (first, row_words, n_rows, 4, columns, row); break;
      case 8: count_row (first, row_words, n_rows, 8, columns, row); break;
      default: count_row (first, row_words, n_rows, 16, columns, row); break;
    }
  }
}

/* --- Colours ----------------------------------------------------------------------------------------- */

/* Chroma of grey. */
#define NEUTRAL 128

/* Returns the upper byte of a pixel's value. */
static uint8_t
luma_of (const CcaValues *values, const uint8_t *pixel)
{
  CcaValuesRoom room;
  const void *value = cca_values_get (values, pixel, 1, &room);

  return (uint8_t) (cca_value_at (value, 0, values->wide) >> (values->wide ? 8 : 0));
}

/* Returns the first of n cells from i on that has foreground, or n. */
static uint32_t
next_counted (const uint8_t *counts, uint32_t n, uint32_t i)
{
  for (uint64_t word; i + sizeof word <= n; i += sizeof word) {
    memcpy (&word, counts + i, sizeof word);
    if (word != 0)
      break;
  }
  while (i < n && counts[i] == 0)
    i++;
  return i;
}

void
cca_colours_sample (const CcaParams *params, const CcaValues *values, const CcaImage *image, const uint8_t *coverage,
                    CcaStrip rows, uint8_t *colours)
{
  const uint32_t columns = cca_params_cells (params, image->width);
  const size_t n = (size_t) columns * cca_params_cells (params, image->height);
  const bool has_chroma = cca_params_read_chroma (params, image);
  const CcaChroma *chroma = &image->chroma;

  for (uint32_t j = rows.first; j < rows.last; j++) {
    const uint32_t y = cca_params_cell_middle (params, j, image->height);
    const uint8_t *row = (const uint8_t *) image->data + (ptrdiff_t) y * image->pitch;
    const ptrdiff_t chroma_row = (ptrdiff_t) ((y & ~1u) >> chroma->shift_y) * chroma->pitch;
    const uint8_t *counts = coverage + (size_t) j * columns;
    uint8_t *out = colours + (size_t) j * columns;

    for (uint32_t plane = 0; plane < 3; plane++)
      memset (out + plane * n, 0, columns);
    for (uint32_t i = 0; (i = next_counted (counts, columns, i)) < columns; i++) {
      const uint32_t x = cca_params_cell_middle (params, i, image->width);
      const ptrdiff_t place = chroma_row + (ptrdiff_t) ((x & ~1u) >> chroma->shift_x) * chroma->step;

      out[i] = luma_of (values, row + (size_t) x * values->format->size);
      out[n + i] = has_chroma ? ((const uint8_t *) chroma->u)[place] : NEUTRAL;
      out[2 * n + i] = has_chroma ? ((const uint8_t *) chroma->v)[place] : NEUTRAL;
    }
  }
}
