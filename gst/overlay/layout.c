/* gst-cca: where the marks of an object lie on a frame
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

/* An axis of the view, so that x and y share the functions below. */
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
gst_cca_layout_ring (const GstCcaView *view, const GstCcaExtent *extent, int line)
{
  Span outer_x, outer_y, inner_x, inner_y;

  if (!ring_spans (axis_x (view), extent->left, extent->right, line, &outer_x, &inner_x)
      || !ring_spans (axis_y (view), extent->top, extent->bottom, line, &outer_y, &inner_y))
    return (GstCcaRing) { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };
  return (GstCcaRing) {
    rect_between (outer_x.start, outer_y.start, outer_x.end, outer_y.end),
    rect_between (inner_x.start, inner_y.start, inner_x.end, inner_y.end),
  };
}

/* Cuts a side of a box into dashes: it begins and ends with one. */
typedef struct
{
  int start, length, n;
  int ends; /* the share of the first and the last dash of the side, as 1/ends; 0: all parts are equally long */
} Cut;

static Span
dash_span (Axis axis, const Cut *cut, int i)
{
  const int parts = 2 * cut->n - 1, end = cut->start + cut->length;
  int from, to;

  if (cut->n == 1)
    return (Span) { cut->start, end };
  if (cut->ends > 0) {
    from = i == 0 ? cut->start : end - cut->length / cut->ends;
    to = i == 0 ? cut->start + cut->length / cut->ends : end;
  } else {
    from = cut->start + cut->length * (2 * i) / parts;
    to = cut->start + cut->length * (2 * i + 1) / parts;
  }
  if (from > cut->start)
    from = align_down (from, axis.origin, axis.sample);
  if (to < end)
    to = align_up (to, axis.origin, axis.sample);
  return (Span) { from, to };
}

/* The number of dashes of a side: each and each gap is at least some lines long. A short side is not cut. */
static int
dashes_of (int length, int line, int ends)
{
  const int n = (length / (4 * line) + 1) / 2;

  return ends > 0 ? min (max (n, 1), 2) : min (max (n, 1), GST_CCA_MAX_DASHES / 4);
}

/* The horizontal sides have the corners; the vertical sides lie between them. */
static int
cut_ring (const GstCcaView *view, const GstCcaRing *ring, int ends, GstCcaRect dashes[GST_CCA_MAX_DASHES])
{
  const GstCcaRect *outer = &ring->outer, *inner = &ring->inner;
  const int line = max (1, max (inner->y - outer->y, inner->x - outer->x)), bottom = inner->y + inner->h,
            right = inner->x + inner->w;
  const Cut across = { outer->x, outer->w, dashes_of (outer->w, line, ends), ends };
  const Cut down = { inner->y, inner->h, dashes_of (inner->h, line, ends), ends };
  int n = 0;

  if (gst_cca_rect_is_empty (outer) || gst_cca_rect_is_empty (inner))
    return 0;
  for (int i = 0; i < across.n; i++) {
    const Span x = dash_span (axis_x (view), &across, i);

    dashes[n++] = rect_between (x.start, outer->y, x.end, inner->y);
    dashes[n++] = rect_between (x.start, bottom, x.end, outer->y + outer->h);
  }
  for (int i = 0; i < down.n; i++) {
    const Span y = dash_span (axis_y (view), &down, i);

    dashes[n++] = rect_between (outer->x, y.start, inner->x, y.end);
    dashes[n++] = rect_between (right, y.start, outer->x + outer->w, y.end);
  }
  return n;
}

int
gst_cca_layout_dashes (const GstCcaView *view, const GstCcaRing *ring, GstCcaRect dashes[GST_CCA_MAX_DASHES])
{
  return cut_ring (view, ring, 0, dashes);
}

int
gst_cca_layout_corners (const GstCcaView *view, const GstCcaRing *ring, GstCcaRect dashes[GST_CCA_MAX_DASHES])
{
  return cut_ring (view, ring, 4, dashes);
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
gst_cca_layout_cross (const GstCcaView *view, const GstCcaExtent *extent, int line)
{
  const Axis axis[2] = { axis_x (view), axis_y (view) };
  const int sample = max (view->sample_w, view->sample_h), thickness = align_up (line, 0, sample);
  const double side = fmin (extent->right - extent->left, extent->bottom - extent->top);
  const double room = fmin (fmax ((side / 2 - thickness) / 2, 0), 2 * thickness);
  const int reach = align_down ((int) room, 0, sample);
  Span x, y;

  if (!isfinite (extent->centroid_x) || !isfinite (extent->centroid_y))
    return (GstCcaCross) { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };
  x = bar_span (axis[0], extent->centroid_x, thickness);
  y = bar_span (axis[1], extent->centroid_y, thickness);
  return (GstCcaCross) {
    rect_between (x.start - reach, y.start, x.end + reach, y.end),
    rect_between (x.start, y.start - reach, x.end, y.end + reach),
  };
}
