/* gst-cca: test images: figures that are hard on component labeling, and random ones
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "patterns.h"

#include <stdbool.h>
#include <string.h>

static uint32_t
smaller (uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* Figures that a condition on the pixel (x, y) of w × h describes. */
#define FIGURES(F)                                                                                                     \
  F ("empty", empty, false)                                                                                            \
  F ("full", full, true)                                                                                               \
  F ("checkerboard", checkerboard, (x + y) % 2 == 0)                                                                   \
  F ("dots", dots, x % 2 == 0 && y % 2 == 0)                                                                           \
  F ("holes", holes, x % 2 == 0 || y % 2 == 0)                                                                         \
  F ("columns", columns, x % 2 == 0)                                                                                   \
  F ("rows", rows, y % 2 == 0)                                                                                         \
  F ("comb-up", comb_up, x % 2 == 0 || y == h - 1)                                                                     \
  F ("comb-down", comb_down, x % 2 == 0 || y == 0)                                                                     \
  F ("comb-left", comb_left, y % 2 == 0 || x == w - 1)                                                                 \
  F ("comb-right", comb_right, y % 2 == 0 || x == 0)                                                                   \
  F ("rings", rings, smaller (smaller (x, y), smaller (w - 1 - x, h - 1 - y)) % 2 == 0)                                \
  F ("cups", cups, smaller (smaller (x, w - 1 - x), h - 1 - y) % 2 == 0)                                               \
  F ("arches", arches, smaller (smaller (x, w - 1 - x), y) % 2 == 0)                                                   \
  F ("hooks", hooks, smaller (smaller (y, h - 1 - y), x) % 2 == 0)                                                     \
  F ("diagonals", diagonals, (x + y) % 3 == 0)                                                                         \
  F ("antidiagonals", antidiagonals, x % 3 == y % 3)                                                                   \
  F ("diamonds", diamonds, (x + y) % 5 == 0 || x % 5 == y % 5)                                                         \
  F ("frame", frame, x == 0 || y == 0 || x == w - 1 || y == h - 1)                                                     \
  F ("corners", corners, (x == 0 || x == w - 1) && (y == 0 || y == h - 1))

#define DEFINE(name, function, condition)                                                                              \
  static bool function (uint32_t x, uint32_t y, uint32_t w, uint32_t h)                                                \
  {                                                                                                                    \
    return condition;                                                                                                  \
  }
FIGURES (DEFINE)

/* A tree of teeth: pairs join, then pairs of pairs, so that unions meet at every height. */
static bool
tree (uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
  const uint32_t level = y / 2, span = level < 29 ? 2u << level : 1u << 30;

  return y % 2 == 0 ? x % span == 0 : x % span == 0 || (x % (2 * span)) <= span;
}

static bool
zigzag (uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
  const uint32_t phase = x % 8;

  return (y + (phase < 4 ? phase : 8 - phase)) % 5 == 0;
}

/* Winds inwards from the first pixel, or from the mirrored one, leaving one pixel between the arms. */
static void
draw_spiral (uint8_t *mask, uint32_t width, uint32_t height, bool mirrored)
{
  static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
  int64_t x = 0, y = 0;
  int turns = 0;

  memset (mask, 0, (size_t) width * height);
#define PIXEL(x, y) mask[(size_t) (y) * width + (size_t) (mirrored ? width - 1 - (x) : (x))]
#define INSIDE(x, y) ((x) >= 0 && (x) < width && (y) >= 0 && (y) < height)
  PIXEL (0, 0) = 255;
  for (int heading = 0; turns < 2;) {
    const int dx = steps[heading][0], dy = steps[heading][1];
    const bool ahead = INSIDE (x + dx, y + dy) && !PIXEL (x + dx, y + dy);
    const bool blocked = INSIDE (x + 2 * dx, y + 2 * dy) && PIXEL (x + 2 * dx, y + 2 * dy);

    if (ahead && !blocked) {
      x += dx;
      y += dy;
      PIXEL (x, y) = 255;
      turns = 0;
    } else {
      heading = (heading + 1) % 4;
      turns++;
    }
  }
#undef PIXEL
#undef INSIDE
}

