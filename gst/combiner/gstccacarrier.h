/* gst-cca: the metas of an analysed frame, carried to frames of another size
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

/* The metas of an analysed frame, without its pixels. Threads may share it; only one delivers. */
typedef struct GstCcaCarrier GstCcaCarrier;

/* Reads the size and the shape of the pixels from video caps, whatever memory or format they name. Returns FALSE if
 * they have none. */
gboolean gst_cca_carrier_parse_caps (GstVideoInfo *info, GstCaps *caps);

/* Takes a copy of all metas of ours that a frame carries; info: of its caps. The buffer itself is not kept. */
GstCcaCarrier *gst_cca_carrier_new (GstBuffer *buffer, const GstVideoInfo *info);
GstCcaCarrier *gst_cca_carrier_ref (GstCcaCarrier *carrier);
void gst_cca_carrier_unref (gpointer carrier);

/* Returns whether there is any meta. */
gboolean gst_cca_carrier_has_metas (const GstCcaCarrier *carrier);

/* The size and the shape of pixels of the analysed frame. */
const GstVideoInfo *gst_cca_carrier_get_info (const GstCcaCarrier *carrier);

/* Returns whether frames of the two sizes can show the same picture, as far as sizes and shapes of pixels tell: one is
 * the other scaled, without borders or cropping. */
gboolean gst_cca_carrier_fits (const GstCcaCarrier *carrier, const GstVideoInfo *info);

/* Adds the metas, scaled, to a writable frame; each replaces one of the same kind and id. Events of rules, which happen
 * at a moment, are delivered only once. info: of the frame. */
void gst_cca_carrier_deliver (GstCcaCarrier *carrier, GstBuffer *frame, const GstVideoInfo *info);
