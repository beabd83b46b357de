/* gst-cca: a frame-sized surface that clears and shows only the rows drawn on
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <cairo.h>
#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>

/* The largest width and height that cairo supports. */
#define GST_CCA_CANVAS_MAX_SIZE 32767

typedef struct _GstCcaCanvas GstCcaCanvas;

/* 1…GST_CCA_CANVAS_MAX_SIZE pixels each way. One thread at a time. */
GstCcaCanvas *gst_cca_canvas_new (guint width, guint height);
void gst_cca_canvas_free (GstCcaCanvas *canvas);

/* Begins a drawing. Returns NULL if memory is exhausted. Before you draw in an area, call gst_cca_canvas_touch(). */
cairo_t *gst_cca_canvas_begin (GstCcaCanvas *canvas);

/* Announces drawing in a rectangle. Returns FALSE if it lies outside the canvas. */
gboolean gst_cca_canvas_touch (GstCcaCanvas *canvas, const GstVideoRectangle *area);

/* Returns the drawing, with the canvas's corner at (x, y) of the frame, or NULL if nothing was drawn. The pixels return
 * to the canvas's pool when the composition is freed. */
GstVideoOverlayComposition *gst_cca_canvas_end (GstCcaCanvas *canvas, gint x, gint y);

/* --- Frames that carry overlays ----------------------------------------------------------------------- */

/* The feature of caps whose frames may carry overlays. */
#define GST_CCA_COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION

/* Returns the caps at the other pad of an element that draws, the preferred first. A frame may gain the right to carry
 * overlays, and should where it can; it never loses it. `filter` may be NULL. */
GstCaps *gst_cca_compose_transform_caps (GstPadDirection direction, GstCaps *caps, GstCaps *filter);

/* Returns whether frames with these features are in memory that the processor can write. */
gboolean gst_cca_compose_is_plain (const GstCapsFeatures *features);

/* Adds a drawing to the overlays of a buffer, on top. */
void gst_cca_compose_attach (GstBuffer *buffer, GstVideoOverlayComposition *drawing);
