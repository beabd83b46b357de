/* gst-cca: where the marks of a component lie on a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Geometry only: no GStreamer, no drawing. Coordinates are pixels of the view, the part of a frame that is shown.
 *
 * Lines lie on whole chroma samples. Where several pixels share a sample (4:2:0, 4:2:2, 4:1:1), blending takes the
 * sample from one of them, so that a line of one pixel would keep or lose its colour with its position.
 */
#ifndef GST_CCA_LAYOUT_H
#define GST_CCA_LAYOUT_H

/* Empty where w or h is not positive. */
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

/* A component's place in the view: the edges of its box, measured between pixels, and its centroid, likewise. Any
 * number is fine; what is not finite is not drawn. */
typedef struct
{
  double left, top, right, bottom;
  double centroid_x, centroid_y;
} GstCcaRegion;

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

/* The rectangle with a margin on all sides. */
GstCcaRect gst_cca_rect_grow (const GstCcaRect *rect, int margin);

/* The part of a rectangle that is in the view. */
GstCcaRect gst_cca_view_clip (const GstCcaView *view, const GstCcaRect *rect);

/* The last sample's edge that is not beyond a position. */
int gst_cca_view_align_x (const GstCcaView *view, int x);
int gst_cca_view_align_y (const GstCcaView *view, int y);

/* The width of lines that is asked for with 0: even, so that lines keep their colour also when the video is converted
 * to a format with fewer chroma samples. */
int gst_cca_view_default_line (const GstCcaView *view);

/* The line of that width, from 0, round a region's box. It straddles the box's edge and is wider by what is missing to
 * whole samples, but stays in the view where the box does. An empty outer where the region has no box in the view's
 * reach. */
GstCcaRing gst_cca_layout_ring (const GstCcaView *view, const GstCcaRegion *region, int line);

/* The cross at a region's centroid, in lines of that width, from 1. Its arms shrink in small boxes to leave at least
 * half of them visible. Empty bars where there is no centroid in the view's reach. */
GstCcaCross gst_cca_layout_cross (const GstCcaView *view, const GstCcaRegion *region, int line);

#endif
