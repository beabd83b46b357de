/* gst-cca: where the marks of a component lie on a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "layout.h"

#include <math.h>

static int
min (int a, int b)
{
  return a < b ? a : b;
}

static int
max (int a, int b)
{
  return a > b ? a : b;
}

int
gst_cca_rect_is_empty (const GstCcaRect *rect)
{
  return rect->w <= 0 || rect->h <= 0;
}

GstCcaRect
gst_cca_rect_grow (const GstCcaRect *rect, int margin)
{
  return (GstCcaRect) { rect->x - margin, rect->y - margin, rect->w + 2 * margin, rect->h + 2 * margin };
}

static GstCcaRect
rect_between (int left, int top, int right, int bottom)
{
  return (GstCcaRect) { left, top, max (right - left, 0), max (bottom - top, 0) };
}

GstCcaRect
gst_cca_view_clip (const GstCcaView *view, const GstCcaRect *rect)
{
  return rect_between (max (rect->x, 0), max (rect->y, 0), min (rect->x + rect->w, view->width),
                       min (rect->y + rect->h, view->height));
}

/* The multiple of a power of two at or below a value, counted from an origin. */
static int
align_down (int value, int origin, int size)
{
  return ((value + origin) & -size) - origin;
}

static int
align_up (int value, int origin, int size)
{
  return align_down (value + size - 1, origin, size);
}

int
gst_cca_view_align_x (const GstCcaView *view, int x)
{
  return align_down (x, view->left, view->sample_w);
}

int
gst_cca_view_align_y (const GstCcaView *view, int y)
{
  return align_down (y, view->top, view->sample_h);
}

int
gst_cca_view_default_line (const GstCcaView *view)
{
  return 2 * max (1, (view->height + 360) / 720);
}

/* An axis of the view, so that x and y share what follows. */
typedef struct
{
  int size, origin, sample;
} Axis;

static Axis
axis_x (const GstCcaView *view)
{
  return (Axis) { view->width, view->left, view->sample_w };
}

static Axis
axis_y (const GstCcaView *view)
{
  return (Axis) { view->height, view->top, view->sample_h };
}

/* A position as a whole number. Far beyond the view is as good as just beyond, and overflows nothing. */
static int
whole (Axis axis, double position)
{
  return (int) floor (fmin (fmax (position, -axis.size), 2.0 * axis.size));
}

typedef struct
{
  int start, end;
} Span;

/* The extents of a line's outer and inner edge along an axis; FALSE without an extent to go round. */
static int
ring_spans (Axis axis, double from, double to, int line, Span *outer, Span *inner)
{
  const int start = whole (axis, from), end = whole (axis, ceil (to));

  if (!(from < to) || start >= end)
    return 0;
  outer->start = align_down (start - line / 2, axis.origin, axis.sample);
  outer->end = align_up (end + line / 2, axis.origin, axis.sample);
  if (start >= 0)
    outer->start = max (outer->start, 0);
  if (end <= axis.size)
    outer->end = min (outer->end, axis.size);
  inner->start = align_up (outer->start + line, axis.origin, axis.sample);
  inner->end = align_down (outer->end - line, axis.origin, axis.sample);
  return 1;
}

GstCcaRing
gst_cca_layout_ring (const GstCcaView *view, const GstCcaRegion *region, int line)
{
  Span outer_x, outer_y, inner_x, inner_y;

  if (!ring_spans (axis_x (view), region->left, region->right, line, &outer_x, &inner_x)
      || !ring_spans (axis_y (view), region->top, region->bottom, line, &outer_y, &inner_y))
    return (GstCcaRing) { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };
  return (GstCcaRing) {
    rect_between (outer_x.start, outer_y.start, outer_x.end, outer_y.end),
    rect_between (inner_x.start, inner_y.start, inner_x.end, inner_y.end),
  };
}

/* The part of an axis that a bar of some thickness covers at a position. */
static Span
bar_span (Axis axis, double position, int thickness)
{
  const int start = whole (axis, position - (thickness - axis.sample) / 2.0);
  const int aligned = align_down (start, axis.origin, axis.sample);

  return (Span) { aligned, aligned + thickness };
}

GstCcaCross
gst_cca_layout_cross (const GstCcaView *view, const GstCcaRegion *region, int line)
{
  const Axis axis[2] = { axis_x (view), axis_y (view) };
  const int sample = max (view->sample_w, view->sample_h), thickness = align_up (line, 0, sample);
  const double side = fmin (region->right - region->left, region->bottom - region->top);
  const double room = fmin (fmax ((side / 2 - thickness) / 2, 0), 2 * thickness);
  const int reach = align_down ((int) room, 0, sample);
  Span x, y;

  if (!isfinite (region->centroid_x) || !isfinite (region->centroid_y))
    return (GstCcaCross) { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };
  x = bar_span (axis[0], region->centroid_x, thickness);
  y = bar_span (axis[1], region->centroid_y, thickness);
  return (GstCcaCross) {
    rect_between (x.start - reach, y.start, x.end + reach, y.end),
    rect_between (x.start, y.start - reach, x.end, y.end + reach),
  };
}
