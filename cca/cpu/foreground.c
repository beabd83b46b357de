/* gst-cca: the foreground of a frame, as rows of bits
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/foreground.h"

#include <string.h>

/* Returns the pixels of a row, rounded up to whole words. */
static size_t
whole_row (uint32_t width)
{
  return ((size_t) width + 63) / 64 * 64;
}

CcaStatus
cca_motion_model_open (CcaMotionModel *model, const CcaAllocator *allocator, uint32_t width, uint32_t height, bool wide)
{
  const size_t pitch = whole_row (width) << wide;
  uint8_t *block = cca_alloc (allocator, NULL, 2 * pitch * height);

  if (block == NULL)
    return CCA_ERROR_MEMORY;
  *model = (CcaMotionModel) { .background = block, .spread = block + pitch * height, .pitch = pitch, .wide = wide };
  return CCA_OK;
}

void
cca_motion_model_close (CcaMotionModel *model, const CcaAllocator *allocator)
{
  cca_free (allocator, NULL, model->background);
  *model = (CcaMotionModel) { 0 };
}

CcaStatus
cca_sensitivity_open (CcaSensitivity *sensitivity, const CcaAllocator *allocator, atomic_size_t *used,
                      const CcaImage *factors)
{
  const size_t pitch = whole_row (factors->width), plane = pitch * factors->height;
  uint8_t *block = cca_alloc (allocator, used, 3 * plane); /* factors, and least spreads of up to 16 bits */

  if (block == NULL)
    return CCA_ERROR_MEMORY;
  memset (block, 0, plane);
  for (uint32_t y = 0; y < factors->height; y++)
    memcpy (block + y * pitch, (const uint8_t *) factors->data + (ptrdiff_t) y * factors->pitch, factors->width);
  *sensitivity = (CcaSensitivity) { .factors = block, .least = block + plane };
  return CCA_OK;
}

void
cca_sensitivity_close (CcaSensitivity *sensitivity, const CcaAllocator *allocator, atomic_size_t *used)
{
  cca_free (allocator, used, sensitivity->factors);
  *sensitivity = (CcaSensitivity) { 0 };
}

const uint8_t *
cca_sensitivity_least (CcaSensitivity *sensitivity, uint32_t width, uint32_t height, uint16_t v_min, bool wide)
{
  const size_t n = whole_row (width) * height;
  const uint8_t *factors = sensitivity->factors;

  if (factors == NULL || (sensitivity->v_min == v_min && sensitivity->wide == wide))
    return factors ? sensitivity->least : NULL;
  if (wide)
    for (size_t i = 0; i < n; i++)
      ((uint16_t *) sensitivity->least)[i] = (uint16_t) cca_motion_least (v_min, factors[i], UINT16_MAX);
  else
    for (size_t i = 0; i < n; i++)
      sensitivity->least[i] = (uint8_t) cca_motion_least (v_min, factors[i], UINT8_MAX);
  sensitivity->v_min = v_min;
  sensitivity->wide = wide;
  return sensitivity->least;
}

/* A range of foreground values, or its complement; span is -1 if the range is empty. */
typedef struct
{
  uint16_t low;
  int span;
  bool invert;
} Range;

static Range
range_of (const CcaParams *params)
{
  const int most = (int) cca_format_max_value (params->format);

  switch (params->foreground) {
    case CCA_FOREGROUND_THRESHOLD:
      return (Range) { (uint16_t) (params->threshold + 1), most - 1 - params->threshold, params->invert };
    case CCA_FOREGROUND_RANGE: return (Range) { params->low, params->high - params->low, params->invert };
    case CCA_FOREGROUND_VALUES: return (Range) { 1, most - 1, false };
    default: return (Range) { (uint16_t) (params->black + 1), most - 1 - params->black, params->invert };
  }
}

/* Finds the foreground of n pixels; span must not be -1. Compares pixels of two bytes as words: 8-bit values must be
 * the upper half. */
static void
find_range (const CcaMask *mask, Range range, const uint8_t *pixels, uint32_t n, CcaValuesRoom *room, uint64_t *bits)
{
  const CcaRowOps *ops = mask->cpu->ops;
  const CcaFormatInfo *format = mask->values.format;
  const bool halves = format->pixels == CCA_PIXELS_HALF;

  if (halves || format->pixels == CCA_PIXELS_WORD)
    (halves == format->second ? ops->range_16 : ops->range_exchanged) (
        (const CcaPixel16 *) pixels, n, (uint16_t) (range.low << 8 * halves),
        (uint16_t) (halves ? range.span << 8 | 0xff : range.span), range.invert, bits);
  else
    ops->range (cca_values_get (&mask->values, pixels, n, room), n, (uint8_t) range.low, (uint8_t) range.span,
                range.invert, bits);
}

/* Starts the model with its first frame; least as for find_motion(). */
static void
begin_motion (const CcaMask *mask, const void *values, uint32_t n, void *background, void *spread, const void *least,
              uint64_t *bits)
{
  const CcaCpu *cpu = mask->cpu;
  const uint32_t n_whole = (n + 63) / 64 * 64, size = mask->values.wide ? 2 : 1;
  const uint16_t v_min = cpu->params->motion.v_min;

  memset (background, 0, (size_t) n_whole * size);
  memcpy (background, values, (size_t) n * size);
  if (least)
    memcpy (spread, least, (size_t) n_whole * size);
  else if (mask->values.wide)
    for (uint32_t i = 0; i < n_whole; i++)
      ((uint16_t *) spread)[i] = v_min;
  else
    memset (spread, v_min, n_whole);
  memset (bits, 0, cca_row_words (n) * sizeof *bits);
}

