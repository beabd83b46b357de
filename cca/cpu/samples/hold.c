/* gst-cca: the blocks that the model must not learn, because a tracker follows their objects
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * If the edges of the foreground in a rectangle are the background's, the object has left.
 */
#include "cca/cpu/samples/frame.h"

#include <string.h>

static bool
holds (const CcaSamplesModel *model, const CcaSamplesHeld *held)
{
  const uint32_t n = cca_samples_blocks (model->width);
  int64_t edges = 0;

  for (uint32_t j = held->top; j < held->bottom; j++)
    for (uint32_t i = held->left; i < held->right; i++)
      edges += model->edges[(size_t) j * n + i].all;
  return cca_samples_holds (edges);
}

void
cca_samples_hold (CcaSamplesFrame *frame, const CcaHeld *held)
{
  const CcaSamplesModel *model = frame->model;
  const uint32_t n = cca_samples_blocks (model->width);
  bool *blocks = frame->work->held;

  if (held->n == 0 && !frame->scene_change)
    return;
  frame->holds = frame->scene_change;
  memset (blocks, frame->scene_change, (size_t) n * cca_samples_blocks (model->height) * sizeof *blocks);
  for (uint32_t k = 0; k < held->n; k++) {
    const CcaRectangle *r = &held->rectangles[k];
    const CcaSamplesHeld rectangle = cca_samples_held_in_model (
        cca_samples_held (r->x, r->y, r->width, r->height), cca_samples_whole (frame->shift_x),
        cca_samples_whole (frame->shift_y), n, cca_samples_blocks (model->height));

    if (!holds (model, &rectangle))
      continue;
    frame->holds = true;
    for (uint32_t j = rectangle.top; j < rectangle.bottom; j++)
      memset (blocks + (size_t) j * n + rectangle.left, true, (rectangle.right - rectangle.left) * sizeof *blocks);
  }
}
