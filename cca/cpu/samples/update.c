/* gst-cca: the samples move, and the mask is shown
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

/* Takes n pixels of a row into a sample at random, where the flags are not set. The first has random byte `offset`. */
static void
update_row (const CcaSamplesFrame *frame, const uint8_t *row, const uint8_t *not, uint32_t offset, uint32_t n,
            uint8_t *sample)
{
  for (uint32_t x = 0; x < n; x += CCA_SAMPLES_RANDOM)
    frame->ops->update (row + x, not + x, frame->model->take + offset % CCA_SAMPLES_RANDOM,
                        n - x < CCA_SAMPLES_RANDOM ? n - x : CCA_SAMPLES_RANDOM, sample + x);
}

/* Finds the next pixels of row y that are learned, from *end on, and sets *first and *end. Returns whether there are
 * any. */
static bool
find_free (const CcaSamplesFrame *frame, uint32_t y, uint32_t *first, uint32_t *end)
{
  const uint32_t width = frame->model->width, j = y / CCA_SAMPLES_BLOCK;

  for (*first = *end; *first < width && cca_samples_is_held (frame, *first / CCA_SAMPLES_BLOCK, j);)
    *first += CCA_SAMPLES_BLOCK;
  if (*first >= width)
    return false;
  *end = frame->holds ? *first : width;
  while (*end < width && !cca_samples_is_held (frame, *end / CCA_SAMPLES_BLOCK, j))
    *end += CCA_SAMPLES_BLOCK;
  *end = *end < width ? *end : width;
  return true;
}

static void
update_luma (const CcaSamplesFrame *frame, uint32_t y)
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
  for (uint32_t first = 0, end = 0; find_free (frame, y, &first, &end);) {
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
  for (uint32_t first = 0, end = 0; find_free (frame, 2 * y, &first, &end);) {
    const uint32_t half = first / 2, n_free = cca_samples_half (end) - half;

    update_row (frame, u + half, strip->chroma + half, offset + half, n_free, sample_u + half);
    update_row (frame, v + half, strip->chroma + half, offset + half, n_free, sample_v + half);
  }
}

static void
update_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaStrip rows = cca_samples_rows (frame, frame->model->height, index);

  for (uint32_t y = rows.first; y < rows.last; y++) {
    update_luma (frame, y);
    if (frame->model->chroma && y % 2 == 0)
      update_chroma (frame, &frame->work->strips[index], y / 2);
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

/* Moves a row of n bytes to the right, repeating the one at the end. */
static void
move_row (const uint8_t *row, int distance, uint32_t n, uint8_t *out)
{
  const uint32_t away = (uint32_t) (distance < 0 ? -distance : distance), gap = away < n ? away : n;

  if (distance >= 0) {
    memset (out, row[0], gap);
    memcpy (out + gap, row, n - gap);
  } else {
    memcpy (out, row + gap, n - gap);
    memset (out + n - gap, row[n - 1], gap);
  }
}

static void
show_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  CcaSamplesStrip *strip = &frame->work->strips[index];
  const CcaStrip rows = cca_samples_rows (frame, model->height, index);
  const int x = cca_samples_whole (frame->shift_x), y = cca_samples_whole (frame->shift_y);

  for (uint32_t i = rows.first; i < rows.last; i++) {
    uint64_t *bits = frame->mask + (size_t) i * frame->cpu->row_words;

    move_row (frame->work->distances + clamp ((int64_t) i - y, model->height) * model->pitch, x, model->width,
              strip->row);
    frame->cpu->ops->range (strip->row, model->width, 255, 0, false, bits);
  }
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
