/* gst-cca: ghosts: places of objects that have left, where the samples still show the object
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The outline of an object is an edge in the frame, that of a ghost an edge in the background. Each block sums the
 * difference.
 */
#include "cca/cpu/samples/frame.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK CCA_SAMPLES_BLOCK

/* Foreground pixels of a word with a background neighbour: beside them, or above or below. */
typedef struct
{
  uint64_t beside, above_or_below;
} Outline;

/* Returns the outline in word i of a row that is not at the image's border. */
static Outline
outline_of (const uint64_t *bits, uint32_t row_words, uint32_t i, uint32_t width)
{
  const uint64_t left = bits[i] << 1 | (i > 0 ? bits[i - 1] >> 63 : 0), right = bits[i] >> 1 | bits[i + 1] << 63;
  uint64_t found = bits[i];

  if (i == 0)
    found &= ~(uint64_t) 1;
  if (i == (width - 1) / 64)
    found &= ~((uint64_t) 1 << (width - 1) % 64);
  return (Outline) { found & ~(left & right), found & ~(bits[(ptrdiff_t) i - row_words] & bits[i + row_words]) };
}

/* Adds the edges of row y, which is not at the image's border, to their blocks. */
static void
add_row (const CcaSamplesFrame *frame, uint32_t y, CcaSamplesEdges *edges)
{
  const CcaSamplesModel *model = frame->model;
  const uint32_t row_words = frame->cpu->row_words;
  const uint64_t *bits = frame->mask + (size_t) y * row_words;
  const uint8_t *still = model->still + y * model->pitch;
  const uint8_t *row = frame->work->luma + y * model->pitch, *above = row - model->pitch, *below = row + model->pitch;
  const uint8_t *s_above = cca_samples_luma (model, y - 1, frame->step.slot),
                *s = cca_samples_luma (model, y, frame->step.slot),
                *s_below = cca_samples_luma (model, y + 1, frame->step.slot);

  for (uint32_t i = 0; i < (model->width + 63) / 64; i++) {
    if (bits[i] == 0)
      continue;

    /* The next row is too far away for the hardware prefetcher. */
    __builtin_prefetch (s_below + CCA_SAMPLES_LUMA * model->pitch + 64 * i);

    const Outline outline = outline_of (bits, row_words, i, model->width);

    /* Branchless: branches would be unpredictable. */
    for (uint64_t left = outline.beside | outline.above_or_below; left; left &= left - 1) {
      const uint32_t k = (uint32_t) __builtin_ctzll (left), x = 64 * i + k;
      const int32_t across = abs (row[x + 1] - row[x - 1]) - abs (s[x + 1] - s[x - 1]),
                    along = abs (below[x] - above[x]) - abs (s_below[x] - s_above[x]);

      cca_samples_add_edge (
          &edges[x / BLOCK],
          (int32_t) (outline.beside >> k & 1) * across + (int32_t) (outline.above_or_below >> k & 1) * along, still[x]);
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
    CcaSamplesEdges *edges = model->edges + (size_t) j * n, *now = frame->work->strips[index].edges;

    memset (now, 0, n * sizeof *now);
    for (uint32_t y = j * BLOCK; y < (j + 1) * BLOCK && y < model->height; y++)
      if (y > 0 && y + 1 < model->height)
        add_row (frame, y, now);
    for (uint32_t i = 0; i < n; i++)
      edges[i] = cca_samples_next_edges (edges[i], now[i]);
  }
}

/* Returns whether none of n pixels of a block has stood still. */
static bool
all_moved (const uint8_t *still, uint32_t n)
{
  uint64_t words[2];

  _Static_assert (sizeof words == BLOCK, "a row of a block");
  if (n < BLOCK)
    return false;
  memcpy (words, still, sizeof words);
  return (words[0] | words[1]) == 0;
}

/* Learns the pixels of a block that have stood still for `least` frames. */
static void
drop_block (const CcaSamplesFrame *frame, uint32_t i, uint32_t j, uint32_t least)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesWork *work = frame->work;

  const uint32_t n = model->width - i * BLOCK < BLOCK ? model->width - i * BLOCK : BLOCK;

  for (uint32_t y = j * BLOCK; y < (j + 1) * BLOCK && y < model->height; y++) {
    if (all_moved (model->still + y * model->pitch + i * BLOCK, n))
      continue;
    for (uint32_t x = i * BLOCK; x < i * BLOCK + n; x++) {
      const size_t place = y * model->pitch + x, half_place = (y / 2) * model->half_pitch + x / 2;

      if (model->still[place] < least)
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
}

static CcaSamplesEdges
add_edges (CcaSamplesEdges a, CcaSamplesEdges b)
{
  return (CcaSamplesEdges) { a.all + b.all, a.steady + b.steady };
}

static void
drop_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_blocks (model->width), n_rows = cca_samples_blocks (model->height);
  const CcaStrip rows = cca_samples_rows (frame, n_rows, index);

  for (uint32_t j = rows.first; j < rows.last; j++) {
    CcaSamplesEdges *columns = frame->work->strips[index].edges; /* sums of three rows of blocks */

    memset (columns, 0, n * sizeof *columns);
    for (uint32_t y = j > 0 ? j - 1 : 0; y <= j + 1 && y < n_rows; y++)
      for (uint32_t i = 0; i < n; i++)
        columns[i] = add_edges (columns[i], model->edges[(size_t) y * n + i]);
    for (uint32_t i = 0; i < n; i++) {
      CcaSamplesEdges around = columns[i];

      if (cca_samples_is_held (frame, i, j))
        continue;
      if (i > 0)
        around = add_edges (around, columns[i - 1]);
      if (i + 1 < n)
        around = add_edges (around, columns[i + 1]);

      const uint32_t least = cca_samples_still_least (around, &frame->step);

      if (least < CCA_SAMPLES_STILL_NEVER)
        drop_block (frame, i, j, least);
    }
  }
}

void
cca_samples_drop_ghosts (CcaSamplesFrame *frame)
{
  cca_samples_strips (frame, add_strip);
  cca_samples_strips (frame, drop_strip);
}
