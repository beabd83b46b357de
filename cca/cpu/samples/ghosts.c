/* gst-cca: what has left a background that the samples still show
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Around an object the frame has edges, around a ghost the background. Blocks add up the difference.
 */
#include "cca/cpu/samples/frame.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK CCA_SAMPLES_BLOCK

static int32_t
gradient (const uint8_t *above, const uint8_t *row, const uint8_t *below, uint32_t x)
{
  return abs (row[x + 1] - row[x - 1]) + abs (below[x] - above[x]);
}

/* The foreground of word i of a row that has a neighbour which is not; not at the image's sides. */
static uint64_t
border (const uint64_t *bits, uint32_t row_words, uint32_t i, uint32_t width)
{
  const uint64_t left = bits[i] << 1 | (i > 0 ? bits[i - 1] >> 63 : 0), right = bits[i] >> 1 | bits[i + 1] << 63;
  uint64_t found = bits[i] & ~(left & right & bits[(ptrdiff_t) i - row_words] & bits[i + row_words]);

  if (i == 0)
    found &= ~(uint64_t) 1;
  if (i == (width - 1) / 64)
    found &= ~((uint64_t) 1 << (width - 1) % 64);
  return found;
}

/* Adds up row y, which is not at the image's sides. */
static void
add_row (const CcaSamplesFrame *frame, uint32_t y, int32_t *sums)
{
  const CcaSamplesModel *model = frame->model;
  const uint32_t row_words = frame->cpu->row_words;
  const uint64_t *bits = frame->mask + (size_t) y * row_words;
  const uint8_t *p = frame->work->luma + y * model->pitch;
  const uint8_t *s[3] = { cca_samples_luma (model, y - 1, frame->step.slot),
                          cca_samples_luma (model, y, frame->step.slot),
                          cca_samples_luma (model, y + 1, frame->step.slot) };

  for (uint32_t i = 0; i < (model->width + 63) / 64; i++) {
    if (bits[i] == 0)
      continue;
    for (uint64_t left = border (bits, row_words, i, model->width); left; left &= left - 1) {
      const uint32_t x = 64 * i + (uint32_t) __builtin_ctzll (left);
      const int32_t difference = gradient (p - model->pitch, p, p + model->pitch, x) - gradient (s[0], s[1], s[2], x);

      sums[x / BLOCK] += difference > CCA_SAMPLES_EDGE_MOST    ? CCA_SAMPLES_EDGE_MOST
                         : difference < -CCA_SAMPLES_EDGE_MOST ? -CCA_SAMPLES_EDGE_MOST
                                                               : difference;
    }
  }
}

static void
add_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_blocks (model->width);
  const CcaStrip rows = cca_samples_rows (frame, cca_samples_blocks (model->height), index);

  for (uint32_t j = rows.first; j < rows.last; j++) {
    int32_t *ghosts = model->ghosts + (size_t) j * n;

    for (uint32_t i = 0; i < n; i++)
      ghosts[i] -= ghosts[i] / CCA_SAMPLES_GHOST_DECAY;
    for (uint32_t y = j * BLOCK; y < (j + 1) * BLOCK && y < model->height; y++)
      if (y > 0 && y + 1 < model->height)
        add_row (frame, y, ghosts);
  }
}

/* Takes what stands still in a block into the samples. */
static void
drop_block (const CcaSamplesFrame *frame, uint32_t i, uint32_t j)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesWork *work = frame->work;

  for (uint32_t y = j * BLOCK; y < (j + 1) * BLOCK && y < model->height; y++)
    for (uint32_t x = i * BLOCK; x < (i + 1) * BLOCK && x < model->width; x++) {
      const size_t place = y * model->pitch + x, half_place = (y / 2) * model->half_pitch + x / 2;

      if (model->still[place] < CCA_SAMPLES_GHOST_STILL)
        continue;
      model->still[place] = 0;
      for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++)
        cca_samples_luma (model, y, k)[x] = work->luma[place];
      if (!model->chroma)
        continue;
      for (uint32_t k = 0; k < CCA_SAMPLES_CHROMA; k++) {
        cca_samples_chroma (model, model->u, y / 2, k)[x / 2] = work->u[half_place];
        cca_samples_chroma (model, model->v, y / 2, k)[x / 2] = work->v[half_place];
      }
    }
}

static void
drop_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_blocks (model->width), n_rows = cca_samples_blocks (model->height);
  const CcaStrip rows = cca_samples_rows (frame, n_rows, index);

  for (uint32_t j = rows.first; j < rows.last; j++)
    for (uint32_t i = 0; i < n; i++) {
      int64_t sum = 0;

      for (uint32_t y = j > 0 ? j - 1 : 0; y <= j + 1 && y < n_rows; y++)
        for (uint32_t x = i > 0 ? i - 1 : 0; x <= i + 1 && x < n; x++)
          sum += model->ghosts[(size_t) y * n + x];
      if (sum < CCA_SAMPLES_GHOST)
        drop_block (frame, i, j);
    }
}

void
cca_samples_drop_ghosts (CcaSamplesFrame *frame)
{
  cca_samples_strips (frame, add_strip);
  cca_samples_strips (frame, drop_strip);
}
