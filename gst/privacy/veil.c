/* gst-cca: paints over the hidden parts of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "veil.h"

#include <stdlib.h>
#include <string.h>

/* --- Life --------------------------------------------------------------------------------------------- */

size_t
gst_cca_veil_lay_out (GstCcaVeilLevel *levels, const GstCcaCover *cover, GstCcaVeilCell *cells)
{
  uint32_t columns = cover->columns, rows = cover->rows;
  size_t n = 0;

  for (uint32_t i = 0; i <= GST_CCA_COVER_MAX_LEVEL; i++) {
    levels[i] = (GstCcaVeilLevel) { cells != NULL ? cells + n : NULL, columns, rows };
    n += (size_t) columns * rows;
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
  }
  return n;
}

bool
gst_cca_veil_begin (GstCcaVeil *veil, const GstCcaCover *cover)
{
  GstCcaVeilCell *cells;

  if (veil->levels[0].cells != NULL && veil->levels[0].columns == cover->columns && veil->levels[0].rows == cover->rows)
    return true;
  gst_cca_veil_free (veil);
  cells = malloc (gst_cca_veil_lay_out (veil->levels, cover, NULL) * sizeof *cells);
  if (cells != NULL)
    gst_cca_veil_lay_out (veil->levels, cover, cells);
  return cells != NULL;
}

void
gst_cca_veil_free (GstCcaVeil *veil)
{
  free (veil->levels[0].cells);
  *veil = (GstCcaVeil) { 0 };
}

/* --- Blocks of values --------------------------------------------------------------------------------- */

/* The values of a component in a block. */
typedef struct
{
  uint8_t *first;
  uint32_t width, height; /* values, at least 1; fewer than others at the frame's end */
} Values;

static Values
values_of (const GstCcaVeilFrame *frame, const GstCcaValues *component, uint32_t x, uint32_t y)
{
  const uint32_t left = x * (GST_CCA_BLOCK >> component->shift_x), top = y * (GST_CCA_BLOCK >> component->shift_y);

  return (Values) { component->data + (ptrdiff_t) top * component->pitch + (size_t) left * component->step,
                    gst_cca_block_end (x, frame->width, component->shift_x) - left,
                    gst_cca_block_end (y, frame->height, component->shift_y) - top };
}

static inline uint32_t
sum_of_row (const uint8_t *row, uint32_t n, uint32_t step)
{
  uint32_t sum = 0;

  for (uint32_t x = 0; x < n; x++)
    sum += row[(size_t) x * step];
  return sum;
}

/* Returns the mean in 256ths. The usual cases have constants, which compilers turn into vectors. */
static uint16_t
mean_of (Values values, const GstCcaValues *component)
{
  const uint32_t n = values.width * values.height;
  uint32_t sum = 0;

  for (uint32_t y = 0; y < values.height; y++) {
    const uint8_t *row = values.first + (ptrdiff_t) y * component->pitch;

    if (component->step == 1 && values.width == GST_CCA_BLOCK)
      sum += sum_of_row (row, GST_CCA_BLOCK, 1);
    else if (component->step == 2 && values.width == GST_CCA_BLOCK / 2)
      sum += sum_of_row (row, GST_CCA_BLOCK / 2, 2);
    else
      sum += sum_of_row (row, values.width, component->step);
  }
  return gst_cca_veil_mean (sum, n);
}

static void
paint_flat (Values values, const GstCcaValues *component, uint8_t value)
{
  for (uint32_t y = 0; y < values.height; y++) {
    uint8_t *row = values.first + (ptrdiff_t) y * component->pitch;

    if (component->step == 1 && values.width == GST_CCA_BLOCK)
      memset (row, value, GST_CCA_BLOCK);
    else if (component->step == 1)
      memset (row, value, values.width);
    else
      for (uint32_t x = 0; x < values.width; x++)
        row[(size_t) x * component->step] = value;
  }
}

static inline void
paint_slope (uint8_t *row, uint32_t n, uint32_t step, GstCcaVeilSlope slope)
{
  for (uint32_t x = 0; x < n; x++)
    row[(size_t) x * step] = (uint8_t) ((slope.start + (int32_t) x * slope.slope) >> slope.shift);
}

/* Interpolates between the values at a block's corners: left and right at the top, then at the bottom; in 256ths. */
static void
paint_smooth (Values values, const GstCcaValues *component, const uint16_t corners[4])
{
  for (uint32_t y = 0; y < values.height; y++) {
    uint8_t *row = values.first + (ptrdiff_t) y * component->pitch;
    const GstCcaVeilSlope slope = gst_cca_veil_slope (corners, y, component->shift_x, component->shift_y);

    if (component->step == 1 && values.width == GST_CCA_BLOCK)
      paint_slope (row, GST_CCA_BLOCK, 1, slope);
    else if (component->step == 2 && values.width == GST_CCA_BLOCK / 2)
      paint_slope (row, GST_CCA_BLOCK / 2, 2, slope);
    else
      paint_slope (row, values.width, component->step, slope);
  }
}

