/* gst-cca: tracks as they are published, in element messages and as GstAnalytics metadata
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccatrackmeta.h>

#include "gstccalists.h"
#include "gstccatimes.h"
#include "tracker.h"

/* Makes a track of a frame of that size as it is published. Returns FALSE for those that are not: tentative ones, and
 * boxes outside the frame. */
gboolean gst_cca_track_publish (const GstCcaObject *track, guint width, guint height, GstCcaTrack *published);

/* Returns an empty pool for the tracks in messages, which the caller unrefs. */
GstCcaListPool *gst_cca_track_message_pool_new (void);

/* Returns the message "cca-tracks" on n tracks in a frame of that size, whose components the analysis named id
 * found, by a camera with a trouble or, if it is NULL, with none. */
GstMessage *gst_cca_track_message_new (GstCcaListPool *pool, GstObject *source, const gchar *id,
                                       const GstCcaMessageTimes *times, guint width, guint height, const gchar *trouble,
                                       const GstCcaTrack *tracks, guint n);

/* When a track was seen, running times. */
typedef struct
{
  guint64 track_id;
  GstClockTime first_seen, last_seen;
} GstCcaSighting;

/* The tracks of the last frame. All 0 is empty. */
typedef struct
{
  GstCcaSighting *sightings;
  gsize n, room;
} GstCcaTrackAnalytics;

void gst_cca_track_analytics_clear (GstCcaTrackAnalytics *self);

/* Adds to a writable buffer's GstAnalyticsRelationMeta a tracking entry for each of n tracks in ascending order of
 * their ids, and for each that was seen in the frame an object detection of a type that is related to it. Tracks of
 * the last call that are not among them get a last entry that is marked as lost. Returns FALSE if memory is exhausted.
 */
gboolean gst_cca_track_analytics_add (GstCcaTrackAnalytics *self, GstBuffer *buffer, GQuark type,
                                      const GstCcaTrack *tracks, const GstCcaSighting *sightings, guint n);
