/* gst-cca: a frame of a camera, reduced to a grid of samples
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Grey levels. Limited range has its black at 16 and its white at 235. */
#define DARK 36
#define BRIGHT 230
#define CONTRAST 16 /* of a short row; noise has less */

static uint32_t
smaller (uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* Spreads n positions evenly from 0 to last. */
static void
spread (uint32_t *positions, uint32_t n, uint32_t last)
{
  for (uint32_t i = 0; i < n; i++)
    positions[i] = n > 1 ? (uint32_t) ((uint64_t) last * i / (n - 1)) : last / 2;
}

void
cca_picture_grid_init (CcaPictureGrid *grid, uint32_t width, uint32_t height)
{
  const uint32_t span = smaller (width, CCA_PICTURE_SPAN);

  *grid = (CcaPictureGrid) {
    .width = width,
    .height = height,
    .columns = smaller (width / span, CCA_PICTURE_MOST_COLUMNS),
    .rows = smaller (height, CCA_PICTURE_MOST_ROWS),
    .span = span,
  };
  spread (grid->x, grid->columns, width - span);
  spread (grid->y, grid->rows, height - 1);
}

/* Adds eight bytes at once. */
static int16_t
sum_of_eight (const uint8_t *pixels)
{
  const uint64_t even = UINT64_C (0x00ff00ff00ff00ff);
  uint64_t word;

  memcpy (&word, pixels, sizeof word);
  word = (word & even) + ((word >> 8) & even);
  return (int16_t) ((word * UINT64_C (0x0001000100010001)) >> 48);
}

static int16_t
sum_of_few (const uint8_t *pixels, uint32_t n)
{
  unsigned sum = 0;

  for (uint32_t i = 0; i < n; i++)
    sum += pixels[i];
  return (int16_t) (sum * CCA_PICTURE_SPAN / n);
}

typedef struct
{
  uint32_t n_rows, n_textured;
  uint64_t steps, ranges; /* the steepest steps and the ranges, both weighted by the ranges */
} Sharpness;

/* Adds every second short row of a row of pixels, all at once: compilers make vector instructions of the loops. */
static void
add_short_rows (Sharpness *sharpness, const CcaPictureGrid *grid, const uint8_t *row, uint32_t first)
{
  uint8_t pixels[CCA_PICTURE_SPAN][CCA_PICTURE_MOST_COLUMNS / 2];
  uint8_t lowest[CCA_PICTURE_MOST_COLUMNS / 2], highest[CCA_PICTURE_MOST_COLUMNS / 2];
  uint8_t steepest[CCA_PICTURE_MOST_COLUMNS / 2] = { 0 };
  const uint32_t n = (grid->columns - first + 1) / 2;
  uint32_t n_textured = 0, steps = 0, ranges = 0;

  for (uint32_t x = 0; x < n; x++)
    for (int i = 0; i < CCA_PICTURE_SPAN; i++)
      pixels[i][x] = row[grid->x[first + 2 * x] + i];
  memcpy (lowest, pixels[0], n);
  memcpy (highest, pixels[0], n);
  for (int i = 1; i < CCA_PICTURE_SPAN; i++)
    for (uint32_t x = 0; x < n; x++) {
      const uint8_t pixel = pixels[i][x], before = pixels[i - 1][x];
      const uint8_t step = pixel > before ? pixel - before : before - pixel;

      lowest[x] = pixel < lowest[x] ? pixel : lowest[x];
      highest[x] = pixel > highest[x] ? pixel : highest[x];
      steepest[x] = step > steepest[x] ? step : steepest[x];
    }
  for (uint32_t x = 0; x < n; x++) {
    const uint32_t textured = highest[x] - lowest[x] >= CONTRAST, range = textured * (highest[x] - lowest[x]);

    n_textured += textured;
    steps += range * steepest[x];
    ranges += range * range;
  }
  sharpness->n_rows += n;
  sharpness->n_textured += n_textured;
  sharpness->steps += steps;
  sharpness->ranges += ranges;
}

bool
cca_picture_is_bright (int16_t sample)
{
  return sample >= BRIGHT * CCA_PICTURE_SPAN;
}

static void
summarise (CcaPicture *picture, uint32_t n)
{
  uint32_t n_dark = 0, n_bright = 0;
  int64_t sum = 0, squares = 0;
  int16_t lowest = INT16_MAX, highest = 0;
  double mean, variance;

  for (uint32_t i = 0; i < n; i++) {
    const int16_t sample = picture->samples[i];

    n_dark += sample < DARK * CCA_PICTURE_SPAN;
    n_bright += cca_picture_is_bright (sample);
    sum += sample;
    squares += (int32_t) sample * sample;
    lowest = sample < lowest ? sample : lowest;
    highest = sample > highest ? sample : highest;
  }
  mean = (double) sum / n;
  variance = (double) squares / n - mean * mean;
  picture->dark = (double) n_dark / n;
  picture->bright = (double) n_bright / n;
  picture->deviation = variance > 0 ? sqrt (variance) / CCA_PICTURE_SPAN : 0;
  picture->lowest = lowest;
  picture->highest = highest;
}

void
cca_picture_read (CcaPicture *picture, const CcaPictureGrid *grid, const uint8_t *luma, ptrdiff_t stride)
{
  Sharpness sharpness = { 0 };

  for (uint32_t y = 0; y < grid->rows; y++) {
    const uint8_t *row = luma + stride * (ptrdiff_t) grid->y[y];
    int16_t *samples = picture->samples + y * grid->columns;

    if (grid->span < CCA_PICTURE_SPAN) {
      samples[0] = sum_of_few (row, grid->span);
      continue;
    }
    for (uint32_t x = 0; x < grid->columns; x++)
      samples[x] = sum_of_eight (row + grid->x[x]);
    if (y % 2 == 0)
      add_short_rows (&sharpness, grid, row, y / 2 % 2);
  }
  picture->textured = sharpness.n_rows > 0 ? (double) sharpness.n_textured / sharpness.n_rows : 0;
  picture->sharpness = sharpness.ranges > 0 ? (double) sharpness.steps / (double) sharpness.ranges : 0;
  summarise (picture, grid->columns * grid->rows);
}

bool
cca_picture_equals (const CcaPicture *a, const CcaPicture *b, const CcaPictureGrid *grid)
{
  return memcmp (a->samples, b->samples, sizeof *a->samples * grid->columns * grid->rows) == 0;
}
