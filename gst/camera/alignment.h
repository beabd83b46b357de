/* gst-cca: where a camera's view went
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Finds the shift, the roll and the zoom that bring a view to a picture, by the normalised correlation of gradients,
 * from a coarse grid to the fine one. Gradients to the right and downwards weigh the same, so that a view of stripes is
 * not blind to shifts along them.
 */
#pragma once

#include "picture.h"

/* The point at (x, y) from the frame's middle is now at scale · R(angle) · (x, y) + shift. */
typedef struct
{
  double correlation;      /* there, on a grid of half the resolution */
  double here;             /* the same where nothing moved */
  double shift_x, shift_y; /* pixels of the frame */
  double angle, scale;     /* degrees, clockwise as seen; 1: neither is nearer */
} CcaAlignment;

/* Finds the best of shifts of up to 30 % of the frame's size and, if its correlation is not enough, of rolls of up to
 * 22.5 degrees with zooms of up to 15 % and shifts of up to 15 %. */
CcaAlignment cca_alignment_find (const CcaPictureGrid *grid, const int16_t *reference, const int16_t *samples,
                                 double enough);

/* Returns the farthest that a point of the frame moved, as a part of the frame's size. */
double cca_alignment_motion (const CcaAlignment *alignment, const CcaPictureGrid *grid);

/* Predicts the samples of a picture of the moved view; samples beyond the view's borders repeat those at them. The grid
 * has at least 2x2 samples. */
void cca_alignment_apply (const CcaAlignment *alignment, const CcaPictureGrid *grid, const int16_t *samples,
                          int16_t *aligned);

/* Shifts samples on their grid by an alignment's shift, of less than a tenth of the frame; newly visible parts keep the
 * samples of their place. */
void cca_alignment_shift (const CcaAlignment *alignment, const CcaPictureGrid *grid, float *samples);
