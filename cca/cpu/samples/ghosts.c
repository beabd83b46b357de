/* gst-cca: what has left a background that the samples still show
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Around an object the frame has edges, around a ghost the background. Blocks add up the difference.
 */
#include "cca/cpu/samples/frame.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK CCA_SAMPLES_BLOCK

/* Pixels of a word that are foreground beside background, to the left or right, and above or below. */
typedef struct
{
  uint64_t across, along;
} Border;

/* Returns the border in word i of a row; none at the image's sides. */
static Border
border (const uint64_t *bits, uint32_t row_words, uint32_t i, uint32_t width)
{
  const uint64_t left = bits[i] << 1 | (i > 0 ? bits[i - 1] >> 63 : 0), right = bits[i] >> 1 | bits[i + 1] << 63;
  uint64_t inside = bits[i];

  if (i == 0)
    inside &= ~(uint64_t) 1;
  if (i == (width - 1) / 64)
    inside &= ~((uint64_t) 1 << (width - 1) % 64);
  return (Border) { inside & ~(left & right), inside & ~(bits[(ptrdiff_t) i - row_words] & bits[i + row_words]) };
}

static int32_t
clamp_edge (int32_t difference)
{
  return difference > CCA_SAMPLES_EDGE_MOST    ? CCA_SAMPLES_EDGE_MOST
         : difference < -CCA_SAMPLES_EDGE_MOST ? -CCA_SAMPLES_EDGE_MOST
                                               : difference;
}

/* Adds up row y, which is not at the image's sides. Only gradients across the border count. */
static void
add_row (const CcaSamplesFrame *frame, uint32_t y, int32_t *sums)
{
  const CcaSamplesModel *model = frame->model;
  const uint32_t row_words = frame->cpu->row_words;
  const uint64_t *bits = frame->mask + (size_t) y * row_words;
  const uint8_t *p = frame->work->luma + y * model->pitch, *p_above = p - model->pitch, *p_below = p + model->pitch;
  const uint8_t *s = cca_samples_luma (model, y, frame->step.slot);
  const uint8_t *s_above = cca_samples_luma (model, y - 1, frame->step.slot);
  const uint8_t *s_below = cca_samples_luma (model, y + 1, frame->step.slot);

  for (uint32_t i = 0; i < (model->width + 63) / 64; i++) {
    if (bits[i] == 0)
      continue;

    const Border found = border (bits, row_words, i, model->width);

    for (uint64_t left = found.across | found.along; left; left &= left - 1) {
      const uint64_t pixel = left & -left;
      const uint32_t x = 64 * i + (uint32_t) __builtin_ctzll (left);
      int32_t difference = 0;

      if (found.across & pixel)
        difference += abs (p[x + 1] - p[x - 1]) - abs (s[x + 1] - s[x - 1]);
      if (found.along & pixel)
        difference += abs (p_below[x] - p_above[x]) - abs (s_below[x] - s_above[x]);
      sums[x / BLOCK] += clamp_edge (difference);
    }
  }
}

/* Returns the foreground of row y of the blocks in column i, a bit a pixel. */
static uint16_t
block_row (const CcaSamplesFrame *frame, uint32_t i, uint32_t y)
{
  const uint64_t *bits = frame->mask + (size_t) y * frame->cpu->row_words;

  return (uint16_t) (bits[i * BLOCK / 64] >> i * BLOCK % 64);
}

/* Returns whether the foreground of block (i, j) stands still. */
static bool
stands (const CcaSamplesFrame *frame, uint32_t i, uint32_t j)
{
  const CcaSamplesModel *model = frame->model;
  uint32_t n_foreground = 0, n_still = 0;

  for (uint32_t y = j * BLOCK; y < (j + 1) * BLOCK && y < model->height; y++)
    for (uint32_t left = block_row (frame, i, y); left; left &= left - 1) {
      const uint32_t x = i * BLOCK + (uint32_t) __builtin_ctz (left);

      n_foreground++;
      n_still += model->still[y * model->pitch + x] >= CCA_SAMPLES_GHOST_STILL;
    }
  return cca_samples_stands (n_still, n_foreground);
}

static void
add_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_blocks (model->width);
  const CcaStrip rows = cca_samples_rows (frame, cca_samples_blocks (model->height), index);
  int32_t *sums = frame->work->strips[index].edges;

  for (uint32_t j = rows.first; j < rows.last; j++) {
    int32_t *ghosts = model->ghosts + (size_t) j * n;

    memset (sums, 0, n * sizeof *sums);
    for (uint32_t y = j * BLOCK; y < (j + 1) * BLOCK && y < model->height; y++)
      if (y > 0 && y + 1 < model->height)
        add_row (frame, y, sums);
    /* A moving object covers edges of the background, too, but does not stand still. */
    for (uint32_t i = 0; i < n; i++)
      ghosts[i] += (sums[i] < 0 && !stands (frame, i, j) ? 0 : sums[i]) - ghosts[i] / CCA_SAMPLES_GHOST_DECAY;
  }
}

/* Takes a pixel into the samples. */
static void
drop_pixel (const CcaSamplesFrame *frame, uint32_t x, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesWork *work = frame->work;
  const size_t place = y * model->pitch + x, half_place = (y / 2) * model->half_pitch + x / 2;

  model->still[place] = 0;
  for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++)
    cca_samples_luma (model, y, k)[x] = work->luma[place];
  if (!model->chroma)
    return;
  for (uint32_t k = 0; k < CCA_SAMPLES_CHROMA; k++) {
    cca_samples_chroma (model, model->u, y / 2, k)[x / 2] = work->u[half_place];
    cca_samples_chroma (model, model->v, y / 2, k)[x / 2] = work->v[half_place];
  }
}

/* Takes what has stood still in a block for more than `most` frames. */
static void
drop_block (const CcaSamplesFrame *frame, uint32_t i, uint32_t j, uint8_t most)
{
  const CcaSamplesModel *model = frame->model;

  for (uint32_t y = j * BLOCK; y < (j + 1) * BLOCK && y < model->height; y++)
    for (uint32_t left = block_row (frame, i, y); left; left &= left - 1) {
      const uint32_t x = i * BLOCK + (uint32_t) __builtin_ctz (left);

      if (model->still[y * model->pitch + x] > most)
        drop_pixel (frame, x, y);
    }
}

static void
drop_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_blocks (model->width), n_rows = cca_samples_blocks (model->height);
  const CcaStrip rows = cca_samples_rows (frame, n_rows, index);
  const uint8_t old = cca_samples_old (model->t);

  for (uint32_t j = rows.first; j < rows.last; j++)
    for (uint32_t i = 0; i < n; i++) {
      int64_t sum = 0;

      for (uint32_t y = j > 0 ? j - 1 : 0; y <= j + 1 && y < n_rows; y++)
        for (uint32_t x = i > 0 ? i - 1 : 0; x <= i + 1 && x < n; x++)
          sum += model->ghosts[(size_t) y * n + x];
      drop_block (frame, i, j, sum < CCA_SAMPLES_GHOST ? CCA_SAMPLES_GHOST_STILL - 1 : old);
    }
}

void
cca_samples_drop_ghosts (CcaSamplesFrame *frame)
{
  cca_samples_strips (frame, add_strip);
  cca_samples_strips (frame, drop_strip);
}
