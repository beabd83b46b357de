/* gst-cca: frames of a camera that tests can tamper with
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

static inline uint32_t
scene_hash (uint32_t a, uint32_t b, uint32_t c)
{
  uint32_t hash = a * 0x9e3779b1U ^ b * 0x85ebca77U ^ c * 0xc2b2ae3dU;

  hash ^= hash >> 15;
  hash *= 0x2c1b3c6dU;
  return hash ^ hash >> 13;
}

/* Returns a pixel of a patchwork with fine print on it: 60…187. */
static inline int
scene_level (int x, int y, uint32_t place)
{
  const uint32_t u = (uint32_t) (x + 10000), v = (uint32_t) (y + 10000);

  return 60 + (int) (scene_hash (u / 23, v / 17, place) % 96) + (int) (scene_hash (u / 2, v / 2, place + 1) % 32);
}

/* Returns a frame's noise: -2…2. */
static inline int
scene_noise (uint32_t x, uint32_t y, uint32_t frame)
{
  return (int) (scene_hash (x, y, frame + 7) % 5) - 2;
}

/* Fills rows of width bytes with the view of a place, shifted by (x, y) pixels to the right and down. */
static inline void
scene_fill (uint8_t *luma, uint32_t width, uint32_t height, int x, int y, uint32_t place, uint32_t frame)
{
  for (uint32_t row = 0; row < height; row++)
    for (uint32_t column = 0; column < width; column++)
      luma[row * width + column] =
          (uint8_t) (scene_level ((int) column - x, (int) row - y, place) + scene_noise (column, row, frame));
}

/* Averages 2·radius + 1 pixels of each row and of each column, in place; scratch has the longer side's bytes. */
static inline void
scene_blur (uint8_t *luma, uint32_t width, uint32_t height, int radius, uint8_t *scratch)
{
  for (int pass = 0; pass < 2; pass++) {
    const uint32_t lines = pass ? width : height, length = pass ? height : width, step = pass ? width : 1;

    for (uint32_t line = 0; line < lines; line++) {
      uint8_t *first = luma + line * (pass ? 1 : width);

      for (uint32_t i = 0; i < length; i++)
        scratch[i] = first[i * step];
      for (int i = 0; i < (int) length; i++) {
        int sum = 0, n = 0;

        for (int j = i - radius; j <= i + radius; j++)
          if (j >= 0 && j < (int) length) {
            sum += scratch[j];
            n++;
          }
        first[(uint32_t) i * step] = (uint8_t) (sum / n);
      }
    }
  }
}