/* --- Cells -------------------------------------------------------------------------------------------- */

static void
measure_blocks (GstCcaVeil *veil, const GstCcaCover *cover, const GstCcaVeilFrame *frame)
{
  for (uint32_t y = 0; y < cover->rows; y++)
    for (uint32_t x = 0; x < cover->columns; x++) {
      const size_t at = (size_t) y * cover->columns + x;
      GstCcaVeilCell *cell = &veil->levels[0].cells[at];

      *cell = (GstCcaVeilCell) { .n = cover->blocks[at] > 0 };
      for (uint32_t i = 0; cell->n > 0 && i < frame->n_components; i++)
        cell->means[i] = mean_of (values_of (frame, &frame->components[i], x, y), &frame->components[i]);
    }
}

static void
measure (GstCcaVeil *veil, const GstCcaCover *cover, const GstCcaVeilFrame *frame)
{
  const uint32_t highest = gst_cca_cover_highest (cover);

  measure_blocks (veil, cover, frame);
  for (const GstCcaVeilLevel *level = &veil->levels[1]; level <= &veil->levels[highest]; level++)
    for (uint32_t y = 0; y < level->rows; y++)
      for (uint32_t x = 0; x < level->columns; x++)
        level->cells[(size_t) y * level->columns + x] = gst_cca_veil_join (level - 1, x, y);
}

/* --- Painting ----------------------------------------------------------------------------------------- */

static void
fill_block (const GstCcaVeilFrame *frame, uint32_t x, uint32_t y)
{
  for (uint32_t i = 0; i < frame->n_components; i++)
    paint_flat (values_of (frame, &frame->components[i], x, y), &frame->components[i], frame->fill[i]);
}

static void
pixelate_block (const GstCcaVeil *veil, uint8_t number, const GstCcaVeilFrame *frame, uint32_t x, uint32_t y)
{
  const GstCcaVeilLevel *level = &veil->levels[number];
  const GstCcaVeilCell *cell = &level->cells[(size_t) (y >> number) * level->columns + (x >> number)];

  for (uint32_t i = 0; i < frame->n_components; i++)
    paint_flat (values_of (frame, &frame->components[i], x, y), &frame->components[i],
                (uint8_t) ((cell->means[i] + 128) >> 8));
}

/* The values at a block's corners: left and right at the top, then at the bottom. */
typedef uint16_t Corners[4][GST_CCA_VEIL_MAX_COMPONENTS];

/* With same_level, corners has those of the block on the left, which has this level; leaves this block's. */
static void
blur_block (const GstCcaVeil *veil, uint8_t level, const GstCcaVeilFrame *frame, uint32_t x, uint32_t y,
            bool same_level, Corners corners)
{
  for (uint32_t i = 0; i < 4; i += 2) {
    if (same_level)
      memcpy (corners[i], corners[i + 1], sizeof corners[i]);
    else
      gst_cca_veil_corner (&veil->levels[level], level, x, y + i / 2, corners[i]);
    gst_cca_veil_corner (&veil->levels[level], level, x + 1, y + i / 2, corners[i + 1]);
  }
  for (uint32_t i = 0; i < frame->n_components; i++) {
    const uint16_t values[4] = { corners[0][i], corners[1][i], corners[2][i], corners[3][i] };

    paint_smooth (values_of (frame, &frame->components[i], x, y), &frame->components[i], values);
  }
}

void
gst_cca_veil_paint (GstCcaVeil *veil, const GstCcaCover *cover, const GstCcaVeilFrame *frame, GstCcaVeilMode mode)
{
  Corners corners;

  if (mode != GST_CCA_VEIL_FILL)
    measure (veil, cover, frame);
  for (uint32_t y = 0; y < cover->rows; y++)
    for (uint32_t x = 0; x < cover->columns; x++) {
      const uint8_t *block = &cover->blocks[(size_t) y * cover->columns + x], level = *block;

      if (level == 0)
        continue;
      switch (mode) {
        case GST_CCA_VEIL_FILL: fill_block (frame, x, y); break;
        case GST_CCA_VEIL_PIXELATE: pixelate_block (veil, level, frame, x, y); break;
        case GST_CCA_VEIL_BLUR: blur_block (veil, level, frame, x, y, x > 0 && block[-1] == level, corners); break;
      }
    }
}