/* Finds the foreground of the n values from x on in row y, and updates the model. */
static void
find_motion (const CcaMask *mask, const void *values, uint32_t x, uint32_t n, uint32_t y, uint64_t *bits)
{
  const CcaRowOps *ops = mask->cpu->ops;
  const CcaMotionModel *model = mask->model;
  const size_t place = y * model->pitch + ((size_t) x << model->wide);
  const CcaMotionStep step = cca_motion_step (mask->cpu->params, model->n_frames);
  void *background = model->background + place, *spread = model->spread + place;
  const void *least = mask->least ? mask->least + place : NULL;

  if (model->n_frames == 0)
    begin_motion (mask, values, n, background, spread, least, bits);
  else if (least && model->wide)
    ops->motion_by_place_16 (values, n, background, spread, least, step, bits);
  else if (least)
    ops->motion_by_place (values, n, background, spread, least, step, bits);
  else if (model->wide)
    ops->motion_16 (values, n, background, spread, step, bits);
  else
    ops->motion (values, n, background, spread, step, bits);
}

static void
invert_row (uint32_t width, uint64_t *bits)
{
  for (uint32_t i = 0; i < width / 64; i++)
    bits[i] = ~bits[i];
  if (width % 64)
    bits[width / 64] ^= ((uint64_t) 1 << width % 64) - 1;
}

/* Clears the pixels of row y outside the region. */
static void
confine_row (const CcaMask *mask, uint32_t y, uint64_t *bits)
{
  const uint32_t n_words = mask->cpu->row_words;
  const uint64_t *region = mask->region + (size_t) y * n_words;

  for (uint32_t i = 0; i < n_words; i++)
    bits[i] &= region[i];
}

void
cca_mask_confine (const CcaMask *mask, CcaStrip rows, uint64_t *plane)
{
  if (mask->region)
    for (uint32_t y = rows.first; y < rows.last; y++)
      confine_row (mask, y, plane + (size_t) y * mask->cpu->row_words);
}

/* Prefetches n pixels into the second-level cache: the processor's own prefetching stops at every page. */
static void
prefetch (const CcaMask *mask, const uint8_t *pixels, uint32_t n)
{
  const size_t n_bytes = (size_t) n * mask->values.format->size;

  for (size_t i = 0; i < n_bytes; i += 64)
    __builtin_prefetch (pixels + i, 0, 2);
}

/* Returns row y of the foreground that SAMPLES found, in `room`. */
static const uint64_t *
found_row (const CcaMask *mask, uint32_t y, uint64_t *room)
{
  const uint64_t *row = mask->found + (size_t) y * mask->cpu->row_words;

  if (room != row)
    memcpy (room, row, mask->cpu->row_words * sizeof *room);
  if (mask->cpu->params->invert)
    invert_row (mask->cpu->width, room);
  if (mask->region)
    confine_row (mask, y, room);
  return room;
}

/* Rows to prefetch ahead. */
#define PREFETCH_ROWS 4

const uint64_t *
cca_mask_row (const CcaMask *mask, uint32_t y, uint64_t *room)
{
  const CcaCpu *cpu = mask->cpu;
  const CcaValues *values = &mask->values;
  const uint8_t *pixels = cca_mask_pixels (mask, y);
  const bool motion = cpu->params->foreground == CCA_FOREGROUND_MOTION;
  const Range range = range_of (cpu->params);
  const uint32_t piece = cca_values_piece (values, cpu->width);
  CcaValuesRoom converted;

  if (mask->plane)
    return mask->plane + (size_t) y * cpu->row_words;
  if (mask->found)
    return found_row (mask, y, room);
  if (!motion && range.span < 0) {
    memset (room, 0, cpu->row_words * sizeof *room);
    if (range.invert)
      invert_row (cpu->width, room);
    if (mask->region)
      confine_row (mask, y, room);
    return room;
  }
  /* A piece may write bits beyond its end; the next piece overwrites them. */
  for (uint32_t x = 0; x < cpu->width; x += piece) {
    const uint32_t n = cpu->width - x < piece ? cpu->width - x : piece;
    const uint8_t *part = pixels + (size_t) x * values->format->size;

    if (y + PREFETCH_ROWS < cpu->height)
      prefetch (mask, part + PREFETCH_ROWS * mask->input->pitch, n);
    if (motion)
      find_motion (mask, cca_values_get (values, part, n, &converted), x, n, y, room + x / 64);
    else
      find_range (mask, range, part, n, &converted, room + x / 64);
  }
  if (motion) {
    mask->seen[y] = true;
    if (cpu->params->invert)
      invert_row (cpu->width, room);
  }
  if (mask->region)
    confine_row (mask, y, room);
  return room;
}

void
cca_mask_finish (const CcaMask *mask, uint64_t *room)
{
  if (mask->plane || mask->found)
    return;
  for (uint32_t y = 0; y < mask->cpu->height; y++)
    if (!mask->seen[y])
      cca_mask_row (mask, y, room);
}
