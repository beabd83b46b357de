/* gst-cca: the crops of a frame that a detector has to look at
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

/* The type of the regions of interest that ccagate marks, ccacrop cuts and ccaoverlay draws. */
#define GST_CCA_CROP_TYPE "cca-crop"

/* Returns the next crop of a buffer, or NULL. *state is NULL before the first one. */
static inline const GstVideoRegionOfInterestMeta *
gst_cca_crops_next (GstBuffer *buffer, gpointer *state)
{
  const GQuark type = g_quark_from_static_string (GST_CCA_CROP_TYPE);
  const GstVideoRegionOfInterestMeta *region;

  do
    region = (const GstVideoRegionOfInterestMeta *) gst_buffer_iterate_meta_filtered (
        buffer, state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  while (region && region->roi_type != type);
  return region;
}
