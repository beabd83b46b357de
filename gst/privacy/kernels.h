/* gst-cca: the kernels of the veil, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "veil.h"

#define GST_CCA_VEIL_THREADS 256u   /* of a block of threads */
#define GST_CCA_VEIL_TILE 16u       /* blocks of pixels a side, for veil_measure; a thread each */
#define GST_CCA_VEIL_TILE_LEVELS 4u /* of a tile; the highest has one cell */
#define GST_CCA_VEIL_STRIP 32u      /* blocks of pixels in a row, for veil_paint; a thread for each of their rows */

/* Pointers are device memory. */
typedef struct
{
  GstCcaVeilFrame frame;
  GstCcaVeilMode mode;
  const uint8_t *blocks; /* the cover's */
  GstCcaVeilLevel levels[GST_CCA_COVER_MAX_LEVEL + 1];
  uint32_t highest;     /* level of a block */
  uint32_t interleaved; /* whether components 1 and 2 have each other's gaps */
  uint32_t *n_done;     /* tiles; 0 before and afterwards */
} GstCcaVeilParams;

#define CCA_KERNELS_veil(K) K (veil_measure, GstCcaVeilParams, veil) K (veil_paint, GstCcaVeilParams, veil)
