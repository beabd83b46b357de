/* gst-cca: the background model SAMPLES on the CPU: its memory, and the order of its steps
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

/* Returns the bytes of a row, rounded up to whole vectors. */
static size_t
pitch_of (uint32_t width)
{
  return cca_align (width);
}

/* Takes a part of a layout, which may be a counting one. */
#define TAKE(member, bytes)                                                                                            \
  do {                                                                                                                 \
    void *part = cca_layout_take (layout, bytes);                                                                      \
                                                                                                                       \
    if (layout->base)                                                                                                  \
      (member) = part;                                                                                                 \
  } while (0)

static CcaSamplesModel *
model_take (CcaLayout *layout, uint32_t width, uint32_t height)
{
  const size_t pitch = pitch_of (width), plane = pitch * height;
  const size_t half_pitch = pitch_of (cca_samples_half (width)), half_plane = half_pitch * cca_samples_half (height);
  CcaSamplesModel *model = cca_layout_take (layout, sizeof *model);

  if (layout->base)
    *model = (CcaSamplesModel) { .width = width, .height = height, .pitch = pitch, .half_pitch = half_pitch };
  TAKE (model->luma, CCA_SAMPLES_LUMA * plane);
  TAKE (model->u, CCA_SAMPLES_CHROMA * half_plane);
  TAKE (model->v, CCA_SAMPLES_CHROMA * half_plane);
  TAKE (model->raw, plane);
  TAKE (model->last, plane);
  TAKE (model->candidates, plane);
  TAKE (model->still, plane);
  TAKE (model->flips, plane);
  TAKE (model->busy, plane);
  TAKE (model->noise_grid, (size_t) cca_samples_noise_grid (width) * cca_samples_noise_grid (height));
  TAKE (model->edges, (size_t) cca_samples_blocks (width) * cca_samples_blocks (height) * sizeof *model->edges);
  for (int i = 0; i < 2; i++)
    TAKE (model->moves[i], (size_t) cca_samples_blocks (width) * cca_samples_blocks (height) * sizeof *model->moves[i]);
  TAKE (model->take, 2 * CCA_SAMPLES_RANDOM);
  for (int i = 0; i < CCA_SAMPLES_SCENES; i++) {
    TAKE (model->scenes[i].luma, CCA_SAMPLES_REMEMBERED * plane);
    TAKE (model->scenes[i].u, CCA_SAMPLES_REMEMBERED * half_plane);
    TAKE (model->scenes[i].v, CCA_SAMPLES_REMEMBERED * half_plane);
  }
  return model;
}

CcaSamplesModel *
cca_samples_model_new (const CcaAllocator *allocator, uint32_t width, uint32_t height)
{
  CcaLayout layout = { NULL, 0 };
  CcaSamplesModel *model;

  model_take (&layout, width, height);
  layout.base = cca_alloc (allocator, NULL, layout.size);
  if (layout.base == NULL)
    return NULL;
  layout.size = 0;
  model = model_take (&layout, width, height);
  for (uint32_t i = 0; i < 2 * CCA_SAMPLES_RANDOM; i++)
    model->take[i] = cca_samples_random (i % CCA_SAMPLES_RANDOM) < CCA_SAMPLES_RATE ? 255 : 0;
  return model;
}

void
cca_samples_model_reset (CcaSamplesModel *model)
{
  model->past = (CcaSamplesPast) { .t = 0 };
}

static void
strip_take (CcaLayout *layout, const CcaCpu *cpu, CcaSamplesStrip *strip)
{
  const size_t row = pitch_of (cpu->width), half = pitch_of (cca_samples_half (cpu->width));
  const size_t n_blocks = cca_samples_blocks (cpu->width);

  TAKE (strip->sums, (row + 2 * CCA_SAMPLES_MARGIN) * sizeof *strip->sums);
  TAKE (strip->row, row);
  TAKE (strip->chroma, half);
  TAKE (strip->shown, cpu->row_words * sizeof *strip->shown);
  for (int plane = 0; plane < 2; plane++)
    for (int i = 0; i < 4; i++)
      TAKE (strip->picked[plane][i], half);
  TAKE (strip->counts.unlike, row);
  TAKE (strip->counts.shaded, row);
  TAKE (strip->counts.coloured, row);
  TAKE (strip->shades, n_blocks * sizeof *strip->shades);
  TAKE (strip->in_shade, n_blocks * sizeof *strip->in_shade);
  TAKE (strip->edges, n_blocks * sizeof *strip->edges);
  TAKE (strip->moves, n_blocks * sizeof *strip->moves);
  TAKE (strip->moving, n_blocks * sizeof *strip->moving);
  TAKE (strip->n_moved, n_blocks * sizeof *strip->n_moved);
  TAKE (strip->n_other, n_blocks * sizeof *strip->n_other);
  TAKE (strip->free, n_blocks * sizeof *strip->free);
  TAKE (strip->busy, n_blocks * CCA_SAMPLES_BLOCK * sizeof *strip->busy);
}

