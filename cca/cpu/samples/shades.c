/* gst-cca: deep shadows
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * In sunlight a shadow may be as dark as clothes or tyres. Its surroundings tell it: nearly all pixels there that
 * differ from the background are darker and keep its colour.
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

#define BLOCK CCA_SAMPLES_BLOCK

void
cca_samples_begin_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip)
{
  memset (strip->unlike, 0, frame->model->pitch);
  memset (strip->shaded, 0, frame->model->pitch);
}

/* Adds up the counts of a block's columns, each of no more than BLOCK. */
static uint32_t
sum_of (const uint8_t columns[BLOCK])
{
  uint64_t words[2];

  _Static_assert (sizeof words == BLOCK && 8 * BLOCK <= 255, "bytes hold the sums");
  memcpy (words, columns, sizeof words);
  return (uint32_t) ((words[0] * 0x0101010101010101u >> 56) + (words[1] * 0x0101010101010101u >> 56));
}

void
cca_samples_end_shades (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t j)
{
  const uint32_t n = cca_samples_blocks (frame->model->width);
  CcaSamplesShades *shades = frame->work->shades + (size_t) j * n;

  for (uint32_t i = 0; i < n; i++)
    shades[i] = (CcaSamplesShades) { sum_of (strip->unlike + i * BLOCK), sum_of (strip->shaded + i * BLOCK) };
}

/* Whether a deep shadow lies on block i of row j. */
static bool
is_shaded (const CcaSamplesFrame *frame, uint32_t i, uint32_t j)
{
  const uint32_t n = cca_samples_blocks (frame->model->width), n_rows = cca_samples_blocks (frame->model->height);
  CcaSamplesShades around = { 0, 0 };

  for (uint32_t y = j > 0 ? j - 1 : 0; y <= j + 1 && y < n_rows; y++)
    for (uint32_t x = i > 0 ? i - 1 : 0; x <= i + 1 && x < n; x++) {
      around.unlike += frame->work->shades[(size_t) y * n + x].unlike;
      around.shaded += frame->work->shades[(size_t) y * n + x].shaded;
    }
  return cca_samples_shaded (around);
}

void
cca_samples_find_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j)
{
  for (uint32_t i = 0; i < cca_samples_blocks (frame->model->width); i++)
    strip->in_shade[i] = is_shaded (frame, i, j);
}

void
cca_samples_hide_shades (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesPlace now = cca_samples_now (frame, y), background = cca_samples_background (frame, y);
  uint64_t *bits = frame->mask + (size_t) y * frame->cpu->row_words;
  const uint32_t n_blocks = cca_samples_blocks (model->width);
  uint8_t *shown = frame->work->distances + y * model->pitch, shaded[BLOCK];
  uint64_t foreground;

  if (cca_samples_is_shifted (frame))
    memcpy (shown, model->raw + y * model->pitch, model->width);
  for (uint32_t i = 0; (i = cca_samples_next_block (bits, n_blocks, i, &foreground)) < n_blocks; i++) {
    const uint32_t x = i * BLOCK, n = model->width - x < BLOCK ? model->width - x : BLOCK;

    if (!strip->in_shade[i])
      continue;

    const CcaSamplesPlace here = { now.luma + x, now.u + x / 2, now.v + x / 2 },
                          past = { background.luma + x, background.u + x / 2, background.v + x / 2 };

    frame->ops->shades (&here, &past, &frame->levels, n, shaded);
    for (uint32_t k = 0; k < n; k++) {
      shown[x + k] &= (uint8_t) ~shaded[k];
      bits[x / 64] &= ~((uint64_t) (shaded[k] & 1) << (x + k) % 64);
    }
  }
}
