/* gst-cca: the colour of each cell of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/colours.h"
#include "cca/params.h"

#include <string.h>

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
    for (uint32_t i = 0; i < columns; i++) {
      const uint32_t x = cca_params_cell_middle (params, i, image->width);
      const ptrdiff_t place = chroma_row + (ptrdiff_t) ((x & ~1u) >> chroma->shift_x) * chroma->step;

      if (counts[i] == 0)
        continue;
      out[i] = luma_of (values, row + (size_t) x * values->format->size);
      out[n + i] = has_chroma ? ((const uint8_t *) chroma->u)[place] : NEUTRAL;
      out[2 * n + i] = has_chroma ? ((const uint8_t *) chroma->v)[place] : NEUTRAL;
    }
  }
}