CcaSamplesWork *
cca_samples_work_take (CcaLayout *layout, const CcaCpu *cpu)
{
  const uint32_t half_height = cca_samples_half (cpu->height);
  const size_t plane = pitch_of (cpu->width) * cpu->height;
  const size_t half_plane = pitch_of (cca_samples_half (cpu->width)) * half_height;
  const size_t light_grid = (size_t) cca_samples_light_grid (cpu->width) * cca_samples_light_grid (cpu->height);
  const size_t noise_grid = (size_t) cca_samples_noise_grid (cpu->width) * cca_samples_noise_grid (cpu->height);
  CcaSamplesWork *work = cca_layout_take (layout, sizeof *work);

  TAKE (work->luma, plane);
  TAKE (work->distances, plane);
  TAKE (work->mask, (size_t) cpu->row_words * cpu->height * sizeof *work->mask);
  TAKE (work->shades,
        (size_t) cca_samples_blocks (cpu->width) * cca_samples_blocks (cpu->height) * sizeof *work->shades);
  TAKE (work->held, (size_t) cca_samples_blocks (cpu->width) * cca_samples_blocks (cpu->height) * sizeof *work->held);
  TAKE (work->u, half_plane);
  TAKE (work->v, half_plane);
  TAKE (work->grid, light_grid * sizeof *work->grid);
  TAKE (work->noise_grid, noise_grid);
  TAKE (work->changes, (CCA_SAMPLES_CHANGES_END + 1) * sizeof **work->changes);
  TAKE (work->strips, cpu->most_strips * sizeof *work->strips);
  for (uint32_t s = 0; s < cpu->most_strips; s++)
    strip_take (layout, cpu, work ? &work->strips[s] : NULL);
  return work;
}

bool
cca_samples_run (CcaSamplesModel *model, CcaSamplesWork *work, const CcaCpu *cpu, const CcaImage *input,
                 const CcaHeld *held, uint64_t *mask)
{
  const bool chroma = input->chroma.u != NULL;
  CcaSamplesFrame frame = { .model = model,
                            .work = work,
                            .cpu = cpu,
                            .ops = cpu->ops->samples,
                            .input = input,
                            .mask = mask,
                            .n_strips = cpu->n_strips };
  uint8_t *const last = model->raw;
  uint32_t scene;

  if (model->chroma != chroma)
    cca_samples_model_reset (model);
  model->chroma = chroma;
  model->raw = model->last;
  model->last = last;
  if (model->past.t == 0) {
    cca_samples_light_init (&model->light);
    model->noise = CCA_SAMPLES_NOISE_FIRST;
    model->shift_x = model->shift_y = 0;
    model->leaps = (CcaSamplesLeaps) { 0 };
  }
  frame.step = cca_samples_step (cpu->params->motion.learning, model->past.t);
  cca_samples_find_shift (&frame);
  cca_samples_find_light (&frame);
  if (model->past.t == 0) {
    cca_samples_begin (&frame);
  } else {
    const uint64_t n_foreground = cca_samples_find_foreground (&frame);

    frame.scene_change = !frame.step.learning && n_foreground > cca_samples_most (&frame);
    if (!frame.step.learning) {
      cca_samples_hold (&frame, held);
      cca_samples_drop_ghosts (&frame);
    }
    if (!frame.scene_change)
      cca_samples_update (&frame);
  }
  cca_samples_show (&frame);
  model->turn = 1 - model->turn;
  scene = cca_samples_move_on (&model->past, cpu->params->motion.learning, frame.scene_change);
  if (scene < CCA_SAMPLES_SCENES)
    cca_samples_exchange (&frame, &model->scenes[scene]);
  return frame.scene_change;
}
