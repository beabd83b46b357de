/* gst-cca: which parts of a frame are hidden, and how strongly
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

/* A range of blocks, [left, right) by [top, bottom). */
typedef struct
{
  uint32_t left, top, right, bottom;
} Blocks;

static uint32_t
smaller (uint64_t a, uint64_t b)
{
  return (uint32_t) (a < b ? a : b);
}

static size_t
n_blocks (const GstCcaCover *cover)
{
  return (size_t) cover->columns * cover->rows;
}

bool
gst_cca_cover_begin (GstCcaCover *cover, uint32_t width, uint32_t height)
{
  if (cover->blocks == NULL || cover->width != width || cover->height != height) {
    gst_cca_cover_free (cover);
    cover->columns = (width + GST_CCA_BLOCK - 1) / GST_CCA_BLOCK;
    cover->rows = (height + GST_CCA_BLOCK - 1) / GST_CCA_BLOCK;
    cover->blocks = calloc (n_blocks (cover), 3);
    if (cover->blocks == NULL) {
      *cover = (GstCcaCover) { 0 };
      return false;
    }
    cover->marks = cover->blocks + n_blocks (cover);
    cover->scratch = cover->marks + n_blocks (cover);
    cover->width = width;
    cover->height = height;
  }
  memset (cover->blocks, 0, n_blocks (cover));
  return true;
}

void
gst_cca_cover_free (GstCcaCover *cover)
{
  free (cover->blocks);
  *cover = (GstCcaCover) { 0 };
}

uint8_t
gst_cca_cover_level (uint32_t side, uint32_t n_cells)
{
  uint8_t level = 1;

  while (level < GST_CCA_COVER_MAX_LEVEL && ((uint64_t) GST_CCA_BLOCK << level) * n_cells < side)
    level++;
  return level;
}

static uint8_t
frame_level (const GstCcaCover *cover, uint32_t n_cells)
{
  return gst_cca_cover_level (cover->width > cover->height ? cover->width : cover->height, n_cells);
}

static uint8_t
box_level (const GstCcaCoverBox *box, uint32_t n_cells)
{
  return gst_cca_cover_level (box->width > box->height ? box->width : box->height, n_cells);
}

/* Returns the blocks that a box touches, grown by so many pixels; none of an empty one. */
static Blocks
touched (const GstCcaCover *cover, const GstCcaCoverBox *box, uint32_t grow)
{
  const uint32_t left = box->x > grow ? box->x - grow : 0, top = box->y > grow ? box->y - grow : 0;
  const uint64_t right = (uint64_t) box->x + box->width + grow, bottom = (uint64_t) box->y + box->height + grow;

  if (box->width == 0 || box->height == 0 || left >= cover->width || top >= cover->height)
    return (Blocks) { 0 };
  return (Blocks) { left / GST_CCA_BLOCK, top / GST_CCA_BLOCK,
                    (smaller (right, cover->width) + GST_CCA_BLOCK - 1) / GST_CCA_BLOCK,
                    (smaller (bottom, cover->height) + GST_CCA_BLOCK - 1) / GST_CCA_BLOCK };
}

/* --- Marks -------------------------------------------------------------------------------------------- */

void
gst_cca_cover_mark_cells (GstCcaCover *cover, const uint8_t *counts, uint32_t cell, uint32_t columns, uint32_t rows)
{
  for (uint32_t y = 0; y < rows; y++) {
    const uint8_t *row = counts + (size_t) y * columns;

    for (uint32_t x = 0; x < columns; x++) {
      const GstCcaCoverBox box = { x * cell, y * cell, cell, cell };
      Blocks at;

      if (row[x] == 0)
        continue;
      at = touched (cover, &box, 0);
      for (uint32_t by = at.top; by < at.bottom; by++)
        memset (cover->marks + (size_t) by * cover->columns + at.left, 1, at.right - at.left);
    }
  }
}

static void
unite (uint8_t *to, const uint8_t *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] |= from[i];
}

