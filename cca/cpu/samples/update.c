/* gst-cca: updates the samples and writes the mask
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

/* Replaces a sample by n pixels of a row at random, except at set flags. The first pixel uses random byte `offset`. */
static void
update_row (const CcaSamplesFrame *frame, const uint8_t *row, const uint8_t *not, uint32_t offset, uint32_t n,
            uint8_t *sample)
{
  for (uint32_t x = 0; x < n; x += CCA_SAMPLES_RANDOM)
    frame->ops->update (row + x, not + x, frame->model->take + offset % CCA_SAMPLES_RANDOM,
                        n - x < CCA_SAMPLES_RANDOM ? n - x : CCA_SAMPLES_RANDOM, sample + x);
}

/* Prefetches a row of a sample that is updated soon; rows are too far apart for the hardware prefetcher. */
static void
fetch (const uint8_t *row, uint32_t n)
{
  for (uint32_t x = 0; x < n; x += 64)
    __builtin_prefetch (row + x, 1);
}

/* Finds the pixels that the model learns in row j of blocks. */
static void
find_free (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j)
{
  const uint32_t width = frame->model->width, n = cca_samples_blocks (width);

  strip->n_free = 0;
  if (!frame->holds)
    strip->free[strip->n_free++] = (CcaSamplesSpan) { 0, width };
  for (uint32_t i = 0, first; frame->holds && i < n; i++) {
    for (first = i; i < n && !cca_samples_is_held (frame, i, j);)
      i++;
    if (i > first)
      strip->free[strip->n_free++] =
          (CcaSamplesSpan) { first * CCA_SAMPLES_BLOCK, i < n ? i * CCA_SAMPLES_BLOCK : width };
  }
}

static void
update_luma (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesStep *step = &frame->step;
  const size_t place = y * model->pitch;
  const uint8_t *p = frame->work->luma + place;
  const int64_t from = (int64_t) y + step->dy;
  const ptrdiff_t away = (ptrdiff_t) step->dy * (ptrdiff_t) model->pitch + step->dx;
  const bool spreads = from >= 0 && from < model->height && model->width > 2;
  const uint32_t own = cca_samples_offset (step->hash, y, 0),
                 other = cca_samples_offset (step->hash, y, CCA_SAMPLES_SALT_NEIGHBOUR);
  uint8_t *sample = cca_samples_luma (model, y, step->slot);

  if (step->learning) {
    memcpy (sample, p, model->width);
    return;
  }
  fetch (sample + CCA_SAMPLES_LUMA * model->pitch, model->width);
  for (uint32_t i = 0; i < strip->n_free; i++) {
    const uint32_t first = strip->free[i].first, end = strip->free[i].end;
    const uint32_t inner = first > 0 ? first : 1, outer = end < model->width ? end : model->width - 1;

    update_row (frame, p + first, model->raw + place + first, own + first, end - first, sample + first);
    if (spreads && inner < outer)
      update_row (frame, p + away + inner, model->last + place + away + inner, other + inner, outer - inner,
                  sample + inner);
  }
}

static void
update_chroma (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesStep *step = &frame->step;
  const uint32_t n = cca_samples_half (model->width),
                 offset = cca_samples_offset (step->hash, y, CCA_SAMPLES_SALT_CHROMA);
  const uint8_t *raw = model->raw + 2 * y * model->pitch, *u = frame->work->u + y * model->half_pitch,
                *v = frame->work->v + y * model->half_pitch;
  uint8_t *sample_u = cca_samples_chroma (model, model->u, y, step->cslot),
          *sample_v = cca_samples_chroma (model, model->v, y, step->cslot);

  if (step->learning) {
    memcpy (sample_u, u, n);
    memcpy (sample_v, v, n);
    return;
  }
  frame->ops->halve (raw, 2 * y + 1 < model->height ? raw + model->pitch : raw, model->width, strip->chroma);
  fetch (sample_u + CCA_SAMPLES_CHROMA * model->half_pitch, n);
  fetch (sample_v + CCA_SAMPLES_CHROMA * model->half_pitch, n);
  for (uint32_t i = 0; i < strip->n_free; i++) {
    const uint32_t half = strip->free[i].first / 2, n_free = cca_samples_half (strip->free[i].end) - half;

    update_row (frame, u + half, strip->chroma + half, offset + half, n_free, sample_u + half);
    update_row (frame, v + half, strip->chroma + half, offset + half, n_free, sample_v + half);
  }
}

static void
update_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaStrip rows = cca_samples_rows (frame, frame->model->height, index);
  CcaSamplesStrip *strip = &frame->work->strips[index];

  for (uint32_t y = rows.first; y < rows.last; y++) {
    if (y == rows.first || y % CCA_SAMPLES_BLOCK == 0)
      find_free (frame, strip, y / CCA_SAMPLES_BLOCK);
    update_luma (frame, strip, y);
    if (frame->model->chroma && y % 2 == 0)
      update_chroma (frame, strip, y / 2);
  }
}

void
cca_samples_update (CcaSamplesFrame *frame)
{
  cca_samples_strips (frame, update_strip);
}

static uint32_t
clamp (int64_t value, uint32_t size)
{
  return value < 0 ? 0 : value >= (int64_t) size ? size - 1 : (uint32_t) value;
}

/* Shifts a row of n bits to the right, repeating the one at the end. */
static void
move_row (const uint64_t *row, int distance, uint32_t n, uint64_t *out)
{
  const uint32_t last = (n - 1) / 64, top = (n - 1) % 64;
  const uint32_t away = (uint32_t) (distance < 0 ? -distance : distance);

  _Static_assert (CCA_SAMPLES_DRIFT + CCA_SAMPLES_SEARCH + 1 < 64, "less than a word");
  if (distance == 0) {
    memcpy (out, row, (last + 1) * sizeof *out);
  } else if (distance > 0) {
    uint64_t before = row[0] & 1 ? UINT64_MAX : 0;

    for (uint32_t i = 0; i <= last; i++) {
      out[i] = row[i] << away | before >> (64 - away);
      before = row[i];
    }
  } else {
    uint64_t behind = row[last] >> top & 1 ? UINT64_MAX : 0, word = row[last] | behind << top;

    for (uint32_t i = last + 1; i-- > 0;) {
      out[i] = word >> away | behind << (64 - away);
      behind = word;
      word = i > 0 ? row[i - 1] : 0;
    }
  }
  out[last] &= UINT64_MAX >> (63 - top);
}

static void
show_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const CcaStrip rows = cca_samples_rows (frame, model->height, index);
  const uint32_t row_words = frame->cpu->row_words;
  const int x = cca_samples_whole (frame->shift_x), y = cca_samples_whole (frame->shift_y);

  for (uint32_t i = rows.first; i < rows.last; i++)
    move_row (frame->work->mask + (size_t) clamp ((int64_t) i - y, model->height) * row_words, x, model->width,
              frame->mask + (size_t) i * row_words);
}

void
cca_samples_show (CcaSamplesFrame *frame)
{
  const CcaCpu *cpu = frame->cpu;

  if (frame->step.learning || frame->scene_change)
    memset (frame->mask, 0, (size_t) cpu->row_words * cpu->height * sizeof *frame->mask);
  else if (cca_samples_is_shifted (frame))
    cca_samples_strips (frame, show_strip);
}
