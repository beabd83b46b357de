/* gst-cca: a frame of a camera, reduced to a grid of samples
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CCA_PICTURE_MOST_COLUMNS 128
#define CCA_PICTURE_MOST_ROWS 72
#define CCA_PICTURE_MOST (CCA_PICTURE_MOST_COLUMNS * CCA_PICTURE_MOST_ROWS)
#define CCA_PICTURE_SPAN 8 /* pixels of a row in a sample; also units of a sample in a grey level */

/* Where a frame of a size is sampled. */
typedef struct
{
  uint32_t width, height; /* of the frame, pixels, at least 1 */
  uint32_t columns, rows, span;
  uint32_t x[CCA_PICTURE_MOST_COLUMNS], y[CCA_PICTURE_MOST_ROWS];
} CcaPictureGrid;

typedef struct
{
  int16_t samples[CCA_PICTURE_MOST]; /* sums of 8 grey levels, in raster order */
  double dark, bright;               /* part of the samples that are nearly black, nearly white */
  double deviation;                  /* standard deviation of the samples, grey levels */
  int16_t lowest, highest;           /* samples */
  /* Of short rows with contrast: how many, as a part of those looked at, and the steepest step between two pixels as a
   * part of the row's range, mostly of those with the largest ranges. An edge gives 1, blurred by sigma pixels about
   * 0.4/sigma. */
  double textured, sharpness;
} CcaPicture;

void cca_picture_grid_init (CcaPictureGrid *grid, uint32_t width, uint32_t height);

/* Reads the samples of a frame of the grid's size, whose rows are stride bytes apart. */
void cca_picture_read (CcaPicture *picture, const CcaPictureGrid *grid, const uint8_t *luma, ptrdiff_t stride);

/* Whether a sample is nearly white. */
bool cca_picture_is_bright (int16_t sample);

/* Whether two pictures have the same samples. */
bool cca_picture_equals (const CcaPicture *a, const CcaPicture *b, const CcaPictureGrid *grid);
