/* gst-cca: the shift of the camera
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Minimises the sum of absolute differences, coarse to fine, and fits a V to the minimum for a fraction of a pixel.
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

#define SEARCH CCA_SAMPLES_SEARCH
#define GRID CCA_SAMPLES_SHIFT_GRID

typedef struct
{
  int x, y;
} Shift;

static void
cost_strip (void *data, uint32_t index)
{
  CcaSamplesFrame *frame = data;
  const CcaSamplesModel *model = frame->model;
  const CcaSamplesLight *light = &model->light;
  CcaSamplesStrip *strip = &frame->work->strips[index];
  const uint32_t left = cca_samples_shift_border (frame->drift_x), top = cca_samples_shift_border (frame->drift_y);
  const CcaStrip rows = cca_samples_rows (frame, cca_samples_grid (model->height, top, GRID, top), index);
  const uint32_t n = model->width - 2 * left;
  const uint64_t limit = frame->limit;

  memset (strip->costs, 0, sizeof strip->costs);
  for (uint32_t i = rows.first; i < rows.last; i++) {
    const uint32_t y = top + GRID * i;
    const uint8_t *background = cca_samples_luma (model, y, 0) + left;

    for (int dy = -SEARCH; dy <= SEARCH; dy++) {
      const bool *wanted = frame->wanted[dy + SEARCH];
      const uint8_t *row;

      if (!memchr (wanted, true, CCA_SAMPLES_SHIFTS))
        continue;
      row = cca_samples_input (frame, (uint32_t) ((int) y + frame->drift_y + dy));
      if (!light->identity) {
        frame->ops->look_up (light->table, model->width, row, strip->row);
        row = strip->row;
      }
      for (int dx = -SEARCH; dx <= SEARCH; dx++)
        if (wanted[dx + SEARCH] && strip->costs[dy + SEARCH][dx + SEARCH] < limit)
          strip->costs[dy + SEARCH][dx + SEARCH] +=
              frame->ops->difference (row + (int) left + frame->drift_x + dx, background, n);
    }
  }
}

/* Computes the costs that are wanted and unknown. Costs that reach the limit stay unknown. */
static void
find_costs (CcaSamplesFrame *frame, uint64_t limit, uint64_t costs[CCA_SAMPLES_SHIFTS][CCA_SAMPLES_SHIFTS])
{
  bool any = false;

  frame->limit = limit;
  for (int j = 0; j < CCA_SAMPLES_SHIFTS; j++)
    for (int i = 0; i < CCA_SAMPLES_SHIFTS; i++) {
      frame->wanted[j][i] = frame->wanted[j][i] && costs[j][i] == UINT64_MAX;
      any = any || frame->wanted[j][i];
    }
  if (any)
    cca_samples_strips (frame, cost_strip);
  for (int j = 0; j < CCA_SAMPLES_SHIFTS; j++)
    for (int i = 0; i < CCA_SAMPLES_SHIFTS; i++)
      if (frame->wanted[j][i]) {
        uint64_t cost = 0;

        for (uint32_t s = 0; s < frame->n_strips; s++)
          cost += frame->work->strips[s].costs[j][i];
        costs[j][i] = cost < limit ? cost : UINT64_MAX;
      }
  memset (frame->wanted, 0, sizeof frame->wanted);
}

static bool
within (int x, int y)
{
  return x >= -SEARCH && x <= SEARCH && y >= -SEARCH && y <= SEARCH;
}

static bool
is_inside (Shift shift)
{
  return shift.x > -SEARCH && shift.x < SEARCH && shift.y > -SEARCH && shift.y < SEARCH;
}

static void
want (CcaSamplesFrame *frame, int x, int y)
{
  if (within (x, y))
    frame->wanted[y + SEARCH][x + SEARCH] = true;
}

