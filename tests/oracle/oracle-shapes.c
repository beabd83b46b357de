/* gst-cca: an oracle for tests, shapes and intensities of components: on an image of each component alone
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Background around the component: its border pixels have neighbours, whose neighbours are looked at. */
#define MARGIN 2

/* A component's pixels in its bounding box, with a margin. */
typedef struct
{
  int64_t width, height;
  uint8_t *own;
} Alone;

static Alone
cut_out (const OracleFrame *frame, const OracleComponent *c)
{
  Alone alone = { .width = (int64_t) c->x_max - c->x_min + 1 + 2 * MARGIN,
                  .height = (int64_t) c->y_max - c->y_min + 1 + 2 * MARGIN };

  alone.own = oracle_alloc ((size_t) (alone.width * alone.height), 1);
  for (uint32_t y = c->y_min; y <= c->y_max; y++)
    for (uint32_t x = c->x_min; x <= c->x_max; x++)
      alone.own[(y - c->y_min + MARGIN) * alone.width + x - c->x_min + MARGIN] =
          frame->labels[(size_t) y * frame->width + x] == c->label;
  return alone;
}

/* --- Perimeters ---------------------------------------------------------------------------------------- */

/* Whether the pixel at i is one of the component with a side that is not on another one of it. */
static bool
is_border (const Alone *alone, int64_t i)
{
  const uint8_t *own = alone->own;

  return own[i] && !(own[i - 1] && own[i + 1] && own[i - alone->width] && own[i + alone->width]);
}

/* Border pixels are classified by those around them, as scikit-image's `perimeter` does: by 1 for themselves, 2 for
 * each over a side and 10 for each over a corner. */
static double
perimeter (const Alone *alone)
{
  const int64_t width = alone->width;
  uint64_t n_1 = 0, n_root = 0, n_half = 0; /* that count 1, the root of 2, and half of both */

  for (int64_t y = 1; y < alone->height - 1; y++)
    for (int64_t x = 1; x < width - 1; x++) {
      int sum = 0;

      if (!is_border (alone, y * width + x))
        continue;
      for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dx = -1; dx <= 1; dx++)
          if (is_border (alone, (y + dy) * width + x + dx))
            sum += dy == 0 && dx == 0 ? 1 : dy == 0 || dx == 0 ? 2 : 10;
      switch (sum) {
        case 5:
        case 7:
        case 15:
        case 17:
        case 25:
        case 27: n_1++; break;
        case 21:
        case 33: n_root++; break;
        case 13:
        case 23: n_half++; break;
        default: break;
      }
    }
  return ((double) (2 * n_1 + n_half) + (double) (2 * n_root + n_half) * sqrt (2)) / 2;
}

/* How many lines in a direction enter the component, each time that they do. */
static uint64_t
entries (const Alone *alone, int64_t dx, int64_t dy)
{
  uint64_t n = 0;

  for (int64_t y = 1; y < alone->height - 1; y++)
    for (int64_t x = 1; x < alone->width - 1; x++)
      n += alone->own[y * alone->width + x] && !alone->own[(y - dy) * alone->width + x - dx];
  return n;
}

/* --- Holes ----------------------------------------------------------------------------------------------- */

/* Marks the pixels outside the component that connect with the pixel `start`. */
static void
fill (const Alone *alone, int64_t start, bool diagonal, int64_t *stack)
{
  const int64_t width = alone->width;
  size_t depth = 0;

  alone->own[start] = 2;
  stack[depth++] = start;
  while (depth > 0) {
    const int64_t pixel = stack[--depth], x = pixel % width, y = pixel / width;

    for (int64_t dy = -1; dy <= 1; dy++)
      for (int64_t dx = -1; dx <= 1; dx++) {
        const int64_t neighbour = pixel + dy * width + dx;

        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= alone->height)
          continue;
        if ((dx != 0 && dy != 0 && !diagonal) || alone->own[neighbour] != 0)
          continue;
        alone->own[neighbour] = 2;
        stack[depth++] = neighbour;
      }
  }
}

/* Holes connect the other way: over corners where the component does not. Marks the background. */
static int64_t
holes (const Alone *alone, bool diagonal)
{
  const int64_t n_pixels = alone->width * alone->height;
  int64_t *stack = oracle_alloc ((size_t) n_pixels, sizeof *stack), n = 0;

  fill (alone, 0, !diagonal, stack);
  for (int64_t i = 0; i < n_pixels; i++)
    if (alone->own[i] == 0) {
      fill (alone, i, !diagonal, stack);
      n++;
    }
  free (stack);
  return n;
}

/* --------------------------------------------------------------------------------------------------------- */

void
oracle_shapes (const OracleParams *params, OracleFrame *frame)
{
  frame->shape = true;
  for (uint32_t i = 0; i < frame->n_stored; i++) {
    OracleComponent *c = &frame->components[i];
    const Alone alone = cut_out (frame, c);
    const uint64_t straight = entries (&alone, 1, 0) + entries (&alone, 0, 1);
    const uint64_t slanting = entries (&alone, 1, 1) + entries (&alone, 1, -1);

    c->perimeter = perimeter (&alone);
    c->perimeter_crofton = acos (-1) / 4 * ((double) straight + (double) slanting / sqrt (2));
    c->euler_number = 1 - holes (&alone, params->diagonal);
    free (alone.own);
  }
}

void
oracle_intensities (const OracleParams *params, const uint8_t *pixels, OracleFrame *frame)
{
  frame->intensity = true;
  for (uint32_t i = 0; i < frame->n_stored; i++) {
    OracleComponent *c = &frame->components[i];
    uint64_t sum = 0;

    c->value_min = UINT32_MAX;
    for (uint32_t y = c->y_min; y <= c->y_max; y++)
      for (uint32_t x = c->x_min; x <= c->x_max; x++) {
        const size_t pixel = (size_t) y * frame->width + x;
        uint32_t value;

        if (frame->labels[pixel] != c->label)
          continue;
        value = oracle_value (params, pixels, pixel);
        sum += value;
        c->value_min = value < c->value_min ? value : c->value_min;
        c->value_max = value > c->value_max ? value : c->value_max;
      }
    c->value_mean = (double) sum / (double) c->area;
  }
}
