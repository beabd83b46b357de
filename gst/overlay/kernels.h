/* gst-cca: the kernel that draws pieces, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gst/common/values.h"
#include "segments.h"

#define GST_CCA_TILE 32u            /* pixels a side of a tile; a block of threads draws one */
#define GST_CCA_DRAW_THREADS 256u   /* of a block */
#define GST_CCA_MASK_CELL 8u        /* pixels a side of a cell of a mask; a tile has whole cells */
#define GST_CCA_MAX_COMPONENTS 4u   /* of a pixel */
#define GST_CCA_COLOR_COMPONENTS 3u /* the fourth is the alpha */

/* The pixels left <= x < right, top <= y < bottom of a frame. */
typedef struct
{
  int16_t left, top, right, bottom;
} GstCcaBox;

typedef enum
{
  GST_CCA_PIECE_RING, /* a colour between two boxes */
  GST_CCA_PIECE_MASK, /* a colour through a mask */
  GST_CCA_PIECE_FILL, /* the same, rounded as cairo fills an opaque polygon */
  GST_CCA_PIECE_LINE, /* a colour along segments */
  GST_CCA_PIECE_IMAGE,
} GstCcaPieceType;

/* A part of a drawing. Offsets are bytes from the params' memory. */
typedef struct
{
  GstCcaBox outer; /* what it may touch */
  union
  {
    GstCcaBox inner; /* of a ring: what it leaves; may be empty */
    struct
    {
      int32_t x, y; /* of the frame: where the mask, the image or the view of a line begins */
    } origin;
  };
  uint32_t type;
  uint32_t color;   /* multiplied by its alpha, 0xAARRGGBB; not of an image */
  uint32_t offset;  /* of the mask's table, the GstCcaPieceImage or the GstCcaPieceLine */
  uint32_t columns; /* of the mask's table */
} GstCcaPiece;

/* A mask is a table of cells. An entry is one of these or the offset of the cell's bytes, a row after the other. */
#define GST_CCA_CELL_EMPTY 0u
#define GST_CCA_CELL_FULL 1u

/* Is followed by its pixels, colours multiplied by their alpha. In 65536ths of those: */
typedef struct
{
  int32_t width, height;
  int32_t step_x, step_y;   /* from a pixel of the frame to the next */
  int32_t first_x, first_y; /* where the first pixel of the frame is, from the middle of the image's first pixel */
} GstCcaPieceImage;

/* Is followed by its segments. */
typedef struct
{
  float width;
  uint32_t n_segments;
} GstCcaPieceLine;

/* The pieces of a tile, in the order of painting. */
typedef struct
{
  uint16_t x, y;     /* in tiles */
  uint32_t first, n; /* of the entries */
} GstCcaTile;

typedef struct
{
  uint32_t width, height;
  uint32_t n_components; /* Y, U, V, or R, G, B, A */
  uint32_t is_rgb;
  GstCcaValues components[GST_CCA_MAX_COMPONENTS];
} GstCcaDrawFrame;

/* Pointers are device memory. A block of threads for each tile. */
typedef struct
{
  GstCcaDrawFrame frame;
  const GstCcaTile *tiles;
  const uint32_t *entries; /* indices of pieces */
  const GstCcaPiece *pieces;
  const uint8_t *memory; /* of masks and images */
} GstCcaDrawParams;

#define CCA_KERNELS_overlay(K) K (overlay_draw, GstCcaDrawParams, overlay)
