/* gst-cca: the foreground pixels of each cell of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/coverage.h"

#include <string.h>

/* Returns a word whose fields of `cell` bits hold the set bits of these fields; for cells of 16 as of 8. */
static uint64_t
count_fields (uint64_t word, uint32_t cell)
{
  if (cell > 1)
    word -= word >> 1 & 0x5555555555555555u;
  if (cell > 2)
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  if (cell > 4)
    word = (word & 0x0f0f0f0f0f0f0f0fu) + (word >> 4 & 0x0f0f0f0f0f0f0f0fu);
  return word;
}

static uint8_t
add (uint8_t sum, uint64_t field)
{
  return (uint8_t) (sum + field < 255 ? sum + field : 255);
}

static void
count_row (const uint64_t *row, uint32_t row_words, uint32_t cell, uint8_t *cells)
{
  const uint32_t bits = cell < 8 ? cell : 8, fields = cell / bits;
  const uint64_t field = (1u << bits) - 1;

  for (uint32_t i = 0; i < row_words; i++)
    if (row[i]) {
      uint8_t *at = cells + i * (64 / cell);

      /* A field beyond the frame's last cell is empty. */
      for (uint64_t counts = count_fields (row[i], cell), n = 0; counts; counts >>= bits, n++)
        at[n / fields] = add (at[n / fields], counts & field);
    }
}

void
cca_coverage_count (const uint64_t *mask, uint32_t row_words, uint32_t height, uint32_t cell, uint32_t columns,
                    CcaStrip rows, uint8_t *cells)
{
  for (uint32_t j = rows.first; j < rows.last; j++) {
    memset (cells + (size_t) j * columns, 0, columns);
    for (uint32_t y = j * cell; y < (j + 1) * cell && y < height; y++)
      count_row (mask + (size_t) y * row_words, row_words, cell, cells + (size_t) j * columns);
  }
}
