/* gst-cca: paints over the hidden parts of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "veil.h"

#include <stdlib.h>
#include <string.h>

/* --- Life --------------------------------------------------------------------------------------------- */

bool
gst_cca_veil_begin (GstCcaVeil *veil, const GstCcaCover *cover)
{
  uint32_t columns = cover->columns, rows = cover->rows;
  size_t starts[GST_CCA_COVER_MAX_LEVEL + 1], n = 0;

  if (veil->cells != NULL && veil->columns[0] == columns && veil->rows[0] == rows)
    return true;
  gst_cca_veil_free (veil);
  for (uint32_t i = 0; i <= GST_CCA_COVER_MAX_LEVEL; i++) {
    veil->columns[i] = columns;
    veil->rows[i] = rows;
    starts[i] = n;
    n += (size_t) columns * rows;
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
  }
  veil->cells = malloc (n * sizeof *veil->cells);
  if (veil->cells == NULL) {
    *veil = (GstCcaVeil) { 0 };
    return false;
  }
  for (uint32_t i = 0; i <= GST_CCA_COVER_MAX_LEVEL; i++)
    veil->levels[i] = veil->cells + starts[i];
  return true;
}

void
gst_cca_veil_free (GstCcaVeil *veil)
{
  free (veil->cells);
  *veil = (GstCcaVeil) { 0 };
}

/* --- Blocks of values --------------------------------------------------------------------------------- */

/* The values of a component in a block. */
typedef struct
{
  uint8_t *first;
  uint32_t width, height; /* values, at least 1; fewer than others at the frame's end */
} Values;

static uint32_t
end_of (uint32_t block, uint32_t length, uint32_t shift)
{
  const uint32_t end = (block + 1) * (GST_CCA_BLOCK >> shift), most = (length + (1u << shift) - 1) >> shift;

  return end < most ? end : most;
}

static Values
values_of (const GstCcaVeilFrame *frame, const GstCcaVeilComponent *component, uint32_t x, uint32_t y)
{
  const uint32_t left = x * (GST_CCA_BLOCK >> component->shift_x), top = y * (GST_CCA_BLOCK >> component->shift_y);

  return (Values) { component->data + (ptrdiff_t) top * component->pitch + (size_t) left * component->step,
                    end_of (x, frame->width, component->shift_x) - left,
                    end_of (y, frame->height, component->shift_y) - top };
}

static inline uint32_t
sum_of_row (const uint8_t *row, uint32_t n, uint32_t step)
{
  uint32_t sum = 0;

  for (uint32_t x = 0; x < n; x++)
    sum += row[(size_t) x * step];
  return sum;
}

/* Returns the mean in 256ths, rounded. The usual cases have constants, which compilers turn into vectors. */
static uint16_t
mean_of (Values values, const GstCcaVeilComponent *component)
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
  return (uint16_t) ((256 * sum + n / 2) / n);
}

static void
paint_flat (Values values, const GstCcaVeilComponent *component, uint8_t value)
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
paint_slope (uint8_t *row, uint32_t n, uint32_t step, int32_t value, int32_t slope, int32_t shift)
{
  for (uint32_t x = 0; x < n; x++)
    row[(size_t) x * step] = (uint8_t) ((value + (int32_t) x * slope) >> shift);
}

/* Interpolates between the values at a block's corners: left and right at the top, then at the bottom; in 256ths. */
static void
paint_smooth (Values values, const GstCcaVeilComponent *component, const uint16_t corners[4])
{
  const int32_t bits_x = 4 - (int32_t) component->shift_x, bits_y = 4 - (int32_t) component->shift_y;
  const int32_t size_x = 1 << bits_x, size_y = 1 << bits_y; /* twice the values of a whole block */
  const int32_t shift = 8 + bits_x + bits_y;

  for (uint32_t y = 0; y < values.height; y++) {
    uint8_t *row = values.first + (ptrdiff_t) y * component->pitch;
    const int32_t down = 2 * (int32_t) y + 1;
    const int32_t left = corners[0] * (size_y - down) + corners[2] * down;
    const int32_t right = corners[1] * (size_y - down) + corners[3] * down;
    const int32_t value = left * size_x + (right - left) + (1 << (shift - 1)), slope = 2 * (right - left);

    if (component->step == 1 && values.width == GST_CCA_BLOCK)
      paint_slope (row, GST_CCA_BLOCK, 1, value, slope, shift);
    else if (component->step == 2 && values.width == GST_CCA_BLOCK / 2)
      paint_slope (row, GST_CCA_BLOCK / 2, 2, value, slope, shift);
    else
      paint_slope (row, values.width, component->step, value, slope, shift);
  }
}

/* --- Cells -------------------------------------------------------------------------------------------- */

static void
measure_blocks (GstCcaVeil *veil, const GstCcaCover *cover, const GstCcaVeilFrame *frame)
{
  for (uint32_t y = 0; y < cover->rows; y++)
    for (uint32_t x = 0; x < cover->columns; x++) {
      const size_t at = (size_t) y * cover->columns + x;
      GstCcaVeilCell *cell = &veil->levels[0][at];

      cell->n = cover->blocks[at] > 0;
      for (uint32_t i = 0; cell->n > 0 && i < frame->n_components; i++)
        cell->means[i] = mean_of (values_of (frame, &frame->components[i], x, y), &frame->components[i]);
    }
}

