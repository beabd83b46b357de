/* gst-cca: rows of a frame, smoothed and moved into the coordinates of the model
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/samples/frame.h"

static uint32_t
clamp_row (int64_t y, uint32_t height)
{
  return y < 0 ? 0 : y >= (int64_t) height ? height - 1 : (uint32_t) y;
}

/* Smooths n pixels from four rows. */
static void
smooth (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, const uint8_t *const rows[4], uint32_t n, int shift_x,
        int shift_y, uint8_t *out)
{
  uint16_t *sums = strip->sums + CCA_SAMPLES_MARGIN;
  uint8_t across[4], down[4];

  cca_samples_weights (shift_x, across);
  cca_samples_weights (shift_y, down);
  frame->ops->columns (rows, down, n, sums);
  for (int i = (shift_x >> 2) - 1; i < 0; i++)
    sums[i] = sums[0];
  for (int i = 0; i < (shift_x >> 2) + 2; i++)
    sums[n + i] = sums[n - 1];
  frame->ops->line (sums + (shift_x >> 2) - 1, across, n, out);
}

void
cca_samples_smooth_luma (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, uint8_t *out)
{
  const CcaSamplesModel *model = frame->model;
  const int64_t first = (int64_t) y + (frame->shift_y >> 2) - 1;
  const uint8_t *rows[4];

  for (int j = 0; j < 4; j++)
    rows[j] = cca_samples_input (frame, clamp_row (first + j, model->height));
  smooth (frame, strip, rows, model->width, frame->shift_x, frame->shift_y, out);
}

void
cca_samples_smooth_start (CcaSamplesStrip *strip)
{
  for (int plane = 0; plane < 2; plane++)
    for (int i = 0; i < 4; i++)
      strip->picked_y[plane][i] = UINT32_MAX;
}

/* Packs n bytes that are `step` apart. */
static void
pick (const CcaRowOps *ops, const uint8_t *bytes, uint32_t step, uint32_t n, uint8_t *out)
{
  uint32_t i = 0;

  if (step == 2) {
    i = n - 1; /* the last pair's second byte may lie beyond the image */
    ops->halves (bytes, i, false, out);
  }
  for (; i < n; i++)
    out[i] = bytes[(size_t) i * step];
}

/* Returns row y of u or v, at half the size and without gaps. */
static const uint8_t *
chroma_row (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, int plane, uint32_t y)
{
  const CcaChroma *chroma = &frame->input->chroma;
  const uint8_t *row =
      (const uint8_t *) (plane == 0 ? chroma->u : chroma->v) + (ptrdiff_t) (y << (1 - chroma->shift_y)) * chroma->pitch;
  const uint32_t step = chroma->step << (1 - chroma->shift_x), at = y % 4;
  uint8_t *picked = strip->picked[plane][at];

  if (step == 1)
    return row;
  if (strip->picked_y[plane][at] != y) {
    pick (frame->cpu->ops, row, step, cca_samples_half (frame->model->width), picked);
    strip->picked_y[plane][at] = y;
  }
  return picked;
}

void
cca_samples_smooth_chroma (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, uint8_t *u, uint8_t *v)
{
  const uint32_t width = cca_samples_half (frame->model->width), height = cca_samples_half (frame->model->height);
  const int shift_x = frame->shift_x >> 1, shift_y = frame->shift_y >> 1;

  for (int plane = 0; plane < 2; plane++) {
    const uint8_t *rows[4];

    for (int j = 0; j < 4; j++)
      rows[j] = chroma_row (frame, strip, plane, clamp_row ((int64_t) y + (shift_y >> 2) - 1 + j, height));
    smooth (frame, strip, rows, width, shift_x, shift_y, plane == 0 ? u : v);
  }
}
