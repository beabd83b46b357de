/* gst-cca: what the segments of a line cover, for both painters
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A line covers what lies within half its width of one of its segments; its joins are round and its ends flat. A
 * pixel's coverage is that of its middle, with an edge one pixel wide. Also compiles as CUDA device code.
 */
#pragma once

#include <math.h>
#include <stdint.h>

#include "cca/label-color.h"

/* The ends of a segment that are flat. */
#define GST_CCA_FLAT_START 1u
#define GST_CCA_FLAT_END 2u

/* Between two points of the view, which differ. */
typedef struct
{
  float x[2], y[2];
  uint32_t flat;
} GstCcaSegment;

/* Returns how far inside of a segment's edge a point is, pixels; the edge is half a pixel beyond half the width. */
static inline CCA_HOST_DEVICE float
gst_cca_segment_depth (const GstCcaSegment *segment, float width, float x, float y)
{
  const float dx = segment->x[1] - segment->x[0], dy = segment->y[1] - segment->y[0];
  const float px = x - segment->x[0], py = y - segment->y[0];
  const float square = dx * dx + dy * dy, along = px * dx + py * dy;
  const float share = along <= 0 ? 0 : along >= square ? 1 : along / square;
  const float rx = px - share * dx, ry = py - share * dy;
  float depth = (width + 1) / 2 - sqrtf (rx * rx + ry * ry);

  if (segment->flat & GST_CCA_FLAT_START)
    depth = fminf (depth, along / sqrtf (square) + 0.5f);
  if (segment->flat & GST_CCA_FLAT_END)
    depth = fminf (depth, (square - along) / sqrtf (square) + 0.5f);
  return depth;
}

/* Returns the coverage, 0…255, of a pixel whose middle is so far inside of a line. */
static inline CCA_HOST_DEVICE uint32_t
gst_cca_segment_coverage (float depth)
{
  return depth <= 0 ? 0 : depth >= 1 ? 255 : (uint32_t) (depth * 255 + 0.5f);
}
