/* gst-cca: the crops of a frame that a detector has to look at
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

/* The type of the regions of interest that ccagate marks, ccacrop cuts and ccaoverlay draws. */
#define GST_CCA_CROP_TYPE "cca-crop"

/* Returns the next crop of a buffer, or NULL. *state is NULL before the first one. */
const GstVideoRegionOfInterestMeta *gst_cca_crops_next (GstBuffer *buffer, gpointer *state);