/* Joins up to four cells of the level below. */
static GstCcaVeilCell
join (const GstCcaVeil *veil, uint32_t level, uint32_t x, uint32_t y, uint32_t n_components)
{
  const uint32_t columns = veil->columns[level - 1], rows = veil->rows[level - 1];
  uint64_t sums[GST_CCA_VEIL_MAX_COMPONENTS] = { 0 };
  GstCcaVeilCell joined = { 0 };

  for (uint32_t cy = 2 * y; cy < rows && cy <= 2 * y + 1; cy++)
    for (uint32_t cx = 2 * x; cx < columns && cx <= 2 * x + 1; cx++) {
      const GstCcaVeilCell *cell = &veil->levels[level - 1][(size_t) cy * columns + cx];

      joined.n += cell->n;
      for (uint32_t i = 0; cell->n > 0 && i < n_components; i++)
        sums[i] += (uint64_t) cell->n * cell->means[i];
    }
  for (uint32_t i = 0; joined.n > 0 && i < n_components; i++)
    joined.means[i] = (uint16_t) ((sums[i] + joined.n / 2) / joined.n);
  return joined;
}

static void
measure (GstCcaVeil *veil, const GstCcaCover *cover, const GstCcaVeilFrame *frame)
{
  const uint32_t highest = gst_cca_cover_highest (cover);

  measure_blocks (veil, cover, frame);
  for (uint32_t level = 1; level <= highest; level++)
    for (uint32_t y = 0; y < veil->rows[level]; y++)
      for (uint32_t x = 0; x < veil->columns[level]; x++)
        veil->levels[level][(size_t) y * veil->columns[level] + x] = join (veil, level, x, y, frame->n_components);
}

/* --- Painting ----------------------------------------------------------------------------------------- */

static void
fill_block (const GstCcaVeilFrame *frame, uint32_t x, uint32_t y)
{
  for (uint32_t i = 0; i < frame->n_components; i++)
    paint_flat (values_of (frame, &frame->components[i], x, y), &frame->components[i], frame->components[i].fill);
}

static void
pixelate_block (const GstCcaVeil *veil, uint8_t level, const GstCcaVeilFrame *frame, uint32_t x, uint32_t y)
{
  const GstCcaVeilCell *cell = &veil->levels[level][(size_t) (y >> level) * veil->columns[level] + (x >> level)];

  for (uint32_t i = 0; i < frame->n_components; i++)
    paint_flat (values_of (frame, &frame->components[i], x, y), &frame->components[i],
                (uint8_t) ((cell->means[i] + 128) >> 8));
}

/* Interpolates between the means of the four cells around a block's corner; those without hidden pixels do not count.
 * One of them is the block's own. */
static void
interpolate (const GstCcaVeil *veil, uint8_t level, uint32_t x, uint32_t y, uint32_t n_components, uint16_t corner[])
{
  const uint32_t columns = veil->columns[level], rows = veil->rows[level];
  /* The place between the cells' centres, from half a cell outside the frame on, in halves of a block. */
  const uint32_t cell = 2u << level, right = 2 * x + cell / 2, down = 2 * y + cell / 2;
  uint64_t sums[GST_CCA_VEIL_MAX_COMPONENTS] = { 0 }, sum = 0;

  for (uint32_t j = 0; j < 2; j++)
    for (uint32_t i = 0; i < 2; i++) {
      const uint32_t cx = right / cell + i, cy = down / cell + j; /* one more than the cell's place */
      const uint64_t weight =
          (uint64_t) (i ? right % cell : cell - right % cell) * (j ? down % cell : cell - down % cell);
      const GstCcaVeilCell *from;

      if (cx == 0 || cy == 0 || cx > columns || cy > rows)
        continue;
      from = &veil->levels[level][(size_t) (cy - 1) * columns + cx - 1];
      if (from->n == 0)
        continue;
      sum += weight;
      for (uint32_t k = 0; k < n_components; k++)
        sums[k] += weight * from->means[k];
    }
  /* Usually all four count, and the weights add up to the square of a power of two. */
  for (uint32_t k = 0; k < n_components; k++)
    corner[k] =
        (uint16_t) (sum == (uint64_t) cell * cell ? (sums[k] + sum / 2) >> (2 * level + 2) : (sums[k] + sum / 2) / sum);
}

/* The values at a block's corners: left and right at the top, then at the bottom. */
typedef uint16_t Corners[4][GST_CCA_VEIL_MAX_COMPONENTS];

/* If the block goes on where one of its level ended, corners has that one's; leaves this one's. */
static void
blur_block (const GstCcaVeil *veil, uint8_t level, const GstCcaVeilFrame *frame, uint32_t x, uint32_t y, bool goes_on,
            Corners corners)
{
  for (uint32_t i = 0; i < 4; i += 2) {
    if (goes_on)
      memcpy (corners[i], corners[i + 1], sizeof corners[i]);
    else
      interpolate (veil, level, x, y + i / 2, frame->n_components, corners[i]);
    interpolate (veil, level, x + 1, y + i / 2, frame->n_components, corners[i + 1]);
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
