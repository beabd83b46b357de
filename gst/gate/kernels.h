/* gst-cca: the kernel that fills tiles with crops, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gst/common/values.h"

#define GST_CCA_CROP_COMPONENTS 4u /* of a pixel, at most */
#define GST_CCA_CROP_COLUMNS 32u   /* values a block of threads makes in a row; a thread each … */
#define GST_CCA_CROP_ROWS 8u       /* … and rows */
#define GST_CCA_CROP_THREADS (GST_CCA_CROP_COLUMNS * GST_CCA_CROP_ROWS)

/* Fills those components `first` to `last` of a tile that have one grid of values. Pointers are device memory. */
typedef struct
{
  GstCcaValues from[GST_CCA_CROP_COMPONENTS], to[GST_CCA_CROP_COMPONENTS];
  /* A value of the tile is the sum of the frame's, times these, and of the last column. */
  float matrix[GST_CCA_CROP_COMPONENTS][GST_CCA_CROP_COMPONENTS + 1];
  float black[GST_CCA_CROP_COMPONENTS];
  uint32_t first, last; /* components of the tile */
  uint32_t sources;     /* bits of the frame's components that they depend on */
  uint32_t size[2];     /* of the tile, pixels, in x and y */
  /* In pixels: the crop in the frame, and where it lies in the tile. */
  uint32_t crop_begin[2], crop_end[2], place_begin[2], place_end[2];
} GstCcaCropParams;

#define CCA_KERNELS_crop(K) K (crop_fill, GstCcaCropParams, crop)
