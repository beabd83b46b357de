/* gst-cca: the distances of a frame from its samples, and the foreground that follows from them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/foreground.h"
#include "cca/cpu/samples/frame.h"

#include <string.h>

/* Computes a row of p into `out`. Rows of the light's grid are in `out` already, in the frame's light. */
static void
luma_row (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, uint8_t *out)
{
  const CcaSamplesModel *model = frame->model;

  if (model->past.t == 0 || !cca_samples_is_light_row (model->height, y))
    cca_samples_smooth_luma (frame, strip, y, out);
  if (!model->light.identity)
    frame->ops->look_up (model->light.table, model->width, out, out);
}

/* Computes the chroma of rows y and y + 1, y even, and its distances. */
static void
chroma_row (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const size_t place = (size_t) (y / 2) * model->half_pitch;
  const uint32_t n = cca_samples_half (model->width);
  uint8_t *u = frame->work->u + place, *v = frame->work->v + place;

  cca_samples_smooth_chroma (frame, strip, y / 2, u, v);
  if (!frame->step.learning)
    frame->ops->chroma_distance (u, v, cca_samples_chroma (model, model->u, y / 2, 0),
                                 cca_samples_chroma (model, model->v, y / 2, 0), model->half_pitch, n, strip->chroma);
}

static void
distance_row (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, const uint8_t *p)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesOps *ops = frame->ops;
  uint8_t *distances = frame->work->distances + y * model->pitch;

  ops->distance (p, cca_samples_luma (model, y, 0), model->pitch, model->width, frame->levels.ceiling, distances);
  if (!model->chroma || frame->step.learning)
    return;
  ops->add_chroma (strip->chroma, model->width, distances);
  if (!frame->cpu->params->motion.keep_shadows) {
    const CcaSamplesPlace now = cca_samples_now (frame, y), background = cca_samples_background (frame, y);

    ops->shadows (&now, &background, &frame->levels, model->width, distances, &strip->counts);
  }
}

/* Clears foreground of row y that differs no more than the tolerance from the mask; the model does not learn it. */
static void
hide_weak (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const uint8_t above = (uint8_t) (frame->cpu->params->motion.tolerance + 1);
  uint64_t *bits = frame->mask + (size_t) y * frame->cpu->row_words;

  frame->cpu->ops->range (frame->work->distances + (size_t) y * model->pitch, model->width, above,
                          (uint8_t) (255 - above), false, strip->shown);
  for (uint32_t i = 0; i < frame->cpu->row_words; i++)
    bits[i] &= strip->shown[i];
}

/* Decides the mask of row y. Returns the number of foreground pixels. */
static uint64_t
decide_row (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesOps *ops = frame->ops;
  const uint32_t n = model->width, row_words = frame->cpu->row_words;
  const size_t place = (size_t) y * model->pitch;
  uint64_t *bits = frame->mask + (size_t) y * row_words, n_foreground = 0;
  uint8_t *raw = model->raw + place;
  const uint8_t *distances = frame->work->distances + place;

  ops->decide (distances, model->flips + place, model->busy + place, &frame->levels, n, raw);
  frame->cpu->ops->range (raw, n, 255, 0, false, bits);
  for (uint32_t i = 0; i < row_words; i++)
    if (bits[i])
      n_foreground += (uint64_t) __builtin_popcountll (bits[i]);
  if (frame->step.learning)
    return n_foreground;
  cca_samples_drop_moves (frame, strip, y);
  ops->follow (frame->work->luma + place, distances, raw, model->last + place, frame->levels.threshold, n,
               model->flips + place, model->busy + place, model->candidates + place, model->still + place);
  ops->add (model->busy + place, n, strip->busy);
  hide_weak (frame, strip, y);
  cca_samples_hide_shades (frame, strip, y);
  return n_foreground;
}

static void
distance_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const CcaStrip rows = cca_samples_rows (frame, cca_samples_blocks (model->height), index);
  CcaSamplesStrip *strip = &frame->work->strips[index];

  cca_samples_smooth_start (strip);
  for (uint32_t j = rows.first; j < rows.last; j++) {
    cca_samples_begin_shades (frame, strip);
    for (uint32_t y = j * CCA_SAMPLES_BLOCK; y < (j + 1) * CCA_SAMPLES_BLOCK && y < model->height; y++) {
      uint8_t *p = frame->work->luma + y * model->pitch;

      luma_row (frame, strip, y, p);
      if (model->chroma && y % 2 == 0)
        chroma_row (frame, strip, y);
      distance_row (frame, strip, y, p);
    }
    cca_samples_end_shades (frame, strip, j);
  }
}

static void
decide_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const CcaStrip rows = cca_samples_rows (frame, cca_samples_blocks (model->height), index);
  CcaSamplesStrip *strip = &frame->work->strips[index];

  strip->n_foreground = 0;
  for (uint32_t j = rows.first; j < rows.last; j++) {
    cca_samples_find_shades (frame, strip, j);
    cca_samples_begin_moves (frame, strip, j);
    for (uint32_t y = j * CCA_SAMPLES_BLOCK; y < (j + 1) * CCA_SAMPLES_BLOCK && y < model->height; y++)
      strip->n_foreground += decide_row (frame, strip, y);
    cca_samples_end_moves (frame, strip, j);
  }
}

uint64_t
cca_samples_find_foreground (CcaSamplesFrame *frame)
{
  uint64_t n = 0;

  cca_samples_strips (frame, distance_strip);
  cca_samples_strips (frame, decide_strip);
  for (uint32_t s = 0; s < frame->n_strips; s++)
    n += frame->work->strips[s].n_foreground;
  return n;
}

/* --- The first frame --------------------------------------------------------------------------------- */

static void
begin_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  CcaSamplesModel *model = frame->model;
  const CcaSamplesWork *work = frame->work;
  const CcaStrip rows = cca_samples_rows (frame, model->height, index);
  const uint32_t half = cca_samples_half (model->width);
  CcaSamplesStrip *strip = &work->strips[index];

  cca_samples_smooth_start (strip);
  for (uint32_t y = rows.first; y < rows.last; y++) {
    const size_t place = y * model->pitch, half_place = (size_t) (y / 2) * model->half_pitch;

    luma_row (frame, strip, y, work->luma + place);
    for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++)
      memcpy (cca_samples_luma (model, y, k), work->luma + place, model->width);
    if (model->chroma && y % 2 == 0) {
      chroma_row (frame, strip, y);
      for (uint32_t k = 0; k < CCA_SAMPLES_CHROMA; k++) {
        memcpy (cca_samples_chroma (model, model->u, y / 2, k), work->u + half_place, half);
        memcpy (cca_samples_chroma (model, model->v, y / 2, k), work->v + half_place, half);
      }
    }
    memset (model->raw + place, 0, model->width);
    memset (model->candidates + place, 0, model->width);
    memset (model->still + place, 0, model->width);
    memset (model->flips + place, 0, model->width);
    memset (model->busy + place, 0, model->width);
  }
}

void
cca_samples_begin (CcaSamplesFrame *frame)
{
  CcaSamplesModel *model = frame->model;
  const size_t n_blocks = (size_t) cca_samples_blocks (model->width) * cca_samples_blocks (model->height);

  cca_samples_strips (frame, begin_strip);
  memset (model->edges, 0, n_blocks * sizeof *model->edges);
  for (int i = 0; i < 2; i++)
    memset (model->moves[i], 0, n_blocks * sizeof *model->moves[i]);
}
