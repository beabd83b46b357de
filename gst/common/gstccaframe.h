/* gst-cca: the values of a frame's pixels, by GStreamer's description of its format
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include "values.h"

/* Returns where a component's values are in a mapped frame. */
GstCcaValues gst_cca_frame_values (const GstVideoFrame *frame, guint component);

/* Lists them of all components. Returns how many there are: of RGBx the fourth byte counts as alpha, too. */
guint gst_cca_frame_list_values (const GstVideoFrame *frame, GstCcaValues values[GST_VIDEO_MAX_COMPONENTS]);

/* Converts red, green and blue, 0…1, to the values of a format, as components 0 to 2 have them; neither rounded nor
 * clipped. */
void gst_cca_frame_color (const GstVideoInfo *info, const gdouble rgb[3], gdouble values[3]);