void
gst_cca_cover_grow_marks (GstCcaCover *cover, uint32_t pixels)
{
  const uint32_t columns = cover->columns, rows = cover->rows;
  const uint32_t radius = pixels / GST_CCA_BLOCK + (pixels % GST_CCA_BLOCK != 0);
  const uint32_t across = smaller (radius, columns - 1), down = smaller (radius, rows - 1);

  memcpy (cover->scratch, cover->marks, n_blocks (cover));
  for (uint32_t y = 0; y < rows; y++) {
    const uint8_t *from = cover->marks + (size_t) y * columns;
    uint8_t *to = cover->scratch + (size_t) y * columns;

    for (uint32_t i = 1; i <= across; i++) {
      unite (to + i, from, columns - i);
      unite (to, from + i, columns - i);
    }
  }
  memcpy (cover->marks, cover->scratch, n_blocks (cover));
  for (uint32_t i = 1; i <= down; i++) {
    const size_t skipped = (size_t) i * columns;

    unite (cover->marks + skipped, cover->scratch, n_blocks (cover) - skipped);
    unite (cover->marks, cover->scratch + skipped, n_blocks (cover) - skipped);
  }
}

/* --- Hiding ------------------------------------------------------------------------------------------- */

/* Raises the blocks of a range, or only the marked ones, to a level at least. */
static void
raise_blocks (GstCcaCover *cover, Blocks at, uint8_t level, bool only_marked)
{
  for (uint32_t y = at.top; y < at.bottom; y++) {
    uint8_t *blocks = cover->blocks + (size_t) y * cover->columns;
    const uint8_t *marks = cover->marks + (size_t) y * cover->columns;

    for (uint32_t x = at.left; x < at.right; x++)
      if (blocks[x] < level && (marks[x] || !only_marked))
        blocks[x] = level;
  }
}

void
gst_cca_cover_hide_marks (GstCcaCover *cover, const GstCcaCoverBox *boxes, uint32_t n, uint32_t grow, uint32_t n_cells)
{
  const uint8_t level = frame_level (cover, n_cells);
  size_t budget = 16 * n_blocks (cover);

  for (uint32_t i = 0; i < n; i++) {
    const Blocks at = touched (cover, &boxes[i], grow);
    const size_t size = (size_t) (at.right - at.left) * (at.bottom - at.top);

    /* Many large boxes would take long: the rest gets the level of the frame, which is no lower. */
    if (size > budget) {
      raise_blocks (cover, (Blocks) { 0, 0, cover->columns, cover->rows }, level, true);
      break;
    }
    budget -= size;
    raise_blocks (cover, at, box_level (&boxes[i], n_cells), true);
  }
  for (size_t i = 0; i < n_blocks (cover); i++)
    if (cover->marks[i] && cover->blocks[i] == 0)
      cover->blocks[i] = level;
  memset (cover->marks, 0, n_blocks (cover));
}

void
gst_cca_cover_hide_box (GstCcaCover *cover, const GstCcaCoverBox *box, uint32_t grow, uint32_t n_cells)
{
  raise_blocks (cover, touched (cover, box, grow), box_level (box, n_cells), false);
}

void
gst_cca_cover_hide_mask (GstCcaCover *cover, const uint8_t *mask, uint32_t n_cells)
{
  const uint8_t level = frame_level (cover, n_cells);

  for (uint32_t y = 0; y < cover->height; y++) {
    uint8_t *blocks = cover->blocks + (size_t) (y / GST_CCA_BLOCK) * cover->columns;

    for (uint32_t x = 0; x < cover->width; x++)
      if (mask[(size_t) y * cover->width + x])
        blocks[x / GST_CCA_BLOCK] = level;
  }
}

void
gst_cca_cover_hide_blocks (GstCcaCover *cover, const GstCcaCover *others, uint32_t n_cells)
{
  const uint8_t level = frame_level (cover, n_cells);

  for (size_t i = 0; i < n_blocks (cover); i++)
    if (others->blocks[i])
      cover->blocks[i] = level;
}

void
gst_cca_cover_hide_all (GstCcaCover *cover, uint32_t n_cells)
{
  memset (cover->blocks, frame_level (cover, n_cells), n_blocks (cover));
}

uint8_t
gst_cca_cover_highest (const GstCcaCover *cover)
{
  uint8_t highest = 0;

  for (size_t i = 0; i < n_blocks (cover); i++)
    highest = cover->blocks[i] > highest ? cover->blocks[i] : highest;
  return highest;
}
