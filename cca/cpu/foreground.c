/* gst-cca: the foreground of a frame, as rows of bits
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/foreground.h"

#include <string.h>

static size_t
model_pitch (uint32_t width)
{
  return ((size_t) width + 63) / 64 * 64;
}

size_t
cca_motion_model_size (uint32_t width, uint32_t height)
{
  return 2 * model_pitch (width) * height;
}

CcaStatus
cca_motion_model_open (CcaMotionModel *model, const CcaAllocator *allocator, uint32_t width, uint32_t height)
{
  uint8_t *block = cca_alloc (allocator, NULL, cca_motion_model_size (width, height));

  if (block == NULL)
    return CCA_ERROR_MEMORY;
  *model = (CcaMotionModel) { .background = block, .pitch = model_pitch (width) };
  model->spread = block + model->pitch * height;
  return CCA_OK;
}

void
cca_motion_model_close (CcaMotionModel *model, const CcaAllocator *allocator)
{
  cca_free (allocator, NULL, model->background);
  *model = (CcaMotionModel) { 0 };
}

/* A foreground that is a range of values, or its complement; span is -1 if the range is empty. */
typedef struct
{
  uint8_t low;
  int span;
  bool invert;
} Range;

static Range
range_of (const CcaParams *params)
{
  switch (params->foreground) {
    case CCA_FOREGROUND_THRESHOLD:
      return (Range) { (uint8_t) (params->threshold + 1), 254 - params->threshold, params->invert };
    case CCA_FOREGROUND_RANGE: return (Range) { params->low, params->high - params->low, params->invert };
    case CCA_FOREGROUND_VALUES: return (Range) { 1, 254, false };
    default: return (Range) { (uint8_t) (params->black + 1), 254 - params->black, params->invert };
  }
}

static void
motion_row (const CcaMask *mask, const uint8_t *pixels, uint32_t y, uint64_t *bits)
{
  const CcaCpu *cpu = mask->cpu;
  const CcaMotionModel *model = mask->model;
  const CcaMotion *motion = &cpu->params->motion;
  uint8_t *background = model->background + y * model->pitch, *spread = model->spread + y * model->pitch;

  mask->seen[y] = true;
  if (model->n_frames == 0) {
    memset (background, 0, model->pitch);
    memcpy (background, pixels, cpu->width);
    memset (spread, motion->v_min, model->pitch);
    memset (bits, 0, cpu->row_words * sizeof *bits);
  } else {
    cpu->ops->motion (pixels, cpu->width, background, spread, cca_motion_step (motion, model->n_frames), bits);
  }
}

static void
invert_row (uint32_t width, uint64_t *bits)
{
  for (uint32_t i = 0; i < width / 64; i++)
    bits[i] = ~bits[i];
  if (width % 64)
    bits[width / 64] ^= ((uint64_t) 1 << width % 64) - 1;
}

/* Prefetches the pixels of a row: the processor's own prefetching stops at every page. */
static void
prefetch_row (const CcaMask *mask, uint32_t y)
{
  const uint8_t *pixels = cca_mask_pixels (mask, y);

  for (uint32_t x = 0; x < mask->cpu->width; x += 64)
    __builtin_prefetch (pixels + x);
}

/* The number of rows to prefetch ahead. */
#define PREFETCH_ROWS 2

const uint64_t *
cca_mask_row (const CcaMask *mask, uint32_t y, uint64_t *room)
{
  const CcaCpu *cpu = mask->cpu;
  const uint8_t *pixels = cca_mask_pixels (mask, y);
  const Range range = range_of (cpu->params);

  if (mask->plane)
    return mask->plane + (size_t) y * cpu->row_words;
  if (y + PREFETCH_ROWS < cpu->height)
    prefetch_row (mask, y + PREFETCH_ROWS);
  if (cpu->params->foreground == CCA_FOREGROUND_MOTION) {
    motion_row (mask, pixels, y, room);
    if (cpu->params->invert)
      invert_row (cpu->width, room);
  } else if (range.span < 0) {
    memset (room, 0, cpu->row_words * sizeof *room);
    if (range.invert)
      invert_row (cpu->width, room);
  } else {
    cpu->ops->range (pixels, cpu->width, range.low, range.span, range.invert, room);
  }
  return room;
}

void
cca_mask_finish (const CcaMask *mask, uint64_t *room)
{
  if (mask->plane)
    return;
  for (uint32_t y = 0; y < mask->cpu->height; y++)
    if (!mask->seen[y])
      cca_mask_row (mask, y, room);
}
