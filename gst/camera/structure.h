/* gst-cca: how much of a view's structure a picture still shows
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Structure is the grid's gradients: what light and exposure leave much as it is. Normalised correlation of them, of 1
 * where two pictures agree and about 0 where they have nothing in common, in 12x8 blocks and of the whole grid.
 * Gradients to the right and downwards weigh the same, so that a view of stripes shows when it moves along them.
 */
#pragma once

#include "picture.h"

#define CCA_STRUCTURE_COLUMNS 12
#define CCA_STRUCTURE_ROWS 8
#define CCA_STRUCTURE_BLOCKS (CCA_STRUCTURE_COLUMNS * CCA_STRUCTURE_ROWS)

typedef struct
{
  double correlation;                  /* of the whole grid */
  bool textured[CCA_STRUCTURE_BLOCKS]; /* the reference has structure there */
  bool kept[CCA_STRUCTURE_BLOCKS];     /* and the picture shows it */
  uint32_t n_textured;
  double replaced; /* part of the textured blocks that are not kept where the picture has other structure */
  double strength; /* of the picture's gradients, by that of the reference's */
} CcaStructure;

/* Both have the grid's samples. */
void cca_structure_compare (CcaStructure *structure, const CcaPictureGrid *grid, const int16_t *reference,
                            const int16_t *samples);
