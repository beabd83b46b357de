/* gst-cca: deep shadows
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * In sunlight a shadow may be as dark as clothes or tyres. Its surroundings reveal it: nearly all pixels there that
 * differ from the background are darker and keep its colour.
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

#define BLOCK CCA_SAMPLES_BLOCK

void
cca_samples_begin_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip)
{
  memset (strip->counts.unlike, 0, frame->model->pitch);
  memset (strip->counts.shaded, 0, frame->model->pitch);
  memset (strip->counts.coloured, 0, frame->model->pitch);
}

/* Returns the sum of the counts of a block's columns, each at most BLOCK. */
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
    shades[i] =
        (CcaSamplesShades) { sum_of (strip->counts.unlike + i * BLOCK), sum_of (strip->counts.shaded + i * BLOCK),
                             sum_of (strip->counts.coloured + i * BLOCK) };
}

static CcaSamplesShades
add_shades (CcaSamplesShades a, CcaSamplesShades b)
{
  return (CcaSamplesShades) { a.unlike + b.unlike, a.shaded + b.shaded, a.coloured + b.coloured };
}

void
cca_samples_find_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j)
{
  const uint32_t n = cca_samples_blocks (frame->model->width), n_rows = cca_samples_blocks (frame->model->height);
  CcaSamplesShades *columns = strip->shades; /* sums of three rows of blocks */

  memset (columns, 0, n * sizeof *columns);
  for (uint32_t y = j > 0 ? j - 1 : 0; y <= j + 1 && y < n_rows; y++)
    for (uint32_t i = 0; i < n; i++)
      columns[i] = add_shades (columns[i], frame->work->shades[(size_t) y * n + i]);
  for (uint32_t i = 0; i < n; i++) {
    CcaSamplesShades around = columns[i];

    if (i > 0)
      around = add_shades (around, columns[i - 1]);
    if (i + 1 < n)
      around = add_shades (around, columns[i + 1]);
    strip->in_shade[i] = cca_samples_shaded (around);
  }
}

void
cca_samples_hide_shades (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesPlace now = cca_samples_now (frame, y), background = cca_samples_background (frame, y);
  const uint32_t row_words = frame->cpu->row_words;
  uint64_t *bits = frame->mask + (size_t) y * row_words;
  const uint32_t n_blocks = cca_samples_blocks (model->width);
  uint8_t shaded[BLOCK];
  uint64_t foreground;

  for (uint32_t i = 0; (i = cca_samples_next_block (bits, n_blocks, i, &foreground)) < n_blocks; i++) {
    const uint32_t x = i * BLOCK, n = model->width - x < BLOCK ? model->width - x : BLOCK;
    uint64_t hidden = 0;

    if (!strip->in_shade[i])
      continue;

    const CcaSamplesPlace here = { now.luma + x, now.u + x / 2, now.v + x / 2 },
                          past = { background.luma + x, background.u + x / 2, background.v + x / 2 };

    frame->ops->shades (&here, &past, &frame->levels, n, shaded);
    for (uint32_t k = 0; k < n; k++)
      hidden |= (uint64_t) (shaded[k] & 1) << k;
    bits[x / 64] &= ~(hidden << x % 64);
  }
  if (cca_samples_is_shifted (frame))
    memcpy (frame->work->mask + (size_t) y * row_words, bits, row_words * sizeof *bits);
}
