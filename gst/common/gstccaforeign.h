/* gst-cca: objects that other elements detected, from the metas that GStreamer has for them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Detectors attach a GstVideoRegionOfInterestMeta per object or, from GStreamer 1.24 on, a GstAnalyticsRelationMeta
 * with object detections. Both may carry the ids of a tracker: a region in a parameter object_id, as in DL Streamer; a
 * detection by its relation to a GstAnalyticsTrackingMtd. Metas of our own elements, whose types begin with "cca-",
 * are no detections. One thread at a time.
 */
#pragma once

#include <gst/cca/gstccatrackmeta.h>

/* Where objects come from. */
typedef enum
{
  GST_CCA_DETECTIONS_AUTO,
  GST_CCA_DETECTIONS_COMPONENTS,
  GST_CCA_DETECTIONS_ROI,
  GST_CCA_DETECTIONS_ANALYTICS,
} GstCcaDetections;

/* All zero at first. */
typedef struct
{
  GstCcaDetections source; /* of the stream; AUTO: none so far */
  guint n_skipped;         /* frames without detections since the last that counted */

  /* Of the last frame, n of them. */
  GstCcaComponent *components; /* in the order of the metas; the box is the object */
  GQuark *types;
  guint64 *track_ids; /* 0: none */
  gsize components_room, types_room, track_ids_room;
  guint n;
  GstCcaMeta meta; /* the components as such a meta has them; on no buffer */
  GstCcaTrack *tracks;
  gsize tracks_room;
} GstCcaForeign;

void gst_cca_foreign_clear (GstCcaForeign *foreign);

/* Returns whether this build knows GstAnalyticsRelationMeta. */
gboolean gst_cca_has_analytics (void);

/* Returns the source of a frame's objects: the wanted one. AUTO stands for the components of a GstCcaMeta; if the
 * stream has had none, for object detections; if it has had none either, for regions of interest. AUTO is returned
 * while it has had none of them. */
GstCcaDetections gst_cca_foreign_choose (GstCcaForeign *foreign, GstCcaDetections wanted, GstBuffer *buffer);

/* Reads the detections of a frame from regions of interest or object detections, clipped to the frame; those outside
 * are left out. Sets *meta to them, with this id, or that of the source for NULL. Sets it to NULL if the frame has none
 * and fewer than interval - 1 before it had none: the detector did not look at it. Returns FALSE if memory is
 * exhausted. The meta, and the types of its components, are valid until the next call. */
gboolean gst_cca_foreign_read (GstCcaForeign *foreign, GstBuffer *buffer, GstCcaDetections source, const gchar *id,
                               guint width, guint height, guint interval, const GstCcaMeta **meta);

/* Adds the tracks of detections that have ids of a tracker to a frame, so that rules, overlay and exports see them: as
 * confirmed ones, without velocity, under the id of the source, or `id` if that is not NULL. Does so until the stream
 * has tracks or components of our own; a frame without such detections gets an empty list if one before had some.
 * Returns FALSE if memory is exhausted. */
gboolean gst_cca_foreign_add_tracks (GstCcaForeign *foreign, GstBuffer *buffer, const gchar *id, guint width,
                                     guint height);

/* Returns the size of caps' frames, 0 x 0 if they have none. */
void gst_cca_foreign_frame_size (const GstCaps *caps, guint *width, guint *height);
