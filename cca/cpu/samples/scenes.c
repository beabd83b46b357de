/* gst-cca: the scenes that the model has left
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

uint64_t
cca_samples_most (const CcaSamplesFrame *frame)
{
  const CcaSamplesModel *model = frame->model;
  uint32_t light_change = 0;

  for (uint32_t i = 0; i < 256; i++)
    light_change += cca_samples_light_change (model->light.table[i], i);
  return cca_samples_most_foreground (&model->past, (uint64_t) model->width * model->height, light_change);
}

/* Exchanges the first CCA_SAMPLES_REMEMBERED of n_samples rows for those of a scene, and fills the others with copies
 * of these. */
static void
exchange_rows (uint8_t *samples, size_t pitch, uint32_t n_samples, uint32_t width, uint8_t *scene)
{
  for (size_t i = 0; i < CCA_SAMPLES_REMEMBERED * pitch; i++) {
    const uint8_t own = samples[i];

    samples[i] = scene[i];
    scene[i] = own;
  }
  for (uint32_t k = CCA_SAMPLES_REMEMBERED; k < n_samples; k++)
    memcpy (samples + k * pitch, samples + k % CCA_SAMPLES_REMEMBERED * pitch, width);
}

void
cca_samples_exchange (CcaSamplesFrame *frame, const CcaSamplesScene *scene)
{
  CcaSamplesModel *model = frame->model;
  const size_t row = CCA_SAMPLES_REMEMBERED * model->pitch, half_row = CCA_SAMPLES_REMEMBERED * model->half_pitch;
  const uint32_t half = cca_samples_half (model->width);

  for (uint32_t y = 0; y < model->height; y++)
    exchange_rows (cca_samples_luma (model, y, 0), model->pitch, CCA_SAMPLES_LUMA, model->width, scene->luma + y * row);
  for (uint32_t y = 0; model->chroma && y < cca_samples_half (model->height); y++) {
    exchange_rows (cca_samples_chroma (model, model->u, y, 0), model->half_pitch, CCA_SAMPLES_CHROMA, half,
                   scene->u + y * half_row);
    exchange_rows (cca_samples_chroma (model, model->v, y, 0), model->half_pitch, CCA_SAMPLES_CHROMA, half,
                   scene->v + y * half_row);
  }
  cca_samples_light_init (&model->light);
  model->shift_x = model->shift_y = 0;
  model->leaps = (CcaSamplesLeaps) { 0 };
}
