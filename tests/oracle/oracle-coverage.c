/* gst-cca: an oracle for tests, the foreground of square cells: pixel by pixel
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle.h"

#include <stdlib.h>

uint8_t *
oracle_coverage (const OracleFrame *frame, uint32_t side, uint32_t *columns, uint32_t *rows)
{
  uint8_t *cells;

  *columns = frame->width / side + (frame->width % side != 0);
  *rows = frame->height / side + (frame->height % side != 0);
  cells = oracle_alloc ((size_t) *columns * *rows, 1);
  for (uint32_t y = 0; y < frame->height; y++)
    for (uint32_t x = 0; x < frame->width; x++) {
      uint8_t *cell = &cells[(size_t) (y / side) * *columns + x / side];

      if (frame->foreground[(size_t) y * frame->width + x] && *cell < 255)
        ++*cell;
    }
  return cells;
}

uint8_t *
oracle_colours (const OracleParams *params, const OracleChroma *chroma, const uint8_t *pixels, const OracleFrame *frame,
                uint32_t side)
{
  uint32_t columns, rows;
  uint8_t *cells = oracle_coverage (frame, side, &columns, &rows), *colours;
  const size_t n = (size_t) columns * rows;
  const bool wide = params->format == ORACLE_GRAY16_LE || params->format == ORACLE_GRAY16_BE;
  const bool has_chroma = chroma && chroma->u && params->mode == ORACLE_MOTION && params->background == ORACLE_SAMPLES
                          && params->format == ORACLE_GRAY8;

  colours = oracle_alloc (n, 3);
  for (uint32_t j = 0; j < rows; j++)
    for (uint32_t i = 0; i < columns; i++) {
      const uint32_t x = i * side + side / 2 < frame->width ? i * side + side / 2 : frame->width - 1;
      const uint32_t y = j * side + side / 2 < frame->height ? j * side + side / 2 : frame->height - 1;
      const size_t cell = (size_t) j * columns + i, pixel = (size_t) y * frame->width + x;
      const size_t sample = has_chroma ? (y / 2 * 2 >> chroma->shift_y) * (size_t) chroma->pitch
                                             + (size_t) (x / 2 * 2 >> chroma->shift_x) * chroma->step
                                       : 0;

      if (cells[cell] == 0)
        continue;
      colours[cell] = (uint8_t) (oracle_value (params, pixels, pixel) / (wide ? 256 : 1));
      colours[n + cell] = has_chroma ? chroma->u[sample] : 128;
      colours[2 * n + cell] = has_chroma ? chroma->v[sample] : 128;
    }
  free (cells);
  return colours;
}
