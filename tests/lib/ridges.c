/* gst-cca: ridge patterns, and the families of images made of them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "ridges.h"

#include <stdbool.h>
#include <string.h>

Ridge
ridge_new (uint32_t level, uint32_t scale)
{
  Ridge ridge = { .level = level, .scale = scale };

  ridge.crest_width = (level == 1 ? 2 : 3 * (1u << (level - 2)) + 1) << scale; /* formula 13 */
  ridge.width = 2 * ridge.crest_width - level - 1;                             /* formulas 11 and 14 */
  ridge.height = ridge.crest_width;                                            /* formulas 12 and 14 */
  return ridge;
}

/* Formula 8. */
static uint32_t
peak_height (const Ridge *ridge, uint32_t peak)
{
  uint32_t height = 2;

  for (; peak % 2 == 0 && height < ridge->level; peak /= 2)
    height++;
  return height;
}

static bool
ridge_is_set (const Ridge *ridge, uint32_t x, uint32_t y)
{
  if (y >= ridge->level) {
    const uint32_t left = y - ridge->level;

    return x >= left && x - left < ridge->crest_width;
  }
  if (x >= ridge->crest_width)
    return false;
  if (ridge->level == 1)
    return true;
  return (x >> ridge->scale) % 3 == 0 && ridge->level - y <= peak_height (ridge, (x >> ridge->scale) / 3);
}

/* Draws the pattern scaled to a size by nearest neighbour. */
static void
draw_scaled (const Ridge *ridge, uint32_t width, uint32_t height, uint8_t *pixels, size_t pitch)
{
  for (uint32_t y = 0; y < height; y++) {
    const uint32_t from_y = (uint32_t) ((2 * (uint64_t) y + 1) * ridge->height / (2 * height));

    for (uint32_t x = 0; x < width; x++)
      if (ridge_is_set (ridge, (uint32_t) ((2 * (uint64_t) x + 1) * ridge->width / (2 * width)), from_y))
        pixels[y * pitch + x] = 255;
  }
}

void
ridge_draw (const Ridge *ridge, uint8_t *pixels, size_t pitch)
{
  draw_scaled (ridge, ridge->width, ridge->height, pixels, pitch);
}

const char *
family_name (Family family)
{
  static const char *const names[N_FAMILIES] = { "leveling",          "scaling",        "subdivision",
                                                 "random-instancing", "random-merging", "spiral" };

  return names[family];
}

uint32_t
family_first (Family family)
{
  return family == FAMILY_LEVELING ? 1 : 0;
}

uint32_t
family_last (Family family, uint32_t level, uint32_t side_bits)
{
  switch (family) {
    case FAMILY_LEVELING: return side_bits - 1;
    case FAMILY_SUBDIVISION: return side_bits - level - 1;
    default: return 100;
  }
}

static uint32_t
percent_of (uint32_t size, uint32_t percent)
{
  return (size * percent + 50) / 100;
}

static bool
happens (Random *random, uint32_t percent)
{
  return percent == 100 || random_below (random, 100) < percent;
}

/* An image divided into squares, with the same pattern in each. */
typedef struct
{
  Ridge ridge;
  uint8_t *mask;
  size_t pitch;
  uint32_t n, cell; /* squares in a row, pixels of each */
} Grid;

static Grid
grid_new (uint32_t level, uint32_t subdivisions, uint8_t *mask, uint32_t side_bits)
{
  return (Grid) { .ridge = ridge_new (level, side_bits - level - 1 - subdivisions),
                  .mask = mask,
                  .pitch = (size_t) 1 << side_bits,
                  .n = 1u << subdivisions,
                  .cell = 1u << (side_bits - subdivisions) };
}

/* The upper left pixel of a pattern. */
static uint8_t *
grid_pattern (const Grid *grid, uint32_t column, uint32_t row)
{
  return grid->mask + ((size_t) row * grid->cell + 1) * grid->pitch + (size_t) column * grid->cell + 1;
}

static void
draw_instances (const Grid *grid, uint32_t percent, Random *random)
{
  for (uint32_t row = 0; row < grid->n; row++)
    for (uint32_t column = 0; column < grid->n; column++)
      if (happens (random, percent))
        ridge_draw (&grid->ridge, grid_pattern (grid, column, row), grid->pitch);
}

/* Joins neighbours: from the end of the base's last row to the right, and from that row below the last peak down to
 * the peak. Either line touches no other pattern and no other line. */
static void
draw_lines (const Grid *grid, uint32_t percent, Random *random)
{
  const Ridge *ridge = &grid->ridge;
  const uint32_t length = grid->cell - ridge->crest_width;

  for (uint32_t row = 0; row < grid->n; row++)
    for (uint32_t column = 0; column < grid->n; column++) {
      uint8_t *below = grid_pattern (grid, column, row) + ridge->height * grid->pitch;

      if (column + 1 < grid->n && happens (random, percent))
        memset (below - grid->pitch + ridge->width, 255, length);
      if (row + 1 < grid->n && happens (random, percent))
        for (uint32_t y = 0; y < length; y++)
          below[y * grid->pitch + ridge->crest_width - 1] = 255;
    }
}

static void
draw_spiral (uint32_t side, uint8_t *mask, size_t pitch)
{
  if (side != 0)
    pattern_draw (pattern_find ("spiral-clockwise"), mask, side, side);
  for (uint32_t y = side; y-- > 0;) {
    memmove (mask + y * pitch, mask + (size_t) y * side, side);
    memset (mask + y * pitch + side, 0, pitch - side);
  }
}

void
family_draw (Family family, uint32_t level, uint32_t subdivisions, uint32_t parameter, Random *random, uint8_t *mask,
             uint32_t side_bits)
{
  const size_t side = (size_t) 1 << side_bits;
  Grid grid;

  memset (mask, 0, side * side);
  switch (family) {
    case FAMILY_LEVELING:
      grid = grid_new (parameter, 0, mask, side_bits);
      draw_instances (&grid, 100, random);
      break;
    case FAMILY_SCALING:
      grid = grid_new (level, 0, mask, side_bits);
      draw_scaled (&grid.ridge, percent_of (grid.ridge.width, parameter), percent_of (grid.ridge.height, parameter),
                   grid_pattern (&grid, 0, 0), side);
      break;
    case FAMILY_SUBDIVISION:
      grid = grid_new (level, parameter, mask, side_bits);
      draw_instances (&grid, 100, random);
      break;
    case FAMILY_RANDOM_INSTANCING:
      grid = grid_new (level, subdivisions, mask, side_bits);
      draw_instances (&grid, parameter, random);
      break;
    case FAMILY_RANDOM_MERGING:
      grid = grid_new (level, subdivisions, mask, side_bits);
      draw_instances (&grid, 100, random);
      draw_lines (&grid, parameter, random);
      break;
    case FAMILY_SPIRAL: draw_spiral (percent_of ((uint32_t) side, parameter), mask, side); break;
  }
}
