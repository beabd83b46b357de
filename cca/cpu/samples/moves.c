/* gst-cca: moving background, such as leaves and water
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where pixels often differ from their samples, the foreground is compared with the samples of pixels nearby. If these
 * explain most of it for some time, the explained foreground is dropped.
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

#define BLOCK CCA_SAMPLES_BLOCK
#define REACH CCA_SAMPLES_REACH

static CcaSamplesMoves
add_moves (CcaSamplesMoves a, CcaSamplesMoves b)
{
  return (CcaSamplesMoves) { a.moved + b.moved, a.other + b.other, a.busy + b.busy };
}

/* Decides for row j of blocks whether their foreground is moved background. */
static void
find_moving (const CcaSamplesModel *model, CcaSamplesStrip *strip, uint32_t j)
{
  const uint32_t n = cca_samples_blocks (model->width), n_rows = cca_samples_blocks (model->height);
  const uint32_t first = j > 0 ? j - 1 : 0, end = j + 1 < n_rows ? j + 2 : n_rows;
  CcaSamplesMoves *columns = strip->moves; /* sums of three rows of blocks */

  memset (columns, 0, n * sizeof *columns);
  for (uint32_t y = first; y < end; y++)
    for (uint32_t i = 0; i < n; i++)
      columns[i] = add_moves (columns[i], cca_samples_moves (model, true)[(size_t) y * n + i]);
  for (uint32_t i = 0; i < n; i++) {
    CcaSamplesMoves around = columns[i];
    uint32_t n_around = end - first;

    if (i > 0) {
      around = add_moves (around, columns[i - 1]);
      n_around += end - first;
    }
    if (i + 1 < n) {
      around = add_moves (around, columns[i + 1]);
      n_around += end - first;
    }
    strip->moving[i] = cca_samples_moving (around, n_around);
  }
}

void
cca_samples_begin_moves (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j)
{
  const uint32_t n = cca_samples_blocks (frame->model->width);

  find_moving (frame->model, strip, j);
  memset (strip->n_moved, 0, n * sizeof *strip->n_moved);
  memset (strip->n_other, 0, n * sizeof *strip->n_other);
  memset (strip->busy, 0, n * BLOCK * sizeof *strip->busy);
}

/* Returns the sum of a block's columns. */
static uint32_t
sum_of (const uint16_t columns[BLOCK])
{
  uint64_t words[4];

  _Static_assert (sizeof words == BLOCK * sizeof *columns && BLOCK * BLOCK * 255 <= UINT16_MAX, "16 bits hold the sum");
  memcpy (words, columns, sizeof words);
  return (uint32_t) ((words[0] + words[1] + words[2] + words[3]) * 0x0001000100010001u >> 48);
}

/* Returns whether every foreground pixel of a row is found. */
static bool
all_found (const uint8_t *raw, const uint8_t *found, uint32_t n)
{
  uint8_t left = 0;

  for (uint32_t k = 0; k < n; k++)
    left |= (uint8_t) (raw[k] & ~found[k]);
  return left == 0;
}

/* Finds which of n foreground pixels from (x, y) on are like a sample nearby. */
static void
find_moved (const CcaSamplesFrame *frame, uint32_t x, uint32_t y, uint32_t n, uint8_t *found)
{
  const CcaSamplesModel *model = frame->model;
  const uint8_t *row = frame->work->luma + y * model->pitch + x, *raw = model->raw + y * model->pitch + x;
  const bool inside = x >= REACH && x + n + REACH <= model->width;
  static const int8_t away[] = { 0, -1, 1, -2, 2 }; /* nearest rows first: they explain most */

  _Static_assert (sizeof away == 2 * REACH + 1, "one for each row");
  memset (found, 0, n);
  for (uint32_t k = 0; k < sizeof away && !all_found (raw, found, n); k++) {
    const int64_t j = (int64_t) y + away[k];

    if (j < 0 || j >= model->height)
      continue;

    const uint8_t *samples = cca_samples_luma (model, (uint32_t) j, 0);

    if (inside)
      frame->ops->find (row, samples + x - REACH, model->pitch, n, 2 * REACH + 1, &frame->levels, found);
    for (int64_t i = (int64_t) x - REACH; i <= (int64_t) x + REACH && !inside; i++) {
      const uint32_t first = i < 0 ? (uint32_t) -i : 0; /* first pixel with such a neighbour */
      const int64_t beyond = i + n - model->width;
      const uint32_t last = beyond > 0 ? n - (uint32_t) beyond : n;

      if (first < last)
        frame->ops->find (row + first, samples + (i + first), model->pitch, last - first, 1, &frame->levels,
                          found + first);
    }
  }
}

void
cca_samples_drop_moves (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  uint64_t *bits = frame->mask + (size_t) y * frame->cpu->row_words;
  const uint32_t n_blocks = cca_samples_blocks (model->width);
  uint8_t found[BLOCK];
  uint64_t foreground;

  for (uint32_t i = 0; (i = cca_samples_next_block (bits, n_blocks, i, &foreground)) < n_blocks; i++) {
    const uint32_t x = i * BLOCK, n = model->width - x < BLOCK ? model->width - x : BLOCK;
    uint64_t moved = 0;

    if (strip->moving[i] == CCA_SAMPLES_KEEP)
      continue;
    find_moved (frame, x, y, n, found);
    for (uint32_t k = 0; k < n; k++)
      moved |= (uint64_t) (found[k] & 1) << k;
    moved &= foreground;
    strip->n_moved[i] += (uint32_t) __builtin_popcountll (moved);
    strip->n_other[i] += (uint32_t) __builtin_popcountll (foreground ^ moved);
    if (strip->moving[i] == CCA_SAMPLES_COUNT)
      continue;
    bits[x / 64] ^= moved << x % 64;
    for (uint32_t k = 0; k < n; k++)
      model->raw[y * model->pitch + x + k] &= (uint8_t) ~found[k];
  }
}

void
cca_samples_end_moves (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t j)
{
  const CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_blocks (model->width);
  const CcaSamplesMoves *last = cca_samples_moves (model, true) + (size_t) j * n;
  CcaSamplesMoves *moves = cca_samples_moves (model, false) + (size_t) j * n;

  for (uint32_t i = 0; i < n; i++)
    moves[i] = (CcaSamplesMoves) { cca_samples_next_moves (last[i].moved, strip->n_moved[i]),
                                   cca_samples_next_moves (last[i].other, strip->n_other[i]),
                                   sum_of (strip->busy + i * BLOCK) };
}
