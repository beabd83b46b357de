/* gst-cca: how high objects are from row to row, as the tracker has learned it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "drawing.h"
#include "font.h"
#include "layers.h"
#include "placement.h"

/* Adds upright bars of the height that an object has on each of several rows, from the upper left to the lower right;
 * none if the meta has no heights. `line` is the width of lines, pixels. */
void gst_cca_height_marks_draw (const GstCcaTrackLayer *layer, GstCcaDrawing *drawing, const GstCcaView *view,
                                gint line);

/* Keeps texts off the bars. */
void gst_cca_height_marks_reserve (const GstCcaTrackLayer *layer, const GstCcaView *view, GstCcaPlacement *placement,
                                   gint line);

/* Adds the heights in pixels of the meta's frame, beside the bars and beside all that was placed. */
void gst_cca_height_marks_label (const GstCcaTrackLayer *layer, GstCcaDrawing *drawing, const GstCcaView *view,
                                 GstCcaFont *font, GstCcaPlacement *placement, gint line);