void
cca_samples_find_shift (CcaSamplesFrame *frame)
{
  CcaSamplesModel *model = frame->model;
  uint64_t costs[CCA_SAMPLES_SHIFTS][CCA_SAMPLES_SHIFTS];
  Shift best = { 0, 0 }, middle, last;
  uint32_t left, top;

#define COST(i, j) costs[(j) + SEARCH][(i) + SEARCH]
  frame->shift_x = model->shift_x;
  frame->shift_y = model->shift_y;
  if (model->past.t == 0 || model->width < CCA_SAMPLES_SHIFT_LEAST_SIZE || model->height < CCA_SAMPLES_SHIFT_LEAST_SIZE)
    return;
  frame->drift_x = cca_samples_drift (model->shift_x, model->width);
  frame->drift_y = cca_samples_drift (model->shift_y, model->height);
  left = cca_samples_shift_border (frame->drift_x);
  top = cca_samples_shift_border (frame->drift_y);
  memset (costs, 0xff, sizeof costs);
  memset (frame->wanted, 0, sizeof frame->wanted);
  want (frame, 0, 0);
  find_costs (frame, UINT64_MAX, costs);
  /* A cost that reaches this one cannot be the least, and need not be computed. */
  for (int y = -SEARCH; y <= SEARCH; y += 2)
    for (int x = -SEARCH; x <= SEARCH; x += 2)
      want (frame, x, y);
  find_costs (frame, COST (0, 0), costs);
  for (int y = -SEARCH; y <= SEARCH; y += 2)
    for (int x = -SEARCH; x <= SEARCH; x += 2)
      if (COST (x, y) < COST (best.x, best.y))
        best = (Shift) { x, y };
  middle = best;
  for (int y = middle.y - 1; y <= middle.y + 1; y++)
    for (int x = middle.x - 1; x <= middle.x + 1; x++)
      want (frame, x, y);
  find_costs (frame, UINT64_MAX, costs);
  for (int y = middle.y - 1; y <= middle.y + 1; y++)
    for (int x = middle.x - 1; x <= middle.x + 1; x++)
      if (within (x, y) && COST (x, y) < COST (best.x, best.y))
        best = (Shift) { x, y };
  if (!cca_samples_matches (COST (best.x, best.y), (uint64_t) cca_samples_grid (model->width, left, 1, left)
                                                       * cca_samples_grid (model->height, top, GRID, top)))
    return;
  last = (Shift) { cca_samples_whole (model->shift_x) - frame->drift_x,
                   cca_samples_whole (model->shift_y) - frame->drift_y };
  want (frame, last.x, last.y);
  find_costs (frame, UINT64_MAX, costs);
  if (!cca_samples_may_move (&model->leaps, frame->drift_x + best.x, frame->drift_y + best.y, model->shift_x,
                             model->shift_y, is_inside (best), COST (best.x, best.y), COST (last.x, last.y)))
    return;
  want (frame, best.x - 1, best.y);
  want (frame, best.x + 1, best.y);
  want (frame, best.x, best.y - 1);
  want (frame, best.x, best.y + 1);
  find_costs (frame, UINT64_MAX, costs);

  frame->shift_x = 4 * (frame->drift_x + best.x);
  frame->shift_y = 4 * (frame->drift_y + best.y);
  if (best.x > -SEARCH && best.x < SEARCH)
    frame->shift_x += cca_samples_fit ((int64_t) (COST (best.x - 1, best.y) - COST (best.x, best.y)),
                                       (int64_t) (COST (best.x + 1, best.y) - COST (best.x, best.y)));
  if (best.y > -SEARCH && best.y < SEARCH)
    frame->shift_y += cca_samples_fit ((int64_t) (COST (best.x, best.y - 1) - COST (best.x, best.y)),
                                       (int64_t) (COST (best.x, best.y + 1) - COST (best.x, best.y)));
#undef COST
  model->shift_x = frame->shift_x;
  model->shift_y = frame->shift_y;
}
