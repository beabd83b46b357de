/* gst-cca: finds the boxes that touch a place
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

#define MAX_SIDE 64

/* Up to this many boxes fit a set of bits, and combining sets is faster than visiting cells. */
#define FEW 64
#define SET_SIDE 32

/* For so few searches, to go through all boxes is faster than to sort them. */
#define FEW_SEARCHES 8

struct GstCcaGrid
{
  const GstCcaBox *boxes;
  size_t n;
  GstCcaBox bounds;
  double scale[2]; /* cells per pixel */
  int side;        /* cells in a row, and rows; 0: empty; 1: all boxes are in one cell */
  /* Few boxes, by axis: those that begin in a column of cells or before it, and those that end in it or behind it. */
  uint64_t begun[2][SET_SIDE], unended[2][SET_SIDE];
  size_t *first; /* of each cell's entries */
  size_t first_room;
  uint32_t *entries; /* box numbers, cell by cell */
  size_t entries_room;
  uint32_t *found;
  size_t found_room;
  uint32_t *seen; /* the last search that found a box */
  size_t seen_room;
  uint32_t search;
};

/* Cells from…to, both included. */
typedef struct
{
  int from[2], to[2];
} Cells;

GstCcaGrid *
gst_cca_grid_new (void)
{
  return calloc (1, sizeof (GstCcaGrid));
}

void
gst_cca_grid_free (GstCcaGrid *grid)
{
  if (grid == NULL)
    return;
  free (grid->first);
  free (grid->entries);
  free (grid->found);
  free (grid->seen);
  free (grid);
}

static int
cell_of (const GstCcaGrid *grid, double position, int axis)
{
  const double cell = (position - grid->bounds.min[axis]) * grid->scale[axis];

  return (int) gst_cca_min (gst_cca_max (cell, 0.0), grid->side - 1);
}

static Cells
cells_of (const GstCcaGrid *grid, const GstCcaBox *box)
{
  Cells cells;

  for (int i = 0; i < 2; i++) {
    cells.from[i] = cell_of (grid, box->min[i], i);
    cells.to[i] = cell_of (grid, box->max[i], i);
  }
  return cells;
}

static size_t
n_cells (const Cells *cells)
{
  return (size_t) (cells->to[0] - cells->from[0] + 1) * (size_t) (cells->to[1] - cells->from[1] + 1);
}

static void
set_bounds (GstCcaGrid *grid, int side)
{
  grid->bounds = grid->boxes[0];
  for (size_t i = 1; i < grid->n; i++)
    grid->bounds = gst_cca_box_join (&grid->bounds, &grid->boxes[i]);
  grid->side = side;
  for (int i = 0; i < 2; i++)
    grid->scale[i] = side / (grid->bounds.max[i] - grid->bounds.min[i]);
}

static void
fill_sets (GstCcaGrid *grid)
{
  set_bounds (grid, SET_SIDE);
  memset (grid->begun, 0, sizeof grid->begun);
  memset (grid->unended, 0, sizeof grid->unended);
  for (size_t i = 0; i < grid->n; i++) {
    const Cells cells = cells_of (grid, &grid->boxes[i]);

    for (int k = 0; k < 2; k++) {
      grid->begun[k][cells.from[k]] |= UINT64_C (1) << i;
      grid->unended[k][cells.to[k]] |= UINT64_C (1) << i;
    }
  }
  for (int k = 0; k < 2; k++)
    for (int i = 1; i < SET_SIDE; i++) {
      grid->begun[k][i] |= grid->begun[k][i - 1];
      grid->unended[k][SET_SIDE - 1 - i] |= grid->unended[k][SET_SIDE - i];
    }
}

