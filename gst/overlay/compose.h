/* gst-cca: frames that carry overlays for an element downstream that composes them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_COMPOSE_H
#define GST_CCA_COMPOSE_H

#include <gst/video/video-overlay-composition.h>

G_BEGIN_DECLS

/* The feature of caps whose frames may carry overlays. */
#define GST_CCA_COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION

/* Returns the caps at the other pad of an element that draws, the preferred first. A frame may gain the right to carry
 * overlays, and should where it can; it never loses it. `filter` may be NULL. */
GstCaps *gst_cca_compose_transform_caps (GstPadDirection direction, GstCaps *caps, GstCaps *filter);

/* Returns whether frames with these features are in memory that the processor can write. */
gboolean gst_cca_compose_is_plain (const GstCapsFeatures *features);

/* Adds a drawing to the overlays of a buffer, on top. */
void gst_cca_compose_attach (GstBuffer *buffer, GstVideoOverlayComposition *drawing);

G_END_DECLS

#endif
