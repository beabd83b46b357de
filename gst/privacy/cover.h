/* gst-cca: which parts of a frame are hidden, and how strongly
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Knows libc only. A cover divides a frame into blocks of 8x8 pixels; a block is hidden or shown as a whole, and every
 * function rounds outwards. A hidden block has a level: what is painted over it (veil.h) is made of the means of square
 * cells of 8 << level pixels a side.
 */
#pragma once

#include "cells.h"

#include <stdbool.h>
#include <stdint.h>

#define GST_CCA_COVER_MAX_LEVEL 15u

typedef struct
{
  uint32_t width, height; /* of the frame, pixels */
  uint32_t columns, rows; /* of blocks */
  uint8_t *blocks;        /* row by row: 0 = shown, otherwise the level, which is at least 1 */
  uint8_t *marks;         /* likewise: 1 = marked; all 0 between frames */
  uint8_t *scratch;
} GstCcaCover;

/* A box in a frame, pixels; parts outside the frame have no effect. */
typedef struct
{
  uint32_t x, y, width, height;
} GstCcaCoverBox;

/* Makes a cover for frames of a size, with all blocks shown; all 0 is one for no frame. Allocates only if the size
 * changes. Returns false without memory; the cover is then one for no frame. */
bool gst_cca_cover_begin (GstCcaCover *cover, uint32_t width, uint32_t height);
void gst_cca_cover_free (GstCcaCover *cover);

/* Returns the level at which a square of that side, pixels, has at most n_cells cells in a row if it is aligned with
 * them. The cells have at least 16 pixels a side. n_cells is at least 1. */
uint8_t gst_cca_cover_level (uint32_t side, uint32_t n_cells);

/* Marks the blocks that touch a cell of which counts, row by row, is not 0; columns * rows cells of `cell` pixels a
 * side. */
void gst_cca_cover_mark_cells (GstCcaCover *cover, const uint8_t *counts, uint32_t cell, uint32_t columns,
                               uint32_t rows);

/* Marks all blocks within so many pixels of a marked one, by the larger of the distances in x and y, rounded up to
 * whole blocks. */
void gst_cca_cover_grow_marks (GstCcaCover *cover, uint32_t pixels);

/* Hides the marked blocks, and ends their marks: at the highest level of the n boxes that a block touches, each grown
 * by so many pixels, where the level of a box is that of its longer side; blocks that touch no box at the level of the
 * whole frame. If the boxes together are larger than 16 frames, the rest of them counts as one of the frame's size. */
void gst_cca_cover_hide_marks (GstCcaCover *cover, const GstCcaCoverBox *boxes, uint32_t n, uint32_t grow,
                               uint32_t n_cells);

/* Hides the blocks that a box, grown by so many pixels, touches, at least at the level of the box's longer side. */
void gst_cca_cover_hide_box (GstCcaCover *cover, const GstCcaCoverBox *box, uint32_t grow, uint32_t n_cells);

/* Hides the blocks that have a pixel that is not 0 in a mask of width * height bytes, at the level of the frame. */
void gst_cca_cover_hide_mask (GstCcaCover *cover, const uint8_t *mask, uint32_t n_cells);

/* Hides the blocks that another cover of the same size hides, at the level of the frame. */
void gst_cca_cover_hide_blocks (GstCcaCover *cover, const GstCcaCover *others, uint32_t n_cells);

/* Hides the whole frame. */
void gst_cca_cover_hide_all (GstCcaCover *cover, uint32_t n_cells);

/* Returns the highest level of all blocks; 0 if nothing is hidden. */
uint8_t gst_cca_cover_highest (const GstCcaCover *cover);