bool
gst_cca_grid_fill (GstCcaGrid *grid, const GstCcaBox *boxes, size_t n, size_t n_searches)
{
  size_t n_entries = 0, count;
  int side = 1;

  grid->side = 0;
  grid->boxes = boxes;
  grid->n = n;
  if (!GST_CCA_RESERVE (grid->found, grid->found_room, n))
    return false;
  if (n <= FEW) {
    if (n > 0)
      fill_sets (grid);
    return true;
  }
  if (n_searches <= FEW_SEARCHES) {
    grid->side = 1;
    return true;
  }
  while (side < MAX_SIDE && (size_t) side * side < n)
    side++;
  count = (size_t) side * side;
  if (!GST_CCA_RESERVE (grid->first, grid->first_room, count + 1) || !GST_CCA_RESERVE (grid->seen, grid->seen_room, n))
    return false;

  set_bounds (grid, side);
  for (size_t i = 0; i < n; i++) {
    const Cells cells = cells_of (grid, &boxes[i]);

    n_entries += n_cells (&cells);
  }
  if (!GST_CCA_RESERVE (grid->entries, grid->entries_room, n_entries)) {
    grid->side = 0;
    return false;
  }

  /* A counting sort: each cell's count, their sums, then each entry before its cell's end. */
  memset (grid->first, 0, (count + 1) * sizeof *grid->first);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = n; i-- > 0;) {
      const Cells cells = cells_of (grid, &boxes[i]);

      for (int y = cells.from[1]; y <= cells.to[1]; y++)
        for (int x = cells.from[0]; x <= cells.to[0]; x++) {
          size_t *cell = &grid->first[(size_t) y * side + x];

          if (pass == 0)
            ++*cell;
          else
            grid->entries[--*cell] = (uint32_t) i;
        }
    }
    for (size_t i = 1; pass == 0 && i <= count; i++)
      grid->first[i] += grid->first[i - 1];
  }
  memset (grid->seen, 0, n * sizeof *grid->seen);
  grid->search = 0;
  return true;
}

static const uint32_t *
find_in_all (GstCcaGrid *grid, const GstCcaBox *area, size_t *n_found)
{
  size_t n = 0;

  for (uint32_t i = 0; i < grid->n; i++) {
    grid->found[n] = i;
    n += gst_cca_box_touches (area, &grid->boxes[i]);
  }
  *n_found = n;
  return grid->found;
}

static const uint32_t *
find_in_sets (GstCcaGrid *grid, const GstCcaBox *area, size_t *n_found)
{
  const Cells cells = cells_of (grid, area);
  uint64_t near = grid->begun[0][cells.to[0]] & grid->unended[0][cells.from[0]] & grid->begun[1][cells.to[1]]
                  & grid->unended[1][cells.from[1]];
  size_t n = 0;

  for (; near != 0; near &= near - 1) {
    const uint32_t box = (uint32_t) __builtin_ctzll (near);

    grid->found[n] = box;
    n += gst_cca_box_touches (area, &grid->boxes[box]);
  }
  *n_found = n;
  return grid->found;
}

const uint32_t *
gst_cca_grid_find (GstCcaGrid *grid, const GstCcaBox *area, size_t *n_found)
{
  Cells cells;

  *n_found = 0;
  if (grid->side == 0)
    return grid->found;
  if (grid->n <= FEW)
    return find_in_sets (grid, area, n_found);
  if (grid->side == 1)
    return find_in_all (grid, area, n_found);
  cells = cells_of (grid, area);
  grid->search++;
  for (int y = cells.from[1]; y <= cells.to[1]; y++)
    for (int x = cells.from[0]; x <= cells.to[0]; x++) {
      const size_t cell = (size_t) y * grid->side + x;

      for (size_t i = grid->first[cell]; i < grid->first[cell + 1]; i++) {
        const uint32_t box = grid->entries[i];

        if (grid->seen[box] == grid->search)
          continue;
        grid->seen[box] = grid->search;
        if (gst_cca_box_touches (area, &grid->boxes[box]))
          grid->found[(*n_found)++] = box;
      }
    }
  return grid->found;
}