static void
spiral_clockwise (uint8_t *mask, uint32_t width, uint32_t height)
{
  draw_spiral (mask, width, height, false);
}

static void
spiral_counterclockwise (uint8_t *mask, uint32_t width, uint32_t height)
{
  draw_spiral (mask, width, height, true);
}

#define ROW(name, function, condition) { name, function, NULL },

/* A figure is a predicate of the pixel and the size, or draws itself. */
static const struct
{
  const char *name;
  bool (*is_set) (uint32_t x, uint32_t y, uint32_t w, uint32_t h);
  void (*draw) (uint8_t *mask, uint32_t width, uint32_t height);
} patterns[] = {
  FIGURES (ROW){ "tree", tree, NULL },
  { "zigzag", zigzag, NULL },
  { "spiral-clockwise", NULL, spiral_clockwise },
  { "spiral-counterclockwise", NULL, spiral_counterclockwise },
};

const size_t n_patterns = sizeof patterns / sizeof patterns[0];

const char *
pattern_name (size_t index)
{
  return patterns[index].name;
}

size_t
pattern_find (const char *name)
{
  size_t i = 0;

  while (i < n_patterns && strcmp (patterns[i].name, name) != 0)
    i++;
  return i;
}

void
pattern_draw (size_t index, uint8_t *mask, uint32_t width, uint32_t height)
{
  if (patterns[index].draw) {
    patterns[index].draw (mask, width, height);
    return;
  }
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      *mask++ = patterns[index].is_set (x, y, width, height) ? 255 : 0;
}

enum
{
  MT_N = 624,
  MT_M = 397
};

void
random_init (Random *random, uint32_t seed)
{
  random->state[0] = seed;
  for (uint32_t i = 1; i < MT_N; i++) {
    const uint32_t previous = random->state[i - 1];
    random->state[i] = 1812433253u * (previous ^ previous >> 30) + i;
  }
  random->next = MT_N;
}

static void
random_refill (Random *random)
{
  uint32_t *s = random->state;

  for (uint32_t i = 0; i < MT_N; i++) {
    const uint32_t mixed = (s[i] & 0x80000000u) | (s[(i + 1) % MT_N] & 0x7fffffffu);
    s[i] = s[(i + MT_M) % MT_N] ^ mixed >> 1 ^ (mixed & 1 ? 0x9908b0dfu : 0);
  }
  random->next = 0;
}

uint32_t
random_next (Random *random)
{
  uint32_t v;

  if (random->next == MT_N)
    random_refill (random);
  v = random->state[random->next++];
  v ^= v >> 11;
  v ^= v << 7 & 0x9d2c5680u;
  v ^= v << 15 & 0xefc60000u;
  return v ^ v >> 18;
}

uint32_t
random_below (Random *random, uint32_t limit)
{
  return (uint32_t) ((uint64_t) random_next (random) * limit >> 32);
}

/* Fills each square of pixels with a value of value(). */
static void
fill_squares (Random *random, uint8_t (*value) (Random *random, uint32_t parameter), uint32_t parameter,
              uint32_t granularity, uint8_t *pixels, uint32_t width, uint32_t height)
{
  for (uint32_t y = 0; y < height; y++) {
    uint8_t *row = pixels + (size_t) y * width;

    if (y % granularity) {
      memcpy (row, row - width, width);
      continue;
    }
    for (uint32_t x = 0; x < width; x++)
      row[x] = x % granularity ? row[x - 1] : value (random, parameter);
  }
}

static uint8_t
mask_value (Random *random, uint32_t density)
{
  return random_below (random, 100) < density ? 255 : 0;
}

static uint8_t
any_value (Random *random, uint32_t n_values)
{
  return (uint8_t) random_below (random, n_values);
}

void
pattern_random (Random *random, uint32_t density, uint32_t granularity, uint8_t *mask, uint32_t width, uint32_t height)
{
  fill_squares (random, mask_value, density, granularity, mask, width, height);
}

void
pattern_random_values (Random *random, uint32_t n_values, uint32_t granularity, uint8_t *pixels, uint32_t width,
                       uint32_t height)
{
  fill_squares (random, any_value, n_values, granularity, pixels, width, height);
}
