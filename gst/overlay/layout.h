/* gst-cca: the positions of an object's marks on a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Geometry only: no GStreamer, no drawing. Coordinates are pixels of the view, the part of a frame that is shown.
 *
 * Lines lie on whole chroma samples. Where several pixels share a sample (4:2:0, 4:2:2, 4:1:1), blending takes the
 * sample from one of them, so a line one pixel wide would keep or lose its colour depending on its position.
 */
#pragma once

/* A rectangle; empty if w or h is not positive. */
typedef struct
{
  int x, y, w, h;
} GstCcaRect;

typedef struct
{
  int width, height;      /* of the view, from 1 */
  int left, top;          /* of the view in its frame, from 0 */
  int sample_w, sample_h; /* the pixels that share a chroma sample; powers of two */
} GstCcaView;

/* A position in the view, measured from pixel edges. */
typedef struct
{
  double x, y;
} GstCcaVertex;

/* A component's or track's place in the view: the edges of its box and its centroid, measured from pixel edges. Any
 * value is valid; a mark with a value that is not finite is not drawn. */
typedef struct
{
  double left, top, right, bottom;
  double centroid_x, centroid_y;
} GstCcaExtent;

/* A line round a box lies between outer and inner; an empty inner leaves a filled rectangle. */
typedef struct
{
  GstCcaRect outer, inner;
} GstCcaRing;

/* A cross of two bars. */
typedef struct
{
  GstCcaRect across, down;
} GstCcaCross;

int gst_cca_rect_is_empty (const GstCcaRect *rect);

/* Returns the rectangle with a margin added on all sides. */
GstCcaRect gst_cca_rect_grow (const GstCcaRect *rect, int margin);

/* Returns the part of a rectangle that is in the view. */
GstCcaRect gst_cca_view_clip (const GstCcaView *view, const GstCcaRect *rect);

/* Return the last edge of a chroma sample at or before a position. */
int gst_cca_view_align_x (const GstCcaView *view, int x);
int gst_cca_view_align_y (const GstCcaView *view, int y);

/* Returns the line width for the setting 0. It is even, so that lines keep their colour even if the video is converted
 * to a format with fewer chroma samples. */
int gst_cca_view_default_line (const GstCcaView *view);

/* Returns a line of width `line`, 0 or more, around an extent's box. The line straddles the box's edge, is widened to
 * whole chroma samples, and stays in the view if the box does. `outer` is empty if no box is within the view's reach.
 */
GstCcaRing gst_cca_layout_ring (const GstCcaView *view, const GstCcaExtent *extent, int line);

enum
{
  GST_CCA_MAX_DASHES = 40
};

/* Cut a ring into dashes, which share no pixel, and return their number: 0 if the ring has no inside. The corners of
 * the ring lie in dashes. */
int gst_cca_layout_dashes (const GstCcaView *view, const GstCcaRing *ring, GstCcaRect dashes[GST_CCA_MAX_DASHES]);

/* Keeps of each side of the ring a quarter at both ends. */
int gst_cca_layout_corners (const GstCcaView *view, const GstCcaRing *ring, GstCcaRect dashes[GST_CCA_MAX_DASHES]);

/* Returns the cross at an extent's centroid, in lines of width `line`, 1 or more. In small boxes the arms shrink, so
 * that at least half of the box stays visible. The bars are empty if no centroid is within the view's reach. */
GstCcaCross gst_cca_layout_cross (const GstCcaView *view, const GstCcaExtent *extent, int line);
