/* gst-cca: an oracle for tests, the foreground of square cells: pixel by pixel
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle.h"

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
