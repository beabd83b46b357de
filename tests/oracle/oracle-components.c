/* gst-cca: an oracle for tests, from classes to components: flood fill, filter, order
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *
oracle_alloc (size_t n, size_t size)
{
  void *block = calloc (n ? n : 1, size);

  if (!block) {
    fprintf (stderr, "oracle: no memory for %zu elements of %zu bytes\n", n, size);
    exit (1);
  }
  return block;
}

static void
add_pixel (OracleComponent *c, uint64_t x, uint64_t y)
{
  if (x < c->x_min)
    c->x_min = (uint32_t) x;
  if (x > c->x_max)
    c->x_max = (uint32_t) x;
  if (y < c->y_min)
    c->y_min = (uint32_t) y;
  if (y > c->y_max)
    c->y_max = (uint32_t) y;
  c->area++;
  c->sum_x += x;
  c->sum_y += y;
  c->sum_xx += x * x;
  c->sum_xy += x * y;
  c->sum_yy += y * y;
}

/* n * pq - p * q over n^2: exact until the one rounding of the numerator. */
static double
central_moment (uint64_t n, uint64_t p, uint64_t q, uint64_t pq)
{
  const __int128 numerator = (__int128) n * pq - (__int128) p * q;

  return (double) numerator / ((double) n * (double) n);
}

/* Sets the means and moments from the sums. */
static void
finish (OracleComponent *c, bool covariance)
{
  c->centroid_x = (double) c->sum_x / (double) c->area;
  c->centroid_y = (double) c->sum_y / (double) c->area;
  if (covariance) {
    c->cov_xx = central_moment (c->area, c->sum_x, c->sum_x, c->sum_xx);
    c->cov_xy = central_moment (c->area, c->sum_x, c->sum_y, c->sum_xy);
    c->cov_yy = central_moment (c->area, c->sum_y, c->sum_y, c->sum_yy);
  }
}

typedef struct
{
  const OracleParams *params;
  const uint16_t *classes;
  uint32_t *labels;
  uint32_t width, height;
  size_t *stack; /* pixels whose neighbours are still to be looked at; each pixel is on it once at most */
} Fill;

/* Gives label to the pixel at start and to all that connect to it and have the label from. */
static OracleComponent
flood (const Fill *fill, size_t start, uint32_t from, uint32_t label)
{
  const int64_t width = fill->width, height = fill->height;
  OracleComponent component = { .label = label, .x_min = UINT32_MAX, .y_min = UINT32_MAX };
  size_t depth = 0;

  fill->labels[start] = label;
  fill->stack[depth++] = start;
  while (depth > 0) {
    const size_t pixel = fill->stack[--depth];
    const int64_t x = (int64_t) pixel % width, y = (int64_t) pixel / width;

    add_pixel (&component, (uint64_t) x, (uint64_t) y);
    for (int64_t dy = -1; dy <= 1; dy++)
      for (int64_t dx = -1; dx <= 1; dx++) {
        size_t neighbour;

        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height)
          continue;
        if (dx != 0 && dy != 0 && !fill->params->diagonal)
          continue;
        neighbour = (size_t) ((y + dy) * width + x + dx);
        if (fill->labels[neighbour] == from && fill->classes[neighbour] == fill->classes[start]) {
          fill->labels[neighbour] = label;
          fill->stack[depth++] = neighbour;
        }
      }
  }
  return component;
}

/* Whether a size is less than its minimum or more than its maximum; a limit of 0 is none. */
static bool
is_outside (uint64_t size, uint64_t min, uint64_t max)
{
  return (min > 0 && size < min) || (max > 0 && size > max);
}

static int
larger_first (const void *a, const void *b)
{
  const OracleComponent *p = a, *q = b;

  if (p->area != q->area)
    return p->area > q->area ? -1 : 1;
  return p->label < q->label ? -1 : 1;
}

OracleFrame *
oracle_components (const OracleParams *params, const uint16_t *classes, uint32_t width, uint32_t height)
{
  const size_t n = (size_t) width * height;
  const uint32_t dropped = UINT32_MAX;
  OracleFrame *frame = oracle_alloc (1, sizeof *frame);
  Fill fill = { .params = params, .classes = classes, .width = width, .height = height };
  size_t room = 16;

  frame->width = width;
  frame->height = height;
  frame->labels = fill.labels = oracle_alloc (n, sizeof *fill.labels);
  frame->foreground = oracle_alloc (n, sizeof *frame->foreground);
  frame->components = oracle_alloc (room, sizeof *frame->components);
  fill.stack = oracle_alloc (n, sizeof *fill.stack);

  for (size_t i = 0; i < n; i++)
    frame->foreground[i] = classes[i] != 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t label = frame->n_components + 1;
    OracleComponent component;

    if (classes[i] == 0 || fill.labels[i] != 0)
      continue;
    component = flood (&fill, i, 0, label);
    if (is_outside (component.area, params->min_area, params->max_area)
        || is_outside (component.x_max - component.x_min + 1, params->min_width, params->max_width)
        || is_outside (component.y_max - component.y_min + 1, params->min_height, params->max_height)) {
      flood (&fill, i, label, dropped);
      continue;
    }
    if (frame->n_components == room) {
      OracleComponent *larger = oracle_alloc (room * 2, sizeof *larger);

      memcpy (larger, frame->components, room * sizeof *larger);
      free (frame->components);
      frame->components = larger;
      room *= 2;
    }
    finish (&component, params->covariance);
    frame->components[frame->n_components++] = component;
  }
  for (size_t i = 0; i < n; i++)
    if (fill.labels[i] == dropped)
      fill.labels[i] = 0;
  free (fill.stack);

  if (params->by_area)
    qsort (frame->components, frame->n_components, sizeof *frame->components, larger_first);
  frame->truncated = frame->n_components > params->max_components;
  frame->n_stored = frame->truncated ? params->max_components : frame->n_components;
  return frame;
}

OracleFrame *
oracle_run (const OracleParams *params, OracleModel *model, const uint8_t *pixels, uint32_t width, uint32_t height)
{
  uint16_t *classes = oracle_classes (params, model, pixels, width, height);
  OracleFrame *frame = oracle_components (params, classes, width, height);

  if (params->shape)
    oracle_shapes (params, frame);
  if (params->intensity)
    oracle_intensities (params, pixels, frame);
  frame->scene_change = params->mode == ORACLE_MOTION && oracle_model_scene_changed (model);
  free (classes);
  return frame;
}

void
oracle_frame_free (OracleFrame *frame)
{
  if (!frame)
    return;
  free (frame->labels);
  free (frame->foreground);
  free (frame->components);
  free (frame);
}
