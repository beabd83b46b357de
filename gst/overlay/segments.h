/* gst-cca: what the segments of a line cover, for both painters
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A line covers what lies within half its width of one of its segments, so its joins and ends are round. A pixel's
 * coverage is that of its middle, with an edge one pixel wide. Also compiles as CUDA device code.
 */
#ifndef GST_CCA_SEGMENTS_H
#define GST_CCA_SEGMENTS_H

#include <math.h>
#include <stdint.h>

#include "cca/label-color.h"

/* Between two points of the view. */
typedef struct
{
  float x[2], y[2];
} GstCcaSegment;

/* Returns the square of the distance of a point. */
static inline CCA_HOST_DEVICE float
gst_cca_segment_distance (const GstCcaSegment *segment, float x, float y)
{
  const float dx = segment->x[1] - segment->x[0], dy = segment->y[1] - segment->y[0];
  const float px = x - segment->x[0], py = y - segment->y[0];
  const float length = dx * dx + dy * dy, along = px * dx + py * dy;
  const float share = along <= 0 ? 0 : along >= length ? 1 : along / length;
  const float rx = px - share * dx, ry = py - share * dy;

  return rx * rx + ry * ry;
}

/* Returns the coverage, 0…255, of a pixel whose middle has that distance, squared, from a line of a width. */
static inline CCA_HOST_DEVICE uint32_t
gst_cca_segment_coverage (float distance, float width)
{
  const float inside = (width + 1) / 2 - sqrtf (distance);

  return inside <= 0 ? 0 : inside >= 1 ? 255 : (uint32_t) (inside * 255 + 0.5f);
}

#endif
