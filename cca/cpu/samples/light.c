/* gst-cca: the light, the noise and black
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

#define GRID CCA_SAMPLES_LIGHT_GRID

static void
light_row (const CcaSamplesFrame *frame, const uint8_t *row, uint32_t i)
{
  const CcaSamplesModel *model = frame->model;
  const uint32_t y = GRID + GRID * i, n = cca_samples_light_grid (model->width);

  frame->ops->points (row + GRID, cca_samples_luma (model, y, 0) + GRID, model->pitch,
                      model->last + y * model->pitch + GRID, n, frame->work->grid + (size_t) i * n);
}

static void
noise_row (const CcaSamplesFrame *frame, const uint8_t *row, uint32_t i)
{
  const uint32_t n = cca_samples_noise_grid (frame->model->width);
  uint8_t *out = frame->work->noise_grid + (size_t) i * n;

  for (uint32_t k = 0; k < n; k++)
    out[k] = row[GRID + k * CCA_SAMPLES_NOISE_GRID];
}

static void
grid_strip (void *data, uint32_t index)
{
  const CcaSamplesFrame *frame = data;
  const bool known = frame->model->past.t > 0;
  CcaSamplesStrip *strip = &frame->work->strips[index];
  const CcaStrip rows = cca_samples_rows (frame, cca_samples_light_grid (frame->model->height), index);
  const uint32_t noise_rows = CCA_SAMPLES_NOISE_GRID / GRID;

  for (uint32_t i = rows.first; i < rows.last; i++) {
    if (!known && i % noise_rows != 0)
      continue;

    const uint32_t y = GRID + GRID * i;
    uint8_t *row = frame->work->luma + y * frame->model->pitch;

    cca_samples_smooth_luma (frame, strip, y, row);
    if (known)
      light_row (frame, row, i);
    if (i % noise_rows == 0)
      noise_row (frame, row, i / noise_rows);
  }
}

/* Points of a batch: vectors compute the entries to count, then a loop counts them. */
#define POINTS 512

static uint32_t
n_together (size_t n_points, size_t i)
{
  return n_points - i < POINTS ? (uint32_t) (n_points - i) : POINTS;
}

/* Counts the changes of light of the points that were foreground, or of those that were not. Returns how many there
 * are. The entry after all bins counts the others. */
static size_t
count_changes (const CcaSamplesOps *ops, const CcaSamplesWork *work, size_t n_points, bool last)
{
  uint32_t *counts = work->changes[0];
  uint16_t at[POINTS];

  counts[CCA_SAMPLES_CHANGES_END] = 0;
  for (size_t i = 0; i < n_points; i += POINTS) {
    const uint32_t n = n_together (n_points, i);

    ops->changes (work->grid + i, last, n, at);
    for (uint32_t k = 0; k < n; k++)
      counts[at[k]]++;
  }
  return n_points - counts[CCA_SAMPLES_CHANGES_END];
}

static size_t
n_points (const CcaSamplesModel *model)
{
  return (size_t) cca_samples_light_grid (model->width) * cca_samples_light_grid (model->height);
}

static void
find_light (const CcaSamplesFrame *frame)
{
  CcaSamplesModel *model = frame->model;
  const CcaSamplesWork *work = frame->work;
  uint32_t n[CCA_SAMPLES_LIGHT_BINS] = { 0 };
  int32_t median[CCA_SAMPLES_LIGHT_BINS] = { 0 };
  const uint32_t least = cca_samples_light_least ((uint32_t) n_points (model));

  memset (work->changes, 0, CCA_SAMPLES_LIGHT_BINS * sizeof *work->changes);
  if (2 * count_changes (frame->ops, work, n_points (model), false) <= n_points (model))
    count_changes (frame->ops, work, n_points (model), true);
  for (int bin = 0; bin < CCA_SAMPLES_LIGHT_BINS; bin++) {
    for (int v = 0; v < CCA_SAMPLES_LIGHT_SPAN; v++)
      n[bin] += work->changes[bin][v];
    if (n[bin] >= least)
      median[bin] = cca_samples_median (work->changes[bin], n[bin]);
  }
  cca_samples_light (median, n, least, &model->light);
}

static uint8_t
distance (uint8_t a, uint8_t b)
{
  return a > b ? a - b : b - a;
}

/* Several histograms in turn, so that no increment waits for the one before. */
#define TURNS 4

static void
count (const uint8_t *values, uint32_t n, uint32_t counts[TURNS][256])
{
  uint32_t i = 0;

  for (; i + TURNS <= n; i += TURNS)
    for (uint32_t turn = 0; turn < TURNS; turn++)
      counts[turn][values[i + turn]]++;
  for (; i < n; i++)
    counts[0][values[i]]++;
}

/* Adds all histograms to the first. */
static void
join_turns (uint32_t counts[TURNS][256])
{
  for (int v = 0; v < 256; v++)
    for (int turn = 1; turn < TURNS; turn++)
      counts[0][v] += counts[turn][v];
}

static void
find_noise (const CcaSamplesFrame *frame)
{
  CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_noise_grid (model->width) * cca_samples_noise_grid (model->height);
  uint32_t histogram[256] = { 0 };

  for (uint32_t i = 0; i < n; i++) {
    const uint8_t p = model->light.table[frame->work->noise_grid[i]];

    histogram[distance (p, model->noise_grid[i])]++;
    model->noise_grid[i] = p;
  }
  if (model->past.t > 0)
    model->noise = cca_samples_noise (histogram, n, model->past.t, model->noise);
}

/* Sets the level of black. Returns the tail. */
static int32_t
find_tail (const CcaSamplesFrame *frame, uint8_t *black)
{
  const uint32_t total = (uint32_t) n_points (frame->model);
  uint32_t blacks[TURNS][256] = { 0 }, tails[TURNS][256] = { 0 }, n_last = 0;

  for (uint32_t i = 0; i < total; i += POINTS) {
    const uint32_t n = n_together (total, i);
    uint8_t firsts[POINTS], distances[POINTS];

    n_last += frame->ops->tails (frame->work->grid + i, &frame->model->light, n, firsts, distances);
    count (firsts, n, blacks);
    count (distances, n, tails);
  }
  join_turns (blacks);
  join_turns (tails);
  tails[0][0] -= n_last;
  *black = cca_samples_black (blacks[0], total);
  return cca_samples_tail (tails[0], total - n_last);
}

void
cca_samples_find_light (CcaSamplesFrame *frame)
{
  CcaSamplesModel *model = frame->model;
  CcaSamplesLevels *levels = &frame->levels;
  int32_t tail = 0;

  cca_samples_strips (frame, grid_strip);
  if (model->past.t > 0) {
    find_light (frame);
    tail = find_tail (frame, &levels->black);
  }
  levels->unlike = cca_samples_unlike (frame->cpu->params->motion.tolerance, model->noise);
  find_noise (frame);
  levels->ceiling = model->light.ceiling;
  levels->threshold = cca_samples_threshold (frame->cpu->params->motion.tolerance, model->noise, tail);
  levels->limit = cca_samples_limit (levels->threshold, tail);
}
