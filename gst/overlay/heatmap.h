/* gst-cca: where objects have been, as a map of colours
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A grid of cells covers the view. With each frame, dt seconds after the last,
 *
 *     heat (c) = heat (c) · 2^(-dt / 300) + dt · sum over objects o of exp (-|c - foot (o)|² / (2 · s (o)²))
 *
 * where c is a cell's centre, foot (o) the middle of the lower edge of an object's box and s (o) a quarter of its
 * width, in pixels and at least a cell. So a cell's heat is the seconds that objects have spent there, with a half-life
 * of five minutes. Colours go from blue over green and yellow to red by v = sqrt (heat / max (1 s, hottest cell)), with
 * the alpha 0.7 v; below v = 0.1 they are transparent.
 */
#pragma once

#include "drawing.h"
#include "layers.h"

typedef struct _GstCcaHeatmap GstCcaHeatmap;

/* Returns a heatmap of cold cells. One thread at a time. */
GstCcaHeatmap *gst_cca_heatmap_new (void);
void gst_cca_heatmap_free (GstCcaHeatmap *heatmap);

/* Adds the objects of a frame: tracks, and the components of analyses without tracks. Times that decrease, or increase
 * by more than a second, count as 0. The map is kept relative to the view's size, so that it may change. */
void gst_cca_heatmap_update (GstCcaHeatmap *heatmap, const GstCcaView *view, const GstCcaLayers *layers,
                             GstClockTime time);

/* Adds the map as an image. Keep the heatmap unchanged until the drawing is painted. */
void gst_cca_heatmap_draw (GstCcaHeatmap *heatmap, GstCcaDrawing *drawing, const GstCcaView *view);
